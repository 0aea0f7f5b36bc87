"""Shares that failed, by tier and by tenth, with intervals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.calibration import by_level, by_tenth, wilson


def test_wilsons_interval_of_3_of_20():
    low, high = wilson(3, 20)
    assert (round(float(low), 3), round(float(high), 3)) == (0.052, 0.360)


def test_none_of_some_is_not_surely_none_and_none_of_none_is_unknown():
    low, high = wilson(np.array([0, 0]), np.array([20, 0]))
    assert low[0] == 0 and 0.1 < high[0] < 0.2
    assert np.isnan([low[1], high[1]]).all()


@given(st.integers(0, 500), st.integers(1, 500))
def test_the_interval_holds_the_share_and_mirrors(n_true, n):
    n_true = min(n_true, n)
    low, high = wilson(n_true, n)
    other_low, other_high = wilson(n - n_true, n)
    assert 0 <= low <= n_true / n + 1e-12 and n_true / n - 1e-12 <= high <= 1
    assert low == pytest.approx(1 - other_high) and high == pytest.approx(1 - other_low)


def test_shares_by_tier_and_nothing_claimed_below_five():
    found = by_level(np.array([0, 0, 0, 1, 0, 1, 1]), np.array([1, 1, 1, 1, 1, 4, 4]))
    assert found[["level", "n", "n_failed"]].to_numpy().tolist() == [[1, 5, 1], [4, 2, 2]]
    assert found["share"].tolist()[0] == 0.2
    assert found.loc[1, ["share", "low", "high"]].isna().all()


def test_equal_scores_share_a_tenth():
    found = by_tenth(np.zeros(20, dtype=bool), np.array([0] * 10 + list(range(1, 11))))
    assert dict(zip(found["level"], found["n"], strict=True)) == {3: 10, 6: 2, 7: 2, 8: 2, 9: 2, 10: 2}


def test_a_tenth_is_that_of_each_group():
    score, group = np.array([1, 2, 101, 102]), np.array([1, 1, 2, 2])
    found = by_tenth(np.array([0, 1, 0, 1]), score, group)
    assert found[["level", "n", "n_failed"]].to_numpy().tolist() == [[3, 2, 0], [8, 2, 2]]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=50))
def test_every_change_is_in_one_tenth(rows):
    failed = np.array([row[0] for row in rows], dtype=bool)
    found = by_tenth(failed, np.array([row[1] for row in rows], dtype=float))
    assert (found["n"].sum(), found["n_failed"].sum()) == (len(rows), failed.sum())
    assert found["level"].between(1, 10).all()


def test_without_changes_the_columns_are_there():
    found = by_tenth(np.array([], dtype=bool), np.array([]))
    assert found.empty
    pd.testing.assert_series_equal(found.dtypes, by_level(np.array([True]), np.array([1])).dtypes)
