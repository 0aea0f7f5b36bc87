"""Parts that explain themselves and add up."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import importance
from analysis.kinds import KINDS
from data.errors import MergeWindowError

QUIET = {
    "kind": "chore",
    "is_breaking": False,
    "reverts": False,
    "is_bot": False,
    "is_bump": False,
    "weighted_lines": 0.0,
    "n_modules": 0,
    "n_folders": 0,
    "n_new_files": 0,
    "coreness": 0.0,
    "touches_interface": False,
    "docs_only": False,
}


def scored(weights=None, **facts):
    return importance.score(pd.DataFrame([QUIET | facts]), weights).iloc[0]


FACTS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(KINDS),
        **dict.fromkeys([name for name, quiet in QUIET.items() if quiet is False], st.booleans()),
        "weighted_lines": st.floats(0, 1e6),
        "n_modules": st.integers(0, 30),
        "n_folders": st.integers(0, 300),
        "n_new_files": st.integers(0, 300),
        "coreness": st.floats(0, 1),
    }
)
WEIGHTS = st.dictionaries(st.sampled_from(sorted(importance.DEFAULT_WEIGHTS)), st.floats(-12, 12), max_size=6)


@given(st.lists(FACTS, min_size=1, max_size=4), WEIGHTS)
@settings(deadline=None)
def test_the_parts_add_up_to_a_score_from_0_to_10(rows, weights):
    scores = importance.score(pd.DataFrame(rows), weights)
    assert scores["importance"].between(0, 10).all()
    assert scores[list(importance.PARTS)].sum(axis=1).round(2).tolist() == scores["importance"].tolist()


def test_beyond_ten_the_cap_takes_back_what_is_too_much():
    score = scored(kind="feat", is_breaking=True, reverts=True, weighted_lines=1e5, n_modules=9, coreness=1.0)
    assert score["importance"] == 10
    assert score["cap"] < 0


def test_below_zero_the_cap_fills_up():
    score = scored(kind="docs", docs_only=True, is_bot=True, is_bump=True)
    assert score["importance"] == 0
    assert score["cap"] > 0


@pytest.mark.parametrize(
    ("fact", "part"),
    [
        ({"is_breaking": True}, "breaking"),
        ({"weighted_lines": 50.0}, "size"),
        ({"n_modules": 3}, "reach"),
        ({"n_folders": 4}, "reach"),
        ({"coreness": 0.5}, "core_path"),
        ({"n_new_files": 1}, "new_files"),
        ({"touches_interface": True}, "interface"),
        ({"reverts": True}, "revert"),
    ],
)
def test_each_fact_raises_its_own_part_only(fact, part):
    before, after = scored(), scored(**fact)
    assert after[part] > before[part] == 0
    assert after["importance"] == pytest.approx(before["importance"] + after[part])


@pytest.mark.parametrize(("fact", "part"), [("is_bot", "bot"), ("is_bump", "version_bump"), ("docs_only", "docs_only")])
def test_what_readers_need_not_know_lowers_the_score(fact, part):
    assert scored(**{fact: True})[part] < 0
    assert scored(**{fact: True})["importance"] < scored()["importance"]


def test_size_grows_with_the_logarithm_and_then_no_more():
    sizes = [scored(weighted_lines=lines)["size"] for lines in (0, 3, 30, 300, 3000)]
    assert sizes == sorted(sizes)
    assert sizes[0] == 0
    assert sizes[2] - sizes[1] < 2 * (sizes[1] - sizes[0])
    assert sizes[3] == sizes[4] == importance.DEFAULT_WEIGHTS["size"]


def test_weights_can_be_set_one_by_one():
    assert scored({"breaking": 0.5}, is_breaking=True)["breaking"] == 0.5
    assert scored({"kind_chore": 4.0})["importance"] == 4.0


def test_an_unknown_weight_is_named_with_those_that_exist():
    with pytest.raises(MergeWindowError, match=r"^Unknown weight 'braking'\. Known: bot, breaking, core_path"):
        scored({"braking": 1.0})


def test_no_pull_requests_give_no_scores_under_the_same_columns():
    empty = importance.score(pd.DataFrame([QUIET]).iloc[:0])
    assert empty.empty
    assert list(empty.columns) == ["importance", *importance.PARTS]
