"""Risk watch: which rules fired and on what, stories of reverts and repairs, what became of earlier warnings."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.claims.claim import Claim, Length, known, numbers_of
from analysis.ledger import OPEN
from analysis.risk_settings import ELEVATED, TIERS

MOST_RULES, MOST_STORIES, MOST_STEPS, EXAMPLES = 8, 6, 6, 2
HIGH = len(TIERS) + 1  # the tier of the highest scores
Facts = Mapping[str, Any]
Pull = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """How much is risky, each rule that fired, each story, and the ledger."""
    return [_tiers(facts), *_rules(facts), *_stories(facts), *_ledger(facts)]


def _tiers(facts: Facts) -> Claim:
    """How many ask for a second look; where none does, whether all could be judged."""
    judged = [pull for pull in facts["pulls"] if pull["tier"] is not None]
    risky = sorted(
        (pull for pull in judged if pull["tier"] >= ELEVATED), key=lambda pull: (-pull["risk_score"], pull["number"])
    )
    high = sum(pull["tier"] >= HIGH for pull in risky)
    numbers = {"n": len(risky), "high": high, "judged": len(judged), "merged": len(facts["pulls"])}
    query = {"list": "pulls", "tier": ELEVATED}
    return Claim("risks", "tiers", numbers=numbers, prs=numbers_of(risky), query=query, level="S")


def _rules(facts: Facts) -> list[Claim]:
    """Each rule that fired, those that weigh most first, with its clearest cases."""
    found = [_rule(facts, each) for each in facts["risks"] if each["prs"]]
    found.sort(key=lambda claim: (-claim.numbers["points"], claim.subject))
    return [
        Claim(
            claim.section,
            claim.kind,
            claim.subject,
            {name: value for name, value in claim.numbers.items() if name != "points"},
            claim.prs,
            claim.names,
            claim.evidence,
            claim.query,
            "M" if at < MOST_RULES else "L",
        )
        for at, claim in enumerate(found)
    ]


def _rule(facts: Facts, fired: Mapping[str, Any]) -> Claim:
    rule = fired["rule"]
    cases = [(pull, risk) for pull in facts["pulls"] for risk in pull["risks"] if risk["rule"] == rule]
    cases.sort(key=lambda case: (-case[1]["points"], -(case[0]["importance"] or 0), case[0]["number"]))
    numbers = known(n=len(cases), before=fired["before"], points=sum(risk["points"] for _, risk in cases))
    prs, evidence = numbers_of(pull for pull, _ in cases), tuple(risk for _, risk in cases[:EXAMPLES])
    window = facts["window"]
    names = {"rule": rule, "since": window["since"], "until": window["until"]}
    return Claim("risks", "rule", rule, numbers, prs, names, evidence, {"list": "risks", "rule": rule})


def _stories(facts: Facts) -> list[Claim]:
    """What was taken out, brought back or repaired, the sure ones first."""
    chains = sorted(facts["chains"], key=lambda chain: not chain["is_sure"])
    return [
        Claim(
            "risks",
            "story",
            "-".join(map(str, chain["prs"])),
            known(n=len(chain["prs"]), hours=chain["repair_hours"], more=max(len(chain["evidence"]) - MOST_STEPS, 0)),
            tuple(chain["prs"]),
            {"kind": chain["kind"], "since": chain["since"], "until": chain["until"], "sure": "yes" * chain["is_sure"]},
            tuple(chain["evidence"][:MOST_STEPS]),
            {"list": "chains", "first": chain["prs"][0]},
            "M" if chain["is_sure"] and at < MOST_STORIES else "L",
        )
        for at, chain in enumerate(chains)
    ]


def _ledger(facts: Facts) -> list[Claim]:
    """How many warnings of the period before were settled since, by what, and which are open."""
    ledger = facts["ledger"]
    if not ledger:
        return []
    warned_in = {"warned_in": ledger[0]["warned_in"]}
    counts = {
        state: sum(entry["state"] == state for entry in ledger) for state in ("open", "tested", "repaired", "reverted")
    }
    prs = tuple(dict.fromkeys(entry["pr"] for entry in ledger))
    total = Claim(
        "risks", "ledger", numbers={"n": len(ledger), **counts}, prs=prs, names=warned_in, query={"list": "ledger"}
    )
    settled = [_settled(entry) for entry in ledger if entry["state"] != OPEN]
    return [total, *settled, *_open(ledger)]


def _settled(entry: Mapping[str, Any]) -> Claim:
    names = {"rule": entry["rule"], "state": entry["state"]}
    prs = tuple(number for number in (entry["pr"], entry["by"]) if number is not None)
    query = {"list": "ledger", "rule": entry["rule"], "pr": entry["pr"]}
    subject = f"{entry['rule']}-{entry['pr']}"
    return Claim("risks", "settled", subject, known(hours=entry["hours"]), prs, names, query=query)


def _open(ledger: Sequence[Mapping[str, Any]]) -> list[Claim]:
    """The open warnings, rule by rule."""
    prs_of: dict[str, list[int]] = {}
    for entry in ledger:
        if entry["state"] == OPEN:
            prs_of.setdefault(entry["rule"], []).append(entry["pr"])
    level: Length = "M"
    return [
        Claim(
            "risks",
            "open",
            rule,
            {"n": len(prs)},
            tuple(prs),
            {"rule": rule},
            query={"list": "ledger", "rule": rule, "state": OPEN},
            level=level,
        )
        for rule, prs in prs_of.items()
    ]
