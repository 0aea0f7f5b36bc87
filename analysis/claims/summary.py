"""The executive summary: how much was merged, what it was about, what stands out."""

from collections.abc import Mapping
from typing import Any

from analysis.claims.claim import Claim, known, numbers_of

MOST_NAMED = 5  # modules, themes and pull requests that a summary names


def claims(facts: Mapping[str, Any]) -> list[Claim]:
    """What a reader must know who reads nothing else."""
    return [*_merged(facts), *_key(facts), *_breaking(facts)]


def _merged(facts: Mapping[str, Any]) -> list[Claim]:
    """How much was merged, by how many people, and how that compares with the period before."""
    now, before = facts["totals"], facts["totals_before"]
    numbers = known(merged=now["merged"], before=before["merged"], authors=now["authors"], days=facts["window"]["days"])
    if before["merged"] is not None:
        numbers["more"] = now["merged"] - before["merged"]
    names = {"since": facts["window"]["since"], "until": facts["window"]["until"]}
    prs = numbers_of(facts["pulls"])
    return [Claim("summary", "merged", numbers=numbers, prs=prs, names=names, query={"list": "pulls"}, level="S")]


def _key(facts: Mapping[str, Any]) -> list[Claim]:
    """How many are key changes, and which are the foremost."""
    key = [pull for pull in facts["pulls"] if pull["key"]]
    if not key:
        return []
    numbers = known(key=len(key), merged=facts["totals"]["merged"], named=min(len(key), MOST_NAMED))
    return [
        Claim(
            "summary",
            "key",
            numbers=numbers,
            prs=numbers_of(key),
            query={"list": "pulls", "only": "key"},
            level="S",
        )
    ]


def _breaking(facts: Mapping[str, Any]) -> list[Claim]:
    prs = numbers_of(pull for pull in facts["pulls"] if pull["breaking"])
    if not prs:
        return []
    query = {"list": "pulls", "only": "breaking"}
    return [Claim("summary", "breaking", numbers={"breaking": len(prs)}, prs=prs, query=query, level="S")]
