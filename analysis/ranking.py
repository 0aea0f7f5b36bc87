"""Which of two rows has the higher score, counted for all pairs of a group at once."""

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Ranking:
    """Rows by group and score: equal scores of a group make a block, and nothing tells those rows apart.

    Args:
        score: one number a row, none of them NaN.
        group: of each row; rows are compared with those of their own group only. None: all are one group.
    """

    def __init__(self, score: NDArray[Any], group: NDArray[Any] | None = None) -> None:
        score = np.asarray(score)
        group = np.zeros(len(score)) if group is None else np.asarray(group)
        self.order = np.lexsort((score, group))
        other_group = _differs(group[self.order])
        self.starts = np.flatnonzero(other_group | _differs(score[self.order]))  # where each block begins
        self._first = np.flatnonzero(other_group[self.starts])  # the first block of each group
        self._group = np.cumsum(other_group[self.starts]) - 1  # the group of each block

    def apart(self, rows: Flags) -> "Ranking":
        """The same with neighbouring blocks made one where they hold none of these rows: to be counted against them,
        what lies between two of them needs no telling apart."""
        holds = self.blocks(rows.astype(np.intp)) > 0
        stays = holds | np.concatenate([holds[:1], holds[:-1]])
        stays[self._first] = True
        found = copy(self)
        found.starts, found._group = self.starts[stays], self._group[stays]
        found._first = np.flatnonzero(_differs(found._group))
        return found

    def blocks(self, values: NDArray[Any], only: Flags | None = None) -> NDArray[Any]:
        """The sum of values, one or several columns a row, over each block, lowest score of the first group first.

        Args:
            values: one or several a row.
            only: the few rows that count. None: all do.
        """
        if only is None:
            return np.add.reduceat(values[self.order], self.starts, axis=0)
        rows = self.order[only[self.order]]
        block = np.searchsorted(self.starts, np.flatnonzero(only[self.order]), "right") - 1
        found = np.zeros((len(self.starts), *values.shape[1:]), dtype=values.dtype)
        np.add.at(found, block, values[rows])
        return found

    def groups(self, blocks: NDArray[Any]) -> NDArray[Any]:
        """The sum over the blocks of each group."""
        return np.add.reduceat(blocks, self._first, axis=0)

    def of_group(self, groups: NDArray[Any]) -> NDArray[Any]:
        """What belongs to a group, for each of its blocks."""
        found: NDArray[Any] = groups[self._group]
        return found

    def below(self, blocks: NDArray[Any]) -> NDArray[Any]:
        """The sum over the lower blocks of the same group."""
        lower = np.cumsum(blocks, axis=0) - blocks
        found: NDArray[Any] = lower - lower[self._first][self._group]
        return found

    def standing(self) -> Floats:
        """Of each row, which share of its group lies below it, equal ones counted half: 0 to 1."""
        n = self.blocks(np.ones(len(self.order)))
        share = (self.below(n) + n / 2) / self.of_group(self.groups(n))
        found = np.empty(len(self.order))
        found[self.order] = np.repeat(share, n.astype(np.intp))
        return found


def _differs(values: NDArray[Any]) -> Flags:
    """Where a value is another than the one before; the first always is."""
    return np.concatenate([np.ones(min(len(values), 1), dtype=bool), values[1:] != values[:-1]])
