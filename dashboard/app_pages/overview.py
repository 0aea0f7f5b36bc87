"""Overview: what happened in this window?"""

from collections.abc import Callable
from datetime import date
from typing import Any

import pandas as pd
import streamlit as st

from analysis.window import period_of
from dashboard import browse, charts, controls, elements, formats, headline, loaders, notes, risk_facts, tables
from dashboard.cards import Card, cards
from dashboard.palette import SERIES_OF_KIND, kind_series
from dashboard.view import View
from data.frames import rows

N_FIRST, N_HOT_FILES = 8, 10
CARD_WIDTH, NUMBERS_WIDTH = 165, 560
LIST = "pulls"


def draw(view: View) -> None:
    """The page, from top to bottom."""
    pulls = loaders.pulls(view.selection)
    if pulls.empty:
        browse.draw_no_merges(view)
        return
    draw_headline(view, pulls)
    draw_cards(view, pulls)
    for sentence in (*notes.missing(view, pulls), notes.edges(view)):
        if sentence:
            st.caption(sentence)
    left, right = st.columns([0.62, 0.38])
    with left:
        draw_dots(view, pulls)
    with right:
        draw_modules(view)
    left, right = st.columns(2)
    with left:
        draw_kinds(view)
    with right:
        draw_look_first(view, pulls)
    draw_hot_files(view)


def draw_headline(view: View, pulls: pd.DataFrame) -> None:
    words, covered = view.words, view.coverage
    before = loaders.totals_before(view.selection)["merged"] if view.knows_before else None
    st.header(headline.headline(len(pulls), before, view.window, words), anchor=False)
    now = loaders.history(view.selection).iloc[-1]
    line = headline.context(
        len(pulls),
        rows(loaders.modules(view.selection)),
        missing_tests=lacking_tests(view)[-1],
        breaking=int(now["breaking"]),
        words=words,
    )
    if covered and view.window.until > covered.last:
        line += words("list.between_sentences") + words("overview.so_far", day=formats.day(covered.last, view.lang))
    st.markdown(f":gray[{line}]")


def lacking_tests(view: View) -> list[int]:
    """How many changes the rule asks tests of, in the windows of this length that are wholly cached, this one last."""
    courses = loaders.risk_courses(view.selection, "rule")
    n_windows = len(next(iter(courses["counts"]), [0]))
    return risk_facts.counts_of(courses, "rule").get("missing-tests", [0] * n_windows)


def draw_cards(view: View, pulls: pd.DataFrame) -> None:
    history = loaders.history(view.selection)
    if view.coverage:  # a window that the cache holds in part would look like a quiet one
        history = history[(history["since"] >= view.coverage.first) | (history["until"] == view.window.until)]
    made = cards(
        pulls,
        loaders.totals(view.selection),
        history.assign(missing_tests=lacking_tests(view)),
        base=view.repository["default_branch"] or view.words("card.default_branch"),
        knows_before=view.knows_before,
        words=view.words,
    )
    grid = st.grid(len(made), min_column_width=CARD_WIDTH)
    for card in made:
        with grid.cell(), st.container(border=True, height="stretch", gap="xsmall", key=f"card_{card.name}"):
            draw_card(view, card)


def draw_card(view: View, card: Card) -> None:
    words = view.words
    st.metric(
        words(f"card.{card.name}"),
        card.value,
        card.change.text,
        delta_arrow=card.change.arrow,
        delta_color=card.change.colour,
        delta_description=words("card.versus"),
        chart_data=card.course or None,
        chart_type=card.course_type,
        help=card.help,
    )
    st.page_link(
        "app_pages/pulls.py",
        label=f":primary[{words('footer.pulls', n=card.n_pulls)}]",
        icon=":material/arrow_forward:",
        icon_position="right",
        query_params=card.filters,
        disabled=card.n_pulls == 0,
    )


def draw_dots(view: View, pulls: pd.DataFrame) -> None:
    """Every merge as a dot; the time of day stands in for a lead time that nobody knows."""
    words = view.words
    timed = pulls["lead_time_hours"].notna().any()
    figure = figure_of(view, "merge_dots" if timed else "merge_days")
    config = tables.pulls(words, view.palette, tz=view.window.tz)
    title = words("dots.title" if timed else "days.title")
    with panel(view, title, lambda: tables.told(pulls, words), config):
        elements.chart(figure, chart_key(view, "dots"), lambda dot: controls.follow(LIST, pr=dot[0]))
        st.caption(words("list.between_sentences").join(filter(None, (words("chart.size_note"), charts.note(figure)))))


def draw_modules(view: View) -> None:
    words = view.words
    with panel(view, words("moved.title"), lambda: loaders.modules(view.selection), tables.modules(words)):
        figure = figure_of(view, "modules_moved")
        elements.chart(figure, chart_key(view, "moved"), lambda dot: controls.follow(LIST, module=[dot[0]]))


def draw_kinds(view: View) -> None:
    words = view.words

    def open_week(piece: list[Any]) -> None:
        monday, _, series = piece
        controls.put_window(period_of(date.fromisoformat(monday), "W", view.window.tz), view.latest)
        controls.follow(LIST, kind=[kind for kind, name in SERIES_OF_KIND.items() if name == series])

    with panel(view, words("weeks.title"), lambda: numbers_of_weeks(view), tables.weeks(words)):
        elements.chart(figure_of(view, "merges_by_kind"), chart_key(view, "weeks"), open_week)


def numbers_of_weeks(view: View) -> pd.DataFrame:
    """The numbers behind the bars, the newest week first: week, series, merged."""
    kinds = loaders.kinds_by_week(view.selection)
    named = kinds.assign(series=kinds["kind"].map(lambda kind: view.words(f"series.{kind_series(kind)}")))
    summed = named.groupby(["week", "series"], as_index=False)["merged"].sum()
    return summed[summed["merged"] > 0].sort_values(["week", "merged"], ascending=False)


def draw_look_first(view: View, pulls: pd.DataFrame) -> None:
    """The riskiest ones, and of equals the most important; a click on a row opens it."""
    words = view.words
    first = pulls.sort_values(["risk_score", "importance"], ascending=False, kind="stable").head(N_FIRST)
    config = tables.look_first(words, view.palette)
    with st.container(border=True, height="stretch"):
        st.subheader(words("overview.look_first"), anchor=False, help=words("overview.look_first_help"))
        elements.table(
            tables.told(first, words),
            chart_key(view, "first"),
            config,
            alt=words("pulls.alt"),
            on_row=lambda row: controls.follow(LIST, pr=int(first["number"].iloc[row])),
        )


def draw_hot_files(view: View) -> None:
    words = view.words
    hot = loaders.hot_files(view.selection).head(N_HOT_FILES)
    if hot.empty:
        return
    with st.container(border=True):
        st.subheader(words("overview.hot_files"), anchor=False)
        elements.table(
            hot,
            chart_key(view, "files"),
            tables.hot_files(words),
            alt=words("overview.hot_files"),
            on_row=lambda row: controls.follow(LIST, path=hot["path"].iloc[row]),
        )


def panel(view: View, title: str, numbers: Callable[[], pd.DataFrame], config: dict[str, Any]) -> Any:
    """A bordered box with a title and, one click away, the numbers behind what it draws."""
    box = st.container(border=True, height="stretch")
    with box, st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(title, anchor=False)
        st.space("stretch")
        numbers_button = st.popover(
            view.words("chart.as_table"),
            type="tertiary",
            icon=":material/table:",
            on_change="rerun",
            key=f"as table {title}",
        )
        if numbers_button.open:
            with numbers_button:
                elements.table(numbers(), f"numbers {title}", config, alt=title, width=NUMBERS_WIDTH)
    return box


def figure_of(view: View, name: str) -> Any:
    return loaders.figure(name, view.selection, view.lang, view.theme)


def chart_key(view: View, name: str) -> str:
    """A new key for each view, so that nothing stays selected that was drawn for another one."""
    selection = view.selection
    return f"{name} {selection.repo} {selection.window.since} {selection.window.until} {selection.bots} {view.lang}"


draw(controls.view())
