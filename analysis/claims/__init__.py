"""The claims of a report: every sentence's facts, made from the report's facts alone."""

from collections.abc import Callable, Mapping
from typing import Any

from analysis.claims import changes, digest, followups, modules, risks, summary
from analysis.claims.claim import LENGTHS, SECTIONS, Claim, Length, Section

__all__ = ["LENGTHS", "SECTIONS", "Claim", "Length", "NotCached", "Section", "claims", "is_cached"]

Facts = Mapping[str, Any]
MAKERS: Mapping[Section, Callable[[Facts], list[Claim]]] = {
    "summary": summary.claims,
    "changes": changes.claims,
    "modules": modules.claims,
    "risks": risks.claims,
    "digest": digest.claims,
    "followups": followups.claims,
}


class NotCached(ValueError):
    """A claim names a pull request that the report's facts do not: a fault of ours, so it is never told."""


def claims(facts: Facts) -> list[Claim]:
    """What a report says, in reading order.

    Args:
        facts: the report as `report.build` gives it; its own claims are not looked at.

    Returns:
        One claim per sentence, the sections in their order. No id occurs twice.

    Raises:
        NotCached: a claim names a pull request that is nowhere in the facts.
    """
    cached = _numbers(facts)
    if not is_cached(facts):
        return [_not_cached(facts, section) for section in SECTIONS]
    found = [claim for section in SECTIONS for claim in MAKERS[section](facts)]
    for claim in found:
        if stray := set(claim.prs) - cached:
            raise NotCached(f"The claim {claim.id} names {sorted(stray)}, which the report's facts do not hold.")
    return found


def is_cached(facts: Facts) -> bool:
    """Whether the cache knows any of the window's days: of others nobody can say that nothing was merged."""
    window, coverage = facts["window"], facts["coverage"]
    return (
        coverage["first"] is not None and coverage["first"] <= window["until"] and window["since"] <= coverage["last"]
    )


def _not_cached(facts: Facts, section: Section) -> Claim:
    coverage = facts["coverage"]
    names = {"first": coverage["first"] or "", "last": coverage["last"] or ""}
    return Claim(section, "not_cached", names=names, query={"list": "coverage"}, level="S")


def _numbers(facts: Facts) -> set[int]:
    """The pull requests that the facts name, all of them cached: of the window, its stories, the one before."""
    found = {pull["number"] for pull in facts["pulls"]}
    found.update(number for chain in facts["chains"] for number in chain["prs"])
    found.update(number for term in facts["terms"] for number in term["prs_before"])
    found.update(number for entry in facts["ledger"] for number in (entry["pr"], entry["by"]) if number is not None)
    return found
