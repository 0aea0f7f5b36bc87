"""Where a change comes from: other amounts, another mix, or another rate within the groups."""

import numpy as np
import pandas as pd

COLUMNS = {
    "group": "str",
    "n_before": "float64",
    "n_now": "float64",
    "before": "float64",
    "now": "float64",
    "amount": "float64",
    "mix": "float64",
    "rate": "float64",
    "change": "float64",
}
SIZES = {"XS": 0, "S": 10, "M": 30, "L": 100, "XL": 500, "XXL": 1000}  # from how many changed lines on


def of_mean(now: pd.DataFrame, before: pd.DataFrame, *, by: str, value: str) -> pd.DataFrame:
    """How much of the change of a mean (or a share) comes from another mix of groups, how much from within them?

    Formula: with the share w of each group and its mean m, before (0) and now (1), and M the mean of all: mix = (w1 -
        w0) x ((m0 + m1) / 2 - (M0 + M1) / 2), rate = (w0 + w1) / 2 x (m1 - m0). A group that one side lacks has the
        other's mean there, so that its coming or going is mix. All parts add up to M1 - M0.
    Misses: why; and what changes along with the group. A median can't be split like this. Which groups are chosen
        decides what is called mix. Rows whose value is unknown count nowhere.
    Source: Kitagawa 1955, components of a difference between two rates; weighted by the average of both sides, so that
        swapping the sides swaps the signs.
    Example: docs have 2 points of importance, features 6, before and now. Of ten changes two were docs, now five are:
        5.2 becomes 4.0, and all of -1.2 is mix.

    Args:
        now: one row per pull request; or one per pull request and group, with `weight` (adding up to 1 a pull request),
            where it belongs to several. Columns: `by` (unknown is a group) and `value` (a flag counts as 0 or 1).
        before: the same.
        by: the column that groups.
        value: the column whose mean it is.

    Returns:
        One row per group, largest change first, then by name: group ("" unknown), n_before, n_now (rows, weighted),
        before, now (means; NaN where the side lacks the group), amount (0), mix, rate, change (their sum). No row where
        a side has no value at all.
    """
    n, mean = _groups(now, before, by, value)
    if not n.sum().all():
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    share, filled = n / n.sum(), _filled(mean)
    overall = (share * filled).sum().mean()
    mix = _step(share) * (filled.mean(axis=1) - overall)
    return _table(n, mean, amount=mix * 0.0 + 0.0, mix=mix, rate=share.mean(axis=1) * _step(filled))


def of_total(
    now: pd.DataFrame,
    before: pd.DataFrame,
    *,
    by: str,
    value: str | None = None,
    now_length: float = 1.0,
    before_length: float = 1.0,
) -> pd.DataFrame:
    """How much of the change of a total comes from more pull requests, how much from their mix, how much from within?

    Formula: a group's total is N x w x m: pull requests of all groups, its share of them, its mean. Between before (0)
        and now (1): amount = (N1 - N0) x (w0 + w1) / 2 x (m0 + m1) / 2, mix = (N0 + N1) / 2 x (w1 - w0) x (m0 + m1) /
        2, rate = (n0 + n1) / 2 x (m1 - m0), with n = N x w. They add up to the change of each group's total, and so of
        all. Of a count m is 1 and the rate nothing.
    Misses: as `of_mean`. Where one side has no pull request, all of it is amount.
    Source: Kitagawa 1955, for a product of amount, composition and rate.
    Example: 10 changes of 30 lines, then 20 of 30 lines: all of +300 is amount. Then 10 of 50: all of +200 is rate.

    Args:
        now: as `of_mean` takes it.
        before: the same.
        by: the column that groups.
        value: the column that is added up; None: pull requests are counted.
        now_length: what the total of now is divided by, such as its number of weeks, if the windows differ in length.
        before_length: likewise.

    Returns:
        As `of_mean`, with n_before and n_now divided by the lengths.
    """
    if value is None:
        value, now, before = "one", now.assign(one=1.0), before.assign(one=1.0)
    n, mean = _groups(now, before, by, value)
    n = n / [before_length, now_length]
    totals = n.sum()
    share = _filled(n / totals.where(totals > 0))
    filled, average = _filled(mean), mean.mean(axis=1)
    return _table(
        n,
        mean,
        amount=(totals["now"] - totals["before"]) * share.mean(axis=1) * average,
        mix=totals.mean() * _step(share) * average,
        rate=n.mean(axis=1) * _step(filled),
    )


def size_class(lines: pd.Series) -> pd.Series:
    """How large is a change, as one of six sizes?

    Formula: by lines added and deleted: XS 0 to 9, S to 29, M to 99, L to 499, XL to 999, XXL beyond.
    Misses: what the lines are: a lock file of 3,000 lines makes a change XXL. None where the lines are unknown.
    Source: the size labels of Kubernetes.
    Example: 120 lines added and 30 deleted: L.
    """
    places = np.searchsorted(list(SIZES.values()), lines.fillna(0).to_numpy(dtype=float), side="right") - 1
    return pd.Series(np.array(list(SIZES), dtype=object)[places], index=lines.index, dtype=object).where(lines.notna())


def by_module(rows: pd.DataFrame, modules: pd.DataFrame) -> pd.DataFrame:
    """The rows once per module, each with its part of the pull request as `weight`, so that they still add up.

    Args:
        rows: one row per pull request: number and more.
        modules: one row per module, pull request and reason: module, number.

    Returns:
        The rows with module (None: in none) and weight: 1 divided by how many modules the pull request belongs to.
    """
    pairs = modules[["number", "module"]].drop_duplicates()
    found = rows.merge(pairs, on="number", how="left")
    found["module"] = found["module"].astype(object).where(found["module"].notna(), None)
    return found.assign(weight=1.0 / found.groupby("number")["number"].transform("size"))


def _groups(now: pd.DataFrame, before: pd.DataFrame, by: str, value: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows (weighted) and mean of each group, with the columns before and now, of what has a value."""
    sides = {"before": _sums(before, by, value), "now": _sums(now, by, value)}
    sums = pd.concat(sides, axis=1).sort_index()
    n = sums.xs("weight", axis=1, level=1).fillna(0.0)
    return n, sums.xs("value", axis=1, level=1) / n.where(n > 0)


def _sums(rows: pd.DataFrame, by: str, value: str) -> pd.DataFrame:
    known = rows[rows[value].notna()]
    weight = known["weight"] if "weight" in known else pd.Series(1.0, index=known.index)
    group = known[by].astype(object).where(known[by].notna(), "").rename("group")
    return pd.DataFrame({"weight": weight, "value": weight * known[value].astype(float)}).groupby(group).sum()


def _filled(sides: pd.DataFrame) -> pd.DataFrame:
    """Where one side lacks a group, or all of them, the other side's value: nothing of the change comes from there."""
    return sides.apply(lambda column: column.fillna(sides.mean(axis=1)))


def _step(sides: pd.DataFrame) -> pd.Series:
    return sides["now"] - sides["before"]


def _table(n: pd.DataFrame, mean: pd.DataFrame, **parts: pd.Series) -> pd.DataFrame:
    found = n.add_prefix("n_").join(mean).assign(**parts)
    found["change"] = found["amount"] + found["mix"] + found["rate"]
    # Rounded, so that sums made in another order do not swap what is equal.
    found = found.assign(size=-found["change"].abs().round(9)).rename_axis("group").reset_index()
    return found.sort_values(["size", "group"], ignore_index=True)[list(COLUMNS)].astype(COLUMNS)
