"""What holds for every metric of flow: order, emptiness and unknown columns change nothing, no input is changed."""

from datetime import date

import numpy as np
import pandas as pd
import pytest
from caches import sample_cache
from flow_frames import from_cache, shuffled

from analysis.backlog import backlog
from analysis.draft_time import DRAFT, READY, draft_time
from analysis.first_review import first_review
from analysis.flow import per_pull
from analysis.lead_time import lead_time, stages
from analysis.merge_rate import merge_rate
from analysis.review_rounds import review_rounds
from analysis.spread import by_column, by_period, share_by_period
from analysis.survival import by_column as survival_by_column
from analysis.survival import by_period as survival_by_period
from analysis.survival import survival
from analysis.window import Window
from analysis.working_time import Calendar, acts
from data import cache

NOW = "2026-06-28T22:16:22Z"
WEEKS = Window(date(2026, 4, 1), date(2026, 6, 30), "Asia/Shanghai").periods("W")

METRICS = {
    "lead_time": lead_time,
    "stages": lambda *frames: stages(lead_time(*frames)),
    "first_review": lambda pulls, reviews, events: first_review(pulls, reviews),
    "review_rounds": review_rounds,
    "draft_time": lambda pulls, reviews, events: draft_time(pulls, events, as_of=NOW),
    "backlog": lambda pulls, reviews, events: backlog(pulls, events, WEEKS, as_of=NOW),
    "backlog_by": lambda pulls, reviews, events: backlog(pulls, events, WEEKS, as_of=NOW, by="author_type"),
    "survival": lambda pulls, reviews, events: survival(pulls, as_of=NOW),
    "survival_by_column": lambda pulls, reviews, events: survival_by_column(pulls, "author_type", as_of=NOW),
    "survival_by_period": lambda pulls, reviews, events: survival_by_period(pulls, WEEKS, as_of=NOW),
    "merge_rate": lambda pulls, reviews, events: merge_rate(pulls, WEEKS),
    "merge_rate_by": lambda pulls, reviews, events: merge_rate(pulls, WEEKS, by="author_type"),
    "acts": lambda pulls, reviews, events: acts(pulls, reviews, calendar=Calendar()),
    "per_pull": lambda *frames: per_pull(*frames, calendar=Calendar()),
    "by_column": lambda *frames: by_column(stages(lead_time(*frames)), "stage", value="hours"),
    "by_period": lambda *frames: by_period(
        stages(lead_time(*frames)), WEEKS, at="merged_at", value="hours", by="stage"
    ),
    "share_by_period": lambda pulls, reviews, events: share_by_period(
        acts(pulls, reviews, calendar=Calendar()), WEEKS, at="at", flag="is_weekend", by="act"
    ),
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The sample's pull requests; as it has no events, some are made up."""
    with cache.reading(sample_cache(tmp_path_factory.mktemp("flow"))) as connection:
        pulls, reviews, _ = from_cache(connection)
    pulls = pulls.assign(events_known=1.0)
    kinds = np.array([READY, DRAFT, READY, "force_pushed", "closed", "reopened"])
    made = pulls.loc[pulls.index.repeat(6), ["pull_id"]].assign(seq=np.tile(np.arange(6), len(pulls)))
    at = pd.to_datetime(pulls["created_at"].repeat(6)) + pd.to_timedelta(made["seq"] * 2, unit="h")
    made = made.assign(kind=kinds[made["seq"]], at=at.dt.strftime("%Y-%m-%dT%H:%M:%SZ"))
    return pulls, reviews, made[made["pull_id"] % 3 == 0].reset_index(drop=True)


@pytest.mark.parametrize("name", METRICS)
def test_the_order_of_rows_changes_nothing_and_the_input_stays_as_it_was(name, sample):
    before = [frame.copy(deep=True) for frame in sample]
    found = METRICS[name](*sample)
    assert not found.empty
    pd.testing.assert_frame_equal(METRICS[name](*shuffled(*sample)), found)
    for frame, was in zip(sample, before, strict=True):
        pd.testing.assert_frame_equal(frame, was)


@pytest.mark.parametrize("name", METRICS)
def test_of_nothing_there_is_nothing_with_the_same_columns(name, sample):
    full = METRICS[name](*sample)
    empty = METRICS[name](*(frame.iloc[:0] for frame in sample))
    assert empty.dtypes.to_dict() == full.dtypes.to_dict()
    counts = empty.drop(columns=[column for column in empty if not column.startswith(("n", "opened", "merged"))])
    assert not counts.select_dtypes("number").fillna(0).any(axis=None)


@pytest.mark.parametrize("name", METRICS)
def test_columns_of_which_nothing_is_known_are_no_trouble(name, sample):
    pulls, reviews, events = sample
    unknown = [
        "author_id",
        "author_type",
        "created_at",
        "ready_at",
        "closed_at",
        "reviews_known",
        "events_known",
        "is_draft",
    ]
    bare = pulls.assign(**dict.fromkeys(unknown)).astype(dict.fromkeys(unknown, object))
    found = METRICS[name](bare, reviews.iloc[:0], events.iloc[:0])
    assert list(found.columns) == list(METRICS[name](*sample).columns)
    assert not [
        column for column in found if "hours" in column and found[column].dtype == float and found[column].any()
    ]
