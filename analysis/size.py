"""How large and how wide each pull request is."""

import pandas as pd

from analysis.durations import is_true, of_each

COLUMNS = ["pull_id", "merged_at", "churn_lines", "noise_lines", "changed_files", "n_folders", "n_modules"]


def size(pulls: pd.DataFrame, files: pd.DataFrame, path_facts: pd.DataFrame, modules: pd.DataFrame) -> pd.DataFrame:
    """How many lines, files, folders and modules does each pull request change?

    Formula: churn = lines added + deleted, and files, both as declared for the whole pull request; noise = those of the
        lines that lie in generated, vendored and lock files; folders = distinct folders of the other files; modules =
        distinct modules it belongs to.
    Misses: the effort: a moved file counts few lines where its rename is known and many where it is not, a formatter's
        run counts many. Lines of binary files. Where the list of files was cut short, noise and folders are unknown
        rather than too small.
    Source: Kamei et al. 2013 (LA, LD, NF, ND) for size and width of a change.
    Example: 120 lines in `app/core.py` and `app/api/http.py` and 4,000 in `uv.lock`: churn 4120, noise 4000, 3 files, 2
        folders.

    Args:
        pulls: one row per pull request: pull_id, merged_at, additions, deletions, changed_files, files_complete.
        files: one row per pull request and file: pull_id, path_id, path, additions, deletions.
        path_facts: one row per path: path_id, is_noise; a path without a row is none.
        modules: one row per pull request, module and source: pull_id, module.

    Returns:
        One row per pull request, by pull_id: pull_id, merged_at, churn_lines, noise_lines, changed_files, n_folders,
        n_modules (NaN where unknown; 0 modules: it is in none).
    """
    pulls = pulls.sort_values("pull_id", ignore_index=True)
    noise = path_facts.loc[is_true(path_facts["is_noise"]), "path_id"]
    is_noise = files["path_id"].isin(noise)
    lines = files["additions"].astype(float).fillna(0) + files["deletions"].astype(float).fillna(0)
    noise_lines = lines[is_noise].groupby(files["pull_id"]).sum()
    codes, paths = pd.factorize(files["path"])
    folders = pd.Series([path.rpartition("/")[0] for path in paths], dtype="str").take(codes).set_axis(files.index)
    n_folders = folders[~is_noise].groupby(files["pull_id"]).nunique()
    n_modules = modules.groupby("pull_id")["module"].nunique()
    is_whole = is_true(pulls["files_complete"])
    return pulls.assign(
        churn_lines=pulls["additions"].astype(float) + pulls["deletions"].astype(float),
        noise_lines=of_each(pulls["pull_id"], noise_lines).fillna(0.0).where(is_whole),
        changed_files=pulls["changed_files"].astype(float),
        n_folders=of_each(pulls["pull_id"], n_folders).fillna(0).astype(float).where(is_whole),
        n_modules=of_each(pulls["pull_id"], n_modules).fillna(0).astype(float),
    )[COLUMNS]
