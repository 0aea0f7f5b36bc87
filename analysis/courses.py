"""How often each value occurred in one window after another."""

from collections.abc import Sequence

import pandas as pd

from analysis.window import Window


def courses(rows: pd.DataFrame, column: str, windows: Sequence[Window]) -> pd.DataFrame:
    """How many rows of each value every window holds, so that a rule or a tier can be followed through time.

    Args:
        rows: merged_at (UTC text) and the column in question; unknown values are left out.
        column: whose values are counted.
        windows: in time order, not overlapping.

    Returns:
        One row per value that occurs in one of them, by value: the column, counts (list of int, one a window).
    """
    starts = [window.start for window in windows]
    moments = rows["merged_at"].to_numpy()
    place = pd.Series(starts, dtype="object").searchsorted(moments, side="right") - 1
    ends = [window.end for window in windows]
    is_inside = [at >= 0 and moment < ends[at] for at, moment in zip(place, moments, strict=True)]
    counts = pd.crosstab(rows[column].to_numpy()[is_inside], place[is_inside])
    counts = counts.reindex(columns=range(len(windows)), fill_value=0)
    return pd.DataFrame(
        {column: counts.index.to_numpy(), "counts": pd.Series(counts.to_numpy().tolist(), dtype="object")}
    )
