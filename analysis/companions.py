"""Files that had nearly always been changed together: what a change leaves out."""

import numpy as np
import pandas as pd

from analysis.running import pair_codes, sums_before

NARROW = 12  # files; a wider change says little about which belong together
LATEST = 50  # earlier narrow changes of a file that count
MIN_CHANGES, MIN_TOGETHER, MIN_DEGREE = 5, 4, 0.7
COLUMNS = {
    "pull_id": "int64",
    "path_id": "int64",
    "companion_id": "int64",
    "n_together": "int64",
    "n_before": "int64",
    "degree": "float64",
}


def missing_companions(files: pd.DataFrame, judged: pd.Index) -> pd.DataFrame:
    """Files that a change leaves out although they nearly always went with one that it changes.

    Args:
        files: one row per narrow pull request (at most NARROW files without noise) and file, pull requests in time
            order: pull_id, path_id, counts (whether later changes may learn from it: it was merged).
        judged: pull_ids to answer for; the others are their past.

    Returns:
        One row per pull request, file and missing companion: pull_id, path_id, companion_id, n_together, n_before
        (of the file's latest earlier changes, at most LATEST), degree (the share, 0 to 1).
    """
    codes, path_ids = pd.factorize(files["path_id"], sort=True)
    at, pull_ids = pd.factorize(files["pull_id"])
    counts = files["counts"].to_numpy(dtype=bool)
    partners = _partners(at[counts], codes[counts])
    rows, companion = _with_partners(codes, partners)
    width = len(path_ids)
    together = np.isin(pair_codes(at[rows], companion, width), pair_codes(at, codes, width))
    group = pair_codes(codes[rows], companion)
    n_before, n_together = _among_latest(group, counts[rows], together & counts[rows])
    degree = n_together / np.maximum(n_before, 1)
    wanted = np.isin(pull_ids, judged)[at[rows]] & ~together
    found = np.flatnonzero(
        wanted & (n_before >= MIN_CHANGES) & (n_together >= MIN_TOGETHER) & (degree >= MIN_DEGREE)
    )
    values = (pull_ids[at[rows[found]]], path_ids[codes[rows[found]]], path_ids[companion[found]])
    result = dict(zip(COLUMNS, (*values, n_together[found], n_before[found], degree[found]), strict=True))
    frame = pd.DataFrame(result).astype(COLUMNS)
    return frame.sort_values(["pull_id", "path_id", "degree", "companion_id"], ascending=[True, True, False, True], ignore_index=True)


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


def _among_latest(group: np.ndarray, counts: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each row, of the LATEST earlier rows of its group that count: how many there are, how many have the value."""
    n_before = sums_before(group, counts).astype(np.int64)
    so_far = sums_before(group, values).astype(np.int64)
    # What had been summed up when the oldest of the latest came is found by group and number.
    key = group * (int(n_before.max(initial=0)) + 1)
    place = key + n_before
    order = np.argsort(place[counts], kind="stable")
    known, totals = place[counts][order], so_far[counts][order]
    oldest = key + np.maximum(n_before - LATEST, 0)
    found = np.searchsorted(known, oldest)
    dropped = np.where(n_before > LATEST, totals[np.minimum(found, len(totals) - 1)] if len(totals) else 0, 0)
    return np.minimum(n_before, LATEST), so_far - dropped
