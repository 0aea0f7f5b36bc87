"""How much a reader of the project must know that a pull request landed, 0 to 10, as named parts."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis import scoring
from analysis.kinds import KINDS
from analysis.scoring import log_share, share

KEY = 5.0  # from here on a change is a key change

# Points of each part where its measure is full. A kind's points are where every change starts from.
DEFAULT_WEIGHTS: Mapping[str, float] = {
    "kind_feat": 4.02,
    "kind_perf": 4.02,
    "kind_refactor": 3.95,
    "kind_fix": 3.88,
    "kind_revert": 3.88,
    "kind_other": 3.74,
    "kind_build": 3.53,
    "kind_test": 3.53,
    "kind_ci": 3.53,
    "kind_chore": 3.53,
    "kind_docs": 3.32,
    "breaking": 1.4,
    "size": 1.75,
    "reach": 0.42,
    "core_path": 0.49,
    "new_ground": 0.35,
    "interface": 0.21,
    "revert": 0.7,
    "repair": 0.21,
    "discussion": 0.35,
    "measured": 0.28,
    "dependency": 0.0,
    "container": 0.0,
    "ci": 0.0,
    "config": 0.0,
    "bot": -0.7,
    "version_bump": -0.49,
    "docs_only": -0.7,
}
PARTS = scoring.parts_of(DEFAULT_WEIGHTS)

FULL_SIZE = 500  # weighted lines (`sizes.LINES_COUNT`); size grows with their logarithm
DELETED_COUNTS = 0.7  # of an added line, unless the removal is the news
FULL_IN_CORE = 30  # weighted lines from which touching the core is more than a touch
FULL_MODULES, FULL_FOLDERS, MODULES_SHARE = 4, 6, 0.25  # titles name modules freely, folders are where the change is
_OPEN = ("dependency", "container", "ci", "config")
_NUMBERS = (
    *("is_breaking", "removes", "reverts", "repairs", "is_bot", "is_bump", "docs_only", "touches_interface"),
    *(f"touches_{place}" for place in _OPEN),
    *("added", "deleted", "n_modules", "n_folders", "n_new_files", "n_new_folders", "coreness", "measured"),
    *("n_reviews", "n_comments", "n_threads"),
)


def measures(changes: pd.DataFrame) -> pd.DataFrame:
    """What each weight is multiplied with, 0 to 1, by what is known of the changes.

    Args:
        changes: one row per pull request, unknown numbers NaN, unknown flags NA: kind, is_breaking, removes (its title
            says that something is taken away), reverts (it takes out or brings back another), repairs (it repairs an
            earlier one), is_bot, is_bump, added, deleted (weighted lines, `sizes.sizes`), n_modules, n_folders (with
            source), n_new_files, n_new_folders (with source), coreness (0 to 1), touches_interface, docs_only,
            touches_dependency, touches_container, touches_ci, touches_config, n_reviews, n_comments, n_threads,
            measured (0 to 1, `measured.measured`).

    Returns:
        One row per pull request, same index, one column per weight.
    """
    kind, known = changes["kind"].to_numpy(dtype=object), scoring.numbers(changes, _NUMBERS)
    is_news = known["is_breaking"] + known["removes"] > 0
    lines = known["added"] + known["deleted"] * np.where(is_news, 1.0, DELETED_COUNTS)
    modules, folders = share(known["n_modules"], FULL_MODULES, 1), share(known["n_folders"], FULL_FOLDERS, 1)
    columns = {
        **{f"kind_{name}": (kind == name).astype(float) for name in KINDS},
        "breaking": known["is_breaking"],
        "size": log_share(lines, FULL_SIZE),
        "reach": MODULES_SHARE * modules + (1 - MODULES_SHARE) * folders,
        "core_path": known["coreness"] * log_share(lines, FULL_IN_CORE),
        "new_ground": scoring.new_ground(known),
        "interface": known["touches_interface"],
        "revert": known["reverts"],
        "repair": known["repairs"],
        "discussion": scoring.talk(known),
        "measured": known["measured"],
        **{place: known[f"touches_{place}"] for place in _OPEN},
        "bot": known["is_bot"],
        "version_bump": known["is_bump"],
        "docs_only": known["docs_only"],
    }
    return pd.DataFrame(
        np.column_stack([columns[name] for name in DEFAULT_WEIGHTS]), changes.index, list(DEFAULT_WEIGHTS)
    )


def score(changes: pd.DataFrame, weights: Mapping[str, float] | None = None) -> pd.DataFrame:
    """How much must a reader of the project know that each pull request landed, and why?

    It is a reading order, not a verdict.

    Formula: the sum of named parts, each its weight times its measure (0 to 1), in hundredths. Where the sum leaves 0
        to 10 the part `cap` brings it back, so that parts always add up. 5.0 and up makes a key change.
    Misses: what only the code shows. A line that corrupts data weighs as one line. Titles without a kind start from
        what the files say, and coreness needs a history. Reviews that are not cached add nothing, so that repositories
        with and without them are not compared by single points.
    Source: this project's own; the order of the weights was checked against published weekly reports on one project
        (`benchmarks/bench_ranking.py`), no weight was fitted to single pull requests.
    Example: a feature (4.02) of 100 new source lines (size 1.75 x log 101 / log 501 = 1.30) in one folder nobody had
        touched before, as one new file (new ground 0.35 x (1/4 + 1/2) / 2 = 0.13), has 5.45: a key change.

    Args:
        changes: as for `measures`.
        weights: points that differ from DEFAULT_WEIGHTS.

    Returns:
        One row per pull request, same index: importance (0 to 10), and one column for each of PARTS.

    Raises:
        MergeWindowError: a weight has an unknown name.
    """
    return scoring.add_up(measures(changes), scoring.weights_of(DEFAULT_WEIGHTS, weights), "importance")
