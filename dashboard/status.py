"""What is cached, for the `status` command."""

import json
from pathlib import Path
from typing import Any

from dashboard import formats, reads
from data.checkpoints import BACKFILL
from data.counted import counted
from data.frames import rows
from data.store import GITHUB

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
        "syncs": _records(reads.sync_states(db)),
        "imports": _records(reads.ledger(db)),
    }
    return json.dumps(state, ensure_ascii=False, indent=2) + "\n"


def as_markdown(db: Path) -> str:
    """The same as Markdown, a section a repository."""
    repositories = reads.repositories(db)
    ledger, states = reads.ledger(db), reads.sync_states(db)
    lines = [f"# {db}", ""]
    if repositories.empty:
        lines += ["Nothing is cached. Load something with `merge-window import`, or try `merge-window demo`.", ""]
    for row in rows(repositories):
        newest = ledger[ledger["repo"] == row["repo"]].head(1)
        here = states[(states["repo"] == row["repo"]) & (states["host"] == row["host"])]
        lines += [
            f"## {row['repo']}" + ("" if row["host"] == GITHUB else f" on {row['host']}"),
            "",
            *_section(row),
            *(line for state in rows(here) for line in _sync_lines(state)),
            *(f"- the last import failed: {error}" for error in newest["error"].dropna()),
            *(f"- {note}" for notes in newest["notes"] for note in notes),
            "",
        ]
    return "\n".join(lines)


def _section(row: dict[str, Any]) -> list[str]:
    known = ", ".join(f"{name} {formats.percent(row[key], 'en')}" for key, name in FIELDS.items() if row["n_pulls"])
    days = f" from {_day(row['first_merged_at'])} to {_day(row['last_merged_at'])} (UTC)" if row["n_merged"] else ""
    lines = [
        f"- {counted(row['n_merged'], 'pull request')} merged{days}, {row['n_open']:,} open",
        f"- default branch: {row['default_branch'] or 'unknown'}",
        f"- known: {known or 'nothing yet'}",
        f"- last import from {row['last_source']} at {row['last_import_at']}",
    ]
    if row["aliases"]:
        lines.append(f"- also known as {', '.join(row['aliases'])}")
    if row["n_direct_commits"]:
        lines.append(f"- not counted: {counted(row['n_direct_commits'], 'commit')} without a pull request")
    return lines


def _sync_lines(state: dict[str, Any]) -> list[str]:
    """How far the sync with GitHub is, and what was left of its allowance."""
    lines = []
    if state["phase"] == BACKFILL:
        total = formats.number(state["n_declared"], "en")
        lines.append(f"- still reading back: {state['n_read']:,} of {total} so far; the next sync goes on")
    elif state["watermark"]:
        lines.append(f"- in step with GitHub as of {state['watermark']}")
    if state["bound"]:
        lines.append(f"- pull requests opened before {state['bound'][:10]} were not asked for")
    if not formats.is_unknown(state["quota_left"]):
        left, quota = int(state["quota_left"]), int(state["quota"])
        lines.append(f"- {left:,} of {quota:,} of the hourly allowance left when last asked")
    return lines


def _day(moment: str | None) -> str:
    return moment[:10] if isinstance(moment, str) else "–"


def _records(frame: Any) -> list[dict[str, Any]]:
    return rows(frame.astype(object).where(frame.notna(), None))
