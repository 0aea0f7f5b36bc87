"""How the missing test is graded: by size, place, kind and habit, and never where there is no logic."""

import pytest
from cases import change, file, make_case

from analysis import missing_tests as rules
from analysis.risk import RiskSettings

CORE = {"additions": 30, "deletions": 0, "coreness": 0.8, "n_fixes": 6, "n_before": 16}


def value(*files, measure=rules.missing_tests, **more):
    case = make_case(change(*(files or [file(**CORE)]), **({"kind": "fix"} | more))).prepared(RiskSettings())
    return measure(case).value[0]


def lost(*files, **more):
    return value(*files, measure=rules.tests_weakened, **more)


def test_the_example_of_its_documentation_holds():
    assert value(areas=[{"n_source": 100, "n_tested": 40}]) == pytest.approx(0.75, abs=0.01)


@pytest.mark.parametrize(
    "less",
    [
        {"additions": 12},
        {"coreness": 0.3},
        {"n_fixes": 1},
    ],
)
def test_a_smaller_change_or_a_quieter_place_needs_a_test_less(less):
    assert 0 < value(file(**CORE | less)) < value()


def test_a_fix_needs_one_most_and_a_chore_least():
    fix, feat, chore = (value(kind=kind) for kind in ("fix", "feat", "chore"))
    assert fix > feat > chore > 0


@pytest.mark.parametrize("kind", ["docs", "test", "ci", "build", "revert"])
def test_other_kinds_need_none(kind):
    assert value(kind=kind) == 0


def test_where_nobody_writes_tests_they_are_missed_less():
    never, seldom, often = (value(areas=[{"n_source": 40, "n_tested": n}]) for n in (0, 4, 20))
    assert never < seldom < often == value()


def test_the_habit_of_another_area_does_not_count():
    assert value(areas=[{"area": "docs", "n_source": 90, "n_tested": 90}, {"n_source": 40, "n_tested": 0}]) < value()


@pytest.mark.parametrize(
    "files",
    [
        [file(**CORE), file("tests/test_core.py", additions=1, deletions=0)],
        [file(**CORE), file("tests/test_core.py", additions=None, deletions=None)],
        [file(**CORE | {"additions": 4})],
        [file(**CORE | {"additions": 0, "deletions": 300})],
        [file(f"app/{name}.py", **CORE | {"additions": 3}) for name in "abcdefgh"],
        [file("scripts/run.sh", **CORE)],
        [file("docs/guide.md", **CORE)],
        [file("examples/train.py", **CORE)],
        [file("app/settings.yaml", **CORE)],
    ],
    ids=["a test", "a binary test", "tiny", "deletion", "one edit repeated", "script", "docs", "example", "settings"],
)
def test_what_has_a_test_or_no_logic_is_left_alone(files):
    assert value(*files) == 0


def test_a_test_that_only_lost_lines_or_moved_is_none():
    assert value(file(**CORE), file("tests/test_core.py", additions=0, deletions=9)) > 0.6
    assert value(file(**CORE), file("tests/test_core.py", status="renamed", additions=0, deletions=0)) > 0.6


@pytest.mark.parametrize("subject", ["correct a typo in the log", "make mypy happy", "Fix doc comments", "修正错别字"])
def test_titles_that_name_no_logic_are_believed(subject):
    assert value(subject=subject) == 0


def test_a_move_is_believed_unless_it_fixes_something():
    moved = "move save before update"
    assert value(subject=moved, kind="refactor") == 0
    assert value(subject=moved, kind="fix") == value()


def test_of_a_refactor_only_what_it_adds_on_balance_is_new():
    assert value(file(**CORE | {"deletions": 28}), kind="refactor") == 0
    assert value(file(**CORE | {"deletions": 28}), kind="fix") == value()


def test_bots_and_version_bumps_are_left_alone():
    assert value(is_bot=True) == value(is_bump=True) == 0


def test_without_all_files_nobody_knows():
    assert value(files_complete=False) != value(files_complete=False)


def test_a_feature_that_goes_with_its_tests_weakens_none():
    gone = file("tests/test_core.py", status="removed", additions=0, deletions=80)
    assert lost(file(additions=5, deletions=5), gone) == 80
    assert lost(file(additions=5, deletions=45), gone) == 0
    assert lost(file("tests/data/big.json", additions=0, deletions=900)) == 0


def test_a_skipped_test_counts_even_where_source_shrinks_and_a_removed_one_does_not():
    shrinks = file(additions=0, deletions=50)
    assert lost(shrinks, signals=[{"kind": "test-skipped"}]) == 20
    assert lost(shrinks, signals=[{"kind": "test-removed"}]) == 0
    assert lost(file(additions=9), signals=[{"kind": "test-removed"}]) == 20
