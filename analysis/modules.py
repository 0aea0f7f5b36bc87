"""Which modules of its project each pull request belongs to, and what says so."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.learning import learn_vocabulary
from analysis.module_rules import ModuleRules
from analysis.path_patterns import PathPatterns
from analysis.paths import classify
from analysis.titles import parse
from analysis.vocabulary import Vocabulary, component_of, word_key

__all__ = ["COLUMNS", "SOURCES", "ModuleReader", "ModuleRules", "Vocabulary", "assign", "learn_vocabulary"]

SOURCES = ("title", "path", "label", "owner", "config")
COLUMNS = ["pull_id", "module", "source"]

# By its paths a change belongs to the modules in which at least this share of its files lies: a change to 500 files is
# in the few that it is about, and not in all that it brushes. The largest one always counts.
MIN_SHARE_OF_FILES = 0.2
MOST_BY_PATH = 4
# Who owns all that nobody else does owns no part.
_EVERYTHING = frozenset({"*", "**", "/**", "*/", "**/", "**/*", "/**/*"})


def assign(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    labels: pd.DataFrame,
    vocabulary: Vocabulary,
    *,
    owners: pd.DataFrame | None = None,
    rules: ModuleRules | None = None,
) -> pd.DataFrame:
    """Which modules does each pull request belong to, and what says so?

    Formula: `title`: a tag of the title is a name of the module, or one of the words that the configuration gives it
        stands there; in a title without such a tag, a word that mostly means the module. `label`: a label is a name of
        the module, or one that the configuration gives it. `path` (learned folders and words) and `config` (patterns of
        the configuration): at least a fifth of the changed files lies in the module; the largest always counts, four at
        most. `owner`: the same for the teams of CODEOWNERS, where of each file's rules the last counts; people are no
        modules unless the configuration says so, nor is a team that owns what no other rule names. Generated, vendored
        and lock files do not count, except lock files alone.
    Misses: a change without tag, known folder and label, which is in no module. What a title says is believed, not
        checked.
    Source: GitHub's description of CODEOWNERS; the shares are this project's own.
    Example: `[rollout] fix: a leak` with three files in `workers/rollout` and one in `docs` is in rollout by title and
        path, and in docs by path.

    Args:
        pulls: one row per pull request: pull_id, title.
        files: one row per pull request and file: pull_id, path.
        labels: one row per pull request and label: pull_id, name.
        vocabulary: what the project calls its modules.
        owners: one row per rule of CODEOWNERS: seq, pattern, owners (separated by spaces); None: unknown.
        rules: what the configuration adds to the vocabulary or overrides in it.

    Returns:
        One row per pull request, module and source (of SOURCES), sorted; none for one in no module.
    """
    reader = ModuleReader(vocabulary, owners, rules)
    titles = dict(zip(pulls["pull_id"].tolist(), pulls["title"].tolist(), strict=True))
    rows = {(pull_id, module, "title") for pull_id, title in titles.items() for module in reader.of_title(title)}
    for pull_id, label in zip(labels["pull_id"].tolist(), labels["name"].tolist(), strict=True):
        if pull_id in titles:
            rows.update((pull_id, module, "label") for module in reader.of_label(label))
    for pull_id, places in _places(files, reader):
        if pull_id in titles:
            rows.update((pull_id, module, source) for module, source in reader.of_places(places))
    columns = zip(*sorted(rows), strict=True) if rows else [()] * len(COLUMNS)
    kinds = ("int64", "str", "str")
    typed = zip(COLUMNS, columns, kinds, strict=True)
    return pd.DataFrame({name: pd.Series(list(values), dtype=kind) for name, values, kind in typed})


def _places(files: pd.DataFrame, reader: "ModuleReader") -> Iterator[tuple[int, list["Place"]]]:
    """Each pull request with the places of its files, in the order of their paths."""
    path, paths = pd.factorize(files["path"], sort=True)
    known = [reader.of_path(each) for each in paths]
    pull_ids = files["pull_id"].to_numpy(dtype=np.int64)
    order = np.lexsort((path, pull_ids))
    places = [known[each] for each in path[order].tolist()]
    starts = np.flatnonzero(np.diff(pull_ids[order], prepend=-1))
    for start, end in pairwise([*starts.tolist(), len(places)]):
        yield int(pull_ids[order[start]]), places[start:end]


class Place(NamedTuple):
    """Where one path lies."""

    is_no_code: bool
    category: str  # of paths.CATEGORIES
    is_noise: bool
    learned: tuple[str, ...]  # modules by the vocabulary
    configured: tuple[str, ...]  # modules by the configuration's patterns
    known: tuple[str, ...]  # both, each once
    owned: tuple[str, ...]  # modules by CODEOWNERS


_IS_NO_CODE = attrgetter("is_no_code")


class ModuleReader:
    """What titles, labels and paths say, by a vocabulary, CODEOWNERS and the configuration's rules together."""

    def __init__(
        self, vocabulary: Vocabulary, owners: pd.DataFrame | None = None, rules: ModuleRules | None = None
    ) -> None:
        self._rules = rules or ModuleRules()
        self._vocabulary = self._rules.over(vocabulary)
        columns = () if owners is None else (owners[name].tolist() for name in ("seq", "pattern", "owners"))
        ordered = sorted(zip(*columns, strict=True))
        self._owned = PathPatterns(pattern for _, pattern, _ in ordered)
        self._owners = [self._modules_of(names.split(), pattern in _EVERYTHING) for _, pattern, names in ordered]
        self.of_path = cache(self._place)

    def of_title(self, text: str) -> set[str]:
        """What a title's tags name, else what its sentence does; in any case what the configuration's words say."""
        found = self.of_tags(text) or self._vocabulary.of_sentence(parse(text).subject)
        return found.union(self._rules.of_title(text))

    def of_tags(self, text: str) -> set[str]:
        """What a title's tags name."""
        words = self._vocabulary.words
        return {words[key] for key in map(word_key, parse(text).tags) if key in words}

    def of_label(self, label: str) -> tuple[str, ...]:
        """The modules that claim a label, else the one that it names, whole or as a component (`area/web`)."""
        key = word_key(component_of(label) or label)
        named = (self._vocabulary.words[key],) if key in self._vocabulary.words else ()
        return self._rules.of_label(label) or named

    def around(self, path: str) -> set[str]:
        """The modules that were learned for any folder above a path."""
        return self._vocabulary.around(classify(path))

    def of_places(self, places: Sequence[Place]) -> list[tuple[str, str]]:
        """The modules that the files of one change are mostly in, with their sources."""
        # A lock file speaks only where there is nothing else; of modules with equally many files, code goes first.
        telling = [place for place in places if not place.is_noise] or [x for x in places if x.category == "lock"]
        telling.sort(key=_IS_NO_CODE)
        found = []
        configured = {module for place in telling for module in place.configured}
        for module in _widest([place.known for place in telling]):
            if module not in configured or any(module in place.learned for place in telling):
                found.append((module, "path"))
            if module in configured:
                found.append((module, "config"))
        if self._owners:
            found += [(module, "owner") for module in _widest([place.owned for place in telling])]
        return found

    def _place(self, path: str) -> Place:
        facts = classify(path)
        learned, configured = self._vocabulary.of_path(facts), self._rules.of_path(path)
        known = tuple(dict.fromkeys(learned + configured)) if configured else learned
        matches = self._owned.matches(path) if self._owners else ()
        owned = self._owners[matches[-1]] if matches else ()
        return Place(facts.category != "source", facts.category, facts.is_noise, learned, configured, known, owned)

    def _modules_of(self, owners: Sequence[str], is_everything: bool) -> tuple[str, ...]:
        """Modules that claim an owner; else, of `@org/team`, the module of the team's name."""
        found: list[str] = []
        for owner in owners:
            claimed = self._rules.of_owner(owner)
            found += claimed
            if not claimed and not is_everything and owner.startswith("@") and "/" in owner:
                found += filter(None, [self._team(owner.rpartition("/")[2].lower())])
        return tuple(dict.fromkeys(found))

    def _team(self, team: str) -> str | None:
        known = self._vocabulary.words.get(word_key(team))
        return known or (self._rules.name(team) if self._rules.learn else None)


def _widest(modules_of_files: Sequence[Sequence[str]]) -> list[str]:
    """The modules of enough files; of equal ones those that come first, whatever they are called."""
    counts = Counter(chain.from_iterable(modules_of_files))
    ranked = sorted(counts.items(), key=itemgetter(1), reverse=True)[:MOST_BY_PATH]
    enough = MIN_SHARE_OF_FILES * len(modules_of_files)
    return [module for rank, (module, n_files) in enumerate(ranked) if rank == 0 or n_files >= enough]
