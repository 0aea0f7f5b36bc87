"""Which modules of its project each pull request belongs to, and what says so: its title, its paths or a label."""

from collections.abc import Iterator

import pandas as pd

from analysis.learning import learn_vocabulary
from analysis.paths import PathFacts, classify
from analysis.titles import parse
from analysis.vocabulary import Vocabulary, component_of, neighbours, word_key

__all__ = ["COLUMNS", "SOURCES", "Vocabulary", "assign", "learn_vocabulary"]

SOURCES = ("title", "path", "label", "owner", "config")
COLUMNS = ["pull_id", "module", "source"]

# By its paths a change belongs to the modules in which at least this share of its files lies: a change to 500 files is
# in the few that it is about, and not in all that it brushes. The largest one always counts.
MIN_SHARE_OF_FILES = 0.2
MOST_BY_PATH = 4


def assign(pulls: pd.DataFrame, files: pd.DataFrame, labels: pd.DataFrame, vocabulary: Vocabulary) -> pd.DataFrame:
    """The modules of each pull request, with each reason for them.

    Args:
        pulls: one row per pull request: pull_id, title.
        files: one row per pull request and file: pull_id, path.
        labels: one row per pull request and label: pull_id, name.
        vocabulary: what the project calls its modules.

    Returns:
        One row per pull request, module and source (title, path or label), sorted; none for one in no module.
    """
    by_title = pd.DataFrame(_by_title(pulls, vocabulary), columns=COLUMNS)
    by_label = pd.DataFrame(_by_label(labels[labels["pull_id"].isin(pulls["pull_id"])], vocabulary), columns=COLUMNS)
    by_path = _by_path(files[files["pull_id"].isin(pulls["pull_id"])], vocabulary)
    found = [each for each in (by_title, by_path, by_label) if not each.empty] or [by_title]
    return pd.concat(found).drop_duplicates().sort_values(COLUMNS, ignore_index=True)


def _by_title(pulls: pd.DataFrame, vocabulary: Vocabulary) -> Iterator[tuple[int, str, str]]:
    """Tags; where a title has none that is a module, what its sentence names."""
    for pull_id, text in zip(pulls["pull_id"], pulls["title"], strict=True):
        title = parse(text)
        words = [key for key in map(word_key, title.tags) if key in vocabulary.words]
        found = {vocabulary.words[word] for word in words} or {
            vocabulary.spoken[word] for word in neighbours(title.subject) if word in vocabulary.spoken
        }
        yield from ((pull_id, module, "title") for module in found)


def _by_label(labels: pd.DataFrame, vocabulary: Vocabulary) -> Iterator[tuple[int, str, str]]:
    for pull_id, label in zip(labels["pull_id"], labels["name"], strict=True):
        word = word_key(component_of(label) or label)
        if word in vocabulary.words:
            yield pull_id, vocabulary.words[word], "label"


def _by_path(files: pd.DataFrame, vocabulary: Vocabulary) -> pd.DataFrame:
    codes, paths = pd.factorize(files["path"])
    facts = [classify(path) for path in paths]
    rows = pd.DataFrame({"pull_id": files["pull_id"].to_numpy(), "path": codes})
    is_noise, is_lock = (pd.Series(flags, dtype=bool).take(codes).to_numpy() for flags in _flags(facts))
    has_more = rows["pull_id"].isin(rows.loc[~is_noise, "pull_id"])
    rows = rows[~is_noise | (is_lock & ~has_more)]  # a lock file speaks only where there is nothing else
    n_files = rows["pull_id"].value_counts()
    lies_in = pd.DataFrame(
        [(code, module) for code, each in enumerate(facts) for module in vocabulary.of_path(each)],
        columns=["path", "module"],
    )
    found = rows.merge(lies_in, on="path").groupby(["pull_id", "module"]).size().reset_index(name="n_files")
    found = found.sort_values(["pull_id", "n_files", "module"], ascending=[True, False, True])
    rank = found.groupby("pull_id").cumcount()
    is_wide_enough = found["n_files"] >= MIN_SHARE_OF_FILES * found["pull_id"].map(n_files)
    return found[(rank == 0) | (is_wide_enough & (rank < MOST_BY_PATH))].assign(source="path")[COLUMNS]


def _flags(facts: list[PathFacts]) -> tuple[list[bool], list[bool]]:
    return [each.is_noise for each in facts], [each.category == "lock" for each in facts]
