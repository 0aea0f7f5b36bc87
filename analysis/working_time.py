"""Working hours between two moments, and what happens out of them."""

from datetime import timedelta

import numpy as np
import pandas as pd

from analysis.durations import moments
from analysis.working_calendar import WEEKDAYS, Calendar
from data.moments import local_day

__all__ = ["ACTS", "Calendar", "acts", "when", "working_hours"]

ACTS = MERGED, REVIEWED = ("merged", "reviewed")
FLAGS = ["is_out_of_hours", "is_weekend", "is_holiday"]


def working_hours(since: pd.Series, until: pd.Series, *, calendar: Calendar) -> pd.Series:
    """How many of the hours between two moments are working hours?

    Formula: the time between the two moments that lies in the calendar's hours of its working days, holidays left out.
    Misses: that people of one team work in several zones, part time, or on other days; there is one calendar.
    Source: own, by the calendar of the configuration.
    Example: ready Friday 17:00, merged Monday 10:00, Mon-Fri 09:00-18:00: 2 working hours of 65.

    Args:
        since: moments (UTC text or None).
        until: moments, with the same index.
        calendar: when the team works.

    Returns:
        Hours, with that index; NaN where a moment is unknown or the two are reversed.
    """
    start, end = moments(since), moments(until)
    known = pd.concat([since.dropna(), until.dropna()])
    if known.empty:
        return pd.Series(np.nan, index=since.index, dtype=float)
    opens, closes = _shifts(calendar, str(known.min()), str(known.max()))
    worked = _worked(end, opens, closes) - _worked(start, opens, closes)
    return pd.Series(worked / 3600, index=since.index).where(start <= end)


def when(at: pd.Series, *, calendar: Calendar) -> pd.DataFrame:
    """Which moments lie out of working hours, on a weekend, on a holiday?

    Args:
        at: moments (UTC text or None).
        calendar: when the team works; its zone tells the day and the hour.

    Returns:
        One row per moment, same index: is_out_of_hours (out of working hours, for whatever reason), is_weekend (on a
        weekday that is no working day), is_holiday; NA where the moment is unknown.
    """
    local = moments(at).dt.tz_convert(calendar.tz).dt.tz_localize(None)
    day = local.dt.normalize()
    is_weekend = ~local.dt.day_of_week.isin([WEEKDAYS.index(name) for name in calendar.days])
    is_holiday = day.isin(pd.to_datetime(sorted(calendar.holidays)))
    in_hours = (local - day >= calendar.start) & (local - day < calendar.end)
    flags = [~in_hours | is_weekend | is_holiday, is_weekend, is_holiday]
    return pd.DataFrame(dict(zip(FLAGS, flags, strict=True))).astype("boolean").mask(local.isna())


def acts(pulls: pd.DataFrame, reviews: pd.DataFrame, *, calendar: Calendar) -> pd.DataFrame:
    """Which merges and reviews happened out of working hours, or on a weekend?

    Formula: the share of merges, and of reviews, that lie outside the calendar's hours, or on days that are no working
        days, in each period.
    Misses: where people are: by one calendar, a colleague eight zones away always works at night. A merge by a machine,
        such as a queue, counts at its own moment. It tells of the project's habits, and nothing of any person.
    Source: own, by the calendar of the configuration.
    Example: 10 merges, of which 2 on a Saturday and 1 on Tuesday at 23:00: 0.3 out of hours, 0.2 on a weekend.

    Args:
        pulls: one row per pull request: pull_id, author_type, merged_at.
        reviews: one row per submitted review: pull_id, seq, reviewer_type, submitted_at.
        calendar: when the team works.

    Returns:
        One row per merge and review, by pull request and time: pull_id, act (merged or reviewed), at (UTC text),
        actor_type (the author's or the reviewer's: human, bot, ghost or None), is_out_of_hours, is_weekend, is_holiday.
    """
    columns = ["pull_id", "actor_type", "at"]
    merges = pulls[["pull_id", "author_type", "merged_at"]].set_axis(columns, axis=1).assign(act=MERGED)
    said = reviews[["pull_id", "reviewer_type", "submitted_at"]].set_axis(columns, axis=1).assign(act=REVIEWED)
    found = pd.concat([merges, said]).dropna(subset="at")
    found = found.sort_values(["pull_id", "at", "act", "actor_type"], ignore_index=True)
    flags = when(found["at"], calendar=calendar).astype(bool)
    return found.join(flags)[["pull_id", "act", "at", "actor_type", *FLAGS]]


def _shifts(calendar: Calendar, first: str, last: str) -> tuple[np.ndarray, np.ndarray]:
    """When work begins and ends on each working day from the day before one moment to the other, in seconds."""
    days = calendar.workdays(local_day(first, calendar.tz) - timedelta(days=1), local_day(last, calendar.tz))
    midnights = pd.DatetimeIndex(days)
    return (
        _seconds(midnights + calendar.start, calendar.tz, is_first=True),
        _seconds(midnights + calendar.end, calendar.tz, is_first=False),
    )


def _seconds(local: pd.DatetimeIndex, tz: str, *, is_first: bool) -> np.ndarray:
    """Seconds since 1970 of a zone's clock; where it was put back, the first or the second time it showed that."""
    known = local.tz_localize(tz, ambiguous=np.full(len(local), is_first), nonexistent="shift_forward")
    return known.tz_convert("UTC").tz_localize(None).to_numpy("datetime64[s]").astype("int64")


def _worked(at: pd.Series, opens: np.ndarray, closes: np.ndarray) -> np.ndarray:
    """Seconds worked from the first shift to each moment; any number where it is unknown."""
    seconds = at.dt.tz_localize(None).to_numpy("datetime64[s]").astype("int64")
    shift = np.searchsorted(opens, seconds, side="right")  # 0: before the first
    lengths = np.concatenate([[0], closes - opens])
    before = np.concatenate([[0], lengths.cumsum()[:-1]])
    return before[shift] + np.clip(seconds - np.concatenate([[0], opens])[shift], 0, lengths[shift])
