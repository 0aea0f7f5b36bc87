"""References between pull requests and issues, as titles and descriptions spell them."""

import re
from collections.abc import Iterator

from data.records import LinkRecord

MOST_MENTIONS = 20  # plain mentions kept of one pull request: a changelog names hundreds
MOST_EVIDENCE = 120  # characters

# What Markdown shows as a comment, as code or as a quotation: another's words, an example, or a template's.
_NOT_SAID = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|^[ \t]*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,}).*?^[ \t]*(?P=fence)"
    r"|^ {0,3}(?:```(?=[^`\n]*$)|~~~).*"  # left open, to the end
    r"|^[ \t]*>[^\n]*"
    r"|(?<!`)(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE,
)
_MARKS = ("<!--", "`", "~~~", ">")
_REPO = r"[\w.-]{1,100}/[\w.-]{1,100}"
_DIGITS = r"[1-9]\d{0,6}"
_URL = rf"https?://[^\s/]+/(?P<url_repo>{_REPO})/(?:issues|pull)/(?P<url_number>{_DIGITS})"
_REFERENCE = rf"(?:(?<![\w&#/.-])(?P<repo>{_REPO})?(?:#|GH-)(?P<number>{_DIGITS})|{_URL})\b"
_HINT = re.compile(r"(?:#|GH-|/issues/|/pull/)\d")  # looked for first: few lines name anything
_NAMING = re.compile(rf"{_HINT.pattern}|This reverts commit")
_ANY = re.compile(_REFERENCE, re.ASCII)  # Chinese words need no space before or after a number
_CLOSES = re.compile(rf"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?[ \t]+{_REFERENCE}", re.ASCII | re.IGNORECASE)
_REVERTS = re.compile(rf"\bReverts[ \t]+{_REFERENCE}", re.ASCII)  # what GitHub's button writes
_REVERTED_COMMIT = re.compile(r"This reverts commit (?P<sha>[0-9a-f]{7,64})\b", re.ASCII)
_QUOTING = re.compile(r'(?P<verb>Revert|Reapply)[ :]+"(?P<quoted>.*)"\s*(?:[(（](?:#|GH-)\d+[)）])?\s*', re.IGNORECASE)
_LAST_NUMBER = re.compile(rf"[(（](?:#|GH-)({_DIGITS})[)）]\s*$")


def links(title: str, body: str, *, number: int, repo: str | None = None) -> list[LinkRecord]:
    """What a pull request closes, reverts, re-applies or just mentions.

    `Revert "title (#1)"` reverts 1, unless the body says `Reverts owner/name#2`, as GitHub's button does; `Revert
    "Revert "title (#1)" (#2)"` reverts 2 and re-applies 1. A number counts once, by the strongest of its words; plain
    mentions are bounded.

    Args:
        title: without the pull request's own `(#N)`.
        body: its description, or "".
        number: the pull request's own, which is no reference.
        repo: `owner/name` of its repository, so that its name written out is no foreign one.

    Returns:
        Links in the order closes, reverts, reapplies, refers. `repo` is None for the same repository.
    """
    found: dict[tuple[int, str | None], LinkRecord] = {}
    for link in _every(title, body, repo):
        key = (link["number"], link["repo"])
        mentions = sum(other["kind"] == "refers" for other in found.values())
        if key != (number, None) and not (link["kind"] == "refers" and mentions >= MOST_MENTIONS):
            found.setdefault(key, link)
    return list(found.values())


def reverted_commits(body: str) -> list[tuple[str, str]]:
    """Each commit that the text says it reverts: its name, and the words."""
    if "This reverts commit" not in body:
        return []
    return [(match["sha"], match[0]) for match in _REVERTED_COMMIT.finditer(own_words(body))]


def own_words(body: str) -> str:
    """What a description says itself: without comments, blocks of code, quoted lines, and names within code."""
    return _NOT_SAID.sub(_words, body) if any(mark in body for mark in _MARKS) else body


def _words(match: re.Match[str]) -> str:
    """Code within a line is part of its sentence, but what it names is not meant."""
    return match[0] if match["ticks"] and not _NAMING.search(match[0]) else " "


def _every(title: str, body: str, repo: str | None) -> Iterator[LinkRecord]:
    lines = list(_naming_lines(f"{title}\n{own_words(body) if _HINT.search(body) else ''}"))
    quotes = _QUOTING.search(title) is not None
    for line in lines:
        if not (quotes and line == title):  # a quoted `Fixes #1` fixes nothing
            yield from (_link("closes", match, repo, match[0]) for match in _CLOSES.finditer(line))
    # GitHub's button always means this repository, by the name that it had then.
    said = [_link("reverts", m, m["repo"] or m["url_repo"], m[0]) for line in lines for m in _REVERTS.finditer(line)]
    yield from said
    # A quotation may end in a number of its own, an issue's: what the button said is surer.
    yield from (link for link in _quoted(title) if not (said and link["kind"] == "reverts"))
    for line in lines:
        for match in _ANY.finditer(_REVERTS.sub("", line)):
            around = max(0, match.end() - MOST_EVIDENCE)
            yield _link("refers", match, repo, match.string[around : around + MOST_EVIDENCE])


def _naming_lines(text: str) -> Iterator[str]:
    """The lines that may name something."""
    end = -1
    for hint in _HINT.finditer(text):
        if hint.start() > end:
            end = text.find("\n", hint.end())
            end = len(text) if end < 0 else end
            yield text[text.rfind("\n", 0, hint.start()) + 1 : end]


def _quoted(title: str) -> Iterator[LinkRecord]:
    """What the quotations of a title name, from the outside in: a revert of a revert is a re-application."""
    undone, inner = False, title
    while match := _QUOTING.search(inner):
        undone = not undone if match["verb"].lower() == "revert" else undone
        inner = match["quoted"]
        if named := _LAST_NUMBER.search(inner):
            kind = "reverts" if undone else "reapplies"
            yield LinkRecord(kind=kind, number=int(named[1]), repo=None, evidence=title[:MOST_EVIDENCE])


def _link(kind: str, match: re.Match[str], repo: str | None, evidence: str) -> LinkRecord:
    named = match["repo"] or match["url_repo"]
    same = named is None or (repo is not None and named.lower() == repo.lower())
    return LinkRecord(
        kind=kind,
        number=int(match["number"] or match["url_number"]),
        repo=None if same else named,
        evidence=" ".join(evidence.split())[:MOST_EVIDENCE],
    )
