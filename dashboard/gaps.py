"""Stretches of weeks in which a repository merged nothing: a holiday, or data that is missing."""

from datetime import date

import pandas as pd

LEAST_WEEKS = 2


def gaps(weeks: pd.DataFrame, *, least: int = LEAST_WEEKS) -> list[tuple[date, date]]:
    """First and last day of each stretch of at least `least` weeks without a merge, between weeks with merges.

    Args:
        weeks: one row per week without holes, oldest first: week (its Monday), until, merged.
    """
    busy = weeks["merged"] > 0
    run = busy.cumsum()
    quiet = weeks[~busy & (run > 0) & (run < busy.sum())]
    stretches = quiet.groupby(run)
    return [(rows["week"].iloc[0], rows["until"].iloc[-1]) for _, rows in stretches if len(rows) >= least]
