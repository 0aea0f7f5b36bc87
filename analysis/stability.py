"""How sure a key change is: how often it would be one if the weights were somewhat different."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis import importance, scoring

BLOCK = 32  # pull requests
DRAWS, SPREAD, SEED = 200, 0.22, 2013  # spread of the weights' logarithm: two thirds lie within a fifth


def stability(changes: pd.DataFrame, weights: Mapping[str, float] | None = None) -> pd.DataFrame:
    """How sure is it that a change is key: under how many slightly different weights would it be?

    Formula: every weight is multiplied with a random factor of its own, exp(N(0, 0.22)), so that two of three stay
        within a fifth or so of where they were; 200 such sets are drawn once and for all (fixed seed). What all kinds
        have in common, the points of the lowest, is the scale's zero and stays. `key_share` is the share of the sets in
        which the importance is 5.0 or more.
    Misses: other measures, other parts. It tells how much hangs on the exact weights, not whether they are right.
    Source: sensitivity analysis by Monte Carlo, after Saltelli et al., Global Sensitivity Analysis (2008).
    Example: a change of importance 5.1 stays key in some 70 of 100 sets, one of 7.0 in all.

    Args:
        changes: as for `importance.measures`.
        weights: points that differ from `importance.DEFAULT_WEIGHTS`.

    Returns:
        One row per pull request, same index: key_share (0 to 1).

    Raises:
        MergeWindowError: a weight has an unknown name.
    """
    measures = importance.measures(changes)
    points = scoring.weights_of(importance.DEFAULT_WEIGHTS, weights)
    chosen = np.array([points[name] for name in measures.columns])
    kinds = np.array([scoring.is_kind(name) for name in measures.columns])
    start = np.where(kinds, chosen[kinds].min(), 0.0)
    factors = np.exp(np.random.default_rng(SEED).normal(0, SPREAD, (len(chosen), DRAWS)))
    drawn = start[:, None] + (chosen - start)[:, None] * factors
    # Small blocks stay in one thread: a large product would wake others, which then keep a core busy with waiting.
    blocks = np.array_split(measures.to_numpy(), len(measures) // BLOCK + 1)
    n_key = [np.count_nonzero(block @ drawn * 100 >= 100 * importance.KEY - 0.5, axis=1) for block in blocks]
    return pd.DataFrame({"key_share": np.concatenate(n_key) / DRAWS}, index=changes.index)  # rounded to hundredths
