"""Figures by day, week and month, to both edges of the range."""

from datetime import date, timedelta

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_totals import make_measures

from analysis import trends
from analysis.window import Window

APRIL = Window(date(2026, 4, 1), date(2026, 4, 30))
ALWAYS = (date(2020, 1, 1), date(2030, 1, 1))


def trend(rows, name="merged", window=APRIL, every="W", known=ALWAYS):
    return trends.trend(rows, name, window, every=every, known=known)


def merged_on(*days, **more):
    return [{"merged_at": f"2026-{day}T12:00:00Z"} | more for day in days]


def test_periods_reach_both_edges_and_the_empty_ones_are_zero():
    found = trend(make_measures(*merged_on("04-15", "04-16", "04-22")))
    assert found["period"].map(str).tolist() == ["2026-03-30", "2026-04-06", "2026-04-13", "2026-04-20", "2026-04-27"]
    assert found["value"].tolist() == [0, 0, 2, 1, 0]


def test_a_period_that_the_range_cuts_counts_its_days_and_is_not_complete():
    found = trend(make_measures(*merged_on("03-31", "04-01", "04-30", "05-01")))
    assert found["value"].tolist() == [1, 0, 0, 0, 1]
    assert found["is_complete"].tolist() == [False, True, True, True, False]
    edges = found.iloc[[0, -1]]
    assert [(str(row.since), str(row.until)) for row in edges.itertuples()] == [
        ("2026-04-01", "2026-04-05"), ("2026-04-27", "2026-04-30")
    ]  # fmt: skip


def test_a_day_ends_at_its_midnight_in_the_zone():
    rows = make_measures({"merged_at": "2026-04-01T15:59:59Z"}, {"merged_at": "2026-04-01T16:00:00Z"})
    day = Window(date(2026, 4, 1), date(2026, 4, 2), "Asia/Shanghai")
    assert trend(rows, window=day, every="D")["value"].tolist() == [1, 1]


def test_what_the_cache_does_not_reach_is_unknown_and_the_week_it_ends_in_is_not_complete():
    rows = make_measures(*merged_on("04-07", "04-15", "04-22"))
    found = trend(rows, known=(date(2026, 4, 7), date(2026, 4, 22)))
    assert found["value"].isna().tolist() == [True, False, False, False, True]
    assert found["is_collected"].tolist() == [False, True, True, True, False]
    assert found["is_complete"].tolist() == [False, False, True, False, False]
    assert trend(rows, known=None)["value"].isna().all()


def test_a_median_is_claimed_from_five_known_values_on_with_its_quartiles():
    rows = make_measures(
        *({"lead_time_hours": hours} | merged_on("04-07")[0] for hours in (1, 2, 3, 4, 100)),
        *({"lead_time_hours": hours} | merged_on("04-14")[0] for hours in (1, 2, 3, 4, None)),
    )
    found = trend(rows, "median_lead_time_hours")
    assert found["n"].tolist() == [0, 5, 4, 0, 0]
    assert found["value"].tolist()[1] == 3 and found["value"].isna().tolist() == [True, False, True, True, True]
    assert found.loc[1, ["p25", "median", "p75"]].tolist() == [2, 3, 4]


def test_without_tests_is_a_share_of_what_touches_source():
    of_source = [{"touches_tests": has} for has in (True, True, False, False, False)]
    rows = make_measures(*of_source, {"touches_source": False, "touches_tests": False}, {"touches_source": None})
    found = trends.figures(rows, "without_tests", [Window(date(2026, 3, 1), date(2026, 3, 31))])
    assert found[["n", "value"]].to_numpy().tolist() == [[5, 0.6]]


def test_counts_of_a_flag_that_nobody_knows_are_unknown_but_zero_where_nothing_was_merged():
    rows = make_measures({"is_key": None}, {"is_key": None})
    windows = [Window(date(2026, 2, 1), date(2026, 2, 28)), Window(date(2026, 3, 1), date(2026, 3, 31))]
    assert trends.figures(rows, "key", windows)["value"].fillna(-1).tolist() == [0, -1]


def test_a_column_that_is_absent_is_unknown():
    assert trend(make_measures(*merged_on(*["04-15"] * 6)), "mean_risk_score")["value"].isna().all()


def test_the_rolling_median_takes_in_complete_weeks_only():
    days = ["04-06"] * 3 + ["04-13"] * 5 + ["04-20"] * 10 + ["04-01", "04-30"] * 50
    found = trend(make_measures(*merged_on(*days)))
    assert found["rolling_median"].fillna(-1).tolist() == [-1, -1, -1, 5, -1]


@pytest.mark.parametrize("every", ["D", "W", "M"])
@pytest.mark.parametrize("name", trends.METRICS)
def test_each_metric_can_be_drawn_of_no_rows_and_of_some(name, every):
    empty, some = (trend(make_measures(*rows), name, every=every) for rows in ([], merged_on("04-15")))
    assert empty.dtypes.to_dict() == some.dtypes.to_dict()
    assert len(empty) == len(some) == len(APRIL.periods(every))


def test_an_unknown_metric_names_those_there_are():
    with pytest.raises(trends.UnknownMetric, match=r"'leadtime'\. Known: merged, authors"):
        trend(make_measures(), "leadtime")


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-5, 40), st.integers(0, 23), st.integers(0, 500)), max_size=25),
    st.sampled_from(["UTC", "Asia/Shanghai", "America/New_York"]),
)
def test_a_window_is_the_sum_of_its_days_weeks_and_months_in_whatever_order_rows_come(merges, tz):
    start = pd.Timestamp("2026-04-01T00:00:00Z")
    rows = make_measures(
        *(
            {"merged_at": (start + timedelta(days=day, hours=hour)).strftime("%Y-%m-%dT%H:%M:%SZ"), "additions": lines}
            for day, hour, lines in merges
        )
    )
    window = Window(date(2026, 4, 3), date(2026, 5, 6), tz)
    for name in ("merged", "additions"):
        [total] = trends.figures(rows, name, [window])["value"]
        for every in "DWM":
            found = trend(rows, name, window, every)
            assert found["value"].sum() == total
            shuffled = rows.sample(frac=1, random_state=5).set_axis(range(100, 100 + len(rows)))
            pd.testing.assert_frame_equal(trend(shuffled, name, window, every), found)
