"""Parts of importance that explain themselves and add up."""

import time

import pandas as pd
import pytest
from changes import FACTS, QUIET, changes
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import importance
from analysis.importance import DEFAULT_WEIGHTS
from data.errors import MergeWindowError


def scored(weights=None, **facts):
    return importance.score(changes(facts), weights).iloc[0]


WEIGHTS = st.dictionaries(st.sampled_from(sorted(DEFAULT_WEIGHTS)), st.floats(-12, 12), max_size=6)


@given(st.lists(FACTS, min_size=1, max_size=4), WEIGHTS)
@settings(deadline=None)
def test_the_parts_add_up_to_a_score_from_0_to_10(rows, weights):
    scores = importance.score(pd.DataFrame(rows), weights)
    assert scores["importance"].between(0, 10).all()
    assert scores[list(importance.PARTS)].sum(axis=1).round(2).tolist() == scores["importance"].tolist()


@given(st.lists(FACTS, min_size=2, max_size=6))
@settings(deadline=None, max_examples=25)
def test_a_score_hangs_on_its_own_row_only(rows):
    together = importance.score(pd.DataFrame(rows))
    turned = importance.score(pd.DataFrame(rows).iloc[::-1])
    pd.testing.assert_frame_equal(turned.loc[together.index], together)
    pd.testing.assert_frame_equal(importance.score(pd.DataFrame(rows[:1])), together.iloc[:1])


def test_beyond_ten_the_cap_takes_back_what_is_too_much():
    score = scored(
        {"breaking": 5},
        kind="feat",
        is_breaking=True,
        reverts=True,
        added=1e5,
        n_modules=9,
        n_folders=9,
        coreness=1.0,
    )
    assert score["importance"] == 10
    assert score["cap"] < 0


def test_below_zero_the_cap_fills_up():
    score = scored({"bot": -3}, kind="docs", docs_only=True, is_bot=True, is_bump=True)
    assert score["importance"] == 0
    assert score["cap"] > 0


@pytest.mark.parametrize(
    ("fact", "part"),
    [
        ({"is_breaking": True}, "breaking"),
        ({"added": 50.0}, "size"),
        ({"deleted": 50.0}, "size"),
        ({"n_modules": 3}, "reach"),
        ({"n_folders": 4}, "reach"),
        ({"n_new_files": 1}, "new_ground"),
        ({"n_new_folders": 1}, "new_ground"),
        ({"touches_interface": True}, "interface"),
        ({"reverts": True}, "revert"),
        ({"repairs": True}, "repair"),
        ({"n_reviews": 9.0}, "discussion"),
        ({"n_comments": 9.0}, "discussion"),
        ({"n_threads": 9.0}, "discussion"),
        ({"measured": 0.5}, "measured"),
    ],
)
def test_each_fact_raises_its_own_part_only(fact, part):
    before, after = scored(), scored(**fact)
    assert after[part] > before[part] == 0
    assert after["importance"] == pytest.approx(before["importance"] + after[part])


@pytest.mark.parametrize("place", ["dependency", "container", "ci", "config"])
def test_where_something_can_get_in_counts_for_those_who_ask(place):
    assert scored(**{f"touches_{place}": True})["importance"] == scored()["importance"]
    assert scored({place: 1.5}, **{f"touches_{place}": True})[place] == 1.5


@pytest.mark.parametrize(("fact", "part"), [("is_bot", "bot"), ("is_bump", "version_bump"), ("docs_only", "docs_only")])
def test_what_readers_need_not_know_lowers_the_score(fact, part):
    assert scored(**{fact: True})[part] < 0
    assert scored(**{fact: True})["importance"] < scored()["importance"]


def test_size_grows_with_the_logarithm_and_then_no_more():
    sizes = [scored(added=lines)["size"] for lines in (0, 5, 50, 500, 5000)]
    assert sizes == sorted(sizes)
    assert sizes[0] == 0
    assert sizes[2] - sizes[1] < 2 * (sizes[1] - sizes[0])
    assert sizes[3] == sizes[4] == DEFAULT_WEIGHTS["size"]


def test_deleted_lines_count_less_unless_the_removal_is_the_news():
    added, deleted = scored(added=100.0)["size"], scored(deleted=100.0)["size"]
    assert deleted < added
    assert scored(deleted=100.0, removes=True)["size"] == scored(deleted=100.0, is_breaking=True)["size"] == added


def test_a_touch_of_the_core_is_less_than_a_change_of_it():
    touch, change = scored(coreness=1.0, added=1.0)["core_path"], scored(coreness=1.0, added=30.0)["core_path"]
    assert 0 < touch < change == DEFAULT_WEIGHTS["core_path"]
    assert scored(coreness=0.0, added=30.0)["core_path"] == 0


def test_a_formal_review_is_no_discussion_and_an_unknown_one_adds_nothing():
    assert scored(n_reviews=1.0, n_comments=2.0)["discussion"] == 0
    assert scored(n_reviews=None, n_comments=None, n_threads=None)["discussion"] == 0
    assert scored(n_reviews=30.0, n_comments=None)["discussion"] > 0


def test_the_worked_example_of_the_documentation_is_right():
    score = scored(kind="feat", added=100.0, n_folders=1, n_new_files=1, n_new_folders=1)
    assert score[["kind", "size", "new_ground", "importance"]].tolist() == [4.02, 1.3, 0.13, 5.45]


def test_unknown_facts_add_nothing():
    frame = changes({}).astype({"touches_interface": "boolean", "n_folders": "Float64"})
    frame.loc[0, ["touches_interface", "n_folders"]] = pd.NA
    assert importance.score(frame).iloc[0]["importance"] == scored()["importance"]


def test_weights_can_be_set_one_by_one():
    assert scored({"breaking": 0.5}, is_breaking=True)["breaking"] == 0.5
    assert scored({"kind_chore": 4.0})["importance"] == 4.0


def test_an_unknown_weight_is_named_with_those_that_exist():
    with pytest.raises(MergeWindowError, match=r"^Unknown weight 'braking'\. Known: bot, breaking, ci"):
        scored({"braking": 1.0})


def test_no_pull_requests_give_no_scores_under_the_same_columns():
    empty = importance.score(changes(QUIET).iloc[:0])
    assert empty.empty
    assert list(empty.columns) == ["importance", *importance.PARTS]
    assert (empty.dtypes == "float64").all()


def test_the_input_is_left_as_it_was():
    frame = changes({"added": 5.0}, {"is_bot": True})
    copy = frame.copy()
    importance.score(frame)
    pd.testing.assert_frame_equal(frame, copy)


def test_ten_thousand_are_scored_at_once():
    frame = pd.concat([changes({"added": 5.0, "kind": "fix"}, {"is_bot": True})] * 5000, ignore_index=True)
    start = time.process_time()
    importance.score(frame)
    assert time.process_time() - start < 1, "it took 6 ms where this was written"
