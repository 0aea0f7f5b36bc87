"""A report's facts made by hand, and one section of it in words: for tests of what a section says."""

from typing import Any
from unittest.mock import patch

from analysis.claims import MAKERS, Length, Section
from dashboard.report.document import document

USUAL: dict[str, Any] = {"low": None, "median": None, "high": None, "n_before": 0, "state": "too_few"}
TOTALS = {"merged": 0, "key": 0, "bots_hidden": 0}


def make_facts(*pulls: dict[str, Any], before: int | None = None, **more: Any) -> dict[str, Any]:
    """The facts of week 10 with these pull requests; `before` is how many the week before merged."""
    return {
        "repo": "acme/app",
        "lang": "en",
        "generated_by": "merge-window 0",
        "id": "0",
        "base": "main",
        "window": {"since": "2026-03-02", "until": "2026-03-08", "tz": "UTC", "days": 7, "release": None},
        "coverage": {"first": "2025-01-01", "last": "2026-06-30", "notes": []},
        "totals": TOTALS | {"merged": len(pulls)},
        "totals_before": TOTALS | {"merged": before},
        "kinds": [],
        "modules": [],
        "overlaps": [],
        "hot_files": [],
        "risks": [],
        "chains": [],
        "themes": [],
        "ledger": [],
        "terms": [],
        "history": [],
        "unjudged": [],
        "pulls": list(pulls),
        "unclassified": [pull["number"] for pull in pulls if not pull["modules"]],
    } | more


def make_listed(number: int, **more: Any) -> dict[str, Any]:
    """A pull request as the facts list it; the higher its number, the less important it is."""
    return {
        "number": number,
        "title": f"fix: thing {number}",
        "url": f"https://github.com/acme/app/pull/{number}",
        "kind": "fix",
        "breaking": False,
        "modules": ["core"],
        "additions": 3,
        "deletions": 1,
        "importance": 9 - number / 1000,
        "key": False,
        "tier": 1,
        "risks": [],
        "note": None,
        "measured": [],
        "touches_tests": False,
    } | more


def section(name: Section, facts: dict[str, Any], length: Length = "M") -> str:
    """One section of the document, as Markdown."""
    with patch.dict(MAKERS, {other: lambda _: [] for other in MAKERS if other != name}):  # type: ignore[arg-type]
        made = document(facts, length=length)
    [found] = [each for each in made.sections if each.name == name]
    return found.markdown
