"""What stands around every page: the row of filters that follow the address, the window strip and the footer."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

import streamlit as st

from analysis.window import Window, period_of
from dashboard import address, config, elements, formats, loaders
from dashboard.view import View, usual_language
from dashboard.words import LANGUAGES, Words
from data.errors import BadWindow
from data.moments import now

WEEKS = (1, 4, 13)
WEEK = timedelta(weeks=1)
# What a reader hears of the two arrows, but need not see beside them.
STYLE = """
:is(.st-key-earlier, .st-key-later) button :is(p, kbd) {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)
}
:is(.st-key-earlier, .st-key-later) button span { margin: 0; gap: 0 }
"""
VIEW, FOLLOWING = "view", "following"


def view() -> View:
    """The view of this run, as `frame` left it."""
    found: View = st.session_state[VIEW]
    return found


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
    address.put("window", () if window == latest else days_in_address(window))


def days_in_address(window: Window) -> tuple[str, ...]:
    """A window as the address holds it: two days, or one day in one value, as Streamlit drops a value given twice."""
    since, until = str(window.since), str(window.until)
    return (f"{since}{address.TO}{until}",) if since == until else (since, until)


def follow(page: str, **values: Any) -> None:
    """Open another page with these keys set, from a callback: see `address.follow`."""
    st.session_state[FOLLOWING] = (page, values)


def follow_now(pages: Mapping[str, Any], current: Any) -> None:
    """Do what the last callback asked of `follow`."""
    if following := st.session_state.pop(FOLLOWING, None):
        page, values = following
        if pages[page] != current or values:
            address.follow(pages[page], values)


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
    every = config.sync_every()
    if every and datetime.fromisoformat(now()) - datetime.fromisoformat(repository["last_import_at"]) > 2 * every:
        hours = every.total_seconds() / 3600
        since = ago(repository["last_import_at"], view.lang)
        st.warning(words("footer.stale", ago=since, every=formats.duration(hours, view.lang)))
        st.page_link("app_pages/data_sync.py", label=words("nav.data"), icon=":material/arrow_forward:")


def ago(moment: str, lang: str) -> str:
    """How long a stored moment lies back."""
    return formats.ago(moment, now(), lang)


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
    label = st.session_state["lang_picked"]
    if not address.is_echo("lang_picked"):
        address.put("lang", "" if label == LANGUAGES[usual_language()] else label)


def _share(view: View) -> None:
    """Two addresses of this page to copy: these days, or the latest week whenever it is opened."""
    words, days = view.words, formats.days(view.window.since, view.window.until, view.lang)
    with st.popover(words("share.button"), icon=":material/link:"):
        for name, window in (("fixed", days_in_address(view.window)), ("latest", None)):
            st.markdown(f"**{words(f'share.{name}')}**  \n{words(f'share.{name}_help', days=days)}")
            st.code(address.link(_shared(view, window), page_url=st.context.url), language=None, wrap_lines=True)


def _shared(view: View, window: tuple[str, ...] | None) -> dict[str, Any]:
    lang = LANGUAGES[view.lang] if view.in_address.lang else ""  # else the reader's own
    frame = {"repo": view.selection.repo, "window": window, "bots": view.selection.bots, "lang": lang}
    return frame | {key: st.session_state.get(key) for key in (*address.LIST_KEYS, *address.PAGE_KEYS)}


def _strip(view: View) -> None:
    """One bar a week; a click takes that week."""
    window = view.window

    def take(bar: list[Any]) -> None:
        put_window(period_of(date.fromisoformat(bar[0]), "W", window.tz), view.latest)

    with st.container(key="strip"):
        figure = loaders.figure("window_strip", view.selection, view.lang, view.theme)
        elements.chart(figure, f"strip {view.selection.repo} {window.since} {window.until}", take)
