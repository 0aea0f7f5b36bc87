import contextlib
import gzip
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import SourceError
from data.gh_export import fetch_gh


def entry(number=12, title="Add tides", **fields):
    return {"number": number, "title": title, **fields}


def merged(number=12, **fields):
    return entry(number, state="MERGED", mergedAt="2026-03-02T09:00:00Z", closedAt="2026-03-02T09:00:00Z", **fields)


def read(*entries, **options):
    """Source, with its pull requests by number, from an array of entries."""
    source = fetch_gh(io.BytesIO(json.dumps(entries).encode()), **options)
    return source, {pull["number"]: pull for pull in source.pulls}


def pull_of(**fields):
    return read(entry(**fields))[1][12]


@pytest.fixture
def write(tmp_path):
    def write(content, name="export.json"):
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


KEYS = (
    "number title body state author mergedBy createdAt mergedAt closedAt updatedAt additions deletions changedFiles"
    " labels files reviews milestone mergeCommit baseRefName headRefName isDraft isCrossRepository reviewDecision url"
    " id closingIssuesReferences comments commits login name is_bot path changeType submittedAt oid repository"
).split()


# The file


ONE, TWO = json.dumps(entry(1)), json.dumps(entry(2))


@pytest.mark.parametrize(
    "content",
    [
        f"[{ONE}, {TWO}]".encode(),
        f"{ONE}\n{TWO}\n".encode(),
        f"\n\n{ONE}\r\n\r\n{TWO}".encode(),
        f"[{ONE}]\n[{TWO}]".encode(),
        json.dumps([entry(1), entry(2)], indent=2).encode(),
        (json.dumps(entry(1), indent=2) + "\n" + json.dumps(entry(2), indent=2)).encode(),
        b"\xef\xbb\xbf" + f"[{ONE}, {TWO}]".encode(),
        f"[{ONE}, {TWO}]".encode("utf-16"),  # what PowerShell's `>` writes
        gzip.compress(f"[{ONE}, {TWO}]".encode()),
        gzip.compress(f"{ONE}\n".encode()) + gzip.compress(TWO.encode()),
    ],
)
def test_an_array_or_objects_in_a_row_plain_or_gzipped_are_read_whatever_the_name(write, content):
    for name in ("export.json", "export.json.gz", "export"):
        assert [pull["number"] for pull in fetch_gh(write(content, name)).pulls] == [1, 2]
    assert [pull["number"] for pull in fetch_gh(io.BytesIO(content)).pulls] == [1, 2]


def test_an_empty_array_is_no_pull_requests_and_no_error(write):
    assert list(fetch_gh(write("[]")).pulls) == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", r"export\.json is empty\."),
        (b" \n", r"export\.json is empty\."),
        (b"\xef\xbb\xbf", r"export\.json is empty\."),
        (gzip.compress(b""), r"export\.json is empty\."),
        (b"Not JSON", r"export\.json is not JSON, or cut short: line 1, column 1: Expecting value\."),
        (f"[{ONE},\n {TWO}".encode(), r"is not JSON, or cut short: line 2, column 37: Expecting ',' delimiter\."),
        (f"{ONE}\n{TWO[:-9]}".encode(), r"is not JSON, or cut short: line 2, column"),
        (gzip.compress(f"[{ONE}]".encode())[:-9], r"export\.json is cut short or damaged: .*\."),
        (b"\x1f\x8b\x08garbage", r"export\.json is cut short or damaged: .*\."),
        (b'[{"number": 1, "title": "\xff\xfe"}]', r"export\.json is not text in UTF-8: byte 25 can't be read\."),
        (b"null", r"expected an array or lines of objects with number and title; it is null\."),
        (b'"text"', r"it is a text\."),
        (b'{"message": "Not Found"}', r"it is an object without number and title, but with message\."),
        (b"[{}]", r"it is an object without number and title\."),
        (b'[{"number": 1}]', r"it is an object without title, but with number\."),
        (f"[{ONE}, 5]".encode(), r"export\.json mixes pull requests with other things: entry 2 of 2 is a number\."),
        (f"[{ONE}, [{TWO}]]".encode(), r"entry 2 of 2 is an array\."),
        (b'[{"number": "1", "title": "x"}]', r'it is an object whose number is a text: "1"\.'),
        (b'[{"number": 1.5, "title": "x"}]', r"it is an object whose number is a number: 1\.5\."),
        (b'[{"number": true, "title": "x"}]', r"it is an object whose number is true or false: true\."),
        (b'[{"number": null, "title": "x"}]', r"it is an object whose number is null: null\."),
        (b'[{"number": -1, "title": "x"}]', r"it is an object whose number is a number: -1\."),
        (b'[{"number": 1, "title": null}]', r"it is an object \(number 1\) whose title is null\."),
        (b'[{"number": 1, "title": "x", "url": "https://github.com/o/r/issues/1"}]', r"it is an issue \(number 1\)\."),
        (b"[" * 100_000, r"is not what `gh pr list --json` writes: .*\."),
        (b"1" * 5000, r"is not what `gh pr list --json` writes: .*\."),
    ],
)
def test_a_file_that_is_something_else_gets_one_sentence(write, content, sentence):
    with pytest.raises(SourceError, match=sentence) as raised:
        fetch_gh(write(content))
    assert "\n" not in str(raised.value)


def test_a_missing_file_and_a_folder_get_one_sentence(tmp_path):
    with pytest.raises(SourceError, match=r"There is no file .*export\.json\. Make one with: gh pr list"):
        fetch_gh(tmp_path / "export.json")
    with pytest.raises(SourceError, match=r"is a folder\. Name the file"):
        fetch_gh(tmp_path)


def test_the_standard_input_is_called_by_its_name():
    with pytest.raises(SourceError, match=r"^the standard input is empty\."):
        fetch_gh(io.BytesIO(b""))


# One pull request


def test_a_field_that_was_not_asked_for_is_unknown():
    pull = pull_of()
    assert {"number", "title", "links", "state"} >= {key for key, value in pull.items() if value is not None}


def test_every_field_may_be_null():
    pull = pull_of(**dict.fromkeys(set(KEYS) - {"number", "title"}))
    assert pull["body"] == ""  # asked for, and nothing there
    assert pull["author"]["type"] == "ghost"
    assert pull["state"] == "open"
    for unknown in ("merged_by", "created_at", "additions", "files", "reviews", "labels", "milestone", "merge_commit"):
        assert pull[unknown] is None, unknown


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"state": "MERGED", "mergedAt": "2026-03-02T09:00:00Z"}, "merged"),
        ({"state": "CLOSED", "mergedAt": "2026-03-02T09:00:00Z"}, "merged"),
        ({"state": "CLOSED", "mergedAt": None, "closedAt": "2026-03-02T09:00:00Z"}, "closed"),
        ({"state": "OPEN"}, "open"),
        ({"mergedAt": "2026-03-02T09:00:00Z"}, "merged"),
        ({"closedAt": "2026-03-02T09:00:00Z"}, "closed"),
        ({"mergedAt": None, "closedAt": None}, "open"),
        ({}, None),
    ],
)
def test_the_state_is_what_is_said_or_what_the_moments_show(fields, state):
    assert pull_of(**fields).get("state") == state


def test_moments_of_any_zone_become_utc():
    pull = pull_of(state="MERGED", mergedAt="2026-04-27T01:55:00+08:00", createdAt="2026-04-26T10:00:00Z", closedAt="")
    assert (pull["merged_at"], pull["created_at"]) == ("2026-04-26T17:55:00Z", "2026-04-26T10:00:00Z")
    assert pull_of(createdAt="0001-01-01T00:00:00Z")["created_at"] is None
    assert pull_of(state="MERGED", closedAt="2026-03-02T09:00:00Z")["merged_at"] == "2026-03-02T09:00:00Z"


def test_bots_ghosts_and_people_are_told_apart():
    assert pull_of(author={"is_bot": True, "login": "app/renovate"})["author"]["type"] == "bot"
    assert pull_of(author={"is_bot": True, "login": "app/renovate"})["author"]["login"] == "renovate"
    for gone in ({"is_bot": True, "login": "app/"}, {"login": ""}, None):
        assert pull_of(author=gone)["author"] == {"login": "ghost", "name": None, "email": None, "type": "ghost"}
    ada = pull_of(author={"id": "U_1", "is_bot": False, "login": "ada", "name": "Ada Example"})["author"]
    assert ada == {"login": "ada", "name": "Ada Example", "email": None, "type": "human"}


def test_submitted_reviews_are_kept_and_pending_ones_left_out():
    reviews = [
        {"author": {"login": "grace"}, "state": "APPROVED", "submittedAt": "2026-03-02T09:00:00+01:00"},
        {"author": {"login": ""}, "state": "CHANGES_REQUESTED", "submittedAt": "2026-03-02T10:00:00Z"},
        {"author": None, "state": "COMMENTED", "submittedAt": "2026-03-02T10:00:00Z"},
        {"author": {"login": "grace"}, "state": "PENDING", "submittedAt": None},
        {"author": {"login": "grace"}, "state": "PENDING", "submittedAt": "0001-01-01T00:00:00Z"},
        {"author": {"login": "grace"}, "state": "PENDING", "submittedAt": "2026-03-02T10:00:00Z"},
    ]
    found = [(r["reviewer"]["login"], r["state"], r["submitted_at"]) for r in pull_of(reviews=reviews)["reviews"]]
    assert found == [
        ("grace", "approved", "2026-03-02T08:00:00Z"),
        ("ghost", "changes_requested", "2026-03-02T10:00:00Z"),
        ("ghost", "commented", "2026-03-02T10:00:00Z"),
    ]
    assert pull_of(reviews=[])["reviews"] == []


def test_the_plain_fields_are_taken_over():
    pull = pull_of(
        labels=[{"name": "bug", "color": "ff0000"}, {"name": "area/tides"}],
        milestone={"number": 1, "title": "1.0"},
        mergeCommit={"oid": "0123abc"},
        reviewDecision="CHANGES_REQUESTED",
        baseRefName="main",
        headRefName="tides",
        isDraft=False,
        isCrossRepository=True,
        comments=[{"body": "a"}, {"body": "b"}],
        commits=[{"oid": "1"}],
        id="PR_1",
        url="https://github.com/harbour/tidepool/pull/12",
        mergedBy={"login": "grace"},
    )
    assert pull["labels"] == ["bug", "area/tides"]
    assert (pull["milestone"], pull["merge_commit"], pull["review_decision"]) == ("1.0", "0123abc", "changes_requested")
    assert (pull["base"], pull["head"], pull["is_draft"], pull["is_cross_repository"]) == ("main", "tides", False, True)
    assert (pull["n_comments"], pull["n_commits"], pull["node_id"]) == (2, 1, "PR_1")
    assert (pull["url"], pull["merged_by"]["login"]) == ("https://github.com/harbour/tidepool/pull/12", "grace")
    assert pull_of(reviewDecision="")["review_decision"] is None


@pytest.mark.parametrize(
    ("body", "kept"),
    [(None, ""), ("", ""), ("a\r\nb", "a\nb"), ("a\0b", "ab"), ("half \ud83d", "half ?"), ("潮" * 20_000,) * 2],
)
def test_any_description_becomes_text_that_can_be_stored(body, kept):
    assert pull_of(body=body)["body"] == kept


def test_co_authors_in_a_description_are_found_and_none_there_means_unknown():
    body = "High and low.\n\nCo-authored-by: 李鸣 <liming@example.org>\nCo-authored-by: Claude <noreply@anthropic.com>"
    assert [(who["person"]["name"], who["is_ai"]) for who in pull_of(body=body)["co_authors"]] == [
        ("李鸣", False),
        ("Claude", True),
    ]
    assert pull_of(body="High and low.")["co_authors"] is None


def test_linked_issues_close_and_the_description_adds_what_it_says():
    issues = [
        {"number": 7, "url": "https://github.com/harbour/tidepool/issues/7"},
        {"number": 8, "url": "https://github.com/harbour/docs/issues/8"},
    ]
    pull = pull_of(
        url="https://github.com/harbour/tidepool/pull/12",
        body="Fixes #7, fixes harbour/tidepool#9, see #8. #12",
        closingIssuesReferences=issues,
    )
    assert [(link["kind"], link["number"], link["repo"]) for link in pull["links"]] == [
        ("closes", 7, None),
        ("closes", 8, "harbour/docs"),
        ("closes", 9, None),
        ("refers", 8, None),
    ]
    assert pull_of()["links"] is None


# Files and sizes


def files(number):
    return [{"path": f"src/part_{index}.py", "additions": 2, "deletions": 1} for index in range(number)]


def test_files_that_gh_cut_at_a_hundred_are_incomplete_and_the_declared_totals_stay():
    source, pulls = read(
        merged(1, files=files(100), changedFiles=143, additions=1283, deletions=826),
        merged(2, files=files(100), changedFiles=100),
        merged(3, files=files(100)),
        merged(4, files=files(3)),
        merged(5, changedFiles=7, additions=3),
        merged(6, files=[], changedFiles=0),
    )
    assert {number: pull.get("files_complete") for number, pull in pulls.items()} == {
        1: False,
        2: True,
        3: None,  # a hundred or more: nothing tells
        4: True,
        5: None,
        6: True,
    }
    assert (pulls[1]["additions"], pulls[1]["deletions"], pulls[1]["changed_files"]) == (1283, 826, 143)
    assert (pulls[2]["additions"], pulls[3]["additions"], pulls[4]["additions"]) == (200, None, 6)
    assert (pulls[4]["changed_files"], pulls[5]["files"], pulls[6]["files"]) == (3, None, [])
    assert source.notes == [
        "The files of 1 pull request are incomplete, since `gh` tells at most 100 (#1). Their declared totals are kept."
    ]


def test_the_kind_of_a_files_change_is_known_where_gh_tells_it():
    kinds = ["ADDED", "DELETED", "RENAMED", "MODIFIED", None]
    told = [{"path": f"{kind}.py", "additions": 0, "deletions": 0, "changeType": kind} for kind in kinds]
    assert [file["status"] for file in pull_of(files=told)["files"]] == [
        "added",
        "removed",
        "renamed",
        "modified",
        None,
    ]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("mergedAt", "yesterday", "its `mergedAt` is no moment: 'yesterday'"),
        ("mergedAt", 5, "its `mergedAt` is a number"),
        ("state", "DELETED", "its state is 'DELETED', not MERGED, OPEN or CLOSED"),
        ("additions", "12", 'its `additions` is no count: "12"'),
        ("changedFiles", -1, "its `changedFiles` is no count: -1"),
        ("files", {"a": 1}, "its `files` is no array of objects"),
        ("files", ["a.py"], "its `files` is no array of objects"),
        ("files", [{"additions": 1}], "one of its files has no path"),
        ("labels", ["bug"], "its `labels` is no array of objects"),
        ("author", "ada", "its `author` is a text"),
        ("author", {"login": 5}, "its `login` is a number"),
        ("isDraft", "no", "its `isDraft` is a text, not true or false"),
        ("body", 5, "its `body` is a number"),
        ("mergeCommit", "0123", "its `mergeCommit` is a text"),
    ],
)
def test_a_field_that_gh_would_not_write_is_named_with_its_pull_request(field, value, words):
    source = fetch_gh(io.BytesIO(json.dumps([merged(11), entry(**{field: value})]).encode()))
    with pytest.raises(SourceError) as raised:
        list(source.pulls)
    assert str(raised.value) == f"Pull request 12 in the standard input can't be read: {words}."


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["MERGED", "2026-03-02T09:00:00Z"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(entries=st.lists(st.dictionaries(st.sampled_from(KEYS), JSON) | JSON, max_size=3), valid=st.booleans())
def test_whatever_json_holds_it_is_read_or_refused_as_a_source(entries, valid):
    if valid:
        entries = [fields | entry(number) for number, fields in enumerate(entries, 1) if isinstance(fields, dict)]
    with contextlib.suppress(SourceError):
        pulls = list(fetch_gh(io.BytesIO(json.dumps(entries).encode())).pulls)
        json.dumps(pulls, ensure_ascii=False).encode()  # as storing them does


# The whole export


def test_of_two_entries_with_one_number_the_last_updated_counts():
    source, pulls = read(
        entry(1, "Newer", updatedAt="2026-03-03T00:00:00+08:00"),
        entry(1, "Older", updatedAt="2026-03-02T15:00:00Z"),
        entry(1, "Undated"),
        entry(2, "First"),
        entry(2, "Second"),
    )
    assert [pull["title"] for pull in pulls.values()] == ["Newer", "Second"]
    assert source.skipped == 3
    assert source.notes == ["3 of 5 entries left out because a later one has the same number."]


def test_another_repository_in_the_addresses_is_told_and_imported_all_the_same():
    address = "https://github.com/Old-Harbour/tidepool/pull/{}"
    entries = [merged(number, url=address.format(number)) for number in (1, 2)]
    source, pulls = read(*entries, merged(3, url="https://github.com/HARBOUR/tidepool/pull/3"), repo="harbour/tidepool")
    assert list(pulls) == [1, 2, 3]
    assert source.notes == ["2 of 3 pull requests are of Old-Harbour/tidepool by address, not of harbour/tidepool."]
    assert read(*entries)[0].notes == []


def test_an_export_of_exactly_the_usual_limit_has_probably_been_cut():
    assert "exactly 30 pull requests" in read(*(merged(number) for number in range(1, 31)))[0].notes[0]
    assert read(*(merged(number) for number in range(1, 32)))[0].notes == []


def test_the_order_of_the_file_is_kept():
    assert list(read(entry(3), entry(1), entry(2))[1]) == [3, 1, 2]


def test_the_fixture_of_an_export_gives_the_rows_expected_of_any_source(shared):
    folder = shared / "github-fixtures"
    pulls = {pull["number"]: pull for pull in fetch_gh(folder / "gh_pr_list.json").pulls}
    expected = json.loads((folder / "expected_rows.json").read_text(encoding="utf-8"))
    assert len(expected) == len(pulls) == 4
    kinds = {"user": "human", "ghost": "ghost", "bot": "bot"}
    for row in expected:
        pull = pulls[row["number"]]
        assert pull["author"]["login"] == (row["author"] or "ghost")
        assert pull["author"]["type"] == kinds[row["author_kind"]]
        assert pull["merged_by"]["login"] == row["merged_by"]
        for field in ("created_at", "merged_at", "additions", "deletions", "changed_files", "labels"):
            assert pull[field] == row[field], (row["number"], field)
        assert len(pull["files"]) == row["files_seen"]["gh_pr_list"]
        known = [r["submitted_at"] for r in pull["reviews"] if r["reviewer"]["type"] == "human"]
        assert (min(known) if known else None) == row["first_review_by_known_user_at"]
        assert pull["files_complete"] is (row["number"] != 101)


def test_a_real_sample_is_read_whole(shared):
    source = fetch_gh(shared / "verl" / "prs-2026.json.gz", repo="verl-project/verl")
    pulls = {pull["number"]: pull for pull in source.pulls}
    assert (len(pulls), source.notes) == (1059, [])
    assert pulls[6044]["merged_at"].startswith("2026-04-26T17:55")
    assert all(pull["files_complete"] for pull in pulls.values())
