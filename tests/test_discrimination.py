"""Whether a score tells failed changes from sound ones, with an interval that keeps its promise."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.discrimination import _resamples, auc, aucs, top_tenth

ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=30)


def columns(rows):
    return (np.array(column) for column in zip(*rows, strict=True))


def test_the_auc_is_the_share_of_pairs_in_which_the_failed_one_has_the_higher_score():
    assert auc(np.array([1, 1, 0, 0]), np.array([3, 1, 1, 0])) == 0.875


@pytest.mark.parametrize(("score", "expected"), [([1, 2, 8, 9], 1.0), ([9, 8, 2, 1], 0.0), ([5, 5, 5, 5], 0.5)])
def test_a_perfect_score_has_1_a_reversed_one_0_and_a_constant_one_a_half(score, expected):
    assert auc(np.array([0, 0, 1, 1]), np.array(score)) == expected


def test_changes_are_compared_within_their_group_only():
    failed, score = np.array([0, 1, 0, 1]), np.array([1, 2, 11, 12])
    assert auc(failed, score, np.array([1, 1, 2, 2])) == 1.0
    assert auc(failed, score) == 0.75


def test_without_a_pair_nothing_is_known():
    assert np.isnan(auc(np.array([True, True]), np.array([1, 2])))
    assert np.isnan(auc(np.array([True, False]), np.array([1, 2]), np.array([1, 2])))
    assert np.isnan(auc(np.array([], dtype=bool), np.array([])))


@given(ROWS)
def test_the_auc_counts_all_pairs_of_a_group(rows):
    pairs = [
        (bad[1] > good[1]) + (bad[1] == good[1]) / 2
        for bad in rows
        for good in rows
        if bad[0] and not good[0] and bad[2] == good[2]
    ]
    assert auc(*columns(rows)) == pytest.approx(np.mean(pairs) if pairs else np.nan, nan_ok=True)


@given(ROWS)
def test_each_group_gives_a_tenth_of_its_rows_to_the_top(rows):
    top = top_tenth(*columns(rows))
    assert top.n == pytest.approx(len(rows) / 10)
    assert -1e-9 <= top.n_failed <= top.n + 1e-9


def test_the_top_tenth_takes_equal_scores_in_part():
    failed = np.array([1, 0, 0] + [0] * 17)
    score = np.array([9, 9, 9] + [1] * 17)
    assert top_tenth(failed, score) == (pytest.approx(2), pytest.approx(2 / 3))


def world(n=400, n_failed=60, seed=1):
    chance = np.random.default_rng(seed)
    failed = np.arange(n) < n_failed
    noise = chance.normal(size=n)
    return failed, pd.DataFrame({"good": noise + 2 * failed, "same": noise + 2 * failed, "none": chance.normal(size=n)})


def test_intervals_hold_the_value_and_chance_is_within_that_of_a_random_score():
    failed, scores = world()
    each, beyond = aucs(failed, scores, against="none")
    assert all(found.low <= found.value <= found.high for found in each.values())
    assert each["none"].low < 0.5 < each["none"].high
    assert each["good"].low > 0.85
    assert beyond["good"].low > 0.2


def test_a_score_does_not_beat_its_equal_by_anything():
    failed, scores = world()
    _, beyond = aucs(failed, scores, against="good")
    assert beyond["same"] == (0, 0, 0)
    assert set(beyond) == {"same", "none"}


def test_the_interval_of_a_difference_is_narrower_than_those_of_its_parts():
    """What two scores have in common does not make their difference unsure."""
    failed, scores = world()
    scores["nearly"] = scores["good"] + np.random.default_rng(3).normal(0, 0.05, len(failed))
    each, beyond = aucs(failed, scores, against="good")
    assert beyond["nearly"].high - beyond["nearly"].low < (each["good"].high - each["good"].low) / 4


@settings(deadline=None, max_examples=25)
@given(ROWS)
def test_the_values_are_those_of_the_plain_count(rows):
    """Equal sound ones are counted together for speed, but never across groups."""
    failed, score, group = columns(rows)
    each, beyond = aucs(failed, pd.DataFrame({"score": score, "other": -score}), group, against="other")
    expected = auc(failed, score, group)
    assert each["score"].value == pytest.approx(expected, nan_ok=True)
    assert beyond["score"].value == pytest.approx(2 * expected - 1, nan_ok=True)


def test_each_resample_draws_as_many_failed_ones_as_there_are():
    failed = np.arange(30) < 4
    drawn = next(_resamples(failed))
    assert (drawn[failed].sum(axis=0) == 4).all() and (drawn[~failed].sum(axis=0) == 26).all()
    assert len(np.unique(drawn, axis=1).T) > 200


@settings(deadline=None, max_examples=10)
@given(st.permutations(range(60)))
def test_the_order_of_rows_changes_no_digit(order):
    failed, scores = world(60, 15)
    group = np.arange(60) % 3
    first = aucs(failed, scores, group, against="none")
    assert aucs(failed[order], scores.iloc[order], group[order], against="none") == first


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    """Scores of unit variance that lie one apart: the AUC is known to be 0.76."""
    truth, covered = 0.7602, 0
    for seed in range(40):
        chance = np.random.default_rng(seed)
        failed = np.arange(200) < 50
        scores = pd.DataFrame({"score": chance.normal(size=200) + failed})
        found = aucs(failed, scores, against="score")[0]["score"]
        covered += found.low <= truth <= found.high
    assert 34 <= covered <= 40
