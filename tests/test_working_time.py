"""Working hours and what happens out of them."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest
from flow_frames import BOB, BOT, make_pulls, make_reviews
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.spread import share_by_period
from analysis.window import Window
from analysis.working_calendar import WEEKDAYS, Calendar
from analysis.working_time import acts, when, working_hours
from data.errors import MergeWindowError

OFFICE = Calendar()
ALWAYS = Calendar(WEEKDAYS, timedelta(), timedelta(hours=24), tz="Europe/Berlin")
BERLIN = Calendar(WEEKDAYS, timedelta(hours=1), timedelta(hours=9), tz="Europe/Berlin")


def text(moment):
    return pd.Timestamp(moment).strftime("%Y-%m-%dT%H:%M:%SZ")


def hours(since, until, calendar=OFFICE):
    return working_hours(pd.Series([text(since)]), pd.Series([text(until)]), calendar=calendar).iloc[0]


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("2026-03-06 17:00", "2026-03-09 10:00", 2),  # Friday to Monday
        ("2026-03-07 10:00", "2026-03-08 20:00", 0),  # a weekend
        ("2026-03-04 08:00", "2026-03-04 20:00", 9),  # around a working day
        ("2026-03-04 10:00", "2026-03-04 10:30", 0.5),
        ("2026-03-02 09:00", "2026-03-16 09:00", 90),  # two weeks
        ("2026-03-04 18:00", "2026-03-05 09:00", 0),  # a night
    ],
)
def test_nights_and_weekends_do_not_count(since, until, expected):
    assert hours(since, until) == expected


def test_holidays_do_not_count():
    golden = Calendar(holidays=frozenset({date(2026, 10, 1), date(2026, 10, 2)}))
    assert hours("2026-09-30 17:00", "2026-10-05 10:00", golden) == 2


def test_the_zone_of_the_calendar_tells_day_and_hour():
    shanghai = Calendar(tz="Asia/Shanghai")
    assert hours("2026-03-06 09:00", "2026-03-09 02:00", shanghai) == 2  # Friday 17:00 to Monday 10:00 there


def test_a_changing_clock_makes_real_hours():
    assert hours("2026-03-28 12:00", "2026-03-29 12:00", BERLIN) == 7  # 02:00 to 03:00 did not exist
    assert hours("2026-10-24 12:00", "2026-10-25 12:00", BERLIN) == 9  # 02:00 to 03:00 came twice
    early = replace(BERLIN, start=timedelta(hours=2, minutes=30))
    assert hours("2026-03-28 12:00", "2026-03-29 12:00", early) == 6  # work began when the clock showed 03:00
    assert hours("2026-10-24 12:00", "2026-10-25 12:00", early) == 7.5  # and at the first 02:30


def test_unknown_and_reversed_moments_have_no_hours():
    since = pd.Series(["2026-03-04T10:00:00Z", None, "2026-03-05T10:00:00Z"], index=[5, 6, 7])
    until = pd.Series([None, "2026-03-04T10:00:00Z", "2026-03-04T10:00:00Z"], index=[5, 6, 7])
    found = working_hours(since, until, calendar=OFFICE)
    assert found.isna().all() and found.index.tolist() == [5, 6, 7]
    assert working_hours(since[:0], until[:0], calendar=OFFICE).dtype == np.float64
    assert working_hours(pd.Series([None]), pd.Series([None]), calendar=OFFICE).isna().all()


MOMENTS = st.integers(1_700_000_000, 1_800_000_000)


@settings(max_examples=30, deadline=None)
@given(st.lists(MOMENTS, min_size=3, max_size=3).map(sorted))
def test_hours_add_up_and_never_exceed_the_time_that_passed(seconds):
    a, b, c = (text(pd.Timestamp(second, unit="s")) for second in seconds)
    since, until = pd.Series([a, b, a]), pd.Series([b, c, c])
    passed = (pd.to_datetime(until) - pd.to_datetime(since)).dt.total_seconds() / 3600
    assert np.allclose(working_hours(since, until, calendar=ALWAYS), passed)
    worked = working_hours(since, until, calendar=BERLIN)
    assert worked[0] + worked[1] == pytest.approx(worked[2])
    assert (worked <= passed + 1e-9).all()


def test_moments_out_of_hours_are_told_with_their_reason():
    golden = Calendar(holidays=frozenset({date(2026, 10, 1)}), tz="Asia/Shanghai")
    moments = {
        "2026-09-30T01:00:00Z": [False, False, False],  # Wednesday 09:00
        "2026-09-30T00:59:59Z": [True, False, False],
        "2026-09-30T10:00:00Z": [True, False, False],  # Wednesday 18:00
        "2026-09-30T16:00:00Z": [True, False, True],  # Thursday 00:00
        "2026-10-01T03:00:00Z": [True, False, True],
        "2026-10-03T03:00:00Z": [True, True, False],  # Saturday
    }
    assert when(pd.Series(list(moments)), calendar=golden).to_numpy().tolist() == list(moments.values())
    assert when(pd.Series([None], dtype="str"), calendar=golden).isna().all(axis=None)


def test_merges_and_reviews_are_told_apart_and_bots_are_marked():
    pulls = make_pulls({"merged": "03-07 12:00"}, {"created": "03-02 09:00", "author_type": "bot"})
    reviews = make_reviews((1, BOB, "approved", "03-06 12:00"), (2, BOT, "commented", "03-06 20:00"))
    found = acts(pulls, reviews, calendar=OFFICE)
    assert found[["pull_id", "act", "actor_type", "is_out_of_hours", "is_weekend"]].to_numpy().tolist() == [
        [1, "reviewed", "human", False, False],
        [1, "merged", "human", True, True],
        [2, "reviewed", "bot", True, False],
    ]


def test_the_share_out_of_hours_is_counted_by_period():
    pulls = make_pulls(*[{"merged": "03-04 12:00"}] * 7, *[{"merged": "03-04 20:00"}] * 2, {"merged": "03-07 12:00"})
    rows = acts(pulls, make_reviews(), calendar=OFFICE)
    week = [Window(date(2026, 3, 2), date(2026, 3, 8))]
    late, weekend = (share_by_period(rows, week, at="at", flag=flag) for flag in ("is_out_of_hours", "is_weekend"))
    assert (late["share"].tolist(), weekend["share"].tolist()) == ([0.3], [0.1])


def test_working_days_leave_out_weekends_and_holidays():
    golden = Calendar(holidays=frozenset({date(2026, 10, 1)}))
    found = golden.workdays(date(2026, 9, 28), date(2026, 10, 5))
    assert [day.day for day in found] == [28, 29, 30, 2, 5]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"days": ("Monday",)}, "'Monday'"),
        ({"days": ()}, "at least one"),
        ({"start": timedelta(hours=18)}, "can't end at 18:00 when they start at 18:00"),
        ({"end": timedelta(hours=24, minutes=30)}, "24:30"),
        ({"tz": "Mars"}, "Mars"),
    ],
)
def test_a_calendar_without_working_time_is_refused(wrong, says):
    with pytest.raises(MergeWindowError, match=says):
        Calendar(**wrong)
