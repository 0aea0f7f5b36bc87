"""Sums over what came before: of rows in time order, for each row what the earlier ones of its group add up to."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
_DIGIT = 16  # bits that numpy sorts by in one go, without comparing


def codes(values: Sequence[Any] | np.ndarray[Any, Any] | pd.Series) -> Ints:
    """A number for each value, equal for equal ones, counting from 0; -1 for a missing one."""
    if isinstance(values, pd.Series) and isinstance(values.dtype, pd.CategoricalDtype):
        return values.array.codes.astype(np.int64)
    given = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)
    return pd.factorize(given)[0].astype(np.int64)


def pair_codes(one: Ints, other: Ints, width: int | None = None) -> Ints:
    """A number for each pair of codes, equal for equal pairs; to compare two such calls, give them the same `width`,
    more than the largest `other`."""
    return one * ((width or int(other.max(initial=0)) + 1) + 1) + other + 1


def firsts(groups: Ints) -> Flags:
    """Whether each row is the first of its group."""
    return ~pd.Series(groups).duplicated().to_numpy()


def n_distinct(at: Ints, what: Ints, n: int) -> Ints:
    """How many different `what` each of `n` positions has."""
    return np.bincount(at[firsts(pair_codes(at, what))], minlength=n)


def largest(at: Ints, values: np.ndarray[Any, Any], n: int) -> np.ndarray[Any, Any]:
    """The largest value of each of `n` positions, 0 where there is none; positions rise."""
    found = np.zeros(n)
    if len(at):
        starts = np.flatnonzero(np.diff(at, prepend=-1))
        found[at[starts]] = np.maximum(np.maximum.reduceat(values, starts), 0)
    return found


def ranges(starts: Ints, ends: Ints) -> Ints:
    """The whole numbers from each start up to its end, one range after the other."""
    sizes = ends - starts
    return np.arange(sizes.sum()) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)


def flat(lists: pd.Series) -> tuple[Ints, Ints]:
    """The whole numbers of some lists, one list after the other; and how many each holds."""
    sizes = [len(each) for each in lists]
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=sum(sizes)), np.array(sizes, dtype=np.int64)


def seconds(moments: pd.Series) -> Floats:
    """Moments (UTC text) in seconds since 1970; NaN where unknown."""
    texts = [text[:19] if isinstance(text, str) else "NaT" for text in moments.tolist()]
    found = np.array(texts, dtype="datetime64[s]")
    return np.where(np.isnat(found), np.nan, found.astype(np.int64))


def in_time(pulls: pd.DataFrame) -> tuple[Ints, Floats]:
    """The positions of pull requests in the order of their merges, those not merged last; and when that was.

    Args:
        pulls: one row per pull request: number, merged_at (UTC text or None).

    Returns:
        Positions, and in their order the seconds since 1970 (NaN: not merged).
    """
    moments = seconds(pulls["merged_at"])
    order = np.lexsort((pulls["number"].to_numpy(), moments))
    return order, moments[order]


class Groups:
    """Rows in time order, each of one group."""

    def __init__(self, groups: Ints) -> None:
        self._order = _sorted_by(groups)
        ordered = groups[self._order]
        self._is_start = np.empty(len(ordered), dtype=bool)
        self._is_start[:1] = True
        np.not_equal(ordered[1:], ordered[:-1], out=self._is_start[1:])
        starts = np.flatnonzero(self._is_start)
        self._starts = np.repeat(starts, np.diff(starts, append=len(ordered)))  # of each row's group

    def sums_before(self, values: np.ndarray[Any, Any] | float) -> Floats:
        """For each row the sum of `values` over the earlier rows of its group."""
        ordered = np.broadcast_to(np.asarray(values, dtype=np.float64), self._order.shape)[self._order]
        total = np.cumsum(ordered) - ordered
        result = np.empty(len(ordered))
        result[self._order] = total - total[self._starts]
        return result

    def counts_before(self) -> Ints:
        """For each row the number of earlier rows of its group."""
        result = np.empty(len(self._order), dtype=np.int64)
        result[self._order] = np.arange(len(self._order)) - self._starts
        return result

    def last_before(self) -> Ints:
        """For each row the position of the latest earlier row of its group; -1 where there is none."""
        before = np.concatenate([[-1], self._order])[:-1]
        before[self._is_start] = -1
        result = np.empty(len(self._order), dtype=np.int64)
        result[self._order] = before
        return result


def _sorted_by(groups: Ints) -> Ints:
    """The positions that bring equal groups together, in their order within each."""
    if groups.min(initial=0) < 0 or groups.max(initial=0) >> (2 * _DIGIT):
        return np.argsort(groups, kind="stable")
    order = np.argsort((groups & (1 << _DIGIT) - 1).astype(np.uint16), kind="stable")
    if groups.max(initial=0) >> _DIGIT:
        order = order[np.argsort((groups[order] >> _DIGIT).astype(np.uint16), kind="stable")]
    return order
