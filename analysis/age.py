"""Age: how long pull requests have been open, and how long ago files and modules were changed."""

import pandas as pd

from analysis import renames
from data.schema import OPEN

OPEN_COLUMNS = {
    "pull_id": "int64",
    "number": "int64",
    "author": "str",
    "author_type": "str",
    "is_draft": "boolean",
    "created_at": "str",
    "age_days": "float64",
}
CODE_COLUMNS = {
    "first_seen_at": "str",
    "last_changed_at": "str",
    "first_seen_days": "float64",
    "last_changed_days": "float64",
    "n_pulls": "int64",
}
FILE_COLUMNS = {"path_id": "int64", "path": "str", "category": "str"} | CODE_COLUMNS | {"is_new": "boolean"}
MODULE_COLUMNS = {"module": "str"} | CODE_COLUMNS


def of_open(pulls: pd.DataFrame, *, as_of: str) -> pd.DataFrame:
    """How long has each pull request that was open at a moment been open by then?

    Formula: from opened to `as_of`, in days. Open is what was opened by then and had been neither merged nor closed.
    Misses: that it was closed and opened again in between. Whether it was a draft is known for now only, so drafts are
        marked, not left out. A cache made from git history holds no open ones.
    Source: CHAOSS, Change Request Age.
    Example: opened on 1 March at noon, still open on 4 March at midnight: 2.5 days.

    Args:
        pulls: one row per pull request of any state: pull_id, number, author, author_type, state, is_draft,
            created_at, merged_at, closed_at (UTC text or None).
        as_of: UTC text.

    Returns:
        One row per open one, oldest first: pull_id, number, author, author_type, is_draft, created_at, age_days.
    """
    over_at = pulls["merged_at"].fillna(pulls["closed_at"])
    # One that is over, but nobody knows since when, is not open.
    is_over = (over_at <= as_of) | (over_at.isna() & (pulls["state"] != OPEN))
    found = pulls[(pulls["created_at"] <= as_of) & ~is_over]
    found = found.assign(age_days=_days(found["created_at"], as_of)).sort_values(["created_at", "number"])
    return found[list(OPEN_COLUMNS)].astype(OPEN_COLUMNS).reset_index(drop=True)


def of_files(pulls: pd.DataFrame, files: pd.DataFrame, paths: pd.DataFrame, *, as_of: str) -> pd.DataFrame:
    """How long ago was each file last changed, and how long has it been known?

    Formula: from the last merged pull request that changed it to `as_of`, in days; and from the first one likewise.
        Names are followed over renames; generated, vendored and lock files and those deleted since are left out.
    Misses: what came without a pull request. The first change seen in this cache is the file's beginning only where it
        is marked as new. A typo mended yesterday makes old code look young.
    Source: A. Tornhill, Your Code as a Crime Scene, 2nd edition (2024), on the age of code.
    Example: changed on 1 March and 21 March; as of 31 March it was last changed 10 days ago and has been known for 30.

    Args:
        pulls: one row per merged pull request: pull_id, number, merged_at.
        files: one row per pull request and file: pull_id, path_id, path, status, old_path_id.
        paths: one row per path: path_id, category, is_noise.
        as_of: UTC text; what was merged later does not count.

    Returns:
        One row per file, longest untouched first: path_id, path (today's), category, first_seen_at, last_changed_at,
        first_seen_days, last_changed_days, n_pulls, is_new (whether the first change added it; NA where the source does
        not tell).
    """
    known = _merged_by(pulls, as_of)
    rows = renames.follow(known, files[files["pull_id"].isin(known["pull_id"])])
    rows = rows.merge(paths[["path_id", "category"]], on="path_id", how="left")
    rows = rows[~rows["path_id"].isin(paths.loc[paths["is_noise"].eq(True), "path_id"])].merge(known, on="pull_id")
    rows = rows.sort_values(["merged_at", "number", "path_id"], ignore_index=True)
    first, last = (rows.drop_duplicates("path_id", keep=which).set_index("path_id") for which in ("first", "last"))
    found = _ages(rows, "path_id", as_of).join(last[["path", "category"]])
    found["is_new"] = (first["status"] == "added").astype("boolean").mask(first["status"].isna())
    found = found[(last["status"] != "removed").reindex(found.index)].reset_index()
    found = found.sort_values(["last_changed_at", "path"])[list(FILE_COLUMNS)].astype(FILE_COLUMNS)
    return found.reset_index(drop=True)


def of_modules(pulls: pd.DataFrame, modules: pd.DataFrame, *, as_of: str) -> pd.DataFrame:
    """How long ago was each module last changed, and how long has it been known?

    Formula: from the last merged pull request in the module to `as_of`, in days; and from the first one likewise.
    Misses: what came without a pull request, and modules that today's titles and folders do not name. One small change
        makes a whole module look young. The first change seen in this cache need not be the module's beginning.
    Source: A. Tornhill, Your Code as a Crime Scene, 2nd edition (2024), on the age of code.
    Example: the first pull request in `billing` was merged on 1 March, the last on 21 March; as of 31 March it was last
        changed 10 days ago and has been known for 30.

    Args:
        pulls: one row per merged pull request: pull_id, number, merged_at.
        modules: one row per pull request, module and source: pull_id, module.
        as_of: UTC text; what was merged later does not count.

    Returns:
        One row per module, longest untouched first: module, first_seen_at, last_changed_at, first_seen_days,
        last_changed_days, n_pulls.
    """
    rows = modules[["pull_id", "module"]].drop_duplicates().merge(_merged_by(pulls, as_of), on="pull_id")
    found = _ages(rows.sort_values(["merged_at", "number"]), "module", as_of).reset_index()
    found = found.sort_values(["last_changed_at", "module"], ignore_index=True)
    return found[list(MODULE_COLUMNS)].astype(MODULE_COLUMNS)


def _merged_by(pulls: pd.DataFrame, as_of: str) -> pd.DataFrame:
    return pulls.loc[pulls["merged_at"] <= as_of, ["pull_id", "number", "merged_at"]]


def _ages(rows: pd.DataFrame, what: str, as_of: str) -> pd.DataFrame:
    """One row per thing changed, by `what`; `rows` are in time order."""
    by_thing = rows.groupby(what)
    first, last = by_thing["merged_at"].first(), by_thing["merged_at"].last()
    return pd.DataFrame(
        {
            "first_seen_at": first,
            "last_changed_at": last,
            "first_seen_days": _days(first, as_of),
            "last_changed_days": _days(last, as_of),
            "n_pulls": by_thing["pull_id"].nunique(),
        }
    )


def _days(moments: pd.Series, as_of: str) -> pd.Series:
    return (pd.Timestamp(as_of) - pd.to_datetime(moments, utc=True)) / pd.Timedelta(days=1)
