"""The back-test says of worlds whose truth is known what is true of them."""

import json
from datetime import date

import numpy as np
import pandas as pd
import pytest

from analysis.backtest import FEATURES, backtest

RULES = ["always", "large", "never", "silent"]
FIRST = pd.Timestamp("2024-01-02T12:00:00Z")
LINK = {"kind": "repair", "is_sure": True, "hours": 24.0}


def world(n=900, *, foreseen=0.0, failing=0.1, days=600, seed=1):
    """Changes with as much knowledge of their fate in `risk_score` as `foreseen` says; large ones fail more often.

    Each that fails was repaired by the next one, a day later.
    """
    chance = np.random.default_rng(seed)
    lines = np.expm1(chance.normal(4, 1.5, n).clip(0))
    odds = np.log(failing / (1 - failing)) + np.log1p(lines) - 4
    failed = chance.random(n) < 1 / (1 + np.exp(-odds))
    score = np.round(50 * (foreseen * failed + (1 - foreseen) * chance.random(n)), 1)
    moments = FIRST + pd.to_timedelta(np.arange(n) * days / n, unit="D")
    changes = pd.DataFrame(
        {
            "pull_id": np.arange(n) + 1,
            "merged_at": moments.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "additions": lines.round(),
            "changed_files": 1 + chance.integers(0, 9, n),
            "risk_score": score,
            "tier": 1 + np.searchsorted([8, 24, 40], score, side="right"),
            "silent_rules": json.dumps(["silent"]),
            **{name: chance.random(n) for name in FEATURES},
        }
    ).assign(la=lines)
    fired = {"always": changes["pull_id"], "large": changes["pull_id"][lines > 200]}
    risks = pd.concat([pd.DataFrame({"pull_id": ids, "rule": rule}) for rule, ids in fired.items()])
    links = pd.DataFrame({"earlier_id": changes["pull_id"][failed]}).assign(**LINK)
    return changes, risks, links.assign(pull_id=links["earlier_id"] + 1)


def run(changes, risks, links, **more):
    return backtest(changes, risks, links, rules=RULES, **more)


def by_name(scores):
    return {score["name"]: score for score in scores}


def test_a_score_that_knows_the_fate_has_auc_1_and_beats_lines():
    found = run(*world(foreseen=1.0))
    score = by_name(found["scores"])["risk_score"]
    assert score["auc"] == {"value": 1, "low": 1, "high": 1}
    assert score["auc_beyond_lines_added"]["low"] > 0
    assert found["tenths"][-1]["share"]["value"] == 1
    assert not found["model"]["use_model"]


def test_a_random_score_is_within_chance_in_most_worlds():
    scores = [by_name(run(*world(400, days=300, seed=seed))["scores"])["risk_score"] for seed in range(8)]
    assert sum(score["auc"]["low"] < 0.5 < score["auc"]["high"] for score in scores) >= 6
    assert np.mean([score["auc"]["value"] for score in scores]) == pytest.approx(0.5, abs=0.05)


def test_lines_and_the_model_beat_a_random_score_where_large_changes_fail():
    found = run(*world(foreseen=0.0))
    assert by_name(found["scores"])["risk_score"]["auc_beyond_lines_added"]["high"] < 0
    assert found["model"]["use_model"]
    assert next(iter(found["model"]["weights"])) == "la"


def test_the_model_is_not_for_use_where_there_is_nothing_to_learn():
    changes, risks, links = world(foreseen=0.0)
    lottery = np.random.default_rng(8).permutation(links["earlier_id"].max()) + 1
    links = links.assign(earlier_id=lottery[: len(links)])
    found = run(changes, risks, links)
    assert found["model"]["state"] == "ok"
    assert not found["model"]["use_model"]


def test_a_rule_is_told_by_what_became_of_the_changes_on_which_it_fired():
    changes, risks, links = world()
    rules = {rule["rule"]: rule for rule in run(changes, risks, links)["rules"]}
    merged = pd.to_datetime(changes["merged_at"])
    watched = merged <= merged.max() - pd.Timedelta(days=30)
    failed = changes["pull_id"].isin(links["earlier_id"]) & watched
    large = changes["pull_id"].isin(risks["pull_id"][risks["rule"] == "large"]) & watched
    assert rules["large"]["n_fired"] == large.sum()
    assert rules["large"]["n_failed"] == (large & failed).sum()
    assert rules["large"]["precision"]["value"] == pytest.approx(failed[large].mean(), abs=1e-4)
    assert rules["large"]["recall"]["value"] == pytest.approx(large[failed].mean(), abs=1e-4)
    assert rules["large"]["lift"] == pytest.approx(failed[large].mean() / failed[watched].mean(), abs=1e-4)
    assert rules["large"]["precision"]["low"] > failed[watched].mean()
    assert (rules["always"]["lift"], rules["always"]["fires"], rules["always"]["recall"]["value"]) == (1, 1, 1)


def test_a_rule_that_never_fired_has_too_few_cases_and_one_that_was_silent_was_not_judged():
    rules = {rule["rule"]: rule for rule in run(*world())["rules"]}
    assert (rules["never"]["state"], rules["never"]["fires"], rules["never"]["precision"]) == ("too_few", 0, None)
    assert (rules["silent"]["state"], rules["silent"]["fires"], rules["silent"]["lift"]) == ("not_judged", None, None)


def numbers(value, path=""):
    """The paths of all numbers that are claims, not counts."""
    if isinstance(value, dict):
        return [found for key, each in value.items() for found in numbers(each, f"{path}.{key}")]
    if isinstance(value, list):
        return [found for each in value for found in numbers(each, path)]
    is_count = any(path.endswith(name) for name in (".tier", ".tenth", ".within_days", ".fires")) or ".n" in path
    return [] if is_count or isinstance(value, bool | str | None) else [path]


@pytest.mark.parametrize("n_failed", [0, 9])
def test_below_ten_failures_there_are_counts_and_a_state_but_no_figure(n_failed):
    changes, risks, links = world()
    found = run(changes, risks, links.head(n_failed))
    assert (found["state"], found["cases"]["n_failed"], found["model"]["state"]) == ("too_few", n_failed, "too_few")
    assert numbers(found) == []
    assert {rule["state"] for rule in found["rules"]} == {"too_few", "not_judged"}


def test_with_ten_failures_figures_are_given():
    changes, risks, links = world()
    found = run(changes, risks, links.head(10))
    assert found["state"] == "ok"
    assert ".scores.auc.value" in numbers(found)


def test_the_newest_changes_are_left_out_whether_they_failed_or_not():
    changes, risks, links = world()
    found = run(changes, risks, links)
    recent = pd.to_datetime(changes["merged_at"]) > pd.to_datetime(changes["merged_at"]).max() - pd.Timedelta(days=30)
    assert found["cases"]["n_too_recent"] == recent.sum()
    assert found["cases"]["n"] == (~recent).sum()
    only_old = links[links["earlier_id"].isin(changes["pull_id"][~recent])]
    assert run(changes, risks, only_old) == found


def test_late_and_possible_repairs_are_no_failures():
    changes, risks, links = world()
    links["hours"] = [30 * 24.0, 30 * 24 + 0.1] + [24.0] * (len(links) - 2)
    links["is_sure"] = [True] * (len(links) - 1) + [False]
    links.loc[links.index[-1], "earlier_id"] = links["earlier_id"].iloc[5] + 1
    first = run(changes, risks, links)["cases"]
    assert first["n_failed"] == run(changes, risks, links.iloc[[0, *range(2, len(links) - 1)]])["cases"]["n_failed"]


def test_one_that_was_reverted_and_repaired_failed_once():
    changes, risks, links = world()
    reverted = links.head(20).assign(kind="revert", pull_id=links["pull_id"].head(20) + 1)
    cases = run(changes, risks, pd.concat([links, reverted]))["cases"]
    assert cases["n_reverted"] == 20
    assert cases["n_failed"] == cases["n_repaired"]


def test_what_is_not_judged_is_told_and_not_taken_for_no_risk():
    changes, risks, links = world()
    changes.loc[:99, "risk_score"] = np.nan
    found = run(changes, risks, links)
    assert found["cases"]["n_not_judged"] == 100
    assert found["cases"]["n"] == run(*world())["cases"]["n"] - 100


def test_since_leaves_out_earlier_changes_but_lets_the_model_learn_from_them():
    since = date(2025, 1, 1)
    whole, part = run(*world()), run(*world(), since=since)
    assert part["window"]["since"] == "2025-01-01"
    assert part["period"] == "week"
    assert part["folds"][0]["n_trained"] > 400
    assert part["cases"]["n"] < whole["cases"]["n"] / 2


def test_the_folds_hold_each_change_once_and_train_on_ever_more():
    found = run(*world())
    assert sum(fold["n"] for fold in found["folds"]) == found["cases"]["n"]
    assert sum(fold["n_failed"] for fold in found["folds"]) == found["cases"]["n_failed"]
    trained = [fold["n_trained"] for fold in found["folds"]]
    assert trained == sorted(trained)
    assert sum(fold["n"] for fold in found["folds"] if fold["has_model"]) == found["model"]["n"]
    for levels in ("tiers", "tenths"):
        assert sum(level["n"] for level in found[levels]) == found["cases"]["n"]


def test_a_change_of_fate_in_the_last_month_changes_no_earlier_fold():
    changes, risks, links = world()
    found = run(changes, risks, links)
    last = pd.Timestamp(found["folds"][-1]["since"], tz="UTC")
    merged = pd.to_datetime(changes.set_index("pull_id")["merged_at"])
    other = run(changes, risks, links[links["earlier_id"].map(merged) < last])
    assert other["folds"][:-1] == found["folds"][:-1]
    assert other["folds"][-1]["n_failed"] == 0 < found["folds"][-1]["n_failed"]


def test_the_order_of_rows_changes_nothing_and_the_input_is_left_as_it_was():
    given = world(300, days=200)
    before = [frame.copy() for frame in given]
    found = run(*given)
    assert run(*(frame.sample(frac=1, random_state=5) for frame in given)) == found
    for frame, copy in zip(given, before, strict=True):
        pd.testing.assert_frame_equal(frame, copy)


def test_everything_is_json_and_the_same_each_time():
    texts = {json.dumps(run(*world(300, days=200)), allow_nan=False) for _ in range(2)}
    assert len(texts) == 1


def test_without_changes_all_keys_are_there():
    empty = run(*(frame.iloc[:0] for frame in world(20)))
    assert (empty["state"], empty["cases"]["n"], empty["folds"]) == ("too_few", 0, [])
    assert list(empty) == list(run(*world()))
    assert [rule["rule"] for rule in empty["rules"]] == RULES
    json.dumps(empty, allow_nan=False)


def test_all_failing_is_too_few_as_well_since_nothing_can_be_told_apart():
    changes, risks, _ = world(100, days=200)
    links = pd.DataFrame({"earlier_id": changes["pull_id"], "pull_id": changes["pull_id"] + 1}).assign(**LINK)
    assert run(changes, risks, links)["state"] == "too_few"
