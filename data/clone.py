"""Merged pull requests from a local git clone, however they were merged.

What a clone can't know stays unknown (None): when a pull request was opened, its reviews, labels and threads.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

from data import people
from data.counted import counted
from data.errors import SourceError
from data.git import BareCommit, Commit, GitFailed, ObjectReader, Repository, moment_of, open_repository
from data.landings import MERGE, REBASE, SQUASH, Landing, NamedPull, read_landing, subject_of
from data.links import links, reverted_commits
from data.moments import utc_text
from data.patches import read_patch
from data.people import Person
from data.records import (
    CoAuthorRecord,
    CommitRecord,
    FileRecord,
    LinkRecord,
    OwnerRecord,
    PullRecord,
    Source,
    TagRecord,
)
from data.signals import RULES_VERSION, signals
from data.trailers import co_authors

CODEOWNERS_PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")  # the first that is there counts
BRANCHES = ("refs/remotes/origin", "refs/heads")
WEB_FLOW_NAMES = {"github", "github enterprise", "web-flow"}  # who commits what is done on GitHub's pages
NOTHING_KNOWN: Mapping[int, str] = MappingProxyType({})
MOST_NAMED = 8  # branches or numbers spelled out in a sentence
MOST_MERGES_BACK = 30  # steps along a merged branch in search of a commit that is its author's own
SINGLE_STEPS = 8  # commits in a row without contents that are stepped over one by one
MOST_PUSHES_UNTOLD = 10  # direct pushes that are no sign of another way of working
MOST_REVERTS = 20  # commits that one description may say it reverts


def fetch_clone(
    path: Path,
    *,
    branch: str | None = None,
    since: str | None = None,
    checkpoint: dict[str, Any] | None = None,
    known: Mapping[int, str] = NOTHING_KNOWN,
    repo: str | None = None,
    patches: bool = False,
) -> Source:
    """The pull requests that landed on a branch of a local clone, oldest first.

    A number counts once: the first commit that names it is the pull request, later ones (a follow-up, a cherry-pick)
    are told in a note. Commits without a number are direct pushes. The commits of a rebased pull request, known by
    their trailers, are added up; its title is the first one's and it landed with the last.

    Sizes and files of a merge are against its first parent. A batch of bors-ng has one parent for each of its pull
    requests: each gets what its own branch changed, so nothing is counted twice; where the parents don't fit the
    numbers, sizes stay unknown. A rollup of homu is one pull request, the rollup's.

    The author of a merge is the git author of the newest commit on its branch that is no merge itself. The owner of
    the branch (`from owner/branch`) is taken as that person's login only if it looks like their name or address: it
    may be an organisation, and a wrong login would join two people. `merged_by` is the committer, or the author of a
    merge made on GitHub's pages, which commits in its own name; of a squash made there it is unknown.

    Args:
        path: the clone's folder, or a bare repository under any name.
        branch: whose history to read. Default: the branch that origin/HEAD names, else HEAD.
        since: date or moment; what landed before stays out.
        checkpoint: what the last import left in `Source.checkpoint`: only what is new since is read, or everything
            again if the history was rewritten, the branch changed, or more of the past is wanted or to be had.
        known: number -> commit of the pull requests cached as merged; another new commit that names one of them is a
            follow-up. One whose commit is not known is read as if it were new.
        repo: `owner/name`, so that links which spell it out are no foreign ones.
        patches: read the patches too, for `signals`. Where the last import did without, everything is read again.

    Returns:
        The source; its notes, direct commits and checkpoint are complete once `pulls` has run dry.

    Raises:
        SourceError: no repository there, no commits, no such branch; from `pulls`: git died midway.
    """
    repository = open_repository(path)
    place = _find_branch(repository, branch)
    source = Source(kind="clone", pulls=iter(()), default_branch=place.default)
    source.tags = _tags(repository, place, source.notes)
    source.codeowners = _codeowners(repository, place.commit)
    reading = _Reading(repository, place, source, _since_text(since), checkpoint or {}, known, repo, patches)
    source.pulls = reading.pulls()
    return source


@dataclass(frozen=True)
class _Branch:
    name: str
    commit: str  # its newest
    default: str  # name of the repository's default branch


@dataclass
class _Reading:
    """One pass over the history, and what was met on the way."""

    repository: Repository
    branch: _Branch
    source: Source
    since: str | None
    checkpoint: dict[str, Any]  # of the last import; emptied if that is of no use
    known: Mapping[int, str]
    repo: str | None
    patches: bool
    met: set[int] = field(default_factory=set)
    found: int = 0  # pull requests yielded
    repeated: list[int] = field(default_factory=list)
    uncounted: list[str] = field(default_factory=list)  # one commit of each pull request with unknown sizes
    cut: str | None = None  # the commit at which a shallow clone begins

    def pulls(self) -> Iterator[PullRecord]:
        """Every pull request once; then the source's notes, counts and checkpoint are filled in."""
        try:
            with self.repository.lookup() as lookup:
                for landing, commits in _landings(self._commits(self._start())):
                    if landing is None:
                        self.source.direct_commits += [_direct_commit(commit) for commit in commits]
                        continue
                    for pull in self._first_time(landing.pulls, commits[-1].sha):
                        self.uncounted += [commit.sha for commit in commits if not commit.lines_known][:1]
                        yield _Landed(self.repository, lookup, landing, commits).record(pull, self.branch, self.repo)
        except GitFailed as error:
            raise SourceError(f"git could not read {self.repository.path} to the end: {error}.") from error
        self._finish()

    def _start(self) -> str | None:
        """The commit after which to read; None for the beginning."""
        if self.checkpoint:
            reason = self._reason_to_start_over()
            if reason is None:
                return str(self.checkpoint["head"])
            self.source.notes.append(f"Everything was read again: {reason}.")
            self.checkpoint = {}
        self.known = NOTHING_KNOWN
        return self._commit_before(self.since) if self.since else None

    def _reason_to_start_over(self) -> str | None:
        last, ask = self.checkpoint, self.repository.ask
        head = str(last.get("head", ""))
        if last.get("branch") != self.branch.name:
            return f"the last import was of branch {last.get('branch')}, this one is of {self.branch.name}"
        if ask("merge-base", "--is-ancestor", head, self.branch.commit) is None:
            return f"commit {head[:10]}, where the last import ended, is no longer part of {self.branch.name}"
        if "since" in last and (self.since or "") < last["since"]:
            return f"the last import reached back to {last['since'][:10]} only"
        if self.patches and last.get("patches") != RULES_VERSION:
            return "patches are read by newer rules" if "patches" in last else "the last import read no patches"
        if "cut" in last and last["cut"] not in self.repository.cut_commits():
            return "the clone has more history than it had"
        if "uncounted" in last and ask("log", "-1", "-m", "--first-parent", "--numstat", last["uncounted"]) is not None:
            return "the clone has file contents that it lacked"
        return None

    def _commit_before(self, since: str) -> str | None:
        """The parent of the first commit that landed at or after `since`, or the branch itself if none did.

        Committers' clocks may disagree, so commits after that one can bear an earlier date. The numbers that landed
        before are kept: a later commit that names one is a follow-up.
        """
        start: str | None = self.branch.commit
        found = False
        for commit in self.repository.log(self.branch.commit, changes="none"):
            if (commit.committed_at or "") < since:
                if landing := read_landing(commit.message):
                    self.met.update(pull.number for pull in landing.pulls)
            elif not found:
                found, start = True, next(iter(commit.parents), None)
        return start

    def _commits(self, start: str | None) -> Iterator[Commit]:
        """The commits after `start` that landed at or after `since`."""
        cuts = self.repository.cut_commits()
        for commit in self._read_past_missing_contents(start):
            if not commit.parents and commit.sha in cuts:
                self.cut = commit.sha  # git shows it as if it had added the whole tree
            elif (commit.committed_at or "") >= (self.since or ""):
                yield commit

    def _read_past_missing_contents(self, start: str | None) -> Iterator[Commit]:
        """The commits after `start`, with line counts where this clone has the contents to count.

        git dies on the first content that a partial or damaged clone lacks. What came before is kept, that commit is
        read from the trees alone, then counting goes on; where one after another can't be counted, ever longer
        stretches are read from the trees.
        """
        in_a_row = 0
        while True:
            revisions = f"{start}..{self.branch.commit}" if start else self.branch.commit
            try:
                for commit in self.repository.log(revisions, changes="patches" if self.patches else "lines"):
                    start, in_a_row = commit.sha, 0
                    yield commit
                return
            except GitFailed as error:
                if not error.is_about_missing_objects:
                    raise
            in_a_row += 1
            stretch = 2 ** max(0, in_a_row - SINGLE_STEPS)
            revisions = f"{start}..{self.branch.commit}" if start else self.branch.commit
            for commit in islice(self.repository.log(revisions, changes="paths"), stretch):
                start = commit.sha
                yield commit

    def _first_time(self, pulls: list[NamedPull], sha: str) -> Iterator[NamedPull]:
        for pull in pulls:
            if pull.number in self.met or self.known.get(pull.number, sha) != sha:
                self.repeated.append(pull.number)
            else:
                self.met.add(pull.number)
                self.found += 1
                yield pull

    def _finish(self) -> None:
        source, last = self.source, self.checkpoint
        source.checkpoint = {"branch": self.branch.name, "head": self.branch.commit}
        kept = {
            "since": self.since if not last else None,
            "cut": self.cut,
            "uncounted": next(iter(self.uncounted), None),
        }
        if self.patches:
            source.checkpoint["patches"] = RULES_VERSION
        elif "patches" in last and not self.found:  # all that is cached is still read
            source.checkpoint["patches"] = last["patches"]
        for name, value in kept.items():
            if value := last.get(name) or value:
                source.checkpoint[name] = value
        source.skipped = len(self.repeated)
        notes = (self._note_on_depth(), self._note_on_contents(), self._note_on_repeats(), self._note_on_pushes())
        source.notes += filter(None, notes)

    def _note_on_depth(self) -> str | None:
        cut = (self.source.checkpoint or {}).get("cut")
        if not cut:
            return None
        day = (self.repository.ask("show", "-s", "--format=%cs", cut) or "")[:10]
        return (
            f"This clone is shallow: its history goes back to commit {cut[:10]} of {day}, which is left out because its"
            " changes can't be told. For the rest run `git fetch --unshallow` in it and import again."
        )

    def _note_on_contents(self) -> str | None:
        if not self.uncounted:
            return None
        return (
            f"This clone lacks contents of the files of {counted(len(self.uncounted), 'pull request')}: the paths are"
            f" known, the lines are not{', nor what the patches do' if self.patches else ''}. A clone made without"
            " `--filter` has them."
        )

    def _note_on_repeats(self) -> str | None:
        if not self.repeated:
            return None
        numbers = sorted(set(self.repeated))
        named = ", ".join(f"#{number}" for number in numbers[:MOST_NAMED]) + (" ..." if numbers[MOST_NAMED:] else "")
        return (
            f"{counted(len(self.repeated), 'commit')} left out for naming a pull request that had landed before"
            f" ({named})."
        )

    def _note_on_pushes(self) -> str | None:
        direct = len(self.source.direct_commits)
        if direct <= max(MOST_PUSHES_UNTOLD, self.found):
            return None
        return (
            f"A pull request is named by only {self.found:,} of {counted(direct + self.found, 'commit')}. Where they"
            " were rebased, only GitHub knows which commits are whose: sync from there."
        )


@dataclass
class _Landed:
    """Pull requests that landed together, and the commits that brought them: several only after a rebase."""

    repository: Repository
    lookup: ObjectReader
    landing: Landing
    commits: list[Commit]

    def record(self, pull: NamedPull, branch: _Branch, repo: str | None) -> PullRecord:
        """What the clone tells of one of them."""
        first, last = self.commits[0], self.commits[-1]
        merged = self._merged_commit(pull)
        own = _own_commit(self.lookup, merged) if merged else None
        title = pull.title or (own and subject_of(own.message)) or self.landing.head or f"Pull request {pull.number}"
        record = PullRecord(
            number=pull.number,
            title=title,
            body=pull.body,
            state="merged",
            author=_author(pull.author_login, self.landing.head_owner, first if len(last.parents) < 2 else own),
            merged_by=_merged_by(last),
            merged_at=last.committed_at,
            closed_at=last.committed_at,
            base=branch.name,
            head=self.landing.head or None,
            co_authors=self._co_authors(),
            links=self._links(pull, title, repo),
            merge_commit=last.sha,
            merge_method=self._method(),
            n_commits=len(self.commits) if self._method() == REBASE else None,
        )
        files, patches = self._changes(merged)
        _add_files(record, files, lines_known=all(commit.lines_known for commit in self.commits))
        if patches is not None:
            read = [patch for patch in map(read_patch, patches) if patch]
            record["signals"], record["patches_known"] = signals(read, self.lookup.file), True
        return record

    def _method(self) -> str:
        is_merge = len(self.commits[-1].parents) > 1
        return self.landing.method or (MERGE if is_merge else REBASE if self.landing.by_trailer else SQUASH)

    def _merged_commit(self, pull: NamedPull) -> str | None:
        """The head of the branch that was merged; None for a squash or a rebase."""
        _, *merged = self.commits[-1].parents or [""]
        if len(self.landing.pulls) > 1:
            index = self.landing.pulls.index(pull)
            return merged[index] if len(merged) == len(self.landing.pulls) else None
        return merged[0] if merged else None

    def _changes(self, merged: str | None) -> tuple[list[FileRecord] | None, list[bytes] | None]:
        """The files that it changed, and their patches where those are known."""
        first, last = self.commits[0], self.commits[-1]
        wants = "lines" if first.patches is None else "patches"
        if len(self.landing.pulls) > 1:
            changed = self.repository.diff(first.parents[0], merged, changes=wants) if merged else None
            return changed or (None, None)
        if first is last:
            return first.files, first.patches
        files = _added_up(commit.files for commit in self.commits)
        # What one of its commits did and the next undid was never done: the patches are those of the whole.
        is_asked = first.patches is not None and first.parents
        whole = self.repository.diff(first.parents[0], last.sha, changes=wants) if is_asked else None
        return files, whole[1] if whole else None

    def _co_authors(self) -> list[CoAuthorRecord] | None:
        named = co_authors("\n".join(commit.message for commit in self.commits))
        # The commits of a merged branch have trailers of their own, so that none here means unknown.
        return named or ([] if len(self.commits[-1].parents) < 2 else None)

    def _links(self, pull: NamedPull, title: str, repo: str | None) -> list[LinkRecord]:
        found = links(title, pull.body, number=pull.number, repo=repo)
        for sha, words in reverted_commits(pull.body)[:MOST_REVERTS]:
            commit = self.lookup.find(sha)
            landing = read_landing(commit.message) if commit else None
            for reverted in landing.pulls if landing else ():
                if reverted.number != pull.number:
                    found = [link for link in found if (link["number"], link["repo"]) != (reverted.number, None)]
                    found.append(LinkRecord(kind="reverts", number=reverted.number, repo=None, evidence=words))
        return found


def _landings(commits: Iterable[Commit]) -> Iterator[tuple[Landing | None, list[Commit]]]:
    """Each commit with what it brings; neighbours whose trailers name the same number come together."""
    landing: Landing | None = None
    together: list[Commit] = []
    for commit in commits:
        new = read_landing(commit.message)
        if together and landing and new and _goes_on(landing, new):
            together.append(commit)
            continue
        if together:
            yield landing, together
        landing, together = new, [commit]
    if together:
        yield landing, together


def _goes_on(landing: Landing, new: Landing) -> bool:
    return landing.by_trailer and new.by_trailer and landing.pulls[0].number == new.pulls[0].number


def _own_commit(lookup: ObjectReader, head: str) -> BareCommit | None:
    """The newest commit on a merged branch that is no merge of the main branch into it."""
    for _ in range(MOST_MERGES_BACK):
        commit = lookup.find(head)
        if commit is None or len(commit.parents) < 2:
            return commit
        head = commit.parents[0]
    return None


def _author(login: str | None, head_owner: str | None, commit: Commit | BareCommit | None) -> Person | None:
    if commit is None:
        return people.person(login) if login else None
    name, email = commit.author_name, commit.author_email
    if not login and head_owner and _is_name_of(head_owner, name, email):
        login = head_owner
    return people.person(login, name=name, email=email)


def _is_name_of(login: str, name: str, email: str) -> bool:
    """Whether a login looks like somebody's name, initial and last name, or address."""
    wanted = _letters(login)
    parts = [_letters(part) for part in name.split()] or [""]
    first, last = parts[0], parts[-1]
    spelled = {"".join(parts), last + first, first[:1] + last, first + last[:1], _letters(email.partition("@")[0])}
    return len(wanted) > 2 and (
        wanted in spelled or any(len(one) > 4 and (one in wanted or wanted in one) for one in spelled)
    )


def _letters(written: str) -> str:
    return "".join(letter for letter in written.casefold() if letter.isalpha())


def _merged_by(commit: Commit) -> Person | None:
    """Who pressed the button, or committed; None where GitHub committed a squash for somebody it doesn't name."""
    name, email = commit.committer_name, commit.committer_email
    if not (name.lower() in WEB_FLOW_NAMES and email.lower().startswith("noreply@")):
        return people.person(name=name, email=email)
    return people.person(name=commit.author_name, email=commit.author_email) if len(commit.parents) > 1 else None


def _add_files(record: PullRecord, files: list[FileRecord] | None, *, lines_known: bool) -> None:
    record["files"], record["files_complete"] = files, files is not None and lines_known
    record["changed_files"] = None if files is None else len(files)
    record["additions"] = record["deletions"] = None
    if files is not None and lines_known:
        record["additions"] = sum(file["additions"] or 0 for file in files)
        record["deletions"] = sum(file["deletions"] or 0 for file in files)
    for file in files or []:
        if not lines_known:  # some of several commits may have been counted
            file["additions"] = file["deletions"] = None


def _added_up(commits: Iterable[list[FileRecord]]) -> list[FileRecord]:
    """The files of several commits in a row as one list: lines are summed, a renamed file has its new path."""
    total: dict[str, FileRecord] = {}
    for file in (file for files in commits for file in files):
        before = total.pop(file["path"], None) or (
            total.pop(file["old_path"] or "", None) if file["status"] == "renamed" else None
        )
        total[file["path"]] = _one_after_another(before, file) if before else file
    return list(total.values())


def _one_after_another(before: FileRecord, after: FileRecord) -> FileRecord:
    status = after["status"]
    if before["status"] == "removed" and status == "added":
        status = "modified"
    elif before["status"] in ("added", "renamed", "copied") and status != "removed":
        status = before["status"]
    return FileRecord(
        path=after["path"],
        old_path=before["old_path"] or after["old_path"],
        status=status,
        additions=_sum(before["additions"], after["additions"]),
        deletions=_sum(before["deletions"], after["deletions"]),
    )


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None and other is None else (one or 0) + (other or 0)


def _direct_commit(commit: Commit) -> CommitRecord:
    return CommitRecord(
        sha=commit.sha,
        committed_at=commit.committed_at or "",
        author=people.person(name=commit.author_name, email=commit.author_email),
        subject=subject_of(commit.message),
    )


def _since_text(since: str | None) -> str | None:
    try:
        return utc_text(since)
    except ValueError as error:
        raise SourceError(f"{since!r} is no date. Write it like 2026-04-26.") from error


def _find_branch(repository: Repository, wanted: str | None) -> _Branch:
    defaults = _default_refs(repository)
    default = _short_name(defaults[0])
    refs = defaults
    if wanted:
        refs = [f"refs/remotes/origin/{wanted}", f"refs/heads/{wanted}", f"refs/remotes/{wanted}"]
    for ref in refs:
        if commit := _commit_at(repository, ref):
            name = _short_name(ref)
            return _Branch(name, commit, default if wanted else name)
    raise _no_such_branch(repository, wanted or default)


def _commit_at(repository: Repository, ref: str) -> str | None:
    return repository.ask("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")


def _default_refs(repository: Repository) -> list[str]:
    """Where the main branch may be, the best guess first. A detached HEAD has the name of a branch that is at it."""
    origin = repository.ask("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
    head = repository.ask("symbolic-ref", "--quiet", "HEAD")
    if not head:
        at_head = repository.ask("for-each-ref", "--points-at=HEAD", "--format=%(refname)", *BRANCHES) or ""
        head = next(iter(at_head.split()), "HEAD")
    return [origin, head] if origin else [head]


def _short_name(ref: str) -> str:
    for kind, parts in (("refs/heads/", 2), ("refs/remotes/", 3)):
        if ref.startswith(kind):
            return ref.split("/", parts)[-1]
    return ref


def _no_such_branch(repository: Repository, name: str) -> SourceError:
    format_ = "--format=%(refname)"
    refs = (repository.ask("for-each-ref", "--sort=-committerdate", format_, *BRANCHES) or "").split()
    names = list(dict.fromkeys(_short_name(ref) for ref in refs if not ref.endswith("/HEAD")))
    if not names:
        return SourceError(f"{repository.path} is an empty repository: it has no commits yet.")
    more = f" and {len(names) - MOST_NAMED} more" if names[MOST_NAMED:] else ""
    return SourceError(
        f"{repository.path} has no branch {name}. Name one of its branches: {', '.join(names[:MOST_NAMED])}{more}."
    )


def _tags(repository: Repository, branch: _Branch, notes: list[str]) -> list[TagRecord]:
    """Tags that name a commit, by itself or through an annotated tag, and up to when they hold what landed."""
    fields = ("%(refname:strip=2)", "%(objecttype)", "%(objectname)", "%(*objecttype)", "%(*objectname)")
    dates = ("%(committerdate:unix)", "%(*committerdate:unix)")
    try:
        listed = repository.run("for-each-ref", "--format=" + "%09".join(fields + dates), "refs/tags")
        # Whatever branch is read, releases are of the default one.
        default = next(filter(None, (_commit_at(repository, ref) for ref in _default_refs(repository))), branch.commit)
        branched = _branched_at(repository, default) if listed else {}
    except GitFailed as error:
        notes.append(f"The tags could not be read: {error}.")
        return []
    tags = []
    for line in filter(None, listed.split("\n")):  # a name may hold what Python takes for the end of a line
        name, kind, own_sha, inner_kind, inner_sha, own_date, inner_date = line.split("\t")
        sha = inner_sha or own_sha
        if "commit" in (kind, inner_kind) and (date := moment_of(branched.get(sha) or own_date or inner_date)):
            tags.append(TagRecord(name=name, sha=sha, tagged_at=date))
    return tags


def _branched_at(repository: Repository, head: str) -> dict[str, str]:
    """Of each commit that a tag holds and the branch ending in `head` does not: when the newest that both hold is of.

    Left out are commits that have nothing in common with the branch.
    """
    options = ("--timestamp", "--parents", "--boundary", "--topo-order", "--reverse")
    newest: dict[str, int] = {}
    for line in repository.run("rev-list", *options, "--tags", "--not", head).splitlines():  # parents come first
        seconds, sha, *parents = line.split()
        found = [newest[parent] for parent in parents if parent in newest]
        if sha.startswith("-"):  # where a line of its own leaves the branch
            newest[sha[1:]] = int(seconds)
        elif found:
            newest[sha] = max(found)
    return {sha: str(seconds) for sha, seconds in newest.items()}


def _codeowners(repository: Repository, commit: str) -> list[OwnerRecord] | None:
    """The rules of the first CODEOWNERS file that GitHub looks at; [] if there is none, None if it can't be read."""
    listed = repository.ask("ls-tree", commit, "--", *CODEOWNERS_PLACES)
    if listed is None:
        return None
    blobs = {path: entry.split()[2] for entry, _, path in (line.partition("\t") for line in listed.splitlines())}
    place = next((place for place in CODEOWNERS_PLACES if place in blobs), None)
    if place is None:
        return []
    written = repository.ask("cat-file", "blob", blobs[place])
    return None if written is None else _owner_rules(written)


def _owner_rules(written: str) -> list[OwnerRecord]:
    """Lines of `pattern owner ...`; GitHub skips a line that starts with `!` or `[`, and a rule may name nobody."""
    rules = []
    for line in written.replace("\0", "").splitlines():
        pattern, *owners = re.split(r"(?<!\\)\s+", re.sub(r"(?<!\\)(?:^|(?<=\s))#.*", "", line).strip())
        if pattern and pattern[0] not in "![":
            rules.append(OwnerRecord(pattern=pattern.replace("\\ ", " ").replace("\\#", "#"), owners=owners))
    return rules
