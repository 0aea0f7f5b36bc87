"""Hours from ready for review to merged, by stages that add up, and time in draft apart."""

import pandas as pd

from analysis.draft_time import draft_time
from analysis.durations import hours, is_true, moments, of_each, started
from analysis.first_review import by_others, ready_is_assumed

STAGES = ("wait", "review", "approved_to_merged", "unreviewed")
STAGE_COLUMNS = [f"{stage}_hours" for stage in STAGES]
COLUMNS = [
    *("pull_id", "merged_at", "ready_is_assumed", "lead_time_hours", "is_reviewed"),
    *(*STAGE_COLUMNS, "draft_hours", "n_draft_spells"),
]


def lead_time(pulls: pd.DataFrame, reviews: pd.DataFrame, events: pd.DataFrame) -> pd.DataFrame:
    """How long did each pull request take from ready for review to merged, and where did the time go?

    Formula: merged - ready for review (the last time; opened, if never a draft or unknown) = wait (to the first review)
        + review (to the approval, or to the merge where none stood) + approved to merged. Where nobody else had
        reviewed it before the merge, it is one stage, unreviewed. Reviews are those by people other than the author.
        Approved is as on GitHub: somebody's approval stands and nobody's request for changes does; counted is from the
        last time this became so, if it still was so at the merge. What was said while it was a draft counts from the
        moment it was ready, unless something was said later. Time as a draft is told apart.
    Misses: what follows the merge: DORA's lead time for changes runs on to deployment. Where nobody knows whether it
        was a draft, it counts from opening, and is marked. How many approvals a branch asks for is not known. A
        dismissed review has lost what it said. Time closed before being reopened is part of it. The medians of the
        stages do not add up to the median of the whole; the hours of each pull request do.
    Source: CHAOSS, Change Request Duration; stages as in common delivery metrics; approval as GitHub's review decision.
    Example: ready 09:00, changes requested 11:00, approved 14:00, merged 15:00: 6 hours = 2 wait + 3 review + 1
        approved to merged.

    Args:
        pulls: one row per pull request: pull_id, author_id, created_at, ready_at, merged_at, closed_at, is_draft,
            reviews_known, events_known.
        reviews: one row per submitted review: pull_id, seq, reviewer_id, reviewer_type, state, submitted_at.
        events: one row per event: pull_id, seq, kind, at.

    Returns:
        One row per merged pull request, by pull_id: pull_id, merged_at, ready_is_assumed, lead_time_hours (NaN:
        opening unknown, or merged before it by a wrong clock), is_reviewed (NA: unknown), wait_hours, review_hours,
        approved_to_merged_hours, unreviewed_hours (NaN: a stage it did not go through, or unknown), draft_hours,
        n_draft_spells.
    """
    merged = pulls[pulls["merged_at"].notna()].sort_values("pull_id", ignore_index=True)
    said = by_others(merged, reviews).merge(merged[["pull_id", "merged_at"]], on="pull_id")
    said = said[said["at"] <= moments(said["merged_at"])]
    marks = pd.DataFrame({"pull_id": merged["pull_id"], "start": started(merged), "end": moments(merged["merged_at"])})
    marks["first"] = _first(marks, said)
    marks["approved"] = of_each(marks["pull_id"], _approved_since(said))
    # An approval may have come while it was a draft.
    marks["approved"] = marks["approved"].where(~(marks["approved"] < marks["first"]), marks["first"])
    is_known = is_true(merged["reviews_known"])
    found = merged.assign(
        ready_is_assumed=ready_is_assumed(merged),
        lead_time_hours=hours(marks["start"], marks["end"]),
        is_reviewed=merged["pull_id"].isin(said["pull_id"]).astype("boolean").where(is_known),
        **draft_time(merged, events)[["draft_hours", "n_draft_spells"]],
    )
    return found.assign(**_stages(marks, found["lead_time_hours"], is_known))[COLUMNS]


def stages(rows: pd.DataFrame) -> pd.DataFrame:
    """The stages of lead time as rows, to be spread by stage.

    Args:
        rows: as `lead_time` gives them.

    Returns:
        One row per pull request and stage that it went through: pull_id, merged_at, stage (one of STAGES), hours.
    """
    columns = {f"{stage}_hours": stage for stage in STAGES}
    found = rows.rename(columns=columns).melt(["pull_id", "merged_at"], list(STAGES), "stage", "hours")
    return found.dropna(subset="hours").sort_values(["pull_id", "stage"], ignore_index=True)


def _first(marks: pd.DataFrame, said: pd.DataFrame) -> pd.Series:
    """When the wait ended: with the first review since it was ready, else at once if it had been reviewed before."""
    since_ready = said[said["at"] >= said["started"]].groupby("pull_id")["at"].min()
    at_once = marks["start"].where(marks["pull_id"].isin(said["pull_id"]))
    return of_each(marks["pull_id"], since_ready).fillna(at_once)


def _approved_since(said: pd.DataFrame) -> pd.Series:
    """Since when the approval stood that a pull request was merged with, by pull_id; absent where none stood.

    Each reviewer's word stands until the next one: an approval, a request for changes, or a dismissal, which is
    neither; comments change nothing. `said` is in order of time.
    """
    words = said[said["state"] != "commented"]
    before = words.groupby(["pull_id", "reviewer_id"])["state"].shift()
    counts = pd.DataFrame({"pull_id": words["pull_id"], "at": words["at"]})
    for state in ("approved", "changes_requested"):
        step = words["state"].eq(state).astype(int) - before.eq(state).astype(int)
        counts[state] = step.groupby(words["pull_id"]).cumsum()
    counts["is_approved"] = (counts["approved"] > 0) & (counts["changes_requested"] == 0)
    was_approved = is_true(counts.groupby("pull_id")["is_approved"].shift())
    became = counts[counts["is_approved"] & ~was_approved].groupby("pull_id")["at"].last()
    at_the_end = counts.groupby("pull_id")["is_approved"].last()
    return became[at_the_end.reindex(became.index)]


def _stages(marks: pd.DataFrame, lead: pd.Series, is_known: pd.Series) -> pd.DataFrame:
    is_reviewed = marks["first"].notna()
    parts = {
        "wait_hours": hours(marks["start"], marks["first"]),
        "review_hours": hours(marks["first"], marks["approved"].fillna(marks["end"])),
        "approved_to_merged_hours": hours(marks["approved"], marks["end"]),
        "unreviewed_hours": lead.where(~is_reviewed),
    }
    return pd.DataFrame(parts).where(is_known & lead.notna())
