"""Sums over what came before: of rows in time order, for each row what the earlier ones of its group add up to."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]


def codes(values: Sequence[Any] | pd.Series) -> Ints:
    """A number for each value, equal for equal ones, counting from 0 by first appearance; -1 for a missing one."""
    return pd.factorize(np.asarray(values, dtype=object))[0].astype(np.int64)


def pair_codes(one: Ints, other: Ints, width: int | None = None) -> Ints:
    """A number for each pair of codes, equal for equal pairs; to compare two such calls, give them the same `width`,
    more than the largest `other`."""
    return one * ((width or int(other.max(initial=0)) + 1) + 1) + other + 1


def sums_before(groups: Ints, values: np.ndarray[Any, Any]) -> Floats:
    """For each row the sum of `values` over the earlier rows of its group."""
    order, starts, sizes = _by_group(groups)
    ordered = np.asarray(values, dtype=np.float64)[order]
    total = np.cumsum(ordered) - ordered
    result = np.empty(len(groups))
    result[order] = total - np.repeat(total[starts], sizes)
    return result


def last_before(groups: Ints) -> Ints:
    """For each row the position of the latest earlier row of its group; -1 where there is none."""
    order, starts, _ = _by_group(groups)
    before = np.concatenate([[-1], order[:-1]])[: len(order)]
    before[starts] = -1
    result = np.empty(len(groups), dtype=np.int64)
    result[order] = before
    return result


def _by_group(groups: Ints) -> tuple[Ints, Ints, Ints]:
    """The rows group by group, each in time order; where each group starts among them, and its size."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 1)) if len(ordered) else np.empty(0, dtype=np.int64)
    return order, starts, np.diff(starts, append=len(ordered))
