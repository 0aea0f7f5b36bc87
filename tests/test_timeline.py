"""The stages of a pull request, from opened to merged."""

import pandas as pd
import pytest

from dashboard import charts
from dashboard.palette import LIGHT
from dashboard.timeline import Stage, bar, stages
from dashboard.words import Words

MERGED = {"created_at": "2026-05-04T00:00:00Z", "ready_at": None, "merged_at": "2026-05-05T00:00:00Z"}
MERGED |= {"author": "ada", "reviews_known": True}


def reviews(*rows: tuple[str, str, str, str]) -> pd.DataFrame:
    """Each a reviewer, their type, a state and an hour of May 4."""
    frame = pd.DataFrame(rows, columns=["reviewer", "reviewer_type", "state", "submitted_at"])
    return frame.assign(submitted_at=[f"2026-05-04T{hour}:00:00Z" for hour in frame["submitted_at"]])


def test_a_reviewed_change_waits_is_reviewed_and_is_merged_after_the_last_approval():
    found = stages(
        MERGED,
        reviews(("grace", "human", "commented", "06"), ("grace", "human", "approved", "10")),
    )
    assert found == [Stage("waiting", 6.0), Stage("review", 4.0), Stage("merging", 14.0)]


def test_a_draft_is_a_stage_of_its_own():
    found = stages(MERGED | {"ready_at": "2026-05-04T02:00:00Z"}, reviews(("grace", "human", "approved", "06")))
    assert found == [Stage("draft", 2.0), Stage("waiting", 4.0), Stage("merging", 18.0)]


@pytest.mark.parametrize("reviewer", [("ada", "human"), ("lint-bot", "bot")])
def test_reviews_by_the_author_or_a_bot_do_not_count(reviewer):
    assert stages(MERGED, reviews((*reviewer, "approved", "06"))) == [Stage("unreviewed", 24.0)]


def test_without_known_reviews_it_was_just_open():
    assert stages(MERGED | {"reviews_known": False}, reviews()) == [Stage("open", 24.0)]


@pytest.mark.parametrize("missing", ["created_at", "merged_at"])
def test_without_both_ends_there_are_no_stages(missing):
    assert stages(MERGED | {missing: None}, reviews()) == []


def test_the_bar_tells_each_stage_to_those_who_do_not_see_it():
    figure = bar([Stage("waiting", 6.0), Stage("merging", 48.0)], LIGHT, Words("en"))
    assert [trace.x[0] for trace in figure.data] == [6.0, 48.0]
    assert charts.alt(figure) == "From opened to merged: waiting for a review 6 h, approved to merged 2 d."
