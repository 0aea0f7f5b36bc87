"""Which repository a sync writes to, how far it is, its line in the ledger: within transactions of the caller."""

import json
import sqlite3
from dataclasses import asdict, dataclass, fields

from data import store
from data.moments import now
from data.schema import TABLES

BACKFILL, DELTA = "backfill", "delta"
GRAPHQL, REST = "graphql", "rest"
STOPPED = "It was stopped before its end; run it again to go on."


@dataclass(frozen=True)
class Identity:
    """A repository as GitHub knows it now."""

    host: str
    github_id: int
    node_id: str
    name: str  # owner/name
    default_branch: str | None


@dataclass
class Checkpoint:
    """How far a repository has been read; the columns of `sync_state`."""

    way: str = GRAPHQL
    phase: str = BACKFILL
    cursor: str | None = None
    bound: str | None = None
    started_at: str | None = None
    watermark: str | None = None
    reread_at: str | None = None
    page_size: int | None = None
    page_ceiling: int | None = None
    n_read: int = 0
    n_declared: int | None = None
    quota_left: int | None = None
    quota: int | None = None
    quota_resets_at: str | None = None


def load(connection: sqlite3.Connection, repository: int) -> Checkpoint:
    """How far a repository has been read: a fresh checkpoint where it never was."""
    columns = [column.name for column in fields(Checkpoint)]
    row = connection.execute(
        f"select {', '.join(columns)} from sync_state where repository_id = ?", (repository,)
    ).fetchone()
    return Checkpoint(*row) if row else Checkpoint()


def load_by_number(connection: sqlite3.Connection, who: Identity) -> Checkpoint:
    """The same for a repository by its number on GitHub; a cache of an older version knows of none."""
    if connection.execute("pragma user_version").fetchone()[0] < TABLES["sync_state"].since:
        return Checkpoint()
    row = connection.execute(
        "select id from repositories where host = ? and github_id = ?", (who.host, who.github_id)
    ).fetchone()
    return load(connection, row[0]) if row else Checkpoint()


def save(connection: sqlite3.Connection, repository: int, checkpoint: Checkpoint) -> None:
    """Store how far a repository has been read."""
    values = {"repository_id": repository} | asdict(checkpoint)
    columns = list(TABLES["sync_state"].columns)
    marks = ", ".join(f":{name}" for name in columns)
    connection.execute(f"insert or replace into sync_state ({', '.join(columns)}) values ({marks})", values)
    # A quiet week is known to be one: the cache reaches to where GitHub was asked, not only to the last event.
    connection.execute(
        "update repositories set covered_until = max(coalesce(covered_until, ''), coalesce(?, '')) where id = ?",
        (checkpoint.watermark, repository),
    )


def open_ledger(connection: sqlite3.Connection, repository: int) -> int:
    """A line in the ledger for a sync that begins: its id. It says "stopped" until the sync says otherwise."""
    cursor = connection.execute(
        "insert into syncs (repository_id, source, started_at, finished_at, fetched, saved, skipped, is_complete,"
        " notes, error) values (?, ?, ?, ?, 0, 0, 0, 0, '[]', ?)",
        (repository, store.LIVE, now(), now(), STOPPED),
    )
    return cursor.lastrowid or 0


def write_ledger(
    connection: sqlite3.Connection,
    line: int,
    *,
    fetched: int,
    saved: int,
    declared: int | None,
    notes: list[str],
    error: str | None = STOPPED,
) -> None:
    """What the sync of that line has done so far; without an error it is complete."""
    connection.execute(
        "update syncs set finished_at = ?, fetched = ?, saved = ?, declared = ?, notes = ?, error = ?, is_complete = ?"
        " where id = ?",
        (now(), fetched, saved, declared, json.dumps(notes, ensure_ascii=False), error, error is None, line),
    )


def adopt(connection: sqlite3.Connection, who: Identity, asked: str) -> int:
    """The id of the repository with that number on GitHub, under its name of now and every name it is known by.

    One that was imported without a number, from a clone or from `gh`, becomes it; where both are there already, they
    become one.

    Args:
        connection: of `cache.writing`.
        who: what GitHub says of it.
        asked: the name it was asked for by, which may be a former one.
    """
    row = connection.execute(
        "select id from repositories where host = ? and github_id = ?", (who.host, who.github_id)
    ).fetchone()
    known = row[0] if row else None
    named = _unnumbered(connection, who.name, who.host)
    if named is None and known is None:
        named = _unnumbered(connection, asked, who.host)
    if known is None:
        known = named or _new(connection, who)
    elif named is not None and named != known:
        _absorb(connection, known, named)
    _free_name(connection, known, who)
    connection.execute(
        "update repositories set name = ?, github_id = ?, node_id = ?, default_branch = coalesce(?, default_branch)"
        " where id = ?",
        (who.name, who.github_id, who.node_id, who.default_branch, known),
    )
    for name in (who.name, asked):
        store.set_name(connection, who.host, name, known)
    return known


def _unnumbered(connection: sqlite3.Connection, name: str, host: str) -> int | None:
    """The repository of that name, if nobody has said yet which of GitHub's it is."""
    row = connection.execute(
        "select r.id from repository_names n join repositories r on r.id = n.repository_id"
        " where n.host = ? and n.key = ? and r.github_id is null",
        (host, name.lower()),
    ).fetchone()
    return row[0] if row else None


def _new(connection: sqlite3.Connection, who: Identity) -> int:
    holder = connection.execute(
        "select id from repositories where host = ? and name = ?", (who.host, who.name)
    ).fetchone()
    if holder:
        _step_aside(connection, holder[0])
    return store.add_repository(connection, who.name, who.host)


def _free_name(connection: sqlite3.Connection, repository: int, who: Identity) -> None:
    """Let whoever else still has the name, from a time before it was given to this repository, step aside."""
    for (other,) in connection.execute(
        "select id from repositories where host = ? and lower(name) = lower(?) and id <> ?",
        (who.host, who.name, repository),
    ).fetchall():
        _step_aside(connection, other)


def _step_aside(connection: sqlite3.Connection, repository: int) -> None:
    """A repository whose name another one has now: it is called by its number until a sync tells its new name."""
    connection.execute(
        "update repositories set name = name || '@' || coalesce(github_id, id) where id = ?", (repository,)
    )
    host, name = connection.execute("select host, name from repositories where id = ?", (repository,)).fetchone()
    store.set_name(connection, host, name, repository)


def _absorb(connection: sqlite3.Connection, known: int, named: int) -> None:
    """Two entries turn out to be one repository: what only the unnumbered one has goes over, the rest goes."""
    store.move_pulls(connection, named, known)
    for table in ("direct_commits", "tags", "releases"):
        connection.execute(f"update or ignore {table} set repository_id = ? where repository_id = ?", (known, named))
    connection.execute("update repository_names set repository_id = ? where repository_id = ?", (known, named))
    connection.execute("update syncs set repository_id = ? where repository_id = ?", (known, named))
    store.drop_repository(connection, named)
