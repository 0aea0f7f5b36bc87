"""What patches do that a reader should look at: the signals of a pull request. The text itself is not kept."""

from collections import Counter
from collections.abc import Iterator, Sequence

from data.patches import FilePatch
from data.records import SignalRecord
from data.signals.facts import LONGEST_DETAIL, Fact, Read, Told, remaining
from data.signals.files import is_test, language_of
from data.signals.lines import line_facts
from data.signals.names import name_signals
from data.signals.settings import setting_signals
from data.signals.versions import version_signals
from data.trailers import plain_text

RULES_VERSION = 3  # a change that tells other signals of the same patch raises it: clones are then read anew
_CONTINUED = "\\"  # at the end of a line of Python or C
MOST_OF_A_KIND = 20  # in one file; the first
KINDS = {
    "todo": "a comment with TODO, FIXME, HACK, XXX, workaround, a temporary fix, 待办 or 临时方案 came",
    "assert": "a hard assertion came: it stops the program when it fails",
    "assertion-removed": "an assertion went, and none came in its place",
    "bare-except": "an exception is caught whatever it is, or passed over without a word",
    "raise-in-finally": "what may raise stands in `finally`, where it hides the exception that was on its way",
    "test-skipped": "a test is skipped, ignored or expected to fail",
    "test-removed": "a test went, and none of its name came elsewhere",
    "name-removed": "a public function, class, method, field or constant went",
    "signature-changed": "a public function is called for otherwise: a call that was right may fail now",
    "default-changed": "a parameter of a public function, or a field of a public class, has another default",
    "config-key-added": "a configuration file has a new key",
    "config-key-removed": "a configuration file has lost a key",
    "config-key-changed": "a key of a configuration file has another value",
    "version-moved": "a package, an image or an action is used in another version",
}


def signals(patches: Sequence[FilePatch], read: Read | None = None) -> list[SignalRecord]:
    """What the patches of one pull request do that a reader should look at.

    A line that was removed in one place and added in another moved; one that was removed and added within a hunk was
    edited: neither is told as new or gone. What is told is names, markers and versions, never a value or a string.

    Args:
        patches: of every file it changes.
        read: the text of a file by the hash of its content, or None; where there is such a function, Python is read by
            its own parser and configuration as a whole, else both by what the hunks show.

    Returns:
        By path, line and kind; of each kind the first 20 in a file.
    """
    patches = sorted(patches, key=lambda patch: patch.path)
    counts: Counter[tuple[str, str]] = Counter()
    kept = []
    for told in sorted(set(_told(patches, read))):
        counts[told.path, told.kind] += 1
        if counts[told.path, told.kind] <= MOST_OF_A_KIND:
            kept.append(SignalRecord(path=told.path, kind=told.kind, line=told.line, detail=_shown(told)))
    return kept


def _shown(told: Told) -> str:
    """The detail as it is kept, cut between two words; an ellipsis tells that a statement goes on."""
    detail = plain_text(told.detail)
    if told.kind == "assert" and _goes_on(detail):
        detail = f"{detail.removesuffix(_CONTINUED).rstrip()} …"
    if len(detail) <= LONGEST_DETAIL:
        return detail
    words = detail[: LONGEST_DETAIL - 1].rpartition(" ")[0]
    return f"{words if len(words) > LONGEST_DETAIL / 2 else detail[: LONGEST_DETAIL - 2]} …"


def _goes_on(code: str) -> bool:
    return code.endswith(_CONTINUED) or sum(map(code.count, "([{")) > sum(map(code.count, ")]}"))


def _told(patches: Sequence[FilePatch], read: Read | None) -> Iterator[Told]:
    blobs = {patch.path: patch.new_blob for patch in patches}
    for fact in remaining(_facts(patches)):
        if fact.kind and not (fact.kind == "assert" and _is_inline_test(fact, blobs.get(fact.path), read)):
            yield Told(fact.path, fact.line, fact.kind, fact.detail)
    yield from name_signals(patches, read)
    yield from setting_signals(patches, read)
    yield from version_signals(patches)


def _facts(patches: Sequence[FilePatch]) -> Iterator[Fact]:
    place = 0
    for patch in patches:
        yield from line_facts(patch, place)
        place += patch.text.count("\n@@ ") + 1


def _is_inline_test(fact: Fact, blob: str | None, read: Read | None) -> bool:
    """Whether an assertion in Rust stands among the tests at the end of its file, or may do so."""
    if language_of(fact.path) != "rust" or is_test(fact.path):
        return False
    text = read(blob) if read and blob else None
    return text is None or "#[cfg(test)]" in "\n".join(text.split("\n")[: fact.line])
