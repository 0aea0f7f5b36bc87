"""Builds real git repositories for tests: squashes, merges, bors, rebases, direct pushes, and whole histories.

Commits are gathered and written by one `git fast-import` when the repository's `path` is asked for, so that a thousand
of them take a second. Each lands an hour after the one before, unless `at` says when.
"""

import os
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain, count, repeat
from pathlib import Path
from typing import Any

Files = Mapping[str, str | bytes | None]  # path -> content; None removes the file
Commit = str  # a mark such as `:12`, of use as a parent

ADA = "Ada Example <ada@example.org>"
GRACE = "Grace Example <grace@example.org>"
GITHUB = "GitHub <noreply@github.com>"
BORS = "bors <bors@example.org>"

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def git(*arguments: str | Path, cwd: Path | None = None, data: bytes | None = None) -> str:
    """What a git command prints; an error of its own fails the test."""
    command = ["git", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, input=data, capture_output=True, env=ENVIRONMENT)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr.decode(errors='replace')}"
    return done.stdout.decode(errors="replace").strip()


class GitRepo:
    """One repository that grows; ask for its `path` when it is to be read."""

    def __init__(
        self, path: Path, *, bare: bool = True, branch: str = "main", start: str = "2026-03-02T09:00:00Z"
    ) -> None:
        self.folder, self.branch = path, branch
        self._next = datetime.fromisoformat(start)
        self._marks = count(1)
        self._files = count(1)
        self._tips: dict[str, Commit] = {}
        self._pending: list[bytes] = []
        git("init", "--quiet", f"--initial-branch={branch}", *(["--bare"] if bare else []), path)
        # Kept beside the repository, for marks outlive one run of fast-import.
        self._marks_file = path.with_name(f".{path.name}-marks")

    @property
    def path(self) -> Path:
        """The repository's folder, with everything written."""
        if self._pending:
            marks = (f"--import-marks-if-exists={self._marks_file}", f"--export-marks={self._marks_file}")
            git("fast-import", "--quiet", "--force", *marks, cwd=self.folder, data=b"".join(self._pending))
            self._pending.clear()
        return self.folder

    def git(self, *arguments: str | Path) -> str:
        return git(*arguments, cwd=self.path)

    def head(self, branch: str | None = None) -> str:
        """The full name of the newest commit."""
        return self.git("rev-parse", f"refs/heads/{branch or self.branch}")

    def commit(
        self,
        message: str | bytes,
        files: Files | None = None,
        *,
        author: str = ADA,
        committer: str | None = None,
        at: str | None = None,
        branch: str | None = None,
        parents: Sequence[Commit] | None = None,
        renames: Mapping[str, str] | None = None,
        executable: Collection[str] = (),
        also: Sequence[str] = (),
        encoding: str | None = None,
    ) -> Commit:
        """Add a commit to a branch; without files it adds a new one of one line.

        Args:
            renames: old path -> new path, done before `files` are written.
            executable: those of `files` that get the executable bit.
            also: further fast-import commands, such as `M 160000 <sha> vendor/lib` for a submodule.
            encoding: of a message given as bytes, for the commit's header.
        """
        branch, mark = branch or self.branch, f":{next(self._marks)}"
        moment = datetime.fromisoformat(at) if at else self._next
        self._next = moment + timedelta(hours=1)
        if parents is None:
            parents = [self._tips[branch]] if branch in self._tips else []
        if files is None and not renames and not also:
            files = self._new_file()
        seconds = int(moment.timestamp())
        text = message.encode() if isinstance(message, str) else message
        lines = [f"commit refs/heads/{branch}", f"mark {mark}"]
        lines += [f"author {author} {seconds} +0000", f"committer {committer or author} {seconds} +0000"]
        lines += [f"encoding {encoding}"] if encoding else []
        self._pending.append("\n".join([*lines, f"data {len(text)}", ""]).encode() + text + b"\n")
        changes = [f"{word} {parent}" for word, parent in zip(chain(["from"], repeat("merge")), parents, strict=False)]
        changes += [f"R {_quoted(old)} {_quoted(new)}" for old, new in (renames or {}).items()]
        changes += also
        self._pending.append("".join(f"{change}\n" for change in changes).encode())
        self._pending += _file_changes(files or {}, executable)
        self._pending.append(b"\n")
        self._tips[branch] = mark
        return mark

    def squash(self, number: int, title: str, files: Files | None = None, *, body: str = "", **more: Any) -> Commit:
        """What GitHub's `Squash and merge` makes."""
        return self.commit(f"{title} (#{number})\n\n{body}".strip(), files, **{"committer": GITHUB, **more})

    def merge(
        self,
        number: int,
        title: str,
        files: Files | None = None,
        *,
        body: str = "",
        head: str = "ada-example/topic",
        author: str = ADA,
        merger: str = GRACE,
        message: str | None = None,
        committer: str = GITHUB,
    ) -> Commit:
        """What GitHub's `Create a merge commit` makes: a branch with one commit, and the merge."""
        files = self._new_file() if files is None else files
        own = self._side_commit(f"Work on {title}", files, author)
        message = message or f"Merge pull request #{number} from {head}\n\n{title}\n\n{body}".strip()
        return self._merge(message, [own], files, author=merger, committer=committer)

    def bors(
        self, number: int, title: str, files: Files | None = None, *, body: str = "", head: str = "ada:topic"
    ) -> Commit:
        """What bors (homu) makes."""
        message = f"Auto merge of #{number} - {head}, r=grace\n\n{title}\n\n{body}".strip()
        return self.merge(number, title, files, message=message, merger=BORS, committer=BORS)

    def bors_batch(self, pulls: Mapping[int, tuple[str, Files]]) -> Commit:
        """What bors-ng makes of several pull requests at once: one merge with a parent for each."""
        own = [self._side_commit(f"Work on {title}", files, ADA) for title, files in pulls.values()]
        sections = [f"{number}: {title} r=grace a=ada-example" for number, (title, _) in pulls.items()]
        message = "Merge " + " ".join(f"#{number}" for number in pulls) + "\n\n" + "\n\n".join(sections)
        together = {path: content for _, files in pulls.values() for path, content in files.items()}
        return self._merge(message, own, together, author=BORS, committer=BORS)

    def rebase(
        self, number: int, commits: Iterable[tuple[str, Files]], *, trailer: str = "PR-URL", **more: Any
    ) -> None:
        """A pull request rebased onto the branch, each commit with a trailer that names it."""
        value = f"https://github.com/example/harbour/pull/{number}" if trailer.endswith("URL") else f"#{number}"
        for subject, files in commits:
            self.commit(f"{subject}\n\n{trailer}: {value}\nReviewed-by: {GRACE}", files, **{"committer": GRACE, **more})

    def tag(self, name: str, *, annotated: bool = False, at: str = "2026-03-20T12:00:00Z") -> None:
        """Tag the newest commit."""
        options = ("-a", "-m", f"Release {name}") if annotated else ()
        who = {"GIT_COMMITTER_NAME": "Ada Example", "GIT_COMMITTER_EMAIL": "ada@example.org", "GIT_COMMITTER_DATE": at}
        command = ["git", "tag", *options, name, self.head()]
        subprocess.run(command, cwd=self.path, env={**ENVIRONMENT, **who}, check=True)

    def clone(self, path: Path, *options: str) -> Path:
        """A clone as over a network, which `--depth` and `--filter` need."""
        git("config", "uploadpack.allowFilter", "true", cwd=self.path)
        git("clone", "--quiet", *options, self.path.resolve().as_uri(), path)
        return path

    def _new_file(self) -> Files:
        return {f"src/part_{next(self._files)}.py": "one = 1\n"}

    def _side_commit(self, message: str, files: Files, author: str) -> Commit:
        parents = [self._tips[self.branch]] if self.branch in self._tips else []
        return self.commit(message, files, author=author, branch="side", parents=parents)

    def _merge(self, message: str, own: list[Commit], files: Files, *, author: str, committer: str) -> Commit:
        # fast-import merges no trees: the merge repeats what its branches changed.
        parents = [self._tips[self.branch], *own]
        return self.commit(message, files, author=author, committer=committer, parents=parents)


def _file_changes(files: Files, executable: Collection[str]) -> Iterator[bytes]:
    """fast-import's commands, removals first so that a file may take a folder's place."""
    for path in (path for path, content in files.items() if content is None):
        yield f"D {_quoted(path)}\n".encode()
    for path, content in files.items():
        if content is not None:
            raw = content.encode() if isinstance(content, str) else content
            mode = "100755" if path in executable else "100644"
            yield f"M {mode} inline {_quoted(path)}\ndata {len(raw)}\n".encode() + raw + b"\n"


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def squash_history(path: Path, entries: Iterable[Mapping[str, Any]]) -> GitRepo:
    """A bare repository with one squash commit for each pull request of a `gh` export, committed when that was merged.

    Every file gains and loses exactly the lines that the export says. What a file loses but never gained in these
    entries is put there by a first commit, a day before the earliest merge. A path that is a file here and a folder
    there is written as `path.link`.
    """
    merged = sorted(entries, key=lambda entry: datetime.fromisoformat(entry["mergedAt"]))
    folders = {str(folder) for entry in merged for file in entry["files"] for folder in Path(file["path"]).parents}
    history = _Lines(merged, folders)
    day_before = datetime.fromisoformat(merged[0]["mergedAt"]) - timedelta(days=1)
    repo = GitRepo(path, start=day_before.isoformat())
    repo.commit("Files as they were before", history.written())
    for entry in merged:
        login = entry["author"]["login"]
        repo.squash(
            entry["number"],
            entry["title"],
            history.change(entry["files"]),
            body=entry.get("body") or "",
            author=f"{login} <{login}@users.noreply.github.com>",
            at=entry["mergedAt"],
            executable=frozenset(history.executable),
        )
    return repo


class _Lines:
    """The lines of every file of an export, each unlike any other so that git counts what was meant."""

    def __init__(self, entries: Iterable[Mapping[str, Any]], folders: Collection[str]) -> None:
        self.folders = folders
        self.executable: set[str] = set()
        self._numbers = count()
        self._lines: dict[str, list[str]] = {}
        lacking: dict[str, int] = {}
        held: dict[str, int] = {}
        for file in (file for entry in entries for file in entry["files"]):
            name = self._name(file)
            held[name] = held.get(name, 0) - file["deletions"]
            lacking[name] = max(lacking.get(name, 0), -held[name])
            held[name] += file["additions"]
        for name, number in lacking.items():
            if number:
                self._lines[name] = self._new(number)

    def written(self) -> Files:
        return {name: "".join(lines) for name, lines in self._lines.items()}

    def change(self, files: Iterable[Mapping[str, Any]]) -> Files:
        """The new content of the files that a pull request changed; one without changed lines gets another mode."""
        changed: dict[str, str | None] = {}
        for file in files:
            name, added, deleted = self._name(file), file["additions"], file["deletions"]
            if name in self._lines and not added and not deleted:
                self.executable ^= {name}
            lines = self._lines.get(name, [])[deleted:] + self._new(added)
            self._lines[name] = lines
            changed[name] = "".join(lines)
            if deleted and not lines:
                changed[name] = None
                del self._lines[name]
        return changed

    def _name(self, file: Mapping[str, Any]) -> str:
        return f"{file['path']}.link" if file["path"] in self.folders else str(file["path"])

    def _new(self, number: int) -> list[str]:
        return [f"{next(self._numbers):x}\n" for _ in range(number)]
