"""What was argued about: the files and words that the longest review threads share, and what stayed open."""

import re
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.vocabulary import word_key
from data.people import GHOST_LOGIN

LONG = 4  # comments from which on a thread is an argument
FEWEST_PULLS = 2  # pull requests that must share a word for it to be a subject
REQUEST_COLUMNS = {"pull_id": "int64", "reviewer": object, "submitted_at": object}
SUBJECT_COLUMNS = {
    "kind": object,
    "name": object,
    "n_threads": "int64",
    "n_comments": "int64",
    "n_open": "int64",
    "prs": object,
}
THREAD_COLUMNS = {"number": "int64", "path": object, "n_comments": "int64"}
_REVIEW = ("pull_id", "submitted_at", "seq", "reviewer_id", "reviewer_type", "state", "reviewer")
_DECISIVE = frozenset({"approved", "changes_requested", "dismissed"})
_WORD = re.compile(r"[^\W\d_]{3,}")
_DULL = frozenset(
    "the and for with from into that this when not are was all new add adds added use uses using fix fixes fixed make"
    " update updates support remove removes change changes allow set get src lib test tests main init util utils"
    " helper helpers core base common index mod impl type types file files code".split()
)


@dataclass(frozen=True)
class Disputes:
    """What was argued about in some pull requests."""

    # one row per file or word, most argued first: kind (file or term), name, n_threads, n_comments, n_open,
    # prs (numbers)
    subjects: pd.DataFrame
    threads: pd.DataFrame  # one row per open thread of merged changes, longest first: number, path, n_comments
    requests: pd.DataFrame  # one row per request for changes never answered: number, reviewer, submitted_at


def disputes(pulls: pd.DataFrame, reviews: pd.DataFrame, threads: pd.DataFrame, *, limit: int = 10) -> Disputes:
    """What were the pull requests of a window argued about, and what was left open when they were merged?

    Formula: a thread of 4 comments or more is an argument. A file is a subject by such threads on it, a word by such
        threads on files whose name, or of pull requests whose title, has it, in two pull requests or more. Most
        comments first. Open: not resolved and not outdated.
    Misses: what was said, which is not cached; arguments in the conversation outside the code.
    Source: own; threads as GitHub keeps them.
    Example: threads of 7 and 5 comments on cache.py in #12 and #15: file cache.py and term cache, each 2 threads, 12
        comments, prs 12 and 15.

    Args:
        pulls: one row per pull request: pull_id, number, title, author_id, merged_at.
        reviews: one row per submitted review: pull_id, seq, reviewer, reviewer_id, reviewer_type, state, submitted_at.
        threads: one row per review thread: pull_id, path, is_resolved, is_outdated, n_comments.
        limit: how many subjects of a kind.
    """
    rows = threads.merge(pulls[["pull_id", "number", "title", "merged_at"]], on="pull_id")
    resolved, outdated = (pd.to_numeric(rows[name]) for name in ("is_resolved", "is_outdated"))
    rows = rows.assign(
        is_open=(resolved == 0) & (outdated != 1), n_comments=pd.to_numeric(rows["n_comments"]).fillna(0)
    )
    long = rows[rows["n_comments"] >= LONG]
    words = [sorted(_words(f"{title} {path or ''}")) for title, path in zip(long["title"], long["path"], strict=True)]
    terms = _subjects(long.assign(name=words).explode("name"), "term")
    terms = terms[terms["prs"].map(len) >= FEWEST_PULLS]
    subjects = pd.concat([_subjects(long.assign(name=long["path"]), "file").head(limit), terms.head(limit)])
    left_open = rows[rows["is_open"] & rows["merged_at"].notna()]
    left_open = left_open.sort_values(["n_comments", "number", "path"], ascending=[False, True, True])
    requests = unanswered(pulls, reviews).merge(pulls[["pull_id", "number"]], on="pull_id")
    return Disputes(
        subjects.astype(SUBJECT_COLUMNS).reset_index(drop=True),
        left_open[list(THREAD_COLUMNS)].astype(THREAD_COLUMNS).reset_index(drop=True),
        requests.sort_values(["number", "reviewer"], ignore_index=True)[["number", "reviewer", "submitted_at"]],
    )


def unanswered(pulls: pd.DataFrame, reviews: pd.DataFrame) -> pd.DataFrame:
    """Requests for changes that stood when a pull request was merged: the last word of a person other than its author.

    Args:
        pulls: one row per pull request: pull_id, author_id, merged_at (after it nothing counts).
        reviews: one row per submitted review: pull_id, seq, reviewer, reviewer_id, reviewer_type, state, submitted_at.

    Returns:
        One row per request: pull_id, reviewer, submitted_at, by pull_id and reviewer.
    """
    asks = (reviews["state"] == "changes_requested").to_numpy(dtype=bool)
    if not asks.any():
        return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in REQUEST_COLUMNS.items()})
    asked = set(reviews["pull_id"].to_numpy()[asks].tolist())
    told = zip(*(pulls[name].tolist() for name in ("pull_id", "author_id", "merged_at")), strict=True)
    judged = {pull_id: (author_id, at) for pull_id, author_id, at in told if pull_id in asked and isinstance(at, str)}
    rows = zip(*(reviews[name].tolist() for name in _REVIEW), strict=True)
    last: dict[tuple[int, Any], tuple[Any, ...]] = {}
    for row in sorted((row for row in rows if row[0] in judged), key=lambda row: row[:3]):
        pull_id, at, _, reviewer_id, kind, state, _ = row
        author_id, merged_at = judged[pull_id]
        if state in _DECISIVE and at <= merged_at and kind != "bot" and reviewer_id != author_id:
            last[pull_id, reviewer_id] = row
    asking = [row for row in last.values() if row[5] == "changes_requested"]
    found = sorted((row[0], row[6] if isinstance(row[6], str) else GHOST_LOGIN, row[1]) for row in asking)
    columns = zip(*found, strict=True) if found else ((), (), ())
    return pd.DataFrame(
        {
            name: pd.Series(list(values), dtype=REQUEST_COLUMNS[name])
            for name, values in zip(REQUEST_COLUMNS, columns, strict=True)
        }
    )


def _subjects(rows: pd.DataFrame, kind: str) -> pd.DataFrame:
    """One row per name, most comments first."""
    found = rows.groupby("name").agg(
        n_threads=("n_comments", "size"),
        n_comments=("n_comments", "sum"),
        n_open=("is_open", "sum"),
        prs=("number", lambda numbers: sorted(set(numbers))),
    )
    found = found.reset_index().assign(kind=kind)[list(SUBJECT_COLUMNS)]
    return found.sort_values(["n_comments", "n_threads", "name"], ascending=[False, False, True])


def _words(text: str) -> set[str]:
    """The telling words of a title or path, in one spelling each."""
    return {word_key(word) for word in map(str.lower, _WORD.findall(text)) if word not in _DULL}
