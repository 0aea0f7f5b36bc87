"""What a window is to a reader: the calendar's name for its two days, or the release between them."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.window import between, period_of
from analysis.window_kinds import window_kind


@pytest.mark.parametrize(
    ("since", "until", "kind"),
    [
        ("2026-05-04", "2026-05-04", "day"),
        ("2026-05-04", "2026-05-10", "week"),
        ("2026-05-05", "2026-05-11", "range"),
        ("2026-05-04", "2026-05-17", "weeks"),
        ("2026-05-01", "2026-05-31", "month"),
        ("2026-05-01", "2026-06-30", "months"),
        ("2026-04-01", "2026-06-30", "quarter"),
        ("2026-05-01", "2026-07-31", "months"),
        ("2026-07-01", "2026-12-31", "half"),
        ("2026-04-01", "2026-09-30", "months"),
        ("2026-01-01", "2026-12-31", "year"),
        ("2025-07-01", "2026-06-30", "months"),
        ("2024-01-01", "2026-12-31", "years"),
        ("2026-05-02", "2026-05-31", "range"),
    ],
)
def test_a_window_is_what_the_calendar_calls_it(since, until, kind):
    assert window_kind(between(since, until)) == kind


def test_a_february_of_four_whole_weeks_is_a_month():
    assert window_kind(between("2021-02-01", "2021-02-28")) == "month"


def test_a_release_says_more_than_the_calendar():
    assert window_kind(between("2026-05-04", "2026-05-10"), "v1.1..v1.2") == "release"


@given(day=st.dates(date(1950, 1, 1), date(2100, 1, 1)), every=st.sampled_from("DWM"), more=st.integers(1, 3))
def test_whole_periods_are_told_and_a_day_more_is_not_the_same(day, every, more):
    period = period_of(day, every)
    assert window_kind(period) == {"D": "day", "W": "week", "M": "month"}[every]
    assert window_kind(between(period.since, period.until + timedelta(days=more))) == "range"
