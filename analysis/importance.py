"""How much a reader of the project must know that a pull request landed, 0 to 10, as named parts."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.kinds import KINDS
from data.errors import MergeWindowError

KEY = 5.0  # from here on a change is a key change

# Points of each part where its measure is full. A kind's points are where every change starts from.
DEFAULT_WEIGHTS: Mapping[str, float] = {
    "kind_feat": 3.5,
    "kind_perf": 3.5,
    "kind_refactor": 3.3,
    "kind_fix": 3.1,
    "kind_revert": 3.1,
    "kind_other": 2.9,
    "kind_build": 2.5,
    "kind_test": 2.5,
    "kind_ci": 2.5,
    "kind_chore": 2.5,
    "kind_docs": 2.1,
    "breaking": 2.0,
    "size": 3.0,
    "reach": 0.8,
    "core_path": 1.0,
    "new_files": 0.6,
    "interface": 0.3,
    "revert": 0.8,
    "bot": -1.0,
    "version_bump": -0.8,
    "docs_only": -1.2,
}
PARTS = ("kind", *(name for name in DEFAULT_WEIGHTS if not name.startswith("kind_")), "cap")

# What a changed line of each category counts; noise counts nothing, nor does a rename without a changed line.
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
FULL_SIZE = 300  # such lines; size grows with their logarithm
FULL_MODULES, FULL_FOLDERS, FULL_NEW_FILES = 4, 6, 2


def measures(changes: pd.DataFrame) -> pd.DataFrame:
    """What each part is multiplied with, 0 to 1, by what is known of the changes.

    Args:
        changes: one row per pull request: kind, is_breaking, reverts (it takes out or brings back another), is_bot,
            is_bump, weighted_lines (by LINES_COUNT), n_modules, n_folders (with source), n_new_files (with source),
            coreness (0-1), touches_interface, docs_only.

    Returns:
        One row per pull request, same index, one column per weight.
    """
    kinds = {f"kind_{kind}": changes["kind"] == kind for kind in KINDS}
    size = np.log1p(changes["weighted_lines"]) / np.log1p(FULL_SIZE)
    modules = (changes["n_modules"] - 1) / (FULL_MODULES - 1)
    folders = (changes["n_folders"] - 1) / (FULL_FOLDERS - 1)
    others = {
        "breaking": changes["is_breaking"],
        "size": size,
        "reach": (modules.clip(0, 1) + folders.clip(0, 1)) / 2,
        "core_path": changes["coreness"],
        "new_files": changes["n_new_files"] / FULL_NEW_FILES,
        "interface": changes["touches_interface"],
        "revert": changes["reverts"],
        "bot": changes["is_bot"],
        "version_bump": changes["is_bump"],
        "docs_only": changes["docs_only"],
    }
    return pd.DataFrame({**kinds, **others}, index=changes.index).astype(float).clip(0, 1)


def score(changes: pd.DataFrame, weights: Mapping[str, float] | None = None) -> pd.DataFrame:
    """The importance of each pull request and what it is made of.

    Each part is its weight times its measure (`measures`), in hundredths. What goes beyond 0 to 10 is taken back by the
    part `cap`, so that the parts always add up to the score.

    Args:
        changes: as for `measures`.
        weights: points that differ from DEFAULT_WEIGHTS.

    Returns:
        One row per pull request, same index: importance (0 to 10), and one column for each of PARTS.

    Raises:
        MergeWindowError: a weight has an unknown name.
    """
    points = {**DEFAULT_WEIGHTS, **(weights or {})}
    if unknown := sorted(points.keys() - DEFAULT_WEIGHTS.keys()):
        raise MergeWindowError(f"Unknown weight {unknown[0]!r}. Known: {', '.join(sorted(DEFAULT_WEIGHTS))}.")
    hundredths = (measures(changes) * pd.Series(points) * 100).round().astype(int)
    is_kind = hundredths.columns.str.startswith("kind_")
    parts = hundredths.loc[:, ~is_kind]
    parts.insert(0, "kind", hundredths.loc[:, is_kind].sum(axis=1))
    total = parts.sum(axis=1)
    parts["cap"] = total.clip(0, 1000) - total
    return parts.assign(importance=total + parts["cap"])[["importance", *PARTS]] / 100
