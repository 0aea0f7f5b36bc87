"""What the patches of the invented pull requests do: signals that fit their files, sizes and titles."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from random import Random

from data.demo.tree import is_code, is_test
from data.records import FileRecord, SignalRecord

_BUMP = re.compile(r"bump (?P<name>\S+) from (?P<old>\S+) to (?P<new>\S+)")
_MANIFESTS = ("pyproject.toml", "package.json", "go.mod")
_REVERT = re.compile(r"revert|reapply|rename|release|vendor|回退|恢复", re.IGNORECASE)
# Signals of a changed file of code: kind, chance where it is as long as most, and what is told.
_OF_CODE = (
    ("todo", 0.06, "TODO"),
    ("assert", 0.03, "assert {stem} is not None"),
    ("bare-except", 0.02, "except Exception: pass"),
    ("signature-changed", 0.05, "{stem}(name) -> (name, options)"),
    ("name-removed", 0.03, "load_{stem}"),
    ("default-changed", 0.03, "{stem}(timeout)"),
)
_OF_TESTS = (
    ("test-removed", 0.05, "test_{stem}"),
    ("assertion-removed", 0.05, "assert result"),
    ("test-skipped", 0.02, "@pytest.mark.skip"),
)
_USUAL_LINES = 60


def shown(number: int, title: str, files: Iterable[FileRecord]) -> list[SignalRecord]:
    """The signals of one pull request: the more lines a file gains or loses, the likelier. What is undone shows none.

    The chances come from the number alone, so that nothing else of the sample depends on them.
    """
    if _REVERT.search(title):
        return []
    rng = Random(f"signals of {number}")
    return sorted(_signals(rng, title, files), key=lambda each: (each["path"], each["line"], each["kind"]))


def _signals(rng: Random, title: str, files: Iterable[FileRecord]) -> Iterator[SignalRecord]:
    for file in files:
        path, status = file["path"], file["status"]
        if status not in ("modified", "added"):
            continue
        if (bump := _BUMP.search(title)) and path.endswith(_MANIFESTS):
            yield _signal(rng, path, "version-moved", "{name} {old} -> {new}".format(**bump.groupdict()))
        if path.endswith((".toml", "values.yaml")) and "pyproject" not in path and rng.random() < 0.5:
            yield _signal(rng, path, "config-key-added", f"{PurePosixPath(path).stem}.retries")
        kinds = _OF_CODE if is_code(path) else _OF_TESTS if is_test(path) else ()
        for kind, chance, detail in kinds:
            comes = kind in ("todo", "assert", "bare-except")
            lines = (file["additions"] if comes else file["deletions"]) or 0
            if (comes or status == "modified") and rng.random() < chance * min(4.0, lines / _USUAL_LINES):
                yield _signal(rng, path, kind, detail.format(stem=_stem(path)))


def _signal(rng: Random, path: str, kind: str, detail: str) -> SignalRecord:
    return SignalRecord(path=path, kind=kind, line=rng.randint(3, 240), detail=detail)


def _stem(path: str) -> str:
    return re.sub(r"\W", "_", PurePosixPath(path).name.partition(".")[0]).removeprefix("test_")
