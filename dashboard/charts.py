"""Frames in, plotly figures out: pure functions, the same picture for the same rows.

Every figure carries a sentence for screen readers in `alt(figure)` and what it leaves out in `note(figure)`. The
`customdata` of a point is `[key, sentence]`: the key is what a click means (an ISO Monday, a number, a module), the
sentence is the hover text; stacks tell their series as a third. Fonts come from the page; draw with
`st.plotly_chart(figure, config=CONFIG, alt=alt(figure))`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Literal, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from analysis.window import Window
from dashboard import evidence, formats, looks
from dashboard.palette import KIND_SERIES, SERIES_OF_KIND, TIER_SYMBOLS, KindSeries, Palette, kind_series
from dashboard.words import Words

Score = Literal["importance", "insight", "risk"]

CONFIG = {"displayModeBar": False, "doubleClick": False, "showTips": False, "scrollZoom": False}

MAX_POINTS = 2000  # more dots than that hide each other, and a phone draws them slowly
MAX_ROWS, FEWEST_ROWS, FEWEST_WEEKS = 8, 4, 8  # with fewer, the axis keeps room for as many
STRIP_HEIGHT = 72
MS_A_DAY = 86_400_000
DAY = timedelta(days=1)
WEEK = timedelta(days=7)
HOVER = "%{customdata[1]}<extra></extra>"
# A dot's area is its churn: 100 lines are 9 px across, 1,000 are 28, with limits at both ends.
PX_PER_ROOT_LINE, SMALLEST_DOT, LARGEST_DOT = 0.9, 6.0, 46.0
UNKNOWN_SIZE_DOT = 7.0
DOT_OPACITY = 0.88
MOST_REASONS = 3  # in a hover text
CROWD = 70  # more dots than that are drawn smaller


def alt(figure: go.Figure) -> str:
    """What a figure shows, in a sentence for those who do not see it."""
    return figure.layout.meta["alt"]


def note(figure: go.Figure) -> str:
    """What a figure leaves out, in a sentence to print below it; empty where it shows every row."""
    return figure.layout.meta["note"]


# --- the window strip ------------------------------------------------------------------------------------------


def window_strip(strip: pd.DataFrame, palette: Palette, words: Words) -> go.Figure:
    """One bar a week, the chosen ones in the accent colour; a click on a week's column means its Monday.

    Args:
        strip: oldest first: week (date, a Monday), until (date), merged, and the bools chosen (it overlaps the
            window), complete (it is over) and collected (the cache reaches back to it).
    """
    if strip.empty:
        return looks.blank(palette, STRIP_HEIGHT, words("strip.alt_empty"))
    figure = looks.canvas(palette, height=STRIP_HEIGHT, alt=_strip_alt(strip, words))
    centres = [looks.moment(week) + WEEK / 2 for week in strip["week"]]
    top = max(1, int(strip["merged"].max()))
    column_colour = looks.faded(palette.accent, 0.1)
    column = {"x": centres, "width": 7 * MS_A_DAY, "unselected_marker_opacity": 1, "showlegend": False}
    # The bar alone would be too small a target where little was merged, and none at all where nothing was.
    figure.add_bar(
        **column,
        y=[top] * len(strip),
        marker={"color": [column_colour if chosen else "rgba(0,0,0,0)" for chosen in strip["chosen"]]},
        customdata=[[row.week.isoformat(), _strip_sentence(row, words)] for row in strip.itertuples()],
        hovertemplate=HOVER,
        name="weeks",
    )
    figure.add_bar(
        **{**column, "width": 5.4 * MS_A_DAY},
        y=strip["merged"].tolist(),
        marker={
            "color": [palette.accent if chosen else palette.strip for chosen in strip["chosen"]],
            "opacity": [1.0 if complete else 0.55 for complete in strip["complete"]],
            "cornerradius": 2,
        },
        hoverinfo="skip",
        name="merged",
    )
    figure.update_layout(barmode="overlay", bargap=0, margin={"t": 2, "b": 20, "l": 0, "r": 0, "pad": 0})
    end = looks.moment(strip["week"].iloc[-1]) + WEEK
    months = [week for week in strip["week"] if (week + WEEK - DAY).day <= 7]
    figure.update_xaxes(
        tickvals=[looks.moment(week) + WEEK / 2 for week in months],
        ticktext=[formats.month(week + WEEK - DAY, words.lang) for week in months],
        range=[end - max(len(strip), FEWEST_WEEKS) * WEEK, end],
        linecolor=palette.grid,
        showline=True,
    )
    figure.update_yaxes(visible=False, range=[0, top])
    return figure


def _strip_sentence(row: Any, words: Words) -> str:
    key = "hover_missing" if not row.collected else "hover" if row.complete else "hover_open"
    return looks.wrapped(words(f"strip.{key}", n=int(row.merged), days=formats.days(row.week, row.until, words.lang)))


def _strip_alt(strip: pd.DataFrame, words: Words) -> str:
    chosen = strip[strip["chosen"]]
    days = None if chosen.empty else formats.days(chosen["week"].iloc[0], chosen["until"].iloc[-1], words.lang)
    return words(
        "strip.alt",
        n=len(strip),
        since=formats.day(strip["week"].iloc[0], words.lang),
        until=formats.day(strip["until"].iloc[-1], words.lang),
        most=int(strip["merged"].max()),
        chosen=days or words("strip.alt_none"),
    )


# --- merges by week and kind -----------------------------------------------------------------------------------


def merges_by_kind(kinds_by_week: pd.DataFrame, palette: Palette, words: Words, *, height: int = 330) -> go.Figure:
    """Stacked bars, one a week: how many pull requests of each series were merged. A click means the week's Monday.

    Args:
        kinds_by_week: week (date, a Monday), kind, merged; a week without merges has a row of 0.
    """
    table = _series_by_week(kinds_by_week)
    totals = table.sum(axis=1)
    if not totals.any():
        return looks.blank(palette, height, words("weeks.alt_none"))
    figure = looks.canvas(palette, height=height, alt=_weeks_alt(table, words))
    for series in KIND_SERIES:
        if not table[series].any():
            continue
        figure.add_bar(
            x=[looks.moment(week) for week in table.index],
            width=5.2 * MS_A_DAY,
            y=table[series].tolist(),
            name=words(f"series.{series}"),
            marker={"color": palette.kinds[series], "line": {"color": palette.paper, "width": 1}},
            customdata=[
                [week.isoformat(), _week_sentence(week, series, int(part), int(totals[week]), words), series]
                for week, part in table[series].items()
            ],
            hovertemplate=HOVER,
            unselected_marker_opacity=1,
        )
    figure.update_layout(barmode="stack", barcornerradius=2)
    last = looks.moment(table.index[-1])
    figure.update_xaxes(
        title_text=words("chart.week_axis"),
        range=[last - (max(len(table), FEWEST_WEEKS) - 0.5) * WEEK, last + 0.5 * WEEK],
        **looks.day_ticks(list(table.index), words),
    )
    figure.update_yaxes(title_text=words("chart.merges_axis"), rangemode="tozero", **looks.whole_numbers(totals.max()))
    return figure


def _series_by_week(kinds_by_week: pd.DataFrame) -> pd.DataFrame:
    """One row a week and one column a series, 0 where nothing was merged."""
    named = kinds_by_week.assign(series=[kind_series(kind) for kind in kinds_by_week["kind"]])
    table = named.pivot_table(index="week", columns="series", values="merged", aggfunc="sum", fill_value=0)
    return table.reindex(columns=list(KIND_SERIES), fill_value=0).sort_index()


def _week_sentence(week: date, series: KindSeries, part: int, total: int, words: Words) -> str:
    days = formats.days(week, week + WEEK - DAY, words.lang)
    return looks.wrapped(words("weeks.hover", series=words(f"series.{series}"), part=part, n=total, days=days))


def _weeks_alt(table: pd.DataFrame, words: Words) -> str:
    totals = {series: int(table[series].sum()) for series in KIND_SERIES if table[series].any()}
    until = formats.day(table.index[-1] + WEEK - DAY, words.lang)
    told = [words("weeks.alt_kind", series=words(f"series.{series}"), n=n) for series, n in totals.items()]
    return words("weeks.alt", n=len(table), until=until, kinds=words("list.separator").join(told))


# --- every merge, one dot each ---------------------------------------------------------------------------------


def merge_dots(pulls: pd.DataFrame, window: Window, palette: Palette, words: Words, *, height: int = 380) -> go.Figure:
    """One dot a pull request: when it was merged against its lead time, as large as its churn, by risk tier.

    Pull requests without a known lead time are left out and `note` tells how many. A click means the number.

    Args:
        pulls: number, title, kind, modules, merged_on (date), merged_hour (0 to 24), churn_lines, tier, risks,
            lead_time_hours.
        window: the days of the axis.
    """
    known = pulls[pulls["lead_time_hours"].notna()]
    unknown = len(pulls) - len(known)
    if known.empty:
        return _noted(looks.blank(palette, height, words("dots.alt_none")), words, unknown=unknown)
    drawn = _largest(known)
    figure = looks.canvas(palette, height=height, alt=_dots_alt(known, words))
    _add_dots(figure, drawn, drawn["lead_time_hours"].clip(lower=1 / 60), palette, words, _dot_sentence)
    figure.update_xaxes(**looks.window_axis(window, words))
    hours = looks.lead_time_axis(known["lead_time_hours"], words)
    figure.update_yaxes(title_text=words("chart.lead_time_axis"), **hours)
    return _noted(figure, words, unknown=unknown, left_out=len(known) - len(drawn))


def merge_days(pulls: pd.DataFrame, window: Window, palette: Palette, words: Words, *, height: int = 380) -> go.Figure:
    """One dot a pull request: the day against the time of day it was merged, morning at the top, else as `merge_dots`.

    For caches that know no lead time: a git clone still tells when, what and how much.

    Args:
        pulls: number, title, kind, modules, merged_on (date), merged_hour (0 to 24), churn_lines, tier, risks.
        window: the days of the axis.
    """
    if pulls.empty:
        return looks.blank(palette, height, words("days.alt_none"))
    drawn = _largest(pulls)
    figure = looks.canvas(palette, height=height, alt=_days_alt(pulls, words))
    _add_dots(figure, drawn, drawn["merged_hour"], palette, words, _clock_sentence)
    hours = range(0, 25, 6)
    figure.update_xaxes(**looks.window_axis(window, words))
    figure.update_yaxes(
        title_text=words("chart.clock_axis"),
        range=[24.6, -0.6],
        tickvals=list(hours),
        ticktext=[f"{hour:02d}:00" for hour in hours],
    )
    return _noted(figure, words, left_out=len(pulls) - len(drawn))


def _largest(pulls: pd.DataFrame) -> pd.DataFrame:
    """As many as can be drawn, the largest first, so that small dots lie on large ones."""
    return pulls.sort_values("churn_lines", ascending=False, na_position="last", kind="stable").head(MAX_POINTS)


def _add_dots(
    figure: go.Figure,
    pulls: pd.DataFrame,
    heights: pd.Series,
    palette: Palette,
    words: Words,
    sentence: Callable[[Any, Words], str],
) -> None:
    figure.update_layout(margin_r=LARGEST_DOT / 2)  # a large dot at the right edge stays whole
    figure.update_yaxes(ticklabelstandoff=round(LARGEST_DOT / 2))  # and one at the left edge hides no label
    # A crowd is drawn smaller, or the large ones would hide the rest.
    scale = PX_PER_ROOT_LINE * min(1.0, max(0.4, math.sqrt(CROWD / max(1, len(pulls)))))
    for tier, of_tier in _by_tier(pulls):
        figure.add_scatter(
            x=[looks.moment(row.merged_on, row.merged_hour) for row in of_tier.itertuples()],
            y=heights[of_tier.index].tolist(),
            mode="markers",
            name=f"{_tier_name(tier, words)} <span style='color:{palette.muted}'>{len(of_tier)}</span>",
            marker=_tier_marker(tier, palette)
            | {"size": [_dot_size(churn, scale) for churn in of_tier["churn_lines"]]},
            customdata=[[int(row.number), sentence(row, words)] for row in of_tier.itertuples()],
            hovertemplate=HOVER,
            unselected_marker_opacity=DOT_OPACITY,
            cliponaxis=False,
        )


def _by_tier(pulls: pd.DataFrame) -> list[tuple[int | None, pd.DataFrame]]:
    """The pull requests of each tier that has any, the low ones first, so that the risky ones lie on top."""
    of_tiers = [(tier, pulls[pulls["tier"] == tier]) for tier in TIER_SYMBOLS]
    found = [(None, pulls[pulls["tier"].isna()]), *of_tiers]
    return [(tier, rows) for tier, rows in found if len(rows)]


def _tier_name(tier: int | None, words: Words) -> str:
    return words(f"tier.{tier}") if tier else words("tier.unknown")


def _tier_marker(tier: int | None, palette: Palette) -> dict[str, Any]:
    """A tier's colour and shape; hollow where no tier is known."""
    if tier is None:
        return {"color": palette.before, "symbol": "circle-open", "opacity": DOT_OPACITY}
    line = {"color": palette.paper, "width": 1}
    return {"color": palette.tiers[tier], "symbol": TIER_SYMBOLS[tier], "line": line, "opacity": DOT_OPACITY}


def _dot_size(churn: float, px_per_root_line: float) -> float:
    if formats.is_unknown(churn):
        return UNKNOWN_SIZE_DOT
    return round(min(LARGEST_DOT, max(SMALLEST_DOT, px_per_root_line * math.sqrt(churn))), 1)


def _dot_sentence(row: Any, words: Words) -> str:
    values = {
        "day": formats.day(row.merged_on, words.lang),
        "lead_time": formats.duration(row.lead_time_hours, words.lang),
    }
    return _pull_hover(row, "dots", values, words)


def _clock_sentence(row: Any, words: Words) -> str:
    clock = looks.moment(row.merged_on, row.merged_hour).strftime("%H:%M")
    values = {"day": formats.day(row.merged_on, words.lang), "clock": clock}
    return _pull_hover(row, "days", values, words)


def _pull_hover(row: Any, table: str, values: dict[str, str], words: Words) -> str:
    """Title in bold, then kind and modules, risk and why, what this chart says of it, and what a click does."""
    head = words("dots.head", number=str(int(row.number)), title=formats.title(row.title))
    modules = words("list.separator").join(formats.escape_html(module) for module in row.modules[:3])
    kind = words(f"kind.{row.kind if row.kind in SERIES_OF_KIND else 'other'}")
    by = words("dots.by", kind=kind, modules=modules) if modules else kind
    if formats.is_unknown(row.churn_lines):
        fact = words(f"{table}.hover_size_unknown", **values)
    else:
        fact = words(f"{table}.hover", n=int(row.churn_lines), **values)
    said = words("list.between_sentences").join((fact, words("dots.click")))
    return f"<b>{looks.wrapped(head)}</b><br>{by}{_risk_line(row, words)}<br>{said}"


def _risk_line(row: Any, words: Words) -> str:
    if formats.is_unknown(row.tier):
        return ""
    why = [evidence.label(risk["rule"], words) for risk in row.risks]
    rest = len(why) - MOST_REASONS
    named = words.listed(why[:MOST_REASONS] + ([words("files.rest", n=rest)] if rest > 0 else []))
    key = "dots.risk_why" if why else "dots.risk"
    return "<br>" + looks.wrapped(words(key, tier=words(f"tier.{int(row.tier)}"), why=named))


def _dots_alt(pulls: pd.DataFrame, words: Words) -> str:
    shortest, longest = (formats.duration(f(pulls["lead_time_hours"]), words.lang) for f in (min, max))
    return words("dots.alt", n=len(pulls), shortest=shortest, longest=longest, tiers=_tiers_alt(pulls, words))


def _days_alt(pulls: pd.DataFrame, words: Words) -> str:
    return words("days.alt", n=len(pulls), tiers=_tiers_alt(pulls, words))


def _tiers_alt(pulls: pd.DataFrame, words: Words) -> str:
    return words("list.separator").join(
        words("dots.alt_tier", tier=_tier_name(tier, words), n=len(of_tier)) for tier, of_tier in _by_tier(pulls)
    )


def _noted(figure: go.Figure, words: Words, **counts: int) -> go.Figure:
    """The figure with a sentence for each count above zero."""
    told = [words(f"chart.{name}", n=n) for name, n in counts.items() if n]
    figure.layout.meta = {**figure.layout.meta, "note": words("list.between_sentences").join(told)}
    return figure


# --- modules, scores and files: horizontal -----------------------------------------------------------------


class Moved(NamedTuple):
    """One row of the dumbbells; `before` is None where the cache does not reach back."""

    module: str
    label: str
    now: int
    before: int | None


def modules_moved(
    modules: pd.DataFrame, palette: Palette, words: Words, *, before: str, height: int = 380
) -> go.Figure:
    """One row a module, the busiest on top: a hollow dot for the window before, a filled one for now.

    A click means the module.

    Args:
        modules: most pull requests first: module, merged, before (NaN where it is not known).
        before: what the window before is called (`formats.than_before`).
    """
    rows = _moved_rows(modules.head(MAX_ROWS))
    if not rows:
        return looks.blank(palette, height, words("moved.alt_none"))
    figure = looks.canvas(palette, height=height, alt=_moved_alt(rows, before, words))
    compared = [row for row in rows if row.before is not None]
    figure.add_scatter(
        x=[x for row in compared for x in (row.before, row.now, None)],
        y=[y for row in compared for y in (row.label, row.label, None)],
        mode="lines",
        line={"color": palette.strip, "width": 3},
        hoverinfo="skip",
        showlegend=False,
    )
    hollow = {"color": palette.paper, "size": 10, "line": {"color": palette.before, "width": 2}, "opacity": 1}
    filled = {"color": palette.accent, "size": 12, "opacity": 1}
    _add_ends(figure, compared, False, before, words, marker=hollow, textfont={"color": palette.muted})
    _add_ends(figure, rows, True, before, words, marker=filled, textfont={"color": palette.text})
    counts = [count for row in rows for count in (row.before, row.now) if count is not None]
    most, room = max(counts), 0.16 * max(*counts, 1)  # at both ends, for a dot and its number
    left = min(-0.25 * room, min(counts) - room)
    figure.update_xaxes(title_text=words("chart.count_axis"), range=[left, most + room], **looks.whole_numbers(most))
    top_edge = len(rows) - 0.4
    figure.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=[row.label for row in rows][::-1],
        range=[top_edge - max(len(rows), FEWEST_ROWS) - 0.2, top_edge],
    )
    return figure


def _moved_rows(modules: pd.DataFrame) -> list[Moved]:
    befores = [None if formats.is_unknown(count) else int(count) for count in modules["before"]]
    labels = looks.labels(modules["module"].tolist())
    return [
        Moved(module, label, int(now), then)
        for module, label, now, then in zip(modules["module"], labels, modules["merged"], befores, strict=True)
    ]


def _add_ends(
    figure: go.Figure, rows: Sequence[Moved], is_now: bool, before: str, words: Words, **looks: dict[str, Any]
) -> None:
    """One end of each dumbbell with its number on the outer side; of two equal ends only `now` says it."""
    figure.add_scatter(
        x=[row.now if is_now else row.before for row in rows],
        y=[row.label for row in rows],
        mode="markers+text",
        name=words("moved.now" if is_now else "moved.before"),
        text=[
            "" if not is_now and row.now == row.before else f"  {row.now if is_now else row.before:,}  " for row in rows
        ],
        textposition=["middle right" if (row.now >= (row.before or 0)) == is_now else "middle left" for row in rows],
        customdata=[[row.module, _moved_sentence(row, before, words)] for row in rows],
        hovertemplate=HOVER,
        unselected_marker_opacity=1,
        cliponaxis=False,
        **looks,
    )


def _moved_sentence(row: Moved, before: str, words: Words) -> str:
    module = formats.plain(row.module)
    if row.before is None:
        sentence = words("moved.hover_unknown", module=module, n=row.now, before_name=before)
    else:
        sentence = words("moved.hover", module=module, n=row.now, before=row.before, before_name=before)
    return looks.wrapped(words("list.between_sentences").join((sentence, words("moved.click"))))


def _moved_alt(rows: Sequence[Moved], before: str, words: Words) -> str:
    told = [
        words(
            "moved.alt_row",
            module=formats.plain(row.module),
            now=row.now,
            before=formats.number(row.before, words.lang),
        )
        for row in rows
    ]
    return words("moved.alt", before_name=before, rows=words("list.separator").join(told))


class Bar(NamedTuple):
    """One horizontal bar: what a click means, its name, length, colour, the number at its end and the hover text."""

    key: str
    name: str
    value: float
    colour: str
    text: str
    sentence: str


def score_parts(score: Score, parts: Mapping[str, float], palette: Palette, words: Words) -> go.Figure:
    """A bar a part of one pull request's score, the largest on top; what takes points away reaches left.

    Args:
        score: which one; names its words.
        parts: points of each part by name, for risk by rule; they add up to the score.
    """
    bars = [_part_bar(score, name, points, palette, words) for name, points in parts.items() if points]
    if not bars:
        return looks.blank(palette, _bars_height(1), words(f"{score}.alt_none"))
    bars.sort(key=lambda bar: -bar.value)
    told = words("list.separator").join(f"{bar.name} {bar.text}" for bar in bars)
    total = formats.measure(round(sum(parts.values()), 2), words.lang)
    return _bars(bars, palette, words(f"{score}.alt", total=total, parts=told), words(f"{score}.axis"))


def _part_bar(score: Score, name: str, points: float, palette: Palette, words: Words) -> Bar:
    label = _part_name(score, name, words)
    colour = palette.accent if points > 0 else palette.before
    shown = f"{points:+g}" if score == "risk" else f"{points:+.2f}"  # to the last digit, so that they add up on screen
    return Bar(name, label, points, colour, shown, words(f"{score}.hover", part=label, points=shown))


def _part_name(score: Score, name: str, words: Words) -> str:
    if score == "risk":
        return words("risk.cap") if name == "cap" else evidence.label(name, words)
    return words(f"part.{name}") if f"part.{name}" in words else name.replace("_", " ")


def lines_by_category(files: pd.DataFrame, palette: Palette, words: Words) -> go.Figure:
    """A bar a category of files (source, tests, lock file...): lines changed in one pull request, noise in grey.

    Args:
        files: additions, deletions (NaN for binary files), category, is_noise.
    """
    if files.empty:
        return looks.blank(palette, _bars_height(1), words("files.alt_none"))
    lines = files["additions"].fillna(0) + files["deletions"].fillna(0)
    groups = files.assign(lines=lines).groupby("category")
    table = groups.agg(lines=("lines", "sum"), n_files=("lines", "size"), is_noise=("is_noise", "all"))
    table = table.sort_values("lines", ascending=False, kind="stable")
    bars = [_category_bar(row, palette, words) for row in table.itertuples()]
    told = words("list.separator").join(words("files.alt_row", name=bar.name, n=bar.text) for bar in bars)
    return _bars(bars, palette, words("files.alt", rows=told), words("files.axis"))


def _category_bar(row: Any, palette: Palette, words: Words) -> Bar:
    name = words(f"category.{row.Index}") if f"category.{row.Index}" in words else str(row.Index)
    colour = palette.before if row.is_noise else palette.accent
    sentence = words("files.hover", name=name, n=int(row.lines), files=words("files.files", n=int(row.n_files)))
    return Bar(row.Index, name, int(row.lines), colour, formats.number(row.lines, words.lang), sentence)


def _bars(bars: Sequence[Bar], palette: Palette, alt: str, axis: str) -> go.Figure:
    """Horizontal bars, the first on top, each with its number at its end."""
    figure = looks.canvas(palette, height=_bars_height(len(bars)), alt=alt)
    figure.add_bar(
        x=[bar.value for bar in bars],
        y=looks.labels([bar.name for bar in bars]),
        orientation="h",
        marker={"color": [bar.colour for bar in bars], "cornerradius": 2},
        text=[bar.text for bar in bars],
        textposition="outside",
        textfont={"color": palette.text},
        customdata=[[bar.key, looks.wrapped(bar.sentence)] for bar in bars],
        hovertemplate=HOVER,
        showlegend=False,
        cliponaxis=False,
    )
    reach = max(abs(bar.value) for bar in bars) or 1
    least = min(0.0, *(bar.value for bar in bars))
    # Room at both ends for the numbers.
    left = 1.2 * least - 0.1 * reach if least else 0
    figure.update_xaxes(title_text=axis, range=[left, 1.2 * reach], showticklabels=False)
    figure.update_yaxes(type="category", autorange="reversed", showgrid=False)
    return figure.update_layout(bargap=0.35)


def _bars_height(n: int) -> int:
    return 46 + 26 * n
