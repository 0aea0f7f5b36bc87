"""Suggested follow-ups: named rules that name pull requests, the most urgent first."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from analysis.claims.claim import Claim, numbers_of
from analysis.ledger import OPEN
from analysis.paths import classify
from analysis.risk_settings import ELEVATED
from analysis.titles import parse

MOST_SHORT, MOST_TOLD = 3, 7
_MIGRATES = re.compile(r"\b(deprecat|migrat|sunset|legacy|phase out)|弃用|废弃|迁移", re.IGNORECASE)
_UNFINISHED = re.compile(
    r"\b(wip|todo|part(ially)? (of|\d)|first (part|step)|temporary|hack|workaround)\b|待办|临时", re.IGNORECASE
)
Facts = Mapping[str, Any]
Pull = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """What to do next; of a window in which nothing asks for it, that."""
    found = [(name, prs) for name, find in RULES.items() if (prs := find(facts))]
    if not found:
        return [Claim("followups", "nothing", numbers={"merged": len(facts["pulls"])}, level="S")]
    return [
        Claim(
            "followups",
            name.replace("-", "_"),
            numbers={"n": len(prs)},
            prs=prs,
            names=_modules(facts, prs),
            query={"list": "followups", "rule": name},
            level="S" if at < MOST_SHORT else "M" if at < MOST_TOLD else "L",
        )
        for at, (name, prs) in enumerate(found)
    ]


def _modules(facts: Facts, prs: tuple[int, ...]) -> dict[str, tuple[str, ...]]:
    """The modules that the pull requests touch, the most frequent first."""
    counts: dict[str, int] = {}
    for pull in facts["pulls"]:
        for module in pull["modules"] if pull["number"] in prs else ():
            counts[module] = counts.get(module, 0) + 1
    return {"modules": tuple(sorted(counts, key=lambda module: (-counts[module], module))[:3])}


def _fired(pull: Pull, *rules: str) -> bool:
    return any(risk["rule"] in rules for risk in pull["risks"])


def _riskiest(pulls: Iterable[Pull]) -> tuple[int, ...]:
    return numbers_of(sorted(pulls, key=lambda pull: (-(pull["risk_score"] or 0), pull["number"])))


def _where(condition: Callable[[Pull], bool]) -> Callable[[Facts], tuple[int, ...]]:
    return lambda facts: _riskiest(pull for pull in facts["pulls"] if condition(pull))


def _is_migration(pull: Pull) -> bool:
    return bool(pull["breaking"] and _MIGRATES.search(pull["title"]))


def _changes_contract(pull: Pull) -> bool:
    return bool(not pull["breaking"] and pull["key"] and _fired(pull, "config-contract", "public-api"))


def _is_unfinished(pull: Pull) -> bool:
    title = parse(pull["title"])
    return bool(_fired(pull, "new-markers") or title.is_unfinished or _UNFINISHED.search(title.subject))


def _ships_image(pull: Pull) -> bool:
    """Whether a container file or a dependency that people chose changed."""
    files = [file for risk in pull["risks"] if risk["rule"] == "ci-or-container" for file in risk["evidence"]["files"]]
    is_container = any(classify(file["path"]).category == "container" for file in files)
    return is_container or (pull["author_type"] != "bot" and _fired(pull, "dependency-change"))


def _is_risky_in_core(pull: Pull) -> bool:
    return (pull["tier"] or 0) >= ELEVATED and _fired(pull, "core-path")


def _repeated(facts: Facts) -> tuple[int, ...]:
    """What was repaired or taken back more than once, as far as it lies in the window."""
    inside = {pull["number"] for pull in facts["pulls"]}
    chains = [chain for chain in facts["chains"] if chain["is_sure"] and len(chain["evidence"]) > 1]
    return tuple(dict.fromkeys(number for chain in chains for number in chain["prs"] if number in inside))


def _still_open(facts: Facts) -> tuple[int, ...]:
    entries = [entry["pr"] for entry in facts["ledger"] if entry["state"] == OPEN and entry["rule"] in _ASK]
    return tuple(dict.fromkeys(entries))


_ASK = frozenset({"missing-tests", "tests-weakened", "breaking", "new-markers", "merged-over-objection"})
# By name, the most urgent first; each gives the pull requests that ask for it.
RULES: Mapping[str, Callable[[Facts], tuple[int, ...]]] = {
    "settle-objections": _where(lambda pull: _fired(pull, "merged-over-objection")),
    "add-tests": _where(lambda pull: _fired(pull, "missing-tests")),
    "write-migration-notes": _where(lambda pull: bool(pull["breaking"])),
    "finish-migration": _where(_is_migration),
    "finish-unfinished": _where(_is_unfinished),
    "restore-tests": _where(lambda pull: _fired(pull, "tests-weakened")),
    "document-contract": _where(_changes_contract),
    "verify-image": _where(_ships_image),
    "review-after-merge": _where(
        lambda pull: (pull["tier"] or 0) >= ELEVATED and _fired(pull, "unreviewed", "self-merged")
    ),
    "watch-core": _where(_is_risky_in_core),
    "watch-repeats": _repeated,
    "close-warnings": _still_open,
    "update-companion": _where(lambda pull: _fired(pull, "missing-companion")),
}
