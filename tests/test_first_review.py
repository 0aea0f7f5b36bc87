"""How long pull requests wait for their first review."""

from flow_frames import ADA, BOB, BOT, CAT, GHOST, make_pulls, make_reviews

from analysis.first_review import first_review


def hours(pulls, reviews):
    return first_review(pulls, reviews)["first_review_hours"].fillna(-1).tolist()


def test_the_author_bots_and_deleted_accounts_do_not_count():
    reviews = make_reviews(
        (1, ADA, "commented", "03-02 09:30"),
        (1, BOT, "commented", "03-02 09:02"),
        (1, GHOST, "approved", "03-02 10:00"),
        (1, CAT, "approved", "03-02 14:00"),
        (1, BOB, "changes_requested", "03-02 13:00"),
    )
    assert hours(make_pulls({"created": "03-02 09:00"}), reviews) == [4.0]


def test_the_clock_starts_when_it_became_ready_the_last_time():
    pulls = make_pulls({"created": "03-02 09:00", "ready": "03-03 09:00"})
    reviews = make_reviews((1, BOB, "commented", "03-02 10:00"), (1, BOB, "approved", "03-03 11:00"))
    assert hours(pulls, reviews) == [2.0]


def test_a_review_in_the_second_of_opening_is_the_first():
    reviews = make_reviews((1, BOB, "commented", "03-02 09:00"), (1, CAT, "commented", "03-02 10:00"))
    assert hours(make_pulls({"created": "03-02 09:00"}), reviews) == [0.0]


def test_none_and_unknown_both_have_no_hours():
    pulls = make_pulls({"created": "03-02 09:00"}, {"created": "03-02 09:00", "reviews_known": None}, {})
    assert (
        hours(pulls, make_reviews((2, BOB, "approved", "03-02 10:00"), (3, BOB, "approved", "03-02 10:00"))) == [-1] * 3
    )


def test_a_review_after_the_merge_counts_and_is_marked():
    pulls = make_pulls({"created": "03-02 09:00", "merged": "03-02 10:00"}, {"created": "03-02 09:00"})
    found = first_review(
        pulls, make_reviews((1, BOB, "commented", "03-02 12:00"), (2, BOB, "commented", "03-02 12:00"))
    )
    assert found["first_review_hours"].tolist() == [3.0, 3.0]
    assert found["is_after_merge"].tolist() == [True, False]
    assert found["first_review_at"].tolist() == ["2026-03-02T12:00:00Z"] * 2


def test_counting_from_opening_for_want_of_events_is_told():
    pulls = make_pulls(
        {"created": "03-02 09:00", "events_known": None},
        {"created": "03-02 09:00", "events_known": 1},
        {"created": "03-02 09:00", "ready": "03-02 10:00", "events_known": None},
        {"events_known": None},
    )
    assert first_review(pulls, make_reviews())["ready_is_assumed"].tolist() == [True, False, False, False]
