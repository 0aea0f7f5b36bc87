"""Whose recent work a change rewrites: the earlier change that added most of the lines lately added to its files."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.running import Flags, Floats, Ints, in_time, ranges
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
        paths: one row per path: path_id, category, and path for those that the later changes touch.
        later: pull ids of the later changes.
        at_least: the least share told, above 0.

    Returns:
        One row per later and earlier change with so large a share, by ids: pull_id, earlier_id, share (to 3 decimals),
        path_id (the file that counts most).
    """
    order, moments = in_time(pulls)
    pull_ids, days = pulls["pull_id"].to_numpy(dtype=np.int64)[order], moments / 86400
    rows, path_ids = _rows(files, paths, pull_ids, np.isin(pull_ids, later.to_numpy(dtype=np.int64)))
    return _told(_parts(rows, days, at_least), pull_ids, path_ids, at_least)


class _Rows(NamedTuple):
    """The changes of code and tests in files that later changes touch, in order of file, then time."""

    path: Ints  # place in the order of names: ids depend on what came first
    place: Ints  # of the pull request in order of time
    is_later: Flags
    added: Floats
    weight: Floats
    is_code: Flags


def _rows(files: pd.DataFrame, paths: pd.DataFrame, pull_ids: Ints, is_later: Flags) -> tuple[_Rows, Ints]:
    """The rows, and the ids of their paths in the order of names."""
    path = pd.Index(paths["path_id"]).get_indexer(files["path_id"])
    place = pd.Index(pull_ids).get_indexer(files["pull_id"])
    counts = np.append(paths["category"].isin(CODE).to_numpy(dtype=bool), False)  # the last is for paths not told
    counted = np.flatnonzero((place >= 0) & counts[path])
    later = counted[is_later[place[counted]]]
    wanted = np.unique(path[later])
    wanted = wanted[np.argsort(paths["path"].to_numpy(dtype=object)[wanted])]
    rank = np.full(len(paths) + 1, -1)
    rank[wanted] = np.arange(len(wanted))
    rows = counted[rank[path[counted]] >= 0]
    rows = rows[np.argsort(rank[path[rows]] * np.int64(len(pull_ids)) + place[rows])]
    added, deleted = (
        pd.to_numeric(files[name]).to_numpy(dtype=float, na_value=0)[rows] for name in ("additions", "deletions")
    )
    worth = paths["category"].map(LINES_COUNT).to_numpy(dtype=float, na_value=np.nan)
    is_code = (paths["category"] != "test").to_numpy(dtype=bool)
    path, place = path[rows], place[rows]
    weight = worth[path] * np.log1p(added + deleted)
    found = _Rows(rank[path], place, is_later[place], added, weight, is_code[path])
    return found, paths["path_id"].to_numpy(dtype=np.int64)[wanted]


class _Parts(NamedTuple):
    """What one file of a later change says of an earlier change that touched it soon before."""

    later: Ints  # places in order of time
    earlier: Ints
    path: Ints
    share: Floats  # of the later change's
    is_code: Flags


def _parts(rows: _Rows, days: Floats, at_least: float) -> _Parts:
    mine, n = np.flatnonzero(rows.is_later), np.int64(len(days))
    here, path, weight = rows.place[mine], rows.path[mine], rows.weight[mine]
    keys = rows.path * n + rows.place

    def first_since(length: int) -> Ints:
        return np.searchsorted(keys, path * n + np.searchsorted(days, days[here] - length))

    sums = np.append(0.0, rows.added.cumsum())
    lately = sums[mine] - sums[first_since(LOOK_BACK_DAYS)]
    start = first_since(SOON_DAYS)
    touched, again = ranges(start, mine), np.repeat(np.arange(len(mine)), mine - start)
    whole = np.bincount(here, weight, n)[here]
    share = rows.added[touched] / (lately[again] + DOUBT_LINES)
    parts = share * (weight / np.where(whole > 0, whole, 1))[again]
    pairs = here[again] * n + rows.place[touched]
    # A mean reaches what one of its members does.
    told = np.isin(pairs, pairs[share >= at_least])
    again, touched = again[told], touched[told]
    return _Parts(here[again], rows.place[touched], path[again], parts[told], rows.is_code[mine][again])


def _told(parts: _Parts, pull_ids: Ints, path_ids: Ints, at_least: float) -> pd.DataFrame:
    """The sums of the parts of each later and earlier change; of equally large parts the first path is told."""
    order = np.lexsort((parts.path, -parts.share, parts.earlier, parts.later))
    pairs = parts.later[order] * np.int64(len(pull_ids)) + parts.earlier[order]
    starts = np.flatnonzero(np.diff(pairs, prepend=-1))
    share = np.add.reduceat(parts.share[order], starts) if len(starts) else np.empty(0)
    is_code = np.logical_or.reduceat(parts.is_code[order], starts) if len(starts) else np.empty(0, dtype=bool)
    enough = (share >= at_least) & is_code
    first, share = order[starts[enough]], share[enough].round(3)
    later, earlier = pull_ids[parts.later[first]], pull_ids[parts.earlier[first]]
    by_ids = np.lexsort((earlier, later))
    columns = (later, earlier, share, path_ids[parts.path[first]])
    return pd.DataFrame({name: values[by_ids] for name, values in zip(COLUMNS, columns, strict=True)})
