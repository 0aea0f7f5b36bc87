"""What makes pull requests alike: modules, words, files, folders, references; each weighed by how rare it is."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis import phrases
from analysis.paths import classify
from analysis.titles import parse
from analysis.vocabulary import PLACE_KEYS, word_key

# How alike two pull requests can be by each; together it may be more than 1.
MOST = {"module": 0.45, "word": 0.3, "reference": 0.3, "series": 0.3, "file": 0.15, "folder": 0.1}
SOURCES = {"title": 1.0, "config": 1.0, "label": 0.8, "owner": 0.5, "path": 0.5}  # how much each says of a module
ALONG = 0.5  # and how much less, if documents or examples just come along
MENTIONED = 0.5  # what a plain mention counts beside closing, reverting or repairing the same
MOST_REFERRING = 10  # what more pull requests than this refer to is a list, and holds nothing together
DOUBT = 2.0  # those of which next to nothing is known are not alike, though it be the same
_COUNTED = ("module", "word", "file", "folder")


@dataclass(frozen=True)
class Usual:
    """How many pull requests of a repository have each module, word, file and folder."""

    n_pulls: int
    counts: Mapping[str, Mapping[str, int]]  # "module", "word", "file", "folder" -> pull requests by key

    def rarity(self, what: str, keys: Iterable[str]) -> np.ndarray:
        """The logarithm of how many pull requests there are to each one that has the key; never below 0."""
        known = self.counts[what]
        counts = np.array([known.get(key, 1) for key in keys], dtype=float)
        return np.log((self.n_pulls + 1) / (counts + 0.5)).clip(min=0)


def usual(pulls: pd.DataFrame, modules: pd.DataFrame, files: pd.DataFrame) -> Usual:
    """How common each module, word, file and folder is, so that what is rare can tell more.

    Args:
        pulls: one row per pull request of the repository, or of its last years: pull_id, title, is_breaking.
        modules: one row per pull request, module and source: pull_id, module, source.
        files: one row per pull request and file: pull_id, path.
    """
    return counted(len(pulls), described(pulls, modules, files))


def counted(n_pulls: int, features: pd.DataFrame) -> Usual:
    """The same of features already `described`."""
    counts = {what: keys.value_counts().to_dict() for what, keys in features.groupby("what")["key"]}
    return Usual(n_pulls, {what: counts.get(what, {}) for what in _COUNTED})


def described(pulls: pd.DataFrame, modules: pd.DataFrame, files: pd.DataFrame) -> pd.DataFrame:
    """What each pull request is about.

    Args:
        pulls: one row per pull request: pull_id, title, is_breaking.
        modules: one row per pull request, module and source: pull_id, module, source.
        files: one row per pull request and file: pull_id, path.

    Returns:
        One row per pull request and feature: pull_id, what (word, series, module, file, folder), key, sureness (0-1).
        Generated, vendored and lock files say nothing.
    """
    known = pulls["pull_id"]
    said = pd.DataFrame(_said(pulls), columns=["pull_id", "what", "key"]).assign(sureness=1.0)
    belongs = sureness(modules[modules["pull_id"].isin(known)]).assign(what="module").rename(columns={"module": "key"})
    touched = _touched(files[files["pull_id"].isin(known)])
    return pd.concat([said, belongs, touched], ignore_index=True)[["pull_id", "what", "key", "sureness"]]


def _said(pulls: pd.DataFrame) -> Iterator[tuple[int, str, str]]:
    """The words of each title; of parts of a series once more, as such."""
    is_breaking = pulls["is_breaking"].fillna(False).astype(bool)
    for pull_id, title, breaks in zip(pulls["pull_id"], pulls["title"], is_breaking, strict=True):
        words = phrases.compared(title)
        for what in ("word", "series") if parse(title).part else ("word",):
            yield from ((pull_id, what, key) for key in sorted(words))
        if breaks and "breaking" not in words:
            yield pull_id, "word", "breaking"


def sureness(modules: pd.DataFrame) -> pd.DataFrame:
    """One row per pull request and module, whatever the reasons for it: pull_id, module, sureness.

    Documents, examples and CI that come along with another module say little.
    """
    rows = modules[["pull_id", "module"]].assign(sureness=modules["source"].map(SOURCES).astype(float))
    rows = rows.groupby(["pull_id", "module"], as_index=False)["sureness"].max()
    is_place = rows["module"].map(lambda module: word_key(module) in PLACE_KEYS).astype(bool)
    comes_along = is_place & rows["pull_id"].isin(rows.loc[~is_place, "pull_id"]) & (rows["sureness"] < 1)
    return rows.assign(sureness=rows["sureness"].where(~comes_along, ALONG * rows["sureness"]))


def _touched(files: pd.DataFrame) -> pd.DataFrame:
    codes, paths = pd.factorize(files["path"])
    folders = np.array([path.rpartition("/")[0] for path in paths], dtype=object)
    is_noise = np.array([classify(path).is_noise for path in paths], dtype=bool)
    by_file = pd.DataFrame({"pull_id": files["pull_id"].to_numpy(), "what": "file", "key": files["path"].to_numpy()})
    by_folder = by_file.assign(what="folder", key=folders[codes] if len(paths) else by_file["key"])
    is_told = ~is_noise[codes]
    return pd.concat([by_file[is_told], by_folder[is_told]]).drop_duplicates().assign(sureness=1.0)


def weighed(features: pd.DataFrame, usual: Usual) -> pd.DataFrame:
    """The features with a column weight: its products over all that two pull requests share add up to their likeness.

    Of each kind of feature that is the cosine between them, shrunk by DOUBT and times its MOST.
    """
    parts = [features.assign(weight=0.0)[:0]]
    for what, rows in features.groupby("what"):
        if what == "series":  # its name is what its parts share; the rest of a title is about the part
            rows = rows[rows.groupby("key")["pull_id"].transform("size") > 1]
        rarity = rows["sureness"].to_numpy() * usual.rarity("word" if what == "series" else str(what), rows["key"])
        squares = rows.assign(square=rarity**2).groupby("pull_id")["square"].transform("sum")
        parts.append(rows.assign(weight=MOST[str(what)] ** 0.5 * rarity / (squares + DOUBT**2) ** 0.5))
    return pd.concat(parts, ignore_index=True)


def references(pulls: pd.DataFrame, links: pd.DataFrame, chains: pd.DataFrame | None) -> pd.DataFrame:
    """What pull requests refer to: two are alike if one names the other, or both name the same.

    Args:
        pulls: one row per pull request: pull_id, number.
        links: one row per reference: pull_id, kind, repo (None: the same), number.
        chains: one row per chain link, if known: pull_id (the later), earlier_id.

    Returns:
        As `weighed`: pull_id, what (reference), key (number as text), sureness, weight.
    """
    numbers = pulls.set_index("pull_id")["number"]
    here = links[links["repo"].isna() & links["pull_id"].isin(numbers.index)]
    sureness = here["kind"].eq("refers").map({True: MENTIONED, False: 1.0}).astype(float)
    parts = [
        pd.DataFrame({"pull_id": pulls["pull_id"], "key": pulls["number"], "sureness": 1.0}),
        pd.DataFrame({"pull_id": here["pull_id"], "key": here["number"], "sureness": sureness}),
    ]
    if chains is not None:
        both = chains[chains["pull_id"].isin(numbers.index) & chains["earlier_id"].isin(numbers.index)]
        parts.append(
            pd.DataFrame({"pull_id": both["pull_id"], "key": both["earlier_id"].map(numbers), "sureness": 1.0})
        )
    found = pd.concat(parts, ignore_index=True).astype({"key": "int64"})
    found = found.groupby(["pull_id", "key"], as_index=False)["sureness"].max()
    found = found[found.groupby("key")["pull_id"].transform("size").between(2, MOST_REFERRING)]
    weight = MOST["reference"] ** 0.5 * found["sureness"]
    return found.assign(what="reference", key=found["key"].astype(str), weight=weight)
