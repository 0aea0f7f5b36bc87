"""How a project's vocabulary is learned from its own titles and folders.

A project names its modules in two ways: by the words that its titles use as tags, and by the folders that its changes
touch. Where it does both, the titles say what a folder is called: if changes under `checkpoint_engine/` mostly say
`[ckpt]`, that folder is `ckpt`. Where there are only folders, they keep their own names.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import pandas as pd

from analysis.paths import PathFacts, classify
from analysis.titles import KIND_WORDS, parse
from analysis.vocabulary import (
    DEPTH,
    HOLDERS,
    PLACE_KEYS,
    PLACES,
    Vocabulary,
    component_of,
    folders_of,
    keys,
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


@dataclass(frozen=True)
class _Evidence:
    """What there is to learn from."""

    pulls: pd.DataFrame  # one row per pull request: pull_id, title
    tags: pd.DataFrame  # one row per pull request and module word in its tags: pull_id, word
    touched: pd.DataFrame  # one row per pull request and file, without wide changes and noise: pull_id, path, facts
    words: Mapping[str, str]  # module word -> how it is mostly spelled

    @property
    def enough(self) -> float:
        """Pull requests that make a folder or place worth a module of its own."""
        return max(MIN_PULLS, MIN_SHARE_OF_PULLS * self.touched["pull_id"].nunique())


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
    tags = _tags(newest)
    words = _component_words(newest, labels) | _tag_words(tags)
    tags = tags.loc[tags["word"].isin(list(words)), ["pull_id", "word"]].drop_duplicates()
    evidence = _Evidence(newest, tags, _touched(newest, files), words)
    vocabulary = Vocabulary(words, {}, _tokens(evidence), {}, _places(evidence), _roots(evidence))
    vocabulary = replace(vocabulary, folders=_folders(evidence, vocabulary))
    vocabulary = replace(vocabulary, spoken=_spoken(evidence, vocabulary))
    return vocabulary.renamed(_aliases(evidence, vocabulary))


def _tags(pulls: pd.DataFrame) -> pd.DataFrame:
    """One row per pull request and tag of its title that can name a module: pull_id, spelling, word."""
    titles = zip(pulls["pull_id"], pulls["title"], strict=True)
    rows = [(pull_id, tag, word_key(tag)) for pull_id, title in titles for tag in parse(title).tags]
    rows = [row for row in rows if len(row[2]) > 1 and row[2] not in _NO_MODULES]
    return pd.DataFrame(rows, columns=["pull_id", "spelling", "word"])


def _tag_words(tags: pd.DataFrame) -> dict[str, str]:
    """Words that enough titles use, and the spelling that most of these use."""
    enough = max(MIN_PULLS, MIN_SHARE_OF_TAGGED * tags["pull_id"].nunique())
    n_pulls = tags.groupby("word")["pull_id"].nunique()
    common = tags[tags["word"].isin(n_pulls.index[n_pulls >= enough])]
    spellings = common.groupby(["word", "spelling"]).size().reset_index(name="n")
    spellings = spellings.sort_values(["n", "spelling"], ascending=[False, True]).drop_duplicates("word")
    return dict(sorted(zip(spellings["word"], spellings["spelling"], strict=True)))


def _component_words(pulls: pd.DataFrame, labels: pd.DataFrame) -> dict[str, str]:
    """Components of `area/web`, `component: web` and the like that enough pull requests bear as a label."""
    counts = labels.loc[labels["pull_id"].isin(pulls["pull_id"]), "name"].value_counts()
    components = filter(None, map(component_of, sorted(counts.index[counts >= MIN_PULLS])))
    return {word_key(name): name.lower() for name in components if word_key(name) not in _NO_MODULES}


def _touched(pulls: pd.DataFrame, files: pd.DataFrame) -> pd.DataFrame:
    touched = files.loc[files["pull_id"].isin(pulls["pull_id"]), ["pull_id", "path"]]
    touched = touched[touched.groupby("pull_id")["path"].transform("size") <= WIDE]
    facts = {path: classify(path) for path in touched["path"].unique()}
    touched = touched.assign(facts=touched["path"].map(facts).astype(object))
    return _where(touched, lambda facts: not facts.is_noise)


def _where(touched: pd.DataFrame, test: Callable[[PathFacts], bool]) -> pd.DataFrame:
    return touched[touched["facts"].map(test).astype(bool)]


def _keyed(touched: pd.DataFrame, keys_of: Callable[[PathFacts], Iterable[str]]) -> pd.DataFrame:
    """One row per pull request and key of a path that it touches: pull_id, key."""
    paths = touched.drop_duplicates("path")
    rows = [(path, key) for path, facts in zip(paths["path"], paths["facts"], strict=True) for key in keys_of(facts)]
    keys_of_paths = pd.DataFrame(rows, columns=["path", "key"])
    return touched[["pull_id", "path"]].merge(keys_of_paths, on="path")[["pull_id", "key"]].drop_duplicates()


def _n_pulls(keyed: pd.DataFrame) -> pd.Series:
    """How many pull requests have each key."""
    return keyed[["pull_id", "key"]].drop_duplicates()["key"].value_counts()


def _looked_up(keys_of_rows: pd.Series, numbers: pd.Series) -> pd.Series:
    # An empty column of text would stay one, and not compare with numbers.
    return keys_of_rows.map(numbers).astype(float).fillna(0)


def _agreement(keyed: pd.DataFrame, tags: pd.DataFrame) -> pd.DataFrame:
    """How far pull requests with a key have a word.

    Args:
        keyed: one row per pull request and key: pull_id, key.
        tags: one row per pull request and word: pull_id, word.

    Returns:
        One row per key and word that meet more often than by chance: key, word, n_both, n_pulls and n_tagged (of the
        key), share (of the tagged ones that have the word, with doubt).
    """
    usual = tags["word"].value_counts() / max(1, tags["pull_id"].nunique())
    tagged = keyed[keyed["pull_id"].isin(tags["pull_id"])]
    met = tagged.merge(tags, on="pull_id").groupby(["key", "word"]).size().reset_index(name="n_both")
    met["n_pulls"] = _looked_up(met["key"], keyed["key"].value_counts())
    met["n_tagged"] = _looked_up(met["key"], tagged["key"].value_counts())
    usual_here = _looked_up(met["word"], usual)
    met["share"] = (met["n_both"] + DOUBT * usual_here) / (met["n_tagged"] + DOUBT)
    is_told = (met["n_both"] >= MIN_PULLS) & (met["n_tagged"] >= TOLD * met["n_pulls"])
    return met[is_told & (met["share"] >= TIMES_USUAL * usual_here)]


def _tokens(evidence: _Evidence) -> dict[str, str]:
    """Module words that titles do use for paths in which they stand."""
    candidates = evidence.words.keys() - PLACE_KEYS
    candidates |= {f"example:{word}" for word in candidates}
    keyed = _keyed(evidence.touched, lambda facts: [word for word in path_words(facts) if word in candidates])
    found = _agreement(keyed, evidence.tags)
    found = found[(found["key"].str.removeprefix("example:") == found["word"]) & (found["share"] >= TOKEN)]
    return {key: evidence.words[word] for key, word in zip(found["key"], found["word"], strict=True)}


def _places(evidence: _Evidence) -> dict[str, str]:
    """The places that are modules here, by the project's own word for them."""
    counts = _n_pulls(_keyed(evidence.touched, lambda facts: filter(None, [place_of(facts)])))
    names = {place: evidence.words.get(word_key(name), name) for place, name in PLACES.items()}
    return {place: name for place, name in names.items() if counts.get(place, 0) >= evidence.enough}


def _roots(evidence: _Evidence) -> frozenset[str]:
    """Folders under which most changes of code lie, such as `cargo` in `src/cargo/ops`: they tell nothing apart."""
    roots: frozenset[str] = frozenset()
    code = _where(evidence.touched, lambda facts: facts.category == "source")
    enough = max(MIN_PULLS, MOST * code["pull_id"].nunique())
    for _ in range(DEPTH):
        folders = {path: folders_of(classify(path), roots)[:-1] for path in code["path"].unique()}
        outermost = {path: names[0] for path, names in folders.items() if names}
        counts = _n_pulls(code.assign(key=code["path"].map(outermost)))
        roots |= frozenset(counts.index[counts >= enough])
    return roots


def _folders(evidence: _Evidence, vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """What each folder is called, from the deepest up.

    Paths that a deeper folder has taken leave the word to those that lie in the folder itself, if there are enough.
    """
    chains = {path: folders_of(classify(path), vocabulary.roots) for path in evidence.touched["path"].unique()}
    broad = _broad(evidence, chains)
    called: dict[str, tuple[str, ...]] = {}
    undecided = set(chains)
    for depth in range(DEPTH, 0, -1):
        at_depth = {path: "/".join(folders[:depth]) for path, folders in chains.items() if len(folders) >= depth}
        here = evidence.touched.assign(key=evidence.touched["path"].map(at_depth)).dropna(subset="key")
        if depth <= 2:
            called |= _own_names(here, evidence, vocabulary, broad)
        called |= _given_names(here, evidence)
        called |= _given_names(here[here["path"].isin(undecided)], evidence)
        undecided -= {path for path, key in at_depth.items() if key in called}
    return called


def _broad(evidence: _Evidence, chains: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Folders in which so much happens that their children are modules too."""
    n_code = _where(evidence.touched, lambda facts: facts.category == "source")["pull_id"].nunique()
    counts = _n_pulls(_keyed(evidence.touched, lambda facts: chains[facts.path][:1]))
    return frozenset(counts.index[counts >= max(evidence.enough, BROAD * n_code)])


def _given_names(here: pd.DataFrame, evidence: _Evidence) -> dict[str, tuple[str, ...]]:
    """The one or two words by which titles call each folder."""
    met = _agreement(here[["pull_id", "key"]].drop_duplicates(), evidence.tags)
    met = met[~met["word"].isin(list(PLACE_KEYS - {"ci"}))]  # these are told by what a file is; but tests may be CI's
    pairs = zip(met["key"], met["word"], strict=True)
    stands_there = pd.Series([word in neighbours(key.rpartition("/")[2]) for key, word in pairs], met.index, bool)
    is_well_told = (met["n_both"] >= WITNESSES) & (met["n_tagged"] >= WELL_TOLD * met["n_pulls"])
    found = met[(stands_there & (met["share"] >= NAMED)) | (is_well_told & (met["share"] >= CALLED))]
    found = found.sort_values(["key", "share", "word"], ascending=[True, False, True])
    found = found[found.groupby("key").cumcount() < 2]
    return {key: tuple(evidence.words[word] for word in words) for key, words in found.groupby("key")["word"]}


def _own_names(
    here: pd.DataFrame, evidence: _Evidence, vocabulary: Vocabulary, broad: frozenset[str]
) -> dict[str, tuple[str, ...]]:
    """Folders of code with enough changes, under their own names: outer ones, and those just below a broad one."""
    code = _where(here, lambda facts: facts.category in {"source", "config"})
    counts = _n_pulls(code)
    names: dict[str, tuple[str, ...]] = {}
    for key in counts.index[counts >= evidence.enough]:
        parent, _, name = key.rpartition("/")
        is_outer = not parent or (parent in broad and word_key(parent) not in evidence.words)
        is_found_by_word = any(word in vocabulary.tokens for word in neighbours(name))
        if is_outer and not is_found_by_word:
            names[key] = (evidence.words.get(word_key(name), name),)
    return names


def _spoken(evidence: _Evidence, vocabulary: Vocabulary) -> dict[str, str]:
    """Words that can be believed in a sentence: where they stand, tags or paths mostly say the same module."""
    names = {word_key(name): name for modules in vocabulary.folders.values() for name in modules}
    names |= evidence.words
    titles = zip(evidence.pulls["pull_id"], evidence.pulls["title"], strict=True)
    rows = [
        (pull_id, word) for pull_id, title in titles for word in set(neighbours(parse(title).subject)) & names.keys()
    ]
    by_path = _keyed(evidence.touched, lambda facts: {word_key(name) for name in vocabulary.of_path(facts)})
    known = pd.concat([evidence.tags, by_path.rename(columns={"key": "word"})]).drop_duplicates()
    found = _agreement(pd.DataFrame(rows, columns=["pull_id", "key"]), known)
    found = found[(found["key"] == found["word"]) & (found["share"] >= SPOKEN)]
    return {word: names[word] for word in found["word"]}


def _aliases(evidence: _Evidence, vocabulary: Vocabulary) -> dict[str, str]:
    """Second names of modules: `sched` and `调度`, whose changes lie in the folder `scheduler`.

    Such a name has hardly a folder of its own and hardly ever stands beside the other one.
    """
    by_path = _keyed(evidence.touched, vocabulary.of_path).rename(columns={"key": "word"})
    by_tag = evidence.tags.assign(key=evidence.tags["word"].map(evidence.words))[["pull_id", "key"]]
    met = _agreement(by_tag, by_path)
    together = by_tag.merge(by_tag, on="pull_id").groupby(["key_x", "key_y"]).size()
    n_together = pd.Series(
        [together.get(pair, 0) for pair in zip(met["key"], met["word"], strict=True)], met.index, int
    )
    has_folders = _looked_up(met["key"], by_path["word"].value_counts()) >= met["n_pulls"]
    found = met[~has_folders & (met["share"] >= ALIAS) & (n_together < APART * met["n_pulls"])]
    found = found.sort_values(["key", "share", "word"], ascending=[True, False, True]).drop_duplicates("key")
    return dict(zip(found["key"], found["word"], strict=True))
