"""What a pull request of the report tells of itself that the follow-ups ask for."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.chain_links import REAPPLY, REPAIR, REVERT
from analysis.claims.risks import fired
from analysis.paths import classify
from analysis.risk_settings import ELEVATED
from analysis.titles import Title, parse

_BEGINS_MIGRATION = re.compile(r"\b(?:deprecat|migrat|sunset|phase out)|弃用|废弃|迁移", re.IGNORECASE)
_UNFINISHED = re.compile(r"(?:temporar(?:y|ily)|workaround|todo)\b|临时", re.IGNORECASE)  # at the start of a title
_SPEED = re.compile(
    r"(?<![^\W_])(?:perf|performance|throughput|latency|speed ?up|faster)(?![^\W_])|性能|吞吐|加速", re.IGNORECASE
)
_CORRECTS = re.compile(
    r"\b(?:fix|fixe[sd]|correct(?:s|ed)?|outdated|stale|wrong|broken|dead|typos?)\b|修复|修正|更正|过时"
)
Facts = Mapping[str, Any]
Pull = Mapping[str, Any]


def standing(facts: Facts) -> list[Pull]:
    """The window's pull requests but those that were surely taken out again and have not come back."""
    gone = taken_out(facts)
    return [pull for pull in facts["pulls"] if pull["number"] not in gone]


def taken_out(facts: Facts) -> set[int]:
    """What a sure revert took out, and nothing brought back: neither by the stories nor under the same title."""
    gone: set[int] = set()
    for chain in facts["chains"]:
        done = [step for step in chain["evidence"] if step["is_sure"]]
        back = {step["of"] for step in done if step["kind"] in (REAPPLY, REPAIR)}
        gone |= {step["of"] for step in done if step["kind"] == REVERT} - back
    if not gone:
        return gone
    titles = {pull["number"]: parse(pull["title"]) for pull in facts["pulls"]}
    subjects = [title.subject for title in titles.values() if not title.reverts]
    return {number for number in gone if number not in titles or subjects.count(titles[number].subject) < 2}


def is_foremost(pull: Pull) -> bool:
    """A key change, or one at the core."""
    return bool(pull["key"]) or fired(pull, "core-path") is not None


def migrates(pull: Pull) -> bool:
    """It breaks something, or changes names and settings at once without bringing or repairing anything."""
    both = fired(pull, "public-api") and fired(pull, "config-contract")
    return bool(pull["breaking"]) or (bool(both) and pull["kind"] not in ("feat", "fix"))


def begins_migration(pull: Pull) -> bool:
    """It deprecates or moves something that others use."""
    return bool(pull["breaking"]) and _BEGINS_MIGRATION.search(pull["title"]) is not None


def is_unfinished(pull: Pull, pulls: Sequence[Pull]) -> bool:
    """Its title says so, or that more parts are to come than `pulls` hold; or its code has a new TODO."""
    title, marks = parse(pull["title"]), fired(pull, "new-markers")
    todos = [each for each in marks["evidence"].get("signals", []) if each.get("kind") == "todo"] if marks else []
    says = title.is_unfinished or _UNFINISHED.match(title.subject) is not None
    return says or bool(todos) or _awaits_parts(title, pulls)


def _awaits_parts(title: Title, pulls: Sequence[Pull]) -> bool:
    part, n = title.part or (0, None)
    if n is None:
        return False
    others = (parse(pull["title"]).part for pull in pulls)
    return part < n and not any(each and each[1] == n and each[0] > part for each in others)


def changes_contract(pull: Pull) -> bool:
    """It changes settings that users have or, as a key change, names that they call."""
    return fired(pull, "config-contract") is not None or (bool(pull["key"]) and fired(pull, "public-api") is not None)


def builds(pull: Pull) -> bool:
    """What is built of it, or on what, has changed; a bot's update of dependencies is looked after by its checks."""
    return touches_container(pull) or (pull["author_type"] != "bot" and fired(pull, "dependency-change") is not None)


def touches_container(pull: Pull) -> bool:
    """A container's file changed."""
    risk = fired(pull, "ci-or-container")
    return risk is not None and any(
        classify(file["path"]).category == "container" for file in risk["evidence"].get("files", [])
    )


def is_risky_in_core(pull: Pull) -> bool:
    """Much depends on what it changed, and its risk is elevated."""
    return (pull["tier"] or 0) >= ELEVATED and fired(pull, "core-path") is not None


def is_about_speed(pull: Pull) -> bool:
    """It is meant to make something faster."""
    return pull["kind"] == "perf" or bool(_SPEED.search(pull["title"]))


def corrects_documentation(pull: Pull) -> bool:
    """It corrects what a page said."""
    title = parse(pull["title"])
    is_about = pull["kind"] == "docs" or bool({"doc", "docs", "documentation"} & set(title.tags))
    return is_about and bool(pull["kind"] == "fix" or _CORRECTS.search(title.subject.lower()))
