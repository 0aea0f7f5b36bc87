"""Reads unified diffs: a file's patch as git writes it, and as GitHub's REST tells it in `patch`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

LONGEST_LINE = 2000  # characters; what comes after is nothing that a person wrote
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_QUOTED = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_GIT_LINE = re.compile(rb'diff --git (?:a/(?P<same>.+) b/(?P=same)|"a/(?P<quoted>.+)" "b/(?P=quoted)")', re.DOTALL)


class Line(NamedTuple):
    """A line of one side of a hunk, without its end."""

    number: int  # in that side's file, from 1
    text: str
    is_changed: bool  # removed, or added; else it stands in both


@dataclass(slots=True)
class Hunk:
    """One stretch of changes with the lines around it, as they were and as they are."""

    old: list[Line]
    new: list[Line]

    @property
    def removed(self) -> Iterator[Line]:
        return (line for line in self.old if line.is_changed)

    @property
    def added(self) -> Iterator[Line]:
        return (line for line in self.new if line.is_changed)


@dataclass
class FilePatch:
    """What happened to one file. A binary one, and one that was only renamed or re-moded, has no hunks."""

    path: str  # as it is called afterwards; of a removed file, as it was
    text: str  # of all hunks, with signs; for a quick look
    old_path: str | None = None  # where it was called otherwise
    is_new: bool = False
    is_gone: bool = False
    old_blob: str | None = None  # names of its contents before and after, where git tells
    new_blob: str | None = None

    @cached_property
    def hunks(self) -> list[Hunk]:
        return list(_hunks(self.text))


def read_patch(raw: bytes) -> FilePatch | None:
    """One file's patch as git writes it, from `diff --git` on; None if that is none.

    Every form of header that git has is understood: quoted paths, renames, new and removed files, modes, submodules,
    binary files. Text that is no UTF-8 gets U+FFFD where it can't be decoded.
    """
    head, hunk, body = raw.partition(b"\n@@ -")
    lines = head.split(b"\n")
    told = {word: value for word, _, value in (_header(line) for line in lines[1:]) if value}
    named = _GIT_LINE.fullmatch(lines[0])
    same = (named["same"] or _unquoted(named["quoted"])) if named else b""
    old = _path(told.get(b"---"), b"a/") or _path(told.get(b"rename from") or told.get(b"copy from")) or same
    new = _path(told.get(b"+++"), b"b/") or _path(told.get(b"rename to") or told.get(b"copy to")) or same
    is_new, is_gone = b"new file mode" in told, b"deleted file mode" in told
    path = old if is_gone else new
    if not path:
        return None
    before, after = _blobs(told.get(b"index", b""))
    return FilePatch(
        path=_text(path),
        text=_text(hunk[1:] + body) if hunk else "",
        old_path=_text(old) if old != new and not is_new and not is_gone else None,
        is_new=is_new,
        is_gone=is_gone,
        old_blob=None if is_new else before,
        new_blob=None if is_gone else after,
    )


def rest_patch(path: str, old_path: str | None, status: str | None, patch: str) -> FilePatch:
    """The same from a line of REST's `pulls/N/files`, whose `patch` is the hunks alone."""
    return FilePatch(path, patch, old_path, is_new=status == "added", is_gone=status == "removed")


def _header(line: bytes) -> tuple[bytes, bytes, bytes]:
    """A line of the header as its words and its value: `rename from x`, `--- a/x`, `index 1..2 100644`."""
    for word in (b"new file mode", b"deleted file mode", b"rename from", b"rename to", b"copy from", b"copy to"):
        if line.startswith(word):
            return word, b" ", line[len(word) + 1 :]
    return line.partition(b" ")


def _path(told: bytes | None, prefix: bytes = b"") -> bytes | None:
    """The path that a header names; None for /dev/null. One with a space has a tab behind it."""
    if not told or told == b"/dev/null":
        return None
    told = told.removesuffix(b"\t")
    if told.startswith(b'"') and told.endswith(b'"'):
        told = _unquoted(told[1:-1])
    return told.removeprefix(prefix)


def _unquoted(path: bytes) -> bytes:
    def plain(found: re.Match[bytes]) -> bytes:
        return bytes([int(found[1], 8)]) if len(found[1]) == 3 else _ESCAPES.get(found[1], found[1])

    return _QUOTED.sub(plain, path)


def _blobs(index: bytes) -> tuple[str | None, str | None]:
    """`1f2e..3d4c 100644` as two names."""
    before, dots, after = index.partition(b" ")[0].partition(b"..")
    return (_text(before), _text(after)) if dots else (None, None)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _hunks(text: str) -> Iterator[Hunk]:
    hunk: Hunk | None = None
    old_number = new_number = 0
    for line in text.split("\n"):
        sign, content = line[:1], line[1 : LONGEST_LINE + 1].removesuffix("\r")
        if sign == "@" and (found := _HUNK.match(line)):
            if hunk:
                yield hunk
            hunk, old_number, new_number = Hunk([], []), int(found[1]), int(found[2])
        elif hunk is None or sign == "\\":  # No newline at end of file
            continue
        elif sign == "-":
            hunk.old.append(Line(old_number, content, True))
            old_number += 1
        elif sign == "+":
            hunk.new.append(Line(new_number, content, True))
            new_number += 1
        elif sign == " ":
            hunk.old.append(Line(old_number, content, False))
            hunk.new.append(Line(new_number, content, False))
            old_number, new_number = old_number + 1, new_number + 1
    if hunk:
        yield hunk
