"""The report's charts as inline SVG: they need no script and take the page's colours."""

import html
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from dashboard import formats
from dashboard.words import Words

WIDTH, HEIGHT, FOOT = 720, 120, 18  # in the units of the picture
ROW, LABEL, MOST_ROWS = 22, 150, 8
GAP = 4


def charts(facts: Mapping[str, Any]) -> str:
    """How many were merged in this window and those before it, and where, as figures; empty without merges."""
    if not facts["totals"]["merged"]:
        return ""
    return _history(facts) + _modules(facts)


def _history(facts: Mapping[str, Any]) -> str:
    """A bar a window, the last one this; nothing where the cache holds no window before."""
    if not facts["history"]:
        return ""
    words = Words(facts["lang"])
    windows = [*facts["history"], {**facts["window"], "merged": facts["totals"]["merged"]}]
    most = max(window["merged"] for window in windows)
    step = WIDTH / len(windows)
    bars = [_bar(window, at * step, step - GAP, most, words) for at, window in enumerate(windows)]
    ends = "".join(
        f'<text x="{x:.0f}" y="{HEIGHT + FOOT - 4}" text-anchor="{anchor}">{_day(window, words)}</text>'
        for x, anchor, window in ((0, "start", windows[0]), (WIDTH - GAP, "end", windows[-1]))
    )
    axis = f'<line class="axis" x1="0" x2="{WIDTH}" y1="{HEIGHT}" y2="{HEIGHT}"/>'
    return _figure(words("report.chart.history"), HEIGHT + FOOT, [*bars, axis, ends])


def _bar(window: Mapping[str, Any], x: float, width: float, most: int, words: Words) -> str:
    height = (HEIGHT - FOOT) * window["merged"] / most if most else 0
    since, until = (date.fromisoformat(window[end]) for end in ("since", "until"))
    told = f"{formats.days(since, until, words.lang)}: {words('report.merged', n=window['merged'])}"
    kind = "now" if "tz" in window else "before"
    number = (
        f'<text x="{x + width / 2:.1f}" y="{HEIGHT - height - 4:.1f}" text-anchor="middle">{window["merged"]}</text>'
    )
    return (
        f'<g><title>{_escaped(told)}</title><rect class="{kind}" x="{x:.1f}" y="{HEIGHT - height:.1f}"'
        f' width="{width:.1f}" height="{height:.1f}"/>{number}</g>'
    )


def _day(window: Mapping[str, Any], words: Words) -> str:
    return _escaped(formats.day_short(date.fromisoformat(window["since"]), words.lang))


def _modules(facts: Mapping[str, Any]) -> str:
    """A row a module: how many pull requests now, and a mark for how many before."""
    words = Words(facts["lang"])
    shown = [module for module in facts["modules"] if module["prs"]][:MOST_ROWS]
    if not shown:
        return ""
    most = max(max(len(module["prs"]), module["before"] or 0) for module in shown)
    rows = [_module(module, at * ROW, most, words) for at, module in enumerate(shown)]
    return _figure(words("report.chart.modules"), len(shown) * ROW, rows)


def _module(module: Mapping[str, Any], y: int, most: int, words: Words) -> str:
    scale = (WIDTH - LABEL - 40) / most
    now, before = len(module["prs"]), module["before"]
    told = f"{formats.plain(module['name'])}: {words('report.chart.now', n=now)}"
    told += "" if before is None else f", {words('report.chart.before', n=before)}"
    x, x_before = LABEL + now * scale, LABEL + (before or 0) * scale
    x = x_before if x < x_before < x + ROW else x  # the number stands clear of the mark
    mark = (
        ""
        if before is None
        else f'<rect class="before" x="{LABEL + before * scale - 1.5:.1f}" y="{y + 1}" width="3" height="{ROW - 5}"/>'
    )
    name = _escaped(formats.shorten(module["name"], 22))
    return (
        f'<g><title>{_escaped(told)}</title><text x="{LABEL - 8}" y="{y + 14}" text-anchor="end">{name}</text>'
        f'<rect class="now" x="{LABEL}" y="{y + 4}" width="{now * scale:.1f}" height="{ROW - 11}"/>{mark}'
        f'<text x="{x + 6:.1f}" y="{y + 14}">{now}</text></g>'
    )


def _figure(caption: str, height: int, parts: Sequence[str]) -> str:
    told = _escaped(caption)
    return (
        f'<figure><figcaption>{told}</figcaption><svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{told}">'
        f"{''.join(parts)}</svg></figure>\n"
    )


def _escaped(text: str) -> str:
    return html.escape(formats.plain(text))
