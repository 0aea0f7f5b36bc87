"""One window against another: what changed, by how much, and when that can be said."""

from datetime import date, timedelta

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_totals import make_measures

from analysis import compare
from analysis.trends import METRICS, within
from analysis.window import Window
from analysis.working_calendar import Calendar
from dashboard import formats
from dashboard.words import Words

W17, W19 = Window(date(2026, 4, 20), date(2026, 4, 26)), Window(date(2026, 5, 4), date(2026, 5, 10))
APRIL = Window(date(2026, 4, 1), date(2026, 4, 30))
ALWAYS = (date(2020, 1, 1), date(2030, 1, 1))
AS_THEY_ARE = compare.Lengths("window", 1.0, 1.0)
STATES = {"new": "delta.new", "none": "delta.none", "same": "delta.no_change", "no_data": "delta.no_data"}


def rows_in(window, n, **more):
    """As many merges, over the days of a window."""
    days = [window.since + timedelta(days=place % window.days) for place in range(n)]
    return make_measures(*({"merged_at": f"{day}T12:00:00Z"} | more for day in days)).assign(author_type="human")


def side(window, pulls=None, modules=(), files=(), known=ALWAYS):
    pulls = make_measures().assign(author_type=None) if pulls is None else pulls
    return compare.Side(
        window,
        within(window, known),
        pulls,
        pd.DataFrame(modules, columns=["module", "number"]),
        pd.DataFrame(files, columns=["path", "number"]),
    )


def one(now, before, name="merged", calendar=None):
    by = compare.lengths(now, before, calendar or Calendar())
    return compare.metrics(now, before, by).set_index("name").loc[name]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (0, 5, (5, None, "new")),
        (5, 0, (-5, None, "none")),
        (0, 0, (0, None, "same")),
        (5, 5, (0, 0, "same")),
        (None, 5, (None, None, "no_data")),
        (5, float("nan"), (None, None, "no_data")),
        (20, 25, (5, 0.25, "more")),
        (20, 15, (-5, -0.25, "less")),
    ],
)
def test_growth_from_zero_to_zero_of_nothing_and_from_the_unknown_are_four_things(before, now, expected):
    found = compare.delta(before, now)
    assert (found.change, found.share, found.state) == expected


@pytest.mark.parametrize("lang", ["en", "zh"])
@given(st.sampled_from([None, 0, 1, 7, 40]), st.sampled_from([None, 0, 1, 7, 40]))
def test_cards_and_comparison_call_a_change_by_the_same_rules(lang, before, now):
    state, text = compare.delta(before, now).state, formats.delta(now, before, lang).text
    named = [text == Words(lang)(key) for key in STATES.values()]
    assert any(named) == (state in STATES)
    assert state not in STATES or text == Words(lang)(STATES[state])


def test_a_share_of_fewer_than_five_is_not_told():
    assert pd.isna(one(side(W19, rows_in(W19, 6)), side(W17, rows_in(W17, 4)))["share"])
    assert one(side(W19, rows_in(W19, 6)), side(W17, rows_in(W17, 5)))["share"] == 0.2


def test_windows_of_different_lengths_are_compared_by_the_working_week():
    row = one(side(W19, rows_in(W19, 31)), side(APRIL, rows_in(APRIL, 66)))
    assert (row["before"], row["now"]) == (66, 31)
    assert (row["rate_before"], row["rate_now"]) == (15, 31), "April 2026 has 22 working days"
    assert (row["change"], row["state"]) == (16, "more")


def test_a_holiday_is_no_working_day():
    calendar = Calendar(holidays=frozenset({date(2026, 4, 6), date(2026, 4, 30)}))
    assert one(side(W19, rows_in(W19, 10)), side(APRIL, rows_in(APRIL, 60)), calendar=calendar)["rate_before"] == 15


def test_a_week_that_the_cache_ends_in_is_compared_by_its_days():
    known = (date(2020, 1, 1), date(2026, 5, 5))
    row = one(side(W19, rows_in(W19, 2), known=known), side(W17, rows_in(W17, 20)))
    assert (row["rate_before"], row["rate_now"]) == (20, 5), "two of its five working days"


def test_without_a_working_day_all_days_count():
    sunday = Window(date(2026, 5, 10), date(2026, 5, 10))
    by = compare.lengths(side(sunday), side(W19), Calendar())
    assert (by.per, by.before, by.now) == ("week", 1.0, 1 / 7)


@pytest.mark.parametrize(
    ("now", "before"),
    [(W19, W17), (Window(date(2026, 1, 1), date(2026, 3, 31)), Window(date(2025, 10, 1), date(2025, 12, 31)))],
)
def test_as_many_days_or_working_days_are_compared_as_they_are(now, before):
    calendar = Calendar(holidays=frozenset({date(2025, 12, 25), date(2025, 12, 26)}))
    assert compare.lengths(side(now), side(before), calendar) == AS_THEY_ARE


def test_people_of_windows_of_different_lengths_are_not_compared():
    assert one(side(W19, rows_in(W19, 9)), side(APRIL, rows_in(APRIL, 9)), "authors")["state"] == "not_comparable"


def test_what_is_not_cached_is_no_data_and_what_is_of_few_is_too_few():
    few = side(W19, rows_in(W19, 3, lead_time_hours=2.0))
    known = (date(2026, 5, 1), date(2026, 6, 1))
    assert one(few, side(W17, known=known))["state"] == "no_data"
    assert one(few, side(W17, known=known), "mean_importance")["state"] == "no_data"
    assert one(few, side(W17, rows_in(W17, 9)), "mean_importance")["state"] == "too_few"
    assert one(few, side(W17), "mean_importance")["state"] == "too_few"
    unknown = side(W17, rows_in(W17, 9, lead_time_hours=None))
    assert one(few, unknown, "median_lead_time_hours")["state"] == "no_data", "nobody knows, however many there are"


def test_groups_name_what_is_new_and_what_is_gone():
    now = pd.DataFrame({"module": ["api", "api", "cli"], "number": [1, 1, 2]})
    before = pd.DataFrame({"module": ["api", "doc"], "number": [7, 8]})
    found = compare.groups(now, before, "module", AS_THEY_ARE).set_index("name")
    assert found["state"].to_dict() == {"api": "same", "cli": "new", "doc": "none"}
    assert (found.loc["api", "prs"], found.loc["doc", "prs_before"]) == ([1], [8])
    unknown = compare.groups(now, None, "module", AS_THEY_ARE)
    assert unknown["state"].tolist() == ["no_data", "no_data"]
    assert unknown["before"].isna().all()
    empty = compare.groups(now.iloc[:0], before.iloc[:0], "module", AS_THEY_ARE)
    assert empty.dtypes.to_dict() == found.reset_index().dtypes.to_dict()


def test_usual_is_told_of_whole_windows_only():
    rows = pd.concat([rows_in(W19.shifted(-step), 30 + step % 3) for step in range(14)], ignore_index=True)
    found = compare.usual(rows, W19, ALWAYS).set_index("name").loc["merged"]
    assert (found["state"], found["n_before"]) == ("within", 12)
    ends_inside = compare.usual(rows, W19, (date(2020, 1, 1), date(2026, 5, 7))).set_index("name").loc["merged"]
    assert ends_inside["state"] == "no_data"
    begins_late = compare.usual(rows, W19, (date(2026, 3, 25), date(2030, 1, 1))).set_index("name").loc["merged"]
    assert (begins_late["state"], begins_late["n_before"]) == ("too_few", 5)


def test_the_splits_add_up_to_what_the_figures_say():
    now = rows_in(W19, 12).assign(
        kind=["feat", "fix", "docs"] * 4, importance=[6.0, 4, 2] * 4, additions=[300, 20, 5] * 4
    )
    before = rows_in(APRIL, 20).assign(kind=["fix", "docs"] * 10, importance=[4.5, 2.5] * 10)
    sides = side(W19, now, modules=[("api", 1), ("cli", 1), ("api", 2)]), side(APRIL, before, modules=[("api", 4)])
    by = compare.lengths(*sides, Calendar())
    changes = compare.metrics(*sides, by).set_index("name")["change"]
    found = compare.splits(*sides, by)
    assert {name for name, _ in found} == {"merged", "churn_lines", "mean_importance", "without_tests"}
    assert {group for _, group in found} == {"module", "kind", "size"}, "of one type of author nothing is to be told"
    for (name, _), parts in found.items():
        assert parts["change"].sum() == pytest.approx(changes[name], abs=1e-3)


def test_no_mean_of_few_is_split_and_nothing_that_is_not_cached():
    few, many = side(W19, rows_in(W19, 3)), side(W17, rows_in(W17, 30))
    assert {name for name, _ in compare.splits(few, many, AS_THEY_ARE)} == {"merged", "churn_lines"}
    assert compare.splits(few, side(W17, known=None), AS_THEY_ARE) == {}


def test_bots_are_split_from_people_where_they_are_shown():
    now = rows_in(W19, 10).assign(author_type=["bot"] * 4 + ["human"] * 6)
    found = compare.splits(side(W19, now), side(W17, rows_in(W17, 6)), AS_THEY_ARE)["merged", "author_type"]
    assert dict(zip(found["group"], found["change"], strict=True)) == {"bot": 4, "human": 0}


def test_days_in_both_windows_are_counted():
    assert compare.overlap_days(W19, W17) == 0
    assert compare.overlap_days(APRIL, W17) == 7
    assert compare.overlap_days(W19, Window(date(2026, 5, 10), date(2026, 5, 12))) == 1


def test_two_empty_windows_compare_without_a_word_of_growth():
    found = compare.compare(side(W19), side(W17), make_measures(), known=ALWAYS, calendar=Calendar())
    assert found.metrics["name"].tolist() == list(METRICS)
    assert set(found.metrics["state"]) <= {"same", "too_few"}
    assert (len(found.kinds), len(found.files)) == (0, 0)


def test_the_order_of_rows_changes_nothing():
    rows = rows_in(W19, 20).assign(importance=[n / 3 for n in range(20)], author=[f"a{n % 7}" for n in range(20)])
    modules = [("api", n) for n in range(1, 12)] + [("cli", n) for n in range(5, 15)]
    mixed = rows.sample(frac=1, random_state=4).reset_index(drop=True)
    first, again = (
        compare.compare(side(W19, each, listed), side(W17), each, known=ALWAYS, calendar=Calendar())
        for each, listed in ((rows, modules), (mixed, modules[::-1]))
    )
    for name in ("metrics", "usual", "kinds", "modules", "authors"):
        pd.testing.assert_frame_equal(getattr(first, name), getattr(again, name))
    assert first.splits.keys() == again.splits.keys()
    for key, parts in first.splits.items():
        pd.testing.assert_frame_equal(parts, again.splits[key])
