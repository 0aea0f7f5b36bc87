"""Frames as the scores read them: one row per pull request, about which nothing speaks but what a test says."""

from typing import Any

import pandas as pd
from hypothesis import strategies as st

from analysis.kinds import KINDS

FLAGS = (
    *("is_breaking", "removes", "reverts", "repairs", "is_bot", "is_bump", "docs_only", "touches_interface"),
    *("touches_dependency", "touches_container", "touches_ci", "touches_config", "touches_tests", "says_design"),
)
COUNTS = (
    *("added", "deleted", "n_modules", "n_folders", "n_new_files", "n_new_folders", "prose_length"),
    *("n_reviews", "n_comments", "n_threads"),
)
QUIET = {
    "kind": "chore",
    "series_part": None,
    "coreness": 0.0,
    "measured": 0.0,
    **dict.fromkeys(FLAGS, False),
    **dict.fromkeys(COUNTS, 0.0),
    **dict.fromkeys(("n_reviews", "n_comments", "n_threads"), float("nan")),
}
FACTS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(KINDS),
        "series_part": st.none() | st.just("2/3"),
        "coreness": st.floats(0, 1),
        "measured": st.floats(0, 1),
        **dict.fromkeys(FLAGS, st.booleans()),
        **dict.fromkeys(COUNTS, st.floats(0, 1e6)),
    }
)


def changes(*facts: dict[str, Any]) -> pd.DataFrame:
    """One row per dictionary of facts."""
    return pd.DataFrame([QUIET | each for each in facts], columns=list(QUIET))
