"""Moments as the cache stores them: UTC, to the second, as sortable ISO text; and the days a zone cuts from them."""

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from data.errors import BadWindow

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")  # `date.fromisoformat` takes 20260504 and 2026-W19 too
FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def utc_text(moment: str | int | datetime | None) -> str | None:
    """A moment as `2026-04-26T17:55:00Z`.

    Args:
        moment: ISO text with any offset (none means UTC), seconds since 1970, an aware or naive (UTC)
            datetime, or None or an empty text for "unknown".

    Returns:
        ISO text in UTC to the second, or None.

    Raises:
        ValueError: the text is no moment.
    """
    if moment is None or moment == "":
        return None
    if isinstance(moment, int):
        moment = datetime.fromtimestamp(moment, UTC)
    elif isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).strftime(FORMAT)


def now() -> str:
    """This moment by the machine's clock: for the ledger only, never for what a report says."""
    return datetime.now(UTC).strftime(FORMAT)


@lru_cache(maxsize=64)
def zone(tz: str) -> ZoneInfo:
    """The time zone called `tz`.

    Raises:
        BadWindow: there is no zone of that name.
    """
    try:
        return ZoneInfo(tz)
    except (KeyError, ValueError, OSError) as error:
        raise BadWindow(f"Unknown time zone {tz!r}. Name one such as UTC, Asia/Shanghai or Europe/Berlin.") from error


def day_of(text: str) -> date:
    """The date written `2026-05-04`; there is no other way to write one.

    Raises:
        BadWindow: the text is no such date.
    """
    try:
        if not _DAY.fullmatch(text):
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        raise BadWindow(f"{text!r} is no date. Write it like 2026-05-04.") from None


def local_day(moment: str, tz: str) -> date:
    """The date of a stored UTC moment, in `tz`."""
    return datetime.fromisoformat(moment).astimezone(zone(tz)).date()


def midnight(day: date, tz: str) -> str:
    """The moment at which `day` begins in `tz`, as UTC text."""
    return datetime.combine(day, time(), zone(tz)).astimezone(UTC).strftime(FORMAT)


def monday_of(day: date) -> date:
    """The Monday of the ISO week that `day` lies in."""
    return day - timedelta(days=day.weekday())


def month_after(first: date) -> date:
    """The first day of the next month."""
    return date(first.year + first.month // 12, first.month % 12 + 1, 1)
