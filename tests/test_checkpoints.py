"""One repository, whatever it is called, however it came into the cache."""

import pytest
from factories import make_pull, save
from sync_cases import rows

from data import cache, checkpoints, store
from data.checkpoints import Checkpoint, Identity


@pytest.fixture
def db(tmp_path):
    return tmp_path / "cache.db"


def adopt(db, number, name, asked=None):
    who = Identity("github.com", number, f"R_{number}", name, "main")
    with cache.writing(db) as database:
        return checkpoints.adopt(database.conn, who, asked or name)


def names(db):
    return rows(db, "select name, github_id from repositories order by id")


def test_a_new_repository_is_added_once(db):
    assert adopt(db, 7, "acme/orbit") == adopt(db, 7, "acme/orbit")
    assert names(db) == [("acme/orbit", 7)]


def test_one_that_was_imported_becomes_it(db):
    save(db, [make_pull(1)], repo="acme/orbit")
    adopt(db, 7, "acme/orbit")
    assert names(db) == [("acme/orbit", 7)]
    assert rows(db, "select count(*) from pulls") == [(1,)]


def test_one_that_was_imported_under_a_former_name_becomes_it(db):
    save(db, [make_pull(1)], repo="acme/old")
    adopt(db, 7, "acme/orbit", asked="acme/old")
    assert names(db) == [("acme/orbit", 7)]
    with cache.reading(db) as connection:
        assert store.find_repository(connection, "ACME/Old") == store.find_repository(connection, "acme/orbit") == 1


def test_a_renamed_one_keeps_its_row_and_its_old_name(db):
    first = adopt(db, 7, "acme/old")
    assert adopt(db, 7, "zenith/orbit", asked="acme/old") == first
    assert names(db) == [("zenith/orbit", 7)]
    assert rows(db, "select key from repository_names order by 1") == [("acme/old",), ("zenith/orbit",)]


def test_two_entries_that_turn_out_to_be_one_repository_become_one(db):
    known = adopt(db, 7, "acme/old")
    with cache.writing(db) as database:
        store.save_page(database.conn, known, [make_pull(1, "From GitHub"), make_pull(2)])
    save(db, [make_pull(1, "From a clone"), make_pull(3)], repo="acme/orbit", kind="clone")
    assert adopt(db, 7, "acme/orbit") == known
    assert names(db) == [("acme/orbit", 7)]
    assert rows(db, "select number, title from pulls order by 1") == [
        (1, "From GitHub"),
        (2, "Add a thing"),
        (3, "Add a thing"),
    ]
    assert rows(db, "select sum(n_merged) from weeks") == [(3,)]
    assert rows(db, "pragma foreign_key_check") == []


def test_a_name_that_another_repository_has_now_leads_to_that_one(db):
    first = adopt(db, 7, "acme/orbit")
    second = adopt(db, 8, "acme/orbit")
    assert first != second
    assert names(db) == [("acme/orbit@7", 7), ("acme/orbit", 8)]
    adopt(db, 7, "acme/orbit-classic")
    assert names(db) == [("acme/orbit-classic", 7), ("acme/orbit", 8)]
    with cache.reading(db) as connection:
        assert store.find_repository(connection, "acme/orbit") == second


def test_a_checkpoint_comes_back_as_it_was(db):
    repository = adopt(db, 7, "acme/orbit")
    wanted = Checkpoint(cursor="abc", bound="2026-01-01T00:00:00Z", page_size=12, n_read=40, n_declared=90)
    with cache.writing(db) as database:
        checkpoints.save(database.conn, repository, wanted)
    with cache.reading(db) as connection:
        assert checkpoints.load(connection, repository) == wanted
        assert checkpoints.load(connection, repository + 1) == Checkpoint()


def test_removing_a_repository_takes_its_checkpoint_and_events_along(db):
    repository = adopt(db, 7, "acme/orbit")
    event = {"kind": "closed", "at": "2026-01-01T00:00:00Z", "actor": None, "reviewer": None, "team": None}
    with cache.writing(db) as database:
        store.save_page(database.conn, repository, [make_pull(1, events=[event])])
        checkpoints.save(database.conn, repository, Checkpoint())
    assert rows(db, "select count(*) from events") == [(1,)]
    with cache.writing(db) as database:
        store.remove_repository(database.conn, "acme/orbit")
    assert rows(db, "select count(*) from events") == rows(db, "select count(*) from sync_state") == [(0,)]
