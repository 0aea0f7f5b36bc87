"""Which pull requests a list shows, and what a spreadsheet gets of them."""

import csv
import io

import pandas as pd
import pytest

from dashboard.address import Filters
from dashboard.listing import DOWNLOADED, as_csv, choose, known

PULLS = pd.DataFrame(
    {
        "number": [1, 2, 3, 4],
        "title": ["a", "=HYPERLINK(1)", "c", "d"],
        "url": ["https://github.com/acme/orbit/pull/1"] * 4,
        "state": "merged",
        "author": "ada",
        "author_type": "human",
        "is_assisted": pd.array([True, False, None, False], dtype="boolean"),
        "merged_at": "2026-05-04T00:00:00Z",
        "kind": ["fix", "feat", "fix", "docs"],
        "modules": [["ui"], ["ui", "core"], ["core"], []],
        "is_breaking": pd.array([True, False, None, False], dtype="boolean"),
        "is_key": pd.array([True, True, False, False], dtype="boolean"),
        "touches_source": pd.array([True, True, True, None], dtype="boolean"),
        "touches_tests": pd.array([True, False, None, None], dtype="boolean"),
        "lead_time_hours": [1.0, 2.0, None, None],
        "first_review_hours": [None, 1.0, None, None],
        "importance": [9.0, 5.0, 1.0, 0.5],
        "insight": None,
        "risk_score": [45.0, 12.0, 30.0, None],
        "tier": [4.0, 2.0, 3.0, None],
        "risks": [[{"rule": "core-path"}, {"rule": "breaking"}], [{"rule": "hotspot"}], [{"rule": "core-path"}], []],
        "additions": 1,
        "deletions": 0,
        "changed_files": 1,
    }
)


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        (Filters(), [1, 2, 3, 4]),
        (Filters(kinds=("fix", "docs")), [1, 3, 4]),
        (Filters(modules=("core",)), [2, 3]),
        (Filters(modules=("core", "ui"), kinds=("fix",)), [1, 3]),
        (Filters(tiers=("3", "4")), [1, 3]),
        (Filters(rules=("core-path", "hotspot"), kinds=("fix",)), [1, 3]),
        (Filters(rules=("hotspot",), tiers=("4",)), []),
        (Filters(only=("breaking",)), [1]),
        (Filters(only=("key",)), [1, 2]),
        (Filters(only=("untested",)), [2, 3]),
        (Filters(only=("timed", "reviewed")), [2]),
        (Filters(kinds=("ci",)), []),
    ],
)
def test_filters_of_one_sort_widen_and_sorts_narrow(filters, numbers):
    assert choose(PULLS, filters)["number"].tolist() == numbers


def test_searched_text_and_file_narrow_further():
    assert choose(PULLS, Filters(), matching={1, 2}, on_path={2, 3})["number"].tolist() == [2]
    assert choose(PULLS, Filters(), matching=set())["number"].tolist() == []


def test_choosing_from_nothing_gives_nothing():
    assert choose(PULLS.head(0), Filters(modules=("ui",), only=("untested",))).empty


def test_values_that_do_not_exist_are_told_and_dropped():
    filters, bad = known(
        Filters(kinds=("fix", "magic"), tiers=("4", "9"), rules=("hotspot", "x"), only=("luck",), modules=("anything",))
    )
    assert filters == Filters(kinds=("fix",), tiers=("4",), rules=("hotspot",), modules=("anything",))
    assert bad == [("kind", "magic"), ("tier", "9"), ("rule", "x"), ("only", "luck")]


def test_the_download_is_a_spreadsheet_without_formulas():
    rows = list(csv.reader(io.StringIO(as_csv(PULLS).decode("utf-8-sig"))))
    assert rows[0] == list(DOWNLOADED)
    assert rows[2][rows[0].index("title")] == "'=HYPERLINK(1)"
    assert rows[2][rows[0].index("modules")] == "ui; core"
    assert rows[1][rows[0].index("risks")] == "core-path; breaking"


def test_the_download_holds_titles_whole_that_pages_cut():
    title = "feat: " + "long " * 12_000
    [_, row] = csv.reader(io.StringIO(as_csv(PULLS.head(1).assign(title=title)).decode("utf-8-sig")))
    assert row[DOWNLOADED.index("title")] == title
