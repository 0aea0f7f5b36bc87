"""Which modules change together: pairs that share pull requests, and how much of the two that is."""

import pandas as pd

COLUMNS = {"a": "str", "b": "str", "n_a": int, "n_b": int, "n_both": int, "jaccard": float, "degree": float}
MIN_PULLS = 5


def module_overlaps(assigned: pd.DataFrame) -> pd.DataFrame:
    """Which two modules share pull requests, and to what degree?

    Formula: jaccard = both / (a + b - both); degree = both / ((a + b) / 2); a, b and both count pull requests.
    Misses: whether one module needs the other, or a few wide changes touched both. Both shares are unknown where fewer
        than five pull requests lie in either module.
    Source: Jaccard (1901); the degree is that of change coupling (Tornhill, Your Code as a Crime Scene, 2015).
    Example: rollout has 10 pull requests, vllm 5, and 4 lie in both: jaccard 4 / 11 = 0.36, degree 4 / 7.5 = 0.53.

    Args:
        assigned: one row per pull request, module and source: pull_id, module; as `modules.assign` gives them.

    Returns:
        One row per pair that shares a pull request, a before b in the alphabet; most shared first, then by degree and
        names: a, b, n_a, n_b, n_both, jaccard, degree (0 to 1, or NaN).
    """
    pairs = assigned[["pull_id", "module"]].drop_duplicates()
    n_pulls = pairs["module"].value_counts()
    joined = pairs.merge(pairs, on="pull_id", suffixes=("_a", "_b"))
    joined = joined[joined["module_a"] < joined["module_b"]]
    found = joined.groupby(["module_a", "module_b"]).size().reset_index(name="n_both")
    found = found.rename(columns={"module_a": "a", "module_b": "b"})
    # An empty column of text would stay one.
    found["n_a"], found["n_b"] = (found[name].map(n_pulls).astype(float) for name in ("a", "b"))
    either = found["n_a"] + found["n_b"] - found["n_both"]
    found["jaccard"] = (found["n_both"] / either).where(either >= MIN_PULLS)
    found["degree"] = (2 * found["n_both"] / (found["n_a"] + found["n_b"])).where(either >= MIN_PULLS)
    found = found.sort_values(["n_both", "degree", "a", "b"], ascending=[False, False, True, True], ignore_index=True)
    return found[list(COLUMNS)].astype(COLUMNS)
