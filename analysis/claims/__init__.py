"""The claims of a report: every sentence's facts, made from the report's facts alone."""

from collections.abc import Callable, Mapping
from typing import Any

from analysis.claims import changes, digest, followups, modules, risks, summary
from analysis.claims.claim import LENGTHS, SECTIONS, Claim, Length, Section

__all__ = ["LENGTHS", "SECTIONS", "Claim", "Length", "Section", "claims"]

Facts = Mapping[str, Any]
MAKERS: Mapping[Section, Callable[[Facts], list[Claim]]] = {
    "summary": summary.claims,
    "changes": changes.claims,
    "modules": modules.claims,
    "risks": risks.claims,
    "digest": digest.claims,
    "followups": followups.claims,
}


def claims(facts: Facts) -> list[Claim]:
    """What a report says, in reading order.

    Args:
        facts: the report as `report.build` gives it; its own claims are not looked at.

    Returns:
        One claim per sentence, the sections in their order. No id occurs twice.
    """
    return [claim for section in SECTIONS for claim in MAKERS[section](facts)]
