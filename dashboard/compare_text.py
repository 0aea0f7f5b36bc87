"""A comparison of two windows as JSON (schema `merge-window/compare@1`) and as Markdown, in both languages."""

import hashlib
import json
import math
from collections.abc import Sequence
from datetime import date
from typing import Any

import pandas as pd
from babel.numbers import format_decimal

from analysis.compare import GONE, NEW, Comparison, Side
from analysis.trends import COUNTED, METRICS
from analysis.variation import NO_DATA
from analysis.working_calendar import Calendar
from dashboard import formats
from dashboard.reads import About
from dashboard.words import LOCALES, Words
from data.frames import rows

SCHEMA = "merge-window/compare@1"
DIGITS = 4
WHOLE = ("pulls", "people", "lines")  # units that come in ones
MODULES, NAMED, NUMBERED = 15, 10, 8  # modules, names of a list and pull requests of a name that Markdown shows
LEAST_HOT = 2  # pull requests that make a file worth naming
DELTAS = {
    "new": "delta.new",
    "none": "delta.none",
    "same": "delta.no_change",
    "no_data": "delta.no_data",
    "too_few": "compare.too_few",
    "not_comparable": "compare.not_comparable",
}


def facts(
    comparison: Comparison, now: About, before: About, *, lang: str, calendar: Calendar, config: str, version: str
) -> dict[str, Any]:
    """The JSON object. Unknown is None; the same rows give the same object.

    Args:
        comparison: as `reads.compare` gives it.
        now: about the window's rows.
        before: about the other window's.
        lang: en or zh: that of the notes.
        calendar: that it was made with.
        config: digest of the configuration.
        version: of the program.
    """
    covered = now.covered
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "id": "",
        "generated_by": f"merge-window {version}",
        "repo": now.repo,
        "lang": lang,
        "window": _window(comparison.now, now, calendar),
        "before": _window(comparison.before, before, calendar),
        "overlap_days": comparison.overlap_days,
        "per": comparison.by.per,
        "coverage": {
            "first": str(covered.first) if covered else None,
            "last": str(covered.last) if covered else None,
            "last_sync": now.last_sync,
            "notes": [],
        },
        "metrics": _metrics(comparison),
        "kinds": _groups(comparison.kinds),
        "modules": _groups(comparison.modules),
        "files": _groups(comparison.files),
        "authors": _authors(comparison),
        "splits": [_split(*names, parts) for names, parts in comparison.splits.items()],
    }
    named = {key: value for key, value in found.items() if key != "lang"}
    named |= {"config": config, "base": now.base}
    found["id"] = hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:16]
    found["coverage"]["notes"] = _notes(comparison, found, Words(lang))
    return found


def as_json(found: dict[str, Any]) -> str:
    """The object as text."""
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def as_markdown(found: dict[str, Any]) -> str:
    """The same as Markdown, in the language of the object: what it says and no number more.

    Args:
        found: as `facts` gives it.
    """
    words = Words(found["lang"])
    now, before = (_between(found[key], "since", "until", words) for key in ("window", "before"))
    top = [
        ["# " + words("compare.title", repo=code(found["repo"]), window=now, before=before)],
        [f"- {note}" for note in found["coverage"]["notes"]],
    ]
    is_known = found["window"]["known_days"] or found["before"]["known_days"]
    return "\n\n".join("\n".join(part) for part in top + (_body(found, words) if is_known else []) if part) + "\n"


def _body(found: dict[str, Any], words: Words) -> list[list[str]]:
    return [
        [f"## {words('compare.figures')}"],
        _figures(found, words),
        _unknown(found, words),
        [f"## {words('compare.modules')}"],
        _group_table(found["modules"][:MODULES], words("column.module"), found["per"], words),
        _rest(found, words),
        [f"## {words('compare.kinds')}"],
        _group_table(found["kinds"], words("column.kind"), found["per"], words),
        [f"## {words('compare.new_and_gone')}"],
        _new_and_gone(found, words),
        [f"## {words('compare.sources')}"],
        _splits(found, words),
    ]


# --- the object ------------------------------------------------------------------------------------------------


def _window(side: Side, about: About, calendar: Calendar) -> dict[str, Any]:
    window, known = side.window, side.known
    return {
        "since": str(window.since),
        "until": str(window.until),
        "tz": window.tz,
        "days": window.days,
        "iso_week": window.iso_week,
        "known_since": str(known.since) if known else None,
        "known_until": str(known.until) if known else None,
        "known_days": known.days if known else 0,
        "known_workdays": len(calendar.workdays(known.since, known.until)) if known else 0,
        "bots_hidden": about.bots_hidden,
    }


def _metrics(comparison: Comparison) -> list[dict[str, Any]]:
    found = []
    for row, usual in zip(rows(comparison.metrics), rows(comparison.usual), strict=True):
        unit = row["unit"]
        values = {key: _number(row[key], unit) for key in ("before", "now")}
        rates = {key: _number(row[key]) for key in ("rate_before", "rate_now", "change", "share")}
        band = {"low": _number(usual["low"]), "high": _number(usual["high"])}
        found.append(
            {"name": row["name"], "unit": unit, "n_before": row["n_before"], "n_now": row["n_now"], **values, **rates}
            | {"state": row["state"], "usual": {**band, "n": usual["n_before"], "state": usual["state"]}}
        )
    return found


def _groups(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {
            "name": row["name"],
            "before": _number(row["before"], "pulls"),
            "now": _number(row["now"], "pulls"),
            "prs_before": row["prs_before"],
            "prs": row["prs"],
            "change": _number(row["change"]),
            "share": _number(row["share"]),
            "state": row["state"],
        }
        for row in rows(frame)
    ]


def _authors(comparison: Comparison) -> dict[str, Any]:
    """How many people, and not who: names are shown only where a team asks for them."""
    if comparison.now.known is None or comparison.before.known is None:
        return {"both": None, "new": None, "gone": None}
    states = comparison.authors["state"]
    n_new, n_gone = int((states == NEW).sum()), int((states == GONE).sum())
    return {"both": len(states) - n_new - n_gone, "new": n_new, "gone": n_gone}


def _split(metric: str, by: str, parts: pd.DataFrame) -> dict[str, Any]:
    sums = {key: _number(parts[key].sum()) for key in ("change", "amount", "mix", "rate")}
    names = [str(column) for column in parts.columns if column != "group"]
    listed = [{"name": row["group"] or None} | {name: _number(row[name]) for name in names} for row in rows(parts)]
    return {"metric": metric, "by": by, **sums, "parts": listed}


def _number(value: float | None, unit: str | None = None) -> float | int | None:
    if value is None or formats.is_unknown(value):
        return None
    if unit in WHOLE and float(value).is_integer():
        return int(value)
    return round(float(value), DIGITS) + 0.0  # no -0.0


# --- words -----------------------------------------------------------------------------------------------------


def _notes(comparison: Comparison, found: dict[str, Any], words: Words) -> list[str]:
    """What a reader must know before comparing: days that are not cached, overlap, length, hidden bots."""
    if not found["coverage"]["first"]:
        return [words("compare.nothing_cached")]
    sides = [side for side in (comparison.before, comparison.now) if side.known != side.window]
    told = _coverage(sides, found, words)
    if comparison.overlap_days:
        told.append(words("compare.overlap", n=comparison.overlap_days))
    before, now = found["before"], found["window"]
    if comparison.by.per != "window":
        told.append(words(f"compare.per.{comparison.by.per}", before=_length(before, words), now=_length(now, words)))
    elif before["known_workdays"] != now["known_workdays"] and comparison.before.known and comparison.now.known:
        told.append(words("compare.workdays_differ", before=before["known_workdays"], now=now["known_workdays"]))
    if before["bots_hidden"] or now["bots_hidden"]:
        told.append(words("compare.bots_hidden", before=before["bots_hidden"], now=now["bots_hidden"]))
    return told


def _coverage(sides: Sequence[Side], found: dict[str, Any], words: Words) -> list[str]:
    """Which days are not cached; of windows that are not at all, in one sentence."""
    lang = words.lang
    absent = [formats.days(side.window.since, side.window.until, lang) for side in sides if side.known is None]
    covered = _between(found["coverage"], "first", "last", words)
    told = [words("compare.not_cached", n=len(absent), days=words.listed(absent), covered=covered)] if absent else []
    partly = [(formats.days(side.window.since, side.window.until, lang), side.known) for side in sides if side.known]
    return told + [
        words("compare.partly_cached", days=days, known=formats.days(known.since, known.until, lang))
        for days, known in partly
    ]


def _length(window: dict[str, Any], words: Words) -> str:
    return words("compare.length", n=window["known_days"], workdays=window["known_workdays"])


def _between(days: dict[str, Any], first: str, last: str, words: Words) -> str:
    return formats.days(date.fromisoformat(days[first]), date.fromisoformat(days[last]), words.lang)


def _figures(found: dict[str, Any], words: Words) -> list[str]:
    heads = [words("compare.figure"), words("compare.before"), words("compare.now"), words("column.change")]
    table = []
    for each in found["metrics"]:
        if _is_known(each):
            cells = [_value(each, side, found["per"], words) for side in ("before", "now")]
            table.append([words(f"metric.{each['name']}"), *cells, _change(each, words), _usual(each, words)])
    return _table([*heads, words("compare.usual")], table)


def _unknown(found: dict[str, Any], words: Words) -> list[str]:
    """The figures that nothing is known of, named once instead of in rows of dashes."""
    names = [words(f"metric.{each['name']}") for each in found["metrics"] if not _is_known(each)]
    return [words("compare.unknown", names=words("list.separator").join(names))] if names else []


def _is_known(each: dict[str, Any]) -> bool:
    return bool(each["n_before"] or each["n_now"]) or each["state"] not in ("no_data", "too_few")


def _value(each: dict[str, Any], side: str, per: str, words: Words) -> str:
    text = _written(each[side], each["unit"], words.lang)
    if each[f"rate_{side}"] is not None:
        rate = _written(each[f"rate_{side}"], each["unit"], words.lang)
        return words(f"compare.at.{per}", value=text, rate=rate)
    if METRICS[each["name"]].how in COUNTED or each[side] is None:
        return text
    return words("compare.of", value=text, n=each[f"n_{side}"])


def _written(value: float | None, unit: str, lang: str) -> str:
    if value is None:
        return formats.UNKNOWN
    if unit == "hours":
        return formats.duration(value, lang)
    if unit == "share":
        return formats.percent(value, lang)
    if unit == "lines":
        return formats.number(round(value), lang)
    if unit in ("points", "rounds"):
        return str(format_decimal(value, "#,##0.00", locale=LOCALES[lang]))
    return formats.number(value, lang)


def _change(each: dict[str, Any], words: Words) -> str:
    if each["state"] in DELTAS:
        return words(DELTAS[each["state"]])
    text = _signed(each["change"], each.get("unit", "pulls"), words)
    if each["share"] is None:
        return text
    sign = "+" if each["share"] > 0 else "−"
    return words(
        "compare.with_share", change=text, share=sign + formats.percent(round(abs(each["share"]), 2), words.lang)
    )


def _signed(value: float, unit: str, words: Words) -> str:
    def written(size: float) -> str:
        is_points = unit == "share"
        return words("delta.points", n=round(100 * size, 1)) if is_points else _written(size, unit, words.lang)

    text = written(abs(value))
    if text == written(0.0):  # what is shown as nothing has no sign
        return text
    return ("+" if value > 0 else "−") + text


def _usual(each: dict[str, Any], words: Words) -> str:
    usual, unit = each["usual"], each["unit"]
    if usual["low"] is None or usual["state"] == NO_DATA:
        return formats.UNKNOWN
    low, high = usual["low"], usual["high"]
    if unit in WHOLE:
        low, high = math.ceil(low), math.floor(high)  # the whole numbers between
    low, high = (_written(edge, unit, words.lang) for edge in (low, high))
    return words(f"compare.{usual['state']}", low=low, high=high)


def _group_table(groups: list[dict[str, Any]], head: str, per: str, words: Words) -> list[str]:
    heads = [head, words("compare.before"), words("compare.now"), words(f"compare.change.{per}")]
    table = [
        [
            code(each["name"]),
            *(formats.number(each[side], words.lang) for side in ("before", "now")),
            _change(each, words),
        ]
        for each in groups
    ]
    return _table(heads, table) if table else [words("compare.none")]


def _rest(found: dict[str, Any], words: Words) -> list[str]:
    rest = len(found["modules"]) - MODULES
    return [words("compare.more_modules", n=rest)] if rest > 0 else []


def _new_and_gone(found: dict[str, Any], words: Words) -> list[str]:
    """Which kinds, modules and busy files only one of the windows has, and how many people."""
    told = []
    for what in ("kinds", "modules", "files"):
        for key, state, side, prs in (("new", NEW, "now", "prs"), ("gone", GONE, "before", "prs_before")):
            named = [each for each in found[what] if each["state"] == state]
            if what == "files":
                named = [each for each in named if each[side] >= LEAST_HOT]
            if named:
                told.append("- " + words(f"compare.{key}.{what}", names=_named(named, prs, words)))
    authors = found["authors"]
    if authors["both"] is not None and any(authors.values()):
        told.append(f"- {words('compare.authors', both=authors['both'], new=authors['new'], gone=authors['gone'])}")
    return told or [words("compare.none")]


def _named(groups: list[dict[str, Any]], key: str, words: Words) -> str:
    ranked = sorted(groups, key=lambda each: -len(each[key]))
    listed = [words("compare.named", name=code(each["name"]), numbers=_numbers(each[key], words)) for each in ranked]
    more = [words("compare.more", n=len(listed) - NAMED)] if len(listed) > NAMED else []
    return words("list.separator").join(listed[:NAMED] + more)


def _numbers(numbers: list[int], words: Words) -> str:
    more = [words("compare.more", n=len(numbers) - NUMBERED)] if len(numbers) > NUMBERED else []
    return words("list.separator").join([f"#{number}" for number in numbers[:NUMBERED]] + more)


def _splits(found: dict[str, Any], words: Words) -> list[str]:
    heads = [words(f"compare.{name}") for name in ("figure", "split_by")]
    heads += [words("column.change"), *(words(f"compare.{name}") for name in ("amount", "mix", "rate", "largest"))]
    table = []
    for each in found["splits"]:
        unit = METRICS[each["metric"]].unit
        parts = [_signed(each[name], unit, words) for name in ("change", "amount", "mix", "rate")]
        if unit not in WHOLE:
            parts[1] = ""  # a mean has no amount
        largest = [_part(part, unit, words) for part in each["parts"][:2] if part["change"]]
        named = [words(f"metric.{each['metric']}"), words(f"compare.by.{each['by']}")]
        table.append([*named, *parts, words("list.separator").join(largest)])
    return (
        [*_table(heads, table, left=(0, 1, 6)), "", words("compare.how_split")]
        if table
        else [words("compare.no_splits")]
    )


def _part(part: dict[str, Any], unit: str, words: Words) -> str:
    name = code(part["name"]) if part["name"] else words("compare.no_group")
    return f"{name} {_signed(part['change'], unit, words)}"


def _table(heads: list[str], table: list[list[str]], left: Sequence[int] = (0,)) -> list[str]:
    rule = ["---" if place in left else "---:" for place in range(len(heads))]
    lines = [heads, rule, *table]
    return [f"| {' | '.join(line)} |" for line in lines]


def code(text: str) -> str:
    """A name or path from a repository in Markdown: as code, or escaped where its signs would end that."""
    shown = formats.plain(text)
    return formats.escape_markdown(text) if set(shown) & set("`|\\") or not shown else f"`{shown}`"
