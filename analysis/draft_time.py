"""Hours that each pull request spent as a draft."""

import pandas as pd

from analysis.durations import is_true, moments, of_each

READY, DRAFT = "ready_for_review", "converted_to_draft"


def draft_time(pulls: pd.DataFrame, events: pd.DataFrame, *, as_of: str | None = None) -> pd.DataFrame:
    """How long was each pull request a draft, all spells together?

    Formula: the sum of its spells as a draft. The first begins with its opening if the first change of its draft state
        was to get ready; the last ends with the merge or the closing, or, for one still open, with `as_of`.
    Misses: needs the events of the pull request; where they are not cached, as after an import from git or from a `gh`
        export, the time is unknown. It says nothing of work before the pull request was opened.
    Source: GitHub's events ReadyForReview and ConvertToDraft.
    Example: opened as draft at 09:00, ready 10:00, draft again 12:00, ready 15:00, merged 18:00: two spells of 1 and 3
        hours, 4 in all; its lead time counts from 15:00.

    Args:
        pulls: one row per pull request: pull_id, created_at, merged_at, closed_at, is_draft, events_known.
        events: one row per event: pull_id, seq, kind, at.
        as_of: until when those still open are counted (UTC text); None: unknown for those that are drafts now.

    Returns:
        One row per pull request, by pull_id: pull_id, draft_hours, n_draft_spells (NaN where unknown, or where a clock
        was wrong; 0 for one that never was a draft).
    """
    pulls = pulls.sort_values("pull_id", ignore_index=True)
    ends = moments(pulls["merged_at"]).fillna(moments(pulls["closed_at"]))
    if as_of is not None:
        ends = ends.fillna(pd.Timestamp(as_of))
    lives = pd.DataFrame({"pull_id": pulls["pull_id"], "opened": moments(pulls["created_at"]), "end": ends})
    states = _states(pulls, lives, events)
    states["hours"] = (states["until"] - states["at"]).dt.total_seconds() / 3600
    drafts = states[states["is_draft"]]
    spells = drafts.groupby("pull_id")
    found = pd.DataFrame({"draft_hours": spells["hours"].sum(), "n_draft_spells": spells["begins"].sum()})
    found = found.reindex(pulls["pull_id"], fill_value=0).astype(float).reset_index()
    unclear = drafts.loc[~(drafts["hours"] >= 0), "pull_id"]
    is_known = is_true(pulls["events_known"]) & ~pulls["pull_id"].isin(unclear)
    found.loc[~is_known, ["draft_hours", "n_draft_spells"]] = float("nan")
    return found


def _states(pulls: pd.DataFrame, lives: pd.DataFrame, events: pd.DataFrame) -> pd.DataFrame:
    """One row per stretch between two changes: pull_id, at, until, is_draft, begins (a spell as a draft)."""
    changes = events.loc[events["kind"].isin([READY, DRAFT]), ["pull_id", "seq", "kind", "at"]]
    changes = changes.assign(at=moments(changes["at"]), is_draft=changes["kind"] == DRAFT).merge(lives, on="pull_id")
    changes = changes[~(changes["at"] > changes["end"])].sort_values(["pull_id", "seq"])
    first = changes.drop_duplicates("pull_id").set_index("pull_id")["is_draft"]
    opening = lives.assign(seq=-1, at=lives["opened"], is_draft=is_true(pulls["is_draft"]))
    # How it was opened is told by its first change: one that gets ready must have been a draft.
    opening["is_draft"] = (~of_each(lives["pull_id"], first).astype("boolean")).fillna(opening["is_draft"]).astype(bool)
    states = pd.concat([opening, changes]).sort_values(["pull_id", "seq"], ignore_index=True)
    by_pull = states.groupby("pull_id")
    states["until"] = by_pull["at"].shift(-1).fillna(states["end"])
    states["begins"] = states["is_draft"] & ~is_true(by_pull["is_draft"].shift())
    return states
