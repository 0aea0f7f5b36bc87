"""The key changes: what each theme changed, by which pull requests, why, and whether it breaks something."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.claims.claim import Claim, known, numbers_of
from analysis.titles import parse

MOST_TITLED = 3  # pull requests of a theme that are told with their titles
MOST_MODULES = 4
# What tells a reader that others may have to follow, though nothing is marked as breaking.
CONTRACTS = ("public-api", "config-contract", "dependency-change")
Facts = Mapping[str, Any]
Pull = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """The themes, each in two to four sentences, and what lies in none of them."""
    by_number = {pull["number"]: pull for pull in facts["pulls"]}
    told = [claim for theme in facts["themes"] for claim in _theme(theme, [by_number[pr] for pr in theme["prs"]])]
    return [*_overview(facts), *told, *_rest(facts)]


def _overview(facts: Facts) -> list[Claim]:
    """How many themes there are, and how much of the window they hold."""
    themes = facts["themes"]
    if not themes:
        return [
            Claim("changes", "no_theme", numbers={"merged": len(facts["pulls"])}, query={"list": "themes"}, level="S")
        ]
    prs = tuple(number for theme in themes for number in theme["prs"])
    breaking = sum(1 for pull in facts["pulls"] if pull["breaking"] and pull["number"] in prs)
    numbers = {"themes": len(themes), "in_themes": len(prs), "merged": len(facts["pulls"]), "breaking": breaking}
    return [Claim("changes", "overview", numbers=numbers, prs=prs, query={"list": "themes"}, level="S")]


def _theme(theme: Mapping[str, Any], pulls: Sequence[Pull]) -> list[Claim]:
    """What it changed, the author's reason, what it touches, and what it breaks."""
    subject, query = str(theme["lead"]), {"list": "themes", "lead": theme["lead"]}
    makers = (_what, _note, _touches, _breaks, _contracts, _taken_back)
    found = (make(theme, pulls, subject, query) for make in makers)
    return [claim for claim in found if claim]


def _what(theme: Mapping[str, Any], pulls: Sequence[Pull], subject: str, query: dict[str, Any]) -> Claim:
    fixes = sum(pull["kind"] == "fix" for pull in pulls)
    numbers = {"n": len(pulls), "key": sum(bool(pull["key"]) for pull in pulls), "fixes": fixes}
    titles = tuple(parse(pull["title"]).subject for pull in pulls[:MOST_TITLED])
    names = {"theme": theme["title"], "titles": titles, "kind": pulls[0]["kind"] or "other"}
    return Claim("changes", "theme", subject, numbers, numbers_of(pulls), names, query=query)


def _note(theme: Mapping[str, Any], pulls: Sequence[Pull], subject: str, query: dict[str, Any]) -> Claim | None:
    """What the author of the foremost pull request that says something says of it."""
    said = next((pull for pull in pulls if pull["note"]), None)
    if not said:
        return None
    names = {"note": said["note"]}
    return Claim("changes", "note", subject, prs=(said["number"],), names=names, query=query | {"key": "note"})


def _touches(theme: Mapping[str, Any], pulls: Sequence[Pull], subject: str, query: dict[str, Any]) -> Claim | None:
    """Which modules it touches, with how many lines, and what of it lies at the core."""
    modules = tuple(theme["modules"][:MOST_MODULES])
    lines = [pull["additions"] + pull["deletions"] for pull in pulls if pull["additions"] is not None]
    core = _fired(pulls, "core-path")
    if not modules and not core:
        return None
    numbers = known(lines=sum(lines) if len(lines) == len(pulls) else None, n=len(pulls), core=len(core))
    return Claim("changes", "touches", subject, numbers, core or numbers_of(pulls), {"modules": modules}, query=query)


def _breaks(theme: Mapping[str, Any], pulls: Sequence[Pull], subject: str, query: dict[str, Any]) -> Claim | None:
    prs = numbers_of(pull for pull in pulls if pull["breaking"])
    numbers = {"n": len(prs), "all": len(pulls)}
    return Claim("changes", "breaks", subject, numbers, prs, query=query | {"only": "breaking"}) if prs else None


def _contracts(theme: Mapping[str, Any], pulls: Sequence[Pull], subject: str, query: dict[str, Any]) -> Claim | None:
    """What others may rely on that it changes, where nothing is marked as breaking."""
    if any(pull["breaking"] for pull in pulls):
        return None
    rules = tuple(rule for rule in CONTRACTS if _fired(pulls, rule))
    prs = tuple(dict.fromkeys(number for rule in rules for number in _fired(pulls, rule)))
    names = {"rules": rules}
    return Claim("changes", "contracts", subject, {"n": len(prs)}, prs, names, query=query) if rules else None


def _taken_back(theme: Mapping[str, Any], pulls: Sequence[Pull], subject: str, query: dict[str, Any]) -> Claim | None:
    prs = numbers_of(pull for pull in pulls if pull["kind"] == "revert")
    return Claim("changes", "taken_back", subject, {"n": len(prs)}, prs, query=query) if prs else None


def _rest(facts: Facts) -> list[Claim]:
    """What lies in no theme: key changes, and how many others."""
    inside = {number for theme in facts["themes"] for number in theme["prs"]}
    alone = [pull for pull in facts["pulls"] if pull["number"] not in inside]
    if not alone or not inside:
        return []
    key = [pull for pull in alone if pull["key"]]
    numbers = {"n": len(alone), "key": len(key)}
    prs = numbers_of([*key, *(pull for pull in alone if not pull["key"])])
    query = {"list": "pulls", "not_in": "themes"}
    return [Claim("changes", "rest", numbers=numbers, prs=prs, query=query)]


def _fired(pulls: Sequence[Pull], rule: str) -> tuple[int, ...]:
    return numbers_of(pull for pull in pulls if any(risk["rule"] == rule for risk in pull["risks"]))
