"""Pull requests whose title names one module while their code lies in others."""

import re
from collections import Counter, defaultdict
from typing import NamedTuple

import pandas as pd

from analysis.module_rules import ModuleRules
from analysis.modules import ModuleReader
from analysis.titles import parse
from analysis.vocabulary import HOLDERS, Vocabulary, neighbours, word_key

COLUMNS = {
    "pull_id": "int64",
    "says": object,
    "lies_in": object,
    "paths": object,
    "n_files": int,
    "usual_share": float,
}
MIN_CASES = 5
USUAL = 0.6  # share of a module's titled changes that must lie in it, for one elsewhere to be worth a word
_CODE = frozenset({"source", "config"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class _Case(NamedTuple):
    """One change with tags that are modules and with code."""

    pull_id: int
    title: str
    says: frozenset[str]
    code: dict[str, tuple[str, ...]]  # path -> modules
    around: frozenset[str]  # modules of any folder above any file
    n_files: int


def title_paths(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    vocabulary: Vocabulary,
    *,
    owners: pd.DataFrame | None = None,
    rules: ModuleRules | None = None,
) -> pd.DataFrame:
    """Which titles name modules in which none of the changed code lies?

    Formula: all of these hold. The title's tags name modules; at least half of what the change touches is code; every
        code file lies in a module, and no file at all in a named one or below a folder of it; no word of the title
        stands in the path of a code file; and of the changes whose title names the module, at least 60 % (of at least
        five) do touch code in it.
    Misses: titles without tags, changes that touch a little of the module they name, modules without folders of their
        own, documents, tests and CI. Much of what is listed is right as it is: a repair of the rollout that had to be
        made in the trainer. It tells where to look for the change, not that its author erred.
    Source: this project's own.
    Example: `[reward] fix: empty class dict` changes `trainer/ppo/ray_trainer.py` alone, and of 30 changes titled
        reward 22 touch code of reward: listed, says reward, lies in trainer, usual share 0.73.

    Args:
        pulls: one row per pull request: pull_id, title; the more of the past, the better it is known what is usual.
        files: one row per pull request and file: pull_id, path.
        vocabulary: what the project calls its modules.
        owners: one row per rule of CODEOWNERS: seq, pattern, owners; None: unknown.
        rules: what the configuration says of modules.

    Returns:
        One row per such pull request, by id: pull_id, says and lies_in (modules), paths (of its code; all three sorted
        lists), n_files (that count, code and others), usual_share (of the named module that is least often missed).
    """
    reader = ModuleReader(vocabulary, owners, rules)
    cases = _cases(pulls, files, reader)
    usual = _usual(cases)
    rows = [
        (
            case.pull_id,
            sorted(case.says),
            sorted({module for modules in case.code.values() for module in modules}),
            sorted(case.code),
            case.n_files,
            min(usual[module] for module in case.says),
        )
        for case in cases
        if all(usual.get(module, 0) >= USUAL for module in case.says) and _is_elsewhere(case)
    ]
    return pd.DataFrame(sorted(rows), columns=list(COLUMNS)).astype(COLUMNS)


def _cases(pulls: pd.DataFrame, files: pd.DataFrame, reader: ModuleReader) -> list[_Case]:
    paths: dict[int, list[str]] = defaultdict(list)
    for pull_id, path in zip(files["pull_id"].tolist(), files["path"].tolist(), strict=True):
        paths[pull_id].append(path)
    cases = []
    for pull_id, title in zip(pulls["pull_id"].tolist(), pulls["title"].tolist(), strict=True):
        says = reader.of_tags(title)
        places = {path: reader.of_path(path) for path in paths[pull_id]} if says else {}
        told = {path: place for path, place in places.items() if not place.is_noise}
        code = {path: place.known for path, place in told.items() if place.category in _CODE}
        if code:
            around = {module for path, place in told.items() for module in (*place.known, *reader.around(path))}
            cases.append(_Case(pull_id, title, frozenset(says), code, frozenset(around), len(told)))
    return cases


def _usual(cases: list[_Case]) -> dict[str, float]:
    """Of the changes whose title names a module, the share that touches code in it; none where there are too few."""
    named, kept = Counter[str](), Counter[str]()
    for case in cases:
        named.update(case.says)
        kept.update(case.says & {module for modules in case.code.values() for module in modules})
    return {module: kept[module] / n for module, n in named.items() if n >= MIN_CASES}


def _is_elsewhere(case: _Case) -> bool:
    if case.says & case.around or not all(case.code.values()) or 2 * len(case.code) < case.n_files:
        return False
    names = [word_key(word) for word in (*case.says, *parse(case.title).tags)]
    if any(name in path.lower() for path in case.code for name in names):
        return False
    title_words = {*neighbours(case.title), *neighbours(_CAMEL.sub(" ", case.title))}
    folders = (part for path in case.code for part in path.rpartition(".")[0].lower().split("/"))
    return title_words.isdisjoint({word for part in folders for word in neighbours(part)} - HOLDERS)
