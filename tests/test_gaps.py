"""Stretches of weeks without a merge."""

from datetime import date, timedelta

import pandas as pd

from dashboard.gaps import gaps

MONDAY = date(2026, 3, 2)


def weeks(*merged: int) -> pd.DataFrame:
    mondays = [MONDAY + timedelta(weeks=step) for step in range(len(merged))]
    return pd.DataFrame({"week": mondays, "until": [day + timedelta(days=6) for day in mondays], "merged": merged})


def test_two_quiet_weeks_between_busy_ones_are_a_gap_and_one_is_not():
    assert gaps(weeks(3, 0, 2, 0, 0, 1)) == [(date(2026, 3, 23), date(2026, 4, 5))]


def test_quiet_weeks_at_the_edges_are_no_gap():
    assert gaps(weeks(0, 0, 3, 2, 0, 0)) == []


def test_several_gaps_are_told_in_time_order():
    assert [since for since, _ in gaps(weeks(1, 0, 0, 1, 0, 0, 0, 1))] == [date(2026, 3, 9), date(2026, 3, 30)]


def test_no_weeks_have_no_gap():
    assert gaps(weeks()) == []
