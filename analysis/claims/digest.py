"""The digest: every pull request of the window, the foremost first."""

from collections.abc import Mapping
from typing import Any

from analysis.claims.claim import Claim, Length, known, numbers_of

MOST_SHORT, MOST_TOLD = 5, 30  # pull requests that the short and the medium length tell in full
Facts = Mapping[str, Any]
Pull = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """One claim per pull request, and before them how many are not among the first."""
    pulls = facts["pulls"]
    if not pulls:
        return [Claim("digest", "empty", query={"list": "pulls"}, level="S")]
    foremost = [pull["number"] for pull in pulls if pull["key"]][:MOST_TOLD] or numbers_of(pulls[:MOST_SHORT])
    told = [_pull(pull, at, is_foremost=pull["number"] in foremost) for at, pull in enumerate(pulls)]
    rest = numbers_of(pulls[MOST_SHORT:])
    others = numbers_of(pull for pull in pulls if pull["number"] not in foremost)
    counts = (
        [Claim("digest", "more", numbers={"n": len(rest)}, prs=rest, query={"list": "pulls"}, level="S")]
        if rest
        else []
    )
    if others:
        counts.append(Claim("digest", "others", numbers={"n": len(others)}, prs=others, query={"list": "pulls"}))
    return [*told, *counts]


def _pull(pull: Pull, at: int, *, is_foremost: bool) -> Claim:
    lines = None if pull["additions"] is None else pull["additions"] + pull["deletions"]
    rules = tuple(risk["rule"] for risk in pull["risks"] if risk["rule"] != "cap")
    names: dict[str, str | tuple[str, ...]] = {
        "title": pull["title"],
        "kind": pull["kind"] or "other",
        "breaking": "yes" if pull["breaking"] else "",
        "modules": tuple(pull["modules"]),
        "rules": rules,
        "tier": str(pull["tier"] or ""),
        "note": pull["note"] or "",
        "measured": tuple(pull.get("measured") or ()),
        "place": "foremost" if is_foremost else "other",
    }
    level: Length = "S" if at < MOST_SHORT else "M"
    numbers = known(importance=pull["importance"], lines=lines, files=pull["changed_files"])
    query = {"list": "pulls", "number": pull["number"]}
    return Claim("digest", "pull", str(pull["number"]), numbers, (pull["number"],), names, query=query, level=level)
