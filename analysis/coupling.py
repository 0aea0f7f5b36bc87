"""Change coupling: what is changed together, and what a change left out that usually comes along."""

from typing import Any

import numpy as np
import pandas as pd

from analysis import renames
from analysis.paths import CATEGORIES

WIDEST = 30  # files; a wider change is a sweep and couples everything with everything
MIN_PULLS = 3  # pull requests that touched both, for a pair to be told
# A companion is missed if it came along with at least this share of a file's changes, and with so many of them.
COMPANION_SHARE, COMPANION_PULLS = 0.75, 5
# Categories of files that ask for companions of another category; tests and documents alone ask for none.
ASKING = frozenset({"source", "config"})

COLUMNS = {
    "path_id_a": "int64",
    "path_id_b": "int64",
    "path_a": "str",
    "path_b": "str",
    "category_a": "str",
    "category_b": "str",
    "coupling_degree": "float64",
    "n_both": "int64",
    "n_a": "int64",
    "n_b": "int64",
    "prs": "object",
}
MODULE_COLUMNS = {
    "module_a": "str",
    "module_b": "str",
    "coupling_degree": "float64",
    "n_both": "int64",
    "n_a": "int64",
    "n_b": "int64",
    "prs": "object",
}
MISSING_COLUMNS = {
    "pull_id": "int64",
    "path_id": "int64",
    "path": "str",
    "companion_id": "int64",
    "companion": "str",
    "companion_share": "float64",
    "n_both": "int64",
    "n_changed": "int64",
}


def coupling(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    paths: pd.DataFrame,
    *,
    min_pulls: int = MIN_PULLS,
    widest: int = WIDEST,
) -> pd.DataFrame:
    """Which two files change together?

    Formula: pull requests that touched both files / the average of those that touched one and those that touched the
        other. Only pull requests with at most 30 files count; generated, vendored and lock files do not.
    Misses: why they change together: a common cause, a copy, or one author's habit. Files that are changed for one
        purpose, but in pull requests of their own. Pull requests whose list of files was cut short do not count.
        Nothing is told below three common pull requests, nor of files deleted since.
    Source: H. Gall, K. Hajek and M. Jazayeri, Detection of Logical Coupling Based on Product Release History (1998);
        the degree as in A. Tornhill, Code Maat.
    Example: 6 pull requests touched `tax.py`, 4 `rates.toml`, and 4 of these are the same: 4 / 5 = 0.8.

    Args:
        pulls: one row per merged pull request: pull_id, number, merged_at, files_complete (false: cut short).
        files: one row per pull request and file: pull_id, path_id, path, status, old_path_id.
        paths: one row per path: path_id, category, is_noise.
        min_pulls: common pull requests that a pair needs.
        widest: files of the widest pull request that counts.

    Returns:
        One row per pair, closest first: path_id_a, path_id_b, path_a, path_b (today's), category_a, category_b (source
        comes before test, test before what is neither; within one category by path), coupling_degree (0 to 1), n_both,
        n_a, n_b (pull requests), prs (numbers of those that touched both, sorted).
    """
    facts = paths.set_index("path_id")
    rows = renames.follow(pulls, files[files["pull_id"].isin(pulls["pull_id"])])
    gone = _gone(pulls, rows)
    cut = pulls.loc[pulls["files_complete"].eq(False), "pull_id"]
    noise = paths.loc[paths["is_noise"].eq(True), "path_id"]
    rows = rows[~rows["pull_id"].isin(cut) & ~rows["path_id"].isin(noise)]
    rows = rows.drop_duplicates(["pull_id", "path_id"])
    rows = rows[rows.groupby("pull_id")["path_id"].transform("size") <= widest]
    names = rows.drop_duplicates("path_id").set_index("path_id")["path"]
    found = _pairs(rows["pull_id"], rows["path_id"], pulls, min_pulls=min_pulls)
    found = found[~found["a"].isin(gone) & ~found["b"].isin(gone)]
    for side in "ab":
        found[f"path_{side}"] = found[side].map(names)
        found[f"category_{side}"] = found[side].map(facts["category"]).fillna("other")
    found = _source_first(found).rename(columns={"a": "path_id_a", "b": "path_id_b"})
    return _closest_first(found, "path_a", "path_b").astype(COLUMNS)[list(COLUMNS)]


def module_coupling(pulls: pd.DataFrame, modules: pd.DataFrame, *, min_pulls: int = MIN_PULLS) -> pd.DataFrame:
    """Which two modules change together?

    Formula: pull requests that are in both modules / the average of those in one and those in the other.
    Misses: why they change together: a common cause, a copy, or one author's habit. Modules that are changed for one
        purpose, but in pull requests of their own. A module counts however little of it was touched. Nothing is told
        below three common pull requests.
    Source: H. Gall, K. Hajek and M. Jazayeri, Detection of Logical Coupling Based on Product Release History (1998);
        the degree as in A. Tornhill, Code Maat.
    Example: 10 pull requests are in `orders`, 6 in `billing`, 4 in both: 4 / 8 = 0.5.

    Args:
        pulls: one row per merged pull request: pull_id, number.
        modules: one row per pull request, module and source: pull_id, module.
        min_pulls: common pull requests that a pair needs.

    Returns:
        One row per pair, closest first: module_a, module_b (in order of name), coupling_degree (0 to 1), n_both, n_a,
        n_b (pull requests), prs (numbers of those in both, sorted).
    """
    rows = modules[modules["pull_id"].isin(pulls["pull_id"])].drop_duplicates(["pull_id", "module"])
    codes, names = pd.factorize(rows["module"], sort=True)
    found = _pairs(rows["pull_id"], pd.Series(codes, index=rows.index), pulls, min_pulls=min_pulls)
    found = found.assign(module_a=names.take(found["a"]), module_b=names.take(found["b"]))
    return _closest_first(found, "module_a", "module_b").astype(MODULE_COLUMNS)[list(MODULE_COLUMNS)]


def missing_companions(
    changes: pd.DataFrame,
    pairs: pd.DataFrame,
    *,
    min_share: float = COMPANION_SHARE,
    min_pulls: int = COMPANION_PULLS,
) -> pd.DataFrame:
    """Which file usually changes along with one that a pull request changed, but did not this time?

    Formula: of the earlier pull requests that touched the changed file, the share that touched the companion too. From
        0.75 on, and from five such pull requests on, it is missed. A changed test or document asks for its like only,
        code and settings for anything. Each companion is told once, by the changed file that it follows most closely.
    Misses: companions that were needed for another reason each time. A pair that has come apart is told until its share
        has sunk.
    Source: T. Zimmermann et al., Mining Version Histories to Guide Software Changes (ICSE 2004).
    Example: 6 pull requests touched `tax.py`, and 5 of these touched `rates.toml`. A change of `tax.py` alone misses
        `rates.toml`, by 5 / 6 = 0.83.

    Args:
        changes: one row per pull request and file to judge: pull_id, path_id.
        pairs: of pull requests merged before all of these, as `coupling` gives them.
        min_share: share that a companion needs.
        min_pulls: common pull requests that it needs.

    Returns:
        One row per pull request and missing companion, by pull request, then closest first: pull_id, path_id, path
        (changed), companion_id, companion (missing), companion_share (0 to 1), n_both, n_changed (earlier pull requests
        with both, and with the changed one).
    """
    known = pd.concat([_one_way(pairs, "a", "b"), _one_way(pairs, "b", "a")], ignore_index=True)
    known = known[(known["companion_share"] >= min_share) & (known["n_both"] >= min_pulls)]
    changed = changes[["pull_id", "path_id"]].drop_duplicates()
    expected = changed.merge(known, on="path_id")
    present = pd.MultiIndex.from_frame(changed)
    missing = expected[~pd.MultiIndex.from_frame(expected[["pull_id", "companion_id"]]).isin(present)]
    order = ["pull_id", "companion_share", "n_both", "companion", "path"]
    missing = missing.sort_values(order, ascending=[True, False, False, True, True])
    missing = missing.drop_duplicates(["pull_id", "companion_id"])
    return missing.astype(MISSING_COLUMNS)[list(MISSING_COLUMNS)].reset_index(drop=True)


def _pairs(pull_ids: pd.Series, items: pd.Series, pulls: pd.DataFrame, *, min_pulls: int) -> pd.DataFrame:
    """One row per pair of items that enough pull requests hold: a < b, n_both, n_a, n_b, coupling_degree, prs.

    Each pull request holds an item once.
    """
    counts = items.value_counts()
    is_frequent = items.map(counts) >= min_pulls  # no pair is more frequent than its parts
    rows = pd.DataFrame({"pull_id": pull_ids, "item": items})[is_frequent].sort_values(["pull_id", "item"])
    pairs = _neighbours(rows["pull_id"].to_numpy(), rows["item"].to_numpy())
    n_both = pairs.groupby(["a", "b"])["pull_id"].transform("size")
    numbers = pulls.set_index("pull_id")["number"]
    pairs = pairs[n_both >= min_pulls].assign(number=lambda kept: kept["pull_id"].map(numbers))
    prs = pairs.groupby(["a", "b"])["number"].agg(sorted)
    found = prs.rename("prs").astype(object).reset_index()
    sizes: dict[str, Any] = {"n_a": found["a"].map(counts), "n_b": found["b"].map(counts)}
    found = found.assign(n_both=found["prs"].map(len), **sizes)
    return found.assign(coupling_degree=2 * found["n_both"] / (found["n_a"] + found["n_b"]))


def _neighbours(pull_ids: np.ndarray, items: np.ndarray) -> pd.DataFrame:
    """Every two items of one pull request, from rows sorted by both: pull_id, a, b."""
    found = [(pull_ids[:0], items[:0], items[:0])]
    for step in range(1, len(items)):
        is_same = pull_ids[step:] == pull_ids[:-step]
        if not is_same.any():
            break
        found.append((pull_ids[step:][is_same], items[:-step][is_same], items[step:][is_same]))
    return pd.DataFrame(dict(zip(("pull_id", "a", "b"), map(np.concatenate, zip(*found, strict=True)), strict=True)))


def _gone(pulls: pd.DataFrame, rows: pd.DataFrame) -> pd.Series:
    """The files whose last change was to remove them."""
    dated = rows.merge(pulls[["pull_id", "number", "merged_at"]], on="pull_id").sort_values(["merged_at", "number"])
    last = dated.drop_duplicates("path_id", keep="last")
    return last.loc[last["status"] == "removed", "path_id"]


def _source_first(pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs with sides exchanged where their categories, or else their paths, stand in the wrong order."""
    rank_a, rank_b = (pairs[f"category_{side}"].map(CATEGORIES.index).astype("int64") for side in "ab")
    is_turned = (rank_a > rank_b) | ((rank_a == rank_b) & (pairs["path_a"] > pairs["path_b"]))
    sided = ("{}", "n_{}", "path_{}", "category_{}")
    other = {name.format(x): name.format(y) for name in sided for x, y in ("ab", "ba")}
    return pd.concat([pairs[~is_turned], pairs[is_turned].rename(columns=other)], ignore_index=True)


def _closest_first(pairs: pd.DataFrame, *names: str) -> pd.DataFrame:
    order = ["coupling_degree", "n_both", *names]
    return pairs.sort_values(order, ascending=[False, False, True, True], ignore_index=True)


def _one_way(pairs: pd.DataFrame, changed: str, companion: str) -> pd.DataFrame:
    """The pairs read in one direction: what comes along where `changed` is touched."""
    category = pairs[f"category_{changed}"]
    pairs = pairs[category.isin(ASKING) | (category == pairs[f"category_{companion}"])]
    return pd.DataFrame(
        {
            "path_id": pairs[f"path_id_{changed}"],
            "path": pairs[f"path_{changed}"],
            "companion_id": pairs[f"path_id_{companion}"],
            "companion": pairs[f"path_{companion}"],
            "companion_share": pairs["n_both"] / pairs[f"n_{changed}"],
            "n_both": pairs["n_both"],
            "n_changed": pairs[f"n_{changed}"],
        }
    )
