"""The report's text on a page: sentences that tell what they rest on, drawn by the browser from our own HTML."""

from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from dashboard.report import html

NAME = "merge_window_document"


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    """Registered once for all readers."""
    folder = resources.files("dashboard.report")
    style = folder.joinpath("view.css").read_text("utf-8") + html.css("text")
    return st.components.v2.component(NAME, css=style, js=folder.joinpath("view.js").read_text("utf-8"))


def draw(
    body: str, counts: Mapping[str, int], *, key: str, says: Callable[[int], str], on_claim: Callable[[str], Any]
) -> None:
    """Draw the text. A click on the number behind a sentence calls back with the id of its claim.

    Args:
        body: as `html.body` gives it: all that comes from a repository is escaped there.
        counts: how many pull requests each claim names; those with none have no number.
        key: names what is drawn.
        says: what a screen reader hears of such a number.
        on_claim: called after the run that the click causes has begun.
    """

    def take() -> None:
        if claim := st.session_state[key].get("claim"):
            on_claim(str(claim))

    told = {str(n): says(n) for n in set(counts.values())}
    _component()(
        key=key,
        data={"html": body, "counts": dict(counts), "says": told},
        on_claim_change=take,
        on_pr_change=lambda: None,
    )
