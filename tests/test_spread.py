"""How values are spread, by period and by column."""

from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import spread
from analysis.window import Window

SHANGHAI = Window(date(2026, 4, 20), date(2026, 5, 10), "Asia/Shanghai")


def test_five_values_are_summed_up_and_four_are_only_counted():
    assert spread.summary(pd.Series([1, 2, 3, 4, 100, None])) == (5, 3.0, 4.0, pytest.approx(61.6))
    n, *claims = spread.summary(pd.Series([1.0, 2, 3, 4, np.nan]))
    assert n == 4 and np.isnan(claims).all()
    assert spread.summary(pd.Series([], dtype=object)).n == 0


@given(st.lists(st.floats(0, 1e6), min_size=5))
def test_percentiles_never_fall(values):
    n, median, p75, p90 = spread.summary(pd.Series(values))
    assert n == len(values) and min(values) <= median <= p75 <= p90 <= max(values)


def test_by_column_gives_the_same_as_each_group_alone_and_keeps_the_unknown():
    rows = pd.DataFrame({"kind": ["fix"] * 5 + ["feat"] * 7 + [None], "hours": [*range(12), 5.0]})
    found = spread.by_column(rows, "kind", value="hours")
    assert found["kind"].fillna("?").tolist() == ["feat", "fix", "?"]
    assert list(found.columns) == ["kind", "n", "median_hours", "p75_hours", "p90_hours"]
    assert found.iloc[0, 1:].tolist() == list(spread.summary(rows.loc[rows["kind"] == "feat", "hours"]))


def test_a_moment_on_the_edge_lies_in_one_local_day_only():
    days = SHANGHAI.periods("D")
    moments = pd.Series(["2026-04-26T15:59:59Z", "2026-04-26T16:00:00Z", "2026-04-19T15:59:59Z", None])
    places = spread.period_of_each(moments, days)
    assert [str(days[place].since) if place >= 0 else None for place in places] == [
        "2026-04-26",
        "2026-04-27",
        None,
        None,
    ]


def test_periods_need_not_adjoin():
    weeks = SHANGHAI.periods("W")
    moments = pd.Series(["2026-04-21T00:00:00Z", "2026-04-28T00:00:00Z", "2026-05-05T00:00:00Z"])
    assert spread.period_of_each(moments, [weeks[0], weeks[2]]).tolist() == [0, -1, 1]


def test_empty_periods_stand_at_both_edges():
    rows = pd.DataFrame({"at": ["2026-04-29T10:00:00Z"] * 5, "hours": [1.0, 2, 3, 4, 5], "kind": "fix"})
    found = spread.by_period(rows, SHANGHAI.periods("W"), at="at", value="hours")
    assert found["since"].tolist() == [date(2026, 4, 20), date(2026, 4, 27), date(2026, 5, 4)]
    assert found["n"].tolist() == [0, 5, 0]
    assert found["median_hours"].fillna(-1).tolist() == [-1, 3, -1]
    grouped = spread.by_period(rows, SHANGHAI.periods("W"), at="at", value="hours", by="kind")
    assert grouped["kind"].tolist() == ["fix"] * 3 and grouped["n"].tolist() == [0, 5, 0]


def test_the_unknown_is_a_group_in_each_period():
    rows = pd.DataFrame({"at": ["2026-04-29T10:00:00Z"] * 3, "hours": 1.0, "kind": ["fix", None, None]})
    found = spread.by_period(rows, SHANGHAI.periods("W"), at="at", value="hours", by="kind")
    assert found["kind"].fillna("?").tolist() == ["fix", "?"] * 3
    assert found["n"].tolist() == [0, 0, 1, 2, 0, 0]


def test_the_counts_of_weeks_are_the_sums_of_their_days():
    moments = pd.date_range("2026-04-20", "2026-05-09", periods=333, tz="UTC").strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = pd.DataFrame({"at": moments, "hours": 1.0})
    by_day, by_week = (
        spread.by_period(rows, SHANGHAI.periods(every), at="at", value="hours")["n"] for every in ("D", "W")
    )
    assert by_week.sum() == 333
    assert by_week.tolist() == by_day.groupby(by_day.index // 7).sum().tolist()


def test_shares_are_of_the_periods_own_rows():
    rows = pd.DataFrame(
        {"at": ["2026-04-21T10:00:00Z"] * 8 + ["2026-04-29T10:00:00Z"] * 4, "late": [True] * 2 + [False] * 10}
    )
    found = spread.share_by_period(rows, SHANGHAI.periods("W"), at="at", flag="late")
    assert found[["n", "n_true"]].to_numpy().tolist() == [[8, 2], [4, 0], [0, 0]]
    assert found["share"].fillna(-1).tolist() == [0.25, -1, -1]
