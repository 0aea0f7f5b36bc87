"""The filters that all pages share: widgets in sight that follow the address, and the plain view that pages read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from analysis.window import Window, period_of
from dashboard import address, charts, config, formats, loaders
from dashboard.palette import Palette, palette
from dashboard.reads import Coverage, Selection
from dashboard.words import LANGUAGES, Words, language_of
from data.errors import BadWindow
from data.frames import rows
from data.moments import local_day, now

WEEKS = (1, 4, 13)
ROW_HEIGHT = 35  # of Streamlit's tables
WEEK = timedelta(weeks=1)
# What a reader hears of the two arrows, but need not see beside them.
STYLE = """
:is(.st-key-earlier, .st-key-later) button :is(p, kbd) {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)
}
:is(.st-key-earlier, .st-key-later) button span { margin: 0; gap: 0 }
"""
VIEW, FOLLOWING, TOLD = "view", "following", "told"


@dataclass(frozen=True)
class View:
    """What the reader has chosen, checked: what pages ask for and how they write it."""

    selection: Selection
    latest: Window  # what no window in the address means
    coverage: Coverage | None  # None: nothing merged is cached
    repository: dict[str, Any]  # its row of `loaders.repositories`
    lang: str
    theme: str
    in_address: address.Frame

    @property
    def window(self) -> Window:
        return self.selection.window

    @cached_property
    def words(self) -> Words:
        return Words(self.lang)

    @cached_property
    def palette(self) -> Palette:
        return palette(self.theme)

    @property
    def knows_before(self) -> bool:
        """Whether the cache holds all of the equal period before."""
        return self.coverage is not None and self.window.before.since >= self.coverage.first


def view() -> View:
    """The view of this run, as `frame` left it."""
    found: View = st.session_state[VIEW]
    return found


def language(in_address: address.Frame) -> tuple[str, str | None]:
    """The language to write in, and what the address asked for in vain."""
    by_label = {label.casefold(): lang for lang, label in LANGUAGES.items()} | {lang: lang for lang in LANGUAGES}
    asked = by_label.get(in_address.lang.casefold())
    usual = config.load().lang or language_of(st.context.locale)
    return asked or usual, None if asked or not in_address.lang else in_address.lang


def theme() -> str:
    """`dark` or `light`; light before the browser has told."""
    return "dark" if st.context.theme.type == "dark" else "light"


def resolve(in_address: address.Frame, lang: str, bad_lang: str | None) -> View | None:
    """The view that the address asks for; what it asks for in vain is told once. None where nothing is cached."""
    repositories = rows(loaders.repositories())
    if not repositories:
        return None
    words, problems = Words(lang), []
    if bad_lang:
        problems.append(bad_value(words, "lang", bad_lang, LANGUAGES[lang]))
    repository = _repository(in_address.repo, repositories)
    if repository is None:
        repository = _usual_repository(repositories)
        if in_address.repo:
            problems.append(bad_value(words, "repo", in_address.repo, repository["repo"]))
    tz = config.load().tz
    covered = loaders.coverage(repository["repo"], tz)
    latest = loaders.default_window(repository["repo"], tz) or _last_import_week(repository, tz)
    window = latest
    if in_address.window:
        try:
            window = _window(in_address.window, tz, words)
        except BadWindow as error:
            days = formats.days(latest.since, latest.until, lang)
            problems.append(words("filters.bad_window", reason=str(error), shown=formats.escape_markdown(days)))
    if in_address.bots not in ("", address.TRUE, "false"):
        problems.append(bad_value(words, "bots", in_address.bots, "false"))
    selection = Selection(repository["repo"], window, bots=in_address.bots == address.TRUE)
    tell_once("frame", problems)
    return View(selection, latest, covered, repository, lang, theme(), in_address)


def frame(view: View) -> None:
    """Draw the row of filters and the window strip; pages find the view by `controls.view()`."""
    st.session_state[VIEW] = view
    with st.container(key="filters", horizontal=True, vertical_alignment="bottom", gap="small"):
        _repository_picker(view)
        _window_pickers(view)
        st.space("stretch")
        _bots_toggle(view)
        language_switch(view.lang)
        _share(view)
    _strip(view)


def language_switch(lang: str) -> None:
    """EN | 中文; the address is left alone where the choice is the reader's own language anyway."""
    address.show("lang_picked", LANGUAGES[lang])
    st.segmented_control(
        Words(lang)("filters.language"),
        list(LANGUAGES.values()),
        key="lang_picked",
        required=True,
        label_visibility="collapsed",
        on_change=_put_language,
    )


def put_window(window: Window, latest: Window) -> None:
    """Show these days: a callback. The latest week is what the address says by saying nothing."""
    address.put("window", () if window == latest else (window.since, window.until))


def follow(page: str, **values: Any) -> None:
    """Open another page with these keys set, from a callback: see `address.follow`."""
    st.session_state[FOLLOWING] = (page, values)


def follow_now(pages: Mapping[str, Any], current: Any) -> None:
    """Do what the last callback asked of `follow`."""
    if following := st.session_state.pop(FOLLOWING, None):
        page, values = following
        if pages[page] != current or values:
            address.follow(pages[page], values)


def chart(figure: go.Figure, key: str, on_click: Callable[[list[Any]], None] | None = None) -> None:
    """Draw a figure; a click on a point calls back with the point's customdata, whose head is its key: see `charts`.

    `key` names what is drawn, window and all: Streamlit keeps a point selected as long as the key stays, and a second
    click on it would then take the selection away instead of choosing it again.
    """

    def take() -> None:
        points = st.session_state[key]["selection"]["points"]
        if points and on_click:
            on_click(points[0]["customdata"])

    on_select: Any = take if on_click else "ignore"
    st.plotly_chart(
        figure,
        key=key,
        on_select=on_select,
        selection_mode="points",
        config=charts.CONFIG,
        alt=charts.alt(figure),
    )


def table(
    frame: pd.DataFrame,
    key: str,
    config: dict[str, Any],
    *,
    alt: str,
    on_row: Callable[[int], None] | None = None,
    selected: int | None = None,
    most_height: int = 372,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Draw a table with the columns of `config`; a click anywhere in a row calls back with its position.

    `selected` is the position of the row that is shown as chosen; the table is as high as its rows, up to
    `most_height` pixels.
    """

    def take() -> None:
        picked = st.session_state[key]["selection"]
        positions = [*picked["rows"], *(row for row, _ in picked["cells"])]
        if positions and on_row:
            on_row(positions[-1])

    on_select: Any = take if on_row else "ignore"
    if on_row:
        st.session_state[key] = {"selection": {"rows": [] if selected is None else [selected]}}
    st.dataframe(
        frame,
        key=key,
        column_config=config,
        column_order=list(config),
        width=width,
        hide_index=True,
        placeholder=formats.UNKNOWN,
        alt=alt,
        on_select=on_select,
        selection_mode=["single-row", "single-cell"],
        height=min(most_height, ROW_HEIGHT * (len(frame) + 1) + 2),
    )


def footer(view: View) -> None:
    """Where the numbers come from, how fresh they are, how days are cut, and what is not counted."""
    words, repository, totals = view.words, view.repository, loaders.totals(view.selection)
    told = [
        formats.escape_markdown(view.selection.repo),
        words("footer.pulls", n=repository["n_merged"]),
        words("footer.updated", ago=ago(repository["last_import_at"], view.lang)),
        words("footer.covered", day=formats.day(view.coverage.last, view.lang)) if view.coverage else "",
        words("footer.zone", tz=formats.escape_markdown(view.window.tz)),
        words("footer.bots_hidden", n=totals["bots_hidden"]) if totals["bots_hidden"] else "",
        words("footer.direct", n=totals["direct_commits"]) if totals["direct_commits"] else "",
    ]
    st.caption(" · ".join(filter(None, told)))


def ago(moment: str, lang: str) -> str:
    """How long a stored moment lies back."""
    return formats.ago(moment, now(), lang)


def _repository(asked: str, repositories: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The row of a repository by its name or a former one."""
    wanted = asked.casefold()
    for row in repositories:
        if wanted in (name.casefold() for name in (row["repo"], *row["aliases"])):
            return row
    return None


def _usual_repository(repositories: list[dict[str, Any]]) -> dict[str, Any]:
    """The configured one, else the one that was filled last."""
    configured = _repository(config.load().repo or "", repositories)
    return configured or max(repositories, key=lambda row: (row["last_import_at"] or "", row["repo"]))


def _last_import_week(repository: dict[str, Any], tz: str) -> Window:
    """A window to show for a repository without a single merge."""
    return period_of(local_day(repository["last_import_at"], tz), "W", tz)


def _window(asked: tuple[str, ...], tz: str, words: Words) -> Window:
    """The window of two dates in the address, with what is wrong told in the reader's language."""
    try:
        days = [date.fromisoformat(text) for text in asked]
    except ValueError:
        raise BadWindow(words("filters.window_no_date")) from None
    if len(days) != 2:
        raise BadWindow(words("filters.window_one_end"))
    since, until = days
    if until < since:
        raise BadWindow(words("filters.window_reversed"))
    try:
        return Window(since, until, tz)
    except BadWindow:
        raise BadWindow(words("filters.window_too_far")) from None


def bad_value(words: Words, key: str, value: str, shown: str) -> str:
    """The sentence that tells of a value in the address which is not known."""
    safe = formats.escape_markdown(formats.shorten(value, 40))
    return words("filters.bad_value", key=key, value=safe, shown=formats.escape_markdown(shown))


def tell_once(about: str, problems: list[str]) -> None:
    """One toast for all that the address asks for in vain; not again while it stands there."""
    told = st.session_state.setdefault(TOLD, {})
    if problems and told.get(about) != problems:
        st.toast("  \n".join(problems), icon=":material/info:", duration="long")
    told[about] = problems


def _repository_picker(view: View) -> None:
    address.show("repo_picked", view.selection.repo)
    st.selectbox(
        view.words("filters.repo"),
        loaders.repositories()["repo"].tolist(),
        key="repo_picked",
        label_visibility="collapsed",
        on_change=address.put_widget,
        args=("repo", "repo_picked"),
        width=210,
    )


def _window_pickers(view: View) -> None:
    window = view.window
    with st.container(key="spans", horizontal=True, gap=None, width="content"):
        for weeks in WEEKS:
            span = _span(window, weeks)
            st.button(
                f"{weeks}w",
                key=f"span_{weeks}",
                type="primary" if span == window else "secondary",
                help=view.words("filters.weeks_help", n=weeks),
                disabled=span is None,
                on_click=put_window,
                args=(span, view.latest),
            )
    _date_picker(view)
    with st.container(key="steps", horizontal=True, gap=None, width="content"):
        _step_button(view, "earlier", -1, "Alt+J", ":material/chevron_left:")
        _step_button(view, "later", 1, "Alt+K", ":material/chevron_right:")


def _span(window: Window, weeks: int) -> Window | None:
    """So many weeks that end with the window; None before the calendar begins."""
    try:
        return Window(window.until - weeks * WEEK + timedelta(days=1), window.until, window.tz)
    except BadWindow:
        return None


def _date_picker(view: View) -> None:
    window, covered = view.window, view.coverage
    first = min(window.since, covered.first) if covered else window.since
    last = max(window.until, covered.last) if covered else window.until
    address.show("window_picked", (window.since, window.until))
    st.date_input(
        view.words("filters.window"),
        key="window_picked",
        min_value=first,
        max_value=last,
        format="YYYY-MM-DD",
        required=True,
        label_visibility="collapsed",
        on_change=_put_dates,
        args=(view.latest,),
        width=245,
    )


def _put_dates(latest: Window) -> None:
    picked = st.session_state["window_picked"]
    if len(picked) == 2 and not address.is_echo("window_picked"):
        put_window(Window(picked[0], picked[1], latest.tz), latest)


def _step_button(view: View, name: str, steps: int, shortcut: str, icon: str) -> None:
    target = _stepped(view, steps)
    st.button(
        view.words(f"filters.{name}"),
        key=name,
        icon=icon,
        shortcut=shortcut,
        help=view.words(f"filters.{name}_help"),
        disabled=target is None,
        on_click=put_window,
        args=(target, view.latest),
    )


def _stepped(view: View, steps: int) -> Window | None:
    """The window so many of its lengths away, None where the cache holds nothing of it."""
    try:
        target = view.window.shifted(steps)
    except BadWindow:
        return None
    covered = view.coverage
    return target if covered and target.since <= covered.last and target.until >= covered.first else None


def _bots_toggle(view: View) -> None:
    address.show("bots_picked", view.selection.bots)
    st.toggle(
        view.words("filters.bots"),
        key="bots_picked",
        help=view.words("filters.bots_help"),
        on_change=address.put_widget,
        args=("bots", "bots_picked"),
    )


def _put_language() -> None:
    label, usual = st.session_state["lang_picked"], config.load().lang or language_of(st.context.locale)
    if not address.is_echo("lang_picked"):
        address.put("lang", "" if label == LANGUAGES[usual] else label)


def _share(view: View) -> None:
    """Two addresses of this page to copy: these days, or the latest week whenever it is opened."""
    words, days = view.words, formats.days(view.window.since, view.window.until, view.lang)
    with st.popover(words("share.button"), icon=":material/link:"):
        for name, window in (("fixed", (view.window.since, view.window.until)), ("latest", None)):
            st.markdown(f"**{words(f'share.{name}')}**  \n{words(f'share.{name}_help', days=days)}")
            st.code(address.link(_shared(view, window), page_url=st.context.url), language=None, wrap_lines=True)


def _shared(view: View, window: tuple[date, date] | None) -> dict[str, Any]:
    lang = LANGUAGES[view.lang] if view.in_address.lang else ""  # else the reader's own
    frame = {"repo": view.selection.repo, "window": window, "bots": view.selection.bots, "lang": lang}
    return frame | {key: st.session_state.get(key) for key in address.LIST_KEYS}


def _strip(view: View) -> None:
    """One bar a week; a click takes that week."""
    window = view.window

    def take(bar: list[Any]) -> None:
        put_window(period_of(date.fromisoformat(bar[0]), "W", window.tz), view.latest)

    with st.container(key="strip"):
        figure = loaders.figure("window_strip", view.selection, view.lang, view.theme)
        chart(figure, f"strip {view.selection.repo} {window.since} {window.until}", take)
