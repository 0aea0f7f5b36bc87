"""The heading of a group of pull requests, made of the words of its titles."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis import phrases
from analysis.titles import parse

DOMINATES = 0.7  # share of the group's weight from which on one pull request speaks for it
NAMED = 0.5  # more than this share must be of a module, for the group to be called by it;
NEARLY_ALL = 0.8  # where only paths say so, this; and of a verb, to start with it
MOST_PHRASES = 3
MOST_LETTERS = 80
RARE = 2.0  # rarity from which on a phrase tells something: one title in seven has it
RARE_VERB = 3.0
SMALL = 8  # up to so many pull requests a heading may quote what but one of them is about;
SHARED = 0.02  # else at least this share must have the phrase, and two in any case
TOLD = 0.3  # what a pull request still weighs when the heading has a phrase of it
LONGER_IS_CLEARER = 0.5  # a phrase gains so much with each further word


@dataclass(frozen=True, slots=True)
class Member:
    """A pull request of the group."""

    title: str
    weight: float
    modules: Mapping[str, float]  # module -> how surely it is of it, 0 to 1


@dataclass(frozen=True, slots=True)
class Heading:
    """`rollout: Prefill-Decode, weight transfer`, and its pieces."""

    text: str
    words: tuple[str, ...]  # the module and the phrases, or the one subject


Rarity = Callable[[str, Sequence[str]], np.ndarray]  # "word" or "module", keys -> how telling each is


def heading(members: Sequence[Member], rarity: Rarity) -> Heading:
    """What to call a group.

    If one pull request dominates it, its subject. Else the module of most of it, and the phrases that most of its
    weight shares; in a small group also what the foremost are about.

    Args:
        members: the most important first, at least one.
        rarity: how rare a word or module is in the repository.
    """
    total = sum(member.weight or 1.0 for member in members)
    if len(members) == 1 or members[0].weight > DOMINATES * total:
        return _subject(members[0], rarity)
    module = _module(members, total, rarity)
    verb = None if module else _verb(members, total, rarity)
    found = list(_telling(members, _candidates(members, module, verb, rarity)))
    if not found and (not module or len(members) <= SMALL):
        return _subject(members[0], rarity)
    start = _start(module, verb, found)
    while len(found) > 1 and len(start + ", ".join(found)) > MOST_LETTERS:
        found.pop()
    words = filter(None, [start.strip(": "), *found])
    return Heading((start + ", ".join(found)).strip(": "), tuple(words))


def _start(module: str | None, verb: str | None, found: Sequence[str]) -> str:
    """`rollout: ` or `deprecate `; nothing where the first phrase names the module itself."""
    if module:
        return "" if found and phrases.key_of(module) in phrases.key_of(found[0]) else f"{module}: "
    return f"{verb} " if verb else ""


def _subject(member: Member, rarity: Rarity) -> Heading:
    """A title's own sentence, after its module where it does not name it."""
    subject = parse(member.title).subject.strip().rstrip(".。") or member.title
    said = {module: sureness for module, sureness in member.modules.items() if sureness > NAMED}
    module = _module([replace(member, modules=said)], member.weight or 1.0, rarity)
    if module and phrases.key_of(module) not in phrases.key_of(subject):
        return Heading(_clipped(f"{module}: {subject}"), (module, subject))
    return Heading(_clipped(subject), (subject,))


def _clipped(text: str) -> str:
    if len(text) <= MOST_LETTERS:
        return text
    return re.sub(r"\W+\w*$", "", text[:MOST_LETTERS]) + "…"


def _module(members: Sequence[Member], total: float, rarity: Rarity) -> str | None:
    """The module that most of the group's weight is of; of several the most telling one."""
    shares: dict[str, float] = {}
    surest: dict[str, float] = {}  # shares where each counts beside the surest module of its pull request
    for member in members:
        for module, sureness in member.modules.items():
            share = (member.weight or 1.0) / total
            shares[module] = shares.get(module, 0.0) + share * sureness
            surest[module] = surest.get(module, 0.0) + share * sureness / max(member.modules.values())
    named = sorted(module for module in shares if shares[module] > NAMED or surest[module] > NEARLY_ALL)
    telling = dict(zip(named, rarity("module", named), strict=True))
    return max(named, key=lambda module: (round(shares[module], 1), telling[module]), default=None)


def _verb(members: Sequence[Member], total: float, rarity: Rarity) -> str | None:
    """The verb that nearly all of the group starts with, if it is no everyday one such as `fix`."""
    shares: dict[str, float] = {}
    for member in members:
        if verb := phrases.opening_verb(member.title):
            shares[verb] = shares.get(verb, 0.0) + (member.weight or 1.0) / total
    best = max(sorted(shares), key=lambda verb: shares[verb], default=None)
    if best is None or shares[best] <= NEARLY_ALL or rarity("word", [phrases.key_of(best)])[0] < RARE_VERB:
        return None
    return best


def _telling(members: Sequence[Member], candidates: Mapping[str, "_Candidate"]) -> Iterator[str]:
    """Phrases, each the one that says most of what those before it leave unsaid."""
    left = {at: member.weight for at, member in enumerate(members)}
    told: list[str] = []
    for _ in range(MOST_PHRASES):
        values = {
            key: sum(left[at] for at in candidates[key].holders) * candidates[key].worth
            for key in candidates
            if not any(key in said or said in key for said in told)
        }
        best = max(values, key=lambda key: (values[key], key), default=None)
        if best is None or values[best] <= 0:
            return
        told.append(best)
        for at in candidates[best].holders:
            left[at] *= TOLD
        yield candidates[best].text


@dataclass(frozen=True, slots=True)
class _Candidate:
    holders: tuple[int, ...]  # places of the members that have it
    text: str  # as most of them spell it, then as the foremost does
    worth: float  # rare and long ones are worth more


def _candidates(
    members: Sequence[Member], module: str | None, verb: str | None, rarity: Rarity
) -> dict[str, _Candidate]:
    """Phrases that may stand in the heading, by key; none that is part of the module's name.

    One plain word of one pull request may only after a verb: `deprecate workers`.
    """
    name = phrases.key_of(module) if module else ""
    quoted = [phrases.quotable(member.title) for member in members]
    keys = sorted({phrase.key for each in quoted for phrase, _ in each if phrase.key not in name})
    telling = {key: rare for key, rare in zip(keys, rarity("word", keys), strict=True) if rare >= RARE}
    found: dict[str, list[tuple[int, phrases.Phrase]]] = {}
    foremost = set()
    for at, each in enumerate(quoted):
        for phrase, _ in each:
            if phrase.key in telling:
                found.setdefault(phrase.key, []).append((at, phrase))
        whole = (phrase for phrase, is_whole in each if is_whole and (verb or phrase.stands_alone))
        foremost.add(next((phrase.key for phrase in whole if phrase.key in telling), None))
    enough = max(2.0, SHARED * len(members))
    return {
        key: _candidate(held, telling[key])
        for key, held in found.items()
        if len(held) >= enough or (len(members) <= SMALL and key in foremost)
    }


def _candidate(held: Sequence[tuple[int, phrases.Phrase]], rarity: float) -> _Candidate:
    spellings = Counter(phrase.text for _, phrase in held)  # in order of first sight, which decides between equals
    longer = 1 + LONGER_IS_CLEARER * (held[0][1].n_words - 1)
    return _Candidate(tuple(at for at, _ in held), spellings.most_common(1)[0][0], rarity**2 * longer)
