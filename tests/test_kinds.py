"""Title before files, files before labels, labels before words."""

import pytest

from analysis.kinds import KINDS, is_breaking, kind
from analysis.titles import parse


def kind_of(title: str, *categories: str, labels: tuple[str, ...] = ()) -> str:
    return kind(parse(title), categories, labels)


def test_kinds_are_those_of_the_contract():
    assert KINDS == ("feat", "fix", "perf", "refactor", "docs", "test", "ci", "build", "chore", "revert", "other")


def test_what_the_title_says_counts_before_anything_else():
    assert kind_of("feat: a new guide", "docs", labels=("bug",)) == "feat"
    assert kind_of('Revert "feat: paging"', "source") == "revert"


@pytest.mark.parametrize(
    ("categories", "expected"),
    [
        (["docs"], "docs"),
        (["docs", "asset"], "docs"),
        (["test"], "test"),
        (["test", "data"], "test"),
        (["ci"], "ci"),
        (["ci", "container"], "ci"),
        (["dependency", "lock"], "build"),
        (["lock"], "build"),
        (["container"], "build"),
        (["config"], "chore"),
        (["generated"], "chore"),
    ],
)
def test_a_change_to_nothing_else_is_of_the_kind_of_its_files(categories, expected):
    assert kind_of("Some words about it", *categories) == expected


def test_code_makes_files_say_nothing():
    assert kind_of("Some words about it", "source", "docs", "test") == "other"


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("bug", "fix"),
        ("kind/bug", "fix"),
        ("Type: Bug", "fix"),
        ("enhancement", "feat"),
        ("documentation", "docs"),
        ("dependencies", "build"),
        ("doctor", "other"),
        ("debugger", "other"),
        ("api-change", "other"),
    ],
)
def test_a_label_counts_as_whole_words(label, expected):
    assert kind_of("Some words about it", "source", labels=(label,)) == expected


def test_of_several_labels_the_order_of_kinds_decides():
    assert kind_of("Words", "source", labels=("docs", "enhancement")) == "feat"
    assert kind_of("Words", "source", labels=("enhancement", "docs")) == "feat"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Add paging", "feat"),
        ("Support paging", "feat"),
        ("Fixed a leak", "fix"),
        ("Don't crash on empty input", "fix"),
        ("Remove the old client", "refactor"),
        ("Rename orders to baskets", "refactor"),
        ("Bump requests from 2.31 to 2.32", "build"),
        ("Optimise the inner loop", "perf"),
        ("Test the inner loop", "test"),
        ("Document the inner loop", "docs"),
        ("Release 1.2", "chore"),
        ("Inner loop: leak fix", "fix"),
        ("修复登录问题", "fix"),
        ("新增登录", "feat"),
        ("Addendum to the inner loop", "other"),
        ("Fixtures of the inner loop", "other"),
        ("", "other"),
    ],
)
def test_a_plain_title_is_known_by_its_words(title, expected):
    assert kind_of(title, "source") == expected


@pytest.mark.parametrize("label", ["breaking", "breaking-change", "Breaking Change", "semver-major", "type: breaking"])
def test_a_label_says_breaking(label):
    assert is_breaking(parse("Drop v1"), labels=[label])


@pytest.mark.parametrize("label", ["groundbreaking", "not-breaking-at-all", "line-breaking"])
def test_a_label_that_only_holds_the_word_does_not(label):
    assert not is_breaking(parse("Drop v1"), labels=[label])


def test_a_footer_says_breaking():
    assert is_breaking(parse("Drop v1"), "It was time.\r\n\r\nBREAKING CHANGE: v1 is gone.\r\n")
    assert is_breaking(parse("Drop v1"), "BREAKING-CHANGE: v1 is gone.")


@pytest.mark.parametrize(
    "body",
    [
        None,
        "",
        "Breaking change: none of it.",
        "BREAKING CHANGE: None",
        "<!-- BREAKING CHANGE: describe it here -->",
        "```\nBREAKING CHANGE: an example\n```",
        "Mark it with BREAKING CHANGE: in the last paragraph",
        "BREAKING CHANGE:",
        "\0" * 60_000,
    ],
)
def test_templates_and_mentions_are_no_footer(body):
    assert not is_breaking(parse("Drop v1"), body)
