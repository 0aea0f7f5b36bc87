"""Files keep their history over renames."""

import pandas as pd

from analysis import renames


def history(*rows):
    """Merged pull requests 1, 2, ...: for each the files it changed, as (path, old path or None)."""
    ids: dict[str, int] = {}
    files = [
        {"pull_id": pull, "path": path, "old": old, "status": "renamed" if old else "modified"}
        for pull, changed in enumerate(rows, 1)
        for path, old in changed
    ]
    for row in files:
        row["path_id"] = ids.setdefault(row["path"], len(ids) + 1)
    for row in files:
        row["old_path_id"] = ids.setdefault(row["old"], len(ids) + 1) if row["old"] else None
    days = [f"2026-03-{day:02d}T12:00:00Z" for day in range(1, len(rows) + 1)]
    numbers = range(1, len(rows) + 1)
    pulls = pd.DataFrame({"pull_id": numbers, "number": numbers, "merged_at": days})
    return pulls, pd.DataFrame(files)


def newest(pulls, files):
    return renames.follow(pulls, files)["path"].tolist()


def test_a_file_goes_by_its_newest_name_over_several_renames():
    assert newest(*history([("a", None)], [("b", "a")], [("c", "b")], [("c", None)])) == ["c", "c", "c", "c"]


def test_a_name_used_anew_is_another_file():
    assert newest(*history([("a", None)], [("b", "a"), ("a", None)], [("a", None)])) == ["b", "b", "a", "a"]


def test_two_files_that_swap_their_names_swap_their_histories():
    assert newest(*history([("a", None), ("b", None)], [("a", "b"), ("b", "a")])) == ["b", "a", "a", "b"]


def test_what_is_not_merged_and_what_is_copied_renames_nothing():
    pulls, files = history([("a", None)], [("b", "a")])
    assert newest(pulls.assign(merged_at=[pulls["merged_at"][0], None]), files) == ["a", "b"]
    assert newest(pulls, files.assign(status=["modified", "copied"])) == ["a", "b"]


def test_rows_keep_their_order_and_the_input_is_left_as_it_was():
    pulls, files = history([("a", None)], [("b", "a")], [("c", None)])
    shuffled = files.iloc[[2, 0, 1]]
    kept = shuffled.copy()
    found = renames.follow(pulls.iloc[::-1], shuffled)
    assert found["path"].to_dict() == {2: "c", 0: "b", 1: "b"}
    pd.testing.assert_frame_equal(shuffled, kept)
    assert newest(pulls, files.iloc[:0]) == []
