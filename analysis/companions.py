"""Files that had nearly always been changed together: what a change leaves out."""

import numpy as np
import pandas as pd

from analysis.running import pair_codes, sums_before

NARROW = 12  # files; a wider change says little about which belong together
# A file tells with enough earlier changes, and no longer once it changes with everything.
FEWEST, MOST = 6, 100
MIN_TOGETHER, MIN_SHARE = 5, 0.75
COLUMNS = {
    "pull_id": "int64",
    "path_id": "int64",
    "companion_id": "int64",
    "n_together": "int64",
    "n_before": "int64",
    "share": "float64",
}


def missing_companions(files: pd.DataFrame, past: pd.DataFrame) -> pd.DataFrame:
    """Files that a change leaves out although they nearly always went with one that it changes.

    Tests and documents ask only for others of their kind: the code that they follow need not change.

    Args:
        files: one row per narrow pull request (at most NARROW files without noise) and file, pull requests in time
            order: pull_id, path_id, category, n_before (all earlier pull requests that changed the file).
        past: the same of earlier pull requests, as far as they changed one of these files: pull_id, path_id, category.

    Returns:
        One row per pull request, file and missing companion: pull_id, path_id, companion_id, n_together, n_before
        (narrow pull requests that had changed the file), share (n_together of n_before, 0 to 1).
    """
    rows = pd.concat([past, files], ignore_index=True) if len(past) else files.reset_index(drop=True)
    codes, path_ids = pd.factorize(rows["path_id"], sort=True)
    at, pull_ids = pd.factorize(rows["pull_id"])
    row, companion = _with_partners(codes, _partners(at, codes))
    width = len(path_ids)
    together = np.isin(pair_codes(at[row], companion, width), pair_codes(at, codes, width))
    n_before = sums_before(codes, np.ones(len(codes)))[row]
    n_together = sums_before(pair_codes(codes[row], companion), together)
    share = n_together / np.maximum(n_before, 1)
    kind = np.empty(width, dtype=object)
    kind[codes] = rows["category"]
    may_ask = ~np.isin(kind[codes[row]], ["test", "docs"]) | (kind[codes[row]] == kind[companion])
    n_changes = rows["n_before"].fillna(0).to_numpy()[row]
    is_known = (n_before >= FEWEST) & (n_changes <= MOST) & (n_together >= MIN_TOGETHER) & (share >= MIN_SHARE)
    found = np.flatnonzero((row >= len(past)) & ~together & is_known & may_ask)
    values = (pull_ids[at[row[found]]], path_ids[codes[row[found]]], path_ids[companion[found]])
    numbers = (n_together[found], n_before[found], share[found])
    frame = pd.DataFrame(dict(zip(COLUMNS, (*values, *numbers), strict=True))).astype(COLUMNS)
    order = {"pull_id": True, "path_id": True, "share": False, "companion_id": True}
    return frame.sort_values(list(order), ascending=list(order.values()), ignore_index=True)


def _partners(at: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Pairs of files changed together at least MIN_TOGETHER times: two columns, both directions, sorted."""
    sizes = np.bincount(at)
    starts = np.cumsum(sizes) - sizes
    order = np.argsort(at, kind="stable")
    left = np.repeat(order, sizes[at[order]])
    within = np.arange(len(left)) - np.repeat(np.cumsum(sizes[at[order]]) - sizes[at[order]], sizes[at[order]])
    right = order[np.repeat(starts[at[order]], sizes[at[order]]) + within]
    one, other = codes[left], codes[right]
    one, other = one[one != other], other[one != other]
    width = int(codes.max(initial=0)) + 1
    pairs, n_times = np.unique(one * width + other, return_counts=True)
    pairs = pairs[n_times >= MIN_TOGETHER]
    return np.stack([pairs // width, pairs % width], axis=1)


def _with_partners(codes: np.ndarray, partners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row once for each partner of its file: the row's position, the partner."""
    n_files = int(codes.max(initial=-1)) + 1
    sizes = np.bincount(partners[:, 0], minlength=n_files)
    starts = np.cumsum(sizes) - sizes
    times = sizes[codes]
    rows = np.repeat(np.arange(len(codes)), times)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    return rows, partners[np.repeat(starts[codes], times) + within, 1]
