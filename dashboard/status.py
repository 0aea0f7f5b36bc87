"""What is cached, for the `status` command."""

import json
from pathlib import Path
from typing import Any

from dashboard import formats, reads
from data.frames import rows

FIELDS = {
    "known_created": "opening time",
    "known_reviews": "reviews",
    "known_labels": "labels",
    "known_files": "changed files",
    "files_complete": "complete file lists",
}


def as_json(db: Path) -> str:
    """The cache's repositories and its ledger, as one JSON object."""
    repositories = reads.repositories(db)
    state = {
        "cache": str(db),
        "repositories": _records(repositories),
        "imports": _records(reads.ledger(db)),
    }
    return json.dumps(state, ensure_ascii=False, indent=2) + "\n"


def as_markdown(db: Path) -> str:
    """The same as Markdown, a section a repository."""
    repositories = reads.repositories(db)
    ledger = reads.ledger(db)
    lines = [f"# {db}", ""]
    if repositories.empty:
        lines += ["Nothing is cached. Load something with `merge-window import`, or try `merge-window demo`.", ""]
    for row in rows(repositories):
        newest = ledger[ledger["repo"] == row["repo"]].head(1)
        lines += [
            f"## {row['repo']}",
            "",
            *_section(row),
            *(f"- {note}" for notes in newest["notes"] for note in notes),
            "",
        ]
    return "\n".join(lines)


def _section(row: dict[str, Any]) -> list[str]:
    known = ", ".join(f"{name} {formats.percent(row[key], 'en')}" for key, name in FIELDS.items() if row["n_pulls"])
    days = f"from {_day(row['first_merged_at'])} to {_day(row['last_merged_at'])} (UTC)"
    lines = [
        f"- {row['n_merged']} pull requests merged {days}, {row['n_open']} open",
        f"- default branch: {row['default_branch'] or 'unknown'}",
        f"- known: {known or 'nothing yet'}",
        f"- last import from {row['last_source']} at {row['last_import_at']}",
    ]
    if row["aliases"]:
        lines.append(f"- also known as {', '.join(row['aliases'])}")
    if row["n_direct_commits"]:
        lines.append(f"- {row['n_direct_commits']} commits came without a pull request and are not counted")
    return lines


def _day(moment: str | None) -> str:
    return moment[:10] if isinstance(moment, str) else "–"


def _records(frame: Any) -> list[dict[str, Any]]:
    return rows(frame.astype(object).where(frame.notna(), None))
