"""The cache file: opened safely, upgraded in place, never damaged."""

import os
import sqlite3
import stat
from contextlib import closing

import pytest
from factories import dump, make_pull, save

from data import cache
from data.errors import CacheError
from data.schema import SCHEMA_VERSION, TABLES


@pytest.fixture
def db(tmp_path):
    return tmp_path / "cache.db"


def test_a_new_cache_has_every_table_and_column_of_the_schema(db):
    with cache.writing(db):
        pass
    with cache.reading(db) as connection:
        for name, table in TABLES.items():
            assert [row[1] for row in connection.execute(f"pragma table_info({name})")] == list(table.columns)
        assert connection.execute("pragma journal_mode").fetchone() == ("wal",)


def test_every_reference_is_indexed_so_that_removal_stays_fast(db):
    with cache.writing(db):
        pass
    with cache.reading(db) as connection:
        for name, table in TABLES.items():
            leading = {(table.pk,) if isinstance(table.pk, str) else table.pk[:1]}
            for (index,) in connection.execute("select name from pragma_index_list(?)", (name,)):
                leading.add(tuple(row[2] for row in connection.execute(f"pragma index_info('{index}')"))[:1])
            # Repositories go one at a time and have few rows in those tables; the others go by the thousand.
            many = [column for column, other in table.references.items() if other != "repositories"]
            missing = [column for column in many if (column,) not in leading]
            assert not missing, f"{name}: {missing}"


def test_a_failed_write_leaves_everything_as_it_was(db):
    save(db, [make_pull(1)])
    before = dump(db)
    with pytest.raises(ZeroDivisionError), cache.writing(db) as database:  # noqa: PT012 - the block is the transaction
        database.conn.execute("update pulls set title = 'lost'")
        raise ZeroDivisionError
    assert dump(db) == before


def test_an_older_cache_is_upgraded_after_a_backup_copy(db):
    save(db, [make_pull(1)])
    steps = {**cache.MIGRATIONS, SCHEMA_VERSION + 1: lambda database: database.conn.execute("create table more (x)")}
    cache.migrate(db, steps)
    with closing(sqlite3.connect(db)) as connection:
        assert connection.execute("pragma user_version").fetchone() == (SCHEMA_VERSION + 1,)
        assert connection.execute("select count(*) from pulls").fetchone() == (1,)
        assert connection.execute("select count(*) from more").fetchone() == (0,)
    with closing(sqlite3.connect(f"{db}.v{SCHEMA_VERSION}.bak")) as copy:
        assert copy.execute("select count(*) from pulls").fetchone() == (1,)
        assert copy.execute("pragma user_version").fetchone() == (SCHEMA_VERSION,)


def test_an_upgrade_that_fails_leaves_the_older_cache_whole(db):
    save(db, [make_pull(1)])
    before = dump(db)

    def fails(database):
        database.conn.execute("drop table pulls")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        cache.migrate(db, {**cache.MIGRATIONS, SCHEMA_VERSION + 1: fails})
    assert dump(db) == before


def test_a_newer_cache_is_refused_and_left_alone(db):
    save(db, [make_pull(1)])
    with closing(sqlite3.connect(db)) as connection:
        connection.execute(f"pragma user_version = {SCHEMA_VERSION + 1}")
    content = db.read_bytes()
    for opener in (cache.reading, cache.writing):
        with pytest.raises(CacheError, match="newer version"), opener(db):
            pass
    assert db.read_bytes() == content


def test_a_sqlite_file_of_another_program_is_refused_and_left_alone(db):
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("create table songs (title)")
    content = db.read_bytes()
    for opener in (cache.reading, cache.writing):
        with pytest.raises(CacheError, match="another program"), opener(db):
            pass
    assert db.read_bytes() == content
    assert not db.with_name("cache.db-wal").exists()


@pytest.mark.parametrize("content", [b"just text", b"SQLite format 2\0 and more", b"\x1f\x8b"])
def test_a_file_that_is_no_sqlite_is_refused_and_left_alone(db, content):
    db.write_bytes(content)
    for opener in (cache.reading, cache.writing):
        with pytest.raises(CacheError, match="not a SQLite file"), opener(db):
            pass
    assert db.read_bytes() == content


def test_a_damaged_cache_gets_one_sentence(db):
    save(db, [make_pull(number, body="x" * 5000) for number in range(1, 50)])
    with db.open("r+b") as file:
        file.seek(8192)
        file.write(os.urandom(60000))
    with pytest.raises(CacheError, match="damaged"), cache.reading(db) as connection:
        connection.execute("select * from bodies join pulls on id = pull_id").fetchall()


def test_a_folder_is_no_cache(tmp_path):
    with pytest.raises(CacheError, match="is a folder"), cache.writing(tmp_path):
        pass


def test_reading_what_is_not_there_makes_no_file(db):
    with pytest.raises(CacheError, match="There is no cache"), cache.reading(db):
        pass
    assert not db.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything; see the next test for root")
def test_a_read_only_cache_can_be_read_but_not_written(db):
    save(db, [make_pull(1)])
    db.chmod(stat.S_IRUSR)
    with cache.reading(db) as connection:
        assert connection.execute("select count(*) from pulls").fetchone() == (1,)
    with pytest.raises(CacheError, match=r"read-only|no permission"), cache.writing(db):
        pass
    assert not cache.is_writable(db)


def test_a_file_system_that_refuses_writes_gets_one_sentence(db):
    save(db, [make_pull(1)])
    with pytest.raises(CacheError, match="read-only"), cache.writing(db) as database:  # noqa: PT012 - as above
        database.conn.execute("pragma query_only = on")  # what SQLite then says is what a read-only disk makes it say
        database.conn.execute("delete from labels")


def test_a_second_writer_waits_and_then_says_who_is_in_the_way(db, monkeypatch):
    save(db, [make_pull(1)])
    monkeypatch.setattr(cache, "BUSY_SECONDS", 0.05)
    with (
        cache.writing(db),
        pytest.raises(CacheError, match="locked by another process"),
        cache.writing(db),
    ):
        pass


def test_readers_see_the_old_state_while_a_write_goes_on(db):
    save(db, [make_pull(1)])
    with cache.writing(db) as database:
        database.conn.execute("delete from pulls where number = 1 and false")
        database.conn.execute("update pulls set title = 'new'")
        with cache.reading(db) as connection:
            assert connection.execute("select title from pulls").fetchone() == ("Add a thing",)


def test_a_backup_is_a_whole_cache_and_restores_to_the_same_rows(db, tmp_path):
    save(db, [make_pull(1), make_pull(2)])
    before = dump(db)
    cache.backup(db, tmp_path / "sub" / "copy.db")
    save(db, [make_pull(3)])
    assert dump(db) != before
    cache.restore(db, tmp_path / "sub" / "copy.db")
    assert dump(db) == before
    assert not list(tmp_path.rglob("*.partial"))


def test_restoring_something_else_leaves_the_cache(db, tmp_path):
    save(db, [make_pull(1)])
    before = dump(db)
    (tmp_path / "other").write_text("not a backup")
    with pytest.raises(CacheError, match="not a SQLite file"):
        cache.restore(db, tmp_path / "other")
    with pytest.raises(CacheError, match="the cache itself"):
        cache.backup(db, db)
    assert dump(db) == before


def test_a_backup_that_fails_leaves_no_litter_and_the_earlier_one(db, tmp_path, monkeypatch):
    save(db, [make_pull(1)])
    target = tmp_path / "copy.db"
    cache.backup(db, target)
    earlier = target.read_bytes()
    monkeypatch.setattr(type(target), "replace", fails_for_want_of_room)
    with pytest.raises(CacheError, match="No space left"):
        cache.backup(db, target)
    assert target.read_bytes() == earlier
    assert not list(tmp_path.glob("*.partial*"))


def fails_for_want_of_room(*_):
    raise OSError(28, "No space left on device")


def test_an_empty_file_is_no_cache_yet_and_becomes_one(db):
    db.touch()
    with pytest.raises(CacheError, match="nothing is cached in it"), cache.reading(db):
        pass
    save(db, [make_pull(1)])
    assert len(dump(db)["pulls"]) == 1
