"""Imports: idempotent, atomic, and never a known value lost to an unknown one."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from datetime import date

import pytest
from factories import REPO, dump, make_file, make_pull, make_review, save

from data import cache, queries, store
from data.errors import NotCached
from data.moments import midnight
from data.people import person


@pytest.fixture
def db(tmp_path):
    return tmp_path / "cache.db"


def stored(db, number=1):
    with cache.reading(db) as connection:
        scope = queries.scope(connection, REPO, "", "")
        return queries.pull(connection, scope, number)


def week_counts(db, tz="UTC"):
    with cache.reading(db) as connection:
        scope = queries.scope(connection, REPO, "2000", "2100", bots=True)
        return dict(queries.weeks(connection, scope, tz).to_numpy().tolist())


def test_the_same_import_twice_changes_nothing(db):
    pulls = [
        make_pull(number, labels=["bug"], reviews=[make_review("bob", "2026-03-04T11:00:00Z")]) for number in (1, 2)
    ]
    assert save(db, pulls).saved == 2
    before = dump(db)
    assert save(db, pulls).saved == 0
    assert dump(db) == before


def make_signal(path="app/core.py", kind="todo", line=3, detail="TODO"):
    return {"path": path, "kind": kind, "line": line, "detail": detail}


def signals_in(db):
    with cache.reading(db) as connection:
        known = connection.execute("select patches_known from pulls").fetchall()
        found = connection.execute(
            "select path, kind, line, detail from signals join paths on id = path_id order by seq"
        ).fetchall()
    return known[0][0], found


def test_signals_are_kept_by_an_import_that_reads_no_patches(db):
    told = [make_signal(), make_signal("gone.py", "name-removed", 1, "go")]
    save(db, [make_pull(signals=told, patches_known=True)], kind="clone")
    known = (1, [("app/core.py", "todo", 3, "TODO"), ("gone.py", "name-removed", 1, "go")])
    assert signals_in(db) == known
    save(db, [make_pull(title="Another title")], kind="clone")
    assert signals_in(db) == known
    save(db, [make_pull(title="A better title", updated_at="2026-03-05T00:00:00Z")], kind="github")
    assert signals_in(db) == known
    save(db, [make_pull(signals=[], patches_known=True)], kind="clone")
    assert signals_in(db) == (1, [])


def test_a_clone_completes_what_github_gave_in_part_and_not_the_other_way_round(db):
    part = make_pull(signals=[make_signal()], patches_known=False, updated_at="2026-03-05T00:00:00Z")
    whole = make_pull(signals=[make_signal(), make_signal(line=9)], patches_known=True)
    save(db, [part], kind="github")
    assert signals_in(db)[0] == 0
    save(db, [whole], kind="clone")
    assert (signals_in(db)[0], len(signals_in(db)[1])) == (1, 2)
    save(db, [part | {"title": "Another"}], kind="github")
    assert (signals_in(db)[0], len(signals_in(db)[1])) == (1, 2)


def test_the_signals_of_an_open_pull_request_follow_it(db):
    first = make_pull(merged=None, signals=[make_signal()], patches_known=True, updated_at="2026-03-05T00:00:00Z")
    save(db, [first], kind="github")
    save(db, [first | {"signals": [], "patches_known": False, "updated_at": "2026-03-06T00:00:00Z"}], kind="github")
    assert signals_in(db) == (0, [])


def test_removing_a_repository_takes_its_signals_and_their_paths_along(db):
    save(db, [make_pull(signals=[make_signal("only/here.py")], patches_known=True)], kind="clone")
    with cache.writing(db) as database:
        store.remove_repository(database.conn, REPO)
    with cache.reading(db) as connection:
        assert connection.execute("select (select count(*) from signals), (select count(*) from paths)").fetchone() == (
            0,
            0,
        )


def test_an_unknown_value_never_overwrites_a_known_one(db):
    save(db, [make_pull(1, created_at="2026-03-01T00:00:00Z", reviews=[make_review("bob", "2026-03-04T11:00:00Z")])])
    save(db, [make_pull(1, title="Better title", files=None, files_complete=None)])
    found = stored(db)
    assert found["row"]["title"] == "Better title"
    assert found["row"]["created_at"] == "2026-03-01T00:00:00Z"
    assert found["reviews"]["reviewer"].tolist() == ["bob"]
    assert found["files"]["path"].tolist() == ["app/core.py"]


def test_git_history_fills_gaps_but_does_not_overrule_github(db):
    github = make_pull(1, title="As on GitHub", author=person("ada"), files=None, files_complete=None)
    history = make_pull(
        1, title="As in git", author=person(name="Ada L"), head="topic", updated_at="2027-01-01T00:00:00Z"
    )
    for first, second in ((("gh", github), ("clone", history)), (("clone", history), ("gh", github))):
        db.unlink(missing_ok=True)
        for kind, record in (first, second):
            save(db, [record], kind=kind)
        found = stored(db)
        assert (found["row"]["title"], found["row"]["author"], found["row"]["head"]) == ("As on GitHub", "ada", "topic")
        assert found["files"]["path"].tolist() == ["app/core.py"]


def test_an_older_state_does_not_overwrite_a_newer_one(db):
    save(db, [make_pull(1, title="New", updated_at="2026-03-05T00:00:00Z")])
    save(db, [make_pull(1, title="Old", updated_at="2026-03-04T00:00:00Z")])
    assert stored(db)["row"]["title"] == "New"


def test_a_reopened_and_merged_pull_request_ends_as_a_fresh_import_would(db):
    closed = make_pull(
        1, merged=None, state="closed", closed_at="2026-03-01T00:00:00Z", updated_at="2026-03-01T00:00:00Z"
    )
    reopened = make_pull(1, merged=None, state="open", updated_at="2026-03-02T00:00:00Z")
    merged = make_pull(1, closed_at="2026-03-04T12:00:00Z", updated_at="2026-03-04T12:00:00Z")
    save(db, [closed])
    save(db, [reopened])
    assert stored(db)["row"]["closed_at"] is None
    save(db, [merged])
    row = stored(db)["row"]
    assert (row["state"], row["merged_at"], row["closed_at"]) == (
        "merged",
        "2026-03-04T12:00:00Z",
        "2026-03-04T12:00:00Z",
    )


def test_a_complete_file_list_is_not_replaced_by_a_cut_one(db):
    whole = [make_file(f"app/{index}.py") for index in range(3)]
    save(db, [make_pull(1, files=whole)])
    save(db, [make_pull(1, files=whole[:1], files_complete=False)])
    assert len(stored(db)["files"]) == 3


def test_children_are_replaced_not_added_to(db):
    save(db, [make_pull(1, labels=["a", "b"], reviews=[make_review("bob", "2026-03-04T10:00:00Z")])])
    save(db, [make_pull(1, labels=["b", "b"], reviews=[], files=[make_file("docs/x.md")])])
    found = stored(db)
    assert (found["labels"], len(found["reviews"]), found["files"]["path"].tolist()) == (["b"], 0, ["docs/x.md"])


def test_one_person_under_many_spellings_is_one_row(db):
    save(
        db,
        [
            make_pull(1, author=person("dependabot[bot]")),
            make_pull(2, author=person("app/dependabot")),
            make_pull(3, author=person(name="Ada", email="1+ada@users.noreply.github.com")),
            make_pull(4, author=person("ADA")),
            make_pull(5, author=person()),
            make_pull(6, author=person("app/", is_bot=True)),
        ],
    )
    with cache.reading(db) as connection:
        assert connection.execute("select login, type from people order by login").fetchall() == [
            ("ada", "human"),
            ("dependabot", "bot"),
            ("ghost", "ghost"),
        ]


def test_somebody_who_turns_out_to_be_a_bot_is_one_in_the_old_sums_too(db):
    save(db, [make_pull(1, author=person("release-machine"))])
    save(db, [make_pull(2, merged="2026-05-04T12:00:00Z", author=person("release-machine[bot]"))])
    with cache.reading(db) as connection:
        assert connection.execute("select distinct is_bot from weeks").fetchall() == [(1,)]


def test_weekly_sums_are_those_of_the_rows_in_every_zone_kept(db):
    sunday_night = "2026-03-08T20:00:00Z"  # Monday in Shanghai
    save(db, [make_pull(1), make_pull(2, merged=sunday_night)], tz="UTC")
    save(db, [make_pull(3, merged=sunday_night)], tz="Asia/Shanghai")
    assert week_counts(db) == {"2026-03-02": 3}
    assert week_counts(db, "Asia/Shanghai") == {"2026-03-02": 1, "2026-03-09": 2}


def test_a_changed_merge_moment_leaves_no_trace_in_its_old_week(db):
    save(db, [make_pull(1)])
    save(db, [make_pull(1, merged="2026-06-03T12:00:00Z")])
    assert week_counts(db) == {"2026-06-01": 1}


def test_the_default_branch_is_the_sources_word_else_where_most_merges_went(db):
    save(db, [make_pull(1), make_pull(2), make_pull(3, base="release/1")])
    with cache.reading(db) as connection:
        assert queries.scope(connection, REPO, "", "").base == "main"
    save(db, [], default_branch="trunk")
    with cache.reading(db) as connection:
        assert queries.scope(connection, REPO, "", "").base == "trunk"


def test_a_repository_is_found_by_any_case_and_any_former_name(db):
    save(db, [make_pull(1)])
    with cache.writing(db) as database:
        store.add_name(database.conn, REPO, "acme/satellite")
    with cache.reading(db) as connection:
        ids = {store.repository_or_raise(connection, name) for name in (REPO, "ACME/Orbit", "acme/Satellite")}
        assert len(ids) == 1
        with pytest.raises(NotCached, match=r"No pull requests of octo/app are cached\. Cached: acme/orbit"):
            store.repository_or_raise(connection, "octo/app")


def make_tag(name, sha="f" * 40, at="2026-03-04T12:00:00Z"):
    return {"name": name, "sha": sha, "tagged_at": at}


def test_removing_a_repository_leaves_nothing_of_it_and_all_of_the_other(db):
    save(
        db,
        [make_pull(1, files=[make_file("lib/other.py")], author=person("zoe"))],
        repo="acme/other",
        tags=[make_tag("v1")],
    )
    alone = dump(db)
    save(
        db,
        [make_pull(number, body="findme", labels=["x"]) for number in range(1, 9)],
        direct_commits=[
            {"sha": "f" * 40, "committed_at": "2026-03-01T00:00:00Z", "author": person("bob"), "subject": "Push"}
        ],
        tags=[make_tag("v1")],
    )
    with cache.writing(db) as database:
        assert store.remove_repository(database.conn, REPO) == 8
    assert dump(db) == alone
    with cache.reading(db) as connection:
        assert queries.search(connection, store.repository_or_raise(connection, "acme/other"), "findme") == []
        assert queries.search(connection, store.repository_or_raise(connection, "acme/other"), "other.py") == [1]


def tags_in(db):
    with cache.reading(db) as connection:
        tags = queries.tags(connection, store.repository_or_raise(connection, REPO))
    assert list(tags.columns) == ["name", "sha", "tagged_at"]
    return tags["name"].tolist()


def test_tags_come_oldest_first_and_a_moved_one_moves(db):
    save(db, [make_pull()], tags=[make_tag("v2", at="2026-03-09T00:00:00Z"), make_tag("v1")])
    assert tags_in(db) == ["v1", "v2"]
    save(db, [], tags=[make_tag("v1", sha="e" * 40, at="2026-04-01T00:00:00Z")])
    assert tags_in(db) == ["v2", "v1"]


@pytest.mark.parametrize("told", [("clone", "github"), ("github", "clone")])
def test_where_a_release_branch_began_is_known_from_a_clone_whoever_tells_first(db, told):
    moments = {"clone": "2026-03-04T12:00:00Z", "github": "2026-03-20T12:00:00Z"}
    for kind in told:
        save(db, [make_pull()], kind=kind, tags=[make_tag("v1", at=moments[kind])])
    with cache.reading(db) as connection:
        assert queries.tags(connection, 1)["tagged_at"].tolist() == [moments["clone"]]


def test_a_clone_takes_along_the_tags_that_it_no_longer_has(db):
    save(db, [make_pull()], kind="clone", tags=[make_tag("v1"), make_tag("nightly")])
    save(db, [make_pull()], kind="clone", repo="acme/other", tags=[make_tag("nightly")])
    save(db, [], kind="clone", tags=[make_tag("v1"), make_tag("v2")])
    assert tags_in(db) == ["v1", "v2"]
    save(db, [], kind="clone")  # made without tags: nothing is known of them
    assert tags_in(db) == ["v1", "v2"]
    with cache.reading(db) as connection:
        assert connection.execute("select count(*) from tags").fetchone() == (3,)


def test_a_clone_takes_no_tag_away_that_github_told_of(db):
    save(db, [make_pull()], kind="github", tags=[make_tag("v1"), make_tag("v2")])
    with cache.writing(db) as database:
        database.conn.execute("insert into sync_state (repository_id, way, phase) values (1, 'graphql', 'delta')")
    save(db, [], kind="clone", tags=[make_tag("v1")])
    assert tags_in(db) == ["v1", "v2"]


def test_pruning_takes_what_is_older_and_keeps_what_is_open(db):
    old, new = "2025-03-04T12:00:00Z", "2026-03-04T12:00:00Z"
    save(db, [make_pull(1, merged=old), make_pull(2, merged=new), make_pull(3, merged=None, created_at=old)])
    with cache.writing(db) as database:
        assert store.prune(database.conn, date(2026, 1, 1)) == 1
    with cache.reading(db) as connection:
        assert connection.execute("select number from pulls order by 1").fetchall() == [(2,), (3,)]
    assert week_counts(db) == {"2026-03-02": 1}


def test_a_source_that_fails_halfway_stores_nothing(db):
    save(db, [make_pull(1)])
    before = dump(db)

    def broken():
        yield from (make_pull(number) for number in range(10, 5000))
        raise RuntimeError("the cable")

    with pytest.raises(RuntimeError):
        save(db, broken())
    assert dump(db) == before


@pytest.mark.parametrize("after", [1, 2500, 4990])
def test_an_import_killed_at_any_moment_leaves_the_cache_as_it_was(db, tmp_path, after):
    save(db, [make_pull(1)])
    before = dump(db)
    script = textwrap.dedent(
        f"""
        import os, signal, sys
        sys.path[:0] = {json.dumps([str(path) for path in sys.path])}
        from pathlib import Path
        from factories import make_pull, save
        def dying():
            for number in range(10, 5010):
                if number == 10 + {after}:
                    os.kill(os.getpid(), signal.SIGKILL)
                yield make_pull(number)
        save(Path({str(db)!r}), dying())
        """
    )
    process = subprocess.run([sys.executable, "-c", script], env=os.environ, capture_output=True)
    assert process.returncode == -signal.SIGKILL, process.stderr.decode()
    assert dump(db) == before
    assert save(db, [make_pull(2)]).saved == 1


def test_the_ledger_tells_what_an_import_read_and_said(db):
    pulls = [make_pull(1, merge_commit="c1"), make_pull(2), make_pull(3, merged=None, merge_commit="test")]
    save(db, pulls, notes=["Two files are cut."], checkpoint={"head": "abc"}, skipped=3)
    with cache.reading(db) as connection:
        entry = queries.ledger(connection).iloc[0]
        assert (entry["repo"], entry["fetched"], entry["saved"], entry["skipped"]) == (REPO, 3, 3, 3)
        assert json.loads(entry["notes"]) == ["Two files are cut."]
        assert store.known(connection, REPO, "gh") == ({"head": "abc"}, {1: "c1"})
        assert store.known(connection, REPO, "clone") == (None, {1: "c1"})


def test_a_merge_before_its_opening_has_no_lead_time(db):
    save(db, [make_pull(1, created_at="2026-03-05T00:00:00Z")])
    assert stored(db)["row"]["lead_time_hours"] != stored(db)["row"]["lead_time_hours"], "NaN"


def test_a_clock_that_runs_ahead_does_not_move_the_end_of_the_cache(db):
    save(db, [make_pull(1), make_pull(2, merged="2199-01-02T00:00:00Z")])
    with cache.reading(db) as connection:
        scope = queries.scope(connection, REPO, "", "")
        assert queries.covered(connection, scope) == ("2026-03-04T12:00:00Z", "2026-03-04T12:00:00Z")
        assert (
            "1 pull request merged after today, by a wrong clock. Each" in queries.ledger(connection)["notes"].iloc[0]
        )


def test_search_finds_numbers_titles_bodies_authors_and_paths(db):
    save(
        db,
        [
            make_pull(
                11, title="修复调度器的死锁", body="Deadlock under load", files=[make_file("orbit/planner/solve.py")]
            ),
            make_pull(12, title="Add 100% coverage_test", author=person("zelda"), files=[make_file("web/Console.tsx")]),
            make_pull(13, title="Bump 12 things", body=""),
        ],
    )
    with cache.reading(db) as connection:
        repository = store.repository_or_raise(connection, REPO)
        found = {
            text: queries.search(connection, repository, text)
            for text in (
                "调度",
                "死锁",
                "修复调度器",
                "deadlock",
                "DEADLOCK load",
                "#12",
                "zelda",
                "console.tsx",
                "pl",
                "100%",
                "coverage_t",
                "%",
                '"under load"',
                '"load under"',
                "nothing",
                "",
                "   ",
                '"',
                "a" * 300,
            )
        }
    assert found == {
        "调度": [11],
        "死锁": [11],
        "修复调度器": [11],
        "deadlock": [11],
        "DEADLOCK load": [11],
        "#12": [12],
        "zelda": [12],
        "console.tsx": [12],
        "pl": [11],
        "100%": [12],
        "coverage_t": [12],
        "%": [12],
        '"under load"': [11],
        '"load under"': [],
        "nothing": [],
        "": [],
        "   ": [],
        '"': [],
        "a" * 300: [],
    }


def test_a_search_within_a_window_misses_nothing_however_many_lie_outside(db):
    others = [make_pull(number, "Fix it", merged="2026-06-01T00:00:00Z") for number in range(100, 1200)]
    save(db, [make_pull(1, "Fix it"), *others])
    with cache.reading(db) as connection:
        march = queries.scope(connection, REPO, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")
        assert queries.search(connection, march.repository, "fix", within=march) == [1]
        assert len(queries.search(connection, march.repository, "fix")) == queries.SEARCH_LIMIT
        june = march.between("2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z")
        assert len(queries.search(connection, june.repository, "fix", within=june)) == len(others)


def test_search_follows_changes_of_title_and_body(db):
    save(db, [make_pull(1, title="An old title", body="first words")])
    save(db, [make_pull(1, title="A new heading", body="second words")])
    with cache.reading(db) as connection:
        repository = store.repository_or_raise(connection, REPO)
        hits = {
            text: len(queries.search(connection, repository, text))
            for text in ("old title", "first", "heading", "second")
        }
    assert hits == {"old title": 0, "first": 0, "heading": 1, "second": 1}


def test_lead_time_starts_when_a_draft_becomes_ready_and_the_first_review_is_by_another_person(db):
    reviews = [
        make_review("ada", "2026-03-02T13:00:00Z", "commented"),
        make_review("helper[bot]", "2026-03-02T14:00:00Z", "commented"),
        make_review("ghost", "2026-03-02T15:00:00Z", "commented"),
        make_review("bob", "2026-03-02T18:00:00Z"),
    ]
    save(
        db,
        [
            make_pull(
                1,
                created_at="2026-03-02T09:00:00Z",
                ready_at="2026-03-02T12:00:00Z",
                merged="2026-03-03T12:00:00Z",
                reviews=reviews,
            ),
            make_pull(2, created_at="2026-03-03T12:00:00Z", merged="2026-03-04T12:00:00Z"),
        ],
    )
    assert (stored(db)["row"]["lead_time_hours"], stored(db)["row"]["first_review_hours"]) == (24.0, 6.0)
    unknown = stored(db, 2)["row"]
    assert unknown["lead_time_hours"] == 24.0
    assert unknown["first_review_hours"] != unknown["first_review_hours"], "unknown reviews are NaN, not 0"


def test_hot_files_from_stored_months_equal_those_from_rows(db):
    moments = [f"2026-{month:02d}-{day:02d}T23:30:00Z" for month in range(1, 6) for day in (1, 15, 28)]
    save(
        db,
        [
            make_pull(number, merged=moment, files=[make_file("hot.py"), make_file(f"f{number % 4}.py", number)])
            for number, moment in enumerate(moments, 1)
        ],
        tz="Asia/Shanghai",
    )
    tz = "Asia/Shanghai"
    whole = (date(2026, 2, 1), date(2026, 5, 1))
    with cache.reading(db) as connection:
        scope = queries.scope(connection, REPO, midnight(date(2026, 1, 10), tz), midnight(date(2026, 5, 20), tz))
        stored_months = queries.hot_files(connection, scope, tz, whole)
        rows = queries.hot_files(connection, scope, tz)
    assert stored_months.to_dict() == rows.to_dict()
    assert rows["path"].iloc[0] == "hot.py"
    assert rows["n_prs"].tolist() == [len(json.loads(numbers)) for numbers in rows["prs"]]
