"""Report: words to paste into the meeting."""

import json
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any, get_args
from urllib.parse import urlencode

import streamlit as st

from analysis.claims import LENGTHS, Length
from dashboard import address, browse, config, controls, document_view, elements, formats, loaders, tables
from dashboard.report import html, verify
from dashboard.report.charts import charts
from dashboard.report.document import Document, document, with_claims
from dashboard.report.pdf import pdf
from dashboard.report.verify import Difference, NotAReport
from dashboard.report.xlsx import xlsx
from dashboard.version import version
from dashboard.view import View, bad_value, tell_once

USUAL: Length = "M"
CHOSEN = "claim of the report"
MOST_DIFFERENCES, LARGEST_SAVED = 50, 50_000_000  # bytes of a file to check


def draw(view: View, size: str, asked_id: str) -> None:
    """The page, from top to bottom."""
    length = _length(view, size)
    facts = loaders.report(view.selection, view.lang)
    made = document(facts, length=length, templates=config.load().templates, marked=True)
    st.header(made.title, anchor=False)
    st.markdown(f":gray[{' · '.join(made.facts)}]")
    draw_id(view, facts, asked_id)
    text, rail = st.columns([0.72, 0.28], gap="large")
    with text:
        draw_text(view, facts, made)
    with rail:
        draw_rail(view, facts, length, made)
    if claim := st.session_state.pop(CHOSEN, None):
        show_claim(view, facts, claim)


def draw_id(view: View, facts: Mapping[str, Any], asked: str) -> None:
    """Whether the numbers are those of the link that was opened."""
    if asked == facts["id"]:
        st.caption(view.words("report.same_id", id=facts["id"]))
    elif asked:
        shown = formats.escape_markdown(formats.shorten(asked, 40))
        st.warning(view.words("report.other_id", id=shown, now=facts["id"]), icon=":material/difference:")


def draw_text(view: View, facts: Mapping[str, Any], made: Document) -> None:
    for note in made.notes:
        st.caption(note)
    for problem in made.problems:
        st.warning(formats.escape_markdown(problem))
    counts = {told.id: len(told.prs) for section in made.sections for told in section.claims}

    def choose(claim: str) -> None:
        st.session_state[CHOSEN] = claim

    document_view.draw(
        html.body(made, charts(facts)),
        counts,
        key=f"report {hash((view.selection, view.lang, facts['id'], len(counts)))}",
        says=lambda n: view.words("report.behind", n=n),
        on_claim=choose,
    )


def draw_rail(view: View, facts: dict[str, Any], length: Length, made: Document) -> None:
    words = view.words
    address.show("size_picked", length)
    st.segmented_control(
        words("report.length"),
        LENGTHS,
        key="size_picked",
        required=True,
        help=words("report.length_help"),
        on_change=_put_size,
    )
    draw_exports(view, facts, length)
    with st.popover(words("report.copy"), icon=":material/content_copy:", width="stretch"):
        st.code(_plain(facts, length).markdown, language="markdown", height=360, wrap_lines=True)
    with st.expander(words("report.how")):
        st.markdown(words("report.how_text"))
        st.page_link("app_pages/about.py", label=words("nav.about"), icon=":material/info:")
    with st.expander(words("report.check")):
        draw_check(view)
    feed = urlencode({"repo": view.selection.repo, "lang": view.lang}, safe="/")
    st.caption(f"{made.made} [{words('report.atom')}](/feed.atom?{feed})")


def draw_exports(view: View, facts: dict[str, Any], length: Length) -> None:
    """The report as files; each is made when somebody asks for it."""
    words, name = view.words, f"{view.selection.repo.replace('/', '-')}-{view.window.since}-{view.window.until}"
    made: dict[str, tuple[Callable[[], str | bytes], str]] = {
        "md": (lambda: _plain(facts, length).markdown, "text/markdown"),
        "html": (lambda: _page(facts, length), "text/html"),
        "json": (lambda: json.dumps(with_claims(facts), ensure_ascii=False, indent=2) + "\n", "application/json"),
        "xlsx": (lambda: xlsx(facts), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    }
    if find_spec("weasyprint"):
        made["pdf"] = (lambda: pdf(_page(facts, length)), "application/pdf")
    with st.container(horizontal=True, gap="small"):
        for suffix, (data, mime) in made.items():
            st.download_button(
                words(f"report.export.{suffix}"),
                data,
                f"{name}.{suffix}",
                mime,
                key=f"export_{suffix}",
                on_click="ignore",
            )
    if "pdf" not in made:
        st.caption(words("report.no_pdf"))


def draw_check(view: View) -> None:
    """Which numbers of a saved report are others now."""
    words = view.words
    st.caption(words("report.check_help"))
    file = st.file_uploader(words("report.check_file"), type="json", key="saved_report")
    if file is None:
        return
    try:
        saved = verify.checked(json.loads(file.getvalue()[:LARGEST_SAVED]), file.name)
    except (ValueError, RecursionError):
        st.error(words("report.no_json", file=formats.escape_markdown(file.name)))
        return
    except NotAReport as error:
        st.error(formats.escape_markdown(str(error)))
        return
    found = verify.verify(config.db_path(), saved, config=config.load(), version=version())
    if not found.differences:
        st.success(words("report.holds", n=found.n_claims))
        return
    st.warning(words("report.differs", n=len(found.differences), whole=found.n_claims))
    for difference in found.differences[:MOST_DIFFERENCES]:
        st.markdown(f"- {formats.escape_markdown(_difference(difference))}")


def _difference(difference: Difference) -> str:
    return formats.shorten(str(difference), 300)


@st.dialog(" ", width="large")
def show_claim(view: View, facts: Mapping[str, Any], claim_id: str) -> None:
    """The pull requests that a sentence rests on, and how they are found."""
    made = document(facts, length=LENGTHS[-1], templates=None)
    told = next((each for section in made.sections for each in section.claims if each.id == claim_id), None)
    if told is None:
        return
    st.markdown(str(told.text))
    numbers = tuple(int(number) for number in told.prs)
    found = loaders.numbered(view.selection, numbers)
    st.markdown(f"**{view.words('pulls.found', n=len(found))}**")
    shown = tables.told(found, view.words)
    elements.table(
        shown,
        f"claim {claim_id} {facts['id']}",
        tables.pulls(view.words, view.palette, tz=view.window.tz),
        alt=view.words("pulls.alt"),
        on_row=lambda row: controls.follow("pulls", pr=int(found["number"].iloc[row])),
        most_height=480,
    )


def _plain(facts: Mapping[str, Any], length: Length) -> Document:
    """Asks nothing of the session: a download is made outside of the page's run."""
    return document(facts, length=length, templates=config.load().templates)


def _page(facts: Mapping[str, Any], length: Length) -> str:
    return html.page(document(facts, length=length, templates=config.load().templates, marked=True), facts)


def _length(view: View, asked: str) -> Length:
    """The length that the address asks for; what it asks for in vain is told once."""
    known = {str(length): length for length in get_args(Length)}
    bad = [bad_value(view.words, address.SIZE, asked, USUAL)] if asked and asked not in known else []
    tell_once("report", bad)
    return known.get(asked, USUAL)


def _put_size() -> None:
    if not address.is_echo("size_picked"):
        picked = st.session_state["size_picked"]
        address.put(address.SIZE, "" if picked == USUAL else picked)


def page(view: View) -> None:
    size, asked_id = address.read_report()
    if loaders.pulls(view.selection).empty:
        st.header(view.words("nav.report"), anchor=False)
        browse.draw_no_merges(view)
        return
    draw(view, size, asked_id)


page(controls.view())
