"""What authors say themselves: chosen well, word for word, from any text."""

import re
import time

import pandas as pd
import pytest
from caches import cache_of
from factories import make_pull
from hypothesis import given
from hypothesis import strategies as st

from analysis.boilerplate import boilerplate
from analysis.notes import note, notes
from analysis.window import iso_week
from dashboard import reads
from dashboard.reads import Selection

TEMPLATE = """### What does this PR do?

{what}

> Add a concise overview of what this PR aims to achieve.

Adds of this kind are told to those who release, which makes the next version easier.

### Checklist

- [x] Read the contribution guide, which explains the rules
that this project has.
"""
LEARNED = boilerplate([TEMPLATE.format(what=each) for each in ("One.", "Two.", "Three.", "")])
TITLE = "fix: queue"


def text(body, title=TITLE, template=frozenset()):
    return note(title, body, template).text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Adds a retry to the download step, so that a lost packet no longer fails the run.", None),
        ("Fixes a crash when the list is empty. See #12 for details.", "Fixes a crash when the list is empty."),
        ("**Summary:** Adds _two_ new [backends](https://example.org/x).", "Adds two new backends."),
        (
            "Splits the handler of errors into cases, so that the reader gets a hint:\n\n- Bad JSON: told by its line",
            "Splits the handler of errors into cases, so that the reader gets a hint",
        ),
        (
            "**`load` in `files.py`**: Adds a cache for **parsed `x` files**.",
            "`load` in `files.py`: Adds a cache for parsed `x` files.",
        ),
        ("修复了空队列时的崩溃问题。详见文档。", "修复了空队列时的崩溃问题。"),
        ("新增断点续训，\n训练中断后可以继续。", "新增断点续训，训练中断后可以继续。"),
        ("- Removes the old `**kwargs` path of the loader\n- tests", "Removes the old `**kwargs` path of the loader"),
        (
            "Adds a cache for parsed files.\n\nSigned-off-by: Some Body <a@example.org>",
            "Adds a cache for parsed files.",
        ),
        ("The list was empty before. However, this fixes the queue of the worker, which crashed.", None),
    ],
)
def test_the_best_sentence_is_quoted(body, expected):
    assert text(body) == (expected or body)


@pytest.mark.parametrize(
    "body",
    [
        None,
        "",
        "  \n\n",
        "fix: queue",
        "Fixes #12",
        "Reverts octo/app#12",
        "The changes of this pull request are:",
        "<!-- Adds a cache for parsed files. -->",
        "<!-- Adds a cache for parsed files.",
        "```\nAdds a cache for parsed files.\n```",
        "```\nAdds a cache for parsed files.",
        "- [ ] Adds a cache for parsed files\nand tells of it.",
        "<details>\nAdds a cache for parsed files.\n</details>",
        "> Adds a cache for parsed files.",
        "| Adds a cache for parsed files. | yes |\n|---|---|",
        "![Adds a cache for parsed files](https://example.org/x.png)",
        "https://example.org/adds/a/cache/for/parsed/files",
        "    Adds a cache for parsed files.",
        "Please review this soon, thanks.",
    ],
)
def test_nothing_suitable_is_no_note(body):
    assert text("\n\n" + body if body else body) is None


def test_what_only_repeats_the_title_is_no_note():
    assert text("This PR adds support for the parsed files cache.", "feat: support parsed files cache") is None
    assert text("支持断点续训功能。", "feat: 支持断点续训功能") is None


def test_the_template_is_not_quoted_but_what_stands_in_it():
    own = "Moves the lock into the writer, so that readers no longer wait."
    assert text(TEMPLATE.format(what=own), template=LEARNED) == own
    assert text(TEMPLATE.format(what=""), template=LEARNED) is None


def test_what_a_quarter_of_a_dozen_descriptions_hold_is_boilerplate():
    bodies = [f"Own line {n}\nIt was tested." if n < 3 else f"Own line {n}" for n in range(12)]
    assert boilerplate(bodies) == {"it was tested."}
    assert boilerplate([None, "", *bodies[:2]]) == frozenset()


def test_a_long_line_is_boilerplate_sooner_than_a_short_one():
    long, short = "Read the contribution guide before you ask for a review.", "It was tested."
    bodies = [f"{long}\n{short}"] * 3 + [f"Line {n}" for n in range(100)]
    assert boilerplate(bodies) == {long.casefold()}


@pytest.mark.parametrize(
    "release",
    [
        "```release-note\nThe `--fast` flag is on by default now.\n```",
        "## Release notes\n\nThe `--fast` flag is on by default now.\n\n## Else\n\nAdds words.",
        "Release note: The `--fast` flag is on by default now.",
        "**Changelog:**\n\n- The `--fast` flag is on by default now.",
        "### 发布说明\n\nThe `--fast` flag is on by default now.",
    ],
)
def test_a_release_note_comes_first(release):
    found = note(TITLE, f"Fixes the queue of the worker, which crashed.\n\n{release}\n", frozenset())
    assert (found.text, found.source) == ("The `--fast` flag is on by default now.", "release-note")


def test_an_empty_release_note_gives_way_to_the_description():
    found = note(TITLE, "Adds a cache for parsed files.\n\n```release-note\nNONE\n```", frozenset())
    assert (found.text, found.source) == ("Adds a cache for parsed files.", "body")


def test_measured_results_are_quoted_as_they_stand():
    body = "- Up to +12 % throughput on one node.\n\n| n | before | after |\n|---|---|---|\n| 8 | 41 s | **12 s** |\n"
    assert note(TITLE, body, frozenset()).measured == (
        "Up to +12 % throughput on one node.",
        "n: 8; before: 41 s; after: 12 s",
    )


def test_a_frame_gives_a_row_for_each_row_and_bots_have_no_words():
    body = "Adds a cache for parsed files."
    pulls = pd.DataFrame(
        [(7, TITLE, body, "human"), (3, TITLE, body, "bot"), (5, TITLE, None, None)],
        columns=["number", "title", "body", "author_type"],
    )
    found = notes(pulls, frozenset())
    assert found["number"].tolist() == [7, 3, 5]
    assert found["note"].tolist() == [body, None, None]
    assert found["note_source"].tolist() == ["body", None, None]
    assert found["measured"].tolist() == [[], [], []]
    assert notes(pulls[:0], frozenset()).columns.tolist() == found.columns.tolist()
    assert notes(pulls[::-1], frozenset())["note"].tolist() == [None, None, body]


def bare(words):
    """Without white space, comments, images, targets of links, and signs of emphasis and links."""
    words = re.sub(r"<!--.*?(?:-->|$)", "", words.replace("\r", ""), flags=re.DOTALL)
    words = re.sub(r"!\[[^\[\]]*\]\([^()\s]*\)|<img[^<>]*>|\]\([^()\s]*\)", "", words)
    return re.sub(r"[\s\0*_~\[\]]", "", words)


WRITTEN = (
    "Adds a cache for files|It no longer crashes|which fails because|修复了空队列时的崩溃问题|。|. |Release note: "
)
MARKS = "**|*|_|`|~~|!|:|[link|](https://e.org/x)|<!--|-->|> |- |1. |# |    |<details>|</details>|```|\u202e|\0|\r|| "
PIECES = st.sampled_from([*WRITTEN.split("|") * 2, *MARKS.split("|"), "\n", "\n", "\n\n"])


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=300))
def test_a_note_is_word_for_word_of_the_description(body):
    found = text(body)
    assert found is None or (found and bare(found) in bare(body))


@pytest.mark.parametrize(
    "body",
    [
        "a" * 60_000,
        "Adds a word. " * 5_000,
        "- Adds an item to the list\n" * 10_000,
        "```\n" * 10_000,
        "<!--" * 15_000,
        "[" * 60_000,
        "![a](" * 12_000,
        "*a " * 20_000,
        "**a" * 20_000,
        "<details>" * 7_000,
        "<img " * 12_000,
        "(" * 30_000 + ")" * 30_000,
        "https://" + "a/" * 30_000,
        "\u202eAdds a\0 word" * 4_000,
        "| a " * 15_000,
        "修复" * 30_000,
        "\n" * 60_000,
        " " * 60_000,
        "Adds a word\n" + " \n" * 30_000,
    ],
)
def test_a_hostile_description_takes_no_longer_than_its_length(body):
    boilerplate([body] * 3)
    started = time.process_time()
    note(TITLE, body, frozenset())
    assert time.process_time() - started < 0.3


def test_the_report_and_a_pull_request_tell_the_note_and_learn_only_from_what_was_merged_by_then(tmp_path):
    rule = "Adds of this kind are told to those who release, which makes the next version easier."
    own = "Moves the lock into the writer, so that readers no longer wait."
    pulls = [make_pull(n, f"fix: part {n}", body=f"{own if n == 1 else n}\n\n{rule}") for n in (1, 2, 3)]
    later = [make_pull(n, "fix: more", body=own, merged_at=f"2026-05-0{n}T00:00:00Z") for n in (4, 5, 6)]
    db = cache_of(tmp_path, [*pulls, *later])
    selection = Selection("acme/orbit", iso_week("2026-W10"))
    told = reads.report(db, selection, lang="en", config="", version="0")["pulls"]
    found = {pull["number"]: (pull["note"], pull["note_source"], pull["measured"]) for pull in told}
    assert found == {1: (own, "body", []), 2: (None, None, []), 3: (None, None, [])}
    assert reads.pull(db, selection, 1).said.text == own
