"""What is said of pull requests: by their titles and labels, in their descriptions, and how much in reviews."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from analysis import insight, kinds, prose
from analysis.measured import measured
from analysis.titles import parse


def titles_and_labels(pulls: pd.DataFrame, labels: pd.DataFrame, categories: Sequence[frozenset[str]]) -> pd.DataFrame:
    """What titles and labels say, beside what the files are.

    Args:
        pulls: one row per pull request: pull_id, title, body (or None), author_type.
        labels: one row per pull request and label: pull_id, name.
        categories: of the files of each pull request.

    Returns:
        One row per row of `pulls`, in their order: kind, is_breaking, removes, subject, series_part (or None), reverts,
        reverts_number (NA: none told), is_reapply, is_bump, is_bot.
    """
    names: dict[int, list[str]] = defaultdict(list)
    for pull_id, name in zip(labels["pull_id"].tolist(), labels["name"].tolist(), strict=True):
        names[pull_id].append(name)
    titles = [parse(title) for title in pulls["title"].tolist()]
    labelled = [names.get(pull_id, []) for pull_id in pulls["pull_id"].tolist()]
    told = list(zip(titles, categories, _bodies(pulls), labelled, strict=True))
    reverts = [title.reverts for title in titles]
    numbers = [(each and each.number) or 0 for each in reverts]
    return pd.DataFrame(
        {
            "kind": _texts(kinds.kind(title, files, each) for title, files, _, each in told),
            "is_breaking": _flags(kinds.is_breaking(title, body, each) for title, _, body, each in told),
            "removes": _flags(kinds.removes(title) for title in titles),
            "subject": _texts(title.subject for title in titles),
            "series_part": _texts(title.series_part for title in titles),
            "reverts": _flags(each is not None for each in reverts),
            "reverts_number": pd.arrays.IntegerArray(np.array(numbers, dtype=np.int64), np.array(numbers) == 0),
            "is_reapply": _flags(each is not None and each.is_reapply for each in reverts),
            "is_bump": _flags(title.is_bump for title in titles),
            "is_bot": (pulls["author_type"] == "bot").to_numpy(dtype=bool),
        }
    )


def descriptions(pulls: pd.DataFrame) -> pd.DataFrame:
    """What descriptions tell; of an unknown one nothing is known.

    Args:
        pulls: one row per pull request: body (or None).

    Returns:
        One row per row of `pulls`, in their order: prose_length (letters), says_design, measured (0 to 1).
    """
    told = np.array([_description(body) for body in _bodies(pulls)], dtype=float).reshape(-1, 3)
    return pd.DataFrame({"prose_length": told[:, 0], "says_design": told[:, 1] > 0, "measured": told[:, 2]})


def _description(body: str | None) -> tuple[int, bool, float]:
    paragraphs = list(prose.own_lines(body))
    text = prose.running_text(paragraphs)
    return prose.length(text), insight.says_design(text), measured(body, paragraphs).strength


def talk(pulls: pd.DataFrame, reviews: pd.DataFrame, threads: pd.DataFrame) -> pd.DataFrame:
    """How much was said.

    Args:
        pulls: one row per pull request: pull_id, n_comments, and the flags reviews_known and threads_known.
        reviews: one row per submitted review: pull_id.
        threads: one row per review thread: pull_id.

    Returns:
        One row per row of `pulls`, in their order: n_reviews, n_threads, n_comments; NaN where unknown.
    """
    places = pd.Index(pulls["pull_id"])
    columns = {"n_comments": pulls["n_comments"].to_numpy(dtype=float, na_value=np.nan)}
    for name, frame in (("reviews", reviews), ("threads", threads)):
        at = places.get_indexer(frame["pull_id"])
        counts = np.bincount(at[at >= 0], minlength=len(pulls))
        is_known = pulls[f"{name}_known"].to_numpy(dtype=float, na_value=0) > 0
        columns[f"n_{name}"] = np.where(is_known, counts, np.nan)
    return pd.DataFrame(columns)


def _bodies(pulls: pd.DataFrame) -> list[str | None]:
    return [body if isinstance(body, str) else None for body in pulls["body"].tolist()]


def _texts(values: Iterable[str | None]) -> pd.Series:
    return pd.Series(list(values), dtype=object)


def _flags(values: Iterable[bool]) -> np.ndarray:
    return np.array(list(values), dtype=bool)
