"""When a team works: which days and hours, without which holidays, in which zone. Light, for the configuration."""

from dataclasses import dataclass
from datetime import date, timedelta

from data.errors import MergeWindowError
from data.moments import zone

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAY = timedelta(days=1)


class BadCalendar(MergeWindowError):
    """The calendar describes no working time: no day, or hours that end before they begin."""


@dataclass(frozen=True)
class Calendar:
    """A team's working time: the same hours on each working day that is no holiday, by the clock of one zone."""

    days: tuple[str, ...] = WEEKDAYS[:5]
    start: timedelta = timedelta(hours=9)  # since midnight
    end: timedelta = timedelta(hours=18)
    holidays: frozenset[date] = frozenset()
    tz: str = "UTC"

    def __post_init__(self) -> None:
        zone(self.tz)
        if unknown := sorted(set(self.days) - set(WEEKDAYS)):
            raise BadCalendar(f"Unknown working day {unknown[0]!r}. Known: {', '.join(WEEKDAYS)}.")
        if not self.days:
            raise BadCalendar("A calendar needs at least one working day, such as Mon.")
        if not timedelta() <= self.start < self.end <= DAY:
            raise BadCalendar(f"Working hours can't end at {_clock(self.end)} when they start at {_clock(self.start)}.")

    def is_workday(self, day: date) -> bool:
        """Whether it is a working day and no holiday."""
        return WEEKDAYS[day.weekday()] in self.days and day not in self.holidays

    def workdays(self, since: date, until: date) -> list[date]:
        """The working days from `since` to `until`, both included."""
        days = (since + timedelta(days=step) for step in range((until - since).days + 1))
        return [day for day in days if self.is_workday(day)]


def _clock(since_midnight: timedelta) -> str:
    minutes = int(since_midnight.total_seconds()) // 60
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
