"""What had happened to a place before: how often a changed file and its folder had been merged into until then."""

import numpy as np
import pandas as pd

NEW_FILE_LINES = 10  # where a source does not tell, a file first seen with so many lines, none deleted, is new
FEW_PULLS = 20  # a history as short as this makes no file a core file
# Logarithms make small and large histories comparable. A place is core from the first share of the logarithm of the
# whole history on, and as core as can be at the second.
CORE_FROM, CORE_FULL = 0.25, 0.65


def before(pulls: pd.DataFrame, files: pd.DataFrame) -> pd.DataFrame:
    """For each changed file, what earlier merged pull requests had done to it and its folder.

    Earlier is by merged_at, then number. What is not merged comes last and counts for nobody, so that no result changes
    with what is merged later. A renamed file starts anew.

    Args:
        pulls: one row per pull request: pull_id, number, merged_at (UTC text or None).
        files: one row per pull request and file: pull_id, path_id, path, status (or None), additions, deletions.

    Returns:
        One row per row of `files`, in their order and with their index: coreness (0 to 1), is_new.
    """
    order = pulls.sort_values(["merged_at", "number"], na_position="last")
    is_merged = order["merged_at"].notna().to_numpy()
    history = pd.DataFrame(
        {"place": np.arange(len(order)), "is_merged": is_merged, "n_before": is_merged.cumsum() - is_merged},
        index=order["pull_id"].to_numpy(),
    )
    rows = files.join(history, on="pull_id").assign(folder=_folders(files))
    rows = rows.sort_values(["place", "path_id"])
    file_changes, folder_changes = _earlier(rows, "path_id"), _earlier(rows, "folder")
    whole = np.log1p(rows["n_before"].clip(lower=FEW_PULLS))
    shares = pd.DataFrame({"file": np.log1p(file_changes) / whole, "folder": np.log1p(folder_changes) / whole})
    coreness = ((shares - CORE_FROM) / (CORE_FULL - CORE_FROM)).clip(0, 1).mean(axis=1)
    first_seen = (file_changes == 0) & (rows["additions"] >= NEW_FILE_LINES) & (rows["deletions"] == 0)
    is_new = rows["status"].eq("added").where(rows["status"].notna(), first_seen)
    return pd.DataFrame({"coreness": coreness, "is_new": is_new.fillna(False).astype(bool)}).loc[files.index]


def _folders(files: pd.DataFrame) -> np.ndarray:
    """A code for the folder of each row's file."""
    codes, paths = pd.factorize(files["path"])
    folders, _ = pd.factorize(np.array([path.rpartition("/")[0] for path in paths], dtype=object))
    return folders[codes] if len(paths) else codes


def _earlier(rows: pd.DataFrame, what: str) -> pd.Series:
    """How many merged pull requests before the row's own had changed the same; rows are in time order."""
    counts = rows["is_merged"] & ~rows.duplicated(["place", what])
    return counts.astype(int).groupby(rows[what]).cumsum() - rows["is_merged"].astype(int)
