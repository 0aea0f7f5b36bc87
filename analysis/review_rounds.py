"""How many rounds of review each pull request went through."""

import pandas as pd

from analysis.durations import is_true, moments, of_each
from analysis.first_review import by_others

PUSH = "force_pushed"
COLUMNS = ["pull_id", "merged_at", "review_rounds"]


def review_rounds(pulls: pd.DataFrame, reviews: pd.DataFrame, events: pd.DataFrame) -> pd.DataFrame:
    """How often was each pull request reviewed anew after it had changed?

    Formula: 1 for the first review by a person other than the author, and 1 for each later one that is the first after
        a new push; 0 without review. Only what happened before the merge or the closing counts.
    Misses: of pushes the cache knows only the forced ones, since GitHub keeps no event of the others: where a team adds
        commits instead of rewriting them, rounds are undercounted, so read it as "at least". A force push that only
        moved the branch onto a newer base counts as a change.
    Source: common practice in code review studies, by GitHub's event HeadRefForcePushed.
    Example: review, force push, two reviews, two force pushes, approval: 3 rounds.

    Args:
        pulls: one row per pull request: pull_id, author_id, created_at, ready_at, merged_at, closed_at, reviews_known,
            events_known.
        reviews: one row per submitted review: pull_id, seq, reviewer_id, reviewer_type, state, submitted_at.
        events: one row per event: pull_id, seq, kind, at.

    Returns:
        One row per pull request, by pull_id: pull_id, merged_at, review_rounds (NaN: its reviews are unknown, or it was
        reviewed and its pushes are).
    """
    pulls = pulls.sort_values("pull_id", ignore_index=True)
    ends = pulls.assign(end=moments(pulls["merged_at"]).fillna(moments(pulls["closed_at"])))[["pull_id", "end"]]
    said = by_others(pulls, reviews).merge(ends, on="pull_id")
    said = said[~(said["at"] > said["end"])]
    pushes = events.loc[events["kind"] == PUSH, ["pull_id", "at"]]
    pushes = pushes.assign(at=moments(pushes["at"]), is_push=True)
    story = pd.concat([said[["pull_id", "at"]].assign(is_push=False), pushes])
    # In one second, the review comes first: it can hardly be of what was pushed just then.
    story = story.sort_values(["pull_id", "at", "is_push"])
    story["n_pushes"] = story.groupby("pull_id")["is_push"].cumsum()
    rounds = story[~story["is_push"].astype(bool)].groupby("pull_id")["n_pushes"].nunique()
    found = of_each(pulls["pull_id"], rounds).fillna(0).astype(float)
    is_known = is_true(pulls["reviews_known"]) & (is_true(pulls["events_known"]) | (found == 0))
    return pulls.assign(review_rounds=found.where(is_known))[COLUMNS]
