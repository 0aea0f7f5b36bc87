import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from data.landings import read_landing

TITLES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1).map(
    lambda t: " ".join(t.split())
)


def named(message):
    """(number, title) of every pull request that a commit message brings."""
    landing = read_landing(message)
    return [(pull.number, pull.title) for pull in landing.pulls] if landing else []


@pytest.mark.parametrize(
    ("message", "number", "title"),
    [
        ("Add tides (#12)", 12, "Add tides"),
        ("Add tides(#12)", 12, "Add tides"),
        ("加入潮汐（#12）", 12, "加入潮汐"),
        ("gh-7: Add tides (GH-12)", 12, "gh-7: Add tides"),
        ("Add tides (Cherry-pick of #1) (#2)", 2, "Add tides (Cherry-pick of #1)"),
        ("Add tides (#1) (#2)", 2, "Add tides (#1)"),
        ('Revert "Add tides (#1)" (#3)', 3, 'Revert "Add tides (#1)"'),
        ('Revert "Revert "Add tides (#1)" (#3)" (#4)', 4, 'Revert "Revert "Add tides (#1)" (#3)"'),
        ("Fixes #7: add tides (#12)", 12, "Fixes #7: add tides"),
        ("Add tides (#12) [skip ci]", 12, "Add tides [skip ci]"),
        ("Add tides (#12).", 12, "Add tides"),
        ("(#12) [bot] Add tides", 12, "[bot] Add tides"),
        ("A title so long that somebody wrapped it\nbefore its number (#12)\n\nBody", 12, None),
        ("Add tides (#12)\n* first\n* second (#3)", 12, "Add tides"),
        ("Merge pull request #12 from ada/tides\n\nAdd tides", 12, "Add tides"),
        ("Merge pull request #12 from ada/feature/tides/deep\n\nAdd tides\n\nBody", 12, "Add tides"),
        ("Merge pull request #5 from upstream/main (#12)", 12, "Merge pull request #5 from upstream/main"),
        ("Merge harbour/tidepool#12: Add tides", 12, "Add tides"),
        ("Merge #12: Add tides", 12, "Add tides"),
        ("Merge remote-tracking branch 'origin/pr/12'", 12, ""),
        ("Auto merge of #12 - ada:tides, r=grace\n\nAdd tides\n\nBody", 12, "Add tides"),
        ("auto merge of #12 : ada/harbour/tides, r=grace\n\nAdd tides", 12, "Add tides"),
        ("auto merge of #12 : ada/harbour/tides, r=grace\n\nCloses #7", 12, ""),
        ("auto merge of #12 : ada/harbour/tides, r=grace\n\nThis adds tides\nto the harbour.", 12, ""),
        ("Merge #12\n\n12: Add tides r=grace a=ada\n\nBody", 12, "Add tides"),
        (
            "Add tides\n\nBody\n\nPR-URL: https://github.com/harbour/tidepool/pull/12\nReviewed-By: Grace",
            12,
            "Add tides",
        ),
        ("Add tides\n\nPR: #12", 12, "Add tides"),
        ("Add tides\n\nPull-Request: #12", 12, "Add tides"),
        ("Add tides\n\nPull Request: https://github.com/harbour/tidepool/pull/12", 12, "Add tides"),
        ("Add tides\n\nCloses-PR: #12", 12, "Add tides"),
        ("Add tides\n\nReviewed-on: https://git.example.org/harbour/tidepool/pulls/12", 12, "Add tides"),
        ("Add tides\n\nGitHub-Pull-Request: harbour/tidepool#12", 12, "Add tides"),
        ("Add tides\n\nPR: #12\n\nCo-authored-by: Grace Example <grace@example.org>", 12, "Add tides"),
        ("Add tides\n\nMore of it.\n\nCloses #12 from ada/tides.\n\nAuthored-by: Ada", 12, "Add tides"),
    ],
)
def test_a_commit_names_its_pull_request(message, number, title):
    if title is None:
        title = "A title so long that somebody wrapped it before its number"
    assert named(message) == [(number, title)]


@pytest.mark.parametrize(
    "message",
    [
        "Add tides",
        "Fixed #123",
        "Fixes #123 -- Added tides.",
        "Fixed #123, refs #12 -- Added tides.",
        "Add tides, closes #12",
        "Add tides (fixes #12)",
        "Add tides (see #12, #13)",
        "Add tides (issue #12)",
        "Refs #12 -- Corrected tides.",
        "bpo-12: Add tides",
        "issue #12: Add tides",
        "#12: Add tides",
        "Add tides #12",
        "Add tides (#0)",
        'Revert "Add tides (#12)"',
        'Revert "Add tides (#12)"\n\nThis reverts commit 0123456789abcdef.',
        'Revert "Add a title that was cut (#12)',
        'Reapply "Add tides (#12)"',
        "Merge branch 'main' into tides",
        "Merge branch 'fix-12' into main",
        "Merge pull request from a fork, thanks #12",
        "Add tides\n\nCloses #12",
        "Add tides\n\nCloses: #12\nFixes: #13",
        "Add tides\n\nSee https://github.com/harbour/tidepool/pull/12",
        "Add tides\n\nPR: 250012",  # a number of somebody's bug tracker
        "Add tides\n\nReviewed-on: https://review.example.org/c/tidepool/+/12",
        "Add tides\n\nPR: #12\n\nA paragraph after it.",
        "",
        "\n\n",
    ],
)
def test_a_ticket_an_issue_or_another_pull_request_is_not_the_commits_own(message):
    assert named(message) == []


def test_a_batch_of_bors_ng_brings_every_pull_request_with_its_own_title_body_and_author():
    message = (
        "Merge #12 #13\n\n12: Add tides r=grace a=ada\n\nHigh and low.\n\n13: Add moons r=grace,ada a=linus\n\nTwo."
    )
    landing = read_landing(message)
    assert [(p.number, p.title, p.body, p.author_login) for p in landing.pulls] == [
        (12, "Add tides", "High and low.", "ada"),
        (13, "Add moons", "Two.", "linus"),
    ]


def test_a_batch_of_bors_ng_that_tells_no_titles_still_brings_every_pull_request():
    assert named("Merge #12 #13") == [(12, ""), (13, "")]


def test_the_body_keeps_the_authors_words_without_co_author_trailers_and_the_rule_above_them():
    message = (
        "Add tides (#12)\r\n\r\n* add tides\r\n\r\n* fix lint\r\n\r\n---------\r\n\r\n"
        "Co-authored-by: Grace Example <grace@example.org>\r\n"
    )
    assert read_landing(message).pulls[0].body == "* add tides\n\n* fix lint"


def test_a_merge_tells_the_branch_and_whose_it_is():
    landing = read_landing("Merge pull request #12 from ada/feature/tides\n\nAdd tides")
    assert (landing.head_owner, landing.head) == ("ada", "feature/tides")
    landing = read_landing("Auto merge of #12 - ada:feature/tides, r=grace\n\nAdd tides")
    assert (landing.head_owner, landing.head) == ("ada", "feature/tides")
    landing = read_landing("auto merge of #12 : ada/harbour/feature/tides, r=grace\n\nAdd tides")
    assert (landing.head_owner, landing.head) == ("ada", "feature/tides")


def test_only_bors_and_branches_of_githubs_queue_count_as_queued():
    assert read_landing("Auto merge of #12 - ada:tides, r=grace\n\nAdd tides").method == "queue"
    assert read_landing("Merge #12\n\n12: Add tides r=grace a=ada").method == "queue"
    queued = "Merge pull request #12 from harbour/gh-readonly-queue/main/pr-12-0123\n\nAdd tides"
    assert read_landing(queued).method == "queue"
    assert read_landing("Merge pull request #12 from ada/tides\n\nAdd tides").method is None


@given(title=TITLES, number=st.integers(1, 999_999))
def test_any_title_comes_back_from_a_squash(title, number):
    assume(not title.startswith(("Revert", "Reapply")))
    assert named(f"{title} (#{number})") == [(number, title)]


@given(message=st.text())
def test_no_message_breaks_the_reader(message):
    for number, title in named(message):
        assert number > 0
        assert "\n" not in title


@pytest.mark.parametrize(
    "message",
    ["Merge " + "#1 " * 50_000, "(#1) [" * 50_000, "a" + " " * 100_000 + "(#1", "x\n" * 50_000, "a: " * 50_000],
)
def test_a_long_odd_message_is_read_in_no_time(message):
    begun = time.perf_counter()
    assert read_landing(message) is None
    assert time.perf_counter() - begun < 2
