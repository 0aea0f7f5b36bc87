"""Hotspots: the files that are changed often and much."""

import pandas as pd

from analysis import renames
from data.people import BOT

COLUMNS = {
    "path_id": "int64",
    "path": "str",
    "category": "str",
    "hotspot_score": "float64",
    "n_pulls": "int64",
    "churn_lines": "int64",
    "pulls_share": "float64",
    "churn_share": "float64",
    "n_authors": "int64",
    "fix_share": "float64",
    "last_changed_at": "str",
    "is_gone": "boolean",
    "prs": "object",
}
FEWEST = 5  # pull requests, for a share to be claimed


def hotspots(pulls: pd.DataFrame, files: pd.DataFrame, facts: pd.DataFrame, paths: pd.DataFrame) -> pd.DataFrame:
    """Which files do most of the changes, and most of the changed lines, go through?

    Formula: the share of pull requests that changed the file x the file's share of all lines added and deleted. Both
        are taken over the pull requests whose files are known; generated, vendored and lock files count nowhere.
    Misses: how hard the code is to read; a file that is changed often because it works well, such as a list of
        settings. A change of 3,000 moved lines weighs like 3,000 written ones. Renames are followed only where they are
        known.
    Source: A. Tornhill, Your Code as a Crime Scene, 2nd edition (2024), chapters 2 and 3.
    Example: 40 pull requests changed 2,000 lines. One file was in 10 of them with 400 lines: 0.25 x 0.20 = 0.05.

    Args:
        pulls: one row per merged pull request of the window: pull_id, number, merged_at, author_id, author_type.
        files: one row per pull request and file: pull_id, path_id, path, status, additions, deletions, old_path_id.
        facts: one row per pull request: pull_id, kind.
        paths: one row per path: path_id, category, is_noise.

    Returns:
        One row per file, hottest first: path_id, path (today's), category, hotspot_score, n_pulls, churn_lines,
        pulls_share, churn_share (0 to 1), n_authors (people, not bots), fix_share (of its pull requests, 0 to 1; NaN
        below five), last_changed_at, is_gone (deleted since; NA where the source does not tell), prs (numbers, sorted).
    """
    rows = renames.follow(pulls, files[files["pull_id"].isin(pulls["pull_id"])])
    rows = rows.merge(paths[["path_id", "category"]], on="path_id", how="left")
    rows = rows[~rows["path_id"].isin(paths.loc[paths["is_noise"].eq(True), "path_id"])]
    told = pulls[["pull_id", "number", "merged_at", "author_id", "author_type"]]
    rows = rows.merge(told, on="pull_id").merge(facts[["pull_id", "kind"]], on="pull_id", how="left")
    rows["churn_lines"] = rows[["additions", "deletions"]].apply(pd.to_numeric).fillna(0).sum(axis=1)
    rows = rows.sort_values(["merged_at", "number", "path_id"], ignore_index=True)
    if rows.empty:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    found = _sums(rows)
    found["pulls_share"] = found["n_pulls"] / rows["pull_id"].nunique()
    found["churn_share"] = found["churn_lines"] / max(rows["churn_lines"].sum(), 1)
    found["hotspot_score"] = found["pulls_share"] * found["churn_share"]
    order = ["hotspot_score", "n_pulls", "path"]
    return found.sort_values(order, ascending=[False, False, True], ignore_index=True)[list(COLUMNS)].astype(COLUMNS)


def _sums(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per file; `rows` are in time order."""
    by_file = rows.groupby("path_id")
    # One pull request can hold a file twice, under two names that later became one.
    once = rows.drop_duplicates(["path_id", "pull_id"], keep="last")
    people = once[once["author_type"] != BOT].groupby("path_id")["author_id"].nunique()
    last = by_file.tail(1).set_index("path_id")
    n_pulls = once.groupby("path_id").size()
    found = pd.DataFrame(
        {
            "path": last["path"],
            "category": last["category"],
            "n_pulls": n_pulls,
            "churn_lines": by_file["churn_lines"].sum(),
            "n_authors": people.reindex(n_pulls.index, fill_value=0),
            "fix_share": (once["kind"] == "fix").groupby(once["path_id"]).mean().where(n_pulls >= FEWEST),
            "last_changed_at": last["merged_at"],
            "is_gone": (last["status"] == "removed").astype("boolean").mask(last["status"].isna()),
            "prs": once.groupby("path_id")["number"].agg(sorted),
        }
    )
    return found.reset_index()
