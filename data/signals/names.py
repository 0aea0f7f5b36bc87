"""Public names that a patch removes or changes: by Python's parser where the files can be had, else by pattern."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from textwrap import dedent

from data.patches import FilePatch, Line
from data.signals.facts import LONGEST_DETAIL, Read, Told
from data.signals.files import indent_of, is_test, language_of
from data.signals.python import Public, Signature, Surface, breaks, header_signature, is_public_module, surface

Found = tuple[str, int, str, str]  # kind, line, detail, name

MOST_LINES = 60  # of one declaration
# A removed line that may be part of what a file offers: a declaration, or a parameter or field with a type.
_PYTHON_OFFER = re.compile(
    r"^-(?:[ \t]*(?:async +)?def +(?!_[^_]|test_)|[ \t]*class +[A-Za-z]|[A-Z]\w* *(?::[^=\n]+)?=[^=]"
    r"|[ \t]+\*{0,2}\w+ *: *[\w\"']|[ \t]+\*{0,2}\w+(?: *=[^,()\n]+)?, *$|[ \t]+\*,$)"
    r"|^\+[ \t]+\w+ *:[^=\n]+, *$",
    re.MULTILINE,
)
# Programs, and what the language itself keeps from others.
_NOT_OFFERED = re.compile(
    r"(?:^|/)(?:setup\.py|main\.(?:rs|go)|build\.rs|src/bin/.*|internal/.*\.go|(?:examples|benches)/.*\.rs)$"
)
_DECLARED = {
    "python": re.compile(r"(?:async\s+)?(?:def|class)\s+(?P<name>[A-Za-z]\w*)"),
    "javascript": re.compile(
        r"export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
        r"(?:function\*?|class|interface|type|enum|const|let|var|namespace)\s+(?P<name>[A-Za-z$]\w*)"
    ),
    "go": re.compile(r"(?:func\s+(?:\([^)]*\)\s*)?|type\s+)(?P<name>[A-Z]\w*)\b"),
    "rust": re.compile(
        r"\s*pub\s+(?:(?:default|const|async|unsafe|extern(?:\s+\"\w+\")?)\s+)*"
        r"(?:fn|struct|enum|trait|type|const|static|union)\s+(?P<name>[A-Za-z]\w*)"
    ),
    "java": re.compile(
        r"\s*public\s+(?:(?:static|final|abstract|synchronized|default|native|sealed|override|virtual|async)\s+)*"
        r"(?:(?:class|interface|enum|record|@interface)\s+|(?:<[^>]+>\s+)?[\w.<>\[\], ?]+\s+)"
        r"(?P<name>[A-Za-z]\w*)(?=\s*[(<{]|\s+(?:extends|implements)\b|\s*$)"
    ),
}
# Up to the parenthesis that opens the parameters; of Go's methods the second one.
_CALLED = re.compile(
    r"(?:\b(?:fn|function\*?|func(?:\s+\([^)]*\))?)\s+\w+\s*(?:<[^()]*>|\[[^()]*\])?\s*|\bpublic\s[^()=;]*)\("
)
# Added lines that offer or import: every word on them may be what a removed name was moved to.
_DECLARES = re.compile(
    r"^\+(?:[ \t]*(?:async +)?(?:def|class|func|type)\b.*|.*\b(?:import|export|public|pub)[ \t{*].*"
    r"|[ \t]*[\w\"']+ *(?:[:=,].*)?)$",
    re.MULTILINE,
)


def name_signals(patches: Sequence[FilePatch], read: Read | None) -> Iterator[Told]:
    """The public names that a pull request takes away or changes.

    Args:
        patches: of all its files.
        read: gives the text of a file by the hash of its content; None where only patches can be had.
    """
    declared: set[str] | None = None
    for patch in patches:
        language = language_of(patch.path)
        if language not in _DECLARED or patch.is_new or is_test(patch.path) or _NOT_OFFERED.search(patch.path):
            continue
        found = _python(patch, read) if language == "python" else _by_pattern(patch, language)
        for kind, line, detail, name in found:
            if kind == "name-removed" and declared is None:
                declared = _declared_anew(patches)
            if kind != "name-removed" or name.rpartition(".")[2] not in (declared or ()):
                yield Told(patch.path, line, kind, detail)


def _python(patch: FilePatch, read: Read | None) -> Iterator[Found]:
    if not is_public_module(patch.path) or not _PYTHON_OFFER.search(patch.text):
        return
    if patch.is_gone:
        gone = surface("\n".join(line.text for hunk in patch.hunks for line in hunk.old))
        for public in gone.names.values() if gone else ():
            if "." not in public.name:  # the class tells of its methods
                yield "name-removed", public.line, public.name, public.name
        return
    old = _surface(read, patch.old_blob) if read and patch.old_blob else None
    new = _surface(read, patch.new_blob) if read and patch.new_blob and old else None
    if old is None or new is None:
        yield from _by_pattern(patch, "python")
        return
    for name, before in old.names.items():
        after = new.names.get(name)
        owner = name.rpartition(".")[0]
        if after is not None:
            yield from _changed(before, after)
        elif not owner or owner in new.names:
            if name.endswith(".__init__"):
                continue  # the class is there: whether it can be called as before, its base may tell
            yield "name-removed", before.line, name, name


@lru_cache(maxsize=2000)  # what a file is after one change, it is before the next
def _surface(read: Read, blob: str) -> Surface | None:
    text = read(blob)
    return None if text is None else surface(text)


def _changed(before: Public, after: Public) -> Iterator[Found]:
    name = before.name.removesuffix(".__init__")
    if before.signature and after.signature:
        if breaks(before.signature, after.signature):
            detail = _signature_detail(name, before.signature, after.signature)
            yield "signature-changed", after.line, detail, name
        new_defaults = after.signature.defaults()
        for parameter, default in before.signature.defaults().items():
            if new_defaults.get(parameter, default) != default and not parameter.startswith("_"):
                yield "default-changed", after.line, f"{name}({parameter})", name
    elif before.default is not None and after.default is not None and before.default != after.default:
        yield "default-changed", after.line, name, name


def _signature_detail(name: str, old: Signature, new: Signature) -> str:
    """The whole of both where it fits, else what only one of them has."""
    whole = f"{name}{old} -> {new}"
    if len(whole) <= LONGEST_DETAIL:
        return whole
    before, after = ({one.name: one.default is None for one in (*each.by_place, *each.by_name)} for each in (old, new))
    gone = [f"-{one}" for one in before if one not in after]
    come = [f"+{one}" for one in after if one not in before]
    needed = [f"{one} has no default now" for one in after if after[one] and not before.get(one, True)]
    return f"{name}: {', '.join([*gone, *come, *needed]) or 'order'}"


@dataclass(frozen=True, slots=True)
class _Declaration:
    name: str
    line: Line
    hunk: int
    signature: Signature | str | None  # as text where no parser is at hand; None: not to be seen in full


def _by_pattern(patch: FilePatch, language: str) -> Iterator[Found]:
    """What the lines of the hunks alone tell. A name that occurs twice on a side is not told: it could be either."""
    old: list[_Declaration] = []
    new: list[_Declaration] = []
    for number, hunk in enumerate(patch.hunks):
        old += _declarations(hunk.old, language, number)
        new += _declarations(hunk.new, language, number)
    n_old, n_new = Counter(one.name for one in old), Counter(one.name for one in new)
    by_name = {one.name: one for one in new}
    for before in old:
        if n_old[before.name] > 1 or n_new[before.name] > 1:
            continue
        after = by_name.get(before.name)
        if after is None and before.line.is_changed:
            yield "name-removed", before.line.number, before.name, before.name
        elif after and after.hunk == before.hunk and _differ(before.signature, after.signature):
            detail = f"{before.name}{before.signature} -> {after.signature}"
            yield "signature-changed", after.line.number, detail, before.name


def _differ(old: Signature | str | None, new: Signature | str | None) -> bool:
    if isinstance(old, Signature) and isinstance(new, Signature):
        return breaks(old, new)
    if not isinstance(old, str) or not isinstance(new, str) or old == new:
        return False
    # A further parameter that may be left out: TypeScript's `x?: T` and `x = 1`.
    more = new[len(old) - 1 :] if new.startswith(old[:-1]) else ""
    return not (more.startswith(", ") and all(re.match(r"\w+\s*(?:\?|.*=)", one) for one in more[2:-1].split(", ")))


def _declarations(lines: Sequence[Line], language: str, hunk: int) -> Iterator[_Declaration]:
    """The declarations on one side of a hunk."""
    for index, line in enumerate(lines):
        is_method = language == "python" and indent_of(line.text) == 4
        if found := _DECLARED[language].match(line.text.lstrip() if is_method else line.text):
            whole = _whole_header(lines[index : index + MOST_LINES], language)
            yield _Declaration(found["name"], line, hunk, _signature_of(whole, language) if whole else None)


def _whole_header(lines: Sequence[Line], language: str) -> str | None:
    """A declaration from its first line to the end of its parameters; None if the hunk ends before."""
    depth, text = 0, ""
    for line in lines:
        text += ("\n" if text else "") + line.text
        depth += sum(map(line.text.count, "([")) - sum(map(line.text.count, ")]"))
        if depth <= 0 and (language != "python" or ":" in line.text):
            return text
    return None


def _signature_of(header: str, language: str) -> Signature | str | None:
    """How what is declared is called; None for what is not called, or can't be told."""
    if language == "python":
        return header_signature(dedent(header))
    found = _CALLED.search(header)
    if not found:
        return None
    inside = re.sub(r"\s+", " ", _balanced(header[found.end() - 1 :]))
    inside = re.sub(r",\s*\)$", ")", inside).replace("( ", "(").replace(" )", ")")
    return _types_of_rust(inside) if language == "rust" else inside


def _types_of_rust(inside: str) -> str:
    """Parameters as callers see them: no names, no lifetimes, no paths before the types."""
    inside = re.sub(r"(?<=[(,])( ?)(?:mut )?(?!self\b)\w+ ?: (?!:)", r"\1", inside)
    inside = re.sub(r"<'\w+(?:, '\w+)*>|'\w+ |'\w+, (?=\w)", "", inside)
    return re.sub(r"\b\w+::(?=\w)", "", inside)


def _balanced(text: str) -> str:
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[: position + 1]
    return text


def _declared_anew(patches: Sequence[FilePatch]) -> set[str]:
    """The words on added lines that declare or import: what bears such a name moved, or can be had from there."""
    return {word for patch in patches for line in _DECLARES.findall(patch.text) for word in re.findall(r"\w+", line)}
