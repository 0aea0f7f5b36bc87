"""How long pull requests were drafts."""

import pytest
from flow_frames import make_events, make_pulls

from analysis.draft_time import DRAFT, READY, draft_time


def test_draft_ready_draft_ready_sums_both_spells():
    pulls = make_pulls({"created": "03-02 09:00", "ready": "03-02 15:00", "merged": "03-02 18:00"})
    events = make_events((1, READY, "03-02 10:00"), (1, DRAFT, "03-02 12:00"), (1, READY, "03-02 15:00"))
    assert draft_time(pulls, events).iloc[0].tolist() == [1, 4.0, 2.0]


@pytest.mark.parametrize(
    ("pull", "events", "hours", "spells"),
    [
        ({"merged": "03-02 18:00"}, [], 0.0, 0),  # never a draft
        ({"merged": "03-02 18:00", "is_draft": 1}, [], 9.0, 1),  # merged by a push while it was one
        ({"merged": "03-02 18:00"}, [(1, DRAFT, "03-02 10:00"), (1, READY, "03-02 12:00")], 2.0, 1),  # opened ready
        ({"closed": "03-02 18:00", "is_draft": 1}, [(1, DRAFT, "03-02 10:00")], 8.0, 1),  # given up as a draft
        ({"is_draft": 1}, [(1, DRAFT, "03-02 10:00")], 14.0, 1),  # a draft to this day
        ({"merged": "03-02 18:00"}, [(1, READY, "03-02 10:00"), (1, READY, "03-02 12:00")], 1.0, 1),  # told twice
        ({"merged": "03-02 18:00"}, [(1, READY, "03-02 10:00"), (1, DRAFT, "03-02 20:00")], 1.0, 1),  # after the merge
    ],
)
def test_spells_begin_and_end_with_the_pull_request(pull, events, hours, spells):
    pulls = make_pulls({"created": "03-02 09:00"} | pull)
    found = draft_time(pulls, make_events(*events), as_of="2026-03-03T00:00:00Z")
    assert found.iloc[0].tolist() == [1, hours, spells]


@pytest.mark.parametrize(
    ("pull", "events"),
    [
        ({"events_known": None, "ready": "03-02 10:00"}, []),
        ({"created": None}, [(1, READY, "03-02 10:00")]),
        ({}, [(1, READY, "03-02 08:00")]),  # ready before it was opened: a wrong clock
        ({"is_draft": 1}, []),  # until when, nobody said
    ],
)
def test_what_cannot_be_known_is_unknown(pull, events):
    found = draft_time(make_pulls({"created": "03-02 09:00"} | pull), make_events(*events))
    assert found[["draft_hours", "n_draft_spells"]].isna().all(axis=None)
