"""What all figures share: a canvas without a frame, axes of days and of hours, labels and hover texts."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from analysis.window import Window
from dashboard import formats
from dashboard.palette import Palette
from dashboard.words import Words

DAY = timedelta(days=1)
LABEL_COLUMNS = 26  # of a name beside a bar; the hover tells the whole
TITLE_COLUMNS, HOVER_LINES = 64, 3
WEEK_OF_TICKS, LONG_TICKS = 7, 5  # how many labels fit beside each other on a phone: short ones and dates
NOON = time(12)
INVISIBLE = "\u200b"
PIECES = re.compile(r"\s*(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef]+)")  # a line breaks after a word or a Chinese sign
# Where a reader looks on a log scale of hours: 15 min, 1 h, 4 h, 1 d, 3 d, 1 w, 1 mo, 3 mo, and beyond.
LEAD_TIME_TICKS: tuple[tuple[float, str, int], ...] = (
    (1 / 60, "minutes", 1),
    (0.25, "minutes", 15),
    (1, "hours", 1),
    (4, "hours", 4),
    (24, "days", 1),
    (72, "days", 3),
    (168, "week", 1),
    (720, "month", 1),
    (2160, "month", 3),
    (8760, "year", 1),
    (43_800, "year", 5),
)


def canvas(palette: Palette, *, height: int, alt: str) -> go.Figure:
    """An empty figure with the looks of the house: no frame, horizontal grid, legend on top left, sober hover."""
    label = {"size": 12, "color": palette.muted}
    axis = {
        "fixedrange": True,  # a drag or a pinch scrolls the page
        "zeroline": False,
        "showline": False,
        "automargin": True,
        "tickfont": label,
        "title": {"font": label, "standoff": 8},
        "ticks": "",
    }
    return go.Figure(
        layout={
            "height": height,
            "margin": {"t": 8, "b": 8, "l": 8, "r": 8, "pad": 6},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "hovermode": "closest",
            "showlegend": True,  # also for one series: the colour means something
            "hoverdistance": 12,
            "hoverlabel": {
                "bgcolor": palette.paper,
                "bordercolor": palette.grid,
                "font": {"size": 13, "color": palette.text},
                "align": "left",
            },
            "legend": {
                "orientation": "h",
                "x": 0,
                "xref": "container",
                "xanchor": "left",
                "y": 1,
                "yref": "container",
                "yanchor": "top",
                "font": {"size": 12, "color": palette.text},
                "itemsizing": "constant",
                "traceorder": "normal",
                "itemclick": "toggle",
                "itemdoubleclick": "toggleothers",
            },
            "xaxis": {**axis, "showgrid": False},
            "yaxis": {**axis, "showgrid": True, "gridcolor": palette.grid, "gridwidth": 1},
            "meta": {"alt": alt, "note": ""},
        }
    )


def blank(palette: Palette, height: int, sentence: str) -> go.Figure:
    """What stands where there is nothing to draw: the sentence that says so, and no axes."""
    figure = canvas(palette, height=height, alt=sentence)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure.add_annotation(
        text=wrapped(sentence),
        showarrow=False,
        x=0.5,
        y=0.5,
        xref="paper",
        yref="paper",
        font={"color": palette.muted},
    )


def moment(day: date, hour: float = 0) -> datetime:
    """A moment on a chart's axis: the wall clock of the window's zone, without a zone, as plotly draws it."""
    return datetime.combine(day, time()) + timedelta(minutes=round(60 * hour))


def window_axis(window: Window, words: Words) -> dict[str, Any]:
    """The axis over all days of a window, each label in the middle of its day, the window's dates as its title."""
    labelled = [window.since + step * DAY for step in range(0, window.days, _step(window.days))]
    return {
        "title_text": words("chart.day_axis", days=formats.days(window.since, window.until, words.lang), tz=window.tz),
        "range": [moment(window.since), moment(window.until + DAY)],
        "tickvals": [datetime.combine(day, NOON) for day in labelled],
        "ticktext": _day_names(labelled, window, words),
        "tickangle": 0,
    }


def _day_names(labelled: list[date], window: Window, words: Words) -> list[str]:
    """`Mon` over `4` for a week, which fits a phone, with the month where it begins; `Apr 13` for longer windows."""
    if window.days > WEEK_OF_TICKS:
        return [formats.day_short(day, words.lang) for day in labelled]
    short = {day: str(day.day) for day in labelled[1:] if day.day > 1 and words.lang != "zh"}
    return [
        f"{formats.weekday(day, words.lang)}<br>{short.get(day) or formats.day_short(day, words.lang)}"
        for day in labelled
    ]


def day_ticks(days: list[date], words: Words) -> dict[str, Any]:
    """Labels for some of these days, counted from the last one, so that the newest has one."""
    step = _step(len(days))
    labelled = days[::-1][::step][::-1]
    return {
        "tickvals": [moment(day) for day in labelled],
        "ticktext": [formats.day_short(day, words.lang) for day in labelled],
        "tickangle": 0,
    }


def _step(n: int) -> int:
    """Every how manieth of `n` days or weeks gets a label, so that they fit a phone without turning."""
    return 1 if n <= WEEK_OF_TICKS else math.ceil(n / LONG_TICKS)


def lead_time_axis(hours: pd.Series, words: Words) -> dict[str, Any]:
    """A log axis that holds all these hours, with the marks that a person would put on it."""
    least, most = (math.log10(max(1 / 60, hour)) for hour in (hours.min(), hours.max()))
    spare = max(0.25, (1.6 - most + least) / 2)  # few or equal values: keep at least two marks in sight
    low, high = least - spare, most + spare
    ticks = [(value, words(f"duration.{unit}", n=n)) for value, unit, n in LEAD_TIME_TICKS]
    inside = [(value, text) for value, text in ticks if low <= math.log10(value) <= high]
    return {
        "type": "log",
        "range": [low, high],
        "tickvals": [value for value, _ in inside],
        "ticktext": [text for _, text in inside],
    }


def whole_numbers(most: float) -> dict[str, Any]:
    """The marks of an axis that counts: no halves, and with few of them one mark each."""
    return {"tickformat": ",d", "dtick": 1} if most <= 5 else {"tickformat": ",d"}


def labels(names: Sequence[str]) -> list[str]:
    """Names short enough to stand beside a row, and no two alike: plotly would draw those as one row."""
    seen: Counter[str] = Counter()
    made: list[str] = []
    for name in names:
        label = formats.escape_html(formats.shorten(name, LABEL_COLUMNS))
        made.append(label + INVISIBLE * seen[label])
        seen[label] += 1
    return made


def wrapped(text: str) -> str:
    """The text for a hover label: escaped, in at most three lines of a readable length."""
    lines = [""]
    for piece in PIECES.findall(formats.plain(text)):
        if lines[-1] and formats.columns(lines[-1] + piece) > TITLE_COLUMNS:
            lines.append("")
        lines[-1] = (lines[-1] + piece).lstrip()
    if len(lines) > HOVER_LINES:
        lines = [*lines[: HOVER_LINES - 1], lines[HOVER_LINES - 1] + "…"]
    return "<br>".join(formats.escape_html(formats.shorten(line, TITLE_COLUMNS + 1)) for line in lines)


def faded(colour: str, opacity: float) -> str:
    """A `#rrggbb` colour let through to what lies below, 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
