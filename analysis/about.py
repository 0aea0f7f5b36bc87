"""What a number is, in its function's own words: a docstring taken apart, for the documentation and for pages."""

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

PARTS = ("Formula", "Misses", "Source", "Example")
_LEFT_OUT = ("Args", "Returns", "Raises")  # of use to those who call it only
_HEAD = re.compile(rf"({'|'.join((*PARTS, *_LEFT_OUT))}):(?:\s+(.*))?")


class Undocumented(LookupError):
    """The docstring of a metric or rule lacks a part: a fault of ours."""


@dataclass(frozen=True)
class About:
    """What a number answers and how far it can be trusted: Markdown, paragraphs parted by an empty line."""

    answer: str  # the question it answers, one sentence
    details: str  # what else to know of it; may be empty
    formula: str
    misses: str
    source: str
    example: str

    @property
    def text(self) -> str:
        """All of it, to be searched."""
        return "\n\n".join((self.answer, self.details, self.formula, self.misses, self.source, self.example))


def about(function: Callable[..., Any]) -> About:
    """What the docstring of a metric, or of a rule's measure, tells its readers.

    Raises:
        Undocumented: a part is missing.
    """
    return parse(inspect.getdoc(function) or "", name=f"{function.__module__}.{function.__qualname__}")


def parse(docstring: str, *, name: str) -> About:
    """A docstring taken apart: what stands before its first heading, and the four paragraphs under `PARTS`.

    A heading is one of these words and a colon at the beginning of a line; what stands under it goes on until the next
    one, whether it is indented or not.

    Args:
        docstring: without its common indent.
        name: of the function, for the error.

    Raises:
        Undocumented: a part is missing.
    """
    lines: dict[str, list[str]] = {"": []}
    heading = ""
    for line in docstring.splitlines():
        if found := _HEAD.fullmatch(line):
            heading, line = found[1], found[2] or ""
        lines.setdefault(heading, []).append(line.strip())
    answer, _, details = _paragraphs(lines[""]).partition("\n\n")
    told = {part: _paragraphs(lines.get(part, ())) for part in PARTS}
    for part, text in {"first line": answer, **told}.items():
        if not text:
            raise Undocumented(f"The docstring of {name} lacks its {part}; a metric has: {', '.join(PARTS)}.")
    return About(answer, details, *(_as_sentence(told[part]) for part in PARTS))


def _paragraphs(lines: Iterable[str]) -> str:
    """Lines joined, with an empty line where one or more stood."""
    blocks = "\n".join(lines).strip().split("\n\n")
    return "\n\n".join(" ".join(block.split()) for block in blocks if block.strip())


def _as_sentence(text: str) -> str:
    """After a heading of its own, what followed a colon begins anew; a name in a tick stays as it is."""
    return text[:1].upper() + text[1:]
