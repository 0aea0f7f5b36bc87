"""Who is new, and who has come back: people by their first merges."""

import pandas as pd

from analysis.window import Window
from data.people import HUMAN

COLUMNS = {
    "author_id": "int64",
    "author": "str",
    "status": "str",
    "n_pulls": "int64",
    "first_merged_at": "str",
    "previous_merged_at": "str",
    "away_days": "float64",
    "cached_since": "str",
    "prs": "object",
}
NEW, RETURNING, REGULAR = "new", "returning", "regular"
AWAY_DAYS = 90  # without a merge, for somebody to be back


def newcomers(pulls: pd.DataFrame, window: Window, *, away_days: int = AWAY_DAYS) -> pd.DataFrame:
    """Who merged for the first time in a window, and who for the first time in a long while?

    Formula: new is who has no merge in this cache before the window; returning is whose last merge before it lies more
        than 90 days before the first one in it; regular are the others. Where the cache does not reach back before the
        window, nobody can be told from the others.
    Misses: everything before the cache begins, which is why `cached_since` belongs beside the word new; commits without
        a pull request, reviews, and co-authors. Bots and deleted accounts are left out. Somebody whose name in git is
        not joined with the account seems new.
    Source: CHAOSS, New Contributors and Inactive Contributors.
    Example: merges on 2 January and 20 April: returning in April, for 108 days lie between.

    Args:
        pulls: one row per merged pull request, from the cache's first to the window's last: pull_id, number, author,
            author_id, author_type, merged_at.
        window: selects by merged_at.
        away_days: days without a merge after which somebody is back.

    Returns:
        One row per person with a merge in the window, new ones first, then returning, then regular ones, each by first
        merge: author_id, author, status (new, returning, regular, or NaN where it can't be told), n_pulls (in the
        window), first_merged_at (in the window), previous_merged_at (before it; NaN if there is none), away_days (days
        between; NaN likewise), cached_since (moment of the first merge in this cache), prs (numbers, sorted).
    """
    cached_since = pulls["merged_at"].min()
    people = pulls[(pulls["author_type"] == HUMAN) & (pulls["merged_at"] < window.end)]
    inside = people["merged_at"] >= window.start
    if not inside.any():
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    now = people[inside].sort_values(["merged_at", "number"]).groupby("author_id")
    found = now.agg(
        author=("author", "last"), n_pulls=("pull_id", "size"), first_merged_at=("merged_at", "first")
    ).assign(
        previous_merged_at=people[~inside].groupby("author_id")["merged_at"].max(),
        prs=now["number"].agg(sorted).astype(object),
        cached_since=cached_since,
    )
    first, previous = (pd.to_datetime(found[f"{which}_merged_at"], utc=True) for which in ("first", "previous"))
    found["away_days"] = (first - previous) / pd.Timedelta(days=1)
    status = pd.Series(REGULAR, index=found.index).mask(found["away_days"] > away_days, RETURNING)
    status = status.mask(previous.isna(), NEW)
    found["status"] = status if pulls["merged_at"].lt(window.start).any() else None
    rank = found["status"].map({NEW: 0, RETURNING: 1, REGULAR: 2})
    found = found.assign(rank=rank).reset_index().sort_values(["rank", "first_merged_at", "author", "author_id"])
    return found[list(COLUMNS)].astype(COLUMNS).reset_index(drop=True)
