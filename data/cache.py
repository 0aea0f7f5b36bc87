"""The cache file: where it lies, opening it safely, its schema and its upgrades.

Readers get a plain read-only sqlite3 connection, one per use. Writers get sqlite-utils' Database, whose import costs
half a second and is therefore left to the moment it is needed.
"""

import os
import secrets
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from data.errors import CacheError
from data.schema import APPLICATION_ID, SCHEMA_VERSION, TABLES, Table
from data.views import VIEWS

if TYPE_CHECKING:
    from sqlite_utils import Database

Connection = sqlite3.Connection  # for the annotations of layers that may not know sqlite3

BUSY_SECONDS = 30
HEADER = b"SQLite format 3\0"


def default_path() -> Path:
    """The cache in the user's data folder, where no option or variable names one."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "merge-window" / "cache.db"


def check(path: Path) -> None:
    """Nothing, if `path` can be served: a cache of ours, or none yet.

    Raises:
        CacheError: it is another program's file, or no SQLite at all, or of a newer version.
    """
    if path.exists():
        with _sentences(path):
            _check_is_ours(path)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection that sees one state of the cache, whatever is written meanwhile.

    Raises:
        CacheError: there is no cache, or it is not one that this version reads.
    """
    if not path.exists():
        raise CacheError(f"There is no cache at {path}. Import something first, or run: merge-window demo")
    with _sentences(path):
        _check_is_ours(path)
        _upgrade_before_reading(path)
        connection = _connect_read_only(path)
    with closing(connection), _sqlite_sentences(path):
        if _version(connection) == 0:
            raise CacheError(f"{path} is empty: nothing is cached in it. Import something first.")
        # All queries of one answer see one state, even while an import commits between them.
        connection.execute("begin")
        yield connection


@contextmanager
def writing(path: Path) -> Iterator["Database"]:
    """A connection for one transaction: everything in the block is stored at its end, or nothing.

    The file and its folder are made if need be; a cache of an older version is upgraded first.

    Raises:
        CacheError: the file is foreign, newer, locked for long, read-only or damaged.
    """
    with _sentences(path):
        connection = _open_for_writing(path)
    with closing(connection), _sqlite_sentences(path):
        database = _database(connection)
        # Immediate: two writers wait for each other here, rather than fail in the middle.
        connection.execute("begin immediate")
        try:
            yield database
        except BaseException:
            connection.rollback()
            raise
        connection.commit()


def shrink(path: Path) -> None:
    """Give the room of removed rows back to the disk, where nobody is reading just now."""
    with suppress(CacheError), _sentences(path), closing(_open_for_writing(path)) as connection:
        connection.execute("vacuum")
        connection.execute("pragma wal_checkpoint(truncate)")


def is_writable(path: Path) -> bool:
    """Whether this process may write the cache (or make it, if there is none)."""
    if path.exists():
        return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    nearest = next((folder for folder in path.absolute().parents if folder.exists()), None)
    return nearest is not None and os.access(nearest, os.W_OK)


def backup(path: Path, target: Path) -> None:
    """Copy the cache to `target` while others go on using it.

    Raises:
        CacheError: no cache, or the target can't be written.
    """
    if target.exists() and path.exists() and target.samefile(path):
        raise CacheError(f"{target} is the cache itself. Name another file for the backup.")
    with reading(path) as source, _sentences(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        # Beside the target and renamed at the end: a copy cut short never stands where a good one is expected.
        partial = target.with_name(target.name + ".partial")
        partial.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(partial)) as copy:
                source.rollback()
                source.backup(copy)
            partial.replace(target)
        finally:  # a full disk gets its room back
            for left in (partial, partial.with_name(partial.name + "-journal")):
                left.unlink(missing_ok=True)


def restore(path: Path, backup_file: Path) -> None:
    """Put a backup's content in the place of the cache's, while others may be reading it.

    Raises:
        CacheError: the backup is no cache of ours, or the cache can't be written.
    """
    with reading(backup_file) as source, _sentences(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            _check_is_ours(path)
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as target:
            source.rollback()
            source.backup(target)
        with closing(_open_for_writing(path)) as connection:  # a backup of an older version is upgraded here
            _give_identity(connection)
            connection.commit()


Migration = Callable[["Database"], None]


def migrate(path: Path, migrations: Mapping[int, Migration] | None = None) -> None:
    """Bring the cache at `path` to the newest schema, keeping a copy of an older one beside it.

    Args:
        path: the cache; made if absent.
        migrations: version -> step that leads to it from the version before.
    """
    steps = MIGRATIONS if migrations is None else migrations
    newest = max(steps)
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        version = _version(connection)
        if version >= newest:
            return
        if version > 0:
            backup_file = path.with_name(f"{path.name}.v{version}.bak")
            with closing(sqlite3.connect(backup_file)) as copy:
                connection.backup(copy)
        connection.execute("pragma journal_mode = wal")
        connection.execute("begin immediate")
        database = _database(connection)
        # Another process may have upgraded it while this one waited for the lock.
        for step in range(_version(connection) + 1, newest + 1):
            steps[step](database)
            connection.execute(f"pragma user_version = {step}")
        connection.execute(f"pragma application_id = {APPLICATION_ID}")
        connection.commit()


def _create_first_schema(database: "Database") -> None:
    for name, table in TABLES.items():
        if table.since == 1:
            create_table(database, name, _as_of(table, 1))
    _give_identity(database.conn)
    # Plain SQL for the search: sqlite-utils makes FTS tables, but can't ask for detail=none, which makes the trigram
    # index a quarter as large. It serves LIKE-style candidates, which `queries.find` then verifies.
    database.conn.execute(
        "create view search_source as select p.id as pull_id, p.title, coalesce(b.body, '') as body"
        " from pulls p left join bodies b on b.pull_id = p.id"
    )
    database.conn.execute(
        "create virtual table pull_search using fts5(title, body, content=search_source, content_rowid=pull_id,"
        " tokenize=trigram, detail=none, columnsize=0)"
    )
    database.conn.execute(
        "create virtual table path_search using fts5(path, content=paths, content_rowid=id,"
        " tokenize=trigram, detail=none, columnsize=0)"
    )


def _give_identity(connection: sqlite3.Connection) -> None:
    """Name this content apart from every other file's: generations are small numbers and soon meet again."""
    connection.execute("insert or replace into state values ('identity', ?)", (secrets.token_hex(8),))


def create_table(database: "Database", name: str, table: Table) -> None:
    """Make one table of the schema, with its indexes."""
    sql = database.create_table_sql(
        name,
        dict(table.columns),
        pk=table.pk,
        not_null=table.not_null,
        foreign_keys=[(column, other, "id") for column, other in table.references.items()],
        strict=True,
    ).rstrip("; \n")
    # sqlite-utils has no option for it.
    database.conn.execute(sql + (", WITHOUT ROWID" if table.without_rowid else ""))
    for columns in table.unique:
        database.table(name).create_index(columns, unique=True)
    for columns in table.indexes:
        database.table(name).create_index(columns)


def _add_events_and_sync_state(database: "Database") -> None:
    """What reading from GitHub itself needs, and the views for everybody else's SQL."""
    _add_tables_and_columns(database, 2)
    if not database.conn.execute("select 1 from state where key = 'identity'").fetchone():
        _give_identity(database.conn)
    for name, view in VIEWS.items():
        database.conn.execute(f"create view {name} as {view.sql}")


def _add_tables_and_columns(database: "Database", version: int) -> None:
    for name, table in TABLES.items():
        if table.since == version:
            create_table(database, name, _as_of(table, version))
        for column in (column for column, since in table.later.items() if since == version):
            kind = {int: "INTEGER", float: "REAL", str: "TEXT"}[table.columns[column]]
            refers = f" REFERENCES [{table.references[column]}]([id])" if column in table.references else ""
            database.conn.execute(f"alter table [{name}] add column [{column}] {kind}{refers}")
            for columns in (columns for columns in table.indexes if columns[-1] == column):
                database.table(name).create_index(columns)


def _as_of(table: Table, version: int) -> Table:
    """The table as a version of the schema had it, so that every cache has come the same way."""
    gone = {column for column, since in table.later.items() if since > version}
    return replace(
        table,
        columns={column: kind for column, kind in table.columns.items() if column not in gone},
        references={column: other for column, other in table.references.items() if column not in gone},
        indexes=tuple(columns for columns in table.indexes if not gone.intersection(columns)),
    )


def _add_analysis(database: "Database") -> None:
    """What patches show, and what the analysis says of risk, history and chains."""
    _add_tables_and_columns(database, 3)
    database.conn.execute("drop index if exists idx_files_path_id")
    database.table("files").create_index(TABLES["files"].indexes[0], if_not_exists=True)
    database.conn.execute("create index idx_pulls_repository_id_revision on pulls (repository_id, revision)")


MIGRATIONS: dict[int, Migration] = {1: _create_first_schema, 2: _add_events_and_sync_state, 3: _add_analysis}


def _open_for_writing(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        _check_is_ours(path)
    migrate(path)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
    # WAL stays with the file; these two belong to each connection. NORMAL is safe with WAL: a power cut may undo the
    # last transaction, never damage the file.
    connection.execute("pragma synchronous = normal")
    connection.execute("pragma foreign_keys = on")
    return connection


def _connect_read_only(path: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    wal = path.with_name(path.name + "-wal")
    if not os.access(path.parent, os.W_OK) and not wal.exists():
        # A reader of a WAL file needs to make its side files; where it may not, nobody else writes here either.
        address += "&immutable=1"
    return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS)


def _upgrade_before_reading(path: Path) -> None:
    """Bring an older cache up to date, for today's queries ask for today's tables."""
    with closing(_connect_read_only(path)) as connection:
        version = _version(connection)
    if not 0 < version < SCHEMA_VERSION:
        return
    if not is_writable(path):
        raise CacheError(
            f"{path} was written by an older version and can't be upgraded, since it is read-only."
            " Make it writable once, or copy it to where it is."
        )
    migrate(path)


def _database(connection: sqlite3.Connection) -> "Database":
    from sqlite_utils import Database  # here, since it imports pandas: half a second that readers do without

    return Database(connection)


def _check_is_ours(path: Path) -> None:
    """Refuse a file that is no cache of ours before anything touches it."""
    if path.is_dir():
        raise CacheError(f"{path} is a folder, not a cache. Name a file.")
    with path.open("rb") as file:
        head = file.read(16)
    if not head:
        return  # a new, empty file: SQLite fills it
    if head != HEADER:
        raise CacheError(f"{path} is not a SQLite file, so no cache; it was left as it is. Name another file.")
    with closing(_connect_read_only(path)) as connection:
        version = _version(connection)
        (application,) = connection.execute("pragma application_id").fetchone()
        (tables,) = connection.execute("select count(*) from sqlite_master").fetchone()
    if application != APPLICATION_ID and tables:
        raise CacheError(f"{path} is a SQLite file of another program; it was left as it is. Name another file.")
    if version > SCHEMA_VERSION:
        raise CacheError(
            f"{path} was written by a newer version (schema {version}, this one knows {SCHEMA_VERSION});"
            " it was left as it is. Upgrade merge-window, or name another file."
        )


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("pragma user_version").fetchone()
    return int(version)


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system say while opening `path` into one sentence."""
    try:
        with _sqlite_sentences(path):
            yield
    except PermissionError as error:
        raise CacheError(f"{path} can't be opened: no permission. Check the file's and the folder's rights.") from error
    except OSError as error:
        raise CacheError(f"{path} can't be opened: {error.strerror or error}.") from error


@contextmanager
def _sqlite_sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # a fault of ours, not of the file
    except sqlite3.DatabaseError as error:
        raise CacheError(_sentence(path, str(error))) from error
    except OSError as error:
        if not isinstance(error.__cause__, sqlite3.DatabaseError):
            raise
        # pandas wraps what SQLite says, together with the whole query
        raise CacheError(_sentence(path, str(error.__cause__))) from error


def _sentence(path: Path, message: str) -> str:
    lowered = message.lower()
    if "locked" in lowered or "busy" in lowered:
        return f"{path} has been locked by another process for {BUSY_SECONDS} seconds. Try again when it is done."
    if "readonly" in lowered or "unable to open" in lowered:
        return f"{path} can't be written: the file or its folder is read-only. Change the rights, or name another file."
    if "malformed" in lowered or "not a database" in lowered or "corrupt" in lowered:
        return f"{path} is damaged ({message}). Restore a backup, or import again into a new file."
    if "full" in lowered:
        return f"{path} can't grow: the disk is full. Nothing of this run was stored; free some room and run it again."
    return f"{path} can't be used: {message}."
