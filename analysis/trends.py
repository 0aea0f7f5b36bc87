"""Any figure by day, week or month, to both edges of a range."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

import numpy as np
import pandas as pd

from analysis.spread import FEW, dates, period_of_each
from analysis.window import Window
from data.errors import MergeWindowError

How = Literal["count", "distinct", "sum", "mean", "median", "p90", "share"]
Unit = Literal["pulls", "people", "lines", "hours", "share", "points", "rounds"]
Known = tuple[date, date] | None  # first and last day that the cache knows anything about; None: no day
ADDITIVE = ("count", "sum")  # of two windows it is what it is of each, added up
COUNTED = (*ADDITIVE, "distinct")  # said of any number of pull requests; the others from five on
ROLLING = {"D": 7, "W": 5, "M": 3}  # periods of the rolling median
LEAST_ROLLING = 3
ELEVATED = 3  # tier


class UnknownMetric(MergeWindowError):
    """There is no metric of that name."""


@dataclass(frozen=True)
class Metric:
    """How a figure is made of the rows of a period: `how` of the known values of `column`."""

    how: How
    column: str  # of the rows, or one of DERIVED
    unit: Unit
    better: Literal["up", "down"] | None = None  # the direction that is good news


METRICS = {
    "merged": Metric("count", "is_merged", "pulls"),
    "authors": Metric("distinct", "author", "people"),
    "key": Metric("count", "is_key", "pulls"),
    "breaking": Metric("count", "is_breaking", "pulls"),
    "reverts": Metric("count", "is_revert", "pulls", better="down"),
    "additions": Metric("sum", "additions", "lines"),
    "deletions": Metric("sum", "deletions", "lines"),
    "churn_lines": Metric("sum", "churn_lines", "lines"),
    "median_churn_lines": Metric("median", "churn_lines", "lines"),
    "mean_importance": Metric("mean", "importance", "points"),
    "mean_insight": Metric("mean", "insight", "points"),
    "without_tests": Metric("share", "is_untested", "share", better="down"),
    "median_lead_time_hours": Metric("median", "lead_time_hours", "hours", better="down"),
    "p90_lead_time_hours": Metric("p90", "lead_time_hours", "hours", better="down"),
    "median_first_review_hours": Metric("median", "first_review_hours", "hours", better="down"),
    "median_draft_hours": Metric("median", "draft_hours", "hours"),
    "mean_review_rounds": Metric("mean", "review_rounds", "rounds"),
    "unreviewed": Metric("share", "is_unreviewed", "share", better="down"),
    "mean_risk_score": Metric("mean", "risk_score", "points", better="down"),
    "elevated": Metric("share", "is_elevated", "share", better="down"),
    "out_of_hours": Metric("share", "is_out_of_hours", "share"),
    "assisted": Metric("share", "is_assisted", "share"),
}
NUMBERS = ["n", "value", "median", "p25", "p75"]


def metric(name: str) -> Metric:
    """How the metric `name` is made.

    Raises:
        UnknownMetric: there is none.
    """
    if name not in METRICS:
        raise UnknownMetric(f"Unknown metric {name!r}. Known: {', '.join(METRICS)}.")
    return METRICS[name]


def trend(rows: pd.DataFrame, name: str, window: Window, *, every: str, known: Known) -> pd.DataFrame:
    """How does a figure move from period to period, and how sure is each point?

    Formula: the pull requests merged in each period, counted, added up, or their median, mean, 90th percentile or
        share, as `METRICS` says; beside it the quartiles of the single pull requests, and the median of the last
        complete periods (7 days, 5 weeks or 3 months, this one included). A period is cut at the edges of the range, so
        that periods add up to it.
    Misses: below five known values a mean, a median or a share is not claimed; counts are. A period that the range or
        the cache cuts is marked as not complete: its count is of fewer days, and no rolling median takes it in. One
        that the cache does not reach is unknown, not 0. By day of merging: what is still open shows nowhere.
    Source: run charts, as in statistical process control; medians, since a mean follows a few very long waits.
    Example: weeks with 31, 40, 34, 36 and 35 merges: value 35 in the fifth, rolling median 35. Where the cache ends on
        its Wednesday, 35 is what it is so far, not complete, and without a rolling median.

    Args:
        rows: one row per merged pull request, as `queries.measures`: merged_at and whatever columns the figure needs;
            a column that is absent is unknown.
        name: one of METRICS.
        window: the range; rows outside of it count nowhere.
        every: D, W or M.
        known: the days that the cache knows.

    Returns:
        One row per period, to both edges: period (date on which the whole one begins), since, until (days counted), n
        (known values), value, median, p25, p75 (of the single pull requests; NaN for counts and below five),
        rolling_median, is_complete, is_collected.

    Raises:
        UnknownMetric: no such name.
        BadWindow: no such `every`.
    """
    whole = window.periods(every)
    cut = [Window(max(each.since, window.since), min(each.until, window.until), window.tz) for each in whole]
    is_collected = np.array([within(each, known) is not None for each in cut], dtype=bool)
    is_complete = np.array(
        [each == part and within(each, known) == each for each, part in zip(whole, cut, strict=True)]
    )
    found = figures(rows, name, cut)
    found.loc[~is_collected, NUMBERS[1:]] = np.nan
    rolling = found["value"].where(is_complete).rolling(ROLLING[every], min_periods=LEAST_ROLLING).median()
    found.insert(0, "period", pd.Series([each.since for each in whole], dtype=object))
    return found.assign(rolling_median=rolling.where(is_complete), is_complete=is_complete, is_collected=is_collected)


def figures(rows: pd.DataFrame, name: str, periods: Sequence[Window]) -> pd.DataFrame:
    """A figure of each of several periods, as far as the rows go.

    Args:
        rows: as in `trend`.
        name: one of METRICS.
        periods: in time order, not overlapping.

    Returns:
        One row per period: since, until, n (known values), value (NaN where unknown), median, p25, p75 (NaN for counts
        and below five).
    """
    made = metric(name)
    places = period_of_each(rows["merged_at"], periods)
    values = column(rows, made.column).to_numpy(dtype=object if made.how == "distinct" else float)
    is_known = (places >= 0) & ~pd.isna(values)
    order = np.argsort(places[is_known], kind="stable")
    ends = np.searchsorted(places[is_known][order], np.arange(1, len(periods)))
    n_rows = np.bincount(places[places >= 0], minlength=len(periods))
    parts = np.split(values[is_known][order], ends) if len(periods) else []
    numbers = [_numbers(part, n, made.how) for part, n in zip(parts, n_rows, strict=True)]
    frame = pd.DataFrame(numbers, columns=NUMBERS).astype(dict.fromkeys(NUMBERS[1:], float) | {"n": "int64"})
    return dates(periods).join(frame)


def column(rows: pd.DataFrame, name: str) -> pd.Series:
    """A column that figures are made of, as the rows have it or as it follows from theirs; unknown where they can't."""
    if name in DERIVED:
        needed, made = DERIVED[name]
        if needed <= set(rows.columns):
            return made(rows)
    elif name in rows:
        return rows[name]
    return pd.Series(np.nan, index=rows.index)


def within(window: Window, known: Known) -> Window | None:
    """The part of a window that the cache knows; None: none of it."""
    if known is None or known[1] < window.since or window.until < known[0]:
        return None
    return Window(max(window.since, known[0]), min(window.until, known[1]), window.tz)


def _numbers(values: np.ndarray, n_rows: int, how: How) -> tuple[int, float, float, float, float]:
    """Of the known values of a period: count, the figure, and median and quartiles of the single ones."""
    n, unknown = len(values), (np.nan,) * 3
    if how in COUNTED and not n:
        return (0, np.nan if n_rows else 0.0, *unknown)  # where nothing was merged, none of it was anything
    if how == "distinct":
        return (n, float(len(set(values))), *unknown)
    values = np.sort(values)  # so that a sum does not hang on the order of rows, not even in its last digit
    if how == "count":
        return (n, float(values.sum()), *unknown)
    if n < FEW:
        return (n, float(values.sum()) if how == "sum" else np.nan, *unknown)
    p25, median, p75, p90 = (float(each) for each in np.quantile(values, [0.25, 0.5, 0.75, 0.9]))
    value = {"sum": values.sum(), "median": median, "p90": p90}.get(how, values.mean())
    return (n, float(value), *(unknown if how == "share" else (median, p25, p75)))


def _flag(rows: pd.DataFrame, name: str) -> pd.Series:
    """A flag of the cache as 1, 0 or NaN."""
    return rows[name].astype("Float64").astype(float)


# What follows from other columns: which, and how; NaN where one of them is unknown.
DERIVED: dict[str, tuple[set[str], Callable[[pd.DataFrame], pd.Series]]] = {
    "is_merged": (set(), lambda rows: pd.Series(1.0, index=rows.index)),
    "is_revert": ({"kind"}, lambda rows: rows["kind"].eq("revert").astype(float).where(rows["kind"].notna())),
    "churn_lines": ({"additions", "deletions"}, lambda rows: rows["additions"] + rows["deletions"]),
    "is_untested": (
        {"touches_source", "touches_tests"},
        lambda rows: (1 - _flag(rows, "touches_tests")).where(_flag(rows, "touches_source") == 1),
    ),
    "is_elevated": ({"tier"}, lambda rows: rows["tier"].ge(ELEVATED).astype(float).where(rows["tier"].notna())),
    "is_unreviewed": ({"is_reviewed"}, lambda rows: 1 - _flag(rows, "is_reviewed")),
}
