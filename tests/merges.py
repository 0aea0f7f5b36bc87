"""Merged pull requests as the links between them are found in; what a test does not care about is filled in."""

from typing import Any, NamedTuple

import pandas as pd

from analysis.kinds import kind
from analysis.paths import classify
from analysis.titles import parse
from data import links as raw_links

REPO = "acme/orbit"
START = pd.Timestamp("2024-03-04T00:00:00Z")
Lines = tuple[int, int]


class Merges(NamedTuple):
    """What `links_of` takes, in this order."""

    pulls: pd.DataFrame
    files: pd.DataFrame
    links: pd.DataFrame
    facts: pd.DataFrame
    paths: pd.DataFrame


def merge(
    number: int, title: str, day: float | None, *paths: str, body: str = "", lines: Lines = (9, 1), **more: Any
) -> dict[str, Any]:
    """One pull request, merged so many days after the start (None: never); `lines` added and deleted in each path."""
    pull = {"pull_id": number, "number": number, "title": title, "body": body, "head": None, "base": "main"}
    merged_at = None if day is None else (START + pd.Timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
    pull |= {"merge_commit": f"{number:040x}"}
    return pull | {"author_type": "human", "merged_at": merged_at, "paths": paths, "lines": lines} | more


def merges(*pulls: dict[str, Any]) -> Merges:
    """Their frames; an id is its number, raw links are read from title and body."""
    ids = {path: at for at, path in enumerate(sorted({path for pull in pulls for path in pull["paths"]}), start=1)}
    files = [(pull["pull_id"], ids[path], path, *pull["lines"], None) for pull in pulls for path in pull["paths"]]
    links = [
        {"pull_id": pull["pull_id"], **link}
        for pull in pulls
        for link in raw_links.links(pull["title"], pull["body"], number=pull["number"], repo=REPO)
    ]
    kinds = [kind(parse(pull["title"]), [classify(path).category for path in pull["paths"]]) for pull in pulls]
    columns = [name for name in merge(1, "", 0) if name not in {"paths", "lines"}]
    return Merges(
        pd.DataFrame([{name: pull[name] for name in columns} for pull in pulls], columns=columns),
        pd.DataFrame(files, columns=["pull_id", "path_id", "path", "additions", "deletions", "old_path_id"]),
        pd.DataFrame(links, columns=["pull_id", "kind", "repo", "number", "evidence"]),
        pd.DataFrame({"pull_id": [pull["pull_id"] for pull in pulls], "kind": kinds}),
        pd.DataFrame(
            [(at, path, classify(path).category) for path, at in ids.items()], columns=["path_id", "path", "category"]
        ),
    )


def shuffled(given: Merges) -> Merges:
    """The same rows in another order."""
    return Merges(*(frame.sample(frac=1, random_state=5) for frame in given))
