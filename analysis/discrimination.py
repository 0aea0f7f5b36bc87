"""How well a score tells changes that failed from those that did not."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.ranking import Flags, Floats, Ranking

RESAMPLES = 1000
AT_ONCE = 250  # resamples held in memory together
SEED = 2013
SURE = 0.95
TOP = 0.1


class Top(NamedTuple):
    """The rows with the highest scores, and those among them that failed; where equals share a place, fractions."""

    n: float
    n_failed: float


class Interval(NamedTuple):
    """A value and where it lies with 95 % confidence."""

    value: float
    low: float
    high: float


def auc(failed: NDArray[Any], score: NDArray[Any], group: NDArray[Any] | None = None) -> float:
    """How often does a change that failed have a higher score than one that did not?

    Formula: over all pairs of a failed and a sound change of one group, the share in which the failed one has the
        higher score, equal scores counted half. With one group it is the area under the ROC curve.
    Misses: how far apart the scores are, and whether they are right in size, which is what calibration tells. Where few
        failed it is hardly known: read the interval.
    Source: Hanley and McNeil 1982; Mann and Whitney 1947. Groups as in stratified concordance.
    Example: failed with scores 3 and 1, sound with 1 and 0: of four pairs three are won, one is equal: 3.5 / 4 = 0.875.

    Args:
        failed: whether it did, one flag a row.
        score: one number a row, none of them NaN.
        group: such as the month; rows are compared within it only. None: all with all.

    Returns:
        0 to 1; 0.5 is what chance gives. NaN where there is no pair.
    """
    once = np.ones((len(score), 1))
    return float(_aucs(Ranking(score, group), _flags(failed), once)[0]) if len(score) else np.nan


def top_tenth(failed: NDArray[Any], score: NDArray[Any], group: NDArray[Any] | None = None) -> Top:
    """How many of the changes in the highest tenth of the scores failed?

    Formula: of each group the tenth of its rows with the highest scores; where that cuts through equal scores, each of
        them counts as the part that falls into the tenth.
    Misses: what lies just below; in small groups the tenth is less than one change.
    Source: precision at a fixed effort, as in Kamei et al. 2013; ties by expectation (McSherry and Najork 2008).
    Example: 20 changes, 3 of them with the highest score, one of these failed: the tenth is 2 of the 3, failed 2/3.

    Args:
        failed: whether it did, one flag a row.
        score: one number a row, none of them NaN.
        group: such as the month. None: all are one group.

    Returns:
        n (a tenth of all rows) and n_failed.
    """
    if not len(score):
        return Top(0.0, 0.0)
    ranking = Ranking(score, group)
    n, n_failed = ranking.blocks(np.ones(len(score))), ranking.blocks(_flags(failed).astype(float))
    in_group = ranking.of_group(ranking.groups(n))
    above = in_group - ranking.below(n) - n
    part = np.clip((TOP * in_group - above) / n, 0, 1)
    return Top(float((part * n).sum()), float((part * n_failed).sum()))


def aucs(
    failed: NDArray[Any], scores: pd.DataFrame, group: NDArray[Any] | None = None, *, against: str
) -> tuple[dict[str, Interval], dict[str, Interval]]:
    """How well do several scores of the same changes tell those that failed, and by how much do they beat one of them?

    Formula: `auc` of each, and its difference to that of the score `against`. Intervals are the middle 95 % of 1,000
        resamples, drawn with replacement from the failed and the sound ones apart, the same for all scores, so that a
        difference is told by the changes on which they differ.
    Misses: changes of one author or one week fail together, so that the truth is less sure than the interval says.
    Source: Efron and Tibshirani 1993, percentile bootstrap, stratified and paired; the seed is fixed.
    Example: A has 0.72 and B 0.70, and in 95 % of the resamples A leads by -0.01 to 0.05: not shown to be better.

    Args:
        failed: whether it did, one flag a row.
        scores: one row per change, a column a score, no NaN.
        group: such as the month. None: all are one group.
        against: one of the columns.

    Returns:
        By column: the AUC; and the difference to that of `against`, for the other columns. NaN where there is no pair.
    """
    flags = _flags(failed)
    group = np.zeros(len(flags)) if group is None else group
    # In the order of their values, so that the order of rows does not matter to what is drawn.
    order = np.lexsort((*scores.to_numpy(dtype=float).T, flags, group))
    flags, group, scores = flags[order], group[order], scores.iloc[order]
    if flags.all() or not flags.any():
        nothing = Interval(np.nan, np.nan, np.nan)
        return dict.fromkeys(scores.columns, nothing), {name: nothing for name in scores.columns if name != against}
    rankings = {name: Ranking(scores[name].to_numpy(dtype=float), group).apart(flags) for name in scores.columns}
    once = np.ones((len(flags), 1))
    whole = {name: float(_aucs(ranking, flags, once)[0]) for name, ranking in rankings.items()}
    parts = [{name: _aucs(each, flags, drawn) for name, each in rankings.items()} for drawn in _resamples(flags)]
    drawn = {name: np.concatenate([part[name] for part in parts]) for name in rankings}
    others = [name for name in scores.columns if name != against]
    return (
        {name: _interval(whole[name], drawn[name]) for name in rankings},
        {name: _interval(whole[name] - whole[against], drawn[name] - drawn[against]) for name in others},
    )


def _aucs(ranking: Ranking, failed: Flags, times: NDArray[Any]) -> Floats:
    """The AUC for each column of how many times a row counts; NaN where there is no pair."""
    everything, bad = ranking.blocks(times).astype(float), ranking.blocks(times, only=failed).astype(float)
    good = everything - bad
    won = (bad * (ranking.below(good) + good / 2)).sum(axis=0)
    pairs = (ranking.groups(bad) * ranking.groups(good)).sum(axis=0)
    found: Floats = np.divide(won, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)
    return found


def _resamples(failed: Flags) -> Iterator[NDArray[Any]]:
    """How many times each row was drawn, a column a resample, some at once."""
    chance = np.random.default_rng(SEED)
    for n_drawn in [AT_ONCE] * (RESAMPLES // AT_ONCE):
        times = np.empty((len(failed), n_drawn), dtype=np.float32)  # exact up to 16 million, and half the memory
        for rows in (np.flatnonzero(failed), np.flatnonzero(~failed)):
            cells = chance.integers(0, len(rows), (len(rows), n_drawn)) * n_drawn + np.arange(n_drawn)
            times[rows] = np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape)
        yield times


def _interval(value: float, drawn: Floats) -> Interval:
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return Interval(value, np.nan, np.nan)
    low, high = np.quantile(known, [(1 - SURE) / 2, (1 + SURE) / 2])
    return Interval(value, float(low), float(high))


def _flags(failed: NDArray[Any]) -> Flags:
    return np.asarray(failed, dtype=bool)
