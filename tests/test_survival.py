"""Time to merge with the open ones counted."""

from datetime import date

import numpy as np
import pandas as pd
import pytest
from flow_frames import make_pulls
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import survival
from analysis.window import Window

NOW = "2026-03-10T00:00:00Z"
MARCH = Window(date(2026, 3, 2), date(2026, 3, 15))


def opened(hours, **end):
    """A pull request that is `hours` old, and ended so many hours after opening."""
    start = pd.Timestamp(NOW) - pd.Timedelta(hours=hours)
    moments = {name: (start + pd.Timedelta(hours=after)).strftime("%Y-%m-%dT%H:%M:%SZ") for name, after in end.items()}
    return {"created": start.strftime("%Y-%m-%dT%H:%M:%SZ")} | moments


EXAMPLE = [opened(50, merged=1), opened(50, merged=2), opened(50, merged=4), opened(50, closed=3), opened(5)]


def read(pulls, **more):
    return survival.by_column(pulls.assign(all="all"), "all", as_of=NOW, **more).iloc[0].to_dict()


def test_the_worked_example_of_the_documentation():
    curve = survival.survival(make_pulls(*EXAMPLE), as_of=NOW)
    assert curve["hours"].tolist() == [1, 2, 3, 4, 5]
    assert curve["n_at_risk"].tolist() == [5, 4, 3, 2, 1]
    assert curve["unmerged_share"].tolist() == pytest.approx([0.8, 0.6, 0.6, 0.3, 0.3])
    assert curve["merged_share"].tolist() == pytest.approx([0.2, 0.4, 0.4, 0.6, 0.6])
    assert read(make_pulls(*EXAMPLE))["median_hours_to_merge"] == 4


def test_without_open_and_closed_ones_it_is_the_plain_distribution():
    pulls = make_pulls(*(opened(500, merged=hours) for hours in range(1, 21)))
    curve = survival.survival(pulls, as_of=NOW)
    assert np.allclose(curve["unmerged_share"], 1 - curve["hours"] / 20)
    assert np.allclose(curve["merged_share"], curve["hours"] / 20)
    found = read(pulls)
    assert [found[f"{name}_hours_to_merge"] for name in ("median", "p75", "p90")] == [10, 15, 18]


def test_what_the_curve_does_not_reach_is_unknown():
    pulls = make_pulls(*(opened(500, merged=hours) for hours in range(1, 7)), *[opened(100)] * 4)
    found = read(pulls)
    assert found["median_hours_to_merge"] == 5 and np.isnan(found["p75_hours_to_merge"])
    assert (found["n"], found["n_merged"], found["n_closed"], found["n_open"]) == (10, 6, 0, 4)


def test_of_four_nothing_is_claimed():
    assert np.isnan(read(make_pulls(*EXAMPLE[:4]))["median_hours_to_merge"])


def test_one_that_merges_at_a_time_outlives_one_last_seen_then():
    curve = survival.survival(make_pulls(opened(3), opened(50, merged=3)), as_of=NOW)
    assert (curve["n_at_risk"].tolist(), curve["unmerged_share"].tolist()) == ([2], [0.5])


def test_drafts_do_not_wait_and_time_counts_from_ready():
    pulls = make_pulls(
        opened(50) | {"is_draft": 1},
        opened(50, closed=5) | {"is_draft": 1},
        opened(50, ready=10, merged=12),
        opened(50, merged=7) | {"is_draft": 1},  # by a push
    )
    assert survival.survival(pulls, as_of=NOW)["hours"].tolist() == [2, 7]


def test_as_of_an_earlier_moment_the_later_has_not_happened():
    pulls = make_pulls(opened(50, merged=40), opened(50, closed=41), opened(30), opened(5))
    curve = survival.survival(pulls, as_of="2026-03-09T00:00:00Z")  # 24 hours earlier
    assert curve[["hours", "n_merged", "n_closed", "n_open"]].to_numpy().tolist() == [[6, 0, 0, 1], [26, 0, 0, 2]]


def test_unknown_openings_and_wrong_clocks_are_left_out():
    pulls = make_pulls({"merged": "03-03 09:00"}, {"created": "03-03 09:00", "merged": "03-02 09:00"})
    assert survival.survival(pulls, as_of=NOW).empty


def test_the_newest_cohort_is_immature():
    old = [opened(170, merged=hours) for hours in range(1, 11)]  # on 2026-03-02
    pulls = make_pulls(*old, opened(5), opened(3, merged=1))
    found = survival.by_period(pulls, MARCH.periods("D"), as_of=NOW)
    assert found["n"].tolist() == [10, 0, 0, 0, 0, 0, 0, 2] + [0] * 6
    assert found["is_immature"].tolist() == [False] * 7 + [True] * 7
    assert found["median_hours_to_merge"].fillna(-1).tolist() == [5] + [-1] * 13


def test_where_the_usual_time_is_out_of_sight_cohorts_with_open_ones_are_immature():
    pulls = make_pulls(*(opened(170, merged=hours) for hours in range(1, 6)), *[opened(120)] * 5)
    found = survival.by_period(pulls, MARCH.periods("D"), as_of=NOW)
    assert found["is_immature"].tolist()[:5] == [False, False, False, True, False]


LIVES = st.lists(st.tuples(st.integers(1, 30), st.sampled_from(["merged", "closed", None])), min_size=1, max_size=25)


@settings(max_examples=30, deadline=None)
@given(LIVES)
def test_the_curve_is_the_product_over_everyone_at_risk(lives):
    """By the definition, one time after the other; no two share of merged and closed exceed the whole."""
    pulls = make_pulls(*(opened(age, **({fate: age} if fate else {})) for age, fate in lives))
    curve = survival.survival(pulls, as_of=NOW)
    left, going_on, merged_share = 1.0, 1.0, 0.0
    for row in curve.to_dict("records"):
        at_risk = sum(age >= row["hours"] for age, _ in lives)
        merged = sum((age, fate) == (row["hours"], "merged") for age, fate in lives)
        closed = sum((age, fate) == (row["hours"], "closed") for age, fate in lives)
        left *= 1 - merged / at_risk
        merged_share += going_on * merged / at_risk
        going_on *= 1 - (merged + closed) / at_risk
        assert row["n_at_risk"] == at_risk
        assert (row["unmerged_share"], row["merged_share"]) == pytest.approx((left, merged_share))
    assert (curve["merged_share"] <= 1 - curve["unmerged_share"] + 1e-9).all()
    assert curve[["n_merged", "n_closed", "n_open"]].to_numpy().sum() == len(lives)
