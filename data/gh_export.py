"""Pull requests from what `gh pr list --json ...` printed.

Every field but `number` and `title` is optional: `gh` knows more or fewer of them by version, and people ask for few. A
field that was not asked for is unknown; one that is there but null is known to be empty where that makes sense.
"""

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from data import people
from data.counted import counted_of
from data.errors import SourceError
from data.links import links
from data.moments import utc_text
from data.people import Person
from data.records import FileRecord, LinkRecord, PullRecord, ReviewRecord, Source
from data.trailers import co_authors, plain_text

MOST_FILES = 100  # `gh` tells no more of one pull request, and gives no sign (cli/cli#5368)
USUAL_LIMITS = (30, 100, 1000)  # values of `--limit` at which a list has probably been cut
MOST_NUMBERS_NAMED = 8
STREAM = "the standard input"

_GZIP = b"\x1f\x8b"
_STATUS = {"deleted": "removed"}  # every other `changeType` is spelled as ours
_STATES = {"MERGED": "merged", "OPEN": "open", "CLOSED": "closed"}
_ADDRESS = re.compile(r"https?://[^/]+/(?P<repo>[^/]+/[^/]+)/(?P<kind>pull|issues)/\d+")
_NOT_SPACE = re.compile(r"\S|\Z")

Entry = dict[str, Any]


class _Unreadable(Exception):
    """A field is not what `gh` writes; `str(error)` says which, and what it is."""


def fetch_gh(file: Path | BinaryIO, *, repo: str | None = None) -> Source:
    """The pull requests of a `gh pr list --json` export, in the order of the file.

    The file is an array or one object after another, plain or gzipped whatever its name, in UTF-8 or UTF-16 with or
    without a byte order mark. Of entries with the same number the one last updated counts.

    Args:
        file: the file, or an open binary stream such as the standard input.
        repo: `owner/name` that the pull requests are imported into. Where their addresses name another one, a note
            says so: repositories get renamed.

    Returns:
        The source; its notes are complete once `pulls` has run dry.

    Raises:
        SourceError: the file can't be read, is cut short, is not JSON, or holds something else than pull requests;
            from `pulls`: a field is not what `gh` writes.
    """
    name = str(file) if isinstance(file, Path) else STREAM
    entries = _pull_requests(_values(_text(_read(file, name), name), name), name)
    latest: dict[int, Entry] = {}
    for entry in entries:
        stored = latest.get(entry["number"])
        if stored is None or _updated(entry) >= _updated(stored):
            latest[entry["number"]] = entry
    source = Source(kind="gh", pulls=iter(()), skipped=len(entries) - len(latest))
    source.notes += _notes_on_entries(entries, source.skipped, repo)
    source.pulls = _records(latest.values(), source, repo, name)
    return source


def _read(file: Path | BinaryIO, name: str) -> bytes:
    try:
        content = file.read_bytes() if isinstance(file, Path) else file.read()
    except FileNotFoundError as error:
        raise SourceError(f"There is no file {name}. Make one with: gh pr list --state merged --json ...") from error
    except IsADirectoryError as error:
        raise SourceError(f"{name} is a folder. Name the file that `gh pr list --json` wrote.") from error
    except OSError as error:
        raise SourceError(f"{name} can't be read: {error.strerror or error}.") from error
    if not content.startswith(_GZIP):
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, OSError, zlib.error) as error:
        raise SourceError(f"{name} is cut short or damaged: {_sentence(error)}. Compress or copy it again.") from error


def _text(content: bytes, name: str) -> str:
    try:
        text = content.decode(json.detect_encoding(content))
    except UnicodeDecodeError as error:
        raise SourceError(f"{name} is not text in UTF-8: byte {error.start:,} can't be read.") from error
    if not text.strip():
        raise SourceError(f"{name} is empty. `gh pr list --json ...` writes at least [].")
    return text


def _values(text: str, name: str) -> list[Any]:
    """The elements of every array, and every other value, in a text of one or more JSON values."""
    decoder = json.JSONDecoder()
    found: list[Any] = []
    position = len(text) - len(text.lstrip())
    try:
        while position < len(text):
            value, position = decoder.raw_decode(text, position)
            found += value if isinstance(value, list) else [value]
            position = _NOT_SPACE.search(text, position).start()  # type: ignore[union-attr] # it matches the end
    except json.JSONDecodeError as error:
        at = f"line {error.lineno:,}, column {error.colno:,}"
        raise SourceError(f"{name} is not JSON, or cut short: {at}: {_sentence(error.msg)}.") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets a thousand deep
        raise SourceError(f"{name} is not what `gh pr list --json` writes: {_sentence(error)}.") from error
    return found


def _pull_requests(values: list[Any], name: str) -> list[Entry]:
    """The same values, once each is known to be a pull request."""
    for index, value in enumerate(values, start=1):
        if problem := _problem(value):
            where = f"entry {index:,} of {len(values):,}" if len(values) > 1 else "it"
            raise SourceError(
                f"{name} holds no pull requests: expected an array or lines of objects with number and title;"
                f" {where} is {problem}."
                if index == 1
                else f"{name} mixes pull requests with other things: {where} is {problem}."
            )
    return values


def _problem(value: Any) -> str | None:
    """What a value is, if it is no pull request."""
    if not isinstance(value, dict):
        return _kind(value)
    if missing := [key for key in ("number", "title") if key not in value]:
        keys = ", ".join(list(value)[:5])
        return f"an object without {' and '.join(missing)}" + (f", but with {keys}" if keys else "")
    number = value["number"]
    if not _is_whole(number) or number == 0:
        return f"an object whose number is {_kind(number)}: {json.dumps(number)[:40]}"
    if not isinstance(value["title"], str):
        return f"an object (number {number}) whose title is {_kind(value['title'])}"
    if (address := _ADDRESS.match(str(value.get("url")))) and address["kind"] == "issues":
        return f"an issue (number {number})"
    return None


def _kind(value: Any) -> str:
    names = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "an array"}
    return "null" if value is None else names.get(type(value), "an object")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _updated(entry: Entry) -> str:
    try:
        return _moment(entry, "updatedAt") or ""
    except _Unreadable:
        return ""


def _notes_on_entries(entries: list[Entry], doubled: int, repo: str | None) -> Iterator[str]:
    if doubled:
        yield f"{doubled:,} of {len(entries):,} entries left out because a later one has the same number."
    if len(entries) in USUAL_LIMITS:
        yield f"The export holds exactly {len(entries):,} pull requests: if `--limit` cut it, raise that and repeat."
    repos = Counter(filter(None, map(_repo_of, entries)))
    for other, count in repos.most_common(3):
        if repo and other.lower() != repo.lower():
            yield f"{counted_of(count, len(entries), 'pull request')} of {other} by address, not of {repo}."


def _records(entries: Any, source: Source, repo: str | None, name: str) -> Iterator[PullRecord]:
    cut = []
    for entry in entries:
        try:
            record = _record(entry, repo)
        except _Unreadable as error:
            raise SourceError(f"Pull request {entry['number']} in {name} can't be read: {error}.") from error
        if record.get("files_complete") is False:
            cut.append(record["number"])
        yield record
    if cut:
        named = ", ".join(f"#{number}" for number in cut[:MOST_NUMBERS_NAMED]) + (
            " ..." if cut[MOST_NUMBERS_NAMED:] else ""
        )
        source.notes.append(
            f"The files of {len(cut):,} pull request{'s' if cut[1:] else ''} are incomplete, since `gh` tells at most"
            f" {MOST_FILES} ({named}). Their declared totals are kept."
        )


def _record(entry: Entry, repo: str | None) -> PullRecord:
    body = plain_text(_str(entry, "body") or "") if "body" in entry else None
    title = plain_text(entry["title"]).strip()
    merged_at = _moment(entry, "mergedAt")
    record = PullRecord(
        number=entry["number"],
        title=title,
        body=body,
        is_draft=_flag(entry, "isDraft"),
        author=_person(entry, "author"),
        merged_by=_person(entry, "mergedBy") if entry.get("mergedBy") else None,
        created_at=_moment(entry, "createdAt"),
        merged_at=merged_at,
        closed_at=_moment(entry, "closedAt"),
        updated_at=_moment(entry, "updatedAt"),
        base=_str(entry, "baseRefName"),
        head=_str(entry, "headRefName"),
        is_cross_repository=_flag(entry, "isCrossRepository"),
        labels=_labels(entry),
        reviews=_reviews(entry),
        co_authors=co_authors(body or "") or None,  # the commits' trailers are not in a description: none is unknown
        links=_links(entry, title, body, repo),
        merge_commit=_named(entry, "mergeCommit", "oid"),
        milestone=_named(entry, "milestone", "title"),
        review_decision=(_str(entry, "reviewDecision") or "").lower() or None,
        n_comments=_length(entry, "comments"),
        n_commits=_length(entry, "commits"),
        url=_str(entry, "url"),
        node_id=_str(entry, "id"),
    )
    if state := _state(entry):
        record["state"] = state
    if record.get("state") == "merged":
        record["merged_at"] = merged_at or record["closed_at"]
    _add_files(record, entry)
    return record


def _state(entry: Entry) -> str | None:
    """Merged, open or closed, by what is said or else by the moments; None if nothing tells."""
    if entry.get("mergedAt"):
        return "merged"
    if state := _str(entry, "state"):
        if state.upper() not in _STATES:
            raise _Unreadable(f"its state is {state!r}, not MERGED, OPEN or CLOSED")
        return _STATES[state.upper()]
    if entry.get("closedAt"):
        return "closed"
    return "open" if {"mergedAt", "closedAt"} <= entry.keys() else None


def _add_files(record: PullRecord, entry: Entry) -> None:
    declared = _count(entry, "changedFiles")
    files = None if entry.get("files") is None else [_file(file) for file in _objects(entry, "files")]
    record["files"], record["changed_files"] = files, declared
    record["additions"], record["deletions"] = _count(entry, "additions"), _count(entry, "deletions")
    if files is None:
        return
    if declared is None and len(files) < MOST_FILES:
        record["changed_files"] = declared = len(files)
    record["files_complete"] = None if declared is None else len(files) >= declared
    if record["files_complete"]:
        for key in ("additions", "deletions"):
            if record[key] is None:
                record[key] = sum(file[key] or 0 for file in files)


def _file(file: Entry) -> FileRecord:
    path = _str(file, "path")
    if not path:
        raise _Unreadable("one of its files has no path")
    status = (_str(file, "changeType") or "").lower()
    return FileRecord(
        path=plain_text(path),
        old_path=None,
        status=_STATUS.get(status, status) or None,
        additions=_count(file, "additions"),
        deletions=_count(file, "deletions"),
    )


def _reviews(entry: Entry) -> list[ReviewRecord] | None:
    """Submitted reviews; one that is being written (PENDING) has no moment yet."""
    if entry.get("reviews") is None:
        return None
    reviews = []
    for review in _objects(entry, "reviews"):
        state, submitted = (_str(review, "state") or "").lower(), _moment(review, "submittedAt")
        if submitted and state and state != "pending":
            reviews.append(
                ReviewRecord(reviewer=people.from_api(review.get("author")), state=state, submitted_at=submitted)
            )
    return reviews


def _links(entry: Entry, title: str, body: str | None, repo: str | None) -> list[LinkRecord] | None:
    """What GitHub links as closing, then what title and description say."""
    if body is None and entry.get("closingIssuesReferences") is None:
        return None
    own = _repo_of(entry) or repo
    found: dict[tuple[int, str | None], LinkRecord] = {}
    for issue in _objects(entry, "closingIssuesReferences"):
        if number := _count(issue, "number"):
            other = _repo_of(issue)
            other = None if (other or "").lower() == (own or "").lower() else other
            found[number, other] = LinkRecord(kind="closes", number=number, repo=other, evidence="linked on GitHub")
    for link in links(title, body or "", number=entry["number"], repo=own):
        found.setdefault((link["number"], link["repo"]), link)
    return list(found.values())


def _repo_of(entry: Entry) -> str | None:
    """`owner/name` in the address of a pull request or issue."""
    match = _ADDRESS.match(str(entry.get("url")))
    return match["repo"] if match else None


def _person(entry: Entry, key: str) -> Person | None:
    """Somebody; null is a deleted account, a field that was not asked for is unknown."""
    if key not in entry:
        return None
    account = entry[key]
    if account is not None and not isinstance(account, dict):
        raise _Unreadable(f"its `{key}` is {_kind(account)}")
    told = {name: _str(account, name) for name in ("login", "name")} if account else {}
    return people.from_api({**told, "is_bot": account.get("is_bot") is True} if account else None)


def _labels(entry: Entry) -> list[str] | None:
    if entry.get("labels") is None:
        return None
    return [name for label in _objects(entry, "labels") if (name := _str(label, "name"))]


def _named(entry: Entry, key: str, inner: str) -> str | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, dict):
        raise _Unreadable(f"its `{key}` is {_kind(value)}")
    return _str(value, inner) if value else None


def _objects(entry: Entry, key: str) -> list[Entry]:
    values = entry.get(key) or []
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise _Unreadable(f"its `{key}` is no array of objects")
    return values


def _length(entry: Entry, key: str) -> int | None:
    return None if entry.get(key) is None else len(_objects(entry, key))


def _moment(entry: Entry, key: str) -> str | None:
    written = _str(entry, key)
    if not written or written.startswith("0001-"):  # what Go prints for no moment at all
        return None
    try:
        return utc_text(written)
    except (ValueError, OverflowError) as error:
        raise _Unreadable(f"its `{key}` is no moment: {written[:40]!r}") from error


def _count(entry: Entry, key: str) -> int | None:
    value = entry.get(key)
    if value is not None and not _is_whole(value):
        raise _Unreadable(f"its `{key}` is no count: {json.dumps(value)[:40]}")
    return value


def _flag(entry: Entry, key: str) -> bool | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, bool):
        raise _Unreadable(f"its `{key}` is {_kind(value)}, not true or false")
    return value


def _str(entry: Entry, key: str) -> str | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise _Unreadable(f"its `{key}` is {_kind(value)}")
    return plain_text(value) if value else value


def _sentence(message: object) -> str:
    """Somebody else's message, to stand within one of ours."""
    return str(message).strip().rstrip(".")
