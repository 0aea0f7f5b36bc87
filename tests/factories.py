"""Records and caches for tests: each fills in what a test does not care about."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from data import cache, store
from data.people import person
from data.records import PullRecord, Source

REPO = "acme/orbit"


def make_file(path: str, additions: int | None = 10, deletions: int | None = 2, **more: Any) -> dict[str, Any]:
    """One changed file."""
    return {"path": path, "old_path": None, "status": "modified", "additions": additions, "deletions": deletions} | more


def make_pull(
    number: int = 1, title: str = "Add a thing", merged: str | None = "2026-03-04T12:00:00Z", **more: Any
) -> PullRecord:
    """One merged pull request of ada's, into main, with one file."""
    files = more.pop("files", [make_file("app/core.py")])
    record: dict[str, Any] = {
        "number": number,
        "title": title,
        "body": "",
        "state": "merged" if merged else "open",
        "author": person("ada"),
        "merged_at": merged,
        "base": "main",
        "additions": sum(file["additions"] or 0 for file in files or []),
        "deletions": sum(file["deletions"] or 0 for file in files or []),
        "changed_files": len(files or []),
        "files": files,
        "files_complete": files is not None,
    }
    return record | more  # type: ignore[return-value]


def make_review(login: str, at: str, state: str = "approved") -> dict[str, Any]:
    """One submitted review."""
    return {"reviewer": person(login), "state": state, "submitted_at": at}


def save(
    db: Path, pulls: Iterable[PullRecord], *, kind: str = "gh", repo: str = REPO, tz: str = "UTC", **more: Any
) -> store.ImportResult:
    """Store pull requests as one import."""
    with cache.writing(db) as database:
        return store.save_import(database.conn, repo, Source(kind, iter(pulls), **more), tz=tz)


def dump(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything the cache says of repositories: all rows of all tables but those that count imports."""
    with cache.reading(db) as connection:
        names = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        wanted = [
            name for name in names if name not in {"syncs", "state"} and not name.endswith(("_data", "_idx", "_config"))
        ]
        return {name: sorted(map(repr, connection.execute(f"select * from {name}"))) for name in wanted}
