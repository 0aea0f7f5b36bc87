"""What single statements in a patch do: markers, assertions, swallowed exceptions, skipped and removed tests."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from data.patches import FilePatch, Line
from data.signals.facts import Fact
from data.signals.files import comment_of, indent_of, is_test, language_of, without_strings

# Without one of these words a patch, or a line, needs no closer look.
_MARKER_WORDS = (
    "TODO",
    "FIXME",
    "HACK",
    "XXX",
    "todo",
    "fixme",
    "hack",
    "ork-around",
    "orkaround",
    "emporar",
    "待办",
    "临时",
)
_ASSERT_WORDS = ("ssert", "expect(", "raises(", "ASSERT_", "EXPECT_")
_SKIP_WORDS = (
    "skip",
    "Skip",
    "xfail",
    "Failure",
    "ignore",
    "Ignore",
    "Disabled",
    "xit(",
    "xtest(",
    "xdescribe(",
    ".todo(",
    ".failing(",
)
_TEST_WORDS = ("test", "Test", "it(", "Fuzz")

_MARKER = re.compile(
    r"\b(?P<upper>TODO|FIXME|HACK)\b"
    r"|(?:^|\s)(?P<xxx>XXX)(?=\s*[:(]|\s+[a-z])"
    r"|^\W*(?P<lower>todo|fixme|hack)\s*[:(]"
    r"|\b(?P<around>work-?arounds?)\b"
    r"|\b(?P<temporary>temporar(?:y|ily))\s+(?:fix|hack|work-?around|solution|patch|measure|disabl|skip|comment|remov|revert)"
    r"|(?P<zh>待办|临时(?:方案|处理|修复|修改|解决|规避|禁用|绕过|关闭|注释))",
)
_SHOUTED = re.compile(r"\s*(?P<upper>TODO|FIXME)\b\s*[:(]")  # in a docstring
_HARD_ASSERT = {
    "python": re.compile(r"\s*assert\b(?!\w)"),
    "rust": re.compile(r"\s*(?:debug_)?assert(?:_eq|_ne)?!\s*[(\[{]"),
    "c": re.compile(r"\s*assert\s*\("),
    "java": re.compile(r"\s*assert\s+[^=.]"),
    "javascript": re.compile(r"\s*assert(?:\.\w+)?\("),
}
_TEST_ASSERT = {
    "python": re.compile(
        r"\s*(?:self\.assert\w+\(|with (?:pytest|self)\.(?:raises|assertRaises)\w*\(|\S+\.assert_\w+\()"
    ),
    "javascript": re.compile(r"\s*(?:await\s+)?expect\("),
    "go": re.compile(r"\s*(?:assert|require)\.[A-Z]\w*\("),
    "java": re.compile(r"\s*(?:Assertions?\.)?assert[A-Z]\w*\("),
    "c": re.compile(r"\s*(?:ASSERT|EXPECT)_[A-Z]+\("),
}
_SKIP = {
    # `above` stands before what it skips, `inside` within it.
    "python": re.compile(
        r"\s*(?:(?P<above>@(?:pytest\.mark\.|unittest\.)?(?P<name>skip(?:If|Unless|if)?|xfail|expectedFailure)\b)"
        r"|(?P<inside>pytest\.(?:skip|xfail)\(|self\.skipTest\(|raise (?:unittest\.)?SkipTest\b"
        r"|pytestmark\s*=\s*pytest\.mark\.skip))"
    ),
    "javascript": re.compile(r"\s*(?P<inside>(?:it|test|describe)\.(?:skip|todo|failing)\(|x(?:it|test|describe)\()"),
    "rust": re.compile(r"\s*(?P<above>#\[ignore\b\]?)"),
    "go": re.compile(r"\s*(?P<inside>[tb]\.Skip(?:f|Now)?\()"),
    "java": re.compile(r"\s*(?P<above>@(?:Disabled|Ignore)\b)"),
}
_CONDITIONAL = ("skipIf", "skipUnless", "skipif")
_TEST_NAME = {
    "python": re.compile(r"\s*(?:async\s+)?def\s+(test\w*)\s*\("),
    "javascript": re.compile(r"\s*(?:it|test)(?:\.\w+)?\(\s*[\"'`](.+?)[\"'`]\s*,"),
    "go": re.compile(r"func\s+((?:Test|Fuzz)[A-Z_]\w*)\s*\("),
    "rust": re.compile(r" {0,8}(?:pub\s+)?(?:async\s+)?fn\s+(\w+)\s*\("),  # deeper ones stand in texts
    "java": re.compile(r"\s*(?:(?:public|protected|private|final|static)\s+)*(?:void|fun)\s+(?:`([^`]+)`|(\w+))\s*\("),
}
_OWNER = re.compile(r"\s*(?:async\s+def|def|class)\s")
_ATTRIBUTE = re.compile(r"\s*(?:#\[|@|//|/?\*)")
_TEST_MARK = {"rust": re.compile(r"\s*#\[(?:\w+::)*\w*test\w*\b"), "java": re.compile(r"\s*@(?:\w+\.)*\w*Test\b")}
FARTHEST = 300  # lines that are looked at around one
_EXCEPT = re.compile(r"\s*except(?P<what>\s*(?:\(?\s*(?:Base)?Exception\b\s*\)?(?:\s+as\s+\w+)?)?)\s*:\s*(?P<rest>.*)")
_CATCH = re.compile(r"\s*(?:\}\s*)?catch\b\s*(?P<what>\([^)]*\))?\s*\{\s*(?P<close>\})?")
_CATCH_ALL = re.compile(
    r"\(\s*(?:(?:final\s+)?(?:\w+\s*:\s*)?(?:Exception|Throwable|RuntimeException)\b.*|\.\.\.\s*)\)"
)
_SILENT_PROMISE = re.compile(r"\.catch\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*\{\s*\}\s*\)")
_HANDLER = re.compile(r"\s*(?:except\b|\}?\s*catch\b)")
_FINALLY = re.compile(r"\s*(?:finally\s*:\s*(?:#.*)?|\}?\s*finally\s*\{\s*(?://.*)?)")
_RAISES = re.compile(
    r"\s*(?:\w+\s*=\s*)?(?P<what>await\s+[\w.]+(?=\()|raise\b(?:\s+\w[\w.]*)?|throw\b(?:\s+new)?(?:\s+\w+)?|return\b|assert\b)"
)
_NEVER_RAISES = re.compile(r"\breturn_exceptions\s*=\s*True|\bawait\s+[\w.]+\.(?:a?close|aexit)\(")
_SHIELDS = re.compile(r"\s*(?:try\s*[:{]|with\s+(?:contextlib\.)?suppress\(|(?:async\s+)?def\s|class\s|function\b)")
_BRACED = {"javascript", "java", "c", "slashes"}


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a hunk: the lines as they were, or as they are."""

    lines: list[Line]
    is_added: bool
    patch: FilePatch
    language: str
    place: int

    def fact(self, group: str, line: Line, kind: str | None, detail: str = "", key: str | None = None) -> Fact:
        key = line.text.strip() if key is None else key
        return Fact(group, key, self.patch.path, self.place, line.number, self.is_added, kind, detail)

    def below(self, index: int) -> Iterator[Line]:
        """The lines after one, as far as it is worth looking; blank ones left out."""
        places = range(index + 1, min(index + 1 + FARTHEST, len(self.lines)))
        return (self.lines[place] for place in places if self.lines[place].text.strip())

    def above(self, index: int) -> Iterator[Line]:
        """The same before one, the nearest first."""
        places = range(index - 1, max(-1, index - 1 - FARTHEST), -1)
        return (self.lines[place] for place in places if self.lines[place].text.strip())

    def block(self, index: int) -> list[Line]:
        """The lines below one that are indented deeper."""
        depth = indent_of(self.lines[index].text)
        return list(takewhile(lambda line: indent_of(line.text) > depth, self.below(index)))

    def is_cut_after(self, block: list[Line]) -> bool:
        """Whether the hunk ends within a block, so that more of it may follow."""
        last = self.lines[-1]
        return bool(block) and block[-1] is last and not last.is_changed


def line_facts(patch: FilePatch, first_place: int) -> Iterator[Fact]:
    """What the statements of one file's patch add and take away.

    Args:
        patch: it.
        first_place: number of its first hunk among all hunks of the pull request.
    """
    language = language_of(patch.path)
    if language is None:
        return
    finders = [find for find, words in _FINDERS.items() if _has(patch.text, words)]
    for place, hunk in enumerate(patch.hunks if finders else (), first_place):
        for is_added, lines in ((False, hunk.old), (True, hunk.new)):
            side = _Side(lines, is_added, patch, language, place)
            for find in finders:
                yield from find(side)


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)


def _markers(side: _Side) -> Iterator[Fact]:
    for line in side.lines:
        if line.is_changed and _has(line.text, _MARKER_WORDS) and (marker := _marker(line.text, side.language)):
            yield side.fact("todo", line, "todo" if side.is_added else None, marker)


def _marker(text: str, language: str) -> str | None:
    comment = comment_of(text, language)
    found = _MARKER.search(comment) if comment is not None else None
    if found is None and language == "python":
        found = _SHOUTED.match(text)
    return next(filter(None, found.groups()), None) if found else None


def _assertions(side: _Side) -> Iterator[Fact]:
    hard, soft = _HARD_ASSERT.get(side.language), _TEST_ASSERT.get(side.language)
    within: int | None = None  # how far a test that is gone as a whole is indented
    name = _TEST_NAME.get(side.language)
    for line in side.lines:
        if within is not None and line.text.strip() and indent_of(line.text) <= within:
            within = None
        if line.is_changed and within is None and name and name.match(line.text):
            within = indent_of(line.text)
        if not line.is_changed or not _has(line.text, _ASSERT_WORDS):
            continue
        is_hard = bool(hard and hard.match(line.text)) and (side.language != "python" or _is_statement(line.text))
        if is_hard or (soft and soft.match(line.text)):
            kind = "assert" if is_hard else None
            if not side.is_added:
                kind = "assertion-removed" if within is None and not side.patch.is_gone else None
            yield side.fact("assertion", line, kind, without_strings(line.text.strip()))


def _is_statement(text: str) -> bool:
    """Whether a line that begins with `assert` is Python, as far as it goes, and no sentence in a docstring."""
    code = text.strip()
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        is_open = sum(map(code.count, "([{")) > sum(map(code.count, ")]}")) or code.endswith("\\")
        return is_open or any(code.count(quote) % 2 for quote in ('"""', "'''"))
    return True


def _skips(side: _Side) -> Iterator[Fact]:
    pattern = _SKIP.get(side.language)
    if pattern is None:
        return
    for index, line in enumerate(side.lines):
        found = pattern.match(line.text) if line.is_changed else None
        if found:
            kind = "test-skipped" if side.is_added and not _is_new_and_conditional(side, index, found) else None
            yield side.fact("skip", line, kind, found[0].strip().rstrip("("))


def _is_new_and_conditional(side: _Side, index: int, found: re.Match[str]) -> bool:
    """Whether the test comes with this change and is skipped only where it can't run."""
    text, told = side.lines[index].text, found.groupdict()
    if told.get("above"):
        if told.get("name") not in _CONDITIONAL:
            return False
        owner = next((line for line in side.below(index) if _OWNER.match(line.text)), None)
        return owner is None or owner.is_changed
    if side.patch.is_new and side.language == "python" and not indent_of(text):
        return True  # a module that needs something
    outer = next((line for line in side.above(index) if indent_of(line.text) < indent_of(text)), None)
    return outer is None or (outer.is_changed and not _TEST_NAME[side.language].match(outer.text))


def _tests(side: _Side) -> Iterator[Fact]:
    pattern, mark = _TEST_NAME.get(side.language), _TEST_MARK.get(side.language)
    if pattern is None or not (mark or is_test(side.patch.path)):
        return
    for index, line in enumerate(side.lines):
        found = pattern.match(line.text) if line.is_changed else None
        if found and (not mark or _is_marked(side, index, mark)):
            name = next(filter(None, found.groups()))
            yield side.fact("test", line, None if side.is_added else "test-removed", without_strings(name), name)


def _is_marked(side: _Side, index: int, mark: re.Pattern[str]) -> bool:
    """Whether one of the attributes right above a function makes it a test."""
    attributes = takewhile(lambda line: _ATTRIBUTE.match(line.text), side.above(index))
    return any(mark.match(line.text) for line in attributes)


def _swallowed(side: _Side) -> Iterator[Fact]:
    find = _python_handler if side.language == "python" else _braced_handler if side.language in _BRACED else None
    for index, line in enumerate(side.lines):
        if find and (found := find(side, index)):
            what, lines = found
            if any(part.is_changed for part in (line, *lines)):
                key = " ".join(part.text.strip() for part in (line, *lines))
                yield side.fact("swallowed", line, "bare-except" if side.is_added else None, what, key)


def _python_handler(side: _Side, index: int) -> tuple[str, list[Line]] | None:
    """What a handler catches, and its lines, if it is bare or lets any exception go by without a word."""
    found = _EXCEPT.fullmatch(side.lines[index].text)
    if not found:
        return None
    block = side.block(index)
    does = [found["rest"], *(line.text for line in block)]
    code = [stripped for text in does if (stripped := text.strip().partition("#")[0].strip())]
    header = f"except{found['what'].partition(' as ')[0].rstrip()}:"
    if code and all(statement in ("pass", "...", "continue") for statement in code):
        return f"{header} {code[-1]}", block
    is_known = code and not side.is_cut_after(block)
    if not found["what"].strip() and is_known and not any(re.match(r"raise\b", statement) for statement in code):
        return header, block
    return None


def _braced_handler(side: _Side, index: int) -> tuple[str, list[Line]] | None:
    text = side.lines[index].text
    if _SILENT_PROMISE.search(text):
        return ".catch(() => {})", []
    found = _CATCH.match(text)
    if not found or not (side.language == "javascript" or _CATCH_ALL.search(found["what"] or "")):
        return None
    if found["close"]:
        return "catch {}", []
    following = side.lines[index + 1 : index + 2]
    is_empty = text.rstrip().endswith("{") and following and following[0].text.lstrip().startswith("}")
    return ("catch {}", following) if is_empty else None


def _finally(side: _Side) -> Iterator[Fact]:
    """Statements within `finally` that may raise there, and so hide what was raised before.

    Those that the change adds count, and those of a `try` whose handlers it rewrites.
    """
    for index, line in enumerate(side.lines):
        if not _FINALLY.fullmatch(line.text):
            continue
        body = side.block(index)
        body = list(takewhile(lambda part: not _SHIELDS.match(part.text), body))
        found = next(
            (
                (part, match)
                for part in body
                if (match := _RAISES.match(part.text)) and not _NEVER_RAISES.search(part.text)
            ),
            None,
        )
        if found is None:
            continue
        part, match = found
        if part.is_changed or line.is_changed:
            yield side.fact("finally", part, "raise-in-finally" if side.is_added else None, match["what"])
        elif side.is_added and _has_new_handlers(side, index) and match["what"] != "return":
            yield side.fact("finally", part, "raise-in-finally", match["what"], f"{side.place}:{part.number}")


def _has_new_handlers(side: _Side, index: int) -> bool:
    """Whether the `try` that belongs to a `finally` has handlers, and the change wrote into one of them."""
    depth = indent_of(side.lines[index].text)
    is_changed = False
    for line in side.above(index):
        is_changed = is_changed or line.is_changed
        if indent_of(line.text) <= depth:
            return is_changed and bool(_HANDLER.match(line.text))
    return False


_FINDERS = {
    _markers: _MARKER_WORDS,
    _assertions: _ASSERT_WORDS,
    _skips: _SKIP_WORDS,
    _tests: _TEST_WORDS,
    _swallowed: ("except", "catch"),
    _finally: ("finally",),
}
