"""Cases as the risk rules read them; what a test does not care about is filled in, quiet and fully known."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from analysis.paths import classify
from analysis.risk import Case

MERGED = "2026-03-04T12:00:00Z"
CHANGE = {
    "merged_at": MERGED,
    "created_at": "2026-03-02T12:00:00Z",
    "ready_at": None,
    "author_id": 1,
    "author_type": "human",
    "merged_by_id": 2,
    "kind": "feat",
    "is_breaking": False,
    "subject": "add a thing",
    "reverts": False,
    "is_reapply": False,
    "is_bump": False,
    "is_bot": False,
    "docs_only": False,
    "weighted_lines": 10.0,
    "files_complete": True,
    "reviews_known": True,
    "threads_known": True,
    "events_known": True,
    "patches_known": True,
    "review_decision": "approved",
    "exp": 40,
    "sexp": 20,
}
FILE = {
    "status": "modified",
    "additions": 3,
    "deletions": 1,
    "is_interface": False,
    "n_before": 4,
    "n_fixes": 1,
    "by_author": 2,
    "churn_before": 90,
    "coreness": 0.1,
    "hotspot": 0.05,
}
ROWS = {
    "areas": {"area": "app", "n_source": 40, "n_tested": 20},
    "companions": {"path": "a.py", "companion": "b.py", "n_together": 9, "n_before": 10},
    "reviews": {
        "seq": 1,
        "reviewer": "bob",
        "reviewer_id": 2,
        "reviewer_type": "human",
        "state": "approved",
        "submitted_at": "2026-03-03T12:00:00Z",
    },
    "threads": {"path": "app/core.py", "is_resolved": False, "is_outdated": False, "n_comments": 5},
    "signals": {"path": "app/core.py", "kind": "todo", "line": 7, "detail": "TODO"},
    "links": {"earlier_number": 90, "kind": "repair", "is_sure": True, "hours": 20.0},
}


def file(path: str = "app/core.py", **more: Any) -> dict[str, Any]:
    """One changed file, known for what its path says."""
    facts = classify(path)
    told = {"category": facts.category, "language": facts.language, "is_noise": facts.is_noise}
    return {"path": path, **told, "area": "/".join(facts.area), **FILE, **more}


def change(*files: dict[str, Any], **more: Any) -> dict[str, Any]:
    """One merged pull request; `reviews`, `signals` and their like are lists of what differs from ROWS."""
    return {"files": list(files) or [file()], **more}


def make_case(*changes: dict[str, Any], **frames: Any) -> Case:
    """The changes with pull_ids from 1 on."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in ("changes", "files", *ROWS)}
    for pull_id, each in enumerate(changes, start=1):
        facts = {name: value for name, value in each.items() if name in CHANGE}
        assert facts.keys() | rows.keys() >= each.keys()
        rows["changes"].append({"pull_id": pull_id, **CHANGE, **facts})
        rows["files"] += [{"pull_id": pull_id, **one} for one in each["files"]]
        for name, usual in ROWS.items():
            rows[name] += [{"pull_id": pull_id, **usual, **one} for one in each.get(name, [])]
    columns: dict[str, Iterable[str]] = {"changes": CHANGE, "files": file(), **ROWS}
    made = {name: pd.DataFrame(rows[name], columns=["pull_id", *columns[name]]) for name in rows}
    return Case(**made | frames)
