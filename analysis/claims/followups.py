"""Suggested follow-ups: named rules, each of which names pull requests and says what to do about them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from analysis.claims import to_do
from analysis.claims.claim import Claim

MOST = 7  # that a report of middle length tells
Facts = Mapping[str, Any]
# The most urgent first: what may already do harm, then what is missing, then what to keep an eye on.
RULES: tuple[Callable[[Facts], Claim | None], ...] = (
    to_do.settle_objections,
    to_do.redo_reverted,
    to_do.review_after_merge,
    to_do.add_tests,
    to_do.write_migration_notes,
    to_do.finish_migration,
    to_do.document_contract,
    to_do.verify_image,
    to_do.finish_unfinished,
    to_do.watch_core,
    to_do.close_warnings,
    to_do.watch_repeats,
    to_do.restore_tests,
    to_do.update_companion,
    to_do.keep_documentation,
    to_do.measure_speed,
)


def claims(facts: Facts) -> list[Claim]:
    """What to do next, the most urgent first; where no rule fires, that nothing needs it."""
    found = [claim for rule in RULES if (claim := rule(facts))]
    if not found:
        return [Claim("followups", "nothing", query={"list": "pulls"}, level="S")]
    told = [claim if place < MOST else replace(claim, level="L") for place, claim in enumerate(found)]
    return [_overview(found), *told]


def _overview(found: list[Claim]) -> Claim:
    """How many things there are to do, and which."""
    prs = tuple(dict.fromkeys(number for claim in found for number in claim.prs))
    names = {"rules": tuple(claim.kind for claim in found)}
    numbers = {"n": len(found), "prs": len(prs)}
    return Claim("followups", "overview", numbers=numbers, prs=prs, names=names, query={"list": "pulls"}, level="S")
