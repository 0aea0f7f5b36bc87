"""Files that had nearly always been changed together: what a change leaves out."""

import numpy as np
import pandas as pd

from analysis.running import Flags, Groups, Ints, ranges

NARROW = 12  # files; a wider change says little about which belong together
# A file tells with enough earlier changes, and no longer once it changes with everything.
FEWEST, MOST = 6, 100
MIN_TOGETHER, MIN_SHARE = 5, 0.75
COLUMNS = ("pull_id", "path_id", "companion_id", "n_together", "n_before", "share")


def missing_companions(files: pd.DataFrame, past: pd.DataFrame, paths: pd.DataFrame) -> pd.DataFrame:
    """Files that a change leaves out although they nearly always went with one that it changes.

    Tests and documents ask only for others of their kind: the code that they follow need not change.

    Args:
        files: one row per narrow pull request (at most NARROW files without noise) and file, pull requests in time
            order: pull_id, path_id, n_before (all earlier pull requests that changed the file).
        past: the same of earlier pull requests, as far as they changed one of these files: pull_id, path_id.
        paths: one row per path of both: path_id, category.

    Returns:
        One row per pull request, file and missing companion: pull_id, path_id, companion_id, n_together, n_before
        (narrow pull requests that had changed the file), share (n_together of n_before, 0 to 1).
    """
    at, pull_ids = pd.factorize(np.concatenate([past["pull_id"].to_numpy(np.int64), files["pull_id"].to_numpy()]))
    path, path_ids = pd.factorize(np.concatenate([past["path_id"].to_numpy(np.int64), files["path_id"].to_numpy()]))
    kind = paths["category"].to_numpy(dtype=object)[pd.Index(paths["path_id"]).get_indexer(path_ids)]
    n_before = Groups(path).counts_before()
    # A file never asks again once it was changed so often: its later rows need not be looked at.
    may_ask = np.append(np.ones(len(past), dtype=bool), files["n_before"].to_numpy() <= MOST)
    asking = np.flatnonzero(may_ask & (n_before >= FEWEST) & (np.arange(len(at)) >= len(past)))
    row, companion, n_together = _left_out(at, path, may_ask, asking)
    share = n_together / n_before[row]
    own = kind[path[row]]
    found = (share >= MIN_SHARE) & (~np.isin(own, ["test", "docs"]) | (own == kind[companion]))
    row, companion, share = row[found], companion[found], share[found]
    columns = (pull_ids[at[row]], path_ids[path[row]], path_ids[companion], n_together[found], n_before[row], share)
    order = np.lexsort((columns[2], -share, columns[1], columns[0]))
    return pd.DataFrame({name: values[order] for name, values in zip(COLUMNS, columns, strict=True)})


def _left_out(at: Ints, path: Ints, may_ask: Flags, asking: Ints) -> tuple[Ints, Ints, Ints]:
    """For each asking row the files that its pull request leaves out: row, file, how often both had been changed."""
    n_changes, n = np.bincount(path), len(at)
    one, other = _pairs(at, may_ask & (n_changes > FEWEST)[path], (n_changes >= MIN_TOGETHER)[path])
    width = len(n_changes)
    # One number for each time that two files were changed together: by both files, then by time.
    times = np.sort((path[one] * width + path[other]) * n + one)
    pairs, starts, n_times = np.unique(times // n, return_index=True, return_counts=True)
    pairs, starts = pairs[n_times >= MIN_TOGETHER], starts[n_times >= MIN_TOGETHER]
    first, end = (np.searchsorted(pairs, (path[asking] + more) * width) for more in (0, 1))
    row, pair = np.repeat(asking, end - first), ranges(first, end)
    now = pairs[pair] * n + row
    place = np.searchsorted(times, now)
    n_together = place - starts[pair]
    left_out = (np.append(times, -1)[place] != now) & (n_together >= MIN_TOGETHER)
    return row[left_out], pairs[pair][left_out] % width, n_together[left_out]


def _pairs(at: Ints, one: Flags, other: Flags) -> tuple[Ints, Ints]:
    """Each row of one kind with each row of the other kind of its pull request, but not with itself."""
    left, right = np.flatnonzero(one), np.flatnonzero(other)
    right = right[np.argsort(at[right], kind="stable")]
    first, end = (np.searchsorted(at[right], at[left], side=side) for side in ("left", "right"))
    rows, others = np.repeat(left, end - first), right[ranges(first, end)]
    return rows[rows != others], others[rows != others]
