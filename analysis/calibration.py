"""Whether changes that a score puts higher failed more often: shares by tier and by tenth, with their uncertainty."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.ranking import Floats, Ranking
from analysis.spread import FEW

Z = 1.959964  # of 95 %
TENTHS = 10


def wilson(n_true: NDArray[Any] | float, n: NDArray[Any] | float) -> tuple[Floats, Floats]:
    """Between which shares does the truth lie with 95 % confidence, where n_true of n were seen?

    Formula: (p + z² / 2n ± z √(p (1 - p) / n + z² / 4n²)) / (1 + z² / n) with p = n_true / n and z = 1.96.
    Misses: that changes of one author or one week fail together.
    Source: Wilson 1927; Brown, Cai and DasGupta 2001 on why it is the one to use for small numbers.
    Example: 3 of 20: 0.05 to 0.36.

    Args:
        n_true: how many of
        n: were so; arrays of equal length, or numbers.

    Returns:
        low and high, 0 to 1; NaN of none.
    """
    n = np.asarray(n, dtype=float)
    safe = np.where(n > 0, n, np.nan)
    share = np.asarray(n_true, dtype=float) / safe
    middle = share + Z**2 / (2 * safe)
    half = Z * np.sqrt(share * (1 - share) / safe + Z**2 / (4 * safe**2))
    scale = 1 + Z**2 / safe
    return np.clip((middle - half) / scale, 0, 1), np.clip((middle + half) / scale, 0, 1)


def by_level(failed: NDArray[Any], level: NDArray[Any]) -> pd.DataFrame:
    """Which share of the changes of each level, such as tier 1 to 4, failed?

    Args:
        failed: whether it did, one flag a row.
        level: a whole number a row.

    Returns:
        One row per level that occurs, lowest first: level, n, n_failed, share (n_failed of n), low, high (its Wilson
        interval); the last three are NaN below five.
    """
    levels, at = np.unique(np.asarray(level, dtype=np.int64), return_inverse=True)
    n = np.bincount(at, minlength=len(levels))
    n_failed = np.bincount(at[np.asarray(failed, dtype=bool)], minlength=len(levels))
    low, high = wilson(n_failed, n)
    found = pd.DataFrame({"level": levels, "n": n, "n_failed": n_failed, "low": low, "high": high})
    found.insert(3, "share", n_failed / np.maximum(n, 1))
    return found.astype({"share": "float64"}).assign(
        **{name: found[name].where(found["n"] >= FEW) for name in ("share", "low", "high")}
    )


def by_tenth(failed: NDArray[Any], score: NDArray[Any], group: NDArray[Any] | None = None) -> pd.DataFrame:
    """Which share of the changes in each tenth of a score failed?

    Formula: a change belongs to the tenth in which the share of its group with a lower score lies, equal ones counted
        half, so that equals stay together and a tenth may be empty. Points are no probability: what can be asked of
        them is that the share rises from tenth to tenth.
    Misses: see `wilson`.
    Source: reliability diagrams, as in Niculescu-Mizil and Caruana 2005, by rank instead of probability.
    Example: of ten changes one has more points than any other: its standing is 0.95, its tenth the 10th.

    Args:
        failed: whether it did, one flag a row.
        score: one number a row, none of them NaN.
        group: such as the month. None: all are one group.

    Returns:
        As `by_level`; the level is the tenth, 1 (lowest scores) to 10.
    """
    tenth = np.minimum((Ranking(score, group).standing() * TENTHS).astype(np.int64) + 1, TENTHS)
    return by_level(failed, tenth)
