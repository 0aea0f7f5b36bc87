"""A model of a period knows nothing of what comes later."""

from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.walk_forward import FEWEST_FAILED, walk_forward
from analysis.window import Window

PERIODS = Window(date(2024, 1, 1), date(2024, 12, 31)).periods("M")
DAYS = 30


def changes(n=600, seed=1):
    """A year of changes of which large ones fail more often."""
    chance = np.random.default_rng(seed)
    moments = pd.Timestamp("2024-01-01T00:30:00Z") + pd.to_timedelta(np.arange(n) * 365 / n, unit="D")
    lines = np.expm1(chance.normal(4, 1.5, n).clip(0))
    return pd.DataFrame(
        {
            "merged_at": moments.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "failed": chance.random(n) < 1 / (1 + np.exp(-(np.log1p(lines) - 6))),
            "lines": lines,
            "noise": chance.random(n),
        }
    )


def walk(rows, periods=PERIODS):
    return walk_forward(rows, periods, features=["lines", "noise"], within_days=DAYS)


def test_a_period_is_scored_by_what_was_known_at_its_beginning():
    rows = changes()
    found = walk(rows)
    merged = pd.to_datetime(rows["merged_at"])
    for place, fold in enumerate(found.folds.itertuples()):
        known = merged + pd.Timedelta(days=DAYS) <= pd.Timestamp(fold.since, tz="UTC")
        assert (fold.n_trained, fold.n_trained_failed) == (known.sum(), rows["failed"][known].sum())
        assert (found.period == place).sum() == (merged.dt.month == place + 1).sum()


def test_nothing_is_scored_before_enough_has_failed():
    found = walk(changes())
    is_scored = [not np.isnan(found.log_odds[found.period == place]).any() for place in range(len(PERIODS))]
    assert is_scored == (found.folds["n_trained_failed"] >= FEWEST_FAILED).tolist()
    assert not is_scored[1] and is_scored[6]


@settings(deadline=None, max_examples=25)
@given(st.integers(3, 11), st.lists(st.booleans(), min_size=600, max_size=600))
def test_what_becomes_known_later_changes_no_earlier_score(place, others):
    """No look into the future: fates known after a period's beginning are of no account to it."""
    rows = changes()
    later = pd.to_datetime(rows["merged_at"]) + pd.Timedelta(days=DAYS) > pd.Timestamp(PERIODS[place].start)
    changed = rows.assign(failed=np.where(later, others, rows["failed"]))
    before, after = walk(rows), walk(changed)
    upto = before.period <= place
    np.testing.assert_array_equal(before.log_odds[upto], after.log_odds[upto])


def test_what_became_known_before_does_change_it():
    rows = changes()
    early = pd.to_datetime(rows["merged_at"]) < pd.Timestamp("2024-05-01T00:00:00Z")
    changed = rows.assign(failed=rows["failed"] ^ early)
    july = walk(rows).period == 6
    assert (walk(rows).log_odds[july] != walk(changed).log_odds[july]).all()


def test_rows_of_no_period_are_learned_from_but_not_scored():
    found = walk(changes(), PERIODS[6:])
    assert np.isnan(found.log_odds[found.period == -1]).all()
    assert found.folds["n_trained"].tolist()[0] > 200
    np.testing.assert_array_equal(found.log_odds[found.period >= 0], walk(changes()).log_odds[found.period >= 0])


@settings(deadline=None, max_examples=10)
@given(st.permutations(range(200)))
def test_the_order_of_rows_changes_no_digit(order):
    rows = changes(200)
    np.testing.assert_array_equal(walk(rows).log_odds[order], walk(rows.iloc[order]).log_odds)


def test_without_rows_or_periods_there_are_no_scores():
    assert len(walk(changes().iloc[:0]).log_odds) == 0
    found = walk(changes(), [])
    assert np.isnan(found.log_odds).all()
    assert found.folds.columns.tolist() == ["since", "until", "n_trained", "n_trained_failed"]


def test_the_model_finds_what_makes_changes_fail():
    rows = changes(3000)
    found = walk(rows)
    scored = ~np.isnan(found.log_odds)
    assert np.corrcoef(found.log_odds[scored], np.log1p(rows["lines"][scored]))[0, 1] > 0.95
    assert scored.mean() == pytest.approx(10 / 12, abs=0.1)
