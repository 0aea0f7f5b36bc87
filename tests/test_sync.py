"""Collecting from GitHub: complete, in bulk, resumable and polite, on a fake GitHub over real HTTP."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from datetime import datetime, timedelta
from itertools import pairwise

import oracle
import pytest
from conftest import ROOT
from factories import make_file, make_pull, save
from fake_github import FakeGitHub, Fault, from_fixtures, generate, load, nodes
from fake_github.fields import tagged_commit as tagged
from fake_github.samples import REPLIES, error_sample
from sync_cases import QUICK, TOKEN, content, digest, github, n_queries, pages, rows, sync

from dashboard import refresh
from dashboard.config import Config
from data import cache, collect, frames, queries, store
from data.endpoint import endpoint
from data.errors import LimitReached, Refused, Unavailable
from data.estimate import estimate
from data.gh_export import fetch_gh
from data.records import Source


@pytest.fixture(autouse=True)
def _schema():
    oracle.required_schema()


@pytest.fixture
def db(tmp_path):
    return tmp_path / "cache.db"


@pytest.fixture
def fake():
    """A repository with every oddity; few files, so that tests are quick."""
    with FakeGitHub(small()) as github:
        yield github


def small(closed=60, **more):
    return fewer_files(generate(closed, **{"biggest": 0} | more))


def fewer_files(repo, most=150):
    """The same repository with at most so many files a pull request."""
    for request in repo["pullRequests"]:
        del request["files"][most:]
        request["changedFiles"] = len(request["files"])
        for key in ("additions", "deletions"):
            request[key] = sum(file[key] for file in request["files"])
    return repo


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """The content of the cache after one clean run over `small()`, and its digest."""
    oracle.required_schema()
    db = tmp_path_factory.mktemp("clean") / "cache.db"
    with FakeGitHub(small()) as fake:
        sync(db, fake)
    return content(db), digest(db)


# 1. A clean backfill


def test_a_thousand_merged_pull_requests_take_at_most_sixty_queries(db):
    with FakeGitHub(generate(1000, merged=1000, still_open=0, biggest=0)) as fake:
        outcome = sync(db, fake)
        assert outcome.fetched == outcome.saved == outcome.declared == 1000
        assert outcome.incomplete == []
        assert n_queries(fake) <= 60
        assert [entry.path for entry in fake.requests("GET")] == ["/repos/quayside-example/lanternfish"]
        assert rows(db, "select count(*), min(files_complete), min(events_known) from pulls") == [(1000, 1, 1)]
        declared = sum(request["changedFiles"] for request in fake.world.repositories[0]["pullRequests"])
        assert rows(db, "select count(*) from files") == [(declared,)]


def test_everything_that_github_holds_is_cached(db, fake):
    sync(db, fake)
    repo = fake.world.repositories[0]
    merged, still_open, closed = (
        sum(request["state"] == state for request in repo["pullRequests"]) for state in ("MERGED", "OPEN", "CLOSED")
    )
    assert dict(rows(db, "select state, count(*) from pulls group by state")) == {
        "merged": merged,
        "open": still_open,
        "closed": closed,
    }
    for request in repo["pullRequests"]:
        number = request["number"]
        (found,) = rows(
            db, "select title, body, ready_at, n_threads, labels from v_pull_requests where number = ?", number
        )
        body = (request["body"] or "").replace("\0", "").replace("\r\n", "\n")
        assert found[:2] == (request["title"], body)
        ready = [event["createdAt"] for event in request["events"] if event["__typename"] == "ReadyForReviewEvent"]
        assert found[2:4] == (max(ready, default=None), len(request["reviewThreads"]))
        submitted = [review for review in request["reviews"] if review["state"] != "PENDING"]
        assert rows(db, "select count(*) from v_reviews where number = ?", number) == [(len(submitted),)]
        wanted = [event for event in request["events"] if event["__typename"] != "MergedEvent"]
        assert rows(db, "select count(*) from v_events where number = ?", number) == [(len(wanted),)]
        assert rows(db, "select count(*) from v_files where number = ?", number) == [(request["changedFiles"],)]
    resolved = sum(t["resolvedBy"] is not None for request in repo["pullRequests"] for t in request["reviewThreads"])
    assert rows(db, "select count(*) from review_threads where resolver_id is not null") == [(resolved,)]
    tags = {(ref["name"], commit["oid"], commit["committedDate"]) for ref in repo["tags"] if (commit := tagged(ref))}
    assert set(rows(db, "select name, sha, tagged_at from tags")) == tags
    published = [release for release in repo["releases"] if not release["isDraft"]]
    assert rows(db, "select count(*) from releases") == [(len(published),)]
    assert rows(db, "select owners from codeowners where pattern = '/src/api/'") == [
        ("@bela-example @quayside-example/api-team",)
    ]


def test_a_second_run_without_changes_takes_one_page_and_writes_nothing(db, fake):
    sync(db, fake)
    before = digest(db)
    fake.log.clear()
    outcome = sync(db, fake)
    assert (pages(fake), n_queries(fake), outcome.fetched, outcome.saved) == (1, 2, 0, 0)
    assert digest(db) == before


def test_three_updates_rewrite_three_rows_and_their_children(db, fake):
    sync(db, fake)
    chosen = [request["number"] for request in fake.world.repositories[0]["pullRequests"][5:8]]
    for number in chosen:
        fake.world.update(number, title=f"New {number}", labels=[], reviews=[], milestone=None)
    fake.log.clear()
    outcome = sync(db, fake)
    assert (outcome.fetched, outcome.saved, pages(fake)) == (3, 3, 1)
    found = rows(db, "select number, title, labels, milestone from v_pull_requests where title like 'New %' order by 1")
    assert found == [(number, f"New {number}", "[]", None) for number in chosen]
    assert rows(db, "select count(*) from v_reviews where number in (?, ?, ?)", *chosen) == [(0,)]
    assert_equals_a_fresh_fetch(db, fake)


def assert_equals_a_fresh_fetch(db, fake):
    fresh = db.with_name("fresh.db")
    fresh.unlink(missing_ok=True)
    sync(fresh, fake)
    assert content(db) == content(fresh)


def test_since_bounds_the_backfill_and_an_earlier_one_goes_on_from_there(db, fake):
    created = sorted(request["createdAt"] for request in fake.world.repositories[0]["pullRequests"])
    middle, early = created[len(created) // 2], created[5]
    sync(db, fake, since=middle)
    updated_since = {r["number"] for r in fake.world.repositories[0]["pullRequests"] if r["createdAt"] >= middle}
    assert {number for (number,) in rows(db, "select number from pulls")} == updated_since
    fake.log.clear()
    sync(db, fake)
    assert pages(fake) == 1  # the bound holds
    sync(db, fake, since=early)
    assert rows(db, "select min(created_at), count(*) from pulls") == [(early, len([c for c in created if c >= early]))]
    sync(db, fake, since="1970-01-01T00:00:00Z")
    assert_equals_a_fresh_fetch(db, fake)


def test_a_pull_request_opened_before_the_bound_and_merged_later_comes_with_the_delta(db, fake):
    oldest = next(r for r in fake.world.repositories[0]["pullRequests"] if r["state"] == "OPEN")
    sync(db, fake, since="2026-06-25T00:00:00Z")
    assert rows(db, "select count(*) from pulls where number = ?", oldest["number"]) == [(0,)]
    fake.world.merge(oldest["number"])
    sync(db, fake)
    assert rows(db, "select state from pulls where number = ?", oldest["number"]) == [("merged",)]


def test_a_repository_without_pull_requests_is_no_error(db):
    with FakeGitHub(generate(0, still_open=0)) as fake:
        assert sync(db, fake).fetched == sync(db, fake).fetched == 0
        fake.world.open("The first one")
        assert sync(db, fake).saved == 1


def test_what_is_there_is_derived_while_the_rest_still_comes(db, fake, monkeypatch):
    monkeypatch.setattr(refresh, "DERIVE_EVERY", 20)
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    judged = []

    def look(progress):
        judged.append(rows(db, "select count(*) from pull_facts")[0][0])

    asked = ["quayside-example/lanternfish"]
    (done,) = refresh.sync(db, asked, Config(), host=fake.url, page_size=10, tell=look)
    assert done.error is None
    assert judged[0] == 0 and 0 < judged[-2] <= 64
    assert rows(db, "select count(*) from pull_facts") == [(64,)]


# 2. Killed and resumed


KILLED = """
import os, signal, sys
sys.path[:0] = {path!r}
from pathlib import Path
from data import checkpoints, collect
from fake_github.samples import REPLIES, error_sample
from sync_cases import QUICK, TOKEN
from data.endpoint import endpoint
from data.github import GitHub
from data.tokens import Token

left = {after}
def save(*arguments, real=checkpoints.save):
    global left
    left -= 1
    if left == 0:  # rows are inserted, nothing is committed
        os.kill(os.getpid(), signal.SIGKILL)
    real(*arguments)
checkpoints.save = save
name = "quayside-example/lanternfish"
collect.sync(Path({db!r}), GitHub(endpoint({url!r}), name, Token(TOKEN, "a test"), QUICK), name, page_size={size})
"""


def run_and_kill(db, fake, after, size=10):
    script = KILLED.format(path=sys.path, db=str(db), url=fake.url, after=after, size=size)
    return subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)


def test_a_run_killed_between_insert_and_commit_resumes_to_the_same_content(db, fake, clean):
    for after in (1, 2, 3):
        done = run_and_kill(db, fake, after)
        assert done.returncode == -signal.SIGKILL, done.stderr
    assert rows(db, "select is_complete, error like 'It was stopped%' from syncs") == [(0, 1)] * 3
    cached = rows(db, "select count(*) from pulls")[0][0]
    assert cached == rows(db, "select n_read from sync_state")[0][0] > 0
    fake.log.clear()
    outcome = sync(db, fake)
    assert outcome.fetched == outcome.declared - cached  # nothing twice
    assert content(db) == clean[0]


def test_a_run_killed_at_random_moments_resumes_to_the_same_content(db, fake, clean):
    fake.add_fault(Fault("POST .*graphql", times=10**6, delay=0.02))
    script = KILLED.format(path=sys.path, db=str(db), url=fake.url, after=0, size=5)
    rng, kills = random.Random(3), 0
    for _ in range(6):
        enough = len(fake.log) + rng.randint(3, 6)  # counted, not timed: machines differ
        process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
        while process.poll() is None and len(fake.log) < enough:
            time.sleep(0.001)
        time.sleep(rng.random() * 0.03)
        if process.poll() is None:
            kills += 1
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
    sync(db, fake)
    assert kills >= 2
    assert content(db) == clean[0]


# 3. Pages that are too heavy


@pytest.mark.parametrize("html", [False, True])
def test_pages_shrink_until_github_manages_and_the_content_is_the_same(db, fake, clean, html):
    fake.set(max_page=20, html_502=html)
    sync(db, fake)
    assert content(db) == clean[0]
    assert rows(db, "select page_size from sync_state") == [(12,)]
    fake.log.clear()
    sync(db, fake)
    assert pages(fake) == 1  # the size that worked is remembered


def test_one_pull_request_that_github_never_gives_in_bulk_comes_by_rest(db, fake, clean):
    number = plain_number(fake)
    fake.set(poison=[number])
    outcome = sync(db, fake)
    assert content(db) == clean[0]
    details = fake.requests(r"GET /repositories/\d+/pulls/\d+$")
    assert [entry.path.rpartition("/")[2] for entry in details] == [str(number)]
    assert [note for note in outcome.notes if f"#{number}" in note]
    assert rows(db, "select page_size from sync_state") >= [(25,)]


def plain_number(fake):
    """Of a pull request in the middle, without a rename, whose source only REST knows."""
    requests = fake.world.repositories[0]["pullRequests"]
    middle = requests[len(requests) // 2 :]
    return next(r["number"] for r in middle if all(file["changeType"] != "RENAMED" for file in r["files"]))


# 4. Changes while it runs


def test_updates_between_pages_are_not_missed(db, fake):
    rng = random.Random(5)
    numbers = [request["number"] for request in fake.world.repositories[0]["pullRequests"]]

    def change(fake, page):
        for number in rng.sample(numbers, 5):
            fake.world.update(number, title=f"Changed on page {page}")
        still_open = [r["number"] for r in fake.world.repositories[0]["pullRequests"] if r["state"] == "OPEN"]
        if still_open:
            fake.world.merge(still_open[0])
        fake.world.open(f"Opened on page {page}")

    fake.set(on_page=change)
    sync(db, fake, page_size=10)
    fake.set(on_page=None)
    sync(db, fake)
    assert rows(db, "select count(*) from pulls") == [(len(fake.world.repositories[0]["pullRequests"]),)]
    assert_equals_a_fresh_fetch(db, fake)


def test_two_pull_requests_of_the_watermarks_very_second_are_both_read(db, fake):
    sync(db, fake)
    (watermark,) = rows(db, "select watermark from sync_state")[0]
    first, second = (request["number"] for request in fake.world.repositories[0]["pullRequests"][:2])
    for number in (first, second):
        fake.world.update(number, at=watermark, title="In that second")
    assert sync(db, fake).saved == 2


def test_an_update_that_showed_late_is_read_within_the_overlap(db, fake):
    sync(db, fake)
    (watermark,) = rows(db, "select watermark from sync_state")[0]
    number = fake.world.repositories[0]["pullRequests"][0]["number"]
    fake.world.update(number, at=collect.earlier(watermark, timedelta(minutes=4)), title="From a slow replica")
    assert sync(db, fake).saved == 1


def test_the_backfill_walks_by_the_moment_of_opening(db, fake):
    sync(db, fake, page_size=10)
    order = [json.loads(entry.body)["variables"]["field"] for entry in fake.requests(GRAPHQL, "query Bulk")]
    assert set(order[:-1]) == {"CREATED_AT"} and order[-1] == "UPDATED_AT"


def test_the_watermark_stays_where_it_was_when_the_delta_is_cut_short(db, fake):
    sync(db, fake)
    (before,) = rows(db, "select watermark from sync_state")
    for request in fake.world.repositories[0]["pullRequests"]:
        fake.world.update(request["number"], title="All new")
    fake.set(date_skew=100)
    fake.add_fault("repo_blocked", "POST .*graphql", body_match="query Bulk", skip=1)
    with pytest.raises(Refused, match="blocked"):
        sync(db, fake, page_size=10)
    assert rows(db, "select watermark from sync_state") == [before]
    assert (
        0
        < rows(db, "select count(*) from pulls where title = 'All new'")[0][0]
        < len(fake.world.repositories[0]["pullRequests"])
    )
    sync(db, fake)
    assert_equals_a_fresh_fetch(db, fake)


def test_the_watermark_follows_githubs_clock(db, fake):
    fake.set(date_skew=-7200)
    sync(db, fake)
    (watermark,) = rows(db, "select watermark from sync_state")[0]
    assert abs(time.time() - 7200 - seconds(watermark)) < 60


def seconds(moment):
    return datetime.fromisoformat(moment).timestamp()


def test_a_thread_resolved_after_the_merge_is_seen_once_a_day(db, fake, monkeypatch):
    thread, request = next(
        (thread, request)
        for request in reversed(fake.world.repositories[0]["pullRequests"])
        for thread in request["reviewThreads"]
        if request["state"] == "MERGED" and not thread["isResolved"]
    )
    monkeypatch.setattr(collect, "REREAD_DAYS", 100_000)
    sync(db, fake)
    thread.update(isResolved=True)
    sync(db, fake)
    unresolved = "select n_unresolved_threads from v_pull_requests where number = ?"
    before = rows(db, unresolved, request["number"])[0][0]
    fake.set(date_skew=90_000)
    fake.log.clear()
    assert sync(db, fake).saved == 1
    assert rows(db, unresolved, request["number"]) == [(before - 1,)]
    fake.log.clear()
    sync(db, fake)
    assert not fake.requests("POST", "query Again")


# 6. Whatever GitHub answers instead


GRAPHQL = "POST .*graphql"
PERMANENT = {
    "not_found": "shows no repository quayside-example/lanternfish to this token",
    "bad_token": r"does not accept the token \(Bad credentials\)",
    "token_lacks_permission": r"lacks a permission .* Pull requests: read",
    "sso_required": r"single sign-on\. Open https://github\.example/orgs/harbor-example/sso and authorize",
    "repo_missing_or_hidden": "shows no repository",
    "repo_blocked": r"has blocked quayside-example/lanternfish for legal reasons \(dmca\)",
    "search_past_1000": "Only the first 1000 search results are available",
}
PASSING = (
    "rate_limited_primary",
    "rate_limited_primary_variant",
    "secondary_403_retry_after",
    "secondary_200",
    "resource_limits",
    "node_limit",
    "timeout_502_json",
    "timeout_502_html",
    "forbidden_partial",
    "field_unavailable_partial",
    "primary_limit",
    "secondary_limit_retry_after",
    "secondary_limit_429",
    "secondary_limit_429_no_header",
    "bad_gateway",
)


def test_every_failure_of_the_samples_has_its_test():
    names = {sample["name"] for file in ("graphql_errors.json", "rest_errors.json") for sample in load(file)}
    assert names == {*PERMANENT, *PASSING, "repo_renamed", "undefined_field_ghes"}


@pytest.mark.parametrize("name", PASSING)
def test_a_failure_that_passes_leaves_the_same_content(db, fake, clean, name, monkeypatch):
    waits = []
    for match, body in ((GRAPHQL, "query Bulk"), (GRAPHQL, "query Repository"), ("GET /repos/", "")):
        is_rest_only = match.startswith("GET") and name in {s["name"] for s in load("graphql_errors.json")}
        is_of_a_page = name.endswith("_partial") and body != "query Bulk"
        if not is_rest_only and not is_of_a_page:
            fake.add_fault(name, match, body_match=body)
    client = github(fake, on_wait=lambda *wait: waits.append(wait), sleep=lambda seconds: None)
    monkeypatch.setattr(client, "on_wait", lambda *wait: waits.append(wait))
    client.patience = type(QUICK)(timeout=5, max_wait=100_000, backoff=0.01)
    collect.sync(db, client, "quayside-example/lanternfish")
    assert content(db) == clean[0]
    assert rows(db, "select is_complete, error from syncs") == [(1, None)]


@pytest.mark.parametrize("name", PERMANENT)
@pytest.mark.parametrize("skip", [0, 1])
def test_a_failure_that_lasts_is_one_sentence_and_stores_no_empty_result(db, fake, name, skip):
    sync(db, fake, page_size=10)
    before = digest(db)
    for request in fake.world.repositories[0]["pullRequests"][:30]:
        fake.world.update(request["number"], title="New")
    is_graphql = name == "not_found"
    where = {"match": GRAPHQL, "body_match": "query Bulk"} if is_graphql or skip else {"match": "GET /repos/"}
    fake.add_fault(name, skip=skip, times=10**6, **where)
    with pytest.raises(Refused, match=PERMANENT[name]) as raised:
        sync(db, fake, page_size=10)
    assert "\n" not in str(raised.value) and str(raised.value).endswith(".")
    assert rows(db, "select count(*) from pulls") == [(len(fake.world.repositories[0]["pullRequests"]),)]
    if skip == 0:
        assert digest(db) == before
    else:
        assert 0 < rows(db, "select count(*) from pulls where title = 'New'")[0][0] < 30
        assert rows(db, "select is_complete, error from syncs order by id desc limit 1") == [(0, str(raised.value))]
    fake.faults.clear()
    sync(db, fake)
    assert_equals_a_fresh_fetch(db, fake)


def test_what_the_token_may_not_read_stays_unknown_and_is_named_once(db, fake):
    fake.set(forbid=["*.requestedReviewer", "*.closingIssuesReferences", "*.inGithub"])
    outcome = sync(db, fake)
    assert outcome.fetched == outcome.declared
    assert rows(db, "select count(*) from codeowners") == [(0,)]
    assert rows(db, "select count(*), count(reviewer) from v_events where kind = 'review_requested'")[0][1] == 0
    for permission in ("Members: read", "Issues: read", "Contents: read"):
        assert sum(permission in note for note in outcome.notes) == 1


def test_code_owners_that_are_gone_are_gone_here(db, fake):
    sync(db, fake)
    fake.world.repositories[0]["texts"].clear()
    sync(db, fake)
    assert rows(db, "select count(*) from codeowners") == [(0,)]


def test_a_host_without_graphql_may_keep_the_contents_from_the_token(db, fake):
    fake.set(graphql_off=True)
    fake.add_fault("token_lacks_permission", "GET .*/(contents|tags|releases)", times=100)
    outcome = sync(db, fake)
    assert outcome.fetched == outcome.declared
    assert sum("lacks a permission" in note for note in outcome.notes) == 1


def test_what_was_known_survives_a_token_that_may_read_less(db, fake):
    sync(db, fake)
    owners = rows(db, "select * from codeowners")
    fake.set(forbid=["*.inGithub", "*.milestone", "*.labels"])
    milestones = rows(db, "select count(milestone) from pulls")
    labels = rows(db, "select count(*) from labels")
    sync(db, fake, full=True)
    assert (owners, milestones) == (
        rows(db, "select * from codeowners"),
        rows(db, "select count(milestone) from pulls"),
    )
    assert rows(db, "select count(*) from labels") == labels


def test_files_that_graphql_cannot_tell_come_by_rest(db, fake, clean):
    number = plain_number(fake)
    fake.set(unavailable={number: ["files"]})
    sync(db, fake)
    assert content(db) == clean[0]
    assert [entry.path.split("?")[0] for entry in fake.requests("GET /repositories")] == [
        f"/repositories/{fake.world.repositories[0]['databaseId']}/pulls/{number}/files"
    ]


# 7. Limits


def waits_between(fake, match=GRAPHQL):
    times = [entry.at for entry in fake.requests(match)]
    return [later - earlier for earlier, later in pairwise(times)]


def test_retry_after_is_waited_for_and_announced(db, fake, clean):
    told = []
    fake.add_fault("secondary_limit_retry_after", GRAPHQL, body_match="query Bulk")
    sync(db, fake, tell=told.append)
    assert any(1 <= wait < 2 for wait in waits_between(fake))
    announced = [progress for progress in told if progress.waiting_until]
    assert len(announced) == 1 and "secondary rate limit" in announced[0].why
    assert content(db) == clean[0]


def test_a_429_without_a_header_is_waited_for_a_while_that_doubles(db, fake, clean):
    fake.add_fault("secondary_limit_429_no_header", GRAPHQL, times=2)
    waits = []
    client = github(fake, sleep=waits.append)
    client.patience = type(QUICK)(timeout=5, max_wait=900)
    collect.sync(db, client, "quayside-example/lanternfish")
    assert waits == [60, 120]
    assert content(db) == clean[0]


def test_a_primary_limit_that_resets_soon_is_waited_for(db, fake, clean):
    fake.set(limit=6, reset_in=2)
    sync(db, fake)
    assert any(wait >= 1 for wait in waits_between(fake, ""))
    assert content(db) == clean[0]


def test_a_limit_that_resets_late_stops_the_run_with_a_checkpoint(db, fake, clean):
    told = []
    fake.add_fault("rate_limited_primary", GRAPHQL, skip=3)
    fake.exhaust("search", 0)
    fake.set(reset_in=2000)
    began = time.monotonic()
    with pytest.raises(LimitReached, match=r"^GitHub's rate limit is used up until \d\d:\d\d UTC") as raised:
        sync(db, fake, page_size=10, tell=told.append)
    assert time.monotonic() - began < 5
    assert 1900 < seconds(raised.value.back_at) - time.time() < 2100
    stored = rows(db, "select n_read from sync_state")[0][0]
    assert 0 < stored < 64
    assert f"{stored} of 64 pull requests are stored; run the same command again then" in str(raised.value)
    assert not [progress for progress in told if progress.waiting_until]
    sync(db, fake)
    assert content(db) == clean[0]


def test_some_of_the_allowance_is_left_to_others(db, fake):
    fake.set(limit=5000, reset_in=2000)
    fake.gate.buckets["graphql"].used = 4810
    with pytest.raises(LimitReached, match="used up until"):
        sync(db, fake)
    assert fake.gate.buckets["graphql"].remaining > 150


# 8. Names that change


def test_a_rename_a_transfer_and_another_case_leave_one_repository(db, fake, clean):
    def rename(fake, page):
        if page == 2:
            fake.world.rename("anglerfish")

    fake.set(on_page=rename)
    sync(db, fake, "quayside-example/lanternfish", page_size=10)
    fake.set(on_page=None)
    sync(db, fake, "QUAYSIDE-example/Lanternfish")
    fake.world.transfer("harbor-example")
    fake.world.update(fake.world.repositories[0]["pullRequests"][0]["number"], title="After the move")
    outcome = sync(db, fake, "quayside-example/anglerfish")
    assert outcome.repo == "harbor-example/anglerfish"
    assert rows(db, "select name, github_id from repositories") == [
        ("harbor-example/anglerfish", fake.world.repositories[0]["databaseId"])
    ]
    names = rows(db, "select key from repository_names order by key")
    assert [name for (name,) in names] == [
        "harbor-example/anglerfish",
        "quayside-example/anglerfish",
        "quayside-example/lanternfish",
    ]
    assert rows(db, "select count(*) from pulls") == [(len(fake.world.repositories[0]["pullRequests"]),)]


# 9. Many files


def test_143_files_are_143_rows_and_of_3200_the_first_3000(db):
    repo = fewer_files(generate(12, biggest=3200), most=3200)
    repo["pullRequests"][2]["files"] = repo["pullRequests"][6]["files"][:143]
    repo["pullRequests"][2].update(changedFiles=143)
    biggest = max(repo["pullRequests"], key=lambda request: request["changedFiles"])
    with FakeGitHub(repo) as fake:
        outcome = sync(db, fake)
    count = "select count(*) from v_files where number = ?"
    known = "select files_complete, changed_files, additions from pulls where number = ?"
    assert rows(db, count, biggest["number"]) == [(3000,)]
    assert rows(db, known, biggest["number"]) == [(0, 3200, biggest["additions"])]
    assert outcome.incomplete == [biggest["number"]]
    assert any(f"#{biggest['number']}" in note for note in outcome.notes)
    number = repo["pullRequests"][2]["number"]
    assert rows(db, count, number) == [(143,)] or repo["pullRequests"][2] is biggest
    assert rows(db, known, number)[0][0] == 1


# 11. Enterprise


@pytest.mark.parametrize("path", ["/api/v3", "/api/v3/"])
def test_an_enterprise_address_finds_both_interfaces(db, fake, clean, path):
    sync(db, fake, url=fake.url + path)
    assert content(db) == clean[0]
    assert {entry.path.split("?")[0] for entry in fake.requests("POST")} == {"/api/graphql"}


def test_fields_that_an_old_host_lacks_stay_unknown(db, fake):
    fake.set(removed_fields=["PullRequest.reviewDecision", "PullRequest.closingIssuesReferences", "User.name"])
    outcome = sync(db, fake, url=fake.enterprise_url)
    assert outcome.fetched == outcome.declared
    assert rows(db, "select count(review_decision) from pulls") == [(0,)]
    assert rows(db, "select count(*) > 0 from v_reviews") == [(1,)]
    assert any("reviewDecision" in note for note in outcome.notes)


def test_a_field_is_dropped_as_the_refusal_names_it(db, fake):
    refusal = json.dumps(error_sample("undefined_field_ghes")["body"]).replace("fullDatabaseId", "reviewDecision")
    fake.add_fault(Fault(GRAPHQL, "query Bulk", status=200, body=json.loads(refusal)))
    outcome = sync(db, fake)
    assert outcome.fetched == outcome.declared
    assert not [entry for entry in fake.requests(GRAPHQL, "query Bulk")[1:] if "reviewDecision" in entry.body]
    assert rows(db, "select count(review_decision) from pulls") == [(0,)]


def test_a_host_without_limits_is_read_as_any_other(db, fake, clean):
    fake.set(rate_limiting=False)
    sync(db, fake, url=fake.enterprise_url)
    assert content(db) == clean[0]


def test_a_host_without_graphql_is_read_by_rest(db, fake, clean):
    fake.set(graphql_off=True)
    outcome = sync(db, fake)
    assert outcome.fetched == outcome.declared == len(fake.world.repositories[0]["pullRequests"])
    assert any("has no GraphQL" in note for note in outcome.notes)
    found = content(db)
    for table in ("reviews", "events", "labels", "codeowners", "tags", "releases", "weeks", "months"):
        assert found[table] == clean[0][table], table
    assert rows(db, "select count(threads_known) from pulls") == [(0,)]
    assert rows(db, "select count(old_path) > 0 from v_files") == [(1,)]  # which only REST tells
    fake.log.clear()
    assert sync(db, fake).saved == 0
    assert len(fake.requests("GET")) <= 10
    fake.world.update(plain_number(fake), title="New")
    assert sync(db, fake).saved == 1


def test_rest_tells_what_patches_do_and_of_which_files_it_has_none(db, fake):
    fake.set(graphql_off=True)
    pull = next(pull for pull in fake.world.repositories[0]["pullRequests"] if pull["state"] == "MERGED")
    todo = nodes.changed_file("a.py", 1, 0, "ADDED", patch="@@ -0,0 +1 @@\n+# TODO: light")
    fake.world.update(pull["number"], files=[todo, nodes.changed_file("b.png", 0, 0, "ADDED")])
    sync(db, fake)
    ask = "select kind, path, line, detail, patches_known from pulls left join signals on pulls.id = pull_id"
    ask += " left join paths on paths.id = path_id where number = ?"
    assert rows(db, ask, pull["number"]) == [("todo", "a.py", 1, "TODO", 1)]
    fake.world.update(pull["number"], files=[nodes.changed_file("a.py", 9000, 0, "ADDED")])  # too large for a patch
    sync(db, fake)
    assert rows(db, ask, pull["number"]) == [("todo", "a.py", 1, "TODO", 1)]  # what was merged changes no more


def test_a_host_without_graphql_resumes_too(db, fake):
    fake.set(graphql_off=True)
    fake.add_fault("repo_blocked", "GET .*/pulls/.*/files", skip=40)
    with pytest.raises(Refused):
        sync(db, fake)
    fake.log.clear()
    sync(db, fake)
    n_details = len(fake.requests(r"GET .*/pulls/\d+$"))
    assert n_details == len(fake.world.repositories[0]["pullRequests"]) - 25
    assert_equals_a_fresh_fetch(db, fake)


# 12. Connections that break


@pytest.mark.parametrize(
    "fault", [{"drop": True}, {"truncate": True}, {"delay": 3.0}], ids=["dropped", "truncated", "late"]
)
def test_a_connection_that_breaks_is_tried_again_and_nothing_half_is_stored(db, fake, clean, fault):
    fake.add_fault(Fault(GRAPHQL, "query Bulk", skip=1, **fault))
    fake.add_fault(Fault("GET /repos/", **fault))
    patience = type(QUICK)(timeout=1, backoff=0.01)
    sync(db, fake, page_size=10, patience=patience)
    assert content(db) == clean[0]


def test_a_host_that_keeps_failing_is_given_up_with_a_checkpoint(db, fake, clean):
    fake.add_fault(Fault(GRAPHQL, skip=2, times=10**6, status=502, raw="<html>502</html>"))
    with pytest.raises(
        Unavailable, match=r"answered with HTTP 502, 6 times in a row\. 10 of 64 pull requests are stored;"
    ):
        sync(db, fake, page_size=10)
    assert rows(db, "select n_read from sync_state") == [(10,)]
    fake.faults.clear()
    sync(db, fake)
    assert content(db) == clean[0]


# 10. One person in every spelling; the same pull requests from every source


@pytest.fixture
def samples():
    with FakeGitHub(from_fixtures()) as fake:
        yield fake


def three_ways(tmp_path, samples):
    """The caches of the sample pull requests as GraphQL, REST and `gh` tell them."""
    caches = {way: tmp_path / f"{way}.db" for way in ("graphql", "rest", "gh")}
    sync(caches["graphql"], samples)
    samples.set(graphql_off=True)
    sync(caches["rest"], samples)
    repo = samples.world.repositories[0]["nameWithOwner"]
    refresh.import_gh(caches["gh"], repo, REPLIES / "gh_pr_list.json", Config())
    return caches


def test_three_sources_give_the_rows_that_the_samples_expect(tmp_path, samples):
    sees = {"graphql": "graphql_all", "rest": "rest_all", "gh": "gh_pr_list"}
    knows = {"graphql": "graphql", "rest": "rest", "gh": "gh_pr_list"}
    columns = "merged_by, created_at, merged_at, additions, deletions, changed_files"
    for way, db in three_ways(tmp_path, samples).items():
        for expected in load("expected_rows.json"):
            of = expected["number"]
            found = rows(db, f"select author, author_type, {columns}, labels from v_pull_requests where number = ?", of)
            author, kind = expected["author"] or "ghost", expected["author_kind"].replace("user", "human")
            plain = [expected[column] for column in columns.split(", ")]
            assert found == [(author, kind, *plain, json.dumps(sorted(expected["labels"])).replace(", ", ","))], way
            files = dict(rows(db, "select path, old_path from v_files where number = ?", of))
            assert len(files) == expected["files_seen"][sees[way]]
            for old, new in expected["renames"]:
                assert files[new] == (old if expected["rename_source_known"][knows[way]] else None), way
            first = "select min(submitted_at) from v_reviews where number = ? and reviewer_type = 'human'"
            assert rows(db, first, of) == [(expected["first_review_by_known_user_at"],)]
            n_open = expected["unresolved_threads"] if way == "graphql" else None  # which it alone knows
            assert rows(db, "select n_unresolved_threads from v_pull_requests where number = ?", of) == [(n_open,)]


SAME_IN_ALL = {
    "pulls": "select number, title, body, url, state, is_draft, author, author_type, merged_by, created_at, merged_at,"
    " closed_at, updated_at, base, head, additions, deletions, changed_files, labels, milestone, merge_commit"
    " from v_pull_requests order by number",
    "reviews": "select number, reviewer, reviewer_type, state, submitted_at from v_reviews order by 1, submitted_at",
    "files": "select number, path, additions, deletions from v_files where number <> 101 order by number, path",
}
SAME_ON_GITHUB = {  # `gh` does not tell these
    "all files": "select number, path, status, additions, deletions from v_files order by number, path",
    "events": "select number, kind, at, actor, reviewer, team from v_events order by number, at, kind",
    "counts": "select number, ready_at, n_comments, n_commits, files_complete from v_pull_requests order by number",
    "people": "select login, type from people order by login",
}


def test_three_sources_give_equal_rows_but_for_what_each_cannot_know(tmp_path, samples):
    caches = three_ways(tmp_path, samples)
    for name, sql in (SAME_IN_ALL | SAME_ON_GITHUB).items():
        told = {way: rows(db, sql) for way, db in caches.items()}
        assert told["graphql"] == told["rest"] != [], name
        assert name in SAME_ON_GITHUB or told["graphql"] == told["gh"], name


def test_a_source_after_another_changes_no_row_but_fills_gaps(tmp_path, samples):
    db = tmp_path / "all.db"
    repo = samples.world.repositories[0]["nameWithOwner"]
    refresh.import_gh(db, repo, REPLIES / "gh_pr_list.json", Config())
    move_to_host_of(samples, db)
    assert rows(db, "select files_complete from pulls where number = 101") == [(0,)]
    sync(db, samples)
    complete = content(db)
    assert rows(db, "select files_complete from pulls where number = 101") == [(1,)]
    source = fetch_gh(REPLIES / "gh_pr_list.json")
    with cache.writing(db) as database:
        store.save_import(database.conn, repo, source, host=endpoint(samples.url).host)
    assert content(db)["files"] == complete["files"]
    assert content(db)["reviews"] == complete["reviews"]
    assert content(db)["labels"] == complete["labels"]
    assert rows(db, "select count(*) from repositories") == [(1,)]


def test_a_clone_after_a_sync_adds_what_files_were_called_before(db, fake):
    requests = fake.world.repositories[0]["pullRequests"]
    renamed = next(r for r in requests if any(file["changeType"] == "RENAMED" for file in r["files"]))
    sync(db, fake)
    told = [make_file("docs/lights.md", old_path="docs/light.md", status="renamed")]
    with cache.writing(db) as database:
        source = Source("clone", iter([make_pull(renamed["number"], title="As in git", files=told)]))
        store.save_import(database.conn, "quayside-example/lanternfish", source, host=endpoint(fake.url).host)
    found = rows(db, "select path, old_path from v_files where number = ? and old_path is not null", renamed["number"])
    assert found == [("docs/lights.md", "docs/light.md")]
    assert rows(db, "select count(*) from v_files where number = ?", renamed["number"]) == [(renamed["changedFiles"],)]


def move_to_host_of(fake, db):
    """Imports are of github.com; the fake is another host."""
    with closing(sqlite3.connect(db)) as connection, connection:
        for table in ("repositories", "repository_names", "people", "people_names"):
            connection.execute(f"update {table} set host = ?", (endpoint(fake.url).host,))


def test_bots_and_ghosts_are_one_person_each(db, fake):
    sync(db, fake)
    fake.set(graphql_off=True)
    sync(db, fake, full=True)
    doubled = rows(db, "select lower(login) from people group by lower(login) having count(*) > 1")
    assert doubled == []
    assert rows(db, "select login from people where login like '%[bot]%' or login like 'app/%'") == []
    assert rows(db, "select type from people where login = 'pin-raiser-example'") == [("bot",)]
    assert rows(db, "select type, count(*) from people where login = 'ghost'") == [("ghost", 1)]


# What a clone knew before


def test_the_source_of_a_rename_that_a_clone_knew_is_kept(db, fake):
    requests = fake.world.repositories[0]["pullRequests"]
    renamed = next(r for r in requests if any(file["changeType"] == "RENAMED" for file in r["files"]))
    told = [make_file("docs/lights.md", old_path="docs/light.md", status="renamed")]
    clone = make_pull(renamed["number"], files=told, merge_method="squash")
    save(db, [clone], kind="clone", repo="quayside-example/lanternfish")
    move_to_host_of(fake, db)
    sync(db, fake)
    assert rows(db, "select count(*) from repositories") == [(1,)]
    assert rows(db, "select old_path from v_files where number = ? and status = 'renamed'", renamed["number"]) == [
        ("docs/light.md",)
    ]
    assert rows(db, "select merge_method from pulls where number = ?", renamed["number"]) == [("squash",)]


def test_a_pull_request_that_loses_things_on_github_loses_them_here(db, fake):
    requests = fake.world.repositories[0]["pullRequests"]
    request = next(r for r in requests if r["milestone"] and r["reviews"] and r["state"] == "CLOSED")
    gone = {"milestone": None, "reviewDecision": None, "files": request["files"][:1], "changedFiles": 1}
    sync(db, fake)
    fake.world.reopen(request["number"])
    fake.world.update(request["number"], **gone)
    sync(db, fake)
    found = "select state, closed_at, milestone, review_decision, changed_files from pulls where number = ?"
    assert rows(db, found, request["number"]) == [("open", None, None, None, 1)]
    assert rows(db, "select count(*) from v_files where number = ?", request["number"]) == [(1,)]
    assert_equals_a_fresh_fetch(db, fake)


def test_an_answer_that_is_older_than_what_is_stored_changes_nothing(db, fake):
    sync(db, fake)
    number = fake.world.repositories[0]["pullRequests"][0]["number"]
    fake.world.update(number, title="Of today")
    sync(db, fake)
    fake.world.update(number, at="2026-06-01T00:00:00Z", title="From a stale copy of GitHub's")
    sync(db, fake, full=True)
    assert rows(db, "select title from pulls where number = ?", number) == [("Of today",)]


def test_the_cache_tells_how_far_a_sync_is_and_what_it_lacks(db):
    with FakeGitHub(generate(12, biggest=3200)) as fake:
        sync(db, fake)
        biggest = max(fake.world.repositories[0]["pullRequests"], key=lambda request: request["changedFiles"])
    with cache.reading(db) as connection:
        (state,) = frames.rows(queries.sync_states(connection))
    assert (state["phase"], state["n_read"], state["n_declared"], state["n_cached"]) == ("delta", 12, 12, 12)
    assert (json.loads(state["incomplete"]), state["quota"]) == ([biggest["number"]], 5000)
    assert 0 < state["quota_left"] < 5000 and state["quota_resets_at"] > state["watermark"]


# Before it begins


@pytest.mark.parametrize("options", [{}, {"since": "2026-06-17T00:00:00Z"}, {"graphql_off": True}], ids=str)
def test_a_dry_run_tells_calls_and_minutes_within_a_fifth(db, options):
    with FakeGitHub(fewer_files(generate(60, biggest=500), most=500)) as fake:
        fake.set(graphql_off=bool(options.pop("graphql_off", False)))
        sync(db.with_name("warm.db"), fake, **options)  # the fake is slow with a query that it never saw
        delay = 0.05 if fake.switches.graphql_off else 0.4  # beside which the noise of a busy machine is small
        fake.add_fault(Fault("(GET|POST)", times=10**6, delay=delay))
        told = estimate(db, github(fake), "quayside-example/lanternfish", **options)
        assert not db.exists()
        fake.log.clear()
        began = time.monotonic()
        outcome = sync(db, fake, **options)
        took = (time.monotonic() - began) / 60
        assert told.pulls == outcome.fetched
        assert abs(told.calls - len(fake.log)) <= 0.2 * len(fake.log)
        assert abs(told.points - sum(entry.cost for entry in fake.log)) <= max(4, 0.2 * told.points)
        assert abs(told.minutes - took) <= 0.2 * took
        again = estimate(db, github(fake), "quayside-example/lanternfish", **options)
        assert (again.pulls, again.calls <= 10) == (0, True)


def test_a_dry_run_counts_the_hours_that_the_allowance_takes(db, fake):
    fake.set(limit=30, reset_in=3600)
    fake.gate.buckets["graphql"].used = 20
    told = estimate(db, github(fake), "quayside-example/lanternfish")
    assert told.remaining < 30 and told.minutes > 50


# On the command line


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs `merge-window` in a process of its own, as people do."""

    def run(*arguments, **environment):
        known = {**os.environ, "MERGE_WINDOW_DB": str(tmp_path / "cache.db"), "GITHUB_TOKEN": TOKEN} | environment
        command = [sys.executable, "-m", "dashboard.cli", "sync", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, env=known, cwd=ROOT, timeout=120)

    return run


def test_the_command_fills_the_cache_derives_and_says_so(run, db, fake):
    done = run("quayside-example/lanternfish", "--host", fake.url)
    total = len(fake.world.repositories[0]["pullRequests"])
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        f"quayside-example/lanternfish: {total} pull requests read of {total} on GitHub, {total} new or changed\n"
    )
    assert "a minute" in done.stderr and "quota" in done.stderr
    assert rows(db, "select count(*) from pull_facts") == [(total,)]
    assert TOKEN not in done.stdout + done.stderr
    assert TOKEN.encode() not in db.read_bytes()


def test_one_repository_that_fails_does_not_stop_the_others(run, db, fake):
    done = run("quayside-example/none", "quayside-example/lanternfish", "--host", fake.url)
    assert done.returncode == 1
    assert "lanternfish: " in done.stdout
    assert "quayside-example/none: 127.0.0.1" in done.stderr and "Traceback" not in done.stderr
    assert rows(db, "select count(*) from pulls") == [(len(fake.world.repositories[0]["pullRequests"]),)]


def test_a_dry_run_of_the_command_stores_nothing(run, db, fake):
    done = run("quayside-example/lanternfish", "--host", fake.url, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "64 pull requests to read in" in done.stdout and "points of" in done.stdout
    assert not db.exists()


def test_the_command_without_a_token_or_with_a_wrong_option_says_what_is_wrong(run, fake):
    bare = {"GITHUB_TOKEN": "", "GH_TOKEN": "", "PATH": "/nowhere"}
    done = run("quayside-example/lanternfish", **bare)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "There is no token for github.com" in done.stderr
    for wrong in (["nonsense"], ["a/b", "--wait", "long"], ["a/b", "--page-size", "500"]):
        assert run(*wrong).returncode == 2
    assert run("a/b", "--since", "May").stderr == "'May' is no date. Write it like 2026-05-04.\n"


def test_a_wait_that_is_too_long_ends_the_command_with_a_sentence(run, db, fake):
    fake.add_fault("rate_limited_primary", GRAPHQL, skip=3)
    fake.set(reset_in=2000)
    done = run("quayside-example/lanternfish", "--host", fake.url, "--wait", "1", "--page-size", "10")
    assert done.returncode == 1
    assert "used up until" in done.stderr and "run the same command again" in done.stderr
    assert 0 < rows(db, "select count(*) from pull_facts")[0][0] < 64


def test_a_command_that_is_interrupted_goes_on_where_it_was(run, db, fake, clean):
    fake.add_fault(Fault(GRAPHQL, times=10**6, delay=0.2))
    environment = {**os.environ, "MERGE_WINDOW_DB": str(db), "GITHUB_TOKEN": TOKEN}
    command = [sys.executable, "-m", "dashboard.cli", "sync", "quayside-example/lanternfish", "--host", fake.url]
    process = subprocess.Popen(
        [*command, "--page-size", "5"], env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    while not (db.exists() and pages(fake) > 3):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1 and "Stopped" in said and "Traceback" not in said
    cached = rows(db, "select count(*) from pulls")[0][0]
    assert 0 < cached < 64
    fake.faults.clear()
    done = run("quayside-example/lanternfish", "--host", fake.url)
    assert f"{64 - cached} pull requests read" in done.stdout
    assert content_without_derived(db) == without_derived(clean[0])


def content_without_derived(db):
    return without_derived(content(db))


def without_derived(told):
    return {name: lines for name, lines in told.items() if name != "pulls"}


def test_the_cache_reaches_to_where_github_was_asked(db, fake):
    sync(db, fake)
    ((covered, watermark),) = rows(
        db, "select covered_until, watermark from repositories join sync_state on id = repository_id"
    )
    assert covered == watermark


def test_what_a_token_may_no_longer_read_stays_as_it_is_known(db, fake):
    sync(db, fake)
    before = {name: content(db)[name] for name in ("events", "links")}
    fake.set(forbid=["*.closingIssuesReferences", "*.requestedReviewer"])
    sync(db, fake, full=True)
    assert {name: content(db)[name] for name in before} == before
    assert before["events"] and before["links"]


def test_a_dry_run_shrinks_its_pages_as_the_sync_does(tmp_path):
    with FakeGitHub(small(150), max_page=20) as fake:
        told = estimate(tmp_path / "cache.db", github(fake), fake.world.repositories[0]["nameWithOwner"])
        fake.log.clear()
        sync(tmp_path / "cache.db", fake)
        happened = n_queries(fake)
    assert abs(told.calls - happened) <= 0.2 * happened, (told.calls, happened)


def test_a_bounded_sync_says_so_every_time(db, fake):
    for since in ("2026-05-01T00:00:00Z", None):
        outcome = sync(db, fake, since=since)
        assert any("opened before 2026-05-01 were not asked for" in note for note in outcome.notes)
