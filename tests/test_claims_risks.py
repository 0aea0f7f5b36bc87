"""The risk watch: what fired, what is usual, stories, earlier warnings; in claims and in both languages."""

import pytest
from caches import cache_of
from factories import REPO, make_file, make_pull
from report_facts import chain_of, pull_of, report_of, step_of, warning_of

from analysis.claims import risks
from analysis.window import iso_week
from dashboard import reads
from dashboard.config import Config
from dashboard.report.document import document, with_claims
from dashboard.report.wording import wording


def told(facts, kind, subject=""):
    """The sentences of a kind, as plain text."""
    words = wording(facts["lang"], "text")
    found = [claim for claim in risks.claims(facts) if claim.kind == kind and subject in ("", claim.subject)]
    return [str(words.told(claim, {}).text) for claim in found]


def both(kind, *pulls, **more):
    """The first sentence of a kind, in English and in Chinese."""
    return tuple(told(report_of(*pulls, lang=lang, **more), kind)[0] for lang in ("en", "zh"))


def history(*elevated):
    return [{"elevated": n} for n in elevated]


RISKY = [pull_of(n, "feat: more", "core-path", tier=3, risk_score=40.0 - n) for n in (1, 2)]
QUIET = [pull_of(n) for n in (3, 4, 5)]


def test_elevated_risk_stands_beside_what_is_usual():
    facts = report_of(*QUIET, *RISKY, history=history(1, 1, 4, 4, 4, 4, 9, 9))
    [claim] = [claim for claim in risks.claims(facts) if claim.kind == "tiers"]
    assert claim.numbers == {"n": 2, "high": 0, "merged": 5, "judged": 5, "usual": 4, "windows": 8}
    assert claim.prs == (1, 2) and claim.level == "S"
    english, chinese = both("tiers", *QUIET, *RISKY, history=history(1, 1, 4, 4, 4, 4, 9, 9))
    assert english == (
        "2 of the 5 carry elevated risk; by score #1 and #2. The median of the 8 such windows before is 4."
    )
    assert chinese == "5 个 PR 中有 2 个风险偏高；按分数依次为 #1 和 #2。此前 8 个同等周期的中位数为 4 个。"


def test_seven_windows_are_too_few_to_say_what_is_usual():
    [sentence] = told(report_of(*RISKY, history=history(*[4] * 7)), "tiers")
    assert sentence == "Both carry elevated risk; by score #1 and #2."


@pytest.mark.parametrize(
    ("pulls", "english", "chinese"),
    [
        ([], "Nothing was merged, so there is nothing to watch.", "本期没有合入，无需关注。"),
        (QUIET[:1], "It carries no elevated risk.", "该 PR 风险不高。"),
        (QUIET[:2], "Neither carries elevated risk.", "没有风险偏高的 PR。"),
        (QUIET, "None carries elevated risk.", "没有风险偏高的 PR。"),
        (RISKY[:1], "It carries elevated risk, #1.", "该 PR 风险偏高：#1。"),
        ([*QUIET, RISKY[0]], "One of the 4 carries elevated risk, #1.", None),
        ([pull_of(1, risk_score=None, tier=None)], "The risk rules have not judged these pull requests yet.", None),
    ],
)
def test_none_one_and_all_read_as_such(pulls, english, chinese):
    found = both("tiers", *pulls)
    assert found[0] == english
    assert chinese in (None, found[1])


def test_no_rule_fired_is_said_only_where_all_could_be_judged():
    unjudged = [{"missing": "reviews", "rule": "unreviewed", "n_prs": 3}]
    assert both("fired", *QUIET) == ("No risk rule fired.", "没有触发任何风险规则。")
    english, chinese = both("fired", *QUIET, unjudged=unjudged)
    assert english.startswith("No rule fired that could judge; 1 rule lacks what it takes to judge every one")
    assert english.endswith("which is not the same as no risk.")
    assert chinese == "能够判断的规则均未触发；有 1 条规则因数据不足未能判断全部 PR（见覆盖说明），这不等于没有风险。"


def test_nothing_is_said_of_objections_where_these_could_not_be_judged():
    unjudged = [{"missing": "reviews", "rule": risks.OBJECTED, "n_prs": 3}]
    assert both("no_objection", *QUIET) == ("Nothing was merged over an objection.", "没有 PR 在尚有异议时合入。")
    assert told(report_of(*QUIET, unjudged=unjudged), "no_objection") == []
    assert told(report_of(*QUIET, pull_of(6, "feat: a", risks.OBJECTED)), "no_objection") == []


def test_a_rules_pull_requests_stand_by_points_then_importance():
    pulls = [
        pull_of(1, "feat: a", "hotspot", importance=3.0),
        pull_of(2, "feat: b", "hotspot", importance=6.0),
        pull_of(3, "feat: c", "hotspot", importance=1.0),
    ]
    pulls[2]["risks"][0]["points"] = 12.0
    [claim] = [claim for claim in risks.claims(report_of(*pulls)) if claim.kind == "rule"]
    assert claim.prs == (3, 2, 1)


@pytest.mark.parametrize(
    ("before", "english", "chinese"),
    [
        (None, "Hotspot: 1 pull request: #1.", "热点：1 个 PR：#1。"),
        (0, "Hotspot: 1 pull request, after none in the week before: #1.", "热点：1 个 PR，前一周没有：#1。"),
        (1, "Hotspot: 1 pull request, as many as in the week before: #1.", "热点：1 个 PR，与前一周持平：#1。"),
        (4, "Hotspot: 1 pull request, after 4 in the week before: #1.", "热点：1 个 PR，前一周为 4 个：#1。"),
    ],
)
def test_a_rule_is_told_beside_the_week_before(before, english, chinese):
    fired = [{"rule": "hotspot", "prs": [1], "before": before}]
    assert both("rule", pull_of(1, "feat: a", "hotspot"), risks=fired) == (english, chinese)


def test_the_clearest_example_names_file_and_number(tmp_path):
    db = cache_of(tmp_path, [make_pull(1, "feat: engine", files=[make_file("core/engine.py", 900, 0)])])
    for lang, wanted in (("en", "900 lines of source in 1 file"), ("zh", "改动源码 900 行")):
        facts = reads.report(
            db, reads.Selection(REPO, iso_week("2026-W10")), lang=lang, config=Config().digest, version="0"
        )
        [sentence] = told(facts, "rule", "large-change")
        assert wanted in sentence and "core/engine.py" in sentence


def test_what_asks_for_something_is_told_whatever_it_weighs():
    light = ["ci-or-container", "hotspot", "core-path", "large-change", "fast-merge", "long-lived", "unfamiliar-area"]
    pulls = [pull_of(n, "feat: a", *light) for n in (1, 2)] + [pull_of(3, "feat: b", "breaking", "wide-rename")]
    levels = {claim.subject: claim.level for claim in risks.claims(report_of(*pulls)) if claim.kind == "rule"}
    assert levels["breaking"] == "M" and levels["wide-rename"] == "L" and levels["hotspot"] == "M"


def test_a_story_tells_who_did_what_to_whom_after_how_long_and_why():
    chain = chain_of("rework", step_of(2, 1, "revert", 17.2), step_of(3, 1, "repair", 48.0))
    pulls = [pull_of(1, "[reward] fix: world size"), pull_of(2, "Revert"), pull_of(3, "fix: world size by settings")]
    english, chinese = both("story", *pulls, chains=[chain])
    assert english == (
        "Rework #1 → #2 → #3. It began with “world size”."
        " #2 took out #1 after 17 h: the title names #1. #3 repaired #1 after 2 d: the title names #1."
    )
    assert chinese == (
        "返工 #1 → #2 → #3。最初的改动是“world size”。"
        "#2 在 17 小时后回退 #1：标题提到 #1。#3 在 2 天后修复 #1：标题提到 #1。"
    )
    assert both("stories", *pulls, chains=[chain]) == ("One story touches this window.", "本期涉及 1 起回退或修复。")


def test_a_story_says_which_of_its_pull_requests_lie_in_other_windows():
    chain = chain_of("rework", step_of(5, 1, "repair", 90), step_of(9, 5, "repair", 200))
    english, chinese = both("story", pull_of(5), chains=[chain])
    assert english.endswith("#1 was merged before this window, #9 after it.")
    assert chinese.endswith("其中 #1 合入于本期之前，#9 合入于本期之后。")
    assert both("story", pull_of(9), chains=[chain])[0].endswith("#1 and #5 were merged before this window.")


def test_a_long_story_is_told_in_few_sentences():
    chain = chain_of("rework", *(step_of(n, 1, "repair", n) for n in range(2, 9)))
    [sentence] = told(report_of(pull_of(1), chains=[chain]), "story")
    assert sentence.count("repaired") == 4
    assert "3 further steps followed, the whole within 3.5 d." in sentence


def test_a_story_that_is_only_possible_says_so_and_stands_last():
    possible = chain_of("revert", step_of(2, 1, "revert", 5, sure=False))
    sure = chain_of("repair", step_of(4, 3, "repair", 5))
    facts = report_of(*(pull_of(n) for n in (1, 2, 3, 4)), chains=[possible, sure])
    first, second = told(facts, "story")
    assert "possible" not in first and second.startswith("Revert #1 → #2 (only possible).")
    assert told(facts, "stories") == ["2 stories touch this window, none of them a revert; the last are only possible."]


def test_no_story_is_one_plain_sentence():
    assert both("stories", *QUIET) == ("Nothing was reverted, brought back or repaired.", "没有回退、恢复或修复。")


LEDGER = [
    warning_of("breaking", 1),
    warning_of("core-path", 2),
    warning_of("missing-tests", 3, "tested", 9, 20.0),
    warning_of("missing-tests", 4),
    warning_of("new-markers", 5, "reverted", 8, 3.0),
]


def test_earlier_warnings_are_counted_by_what_became_of_them():
    facts = report_of(*QUIET, ledger=LEDGER)
    assert told(facts, "ledger") == [
        "The week before warned of 5 things in 5 pull requests; 2 are settled, 3 still open."
    ]
    assert told(facts, "settled") == ["Reverted since: #5 (by #8, after 3 h).", "Tested since: #3 (by #9, after 20 h)."]
    assert told(facts, "open") == [
        "Still open: Breaking change in #1.",
        "Still open: Tests missing in #4.",
        "Still open: Core path in #2.",
    ]


def test_earlier_warnings_in_chinese():
    facts = report_of(*QUIET, ledger=LEDGER, lang="zh")
    assert told(facts, "ledger") == ["前一周有 5 项预警需要跟进，涉及 5 个 PR：2 项已了结，3 项未了结。"]
    assert told(facts, "settled") == ["已回退：#5（见 #8，3 小时后）。", "已补测试：#3（见 #9，20 小时后）。"]
    assert told(facts, "open")[0] == "未了结：破坏性变更，#1。"


def test_what_was_settled_beyond_a_few_is_counted_and_told_at_length():
    ledger = [warning_of("missing-tests", n, "tested", 50 + n, float(n)) for n in range(1, 7)]
    settled, more = [c for c in risks.claims(report_of(*QUIET, ledger=ledger)) if c.kind.startswith("settled")]
    assert (settled.level, settled.numbers["more"], more.level) == ("M", 2, "L")
    assert set(settled.prs[::2] + more.prs[::2]) == {1, 2, 3, 4, 5, 6}


def test_no_warning_and_an_unknown_week_before_are_told_apart():
    assert both("ledger", *QUIET) == (
        "The week before warned of nothing that asks to be followed.",
        "前一周没有需要跟进的预警。",
    )
    english, chinese = both("ledger_unknown", *QUIET, totals_before={"merged": None})
    assert english == "Nobody knows here what the week before warned of: it is not wholly cached."
    assert chinese == "缓存没有完整包含前一周，无从得知当时有哪些预警。"


def test_the_short_report_has_one_claim_and_the_long_one_every_pull_request(tmp_path):
    pulls = [make_pull(n, "feat: engine", files=[make_file(f"core/e{n}.py", 900, 0)]) for n in range(1, 13)]
    db = cache_of(tmp_path, pulls)
    facts = reads.report(
        db, reads.Selection(REPO, iso_week("2026-W10")), lang="en", config=Config().digest, version="0"
    )
    short, long = (document(facts, length=length).sections[3] for length in ("S", "L"))
    assert [claim.kind for claim in short.claims] == ["tiers"]
    row = next(line for line in long.markdown.split("\n") if line.startswith("| Large change"))
    assert all(f"/{n})" in row for n in range(1, 13))


def test_rules_that_could_not_judge_are_in_the_facts(tmp_path):
    db = cache_of(tmp_path, [make_pull(1, reviews_known=False)])
    facts = reads.report(
        db, reads.Selection(REPO, iso_week("2026-W10")), lang="en", config=Config().digest, version="0"
    )
    assert {"missing": "reviews", "rule": "unreviewed", "n_prs": 1} in facts["unjudged"]
    ids = [claim["id"] for claim in with_claims(facts)["claims"]]
    assert "risks.fired" in ids and "risks.no_objection" not in ids
