"""Whether a figure lies where it usually does."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.shifts import ENOUGH
from analysis.trends import Unit

BEFORE = 12  # equal windows that say what is usual
REACH = 3.0  # standard deviations
TO_DEVIATION = 1.4826  # of a normal distribution: from its median absolute deviation to its standard deviation
WITHIN, ABOVE, BELOW, TOO_FEW, NO_DATA = ("within", "above", "below", "too_few", "no_data")


class Scale(NamedTuple):
    """On which scale ups and downs of a unit are alike, and how large they are by chance alone."""

    to: Callable[[pd.DataFrame], pd.DataFrame]
    back: Callable[[pd.Series], pd.Series]
    least: float = 0.0


PLAIN = Scale(lambda values: values, lambda values: values)
COUNTS = Scale(np.sqrt, lambda roots: roots.clip(lower=0) ** 2, 0.5)  # what merely happens at random: Poisson
TAILED = Scale(np.cbrt, lambda roots: roots.clip(lower=0) ** 3)  # a long tail to the right
SCALES: dict[Unit, Scale] = {
    "pulls": COUNTS,
    "people": COUNTS,
    "lines": TAILED,
    "hours": TAILED,
    "share": PLAIN,
    "points": PLAIN,
    "rounds": PLAIN,
}


def variation(values: pd.Series, *, unit: Unit) -> pd.DataFrame:
    """Is each value within the usual variation of the twelve before it?

    Formula: of the up to twelve values before: median -/+ 3 x 1.4826 x median absolute deviation, on a scale on which
        ups and downs are alike: square roots of counts (with a deviation of at least 0.5, that of mere chance), cube
        roots of hours and lines, shares and points as they are (shares kept between 0 and 1).
    Misses: seasons: a holiday lies below, and of single days so do weekends. A slow drift carries the band along. Fewer
        than eight known values before are too few to say. In figures that only vary by chance, about one in
        twenty-five lies outside.
    Source: Shewhart's control charts; median and absolute deviation, so that one wild week does not widen them; the
        square root by Anscombe 1948, the cube root by Wilson and Hilferty 1931.
    Example: twelve weeks with a median of 31 merges whose roots deviate by 0.5: from 17 to 50 is usual; 55 lies above.

    Args:
        values: one per window, equal windows in time order; NaN is unknown.
        unit: of the values.

    Returns:
        One row per value, same index: low, median, high (NaN with fewer than eight before), n_before (known ones among
        the twelve), state (within, above, below, too_few, or no_data where the value is unknown).
    """
    scale = SCALES[unit]
    plain = np.concatenate([np.full(BEFORE, np.nan), values.to_numpy(dtype=float)])
    windows = np.lib.stride_tricks.sliding_window_view(plain, BEFORE)[: len(values)]
    earlier = scale.to(pd.DataFrame(windows, index=values.index))
    n_before = earlier.notna().sum(axis=1)
    median = earlier.median(axis=1).where(n_before >= ENOUGH)
    deviation = TO_DEVIATION * earlier.sub(median, axis=0).abs().median(axis=1)
    reach = REACH * deviation.clip(lower=scale.least)
    low, middle, high = (scale.back(edge).clip(lower=0) for edge in (median - reach, median, median + reach))
    if unit == "share":
        high = high.clip(upper=1)
    found = pd.DataFrame({"low": low, "median": middle, "high": high, "n_before": n_before})
    cases = [values.isna(), low.isna(), values < low, values > high]
    states = np.select(cases, [NO_DATA, TOO_FEW, BELOW, ABOVE], default=WITHIN)
    return found.assign(state=pd.Series(states, index=values.index, dtype="str"))
