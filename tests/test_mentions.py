"""What a text says of the pull requests that it names."""

import pytest

from analysis.mentions import said_of


def said(body, title="Change a thing", numbers=range(1, 1000)):
    return {each.number: each.says for each in said_of(title, body, numbers)}


@pytest.mark.parametrize(
    "words",
    [
        "Fixes a bug introduced in #12.",
        "This regressed in #12, and nobody noticed.",
        "Broken since #12",
        "#12 broke the Windows build.",
        "#12 (closed by the revert) regressed the nightly job:",
        "acme/orbit#12 introduced a regression for pull mode.",
        "A hang caused by the recently merged change [queue](https://github.com/acme/orbit/pull/12).",
        "#12 accidentally changed the output.",
        "#12 will cause an error at midnight",
    ],
)
def test_a_number_is_blamed(words):
    assert said(words) == {12: "blames"}


@pytest.mark.parametrize(
    "words",
    [
        "Follow-up to #12.",
        "This follows up on #12",
        "The check added in #12 misses empty lists.",
        "Although #12 changed how plans are read, drafts were left out.",
        "After #12, the names differ.",
        "Fix #12 for empty input",
    ],
)
def test_a_number_is_followed(words):
    assert said(words) == {12: "follows"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("Reverts acme/orbit#12", "reverts"),
        ("1. Revert https://github.com/acme/orbit/pull/12/, because it hangs", "reverts"),
        ("This partially reverts the changes from #12.", "reverts"),
        ("This takes #12 out again.", "reverts"),
        ("Reland of #12", "reapplies"),
        ("Reapplies #12, reverted in #13.", "reapplies"),
    ],
)
def test_a_number_is_taken_out_or_brought_back(words, says):
    assert said(words)[12] == says


@pytest.mark.parametrize(
    "words",
    [
        "See #12.",
        "Similar fix: https://github.com/acme/orbit/pull/12",
        "- [x] Search for similar pull requests: #12",
        "The counterpart of #12, which fixed the same bug for the other engine",
        "Depends on the queue added in #12",
        "The failure was fixed in #12",
        "This doesn't revert #12 but works around it",
        "Do we revert #12 or merge this?",
        "We will revert #12 after the release",
        "<!-- a bug introduced in #12 -->",
        "```\nbroken since #12\n```",
        "> broken since #12",
        "`broken since #12`",
        "Broken for long. See #12.",
    ],
)
def test_a_plain_mention_says_nothing(words):
    assert said(words) == {}


def test_one_word_can_stand_for_several_numbers():
    assert said("Fix two bugs introduced by #12 and #14.") == {12: "blames", 14: "blames"}


def test_the_strongest_word_about_a_number_counts():
    assert said("Follow-up to #12.\n\nThis reverts #12 in part.") == {12: "reverts"}


def test_only_numbers_that_are_meant_count():
    assert said("Fixes a bug introduced in #12 and #14", numbers={14}) == {14: "blames"}


def test_code_within_a_sentence_stays_in_its_words():
    [found] = said_of("x", "The wrong `weight` of `scale` came in with #12, as `broken by #13` would not", {12, 13})
    assert (found.number, found.words) == (12, "The wrong weight of scale came in with #12, as would not")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("修复 #12 引入的问题", "blames"),
        ("修复#12导致的死锁", "blames"),
        ("该崩溃由 #12 引入", "blames"),
        ("#12 破坏了夜间构建", "blames"),
        ("修复由 https://github.com/acme/orbit/pull/12引入的回归", "blames"),
        ("修正 #12 的遗漏", "follows"),
        ("#12 的后续", "follows"),
        ("完善 #12 中新增的检查", "follows"),
        ("回退 #12", "reverts"),
        ("本 PR 撤销了 #12 的改动", "reverts"),
        ("还原 PR #12", "reverts"),
        ("将 #12 回滚", "reverts"),
        ("重新合入 #12", "reapplies"),
    ],
)
def test_chinese_says_the_same(words, says):
    assert said(words) == {12: says}
    assert said(None, title=words) == {12: says}


@pytest.mark.parametrize(
    "words", ["参见 #12", "与 #12 类似", "不会回退 #12", "回退 #12 之后的版本号", "回滚到 #12", "依赖 #12 合入"]
)
def test_a_plain_mention_in_chinese_says_nothing(words):
    assert said(words) == {}


def test_the_title_speaks_too():
    assert said(None, title="fix: timeline broken since #12") == {12: "blames"}


def test_words_are_kept_short():
    [found] = said_of("x", "word " * 100 + "a bug introduced in #12 " + "word " * 100, {12})
    assert len(found.words) <= 120
    assert "introduced in #12" in found.words
