"""Every cached read of the pages: answers and figures, kept once for all readers until the cache changes.

Keys are the cache's path and what `reads.generation` says of it, so that an import or another file in its place shows
at once. What is kept is shared between sessions: frames and figures are never changed, a page that needs another frame
makes a new one.
"""

from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from analysis.compare import Comparison
from analysis.window import Window
from analysis.working_calendar import Calendar
from dashboard import charts, config, formats, reads
from dashboard.palette import palette
from dashboard.reads import About, Coverage, PullDetail, Selection
from dashboard.version import version
from dashboard.words import Words

ANSWERS, FIGURES = 300, 150  # kept at most; the least used go first
GENERATION = "generation of the cache"


def begin_run() -> None:
    """Look once which generation of the cache this run of a page shows: call it before anything is asked."""
    st.session_state[GENERATION] = reads.generation(config.db_path())


def repositories() -> pd.DataFrame:
    """See `reads.repositories`; no rows where there is no cache yet."""
    frame: pd.DataFrame = _ask("repositories") if config.db_path().exists() else pd.DataFrame(columns=["repo"])
    return frame


def ledger() -> pd.DataFrame:
    """See `reads.ledger`; no rows where there is no cache yet."""
    frame: pd.DataFrame = _ask("ledger") if config.db_path().exists() else pd.DataFrame(columns=["repo"])
    return frame


def sync_states() -> pd.DataFrame:
    """See `reads.sync_states`."""
    frame: pd.DataFrame = _ask("sync_states")
    return frame


def coverage(repo: str, tz: str) -> Coverage | None:
    """See `reads.coverage`."""
    found: Coverage | None = _ask("coverage", repo, tz)
    return found


def default_window(repo: str, tz: str) -> Window | None:
    """See `reads.default_window`."""
    found: Window | None = _ask("default_window", repo, tz)
    return found


def strip(selection: Selection, n: int = reads.STRIP_WEEKS) -> pd.DataFrame:
    """See `reads.strip`."""
    frame: pd.DataFrame = _ask("strip", selection, n)
    return frame


def totals(selection: Selection) -> dict[str, Any]:
    """See `reads.totals`."""
    found: dict[str, Any] = _ask("totals", selection)
    return found


def totals_before(selection: Selection) -> dict[str, Any]:
    """See `reads.totals_before`."""
    found: dict[str, Any] = _ask("totals_before", selection)
    return found


def history(selection: Selection) -> pd.DataFrame:
    """See `reads.history`."""
    frame: pd.DataFrame = _ask("history", selection)
    return frame


def pulls(selection: Selection) -> pd.DataFrame:
    """See `reads.pulls`."""
    frame: pd.DataFrame = _ask("pulls", selection)
    return frame


def risk_courses(selection: Selection, column: str) -> pd.DataFrame:
    """See `reads.risk_courses`."""
    frame: pd.DataFrame = _ask("risk_courses", selection, column)
    return frame


def unjudged_rules(selection: Selection) -> pd.DataFrame:
    """See `reads.unjudged_rules`."""
    frame: pd.DataFrame = _ask("unjudged_rules", selection)
    return frame


def chains(selection: Selection) -> pd.DataFrame:
    """See `reads.chains`."""
    frame: pd.DataFrame = _ask("chains", selection)
    return frame


def risk_ledger(selection: Selection) -> pd.DataFrame:
    """See `reads.risk_ledger`."""
    frame: pd.DataFrame = _ask("risk_ledger", selection)
    return frame


def backtest(repo: str, tz: str) -> dict[str, Any]:
    """See `reads.backtest`; nobody asks which version computed it."""
    found: dict[str, Any] = _ask("backtest", repo, version="", tz=tz)
    return found


def kinds_by_week(selection: Selection) -> pd.DataFrame:
    """See `reads.kinds_by_week`."""
    frame: pd.DataFrame = _ask("kinds_by_week", selection)
    return frame


def modules(selection: Selection) -> pd.DataFrame:
    """See `reads.modules`."""
    frame: pd.DataFrame = _ask("modules", selection)
    return frame


def hot_files(selection: Selection) -> pd.DataFrame:
    """See `reads.hot_files`."""
    frame: pd.DataFrame = _ask("hot_files", selection)
    return frame


def file_pulls(selection: Selection, path: str) -> set[int]:
    """See `reads.file_pulls`."""
    found: set[int] = _ask("file_pulls", selection, path)
    return found


def find(selection: Selection, text: str) -> list[int]:
    """See `reads.find`."""
    found: list[int] = _ask("find", selection, text)
    return found


def found(selection: Selection, text: str) -> pd.DataFrame:
    """See `reads.found`."""
    frame: pd.DataFrame = _ask("found", selection, text)
    return frame


def pull(selection: Selection, number: int) -> PullDetail | None:
    """See `reads.pull`."""
    detail: PullDetail | None = _ask("pull", selection, number)
    return detail


def nearest(selection: Selection) -> Window | None:
    """See `reads.nearest`."""
    window: Window | None = _ask("nearest", selection)
    return window


def near_edges(selection: Selection) -> pd.DataFrame:
    """See `reads.near_edges`."""
    frame: pd.DataFrame = _ask("near_edges", selection)
    return frame


def compare(selection: Selection, before: Window, calendar: Calendar) -> Comparison:
    """See `reads.compare`."""
    found: Comparison = _ask("compare", selection, before, calendar)
    return found


def about(selection: Selection) -> About:
    """See `reads.about`."""
    found: About = _ask("about", selection)
    return found


def numbered(selection: Selection, numbers: tuple[int, ...]) -> pd.DataFrame:
    """See `reads.numbered`."""
    frame: pd.DataFrame = _ask("numbered", selection, numbers)
    return frame


def report(selection: Selection, lang: str) -> dict[str, Any]:
    """See `reads.report`."""
    found: dict[str, Any] = _ask("report", selection, lang=lang, config=config.load().digest, version=version())
    return found


def figure(name: str, selection: Selection, lang: str, theme: str) -> go.Figure:
    """The chart `name` of `charts` over a selection, in a language and a theme (`light` or `dark`)."""
    made: go.Figure = _figure(name, str(config.db_path()), st.session_state[GENERATION], selection, lang, theme)
    return made


def _ask(question: str, *arguments: Any, **options: Any) -> Any:
    return _answer(question, str(config.db_path()), st.session_state[GENERATION], arguments, tuple(options.items()))


@st.cache_resource(max_entries=ANSWERS, show_spinner=False)
def _answer(
    question: str, db: str, generation: str, arguments: tuple[Any, ...], options: tuple[tuple[str, Any], ...]
) -> Any:
    return getattr(reads, question)(Path(db), *arguments, **dict(options))


@st.cache_resource(max_entries=FIGURES, show_spinner=False)
def _figure(name: str, db: str, generation: str, selection: Selection, lang: str, theme: str) -> go.Figure:
    colours, words, window = palette(theme), Words(lang), selection.window
    if name == "window_strip":
        return charts.window_strip(strip(selection), colours, words)
    if name == "merges_by_kind":
        return charts.merges_by_kind(kinds_by_week(selection), colours, words)
    if name == "modules_moved":
        before = formats.than_before(window, lang)
        return charts.modules_moved(modules(selection), colours, words, before=before)
    draw = {"merge_dots": charts.merge_dots, "merge_days": charts.merge_days}[name]
    return draw(pulls(selection), window, colours, words)
