"""What is usual comes from the twelve equal windows before."""

import numpy as np
import pandas as pd
import pytest

from analysis.variation import SCALES, variation

STEADY = [31, 30, 33, 28, 32, 31, 29, 34, 31, 30, 32, 31]


def states(values, unit="pulls"):
    return variation(pd.Series(values, dtype=float), unit=unit)["state"].tolist()


@pytest.mark.parametrize(
    ("now", "state"), [(40, "within"), (22, "within"), (60, "above"), (8, "below"), (None, "no_data")]
)
def test_a_value_is_told_from_the_twelve_before(now, state):
    found = variation(pd.Series([*STEADY, now], dtype=float), unit="pulls").iloc[-1]
    assert (found["state"], found["n_before"], found["median"]) == (state, 12, pytest.approx(31))


def test_the_value_itself_and_what_is_older_than_twelve_say_nothing():
    older, now = [500] * 12, 100
    assert states([*older, *STEADY, now])[-1] == "above"


def test_with_fewer_than_eight_known_before_it_is_too_few():
    assert states(STEADY[:8])[-1] == "too_few"
    assert states(STEADY[:9])[-1] == "within"
    assert states([*STEADY[:8], None, None, 31])[-1] == "within"
    assert states([None] * 5 + STEADY[:7] + [31])[-1] == "too_few"


def test_of_what_never_happened_one_or_two_are_chance_and_three_are_not():
    assert states([0] * 12 + [2])[-1] == "within"
    assert states([0] * 12 + [3])[-1] == "above"


def test_one_wild_window_does_not_widen_the_band():
    assert states([*STEADY[:11], 900, 60])[-1] == "above"


def test_a_share_stays_between_none_and_all():
    values = [0.95, 0.7, 0.99, 0.6, 0.9, 0.8, 0.97, 0.65, 0.9, 0.85, 0.7, 0.99, 0.9]
    found = variation(pd.Series(values), unit="share").iloc[-1]
    assert 0 <= found["low"] < found["high"] == 1


def test_about_one_in_twenty_five_lies_outside_by_chance():
    rng = np.random.default_rng(7)
    for unit, draw in (
        ("pulls", rng.poisson(30, 1000)),
        ("points", rng.normal(5, 1, 1000)),
        ("hours", np.exp(rng.normal(3, 1, 1000))),
    ):
        outside = np.isin(states(draw, unit), ["above", "below"]).mean()
        assert outside < 0.07


@pytest.mark.parametrize("unit", SCALES)
def test_no_values_give_the_same_columns(unit):
    empty, full = variation(pd.Series([], dtype=float), unit=unit), variation(pd.Series([1.0] * 13), unit=unit)
    assert empty.dtypes.to_dict() == full.dtypes.to_dict()
    assert full["state"].iloc[-1] == "within"
