"""What a rule found, as a sentence: the evidence is facts, the catalogues say them in either language.

A sentence is said where all that it names is known and not nothing, so that evidence of a later version, or with
something missing, is told as far as it goes. All that comes from a repository is escaped for Markdown.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import pandas as pd

from analysis.risk import RULES
from dashboard import formats, meanings
from dashboard.meanings import Meaning
from dashboard.words import Words

LONGEST_DETAIL = 80
# For each rule the sentences to say, in order; of several alternatives the first that can be said.
SENTENCES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "missing-tests": (("lines_added",), ("tests_usual",)),
    "tests-weakened": (("lost",), ("skipped",)),
    "core-path": (("changed",),),
    "hotspot": (("changed",),),
    "large-change": (("large", "bare"),),
    "wide-rename": (("renamed",),),
    "breaking": (("declared", "alone"),),
    "public-api": (("names",), ("front",)),
    "config-contract": (("settings",), ("shipped",)),
    "dependency-change": (("changed",), ("versions",)),
    "ci-or-container": (("changed",),),
    "revert": (("taken", "titled"),),
    "repair-chain": (("again", "titled"),),
    "unreviewed": (("alone",),),
    "self-merged": (("alone",),),
    "fast-merge": (("lines",),),
    "merged-over-objection": (("requests",), ("by",), ("discussed",)),
    "long-lived": (("days",),),
    "unfamiliar-area": (("foreign",), ("first_change", "earlier_in_area")),
    "missing-companion": (("left",),),
    "new-markers": (("marks",),),
}
# How an entry of a list is told, the fullest way first; a rule may have a way of its own under the list's name.
WAYS: Mapping[str, tuple[str, ...]] = {
    "files": ("files", "files_deleted", "bare"),
    "signals": ("signals", "signals_at", "signals_in"),
    "moved": ("moved", "bare"),
    "companions": ("companions",),
    "threads": ("threads", "bare"),
    "earlier": ("earlier", "earlier_bare"),
}


def sentence(rule: str, value: float, facts: Mapping[str, Any], words: Words) -> str:
    """What a rule found in one pull request, in Markdown.

    Args:
        rule: its name; one that is not known here gets its facts as they are.
        value: what it measured.
        facts: its evidence.
        words: the language.
    """
    if rule not in SENTENCES:
        return _plainly(facts)
    told = []
    for alternatives in SENTENCES[rule]:
        said = (_said(rule, name, value, facts, words) for name in alternatives)
        told.append(next(filter(None, said), ""))
    return words("list.between_sentences").join(filter(None, told))


def reason(facts: Mapping[str, Any], words: Words) -> str:
    """Why one pull request is taken to undo, bring back or repair another, in Markdown; empty where it can't be told.

    Args:
        facts: one of the reasons of `chain_links.links_of`.
        words: the language.
    """
    key = f"reason.{facts.get('rule')}"
    return _filled(key, facts, words) if key in words else ""


def unjudged(rules: pd.DataFrame, words: Words, *, counted: bool = True, by_id: bool = False) -> str:
    """What is not known, and the rules that could not judge for want of it: `reviews (Unreviewed 3), patches (...)`.

    Args:
        rules: as `unjudged.unjudged`.
        words: the language.
        counted: whether to tell how many pull requests each could not judge.
        by_id: name the rules by their ids, for programs, instead of by what they are called.
    """
    told = []
    for missing, group in rules.groupby("missing", sort=False):
        names = group["rule"].tolist() if by_id else [label(rule, words) for rule in group["rule"]]
        if counted:
            counts = zip(names, group["n_prs"].tolist(), strict=True)
            names = [words("unjudged.rule", label=name, n=n) for name, n in counts]
        told.append(
            words("unjudged.group", missing=words(f"need.{missing}"), rules=words("list.separator").join(names))
        )
    return words("list.separator").join(told)


def label(rule: str, words: Words) -> str:
    """What a rule is called; its name where nobody knows it."""
    said = _meanings(words.lang).get(rule)
    return said.label if said else rule


def why(rule: str, words: Words) -> str:
    """The sentence that tells why a rule asks for a second look; empty where nobody knows it."""
    said = _meanings(words.lang).get(rule)
    return said.why if said else ""


def unit(rule: str, words: Words) -> str:
    """What a rule's value and threshold count; empty where nobody knows it."""
    said = _meanings(words.lang).get(rule)
    return said.unit if said else ""


@lru_cache(maxsize=8)
def _meanings(lang: str) -> Mapping[str, Meaning]:
    return {rule.name: meanings.meaning(rule.name, lang) for rule in RULES}


def _said(rule: str, name: str, value: float, facts: Mapping[str, Any], words: Words) -> str:
    if name in facts and not facts[name]:
        return ""
    lists = {key: _list(rule, key, entries, words) for key, entries in facts.items() if isinstance(entries, list)}
    counted = facts[name] if isinstance(facts.get(name), int | float) else value
    return _filled(f"evidence.{rule}.{name}", {**facts, "value": value, "share": value, "n": counted}, words, lists)


def _list(rule: str, name: str, entries: list[Any], words: Words) -> str:
    told = (_entry(rule, name, entry, words) for entry in entries if isinstance(entry, dict))
    return words("list.separator").join(filter(None, told))


def _entry(rule: str, name: str, entry: Mapping[str, Any], words: Words) -> str:
    keys = (f"evidence.{rule}.{name}", *(f"evidence.each.{way}" for way in WAYS.get(name, ())))
    told = next(filter(None, (_filled(key, entry, words) for key in keys if key in words)), "")
    return words("evidence.unsure", told=told) if told and entry.get("sure") is False else told


def _filled(key: str, facts: Mapping[str, Any], words: Words, lists: Mapping[str, str] | None = None) -> str:
    """The sentence, or nothing where something that it names is missing."""
    values = {name: (lists or {}).get(name, _written(name, facts.get(name), words)) for name in words.names(key)}
    return "" if any(value is None or value == "" for value in values.values()) else words(key, **values)


def _written(name: str, fact: Any, words: Words) -> Any:
    """A fact as its name wants it: a path as code, a share in percent, hours as a duration; None for no single fact."""
    if fact is None or isinstance(fact, list | dict):
        return None
    if name in FORMATS:
        return FORMATS[name](fact, words)
    return fact if isinstance(fact, int | float) else formats.escape_markdown(formats.shorten(fact, LONGEST_DETAIL))


FORMATS: Mapping[str, Callable[[Any, Words], Any]] = {
    "path": lambda fact, _: formats.code(fact),
    "companion": lambda fact, _: formats.code(fact),
    "branch": lambda fact, _: formats.code(formats.shorten(fact, LONGEST_DETAIL)),
    "detail": lambda fact, _: formats.code(formats.shorten(fact, LONGEST_DETAIL)),
    "kind": lambda fact, words: words(f"signal.{fact}") if f"signal.{fact}" in words else formats.code(fact),
    "number": lambda fact, _: f"#{fact}",
    "pr": lambda fact, _: f"#{fact}",
    "line": lambda fact, _: str(fact),
    "n": lambda fact, _: round(float(fact)),
    "value": lambda fact, _: round(float(fact)),
    "hours": lambda fact, words: formats.duration(fact, words.lang),
    "share": lambda fact, words: formats.percent(fact, words.lang),
    "tests_usual": lambda fact, words: formats.percent(fact, words.lang),
    "hotspot": lambda fact, words: formats.percent(fact, words.lang),
    "coreness": lambda fact, _: f"{fact:.2f}",
    "n_files": lambda fact, words: words("files.files", n=fact),
}


def _plainly(facts: Mapping[str, Any]) -> str:
    """The facts of an unknown rule, name by name."""
    return "; ".join(f"{formats.escape_markdown(name)}: {formats.code(fact)}" for name, fact in facts.items())
