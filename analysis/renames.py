"""Which names are one file: renames followed to the newest, so that a file keeps its history."""

import pandas as pd


def follow(pulls: pd.DataFrame, files: pd.DataFrame) -> pd.DataFrame:
    """What each changed file is called today.

    A name that is used anew after its file was renamed is another file. Copies are files of their own.

    Args:
        pulls: one row per pull request: pull_id, number, merged_at (UTC text or None).
        files: one row per pull request and file: pull_id, path_id, path, status, old_path_id (or NaN).

    Returns:
        `files` with path_id and path of the newest name, as far as these pull requests tell; the same rows, order and
        index. What is not merged renames nothing.
    """
    renamed = files[(files["status"] == "renamed") & files["old_path_id"].notna()]
    if renamed.empty:
        return files.copy()
    merged = pulls[pulls["merged_at"].notna()].sort_values(["merged_at", "number"])
    places = pd.Series(range(len(merged)), index=merged["pull_id"].to_numpy())
    renames = _renames(renamed.assign(place=renamed["pull_id"].map(places)).dropna(subset="place"))
    # Not merged: after everything, where no rename follows.
    rows = pd.DataFrame({"place": files["pull_id"].map(places).fillna(len(merged)), "path_id": files["path_id"]})
    rows = rows.astype("int64").reset_index(drop=True).reset_index(names="row").sort_values("place", kind="stable")
    later = pd.merge_asof(rows, renames, on="place", by="path_id", direction="forward", allow_exact_matches=False)
    newest = later.set_index("row")["newest"].sort_index()
    names = files.drop_duplicates("path_id").set_index("path_id")["path"]
    path_ids = newest.fillna(rows.set_index("row")["path_id"]).astype("int64").to_numpy()
    return files.assign(path_id=path_ids, path=names.reindex(path_ids).to_numpy())


def _renames(renamed: pd.DataFrame) -> pd.DataFrame:
    """One row per rename, in time order: place, path_id (the name given up), newest (what its file is called today)."""
    found: list[tuple[int, int, int]] = []
    newest: dict[int, int] = {}
    for place, together in sorted(renamed.groupby("place"), key=lambda group: -group[0]):
        pairs = zip(together["old_path_id"].astype("int64"), together["path_id"], strict=True)
        # All of one pull request at once: it may have swapped two names.
        moved = {int(old): newest.get(int(new), int(new)) for old, new in sorted(pairs)}
        newest |= moved
        found += [(int(place), old, new) for old, new in moved.items()]
    frame = pd.DataFrame(found[::-1], columns=["place", "path_id", "newest"]).astype("int64")
    return frame.sort_values("place", kind="stable")
