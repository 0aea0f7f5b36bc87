"""Which share of what was closed was merged."""

from datetime import date

from flow_frames import make_pulls

from analysis.merge_rate import merge_rate
from analysis.window import Window

WEEKS = Window(date(2026, 3, 2), date(2026, 3, 15)).periods("W")
MERGED = {"created": "02-01 09:00", "merged": "03-03 09:00"}
CLOSED = {"created": "02-01 09:00", "closed": "03-04 09:00"}
OPEN = {"created": "02-01 09:00"}


def test_the_rate_is_of_those_closed_in_the_window():
    other_week = {"created": "03-02 09:00", "closed": "03-09 09:00"}
    found = merge_rate(make_pulls(*[MERGED] * 6, CLOSED, CLOSED, OPEN, other_week), WEEKS)
    assert found[["merged", "closed", "merge_rate"]].fillna(-1).to_numpy().tolist() == [[6, 8, 0.75], [0, 1, -1]]


def test_below_five_there_is_no_rate():
    assert merge_rate(make_pulls(*[MERGED] * 3, CLOSED), WEEKS)["merge_rate"].isna().all()
    assert merge_rate(make_pulls(*[MERGED] * 4, CLOSED), WEEKS)["merge_rate"].tolist()[0] == 0.8


def test_a_cache_of_merges_has_no_rate():
    found = merge_rate(make_pulls(*[MERGED] * 9), WEEKS)
    assert found["merged"].tolist() == [9, 0] and found[["closed", "merge_rate"]].isna().all(axis=None)
    from_git = {"merged": "03-02 09:00"}  # in the first week, whose other closings git does not tell
    found = merge_rate(make_pulls(from_git, *[MERGED] * 5, *[CLOSED | {"closed": "03-10 09:00"}] * 5), WEEKS)
    assert found[["closed", "merge_rate"]].fillna(-1).to_numpy().tolist() == [[-1, -1], [5, 0]]


def test_groups_have_rates_of_their_own():
    bots = [each | {"author_type": "bot"} for each in (MERGED, MERGED, MERGED, CLOSED, CLOSED)]
    found = merge_rate(make_pulls(*bots, *[MERGED] * 5), WEEKS[:1], by="author_type")
    assert found.set_index("author_type")["merge_rate"].to_dict() == {"bot": 0.6, "human": 1.0}
