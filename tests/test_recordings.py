"""Our reader on answers that the real GitHub gave: the recordings in PyGithub's source package.

They are not ours to copy (LGPL): `make recordings` downloads that package and names its folder of recordings in
MERGE_WINDOW_RECORDINGS; without it these tests are skipped. A server on loopback gives the answers, so that the whole
way is real but for GitHub itself.
"""

import ast
import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
from sync_cases import QUICK, TOKEN, rows

from data import collect, github_words
from data.endpoint import endpoint
from data.errors import LimitReached, Refused, Unavailable
from data.github import GitHub, Patience
from data.tokens import Token

FOLDER = "MERGE_WINDOW_RECORDINGS"
REAL = "https://api.github.com"
OURS = "PyGithub/PyGithub", 3544490  # the repository that most recordings are of
# What holds for a connection or a coding that is not the one replayed
OF_THE_WIRE = {"connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"}
PULL_DETAIL = re.compile(r"^GET\napi\.github\.com\nNone\n(/repos/[^/\n]+/[^/\n]+/pulls/\d+)\n.*\nNone\n200\n", re.M)


@pytest.fixture(scope="module")
def recordings() -> Path:
    folder = os.environ.get(FOLDER)
    if not folder:
        pytest.skip(f"{FOLDER} names no folder with PyGithub's recordings; `make recordings` downloads them")
    return Path(folder)


class Exchange(NamedTuple):
    verb: str
    path: str  # without what was asked for: recordings were made with other page sizes than ours
    status: int
    headers: list[tuple[str, str]]
    body: str


def exchanges(file: Path) -> list[Exchange]:
    """What a recording holds: ten lines and a blank for each request and its answer."""
    lines = file.read_text(encoding="utf-8").split("\n")
    found = []
    for start in range(0, len(lines) - 9, 11):
        _scheme, verb, _host, _port, target, _headers, _sent, status, headers, body = lines[start : start + 10]
        found.append(Exchange(verb, urlsplit(target).path, int(status), ast.literal_eval(headers), body))
    return found


class Player(BaseHTTPRequestHandler):
    """Gives each path's answers in their order, the last one from then on; what was not recorded is not there."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    answers: dict[tuple[str, str], list[Exchange]]
    empty: tuple[str, ...]

    def do_GET(self) -> None:
        self._play()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._play()

    def _play(self) -> None:
        name, number = OURS
        target = urlsplit(self.path)
        path = target.path.replace(f"/repositories/{number}/", f"/repos/{name}/")
        is_past = int(parse_qs(target.query).get("page", ["1"])[0]) > 1  # only first pages were recorded
        recorded = self.answers.get((self.command, path))
        if path in self.empty or (recorded and is_past):
            self._send(Exchange(self.command, path, 200, [], "[]"))
        elif recorded:
            self._send(recorded.pop(0) if len(recorded) > 1 else recorded[0])
        else:
            self._send(Exchange(self.command, path, 404, [], '{"message": "Not Found"}'))

    def _send(self, exchange: Exchange) -> None:
        base = f"http://{self.headers['Host']}"
        body = exchange.body.replace(REAL, base).encode()
        self.send_response_only(exchange.status)  # the date is the recording's
        for name, value in exchange.headers:
            if name.lower() not in OF_THE_WIRE:
                self.send_header(name, str(value).replace(REAL, base))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def replay(files: list[Path], what: str = OURS[0], *, empty: tuple[str, ...] = (), **more: Any) -> Iterator[GitHub]:
    """A client of a server that plays recordings.

    Args:
        files: the recordings.
        what: the repository asked for.
        empty: paths of lists that were not recorded, and shall be empty.
        more: for the client.
    """
    answers: dict[tuple[str, str], list[Exchange]] = {}
    for exchange in (each for file in files for each in exchanges(file)):
        answers.setdefault((exchange.verb, exchange.path), []).append(exchange)
    player = type("Player", (Player,), {"answers": answers, "empty": empty})
    with ThreadingHTTPServer(("127.0.0.1", 0), player) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            address = endpoint(f"http://127.0.0.1:{server.server_port}")
            yield GitHub(address, what, Token(TOKEN, "a test"), **{"patience": QUICK, **more})
        finally:
            server.shutdown()
            thread.join()


def files_of(recordings: Path, *names: str) -> list[Path]:
    return [recordings / f"{name}.txt" for name in names]


# Pull requests


def test_a_sync_by_rest_stores_a_real_pull_request_with_all_its_files(recordings, tmp_path):
    files = files_of(
        recordings,
        "PullRequest.setUp",  # the repository, and #31
        "Repository.testGetPullsWithArguments",  # the list: #39, #32, #31
        "PullRequest.testGetFiles",
        "PullRequest.testGetIssueTimeline",
        "RequesterThrottleTestCase.testDeferRequests",  # releases
    )
    name = OURS[0]
    lists = f"/repos/{name}/tags", f"/repos/{name}/pulls/31/reviews"
    db = tmp_path / "cache.db"
    with replay(files, empty=lists) as github:
        outcome = collect.sync(db, github, name)
    assert (outcome.repo, outcome.fetched, outcome.incomplete) == (name, 1, [])  # the others' details: not recorded
    assert any("has no GraphQL" in note for note in outcome.notes)

    pull = (
        "select number, state, author, merged_by, merged_at, additions, deletions, changed_files from v_pull_requests"
    )
    assert rows(db, pull) == [(31, "merged", "jacquev6", "jacquev6", "2012-05-27T10:29:07Z", 511, 384, 45)]
    told = "select count(*), sum(additions), sum(deletions), group_concat(distinct status) from v_files"
    assert rows(db, told) == [(45, 511, 384, "modified,added")]
    assert rows(db, "select kind, at, actor from v_events") == [("closed", "2012-05-27T10:29:07Z", "jacquev6")]
    assert rows(db, "select count(*), count(distinct tag) from releases") == [(10, 10)]


def test_a_list_where_one_head_has_no_user_is_read_in_full(recordings):
    repo = "openmicroscopy/ome-documentation"
    files = files_of(recordings, "Issue131.testGetPullsWithOrgHeadUser", "Issue131.testGetPullWithOrgHeadUser")
    with replay(files, repo) as github:
        listed = list(github.every(f"/repos/{repo}/pulls", state="closed"))
        detail = github.get(f"/repos/{repo}/pulls/204").body
    assert [item["number"] for item in listed if item["head"]["user"] is None] == [204]

    records = [github_words.from_rest(item, repo, files=None, reviews=None, timeline=None) for item in listed]
    assert len({record["number"] for record in records}) == 30
    assert {record["state"] for record in records} == {"closed", "merged"}
    assert all(record["author"]["type"] == "human" for record in records)
    whole = github_words.from_rest(detail, repo, files=None, reviews=None, timeline=None)
    assert (whole["number"], whole["state"], whole["deletions"]) == (204, "merged", 6)
    assert "files" not in whole  # not told is not none


def test_reviews_come_with_reviewer_state_and_moment(recordings):
    files = files_of(recordings, "PullRequestReview.testDoesNotModifyPullRequest", "PullRequestReview.testAttributes")
    with replay(files) as github:
        path = f"/repos/{OURS[0]}/pulls/538"
        detail, reviews = github.get(path).body, list(github.every(f"{path}/reviews"))
    record = github_words.from_rest(detail, OURS[0], files=None, reviews=reviews, timeline=None)
    assert [(r["reviewer"]["login"], r["state"], r["submitted_at"]) for r in record["reviews"]] == [
        ("jzelinskie", "approved", "2017-03-22T19:06:59Z"),
        ("electrofelix", "commented", "2018-03-16T14:23:47Z"),
        ("sfdye", "commented", "2018-03-20T14:03:38Z"),
        ("sfdye", "commented", "2018-03-20T14:15:45Z"),
        ("sfdye", "commented", "2018-03-20T14:21:07Z"),
    ]


def test_every_pull_request_of_the_recordings_can_be_read(recordings):
    """From 2012 to the present: fields came and went."""
    seen = set()
    for file in sorted(recordings.glob("*.txt")):
        for path in dict.fromkeys(PULL_DETAIL.findall(file.read_text(encoding="utf-8"))):
            _, _, owner, name, _, number = path.split("/")
            with replay([file], f"{owner}/{name}") as github:
                detail = github.get(path).body
            record = github_words.from_rest(detail, f"{owner}/{name}", files=None, reviews=None, timeline=None)
            assert record["number"] == int(number), file.name
            assert record["state"] == ("merged" if detail["merged"] else detail["state"]), file.name
            assert record["author"]["login"] and record["created_at"].endswith("Z"), file.name
            seen.add(path)
    assert len(seen) >= 15


# Repositories, limits and failures


def test_a_repository_that_moved_is_found_by_its_former_name(recordings):
    former = "protoncoin/protoncoin"
    with replay(files_of(recordings, "Repository.testGetRepositoryWith301Redirect"), former) as github:
        who = collect.identify(github, former)
    assert (who.github_id, who.name, who.default_branch) == (112116543, "padima2/protoncoin", "master")


def test_a_limit_with_a_time_to_wait_ends_the_run_with_the_moment_to_come_back(recordings):
    files = files_of(recordings, "SpecificExceptions.testAuthenticatedRateLimitExceeded")
    with replay(files, patience=Patience(max_wait=59)) as github:
        github.get("/search/code", q="jacquev6")
        with pytest.raises(LimitReached, match=r"secondary rate limit holds until 06:17 UTC\.") as raised:
            github.get("/search/code", q="jacquev6")
    assert raised.value.back_at.startswith("2018-10-23T06:17:5")  # a minute on by GitHub's clock, not by ours


def test_a_limit_with_a_time_to_wait_is_waited_out_where_that_is_allowed(recordings):
    files = files_of(recordings, "SpecificExceptions.testAuthenticatedRateLimitExceeded")
    waits: list[float] = []
    patience = Patience(max_wait=60, most_limits=2)
    with replay(files, patience=patience, sleep=waits.append) as github:
        github.get("/search/code", q="jacquev6")
        with pytest.raises(LimitReached):  # the recording ends there: the last answer comes again
            github.get("/search/code", q="jacquev6")
    assert waits == [60, 60]


def test_a_limit_of_former_times_that_tells_no_end_is_known_as_one(recordings):
    files = files_of(recordings, "SpecificExceptions.testRateLimitExceeded")
    with replay(files, patience=Patience(max_wait=59)) as github:
        github.get("/users/jacquev6")
        with pytest.raises(LimitReached, match=r"^GitHub's rate limit is used up until 12:24 UTC\."):
            github.get("/users/jacquev6")


def test_three_failures_of_github_are_outlasted(recordings):
    waits: list[float] = []
    files = files_of(recordings, "Retry.testReturnsRepoAfter3Retries")
    with replay(files, patience=Patience(backoff=1), sleep=waits.append) as github:
        assert collect.identify(github, OURS[0]).github_id == OURS[1]
    assert waits == [1, 2, 4]


@pytest.mark.parametrize(
    ("recording", "path", "sentence"),
    [
        ("SpecificExceptions.testBadCredentials", "/user", r"does not accept the token \(Bad credentials\)\."),
        ("SpecificExceptions.test2FARequired", "/user", r"does not accept the token \(Must specify two-factor "),
        ("SpecificExceptions.testUnknownObject", "/repos/jacquev6/Xxx", r"shows no repository jacquev6/Xxx to this"),
    ],
)
def test_a_refusal_gets_one_sentence(recordings, recording, path, sentence):
    with (
        replay(files_of(recordings, recording), "jacquev6/Xxx") as github,
        pytest.raises(Refused, match=sentence) as raised,
    ):
        github.get(path)
    assert "\n" not in str(raised.value)


# GraphQL


def test_graphql_answers_come_as_they_are_and_points_are_counted_apart_from_requests(recordings):
    found = []
    with replay(files_of(recordings, "GraphQl.testPaginationAndRestIntegration")) as github:
        who = collect.identify(github, OURS[0])
        has_next, after = True, None
        while has_next:  # the recording answers with discussions, whatever is asked
            data, partial = github.query("light", repo=who.node_id, n=1, after=after, field="CREATED_AT")
            page = data["repository"]["discussions"]
            found += [node["id"] for node in page["nodes"]]
            has_next, after = page["pageInfo"]["hasNextPage"], page["pageInfo"]["endCursor"]
            assert not partial.paths
        assert len(set(found)) == len(found) == page["totalCount"] == 65
        assert collect.count_by_rest(github, f"/repos/{OURS[0]}/issues") == 12  # the last of its pages
    assert (github.budgets["graphql"].remaining, github.budgets["core"].remaining) == (4882, 4983)


def test_a_refused_change_tells_githubs_own_words(recordings):
    file = recordings / "PullRequest.testEnableAutomergeError.txt"
    said = [json.loads(each.body)["errors"][0]["message"] for each in exchanges(file) if each.path == "/graphql"]
    with (
        replay([file], patience=Patience(attempts=1)) as github,
        pytest.raises(Unavailable, match=re.escape(said[0])),
    ):
        github.query("light", repo="R_x", n=1, after=None, field="CREATED_AT")
