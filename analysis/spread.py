"""How values are spread: count, median and upper percentiles, of all, by period and by any column."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.window import Window

FEW = 5  # values; below that nothing is claimed of them
QUANTILES = {"median": 0.5, "p75": 0.75, "p90": 0.9}


class Summary(NamedTuple):
    """How values are spread; all but the count are NaN below five values."""

    n: int
    median: float
    p75: float
    p90: float


def summary(values: pd.Series) -> Summary:
    """What is usual, and how long is the tail: how are the known values spread?

    Formula: the count, the median (half of the values are at most this) and the 75th and 90th percentile (p75, p90:
        three quarters, and nine of ten, are at most this) of the values that are known; between two neighbours by a
        straight line.
    Misses: unknown values, which count nowhere. Below five values nothing is claimed but the count. A mean is left out,
        since a few very long waits would pull it to where nobody waited.
    Source: common practice for durations with a long tail.
    Example: 1, 2, 3, 4 and 100 hours are five with the median 3, p75 4 and p90 61.6; the mean would be 22.

    Args:
        values: numbers; NaN is unknown and counts nowhere.
    """
    known = values.dropna()
    if len(known) < FEW:
        return Summary(len(known), np.nan, np.nan, np.nan)
    return Summary(len(known), *map(float, np.quantile(known.to_numpy(dtype=float), list(QUANTILES.values()))))


def by_column(rows: pd.DataFrame, column: str, *, value: str) -> pd.DataFrame:
    """How a value is spread in each group of rows, such as by module, kind or author_type.

    Args:
        rows: one row per thing that has a value; one that is in several groups has several rows.
        column: what they are grouped by; unknown (None) is a group too.
        value: the column of numbers.

    Returns:
        One row per group, largest first, then by name: the column, n, median_<value>, p75_<value>, p90_<value> (NaN
        below five).
    """
    found = _spread(rows.groupby(column, dropna=False)[value], value).reset_index()
    return found.sort_values(["n", column], ascending=[False, True], ignore_index=True)


def by_period(
    rows: pd.DataFrame, periods: Sequence[Window], *, at: str, value: str, by: str | None = None
) -> pd.DataFrame:
    """How a value is spread in each period, also in those without rows.

    Args:
        rows: one row per thing that has a value and a moment.
        periods: in time order, not overlapping; `Window.periods` gives them.
        at: the column of moments (UTC text) that says to which period a row belongs; unknown ones belong to none.
        value: the column of numbers.
        by: a column to group by within each period.

    Returns:
        One row per period (and group that has rows in any of them): since, until, the column `by`, n, median_<value>,
        p75_<value>, p90_<value> (NaN below five).
    """
    placed, keys, grid = _placed(rows, periods, at=at, by=by)
    return _dated(_spread(placed.groupby(keys, dropna=False)[value], value), grid, periods)


def share_by_period(
    rows: pd.DataFrame, periods: Sequence[Window], *, at: str, flag: str, by: str | None = None
) -> pd.DataFrame:
    """Which share of each period's rows has a flag, also in periods without rows.

    Args:
        rows: one row per thing that has a flag (bool) and a moment.
        periods: in time order, not overlapping.
        at: the column of moments (UTC text) that says to which period a row belongs.
        flag: the column of flags.
        by: a column to group by within each period.

    Returns:
        One row per period (and group): since, until, the column `by`, n (rows), n_true, share (0 to 1, NaN below five).
    """
    placed, keys, grid = _placed(rows, periods, at=at, by=by)
    grouped = placed.assign(**{flag: placed[flag].astype(bool)}).groupby(keys, dropna=False)[flag]
    return _dated(pd.DataFrame({"n": grouped.size(), "n_true": grouped.sum()}), grid, periods).assign(
        share=lambda found: (found["n_true"] / found["n"]).where(found["n"] >= FEW)
    )


def period_of_each(moments: pd.Series, periods: Sequence[Window]) -> np.ndarray:
    """The place of the period that each moment (UTC text or None) lies in; -1 where it lies in none."""
    texts = moments.astype(object).where(moments.notna(), "").to_numpy(dtype=str)
    places = np.searchsorted(np.array([period.start for period in periods], dtype=str), texts, side="right") - 1
    ends = np.array([*(period.end for period in periods), ""], dtype=str)
    return np.where(texts < ends[places], places, -1)


def dates(periods: Sequence[Window]) -> pd.DataFrame:
    """One row per period: since, until (dates)."""
    days = [(period.since, period.until) for period in periods]
    return pd.DataFrame(days, columns=["since", "until"], dtype=object)


def _placed(
    rows: pd.DataFrame, periods: Sequence[Window], *, at: str, by: str | None
) -> tuple[pd.DataFrame, list[str], pd.MultiIndex]:
    """The rows that lie in a period, the columns to group by, and every group there has to be."""
    placed = rows.assign(period=period_of_each(rows[at], periods)).query("period >= 0")
    levels: dict[str, Sequence[object]] = {"period": range(len(periods))}
    if by is not None:
        levels[by] = sorted(placed[by].dropna().unique()) + [None] * int(placed[by].isna().any())
    return placed, list(levels), pd.MultiIndex.from_product(levels.values(), names=levels.keys())


def _spread(grouped: "pd.api.typing.SeriesGroupBy", value: str) -> pd.DataFrame:
    found = pd.DataFrame({"n": grouped.count()})
    for name, quantile in QUANTILES.items():
        found[f"{name}_{value}"] = grouped.quantile(quantile).where(found["n"] >= FEW).astype(float)
    return found


def _dated(found: pd.DataFrame, grid: pd.MultiIndex, periods: Sequence[Window]) -> pd.DataFrame:
    """Every group of the grid, counts of absent ones 0, with the dates of its period in front."""
    if found.index.nlevels == 1:
        found.index = pd.MultiIndex.from_arrays([found.index], names=grid.names)
    counts = [column for column in ("n", "n_true") if column in found]
    found = found.reindex(grid)
    found[counts] = found[counts].fillna(0).astype("int64")
    days = dates(periods).take(grid.get_level_values("period")).reset_index(drop=True)
    return days.join(found.reset_index().drop(columns="period"))
