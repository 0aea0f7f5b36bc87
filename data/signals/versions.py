"""Versions that a patch moves: of packages, of images and of the actions that a workflow uses."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from data.patches import FilePatch
from data.signals.facts import Told

_VERSION = r"v?\d[\w.*+!-]*"
_RANGE = rf"(?:[~^=<>!]{{0,3}}\s*{_VERSION}(?:\s*(?:,|\|\||\s)\s*[~^=<>!]{{0,3}}\s*{_VERSION})*)"
_SPEC = rf"(?P<name>[A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?P<version>(?:===?|~=|>=|<=|!=|[<>])\s*{_RANGE})"
_REQUIREMENT = re.compile(rf"\s*{_SPEC}\s*(?:[;#\\].*)?")
_QUOTED_SPEC = re.compile(rf"[\"']{_SPEC}\s*(?:;[^\"']*)?[\"']")
_TABLE = re.compile(
    rf"\s*[\"']?(?P<name>[A-Za-z][\w./@-]*)[\"']?\s*=\s*(?:\{{.*?\bversion\s*=\s*)?[\"'](?P<version>{_RANGE})[\"'].*"
)
_JSON = re.compile(rf"\s*\"(?P<name>@?[A-Za-z][\w./@-]*)\"\s*:\s*\"(?P<version>{_RANGE})\",?\s*")
_GO = re.compile(r"\s*(?:require\s+)?(?P<name>[\w.-]+\.[a-z]+/[\w./~-]+)\s+(?P<version>v\d\S*)(?:\s*//.*)?")
_FROM = re.compile(
    r"\s*FROM\s+(?:--\S+\s+)*(?P<name>[\w./-]+?(?::\d+/[\w./-]+)?):(?P<version>[\w.-]+)(?:@\S+)?(?:\s+.*)?",
    re.IGNORECASE,
)
_USES = re.compile(
    r"\s*(?:-\s*)?uses:\s*[\"']?(?P<name>[\w.-]+/[\w./-]+)@(?P<version>[\w./-]+)[\"']?(?:\s*#\s*(?P<tag>v?\d\S*))?.*"
)
_OWN = frozenset(
    {
        "version",
        "edition",
        "rust-version",
        "resolver",
        "target-version",
        "schema",
        "lockfileVersion",
        "python-version",
        "minversion",
        "line-length",
    }
)
_FILES: tuple[tuple[re.Pattern[str], tuple[re.Pattern[str], ...]], ...] = (
    (re.compile(r"(?i)(?:^|.*[_-])(?:requirements|constraints)[\w.-]*\.(?:txt|in)"), (_REQUIREMENT,)),
    (re.compile(r"pyproject\.toml|Pipfile"), (_QUOTED_SPEC, _TABLE)),
    (re.compile(r"setup\.py"), (_QUOTED_SPEC,)),
    (re.compile(r"setup\.cfg"), (_REQUIREMENT,)),
    (re.compile(r"Cargo\.toml"), (_TABLE,)),
    (re.compile(r"package\.json"), (_JSON,)),
    (re.compile(r"go\.mod"), (_GO,)),
    (re.compile(r"(?i)(?:.*\.)?(?:dockerfile|containerfile)(?:[._-].*)?"), (_FROM,)),
)
_WORKFLOW = re.compile(r"(?:^|/)\.github/(?:workflows|actions)/.*\.ya?ml$|(?:^|/)action\.ya?ml$")
_FOLDER_OF_REQUIREMENTS = re.compile(r"(?:^|/)(?:requirements|constraints)/[^/]+\.(?:txt|in)$")


def version_signals(patches: Iterable[FilePatch]) -> Iterator[Told]:
    """Pins and ranges of which a pull request changes the version, as `name from -> to`."""
    for patch in patches:
        forms = _forms(patch.path)
        if not forms or patch.is_new or patch.is_gone:
            continue
        old: dict[str, list[tuple[int, str]]] = defaultdict(list)
        new: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for hunk in patch.hunks:
            for versions, lines in ((old, hunk.removed), (new, hunk.added)):
                for line in lines:
                    for name, version in _read(line.text, forms):
                        versions[name].append((line.number, version))
        for name, before in old.items():
            after = new.get(name, [])
            if len(before) == len(after):
                for (_, was), (number, now) in zip(before, after, strict=True):
                    if was != now:
                        yield Told(patch.path, number, "version-moved", f"{name} {was} -> {now}")


def _forms(path: str) -> tuple[re.Pattern[str], ...]:
    if _WORKFLOW.search(path):
        return (_USES,)
    if _FOLDER_OF_REQUIREMENTS.search(path):
        return (_REQUIREMENT,)
    name = PurePosixPath(path).name
    return next((forms for pattern, forms in _FILES if pattern.fullmatch(name)), ())


def _read(text: str, forms: tuple[re.Pattern[str], ...]) -> Iterator[tuple[str, str]]:
    """The packages that a line names, with their versions; a comment names none."""
    if text.lstrip().startswith(("#", "//")):
        return
    for form in forms:
        found = list(form.finditer(text)) if form is _QUOTED_SPEC else [form.fullmatch(text)]
        for match in found:
            if match and match["name"] not in _OWN:
                told = match.groupdict().get("tag") or match["version"]
                yield match["name"], re.sub(r"\s+", "", told)
        if any(found):
            return
