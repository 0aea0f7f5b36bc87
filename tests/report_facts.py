"""The facts of a report for tests of its claims: each fills in what a test does not care about."""

from typing import Any


def pull_of(number: int, title: str = "fix: a thing", *rules: str, **more: Any) -> dict[str, Any]:
    """A pull request of the window, on which these rules fired."""
    risks = [{"rule": rule, "points": 10.0, "evidence": {}, "value": 1.0} for rule in rules]
    pull = {
        "number": number,
        "title": title,
        "url": f"https://github.com/acme/orbit/pull/{number}",
        "author_type": "human",
        "kind": "fix",
        "breaking": False,
        "key": False,
        "importance": 4.0,
        "modules": ["core"],
        "risks": risks,
        "risk_score": 10.0 * len(rules),
        "tier": 1,
    }
    return pull | more


def step_of(pr: int, of: int, kind: str, hours: float, *, sure: bool = True) -> dict[str, Any]:
    """What one pull request did to an earlier one."""
    reason = {"rule": "title_number", "number": of}
    return {"pr": pr, "of": of, "kind": kind, "is_sure": sure, "hours": hours, "reasons": [reason]}


def chain_of(kind: str, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The story that these steps tell."""
    prs = list(dict.fromkeys([steps[0]["of"], *(step["pr"] for step in steps)]))
    chain = {"kind": kind, "prs": prs, "evidence": list(steps), "is_sure": all(step["is_sure"] for step in steps)}
    return chain | {"since": "2026-03-02T00:00:00Z", "until": "2026-03-05T12:00:00Z", "repair_hours": None} | more


def warning_of(
    rule: str, pr: int, state: str = "open", by: int | None = None, hours: float | None = None
) -> dict[str, Any]:
    """What became of a warning of the week before."""
    return {"rule": rule, "pr": pr, "warned_in": "2026-W09", "state": state, "by": by, "hours": hours}


def report_of(*pulls: dict[str, Any], lang: str = "en", **more: Any) -> dict[str, Any]:
    """What the claims on risks and follow-ups read of a report of the week 2026-W10."""
    rules = sorted({risk["rule"] for pull in pulls for risk in pull["risks"]})
    fired = [
        {
            "rule": rule,
            "prs": [p["number"] for p in pulls if any(r["rule"] == rule for r in p["risks"])],
            "before": None,
        }
        for rule in rules
    ]
    facts = {
        "lang": lang,
        "window": {"since": "2026-03-02", "until": "2026-03-08"},
        "totals_before": {"merged": 3},
        "pulls": list(pulls),
        "risks": fired,
        "chains": [],
        "ledger": [],
        "history": [],
        "unjudged": [],
    }
    return facts | more
