"""What was opened, merged and closed, and how many stood open."""

from datetime import date

import pandas as pd
from caches import sample_cache
from flow_frames import from_cache, make_events, make_pulls
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.backlog import MOVES, backlog, whole_since
from analysis.window import Window
from data import cache

MARCH = Window(date(2026, 3, 2), date(2026, 3, 8))
DAYS = MARCH.periods("D")
LATER = "2026-04-01T00:00:00Z"
NO_EVENTS = make_events()
STILL_OPEN = {"created": "03-08 12:00"}


def counts(pulls, events=NO_EVENTS, periods=DAYS, **more):
    found = backlog(pulls, events, periods, **{"as_of": LATER} | more)
    return {column: found[column].fillna(-1).astype(int).tolist() for column in [*MOVES, "open_at_end"]}


def test_each_fate_is_counted_on_its_day_and_apart():
    found = counts(
        make_pulls(
            {"created": "03-02 09:00", "merged": "03-04 09:00"},
            {"created": "03-02 09:00", "closed": "03-05 09:00"},
            {"created": "03-03 09:00"},
            {"created": "02-20 09:00", "merged": "03-03 09:00"},
        )
    )
    assert found == {
        "opened": [2, 1, 0, 0, 0, 0, 0],
        "reopened": [0] * 7,
        "merged": [0, 1, 1, 0, 0, 0, 0],
        "closed_unmerged": [0, 0, 0, 1, 0, 0, 0],
        "open_at_end": [3, 3, 2, 1, 1, 1, 1],
    }


def test_closed_and_reopened_is_not_open_in_between():
    pulls = make_pulls({"created": "03-02 09:00", "merged": "03-06 09:00"}, STILL_OPEN)
    events = make_events((1, "closed", "03-03 09:00"), (1, "reopened", "03-05 09:00"), (1, "closed", "03-06 09:00"))
    found = counts(pulls, events)
    assert found["open_at_end"] == [1, 0, 0, 1, 0, 0, 1]
    assert (sum(found["closed_unmerged"]), sum(found["reopened"]), sum(found["merged"])) == (1, 1, 1)


def test_githubs_closing_at_a_merge_is_no_second_closing():
    pulls = make_pulls(
        {"created": "03-02 09:00", "merged": "03-03 09:00"}, {"created": "03-02 09:00", "closed": "03-04 09:00"}
    )
    events = make_events((1, "closed", "03-03 09:00"), (2, "closed", "03-04 09:00"))
    assert counts(pulls, events) == counts(pulls)
    assert sum(counts(pulls, events)["closed_unmerged"]) == 1


def test_the_day_ends_at_local_midnight():
    pulls = make_pulls(
        {"created": "2026-03-01T20:00:00Z", "merged": "2026-03-03T15:59:59Z"},
        {"created": "2026-03-01T20:00:00Z", "merged": "2026-03-03T16:00:00Z"},
        STILL_OPEN,
    )
    shanghai = Window(MARCH.since, MARCH.until, "Asia/Shanghai").periods("D")
    assert counts(pulls, periods=shanghai)["merged"] == [0, 1, 1, 0, 0, 0, 0]
    assert counts(pulls, periods=shanghai)["open_at_end"] == [2, 1, 0, 0, 0, 0, 1]
    assert counts(pulls)["merged"] == [0, 2, 0, 0, 0, 0, 0]


def test_nothing_is_claimed_of_days_after_the_newest_knowledge_and_its_own_day_is_unfinished():
    pulls = make_pulls({"created": "03-02 09:00", "merged": "03-06 09:00"}, {"created": "03-02 09:00"})
    found = backlog(pulls, NO_EVENTS, DAYS, as_of="2026-03-04T12:00:00Z")
    assert found["open_at_end"].fillna(-1).tolist() == [2, 2, 2, -1, -1, -1, -1]
    assert found["merged"].fillna(-1).tolist() == [0, 0, 0, -1, -1, -1, -1]
    assert found["is_unfinished"].tolist() == [False] * 2 + [True] * 5


def test_merges_told_by_git_alone_leave_everything_else_unknown_until_the_last_of_them():
    found = counts(make_pulls({"merged": "03-03 09:00"}, {"created": "03-02 09:00"}))
    assert found["merged"] == [0, 1, 0, 0, 0, 0, 0]
    assert found["opened"] == found["closed_unmerged"] == [-1, -1, 0, 0, 0, 0, 0]
    assert found["open_at_end"] == [-1, 1, 1, 1, 1, 1, 1]


def test_where_every_pull_request_is_merged_only_merges_were_asked_for():
    found = counts(make_pulls({"created": "03-02 09:00", "merged": "03-03 09:00"}))
    assert found["merged"] == [0, 1, 0, 0, 0, 0, 0]
    assert set(found["opened"] + found["closed_unmerged"] + found["open_at_end"]) == {-1}


def test_before_the_first_day_fetched_only_merges_are_known():
    found = counts(make_pulls({"created": "03-04 09:00"}), known_since="2026-03-04T00:00:00Z")
    assert found["opened"] == [-1, -1, 1, 0, 0, 0, 0]
    assert found["open_at_end"] == [-1, 0, 1, 1, 1, 1, 1]


def test_groups_may_overlap_and_the_unknown_is_one():
    pulls = make_pulls(
        {"created": "03-02 09:00", "module": "core"},
        {"created": "03-02 09:00", "module": "docs"},
        {"created": "03-02 09:00", "module": None},
    )
    twice = pd.concat([pulls, pulls.iloc[:1].assign(module="docs")])
    found = backlog(twice, NO_EVENTS, [MARCH], as_of=LATER, by="module")
    assert found.set_index(found["module"].fillna("?"))["opened"].to_dict() == {"core": 1, "docs": 2, "?": 1}
    assert backlog(twice, NO_EVENTS, [MARCH], as_of=LATER)["opened"].tolist() == [3]


HOURS = st.lists(st.integers(0, 160), min_size=1, max_size=6, unique=True).map(sorted)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(HOURS, st.booleans()), min_size=1, max_size=8))
def test_the_stock_is_what_a_walk_through_every_life_finds(lives):
    """A life is opened, closed, reopened, closed ... at these hours; the last end may be a merge."""

    def moment(hour):
        return f"2026-03-0{2 + hour // 24}T{hour % 24:02d}:00:00Z"

    rows, events, open_hours = [STILL_OPEN], [], []
    for pull_id, (hours, merges) in enumerate(lives, 2):
        ended = len(hours) % 2 == 0
        fate = {"merged" if merges else "closed": moment(hours[-1])} if ended else {}
        rows.append({"created": moment(hours[0])} | fate)
        events += [
            (pull_id, "closed" if turn % 2 == 0 else "reopened", moment(hour)) for turn, hour in enumerate(hours[1:])
        ]
        open_hours += [(start, end) for start, end in zip(hours[::2], [*hours[1::2], 999], strict=False)]
    found = backlog(make_pulls(*rows), make_events(*events), DAYS, as_of=LATER)
    for day in range(6):  # the last one has another one opened
        end = 24 * (day + 1)
        assert found["open_at_end"][day] == sum(start < end <= stop for start, stop in open_hours)
    flow = found["opened"] + found["reopened"] - found["merged"] - found["closed_unmerged"]
    assert flow.cumsum().tolist() == found["open_at_end"].tolist()


def test_the_newest_stock_of_the_sample_is_what_is_open_in_it(tmp_path):
    with cache.reading(sample_cache(tmp_path)) as connection:
        pulls, _, events = from_cache(connection)
        (as_of,) = connection.execute("select covered_until from repositories").fetchone()
    today = date.fromisoformat(as_of[:10])
    weeks = Window(date(2024, 1, 1), today).periods("W")
    found = backlog(pulls, events, weeks, as_of=as_of)
    assert found["open_at_end"].iloc[-1] == (pulls["state"] == "open").sum() > 0
    by_type = backlog(pulls, events, weeks, as_of=as_of, by="author_type")
    sums = by_type.groupby("since")[["opened", "merged", "closed_unmerged", "open_at_end"]].sum().reset_index(drop=True)
    pd.testing.assert_frame_equal(sums, found[sums.columns])
    days = backlog(pulls, events, Window(weeks[0].since, weeks[-1].until).periods("D"), as_of=as_of)
    assert days["merged"].sum() == found["merged"].sum() == (pulls["state"] == "merged").sum()


def test_whole_since_says_from_when_on_more_than_merges_is_known():
    assert whole_since(make_pulls(STILL_OPEN)) == ""
    assert whole_since(make_pulls(STILL_OPEN, {"merged": "03-03 09:00"})) == "2026-03-03T09:00:00Z"
    assert whole_since(make_pulls({"merged": "03-03 09:00"})) == whole_since(make_pulls({})) == "9999"
