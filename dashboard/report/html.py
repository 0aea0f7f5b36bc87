"""The report as HTML: made of its Markdown, in which nothing but what our own templates set becomes a tag."""

import html
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from dashboard.report.charts import charts
from dashboard.report.document import Document
from dashboard.report.targets import MARK_CLOSE, MARK_OPEN
from dashboard.words import LOCALES

_FOLDS = re.compile(r"&lt;(/?(?:details|summary))&gt;")  # the only tags that a layout may set, without attributes
_MARKED = re.compile(rf"{MARK_OPEN}(\d+){MARK_OPEN}(.*?){MARK_CLOSE}", re.DOTALL)


def body(document: Document, figures: str = "") -> str:
    """The sections as HTML, each sentence a span that names its claim: `<span data-claim="summary.merged">`.

    Args:
        document: made with `marked=True`; without, no sentence names its claim.
        figures: what `charts` drew; it follows the first section.
    """
    ids = [told.id for section in document.sections for told in section.claims]
    parts = [
        f'<section id="{section.name}"><h2>{_inline(section.heading)}</h2>{_rendered(section.markdown)}</section>'
        for section in document.sections
    ]
    parts.insert(1, figures)
    return _MARKED.sub(lambda found: _span(ids[int(found[1])], found[2]), "".join(parts))


def page(document: Document, facts: Mapping[str, Any]) -> str:
    """One file that needs no other: a document with its charts, light and dark, fit for print.

    Args:
        document: made with `marked=True`.
        facts: what it was made of; the charts show them.
    """
    style = css("page") + css("text")
    notes = "".join(f'<p class="note">{_inline(note)}</p>' for note in document.notes)
    return (
        f'<!doctype html>\n<html lang="{LOCALES[document.lang].replace("_", "-")}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{_text(document.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{_inline(document.title)}</h1>\n<p class="facts">{" · ".join(map(_inline, document.facts))}</p>\n'
        f"{notes}{body(document, charts(facts))}\n<footer>{_inline(document.made)}</footer>\n</main>\n"
        "</body>\n</html>\n"
    )


@lru_cache(maxsize=4)
def css(name: str) -> str:
    """A style sheet: `page` for a file of its own, `text` for what stands on any page."""
    return resources.files("dashboard.report").joinpath(f"{name}.css").read_text("utf-8")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": True}).enable("table")
    made.add_render_rule("html_block", _tags)
    made.add_render_rule("html_inline", _tags)
    made.disable("image")
    return made


def _tags(renderer: RendererHTML, tokens: list[Token], at: int, options: Any, env: Any) -> str:
    """What looks like HTML, as text; but for the folds."""
    return _FOLDS.sub(r"<\1>", html.escape(tokens[at].content))


def _rendered(markdown: str) -> str:
    made: str = _parser().render(markdown)
    return made.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


def _inline(markdown: str) -> str:
    made: str = _parser().renderInline(markdown)
    return made


def _text(markdown: str) -> str:
    """The words alone, for where no tag may be."""
    return re.sub(r"<[^>]*>", "", _inline(markdown))


def _span(claim: str, inner: str) -> str:
    return f'<span data-claim="{html.escape(claim)}">{inner}</span>'
