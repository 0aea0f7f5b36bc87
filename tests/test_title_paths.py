"""Titles that name one module while the code lies in others."""

import gzip
import json

import pandas as pd
import pytest
from frames import change, frames, shuffled

from analysis.module_rules import ModuleRule, ModuleRules
from analysis.modules import learn_vocabulary
from analysis.title_paths import COLUMNS, title_paths

USUAL = [
    *[change("[rollout] feat: speed", "orbit/rollout/server.py")] * 6,
    *[change("[trainer] fix: a leak", "orbit/trainer/loop.py")] * 6,
    *[change("[algo] feat: loss", "orbit/trainer/loss.py")] * 3,
    *[change("[algo] feat: loss", "orbit/rollout/sampler.py")] * 3,
]
FAR = "orbit/trainer/loop.py"


def listed(*changes, usual=USUAL, rules=None):
    given = frames(*usual, *changes)
    vocabulary = learn_vocabulary(*frames(*usual))
    found = title_paths(given.pulls, given.files, vocabulary, rules=rules)
    return found[found["pull_id"] > len(usual)]


def test_code_in_another_module_than_the_title_says_is_listed_with_its_evidence():
    [found] = listed(change("[rollout] fix: an empty batch", FAR, "tests/trainer/test_loop.py")).to_dict("records")
    assert (found["says"], found["lies_in"], found["paths"], found["n_files"]) == (["rollout"], ["trainer"], [FAR], 2)
    assert found["usual_share"] == 6 / 7


@pytest.mark.parametrize(
    ("agreeing", "why"),
    [
        (change("[rollout] fix: a", FAR, "orbit/rollout/server.py"), "a file lies where the title says"),
        (change("[rollout] fix: a", FAR, "tests/rollout/test_server.py"), "a test does"),
        (change("[rollout, trainer] fix: a", FAR), "one of two tags is right"),
        (change("[rollout] fix: a", "orbit/trainer/rollout_loop.py"), "the name stands in the path"),
        (change("[rollout] fix: start the TrainerLoop later", FAR), "the title tells where the file is"),
        (change("Speed up the rollout", FAR), "nothing but a sentence says so"),
        (change("[rollout] fix: a", "docs/guide.md"), "documents are about anything"),
        (change("[rollout] fix: a", FAR, "docs/a.md", "docs/b.md"), "most of it is no code"),
        (change("[rollout] fix: a", FAR, "orbit/elsewhere.py"), "a file lies in no known module"),
        (change("[algo] fix: a", FAR), "the code of algo usually lies anywhere"),
        (change("[rollout] fix: a"), "its files are unknown"),
    ],
)
def test_what_can_be_meant_otherwise_is_not_listed(agreeing, why):
    assert listed(agreeing).empty, why


def test_a_module_with_few_titled_changes_has_no_usual_place():
    assert listed(change("[rollout] fix: a", FAR), usual=USUAL[3:]).empty


def test_a_configured_pattern_can_say_where_the_module_lies_too():
    rules = ModuleRules({"rollout": ModuleRule(paths=("/orbit/trainer/loop.py",))})
    assert listed(change("[rollout] fix: a", FAR), rules=rules).empty


def test_order_of_rows_changes_nothing_and_none_give_none():
    given = frames(*USUAL, change("[rollout] fix: a", FAR, "orbit/trainer/loss.py"))
    vocabulary, mixed = learn_vocabulary(*given), shuffled(given)
    found = title_paths(given.pulls, given.files, vocabulary)
    assert len(found) == 1
    pd.testing.assert_frame_equal(title_paths(mixed.pulls, mixed.files, vocabulary), found)
    none = title_paths(*frames()[:2], vocabulary)
    assert list(none.columns) == list(COLUMNS)
    assert none.dtypes.to_dict() == found.dtypes.to_dict()


def test_in_a_real_project_few_are_listed_and_none_touches_what_it_names(shared):
    with gzip.open(shared / "verl" / "prs-2026.json.gz") as file:
        pulls = json.load(file)
    given = frames(*[change(pull["title"], *[file["path"] for file in pull["files"]]) for pull in pulls])
    found = title_paths(given.pulls, given.files, learn_vocabulary(*given))
    assert 5 <= len(found) <= 0.03 * len(pulls)
    for row in found.itertuples():
        assert not [path for path in row.paths for name in row.says if name in path]
