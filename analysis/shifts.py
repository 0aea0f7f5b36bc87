"""Since when a figure stands at another level."""

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

Floats = np.ndarray[Any, np.dtype[np.float64]]

ENOUGH = 8  # periods; below that no level is told from chance
LEAST, LEAST_SHARE = 4, 20  # periods that make a level: four, and a twentieth of all
COLUMNS = {
    "since": "object",
    "n_before": "int64",
    "n_after": "int64",
    "before": "float64",
    "after": "float64",
    "change": "float64",
    "share": "float64",
}
# What the statistic exceeds in one of a hundred series of that many periods in which nothing changed: simulated (4,000
# series each, fewer from 104 on), in between by straight line over the logarithm.
CRITICAL = {8: 2.32, 10: 2.58, 12: 2.75, 16: 3.0, 24: 3.3, 36: 3.5, 52: 3.7, 104: 4.0, 208: 4.25, 400: 4.45, 800: 4.6}


def shifts(trend: pd.DataFrame) -> pd.DataFrame:
    """When did a figure move to another level, and by how much?

    Formula: circular binary segmentation on ranks. Of all stretches of periods the one is sought whose ranks differ
        most from those of all others (difference over its standard error, a stretch at an edge included). It counts if
        the difference exceeds what one in a hundred series without any change shows; where neighbouring periods
        resemble each other even within the levels, it is first made smaller by sqrt((1 - r) / (1 + r)), r being their
        correlation. Then each part is searched in the same way. The size is the difference of the medians before and
        after, up to the neighbouring shifts; where these are equal, there is none.
    Misses: why. A slow drift, which shows as one step or a few. A level of fewer than four periods or less than a
        twentieth of all, and any change among fewer than eight periods. Steps smaller than the usual ups and downs. Of
        a hundred figures in which nothing changes, one or a few still show a shift.
    Source: Olshen, Venkatraman, Lucito and Wigler 2004, circular binary segmentation; on ranks, so that one wild week
        moves nothing.
    Example: twelve weeks of about 20 merges, then twelve of about 35: one shift, since the 13th week, from 20 to 35:
        +15, +75 %.

    Args:
        trend: one row per period, in time order: since (date), value, is_complete; as `trends.trend` gives them.
            Periods that are not complete or whose value is unknown are left out.

    Returns:
        One row per shift, in time order: since (date on which the new level begins), n_before, n_after (periods of the
        two levels), before, after (their medians), change, share (of before; NaN where that is 0).
    """
    used = trend[trend["is_complete"] & trend["value"].notna()].reset_index(drop=True)
    values = used["value"].to_numpy(dtype=float)
    edges = [0, *_cuts(values, max(LEAST, len(values) // LEAST_SHARE)), len(values)]
    rows = []
    for (first, cut), (_, end) in pairwise(pairwise(edges)):
        before, after = float(np.median(values[first:cut])), float(np.median(values[cut:end]))
        share = (after - before) / before if before else np.nan
        rows.append([used["since"].iloc[cut], cut - first, end - cut, before, after, after - before, share])
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def _cuts(values: Floats, least: int) -> list[int]:
    """Where each new level begins: places whose neighbouring levels have different medians."""
    cuts = _splits(values, least)
    while equal := [cut for cut, same in zip(cuts, _same(values, cuts), strict=True) if same]:
        cuts.remove(equal[0])
    return cuts


def _same(values: Floats, cuts: list[int]) -> list[bool]:
    levels = np.split(values, cuts) if cuts else []
    return [one == other for one, other in pairwise(map(np.median, levels))]


def _splits(values: Floats, least: int) -> list[int]:
    """Where the ranks change more than by chance, the parts searched again."""
    if len(values) < max(ENOUGH, 2 * least):
        return []
    statistic, start, end = _stretch(values, least)
    inner = [cut for cut in (start, end) if 0 < cut < len(values)]
    if statistic * _loss(values, inner) < _critical(len(values)):
        return []
    found = list(inner)
    for first, after in pairwise([0, *inner, len(values)]):
        found += [first + cut for cut in _splits(values[first:after], least)]
    return sorted(found)


def _stretch(values: Floats, least: int) -> tuple[float, int, int]:
    """The stretch [start, end) whose ranks differ most from the others', and by how many standard errors.

    It has at least `least` periods, and so has what lies on either side of it, unless that is nothing.
    """
    n = len(values)
    ranks = pd.Series(values).rank().to_numpy() - (n + 1) / 2
    sums, places = np.concatenate([[0.0], ranks.cumsum()]), np.arange(n + 1)
    scale = float(ranks.var(ddof=1)) / n
    best = (0.0, 0, n)
    for start in [0, *range(least, n - least + 1)] if scale else []:
        ends = places[start + least : n - least + 1]
        ends = np.append(ends, n) if start else ends
        sizes = ends - start
        found = np.abs(sums[ends] - sums[start]) / np.sqrt(scale * sizes * (n - sizes))
        place = int(found.argmax())
        if found[place] > best[0] + 1e-9:
            best = (float(found[place]), start, int(ends[place]))
    return best


def _loss(values: Floats, cuts: list[int]) -> float:
    """By how much neighbours that resemble each other within the levels make the statistic larger than it may be."""
    levels = np.split(values, cuts)
    ranks = pd.Series(np.concatenate([level - np.median(level) for level in levels])).rank().to_numpy()
    centred = ranks - ranks.mean()
    total = float((centred**2).sum())
    correlation = max(float((centred[1:] * centred[:-1]).sum()) / total, 0.0) if total else 0.0
    return float(np.sqrt((1 - correlation) / (1 + correlation)))


def _critical(n: int) -> float:
    return float(np.interp(np.log(n), np.log(list(CRITICAL)), list(CRITICAL.values())))
