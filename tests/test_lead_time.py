"""Lead time and its stages."""

from datetime import date

import numpy as np
import pandas as pd
import pytest
from caches import sample_cache
from flow_frames import ADA, BOB, BOT, CAT, GHOST, from_cache, make_events, make_pulls, make_reviews
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import first_review, lead_time, spread
from analysis.lead_time import STAGE_COLUMNS
from analysis.window import Window
from data import cache, queries

NO_REVIEWS, NO_EVENTS = make_reviews(), make_events()


def stages(pull, *reviews, **more):
    """lead time, wait, review, approved to merged, unreviewed; -1 where there is none."""
    pulls = make_pulls({"created": "03-02 09:00", "merged": "03-02 18:00"} | pull)
    found = lead_time.lead_time(
        pulls, make_reviews(*((1, *review) for review in reviews)), more.get("events", NO_EVENTS)
    )
    return found[["lead_time_hours", *STAGE_COLUMNS]].fillna(-1).iloc[0].tolist()


def test_lead_time_starts_when_a_draft_becomes_ready_the_last_time():
    assert stages({"ready": "03-02 15:00"})[0] == 3.0
    assert stages({})[0] == 9.0


def test_the_stages_are_wait_review_and_approved_to_merged():
    assert stages({}, (BOB, "changes_requested", "03-02 11:00"), (BOB, "approved", "03-02 14:00")) == [9, 2, 3, 4, -1]


def test_without_a_review_by_another_person_all_of_it_is_one_stage():
    assert stages({}) == [9, -1, -1, -1, 9]
    before = (ADA, "commented", "03-02 10:00"), (BOT, "approved", "03-02 10:00"), (GHOST, "approved", "03-02 10:00")
    assert stages({}, *before) == [9, -1, -1, -1, 9]
    assert stages({}, (BOB, "approved", "03-02 19:00")) == [9, -1, -1, -1, 9]  # after the merge


def test_a_review_in_the_very_second_of_getting_ready_or_of_the_merge_counts():
    assert stages({}, (BOB, "approved", "03-02 18:00")) == [9, 9, 0, 0, -1]
    assert stages({}, (BOB, "commented", "03-02 09:00"), (CAT, "commented", "03-02 10:00")) == [9, 0, 9, -1, -1]


def test_unknown_reviews_leave_the_stages_unknown_and_the_whole_known():
    assert stages({"reviews_known": None}) == [9, -1, -1, -1, -1]


@pytest.mark.parametrize(
    ("reviews", "approved"),
    [
        ([(BOB, "approved", "10:00"), (CAT, "approved", "12:00")], 8),  # it was approved before the second one
        ([(BOB, "approved", "10:00"), (BOB, "commented", "12:00")], 8),  # a comment takes nothing back
        ([(BOB, "approved", "10:00"), (CAT, "changes_requested", "11:00"), (CAT, "approved", "14:00")], 4),
        ([(BOB, "changes_requested", "10:00"), (CAT, "approved", "11:00"), (BOB, "dismissed", "13:00")], 5),
        ([(BOB, "dismissed", "10:00"), (BOB, "approved", "12:00")], 6),
        ([(BOB, "approved", "10:00"), (CAT, "changes_requested", "11:00")], -1),  # merged over an objection
        ([(BOB, "approved", "10:00"), (BOB, "dismissed", "11:00")], -1),
        ([(BOB, "commented", "10:00"), (ADA, "approved", "11:00"), (BOT, "approved", "12:00")], -1),
    ],
)
def test_it_counts_as_approved_from_the_last_time_it_became_so(reviews, approved):
    _, wait, review, found, unreviewed = stages({}, *((who, state, f"03-02 {clock}") for who, state, clock in reviews))
    assert found == approved
    assert (wait, unreviewed) == (1, -1)
    assert review == 8 - max(approved, 0)


def test_what_was_said_in_draft_counts_from_the_moment_it_was_ready():
    ready = {"ready": "03-02 15:00"}
    assert stages(ready, (BOB, "approved", "03-02 10:00")) == [3, 0, 0, 3, -1]
    assert stages(ready, (BOB, "commented", "03-02 10:00")) == [3, 0, 3, -1, -1]
    later = (BOB, "commented", "03-02 10:00"), (CAT, "approved", "03-02 16:00")
    assert stages(ready, *later) == [3, 1, 0, 2, -1]
    assert stages(ready, (BOB, "approved", "03-02 10:00"), (CAT, "commented", "03-02 16:00")) == [3, 1, 0, 2, -1]


def test_merged_before_it_was_opened_is_a_wrong_clock_and_unknown():
    assert stages({"created": "03-03 09:00"}, (BOB, "approved", "03-02 10:00")) == [-1] * 5
    assert stages({"created": None}) == [-1] * 5


def test_time_as_a_draft_is_told_apart():
    pulls = make_pulls({"created": "03-02 09:00", "ready": "03-02 15:00", "merged": "03-02 18:00"})
    events = make_events(
        (1, "ready_for_review", "03-02 10:00"),
        (1, "converted_to_draft", "03-02 12:00"),
        (1, "ready_for_review", "03-02 15:00"),
    )
    found = lead_time.lead_time(pulls, NO_REVIEWS, events).iloc[0]
    assert (found["lead_time_hours"], found["draft_hours"], found["n_draft_spells"]) == (3, 4, 2)
    assert not found["ready_is_assumed"]


def test_only_merged_pull_requests_have_a_lead_time():
    pulls = make_pulls({"created": "03-02 09:00"}, {"created": "03-02 09:00", "closed": "03-02 10:00"})
    assert lead_time.lead_time(pulls, NO_REVIEWS, NO_EVENTS).empty


MINUTES = st.integers(0, 600)
SAYINGS = st.tuples(
    st.integers(1, 4),
    st.sampled_from([ADA, BOB, CAT, BOT, GHOST]),
    st.sampled_from(["approved", "changes_requested", "commented", "dismissed"]),
    MINUTES,
)


def clock(minutes):
    return f"03-02 {9 + minutes // 60:02d}:{minutes % 60:02d}"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(MINUTES, MINUTES), min_size=4, max_size=4), st.lists(SAYINGS, max_size=12))
def test_whatever_happens_the_stages_add_up(lives, said):
    pulls = make_pulls(*({"created": clock(0), "ready": clock(ready), "merged": clock(end)} for ready, end in lives))
    reviews = make_reviews(*((pull, who, state, clock(minutes)) for pull, who, state, minutes in said))
    found = lead_time.lead_time(pulls, reviews, NO_EVENTS)
    parts, whole = found[STAGE_COLUMNS], found["lead_time_hours"]
    assert np.allclose(parts.sum(axis=1, min_count=1), whole, equal_nan=True)
    assert not (parts < 0).any(axis=None)
    assert parts["unreviewed_hours"].notna().eq(whole.notna() & ~found["is_reviewed"].astype(bool)).all()


def test_the_stages_as_rows_are_spread_by_stage():
    pulls = make_pulls(*[{"created": "03-02 09:00", "merged": "03-02 18:00"}] * 6)
    reviews = make_reviews(*((pull, BOB, "approved", "03-02 11:00") for pull in range(1, 6)))
    rows = lead_time.stages(lead_time.lead_time(pulls, reviews, NO_EVENTS))
    found = spread.by_column(rows, "stage", value="hours").set_index("stage")["median_hours"]
    assert found.to_dict() == pytest.approx(
        {"approved_to_merged": 7, "review": 0, "wait": 2, "unreviewed": np.nan}, nan_ok=True
    )


def test_frames_and_queries_agree_on_every_pull_request_of_the_sample(tmp_path):
    with cache.reading(sample_cache(tmp_path)) as connection:
        pulls, reviews, events = from_cache(connection)
        scope = queries.scope(connection, "acme/orbit", "2000", "2100", base="*", bots=True)
        told = queries.pulls(connection, scope).set_index("pull_id").sort_index()
        every = queries.pulls(connection, scope, pulls["number"].tolist()).set_index("pull_id").sort_index()
    merged = lead_time.lead_time(pulls, reviews, events).set_index("pull_id")
    first = first_review.first_review(pulls, reviews).set_index("pull_id")
    assert len(told) > 1000 and told["lead_time_hours"].notna().any() and every["first_review_hours"].notna().any()
    pd.testing.assert_series_equal(merged["lead_time_hours"], told["lead_time_hours"])
    pd.testing.assert_series_equal(first["first_review_hours"], every["first_review_hours"])
    waited = merged["wait_hours"].dropna()
    assert len(waited) > 900
    both = waited[waited > 0]  # no wait: it had been reviewed as a draft
    pd.testing.assert_series_equal(both, told.loc[both.index, "first_review_hours"], check_names=False)
    window = Window(date(2026, 3, 1), date(2026, 3, 31))
    month = told[(told["merged_at"] >= window.start) & (told["merged_at"] < window.end)]
    (row,) = spread.by_period(merged, [window], at="merged_at", value="lead_time_hours").to_dict("records")
    assert row["n"] == len(month) and row["p90_lead_time_hours"] == month["lead_time_hours"].quantile(0.9)
