"""Who is new, and who has come back."""

from datetime import date

import pandas as pd
import pytest

from analysis.newcomers import COLUMNS, newcomers
from analysis.window import Window

APRIL = Window(date(2026, 4, 1), date(2026, 4, 30))


def make_pulls(*rows):
    """Merged pull requests from (author, merged on), and the author's type where it is no person."""
    ids: dict[str, int] = {}
    return pd.DataFrame(
        [
            {
                "pull_id": number,
                "number": number,
                "author": author,
                "author_id": ids.setdefault(author, len(ids) + 1) if author else None,
                "author_type": kind[0] if kind else "human",
                "merged_at": f"{day}T12:00:00Z",
            }
            for number, (author, day, *kind) in enumerate(rows, 1)
        ]
    )


PULLS = make_pulls(
    ("ada", "2026-01-02"),
    ("bob", "2026-03-20"),
    ("bob", "2026-04-02"),
    ("ada", "2026-04-20"),
    ("cy", "2026-04-10"),
    ("cy", "2026-04-11"),
    ("dependabot", "2026-04-12", "bot"),
    ("ghost", "2026-04-12", "ghost"),
    ("eve", "2026-05-01"),
)


def test_people_are_new_returning_or_regular():
    found = newcomers(PULLS, APRIL)
    assert found[["author", "status", "n_pulls"]].values.tolist() == [
        ["cy", "new", 2],
        ["ada", "returning", 1],
        ["bob", "regular", 1],
    ]
    assert found["away_days"].tolist()[1:] == [108.0, 13.0]
    assert pd.isna(found["away_days"][0]) and pd.isna(found["previous_merged_at"][0])
    assert found["prs"].tolist() == [[5, 6], [4], [3]]
    assert found["cached_since"].unique().tolist() == ["2026-01-02T12:00:00Z"]


@pytest.mark.parametrize(("away_days", "status"), [(107, "returning"), (108, "regular")])
def test_somebody_is_back_after_more_than_the_days_asked_for(away_days, status):
    found = newcomers(PULLS, APRIL, away_days=away_days).set_index("author")
    assert found.loc["ada", "status"] == status


def test_nobody_is_called_new_where_the_cache_begins_with_the_window():
    found = newcomers(PULLS[PULLS["merged_at"] >= APRIL.start], APRIL)
    assert found["author"].tolist() == ["bob", "cy", "ada"]
    assert found["status"].isna().all()


def test_days_are_cut_in_the_zone_of_the_window():
    pulls = make_pulls(("bob", "2026-01-01"), ("ada", "2026-03-31")).assign(
        merged_at=["2026-01-01T00:00:00Z", "2026-03-31T20:00:00Z"]
    )
    assert newcomers(pulls, APRIL).empty
    shanghai = Window(APRIL.since, APRIL.until, "Asia/Shanghai")
    assert newcomers(pulls, shanghai)["author"].tolist() == ["ada"]


def test_two_people_of_one_name_stay_two_and_an_unknown_author_is_nobody():
    pulls = make_pulls(("ada", "2026-03-01"), ("bob", "2026-04-02"), (None, "2026-04-03")).assign(author="ada")
    assert newcomers(pulls, APRIL)["status"].tolist() == ["new"]


def test_the_order_of_rows_changes_nothing_and_nothing_gives_nothing():
    expected = newcomers(PULLS, APRIL)
    pd.testing.assert_frame_equal(newcomers(PULLS.iloc[::-1], APRIL), expected)
    none = newcomers(PULLS.iloc[:0], APRIL)
    assert none.dtypes.astype(str).to_dict() == COLUMNS == expected.dtypes.astype(str).to_dict()
