"""Drawing from distributions that are written down as quantiles.

Only additions, multiplications and comparisons: no function whose last digit depends on the machine.
"""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

DAY, HOUR, MINUTE = 86_400, 3_600, 60
Curve = Sequence[tuple[float, float]]  # (share of cases at or below, value), from share 0 to share 1


def draw(rng: Random, curve: Curve) -> float:
    """A value from a distribution given by its quantiles, straight lines between them."""
    share = rng.random()
    for (low, start), (high, end) in pairwise(curve):
        if share <= high:
            return start + (end - start) * (share - low) / (high - low)
    return curve[-1][1]
