"""Charts and tables as pages draw them: with what they say to a screen reader, and what a click on them does."""

from collections.abc import Callable
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard import charts, formats

ROW_HEIGHT = 33  # of Streamlit's tables, where letters are 15 px


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
    """Draw a table with those columns of `config` in which anything is known; a click in a row gives back its position.

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
        column_order=_with_something_in_them(frame, config),
        width=width,
        hide_index=True,
        placeholder=formats.UNKNOWN,
        alt=alt,
        on_select=on_select,
        selection_mode=["single-row", "single-cell"],
        height=min(most_height, ROW_HEIGHT * (len(frame) + 1) + 2),
    )


def _with_something_in_them(frame: pd.DataFrame, config: dict[str, Any]) -> list[str]:
    """The columns to show: one of nothing but dashes would only push the others out of sight."""
    return [name for name in config if frame.empty or name not in frame or frame[name].notna().any()]
