import pytest

from data.trailers import co_authors, plain_text, trailers, without_co_authors


def people_in(message):
    return [(who["person"]["login"], who["person"]["name"], who["person"]["email"]) for who in co_authors(message)]


def test_five_trailers_with_one_malformed_and_one_in_chinese_give_five_people():
    message = """Add tides (#12)

Co-authored-by: Grace Example <grace@example.org>
co-authored-by:Linus Example <12345+linus@users.noreply.github.com>
Co-Authored-By: 李鸣 <liming@example.org>
Co-authored-by: Broken Example <broken at example
Co-authored-by: Claude <noreply@anthropic.com>
"""
    assert people_in(message) == [
        (None, "Grace Example", "grace@example.org"),
        ("linus", "Linus Example", "12345+linus@users.noreply.github.com"),
        (None, "李鸣", "liming@example.org"),
        (None, "Broken Example", None),
        (None, "Claude", "noreply@anthropic.com"),
    ]
    assert [who["is_ai"] for who in co_authors(message)] == [False, False, False, False, True]


@pytest.mark.parametrize(
    ("trailer", "expected"),
    [
        ("Grace Example <>", (None, "Grace Example", None)),
        ("Grace Example", (None, "Grace Example", None)),
        ("grace@example.org", (None, None, "grace@example.org")),
        ("<grace@example.org>", (None, None, "grace@example.org")),
        ('"Grace Example" <grace@example.org>"', (None, "Grace Example", "grace@example.org")),
        ("@grace-example", ("grace-example", None, None)),
        ("Grace Example <GRACE@Example.org>", (None, "Grace Example", "grace@example.org")),
    ],
)
def test_a_sloppy_trailer_gives_what_it_tells(trailer, expected):
    assert people_in(f"Add tides\n\nCo-authored-by: {trailer}") == [expected]


@pytest.mark.parametrize("trailer", ["", "<>", "< @ >", "   "])
def test_a_trailer_that_names_nobody_is_left_out(trailer):
    assert co_authors(f"Add tides\n\nCo-authored-by: {trailer}") == []


def test_somebody_named_twice_counts_once():
    twice = (
        "Co-authored-by: Grace Example <grace@example.org>\n\n* more\n\nCo-authored-by: G. Example <grace@example.org>"
    )
    assert people_in(twice) == [(None, "Grace Example", "grace@example.org")]


def test_a_quoted_or_mentioned_trailer_names_nobody():
    assert co_authors("> Co-authored-by: Grace Example <g@example.org>\nAdd a Co-authored-by: line to commits") == []


@pytest.mark.parametrize(
    "assistant",
    [
        "Claude <noreply@anthropic.com>",
        "Claude Opus 4.5 (1M context) <noreply@anthropic.com>",
        "Copilot <175728472+Copilot@users.noreply.github.com>",
        "copilot-swe-agent[bot] <198982749+Copilot@users.noreply.github.com>",
        "Copilot Autofix powered by AI <175728472+Copilot@users.noreply.github.com>",
        "Cursor <cursoragent@cursor.com>",
        "gemini-code-assist[bot] <176961590+gemini-code-assist[bot]@users.noreply.github.com>",
        "OpenAI Codex <codex@openai.com>",
        "GPT-5.5 <noreply@openai.com>",
        "Devin AI <158243242+devin-ai-integration[bot]@users.noreply.github.com>",
        "openhands <openhands@all-hands.dev>",
        "aider (gpt-4o) <noreply@aider.chat>",
        "google-labs-jules[bot] <161369871+google-labs-jules[bot]@users.noreply.github.com>",
    ],
)
def test_a_coding_assistant_is_told_apart_and_is_no_person(assistant):
    (found,) = co_authors(f"Add tides\n\nCo-authored-by: {assistant}")
    assert found["is_ai"]
    assert found["person"]["type"] == "bot"


@pytest.mark.parametrize(
    "human",
    [
        "Claude Example <claude@example.org>",
        "Claude <claude@example.org>",
        "Devin Example <devin@example.org>",
        "Jules Example <jules@example.org>",
        "Grace Example <grace@anthropic.com>",
        "Linus Example <linus@openai.com>",
        "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>",
    ],
)
def test_people_with_an_assistants_name_or_employer_and_other_bots_are_no_assistants(human):
    (found,) = co_authors(f"Add tides\n\nCo-authored-by: {human}")
    assert not found["is_ai"]


def test_taking_co_authors_away_leaves_the_rest_as_it_was():
    text = "Add tides.\n\n    indented\n\n---\n\nMore.\n\nSigned-off-by: Ada\nCo-authored-by: Grace <g@example.org>"
    assert without_co_authors(text) == "Add tides.\n\n    indented\n\n---\n\nMore.\n\nSigned-off-by: Ada"
    assert without_co_authors("Add tides.\n\n---------\n\nCo-authored-by: Grace <g@example.org>\n") == "Add tides."
    assert without_co_authors("Add tides.\n\n---------\n") == "Add tides.\n\n---------"


def test_trailers_are_read_from_a_last_paragraph_of_trailers_only():
    text = "Add tides.\n\nPull Request: #12\nReviewed-by: Grace\n  and others\n(cherry picked from commit 0123456)"
    assert list(trailers(text)) == [("pull-request", "#12"), ("reviewed-by", "Grace")]
    assert list(trailers("PR: #12\n\nAdd tides.")) == []
    assert list(trailers("Add tides.\nPR: #12")) == []


def test_plain_text_has_unix_lines_no_nul_and_no_half_characters():
    assert plain_text("a\r\nb\rc\0d \ud83d e \U0001f600") == "a\nb\ncd ? e \U0001f600"
