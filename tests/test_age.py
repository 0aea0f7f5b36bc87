"""How long pull requests have been open, and how old code is."""

import pandas as pd
import pytest
from frames import change, frames

from analysis import age
from analysis.paths import classify

NOON = "2026-03-04T12:00:00Z"


def make_pulls(*rows):
    usual = {
        "author": "ada",
        "author_type": "human",
        "state": "open",
        "is_draft": 0.0,
        "merged_at": None,
        "closed_at": None,
    }
    return pd.DataFrame([{"pull_id": n, "number": 100 + n} | usual | row for n, row in enumerate(rows, 1)])


def test_age_runs_from_opening_to_the_moment_asked_for():
    pulls = make_pulls({"created_at": "2026-03-02T00:00:00Z"}, {"created_at": "2026-03-01T12:00:00Z"})
    found = age.of_open(pulls, as_of=NOON)
    assert found[["number", "age_days"]].values.tolist() == [[102, 3.0], [101, 2.5]]


def test_open_is_judged_at_the_moment_asked_for():
    early, late = "2026-03-03T00:00:00Z", "2026-03-05T00:00:00Z"
    pulls = make_pulls(
        {"created_at": "2026-03-01T00:00:00Z", "merged_at": early, "closed_at": early, "state": "merged"},
        {"created_at": "2026-03-01T00:00:00Z", "merged_at": late, "closed_at": late, "state": "merged"},
        {"created_at": "2026-03-01T00:00:00Z", "closed_at": early, "state": "closed"},
        {"created_at": late},
        {"created_at": None},
        {"created_at": "2026-03-01T00:00:00Z", "state": "closed"},
    )
    assert age.of_open(pulls, as_of=NOON)["number"].tolist() == [102]
    assert age.of_open(pulls, as_of="2026-03-02T00:00:00Z")["number"].tolist() == [101, 102, 103]
    assert age.of_open(pulls.iloc[:0], as_of=NOON).dtypes.astype(str).to_dict() == age.OPEN_COLUMNS


def inputs(given):
    paths = given.files[["path_id", "path"]].drop_duplicates("path_id")
    about = [classify(path) for path in paths["path"]]
    paths = paths.assign(category=[each.category for each in about], is_noise=[int(each.is_noise) for each in about])
    return given.pulls, given.files, paths


def test_a_file_is_as_old_as_its_first_change_and_as_fresh_as_its_last():
    given = frames(change("x", "app/core.py"), change("x", "app/other.py"), change("x", "app/core.py", "uv.lock"))
    found = age.of_files(*inputs(given), as_of="2024-01-14T12:00:00Z")
    assert found[["path", "first_seen_days", "last_changed_days", "n_pulls"]].values.tolist() == [
        ["app/other.py", 11.0, 11.0, 1],
        ["app/core.py", 12.0, 10.0, 2],
    ]


def test_what_comes_later_does_not_count_and_what_is_gone_is_left_out():
    given = frames(change("x", "app/core.py"), change("x", ("app/core.py", "removed", 0, 9)))
    assert age.of_files(*inputs(given), as_of="2024-01-02T23:00:00Z")["n_pulls"].tolist() == [1]
    assert age.of_files(*inputs(given), as_of="2024-01-03T12:00:00Z").empty


def test_a_file_is_new_if_its_first_change_added_it_under_whatever_name():
    given = frames(
        change("x", ("app/old.py", "added", 9, 0), ("app/known.py", "modified", 1, 0), ("app/dim.py", None, 1, 0)),
        change("x", ("app/new.py", "renamed", 0, 0)),
    )
    given.files.loc[3, "old_path_id"] = given.files.loc[0, "path_id"]
    found = age.of_files(*inputs(given), as_of="2024-02-01T00:00:00Z").set_index("path")["is_new"]
    assert found.astype(object).where(found.notna(), None).to_dict() == {
        "app/dim.py": None,
        "app/known.py": False,
        "app/new.py": True,
    }


def test_modules_age_by_their_pull_requests():
    given = frames(change("x"), change("x"), change("x"))
    modules = pd.DataFrame({"pull_id": [1, 2, 3, 3], "module": ["api", "cli", "api", "api"]})
    found = age.of_modules(given.pulls, modules, as_of="2024-01-05T12:00:00Z")
    assert found[["module", "first_seen_days", "last_changed_days", "n_pulls"]].values.tolist() == [
        ["cli", 2.0, 2.0, 1],
        ["api", 3.0, 1.0, 2],
    ]


@pytest.mark.parametrize("n", [0, 2])
def test_the_order_of_rows_changes_nothing_and_columns_are_always_there(n):
    pulls, files, paths = inputs(frames(change("x", "app/b.py", "app/a.py"), change("x", "app/a.py", "app/c.py")))
    modules = pulls[["pull_id"]].assign(module=["api", "cli"])
    when = "2024-02-01T00:00:00Z"
    of_files = age.of_files(pulls.head(n), files, paths, as_of=when)
    of_modules = age.of_modules(pulls.head(n), modules, as_of=when)
    assert of_files.dtypes.astype(str).to_dict() == age.FILE_COLUMNS
    assert of_modules.dtypes.astype(str).to_dict() == age.MODULE_COLUMNS
    turned = pulls.head(n).iloc[::-1]
    pd.testing.assert_frame_equal(age.of_files(turned, files.iloc[::-1], paths.iloc[::-1], as_of=when), of_files)
    pd.testing.assert_frame_equal(age.of_modules(turned, modules.iloc[::-1], as_of=when), of_modules)
