"""Judging what is new gives what judging everything anew gives, in whatever portions and order it came."""

import random
from datetime import date, timedelta

import pytest
from factories import make_file, make_pull, save
from lives import Life
from merges import START

from dashboard import refresh
from dashboard.config import Config
from data import cache, demo
from data.moments import utc_text
from data.schema import TABLES

DERIVED = {
    name: table
    for name, table in TABLES.items()
    if name.startswith(("pull_", "chain_")) or name in {"path_facts", "vocabularies"}
}


def told(db):
    """All that is derived, by number and path instead of ids, which depend on the order of arrival."""
    with cache.reading(db) as connection:
        numbers = dict(connection.execute("select id, number from pulls"))
        paths = dict(connection.execute("select id, path from paths"))
        people = dict(connection.execute("select id, coalesce(login, name) from people"))
        names = {"pull_id": numbers, "earlier_id": numbers, "path_id": paths, "author_id": people}
        found = {}
        for name, table in DERIVED.items():
            # A file that no pull request changes any more may be forgotten or not.
            used = " where path_id in (select path_id from files)" if name == "path_facts" else ""
            rows = connection.execute(f"select {', '.join(table.columns)} from {name}{used}").fetchall()
            found[name] = sorted(
                repr(
                    tuple(
                        names[column].get(value, value) if column in names else value
                        for column, value in zip(table.columns, row, strict=True)
                    )
                )
                for row in rows
            )
        return found


def assert_same(one, other):
    for name in DERIVED:
        assert one[name] == other[name], name


@pytest.fixture(scope="module")
def records():
    return list(demo.generate(140).pulls)


@pytest.fixture(scope="module")
def anew(records, tmp_path_factory):
    db = tmp_path_factory.mktemp("anew") / "cache.db"
    save(db, records, kind="demo")
    refresh.derive(db, Config())
    return told(db)


def test_every_derived_table_has_rows(anew):
    assert [name for name in DERIVED if not anew[name]] == []


@pytest.mark.parametrize("seed", range(4))
def test_portions_in_any_order_give_the_same_as_all_at_once(records, anew, tmp_path, seed):
    chance = random.Random(seed)
    shuffled = list(records)
    if seed:  # 0: as they were merged
        chance.shuffle(shuffled)
    db = tmp_path / "cache.db"
    while shuffled:
        size = chance.choice([1, 5, 40])
        portion, shuffled = shuffled[:size], shuffled[size:]
        save(db, portion, kind="demo")
        refresh.derive(db, Config())
    assert_same(told(db), anew)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_becomes_of_pull_requests_gives_the_same_as_knowing_it_at_once(tmp_path, seed):
    life, chance = Life(seed), random.Random(seed)
    db, known = tmp_path / "cache.db", {}
    waiting = life.grow(70)
    chance.shuffle(waiting)  # most come late
    while waiting:
        size = chance.choice([1, 3, 10, 25])
        portion, waiting = waiting[:size], waiting[size:]
        again = chance.sample(sorted(known), min(len(known), chance.choice([0, 1, 2])))
        portion += [life.changed(known[number]) for number in again]
        known |= {record["number"]: record for record in portion}
        save(db, portion)
        refresh.derive(db, Config())
        if chance.random() < 0.1:
            limit = START.date() + timedelta(days=chance.randrange(20))
            refresh.prune(db, limit, Config())
            known = {number: record for number, record in known.items() if not is_before(record, limit)}
    fresh = tmp_path / "fresh.db"
    save(fresh, map(life.told_now, known.values()))
    refresh.derive(fresh, Config())
    assert_same(told(db), told(fresh))


def is_before(record, limit):
    return record["merged_at"] is not None and record["merged_at"][:10] < limit.isoformat()


@pytest.mark.parametrize(
    ("days", "titles", "found"),
    [
        # A revert that says nothing mirrors another one, whose own words name what is older than all that was read.
        ((1, 96, 97), ("Add a", 'Revert "Add a"', "revert what was wrong"), {52: "revert", 51: "reapply"}),
        # Of the lines that 2 wrote lately, 1 wrote as many a while before.
        ((1, 20, 45), ("Add a", "Add b", "fix: c"), {}),
        ((1, 100, 125), ("Add a", "Add b", "fix: c"), {52: "repair"}),
    ],
)
def test_what_comes_alone_finds_what_it_did_to_those_long_before(tmp_path, days, titles, found):
    others = [pull(number, files=[make_file("lib/other.py")]) for number in range(1, 51)]
    lines = [(90, 9), (9, 90) if titles[1].startswith("Revert") else (90, 9), (90, 9)]
    records = [
        pull(number, title, merged=day_of(50 + day), files=[make_file("app/a.py", *each)])
        for number, title, day, each in zip((51, 52, 53), titles, days, lines, strict=True)
    ]
    alone, fresh = tmp_path / "alone.db", tmp_path / "fresh.db"
    save(alone, [*others, *records[:2]])
    refresh.derive(alone, Config())
    save(alone, records[2:])
    assert refresh.derive(alone, Config())[0].pulls == 1
    save(fresh, [*others, *records])
    refresh.derive(fresh, Config())
    assert_same(told(alone), told(fresh))
    with cache.reading(alone) as connection:
        rows = connection.execute("select earlier_id, kind from chain_links where pull_id = 53").fetchall()
    assert dict(rows) == found


def test_only_what_may_have_changed_is_judged(tmp_path):
    db = tmp_path / "cache.db"
    save(db, [pull(number) for number in range(1, 61)])
    refresh.derive(db, Config())
    save(db, [pull(55, title="fix: something else")])
    assert refresh.derive(db, Config())[0].pulls == 6, "55 and what was merged after it"
    save(db, [pull(99, merged=None, created_at="2020-01-01T00:00:00Z")])
    assert refresh.derive(db, Config())[0].pulls == 1, "what is not merged is in nobody's history"
    assert refresh.derive(db, Config())[0].pulls == 0


def test_what_moves_in_time_is_judged_from_the_earlier_of_both_moments(tmp_path):
    moved, fresh = tmp_path / "moved.db", tmp_path / "fresh.db"
    early = [pull(number) for number in range(1, 41)]
    late = [*early[:9], pull(10) | {"merged_at": "2027-01-01T00:00:00Z"}, *early[10:]]
    save(moved, early)
    refresh.derive(moved, Config())
    save(moved, late)
    refresh.derive(moved, Config())
    save(fresh, late)
    refresh.derive(fresh, Config())
    assert_same(told(moved), told(fresh))


def test_what_is_pruned_leaves_everybodys_history(tmp_path):
    pruned, fresh = tmp_path / "pruned.db", tmp_path / "fresh.db"
    everything = [pull(number) for number in range(1, 41)]
    save(pruned, everything)
    refresh.derive(pruned, Config())
    limit = everything[20]["merged_at"][:10]
    refresh.prune(pruned, date.fromisoformat(limit), Config())
    save(fresh, [each for each in everything if each["merged_at"][:10] >= limit])
    refresh.derive(fresh, Config())
    one, other = told(pruned), told(fresh)
    for name in ("pull_facts", "pull_history", "pull_modules"):
        assert one[name] == other[name], name


def pull(number, title="fix: a thing", merged="", **more):
    """One of a row of daily changes, each to two of a few files."""
    files = more.pop("files", [make_file(f"app/part{number % 3}.py"), make_file(f"lib/other{number % 2}.py")])
    return make_pull(number, title, merged=day_of(number) if merged == "" else merged, files=files, **more)


def day_of(number):
    return utc_text(1_767_225_600 + number * 86_400)
