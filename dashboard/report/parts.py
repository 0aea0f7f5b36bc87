"""A long report in parts that fit into a comment: cut at section borders, within only where a section is too long."""

import re
from collections.abc import Iterable, Iterator

from dashboard.report.document import Document

LIMIT = 65_536  # characters of a comment or description on GitHub; a part stays below
_HEADING_ROOM = 400  # for the title that each part begins with
_FOLD = re.compile(r"</?details>|</?summary>")


def parts(document: Document, limit: int = LIMIT) -> list[str]:
    """The document's Markdown in as few parts as needed, each with the title; one part where it fits.

    Folds of a section that has to be cut are opened, and a table that is cut has its head in every part.

    Args:
        document: any.
        limit: every part is shorter than this.
    """
    if len(document.markdown) < limit:
        return [document.markdown]
    room = limit - _HEADING_ROOM - len(document.title)
    whole = [*_head(document), *(f"## {each.heading}\n\n{each.markdown}".rstrip() for each in document.sections)]
    packed = _packed((piece for section in [*whole, document.made] for piece in _pieces(section, room)), room)
    return [f"# {document.title} ({at}/{len(packed)})\n\n{text}\n" for at, text in enumerate(packed, 1)]


def _head(document: Document) -> Iterator[str]:
    yield " · ".join(document.facts)
    yield from (f"> {note}" for note in document.notes)


def _packed(pieces: Iterable[str], room: int) -> list[str]:
    """Pieces one after the other, in as few texts as they fit in."""
    packed: list[str] = []
    for piece in pieces:
        if packed and len(packed[-1]) + len(piece) + 2 < room:
            packed[-1] += f"\n\n{piece}"
        else:
            packed.append(piece)
    return packed


def _pieces(section: str, room: int) -> Iterator[str]:
    """The section, or where it is too long its paragraphs, tables and lists, each short enough."""
    if len(section) < room:
        yield section
        return
    for block in _FOLD.sub("", section).split("\n\n"):
        yield from _cut(block.strip("\n"), room) if len(block) >= room else [block]


def _cut(block: str, room: int) -> Iterator[str]:
    """A table or list by its lines; a single line that is too long, anywhere."""
    lines = block.split("\n")
    head = lines[:2] if len(lines) > 2 and set(lines[1]) <= set("|-: ") else []
    taken = list(head)
    for line in (piece for long in lines[len(head) :] for piece in _short(long, room // 2)):
        if sum(map(len, taken)) + len(taken) + len(line) >= room:
            yield "\n".join(taken)
            taken = list(head)
        taken.append(line)
    yield "\n".join(taken)


def _short(line: str, room: int) -> Iterator[str]:
    yield from (line[at : at + room] for at in range(0, max(len(line), 1), room))
