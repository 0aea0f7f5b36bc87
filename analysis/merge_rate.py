"""Which share of the pull requests that were closed was merged."""

from collections.abc import Sequence

import pandas as pd

from analysis.backlog import whole_since
from analysis.spread import share_by_period
from analysis.window import Window


def merge_rate(pulls: pd.DataFrame, periods: Sequence[Window], *, by: str | None = None) -> pd.DataFrame:
    """Of the pull requests that came to an end in each period, which share was merged?

    Formula: merged / closed, of those closed in the period, whether by a merge or without one.
    Misses: how long they had been waiting: a clean-up of old ones makes a period look bad. One that was closed and
        reopened counts by its last end only, while `backlog` counts every closing. Unknown where the cache holds only
        merges, as from git or from `gh pr list --state merged`.
    Source: CHAOSS, Change Request Acceptance Ratio.
    Example: 18 merged and 2 closed without a merge: 0.9.

    Args:
        pulls: one row per pull request of any state (several where `by` groups overlap): pull_id, state, created_at,
            merged_at, closed_at.
        periods: in time order, not overlapping.
        by: a column of `pulls` to group by.

    Returns:
        One row per period (and group that ended any): since, until, the column `by`, merged, closed (merged or
        not), merge_rate (0 to 1); the last two are NaN where unknown, the rate also where fewer than five were closed.
    """
    is_over = pulls["merged_at"].notna() | ((pulls["state"] == "closed") & pulls["closed_at"].notna())
    ended = pulls[is_over].assign(
        ended_at=lambda rows: rows["merged_at"].fillna(rows["closed_at"]),
        is_merged=lambda rows: rows["merged_at"].notna(),
    )
    found = share_by_period(ended, periods, at="ended_at", flag="is_merged", by=by)
    known_from = whole_since(pulls)
    is_known = found["since"].map({each.since: each.start >= known_from for each in periods}).astype(bool)
    found = found.rename(columns={"n": "closed", "n_true": "merged", "share": "merge_rate"})
    found[["closed", "merge_rate"]] = found[["closed", "merge_rate"]].astype(float).where(is_known, axis=0)
    groups = [] if by is None else [by]
    return found[["since", "until", *groups, "merged", "closed", "merge_rate"]]
