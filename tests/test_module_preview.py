"""What other rules for modules would change."""

import pytest
from frames import change, frames, shuffled

from analysis.module_preview import COLUMNS, preview
from analysis.module_rules import ModuleRule, ModuleRules
from analysis.modules import learn_vocabulary

CHANGES = frames(
    *[change("[ascend] fix: a", "orbit/ascend/a.py")] * 4,
    *[change("[trainer] fix: a", "orbit/trainer/a.py")] * 4,
    change("[trainer] fix: a", "orbit/trainer/npu.py"),
)


@pytest.fixture(scope="module")
def vocabulary():
    return learn_vocabulary(*CHANGES)


def moves(vocabulary, before, after, given=CHANGES):
    found = preview(*given, None, vocabulary, ModuleRules(before), ModuleRules(after))
    return [tuple(row) for row in found.to_numpy()]


def test_the_same_rules_move_nothing(vocabulary):
    rules = {"npu": ModuleRule(aliases=("ascend",))}
    assert moves(vocabulary, rules, rules) == []
    assert list(preview(*CHANGES, None, vocabulary, ModuleRules(), ModuleRules()).columns) == list(COLUMNS)


def test_a_pattern_lets_pull_requests_join(vocabulary):
    assert moves(vocabulary, {}, {"npu": ModuleRule(paths=("npu.py",))}) == [(9, "npu", "joins")]


def test_an_alias_takes_them_from_one_name_to_the_other_and_back(vocabulary):
    rules = {"npu": ModuleRule(aliases=("ascend",))}
    there = moves(vocabulary, {}, rules)
    assert there == [(n, *move) for n in (1, 2, 3, 4) for move in (("ascend", "leaves"), ("npu", "joins"))]
    opposite = {"leaves": "joins", "joins": "leaves"}
    assert moves(vocabulary, rules, {}) == [(n, module, opposite[move]) for n, module, move in there]


def test_another_reason_for_the_same_module_moves_nothing(vocabulary):
    assert moves(vocabulary, {}, {"trainer": ModuleRule(paths=("/orbit/trainer/",))}) == []


def test_order_of_rows_changes_nothing_and_none_give_none(vocabulary):
    rules = {"npu": ModuleRule(aliases=("ascend",), paths=("npu.py",))}
    assert moves(vocabulary, {}, rules, shuffled(CHANGES)) == moves(vocabulary, {}, rules)
    assert moves(vocabulary, {}, rules, frames()) == []
