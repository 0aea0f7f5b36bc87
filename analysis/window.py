"""Windows and the calendar: which days, cut in which zone, and which UTC moments that means."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from data.counted import counted
from data.errors import BadWindow
from data.moments import day_of, midnight, monday_of, zone

WEEK_TEXT = re.compile(r"(\d{4})-?W(\d{1,2})", re.IGNORECASE)
LAST_TEXT = re.compile(r"(\d+)([dwm])", re.IGNORECASE)
EVERY = ("D", "W", "M")
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(9998, 12, 31)
YEARS = f"{FIRST_DAY.year} to {LAST_DAY.year}"
LONGEST = 100_000  # days, weeks or months: more than the calendar holds, little enough to count with


@dataclass(frozen=True, order=True)
class Window:
    """Whole days from `since` to `until`, both included, as the zone `tz` cuts them.

    A moment lies in the window if `start <= moment < end`: half-open, so that neighbours share nothing.
    """

    since: date
    until: date
    tz: str = "UTC"

    def __post_init__(self) -> None:
        zone(self.tz)
        if self.until < self.since:
            raise BadWindow(f"The window ends ({self.until}) before it starts ({self.since}). Swap the two dates.")
        if self.since < FIRST_DAY or self.until > LAST_DAY:
            raise BadWindow(f"The window {self.since} to {self.until} leaves the years {YEARS}. Choose nearer dates.")

    @cached_property
    def start(self) -> str:
        """First moment, as UTC text."""
        return midnight(self.since, self.tz)

    @cached_property
    def end(self) -> str:
        """First moment after the window, as UTC text."""
        return midnight(self.until + timedelta(days=1), self.tz)

    @property
    def days(self) -> int:
        """How many days it has, at least 1."""
        return (self.until - self.since).days + 1

    @property
    def iso_week(self) -> str | None:
        """`2026-W16` if it is exactly that ISO week, else None."""
        whole = self.days == 7 and self.since.weekday() == 0
        return week_label(self.since) if whole else None

    @property
    def before(self) -> "Window":
        """The period of as many days that ends the day before."""
        return self._moved(timedelta(days=-self.days))

    @property
    def whole_months(self) -> int:
        """How many whole calendar months it is made of, 0 if it is not."""
        after = self.until + timedelta(days=1)
        if self.since.day != 1 or after.day != 1:
            return 0
        return (after.year - self.since.year) * 12 + after.month - self.since.month

    def shifted(self, steps: int) -> "Window":
        """The window as many of its own lengths later (earlier, below zero); whole months stay whole months."""
        if months := self.whole_months:
            since = add_months(self.since, months * steps)
            return Window(since, add_months(since, months) - timedelta(days=1), self.tz)
        return self._moved(timedelta(days=self.days * steps))

    def _moved(self, step: timedelta) -> "Window":
        try:
            return Window(self.since + step, self.until + step, self.tz)
        except OverflowError as error:
            raise BadWindow(
                f"{self.since} to {self.until} can't be moved by {counted(step.days, 'day')}: the calendar ends."
            ) from error

    def periods(self, every: str) -> list["Window"]:
        """The days (`D`), ISO weeks (`W`) or months (`M`) it touches, to both edges and not cut at them."""
        first = period_of(self.since, every, self.tz)
        found = [first]
        while found[-1].until < self.until:
            found.append(period_of(found[-1].until + timedelta(days=1), every, self.tz))
        return found


def period_of(day: date, every: str, tz: str = "UTC") -> Window:
    """The day, ISO week or calendar month that `day` lies in.

    Raises:
        BadWindow: `every` is none of D, W, M.
    """
    if every == "D":
        return Window(day, day, tz)
    if every == "W":
        monday = monday_of(day)
        return Window(monday, monday + timedelta(days=6), tz)
    if every == "M":
        first = day.replace(day=1)
        return Window(first, add_months(first, 1) - timedelta(days=1), tz)
    raise BadWindow(f"Unknown period {every!r}. Known: D (day), W (ISO week), M (month).")


def iso_week(text: str, tz: str = "UTC") -> Window:
    """The window of an ISO week written `2026-W16`.

    Raises:
        BadWindow: no such week.
    """
    found = WEEK_TEXT.fullmatch(text.strip())
    try:
        if not found:
            raise ValueError(text)
        monday = date.fromisocalendar(int(found[1]), int(found[2]), 1)
    except ValueError as error:
        raise BadWindow(f"{text!r} is no ISO week. Write it like 2026-W16 (weeks 01 to 52 or 53).") from error
    return Window(monday, monday + timedelta(days=6), tz)


def between(since: str | date | None, until: str | date | None, tz: str = "UTC") -> Window:
    """The window from two dates, each a date or ISO text.

    Raises:
        BadWindow: one is missing or no date, or they are reversed.
    """
    if since is None or until is None:
        missing = "since" if since is None else "until"
        raise BadWindow(f"The window has one end only: {missing} is missing. Give both dates.")
    first, final = (day_of(each) if isinstance(each, str) else each for each in (since, until))
    return Window(first, final, tz)


def last(text: str, last_day: date, tz: str = "UTC") -> Window:
    """The latest `4w` (whole ISO weeks), `3m` (whole months) or `7d` that a cache reaching to `last_day` covers.

    Raises:
        BadWindow: `text` is not a number above zero followed by d, w or m.
    """
    found = LAST_TEXT.fullmatch(text.strip())
    count = int(found[1]) if found else 0
    if not found or count < 1:
        raise BadWindow(f"{text!r} is no length of time. Write it like 7d, 4w or 3m.")
    if count > LONGEST:
        raise BadWindow(
            f"{text!r} is longer than the calendar, which begins in {FIRST_DAY.year}. Choose a shorter time."
        )
    unit = found[2].lower()
    if unit == "d":
        return Window(last_day - timedelta(days=count - 1), last_day, tz)
    until = last_complete(last_day, "W" if unit == "w" else "M", tz).until
    if unit == "w":
        return Window(until - timedelta(days=7 * count - 1), until, tz)
    return Window(add_months(until.replace(day=1), 1 - count), until, tz)


def last_complete(last_day: date, every: str = "W", tz: str = "UTC") -> Window:
    """The latest period that is over once `last_day` is."""
    current = period_of(last_day, every, tz)
    if current.until <= last_day:
        return current
    return period_of(current.since - timedelta(days=1), every, tz)


def week_label(day: date) -> str:
    """`2026-W16` for any day of that week."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"


def add_months(first: date, months: int) -> date:
    """The first day of the month that lies `months` after the one beginning on `first`."""
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    if not FIRST_DAY.year <= year <= LAST_DAY.year:
        raise BadWindow(f"{first} can't be moved by {counted(months, 'month')}: the calendar of windows is {YEARS}.")
    return date(year, month + 1, 1)
