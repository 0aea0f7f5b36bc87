"""Level shifts are found where they are, and seldom where there are none."""

from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from analysis import shifts

FIRST = date(2026, 1, 5)


def trend(values, complete=None):
    values = [float(value) for value in values]
    return pd.DataFrame(
        {
            "since": [FIRST + timedelta(weeks=place) for place in range(len(values))],
            "value": values,
            "is_complete": [True] * len(values) if complete is None else complete,
        }
    ).astype({"since": "object", "is_complete": "bool"})


def places(values):
    return [(found - FIRST).days // 7 for found in shifts.shifts(trend(values))["since"]]


def noise(seed, n, resembling=0.0):
    """Values around 20, neighbours resembling each other as asked."""
    steps, values = np.random.default_rng(seed).normal(size=n + 30), np.zeros(n + 30)
    for place in range(1, n + 30):
        values[place] = resembling * values[place - 1] + steps[place]
    return 20 + values[30:]


def test_a_shift_has_its_date_and_its_size():
    [row] = shifts.shifts(trend([19, 21, 20, 20, 22, 18, 20, 21, 35, 33, 36, 35, 34, 37, 35, 36])).to_dict("records")
    assert row == {
        "since": FIRST + timedelta(weeks=8), "n_before": 8, "n_after": 8, "before": 20.0, "after": 35.0,
        "change": 15.0, "share": 0.75,
    }  # fmt: skip


def test_a_level_that_comes_and_goes_has_two_shifts():
    values = np.concatenate([noise(1, 14), noise(2, 8) + 15, noise(3, 14)])
    assert places(values) == [14, 22]


def test_one_wild_week_is_no_level():
    values = noise(4, 30)
    values[12] = 10_000
    assert places(values) == []


def test_below_eight_periods_nothing_is_claimed():
    assert places([1, 1, 1, 9, 9, 9, 9]) == []
    assert places([5] * 40) == [], "nothing changes"


def test_unknown_and_unfinished_periods_are_left_out():
    values = [20.0, 21, 19, 20, 22, 18, 20, 21, 20, 35, 36, 34, 35, 37, 35, 36, 34, 35]
    plain = shifts.shifts(trend(values))
    holed = [*values[:4], None, *values[4:], 900]
    found = shifts.shifts(trend([np.nan if value is None else value for value in holed], [True] * 19 + [False]))
    assert found["change"].tolist() == plain["change"].tolist() == [15.0]
    assert found["since"].iloc[0] == plain["since"].iloc[0] + timedelta(weeks=1)


def test_from_zero_has_a_size_and_no_share():
    found = shifts.shifts(trend([0] * 12 + [4] * 12))
    assert found["change"].tolist() == [4.0]
    assert found["share"].isna().all()


def test_a_rare_thing_that_happens_twice_in_a_row_is_no_level():
    values = np.zeros(300)
    values[[20, 140, 141, 143, 260]] = 1
    assert places(values) == []


def test_an_empty_trend_has_the_columns():
    found = shifts.shifts(trend([]))
    assert found.dtypes.to_dict() == shifts.shifts(trend([0] * 12 + [4] * 12)).dtypes.to_dict()


@pytest.mark.parametrize("n", [8, 12, 16, 30, 52])
def test_of_a_hundred_series_without_a_shift_about_one_shows_one(n):
    alarms = [bool(places(noise(seed, n))) for seed in range(200)]
    assert np.mean(alarms) <= 0.03


def test_neighbours_that_resemble_each_other_seldom_make_a_shift():
    alarms = [bool(places(noise(seed, 52, resembling=0.3))) for seed in range(100)]
    assert np.mean(alarms) <= 0.1


def test_a_shift_of_three_standard_deviations_is_found_alone_and_near_its_place():
    found = [places(noise(seed, 40) + np.repeat([0, 3], [20, 20])) for seed in range(60)]
    assert np.mean([len(each) == 1 and abs(each[0] - 20) <= 2 for each in found]) >= 0.9
