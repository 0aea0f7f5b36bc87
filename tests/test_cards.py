"""The Overview's cards: which are shown, what they count, and how they compare."""

from datetime import date, timedelta

import pandas as pd

from dashboard.cards import cards
from dashboard.words import Words

EN = Words("en")
TOTALS = {"breaking": 1, "key": 2, "median_lead_time_hours": 22.0, "median_first_review_hours": 4.0}


def make_pulls(**columns: list) -> pd.DataFrame:
    """Three merged pull requests of which everything is known."""
    known = {
        "lead_time_hours": [10.0, 22.0, 40.0],
        "first_review_hours": [1.0, 4.0, 9.0],
        "touches_source": [True, True, False],
        "tier": [1.0, 3.0, 4.0],
    }
    frame = pd.DataFrame(known | columns)
    return frame.astype({"touches_source": "boolean"})


def make_history(merged: list[int], **columns: list) -> pd.DataFrame:
    """Weeks that merged so many."""
    n = len(merged)
    weeks = [date(2026, 5, 4) - timedelta(weeks=n - 1 - back) for back in range(n)]
    return pd.DataFrame(
        {
            "since": weeks,
            "merged": merged,
            "key": [2] * n,
            "breaking": [1] * n,
            "elevated": [2] * n,
            "source_changes": [4] * n,
            "missing_tests": [1] * n,
            "median_lead_time_hours": [22.0] * n,
            "median_first_review_hours": [4.0] * n,
        }
        | columns
    )


def made(pulls: pd.DataFrame, history: pd.DataFrame, *, knows_before: bool = True) -> dict:
    found = cards(pulls, TOTALS, history, base="main", knows_before=knows_before, words=EN)
    return {card.name: card for card in found}


def test_the_first_six_known_measures_have_a_card():
    assert list(made(make_pulls(), make_history([5, 3]))) == [
        "merged",
        "lead_time",
        "first_review",
        "missing_tests",
        "elevated",
        "breaking",
    ]


def test_elevated_risk_counts_tier_three_and_up_and_leads_to_their_list():
    card = made(make_pulls(), make_history([5, 3], elevated=[3, 2]))["elevated"]
    assert (card.value, card.n_pulls, card.filters) == ("2", 2, {"tier": ["3", "4"]})
    assert (card.change.arrow, card.change.colour, card.course) == ("down", "blue", [3.0, 2.0])


def test_what_nothing_is_known_of_has_no_card():
    unknown = make_pulls(
        lead_time_hours=[float("nan")] * 3,
        first_review_hours=[float("nan")] * 3,
        touches_source=[None] * 3,
        tier=[float("nan")] * 3,
    )
    assert list(made(unknown, make_history([5, 3]))) == ["merged", "breaking", "key"]


def test_a_median_leads_to_the_pull_requests_it_is_made_of():
    partly = make_pulls(lead_time_hours=[10.0, None, 40.0])
    found = made(partly, make_history([5, 3]))
    assert (found["lead_time"].filters, found["lead_time"].n_pulls) == ({"only": ["timed"]}, 2)
    assert (found["first_review"].filters, found["first_review"].n_pulls) == ({}, 3)


def test_missing_tests_counts_where_the_rule_fired_and_leads_there():
    card = made(make_pulls(), make_history([5, 3], missing_tests=[1, 2]))["missing_tests"]
    assert (card.value, card.n_pulls, card.filters) == ("2", 2, {"rule": ["missing-tests"]})
    assert (card.change.arrow, card.change.colour, card.course) == ("up", "orange", [1.0, 2.0])


def test_more_merges_are_neither_good_nor_bad():
    change = made(make_pulls(), make_history([1, 3]))["merged"].change
    assert (change.text, change.arrow, change.colour) == ("+2", "up", "gray")


def test_an_unknown_period_before_is_no_comparison():
    assert made(make_pulls(), make_history([1, 3]), knows_before=False)["merged"].change.text == "no data"


def test_one_window_makes_no_course():
    assert made(make_pulls(), make_history([3]))["merged"].course == []
    assert made(make_pulls(), make_history([1, 2, 3]))["merged"].course == [1.0, 2.0, 3.0]
