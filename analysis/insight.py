"""How much there is to learn from a pull request, 0 to 10, as named parts."""

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis import scoring
from analysis.kinds import KINDS
from analysis.scoring import log_share, share

# Points of each part where its measure is full. A kind's points are where every change starts from.
DEFAULT_WEIGHTS: Mapping[str, float] = {
    "kind_perf": 1.8,
    "kind_feat": 1.6,
    "kind_refactor": 1.4,
    "kind_fix": 1.4,
    "kind_revert": 1.4,
    "kind_other": 1.2,
    "kind_test": 1.0,
    "kind_docs": 0.8,
    "kind_build": 0.8,
    "kind_ci": 0.8,
    "kind_chore": 0.8,
    "explanation": 3.0,
    "discussion": 2.0,
    "measured": 1.5,
    "new_ground": 1.2,
    "depth": 1.5,
    "breadth": 1.0,
    "design": 0.8,
    "tests": 0.4,
    "story": 0.8,
    "bot": -2.0,
}
PARTS = scoring.parts_of(DEFAULT_WEIGHTS)

FULL_PROSE, LITTLE_PROSE = 1500, 60  # letters
FULL_DEPTH, FULL_MODULES, FULL_FOLDERS = 500, 4, 6  # depth in weighted lines (`sizes.LINES_COUNT`)
_NUMBERS = (
    *("is_bot", "reverts", "repairs", "touches_tests", "says_design", "added", "deleted", "n_modules", "n_folders"),
    *("n_new_files", "n_new_folders", "prose_length", "measured", "n_reviews", "n_comments", "n_threads"),
)
# Every text that has a word of _DESIGN holds one of these; to look for them is quicker.
_HINTS = (
    *"rfc RFC ADR arxiv arXiv esign roposal rchitect radeoff rade-off otivation lternative ationale ortem".split(),
    *"设计 架构 动机 根因 权衡 论文".split(),
    "oot cause",
)
_DESIGN = re.compile(
    r"\b(?:rfc|design (?:doc\w*|decisions?|notes?|choices?)|proposal|architecture|trade-?offs?|motivation|root cause"
    r"|alternatives?|rationale|arxiv|adr|post-?mortem)\b|设计文档|设计方案|方案设计|架构|动机|根因|权衡|论文",
    re.IGNORECASE,
)


def measures(changes: pd.DataFrame) -> pd.DataFrame:
    """What each weight is multiplied with, 0 to 1, by what is known of the changes.

    Args:
        changes: one row per pull request, unknown numbers NaN, unknown flags NA: kind, is_bot, reverts (it takes out or
            brings back another), repairs (it repairs an earlier one), series_part (or None), added, deleted (weighted
            lines, `sizes.sizes`), n_modules, n_folders, n_new_files, n_new_folders, touches_tests, prose_length
            (letters, `prose.length`), says_design (`says_design`), measured (0 to 1, `measured.measured`),
            n_reviews, n_comments, n_threads.

    Returns:
        One row per pull request, same index, one column per weight.
    """
    kind, known = changes["kind"].to_numpy(dtype=object), scoring.numbers(changes, _NUMBERS)
    by_person = 1 - known["is_bot"]
    modules, folders = share(known["n_modules"], FULL_MODULES, 1), share(known["n_folders"], FULL_FOLDERS, 1)
    is_story = changes["series_part"].notna().to_numpy() | (known["reverts"] + known["repairs"] > 0)
    columns = {
        **{f"kind_{name}": (kind == name).astype(float) for name in KINDS},
        "explanation": log_share(known["prose_length"], FULL_PROSE, LITTLE_PROSE) * by_person,
        "discussion": scoring.talk(known),
        "measured": known["measured"] * by_person,
        "new_ground": scoring.new_ground(known),
        "depth": log_share(known["added"] + known["deleted"] / 2, FULL_DEPTH),
        "breadth": (modules + folders) / 2,
        "design": known["says_design"] * by_person,
        "tests": known["touches_tests"],
        "story": is_story.astype(float),
        "bot": known["is_bot"],
    }
    return pd.DataFrame(
        np.column_stack([columns[name] for name in DEFAULT_WEIGHTS]), changes.index, list(DEFAULT_WEIGHTS)
    )


def score(changes: pd.DataFrame, weights: Mapping[str, float] | None = None) -> pd.DataFrame:
    """How much is there to learn from each pull request, and why?

    Formula: the sum of named parts, each its weight times its measure (0 to 1), in hundredths: what its author explains
        (letters of own prose, by their logarithm), what was said about it, results that were measured, new files and
        folders, how much code and how wide, words of a design, tests that come along, and whether it is one of a story
        (a series, a revert, a repair). Where the sum leaves 0 to 10 the part `cap` brings it back.
    Misses: whether the text is any good, and what is explained elsewhere (an issue, a linked page). Reviews that are
        not cached add nothing, so that repositories with and without them are not compared by single points. Text of
        bots does not count, text that a model wrote for a person does.
    Source: this project's own.
    Example: a fix (1.4) of 30 source lines (depth 1.5 x log 31 / log 501 = 0.83) with tests (0.4) whose author wrote
        600 letters (explanation 3.0 x (log 601 - log 61) / (log 1501 - log 61) = 2.14) has 4.77.

    Args:
        changes: as for `measures`.
        weights: points that differ from DEFAULT_WEIGHTS.

    Returns:
        One row per pull request, same index: insight (0 to 10), and one column for each of PARTS.

    Raises:
        MergeWindowError: a weight has an unknown name.
    """
    return scoring.add_up(measures(changes), scoring.weights_of(DEFAULT_WEIGHTS, weights), "insight")


def says_design(prose: str) -> bool:
    """Whether a text gives reasons: a design, alternatives, a root cause, a paper."""
    return any(map(prose.__contains__, _HINTS)) and _DESIGN.search(prose) is not None
