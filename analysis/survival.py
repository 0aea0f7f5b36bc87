"""Hours until pull requests are merged, with those that are still open counted (Kaplan-Meier)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.durations import hours, is_true, moments, started
from analysis.spread import FEW, QUANTILES, dates, period_of_each
from analysis.window import Window

MERGED, CLOSED, OPEN = OUTCOMES = ("merged", "closed", "open")


def survival(pulls: pd.DataFrame, *, as_of: str) -> pd.DataFrame:
    """After how many hours is which share of pull requests merged, those still open counted?

    Formula: Kaplan-Meier. At each time t at which pull requests were merged, the share not yet merged is multiplied
        with 1 - merged(t) / at risk(t); at risk is who had waited at least t, unmerged and not closed. Time counts from
        ready for review (opened, if never a draft or unknown). Those still open at `as_of` leave the count at the time
        they have waited; so do those closed without a merge, so that the curve tells how long a merge takes where a
        pull request is not given up. `merged_share` tells the other side: the share of all that had been merged by
        then, where those given up never are (cumulative incidence with closing as a competing end, Aalen-Johansen).
    Misses: who is closed is seldom like who stays open: where hopeless ones are closed early, `unmerged_share` falls
        too fast, and the truth lies between the two. Those that are drafts are not waiting and are left out. A close
        that was taken back counts as waiting. Where only merged ones are cached, nothing is left to be counted in.
    Source: Kaplan and Meier 1958; Aalen and Johansen 1978.
    Example: merged after 1, 2 and 4 hours, closed after 3, one open for 5 hours: not yet merged are 4/5 after 1 hour,
        3/5 after 2, and 3/5 x 1/2 = 0.3 after 4; the median is 4 hours, where leaving out the open and the closed one
        would say 2.

    Args:
        pulls: one row per pull request of any state: pull_id, created_at, ready_at, merged_at, closed_at, is_draft.
        as_of: the moment up to which is counted (UTC text); what happened later has not happened.

    Returns:
        One row per time at which one was merged, closed or last seen open, in order: hours, n_at_risk, n_merged,
        n_closed, n_open, unmerged_share, merged_share (0 to 1).
    """
    return _curve(_observed(pulls, as_of))


def by_column(pulls: pd.DataFrame, column: str, *, as_of: str) -> pd.DataFrame:
    """How long does a merge take in each group of pull requests, those still open counted?

    Args:
        pulls: as for `survival`, and the column; several rows for one that is in several groups.
        column: such as kind, module or author_type; unknown (None) is a group too.
        as_of: as for `survival`.

    Returns:
        One row per group, largest first, then by name: the column, n, n_merged, n_closed, n_open,
        median_hours_to_merge, p75_hours_to_merge, p90_hours_to_merge (read off the curve; NaN where it never falls so
        low, and below five pull requests).
    """
    found = _read_each(_observed(pulls, as_of), column)
    return found.sort_values(["n", column], ascending=[False, True], ignore_index=True)


def by_period(pulls: pd.DataFrame, periods: Sequence[Window], *, as_of: str) -> pd.DataFrame:
    """How long does a merge take for those that became ready in each period, those still open counted?

    Args:
        pulls: as for `survival`.
        periods: in time order, not overlapping.
        as_of: as for `survival`.

    Returns:
        One row per period: since, until, n, n_merged, n_closed, n_open, median_hours_to_merge, p75_hours_to_merge,
        p90_hours_to_merge, and is_immature: too young to be compared, since not all of it could be watched for as long
        as nine of ten pull requests take (the p90 of all `pulls`; where even that is out of sight, some are open).
    """
    observed = _observed(pulls, as_of)
    observed["period"] = period_of_each(observed["ready_at"], periods)
    found = _read_each(observed[observed["period"] >= 0], "period").set_index("period").reindex(range(len(periods)))
    counts = ["n", *(f"n_{outcome}" for outcome in OUTCOMES)]
    found[counts] = found[counts].fillna(0).astype("int64")
    usual = _read_off(_curve(observed), 0.9)
    is_reached = not np.isnan(usual)
    ends = moments(pd.Series([period.end for period in periods], dtype="str"))
    is_young = ends + pd.Timedelta(hours=usual if is_reached else 0) > pd.Timestamp(as_of)
    return dates(periods).join(found).assign(is_immature=is_young | (found["n_open"].gt(0) & (not is_reached)))


def _observed(pulls: pd.DataFrame, as_of: str) -> pd.DataFrame:
    """What could be seen of each pull request that became ready by `as_of`: its row, ready_at, hours, outcome."""
    now = pd.Timestamp(as_of)
    start, merged, closed = started(pulls), moments(pulls["merged_at"]), moments(pulls["closed_at"])
    merged, closed = merged.where(merged <= now), closed.where((closed <= now) & merged.isna())
    outcome = pd.Series(OPEN, index=pulls.index, dtype=object).mask(closed.notna(), CLOSED).mask(merged.notna(), MERGED)
    found = pulls.assign(
        ready_at=pulls["ready_at"].fillna(pulls["created_at"]),
        hours=hours(start, merged.fillna(closed).fillna(now)),
        outcome=outcome,
    )
    is_waiting = ~is_true(pulls["is_draft"]) | merged.notna()
    return found[is_waiting & found["hours"].notna()]


def _curve(observed: pd.DataFrame) -> pd.DataFrame:
    times, place = np.unique(observed["hours"].to_numpy(), return_inverse=True)
    n = {each: np.bincount(place[observed["outcome"] == each], minlength=len(times)) for each in OUTCOMES}
    at_risk = (n[MERGED] + n[CLOSED] + n[OPEN])[::-1].cumsum()[::-1]
    going_on = (1 - (n[MERGED] + n[CLOSED]) / at_risk).cumprod()
    before = np.concatenate([[1.0], going_on])[: len(times)]
    curve = {
        "hours": times,
        "n_at_risk": at_risk,
        **{f"n_{outcome}": counts for outcome, counts in n.items()},
        "unmerged_share": (1 - n[MERGED] / at_risk).cumprod(),
        "merged_share": (before * n[MERGED] / at_risk).cumsum(),
    }
    return pd.DataFrame(curve)


def _read_each(observed: pd.DataFrame, column: str) -> pd.DataFrame:
    groups = observed.groupby(column, dropna=False)
    found = groups["outcome"].value_counts().unstack(fill_value=0).reindex(columns=list(OUTCOMES), fill_value=0)
    found = found.astype("int64").add_prefix("n_").rename_axis(columns=None)
    found.insert(0, "n", found.sum(axis=1))
    curves = [_curve(members) for _, members in groups]
    for name, share in QUANTILES.items():
        found[f"{name}_hours_to_merge"] = np.array([_read_off(curve, share) for curve in curves], dtype=float)
    return found.reset_index()


def _read_off(curve: pd.DataFrame, share: float) -> float:
    """When the share had been merged, as the curve says; NaN where it never falls so low, and of fewer than five."""
    if curve["n_at_risk"].max() < FEW or curve.empty:
        return np.nan
    reached = curve.loc[curve["unmerged_share"] <= 1 - share + 1e-9, "hours"]
    return float(reached.iloc[0]) if len(reached) else np.nan
