"""Rules that fire on evidence, keep silent where they can't judge, and add up."""

import inspect
import json
import re
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from cases import change, file, make_case
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.risk import RULES, SCORE_COLUMNS, Case, RiskSettings, check, judge
from data.errors import MergeWindowError

CONTRACT = set(
    "missing-tests tests-weakened core-path hotspot large-change wide-rename breaking public-api config-contract"
    " dependency-change ci-or-container revert repair-chain unreviewed self-merged fast-merge merged-over-objection"
    " long-lived unfamiliar-area missing-companion new-markers".split()
)
BOT = {"reviewer_id": 9, "reviewer_type": "bot"}
ASKED = {"state": "changes_requested", "reviewer_id": 3, "reviewer": "cy"}
LOGIC = {"additions": 60, "coreness": 0.9, "n_fixes": 6, "n_before": 14}

# For each rule, a change on which it fires, and one much like it on which it does not.
PAIRS = {
    "missing-tests": (
        change(file(**LOGIC), kind="fix"),
        change(file(**LOGIC), file("tests/test_core.py"), kind="fix"),
    ),
    "tests-weakened": (
        change(file(), file("tests/test_core.py", additions=2, deletions=40)),
        change(file(deletions=40), file("tests/test_core.py", additions=2, deletions=40)),
    ),
    "core-path": (change(file(coreness=0.9, additions=40)), change(file(coreness=0.9, additions=1, deletions=0))),
    "hotspot": (change(file(hotspot=0.7)), change(file("docs/intro.md", hotspot=0.7))),
    "large-change": (change(file(additions=450)), change(file("uv.lock", additions=4500), file())),
    "wide-rename": (
        change(*[file(f"app/{name}.py", status="renamed") for name in "abcdefghijk"]),
        change(*[file(f"app/{name}.py") for name in "abcdefghijk"]),
    ),
    "breaking": (change(is_breaking=True), change()),
    "public-api": (
        change(signals=[{"kind": "name-removed", "detail": "open"}]),
        change(signals=[{"kind": "name-removed", "path": "tests/test_core.py"}]),
    ),
    "config-contract": (
        change(signals=[{"kind": "config-key-removed"}]),
        change(signals=[{"kind": "config-key-added"}]),
    ),
    "dependency-change": (change(file("pyproject.toml")), change(file("app/pyproject.py"))),
    "ci-or-container": (change(file(".github/workflows/ci.yml")), change(file("docs/ci.md"))),
    "revert": (change(reverts=True), change(reverts=True, is_reapply=True)),
    "repair-chain": (change(links=[{}]), change(links=[{"kind": "revert"}])),
    "unreviewed": (
        change(review_decision=None, reviews=[BOT, {"reviewer_id": 1}]),
        change(review_decision=None, reviews=[{"state": "commented"}]),
    ),
    "self-merged": (
        change(merged_by_id=1, review_decision=None, reviews=[{"state": "commented"}]),
        change(merged_by_id=1, review_decision=None, reviews=[{}]),
    ),
    "fast-merge": (
        change(file(additions=300), created_at="2026-03-04T11:30:00Z"),
        change(file(additions=300), created_at="2026-03-04T11:00:00Z"),
    ),
    "merged-over-objection": (
        change(reviews=[ASKED, ASKED | {"seq": 2, "state": "commented"}]),
        change(reviews=[ASKED, ASKED | {"seq": 2, "state": "approved"}]),
    ),
    "long-lived": (change(created_at="2026-01-31T12:00:00Z"), change(created_at="2026-02-03T12:00:00Z")),
    "unfamiliar-area": (
        change(file(additions=30, n_before=9, by_author=0), sexp=1),
        change(file(additions=30, n_before=9, by_author=0), sexp=3),
    ),
    "missing-companion": (change(companions=[{}]), change(companions=[{"n_together": 7}])),
    "new-markers": (change(signals=[{"kind": "bare-except"}]), change(signals=[{"path": "tests/test_core.py"}])),
}
UNCOUNTED = {"files": [file(additions=None, deletions=None)]}
FLAG_OF = {"files": "files_complete", "created_at": "created_at", "history": "merged_at"}


def fired(*changes, **settings):
    return judge(make_case(*changes), RiskSettings(**settings)).risks


def rules_of(judged, pull_id=1):
    return set(judged.risks.loc[judged.risks["pull_id"] == pull_id, "rule"])


def silent_of(judged, pull_id=1):
    return json.loads(judged.scores.set_index("pull_id")["silent_rules"][pull_id])


def test_the_rules_are_those_of_the_contract():
    assert [rule.name for rule in RULES] == list(dict.fromkeys(rule.name for rule in RULES))
    assert {rule.name for rule in RULES} == CONTRACT == set(PAIRS)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_fires_on_its_case_with_evidence_and_not_on_the_other(rule):
    case, other = PAIRS[rule.name]
    risks = fired(case, other)
    found = risks[risks["rule"] == rule.name]
    assert found["pull_id"].tolist() == [1]
    assert found["value"].iloc[0] > rule.threshold
    assert 0 < found["points"].iloc[0] <= rule.points
    text = found["evidence"].iloc[0]
    evidence = json.loads(text)
    assert text == json.dumps(evidence, sort_keys=True)
    assert evidence["threshold"] == rule.threshold
    assert len(evidence) > 1
    assert all(len(value) <= 3 for value in evidence.values() if isinstance(value, list))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.needs], ids=lambda rule: rule.name)
def test_a_rule_without_what_it_needs_is_silent_and_says_so(rule):
    _, quiet = PAIRS[rule.name]
    assert rule.name not in silent_of(judge(make_case(quiet)))
    for need in rule.needs:
        unknown = quiet | (UNCOUNTED if need == "lines" else {FLAG_OF.get(need, f"{need}_known"): None})
        judged = judge(make_case(unknown))
        assert rule.name in silent_of(judged)
        assert rule.name not in rules_of(judged)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_explains_itself(rule):
    text = inspect.getdoc(rule.measure) or ""
    paragraphs = re.findall(r"^(Formula|Misses|Source|Example): (.+)", text, re.M)
    assert [name for name, _ in paragraphs] == ["Formula", "Misses", "Source", "Example"]
    assert text.splitlines()[0].endswith("?")
    assert rule.label and rule.unit and rule.source and rule.why.endswith(".")


def test_what_is_known_fires_even_where_more_is_not():
    large = change(file(additions=9000), files_complete=False)
    assert "large-change" in rules_of(judge(make_case(large)))


def test_a_change_of_which_no_file_is_known_is_judged_by_its_declared_lines():
    case = make_case(change(weighted_lines=900.0, files_complete=None))
    judged = judge(replace(case, files=case.files[:0]))
    assert rules_of(judged) == {"large-change"}
    assert "missing-tests" in silent_of(judged)


def test_lines_that_a_source_does_not_tell_are_unknown_and_not_none():
    untold = file("app/core.py", additions=None, deletions=None)
    known = judge(make_case(change(untold, weighted_lines=900.0)))
    assert "large-change" in rules_of(known), "the declared lines tell"
    unknown = judge(make_case(change(untold, weighted_lines=None)))
    assert "large-change" in silent_of(unknown)
    picture = file("app/logo.png", additions=None, deletions=None)
    assert "large-change" not in silent_of(judge(make_case(change(file(), picture)))), "a picture has no lines"


def test_a_rule_about_lines_says_that_it_cannot_judge_where_they_are_not_told():
    untold = [file(path, additions=None, deletions=None) for path in ("app/core.py", "setup.cfg")]
    silent = set(silent_of(judge(make_case(change(*untold, weighted_lines=None)))))
    assert silent == {rule.name for rule in RULES if "lines" in rule.needs} >= {"core-path", "hotspot", "fast-merge"}


def test_one_edit_repeated_is_a_wide_rename_only_where_something_was_renamed():
    edits = [file(f"app/m{n}.py", additions=2, deletions=2) for n in range(14)]
    assert "wide-rename" not in rules_of(judge(make_case(change(*edits, subject="add type annotations"))))
    assert "wide-rename" in rules_of(judge(make_case(change(*edits, subject="Rename Engine to Motor"))))
    assert "wide-rename" in rules_of(judge(make_case(change(*edits, subject="将引擎重命名"))))
    moved = file("app/new.py", status="renamed", additions=0, deletions=0)
    assert "wide-rename" in rules_of(judge(make_case(change(*edits, moved, subject="tidy"))))
    for other in ("Migrate from failure to anyhow", "Replace CargoError with Error", "chore: move on and fix typos"):
        assert "wide-rename" not in rules_of(judge(make_case(change(*edits, subject=other)))), other
    assert "wide-rename" not in rules_of(judge(make_case(change(*edits, moved, subject="fix lint errors"))))
    pictures = [file(f"app/p{n}.png", status=None, additions=0, deletions=0) for n in range(14)]
    assert "wide-rename" not in rules_of(judge(make_case(change(*pictures))))


def test_a_change_log_is_nobodys_companion():
    for name in ("CHANGELOG.md", "docs/changes.rst", "NEWS", "RELEASE_NOTES.md"):
        assert "missing-companion" not in rules_of(judge(make_case(change(companions=[{"companion": name}])))), name
    assert "missing-companion" in rules_of(judge(make_case(change(companions=[{"companion": "docs/api.md"}]))))


@pytest.mark.parametrize("subject", ["fix typo in align", "Improve docstrings", "Remove unused import", "修正注释"])
def test_a_change_of_words_only_needs_no_companion(subject):
    assert "missing-companion" not in rules_of(judge(make_case(change(companions=[{}], subject=subject))))
    assert "missing-companion" in rules_of(judge(make_case(change(companions=[{}]))))


def test_what_developers_run_has_no_public_interface():
    for path, is_public in (("scripts/release.py", False), ("setup.py", False), ("app/tools/x.py", True)):
        gone = change(signals=[{"path": path, "kind": "name-removed", "detail": "f"}])
        assert ("public-api" in rules_of(judge(make_case(gone)))) is is_public, path


@pytest.mark.parametrize("kind", ["name-removed", "config-key-removed", "bare-except"])
def test_signals_count_in_the_projects_own_code_only(kind):
    for path in ("app/third_party/zlib.py", "examples/train.py", "app/wire_pb2.py", "tests/test_core.py"):
        judged = judge(make_case(change(signals=[{"path": path, "kind": kind}])))
        assert not rules_of(judged) & {"public-api", "config-contract", "new-markers"}, path
    assert rules_of(judge(make_case(change(signals=[{"path": "app/core.py", "kind": kind}]))))


def test_points_and_cap_add_up_to_a_score_whose_tier_the_settings_tell():
    judged = judge(make_case(PAIRS["breaking"][0], change()), RiskSettings(points={"breaking": 250}, tiers=(1, 50, 99)))
    first, second = judged.scores.to_dict("records")
    assert (first["risk_score"], first["risk_cap"], first["tier"]) == (100, -150, 4)
    assert (second["risk_score"], second["risk_cap"], second["tier"]) == (0, 0, 1)


ANY_CHANGE = st.sampled_from([each for pair in PAIRS.values() for each in pair])


@given(
    st.lists(ANY_CHANGE, min_size=1, max_size=8), st.dictionaries(st.sampled_from(sorted(CONTRACT)), st.floats(0, 60))
)
@settings(deadline=None, max_examples=40)
def test_scores_are_sums_of_what_fired(changes, points):
    judged = judge(make_case(*changes), RiskSettings(points=points))
    sums = judged.risks.groupby("pull_id")["points"].sum().reindex(judged.scores["pull_id"], fill_value=0).to_numpy()
    scores = judged.scores["risk_score"].to_numpy()
    assert np.allclose(sums + judged.scores["risk_cap"].to_numpy(), scores, atol=0.005)
    assert ((scores >= 0) & (scores <= 100)).all()


@given(st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=15)
def test_the_order_of_rows_changes_nothing_and_input_stays_as_it_was(random):
    case = make_case(*(each for pair in PAIRS.values() for each in pair))
    names = [each.name for each in fields(Case) if isinstance(getattr(case, each.name), pd.DataFrame)]
    seed = random.randrange(1000)
    mixed = replace(case, **{name: getattr(case, name).sample(frac=1, random_state=seed) for name in names})
    copies = {name: getattr(mixed, name).copy() for name in names}
    one, other = judge(case), judge(mixed)
    pd.testing.assert_frame_equal(one.risks, other.risks)
    pd.testing.assert_frame_equal(one.scores, other.scores)
    for name, copy in copies.items():
        pd.testing.assert_frame_equal(getattr(mixed, name), copy)


def test_a_change_is_judged_the_same_alone_and_among_others():
    every = [each for pair in PAIRS.values() for each in pair]
    case = make_case(*every)
    for place in (1, 8, len(every)):
        alone = judge(replace(case, changes=case.changes[case.changes["pull_id"] == place]))
        among = judge(case).risks
        pd.testing.assert_frame_equal(alone.risks, among[among["pull_id"] == place].reset_index(drop=True))


def test_nothing_to_judge_gives_the_same_columns():
    full, empty = judge(make_case(*PAIRS["hotspot"])), judge(make_case())
    assert empty.risks.dtypes.equals(full.risks.dtypes)
    assert empty.scores.dtypes.equals(full.scores.dtypes)
    assert len(empty.risks) == len(empty.scores) == 0
    assert list(empty.scores) == list(SCORE_COLUMNS)


def test_settings_move_thresholds_and_points_and_none_turns_a_rule_off():
    case = change(file(additions=900), file("tests/test_core.py"))
    assert fired(case, thresholds={"large-change": 1000}).empty
    assert fired(case, points={"large-change": 0}).empty
    assert fired(case, points={"large-change": 2.5})["points"].tolist() == [2.5]
    off = judge(make_case(change(reviews_known=None)), RiskSettings(points={"unreviewed": 0}))
    assert "unreviewed" not in silent_of(off)


def test_configured_paths_are_core_or_hot_whatever_history_says():
    case = change(file("app/core/engine.py", additions=1))
    assert "core-path" in set(fired(case, core_paths=("app/core",))["rule"])
    assert "core-path" in set(fired(case, core_paths=("*/engine.py",))["rule"])
    assert "hotspot" in set(fired(case, hot_paths=("app/core/*",))["rule"])
    assert fired(case, core_paths=("app/cor", "core/engine.py"), hot_paths=("engine.py",)).empty


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"points": {"speed": 3}}, "Unknown risk rule 'speed' in points. Known: breaking, ci-or-container"),
        ({"thresholds": {"speed": 3}}, "'speed' in thresholds"),
        ({"points": {"breaking": -1}}, "'breaking'"),
        ({"points": {"breaking": float("nan")}}, "'breaking'"),
        ({"tiers": (10, 20)}, "three rising scores"),
        ({"tiers": (30, 20, 40)}, "three rising scores"),
        ({"tiers": (0, 20, 40)}, "three rising scores"),
        ({"tiers": (10, 20, 100)}, "three rising scores"),
    ],
)
def test_settings_that_cannot_be_get_one_sentence(wrong, says):
    with pytest.raises(MergeWindowError, match=re.escape(says)):
        check(RiskSettings(**wrong))


def points_of(rule, *changes):
    risks = fired(*changes)
    return risks.loc[risks["rule"] == rule, "points"].tolist()


def test_lock_files_alone_and_bots_weigh_less_than_a_person_who_moves_a_dependency():
    manifest, lock = file("pyproject.toml"), file("uv.lock")
    person, bot, alone = points_of(
        "dependency-change", change(manifest, lock), change(manifest, is_bot=True), change(lock)
    )
    assert person > bot > alone > 0


def test_versions_that_moved_are_told():
    moved = {"kind": "version-moved", "path": "pyproject.toml", "detail": "numpy 1.26 -> 2.0"}
    [text] = fired(change(file("pyproject.toml"), signals=[moved]))["evidence"]
    assert json.loads(text)["moved"] == [{"detail": "numpy 1.26 -> 2.0", "path": "pyproject.toml"}]


def test_rework_weighs_more_than_one_repair_and_that_more_than_a_possible_one():
    one, possible, two = [{}], [{"is_sure": False}], [{}, {"earlier_number": 80, "hours": 50.0}]
    rework, repair, maybe = points_of("repair-chain", change(links=two), change(links=one), change(links=possible))
    assert rework > repair > maybe > 0


def test_a_reapply_belongs_to_a_chain_and_is_no_revert():
    assert set(fired(change(reverts=True, is_reapply=True))["rule"]) == {"repair-chain"}


def test_without_the_patch_front_files_and_settings_stand_in_for_half_of_the_points():
    front, shipped = file("app/__init__.py", is_interface=True), file("app/defaults.yaml", is_interface=True)
    guessed = fired(change(front, shipped, patches_known=None)).set_index("rule")["points"]
    proven = fired(change(signals=[{"kind": "name-removed"}, {"kind": "default-changed"}])).set_index("rule")["points"]
    assert (guessed[["public-api", "config-contract"]] * 2).tolist() == proven[
        ["public-api", "config-contract"]
    ].tolist()
    assert fired(change(front, shipped)).empty


def test_whoever_merges_for_another_needs_no_known_reviews_to_be_cleared():
    unknown = {"reviews_known": None, "review_decision": None}
    judged = judge(
        make_case(change(**unknown), change(**unknown, merged_by_id=1), change(**unknown, merged_by_id=None))
    )
    assert "self-merged" not in rules_of(judged, 1) | rules_of(judged, 2)
    assert ["self-merged" in silent_of(judged, pull_id) for pull_id in (1, 2, 3)] == [False, True, True]


def test_deleted_accounts_are_not_taken_for_one_person():
    judged = judge(make_case(change(author_type="ghost", merged_by_id=1, review_decision=None, reviews=[{}])))
    assert "self-merged" not in rules_of(judged)
    assert {"self-merged", "unfamiliar-area"} <= set(silent_of(judged))


def test_a_possible_revert_weighs_less_than_a_sure_one():
    sure, possible = [{"kind": "revert"}], [{"kind": "revert", "is_sure": False}]
    certain, maybe = points_of("revert", change(links=sure), change(links=possible))
    assert certain > maybe > 0


def test_an_approval_known_without_its_review_is_one():
    assert fired(change(merged_by_id=1)).empty


def test_a_review_after_the_merge_came_too_late():
    late = change(review_decision=None, reviews=[{"submitted_at": "2026-03-05T12:00:00Z"}])
    assert set(fired(late)["rule"]) == {"unreviewed"}


def test_what_is_still_open_was_not_merged_by_anybody_against_anything():
    still_open = change(
        file(additions=3),
        merged_at=None,
        review_decision=None,
        merged_by_id=None,
        reviews=[ASKED],
        threads=[{}],
    )
    judged = judge(make_case(still_open))
    assert rules_of(judged) == set()
    assert set(silent_of(judged)) == {rule.name for rule in RULES if "history" in rule.needs}


def test_open_threads_of_substance_count_for_half_and_remarks_do_not():
    told = {"n_comments": 6}
    half, whole = points_of("merged-over-objection", change(threads=[told]), change(reviews=[ASKED], threads=[told]))
    assert whole == 2 * half
    quiet = [{"n_comments": 2}, {"is_resolved": True}, {"is_outdated": True}, {"is_resolved": None}]
    assert fired(change(threads=quiet)).empty


def test_the_most_telling_files_go_first_and_the_rest_is_left_out():
    files = [
        file(f"app/{name}.py", additions=lines) for name, lines in zip("badce", (200, 200, 300, 10, 20), strict=True)
    ]
    risks = fired(change(*files)).set_index("rule")
    told = json.loads(risks["evidence"]["large-change"])
    assert [each["path"] for each in told["files"]] == ["app/d.py", "app/a.py", "app/b.py"]
    assert told["n_files"] == 5


def test_only_files_near_the_largest_value_are_told():
    core, brushed = file(coreness=0.9, additions=40), file("app/other.py", coreness=0.2, additions=40)
    text = fired(change(core, brushed)).set_index("rule")["evidence"]["core-path"]
    assert [each["path"] for each in json.loads(text)["files"]] == ["app/core.py"]


def test_a_few_lines_in_a_foreign_file_are_no_unfamiliar_area():
    foreign = {"n_before": 9, "by_author": 0, "deletions": 0}
    assert fired(change(file(additions=9, **foreign), sexp=0)).empty
    assert set(fired(change(file(additions=10, **foreign), sexp=0))["rule"]) == {"unfamiliar-area"}


def test_a_larger_change_gets_more_of_the_points():
    sizes = [130, 300, 900, 5000]
    points = [fired(change(file(additions=lines), file("tests/test_core.py")))["points"].tolist() for lines in sizes]
    assert [each[0] for each in points] == sorted(each[0] for each in points)
    assert points[0][0] < 20
    assert points[2:] == [[20], [20]]
