"""What a window sums up to."""

from datetime import date

import pandas as pd
import pytest

from analysis import totals
from analysis.window import Window

MARCH = Window(date(2026, 3, 1), date(2026, 3, 31))
COLUMNS = {
    "number": "int64", "merged_at": "str", "author": "str", "kind": "str",
    "is_breaking": "boolean", "is_key": "boolean", "importance": "float64", "insight": "float64", "tier": "float64",
    "touches_source": "boolean", "touches_tests": "boolean", "additions": "float64", "deletions": "float64",
    "lead_time_hours": "float64", "first_review_hours": "float64",
}  # fmt: skip


def make_measures(*rows):
    """One row per merged pull request; what a test does not care about is a plain fix of ada's."""
    usual = {
        "merged_at": "2026-03-04T12:00:00Z", "author": "ada", "kind": "fix", "is_breaking": False, "is_key": False,
        "importance": 4.0, "touches_source": True, "touches_tests": True, "additions": 10, "deletions": 5,
    }  # fmt: skip
    filled = [{"number": number} | usual | row for number, row in enumerate(rows, 1)]
    return pd.DataFrame(filled, columns=list(COLUMNS)).astype(COLUMNS)


def test_what_nobody_knows_is_none_and_what_did_not_happen_is_zero():
    sums = totals.totals(make_measures({}), bots_hidden=0, new_authors=None)
    assert (sums["median_lead_time_hours"], sums["mean_insight"], sums["new_authors"]) == (None, None, None)
    assert (sums["breaking"], sums["reverts"], sums["bots_hidden"]) == (0, 0, 0)
    empty = totals.totals(make_measures(), bots_hidden=3, new_authors=0)
    assert (empty["merged"], empty["additions"], empty["mean_importance"], empty["bots_hidden"]) == (0, 0, None, 3)
    assert tuple(empty) == totals.TOTALS


def test_totals_count_each_thing_once():
    sums = totals.totals(
        make_measures(
            {"is_key": True, "is_breaking": True, "lead_time_hours": 10.0},
            {"kind": "revert", "author": "bob", "lead_time_hours": 30.0},
            {"lead_time_hours": None, "additions": None},
            {"lead_time_hours": 20.0},
            {"lead_time_hours": 20.0},
            {"lead_time_hours": 20.0},
        ),
        bots_hidden=0,
        new_authors=1,
    )
    assert (sums["merged"], sums["key"], sums["breaking"], sums["reverts"], sums["authors"]) == (6, 1, 1, 1, 2)
    assert (sums["median_lead_time_hours"], sums["p90_lead_time_hours"], sums["additions"]) == (20.0, 26.0, 50)


def test_durations_of_fewer_than_five_are_not_told():
    sums = totals.totals(make_measures(*[{"lead_time_hours": 10.0}] * 4), bots_hidden=0, new_authors=None)
    assert (sums["median_lead_time_hours"], sums["p90_lead_time_hours"]) == (None, None)


def test_history_has_a_row_for_every_window_also_the_empty_one():
    measures = make_measures(
        {"merged_at": "2026-02-28T23:59:59Z", "touches_tests": False, "tier": 3.0},
        {"merged_at": "2026-03-01T00:00:00Z", "tier": 4.0},
        {"merged_at": "2026-03-31T23:59:59Z", "touches_source": False, "touches_tests": False},
    )
    windows = [MARCH.shifted(-2), MARCH.shifted(-1), MARCH]
    history = totals.history(measures, windows)
    assert history["merged"].tolist() == [0, 1, 2]
    assert history["source_changes"].tolist() == [0, 1, 1]
    assert history["without_tests"].tolist() == [0, 1, 0]
    assert history["elevated"].tolist() == [0, 1, 1]
    assert history["median_lead_time_hours"].isna().all()


def test_periods_without_merges_are_there_with_zeros():
    measures = make_measures(
        {"merged_at": "2026-03-04T12:00:00Z"}, {"merged_at": "2026-03-18T12:00:00Z", "kind": "feat"}
    )
    counts = totals.by_period(measures, MARCH.periods("W"))
    assert len(counts) == 2 * len(MARCH.periods("W"))
    assert counts["merged"].sum() == 2
    fixes = counts[counts["kind"] == "fix"].set_index("since")["merged"]
    assert fixes[date(2026, 3, 2)] == 1
    assert fixes[date(2026, 3, 16)] == 0


def test_a_period_with_no_merges_at_all_gives_no_kinds():
    assert totals.by_period(make_measures(), MARCH.periods("W")).columns.tolist() == ["since", "kind", "merged"]


def test_kinds_and_modules_name_what_is_gone_and_say_none_where_nothing_is_known():
    now = make_measures({"kind": "feat"}, {"kind": "feat"}, {"kind": "fix"})
    assert totals.kinds(now, make_measures({"kind": "docs"})) == [
        {"name": "feat", "prs": [1, 2], "before": 0},
        {"name": "fix", "prs": [3], "before": 0},
        {"name": "docs", "prs": [], "before": 1},
    ]
    assert [kind["before"] for kind in totals.kinds(now, None)] == [None, None]
    modules = pd.DataFrame(
        {"module": ["api", "api", "api", "cli"], "number": [1, 1, 2, 2], "source": ["title", "path", "path", "title"]}
    )
    assert totals.modules(modules, None) == [
        {"name": "api", "prs": [1, 2], "before": None, "sources": {"path": 2, "title": 1}},
        {"name": "cli", "prs": [2], "before": None, "sources": {"title": 1}},
    ]
    assert totals.modules(modules.iloc[:0], modules)[0] == {"name": "api", "prs": [], "before": 2, "sources": {}}
    assert totals.overlaps(modules) == [{"a": "api", "b": "cli", "prs": [2]}]
    assert totals.overlaps(modules.iloc[:0]) == []


@pytest.mark.parametrize(("tz", "expected"), [("UTC", []), ("Asia/Shanghai", [1, 3])])
def test_pull_requests_whose_day_depends_on_the_zone_are_named(tz, expected):
    measures = make_measures(
        {"merged_at": "2026-02-28T20:00:00Z"},
        {"merged_at": "2026-03-15T20:00:00Z"},
        {"merged_at": "2026-03-31T20:00:00Z"},
    )
    near = totals.near_edges(measures, Window(MARCH.since, MARCH.until, tz))
    assert near["number"].tolist() == expected
