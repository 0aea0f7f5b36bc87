"""What is changed together, and what a change left out."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from frames import change, frames, shuffled
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.coupling import COLUMNS, MISSING_COLUMNS, MODULE_COLUMNS, coupling, missing_companions, module_coupling
from analysis.paths import classify


def of(*changes, **options):
    return coupling(*inputs(frames(*changes)), **options)


def inputs(given):
    paths = given.files[["path_id", "path"]].drop_duplicates("path_id")
    about = [classify(path) for path in paths["path"]]
    paths = paths.assign(category=[each.category for each in about], is_noise=[int(each.is_noise) for each in about])
    return given.pulls.assign(files_complete=1.0), given.files, paths


def pairs(found):
    return list(zip(found["path_a"], found["path_b"], strict=True))


def test_the_degree_is_what_both_share_over_the_average_of_each():
    found = of(*[change("x", "app/tax.py", "app/rates.toml")] * 4, *[change("x", "app/tax.py")] * 2)
    assert pairs(found) == [("app/tax.py", "app/rates.toml")]
    assert found[["n_both", "n_a", "n_b", "coupling_degree"]].values.tolist() == [[4, 6, 4, 0.8]]
    assert found["prs"].tolist() == [[101, 102, 103, 104]]


def test_two_common_pull_requests_are_too_few():
    assert of(*[change("x", "app/a.py", "app/b.py")] * 2).empty
    assert len(of(*[change("x", "app/a.py", "app/b.py")] * 3)) == 1


def test_source_and_tests_are_told_apart_and_source_comes_first():
    found = of(*[change("x", "a/tests/test_tax.py", "b/tax.py", "b/zone.py")] * 3)
    assert found[["path_a", "category_a", "path_b", "category_b"]].values.tolist() == [
        ["b/tax.py", "source", "a/tests/test_tax.py", "test"],
        ["b/tax.py", "source", "b/zone.py", "source"],
        ["b/zone.py", "source", "a/tests/test_tax.py", "test"],
    ]


def test_sides_keep_their_counts_when_they_are_exchanged():
    found = of(*[change("x", "a/test_tax.py", "b/tax.py")] * 3, change("x", "b/tax.py"))
    assert found[["path_a", "n_a", "n_b"]].values.tolist() == [["b/tax.py", 4, 3]]


def test_a_sweep_a_cut_list_and_generated_files_couple_nothing():
    wide = [change("x", *(f"app/part_{number}.py" for number in range(31)))] * 3
    assert of(*wide).empty
    assert len(of(*wide, widest=31)) == 31 * 30 / 2
    assert of(*[change("x", "app/core.py", "poetry.lock")] * 3).empty
    pulls, files, paths = inputs(frames(*[change("x", "app/a.py", "app/b.py")] * 3))
    assert coupling(pulls.assign(files_complete=0.0), files, paths).empty
    assert len(coupling(pulls.assign(files_complete=np.nan), files, paths)) == 1, "unknown is not cut"


def test_a_file_deleted_since_is_left_out_even_if_a_sweep_deleted_it():
    together = [change("x", "app/a.py", "app/b.py")] * 3
    sweep = change("x", ("app/b.py", "removed", 0, 9), *(f"app/part_{number}.py" for number in range(40)))
    assert len(of(*together)) == 1
    assert of(*together, sweep).empty


def test_modules_are_coupled_whatever_says_that_a_pull_request_is_in_them():
    pulls = pd.DataFrame({"pull_id": range(1, 13), "number": range(101, 113)})
    rows = [(pull, "orders") for pull in range(1, 11)] + [(pull, "billing") for pull in range(7, 13)]
    modules = pd.DataFrame([*rows, (1, "orders")], columns=["pull_id", "module"])
    found = module_coupling(pulls, modules)
    assert found[["module_a", "module_b", "n_both", "n_a", "n_b", "coupling_degree"]].values.tolist() == [
        ["billing", "orders", 4, 6, 10, 0.5]
    ]
    assert found["prs"].tolist() == [[107, 108, 109, 110]]
    assert module_coupling(pulls, modules.iloc[:0]).dtypes.astype(str).to_dict() == MODULE_COLUMNS


KNOWN = (*[change("x", "app/tax.py", "app/rates.toml")] * 5, change("x", "app/tax.py"))


def missing(known, *paths, **options):
    """What a change of these paths misses, as (changed, companion, share)."""
    before = frames(*known)
    ids = before.files.set_index("path")["path_id"].to_dict()
    changes = pd.DataFrame({"pull_id": 900, "path_id": [ids.get(path, 999) for path in paths]})
    found = missing_companions(changes, coupling(*inputs(before)), **options)
    return [(row.path, row.companion, round(row.companion_share, 2)) for row in found.itertuples()]


def test_a_change_misses_what_came_along_most_of_the_time():
    assert missing(KNOWN, "app/tax.py") == [("app/tax.py", "app/rates.toml", 0.83)]
    assert missing(KNOWN, "app/rates.toml") == [("app/rates.toml", "app/tax.py", 1.0)]
    assert missing(KNOWN, "app/tax.py", "app/rates.toml") == []
    assert missing(KNOWN, "app/never_seen.py") == []


def test_too_few_or_too_rare_companions_are_not_missed():
    assert missing(KNOWN[1:], "app/tax.py") == [], "four common pull requests"
    assert missing([*KNOWN, change("x", "app/tax.py")], "app/tax.py") == [], "5 of 7"
    assert missing(KNOWN[1:], "app/tax.py", min_pulls=4) == [("app/tax.py", "app/rates.toml", 0.8)]


def test_a_test_changed_alone_does_not_ask_for_its_source():
    known = [change("x", "app/tax.py", "tests/test_tax.py", "tests/test_rates.py")] * 5
    assert missing(known, "tests/test_tax.py") == [("tests/test_tax.py", "tests/test_rates.py", 1.0)]
    assert [companion for _, companion, _ in missing(known, "app/tax.py")] == [
        "tests/test_rates.py",
        "tests/test_tax.py",
    ]


def test_a_companion_of_two_changed_files_is_missed_once_by_the_closer_one():
    known = [*[change("x", "app/a.py", "app/b.py", "app/c.py")] * 6, change("x", "app/a.py")]
    assert missing(known, "app/a.py", "app/b.py") == [("app/b.py", "app/c.py", 1.0)]


def test_nothing_gives_nothing_with_its_columns():
    pulls, files, paths = inputs(frames(*KNOWN))
    none = coupling(pulls.iloc[:0], files, paths)
    some = coupling(pulls, files, paths)
    assert none.dtypes.astype(str).to_dict() == COLUMNS == some.dtypes.astype(str).to_dict()
    assert missing_companions(files.iloc[:0], some).dtypes.astype(str).to_dict() == MISSING_COLUMNS
    assert missing_companions(files, none).dtypes.astype(str).to_dict() == MISSING_COLUMNS


NAMES = [f"app/part_{letter}.py" for letter in "abcdef"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.sampled_from(NAMES), min_size=1), min_size=1, max_size=14))
def test_pairs_are_those_that_plain_counting_finds_in_any_order_of_rows(touched):
    before = frames(*(change("x", *sorted(names)) for names in touched))
    counted = {}
    for a, b in combinations(NAMES, 2):
        n_both = sum({a, b} <= names for names in touched)
        if n_both >= 3:
            counted[a, b] = 2 * n_both / sum((a in names) + (b in names) for names in touched)
    found = coupling(*inputs(before))
    degrees = dict(zip(pairs(found), found["coupling_degree"], strict=True))
    assert degrees == {pair: pytest.approx(degree) for pair, degree in counted.items()}
    pd.testing.assert_frame_equal(coupling(*inputs(shuffled(before))), found)
