"""The report as a document: its claims told in one language, laid out in six sections."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from analysis.claims import LENGTHS, SECTIONS, Claim, Length, claims, is_cached
from analysis.window import Window
from dashboard import evidence, formats
from dashboard.report.layouts import lay_out
from dashboard.report.targets import MARK_CLOSE, MARK_OPEN, Markdown, PlainText
from dashboard.report.wording import Told, wording
from dashboard.words import Words


@dataclass(frozen=True)
class Section:
    """One of the six sections."""

    name: str
    heading: str
    markdown: str
    claims: tuple[Told, ...]


@dataclass(frozen=True)
class Document:
    """A report as a reader gets it: every text is Markdown that shows alike wherever Markdown is read."""

    lang: str
    title: str
    facts: tuple[str, ...]  # one line: what is reported on
    notes: tuple[str, ...]  # what a reader must know of the rows
    sections: tuple[Section, ...]
    made: str  # how this text was made
    problems: tuple[str, ...] = ()  # with a team's own layouts, for those who keep them

    @property
    def markdown(self) -> str:
        """The whole, as a file."""
        top = [f"# {self.title}", " · ".join(self.facts), *(f"> {note}" for note in self.notes)]
        parts = [f"## {section.heading}\n\n{section.markdown}".rstrip() for section in self.sections]
        return "\n\n".join([*top, *parts, f"---\n\n{self.made}"]) + "\n"


def document(
    facts: Mapping[str, Any],
    *,
    length: Length = "M",
    templates: Path | None = None,
    urls: Mapping[int, str] | None = None,
    marked: bool = False,
) -> Document:
    """The report in words.

    Args:
        facts: as `reads.report` gives them; their language is the document's.
        length: S, M or L: how much is told.
        templates: a folder with a team's own layouts of sections.
        urls: number -> address of a pull request, where it is not the one on its host: pages have their own.
        marked: whether sentences are marked for `html.body`, which takes the marks out again.
    """
    lang, written = facts["lang"], wording(facts["lang"], Markdown.name)
    shown = LENGTHS[: LENGTHS.index(length) + 1]
    found = [claim for claim in claims(facts) if claim.level in shown]
    urls = _urls(facts, found) if urls is None else urls
    told = [written.told(claim, urls) for claim in found]
    told = [_marked(each, at) for at, each in enumerate(told)] if marked else told
    words, window = Words(lang), _window(facts)
    claimed = {name: tuple(each for each in told if each.section == name) for name in SECTIONS}
    laid_out = {name: lay_out(name, own, lang=lang, length=length, own=templates) for name, own in claimed.items()}
    title = formats.window_title(window, lang, facts["window"]["release"])
    return Document(
        lang=lang,
        title=written.written(words("report.title", repo=facts["repo"], window=title)),
        facts=tuple(written.written(fact) for fact in _lead(facts, window, words)),
        notes=tuple(str(written.target.escape(note)) for note in _notes(facts, words)),
        sections=tuple(
            Section(name, words(f"report.heading.{name}"), laid_out[name].markdown, own)
            for name, own in claimed.items()
        ),
        made=written.written(words("report.made", program=facts["generated_by"], id=facts["id"])),
        problems=tuple(each.problem for each in laid_out.values() if each.problem),
    )


def _marked(told: Told, at: int) -> Told:
    """The same with its sentence between marks that say which claim of the document it is."""

    def tell(bare: Told) -> Markup:
        text = told.tell(bare)
        return Markup(f"{MARK_OPEN}{at}{MARK_OPEN}{text}{MARK_CLOSE}") if text else text

    return replace(told, tell=tell)


def with_claims(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with all their claims, each with its sentence as plain text: the JSON object of the contract."""
    written = wording(facts["lang"], PlainText.name)
    return {**facts, "claims": [claim.as_report(str(written.told(claim, {}).text)) for claim in claims(facts)]}


def _urls(facts: Mapping[str, Any], found: Iterable[Claim]) -> dict[int, str]:
    """The addresses of all pull requests that are told, also those of other windows."""
    if not facts["pulls"]:
        return {}
    place = facts["pulls"][0]["url"].rpartition("/")[0]
    return {number: f"{place}/{number}" for claim in found for number in claim.prs}


def _lead(facts: Mapping[str, Any], window: Window, words: Words) -> Iterable[str]:
    """What is reported on: repository, days, and how much."""
    totals = facts["totals"]
    days = formats.days(window.since, window.until, words.lang)
    yield words("report.days", days=days, tz=window.tz)
    yield words("report.base", base=facts["base"])
    for name, n in (("merged", totals["merged"]), ("key", totals["key"])) if is_cached(facts) else ():
        yield words(f"report.{name}", n=n)
    if totals["bots_hidden"]:
        yield words("report.bots", n=totals["bots_hidden"])


def _notes(facts: Mapping[str, Any], words: Words) -> list[str]:
    """What a reader must know of the rows; the rules that could not judge by what they are called, not by their ids."""
    notes: list[str] = list(facts["coverage"]["notes"])
    if facts["unjudged"]:
        told = evidence.unjudged(pd.DataFrame(facts["unjudged"]), words)
        notes[-1] = words("unjudged.note", n=len(facts["pulls"]), told=told)
    return notes


def _window(facts: Mapping[str, Any]) -> Window:
    since, until = (date.fromisoformat(facts["window"][end]) for end in ("since", "until"))
    return Window(since, until, facts["window"]["tz"])
