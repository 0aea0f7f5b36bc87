"""Rounds of review."""

import pytest
from flow_frames import ADA, BOB, BOT, CAT, make_events, make_pulls, make_reviews

from analysis.review_rounds import review_rounds

OPENED = {"created": "03-02 09:00"}


def rounds(story, pull=OPENED):
    """`r` is a review by bob, `c` by cat, `a` by the author, `b` by a bot, `p` a force push; one a minute."""
    who = {"r": BOB, "c": CAT, "a": ADA, "b": BOT}
    clocked = [(f"03-02 10:{minute:02d}", mark) for minute, mark in enumerate(story)]
    reviews = make_reviews(*((1, who[mark], "commented", clock) for clock, mark in clocked if mark in who))
    events = make_events(*((1, "force_pushed", clock) for clock, mark in clocked if mark == "p"))
    return review_rounds(make_pulls(pull), reviews, events)["review_rounds"].fillna(-1).tolist()[0]


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        ("", 0),
        ("p", 0),
        ("r", 1),
        ("rcr", 1),
        ("ppr", 1),
        ("rpr", 2),
        ("rprcppr", 3),
        ("rp", 1),
        ("rpapb", 1),
        ("ab", 0),
    ],
)
def test_a_round_is_a_review_after_a_push_and_the_first_is_one(story, expected):
    assert rounds(story) == expected


def test_rounds_are_unknown_where_reviews_are_or_where_pushes_to_a_reviewed_one_are():
    assert rounds("rpr", OPENED | {"reviews_known": None}) == -1
    assert rounds("r", OPENED | {"events_known": None}) == -1
    assert rounds("", OPENED | {"events_known": None}) == 0


def test_what_comes_after_the_end_is_no_round():
    assert rounds("rpr", OPENED | {"merged": "03-02 10:01"}) == 1
    assert rounds("rpr", OPENED | {"closed": "03-02 10:01"}) == 1


def test_review_and_push_in_one_second_are_no_second_round():
    reviews = make_reviews((1, BOB, "commented", "03-02 10:00"), (1, BOB, "approved", "03-02 11:00"))
    events = make_events((1, "force_pushed", "03-02 11:00"))
    assert review_rounds(make_pulls(OPENED), reviews, events)["review_rounds"].tolist() == [1]
