"""Risk watch: which rules fired on what, what was undone or repaired, and what became of earlier warnings."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from analysis.claims import stories, warnings
from analysis.claims.claim import Claim, Length, known, numbers_of
from analysis.risk_settings import ELEVATED

ENOUGH_WINDOWS = 8  # equal windows before that tell what is usual
MOST_RULES = 7  # that a report of middle length tells, beside those that ask for something to be done
MOST_ENTRIES = 2  # files or places that the first example names
OBJECTED = "merged-over-objection"
Facts = Mapping[str, Any]
Pull = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """How much is at risk, by which rules, what was taken back or repaired, and what was warned of before."""
    if not facts["pulls"]:
        return [_tiers(facts), *warnings.claims(facts)]
    rules = _by_weight(facts)
    told = [claim for place, entry in enumerate(rules) for claim in _rule(entry, place, facts)]
    head = [_tiers(facts), _fired(facts), *_no_objection(facts)]
    return [*head, *told, *stories.claims(facts), *warnings.claims(facts)]


def fired(pull: Pull, rule: str) -> Mapping[str, Any] | None:
    """What a rule found in a pull request; None where it did not fire."""
    return next((risk for risk in pull["risks"] if risk["rule"] == rule), None)


def _tiers(facts: Facts) -> Claim:
    """How many are elevated, beside what is usual, the riskiest first."""
    found = [pull for pull in facts["pulls"] if pull["tier"] is not None and pull["tier"] >= ELEVATED]
    found.sort(key=lambda pull: (-pull["risk_score"], -(pull["importance"] or 0), pull["number"]))
    high = sum(pull["tier"] > ELEVATED for pull in found)
    numbers = {"n": len(found), "high": high, "merged": len(facts["pulls"]), "judged": _judged(facts)}
    counts = [window["elevated"] for window in facts["history"] if window["elevated"] is not None]
    if len(counts) >= ENOUGH_WINDOWS:
        numbers |= {"usual": round(median(counts)), "windows": len(counts)}
    query = {"list": "pulls", "tier": ELEVATED}
    return Claim("risks", "tiers", numbers=numbers, prs=numbers_of(found), query=query, level="S")


def _fired(facts: Facts) -> Claim:
    """How many rules fired on how many pull requests, and how many could not judge all of them."""
    prs = numbers_of(pull for pull in facts["pulls"] if any(risk["rule"] != "cap" for risk in pull["risks"]))
    silent = {entry["rule"] for entry in facts["unjudged"]}
    numbers = {
        "rules": sum(bool(entry["prs"]) for entry in facts["risks"]),
        "n": len(prs),
        "merged": len(facts["pulls"]),
        "judged": _judged(facts),
        "silent": len(silent),
    }
    return Claim("risks", "fired", numbers=numbers, prs=prs, query={"list": "risks"})


def _judged(facts: Facts) -> int:
    """How many have a score at all: none has before `derive` ran."""
    return sum(pull["risk_score"] is not None for pull in facts["pulls"])


def _by_weight(facts: Facts) -> list[Mapping[str, Any]]:
    """The rules that fired, those first that weigh most in the scores of the window."""
    weights = {entry["rule"]: 0.0 for entry in facts["risks"]}
    for pull in facts["pulls"]:
        for risk in pull["risks"]:
            if risk["rule"] in weights:
                weights[risk["rule"]] += risk["points"]
    found = [entry for entry in facts["risks"] if entry["prs"]]
    return sorted(found, key=lambda entry: (-round(weights[entry["rule"]], 2), entry["rule"]))


def _rule(entry: Mapping[str, Any], place: int, facts: Facts) -> list[Claim]:
    """On which pull requests a rule fired, the clearest first, with what it found there; at length L a second one."""
    rule, query = entry["rule"], {"list": "risks", "rule": entry["rule"]}
    pulls = clearest(facts["pulls"], rule)
    found = [fired(pull, rule) for pull in pulls[:2]]
    numbers = known(n=len(pulls), before=entry["before"], merged=len(facts["pulls"]))
    names = {"since": facts["window"]["since"], "until": facts["window"]["until"]}
    level: Length = "M" if place < MOST_RULES or rule in warnings.URGENT else "L"
    example = tuple(_shortened(risk) for risk in found[:1] if risk)
    told = Claim("risks", "rule", rule, numbers, numbers_of(pulls), names, example, query, level)
    more = [
        Claim("risks", "example", rule, {}, numbers_of(pulls[1:2]), {}, (risk,), query, "L")
        for risk in found[1:]
        if risk
    ]
    return [told, *more]


def _shortened(risk: Mapping[str, Any]) -> dict[str, Any]:
    """What a rule found, of every list the first entries, which weigh most."""
    evidence = {
        key: value[:MOST_ENTRIES] if isinstance(value, list) else value for key, value in risk["evidence"].items()
    }
    return {**risk, "evidence": evidence}


def clearest(pulls: Sequence[Pull], rule: str) -> list[Pull]:
    """Those on which a rule fired: most points first, then most important."""
    found = [(risk["points"], pull) for pull in pulls if (risk := fired(pull, rule))]
    found.sort(key=lambda each: (-each[0], -(each[1]["importance"] or 0), each[1]["number"]))
    return [pull for _, pull in found]


def _no_objection(facts: Facts) -> list[Claim]:
    """That nothing was merged over an objection, where that is known of all."""
    is_silent = any(entry["rule"] == OBJECTED for entry in facts["unjudged"])
    has_fired = any(entry["rule"] == OBJECTED and entry["prs"] for entry in facts["risks"])
    if is_silent or has_fired or _judged(facts) < len(facts["pulls"]):
        return []
    return [Claim("risks", "no_objection", query={"list": "risks", "rule": OBJECTED})]
