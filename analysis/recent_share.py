"""Whose recent work a change rewrites: the earlier change that added most of the lines lately added to its files."""

import numpy as np
import pandas as pd

from analysis.sizes import LINES_COUNT

LOOK_BACK_DAYS = 90  # lines added before count for nobody
SOON_DAYS = 30  # an earlier change's share is told if it was merged so many days before at most
DOUBT_LINES = 10  # lines taken to be somebody else's in every file, against small numbers
CODE = frozenset({"source", "config", "test", "dependency", "ci", "container"})
COLUMNS = {"pull_id": "int64", "earlier_id": "int64", "share": "float64", "path_id": "int64"}


def recent_share(
    pulls: pd.DataFrame, files: pd.DataFrame, paths: pd.DataFrame, *, later: pd.Series, at_least: float
) -> pd.DataFrame:
    """Which earlier change had lately added most of what stands in the files that a later one changes?

    Files that everybody touches belong to nobody, so that hot files and busy projects link nothing by themselves. Tests
    count along with code, but not alone; documents and noise do not count.

    Formula: for each file of the later change, lines that the earlier one added there ÷ (lines added there by anybody
        in the 90 days before + 10); the mean over its files, weighted by what the file is and the logarithm of its
        changed lines. Earlier is at most 30 days before.
    Misses: whether the very same lines are meant; what was only deleted; files that were renamed in between.
    Source: a coarse form of the SZZ algorithm (Śliwerski, Zimmermann and Zeller 2005), which asks `git blame`.
    Example: #7 adds 90 of the 110 lines that `tax.py` got in three months. A fix of `tax.py` four days later rewrites
        its work: 90 / (110 + 10) = 0.75.

    Args:
        pulls: one row per merged pull request: pull_id, number, merged_at; complete for 90 days before each later one.
        files: one row per pull request and file: pull_id, path_id, additions, deletions.
        paths: one row per path: path_id, category.
        later: pull ids of the later changes.
        at_least: the least share told, above 0.

    Returns:
        One row per later and earlier change with so large a share, by ids: pull_id, earlier_id, share (to 3 decimals),
        path_id (the file that counts most).
    """
    order = pulls.sort_values(["merged_at", "number"])
    moments = pd.to_datetime(order["merged_at"], utc=True).dt.as_unit("s").astype("int64").to_numpy() / 86400
    places = pd.Series(np.arange(len(order)), index=order["pull_id"].to_numpy())
    rows = _code_rows(files, paths, places)
    is_later = rows["pull_id"].isin(later).to_numpy()
    if not is_later.any():
        return pd.DataFrame({name: pd.Series(dtype=dtype) for name, dtype in COLUMNS.items()})
    return _told(_pairs(rows, is_later, moments, at_least), order["pull_id"].to_numpy(), at_least)


def _code_rows(files: pd.DataFrame, paths: pd.DataFrame, places: pd.Series) -> pd.DataFrame:
    """The changed code and tests in order of path, then time: pull_id, path_id, place, key, added, weight, is_code."""
    categories = paths.set_index("path_id")["category"]
    categories = categories[categories.isin([*CODE, "test"])]
    rows = files[files["path_id"].isin(categories.index) & files["pull_id"].isin(places.index)]
    category = categories.reindex(rows["path_id"])
    added, deleted = (pd.to_numeric(rows[name]).fillna(0).to_numpy(float) for name in ("additions", "deletions"))
    place = places.reindex(rows["pull_id"]).to_numpy()
    rows = pd.DataFrame(
        {
            "pull_id": rows["pull_id"].to_numpy(),
            "path_id": rows["path_id"].to_numpy(),
            "place": place,
            "key": rows["path_id"].to_numpy() * len(places) + place,
            "added": added,
            "weight": category.map(LINES_COUNT).to_numpy(float) * np.log1p(added + deleted),
            "is_code": (category != "test").to_numpy(),
        }
    )
    return rows.sort_values("key", ignore_index=True)


def _pairs(rows: pd.DataFrame, is_later: np.ndarray, moments: np.ndarray, at_least: float) -> pd.DataFrame:
    """One row per file of a later change and earlier one that touched it soon before: its part."""
    mine = rows[is_later]
    keys, n = rows["key"].to_numpy(), len(moments)
    here = mine["place"].to_numpy()

    def first_since(days: int) -> np.ndarray:
        oldest = np.searchsorted(moments, moments[here] - days)
        return np.searchsorted(keys, mine["path_id"].to_numpy() * n + oldest)

    end = np.searchsorted(keys, mine["key"].to_numpy())
    sums = np.concatenate([[0.0], rows["added"].to_numpy().cumsum()])
    lately = sums[end] - sums[first_since(LOOK_BACK_DAYS)]
    start = first_since(SOON_DAYS)
    again = np.repeat(np.arange(len(mine)), end - start)
    touched = np.arange(len(again)) - np.repeat((end - start).cumsum() - (end - start), end - start) + start[again]
    weight = mine["weight"].to_numpy()
    whole = np.bincount(here, weight, n)[here]
    share = rows["added"].to_numpy()[touched] / (lately[again] + DOUBT_LINES)
    found = pd.DataFrame(
        {
            "later": here[again],
            "earlier": rows["place"].to_numpy()[touched],
            "path_id": mine["path_id"].to_numpy()[again],
            "is_code": mine["is_code"].to_numpy()[again],
            "part": share * (weight / np.where(whole > 0, whole, 1))[again],
        }
    )
    # A mean reaches what one of its members does.
    told = found.loc[share >= at_least, ["later", "earlier"]].drop_duplicates()
    return found.merge(told, on=["later", "earlier"])


def _told(pairs: pd.DataFrame, pull_ids: np.ndarray, at_least: float) -> pd.DataFrame:
    pairs = pairs.sort_values(["later", "earlier", "part", "path_id"], ascending=[True, True, False, True])
    groups = pairs.groupby(["later", "earlier"], as_index=False)
    found = groups.agg(share=("part", "sum"), path_id=("path_id", "first"), is_code=("is_code", "max"))
    found = found[(found["share"] >= at_least) & found["is_code"]]
    told = pd.DataFrame(
        {
            "pull_id": pull_ids[found["later"]],
            "earlier_id": pull_ids[found["earlier"]],
            "share": found["share"].round(3),
            "path_id": found["path_id"],
        }
    ).astype(COLUMNS)
    return told.sort_values(["pull_id", "earlier_id"], ignore_index=True)
