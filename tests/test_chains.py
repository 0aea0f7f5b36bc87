"""Stories that several pull requests tell together, and the labels of a back-test."""

import gzip
import json

import pandas as pd
import pytest
from merges import merge, merges, shuffled
from test_chain_links import DOCK, LARGE, busy_year

from analysis import chains as stories
from analysis.chain_links import links_of
from dashboard import refresh
from dashboard.config import Config
from data import cache, queries


def chains_of(given):
    return stories.chains(links_of(*given), given.pulls)


def kinds_of(given):
    found = chains_of(given)
    return [(kind, prs) for kind, prs in zip(found["kind"], found["prs"], strict=True)]


REVERT = merge(11, 'Revert "[dock] feat: weigh parcels on arrival"', 2, body="Reverts acme/orbit#10")
RETURN = merge(12, 'Reapply "[dock] feat: weigh parcels on arrival"', 4, "dock/scale.py")
FIX = merge(13, "fix: negative weights", 5, "dock/scale.py", body="Broken since #10.")


@pytest.mark.parametrize(
    ("pulls", "expected"),
    [
        ([DOCK, REVERT], ("revert", [10, 11])),
        ([DOCK, REVERT, RETURN], ("reapply", [10, 11, 12])),
        ([DOCK, FIX], ("repair", [10, 13])),
        ([DOCK, REVERT, FIX], ("rework", [10, 11, 13])),
        ([DOCK, FIX, merge(14, "fix: large weights", 6, "map.py", body="Broken since #10.")], ("rework", [10, 13, 14])),
        ([DOCK, FIX, merge(14, "fix: the fix", 6, "map.py", body="Broken since #13.")], ("rework", [10, 13, 14])),
        ([DOCK, merge(15, "Revert default of the scale", 3, "dock/scale.py")], ("revert", [10, 15])),
    ],
)
def test_the_kind_of_a_story(pulls, expected):
    assert kinds_of(merges(*pulls)) == [expected]


def test_a_story_tells_its_time_and_evidence():
    [story] = chains_of(merges(DOCK, REVERT, FIX)).to_dict("records")
    assert (story["since"], story["until"]) == ("2024-03-05T00:00:00Z", "2024-03-09T00:00:00Z")
    assert (story["is_sure"], story["repair_hours"], story["days"]) == (True, 24.0, 4.0)
    assert [(each["pr"], each["of"], each["kind"], each["hours"]) for each in story["evidence"]] == [
        (11, 10, "revert", 24.0),
        (13, 10, "repair", 96.0),
    ]
    assert story["evidence"][1]["reasons"] == [{"rule": "words", "says": "blames", "words": "Broken since #10."}]


def test_a_return_alone_repairs_nothing():
    [story] = chains_of(merges(DOCK, RETURN)).to_dict("records")
    assert (story["kind"], pd.isna(story["repair_hours"])) == ("reapply", True)


def test_one_fix_of_two_stories_stands_in_both_and_does_not_join_them():
    gate, map_ = merge(1, "feat: gate", 0, "gate.py"), merge(2, "feat: map", 0.5, "map.py")
    given = merges(
        gate,
        map_,
        merge(3, "fix: gate", 1, "gate.py", body="Broken since #1."),
        merge(4, "fix: map", 2, "map.py", body="Broken since #2."),
        merge(5, "fix: both", 3, "x.py", body="Two bugs introduced by #1 and #2."),
    )
    assert kinds_of(given) == [("rework", [1, 3, 5]), ("rework", [2, 4, 5])]


def test_a_possible_link_is_appended_but_joins_nothing():
    given = merges(
        merge(1, "feat: gate", 0, "gate.py"),
        merge(2, "feat: map", 0.5, "map.py"),
        merge(3, "fix: gate", 1, "gate.py", body="Broken since #1."),
        merge(4, "fix: map", 2, "map.py", body="Broken since #2."),
        merge(5, "Revert default colours", 3, "gate.py", "map.py", body="See #1 and #2."),
    )
    found = chains_of(given)
    assert found["prs"].tolist() == [[1, 3, 5], [2, 4, 5]]
    assert found["kind"].tolist() == ["repair", "repair"]
    assert [each["is_sure"] for each in found["evidence"][0]] == [True, False]


def test_possible_links_alone_make_a_story_that_is_not_sure():
    found = chains_of(merges(LARGE, merge(15, "Revert default of the scale", 3, "dock/scale.py")))
    assert found["is_sure"].tolist() == [False]


def test_no_story_grows_without_bound():
    fixes = [merge(n, "fix: it", n, "x.py", body="Broken since #10.") for n in range(20, 60)]
    sizes = chains_of(merges(DOCK, *fixes))["prs"].map(len)
    assert sizes.max() == stories.MOST_MEMBERS
    assert (sizes - 1).sum() == len(fixes)


@pytest.mark.parametrize("named", ["", " (#{})"])
def test_reverts_of_reverts_are_told_once_each_by_what_they_mean_for_the_change(named):
    titles = ["feat: weigh parcels"]
    for number in range(1, 7):
        titles.append(f'Revert "{titles[-1]}{named.format(number)}"')
    pulls = [
        merge(at, title, at, "dock/scale.py", body=f"Reverts acme/orbit#{at - 1}") for at, title in enumerate(titles, 1)
    ]
    [story] = chains_of(merges(*pulls)).to_dict("records")
    assert story["prs"] == [1, 2, 3, 4, 5, 6, 7]
    steps = [(each["pr"], each["of"], each["kind"]) for each in story["evidence"]]
    assert steps == [
        (2, 1, "revert"),
        (3, 1, "reapply"),
        (4, 1, "revert"),
        (5, 1, "reapply"),
        (6, 1, "revert"),
        (7, 1, "reapply"),
    ]
    by = [each["reasons"][0].get("pr") for each in story["evidence"]]
    assert by == [None, 2, 3, 4, 5, 6], "each says what it undoes itself"


def test_stories_of_a_window_reach_beyond_it():
    found = chains_of(
        merges(DOCK, REVERT, FIX, merge(1, "x", 0, "y.py"), merge(30, "fix: y", 9, "y.py", body="Broken since #1."))
    )
    assert stories.in_window(found, [13])["prs"].tolist() == [[10, 11, 13]]
    assert stories.in_window(found, []).empty


def test_the_order_of_rows_changes_nothing():
    given = busy_year()
    expected = chains_of(given)
    assert len(expected) > 20
    links = links_of(*given).sample(frac=1, random_state=2)
    pd.testing.assert_frame_equal(stories.chains(links, shuffled(given).pulls), expected)


def test_every_sure_link_is_in_a_story_and_stories_only_grow_with_time():
    given = busy_year()
    links = links_of(*given)
    told = {(each["pr"], each["of"]) for story in chains_of(given)["evidence"] for each in story}
    known = set(zip(links["pull_id"], links["earlier_id"], strict=True))
    assert told <= known and {pr for pr, _ in told} == {pr for pr, _ in known}
    for pr, of in known - told:
        assert any((pr, root) in told for up, root in known if up == of), "told by what it means for the change"
    early = given._replace(pulls=given.pulls[given.pulls["number"] <= 80])
    later = [set(prs) for prs in chains_of(given).query("is_sure")["prs"]]
    assert all(any(set(prs) <= more for more in later) for prs in chains_of(early).query("is_sure")["prs"])


def test_nothing_in_nothing_out():
    given = merges()
    assert chains_of(given).empty
    assert list(stories.in_window(chains_of(given), [10])) == list(stories.COLUMNS)
    assert list(chains_of(given).columns) == list(stories.COLUMNS)
    found = stories.labels(links_of(*given), given.pulls, within_days=30)
    assert found.empty
    assert found.dtypes.astype(str).to_dict() == stories.LABELS


def test_labels_tell_the_first_revert_and_repair_within_the_days():
    given = merges(DOCK, REVERT, FIX, merge(1, "x", 3, "y.py"), merge(50, "feat: late", 60, "z.py"))
    found = stories.labels(links_of(*given), given.pulls, within_days=30).set_index("pull_id")
    assert found.loc[10, ["was_reverted", "was_repaired", "revert_hours", "repair_hours"]].tolist() == [
        True,
        True,
        24,
        96,
    ]
    assert not found.loc[[1, 11, 13], ["was_reverted", "was_repaired"]].any(axis=None)
    assert found["is_censored"].to_dict() == {1: False, 10: False, 11: False, 13: False, 50: True}
    soon = stories.labels(links_of(*given), given.pulls, within_days=2).set_index("pull_id")
    assert soon.loc[10, ["was_reverted", "was_repaired"]].tolist() == [True, False]


def test_possible_links_and_returns_label_nothing():
    given = merges(DOCK, RETURN, merge(15, "Revert default of the scale", 3, "dock/scale.py", body="See #10."))
    found = stories.labels(links_of(*given), given.pulls, within_days=0.5)
    assert not found[["was_reverted", "was_repaired"]].any(axis=None)


def test_a_real_story_of_three_pull_requests_over_three_days(shared, tmp_path):
    refresh.import_gh(tmp_path / "cache.db", "verl-project/verl", shared / "verl" / "prs-2026.json.gz", Config())
    with cache.reading(tmp_path / "cache.db") as connection:
        raw = queries.to_derive(connection, 1)
        facts = pd.read_sql_query("select pull_id, kind from pull_facts", connection)
        categories = "select path_id, path, category from path_facts join paths on path_id = id"
        paths = pd.read_sql_query(categories, connection)
    found = stories.chains(links_of(raw["pulls"], raw["files"], raw["links"], facts, paths), raw["pulls"])
    with gzip.open(shared / "verl" / "prs-2026.json.gz") as file:
        merged = {pull["number"]: pull["mergedAt"] for pull in json.load(file) if pull["mergedAt"]}
    [story] = stories.in_window(found, [6258]).to_dict("records")
    assert (story["kind"], story["is_sure"], story["prs"]) == ("rework", True, [6226, 6258, 6265])
    assert {moment[:10] for moment in (merged[number] for number in story["prs"])} == {
        "2026-05-06",
        "2026-05-07",
        "2026-05-08",
    }


def test_a_merge_of_a_wrong_clock_makes_nobody_watched_for_long():
    pulls = merges(merge(1, "a", 1), merge(2, "b", 30), merge(3, "c", 60_000)).pulls
    links = links_of(*merges(merge(1, "a", 1), merge(2, "b", 30)))
    known = stories.labels(links, pulls, within_days=14, until=pulls["merged_at"].iloc[1])
    assert known["is_censored"].tolist() == [False, True, True]
