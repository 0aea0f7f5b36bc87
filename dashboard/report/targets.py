"""Where sentences go: what plain text and Markdown make of a repository's words, of numbers and of pull requests."""

import re
from dataclasses import dataclass

from markupsafe import Markup

from dashboard import formats

# What CommonMark, GitHub or Streamlit give a meaning inside a line; an underscore only at the edge of a word.
_SIGNS = re.compile(r"[\\`*\[\]<|~$^]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|:(?=[\w:/+-])")
_OPENS_LINE = re.compile(r"^(?:[-+>=#]|\d+(?=[.)]))")
# GitHub finds these once the backslashes are gone: names it notifies, pull requests of another repository, hashes.
_NOTIFIES = re.compile(r"(\\?[@#])(?=[\w-])|(?<=\bGH)(\\?-)(?=\d)")

# Signs of no alphabet that mark, in the Markdown of a document, where a sentence begins and ends.
MARK_OPEN, MARK_CLOSE = "\ue000", "\ue001"
_NO_MARKS = dict.fromkeys(map(ord, (MARK_OPEN, MARK_CLOSE)))
_CODE = re.compile(r"(`[^`]*`)")


@dataclass(frozen=True)
class PlainText:
    """One line of text that any screen can show."""

    name: str = "text"

    def escape(self, text: str) -> Markup:
        return Markup(formats.plain(text))

    def code(self, text: str) -> Markup:
        return Markup(formats.plain(text))

    def pull(self, number: int, url: str | None) -> Markup:
        return Markup(f"#{number}")

    def strong(self, text: Markup) -> Markup:
        return text

    def from_markdown(self, text: str) -> Markup:
        """The words of Markdown as `formats` escapes it: what was escaped or set as code, as it was written."""
        return Markup("".join(part.strip("`") if part[:1] == "`" else _plainly(part) for part in _CODE.split(text)))


@dataclass(frozen=True)
class Markdown:
    """Markdown that GitHub, Streamlit and every CommonMark reader show alike, whatever a title holds."""

    name: str = "markdown"

    def escape(self, text: str) -> Markup:
        return Markup(_OPENS_LINE.sub(_opened, _escaped(formats.plain(text))))

    def code(self, text: str) -> Markup:
        return (
            self.escape(text) if "|" in text else Markup(_unmarked(formats.code(text)))
        )  # a bar would end a table's cell

    def from_markdown(self, text: str) -> Markup:
        """Markdown as `formats` escapes it, escaped as this target does; code stays code."""
        return Markup("".join(part if part[:1] == "`" else _escaped(_plainly(part)) for part in _CODE.split(text)))

    def pull(self, number: int, url: str | None) -> Markup:
        return Markup(f"[#{number}]({url})" if url else f"#{formats.WORD_JOINER}{number}")

    def strong(self, text: Markup) -> Markup:
        return Markup(f"**{text}**")


def _escaped(text: str) -> str:
    """One line in which nothing has a meaning, wherever in a line it comes to stand but at its start."""
    parted = formats.FOUND_LATER.sub(lambda found: found[0] + formats.WORD_JOINER, _unmarked(text))
    escaped = _SIGNS.sub(r"\\\g<0>", parted)
    return _NOTIFIES.sub(lambda found: found[0] + formats.WORD_JOINER, escaped)


def _plainly(markdown: str) -> str:
    """What `formats` escaped, as it was."""
    return re.sub(r"\\(.)", r"\1", markdown.replace(formats.WORD_JOINER, ""))


def _unmarked(text: str) -> str:
    return text.translate(_NO_MARKS)


def _opened(found: re.Match[str]) -> str:
    """What would begin a heading, list or quotation at the start of a line, as plain text."""
    return f"\\{found[0]}" if not found[0].isdigit() else f"{found[0]}{formats.WORD_JOINER}"


Target = PlainText | Markdown
