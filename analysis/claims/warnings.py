"""The risk ledger in claims: what the window before warned of, and what became of it since."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.claims.claim import Claim, Length, Number
from analysis.ledger import OPEN, STATES

SETTLED = tuple(state for state in STATES if state != OPEN)
MOST_SETTLED = 4  # of each state that are told with time and the pull request that settled them
# Open warnings that ask most urgently for something to be done, first.
URGENT = ("breaking", "missing-tests", "merged-over-objection", "tests-weakened", "new-markers", "config-contract")
Facts = Mapping[str, Any]
Entry = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """How many warnings there were, which were settled by what, and which are still open."""
    ledger = facts["ledger"]
    names = {"since": facts["window"]["since"], "until": facts["window"]["until"]}
    query = {"list": "ledger"}
    if facts["totals_before"]["merged"] is None:
        return [Claim("risks", "ledger_unknown", names=names, query=query)]
    prs = tuple(sorted({entry["pr"] for entry in ledger}))
    numbers: dict[str, Number] = {"n": len(ledger), "prs": len(prs)}
    numbers |= {state: sum(entry["state"] == state for entry in ledger) for state in STATES}
    numbers["settled"] = len(ledger) - numbers[OPEN]
    told = [Claim("risks", "ledger", numbers=numbers, prs=prs, names=names, query=query)]
    told += [claim for state in SETTLED for claim in _settled(ledger, state)]
    return told + _still_open(ledger)


def _settled(ledger: Sequence[Entry], state: str) -> list[Claim]:
    """Which were reverted, tested or repaired since, each with what did it; the quickest first, the others at length L.

    The pull requests stand in pairs: the one that was warned of, and the one that settled it.
    """
    hours: dict[tuple[int, int], float] = {}
    for entry in sorted(ledger, key=lambda entry: (entry["hours"] or 0, entry["pr"])):
        if entry["state"] == state:
            hours.setdefault((entry["pr"], entry["by"]), entry["hours"])
    pairs = list(hours)
    parts: tuple[tuple[str, Length, list[tuple[int, int]]], ...] = (
        ("settled", "M", pairs[:MOST_SETTLED]),
        ("settled_too", "L", pairs[MOST_SETTLED:]),
    )
    return [_pairs(kind, level, state, part, hours, len(pairs)) for kind, level, part in parts if part]


def _pairs(
    kind: str, level: Length, state: str, pairs: Sequence[tuple[int, int]], hours: Mapping[Any, float], n: int
) -> Claim:
    numbers: dict[str, Number] = {"n": n, "more": n - len(pairs)}
    numbers |= {f"hours_{at}": hours[pair] for at, pair in enumerate(pairs)}
    prs = tuple(number for pair in pairs for number in pair)
    return Claim("risks", kind, state, numbers, prs, query={"list": "ledger", "state": state}, level=level)


def _still_open(ledger: Sequence[Entry]) -> list[Claim]:
    """What is open, rule by rule, the most urgent first."""
    by_rule: dict[str, list[int]] = {}
    for entry in ledger:
        if entry["state"] == OPEN:
            by_rule.setdefault(entry["rule"], []).append(entry["pr"])
    query = {"list": "ledger", "state": OPEN}
    return [
        Claim("risks", "open", rule, {"n": len(prs)}, tuple(prs), query={**query, "rule": rule})
        for rule, prs in sorted(by_rule.items(), key=lambda each: (_urgency(each[0]), each[0]))
    ]


def _urgency(rule: str) -> int:
    """The place of a rule among those that ask for something to be done; the others come last."""
    return URGENT.index(rule) if rule in URGENT else len(URGENT)
