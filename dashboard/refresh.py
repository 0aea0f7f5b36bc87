"""Brings the cache up to date: reads a source, stores it, derives what the analysis says of it, in one transaction."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, BinaryIO

from analysis import derive as analysis
from dashboard.config import Config
from data import cache, clone, demo, gh_export, queries, store
from data.cache import Connection
from data.frames import rows
from data.records import Source
from data.store import ImportResult

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Derived:
    """What one run of `derive` did to a repository."""

    repo: str
    pulls: int  # pull requests judged; 0 where nothing had changed


def import_clone(
    db: Path,
    repo: str,
    path: Path,
    config: Config,
    *,
    branch: str | None = None,
    since: str | None = None,
    progress: Progress | None = None,
) -> ImportResult:
    """Import the merged pull requests of a local git clone, on a later run only what is new, and derive."""

    def source(connection: Connection) -> Source:
        checkpoint, known = store.known(connection, repo, "clone")
        return clone.fetch_clone(path, branch=branch, since=since, checkpoint=checkpoint, known=known, repo=repo)

    return _import(db, repo, source, config, progress)


def import_gh(
    db: Path, repo: str, file: Path | BinaryIO, config: Config, *, progress: Progress | None = None
) -> ImportResult:
    """Import the JSON of `gh pr list` and derive."""
    return _import(db, repo, lambda _: gh_export.fetch_gh(file, repo=repo), config, progress)


def import_demo(db: Path, config: Config, *, progress: Progress | None = None) -> ImportResult:
    """Build the sample repository and derive."""
    names = demo.DEMO_FORMER_NAMES
    return _import(db, demo.DEMO_REPO, lambda _: demo.generate(), config, progress, former_names=names)


def derive(db: Path, config: Config, *, repo: str | None = None, full: bool = False) -> list[Derived]:
    """Judge the pull requests of one or all repositories anew, where rows, rules or configuration have changed.

    Args:
        db: the cache.
        config: its weights count.
        repo: only this one.
        full: even where nothing has changed.

    Raises:
        NotCached: `repo` is not there.
    """
    with cache.writing(db) as database:
        return [
            _derive(database.conn, stamp["repo"], config)
            if full or _is_stale(stamp, config)
            else Derived(stamp["repo"], 0)
            for stamp in _stamps(database.conn, repo)
        ]


def is_stale(db: Path, config: Config) -> bool:
    """Whether rows, rules or configuration have changed since the last `derive`."""
    with cache.reading(db) as connection:
        return any(_is_stale(stamp, config) for stamp in _stamps(connection))


def remove(db: Path, repo: str) -> int:
    """Take a repository out of the cache: how many pull requests went."""
    with cache.writing(db) as database:
        gone = store.remove_repository(database.conn, repo)
    cache.shrink(db)
    return gone


def prune(db: Path, before: date, config: Config) -> int:
    """Take pull requests merged or closed before a date (UTC) out of the cache: how many went."""
    with cache.writing(db) as database:
        gone = store.prune(database.conn, before)
        for stamp in _stamps(database.conn):
            if _is_stale(stamp, config):
                _derive(database.conn, stamp["repo"], config)
    cache.shrink(db)
    return gone


def _import(
    db: Path,
    repo: str,
    open_source: Callable[[Connection], Source],
    config: Config,
    progress: Progress | None,
    former_names: tuple[str, ...] = (),
) -> ImportResult:
    with cache.writing(db) as database:
        connection = database.conn
        result = store.save_import(connection, repo, open_source(connection), tz=config.tz, progress=progress)
        for former in former_names:
            store.add_name(connection, repo, former)
        if any(_is_stale(stamp, config) for stamp in _stamps(connection, repo)):
            _derive(connection, repo, config)
    return result


def _derive(connection: Connection, repo: str, config: Config) -> Derived:
    raw = queries.to_derive(connection, store.repository_or_raise(connection, repo))
    result = analysis.derive(raw["pulls"], raw["files"], raw["labels"], weights=dict(config.importance) or None)
    frames = {"pull_facts": result.pulls, "pull_modules": result.modules, "path_facts": result.paths}
    store.save_derived(connection, repo, frames, rules=analysis.RULES_VERSION, config=config.digest)
    return Derived(repo, len(raw["pulls"]))


def _stamps(connection: Connection, repo: str | None = None) -> list[dict[str, Any]]:
    frame = queries.stamps(connection)
    if repo is not None:
        frame = frame[frame["id"] == store.repository_or_raise(connection, repo)]
    return rows(frame)


def _is_stale(stamp: dict[str, Any], config: Config) -> bool:
    judged_with = (stamp["derived_rules"], stamp["derived_config"])
    return bool(stamp["has_changed"]) or judged_with != (analysis.RULES_VERSION, config.digest)
