"""How a window's pull requests went from opened to merged: the figures of flow side by side."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.backlog import COUNTS, UNFINISHED, backlog, whole_since
from analysis.draft_time import draft_time
from analysis.first_review import first_review
from analysis.lead_time import STAGES, lead_time
from analysis.merge_rate import merge_rate
from analysis.review_rounds import review_rounds
from analysis.spread import FEW, Summary, summary
from analysis.survival import by_period as survival_by_period
from analysis.window import Window
from analysis.working_calendar import Calendar
from analysis.working_time import MERGED, REVIEWED, acts, when
from data.people import HUMAN

PER_PULL = ["draft_hours", "review_rounds", "is_reviewed", "is_out_of_hours"]


class Share(NamedTuple):
    """Of how many it is known, how many of those it is true of, and that as a share: NaN below five."""

    n: int
    n_true: int
    share: float


class Stock(NamedTuple):
    """What came in, what went out, and what stood open at the end; NaN where unknown."""

    opened: float
    reopened: float
    merged: float
    closed_unmerged: float
    open_at_end: float
    is_unfinished: bool  # counted up to the newest moment that the cache knows only


class TimeToMerge(NamedTuple):
    """Hours to the merge of those that became ready in the window, the open ones counted; NaN below five."""

    n: int
    median: float
    p75: float
    is_immature: bool  # too young to be compared with other windows


@dataclass(frozen=True)
class Flow:
    """The figures of flow of a window: of the pull requests merged in it, where nothing else is said."""

    lead_time: Summary  # hours
    n_ready_assumed: int  # of those, how many are counted from opening because nobody knows if they were drafts
    stages: dict[str, Summary]  # hours, by the names of `lead_time.STAGES`
    draft_time: Summary  # hours
    first_review: Summary  # hours
    review_rounds: Summary
    unreviewed: Share
    assisted: Share
    merges_out_of_hours: Share
    merges_on_weekends: Share
    reviews_out_of_hours: Share  # of the reviews that people gave them
    reviews_on_weekends: Share
    merge_rate: float  # of all that ended in the window; NaN where unknown and below five
    stock: Stock  # of all pull requests
    time_to_merge: TimeToMerge


NOTHING, NONE_OF_NONE = Summary(0, np.nan, np.nan, np.nan), Share(0, 0, np.nan)
UNKNOWN = Flow(
    lead_time=NOTHING,
    n_ready_assumed=0,
    stages=dict.fromkeys(STAGES, NOTHING),
    draft_time=NOTHING,
    first_review=NOTHING,
    review_rounds=NOTHING,
    unreviewed=NONE_OF_NONE,
    assisted=NONE_OF_NONE,
    merges_out_of_hours=NONE_OF_NONE,
    merges_on_weekends=NONE_OF_NONE,
    reviews_out_of_hours=NONE_OF_NONE,
    reviews_on_weekends=NONE_OF_NONE,
    merge_rate=np.nan,
    stock=Stock(np.nan, np.nan, np.nan, np.nan, np.nan, False),
    time_to_merge=TimeToMerge(0, np.nan, np.nan, False),
)


def per_pull(pulls: pd.DataFrame, reviews: pd.DataFrame, events: pd.DataFrame, *, calendar: Calendar) -> pd.DataFrame:
    """What does each merged pull request add to the figures of flow that trends and comparisons show?

    Args:
        pulls: one row per merged pull request, as `queries.flow_rows`.
        reviews: likewise.
        events: likewise.
        calendar: when the team works.

    Returns:
        One row per pull request, by pull_id: pull_id, draft_hours, review_rounds, is_reviewed (before the merge),
        is_out_of_hours (the merge). NaN and NA where unknown.
    """
    timed = lead_time(pulls, reviews, events)
    return timed.assign(
        review_rounds=review_rounds(pulls, reviews, events)["review_rounds"],
        is_out_of_hours=when(timed["merged_at"], calendar=calendar)["is_out_of_hours"],
    )[["pull_id", *PER_PULL]]


def flow(
    merged: dict[str, pd.DataFrame],
    stock: dict[str, pd.DataFrame],
    window: Window,
    *,
    calendar: Calendar,
    as_of: str,
    known_since: str | None,
) -> Flow:
    """How did the window's pull requests get from opened to merged, and what was left open at its end?

    Args:
        merged: `pulls`, `reviews` and `events` of those merged in the window, as `queries.flow_rows`.
        stock: `pulls` and `events` of all, as `queries.flow_stock`.
        window: the window.
        calendar: when the team works.
        as_of: the newest moment that the cache knows anything about (UTC text).
        known_since: pull requests opened before it are not cached; None: all are.
    """
    pulls, reviews, events = (merged[name] for name in ("pulls", "reviews", "events"))
    timed = lead_time(pulls, reviews, events)
    done = acts(pulls, reviews, calendar=calendar)
    merges = done[done["act"] == MERGED]
    said = done[(done["act"] == REVIEWED) & (done["actor_type"] == HUMAN)]
    return Flow(
        lead_time=summary(timed["lead_time_hours"]),
        n_ready_assumed=int((timed["ready_is_assumed"] & timed["lead_time_hours"].notna()).sum()),
        stages={stage: summary(timed[f"{stage}_hours"]) for stage in STAGES},
        draft_time=summary(draft_time(pulls, events)["draft_hours"]),
        first_review=summary(first_review(pulls, reviews)["first_review_hours"]),
        review_rounds=summary(review_rounds(pulls, reviews, events)["review_rounds"]),
        unreviewed=share(~timed["is_reviewed"]),
        assisted=share(pulls["is_assisted"]),
        merges_out_of_hours=share(merges["is_out_of_hours"]),
        merges_on_weekends=share(merges["is_weekend"]),
        reviews_out_of_hours=share(said["is_out_of_hours"]),
        reviews_on_weekends=share(said["is_weekend"]),
        merge_rate=float(merge_rate(stock["pulls"], [window])["merge_rate"].iloc[0]),
        stock=_stock(stock, window, as_of, known_since),
        time_to_merge=_time_to_merge(stock["pulls"], window, as_of),
    )


def share(flags: pd.Series) -> Share:
    """Of how many rows is a flag known, and of which share of those is it true?"""
    known = flags.dropna().astype(bool)
    n_true = int(known.sum())
    return Share(len(known), n_true, n_true / len(known) if len(known) >= FEW else np.nan)


def _stock(stock: dict[str, pd.DataFrame], window: Window, as_of: str, known_since: str | None) -> Stock:
    counts = backlog(stock["pulls"], stock["events"], [window], as_of=as_of, known_since=known_since).iloc[0]
    return Stock(**{name: float(counts[name]) for name in COUNTS}, is_unfinished=bool(counts[UNFINISHED]))


def _time_to_merge(pulls: pd.DataFrame, window: Window, as_of: str) -> TimeToMerge:
    """Nothing is claimed where only merges are cached: none would be left to be counted in."""
    if whole_since(pulls) > window.start:
        return UNKNOWN.time_to_merge
    found = survival_by_period(pulls, [window], as_of=as_of).iloc[0]
    median, p75 = (float(found[f"{name}_hours_to_merge"]) for name in ("median", "p75"))
    return TimeToMerge(int(found["n"]), median, p75, bool(found["is_immature"]))
