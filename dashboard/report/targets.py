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
_MARKED = re.compile(r"`(?P<code>[^`]*)`|\\(?P<sign>.)")


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

    def from_markdown(self, text: str) -> Markup:
        """The words of Markdown as `formats` escapes it: what was escaped or set as code, as it was written."""
        words = _MARKED.sub(lambda found: found["code"] or found["sign"] or "", text)
        return Markup(words.replace(formats.WORD_JOINER, ""))


@dataclass(frozen=True)
class Markdown:
    """Markdown that GitHub, Streamlit and every CommonMark reader show alike, whatever a title holds."""

    name: str = "markdown"

    def escape(self, text: str) -> Markup:
        parted = formats.FOUND_LATER.sub(lambda found: found[0] + formats.WORD_JOINER, _unmarked(formats.plain(text)))
        escaped = _SIGNS.sub(r"\\\g<0>", parted)
        return self.from_markdown(_OPENS_LINE.sub(_opened, escaped))

    def code(self, text: str) -> Markup:
        return (
            self.escape(text) if "|" in text else Markup(_unmarked(formats.code(text)))
        )  # a bar would end a table's cell

    def from_markdown(self, text: str) -> Markup:
        """Markdown as `formats` escapes it, with nothing in it that GitHub would notify or link."""
        return Markup(_NOTIFIES.sub(lambda found: found[0] + formats.WORD_JOINER, _unmarked(text)))

    def pull(self, number: int, url: str | None) -> Markup:
        return Markup(f"[#{number}]({url})" if url else f"#{formats.WORD_JOINER}{number}")


def _unmarked(text: str) -> str:
    return text.translate(_NO_MARKS)


def _opened(found: re.Match[str]) -> str:
    """What would begin a heading, list or quotation at the start of a line, as plain text."""
    return f"\\{found[0]}" if not found[0].isdigit() else f"{found[0]}{formats.WORD_JOINER}"


Target = PlainText | Markdown
