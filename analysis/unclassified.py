"""Which pull requests lie in no module, and what share that is."""

import pandas as pd

MIN_PULLS = 5


def unclassified(pulls: pd.DataFrame, assigned: pd.DataFrame) -> pd.DataFrame:
    """Which pull requests lie in no module.

    Args:
        pulls: one row per pull request: pull_id, number, title.
        assigned: one row per pull request, module and source: pull_id; as `modules.assign` gives them.

    Returns:
        One row per such pull request, by number: pull_id, number, title.
    """
    found = pulls.loc[~pulls["pull_id"].isin(assigned["pull_id"]), ["pull_id", "number", "title"]]
    return found.sort_values("number", ignore_index=True)


def unclassified_share(pulls: pd.DataFrame, assigned: pd.DataFrame) -> float:
    """How much of the pull requests do the modules leave out?

    The higher it is, the less any figure by module tells.

    Formula: pull requests in no module / all.
    Misses: pull requests in a wrong module. One whose files are unknown and whose title names nothing counts as left
        out. Unknown below five pull requests.
    Source: this project's own.
    Example: 3 of 40 pull requests are in no module: 3 / 40 = 0.075.

    Args:
        pulls: one row per pull request: pull_id.
        assigned: one row per pull request, module and source: pull_id; as `modules.assign` gives them.

    Returns:
        The share, 0 to 1, or NaN.
    """
    is_left_out = ~pulls["pull_id"].isin(assigned["pull_id"])
    return float(is_left_out.mean()) if len(pulls) >= MIN_PULLS else float("nan")
