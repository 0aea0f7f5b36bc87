"""Scores by a model that at each point of time knows only what was known then."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import logistic
from analysis.spread import dates, period_of_each
from analysis.window import Window

FEWEST_FAILED = 10  # below that nothing is learned


class Walk(NamedTuple):
    """What a walk forward gives."""

    period: NDArray[Any]  # place of each row's period, -1 where it lies in none
    log_odds: NDArray[Any]  # of each row by the model of its period; NaN where there was none yet
    folds: pd.DataFrame  # one row per period: since, until, n_trained, n_trained_failed


def walk_forward(
    changes: pd.DataFrame, periods: Sequence[Window], *, features: Sequence[str], within_days: float
) -> Walk:
    """Which changes would a model have foretold to fail, had it been trained anew at the beginning of each period?

    Formula: at the beginning of a period a `logistic` model is fitted to the changes whose fate was known by then:
        merged so many days before it, or earlier. It scores the changes of the period. Nothing is learned from fewer
        than ten failed ones.
    Misses: the choice of features and of how hard weights are pulled to 0 was made once, with all the past in sight.
    Source: time-ordered evaluation, as Tan et al. 2015 ask for online defect prediction.
    Example: watched for 30 days, the model for May is made of what was merged until 1 April.

    Args:
        changes: one row per change: merged_at (UTC text), failed (bool), and the features.
        periods: in time order, not overlapping.
        features: columns.
        within_days: how long a change is watched until its fate is known.

    Returns:
        Arrays in the order of the rows, and the folds.
    """
    # In the order of time, so that the order of rows does not matter to the last digit of a sum.
    order = np.lexsort([changes[name].to_numpy() for name in (*features, "failed", "merged_at")])
    rows = changes.iloc[order]
    period = period_of_each(rows["merged_at"], periods)
    starts = [window.start for window in periods]
    n_known = np.searchsorted(_texts_later(rows["merged_at"], within_days), starts, side="right")
    failed, values = rows["failed"].to_numpy(dtype=bool), rows[list(features)]
    log_odds, trained = np.full(len(rows), np.nan), []
    for place, n in enumerate(n_known.tolist()):
        trained.append((n, int(failed[:n].sum())))
        to_score = np.flatnonzero(period == place)
        if len(to_score) and FEWEST_FAILED <= trained[-1][1] < n:
            model = logistic.fit(values.iloc[:n], failed[:n])
            log_odds[to_score] = model.log_odds(values.iloc[to_score])
    n_trained = pd.DataFrame(trained, columns=["n_trained", "n_trained_failed"], dtype="int64")
    back = np.argsort(order)
    return Walk(period[back], log_odds[back], dates(periods).join(n_trained))


def _texts_later(moments: pd.Series, days: float) -> NDArray[Any]:
    """Moments some days later, as UTC text."""
    later = pd.to_datetime(moments, utc=True) + pd.Timedelta(days=days)
    return later.dt.strftime("%Y-%m-%dT%H:%M:%SZ").to_numpy(dtype=str)
