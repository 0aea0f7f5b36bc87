"""Pull requests: which ones, exactly?"""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from analysis.kinds import KINDS
from dashboard import address, controls, detail, elements, formats, listing, loaders, tables
from dashboard.address import Filters
from dashboard.view import View, bad_value, tell_once

TABLE_HEIGHT = 640


def draw(view: View, asked: Filters, pr: str) -> None:
    """The page, from top to bottom."""
    filters, number = checked(view, asked, pr)
    draw_filters(view, filters, number)
    found = rows_of(view, filters)
    draw_found(view, filters, found)
    if number is None:
        draw_rows(view, filters, found, None)
        return
    left, right = st.columns([0.6, 0.4])
    with left:
        draw_rows(view, filters, found, number)
    with right, st.container(border=True):
        draw_chosen(view, number)


def checked(view: View, asked: Filters, pr: str) -> tuple[Filters, int | None]:
    """The filters and the number that can be used; what can't is told once."""
    filters, bad = listing.known(asked)
    number = int(pr) if pr.isascii() and pr.isdigit() and 0 < len(pr) < 10 else None
    if pr and not number:
        bad.append(("pr", pr))
    nothing = view.words("filters.all")
    tell_once("list", [bad_value(view.words, key, value, nothing) for key, value in bad])
    return filters, number or None


def rows_of(view: View, filters: Filters) -> pd.DataFrame:
    """The pull requests that fit: of the window, or of the whole cache where all days are asked for."""
    selection, text = view.selection, filters.q.strip()
    if filters.everywhere and text:
        pulls, matching = loaders.found(selection, text), None
    else:
        pulls, matching = loaders.pulls(selection), set(loaders.find(selection, text)) if text else None
    on_path = loaders.file_pulls(selection, filters.path) if filters.path else None
    return listing.choose(pulls, filters, matching=matching, on_path=on_path)


def draw_filters(view: View, filters: Filters, number: int | None) -> None:
    words = view.words
    modules = sorted({*loaders.modules(view.selection)["module"], *filters.modules})
    address.show("q_picked", filters.q)
    address.show("pr_picked", number)
    search, kind, module, only, pr = st.columns([0.34, 0.18, 0.18, 0.18, 0.12])
    search.text_input(
        words("pulls.search"),
        key="q_picked",
        type="search",
        placeholder=words("pulls.search_hint"),
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=address.put_widget,
        args=("q", "q_picked"),
    )
    with kind:
        pick_several(words("pulls.kind"), "kind", KINDS, filters.kinds, lambda name: words(f"kind.{name}"))
    with module:
        pick_several(words("pulls.module"), "module", modules, filters.modules, formats.escape_markdown)
    with only:
        pick_several(words("pulls.only"), "only", list(listing.ONLY), filters.only, lambda name: words(f"only.{name}"))
    pr.number_input(
        words("pulls.number"),
        key="pr_picked",
        min_value=1,
        step=1,
        format="%d",
        placeholder=words("pulls.number"),
        help=None,
        label_visibility="collapsed",
        on_change=address.put_widget,
        args=("pr", "pr_picked"),
    )


def pick_several(
    label: str, key: str, options: Sequence[str], chosen: Sequence[str], named: Callable[[str], str]
) -> None:
    """A picker of several values of one key of the address."""
    widget = f"{key}_picked"
    address.show(widget, list(chosen))
    st.multiselect(
        label,
        options,
        key=widget,
        format_func=named,
        placeholder=label,
        label_visibility="collapsed",
        on_change=address.put_widget,
        args=(key, widget),
    )


def draw_found(view: View, filters: Filters, found: pd.DataFrame) -> None:
    """How many there are, of which days, what else narrows them down, and the same as a file."""
    words, window = view.words, view.window
    searched_everywhere = filters.everywhere and filters.q.strip()
    where = words("pulls.everywhere") if searched_everywhere else formats.days(window.since, window.until, view.lang)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{words('pulls.found', n=len(found))}** · {formats.escape_markdown(where)}")
        if filters.path:
            label = words("pulls.on_path", path=formats.escape_markdown(formats.shorten(filters.path, 60)))
            st.button(label, key="drop_path", icon=":material/close:", on_click=address.put, args=("path", ""))
        if filters.q.strip():
            address.show("all_picked", filters.everywhere)
            st.toggle(
                words("pulls.everywhere"),
                key="all_picked",
                help=words("pulls.everywhere_help"),
                on_change=address.put_widget,
                args=("all", "all_picked"),
            )
        if filters.are_set:
            st.button(words("filters.clear"), key="clear", type="tertiary", on_click=address.clear_list)
        st.space("stretch")
        st.page_link("app_pages/about.py", label=words("about.title"), icon=":material/info:")
        st.download_button(
            words("pulls.csv"),
            lambda: listing.as_csv(found),
            file_name=f"{view.selection.repo.replace('/', '-')}-{window.since}-{window.until}.csv",
            mime="text/csv",
            key="csv",
            icon=":material/download:",
            on_click="ignore",
            help=words("pulls.download_help"),
            disabled=found.empty,
        )


def draw_rows(view: View, filters: Filters, found: pd.DataFrame, number: int | None) -> None:
    words = view.words
    if found.empty:
        draw_nothing(view, filters)
        return
    numbers = found["number"].tolist()

    def choose(position: int) -> None:
        address.put("pr", numbers[position])

    elements.table(
        tables.told(found, words),
        f"pulls {hash((view.selection, filters))}",
        tables.pulls(words, view.palette, tz=view.window.tz),
        alt=words("pulls.alt"),
        on_row=choose,
        selected=numbers.index(number) if number in numbers else None,
        most_height=TABLE_HEIGHT,
    )
    if number is None:
        st.caption(words("pulls.choose"))


def draw_nothing(view: View, filters: Filters) -> None:
    """Name the filters in force, or that these days are empty."""
    words = view.words
    if not filters.are_set:
        st.info(words("empty.nothing"))
        return
    told = [words("empty.filter_text", value=filters.q)] if filters.q.strip() else []
    told += [words("empty.filter_kind", value=words(f"kind.{kind}")) for kind in filters.kinds]
    told += [words("empty.filter_module", value=module) for module in filters.modules]
    told += [words(f"only.{name}") for name in filters.only]
    told += [words("empty.filter_path", value=filters.path)] if filters.path else []
    if not view.selection.bots:
        told.append(words("empty.filter_bots"))
    st.info(
        words("empty.filtered", filters=words("list.separator").join(map(formats.escape_markdown, told)))
        + words("list.between_sentences")
        + words("empty.filtered_hint", n=len(loaders.pulls(view.selection)))
    )
    st.button(words("filters.clear"), key="clear_nothing", on_click=address.clear_list)


def draw_chosen(view: View, number: int) -> None:
    """The chosen pull request beside the table, in or outside this window."""
    words, repo = view.words, formats.escape_markdown(view.selection.repo)
    chosen = loaders.pull(view.selection, number)
    with st.container(horizontal=True, vertical_alignment="center"):
        if chosen is None:
            st.info(words("empty.unknown_number", number=str(number), repo=repo))
        elif number not in set(loaders.pulls(view.selection)["number"]):
            st.caption(words("empty.elsewhere", number=str(number), what=whereabouts(view, chosen.row)))
        st.space("stretch")
        st.button(
            words("detail.close"),
            key="close",
            type="tertiary",
            icon=":material/close:",
            on_click=address.put,
            args=("pr", ""),
        )
    if chosen is not None:
        detail.draw(view, chosen)


def whereabouts(view: View, row: dict[str, Any]) -> str:
    """Why a pull request is not in the list of this window."""
    if row["state"] != "merged":
        return view.words("empty.not_merged", state=view.words(f"state.{row['state']}"))
    return view.words("empty.merged_on", day=formats.day(row["merged_on"], view.lang))


draw(controls.view(), *address.current_list())
