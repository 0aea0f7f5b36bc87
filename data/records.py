"""What every source yields: one plain dict a pull request, in the cache's words, before it has ids.

A source fills what it knows. `None` means unknown and never overwrites what is stored; an empty list means "known to
be none". From GitHub itself a key that is there with None is known to be nothing, such as a milestone taken away; what
stays unknown has no key. Moments are UTC text (`moments.utc_text`), people come from `people.person`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

from data.people import Person


class FileRecord(TypedDict):
    """One changed file of a pull request."""

    path: str
    old_path: str | None  # of a rename or copy, where the source tells
    status: str | None  # added, modified, removed, renamed, copied, changed (type or mode)
    additions: int | None  # None for a binary file
    deletions: int | None


class ReviewRecord(TypedDict):
    """One submitted review."""

    reviewer: Person
    state: str  # approved, changes_requested, commented, dismissed
    submitted_at: str


class ThreadRecord(TypedDict):
    """One review thread: a conversation about a place in the change."""

    path: str | None
    is_resolved: bool
    is_outdated: bool | None
    n_comments: int | None
    resolved_by: NotRequired[Person | None]


class EventRecord(TypedDict):
    """Something that happened to a pull request, besides reviews and the merge itself."""

    kind: str  # ready_for_review, converted_to_draft, review_requested, force_pushed, closed, reopened
    at: str
    actor: Person
    reviewer: Person | None  # who was asked for a review; None for a team, or if the source does not tell
    team: str | None  # its slug


class CoAuthorRecord(TypedDict):
    """One `Co-authored-by` trailer."""

    person: Person
    is_ai: bool  # the trailer names a coding assistant


class LinkRecord(TypedDict):
    """A reference from a pull request to an issue or another pull request, with the words that say so."""

    kind: str  # closes, reverts, reapplies, refers
    number: int
    repo: str | None  # None: the same repository
    evidence: str


class SignalRecord(TypedDict):
    """One thing that the patch of a pull request does: its kind is one of `data.signals.KINDS`."""

    path: str
    kind: str
    line: int  # in the file as it is afterwards; of what was removed, as it was before
    detail: str  # a name, a marker, a version; never a value


class PullRecord(TypedDict, total=False):
    """One pull request. Only `number` and `title` are required."""

    number: int
    title: str
    body: str | None  # "" is known to be empty
    state: str  # merged, open or closed
    is_draft: bool | None
    author: Person | None
    merged_by: Person | None
    created_at: str | None
    ready_at: str | None  # the last time it left draft; None if never a draft or unknown
    merged_at: str | None
    closed_at: str | None
    updated_at: str | None
    base: str | None  # branch merged into
    head: str | None
    is_cross_repository: bool | None
    additions: int | None
    deletions: int | None
    changed_files: int | None  # as declared by the source, may exceed len(files)
    files: list[FileRecord] | None
    files_complete: bool | None
    labels: list[str] | None
    reviews: list[ReviewRecord] | None
    threads: list[ThreadRecord] | None
    events: list[EventRecord] | None  # in order of time
    co_authors: list[CoAuthorRecord] | None
    links: list[LinkRecord] | None
    signals: list[SignalRecord] | None
    patches_known: bool | None  # False: of some files GitHub gave no patch
    in_part: list[str]  # keys of lists of which something was refused: they fill a gap, but replace nothing
    merge_commit: str | None
    merge_method: str | None  # squash, merge, rebase, queue
    milestone: str | None
    review_decision: str | None  # approved, changes_requested, review_required
    n_comments: int | None
    n_commits: int | None
    url: str | None
    node_id: str | None


class CommitRecord(TypedDict):
    """One commit on the default branch that came with no pull request: a direct push."""

    sha: str
    committed_at: str
    author: Person
    subject: str


class TagRecord(TypedDict):
    """One tag of the repository."""

    name: str
    sha: str  # of the commit it points to
    tagged_at: str  # what landed up to then it holds: the moment of that commit, or of where it left the default branch


class ReleaseRecord(TypedDict):
    """One published release."""

    tag: str
    name: str | None
    published_at: str
    is_prerelease: bool


class OwnerRecord(TypedDict):
    """One rule of CODEOWNERS, in file order (the last match counts)."""

    pattern: str
    owners: list[str]


@dataclass
class Source:
    """One import: a stream of pull requests, and what is known beside them once the stream has run dry.

    `pulls` is read once; the other fields are complete only after that.
    """

    kind: str  # clone, gh, demo or github
    pulls: Iterator[PullRecord]
    default_branch: str | None = None
    direct_commits: list[CommitRecord] = field(default_factory=list)
    tags: list[TagRecord] = field(default_factory=list)
    releases: list[ReleaseRecord] = field(default_factory=list)
    codeowners: list[OwnerRecord] | None = None  # None: not looked for
    checkpoint: dict[str, Any] | None = None  # what the next incremental run needs, e.g. the newest commit read
    notes: list[str] = field(default_factory=list)  # sentences for the ledger and the user: shallow clone ...
    declared: int | None = None  # how many pull requests the source said there are, where it says so
    skipped: int = 0  # entries that are not pull requests or could not be read, each told in `notes`
