"""A cache that an earlier version wrote becomes one of this version, with all that it held."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from factories import make_pull, save

from dashboard import refresh
from dashboard.config import Config
from data import cache, queries
from data.schema import SCHEMA_VERSION, TABLES
from data.views import VIEWS

# Written by the code of schema 1: `import gh`, then `import clone`, then `derive`.
VERSION_1 = Path(__file__).parent / "replies" / "cache-v1.db.gz"


@pytest.fixture
def old(tmp_path):
    db = tmp_path / "cache.db"
    db.write_bytes(gzip.decompress(VERSION_1.read_bytes()))
    return db


def everything(db):
    """Name and definition of all that the file holds."""
    with closing(sqlite3.connect(db)) as connection:
        return connection.execute("select type, name, tbl_name, sql from sqlite_master order by 1, 2").fetchall()


def told(db, columns):
    """The rows of each table, of the columns that it is known to have had."""
    with closing(sqlite3.connect(db)) as connection:
        return {
            table: sorted(map(repr, connection.execute(f"select {', '.join(names)} from {table}")))
            for table, names in columns.items()
        }


def columns_of(db):
    with closing(sqlite3.connect(db)) as connection:
        names = {table: [row[1] for row in connection.execute(f"pragma table_info({table})")] for table in TABLES}
        return {table: columns for table, columns in names.items() if columns}


def test_the_old_cache_is_of_version_1_and_not_empty(old):
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("pragma user_version").fetchone() == (1,)
    rows = told(old, columns_of(old))
    assert {"events", "sync_state"}.isdisjoint(rows)
    filled = [table for table, found in rows.items() if found]
    assert {"pulls", "files", "reviews", "review_threads", "links", "co_authors", "tags", "pull_facts"} <= set(filled)


def test_an_upgraded_cache_has_the_same_tables_as_a_new_one(old, tmp_path):
    new = tmp_path / "new.db"
    for db in (old, new):
        with cache.writing(db):
            pass
    assert everything(old) == everything(new)
    assert columns_of(old) == {name: list(table.columns) for name, table in TABLES.items()}


def test_an_upgrade_keeps_every_row(old):
    columns = columns_of(old)
    before = told(old, columns)
    with cache.writing(old):
        pass
    after = told(old, columns)
    (identity,) = set(after["state"]) - set(before["state"])  # which caches had none of at first
    assert "identity" in identity
    after["state"].remove(identity)
    assert after == before
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("pragma user_version").fetchone() == (SCHEMA_VERSION,)
        assert connection.execute("pragma foreign_key_check").fetchall() == []
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
    with closing(sqlite3.connect(f"{old}.v1.bak")) as copy:
        assert copy.execute("pragma user_version").fetchone() == (1,)


def test_an_upgraded_cache_works_as_before(old):
    save(old, [make_pull(5, "feat: after the upgrade")], kind="gh")
    refresh.derive(old, Config())
    with cache.reading(old) as connection:
        scope = queries.scope(connection, "acme/orbit", "2026-01-01", "2027-01-01", bots=True)
        assert queries.pulls(connection, scope)["number"].tolist() != []
        assert 5 in queries.search(connection, scope.repository, "upgrade")
        assert connection.execute("select count(*) from v_pull_requests").fetchone() == (5,)


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_has_the_columns_that_are_promised(old, name):
    with cache.writing(old):
        pass
    with cache.reading(old) as connection:
        cursor = connection.execute(f"select * from {name}")
        assert tuple(column[0] for column in cursor.description) == VIEWS[name].columns


def test_the_views_name_people_and_tell_unknown_from_none(old):
    with cache.writing(old):
        pass
    with cache.reading(old) as connection:
        rows = connection.execute(
            "select number, author, author_type, labels, n_unresolved_threads, events_known"
            " from v_pull_requests order by number"
        ).fetchall()
    assert rows == [
        (1, "ada", "human", '["area/core","bug"]', None, None),
        (2, "dependabot", "bot", None, None, None),
        (3, "ada", "human", None, None, None),
        (4, "ghost", "ghost", None, None, None),
    ]
