"""A regression that finds the weights of a known world, and stays small where nothing is to be found."""

import numpy as np
import pandas as pd
import pytest

from analysis.logistic import fit


def world(n=4000, seed=1):
    """Lines make changes fail, noise does not."""
    chance = np.random.default_rng(seed)
    logs = chance.normal(4, 1.5, (n, 2)).clip(0)
    features = pd.DataFrame(np.expm1(logs), columns=["lines", "noise"])
    likely = 1 / (1 + np.exp(-(-2 + 0.9 * (logs[:, 0] - 4) / 1.5)))
    return features, chance.random(n) < likely


def test_the_weights_of_a_known_world_are_found():
    features, failed = world()
    model = fit(features, failed)
    assert model.weights == pytest.approx([0.9, 0.0], abs=0.12)
    assert list(model.by_name()) == ["lines", "noise"]
    assert model.intercept == pytest.approx(-2, abs=0.15)


def test_the_slope_is_level_where_it_stops():
    """At the maximum, what the weights are pulled by on both sides is equal."""
    features, failed = world(300)
    model = fit(features, failed, strength=5.0)
    logs = np.log1p(features.to_numpy())
    standard = (logs - logs.mean(axis=0)) / logs.std(axis=0)
    chance = 1 / (1 + np.exp(-model.log_odds(features)))
    assert standard.T @ (failed - chance) == pytest.approx(5.0 * model.weights, abs=1e-6)
    assert chance.mean() == pytest.approx(failed.mean())


def test_a_stronger_pull_makes_weights_smaller():
    features, failed = world(300)
    sizes = [np.abs(fit(features, failed, strength=strength).weights).sum() for strength in (0.1, 10, 1000)]
    assert sizes[0] > sizes[1] > sizes[2] > 0


def test_even_a_feature_that_tells_all_has_a_bounded_weight():
    features = pd.DataFrame({"lines": [0.0] * 50 + [1000.0] * 3})
    model = fit(features, np.array([False] * 50 + [True] * 3))
    assert 0 < model.weights[0] < 5
    assert np.isfinite(model.log_odds(features)).all()


def test_what_is_unknown_counts_as_the_mean_and_what_never_varies_as_nothing():
    features, failed = world(300)
    features["constant"] = 7.0
    features.loc[::3, "lines"] = np.nan
    model = fit(features, failed)
    assert model.by_name()["constant"] == 0
    unknown = pd.DataFrame({"lines": [np.nan, np.expm1(model.means[0])], "noise": 1.0, "constant": 7.0})
    assert model.log_odds(unknown)[0] == pytest.approx(model.log_odds(unknown)[1])


def test_the_input_is_left_as_it_was():
    features, failed = world(50)
    before = features.copy()
    fit(features, failed).log_odds(features)
    pd.testing.assert_frame_equal(features, before)
