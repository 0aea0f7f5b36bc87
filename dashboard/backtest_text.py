"""The back-test as Markdown, in both languages."""

from collections.abc import Iterable, Sequence
from typing import Any

from babel.numbers import format_decimal, format_percent

from dashboard.formats import UNKNOWN
from dashboard.words import Words

Facts = dict[str, Any]


def markdown(found: Facts, lang: str) -> str:
    """What `reads.backtest` found, for a reader.

    Args:
        found: the object of `merge-window/backtest@1`.
        lang: en or zh.
    """
    words = Words(lang)
    text = _Text(words)
    is_ok = found["state"] == "ok"
    blocks = [
        f"# {words('backtest.title', repo='`' + found['repo'] + '`')}",
        words("backtest.asks"),
        *_cases(found, words, text),
        _verdict(found, words, text),
        *(_scores(found["scores"], "beyond_lines_added", "scores", words, text) if is_ok else ()),
        *_rules(found["rules"], words, text),
        *_levels(found["tiers"], "tier", "tiers", words, text),
        *(_levels(found["tenths"], "tenth", "tenths", words, text) if is_ok else ()),
        *_model(found, words, text),
        *_measured(found, words),
    ]
    return "\n\n".join(blocks) + "\n"


def in_short(found: Facts, lang: str) -> str:
    """The same for a panel: what was counted, whether the score beats the plainest one, and how each score did.

    Args:
        found: the object of `merge-window/backtest@1`.
        lang: en or zh.
    """
    words = Words(lang)
    text = _Text(words)
    scores = _scores(found["scores"], "beyond_lines_added", "scores", words, text) if found["state"] == "ok" else []
    tiers = _levels(found["tiers"], "tier", "tiers", words, text)
    tables = [block for block in (*scores, *tiers) if not block.startswith("#")]
    return "\n\n".join([*_cases(found, words, text), _verdict(found, words, text), *tables]) + "\n"


class _Text:
    """Numbers as a language writes them, with their intervals."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def number(self, value: float | None, digits: str = "0.00") -> str:
        return UNKNOWN if value is None else format_decimal(value, digits, locale=self.words.locale)

    def difference(self, value: float) -> str:
        value = round(value, 2)
        return self.number(value, "+0.00;−0.00") if value else self.number(0.0)

    def percent(self, value: float | None) -> str:
        return UNKNOWN if value is None else format_percent(value, "0.0%", locale=self.words.locale)

    def interval(self, found: Facts | None, write: Any) -> str:
        if found is None:
            return UNKNOWN
        return self.words("backtest.with_interval", **{name: write(value) for name, value in found.items()})

    def share(self, found: Facts | None) -> str:
        return self.interval(found, self.percent)


def _cases(found: Facts, words: Words, text: _Text) -> list[str]:
    cases, window, days = found["cases"], found["window"], found["within_days"]
    left_out = words(
        "backtest.left_out", recent=cases["n_too_recent"], unknown=cases["n_not_judged"], bots=cases["bots_hidden"]
    )
    if not cases["n"]:
        return [words(f"backtest.none.{found['reason']}", days=days, **window), left_out]
    told = words(
        "backtest.cases",
        total=cases["n"],
        since=window["since"],
        until=window["until"],
        failed=cases["n_failed"],
        reverted=cases["n_reverted"],
        repaired=cases["n_repaired"],
        days=days,
    )
    base_rate = words("backtest.base_rate", rate=text.share(cases["base_rate"])) if cases["base_rate"] else None
    return [words("list.between_sentences").join(filter(None, (told, base_rate))), left_out]


def _verdict(found: Facts, words: Words, text: _Text) -> str:
    """Whether the score beats the plainest one there is."""
    if found["state"] != "ok":
        return f"**{words('backtest.few', least=found['minimum']['n_failed'])}**"
    beyond = next(score for score in found["scores"] if score["name"] == "risk_score")["auc_beyond_lines_added"]
    key = "better" if beyond["low"] > 0 else "worse" if beyond["high"] < 0 else "even"
    return f"**{words(f'backtest.{key}', difference=text.interval(beyond, text.difference))}**"


def _scores(scores: Sequence[Facts], beyond: str, heading: str, words: Words, text: _Text) -> list[str]:
    rows = [
        [
            words(f"backtest.score.{score['name']}"),
            text.interval(score["auc"], text.number),
            text.interval(score[f"auc_{beyond}"], text.difference),
            text.share(score["top_tenth"]),
            text.number(score["lift"], "0.0"),
        ]
        for score in scores
    ]
    columns = ("score", "auc", beyond, "top", "lift")
    return [f"## {words(f'backtest.heading.{heading}')}", _table(columns, rows, words)]


def _rules(rules: Sequence[Facts], words: Words, text: _Text) -> list[str]:
    rows = []
    for rule in rules:
        is_ok = rule["state"] == "ok"
        state = words(f"backtest.{rule['state']}") if not is_ok else text.share(rule["precision"])
        counts = [text.number(rule[name], "#,##0") for name in ("n_silent", "n_fired", "n_failed")]
        told = [f"`{rule['rule']}`", *counts, text.percent(rule["fires"]), state]
        rows.append([*told, text.number(rule["lift"], "0.0"), text.share(rule["recall"])])
    columns = ("rule", "silent", "fired", "failed", "fires", "precision", "lift", "recall")
    return [f"## {words('backtest.heading.rules')}", _table(columns, rows, words)]


def _levels(levels: Sequence[Facts], name: str, heading: str, words: Words, text: _Text) -> list[str]:
    rows = [
        [
            str(level[name]),
            text.number(level["n"], "#,##0"),
            text.number(level["n_failed"], "#,##0"),
            words("backtest.too_few") if level["share"] is None else text.share(level["share"]),
        ]
        for level in levels
    ]
    title = f"## {words(f'backtest.heading.{heading}')}"
    return [title, _table((name, "pulls", "failed", "share"), rows, words)] if rows else []


def _model(found: Facts, words: Words, text: _Text) -> list[str]:
    model, title = found["model"], f"## {words('backtest.heading.model')}"
    if model["state"] != "ok":
        return [title, words("backtest.model.few", least=found["minimum"]["n_failed"])]
    period = words(f"backtest.period.{found['period']}")
    heading, table = _scores(model["scores"], "beyond_risk_score", "model", words, text)
    weights = [[f"`{name}`", text.difference(weight)] for name, weight in model["weights"].items()]
    return [
        heading,
        words("backtest.model.held_out", period=period, total=model["n"], failed=model["n_failed"]),
        f"**{words('backtest.model.used') if model['use_model'] else words('backtest.model.unused')}**",
        table,
        words("backtest.model.weights"),
        _table(("feature", "weight"), weights, words),
    ]


def _measured(found: Facts, words: Words) -> list[str]:
    period = words(f"backtest.period.{found['period']}")
    told = [
        words("backtest.how.failed", days=found["within_days"]),
        words("backtest.how.rules", period=period),
        words("backtest.how.auc", period=period),
        words("backtest.how.top", period=period),
        words("backtest.how.intervals"),
    ]
    return [f"## {words('backtest.heading.measured')}", "\n".join(f"- {each}" for each in told)]


def _table(columns: Iterable[str], rows: Iterable[Sequence[str]], words: Words) -> str:
    heads = [words(f"backtest.column.{column}") for column in columns]
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
