"""How much each pull request added and deleted, without what it only moved."""

import numpy as np
import pandas as pd

from analysis.running import Flags, Floats, Ints, codes, pair_codes

# What a changed line of each category counts; generated, vendored and lock files and assets count nothing.
LINES_COUNT = {
    "source": 1.0,
    "config": 0.5,
    "dependency": 0.5,
    "test": 0.3,
    "ci": 0.2,
    "container": 0.2,
    "data": 0.05,
    "docs": 0.05,
    "other": 0.05,
}
_TEXT = ("source", "config", "dependency", "ci", "container", "docs")  # never binary, whatever the language
SAME_LENGTH = 20  # lines from which a new file as long as a deleted one is taken for the same


def sizes(pulls: pd.DataFrame, files: pd.DataFrame) -> pd.DataFrame:
    """How much did each pull request add and delete, by what it is worth, without what it only moved?

    Formula: lines times what a line of such a file counts: source 1, settings and dependencies 0.5, tests 0.3, CI and
        containers 0.2, documents, data and others 0.05, generated, vendored and lock files 0. Lines that were moved
        (`moved_share`) are left out on both sides. Where no file is known, or not the lines of each, the declared lines
        count whole.
    Misses: code moved between files that stay. Examples count as documents, whatever they do.
    Source: this project's own; the categories are those of GitHub's linguist.
    Example: 40 source lines added, 10 deleted, 100 lines of a lock file: added 40, deleted 10.

    Args:
        pulls: one row per pull request: changed_files, additions, deletions (as declared, NaN unknown).
        files: one row per pull request and file: at (position in `pulls`), path, additions, deletions (NaN: binary or
            unknown), category, language.

    Returns:
        One row per row of `pulls`, same index: added, deleted (weighted lines, NaN where nothing tells), moved_lines
        (added + deleted).
    """
    n, at = len(pulls), files["at"].to_numpy(dtype=np.int64)
    worth = _worth(files["category"])
    moved = moved_share(files)
    is_known = (np.bincount(at, minlength=n) > 0) | (pulls["changed_files"].to_numpy(dtype=float, na_value=-1) == 0)
    is_known &= np.bincount(at, uncounted(files), minlength=n) == 0
    found = {"moved_lines": np.zeros(n)}
    for name, side in (("added", "additions"), ("deleted", "deletions")):
        lines = np.nan_to_num(files[side].to_numpy(dtype=float))
        weighted = np.bincount(at, lines * worth * (1 - moved), minlength=n)
        found[name] = np.where(is_known, weighted, pulls[side].to_numpy(dtype=float, na_value=np.nan))
        found["moved_lines"] += np.bincount(at, lines * moved, minlength=n)
    return pd.DataFrame(found, index=pulls.index)[["added", "deleted", "moved_lines"]]


def uncounted(files: pd.DataFrame) -> Flags:
    """Which files have lines that their source does not tell; binary files have none.

    Args:
        files: one row per file: additions (NaN: binary or unknown), category, language (None: in none).
    """
    is_text = files["language"].notna() | files["category"].isin(_TEXT)
    return (is_text & files["additions"].isna()).to_numpy(dtype=bool)


def _worth(categories: pd.Series) -> Floats:
    numbers, names = pd.factorize(categories)
    return np.array([*(LINES_COUNT.get(name, 0.0) for name in names), 0.0])[numbers]


def moved_share(files: pd.DataFrame) -> Floats:
    """Which share of each file's lines was only moved: deleted here and added there?

    Formula: within one pull request, files with nothing but added lines are paired with files with nothing but deleted
        ones: first by the file's name, then by suffix and equal length (20 lines and more). As much as both sides have
        is moved. Sources that tell renames have left such lines out already.
    Misses: lines that were changed while they moved, and code moved out of a file that stays.
    Source: this project's own.
    Example: `old/a.py` loses 100 lines, `new/a.py` is new with 120: all of the first and 100 of the 120 were moved.

    Args:
        files: one row per pull request and file: at, path, additions, deletions.

    Returns:
        One share, 0 to 1, per row of `files`, in their order.
    """
    shares = np.zeros(len(files))
    added, deleted = (np.nan_to_num(files[name].to_numpy(dtype=float)) for name in ("additions", "deletions"))
    at = files["at"].to_numpy(dtype=np.int64)
    has_new, has_gone = (
        np.bincount(at, rows) > 0 for rows in ((added > 0) & (deleted == 0), (deleted > 0) & (added == 0))
    )
    rows = np.flatnonzero(((added > 0) != (deleted > 0)) & (has_new & has_gone)[at])  # few pull requests have both
    paths = files["path"].take(rows).tolist()
    new, gone, pull = added[rows], deleted[rows], codes(at[rows])
    lines = new + gone
    by_name = pair_codes(pull, codes([path.rpartition("/")[2] for path in paths]))
    by_suffix = pair_codes(pair_codes(pull, codes([path.rpartition(".")[2] for path in paths])), codes(lines))
    found = _paired(new, gone, by_name)
    rest = np.flatnonzero((found == 0) & (lines >= SAME_LENGTH))
    found[rest] = _paired(new[rest], gone[rest], by_suffix[rest])
    shares[rows] = found
    return shares


def _paired(new: Floats, gone: Floats, groups: Ints) -> Floats:
    """Of each row the share of its lines that its group has on the other side too."""
    groups = codes(groups)
    n_new, n_gone = (np.bincount(groups, weights=side)[groups] for side in (new, gone))
    return np.minimum(n_new, n_gone) / np.maximum(np.where(new > 0, n_new, n_gone), 1)
