"""Frames as `analysis.derive` reads them; what a test does not care about is filled in."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import pandas as pd

PULL_COLUMNS = [
    *(
        "pull_id",
        "number",
        "title",
        "body",
        "author",
        "author_id",
        "author_type",
        "merged_by_id",
        "state",
        "base",
        "head",
    ),
    *("created_at", "ready_at", "merged_at", "closed_at", "additions", "deletions", "changed_files"),
    *("files_complete", "reviews_known", "threads_known", "events_known", "patches_known"),
    *("review_decision", "n_comments", "merge_commit"),
]
FILE_COLUMNS = ["pull_id", "path_id", "path", "status", "additions", "deletions", "old_path_id"]


class Frames(NamedTuple):
    """What `derive`, `assign` and `learn_vocabulary` take, in this order."""

    pulls: pd.DataFrame
    files: pd.DataFrame
    labels: pd.DataFrame


def change(title: str = "Add a thing", *paths: Any, labels: Iterable[str] = (), **more: Any) -> dict[str, Any]:
    """One pull request. A path is a name (10 lines added, 2 deleted), or a name, status, additions and deletions."""
    files = [(path, "modified", 10, 2) if isinstance(path, str) else path for path in paths]
    return {"title": title, "files": files, "labels": list(labels), "more": more}


def frames(*changes: dict[str, Any]) -> Frames:
    """The frames of pull requests merged one a day, in this order; ids and numbers count from 1 and from 101."""
    pulls, files, labels = [], [], []
    first_day = pd.Timestamp("2024-01-01T12:00:00Z")
    path_ids: dict[str, int] = {}
    for pull_id, each in enumerate(changes, start=1):
        for path, status, additions, deletions in each["files"]:
            path_id = path_ids.setdefault(path, len(path_ids) + 1)
            files.append([pull_id, path_id, path, status, additions, deletions, None])
        labels += [[pull_id, name] for name in each["labels"]]
        pull = {
            "pull_id": pull_id,
            "number": 100 + pull_id,
            "title": each["title"],
            "body": None,
            "author": "ada",
            "author_id": 1,
            "author_type": "human",
            "state": "merged",
            "base": "main",
            "files_complete": True,
            "merged_at": (first_day + pd.Timedelta(days=pull_id)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "additions": sum(file[2] or 0 for file in each["files"]),
            "deletions": sum(file[3] or 0 for file in each["files"]),
            "changed_files": len(each["files"]),
        }
        pulls.append(dict.fromkeys(PULL_COLUMNS) | pull | each["more"])
    return Frames(
        pd.DataFrame(pulls, columns=PULL_COLUMNS),
        pd.DataFrame(files, columns=FILE_COLUMNS),
        pd.DataFrame(labels, columns=["pull_id", "name"]),
    )


def shuffled(given: Frames) -> Frames:
    """The same rows in another order."""
    return Frames(*(frame.sample(frac=1, random_state=7) for frame in given))
