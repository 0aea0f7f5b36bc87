"""Hours between stored moments, and where the clock of a pull request starts."""

import pandas as pd


def moments(texts: pd.Series) -> pd.Series:
    """Stored UTC texts as moments to count with; NaT where unknown."""
    return pd.to_datetime(texts, utc=True, format="ISO8601")


def hours(since: pd.Series, until: pd.Series) -> pd.Series:
    """Hours from one moment to the other; NaN where one is unknown, or where they are reversed: a clock was wrong."""
    found = (until - since).dt.total_seconds() / 3600
    return found.where(found >= 0).astype(float)


def started(pulls: pd.DataFrame) -> pd.Series:
    """When reviewers could begin: ready for review the last time, else opened; NaT where neither is known.

    Args:
        pulls: one row per pull request: created_at, ready_at (UTC text or None).
    """
    return moments(pulls["ready_at"]).fillna(moments(pulls["created_at"]))


def is_true(flags: pd.Series) -> pd.Series:
    """A flag of the cache (1, True, 0, NA, None ...) as bool; unknown is False."""
    return flags.eq(1).fillna(False).astype(bool)


def of_each(ids: pd.Series, values: pd.Series) -> pd.Series:
    """The value of each id, of its own type also where no id has one; `values` is indexed by id."""
    return values.reindex(ids).set_axis(ids.index)
