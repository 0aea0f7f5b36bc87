"""What a window leaves to be done: one function a rule of the follow-ups, None where there is nothing.

Each names pull requests, those first that ask for it most. What was taken out again needs no test, guide or check.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.chain_links import REVERT
from analysis.claims import signs
from analysis.claims.claim import Claim, numbers_of
from analysis.claims.risks import OBJECTED, clearest, fired
from analysis.claims.warnings import URGENT
from analysis.ledger import OPEN
from analysis.risk_settings import ELEVATED

ENOUGH_CORRECTIONS = 2  # of documentation, from which on the pages beside them may be stale too
LARGE = ("large-change", "core-path")
CONTRACTS = ("config-contract", "public-api")
MOST_MODULES = 3
MOST_REVERTS = 6  # that are named
Facts = Mapping[str, Any]
Pull = Mapping[str, Any]


def settle_objections(facts: Facts) -> Claim | None:
    """What was merged although somebody had asked for changes."""
    return _claim("settle_objections", clearest(signs.standing(facts), OBJECTED), OBJECTED)


def redo_reverted(facts: Facts) -> Claim | None:
    """What this window took out and nothing has brought back, each followed by what took it out."""
    here, gone = {pull["number"] for pull in facts["pulls"]}, signs.taken_out(facts)
    steps = [step for chain in facts["chains"] for step in chain["evidence"] if step["is_sure"]]
    by = {step["of"]: step["pr"] for step in steps if step["kind"] == REVERT and step["of"] in gone}
    prs = tuple(number for pair in by.items() if pair[1] in here for number in pair)
    query = {"list": "chains", "kind": REVERT}
    numbers = {"n": len(prs) // 2, "more": max(len(prs) // 2 - MOST_REVERTS, 0)}
    return Claim("followups", "redo_reverted", numbers=numbers, prs=prs, query=query) if prs else None


def review_after_merge(facts: Facts) -> Claim | None:
    """What is large, at the core or elevated and was merged without another person's eye on it."""
    alone = [pull for pull in signs.standing(facts) if fired(pull, "unreviewed") or fired(pull, "self-merged")]
    heavy = [pull for pull in alone if (pull["tier"] or 0) >= ELEVATED or any(fired(pull, rule) for rule in LARGE)]
    heavy.sort(key=lambda pull: (-pull["risk_score"], pull["number"]))
    return _claim("review_after_merge", heavy, "unreviewed", "self-merged")


def add_tests(facts: Facts) -> Claim | None:
    """What changes logic without a test: key changes and those at the core first, and how many of them are fixes."""
    bare = [pull for pull in signs.standing(facts) if fired(pull, "missing-tests")]
    bare.sort(key=lambda pull: (not signs.is_foremost(pull), -pull["risk_score"], pull["number"]))
    foremost = sum(map(signs.is_foremost, bare))
    fixes = sum(pull["kind"] == "fix" for pull in bare)
    return _claim("add_tests", bare, "missing-tests", foremost=foremost, fixes=fixes)


def write_migration_notes(facts: Facts) -> Claim | None:
    """What breaks something, or changes names and settings at once without bringing or repairing anything."""
    changed = [pull for pull in signs.standing(facts) if signs.migrates(pull)]
    return _claim("write_migration_notes", changed, "breaking", *CONTRACTS)


def finish_migration(facts: Facts) -> Claim | None:
    """What deprecates or moves something without ending it."""
    begun = [pull for pull in signs.standing(facts) if signs.begins_migration(pull)]
    return _claim("finish_migration", begun, "breaking")


def document_contract(facts: Facts) -> Claim | None:
    """What changes settings, or as a key change names that others use, beyond what needs a migration guide anyway."""
    changed = [pull for pull in signs.standing(facts) if signs.changes_contract(pull) and not signs.migrates(pull)]
    return _claim("document_contract", changed, *CONTRACTS)


def finish_unfinished(facts: Facts) -> Claim | None:
    """What says itself that it is not done: in its title, as a part with others to come, or by marks in its code."""
    left = [pull for pull in signs.standing(facts) if signs.is_unfinished(pull, facts["pulls"])]
    return _claim("finish_unfinished", left, "new-markers")


def verify_image(facts: Facts) -> Claim | None:
    """What changes a container or the versions that the project is built on: those with other risks first."""
    built = [pull for pull in signs.standing(facts) if signs.builds(pull)]
    built.sort(key=lambda pull: (-pull["risk_score"], pull["number"]))
    containers = sum(signs.touches_container(pull) for pull in built)
    return _claim("verify_image", built, "ci-or-container", "dependency-change", containers=containers)


def watch_core(facts: Facts) -> Claim | None:
    """What changes the core at elevated risk: the riskiest first, with the modules that they touch most."""
    found = [pull for pull in signs.standing(facts) if signs.is_risky_in_core(pull)]
    found.sort(key=lambda pull: (-pull["risk_score"], pull["number"]))
    claim = _claim("watch_core", found, "core-path")
    counts = Counter(module for pull in found for module in pull["modules"])
    modules = sorted(counts, key=lambda module: (-counts[module], module))[:MOST_MODULES]
    return claim and replace(claim, names={"modules": tuple(modules)})


def close_warnings(facts: Facts) -> Claim | None:
    """What the window before warned of and nothing has answered yet, by the most urgent rule of each."""
    rule_of: dict[int, str] = {}
    for rule in URGENT:
        for entry in facts["ledger"]:
            if entry["rule"] == rule and entry["state"] == OPEN:
                rule_of.setdefault(entry["pr"], rule)
    if not rule_of:
        return None
    rules = tuple(dict.fromkeys(rule_of.values()))
    numbers = {"n": len(rule_of)} | {rule: list(rule_of.values()).count(rule) for rule in rules}
    names = {"rules": rules, "since": facts["window"]["since"], "until": facts["window"]["until"]}
    query = {"list": "ledger", "state": OPEN, "rules": list(URGENT)}
    return Claim("followups", "close_warnings", numbers=numbers, prs=tuple(rule_of), names=names, query=query)


def watch_repeats(facts: Facts) -> Claim | None:
    """What was undone or repaired more than once, at least once in this window: what each such story began with."""
    here = {pull["number"] for pull in facts["pulls"]}
    stories = [
        chain
        for chain in facts["chains"]
        if chain["kind"] == "rework" and chain["is_sure"] and any(step["pr"] in here for step in chain["evidence"])
    ]
    prs = tuple(dict.fromkeys(chain["prs"][0] for chain in stories))
    query = {"list": "chains", "kind": "rework"}
    return Claim("followups", "watch_repeats", numbers={"n": len(prs)}, prs=prs, query=query) if prs else None


def restore_tests(facts: Facts) -> Claim | None:
    """What took tests away."""
    return _claim("restore_tests", clearest(signs.standing(facts), "tests-weakened"), "tests-weakened")


def update_companion(facts: Facts) -> Claim | None:
    """What left a file as it was that nearly always changes too, with the file."""
    left = clearest(signs.standing(facts), "missing-companion")
    claim = _claim("update_companion", left, "missing-companion")
    if not claim:
        return None
    evidence = (fired(pull, "missing-companion") for pull in left)
    files = [entry["companion"] for risk in evidence if risk for entry in risk["evidence"].get("companions", [])[:1]]
    return replace(claim, names={"files": tuple(dict.fromkeys(files))})


def keep_documentation(facts: Facts) -> Claim | None:
    """Documentation that was corrected, where that happened more than once: what stands beside may be stale too."""
    corrected = [pull for pull in signs.standing(facts) if signs.corrects_documentation(pull)]
    return _claim("keep_documentation", corrected) if len(corrected) >= ENOUGH_CORRECTIONS else None


def measure_speed(facts: Facts) -> Claim | None:
    """What is meant to make something faster and is not watched as a change at the core anyway."""
    meant = [pull for pull in signs.standing(facts) if signs.is_about_speed(pull) and not signs.is_risky_in_core(pull)]
    return _claim("measure_speed", meant)


def _claim(kind: str, pulls: Sequence[Pull], *rules: str, **numbers: int) -> Claim | None:
    if not pulls:
        return None
    query = {"list": "pulls", "rules": list(rules)}
    return Claim("followups", kind, numbers={"n": len(pulls), **numbers}, prs=numbers_of(pulls), query=query)
