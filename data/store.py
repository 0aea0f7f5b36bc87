"""What writes to the cache: imports, derived results, removal, each inside a transaction that the caller holds.

Rows go through `executemany` with explicit upserts, thousands at a time; sqlite-utils makes the schema (`cache.py`). An
unchanged pull request writes nothing, and an unknown value never overwrites a known one.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from data import rollups
from data.counted import counted
from data.errors import NotCached
from data.moments import midnight, now, utc_text
from data.people import BOT, Person
from data.records import FileRecord, PullRecord, Source
from data.schema import MERGED, OPEN, PULL_CHILDREN, REPOSITORY_CHILDREN, SOURCE_RANK, TABLES

if TYPE_CHECKING:
    import pandas as pd

GITHUB = "github.com"
BATCH = 2000
CLOCKS_DIFFER = timedelta(days=1)
LIVE = "github"  # the source that knows the present: what it says replaces what was said before, even by nothing
Progress = Callable[[int], None]


@dataclass(frozen=True)
class ImportResult:
    """What one import did."""

    repo: str
    fetched: int  # pull requests read
    saved: int  # of those, new or changed
    direct_commits: int  # commits without a pull request read
    notes: list[str] = field(default_factory=list)


def save_import(
    connection: sqlite3.Connection,
    repo: str,
    source: Source,
    *,
    host: str = GITHUB,
    tz: str = "UTC",
    progress: Progress | None = None,
) -> ImportResult:
    """Store everything that a source yields.

    Args:
        connection: of `cache.writing`; its transaction makes the import all or nothing.
        repo: `owner/name` by which the repository is asked for.
        source: read to its end.
        host: where the repository lives.
        tz: the zone in which weekly and monthly sums are kept.
        progress: called with the number of pull requests read so far.

    Raises:
        SourceError: what the source could not read.
    """
    started = now()
    repository = find_repository(connection, repo, host) or add_repository(connection, repo, host)
    writer = _Writer(connection, repository, host, tz)
    for records in _batches(source.pulls, BATCH):
        writer.save(records, source.kind)
        if progress:
            progress(writer.fetched)
    writer.finish(source, started)
    return ImportResult(repo, writer.fetched, writer.saved, len(source.direct_commits), source.notes)


def save_page(
    connection: sqlite3.Connection, repository: int, records: list[PullRecord], *, host: str = GITHUB, tz: str = "UTC"
) -> int:
    """Store a page of pull requests as GitHub tells them now; those known to be newer stay.

    Args:
        connection: of `cache.writing`; the checkpoint belongs into the same transaction.
        repository: its id in the cache.
        records: what GitHub says.
        host: where the repository lives.
        tz: the zone in which weekly and monthly sums are kept.

    Returns:
        How many were new or changed.
    """
    writer = _Writer(connection, repository, host, tz)
    writer.save(records, LIVE)
    writer.settle()
    return writer.saved


def save_beside(connection: sqlite3.Connection, repository: int, source: Source, *, host: str = GITHUB) -> None:
    """Store what GitHub tells of a repository beside its pull requests: default branch, tags, releases, CODEOWNERS."""
    writer = _Writer(connection, repository, host, "")
    writer.save_beside(source)
    writer.set_default_branch(source.default_branch)


def known(
    connection: sqlite3.Connection, repo: str, source: str, host: str = GITHUB
) -> tuple[dict[str, Any] | None, dict[int, str]]:
    """Where the last import from this kind of source ended, and what is cached as merged.

    Returns:
        The checkpoint that the source left (None for a first run), and number -> commit of the merged pull requests
        whose commit is known.
    """
    repository = find_repository(connection, repo, host)
    if repository is None:
        return None, {}
    row = connection.execute(
        "select checkpoint from syncs where repository_id = ? and source = ? and is_complete"
        " and checkpoint is not null order by id desc limit 1",
        (repository, source),
    ).fetchone()
    merged = connection.execute(
        "select number, merge_commit from pulls where repository_id = ? and state = ? and merge_commit is not null",
        (repository, MERGED),
    )
    return (json.loads(row[0]) if row else None), dict(merged.fetchall())


def merged_since(connection: sqlite3.Connection, repository: int, since: str) -> dict[int, str | None]:
    """The pull requests that were merged since a moment, newest first: number -> node id."""
    rows = connection.execute(
        "select number, node_id from pulls where repository_id = ? and merged_at >= ?"
        " order by merged_at desc, number desc",
        (repository, since),
    )
    return dict(rows.fetchall())


def updated_at(connection: sqlite3.Connection, repository: int, numbers: list[int]) -> dict[int, str | None]:
    """When those of these pull requests that GitHub itself told were last updated: number -> moment."""
    rows = connection.execute(
        "select number, updated_at from pulls where repository_id = ? and source = ?"
        " and number in (select value from json_each(?))",
        (repository, LIVE, json.dumps(numbers)),
    )
    return dict(rows.fetchall())


def tags(connection: sqlite3.Connection, repository: int) -> dict[str, str]:
    """The cached tags: name -> commit."""
    return dict(connection.execute("select name, sha from tags where repository_id = ?", (repository,)).fetchall())


def incomplete(connection: sqlite3.Connection, repository: int) -> list[int]:
    """The numbers of the pull requests with fewer files than they declare, newest first."""
    rows = connection.execute(
        "select number from pulls where repository_id = ? and files_complete = 0 order by number desc", (repository,)
    )
    return [number for (number,) in rows]


def count_pulls(connection: sqlite3.Connection, repository: int) -> int:
    """How many pull requests of a repository are cached."""
    (count,) = connection.execute("select count(*) from pulls where repository_id = ?", (repository,)).fetchone()
    return int(count)


def find_repository(connection: sqlite3.Connection, repo: str, host: str | None = None) -> int | None:
    """The id of the repository that has, or once had, this name; None if it is not cached.

    Without a host it is looked for on all of them, github.com first.
    """
    row = connection.execute(
        "select repository_id from repository_names where key = ? and coalesce(?, host) = host"
        " order by host <> ?, host limit 1",
        (repo.lower(), host, GITHUB),
    ).fetchone()
    return row[0] if row else None


def add_name(connection: sqlite3.Connection, repo: str, former: str, host: str = GITHUB) -> None:
    """Let a repository be found by a name it had before."""
    set_name(connection, host, former, repository_or_raise(connection, repo, host))


def remove_repository(connection: sqlite3.Connection, repo: str, host: str | None = None) -> int:
    """Take a repository and all that hangs on it out of the cache.

    Returns:
        How many pull requests went.

    Raises:
        NotCached: it is not there, or without a host several could be meant.
    """
    hosts = connection.execute("select host from repository_names where key = ? order by host", (repo.lower(),))
    if host is None and len(found := [name for (name,) in hosts]) > 1:
        raise NotCached(f"{repo} is cached from {' and '.join(found)}. Say which with --host.")
    gone = drop_repository(connection, repository_or_raise(connection, repo, host))
    _drop_orphans(connection)
    _next_generation(connection)
    return gone


def drop_repository(connection: sqlite3.Connection, repository: int) -> int:
    """Delete a repository and its rows; the paths and people that it alone named stay. How many pull requests went."""
    gone = _delete_pulls(connection, "repository_id = ?", (repository,))
    for table in REPOSITORY_CHILDREN:
        connection.execute(f"delete from {table} where repository_id = ?", (repository,))
    connection.execute("delete from repositories where id = ?", (repository,))
    return gone


def move_pulls(connection: sqlite3.Connection, source: int, target: int) -> None:
    """Give a repository the pull requests of another one that it lacks, and redo its sums."""
    connection.execute(
        "update pulls set repository_id = ? where repository_id = ?"
        " and number not in (select number from pulls where repository_id = ?)",
        (target, source, target),
    )
    rollups.redo(connection, target)
    _judge_all_anew(connection, [target])


def prune(connection: sqlite3.Connection, before: date) -> int:
    """Take pull requests merged or closed before a date (in UTC) out of the cache; open ones stay.

    Returns:
        How many went.
    """
    limit = midnight(before, "UTC")
    generation = _next_generation(connection)
    old = "state <> ? and coalesce(merged_at, closed_at) < ?"
    rows = connection.execute(f"select distinct repository_id from pulls where {old}", (OPEN, limit)).fetchall()
    gone = _delete_pulls(connection, old, (OPEN, limit))
    connection.execute("delete from direct_commits where committed_at < ?", (limit,))
    for (repository,) in rows:
        rollups.redo(connection, repository)
        connection.execute("update repositories set changed_generation = ? where id = ?", (generation, repository))
    _judge_all_anew(connection, [repository for (repository,) in rows])
    _drop_orphans(connection)
    return gone


def save_vocabulary(
    connection: sqlite3.Connection,
    repository: int,
    *,
    digest: str,
    words: str,
    learned_from: int,
    learned_until: str | None,
) -> None:
    """Keep what a repository calls its modules, as JSON, and from which of its pull requests that was learned."""
    connection.execute(
        "insert or replace into vocabularies values (?, ?, ?, ?, ?)",
        (repository, digest, words, learned_from, learned_until),
    )


def save_derived(
    connection: sqlite3.Connection,
    repository: int,
    judged: Sequence[int],
    frames: Mapping[str, "pd.DataFrame"],
    *,
    rules: int,
    config: str,
) -> None:
    """Replace what the analysis says of some of a repository's pull requests.

    Args:
        connection: of `cache.writing`, by which the raw rows were read as well.
        repository: whose results these are.
        judged: ids of its pull requests that were judged.
        frames: derived table -> its rows of these, columns as in the schema.
        rules: version of the rules.
        config: digest of the configuration.
    """
    ids = json.dumps(list(judged))
    for name, given in frames.items():
        columns = list(TABLES[name].columns)
        is_of_pulls = "pull_id" in columns
        if is_of_pulls:
            connection.execute(f"delete from {name} where pull_id in (select value from json_each(?))", (ids,))
        own = [repository] * len(given)
        values = [own if column == "repository_id" else _plain(given[column]) for column in columns]
        insert = "insert" if is_of_pulls else "insert or replace"  # with nothing to replace the former is quicker
        connection.executemany(
            f"{insert} into {name} values ({', '.join('?' * len(columns))})", zip(*values, strict=True)
        )
    connection.execute(
        "update repositories set derived_generation = ?, derived_rules = ?, derived_config = ? where id = ?",
        (_next_generation(connection), rules, config, repository),
    )


def _plain(column: "pd.Series[Any]") -> list[Any]:
    """A column's values as SQLite takes them; it stores NaN as NULL."""
    is_masked = str(column.dtype) in ("Int64", "boolean")  # their NA is nothing that it knows
    return column.to_numpy(dtype=object, na_value=None).tolist() if is_masked else column.tolist()


def _judge_all_anew(connection: sqlite3.Connection, repositories: Iterable[int]) -> None:
    """What is derived of these repositories no longer follows from what is stored: the next `derive` starts over."""
    connection.executemany(
        "update repositories set derived_generation = null where id = ?", [(repository,) for repository in repositories]
    )


class _Writer:
    """Stores one import inside a transaction that somebody else holds."""

    def __init__(self, connection: sqlite3.Connection, repository: int, host: str, tz: str) -> None:
        self.connection, self.repository, self.host, self.tz = connection, repository, host, tz
        self.generation = _next_generation(connection)
        self.people: dict[tuple[str, str], int] = {}
        self.fetched = self.saved = 0
        self.newest = ""
        self.latest = (
            utc_text(datetime.fromisoformat(now()) + CLOCKS_DIFFER) or ""
        )  # later than that is nobody's true moment
        self.in_future = 0  # merges with such a moment
        self.retyped = False  # somebody turned out to be a bot: sums of old weeks change
        self.moments: set[str] = set()  # merged_at, old and new, of what changed: the sums to redo

    def save(self, records: list[PullRecord], source: str) -> None:
        """Store a batch: the pull requests that changed, and what belongs to them."""
        self.fetched += len(records)
        by_number = {record["number"]: record for record in records}
        before = self._stored(by_number)
        if source == LIVE:
            by_number = {n: record for n, record in by_number.items() if not _is_older(record, before.get(n, {}))}
        rows = [self._row(record, source) for record in by_number.values()]
        fresh = [row for row in rows if before.get(row["number"], {}).get("digest") != row["digest"]]
        self._forget_search([before[row["number"]]["id"] for row in fresh if row["number"] in before])
        if source == LIVE:
            for row in fresh:
                self.connection.execute(_overwrite(*by_number[row["number"]]), row)
        else:
            self.connection.executemany(_PULL_UPSERT, fresh)
        changed = self._stored(row["number"] for row in fresh)
        self._save_children({row["id"]: by_number[number] for number, row in changed.items()}, source, before)
        self._learn_search([row["id"] for row in changed.values()])
        self.saved += len(changed)
        for number, row in changed.items():
            self.moments.update(filter(None, (row["merged_at"], before.get(number, {}).get("merged_at"))))

    def finish(self, source: Source, started: str) -> None:
        """Store what the source told beside its pull requests, redo the sums and write the ledger."""
        self.save_beside(source)
        if not self.fetched and not source.direct_commits and source.checkpoint is None:
            source.notes.append("The source holds no pull request.")
        self.set_default_branch(source.default_branch)
        pushed = (commit["committed_at"] for commit in source.direct_commits)
        self.newest = max(self.newest, *(moment for moment in pushed if moment <= self.latest), "")
        if self.in_future:
            source.notes.append(
                f"{counted(self.in_future, 'pull request')} merged after today, by a wrong clock. Each counts on the"
                " day that it says, and the latest week is looked for without."
            )
        self.settle()
        self._write_ledger(source, started)

    def settle(self) -> None:
        """Redo the sums that what was saved belongs to, and stamp the repository."""
        self.connection.execute(
            "update repositories set covered_until = max(coalesce(covered_until, ''), ?),"
            " changed_generation = case when ? then ? else changed_generation end where id = ?",
            (self.newest, self.saved > 0, self.generation, self.repository),
        )
        rollups.update(self.connection, self.repository, self.tz, self.moments)
        if self.retyped:
            rollups.redo(self.connection, self.repository)
            _judge_all_anew(self.connection, [self.repository])

    def _stored(self, numbers: Iterable[int]) -> dict[int, dict[str, Any]]:
        flags = ("files_complete", "labels_known", "patches_known")
        names = ("number", "id", "digest", "merged_at", "updated_at", "source_rank", *flags)
        rows = self.connection.execute(
            f"select {', '.join(names)} from pulls"
            " where repository_id = ? and number in (select value from json_each(?))",
            (self.repository, json.dumps(list(numbers))),
        )
        return {row[0]: dict(zip(names, row, strict=True)) for row in rows}

    def _row(self, record: PullRecord, source: str) -> dict[str, Any]:
        row: dict[str, Any] = {column: record.get(column) for column in _PULL_COLUMNS}
        row |= {
            "repository_id": self.repository,
            "state": record.get("state") or MERGED,
            "author_id": self._person(record.get("author")),
            "merged_by_id": self._person(record.get("merged_by")),
            **{f"{name}_known": 1 if record.get(name) is not None else None for name in _KNOWN_LISTS},
            "source": source,
            "source_rank": SOURCE_RANK[source],
            "digest": _digest(record, source),
            "revision": self.generation,
        }
        moments = (row["merged_at"], row["closed_at"], row["created_at"], row["updated_at"])
        self.newest = max(self.newest, *(moment for moment in moments if moment and moment <= self.latest), "")
        self.in_future += (row["merged_at"] or "") > self.latest
        return {column: int(value) if isinstance(value, bool) else value for column, value in row.items()}

    def _person(self, person: Person | None) -> int | None:
        if person is None:
            return None
        keys = [
            f"{kind}:{value.lower()}"
            for kind, value in (("login", person["login"]), ("email", person["email"]))
            if value
        ] or [f"name:{(person['name'] or '').lower()}"]
        known = (keys[0], person["type"])  # who is told to be a bot only later in an import is one too
        if known not in self.people:
            self.people[known] = self._find_or_add_person(person, keys)
        return self.people[known]

    def _find_or_add_person(self, person: Person, keys: list[str]) -> int:
        for key in keys:
            row = self.connection.execute(
                "select id, type from people_names join people on id = person_id"
                " where people_names.host = ? and key = ?",
                (self.host, key),
            ).fetchone()
            if row:
                found: int = row[0]
                self.retyped |= person["type"] == BOT and row[1] != BOT
                self.connection.execute(
                    "update people set login = coalesce(login, ?), name = coalesce(?, name),"
                    " type = case when ? = 'bot' then 'bot' else type end where id = ?",
                    (person["login"], person["name"], person["type"], found),
                )
                break
        else:
            cursor = self.connection.execute(
                "insert into people (host, login, name, type) values (?, ?, ?, ?)",
                (self.host, person["login"], person["name"], person["type"]),
            )
            found = cursor.lastrowid or 0
        self.connection.executemany(
            "insert or ignore into people_names (host, key, person_id) values (?, ?, ?)",
            [(self.host, key, found) for key in keys],
        )
        return found

    def _save_children(
        self, records: Mapping[int, PullRecord], source: str, before: Mapping[int, Mapping[str, Any]]
    ) -> None:
        rank = SOURCE_RANK[source]

        def wins(record: PullRecord) -> bool:
            return rank >= before.get(record["number"], {}).get("source_rank", 0)

        def replaces_files(record: PullRecord) -> bool:
            old = before.get(record["number"], {})
            # What was merged changes no more: its whole list is never given up for a part of it.
            was_open = source == LIVE and not old.get("merged_at")
            return (bool(record.get("files_complete")) and wins(record)) or not old.get("files_complete") or was_open

        self._replace("bodies", [(i, r["body"]) for i, r in records.items() if r.get("body") is not None and wins(r)])
        with_files = {
            i: files for i, r in records.items() if (files := r.get("files")) is not None and replaces_files(r)
        }
        self._replace("files", self._file_rows(with_files), with_files)
        self._learn_renames({i: r.get("files") or [] for i, r in records.items() if i not in with_files})
        for table, key, columns in _CHILD_LISTS:
            kept = self._with_rows(table, [i for i, r in records.items() if key in r.get("in_part", ())])
            lists: dict[int, list[Any]] = {
                i: r.get(key) or []  # type: ignore[misc] # the key is one of the record's own
                for i, r in records.items()
                if r.get(key) is not None and i not in kept and (wins(r) or not before.get(r["number"]))
            }
            rows = [
                (i, seq, *(self._cell(entry.get(column)) for column in columns))
                for i, entries in lists.items()
                for seq, entry in enumerate(entries)
            ]
            self._replace(table, rows, lists)
        labels = {
            i: dict.fromkeys(r["labels"] or [])
            for i, r in records.items()
            if r.get("labels") is not None and (wins(r) or not before.get(r["number"], {}).get("labels_known"))
        }
        self._replace("labels", [(i, name) for i, names in labels.items() for name in names], labels)
        self._save_signals({i: r for i, r in records.items() if r.get("signals") is not None}, source, before)

    def _save_signals(
        self, records: Mapping[int, PullRecord], source: str, before: Mapping[int, Mapping[str, Any]]
    ) -> None:
        """A clone has all of every patch; GitHub's word fills a gap, or follows a pull request while it is open."""
        told = {
            i: record["signals"] or []
            for i, record in records.items()
            if source != LIVE
            or not (old := before.get(record["number"], {})).get("patches_known")
            or not old.get("merged_at")
        }
        ids = self._path_ids(sorted({each["path"] for signals in told.values() for each in signals}))
        rows = [
            (i, seq, ids[each["path"]], each["kind"], each["line"], each["detail"])
            for i, signals in told.items()
            for seq, each in enumerate(signals)
        ]
        self._replace("signals", rows, told)

    def _with_rows(self, table: str, pull_ids: list[int]) -> set[int]:
        """Which of these pull requests have rows in a table."""
        rows = self.connection.execute(
            f"select distinct pull_id from {table} where pull_id in (select value from json_each(?))",
            (json.dumps(pull_ids),),
        )
        return {pull_id for (pull_id,) in rows}

    def _cell(self, value: Any) -> Any:
        if isinstance(value, dict):
            return self._person(value)  # type: ignore[arg-type] # the only dict in a child record is a person
        return int(value) if isinstance(value, bool) else value

    def _replace(self, table: str, rows: list[tuple[Any, ...]], pull_ids: Iterable[int] | None = None) -> None:
        owners = {row[0] for row in rows} if pull_ids is None else pull_ids
        self.connection.executemany(f"delete from {table} where pull_id = ?", [(owner,) for owner in owners])
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self.connection.executemany(f"insert into {table} values ({marks})", rows)

    def _file_rows(self, with_files: Mapping[int, list[FileRecord]]) -> list[tuple[Any, ...]]:
        names = {file[key] for files in with_files.values() for file in files for key in ("path", "old_path")}
        ids = self._path_ids(sorted(name for name in names if name))
        renamed = self._known_renames(with_files)
        rows = {}
        for pull_id, files in with_files.items():
            for file in files:  # the last row of a path wins, should a source list one twice
                rows[pull_id, ids[file["path"]]] = (
                    pull_id,
                    ids[file["path"]],
                    ids.get(file["old_path"] or "") or renamed.get((pull_id, ids[file["path"]])),
                    file["status"],
                    file["additions"],
                    file["deletions"],
                )
        return list(rows.values())

    def _learn_renames(self, untouched: Mapping[int, list[FileRecord]]) -> None:
        """What files were called before, from a source that is overruled otherwise: a clone after a sync."""
        renamed = [
            (i, file["path"], file["old_path"]) for i, files in untouched.items() for file in files if file["old_path"]
        ]
        ids = self._path_ids(sorted({name for _, *names in renamed for name in names}))
        self.connection.executemany(
            "update files set old_path_id = coalesce(old_path_id, ?) where pull_id = ? and path_id = ?",
            [(ids[old_path], pull_id, ids[path]) for pull_id, path, old_path in renamed],
        )

    def _known_renames(self, pull_ids: Iterable[int]) -> dict[tuple[int, int], int]:
        """What files were called before, as a better source once told: GraphQL and `gh` do not."""
        rows = self.connection.execute(
            "select pull_id, path_id, old_path_id from files where old_path_id is not null"
            " and pull_id in (select value from json_each(?))",
            (json.dumps(list(pull_ids)),),
        )
        return {(pull_id, path_id): old_path_id for pull_id, path_id, old_path_id in rows}

    def _path_ids(self, names: list[str]) -> dict[str, int]:
        (newest,) = self.connection.execute("select coalesce(max(id), 0) from paths").fetchone()
        self.connection.executemany("insert or ignore into paths (path) values (?)", [(name,) for name in names])
        self.connection.execute(
            "insert into path_search (rowid, path) select id, path from paths where id > ?", (newest,)
        )
        return dict(
            self.connection.execute(
                "select path, id from paths where path in (select value from json_each(?))", (json.dumps(names),)
            ).fetchall()
        )

    def _forget_search(self, pull_ids: list[int]) -> None:
        # An index over somebody else's text must be told the old text before that changes.
        _search(self.connection, "insert into pull_search (pull_search, rowid, title, body) select 'delete',", pull_ids)

    def _learn_search(self, pull_ids: list[int]) -> None:
        _search(self.connection, "insert into pull_search (rowid, title, body) select", pull_ids)

    def save_beside(self, source: Source) -> None:
        """Store tags, releases, CODEOWNERS and direct pushes."""
        repository = self.repository
        self.connection.executemany(
            "insert into direct_commits values (?, ?, ?, ?, ?) on conflict do nothing",
            [
                (repository, commit["sha"], commit["committed_at"], self._person(commit["author"]), commit["subject"])
                for commit in source.direct_commits
            ],
        )
        self._save_tags(source)
        self.connection.executemany(
            "insert or replace into releases values (?, ?, ?, ?, ?)",
            [
                (repository, each["tag"], each["name"], each["published_at"], int(each["is_prerelease"]))
                for each in source.releases
            ],
        )
        if source.codeowners is not None:
            self.connection.execute("delete from codeowners where repository_id = ?", (repository,))
            self.connection.executemany(
                "insert into codeowners values (?, ?, ?, ?)",
                [
                    (repository, seq, rule["pattern"], " ".join(rule["owners"]))
                    for seq, rule in enumerate(source.codeowners)
                ],
            )

    def _save_tags(self, source: Source) -> None:
        """Store tags; a clone's word counts, also on those that it no longer has, but that GitHub can't have told of.

        A clone without any may have been made with `--no-tags`: it takes nothing away.
        """
        is_clone = source.kind == "clone"
        if is_clone and source.tags:
            self.connection.execute(
                "delete from tags where repository_id = ? and name not in (select value from json_each(?))"
                " and not exists (select 1 from sync_state s where s.repository_id = tags.repository_id)",
                (self.repository, json.dumps([tag["name"] for tag in source.tags])),
            )
        # Others tell a commit's own moment only, a clone the earlier one of where its branch began.
        earlier = "iif(sha = excluded.sha, min(tagged_at, excluded.tagged_at), excluded.tagged_at)"
        self.connection.executemany(
            "insert into tags values (?, ?, ?, ?) on conflict do update set sha = excluded.sha,"
            f" tagged_at = {'excluded.tagged_at' if is_clone else earlier}",
            [(self.repository, tag["name"], tag["sha"], tag["tagged_at"]) for tag in source.tags],
        )

    def set_default_branch(self, told: str | None) -> None:
        """Take the source's word for the default branch; without one, the branch that most merges went into."""
        self.connection.execute(
            "update repositories set default_branch = coalesce(?, default_branch, (select base from pulls"
            " where repository_id = repositories.id and merged_at is not null and base is not null"
            " group by base order by count(*) desc, base limit 1)) where id = ?",
            (told, self.repository),
        )

    def _write_ledger(self, source: Source, started: str) -> None:
        self.connection.execute(
            "insert into syncs (repository_id, source, started_at, finished_at, fetched, saved, skipped, declared,"
            " is_complete, checkpoint, notes) values (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)",
            (
                self.repository,
                source.kind,
                started,
                now(),
                self.fetched,
                self.saved,
                source.skipped,
                source.declared,
                json.dumps(source.checkpoint) if source.checkpoint else None,
                json.dumps(source.notes, ensure_ascii=False),
            ),
        )


# Columns that come straight from a record; the others are made in `_Writer._row`.
_PULL_COLUMNS = [column for column in TABLES["pulls"].columns if column != "id"]

# The newer word of the better source is taken where it knows something, else what is stored stays.
_WINS = (
    "(excluded.source_rank > pulls.source_rank or (excluded.source_rank = pulls.source_rank"
    " and coalesce(excluded.updated_at, '9') >= coalesce(pulls.updated_at, '')))"
)
_RESET_BY_STATE = {"merged_at", "closed_at"}  # a reopened pull request has neither, whatever was known before
_TAKEN_AS_THEY_ARE = {"digest", "revision"}


def _merged_column(column: str) -> str:
    if column in _TAKEN_AS_THEY_ARE:
        return f"{column} = excluded.{column}"
    new, old = f"excluded.{column}", f"pulls.{column}"
    if column == "files_complete":
        return f"{column} = max(coalesce({new}, 0), coalesce({old}, 0))"
    if column == "patches_known":  # once they were all read, they stay so, whoever told them
        return f"{column} = case when 1 in ({new}, {old}) then 1 else coalesce({new}, {old}) end"
    if column in _RESET_BY_STATE:
        kept = f"case when excluded.state = pulls.state then coalesce({new}, {old}) else {new} end"
        return f"{column} = case when {_WINS} then {kept} else coalesce({old}, {new}) end"
    return f"{column} = case when {_WINS} then coalesce({new}, {old}) else coalesce({old}, {new}) end"


_PULL_INSERT = (
    f"insert into pulls ({', '.join(_PULL_COLUMNS)}) values ({', '.join(':' + column for column in _PULL_COLUMNS)})"
)
_PULL_UPSERT = (
    f"{_PULL_INSERT} on conflict (repository_id, number) do update set "
    + ", ".join(_merged_column(column) for column in _PULL_COLUMNS if column not in ("repository_id", "number"))
    + " where pulls.digest is not excluded.digest"
)

# Keys of a record whose columns are called otherwise; those of lists tell whether the list is known.
_KNOWN_LISTS = ("reviews", "labels", "threads", "events")
_COLUMN_OF = {"author": "author_id", "merged_by": "merged_by_id"} | {name: f"{name}_known" for name in _KNOWN_LISTS}


@cache
def _overwrite(*keys: str) -> str:
    """An upsert that takes over what a record with these keys tells, be it nothing, and leaves everything else."""
    told = {_COLUMN_OF.get(key, key) for key in keys} | _TAKEN_AS_THEY_ARE | {"state", "source", "source_rank"}
    columns = [column for column in _PULL_COLUMNS if column in told and column != "number"]
    changes = (
        # What is whole is kept where only a part is told, see `_save_children`.
        f"{column} = case when pulls.merged_at is not null then max(coalesce(excluded.{column}, 0),"
        f" coalesce(pulls.{column}, 0)) else excluded.{column} end"
        if column in ("files_complete", "patches_known")
        else f"{column} = excluded.{column}"
        for column in columns
    )
    return f"{_PULL_INSERT} on conflict (repository_id, number) do update set {', '.join(changes)}"


def _is_older(record: PullRecord, stored: Mapping[str, Any]) -> bool:
    return (record.get("updated_at") or "9") < (stored.get("updated_at") or "")


# Table, key in the record, and the entry's keys in the order of the table's columns after pull_id and seq.
_CHILD_LISTS = (
    ("reviews", "reviews", ("reviewer", "state", "submitted_at")),
    ("review_threads", "threads", ("path", "is_resolved", "is_outdated", "n_comments", "resolved_by")),
    ("events", "events", ("kind", "at", "actor", "reviewer", "team")),
    ("co_authors", "co_authors", ("person", "is_ai")),
    ("links", "links", ("kind", "repo", "number", "evidence")),
)


def _digest(record: PullRecord, source: str) -> str:
    text = json.dumps([source, record], sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _batches(stream: Iterable[PullRecord], size: int) -> Iterator[list[PullRecord]]:
    iterator = iter(stream)
    while batch := list(islice(iterator, size)):
        yield batch


def _search(connection: sqlite3.Connection, statement: str, pull_ids: list[int]) -> None:
    connection.execute(
        f"{statement} pull_id, title, body from search_source where pull_id in (select value from json_each(?))",
        (json.dumps(pull_ids),),
    )


def _next_generation(connection: sqlite3.Connection) -> int:
    row = connection.execute(
        "insert into state values ('generation', '1') on conflict do update set value = cast(value as integer) + 1"
        " returning cast(value as integer)"
    ).fetchone()
    generation: int = row[0]
    return generation


def add_repository(connection: sqlite3.Connection, repo: str, host: str) -> int:
    """A new repository without anything: its id."""
    cursor = connection.execute("insert into repositories (host, name) values (?, ?)", (host, repo))
    repository = cursor.lastrowid or 0
    set_name(connection, host, repo, repository)
    return repository


def set_name(connection: sqlite3.Connection, host: str, name: str, repository: int) -> None:
    """Let a repository be found by a name, whoever had that before."""
    connection.execute(
        "insert into repository_names values (?, ?, ?, ?)"
        " on conflict do update set repository_id = excluded.repository_id",
        (host, name.lower(), name, repository),
    )


def repository_or_raise(connection: sqlite3.Connection, repo: str, host: str | None = None) -> int:
    """The id of a repository by any name it had.

    Raises:
        NotCached: there is none.
    """
    repository = find_repository(connection, repo, host)
    if repository is None:
        cached = [name for (name,) in connection.execute("select name from repositories order by name limit 5")]
        known = f"Cached: {', '.join(cached)}." if cached else "The cache is empty."
        raise NotCached(f"No pull requests of {repo} are cached. {known} Load it with: merge-window import")
    return repository


def _delete_pulls(connection: sqlite3.Connection, condition: str, values: tuple[Any, ...]) -> int:
    ids = [number for (number,) in connection.execute(f"select id from pulls where {condition}", values)]
    _search(connection, "insert into pull_search (pull_search, rowid, title, body) select 'delete',", ids)
    connection.execute(
        "delete from chain_links where earlier_id in (select value from json_each(?))", (json.dumps(ids),)
    )
    for table in (*PULL_CHILDREN, "pulls"):
        key = "id" if table == "pulls" else "pull_id"
        connection.execute(f"delete from {table} where {key} in (select value from json_each(?))", (json.dumps(ids),))
    return len(ids)


def _drop_orphans(connection: sqlite3.Connection) -> None:
    """Forget the paths and people that nothing refers to any more."""
    orphan = (
        "from paths where id not in (select path_id from files)"
        " and id not in (select old_path_id from files where old_path_id is not null)"
        " and id not in (select path_id from file_months)"
        " and id not in (select path_id from signals)"
    )
    connection.execute(f"insert into path_search (path_search, rowid, path) select 'delete', id, path {orphan}")
    connection.execute(f"delete from path_facts where path_id in (select id {orphan})")
    connection.execute(f"delete {orphan}")
    used = " union ".join(
        f"select {column} from {name}"
        for name, table in TABLES.items()
        for column, other in table.references.items()
        if other == "people" and name != "people_names"
    )
    unused = f"select id from people except select * from ({used})"
    connection.execute(f"delete from people_names where person_id in ({unused})")
    connection.execute(f"delete from people where id in ({unused})")
