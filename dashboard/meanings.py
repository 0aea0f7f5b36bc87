"""What the numbers mean, in the reader's language.

English is said once, in the docstrings and lists of `analysis/`, Chinese in `words/meanings.zh.toml`, with the
fingerprint of the English that it translates.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from analysis import catalogue
from analysis.about import About
from analysis.catalogue import Metric
from dashboard.words import Words

if TYPE_CHECKING:
    from analysis.risk import Rule

_END_OF_SENTENCE = re.compile(r"(?<=[.?])\s+(?=[A-Z`])")


@dataclass(frozen=True)
class Meaning:
    """A metric or risk rule as a page speaks of it."""

    metric: Metric
    label: str
    unit: str
    about: About  # in Chinese the question it answers comes with what one must know of it
    why: str  # of a rule, the sentence that a reader sees where it fires; else empty
    rule: "Rule | None"  # None: a metric

    @property
    def name(self) -> str:
        return self.metric.name

    @property
    def answer(self) -> str:
        return self.about.answer


def meaning(name: str, lang: str) -> Meaning:
    """What one metric or rule means.

    Raises:
        UnknownMetric: none is called so.
    """
    return _meaning(catalogue.metric(name), lang)


def meanings(lang: str) -> list[Meaning]:
    """All metrics, then all rules."""
    return [_meaning(metric, lang) for metric in catalogue.everything()]


def found(asked: Iterable[Meaning], text: str) -> list[Meaning]:
    """Those that hold every word of the text, in any case; a name or a label written out finds what is called so."""
    asked, wanted = list(asked), text.casefold().strip()
    named = [each for each in asked if wanted in (each.name, each.label.casefold())]
    return named or [each for each in asked if all(word in _text(each) for word in wanted.split())]


def short(name: str, words: Words) -> str:
    """What a number answers and by which rule, for where there is room for a sentence or two."""
    said = meaning(name, words.lang)
    return f"{said.answer} {_first_sentence(said.about.formula)}" if words.lang == "en" else said.answer


def tooltip(name: str, words: Words, told: str = "") -> str:
    """The same for `help=` of a number, with what is `told` of it here, and the way to the rest."""
    address = "about?" + urlencode({"find": name, "lang": words.lang})
    paragraphs = (short(name, words), told, f"[{words('about.this_number')}]({address})")
    return "\n\n".join(filter(None, paragraphs))


def _meaning(metric: Metric, lang: str) -> Meaning:
    rule = None if metric in catalogue.METRICS else _rules()[metric.name]
    if lang == "en":
        return Meaning(metric, metric.label, metric.unit, metric.about, rule.why if rule else "", rule)
    said = translated(lang)[metric.name]
    about = About(**{part.name: said.get(part.name, "") for part in fields(About)})
    return Meaning(metric, said["label"], said["unit"], about, said.get("why", ""), rule)


@lru_cache(maxsize=8)
def translated(lang: str) -> dict[str, dict[str, str]]:
    """By name: label, unit, the parts of `About`, why of a rule, and the fingerprint of the English."""
    return tomllib.loads(resources.files("dashboard.words").joinpath(f"meanings.{lang}.toml").read_text("utf-8"))


def fingerprint(about: About) -> str:
    """What changes with any word of an explanation, so that a translation of older words is found."""
    return sha256(about.text.encode()).hexdigest()[:8]


@lru_cache(maxsize=1)
def _rules() -> "dict[str, Rule]":
    return {rule.name: rule for rule in catalogue.rules()}


def _text(said: Meaning) -> str:
    """Everything by which it is found, in both languages."""
    metric = said.metric
    texts = {said.about.text, metric.about.text}
    return "\n".join((said.name, *metric.keys, said.label, metric.label, said.unit, said.why, *texts)).casefold()


def _first_sentence(text: str) -> str:
    return _END_OF_SENTENCE.split(text, maxsplit=1)[0]
