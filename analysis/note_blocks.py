"""The paragraphs and list items of a description that may be quoted, and under which heading they stand."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from analysis.boilerplate import line_key
from analysis.prose import without_comments

READ = 20_000  # letters of one description

_HEADING = re.compile(r"#{1,6}\s+(.*?)[\s#]*")
_BOLD_LINE = re.compile(r"(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)\s*[:：]?")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+|\d{1,2}[、）]\s*")
_BOX = re.compile(r"\[[ xX]?\](?!\()")
_TRAILER = re.compile(r"[A-Z][A-Za-z]+(?:-[A-Za-z]+)+: \S")
_RELEASE_WORDS = (
    r"(?:release[ -]?notes?|change[ -]?log(?: entry)?|user[- ]facing changes?"
    r"|发布说明|发行说明|更新说明|更新日志|变更日志)"
)
_RELEASE_HEADING = re.compile(rf"({_RELEASE_WORDS})\s*[:：]?", re.IGNORECASE)
_RELEASE_LINE = re.compile(
    rf"(?:\*\*|__)?{_RELEASE_WORDS}\s*(?:[:：]\s*(?:\*\*|__)?|(?:\*\*|__)\s*[:：])\s*", re.IGNORECASE
)


@dataclass(frozen=True)
class Block:
    """A paragraph or list item as written, its line breaks kept."""

    text: str
    heading: str  # the one it stands under, in lower case; "" before the first
    is_item: bool
    is_release_note: bool  # the author wrote it for those who read what is new


def blocks(body: str, template: Collection[str]) -> Iterator[Block]:
    """What an author wrote as running text.

    Left out are the template's lines, comments, code, folded parts, tables, quotes, headings, check boxes with what
    explains them, lines of nothing but a tag or an image, and trailers. A fence `release-note` is no code.

    Args:
        body: Markdown as GitHub or a squashed commit has it.
        template: `boilerplate.boilerplate` of the repository.
    """
    reader = _Reader(template)
    for line in without_comments(body[:READ].replace("\r", "")).split("\n"):
        yield from reader.read(line)
    yield from reader.close()


def without_bullet(text: str) -> str:
    """A line without the sign or number that makes it an item of a list."""
    item = _ITEM.match(text)
    return text[item.end() :] if item else text


class _Reader:
    """Reads line by line, so that no text takes longer than its length."""

    def __init__(self, template: Collection[str]) -> None:
        self.template = template
        self.lines: list[str] = []  # of the block that is being read
        self.heading = ""
        self.fence = ""  # how the fence began that is open
        self.n_folded = 0
        self.is_item = self.is_skipped = self.is_note_fence = self.in_release_note = self.after_blank = False

    def read(self, line: str) -> Iterator[Block]:
        text = line.strip()
        if self.fence or text.startswith(("```", "~~~")):
            yield from self._read_fence(text)
        elif text.startswith(("<details", "</details")) or self.n_folded:
            yield from self._read_folded(text)
        elif not text or (text[0] != "#" and line_key(text) in self.template):
            yield from self.close()
            self.after_blank = True
        elif self.lines and len(self.lines) == 1 and not text.strip("-=") and len(text) > 2:  # underlines a heading
            self._head(self.lines.pop())
        elif found := _HEADING.fullmatch(text) or _BOLD_LINE.fullmatch(text) or _RELEASE_HEADING.fullmatch(text):
            yield from self.close()
            self._head(found[1])
        else:
            yield from self._read_text(line, text)
            self.after_blank = False

    def close(self) -> Iterator[Block]:
        """The block that ends here."""
        if self.lines:
            yield Block("\n".join(self.lines), self.heading, self.is_item, self.in_release_note)
        self.lines, self.is_skipped = [], False
        if not self.heading:  # without a heading to stand under, a release note is one paragraph
            self.in_release_note = False

    def _read_text(self, line: str, text: str) -> Iterator[Block]:
        if item := _ITEM.match(text):
            yield from self.close()
            text, self.is_item = text[item.end() :], True
            self.is_skipped = _BOX.match(text) is not None
        elif not self.lines and not self.is_skipped:
            is_code = self.after_blank and not self.is_item and line.startswith(("    ", "\t"))
            self.is_skipped = is_code or text[0] == ">"
            # What is indented below an item is still the item's.
            self.is_item = self.is_item and line[0] in " \t"
        if release := _RELEASE_LINE.match(text):
            yield from self.close()
            self._head("")
            text, self.in_release_note = text[release.end() :], True
        if text and _is_apart(text):
            yield from self.close()
        elif text and not self.is_skipped:
            self.lines.append(text)

    def _read_fence(self, text: str) -> Iterator[Block]:
        if not self.fence:
            yield from self.close()
            mark = text[0]
            self.fence = mark * (len(text) - len(text.lstrip(mark)))
            self.is_note_fence = text.strip("`~ ").lower() in ("release-note", "release-notes", "changelog")
        elif text.startswith(self.fence) and not text.strip(self.fence[0]):
            if self.lines:
                yield Block("\n".join(self.lines), self.heading, False, True)
            self.lines, self.fence = [], ""
        elif self.is_note_fence and text:
            self.lines.append(without_bullet(text))

    def _read_folded(self, text: str) -> Iterator[Block]:
        yield from self.close()
        self.n_folded = max(0, self.n_folded + text.count("<details") - text.count("</details"))

    def _head(self, text: str) -> None:
        self.heading = text.strip(" :：*_").lower()
        self.in_release_note = _RELEASE_HEADING.fullmatch(self.heading) is not None
        self.is_item = self.is_skipped = False


def _is_apart(text: str) -> bool:
    """Whether a line is no part of a sentence: a row of a table, a rule, a tag or an image alone, a trailer."""
    if text[0] == "|" or text.count(" | ") > 1 or not text.strip("-=*_|: "):
        return True
    return (text[0] in "<!" and text[-1] in ">)" and (text[0] == "!" or text.count("<") > 1 or " " not in text)) or (
        _TRAILER.match(text) is not None
    )
