"""Suggested follow-ups: each rule fires where it should, names its pull requests, and reads well in both languages."""

import pytest
from report_facts import chain_of, pull_of, report_of, step_of, warning_of

from analysis.claims import followups
from dashboard.report.layouts import lay_out
from dashboard.report.wording import wording


def found(facts, kind):
    return next((claim for claim in followups.claims(facts) if claim.kind == kind), None)


def prs(facts, kind):
    claim = found(facts, kind)
    return claim.prs if claim else ()


def sentences(facts, kind):
    """What is said of it in English and in Chinese."""
    claim = found(facts, kind)
    return tuple(str(wording(lang, "text").told(claim, {}).text) for lang in ("en", "zh"))


def test_where_no_rule_fires_nothing_needs_follow_up():
    [claim] = followups.claims(report_of(pull_of(1, "docs: a guide", kind="docs")))
    assert (claim.kind, claim.prs, claim.level) == ("nothing", (), "S")
    assert sentences(report_of(), "nothing") == ("Nothing needs follow-up.", "本期没有需要跟进的事项。")


MARKS = {"rule": "new-markers", "points": 4.0, "value": 1.0}
IMAGE = {"rule": "ci-or-container", "points": 4.0, "value": 1.0, "evidence": {"files": [{"path": "docker/Dockerfile"}]}}
WORKFLOW = IMAGE | {"evidence": {"files": [{"path": ".github/workflows/ci.yml"}]}}
LEFT_OUT = {
    "rule": "missing-companion",
    "points": 8.0,
    "value": 0.8,
    "evidence": {"companions": [{"companion": "a.py"}]},
}


@pytest.mark.parametrize(
    ("rule", "fires", "does_not"),
    [
        ("settle_objections", pull_of(1, "feat: a", "merged-over-objection"), pull_of(1)),
        (
            "review_after_merge",
            pull_of(1, "feat: a", "unreviewed", "large-change"),
            pull_of(1, "feat: a", "unreviewed"),
        ),
        ("review_after_merge", pull_of(1, "feat: a", "self-merged", tier=3), pull_of(1, "feat: a", "large-change")),
        ("add_tests", pull_of(1, "fix: a", "missing-tests"), pull_of(1)),
        ("write_migration_notes", pull_of(1, breaking=True), pull_of(1, "feat: a", "public-api")),
        (
            "write_migration_notes",
            pull_of(1, "refactor: a", "public-api", "config-contract", kind="refactor"),
            pull_of(1, "feat: a", "public-api", "config-contract", kind="feat"),
        ),
        (
            "write_migration_notes",
            pull_of(1, "refactor: a", "public-api", "config-contract", kind="refactor"),
            pull_of(1, "fix: a", "public-api", "config-contract", kind="fix"),
        ),
        (
            "finish_migration",
            pull_of(1, "refactor!: deprecate a", breaking=True),
            pull_of(1, "refactor: deprecate a"),
        ),
        (
            "document_contract",
            pull_of(1, "feat: a", "config-contract"),
            pull_of(1, "a", "config-contract", breaking=True),
        ),
        ("document_contract", pull_of(1, "feat: a", "public-api", key=True), pull_of(1, "feat: a", "public-api")),
        ("verify_image", pull_of(1, risks=[IMAGE]), pull_of(1, risks=[WORKFLOW])),
        ("verify_image", pull_of(1, "a", "dependency-change"), pull_of(1, "a", "dependency-change", author_type="bot")),
        (
            "finish_unfinished",
            pull_of(1, risks=[MARKS | {"evidence": {"signals": [{"kind": "todo"}]}}]),
            pull_of(1, risks=[MARKS | {"evidence": {"signals": [{"kind": "assert"}]}}]),
        ),
        ("finish_unfinished", pull_of(1, "Temporarily skip a check"), pull_of(1, "refactor: remove a workaround")),
        ("finish_unfinished", pull_of(1, "[1/2] refactor: a"), pull_of(1, "[2/2] refactor: a")),
        ("watch_core", pull_of(1, "fix: a", "core-path", tier=3), pull_of(1, "fix: a", "core-path", tier=2)),
        ("restore_tests", pull_of(1, "fix: a", "tests-weakened"), pull_of(1)),
        ("update_companion", pull_of(1, risks=[LEFT_OUT]), pull_of(1)),
        ("measure_speed", pull_of(1, "perf: a", kind="perf"), pull_of(1, "fix: performer of a")),
        ("measure_speed", pull_of(1, "优化调度性能"), pull_of(1, "优化调度")),
    ],
)
def test_a_rule_fires_on_what_it_asks_for_only(rule, fires, does_not):
    assert prs(report_of(fires), rule) == (1,)
    assert prs(report_of(does_not), rule) == ()


def test_a_part_is_finished_by_a_later_one():
    assert prs(report_of(pull_of(1, "[1/2] refactor: a"), pull_of(2, "[2/2] refactor: b")), "finish_unfinished") == ()


def test_tests_are_asked_for_key_changes_and_the_core_first():
    facts = report_of(
        pull_of(1, "fix: a", "missing-tests", risk_score=50.0),
        pull_of(2, "feat: b", "missing-tests", key=True, kind="feat"),
        pull_of(3, "fix: c", "missing-tests"),
    )
    claim = found(facts, "add_tests")
    assert claim.prs == (2, 1, 3)
    assert claim.numbers == {"n": 3, "foremost": 1, "fixes": 2}
    english, chinese = sentences(facts, "add_tests")
    assert english == (
        "Add tests for #2, #1 and #3, which change logic without any, first for #2, a key change or one at the core;"
        " 2 are fixes, so regression tests are due."
    )
    assert chinese == (
        "补测试：#2、#1 和 #3 改动了逻辑而没有测试，先补重点变更或涉及核心的 #2；其中 2 个是修复，需要回归测试。"
    )


REVERTED = chain_of("revert", step_of(2, 1, "revert", 20))


def test_what_was_taken_out_needs_a_decision_and_no_test():
    facts = report_of(pull_of(1, "fix: a", "missing-tests"), pull_of(2, 'Revert "fix: a"'), chains=[REVERTED])
    assert prs(facts, "redo_reverted") == (1, 2)
    assert prs(facts, "add_tests") == ()
    english, chinese = sentences(facts, "redo_reverted")
    assert english == "Decide on reverts: #1 (by #2) was taken out and has not come back; say whether it will."
    assert chinese == "确定回退后的去留：#1（见 #2）已回退，尚未重新合入，请明确是否还要合入。"


def test_what_came_back_needs_no_decision():
    revert, back = step_of(2, 1, "revert", 20), step_of(3, 1, "repair", 48)
    first, taken = pull_of(1, "fix: a", "missing-tests"), pull_of(2, 'Revert "fix: a"')
    by_story = report_of(first, taken, pull_of(3), chains=[chain_of("rework", revert, back)])
    by_title = report_of(first, taken, pull_of(3, "fix: a"), chains=[REVERTED])
    possible = report_of(first, taken, chains=[chain_of("revert", step_of(2, 1, "revert", 20, sure=False))])
    for facts in (by_story, by_title, possible):
        assert prs(facts, "redo_reverted") == ()
        assert prs(facts, "add_tests") == (1,)


def test_open_warnings_stand_once_by_their_most_urgent_rule():
    ledger = [
        warning_of("config-contract", 1),
        warning_of("breaking", 1),
        warning_of("missing-tests", 2),
        warning_of("missing-tests", 3, "tested", 4, 5.0),
        warning_of("large-change", 5),
    ]
    claim = found(report_of(ledger=ledger), "close_warnings")
    assert claim.prs == (1, 2)
    assert claim.names["rules"] == ("breaking", "missing-tests")
    english, chinese = sentences(report_of(ledger=ledger), "close_warnings")
    assert english == (
        "Close open warnings of the week before, which nothing has settled so far:"
        " Breaking change in #1; Tests missing in #2."
    )
    assert chinese == "了结预警：前一周的下列预警至今未了结：破坏性变更（#1）；缺少测试（#2）。"


def test_only_rework_of_this_window_asks_for_its_cause():
    rework = chain_of("rework", step_of(5, 1, "repair", 90), step_of(9, 5, "repair", 200))
    assert prs(report_of(pull_of(9), chains=[rework]), "watch_repeats") == (1,)
    assert prs(report_of(pull_of(1), chains=[rework]), "watch_repeats") == ()
    assert prs(report_of(pull_of(9), chains=[rework | {"is_sure": False}]), "watch_repeats") == ()


def test_documentation_is_to_be_kept_up_after_two_corrections():
    one, two = pull_of(1, "[doc] fix: a path"), pull_of(2, "docs: correct a typo", kind="docs")
    assert prs(report_of(one, two), "keep_documentation") == (1, 2)
    assert prs(report_of(one, pull_of(2, "docs: a guide", kind="docs")), "keep_documentation") == ()


def test_the_left_out_file_is_named():
    english, chinese = sentences(report_of(pull_of(1, risks=[LEFT_OUT])), "update_companion")
    assert english == "Check files left out of #1: a.py nearly always changes too."
    assert chinese == "检查遗漏：#1 没有改动通常一起修改的 a.py。"


EVERYTHING = report_of(
    pull_of(1, "fix: a", "merged-over-objection", "unreviewed", "missing-tests", "core-path", tier=4, breaking=True),
    pull_of(2, "[1/2] perf: b", "config-contract", "tests-weakened", "dependency-change"),
    pull_of(3, "feat!: migrate c", breaking=True),
    pull_of(4, "docs: fix d", kind="docs"),
    pull_of(5, "docs: fix e", risks=[LEFT_OUT], kind="docs"),
    pull_of(7, 'Revert "f"'),
    chains=[
        chain_of("revert", step_of(7, 6, "revert", 2)),
        chain_of("rework", step_of(2, 8, "repair", 9), step_of(3, 8, "repair", 12)),
    ],
    ledger=[warning_of("breaking", 9)],
)


def test_the_most_urgent_seven_are_told_and_all_in_the_long_report():
    overview, *found = followups.claims(EVERYTHING)
    assert [claim.kind for claim in found] == [rule.__name__ for rule in followups.RULES]
    assert [claim.level for claim in found] == ["M"] * 7 + ["L"] * (len(followups.RULES) - 7)
    assert overview.level == "S" and overview.names["rules"] == tuple(claim.kind for claim in found)


def test_every_follow_up_reads_in_both_languages_and_names_its_pull_requests():
    for lang in ("en", "zh"):
        words = wording(lang, "text")
        found = followups.claims(EVERYTHING)[1:]
        told = [str(words.told(claim, {}).text) for claim in found]
        for claim, text in zip(found, told, strict=True):
            assert all(f"#{number}" in text for number in claim.prs), text
            assert text.endswith("." if lang == "en" else "。")
        assert len(set(told)) == len(told)


def test_the_short_report_names_them_in_one_sentence():
    words = wording("en", "markdown")
    told = [words.told(claim, {}) for claim in followups.claims(report_of(pull_of(1, "fix: a", "missing-tests")))]
    short, middle = (
        lay_out(
            "followups", [each for each in told if length == "M" or each.kind == "overview"], lang="en", length=length
        )
        for length in ("S", "M")
    )
    assert short.markdown == "One thing needs follow-up: tests that are missing."
    assert middle.markdown.startswith("- **Add tests** for #") and "One thing" not in middle.markdown
