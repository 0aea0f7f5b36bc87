"""What other rules for modules would change: which pull requests would move, before anything is derived anew."""

import pandas as pd

from analysis.module_rules import ModuleRules
from analysis.modules import assign
from analysis.vocabulary import Vocabulary

COLUMNS = {"pull_id": "int64", "module": "str", "change": "str"}


def preview(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    labels: pd.DataFrame,
    owners: pd.DataFrame | None,
    vocabulary: Vocabulary,
    rules_a: ModuleRules,
    rules_b: ModuleRules,
) -> pd.DataFrame:
    """Which pull requests would join or leave a module if `rules_b` stood in place of `rules_a`.

    Args:
        pulls: one row per pull request: pull_id, title.
        files: one row per pull request and file: pull_id, path.
        labels: one row per pull request and label: pull_id, name.
        owners: one row per rule of CODEOWNERS: seq, pattern, owners; None: unknown.
        vocabulary: what was learned.
        rules_a: what the configuration says now.
        rules_b: what it would say.

    Returns:
        One row per pull request and module that it joins or leaves, sorted: pull_id, module, change (joins or leaves).
        A renamed module is left by all, and joined under its new name. A change of nothing but the source is none.
    """
    before, after = (
        assign(pulls, files, labels, vocabulary, owners=owners, rules=rules)[["pull_id", "module"]].drop_duplicates()
        for rules in (rules_a, rules_b)
    )
    merged = before.merge(after, how="outer", on=["pull_id", "module"], indicator="change")
    merged["change"] = merged["change"].map({"left_only": "leaves", "right_only": "joins", "both": None}).astype(object)
    moved = merged.dropna(subset="change").sort_values(["pull_id", "module"], ignore_index=True)
    return moved[list(COLUMNS)].astype(COLUMNS)
