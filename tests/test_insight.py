"""What there is to learn from a change, as parts that add up."""

import pandas as pd
import pytest
from changes import FACTS, QUIET, changes
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import insight
from data.errors import MergeWindowError


def scored(weights=None, **facts):
    return insight.score(changes(facts), weights).iloc[0]


@given(
    st.lists(FACTS, min_size=1, max_size=4),
    st.dictionaries(st.sampled_from(sorted(insight.DEFAULT_WEIGHTS)), st.floats(-12, 12), max_size=6),
)
@settings(deadline=None)
def test_the_parts_add_up_to_a_score_from_0_to_10(rows, weights):
    scores = insight.score(pd.DataFrame(rows), weights)
    assert scores["insight"].between(0, 10).all()
    assert scores[list(insight.PARTS)].sum(axis=1).round(2).tolist() == scores["insight"].tolist()


@pytest.mark.parametrize(
    ("fact", "part"),
    [
        ({"prose_length": 500.0}, "explanation"),
        ({"n_comments": 12.0}, "discussion"),
        ({"measured": 0.5}, "measured"),
        ({"n_new_folders": 1}, "new_ground"),
        ({"added": 40.0}, "depth"),
        ({"n_folders": 3}, "breadth"),
        ({"says_design": True}, "design"),
        ({"touches_tests": True}, "tests"),
        ({"series_part": "2/3"}, "story"),
        ({"repairs": True}, "story"),
        ({"reverts": True}, "story"),
    ],
)
def test_each_fact_raises_its_own_part_only(fact, part):
    before, after = scored(), scored(**fact)
    assert after[part] > before[part] == 0
    assert after["insight"] == pytest.approx(before["insight"] + after[part])


def test_a_line_is_no_explanation_and_a_page_is_a_full_one():
    parts = [scored(prose_length=float(length))["explanation"] for length in (0, 60, 300, 1500, 9000)]
    assert parts[0] == parts[1] == 0
    assert 0 < parts[2] < parts[3] == parts[4] == insight.DEFAULT_WEIGHTS["explanation"]


def test_what_a_bot_writes_explains_nothing():
    bot = scored(is_bot=True, prose_length=5000.0, measured=1.0, says_design=True)
    assert bot[["explanation", "measured", "design"]].tolist() == [0, 0, 0]


def test_unknown_reviews_add_nothing():
    assert scored(n_reviews=None, n_comments=None, n_threads=None)["discussion"] == 0


def test_the_worked_example_of_the_documentation_is_right():
    score = scored(kind="fix", added=30.0, touches_tests=True, prose_length=600.0)
    assert score[["depth", "explanation", "insight"]].tolist() == [0.83, 2.14, 4.77]


@pytest.mark.parametrize(
    ("text", "is_design"),
    [
        ("Root cause: the lock is taken twice.", True),
        ("This implements RFC 3139.", True),
        ("根因是锁被重复获取。", True),
        ("Adds a button.", False),
        ("The rfcomm driver is gone.", False),
    ],
)
def test_reasons_are_told_by_their_words(text, is_design):
    assert insight.says_design(text) is is_design


def test_an_unknown_weight_is_refused():
    with pytest.raises(MergeWindowError, match="Unknown weight 'wit'"):
        scored({"wit": 1.0})


def test_no_pull_requests_give_no_scores_under_the_same_columns():
    empty = insight.score(changes(QUIET).iloc[:0])
    assert empty.empty
    assert list(empty.columns) == ["insight", *insight.PARTS]
