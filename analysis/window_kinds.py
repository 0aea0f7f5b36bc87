"""What a window is to a reader: a week, a month, a quarter, a release or merely some days."""

from typing import Literal

from analysis.window import Window

Kind = Literal["release", "day", "week", "weeks", "month", "months", "quarter", "half", "year", "years", "range"]


def window_kind(window: Window, release: str | None = None) -> Kind:
    """The calendar's name for what lies between a window's two days; the longest where two fit.

    Weeks are ISO weeks, months, quarters, halves and years those of the calendar, each whole; `weeks`, `months` and
    `years` are two or more. A February of four whole weeks is a month.

    Args:
        window: which days.
        release: `A..B` where they lie between two tags, which says more than any calendar.
    """
    if release:
        return "release"
    if window.days == 1:
        return "day"
    if months := window.whole_months:
        return _of_months(window.since.month, months)
    if window.days % 7 == 0 and window.since.weekday() == 0:
        return "week" if window.days == 7 else "weeks"
    return "range"


def _of_months(first: int, n: int) -> Kind:
    if n % 12 == 0 and first == 1:
        return "year" if n == 12 else "years"
    if n == 6 and first in (1, 7):
        return "half"
    if n == 3 and first % 3 == 1:
        return "quarter"
    return "month" if n == 1 else "months"
