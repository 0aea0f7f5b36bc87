"""Keys of configuration files by their dotted path: which came, which went, which got another value."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from data.patches import FilePatch
from data.signals.facts import Read, Told
from data.signals.files import indent_of, is_test, language_of

MOST_KEYS = 40  # changed keys of one file: more is data, not settings
LONGEST_FILE = 200_000  # characters
# Told otherwise (versions), or nobody's settings: locks, tools of the repository, what a machine wrote.
_NO_SETTINGS = re.compile(
    r"(?:^|/)_*(?:zz_)?generated[_./]|(?:^|/)(?:ci|\.github|\.circleci|\.gitlab|\.vscode|node_modules|vendor|third_party|locales?|i18n|fixtures|snapshots)/"
    r"|(?:^|/)(?:package|composer|bower|tsconfig[\w.]*)\.json$|(?:^|/)(?:pyproject|Cargo|Pipfile)\.toml$|(?:^|/)setup\.cfg$"
    r"|[._-]lock\b|(?:^|/)[\w.-]*(?:lock|shrinkwrap)\.(?:json|ya?ml)$"
    r"|(?:^|/)\.?(?:gitlab-ci|travis|appveyor|azure-pipelines|pre-commit-config|pre-commit-hooks|readthedocs|mkdocs|codecov|dependabot|mergify)[\w.-]*\.ya?ml$"
    r"|(?:^|/)(?:tox|pytest|mypy|\.flake8|\.coveragerc)\.(?:ini|cfg)$|(?:^|/)(?:\.?rustfmt|clippy|deny|triagebot|\.?taplo|typos|_typos)\.toml$"
)
# JSON is as often data: only where the name says so is it taken for settings.
_JSON_SETTINGS = re.compile(
    r"(?i)(?:config|conf|settings?|options|preferences|defaults?|params)[^/]*\.json[c5]?$|(?:^|/)conf(?:ig)?s?/"
)
_YAML_KEY = re.compile(r"(?P<indent> *)(?P<key>\"[^\"]*\"|'[^']*'|[\w./$@-][^\s:#]*)\s*:(?:\s+(?P<value>.*))?")
_SECTION = re.compile(r"\s*\[\[?\s*(?P<name>[^\]]+?)\s*\]?\]\s*(?:[#;].*)?")
_PAIR = re.compile(r"\s*(?P<key>\"[^\"]+\"|[\w.-]+)\s*[=:]\s*(?P<value>.*)")
_OPENING = "|>[{\"'&"  # a value that may go on below
_JSON_KEY = re.compile(r"(?P<indent>\s*)\"(?P<key>(?:[^\"\\]|\\.)+)\"\s*:\s*(?P<value>.*?),?\s*")


@dataclass(slots=True)
class _Key:
    line: int
    value: str


def setting_signals(patches: Iterable[FilePatch], read: Read | None) -> Iterator[Told]:
    """The keys of configuration files that a pull request adds, removes or changes.

    Files that come or go as a whole are told by their names. Keys in lists of tables have no path, and are left out.
    """
    for patch in patches:
        language = language_of(patch.path)
        scan = _SCANNERS.get(language or "")
        if scan and not patch.is_new and not patch.is_gone and patch.text and _has_settings(patch.path):
            found = list(_changed_keys(patch, scan, read))
            if len(found) <= MOST_KEYS:
                yield from found


def _has_settings(path: str) -> bool:
    is_data = language_of(path) == "json" and not _JSON_SETTINGS.search(path)
    return not (is_data or is_test(path) or _NO_SETTINGS.search(path))


def _changed_keys(patch: FilePatch, scan: "_Scan", read: Read | None) -> Iterator[Told]:
    old, new = _keys(patch, scan, read)
    if old is None or new is None:
        return
    for name, before in old.items():
        after = new.get(name)
        if after is None:
            yield Told(patch.path, before.line, "config-key-removed", name)
        elif after.value != before.value:
            yield Told(patch.path, after.line, "config-key-changed", name)
    for name, key in new.items():
        if name not in old:
            yield Told(patch.path, key.line, "config-key-added", name)


def _keys(patch: FilePatch, scan: "_Scan", read: Read | None) -> "tuple[_Keys | None, _Keys | None]":
    """All keys before and after; without the files themselves, those whose whole path stands in a hunk."""
    if read and patch.old_blob and patch.new_blob:
        return _all_keys(read, patch.old_blob, scan), _all_keys(read, patch.new_blob, scan)
    found: tuple[_Keys, _Keys] = ({}, {})
    for hunk in patch.hunks:
        for keys, side in zip(found, (hunk.old, hunk.new), strict=True):
            is_start = bool(side) and side[0].number == 1
            keys |= scan([(line.number, line.text) for line in side], is_start) or {}
    return found


@lru_cache(maxsize=500)  # what a file is after one change, it is before the next
def _all_keys(read: Read, blob: str, scan: "_Scan") -> "_Keys | None":
    text = read(blob)
    if text is None or len(text) > LONGEST_FILE:
        return None
    return scan(list(enumerate(text.split("\n"), 1)), True)


_Lines = Sequence[tuple[int, str]]
_Keys = dict[str, _Key]
_Scan = Callable[[_Lines, bool], _Keys | None]  # None: what the keys are can't be told


def _yaml(lines: _Lines, is_start: bool) -> _Keys | None:
    """Keys of mappings; a list, a block of text or a value over several lines is its key's value as a whole."""
    found: _Keys = {}
    above: list[tuple[int, str]] = []  # the keys that lead here by their dotted paths, with their depth
    is_placed = is_start
    opaque: int | None = None  # what is deeper than that belongs to the value of the last key
    for number, text in lines:
        stripped = text.strip()
        if not stripped or stripped[0] == "#":
            continue
        if stripped == "---" and found:
            return None  # several documents in one file: which key is which?
        depth = indent_of(text)
        is_item = stripped == "-" or stripped.startswith("- ")
        if opaque is not None and (depth > opaque or (depth == opaque and is_item)):
            _append(found, above, stripped)
            continue
        while above and above[-1][0] >= depth + is_item:  # a list may stand as deep as its key
            above.pop()
        opaque = (above[-1][0] if above else depth) if is_item else None
        if is_item:
            _append(found, above, stripped)
        elif (key := _YAML_KEY.fullmatch(text.rstrip())) and (is_placed or depth == 0):
            is_placed = True
            value = key["value"] or ""
            value = re.sub(r"(?:^|\s)#.*$", "", value).strip() if "#" in value else value
            name = (f"{above[-1][1]}." if above else "") + key["key"].strip("\"'")
            above.append((depth, name))
            found[name] = _Key(number, value)
            opaque = depth if value[:1] in _OPENING and value else None
    return _leaves(found)


def _append(found: _Keys, above: Sequence[tuple[int, str]], text: str) -> None:
    if above and (key := found.get(above[-1][1])):
        key.value += "\n" + text


def _is_closed(value: str) -> bool:
    return sum(map(value.count, "[{")) == sum(map(value.count, "]}"))


def _leaves(found: _Keys) -> _Keys:
    """Without the keys that only hold others."""
    holders = {name.rpartition(".")[0] for name in found}
    return {name: key for name, key in found.items() if key.value or name not in holders}


def _sections(lines: _Lines, is_start: bool) -> _Keys | None:
    """Keys of TOML and INI files: `[section]`, then `key = value`, with a list over several lines as one value."""
    found: _Keys = {}
    section: str | None = "" if is_start else None
    last: _Key | None = None
    for number, text in lines:
        stripped = text.strip()
        if not stripped or stripped[0] in "#;":
            continue
        if last and not _is_closed(last.value):
            last.value += "\n" + stripped
        elif head := _SECTION.fullmatch(text):
            # Tables in a list have no name of their own.
            section, last = (None if stripped.startswith("[[") else head["name"] + "."), None
        elif section is not None and (pair := _PAIR.fullmatch(text)):
            last = found[section + pair["key"].strip('"')] = _Key(number, re.sub(r"\s+#.*$", "", pair["value"]).strip())
        elif last and text[:1].isspace():
            last.value += "\n" + stripped
    return found


def _json(lines: _Lines, is_start: bool) -> _Keys | None:
    """Keys of JSON that is written a key a line, by its indentation."""
    found: _Keys = {}
    above: list[tuple[int, str]] = []
    opaque: int | None = None
    top: int | None = None
    for number, text in lines:
        depth = indent_of(text)
        stripped = text.strip()
        if opaque is not None and (depth > opaque or stripped[:1] in "]}"):
            _append(found, above, stripped)
            opaque = None if depth <= opaque else opaque
            continue
        opaque = None
        key = _JSON_KEY.fullmatch(text)
        if key is None:
            if stripped[:1] == "[" and not above:
                return None  # a list: data
            continue
        if not is_start:
            return None  # where a hunk begins, nobody knows how deep it is
        top = depth if top is None else top
        while above and above[-1][0] >= depth:
            above.pop()
        if not above and depth != top:
            return None
        value, name = key["value"], (f"{above[-1][1]}." if above else "") + key["key"]
        above.append((depth, name))
        found[name] = _Key(number, "" if value == "{" else value)
        opaque = depth if value[:1] == "[" and not _is_closed(value) else None
    return _leaves(found)


_SCANNERS: dict[str, _Scan] = {"yaml": _yaml, "toml": _sections, "json": _json}
