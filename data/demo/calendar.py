"""When the invented team works: weekdays, holidays in three parts of the world, calm and stormy weeks, absences."""

from datetime import date, timedelta
from math import fsum
from random import Random

from data.demo.chance import DAY, HOUR, MINUTE
from data.demo.team import TEAM, Member

_NEW_YEARS = (  # first day of the Chinese year
    "2019-02-05 2020-01-25 2021-02-12 2022-02-01 2023-01-22 2024-02-10 2025-01-29 2026-02-17 2027-02-06 2028-01-26 "
    "2029-02-13 2030-02-03"
)
SPRING_FESTIVALS = {day.year: day for day in map(date.fromisoformat, _NEW_YEARS.split())}
WEEKDAYS = (1.0, 1.1, 1.1, 1.05, 0.9)
WEATHER = (0.45, 0.7, 0.8, 0.9, 1.0, 1.0, 1.1, 1.2, 1.35, 1.6)  # how busy a week is, before anything happens
FIRST_MINOR = 4  # of the first release, v1.4.0


def day_factor(zone: str, day: date) -> float:
    """How much of a usual day's work is done, holidays considered: 0 on a day off, 1 as ever."""
    month_day = (day.month, day.day)
    if month_day >= (12, 24) or month_day <= (1, 1):
        return 0.5 if zone == "CN" and month_day != (1, 1) else 0.06
    if zone == "CN":
        festival = SPRING_FESTIVALS.get(day.year)
        if festival and -1 <= (day - festival).days <= 7:
            return 0.02
        return 0.04 if (10, 1) <= month_day <= (10, 7) or (5, 1) <= month_day <= (5, 3) else 1.0
    if zone == "EU":
        return 0.05 if month_day == (5, 1) else 0.5 if (7, 20) <= month_day <= (8, 25) else 1.0
    thanksgiving = day.month == 11 and day.weekday() in (3, 4) and 22 <= day.day - (day.weekday() - 3) <= 28
    return 0.05 if thanksgiving or month_day == (7, 4) else 0.75 if (7, 1) <= month_day <= (8, 15) else 1.0


class Calendar:
    """When the team works: every day of the sample with its weather, releases and absences."""

    def __init__(self, rng: Random, first: date, n_days: int) -> None:
        self.first, self.n_days = first, n_days
        self.start = (first - date(1970, 1, 1)).days * DAY
        self.end = self.start + n_days * DAY
        days = [first + timedelta(days=i) for i in range(n_days)]
        self.releases = [i for i, day in enumerate(days) if day.weekday() == 2 and 15 <= day.day <= 21]
        self.incident = next((i for i in range(n_days * 47 // 100, n_days) if days[i].weekday() == 0), 0)  # its Monday
        self.absences = [_absences(rng, n_days) for _ in TEAM]
        self.weather = _weather(rng, first.weekday(), n_days, self.releases, self.incident)
        # Even on a day when nobody works: bots do.
        self.totals = [fsum(self.weights(i)) + 0.12 * self.weather[i] for i in range(n_days)]

    def date(self, day: int) -> date:
        return self.first + timedelta(days=day)

    def day(self, moment: float) -> int:
        return min(max(int(moment - self.start) // DAY, 0), self.n_days - 1)

    def share(self, moment: float) -> float:
        """How much of the whole time has gone by, 0 to 1."""
        return (moment - self.start) / (self.n_days * DAY)

    def weights(self, day: int) -> list[float]:
        """How probable a pull request of each member is on a day, in the order of TEAM."""
        today = self.date(day)
        base, weekday, share = self.weather[day], today.weekday(), day / self.n_days
        factor = {zone: base * day_factor(zone, today) for zone in ("CN", "EU", "US")}
        return [
            member.pace * factor[member.zone] * (WEEKDAYS[weekday] if weekday < 5 else member.weekend)
            if member.joined <= share < member.left and day not in absent
            else 0.0
            for member, absent in zip(TEAM, self.absences, strict=True)
        ]

    def minor(self, moment: float) -> int:
        """The minor version under way at a moment."""
        return FIRST_MINOR + sum(self.start + release * DAY <= moment for release in self.releases)

    def present(self, member: Member, moment: int) -> bool:
        return member.joined <= self.share(moment) < member.left

    def at_work(self, rng: Random, member: Member, moment: float) -> int:
        """The first moment from `moment` on when a member sits at the desk."""
        local = int(moment) + offset(member.zone, moment)
        opens, closes = member.hours[0] * HOUR, member.hours[1] * HOUR
        day, second = divmod(local, DAY)
        if second >= closes:
            day, second = day + 1, 0
        if self._off(rng, member, day) or second < opens:
            while self._off(rng, member, day):
                day, second = day + 1, 0
            if second < opens:
                second = opens + rng.randrange(90 * MINUTE)
        return max(int(moment), day * DAY + second - offset(member.zone, moment))

    def _off(self, rng: Random, member: Member, epoch_day: int) -> bool:
        if (epoch_day + 3) % 7 >= 5:  # 1970-01-01 was a Thursday
            return rng.random() > member.weekend
        return day_factor(member.zone, date.fromordinal(epoch_day + 719_163)) < 0.3 and rng.random() < 0.9


def offset(zone: str, moment: float) -> int:
    """Seconds east of UTC. Summer time runs from April to October, near enough for invented people."""
    if zone == "CN":
        return 8 * HOUR
    day_of_year = int(moment) % (1461 * DAY // 4) // DAY
    summer = 1 if 90 <= day_of_year < 300 else 0
    return ((1 if zone == "EU" else -7) + summer) * HOUR


def _absences(rng: Random, n_days: int) -> set[int]:
    """The days somebody is away: in about two of three quarters, for half a week to two weeks."""
    away: set[int] = set()
    for quarter in range(0, n_days, 91):
        if rng.random() < 0.65:
            first = quarter + rng.randrange(91)
            away.update(range(first, first + rng.randrange(4, 15)))
    return away


def _weather(rng: Random, weekday: int, n_days: int, releases: list[int], incident: int) -> list[float]:
    """Per day: calm and busy weeks, a crunch before each release and a quiet end after it, one stormy incident."""
    weeks = [rng.choice(WEATHER) for _ in range(n_days // 7 + 2)]
    factor = [weeks[(day + weekday) // 7] for day in range(n_days)]
    for release in releases:
        for day in range(max(0, release - 6), min(n_days, release + 1)):
            factor[day] *= 1.45
        for day in range(release + 1, min(n_days, release + 6)):
            factor[day] *= 0.75
    for day in range(incident, min(n_days, incident + 6)):
        factor[day] = 2.4
    for day in range(incident + 7, min(n_days, incident + 14)):
        factor[day] *= 0.5
    return factor
