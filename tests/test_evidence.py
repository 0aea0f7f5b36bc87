"""What rules found, said in both languages: every rule, whatever is known, missing or hostile."""

import json
import re

import pandas as pd
import pytest
from test_risk import PAIRS, fired

from analysis.risk import NEEDS, RULES
from analysis.unjudged import unjudged
from dashboard import evidence
from dashboard.words import Words, catalogue

EN, ZH = Words("en"), Words("zh")
BOTH = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
EVERY_RULE = pytest.mark.parametrize("rule", [rule.name for rule in RULES])
HOSTILE = "app/`x` **bold** :red[y] $z$ <b> [link](http://e.example).py"


def found_by(rule: str) -> tuple[float, dict]:
    """What a rule measures and finds in its case."""
    risks = fired(*PAIRS[rule])
    row = risks[risks["rule"] == rule].iloc[0]
    return row["value"], json.loads(row["evidence"])


def said(rule: str, facts: dict, words: Words = EN, value: float = 1.0) -> str:
    return evidence.sentence(rule, value, facts, words)


@BOTH
@EVERY_RULE
def test_every_rule_says_what_it_found_in_whole_sentences(rule: str, words: Words):
    value, facts = found_by(rule)
    told = said(rule, facts, words, value)
    assert told.endswith("." if words is EN else "。")
    assert "{" not in told and "None" not in told
    for entries in facts.values():
        for entry in entries if isinstance(entries, list) else []:
            assert "path" not in entry or f"`{entry['path']}`" in told


def test_no_english_is_left_in_chinese_evidence():
    for rule in PAIRS:
        value, facts = found_by(rule)
        told = re.sub(r"`[^`]*`|“[^”]*”|：cy", "", said(rule, facts, ZH, value))
        assert not re.search(r"[a-z]{2,}", told.replace("except", "").replace("finally", "")), told


def test_a_sentence_names_the_place_and_the_numbers():
    file = {"path": "app/core.py", "added": 30, "fixes_before": 6, "changes_before": 16}
    told = said("missing-tests", {"files": [file], "lines_added": 30, "tests_usual": 0.4})
    assert told == (
        "30 lines of logic came without a test: `app/core.py` (+30; fixes among its earlier changes: 6 of 16)."
        " Of earlier changes in that area 40% came with tests."
    )
    signal = {"kind": "name-removed", "path": "app/api.py", "line": 12, "detail": "open_it"}
    assert said("public-api", {"signals": [signal]}) == (
        "Names that went or changed: name removed (`app/api.py`, line 12: `open_it`)."
    )
    assert said("repair-chain", {"earlier": [{"kind": "repair", "number": 7, "hours": 60.0, "sure": False}]}) == (
        "It repairs #7 from 2.5 d before (only possible)."
    )


LISTED = re.compile(r"need\.\w+|evidence\.[\w-]+\.(signals\w*|companions|earlier)")


@BOTH
@pytest.mark.parametrize("key", list(filter(LISTED.fullmatch, catalogue("en"))))
def test_what_stands_in_a_list_holds_no_comma_that_could_part_it(key: str, words: Words):
    told = words(key, **dict.fromkeys(words.names(key), "x"))
    assert not re.search("[,、，;；]", re.sub(r"\([^)]*\)|（[^）]*）", "", told)), told


@BOTH
@EVERY_RULE
def test_evidence_with_something_missing_or_new_is_told_as_far_as_it_goes(rule: str, words: Words):
    value, facts = found_by(rule)
    for name, fact in facts.items():
        rest = {key: each for key, each in facts.items() if key != name}
        variants = [rest, facts | {name: None}, facts | {"of_later": {"a": [1]}, "others": [{"b": 2}, "c", None]}]
        for key in fact[0] if isinstance(fact, list) else ():
            entries = [{part: each for part, each in entry.items() if part != key} for entry in fact]
            variants += [facts | {name: entries}, facts | {name: [entry | {key: None} for entry in fact]}]
        for variant in variants:
            assert isinstance(said(rule, variant, words, value), str)
    assert isinstance(said(rule, {}, words), str)


def test_a_rule_of_a_later_version_gets_its_facts_as_they_are():
    assert said("of-later", {"path": "a.py", "threshold": 2}) == "path: `a.py`; threshold: `2`"
    assert evidence.label("of-later", EN) == "of-later"
    assert (evidence.why("of-later", EN), evidence.unit("of-later", EN)) == ("", "")


@EVERY_RULE
def test_names_from_a_repository_are_shown_as_written(rule: str):
    value, facts = found_by(rule)
    hostile = {
        name: [entry | {key: HOSTILE for key in entry if isinstance(entry[key], str)} for entry in fact]
        if isinstance(fact, list)
        else HOSTILE
        if isinstance(fact, str)
        else fact
        for name, fact in facts.items()
    }
    told = said(rule, hostile, EN, value)
    outside = re.sub(r"`[^`]*`", "", told).replace("\\*", "").replace("\\[", "").replace("\\<", "").replace("\\$", "")
    assert not re.search(r"\*\*|\[link|<b>|\$z", outside)


@BOTH
def test_every_reason_for_a_chain_link_is_told(words: Words):
    for facts in (
        {"rule": "said", "words": "Reverts acme/orbit#10"},
        {"rule": "words", "says": "follows", "words": "follows up on #10"},
        {"rule": "title_number", "number": 10},
        {"rule": "title", "title": "fix: count days"},
        {"rule": "branch", "branch": "revert-10-x"},
        {"rule": "mirror", "files": 8},
        {"rule": "through", "pr": 10},
        {"rule": "after_revert", "pr": 12, "words": "reverted in #12"},
        {"rule": "files", "share": 0.9, "path": "app/core.py"},
        {"rule": "mentioned", "words": "because of #10"},
    ):
        assert evidence.reason(facts, words)
    assert evidence.reason({"rule": "of-later"}, words) == evidence.reason({}, words) == ""


# --- what the catalogues say of the rules ----------------------------------------------------------------------


def test_english_labels_units_and_reasons_are_those_of_the_rules():
    for rule in RULES:
        told = (evidence.label(rule.name, EN), evidence.unit(rule.name, EN), evidence.why(rule.name, EN))
        assert told == (rule.label, rule.unit, rule.why)


def test_chinese_has_a_label_a_unit_and_a_reason_for_each_rule_and_no_two_labels_alike():
    labels = [evidence.label(rule.name, ZH) for rule in RULES]
    assert len(set(labels)) == len(RULES)
    for rule in RULES:
        for told in (evidence.label(rule.name, ZH), evidence.unit(rule.name, ZH), evidence.why(rule.name, ZH)):
            assert re.search(r"[\u4e00-\u9fff]", told)


@BOTH
def test_everything_a_rule_needs_has_a_name(words: Words):
    assert all(words(f"need.{need}") for need in (*NEEDS, "people"))


# --- what could not be judged ----------------------------------------------------------------------------------


def pulls(*silent: list[str], **known: object) -> pd.DataFrame:
    """Merged pull requests, everything known of them but what is told."""
    usual: dict[str, object] = {
        "files_complete": True,
        "reviews_known": True,
        "created_at": "2026-03-01",
        "merged_at": "2026-03-02",
    }
    usual["code_lines"] = 0
    return pd.DataFrame([usual | known | {"silent_rules": rules} for rules in silent])


def test_silent_rules_are_counted_by_what_is_missing():
    found = unjudged(pulls(["new-markers", "unreviewed"], ["unreviewed"], reviews_known=False))
    assert found.values.tolist() == [["reviews", "unreviewed", 2], ["patches", "new-markers", 1]]
    assert evidence.unjudged(found, EN) == "reviews (Unreviewed 2), patches (Unfinished or fragile code 1)"
    assert evidence.unjudged(found, EN, by_id=True) == "reviews (unreviewed 2), patches (new-markers 1)"
    assert evidence.unjudged(found, ZH, counted=False) == "评审（未经评审）、补丁内容（未完成或脆弱的代码）"


@pytest.mark.parametrize(
    ("rule", "known", "missing"),
    [
        ("merged-over-objection", {"reviews_known": None}, "reviews"),
        ("merged-over-objection", {}, "threads"),  # nothing else that it needs can be missing
        ("fast-merge", {"created_at": None}, "created_at"),
        ("fast-merge", {"files_complete": False}, "files"),
        ("large-change", {"code_lines": None}, "lines"),
        ("large-change", {"code_lines": None, "files_complete": False}, "files"),
        ("unfamiliar-area", {}, "people"),
        ("self-merged", {}, "people"),
        ("of-later", {}, "people"),
    ],
)
def test_the_first_thing_that_is_missing_counts(rule: str, known: dict, missing: str):
    assert unjudged(pulls([rule], **known))["missing"].tolist() == [missing]


def test_where_all_could_judge_there_is_nothing_to_tell():
    found = unjudged(pulls([]))
    assert found.empty and list(found) == ["missing", "rule", "n_prs"]
    assert unjudged(pulls()[:0]).empty
