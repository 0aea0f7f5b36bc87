"""The digest: every pull request of the window, the foremost first."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from analysis.claims.claim import Claim, Length, Names, known, numbers_of

MOST_SHORT, MOST_TOLD = 5, 30  # pull requests that the short and the medium length tell in a table
MOST_MEASURED = 2  # results of one pull request
Facts = Mapping[str, Any]
Pull = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """One claim per pull request; then how many the short length leaves out, and how many lie below the table."""
    pulls = facts["pulls"]
    if not pulls:
        return [Claim("digest", "empty", query={"list": "pulls"}, level="S")]
    foremost = _foremost(pulls)
    told = [_pull(pull, foremost) for pull in pulls]
    left_out = _count("more", pulls, foremost[:MOST_SHORT], "S")
    folded = _count("others", pulls, foremost, "M")
    return [*told, *(claim for claim in (left_out, folded) if claim.prs)]


def _foremost(pulls: Sequence[Pull]) -> tuple[int, ...]:
    """The key changes; a handful where none is; all where they are a handful."""
    if len(pulls) <= MOST_SHORT:
        return numbers_of(pulls)
    key = numbers_of(pull for pull in pulls if pull["key"])
    return key[:MOST_TOLD] or numbers_of(pulls[:MOST_SHORT])


def _count(kind: str, pulls: Sequence[Pull], told: Collection[int], level: Length) -> Claim:
    rest = numbers_of(pull for pull in pulls if pull["number"] not in told)
    return Claim("digest", kind, numbers={"n": len(rest)}, prs=rest, query={"list": "pulls"}, level=level)


def _pull(pull: Pull, foremost: Sequence[int]) -> Claim:
    number = pull["number"]
    lines = None if pull["additions"] is None else pull["additions"] + pull["deletions"]
    names: Names = {
        "title": pull["title"],
        "kind": pull["kind"] or "other",
        "breaking": "yes" if pull["breaking"] else "",
        "modules": tuple(pull["modules"]),
        "rules": tuple(risk["rule"] for risk in pull["risks"] if risk["rule"] != "cap"),
        "tier": str(pull["tier"] or ""),
        "note": pull["note"] or "",
        "measured": _measured(pull),
        "tests": "yes" if pull["touches_tests"] else "",
        "place": "foremost" if number in foremost else "other",
    }
    numbers = known(importance=pull["importance"], lines=lines)
    query = {"list": "pulls", "number": number}
    level: Length = "S" if number in foremost[:MOST_SHORT] else "M"
    return Claim("digest", "pull", str(number), numbers, (number,), names, query=query, level=level)


def _measured(pull: Pull) -> tuple[str, ...]:
    """The first results that its author measured, but for those that the note tells already."""
    return tuple(result for result in pull["measured"] if result not in (pull["note"] or ""))[:MOST_MEASURED]
