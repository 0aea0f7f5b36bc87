"""Hours from ready for review to the first review by another person."""

import pandas as pd

from analysis.durations import hours, is_true, moments, started
from data.people import HUMAN

COLUMNS = [
    *("pull_id", "ready_at", "ready_is_assumed", "merged_at"),
    *("first_review_at", "first_review_hours", "is_after_merge"),
]


def first_review(pulls: pd.DataFrame, reviews: pd.DataFrame) -> pd.DataFrame:
    """How long did each pull request wait for its first review?

    Formula: first review by a person other than the author, at or after the moment it was ready for review (the last
        time; opened, if never a draft or unknown), minus that moment.
    Misses: what is said in comments outside reviews, reviews given while it was still a draft, reviews by bots and by
        deleted accounts. A review that came only after the merge counts, and is marked. Pull requests that nobody has
        reviewed have no hours: a window of new ones looks quicker than it will turn out to be.
    Source: CHAOSS, Time to First Response.
    Example: ready Monday 09:00, a bot comments 09:02, the author replies 09:30, a colleague reviews 13:00: 4 hours.

    Args:
        pulls: one row per pull request: pull_id, author_id, created_at, ready_at, merged_at, reviews_known,
            events_known.
        reviews: one row per submitted review: pull_id, seq, reviewer_id, reviewer_type, state, submitted_at.

    Returns:
        One row per pull request, by pull_id: pull_id, ready_at (or opened), ready_is_assumed (counted from opening,
        because nobody knows whether it was a draft), merged_at, first_review_at (UTC text), first_review_hours (NaN:
        none, or reviews unknown), is_after_merge (NA where there is none).
    """
    pulls = pulls.sort_values("pull_id", ignore_index=True)
    said = by_others(pulls, reviews)
    first = said[said["at"] >= said["started"]].sort_values(["at", "seq"]).drop_duplicates("pull_id")
    first = first.set_index("pull_id").reindex(pulls["pull_id"]).reset_index()
    is_after_merge = (first["at"] > moments(pulls["merged_at"])).astype("boolean")
    found = pulls.assign(
        ready_at=pulls["ready_at"].fillna(pulls["created_at"]),
        ready_is_assumed=ready_is_assumed(pulls),
        first_review_at=first["submitted_at"].astype("str"),
        first_review_hours=hours(started(pulls), first["at"]),
        is_after_merge=is_after_merge.where(first["at"].notna()),
    )
    return found[COLUMNS]


def by_others(pulls: pd.DataFrame, reviews: pd.DataFrame) -> pd.DataFrame:
    """The reviews that count: by a person other than the author, of pull requests whose reviews are known.

    Args:
        pulls: one row per pull request: pull_id, author_id, created_at, ready_at, reviews_known.
        reviews: one row per submitted review: pull_id, seq, reviewer_id, reviewer_type, state, submitted_at.

    Returns:
        Rows of `reviews` in order of pull request, time and seq, with `at` (when) and `started` (since when it was
        ready) as moments.
    """
    known = pulls.assign(started=started(pulls))[is_true(pulls["reviews_known"])]
    said = reviews.merge(known[["pull_id", "author_id", "started"]], on="pull_id")
    said = said[(said["reviewer_type"] == HUMAN) & (said["reviewer_id"] != said["author_id"])]
    said = said.assign(at=moments(said["submitted_at"])).drop(columns="author_id")
    return said.sort_values(["pull_id", "at", "seq"], ignore_index=True)


def ready_is_assumed(pulls: pd.DataFrame) -> pd.Series:
    """Whether the clock starts at opening only because nobody knows if, and until when, it was a draft."""
    return pulls["ready_at"].isna() & pulls["created_at"].notna() & ~is_true(pulls["events_known"])
