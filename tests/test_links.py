import time

import pytest

from data.links import MOST_EVIDENCE, MOST_MENTIONS, links, reverted_commits


def found(title, body="", *, number=99, repo="harbour/tidepool"):
    return [(link["kind"], link["number"], link["repo"]) for link in links(title, body, number=number, repo=repo)]


@pytest.mark.parametrize(
    "words",
    [
        "Closes #7",
        "closed: #7",
        "Fix #7",
        "FIXES #7.",
        "This resolves #7, finally",
        "Fixes harbour/tidepool#7",
        "Fixes Harbour/Tidepool#7",
        "Closes GH-7",
        "Closes https://github.com/harbour/tidepool/issues/7",
    ],
)
def test_githubs_keywords_close_an_issue(words):
    assert found("Add tides", words) == [("closes", 7, None)]


@pytest.mark.parametrize(
    "words", ["see #7", "#7", "prefix #7", "Closes\n#7", "fixes bug in #7", "(#7)", "修复#7引入的问题"]
)
def test_a_number_without_a_keyword_before_it_is_a_mention(words):
    assert found("Add tides", words) == [("refers", 7, None)]


@pytest.mark.parametrize("words", ["C#7", "&#39;", "# 7", "#007", "#0", "page#7", "x/y/pull/7", "#12345678"])
def test_what_only_looks_like_a_number_is_none(words):
    assert found("Add tides", words) == []


def test_another_repository_is_named_and_ones_own_is_not():
    body = (
        "After other/repo#7, https://github.com/other/repo/pull/8/files and https://github.com/harbour/tidepool/pull/9"
    )
    assert found("Add tides", body) == [("refers", 7, "other/repo"), ("refers", 8, "other/repo"), ("refers", 9, None)]


def test_a_number_counts_once_by_the_strongest_of_its_words_and_never_ones_own():
    assert found("Follow up on #7", "See #7. Fixes #7. Part of #99.") == [("closes", 7, None)]


def test_githubs_revert_button_means_this_repository_under_any_name():
    assert found('Revert "Add tides"', "Reverts old-harbour/tidepool#7") == [("reverts", 7, None)]


def test_what_the_button_says_is_surer_than_a_number_in_the_quoted_title():
    assert found('Revert "Add tides (#5)"', "Reverts harbour/tidepool#7") == [("reverts", 7, None), ("refers", 5, None)]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ('Revert "Add tides (#7)"', [("reverts", 7, None)]),
        ('[core] fix: Revert "Add tides (#7)"', [("reverts", 7, None)]),
        ('revert: "Add tides (#7)"', [("reverts", 7, None)]),
        ('Revert "Revert "Add tides" (#7)"', [("reverts", 7, None)]),
        ('Revert "Revert "Add tides (#7)" (#8)"', [("reverts", 8, None), ("reapplies", 7, None)]),
        (
            'Revert "Revert "Revert "Add tides (#7)" (#8)" (#9)"',
            [("reverts", 9, None), ("reapplies", 8, None), ("reverts", 7, None)],
        ),
        ('Reapply "Add tides (#7)"', [("reapplies", 7, None)]),
        ('Revert "Reapply "Add tides (#7)""', [("reverts", 7, None)]),
        ('Revert "Add tides (#7', [("refers", 7, None)]),
        ("revert default value", []),
        ('Revert "Fixes #7: add tides (#8)"', [("reverts", 8, None), ("refers", 7, None)]),
    ],
)
def test_a_quoted_title_is_reverted_and_a_revert_of_a_revert_applies_again(title, expected):
    assert found(title) == expected


NOT_SAID = [
    "<!-- {} -->",
    "<!-- e.g.\n{}\n-->",
    "<!-- never closed\n{}",
    "```\n{}\n```",
    "- Log:\n      ```text\n      {}\n      ```",
    "~~~\n{}\n~~~",
    "```\n{}",
    "````\n```\n{}\n```\n````",
    "Write `{}` in the text",
    "Write ``a ` and {}`` in the text",
    "> {}",
    "  > > {}",
    "```\r\n{}\r\n```\r\n",
]


@pytest.mark.parametrize("around", NOT_SAID)
def test_what_stands_in_comments_code_or_quotations_is_not_said(around):
    for words in ("Reverts #7", "Closes #7", "See #7"):
        assert found("Add tides", around.format(words)) == []
    assert reverted_commits(around.format("This reverts commit 0a1b2c3d4e.")) == []


@pytest.mark.parametrize(
    "body",
    [
        "<!-- why -->\nReverts #7\n<!-- more -->",
        "> It broke the build\n\nReverts #7",
        "```\na trace\n```\nReverts #7\n```\nanother\n```",
        "The `tide` of `sea`: Reverts #7, not `sky`",
        "An indented line:\n\n    ```\n\nReverts #7",
        "```inline``` and more\nReverts #7",
    ],
)
def test_what_stands_beside_comments_code_and_quotations_is_said(body):
    assert found('Revert "Add tides"', body) == [("reverts", 7, None)]


def test_evidence_is_the_words_themselves_and_bounded():
    (link,) = links("Add tides", "It closes   #7 for good.", number=99)
    assert link["evidence"] == "closes #7"
    (link,) = links("Add tides", "word " * 100 + "#7", number=99)
    assert len(link["evidence"]) == MOST_EVIDENCE


def test_mentions_are_bounded_but_what_is_closed_is_not():
    changelog = "\n".join(f"- #{number}" for number in range(100, 400)) + "\nCloses #7\nCloses #8"
    kinds = [kind for kind, _, _ in found("Release notes", changelog)]
    assert kinds == ["closes", "closes"] + ["refers"] * MOST_MENTIONS


@pytest.mark.parametrize(
    "body",
    ["a/" * 50_000, "x" * 100_000 + "#7", "#7 " * 30_000, "Reverts " * 20_000, '"Revert "' * 2000]
    + [
        mark * 30_000 + "#7"
        for mark in ("<!--", "`", "` `` ", "``` ", "\n```a`", "\n~~~", "\n    ~~~\n    ```", "> ", "\n>")
    ]
    + [
        " ".join("`" * n for n in range(300, 0, -1)) + "#7",
        "\n".join("    " + "`" * n for n in range(300, 2, -1)) + "#7",
    ],
)
def test_a_long_odd_body_is_read_in_no_time(body):
    begun = time.perf_counter()
    links(body[:5000], body, number=99)
    assert time.perf_counter() - begun < 2
