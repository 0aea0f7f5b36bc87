"""What became of earlier warnings."""

import pandas as pd
from merges import START, merge, merges

from analysis.chain_links import links_of
from analysis.ledger import COLUMNS, ledger

CHANGE = merge(10, "feat: weigh parcels", 1, "src/dock/scale.py", lines=(90, 4))


def risks(*rows):
    return pd.DataFrame(rows, columns=["pull_id", "rule", "points", "tier"])


def book(warned, *pulls, end=20):
    given = merges(CHANGE, *pulls)
    moment = (START + pd.Timedelta(days=end)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return ledger(warned, links_of(*given), given.pulls, given.files, warned_in="2024-W10", end=moment)


def states(*args, **more):
    found = book(*args, **more)
    return {(rule, pr): state for rule, pr, state in zip(found["rule"], found["pr"], found["state"], strict=True)}


UNTESTED = risks((10, "missing-tests", 20, 2))


def test_a_warning_is_open_until_something_settles_it():
    found = book(UNTESTED)
    assert found.drop(columns=["by", "hours"]).to_dict("records") == [
        {"rule": "missing-tests", "pr": 10, "warned_in": "2024-W10", "state": "open"}
    ]
    assert found[["by", "hours"]].isna().all(axis=None)


def test_tests_that_mirror_the_source_settle_a_missing_test():
    for path in ("tests/dock/test_scale.py", "tests/test_dock_scale_units.py", "src/dock/scale_test.py"):
        found = book(UNTESTED, merge(12, "test: the scale", 3, path))
        assert found[["state", "by", "hours"]].values.tolist() == [["tested", 12, 48.0]], path


def test_other_tests_or_deleted_ones_settle_nothing():
    assert states(UNTESTED, merge(12, "test: the gate", 3, "tests/dock/test_gate.py")) == {
        ("missing-tests", 10): "open"
    }
    gone = merge(12, "test: less", 3, "tests/dock/test_scale.py", lines=(0, 50))
    assert states(UNTESTED, gone) == {("missing-tests", 10): "open"}
    before = merge(9, "test: the scale", 0.5, "tests/dock/test_scale.py")
    assert states(UNTESTED, before) == {("missing-tests", 10): "open"}


def test_tests_settle_no_other_warning():
    warned = risks((10, "breaking", 20, 2))
    assert states(warned, merge(12, "test: the scale", 3, "tests/dock/test_scale.py")) == {("breaking", 10): "open"}


def test_a_repair_and_a_revert_settle_any_warning():
    fix = merge(12, "fix: weights", 3, "src/dock/scale.py")
    revert = merge(13, 'Revert "feat: weigh parcels"', 4, body="Reverts acme/orbit#10")
    assert states(risks((10, "breaking", 20, 2)), fix) == {("breaking", 10): "repaired"}
    assert states(risks((10, "breaking", 20, 2)), fix, revert) == {("breaking", 10): "reverted"}


def test_what_came_back_is_not_reverted():
    revert = merge(13, 'Revert "feat: weigh parcels"', 4, body="Reverts acme/orbit#10")
    again = merge(14, 'Reapply "feat: weigh parcels"', 6, "src/dock/scale.py")
    assert states(UNTESTED, revert, again) == {("missing-tests", 10): "open"}
    assert states(UNTESTED, revert, again, end=5) == {("missing-tests", 10): "reverted"}


def test_what_is_merged_after_the_window_is_not_known_yet():
    assert states(UNTESTED, merge(12, "test: the scale", 21, "tests/dock/test_scale.py")) == {
        ("missing-tests", 10): "open"
    }


def test_of_elevated_ones_the_heaviest_rule_is_followed_and_of_others_those_that_ask_for_something():
    warned = risks((10, "hotspot", 9, 3), (10, "core-path", 12, 3), (12, "hotspot", 9, 2), (13, "missing-tests", 20, 1))
    others = [merge(12, "x", 2, "x.py"), merge(13, "y", 2, "y.py")]
    assert states(warned, *others) == {("core-path", 10): "open", ("missing-tests", 13): "open"}


def test_nothing_in_nothing_out():
    found = book(risks())
    assert found.empty
    assert list(found.columns) == list(COLUMNS)
