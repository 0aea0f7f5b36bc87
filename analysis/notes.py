"""What authors say themselves of their pull requests, word for word."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

import pandas as pd

from analysis import sentences
from analysis.boilerplate import line_key
from analysis.measured import LONGEST, measured
from analysis.note_blocks import blocks, without_bullet
from analysis.prose import length, own_lines

BOTH = 260  # letters that two sentences have together at most
GOOD, SECOND = 1.6, 1.4  # points from which a sentence is quoted, and the one behind it too
MOST_RESULTS = 5
MOST_SENTENCES = 25  # of one description; later ones are hardly the best


@dataclass(frozen=True)
class Note:
    """What was found in one description."""

    text: str | None
    source: str | None  # release-note | body; None where there is no text
    measured: tuple[str, ...]


class _Found(NamedTuple):
    text: str
    block: int  # number of its paragraph
    place: int  # how many sentences came before it
    points: float
    is_release_note: bool


def notes(pulls: pd.DataFrame, template: Collection[str]) -> pd.DataFrame:
    """What does the author say of each change, word for word?

    Formula: the first sentence of a release note (a fence `release-note`, or what follows "Release note:",
        "Changelog", 发布说明); without one, the best sentence of the description, and the one behind it where both
        are short. Sentences get points for standing early, for words of the title, for a verb of change near their
        start (adds, fixes, 支持), for a reason and for standing under a heading such as "Summary"; they lose some for
        talk of reviews and tests, for leaning on what came before ("However"), for an address, and under headings
        such as "Tests" and "Usage". The repository's template, code, tables, quotes, folded parts, check boxes and
        trailers are not read, nor is what a bot wrote. What hardly says more than the title is no note, nor is a
        poor sentence.
    Misses: what is told only by code, a picture, a quote or a linked page; a release note told without such a word.
    Source: this project's own.
    Example: "Fixes a crash when the queue is empty. See #12 for details." gives "Fixes a crash when the queue is
        empty."

    Args:
        pulls: one row per pull request: number, title, body (or None), author_type.
        template: `boilerplate.boilerplate` of the repository.

    Returns:
        One row per row of `pulls`, in their order: number, note and note_source (release-note or body; both None where
        nothing suits), measured (list of text, see `measured.measured`).
    """
    columns = (pulls[name].tolist() for name in ("title", "body", "author_type"))
    found = [note(title, body, template, by_bot=kind == "bot") for title, body, kind in zip(*columns, strict=True)]
    texts = partial(pd.Series, index=pulls.index, dtype=object)
    return pd.DataFrame(
        {
            "number": pulls["number"],
            "note": texts([each.text for each in found]),
            "note_source": texts([each.source for each in found]),
            "measured": texts([list(each.measured) for each in found]),
        }
    )


def note(title: str, body: str | None, template: Collection[str], *, by_bot: bool = False) -> Note:
    """The note of one pull request: see `notes`. Its text is the body's after `sentences.plain`."""
    if not isinstance(body, str) or by_bot:
        return Note(None, None, ())
    found = list(_quotable(title, body, template))
    results = _results(body, template)
    if release := [each for each in found if each.is_release_note]:
        return Note(_with_neighbour(release, 0), "release-note", results)
    best = max(range(len(found)), key=lambda at: found[at].points, default=None)
    if best is None or found[best].points < GOOD:
        return Note(None, None, results)
    return Note(_with_neighbour(found, best), "body", results)


def _quotable(title: str, body: str, template: Collection[str]) -> Iterator[_Found]:
    named, place, n_found = sentences.content(title), 0, 0
    for number, block in enumerate(blocks(body, template)):
        if place >= MOST_SENTENCES and not block.is_release_note:
            continue
        by_place = sentences.by_place(block.heading, is_item=block.is_item)
        for sentence in islice(sentences.sentences(sentences.plain(block.text)), MOST_SENTENCES):
            if sentences.is_quotable(sentence) and line_key(sentence) not in template:
                said = sentences.content(sentence)
                if not sentences.repeats(said, named):
                    points = by_place + 2.0 / (1 + 0.3 * n_found) + sentences.by_words(sentence, said & named)
                    yield _Found(sentence, number, place, points, block.is_release_note)
                    n_found += 1
            place += 1


def _with_neighbour(found: list[_Found], at: int) -> str:
    """The sentence, with the one before where it leans on that, or a good one behind it, where both are short."""
    if at and sentences.leans(found[at].text):
        return _joined(found[at - 1], found[at]) or found[at].text
    if at + 1 < len(found) and found[at + 1].points >= SECOND:
        return _joined(found[at], found[at + 1]) or found[at].text
    return found[at].text


def _joined(first: _Found, second: _Found) -> str | None:
    """Two sentences as one quotation, if they are neighbours in a paragraph."""
    gap = "" if first.text[-1] in "。！？；" else " "
    both = f"{first.text}{gap}{second.text}"
    follows = second.block == first.block and second.place == first.place + 1
    return both if follows and length(both) <= BOTH else None


def _results(body: str, template: Collection[str]) -> tuple[str, ...]:
    own = [kept for lines in own_lines(body) if (kept := [each for each in lines if line_key(each) not in template])]
    # One that was cut at its end is no quotation.
    told = [without_bullet(sentences.plain(piece)) for piece in measured(body, own).evidence if len(piece) < LONGEST]
    return tuple(dict.fromkeys(told))[:MOST_RESULTS]
