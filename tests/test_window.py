"""Windows and the calendar."""

from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import window as windows
from analysis.window import Window
from data.errors import BadWindow
from data.moments import local_day, utc_text

ZONES = [
    "UTC",
    "Asia/Shanghai",
    "Asia/Kolkata",
    "America/Los_Angeles",
    "Europe/Berlin",
    "Pacific/Apia",
    "America/Santiago",
]
days = st.dates(date(1975, 1, 1), date(2100, 1, 1))
lengths = st.integers(0, 800)
zones = st.sampled_from(ZONES)


def test_a_window_is_half_open_so_that_midnight_belongs_to_the_next_day():
    week = windows.iso_week("2026-W17", "Asia/Shanghai")
    assert (week.start, week.end) == ("2026-04-19T16:00:00Z", "2026-04-26T16:00:00Z")
    assert week.start <= "2026-04-26T15:59:59Z" < week.end
    assert not week.start <= "2026-04-26T16:00:00Z" < week.end


@given(days, lengths, zones)
def test_a_moment_is_in_the_window_exactly_if_its_local_day_is(since, length, tz):
    window = Window(since, since + timedelta(days=length), tz)
    for day in (since - timedelta(days=1), since, window.until, window.until + timedelta(days=1)):
        for hour in (0, 12, 23):
            moment = utc_text(datetime(day.year, day.month, day.day, hour, 59, 59, tzinfo=ZoneInfo(tz)))
            inside = window.since <= local_day(moment, tz) <= window.until
            assert (window.start <= moment < window.end) == inside


@given(days, lengths, zones)
def test_neighbours_share_no_moment_and_leave_no_gap(since, length, tz):
    window = Window(since, since + timedelta(days=length), tz)
    assert window.before.end == window.start
    assert window.before.days == window.days
    after = window.shifted(1)
    assert after.start == window.end
    # Days that happen to become whole months move back as months.
    assert after.whole_months or after.shifted(-1) == window


@given(days, lengths, zones, st.sampled_from(windows.EVERY))
def test_periods_reach_both_edges_without_gap_or_overlap(since, length, tz, every):
    window = Window(since, since + timedelta(days=length), tz)
    periods = window.periods(every)
    assert periods[0].since <= window.since <= periods[0].until
    assert periods[-1].since <= window.until <= periods[-1].until
    assert all(earlier.end == later.start for earlier, later in pairwise(periods))


@given(days)
def test_an_iso_week_reads_back_as_the_week_it_was_written_for(day):
    label = windows.week_label(day)
    week = windows.iso_week(label)
    assert week.since <= day <= week.until
    assert week.iso_week == label


def test_the_year_of_an_iso_week_is_not_always_that_of_its_days():
    assert windows.iso_week("2026-W01").since == date(2025, 12, 29)
    assert windows.iso_week("2026-W53").until == date(2027, 1, 3)


def test_a_week_from_tuesday_to_monday_is_no_iso_week():
    assert Window(date(2026, 4, 14), date(2026, 4, 20)).iso_week is None


def test_whole_months_move_as_months_and_are_compared_with_as_many_days():
    march = Window(date(2026, 3, 1), date(2026, 3, 31))
    assert march.shifted(-1) == Window(date(2026, 2, 1), date(2026, 2, 28))
    assert march.shifted(10) == Window(date(2027, 1, 1), date(2027, 1, 31))
    assert march.before == Window(date(2026, 1, 29), date(2026, 2, 28))


def test_the_last_weeks_end_with_the_last_complete_one_and_days_with_the_last_day():
    saturday = date(2026, 8, 22)
    assert windows.last("4w", saturday) == Window(date(2026, 7, 20), date(2026, 8, 16))
    assert windows.last("7d", saturday) == Window(date(2026, 8, 16), saturday)
    assert windows.last("3m", saturday) == Window(date(2026, 5, 1), date(2026, 7, 31))
    sunday = date(2026, 8, 23)
    assert windows.last("1W", sunday).until == sunday
    assert windows.last("1m", date(2026, 8, 31)) == Window(date(2026, 8, 1), date(2026, 8, 31))


def test_a_day_with_23_hours_ends_where_the_next_begins():
    spring = Window(date(2026, 3, 29), date(2026, 3, 29), "Europe/Berlin")
    assert (spring.start, spring.end) == ("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: windows.iso_week("2026-W54"), "2026-W54"),
        (lambda: windows.iso_week("2025-W53"), "2025-W53"),
        (lambda: windows.iso_week("week 16"), "week 16"),
        (lambda: windows.last("0w", date(2026, 1, 1)), "0w"),
        (lambda: windows.last("4y", date(2026, 1, 1)), "4y"),
        (lambda: windows.between("2026-05-10", "2026-05-04"), "ends (2026-05-04) before it starts (2026-05-10)"),
        (lambda: windows.between("2026-05-10", None), "until is missing"),
        (lambda: windows.between(None, "2026-05-10"), "since is missing"),
        (lambda: windows.between("2026-05-32", "2026-06-01"), "2026-05-32"),
        (lambda: windows.between("0001-01-01", "2026-06-01"), "1900"),
        (lambda: windows.between("2026-01-01", "2026-01-02", "Mars/Olympus"), "Mars/Olympus"),
        (lambda: windows.between("2026-01-01", "2026-01-02", "../etc/passwd"), "../etc/passwd"),
        (lambda: windows.between("2026-01-01", "2026-01-02", ""), "time zone ''"),
        (lambda: windows.last("9999w", date(2026, 1, 1)), "1900"),
        (lambda: windows.last("9999m", date(2026, 1, 1)), "1900"),
        (lambda: windows.period_of(date(2026, 1, 1), "Q"), "'Q'"),
        (lambda: Window(date(1950, 1, 1), date(2026, 1, 1)).before, "1900"),
        (lambda: windows.last("99999999999w", date(2026, 1, 1)), "longer than the calendar"),
    ],
)
def test_a_bad_window_gets_one_sentence_that_names_it(call, says):
    with pytest.raises(BadWindow) as caught:
        call()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
