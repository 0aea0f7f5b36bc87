"""How long each stage of a pull request took, from opened to merged, and the bar that shows it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard import formats
from dashboard.palette import Palette
from dashboard.words import Words

HEIGHT, LINE, MARGIN = 36, 20, 12  # of the bar, of a name below it, and around all names


@dataclass(frozen=True)
class Stage:
    """One stretch of time: draft, waiting (for the first review), review, merging (after the last approval)."""

    name: str
    hours: float


def stages(row: dict[str, Any], reviews: pd.DataFrame) -> list[Stage]:
    """The stages of a merged pull request in order, those of no length left out; none where it is not known.

    Args:
        row: created_at, ready_at, merged_at (UTC text or None), author, reviews_known.
        reviews: reviewer, reviewer_type, state, submitted_at. Those of people other than the author count.
    """
    if not row["created_at"] or not row["merged_at"]:
        return []
    ready = row["ready_at"] or row["created_at"]
    marks = [("draft", row["created_at"], ready)]
    if formats.is_unknown(row["reviews_known"]) or not row["reviews_known"]:
        marks.append(("open", ready, row["merged_at"]))
    else:
        marks += _after_ready(ready, row, reviews)
    hours = [(name, _hours(start, end)) for name, start, end in marks]
    return [Stage(name, length) for name, length in hours if length > 0]


def _after_ready(ready: str, row: dict[str, Any], reviews: pd.DataFrame) -> list[tuple[str, str, str]]:
    merged = row["merged_at"]
    by_others = reviews[(reviews["reviewer_type"] == "human") & (reviews["reviewer"] != row["author"])]
    inside = by_others[(by_others["submitted_at"] >= ready) & (by_others["submitted_at"] <= merged)]
    if inside.empty:
        return [("unreviewed", ready, merged)]
    first = inside["submitted_at"].min()
    approvals = inside.loc[inside["state"] == "approved", "submitted_at"]
    approved = approvals.max() if len(approvals) else merged
    return [("waiting", ready, first), ("review", first, approved), ("merging", approved, merged)]


def _hours(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() / 3600


def bar(stages: list[Stage], palette: Palette, words: Words) -> go.Figure:
    """The stages end to end, each with its name and length."""
    colours = {
        "draft": palette.strip,
        "waiting": palette.worse,
        "open": palette.accent,
        "unreviewed": palette.before,
        "review": palette.accent,
        "merging": palette.before,
    }
    told = [
        words("timeline.stage", name=words(f"timeline.{stage.name}"), time=formats.duration(stage.hours, words.lang))
        for stage in stages
    ]
    names = LINE * len(stages) + MARGIN  # a line each: side by side, a phone has no room for them
    figure = go.Figure(
        layout={
            "height": HEIGHT + names,
            "meta": {"alt": words("timeline.alt", stages=words("list.separator").join(told)), "note": ""},
        }
    )
    for stage, sentence in zip(stages, told, strict=True):
        figure.add_bar(
            x=[stage.hours],
            y=[""],
            orientation="h",
            name=sentence,
            marker={"color": colours[stage.name], "line": {"color": palette.paper, "width": 1}},
            hovertemplate=f"{sentence}<extra></extra>",
        )
    figure.update_layout(
        barmode="stack",
        margin={"t": 4, "b": names, "l": 0, "r": 0},
        showlegend=True,  # also of a single stage: the colour alone says nothing
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        legend={
            "orientation": "v",
            "x": 0,
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "maxheight": names,  # by itself it would take half of the figure and then scroll
            "traceorder": "normal",
            "font": {"size": 12, "color": palette.text},
            "itemclick": False,
            "itemdoubleclick": False,
        },
        xaxis={"visible": False, "fixedrange": True},
        yaxis={"visible": False, "fixedrange": True},
    )
    return figure
