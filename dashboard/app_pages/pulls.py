"""Pull requests: which ones, exactly?"""

from collections.abc import Callable, Iterator, Sequence

import pandas as pd
import streamlit as st

from analysis.kinds import KINDS
from dashboard import address, browse, controls, evidence, formats, listing, loaders, tables
from dashboard.address import Filters
from dashboard.view import View


def draw(view: View, asked: Filters, pr: str) -> None:
    """The page, from top to bottom."""
    filters, number = browse.checked(view, asked, pr)
    draw_filters(view, filters, number)
    found = browse.rows_of(view, filters)
    draw_found(view, filters, found)
    browse.draw(view, filters, number, found, tables.pulls(view.words, view.palette, tz=view.window.tz))


def draw_filters(view: View, filters: Filters, number: int | None) -> None:
    words = view.words
    modules = sorted({*loaders.modules(view.selection)["module"], *filters.modules})
    address.show("q_picked", filters.q)
    address.show("pr_picked", number)
    search, kind, module, tier, only, pr = st.columns([0.28, 0.16, 0.16, 0.13, 0.16, 0.11])
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
    with tier:
        pick_several(words("pulls.tier"), "tier", listing.TIERS, filters.tiers, lambda name: words(f"tier.{name}"))
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


def dropped(view: View, filters: Filters) -> Iterator[tuple[str, str]]:
    """The filters that no widget in sight shows, each with its key: a click lets it go."""
    words = view.words
    if filters.path:
        yield "path", words("pulls.on_path", path=formats.escape_markdown(formats.shorten(filters.path, 60)))
    if filters.rules:
        yield "rule", words("list.separator").join(evidence.label(rule, words) for rule in filters.rules)


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
        for key, label in dropped(view, filters):
            st.button(label, key=f"drop_{key}", icon=":material/close:", on_click=address.put, args=(key, ""))
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


draw(controls.view(), *address.current_list())
