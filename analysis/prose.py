"""What an author wrote in a description: its own lines, without the template's boilerplate."""

import re
from collections.abc import Iterable, Iterator

_TRAILER = re.compile(r"[A-Z][a-z]+(?:-[a-z]+)*-by: ")
_NOT_OWN = ("#", ">", "-by: ")  # what begins, or is within, all that is left out line by line
_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}\)|<?https?://[^\s>)]+>?")
_TAG = re.compile(r"<[^<>]{0,500}>")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
LETTERS_AN_IDEOGRAPH = 3  # a Chinese character says about as much as three letters


def own_lines(body: str | None) -> Iterator[list[str]]:
    """The paragraphs of a description that its author wrote, each as its lines without the space around them.

    Left out are comments, code blocks, headings, quotes (templates put their instructions there), trailers, and whole
    paragraphs with check boxes, since what explains the boxes is the template's too. Tables stay.

    Args:
        body: Markdown as GitHub or a squashed commit has it; None and any text are fine.
    """
    text = without_comments((body or "").replace("\r", ""))
    for paragraph in "".join(text.split("```")[::2]).split("\n\n"):
        if "[ ]" in paragraph or "[x]" in paragraph or "[X]" in paragraph:
            continue
        if lines := _of_author(paragraph):
            yield lines


def running_text(paragraphs: Iterable[list[str]]) -> str:
    """What an author wrote as running text: its `own_lines` without tables, addresses of links and tags."""
    text = " ".join(" ".join([line for line in lines if line[0] != "|"]) for lines in paragraphs)
    if "://" in text or "](" in text:
        text = _LINK.sub(r"\1", text)
    return (_TAG.sub("", text) if "<" in text else text).strip()


def length(text: str) -> int:
    """How long a text is, in letters; a Chinese, Japanese or Korean character counts three."""
    n_ideographs = 0 if text.isascii() else len(_IDEOGRAPHS.findall(text))
    return len(text) + (LETTERS_AN_IDEOGRAPH - 1) * n_ideographs


def _of_author(paragraph: str) -> list[str]:
    lines = [line for each in paragraph.split("\n") if (line := each.strip())]
    if not any(map(paragraph.__contains__, _NOT_OWN)):
        return lines
    # A quote runs on to the end of its paragraph, as Markdown has it.
    quote = next((place for place, line in enumerate(lines) if line.startswith(">")), len(lines))
    return [line for line in lines[:quote] if line[0] != "#" and not _TRAILER.match(line)]


def without_comments(text: str) -> str:
    """The text without HTML comments; one that is never closed hides all that follows."""
    if "<!--" not in text:
        return text
    first, *others = text.split("<!--")
    return first + "".join(other.partition("-->")[2] for other in others)
