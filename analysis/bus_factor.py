"""Bus factor: how few people the knowledge of a module rests with."""

import pandas as pd

from data.people import HUMAN

COLUMNS = {
    "module": "str",
    "bus_factor": "Int64",
    "n_pulls": "int64",
    "n_authors": "int64",
    "top_share": "float64",
    "top_authors": "object",
}
FEWEST = 5  # pull requests, for anything to be claimed
SHOWN = 5  # authors


def bus_factor(pulls: pd.DataFrame, modules: pd.DataFrame) -> pd.DataFrame:
    """How few people made at least half of a module's merged changes?

    A small number is a risk for the module and says nothing about the people: it tells where to spread knowledge.

    Formula: authors sorted by their merged pull requests in the module; the fewest whose sum reaches half of all. Bots
        and deleted accounts count on neither side. Unknown below five pull requests.
    Misses: reviewers and co-authors, who know the code as well; that somebody has left; the size of a change. Somebody
        whose name in git is not joined with the account counts as two.
    Source: CHAOSS, Contributor Absence Factor (formerly Bus Factor), half of the contributions.
    Example: four people merged 6, 3, 2 and 1 pull requests, 12 in all. The first one alone has reached 6 of 12: 1.

    Args:
        pulls: one row per merged pull request of the window: pull_id, author, author_id, author_type.
        modules: one row per pull request, module and source: pull_id, module.

    Returns:
        One row per module with such a pull request, most first, then by name: module, bus_factor (NA below five),
        n_pulls, n_authors, top_share (of the most frequent author, 0 to 1; NaN below five), top_authors (list of up to
        five pairs of name and number of pull requests, most first; for pages that may show names).
    """
    people = pulls.loc[pulls["author_type"] == HUMAN, ["pull_id", "author", "author_id"]]
    rows = modules[["pull_id", "module"]].drop_duplicates().merge(people, on="pull_id")
    if rows.empty:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    counts = rows.groupby(["module", "author_id"]).agg(n=("pull_id", "size"), author=("author", "min")).reset_index()
    counts = counts.sort_values(["module", "n", "author", "author_id"], ascending=[True, False, True, True])
    by_module = counts.groupby("module")
    total = by_module["n"].transform("sum")
    has_half = 2 * by_module["n"].cumsum() >= total
    shown = counts[by_module.cumcount() < SHOWN]
    pairs = pd.Series(list(zip(shown["author"], shown["n"].tolist(), strict=True)), index=shown["module"], dtype=object)
    found = pd.DataFrame(
        {
            "bus_factor": (~has_half).groupby(counts["module"]).sum() + 1,
            "n_pulls": by_module["n"].sum(),
            "n_authors": by_module.size(),
            "top_share": by_module["n"].max() / by_module["n"].sum(),
            "top_authors": pairs.groupby(level=0).agg(list),
        }
    ).reset_index()
    is_claimed = found["n_pulls"] >= FEWEST
    found = found.astype({"bus_factor": "Int64"})
    found = found.assign(**{name: found[name].where(is_claimed) for name in ("bus_factor", "top_share")})
    return found.sort_values(["n_pulls", "module"], ascending=[False, True], ignore_index=True).astype(COLUMNS)
