"""What was argued about, and what stayed open."""

import pandas as pd
from cases import ROWS

from analysis.disputes import disputes, unanswered


def pulls(**more):
    rows = [
        {"pull_id": 1, "number": 12, "title": "Cache the plans", "author_id": 1, "merged_at": "2026-03-04T12:00:00Z"},
        {"pull_id": 2, "number": 15, "title": "Evict from caches", "author_id": 1, "merged_at": "2026-03-05T12:00:00Z"},
        {"pull_id": 3, "number": 16, "title": "Say hello", "author_id": 1, "merged_at": None},
    ]
    return pd.DataFrame([{**row, **more} for row in rows])


def rows(name, *given):
    return pd.DataFrame([{**ROWS[name], **one} for one in given], columns=["pull_id", *ROWS[name]])


THREADS = rows(
    "threads",
    {"pull_id": 1, "path": "app/cache.py", "n_comments": 7},
    {"pull_id": 2, "path": "app/cache.py", "n_comments": 5, "is_resolved": True},
    {"pull_id": 2, "path": "app/plan.py", "n_comments": 2},
    {"pull_id": 3, "path": "app/hello.py", "n_comments": 4},
)
REVIEWS = rows("reviews")


def test_files_and_words_that_long_threads_share_are_the_subjects():
    found = disputes(pulls(), REVIEWS, THREADS).subjects
    assert found[found["kind"] == "file"].drop(columns="kind").to_numpy().tolist() == [
        ["app/cache.py", 2, 12, 1, [12, 15]],
        ["app/hello.py", 1, 4, 1, [16]],
    ]
    terms = found[found["kind"] == "term"]
    assert terms["name"].tolist() == ["app", "cache"]  # "plan" was argued about in one pull request only
    assert terms.set_index("name")["prs"].to_dict() == {"app": [12, 15, 16], "cache": [12, 15]}


def test_open_threads_are_those_of_merged_changes_longest_first():
    found = disputes(pulls(), REVIEWS, THREADS).threads
    assert found.to_numpy().tolist() == [[12, "app/cache.py", 7], [15, "app/plan.py", 2]]


def test_nothing_argued_gives_the_same_columns():
    full, empty = disputes(pulls(), REVIEWS, THREADS), disputes(pulls(), REVIEWS, THREADS[:0])
    assert empty.subjects.empty and empty.threads.empty and empty.requests.empty
    assert empty.subjects.dtypes.equals(full.subjects.dtypes)
    assert empty.threads.dtypes.equals(full.threads.dtypes)


def test_the_order_of_rows_changes_nothing():
    one, other = disputes(pulls(), REVIEWS, THREADS), disputes(pulls()[::-1], REVIEWS, THREADS[::-1])
    pd.testing.assert_frame_equal(one.subjects, other.subjects)
    pd.testing.assert_frame_equal(one.threads, other.threads)


def asked(*words, **more):
    """Reviews of #12 with these states, one a day from 1 March on."""
    given = [
        {"pull_id": 1, "seq": seq, "reviewer_id": 3, "reviewer": "cy", "state": state, **more}
        | {"submitted_at": f"2026-03-0{seq}T12:00:00Z"}
        for seq, state in enumerate(words, start=1)
    ]
    return rows("reviews", *given)


def test_a_request_stands_until_the_same_person_approves_or_it_is_dismissed():
    assert unanswered(pulls(), asked("changes_requested", "commented"))["reviewer"].tolist() == ["cy"]
    assert unanswered(pulls(), asked("approved", "changes_requested"))["submitted_at"].tolist() == [
        "2026-03-02T12:00:00Z"
    ]
    assert unanswered(pulls(), asked("changes_requested", "approved")).empty
    assert unanswered(pulls(), asked("changes_requested", "dismissed")).empty
    another = asked("approved", reviewer_id=4, reviewer="di").assign(seq=9, submitted_at="2026-03-03T12:00:00Z")
    assert len(unanswered(pulls(), pd.concat([asked("changes_requested"), another]))) == 1


def test_requests_of_bots_of_the_author_after_the_merge_or_on_open_changes_do_not_count():
    assert unanswered(pulls(), asked("changes_requested", reviewer_type="bot")).empty
    assert unanswered(pulls(), asked("changes_requested", reviewer_id=1)).empty
    assert unanswered(pulls(merged_at="2026-02-01T12:00:00Z"), asked("changes_requested")).empty
    assert unanswered(pulls(), asked("changes_requested", pull_id=3)).empty


def test_an_answered_and_an_unanswered_request_give_the_same_columns():
    full, empty = unanswered(pulls(), asked("changes_requested")), unanswered(pulls(), asked("approved"))
    assert full.dtypes.equals(empty.dtypes)
    assert unanswered(pulls(), asked("changes_requested", "approved")).dtypes.equals(full.dtypes)


def test_requests_are_told_by_number():
    found = disputes(pulls(), asked("changes_requested"), THREADS).requests
    assert found.to_numpy().tolist() == [[12, "cy", "2026-03-01T12:00:00Z"]]
