"""The report as a document: its claims told in one language, laid out in six sections."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from importlib import resources
from typing import Any

from jinja2 import StrictUndefined
from jinja2.loaders import FunctionLoader
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from analysis.claims import LENGTHS, SECTIONS, Length, claims
from analysis.window import Window
from dashboard import formats
from dashboard.report.targets import MARK_CLOSE, MARK_OPEN, Markdown, PlainText
from dashboard.report.wording import Told, Wording, wording
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

    @property
    def markdown(self) -> str:
        """The whole, as a file."""
        top = [f"# {self.title}", " · ".join(self.facts), *(f"> {note}" for note in self.notes)]
        parts = [f"## {section.heading}\n\n{section.markdown}".rstrip() for section in self.sections]
        return "\n\n".join([*top, *parts, f"---\n\n{self.made}"]) + "\n"


def document(
    facts: Mapping[str, Any], *, length: Length = "M", urls: Mapping[int, str] | None = None, marked: bool = False
) -> Document:
    """The report in words.

    Args:
        facts: as `reads.report` gives them; their language is the document's.
        length: S, M or L: how much is told.
        urls: number -> address of a pull request, where it is not the one on its host: pages have their own.
        marked: whether sentences are marked for `html.body`, which takes the marks out again.
    """
    lang, written = facts["lang"], wording(facts["lang"], Markdown.name)
    urls = {pull["number"]: pull["url"] for pull in facts["pulls"]} if urls is None else urls
    shown = LENGTHS[: LENGTHS.index(length) + 1]
    told = [written.told(claim, urls) for claim in claims(facts) if claim.level in shown]
    told = [_marked(each, at) for at, each in enumerate(told)] if marked else told
    words, window = Words(lang), _window(facts)
    title = formats.window_title(window, lang, facts["window"]["release"])
    return Document(
        lang=lang,
        title=written.written(words("report.title", repo=facts["repo"], window=title)),
        facts=tuple(written.written(fact) for fact in _lead(facts, window, words)),
        notes=tuple(str(written.target.escape(note)) for note in facts["coverage"]["notes"]),
        sections=tuple(_section(name, told, length, written) for name in SECTIONS),
        made=written.written(words("report.made", program=facts["generated_by"], id=facts["id"])),
    )


def _marked(told: Told, at: int) -> Told:
    return replace(told, text=Markup(f"{MARK_OPEN}{at}{MARK_OPEN}{told.text}{MARK_CLOSE}")) if told.text else told


def with_claims(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with all their claims, each with its sentence as plain text: the JSON object of the contract."""
    written = wording(facts["lang"], PlainText.name)
    return {**facts, "claims": [claim.as_report(str(written.told(claim, {}).text)) for claim in claims(facts)]}


def _lead(facts: Mapping[str, Any], window: Window, words: Words) -> Iterable[str]:
    """What is reported on: repository, days, and how much."""
    totals = facts["totals"]
    days = formats.days(window.since, window.until, words.lang)
    yield words("report.days", days=days, tz=window.tz)
    yield words("report.base", base=facts["base"])
    for name, n in (("merged", totals["merged"]), ("key", totals["key"])):
        yield words(f"report.{name}", n=n)
    if totals["bots_hidden"]:
        yield words("report.bots", n=totals["bots_hidden"])


def _window(facts: Mapping[str, Any]) -> Window:
    since, until = (date.fromisoformat(facts["window"][end]) for end in ("since", "until"))
    return Window(since, until, facts["window"]["tz"])


def _section(name: str, told: Iterable[Told], length: str, written: Wording) -> Section:
    own = tuple(each for each in told if each.section == name)
    laid_out = _layouts(written.lang).get_template(name).render(claims=own, length=length)
    return Section(name, written.words(f"report.heading.{name}"), _tidy(laid_out), own)


def _tidy(markdown: str) -> str:
    """Never more than one empty line in a row."""
    lines = [line.rstrip() for line in markdown.strip().split("\n")]
    kept = [line for line, before in zip(lines, ["", *lines], strict=False) if line or before]
    return "\n".join(kept)


@lru_cache(maxsize=8)
def _layouts(lang: str) -> SandboxedEnvironment:
    """The layouts of the sections, with the functions that sentences have too."""
    written = wording(lang, Markdown.name)
    made = SandboxedEnvironment(
        loader=FunctionLoader(_source),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=written.written,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(written.functions(), words=lambda key, **values: Markup(written.words(key, **values)))
    made.globals.update(grouped=grouped)
    return made


def _source(name: str) -> str:
    return resources.files("dashboard.report").joinpath("templates", "sections", f"{name}.md.jinja").read_text("utf-8")


def grouped(told: Iterable[Told]) -> list[tuple[str, list[Told]]]:
    """Claims by their subject, both in the order given."""
    groups: dict[str, list[Told]] = {}
    for each in told:
        groups.setdefault(each.subject, []).append(each)
    return list(groups.items())
