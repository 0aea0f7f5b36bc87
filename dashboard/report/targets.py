"""Where sentences go: what plain text and Markdown make of a repository's words, of numbers and of pull requests."""

import re
from dataclasses import dataclass

from markupsafe import Markup

from dashboard import formats

# GitHub finds these once the backslashes are gone: names it notifies, pull requests of another repository, hashes.
_NOTIFIES = re.compile(r"(\\?[@#])(?=[\w-])|(?<=\bGH)(\\?-)(?=\d)")


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


@dataclass(frozen=True)
class Markdown:
    """Markdown that GitHub, Streamlit and every CommonMark reader show alike, whatever a title holds."""

    name: str = "markdown"

    def escape(self, text: str) -> Markup:
        return Markup(_NOTIFIES.sub(lambda found: found[0] + formats.WORD_JOINER, formats.escape_markdown(text)))

    def code(self, text: str) -> Markup:
        return Markup(formats.code(text))

    def pull(self, number: int, url: str | None) -> Markup:
        return Markup(f"[#{number}]({url})" if url else f"#{formats.WORD_JOINER}{number}")


Target = PlainText | Markdown
