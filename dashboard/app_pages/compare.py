"""Compare: this window against that one."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import streamlit as st

from analysis.window import Window, add_months
from dashboard import address, browse, compare_text, config, controls, formats, loaders
from dashboard.version import version
from dashboard.view import View, tell_once, window_of
from data.errors import BadWindow


def draw(view: View, asked: Sequence[str]) -> None:
    """The page, from top to bottom."""
    words, before = view.words, _before(view, asked)
    st.header(words("compare.heading"), anchor=False)
    draw_choice(view, before)
    if loaders.pulls(view.selection).empty and loaders.pulls(replace(view.selection, window=before)).empty:
        browse.draw_no_merges(view)
        return
    found = facts(view, before)
    st.html("<style>.st-key-comparison table { display: block; overflow-x: auto }</style>")  # a phone scrolls it alone
    with st.container(key="comparison"):
        st.markdown(compare_text.as_markdown(found).partition("\n")[2], width=900)
    draw_exports(view, before, found)


def draw_exports(view: View, before: Window, found: dict[str, Any]) -> None:
    """The comparison as files."""
    name = f"{view.selection.repo.replace('/', '-')}-{view.window.since}-{before.since}"
    made = {"md": compare_text.as_markdown(found), "json": compare_text.as_json(found)}
    with st.container(horizontal=True):
        for suffix, text in made.items():
            label = view.words(f"report.export.{suffix}")
            st.download_button(label, text, f"{name}.{suffix}", key=f"compare_{suffix}", on_click="ignore")


def draw_choice(view: View, before: Window) -> None:
    """Which other window: its dates, and the three that are asked for most."""
    words = view.words
    address.show("before_picked", (before.since, before.until))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.markdown(words("compare.with", days=formats.days(view.window.since, view.window.until, view.lang)))
        covered = view.coverage
        st.date_input(
            words("compare.before_window"),
            key="before_picked",
            min_value=min(before.since, covered.first) if covered else before.since,
            max_value=max(before.until, covered.last) if covered else before.until,
            format="YYYY-MM-DD",
            required=True,
            label_visibility="collapsed",
            on_change=_put_before,
            width=245,
        )
        for name, window in usual(view.window).items():
            st.button(
                words(f"compare.ago.{name}"),
                key=f"before_{name}",
                type="primary" if window == before else "secondary",
                disabled=window is None,
                on_click=address.put,
                args=(address.BEFORE, () if name == "previous" or window is None else controls.days_in_address(window)),
            )


def usual(window: Window) -> dict[str, Window | None]:
    """The windows that others are compared with most: just before, and the same days a quarter and a year ago.

    Whole months go back by months, other windows by whole weeks, so that weekdays match.
    """
    return {
        "previous": window.before,
        "quarter": _ago(window, weeks=13, months=3),
        "year": _ago(window, weeks=52, months=12),
    }


def _ago(window: Window, *, weeks: int, months: int) -> Window | None:
    """None before the calendar begins."""
    try:
        if window.whole_months:
            after = add_months(window.until + timedelta(days=1), -months)
            return Window(add_months(window.since, -months), after - timedelta(days=1), window.tz)
        return Window(window.since - timedelta(weeks=weeks), window.until - timedelta(weeks=weeks), window.tz)
    except (BadWindow, OverflowError):
        return None


def facts(view: View, before: Window) -> dict[str, Any]:
    """The comparison as data: schema `merge-window/compare@1`."""
    settings = config.load()
    return compare_text.facts(
        loaders.compare(view.selection, before, settings.calendar),
        loaders.about(view.selection),
        loaders.about(replace(view.selection, window=before)),
        lang=view.lang,
        calendar=settings.calendar,
        config=settings.digest,
        version=version(),
    )


def _before(view: View, asked: Sequence[str]) -> Window:
    """The window of the address; without one, or where it can't be used, the equal period just before."""
    if not asked:
        return view.window.before
    try:
        return window_of(asked, view.window.tz, view.words)
    except BadWindow as error:
        days = formats.days(view.window.before.since, view.window.before.until, view.lang)
        tell_once("compare", [view.words("filters.bad_window", reason=str(error), shown=formats.escape_markdown(days))])
        return view.window.before


def _put_before() -> None:
    picked = st.session_state["before_picked"]
    if len(picked) == 2 and not address.is_echo("before_picked"):
        address.put(address.BEFORE, controls.days_in_address(Window(*picked)))


draw(controls.view(), address.read_before())
