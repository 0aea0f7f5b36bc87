"""The executive summary: how much was merged, what it was about, what stands out."""

from collections.abc import Mapping
from statistics import median
from typing import Any

from analysis.claims.claim import Claim, known, numbers_of
from analysis.risk_settings import ELEVATED

MOST_NAMED = 3  # themes and modules that a summary names
ENOUGH_WINDOWS = 8  # equal windows before that tell what is usual
LONGER = 1.2  # times the median from which on the 90th percentile says something of its own
ENOUGH = 5  # pull requests from which on a share or a median says something
Facts = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """What a reader must know who reads nothing else; of a window without merges only that."""
    if not facts["pulls"]:
        return [_merged(facts)]
    found = (_merged, _newcomers, _key, _about, _kinds, _breaking, _reverts, _elevated, _lead_time, _size)
    return [claim for make in found if (claim := make(facts))]


def _merged(facts: Facts) -> Claim:
    """How much was merged, by how many people, and how that compares with the period before and with the usual."""
    now, before = facts["totals"], facts["totals_before"]["merged"]
    numbers = known(merged=now["merged"], before=before, authors=now["authors"], days=facts["window"]["days"])
    if before is not None:
        numbers["more"] = now["merged"] - before
    counts = [window["merged"] for window in facts["history"]]
    if len(counts) >= ENOUGH_WINDOWS:
        numbers |= {"usual": round(median(counts)), "windows": len(counts)}
    names = {"since": facts["window"]["since"], "until": facts["window"]["until"]}
    prs = numbers_of(facts["pulls"])
    return Claim("summary", "merged", numbers=numbers, prs=prs, names=names, query={"list": "pulls"}, level="S")


def _newcomers(facts: Facts) -> Claim | None:
    """How many people merged for the first time."""
    n = facts["totals"]["new_authors"]
    return Claim("summary", "newcomers", numbers={"new_authors": n}, query={"list": "totals"}) if n else None


def _key(facts: Facts) -> Claim | None:
    """How many are key changes, and which are the foremost."""
    prs = numbers_of(pull for pull in facts["pulls"] if pull["key"])
    numbers = {"key": len(prs), "merged": len(facts["pulls"])}
    query = {"list": "pulls", "only": "key"}
    return Claim("summary", "key", numbers=numbers, prs=prs, query=query, level="S") if prs else None


def _about(facts: Facts) -> Claim | None:
    """What the window was about: its largest themes."""
    themes = [theme for theme in facts["themes"] if len(theme["prs"]) > 1][:MOST_NAMED]
    if not themes:
        return None
    prs = tuple(number for theme in themes for number in theme["prs"])
    names = {"themes": tuple(theme["title"] for theme in themes)}
    numbers = {"in_themes": len(prs), "themes": len(themes), "merged": len(facts["pulls"])}
    query = {"list": "themes", "first": len(themes)}
    return Claim("summary", "about", numbers=numbers, prs=prs, names=names, query=query, level="S")


def _kinds(facts: Facts) -> Claim | None:
    """Which kind of change is the most frequent, where there is enough to say so."""
    if len(facts["pulls"]) < ENOUGH:
        return None
    first, *others = facts["kinds"]
    if others and len(others[0]["prs"]) == len(first["prs"]):
        return None
    numbers = known(n=len(first["prs"]), merged=len(facts["pulls"]), before=first["before"])
    query = {"list": "kinds", "name": first["name"]}
    return Claim(
        "summary", "kinds", numbers=numbers, prs=tuple(first["prs"]), names={"kind": first["name"]}, query=query
    )


def _breaking(facts: Facts) -> Claim | None:
    """What breaks something."""
    prs = numbers_of(pull for pull in facts["pulls"] if pull["breaking"])
    query = {"list": "pulls", "only": "breaking"}
    return Claim("summary", "breaking", numbers={"n": len(prs)}, prs=prs, query=query, level="S") if prs else None


def _reverts(facts: Facts) -> Claim | None:
    """What took back something else."""
    prs = numbers_of(pull for pull in facts["pulls"] if pull["kind"] == "revert")
    query = {"list": "pulls", "kind": "revert"}
    return Claim("summary", "reverts", numbers={"n": len(prs)}, prs=prs, query=query) if prs else None


def _elevated(facts: Facts) -> Claim | None:
    """How many ask for a second look, and how many usually do."""
    risky = [pull for pull in facts["pulls"] if (pull["tier"] or 0) >= ELEVATED]
    prs = numbers_of(sorted(risky, key=lambda pull: (-pull["risk_score"], pull["number"])))
    if not prs:
        return None
    numbers = {"n": len(prs)}
    counts = [window["elevated"] for window in facts["history"]]
    if len(counts) >= ENOUGH_WINDOWS:
        numbers |= {"usual": round(median(counts)), "windows": len(counts)}
    query = {"list": "pulls", "tier": ELEVATED}
    return Claim("summary", "elevated", numbers=numbers, prs=prs, query=query, level="S")


def _lead_time(facts: Facts) -> Claim | None:
    """How long it took from ready to merged."""
    now, before = (facts[key]["median_lead_time_hours"] for key in ("totals", "totals_before"))
    if now is None:
        return None
    p90 = facts["totals"]["p90_lead_time_hours"]
    numbers = known(hours=now, before=before, p90=p90 if p90 is not None and p90 > LONGER * now else None)
    prs = numbers_of(facts["pulls"])
    names = {"since": facts["window"]["since"], "until": facts["window"]["until"]}
    return Claim("summary", "lead_time", numbers=numbers, prs=prs, names=names, query={"list": "totals"})


def _size(facts: Facts) -> Claim | None:
    """How many lines came and went."""
    numbers = known(additions=facts["totals"]["additions"], deletions=facts["totals"]["deletions"])
    query = {"list": "totals"}
    return Claim("summary", "size", numbers=numbers, prs=numbers_of(facts["pulls"]), query=query, level="L")
