"""A list of pull requests and the chosen one beside it, and what stands there when the list is empty."""

from typing import Any

import pandas as pd
import streamlit as st

from dashboard import address, controls, detail, elements, evidence, formats, listing, loaders, tables
from dashboard.address import Filters
from dashboard.view import View, bad_value, tell_once

TABLE_HEIGHT = 640
LONGEST_FILTER = 80  # columns of a filter's name where those in force are told


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


def draw(view: View, filters: Filters, number: int | None, found: pd.DataFrame, config: tables.Config) -> None:
    """The rows with the columns of `config`, and the chosen one beside them."""
    if number is None:
        draw_rows(view, filters, found, config, None)
        return
    left, right = st.columns([0.6, 0.4])
    with left:
        draw_rows(view, filters, found, config, number)
    with right, st.container(border=True):
        draw_chosen(view, number)


def draw_rows(view: View, filters: Filters, found: pd.DataFrame, config: tables.Config, number: int | None) -> None:
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
        config,
        alt=words("pulls.alt"),
        on_row=choose,
        selected=numbers.index(number) if number in numbers else None,
        most_height=TABLE_HEIGHT,
    )
    if number is None:
        st.caption(words("pulls.choose"))


def filters_told(view: View, filters: Filters) -> list[str]:
    """The filters in force, one text each, safe for Markdown."""
    words = view.words
    told = [words("empty.filter_text", value=filters.q)] if filters.q.strip() else []
    told += [words("empty.filter_kind", value=words(f"kind.{kind}")) for kind in filters.kinds]
    told += [words("empty.filter_module", value=module) for module in filters.modules]
    told += [words("empty.filter_tier", value=words(f"tier.{tier}")) for tier in filters.tiers]
    told += [words("empty.filter_rule", value=evidence.label(rule, words)) for rule in filters.rules]
    told += [words(f"only.{name}") for name in filters.only]
    told += [words("empty.filter_path", value=filters.path)] if filters.path else []
    return [formats.escape_markdown(formats.shorten(text, LONGEST_FILTER)) for text in told]


def draw_nothing(view: View, filters: Filters) -> None:
    """Name the filters in force, or that these days are empty."""
    words = view.words
    if not filters.are_set:
        draw_no_merges(view)
        return
    told = filters_told(view, filters)
    if not view.selection.bots:
        told.append(words("empty.filter_bots"))
    st.info(
        words("empty.filtered", filters=words("list.separator").join(told))
        + words("list.between_sentences")
        + words("empty.filtered_hint", n=len(loaders.pulls(view.selection)))
    )
    st.button(words("filters.clear"), key="clear_nothing", on_click=address.clear_list)


def draw_no_merges(view: View) -> None:
    """Nothing was merged between these dates, or they were not collected; the nearest week that has something."""
    words, covered, nearest = view.words, view.coverage, loaders.nearest(view.selection)
    days = formats.days(nearest.since, nearest.until, view.lang) if nearest else ""
    if covered and (view.window.until < covered.first or view.window.since > covered.last):
        st.info(words("empty.not_collected", covered=formats.days(covered.first, covered.last, view.lang)))
    else:
        st.info(words("empty.nothing_nearest", days=days) if nearest else words("empty.nothing"))
    if nearest:
        st.button(
            words("empty.go_nearest", days=days),
            key="go_nearest",
            on_click=controls.put_window,
            args=(nearest, view.latest),
        )


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
