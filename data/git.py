"""Runs git over a repository so that it answers the same on every machine.

No user or system configuration, no attributes of a checkout, no network: a partial clone stays as it is. The history is
streamed, one commit at a time, whatever its length.
"""

import codecs
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from data.errors import SourceError
from data.moments import utc_text
from data.records import FileRecord

# Each line undoes something that a repository's own configuration may say and that would change our figures.
_SETTINGS = {
    "safe.directory": "*",
    "safe.bareRepository": "all",
    "attr.tree": "refs/no-attributes",
    "core.attributesFile": os.devnull,
    "diff.algorithm": "default",
    "diff.context": "3",
    "diff.ignoreSubmodules": "none",
    "diff.interHunkContext": "0",
    "diff.mnemonicPrefix": "false",
    "diff.noPrefix": "false",
    "diff.orderFile": os.devnull,
    "diff.relative": "false",
    "diff.renameLimit": "1000",
    "diff.submodule": "short",
    "diff.suppressBlankEmpty": "false",
    "log.diffMerges": "first-parent",
    "log.showRoot": "true",
    "log.showSignature": "false",
}
_FIELDS = ("%H", "%P", "%an", "%ae", "%cn", "%ce", "%ct", "%B")
_FORMAT = "--format=%x00" + "%x00".join(_FIELDS)
_DIFF = ("--raw", "--no-abbrev")
# Line counts read every blob; without them git needs the trees only, and finds the renames that changed nothing else.
_PATCH = (
    "--patch",
    "--full-index",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
_CHANGES = {
    "patches": ("-m", *_DIFF, "--numstat", "-M", *_PATCH),
    "lines": ("-m", *_DIFF, "--numstat", "-M"),
    "paths": ("-m", *_DIFF, "-M100%"),
    "none": (),
}
_PATCH_ENDS = re.compile(rb"\n(?=diff --git |\0)")  # every line of content has a sign before it
LONGEST_PATCH = 1 << 20  # bytes of one file: what is longer is data, or was generated
MOST_PATCHES = 1 << 26  # bytes of one commit that are kept
LONGEST_OBJECT = 1 << 20
_BORDER = len(b"\ndiff --git ")
_STATUS = {b"A": "added", b"M": "modified", b"D": "removed", b"R": "renamed", b"C": "copied", b"T": "changed"}
_COPIED_OR_RENAMED = (b"R", b"C")
_AUTHOR = re.compile(rb"author (.*?) ?<(.*?)> ")
# What git says when an object's content isn't there to be read: partial, size-filtered and damaged clones.
_MISSING = re.compile(r"unable to read|could not fetch|promisor|loose object|packed object|corrupt|missing blob")


class GitFailed(Exception):
    """git ended with an error; `str(error)` is the last line it said."""

    @property
    def is_about_missing_objects(self) -> bool:
        """Whether git lacked the content of some object, rather than died for another reason."""
        return bool(_MISSING.search(str(self)))


@dataclass(slots=True)
class Commit:
    """One commit as git tells it: text decoded, the moment as UTC text, a merge's files against its first parent."""

    sha: str
    parents: list[str]
    author_name: str
    author_email: str
    committer_name: str
    committer_email: str
    committed_at: str | None
    message: str
    files: list[FileRecord]
    lines_known: bool
    patches: (
        list[bytes] | None
    )  # a file each, in git's words, but those too long to read; None: not asked for, too much
    is_whole: bool  # surely: it changes files, and git came to counting the lines of the last


@dataclass(slots=True)
class BareCommit:
    """What the commit object alone tells."""

    parents: list[str]
    author_name: str
    author_email: str
    message: str


class Repository:
    """A clone or bare repository on this machine; opened by `open_repository`."""

    def __init__(self, path: Path, git_dir: Path) -> None:
        self.path, self.git_dir = path, git_dir
        # git reads .gitattributes where it stands: `*.lock binary` would hide lines in a checkout, not in a bare clone.
        self._cwd = git_dir if git_dir.is_dir() else path
        self._environment = _environment(git_dir)

    def run(self, *arguments: str) -> str:
        """What a git command prints.

        Raises:
            GitFailed: it ended with an error.
        """
        command = self._command(*arguments)
        done = subprocess.run(command, capture_output=True, check=False, cwd=self._cwd, env=self._environment)
        if done.returncode:
            raise GitFailed(_last_line(done.stderr))
        return text(done.stdout)

    def ask(self, *arguments: str) -> str | None:
        """What a git command prints, without the line's end; None if it ended with an error."""
        try:
            return self.run(*arguments).rstrip("\n")
        except GitFailed:
            return None

    def log(self, revisions: str, *, changes: str = "lines") -> Iterator[Commit]:
        """The first-parent history of `revisions`, oldest first.

        Args:
            revisions: a commit, or a range `old..new`.
            changes: `lines` for files with line counts, `patches` for their patches besides, `paths` for files without
                either, `none` for no files.

        Raises:
            GitFailed: git died; every commit yielded before is whole.
        """
        options = ("--first-parent", "--reverse", "--encoding=UTF-8", "--no-mailmap", "--no-decorate", "--no-notes")
        command = self._command("log", "-z", *options, _FORMAT, *_CHANGES[changes], revisions, "--")
        pending: Commit | None = None  # git may die within a commit: it counts once the next begins or git ends well
        try:
            with self._reading(command) as stream:
                for commit in _commits(_Reader(stream), changes):
                    if pending:
                        yield pending
                    pending = commit
        except GitFailed:
            if pending and pending.is_whole:
                yield pending
            raise
        if pending:
            yield pending

    def diff(
        self, base: str, head: str, *, changes: str = "lines"
    ) -> tuple[list[FileRecord], list[bytes] | None] | None:
        """The files that `head` changed since it left `base`, and their patches if asked for; None: git can't tell."""
        options = [option for option in _CHANGES[changes] if option != "-m"]
        try:
            with self._reading(self._command("diff", "-z", *options, f"{base}...{head}", "--")) as stream:
                reader = _Reader(stream)
                files, _ = _files(reader)
                return files, None if changes != "patches" else reader.patches() if files else []
        except GitFailed:
            return None

    def lookup(self) -> "ObjectReader":
        """A reader of single objects; to be closed, best by `with`."""
        return ObjectReader(self)

    def start_lookup(self) -> subprocess.Popen[bytes]:
        """The process behind `ObjectReader`."""
        return subprocess.Popen(
            self._command("cat-file", "--batch"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._cwd,
            env=self._environment,
        )

    def cut_commits(self) -> set[str]:
        """The commits at which a shallow clone was cut off; empty for a whole one."""
        name = self.ask("rev-parse", "--git-path", "shallow") or ""
        try:
            return set(Path(name).read_text(encoding="ascii").split())
        except OSError:
            return set()

    def _command(self, *arguments: str) -> list[str]:
        return ["git", "--no-pager", f"--git-dir={self.git_dir}", *arguments]

    @contextmanager
    def _reading(self, command: list[str]) -> Iterator[IO[bytes]]:
        """A command's output as a stream; leaving early ends the command, an error of its own raises GitFailed."""
        pipe, cwd, env = subprocess.PIPE, self._cwd, self._environment
        with (
            tempfile.TemporaryFile() as complaints,
            subprocess.Popen(command, stdout=pipe, stderr=complaints, cwd=cwd, env=env) as process,
        ):
            assert process.stdout is not None
            try:
                yield process.stdout
            except BaseException:
                process.kill()
                raise
            if process.wait():
                complaints.seek(0)
                raise GitFailed(_last_line(complaints.read()) or f"it ended with {process.returncode}")


class ObjectReader:
    """Looks up commits and files by name, all through one `git cat-file --batch` that is started when first needed."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "ObjectReader":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def find(self, name: str) -> BareCommit | None:
        """The commit of this full or abbreviated hash; None if it isn't here, or is no commit."""
        kind, content = self._read(name)
        return _bare_commit(content) if kind == b"commit" else None

    def file(self, name: str) -> str | None:
        """The text of a file by the hash of its content; None if it isn't here, or is no file."""
        kind, content = self._read(name)
        return text(content) if kind == b"blob" else None

    def _read(self, name: str) -> tuple[bytes, bytes]:
        """Kind and content of an object; both empty if it isn't here."""
        self._process = self._process or self._repository.start_lookup()
        asks, answers = self._process.stdin, self._process.stdout
        assert asks is not None and answers is not None
        try:
            asks.write(name.encode() + b"\n")
            asks.flush()
        except OSError:
            self._stop()
            return b"", b""
        answer = answers.readline().split()
        if not answer:  # a partial clone's git dies when asked for what it lacks
            self._stop()
        if len(answer) != 3 or not answer[2].isdigit():  # `<name> missing`, `<name> ambiguous`
            return b"", b""
        kind, size = answer[1], int(answer[2])
        while size > LONGEST_OBJECT:  # a commit or a source file is never that long: let it pass by
            size -= len(answers.read(min(LONGEST_OBJECT, size - LONGEST_OBJECT)))
            kind = b""
        return kind, answers.read(size + 1)[:-1]

    def _stop(self) -> None:
        if self._process:
            self._process.kill()
            with suppress(OSError), self._process:
                pass
        self._process = None


def open_repository(path: Path) -> Repository:
    """The repository at `path`: a clone's folder, or a bare repository under any name.

    Raises:
        SourceError: there is none, it can't be read, or git is not installed.
    """
    try:
        if not path.exists():
            raise SourceError(f"There is no folder {path}. Name the folder of a git clone.")
        if not path.is_dir():
            raise SourceError(f"{path} is a file. Name the folder of a git clone.")
        inner = path / ".git"
        repository = Repository(path, (inner if inner.exists() else path).absolute())
        found = repository.run("rev-parse", "--absolute-git-dir").rstrip("\n")
    except FileNotFoundError as error:
        raise SourceError("git is not installed, or not on the PATH. Install it and import again.") from error
    except PermissionError as error:
        raise SourceError(f"{path} can't be read: {error.strerror}.") from error
    except GitFailed as error:
        if "not a git repository" in str(error):
            raise SourceError(
                f"{path} is not a git repository. Name the folder that holds `.git`, or a bare one."
            ) from error
        raise SourceError(f"git can't read {path}: {error}.") from error
    return Repository(path, Path(found))  # of a linked worktree or a submodule, whose `.git` is a file


def text(raw: bytes) -> str:
    """Git's bytes as text; what can't be decoded becomes U+FFFD."""
    return raw.decode("utf-8", "replace")


def moment_of(seconds: str) -> str | None:
    """The moment that git gives as seconds since 1970; None for one beyond the year 9999, or none at all."""
    try:
        return utc_text(int(seconds))
    except (ValueError, OverflowError, OSError):
        return None


def _environment(git_dir: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    settings: dict[str, str] = {"GIT_CONFIG_COUNT": str(len(_SETTINGS))}
    for index, (key, value) in enumerate(_SETTINGS.items()):
        settings |= {f"GIT_CONFIG_KEY_{index}": key, f"GIT_CONFIG_VALUE_{index}": value}
    return {
        **kept,
        **settings,
        "GIT_ALLOW_PROTOCOL": "none",  # what GIT_NO_LAZY_FETCH says, for a git that is too old to know it
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_WORK_TREE": str(git_dir),  # whatever a moved checkout's core.worktree says
        "LC_ALL": "C",
    }


def _last_line(complaints: bytes) -> str:
    lines = text(complaints).strip().splitlines()
    return lines[-1].removeprefix("fatal: ").rstrip(".") if lines else ""


class _Reader:
    """Takes git's output apart as it comes: what stands before each NUL, and patches, which may hold NULs too."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._buffer, self._at = b"", 0

    def __iter__(self) -> "_Reader":
        return self

    def __next__(self) -> bytes:
        """What stands before the next NUL; a rest without one is left out."""
        while (end := self._buffer.find(b"\0", self._at)) < 0:
            if not self._more():
                raise StopIteration
        piece = self._buffer[self._at : end]
        self._at = end + 1
        return piece

    def patches(self) -> list[bytes] | None:
        """The patches of a commit, a file each, without those that are too long; None for more than is kept."""
        kept: list[bytes] = []
        size = 0
        while (patch := self._patch()) is not None:
            size += len(patch)
            if size > MOST_PATCHES:
                kept.clear()
            elif patch:
                kept.append(patch)
        return kept if size <= MOST_PATCHES else None

    def _patch(self) -> bytes | None:
        """The patch of the next file, empty if it is too long; None where they end."""
        if (self._at == len(self._buffer) and not self._more()) or self._buffer.startswith(b"\0", self._at):
            return None
        is_long, search_from = False, self._at
        while not (end := _PATCH_ENDS.search(self._buffer, search_from)):
            if len(self._buffer) - self._at > LONGEST_PATCH:
                is_long, self._at = True, len(self._buffer) - _BORDER
            search_from = max(0, len(self._buffer) - self._at - _BORDER)  # an end may lie across the border
            if not self._more():
                break
        stop = end.start() + 1 if end else len(self._buffer)
        patch = self._buffer[self._at : stop]
        self._at = stop
        return b"" if is_long or len(patch) > LONGEST_PATCH else patch

    def _more(self) -> bool:
        chunk: bytes = self._stream.read1(1 << 18)  # type: ignore[attr-defined] # a pipe is a BufferedReader
        self._buffer, self._at = self._buffer[self._at :] + chunk, 0
        return bool(chunk)


def _commits(reader: _Reader, changes: str) -> Iterator[Commit]:
    """Commits from `_FORMAT`, each followed by its changed files, an empty token and, if asked for, their patches."""
    for sha in reader:
        if not sha:
            continue
        fields = [text(field) for field in islice(reader, len(_FIELDS) - 1)]
        if len(fields) < len(_FIELDS) - 1:
            return
        parents, author_name, author_email, committer_name, committer_email, committed, message = fields
        files, counted = _files(reader)
        yield Commit(
            sha=text(sha),
            parents=parents.split(),
            author_name=author_name,
            author_email=author_email,
            committer_name=committer_name,
            committer_email=committer_email,
            committed_at=moment_of(committed),
            message=message,
            files=files,
            lines_known=changes in ("lines", "patches"),
            patches=None if changes != "patches" else reader.patches() if files else [],
            # Patches need no look of their own: git has read the contents when it counts.
            is_whole=0 < len(files) == counted,
        )


def _files(tokens: Iterator[bytes]) -> tuple[list[FileRecord], int]:
    """Files from `--raw --numstat -z` up to an empty token or the end, and the number of those with line counts.

    Renames carry two paths. git tells all files first, then counts the lines of each.
    """
    files: dict[bytes, FileRecord] = {}
    counted = 0
    for token in tokens:
        token = token.lstrip(b"\n")
        if not token:
            break
        if token.startswith(b":"):
            _, _, before, after, letter = token.split(b" ")
            old = next(tokens, b"") if letter.startswith(_COPIED_OR_RENAMED) else None
            path = next(tokens, b"")
            files[path] = FileRecord(
                path=text(path),
                old_path=None if old is None else text(old),
                status="changed" if before == after and old is None else _STATUS.get(letter[:1], "changed"),
                additions=None,
                deletions=None,
            )
            continue
        added, deleted, path = token.split(b"\t", 2)
        if not path:
            next(tokens, b"")
            path = next(tokens, b"")
        counted += path in files
        if path in files and added != b"-":  # binary
            files[path]["additions"], files[path]["deletions"] = int(added), int(deleted)
    return list(files.values()), counted


def _bare_commit(content: bytes) -> BareCommit:
    head, _, message = content.partition(b"\n\n")
    lines = head.split(b"\n")
    author = next((found for line in lines if (found := _AUTHOR.match(line))), None)
    encoding = next((text(line[9:]) for line in lines if line.startswith(b"encoding ")), "utf-8")
    try:
        decode = codecs.lookup(encoding).decode
    except LookupError:
        decode = codecs.lookup("utf-8").decode
    return BareCommit(
        parents=[text(line[7:]) for line in lines if line.startswith(b"parent ")],
        author_name=decode(author[1], "replace")[0] if author else "",
        author_email=decode(author[2], "replace")[0] if author else "",
        message=decode(message, "replace")[0],
    )
