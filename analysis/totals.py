"""What a window sums up to: counts, medians and shares, each unknown where its rows are."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pandas as pd

from analysis.risk_settings import ELEVATED
from analysis.spread import summary
from analysis.variation import variation
from analysis.window import Window

TOTALS = (
    "merged",
    "key",
    "bots_hidden",
    "authors",
    "new_authors",
    "additions",
    "deletions",
    "breaking",
    "reverts",
    "mean_importance",
    "mean_insight",
    "median_lead_time_hours",
    "p90_lead_time_hours",
    "median_first_review_hours",
)
UNKNOWN = dict.fromkeys(TOTALS)


def totals(measures: pd.DataFrame, *, bots_hidden: int, new_authors: int | None) -> dict[str, Any]:
    """How much was merged in a window, by how many people, and what else does it add up to?

    Formula: `merged` counts pull requests whose last merge lies in the window, into the default branch (the source's
        word; without one, the branch most were merged into), without bots: `bots_hidden` counts theirs. `key` counts
        those of importance 5.0 and up, `breaking` those that are, `reverts` those of that kind. `authors` are distinct
        people, `new_authors` those without an earlier merge in this cache. `additions` and `deletions` are lines. Means
        and medians are taken over the pull requests that the value is known of.
    Misses: commits pushed without a pull request. Where the cache begins no earlier than the window, nobody knows who
        is new. Whether a window is like another depends on its days: one with a holiday merges less.
    Source: CHAOSS, Change Requests Accepted; for the bots GitHub's account types, names in `[bot]` or `app/`, and a
        short list of known machines.
    Example: Monday to Sunday saw 34 merges into `main`, 4 of them by `dependabot`, and 2 into a release branch:
        `merged` 30, `bots_hidden` 4.

    Args:
        measures: one row per merged pull request, as `queries.measures` gives them.
        bots_hidden: how many bots' pull requests were left out.
        new_authors: how many people merged for the first time; None where the cache does not reach back.

    Returns:
        The keys of `TOTALS`; None is unknown, never 0, and durations are not told of fewer than five. Hours to two
        decimals, means to two.
    """
    lead_time = summary(measures["lead_time_hours"])
    return {
        "merged": len(measures),
        "key": int(measures["is_key"].fillna(False).sum()),
        "bots_hidden": bots_hidden,
        "authors": measures["author"].nunique(),
        "new_authors": new_authors,
        "additions": int(measures["additions"].sum()),
        "deletions": int(measures["deletions"].sum()),
        "breaking": int(measures["is_breaking"].fillna(False).sum()),
        "reverts": int((measures["kind"] == "revert").sum()),
        "mean_importance": _known(measures["importance"].mean()),
        "mean_insight": _known(measures["insight"].mean()),
        "median_lead_time_hours": _known(lead_time.median),
        "p90_lead_time_hours": _known(lead_time.p90),
        "median_first_review_hours": _known(summary(measures["first_review_hours"]).median),
    }


def history(measures: pd.DataFrame, windows: Sequence[Window]) -> pd.DataFrame:
    """How many of the source changes touched no test?

    The other counts of a window stand beside it, for several windows, to see how they run.

    Formula: of the window's pull requests that touched a source file (no generated, vendored or lock file), those that
        touched no test file; told as "3 of 20", and as a share to compare with other windows. The other counts are as
        in the totals of a window.
    Misses: whether a test was needed: in many projects most source changes touch none, and few of those need to. The
        risk rule `missing-tests` picks the ones where it matters. Tests within the source file (as in Rust) and tests
        in another repository are not seen. Pull requests whose files are unknown count on neither side.
    Source: common practice in delivery metrics.
    Example: 31 merged, 20 of them touched source files and 12 of these a test as well: 8 of 20 without tests, 40 %.

    Args:
        measures: one row per merged pull request of them all.
        windows: in time order, not overlapping.

    Returns:
        One row per window: since, until, merged, key, breaking, elevated (tier 3 and up), source_changes,
        without_tests (counts; the last of source changes that touched no test), median_lead_time_hours,
        median_first_review_hours, mean_importance (NaN where unknown).
    """
    rows = []
    for window in windows:
        inside = measures[(measures["merged_at"] >= window.start) & (measures["merged_at"] < window.end)]
        source = inside[inside["touches_source"].fillna(False).astype(bool)]
        rows.append(
            {
                "since": window.since,
                "until": window.until,
                "merged": len(inside),
                "key": int(inside["is_key"].fillna(False).sum()),
                "breaking": int(inside["is_breaking"].fillna(False).sum()),
                "elevated": int((inside["tier"] >= ELEVATED).sum()),
                "source_changes": len(source),
                "without_tests": len(source) - int(source["touches_tests"].fillna(False).sum()),
                "median_lead_time_hours": summary(inside["lead_time_hours"]).median,
                "median_first_review_hours": summary(inside["first_review_hours"]).median,
                "mean_importance": inside["importance"].mean(),
            }
        )
    return pd.DataFrame(rows)


def by_period(measures: pd.DataFrame, periods: Sequence[Window]) -> pd.DataFrame:
    """How many pull requests of each kind each period merged.

    Args:
        measures: one row per merged pull request: merged_at, kind.
        periods: in time order, adjoining; empty ones count too.

    Returns:
        One row per period and kind that occurs anywhere in them, zeros included: since (date), kind, merged.
    """
    starts = [period.start for period in periods]
    index = pd.Series(starts).searchsorted(measures["merged_at"].to_numpy(), side="right") - 1
    counts = pd.crosstab(pd.Series(index, name="period"), measures["kind"].reset_index(drop=True))
    counts = counts.reindex(range(len(periods)), fill_value=0)
    counts.index = pd.Index([period.since for period in periods], name="since")
    return counts.melt(ignore_index=False, var_name="kind", value_name="merged").reset_index()


def per_week(moments: pd.Series, weeks: Sequence[Window]) -> list[int]:
    """How many of these moments (UTC text, in time order) lie in each week."""
    edges = moments.searchsorted([week.start for week in weeks] + [weeks[-1].end])
    return [int(after - before) for before, after in pairwise(edges)]


def kinds(now: pd.DataFrame, before: pd.DataFrame | None) -> list[dict[str, Any]]:
    """Which kinds of change the window holds, most first: name, prs, before (count, or None where unknown).

    Args:
        now: one row per merged pull request: number, kind.
        before: the same of the equal period before; None where the cache does not reach there.
    """
    return _most_first(now, before, column="kind", called="name")


def modules(now: pd.DataFrame, before: pd.DataFrame | None) -> list[dict[str, Any]]:
    """Which modules the window's changes touch, most first: name, prs, before, sources (reason -> count).

    Args:
        now: one row per module, pull request and reason: module, number, source.
        before: the same of the equal period before; None where the cache does not reach there.
    """
    then = {} if before is None else _counts(before.drop_duplicates(["module", "number"])["module"])
    groups = {str(name): rows for name, rows in now.groupby("module")}
    found = [
        {
            "name": name,
            "prs": sorted({int(number) for number in groups[name]["number"]}) if name in groups else [],
            "before": None if before is None else then.get(name, 0),
            "sources": _counts(groups[name]["source"]) if name in groups else {},
        }
        for name in {*groups, *then}
    ]
    return sorted(found, key=lambda module: (-len(module["prs"]), module["name"]))


def usual_modules(measures: pd.DataFrame, assigned: pd.DataFrame, windows: Sequence[Window]) -> pd.DataFrame:
    """How many pull requests of a window usually touch each module, and is the newest window within that?

    Args:
        measures: one row per merged pull request of all windows: number, merged_at.
        assigned: one row per module, pull request and reason: module, number.
        windows: equal ones in time order; the last is judged by those before it.

    Returns:
        One row per module of these windows, by name: module, and the columns of `variation.variation` for the newest.
    """
    starts = [window.start for window in windows]
    at = pd.Series(starts).searchsorted(measures["merged_at"].to_numpy(), side="right") - 1
    place = dict(zip(measures["number"], at, strict=True))
    pairs = assigned[["module", "number"]].drop_duplicates()
    counts = pd.crosstab(pairs["module"], pairs["number"].map(place)).reindex(columns=range(len(windows)), fill_value=0)
    found = [variation(row, unit="pulls").iloc[-1] for _, row in counts.iterrows()]
    frame = pd.DataFrame(found, columns=["low", "median", "high", "n_before", "state"]).reset_index(drop=True)
    return frame.assign(module=counts.index.tolist())


def risks(now: pd.DataFrame, before: pd.DataFrame | None) -> list[dict[str, Any]]:
    """Which risk rules fired, for most pull requests first: rule, prs, before (count, or None where unknown).

    Args:
        now: one row per pull request of the window and rule that fired: rule, number.
        before: the same of the equal period before; None where the cache does not reach there.
    """
    return _most_first(now, before, column="rule", called="rule")


def overlaps(now: pd.DataFrame) -> list[dict[str, Any]]:
    """Which two modules share pull requests, most first: a, b, prs.

    Args:
        now: one row per module, pull request and reason: module, number, source.
    """
    pairs = now[["module", "number"]].drop_duplicates()
    joined = pairs.merge(pairs, on="number", suffixes=("_a", "_b"))
    joined = joined[joined["module_a"] < joined["module_b"]]
    found = [
        {"a": a, "b": b, "prs": sorted(rows["number"].tolist())}
        for (a, b), rows in joined.groupby(["module_a", "module_b"])
    ]
    return sorted(found, key=lambda pair: (-len(pair["prs"]), pair["a"], pair["b"]))


def near_edges(measures: pd.DataFrame, window: Window) -> pd.DataFrame:
    """The pull requests whose week depends on the zone: merged so near the window's edges that UTC cuts otherwise.

    Args:
        measures: one row per merged pull request of the window and a day around it.
        window: in its own zone.

    Returns:
        One row per such pull request, in time order: number, merged_at, in_window, in_utc_window.
    """
    utc = Window(window.since, window.until, "UTC")
    moments = measures["merged_at"]
    found = pd.DataFrame(
        {
            "number": measures["number"],
            "merged_at": moments,
            "in_window": (moments >= window.start) & (moments < window.end),
            "in_utc_window": (moments >= utc.start) & (moments < utc.end),
        }
    )
    return found[found["in_window"] != found["in_utc_window"]].reset_index(drop=True)


def _most_first(now: pd.DataFrame, before: pd.DataFrame | None, *, column: str, called: str) -> list[dict[str, Any]]:
    """The values of a column, each with its pull requests and how many it had before."""
    then = {} if before is None else _counts(before[column])
    groups = {str(name): sorted(rows["number"].tolist()) for name, rows in now.groupby(column)}
    found = [
        {called: name, "prs": groups.get(name, []), "before": None if before is None else then.get(name, 0)}
        for name in {*groups, *then}
    ]
    return sorted(found, key=lambda each: (-len(each["prs"]), each[called]))


def _counts(values: "pd.Series[str]") -> dict[str, int]:
    return {str(value): int(count) for value, count in values.value_counts().sort_index().items()}


def _known(value: Any) -> float | None:
    return None if pd.isna(value) else round(float(value), 2)
