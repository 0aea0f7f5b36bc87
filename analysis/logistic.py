"""A small logistic regression whose weights can be read."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

STRENGTH = 10.0
STEPS = 50
LONGEST_STEP = 1.0
CLOSE = 1e-8
FARTHEST = 30.0  # log-odds; e^-30 is as good as never


@dataclass(frozen=True)
class Logistic:
    """Weights of features, each measured in standard deviations of its logarithm from the mean."""

    names: tuple[str, ...]
    means: NDArray[Any]
    scales: NDArray[Any]
    intercept: float
    weights: NDArray[Any]

    def log_odds(self, features: pd.DataFrame) -> NDArray[Any]:
        """How likely each row is to fail, as log-odds: above 0 is more likely than not. An unknown value counts as the
        mean."""
        standard = _standard(_logarithms(features[list(self.names)]), self.means, self.scales)
        found: NDArray[Any] = self.intercept + standard @ self.weights
        return found

    def by_name(self) -> dict[str, float]:
        """The weights, the heaviest first."""
        pairs = zip(self.names, self.weights.tolist(), strict=True)
        return dict(sorted(pairs, key=lambda pair: (-abs(pair[1]), pair[0])))


def fit(features: pd.DataFrame, failed: NDArray[Any], *, strength: float = STRENGTH) -> Logistic:
    """Which weights of these features tell best which changes failed, none of them larger than it needs to be?

    Formula: logistic regression on log(1 + feature), standardised, by Newton's method; what is maximised is the
        log-likelihood minus strength / 2 times the sum of squared weights (the intercept is free). All rows weigh the
        same. A step moves no weight by more than 1.
    Misses: what is not linear in the logarithms, and features that only count together. Of two features that say the
        same each gets half of the weight, so that a single weight is no cause.
    Source: Hoerl and Kennard 1970 for the penalty (le Cessie and van Houwelingen 1992 in logistic regression);
        log-transformed change measures as in Kamei et al. 2013.
    Example: a weight of 0.7 says that one standard deviation more multiplies the odds of failing by e^0.7 = 2.

    Args:
        features: one row per change, numbers of 0 and more; NaN is unknown and counts as the mean.
        failed: whether it did, one flag a row, of both kinds at least one.
        strength: of the pull towards 0.
    """
    y = np.asarray(failed, dtype=float)
    logs = _logarithms(features)
    n_known = np.maximum((~np.isnan(logs)).sum(axis=0), 1)
    means = np.nansum(logs, axis=0) / n_known
    spread = np.sqrt(np.nansum((logs - means) ** 2, axis=0) / n_known)
    scales = np.where(spread > 0, spread, 1.0)
    rows = np.column_stack([np.ones(len(y)), _standard(logs, means, scales)])
    pull = np.full(rows.shape[1], strength)
    pull[0] = 0.0
    weights = np.zeros(rows.shape[1])
    weights[0] = np.log(y.mean() / (1 - y.mean()))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -FARTHEST, FARTHEST)))
        slope = rows.T @ (y - chance) - pull * weights
        curvature = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag(pull)
        step = np.linalg.solve(curvature, slope)
        longest = np.abs(step).max()
        weights = weights + step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    return Logistic(tuple(features.columns), means, scales, float(weights[0]), weights[1:])


def _logarithms(features: pd.DataFrame) -> NDArray[Any]:
    return np.log1p(np.maximum(features.to_numpy(dtype=float), 0))


def _standard(logs: NDArray[Any], means: NDArray[Any], scales: NDArray[Any]) -> NDArray[Any]:
    return np.nan_to_num((logs - means) / scales)
