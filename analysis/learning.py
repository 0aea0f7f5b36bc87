"""How a project's vocabulary is learned from its own titles and folders.

A project names its modules in two ways: by the words that its titles use as tags, and by the folders that its changes
touch. Where it does both, the titles say what a folder is called: if changes under `checkpoint_engine/` mostly say
`[ckpt]`, that folder is `ckpt`. Where there are only folders, they keep their own names.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.paths import PathFacts, classify
from analysis.running import Ints, ranges
from analysis.titles import KIND_WORDS, Title, parse
from analysis.vocabulary import (
    DEPTH,
    HOLDERS,
    PLACE_KEYS,
    PLACES,
    Vocabulary,
    component_of,
    first_words,
    folders_of,
    keys,
    named_in,
    neighbours,
    path_words,
    place_of,
    word_key,
)

LEARN_FROM = 4000  # newest pull requests: what the project calls its parts today
WIDE = 30  # files; a wider change says little about what one folder is called
MIN_PULLS = 3
MIN_SHARE_OF_TAGGED = 0.003  # of the pull requests with tags, for a tag to be a module
MIN_SHARE_OF_PULLS = 0.015  # for a folder to be a module under its own name
BROAD = 0.4  # share of pull requests from which on a folder's children are told apart
MOST = 0.6  # share of pull requests with code from which on a folder holds the whole project

# How much of what has a name must go by it. A word that stands in the name itself needs to convince less.
CALLED = 0.38  # share of a folder's tagged pull requests, for a word that does not stand in its name,
WITNESSES = 5  # with at least so many of them,
WELL_TOLD = 0.25  # if at least this share of its pull requests is tagged at all
NAMED = 0.15  # the same share, for a word that does stand there
TOKEN = 0.33  # for a word anywhere in a path
SPOKEN = 0.6  # for a word in a sentence, among what tags and paths say
ALIAS = 0.66  # for one tag to be another name of a module, by where its changes lie,
APART = 0.1  # if at most this share of its pull requests have both as tags
TOLD = 0.1  # share of tagged pull requests below which titles say nothing of a folder
TIMES_USUAL = 2.0  # and in any case so many times the word's usual share
DOUBT = 3  # pull requests that are taken to follow the usual, against small numbers

_NO_MODULES = (
    (HOLDERS - keys("test core cmd app lib java python kotlin scala js rust"))
    | keys("minor nit wip todo update upgrade merge branch version dev repo project new pre-commit.ci")
    | {word_key(word) for word, kind in KIND_WORDS.items() if kind in {"feat", "fix", "refactor", "chore", "revert"}}
)


class _Keyed(NamedTuple):
    """Which pull requests have which keys: one row for each of both."""

    pull: Ints  # place in order of time
    key: Ints  # place in `names`
    names: list[str]

    @property
    def n_pulls(self) -> dict[str, int]:
        """How many pull requests have each key."""
        return dict(zip(self.names, np.bincount(self.key, minlength=len(self.names)).tolist(), strict=True))


@dataclass(frozen=True)
class _Evidence:
    """What there is to learn from."""

    titles: list[Title]  # of pull requests in order of time
    tags: _Keyed  # module words in their tags
    pull: Ints  # one entry per pull request and file, without wide changes and noise: place in `titles`,
    path: Ints  # and in `facts`
    facts: list[PathFacts]
    words: Mapping[str, str]  # module word -> how it is mostly spelled

    @cached_property
    def enough(self) -> float:
        """Pull requests that make a folder or place worth a module of its own."""
        return max(MIN_PULLS, MIN_SHARE_OF_PULLS * len(np.unique(self.pull)))

    def by_path(self, keys: Sequence[Collection[str]]) -> _Keyed:
        """The pull requests by keys of the paths that they touch: one collection of keys a path."""
        own, names = _numbered(list(chain.from_iterable(keys)))
        ends = np.cumsum([len(each) for each in keys], dtype=np.int64)
        starts = np.append(0, ends[:-1])
        times = (ends - starts)[self.path]
        key = own[ranges(starts[self.path], ends[self.path])]
        return _each_once(np.repeat(self.pull, times), key, names)

    def n_with(self, *categories: str) -> int:
        """How many pull requests touch a file of these categories."""
        is_meant = np.array([each.category in categories for each in self.facts], dtype=bool)
        return len(np.unique(self.pull[is_meant[self.path]]))


def _numbered(names: list[str]) -> tuple[Ints, list[str]]:
    numbers, different = pd.factorize(np.array(names, dtype=object))
    return numbers, different.tolist()


def _each_once(pull: Ints, key: Ints, names: list[str]) -> _Keyed:
    pairs = pd.unique(pull * np.int64(len(names)) + key)
    pulls, own = np.divmod(pairs, max(1, len(names)))
    return _Keyed(pulls, own, names)


def learn_from(n_merged: int) -> int:
    """Of how many of a repository's first merged pull requests its vocabulary is to be learned, having so many.

    All of the first twenty, then in steps of a twentieth: it follows the project, but is not another one every day.
    """
    first = 0
    while (step := max(1, first // 20)) <= n_merged - first:
        first += step
    return first


def learn_vocabulary(pulls: pd.DataFrame, files: pd.DataFrame, labels: pd.DataFrame) -> Vocabulary:
    """What the project calls its modules, from the newest of its merged pull requests.

    Args:
        pulls: one row per pull request: pull_id, number, title, merged_at (UTC text; None: not merged, says nothing).
        files: one row per pull request and file: pull_id, path.
        labels: one row per pull request and label: pull_id, name.

    Returns:
        The vocabulary. Equal input in any order gives an equal one; nothing to learn from gives an empty one.
    """
    newest = pulls[pulls["merged_at"].notna()].sort_values(["merged_at", "number"]).tail(LEARN_FROM)
    titles = [parse(title) for title in newest["title"].tolist()]
    tags = _tags(titles)
    words = _component_words(newest, labels) | _tag_words(tags)
    tags = tags[tags["word"].isin(list(words))]
    tagged = _each_once(tags["pull"].to_numpy(dtype=np.int64), *_numbered(tags["word"].tolist()))
    evidence = _Evidence(titles, tagged, *_touched(newest, files), words)
    vocabulary = Vocabulary(words, {}, _tokens(evidence), {}, _places(evidence), _roots(evidence))
    vocabulary = replace(vocabulary, folders=_folders(evidence, vocabulary))
    modules = [vocabulary.of_path(facts) for facts in evidence.facts]
    vocabulary = replace(vocabulary, spoken=_spoken(evidence, vocabulary, modules))
    return vocabulary.renamed(_aliases(evidence, modules))


def _tags(titles: Sequence[Title]) -> pd.DataFrame:
    """One row per pull request and tag of its title that can name a module: pull, spelling, word."""
    rows = [(pull, tag, word_key(tag)) for pull, title in enumerate(titles) for tag in title.tags]
    rows = [row for row in rows if len(row[2]) > 1 and row[2] not in _NO_MODULES]
    return pd.DataFrame(rows, columns=["pull", "spelling", "word"])


def _tag_words(tags: pd.DataFrame) -> dict[str, str]:
    """Words that enough titles use, and the spelling that most of these use."""
    enough = max(MIN_PULLS, MIN_SHARE_OF_TAGGED * tags["pull"].nunique())
    n_pulls = tags.groupby("word")["pull"].nunique()
    common = tags[tags["word"].isin(n_pulls.index[n_pulls >= enough])]
    spellings = common.groupby(["word", "spelling"]).size().reset_index(name="n")
    spellings = spellings.sort_values(["n", "spelling"], ascending=[False, True]).drop_duplicates("word")
    return dict(sorted(zip(spellings["word"], spellings["spelling"], strict=True)))


def _component_words(pulls: pd.DataFrame, labels: pd.DataFrame) -> dict[str, str]:
    """Components of `area/web`, `component: web` and the like that enough pull requests bear as a label."""
    counts = labels.loc[labels["pull_id"].isin(pulls["pull_id"]), "name"].value_counts()
    components = filter(None, map(component_of, sorted(counts.index[counts >= MIN_PULLS])))
    return {word_key(name): name.lower() for name in components if word_key(name) not in _NO_MODULES}


def _touched(pulls: pd.DataFrame, files: pd.DataFrame) -> tuple[Ints, Ints, list[PathFacts]]:
    """What narrow changes touch, without noise: for each pull request and file both places, and the files' facts."""
    pull = pd.Index(pulls["pull_id"]).get_indexer(files["pull_id"])
    rows = np.flatnonzero(pull >= 0)
    rows = rows[np.bincount(pull[rows])[pull[rows]] <= WIDE]
    path, names = pd.factorize(files["path"].take(rows))
    facts = [classify(name) for name in names]
    is_real = ~np.array([each.is_noise for each in facts], dtype=bool)[path]
    used, path = np.unique(path[is_real], return_inverse=True)
    return pull[rows[is_real]], path, [facts[place] for place in used.tolist()]


class _Met(NamedTuple):
    """A key and a word that pull requests have together more often than by chance."""

    key: str
    word: str
    n_both: int
    n_pulls: int  # of the key
    n_tagged: int  # of these, with any word
    share: float  # of the tagged ones that have the word, with doubt


def _agreement(keyed: _Keyed, tags: _Keyed) -> list[_Met]:
    """How far pull requests with a key have a word, for all that meet more often than by chance, by key and word."""
    n_keys, n_words = len(keyed.names), max(1, len(tags.names))
    is_tagged = np.zeros(1 + int(np.append(keyed.pull, tags.pull).max(initial=0)), dtype=bool)
    is_tagged[tags.pull] = True
    usual = np.bincount(tags.key, minlength=n_words) / max(1, int(np.count_nonzero(is_tagged)))
    n_pulls = np.bincount(keyed.key, minlength=n_keys)
    n_tagged = np.bincount(keyed.key[is_tagged[keyed.pull]], minlength=n_keys)
    pairs, n_both = np.unique(_pairs(keyed, tags, n_words), return_counts=True)
    key, word = np.divmod(pairs, n_words)
    share = (n_both + DOUBT * usual[word]) / (n_tagged[key] + DOUBT)
    is_told = (n_both >= MIN_PULLS) & (n_tagged[key] >= TOLD * n_pulls[key]) & (share >= TIMES_USUAL * usual[word])
    key, word = key[is_told], word[is_told]
    names = ([keyed.names[place] for place in key.tolist()], [tags.names[place] for place in word.tolist()])
    numbers = (each.tolist() for each in (n_both[is_told], n_pulls[key], n_tagged[key], share[is_told]))
    return sorted(map(_Met, *names, *numbers))


def _pairs(keyed: _Keyed, tags: _Keyed, n_words: int) -> Ints:
    """One number for each pull request with a key and a word."""
    order = np.argsort(tags.pull, kind="stable")
    first, end = (np.searchsorted(tags.pull[order], keyed.pull, side=side) for side in ("left", "right"))
    return np.repeat(keyed.key, end - first) * np.int64(n_words) + tags.key[order][ranges(first, end)]


def _tokens(evidence: _Evidence) -> dict[str, str]:
    """Module words that titles do use for paths in which they stand."""
    candidates = evidence.words.keys() - PLACE_KEYS
    candidates |= {f"example:{word}" for word in candidates}
    keyed = evidence.by_path([[word for word in path_words(facts) if word in candidates] for facts in evidence.facts])
    return {
        met.key: evidence.words[met.word]
        for met in _agreement(keyed, evidence.tags)
        if met.key.removeprefix("example:") == met.word and met.share >= TOKEN
    }


def _places(evidence: _Evidence) -> dict[str, str]:
    """The places that are modules here, by the project's own word for them."""
    counts = evidence.by_path([list(filter(None, [place_of(facts)])) for facts in evidence.facts]).n_pulls
    names = {place: evidence.words.get(word_key(name), name) for place, name in PLACES.items()}
    return {place: name for place, name in names.items() if counts.get(place, 0) >= evidence.enough}


def _roots(evidence: _Evidence) -> frozenset[str]:
    """Folders under which most changes of code lie, such as `cargo` in `src/cargo/ops`: they tell nothing apart."""
    roots: frozenset[str] = frozenset()
    enough = max(MIN_PULLS, MOST * evidence.n_with("source"))
    for _ in range(DEPTH):
        outermost = [
            folders_of(facts, roots)[:-1][:1] if facts.category == "source" else () for facts in evidence.facts
        ]
        found = {name for name, n in evidence.by_path(outermost).n_pulls.items() if n >= enough}
        if not found:
            break
        roots |= found
    return roots


def _folders(evidence: _Evidence, vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """What each folder is called, from the deepest up.

    Paths that a deeper folder has taken leave the word to those that lie in the folder itself, if there are enough.
    """
    chains = [folders_of(facts, vocabulary.roots) for facts in evidence.facts]
    broad = _broad(evidence, chains)
    called: dict[str, tuple[str, ...]] = {}
    undecided = [True] * len(chains)
    for depth in range(DEPTH, 0, -1):
        here = [["/".join(folders[:depth])] if len(folders) >= depth else [] for folders in chains]
        if depth <= 2:
            called |= _own_names(here, evidence, vocabulary, broad)
        called |= _given_names(here, evidence)
        called |= _given_names([keys if open_ else [] for keys, open_ in zip(here, undecided, strict=True)], evidence)
        undecided = [open_ and not (keys and keys[0] in called) for keys, open_ in zip(here, undecided, strict=True)]
    return called


def _broad(evidence: _Evidence, chains: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """Folders in which so much happens that their children are modules too."""
    enough = max(evidence.enough, BROAD * evidence.n_with("source"))
    counts = evidence.by_path([folders[:1] for folders in chains]).n_pulls
    return frozenset(name for name, n in counts.items() if n >= enough)


def _given_names(here: Sequence[Sequence[str]], evidence: _Evidence) -> dict[str, tuple[str, ...]]:
    """The one or two words by which titles call each folder."""
    convincing = defaultdict(list)
    for met in _agreement(evidence.by_path(here), evidence.tags):
        if met.word in PLACE_KEYS and met.word != "ci":
            continue  # these are told by what a file is; but tests may be CI's
        stands_there = met.word in neighbours(met.key.rpartition("/")[2])
        is_well_told = met.n_both >= WITNESSES and met.n_tagged >= WELL_TOLD * met.n_pulls
        if (stands_there and met.share >= NAMED) or (is_well_told and met.share >= CALLED):
            convincing[met.key].append((-met.share, met.word))
    return {key: tuple(evidence.words[word] for _, word in sorted(found)[:2]) for key, found in convincing.items()}


def _own_names(
    here: Sequence[Sequence[str]], evidence: _Evidence, vocabulary: Vocabulary, broad: frozenset[str]
) -> dict[str, tuple[str, ...]]:
    """Folders of code with enough changes, under their own names: outer ones, and those just below a broad one."""
    is_code = [facts.category in {"source", "config"} for facts in evidence.facts]
    counts = evidence.by_path([keys if is_it else [] for keys, is_it in zip(here, is_code, strict=True)]).n_pulls
    names: dict[str, tuple[str, ...]] = {}
    for key in (key for key, n in counts.items() if n >= evidence.enough):
        parent, _, name = key.rpartition("/")
        is_outer = not parent or (parent in broad and word_key(parent) not in evidence.words)
        is_found_by_word = any(word in vocabulary.tokens for word in neighbours(name))
        if is_outer and not is_found_by_word:
            names[key] = (evidence.words.get(word_key(name), name),)
    return names


def _spoken(evidence: _Evidence, vocabulary: Vocabulary, modules: Sequence[tuple[str, ...]]) -> dict[str, str]:
    """Words that can be believed in a sentence: where they stand, tags or paths mostly say the same module."""
    names = {word_key(name): name for modules in vocabulary.folders.values() for name in modules}
    names |= evidence.words
    firsts = first_words(names)
    in_titles = [list(named_in(title.subject, names, firsts)) for title in evidence.titles]
    pulls = np.repeat(np.arange(len(in_titles)), [len(words) for words in in_titles])
    spoken = _each_once(pulls, *_numbered(list(chain.from_iterable(in_titles))))
    by_path = evidence.by_path([{word_key(name) for name in names} for names in modules])
    known, words = _numbered([*evidence.tags.names, *by_path.names])
    key = known[np.append(evidence.tags.key, by_path.key + len(evidence.tags.names))]
    told = _each_once(np.append(evidence.tags.pull, by_path.pull), key, words)
    agreed = _agreement(spoken, told)
    return {met.word: names[met.word] for met in agreed if met.key == met.word and met.share >= SPOKEN}


def _aliases(evidence: _Evidence, modules: Sequence[tuple[str, ...]]) -> dict[str, str]:
    """Second names of modules: `sched` and `调度`, whose changes lie in the folder `scheduler`.

    Such a name has hardly a folder of its own and hardly ever stands beside the other one.

    Args:
        evidence: what there is.
        modules: of each path.
    """
    by_path = evidence.by_path(modules)
    by_tag = evidence.tags._replace(names=[evidence.words[word] for word in evidence.tags.names])
    n_by_path, tagged = by_path.n_pulls, defaultdict(set)
    for pull, key in zip(by_tag.pull.tolist(), by_tag.key.tolist(), strict=True):
        tagged[by_tag.names[key]].add(pull)
    best: dict[str, tuple[float, str]] = {}
    for met in _agreement(by_tag, by_path):
        has_folders = n_by_path.get(met.key, 0) >= met.n_pulls
        n_together = len(tagged[met.key] & tagged[met.word])
        if not has_folders and met.share >= ALIAS and n_together < APART * met.n_pulls:
            best[met.key] = min(best.get(met.key, (0.0, "")), (-met.share, met.word))
    return {key: word for key, (_, word) in best.items()}
