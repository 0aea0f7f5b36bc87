"""Which pull requests a commit on the main branch brings, as told by its message alone.

A number that a ticket, an issue or an older pull request bears (`Fixed #12`, `closes #12`, `Revert "title (#12)"`) is
none of them: what is doubtful counts as a direct push.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from data.trailers import plain_text, trailers, without_co_authors

SQUASH, MERGE, REBASE, QUEUE = "squash", "merge", "rebase", "queue"

LONGEST_SUBJECT = 1000  # GitHub's titles end at 256 characters; a longer "subject" is prose, and slow to search

_DIGITS = r"[1-9]\d{0,8}"
_MARK = rf"[(（]\s*(?:#|GH-)(?P<number>{_DIGITS})\s*[)）]"
_AT_THE_END = re.compile(rf"(?P<title>.*?)\s*{_MARK}[\s.。]*(?P<tags>(?:\[[^\]]*\]\s*)*)", re.DOTALL)
_AT_THE_START = re.compile(rf"{_MARK}[\s:]*(?P<title>.+)", re.DOTALL)
_OPEN_QUOTATION = re.compile(r'(?:Revert|Reapply) "[^"]*')  # a cut subject: the number is the quoted one's
_GITHUB_MERGE = re.compile(rf"Merge (?:pull request|PR) #(?P<number>{_DIGITS}) from (?P<head>\S+)", re.IGNORECASE)
_TITLED_MERGE = re.compile(rf"Merge (?:pull request |PR )?(?:[\w.-]+/[\w.-]+)?#(?P<number>{_DIGITS}): (?P<title>.+)")
_FETCHED_MERGE = re.compile(
    rf"Merge (?:remote-tracking )?branch '(?:[^']*/)?(?:pr|pull)/(?P<number>{_DIGITS})(?:/\w+)?'.*"
)
_HOMU = re.compile(rf"auto merge of #(?P<number>{_DIGITS}) ?[-:] ?(?P<head>\S+?)(?:, r=.*)?", re.IGNORECASE)
_BORS_NG = re.compile(rf"Merge (?P<numbers>#{_DIGITS}(?: #{_DIGITS})*)")
_BORS_NG_ENTRY = re.compile(rf"(?P<number>{_DIGITS}): (?P<title>.*?)(?: r=(?P<reviewer>\S*))?(?: a=(?P<author>\S+))?")
_QUEUE_BRANCH = "gh-readonly-queue/"

_PULL_URL = rf"https?://\S+/(?:pull|pulls|pull-requests)/(?P<url>{_DIGITS})/?"
_PULL_TRAILER = re.compile(rf"(?:(?:[\w.-]+/[\w.-]+)?#(?P<number>{_DIGITS})|<?{_PULL_URL}>?)")
_PULL_TRAILER_KEYS = {
    "closes-pr",
    "github-pr",
    "github-pull-request",
    "pr",
    "pr-url",
    "pull-request",
    "pull-request-resolved",
    "pull-request-url",
    "reviewed-on",
}
# What the merge scripts of several Apache projects write; `Closes #12` without a branch is an issue's.
_APACHE = re.compile(rf"^Closes #(?P<number>{_DIGITS}) from [\w.-]+/\S+$", re.MULTILINE)

_LIST_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s")
_NO_TITLE = re.compile(
    r"(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see)\b:? \S*#\d+\W*|(?:cc|r\?|https?:).*", re.IGNORECASE
)


@dataclass(frozen=True)
class NamedPull:
    """One pull request that a commit brings."""

    number: int
    title: str  # "" where the commit doesn't tell
    body: str
    author_login: str | None = None


@dataclass(frozen=True)
class Landing:
    """What one commit brings: several pull requests only in a batch of bors-ng."""

    pulls: list[NamedPull]
    method: str | None = None  # None: to be told by the number of parents
    by_trailer: bool = False  # neighbours that name the same number belong together
    head: str | None = None  # the branch it came from
    head_owner: str | None = None  # the account that the branch belongs to


def read_landing(message: str) -> Landing | None:
    """The pull requests that a commit with this message brings.

    Recognised are, in this order: `title (#N)` with the last number, GitHub's `Merge pull request #N from
    owner/branch`, bors and homu (`Auto merge of #N - user:branch, r=who`), bors-ng (`Merge #1 #2`), `Merge #N: title`,
    merges of a fetched `pr/N`, `(#N) title`, and trailers (`PR-URL: .../pull/N`, `Pull-Request: #N`) as a rebase keeps
    them.

    Args:
        message: the whole commit message.

    Returns:
        The pull requests, with `(#N)` taken off their titles and co-author trailers off their bodies; None for a
        direct push.
    """
    for subject, body in _subjects(message):
        if len(subject) <= LONGEST_SUBJECT:
            for read in _READERS:
                if landing := read(subject, body):
                    return landing
    return None


def subject_of(message: str) -> str:
    """The first line of a commit message."""
    return plain_text(message).strip("\n").partition("\n")[0].strip()


def _subjects(message: str) -> Iterator[tuple[str, str]]:
    """Subject and body: by the first line, then by the first paragraph if that is a wrapped line and not a list."""
    lines = plain_text(message).strip("\n").split("\n")
    yield lines[0].strip(), without_co_authors("\n".join(lines[1:]))
    end = next((index for index, line in enumerate(lines) if not line.strip()), len(lines))
    if end > 1 and not any(_LIST_ITEM.match(line) for line in lines[1:end]):
        yield " ".join(line.strip() for line in lines[:end]), without_co_authors("\n".join(lines[end:]))


def _squash(subject: str, body: str) -> Landing | None:
    match = _AT_THE_END.fullmatch(subject)
    if not match or _OPEN_QUOTATION.fullmatch(match["title"]):
        return None
    title = f"{match['title']} {match['tags']}".strip()
    return Landing([NamedPull(int(match["number"]), title, body)])


def _number_first(subject: str, body: str) -> Landing | None:
    match = _AT_THE_START.fullmatch(subject)
    return Landing([NamedPull(int(match["number"]), match["title"], body)]) if match else None


def _github_merge(subject: str, body: str) -> Landing | None:
    match = _GITHUB_MERGE.fullmatch(subject)
    if not match:
        return None
    owner, slash, branch = match["head"].partition("/")
    title, _, rest = body.partition("\n")
    return Landing(
        [NamedPull(int(match["number"]), title.strip(), rest.strip("\n"))],
        method=QUEUE if _QUEUE_BRANCH in match["head"] else None,
        head=branch if slash else owner,
        head_owner=owner if slash else None,
    )


def _titled_merge(subject: str, body: str) -> Landing | None:
    match = _TITLED_MERGE.fullmatch(subject)
    return Landing([NamedPull(int(match["number"]), match["title"], body)]) if match else None


def _fetched_merge(subject: str, body: str) -> Landing | None:
    match = _FETCHED_MERGE.fullmatch(subject)
    return Landing([NamedPull(int(match["number"]), "", body)]) if match else None


def _homu(subject: str, body: str) -> Landing | None:
    match = _HOMU.fullmatch(subject)
    if not match:
        return None
    owner, colon, branch = match["head"].partition(":")
    if not colon:  # the form of 2014 spells the fork out: `owner/repository/branch`
        owner, _, branch = match["head"].partition("/")
        branch = branch.partition("/")[2]
    title, rest = _homu_title(body)
    return Landing([NamedPull(int(match["number"]), title, rest)], method=QUEUE, head=branch, head_owner=owner)


def _homu_title(body: str) -> tuple[str, str]:
    """Title and body. Until 2016 homu wrote the body only, so a first paragraph that is none leaves the title open."""
    first, _, rest = body.partition("\n\n")
    if "\n" in first or len(first) > 256 or _NO_TITLE.fullmatch(first):
        return "", body
    return first.strip(), rest.strip("\n")


def _bors_ng(subject: str, body: str) -> Landing | None:
    match = _BORS_NG.fullmatch(subject)
    if not match:
        return None
    numbers = [int(number) for number in re.findall(r"\d+", match["numbers"])]
    entries = {pull.number: pull for pull in _bors_ng_entries(body, set(numbers))}
    return Landing([entries.get(number, NamedPull(number, "", "")) for number in numbers], method=QUEUE)


def _bors_ng_entries(body: str, numbers: set[int]) -> Iterator[NamedPull]:
    """The sections `12: title r=reviewer a=author` of a batch, each with the lines below it."""
    head: re.Match[str] | None = None
    below: list[str] = []
    for line in body.split("\n"):
        match = _BORS_NG_ENTRY.fullmatch(line)
        if match and int(match["number"]) in numbers:
            if head:
                yield _bors_ng_pull(head, below)
            head, below = match, []
        else:
            below.append(line)
    if head:
        yield _bors_ng_pull(head, below)


def _bors_ng_pull(head: re.Match[str], below: list[str]) -> NamedPull:
    return NamedPull(int(head["number"]), head["title"], "\n".join(below).strip("\n"), head["author"])


def _trailer(subject: str, body: str) -> Landing | None:
    for key, value in trailers(body):
        if key in _PULL_TRAILER_KEYS and (match := _PULL_TRAILER.fullmatch(value)):
            number = int(match["number"] or match["url"])
            return Landing([NamedPull(number, subject, body)], by_trailer=True)
    return None


def _apache(subject: str, body: str) -> Landing | None:
    match = _APACHE.search(body)
    return Landing([NamedPull(int(match["number"]), subject, body)]) if match else None


_READERS: tuple[Callable[[str, str], Landing | None], ...] = (
    _squash,
    _github_merge,
    _homu,
    _bors_ng,
    _titled_merge,
    _fetched_merge,
    _number_first,
    _trailer,
    _apache,
)
