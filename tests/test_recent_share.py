"""Whose recent work a change rewrites."""

import pandas as pd
import pytest
from merges import merge, merges, shuffled

from analysis.recent_share import COLUMNS, recent_share


def shares(given, *later, at_least=0.01):
    found = recent_share(
        given.pulls, given.files, given.paths, later=pd.Series(later, dtype="int64"), at_least=at_least
    )
    return {(row.pull_id, row.earlier_id): row.share for row in found.itertuples()}


def test_a_share_is_of_the_lines_added_lately_with_ten_in_doubt():
    given = merges(
        merge(1, "Add a", 0, "app/tax.py", lines=(20, 0)),
        merge(2, "Add b", 5, "app/tax.py", lines=(90, 3)),
        merge(3, "fix: c", 9, "app/tax.py"),
    )
    assert shares(given, 3) == {(3, 1): 0.167, (3, 2): 0.75}


def test_what_is_older_than_ninety_days_adds_nothing_and_older_than_thirty_is_not_told():
    given = merges(
        merge(1, "x", 0, "tax.py", lines=(500, 0)),
        merge(2, "y", 60, "tax.py", lines=(90, 0)),
        merge(3, "z", 95, "tax.py", lines=(100, 0)),
        merge(4, "fix: it", 100, "tax.py"),
    )
    assert shares(given, 4) == {(4, 3): 0.5}


def test_what_is_merged_later_counts_for_nobody():
    given = merges(
        merge(1, "x", 0, "tax.py", lines=(90, 0)),
        merge(2, "fix: it", 1, "tax.py"),
        merge(3, "z", 2, "tax.py", lines=(400, 0)),
    )
    assert shares(given, 2) == {(2, 1): 0.9}


def test_a_file_that_everybody_touches_belongs_to_nobody():
    given = merges(*(merge(n, "x", n / 10, "tax.py", lines=(40, 0)) for n in range(1, 9)))
    assert max(shares(given, 8).values()) < 0.2


def test_the_mean_over_files_counts_those_that_the_earlier_one_did_not_touch():
    given = merges(
        merge(1, "x", 0, "a.py", lines=(90, 0)), merge(2, "fix: it", 1, "a.py", "b.py"), merge(3, "fix: it", 1, "a.py")
    )
    assert shares(given, 2)[2, 1] == 0.45


def test_tests_count_along_with_code_but_not_alone_and_documents_do_not():
    given = merges(
        merge(1, "x", 0, "a.py", "tests/test_a.py", "README.md", lines=(90, 0)),
        merge(2, "fix: it", 1, "tests/test_a.py"),
        merge(3, "fix: it", 2, "README.md"),
        merge(4, "fix: it", 3, "a.py", "README.md"),
    )
    assert {pair for pair in shares(given, 2, 3, 4) if pair[1] == 1} == {(4, 1)}


def test_only_large_shares_are_told_and_small_parts_of_them_are_not_lost():
    given = merges(
        merge(1, "x", 0, "a.py", lines=(490, 0)),
        merge(2, "more", 0.5, "b.py", lines=(200, 0)),
        merge(3, "fix: it", 1, "a.py", "b.py"),
    )
    assert shares(given, 3, at_least=0.48) == {(3, 1): 0.49}


def test_the_order_of_rows_changes_nothing():
    given = merges(*(merge(n, "x", n % 4, "a.py", f"b{n % 3}.py", lines=(10 * n, n)) for n in range(1, 30)))
    assert shares(given, *range(1, 30)) == shares(shuffled(given), *range(1, 30))


def test_nothing_in_nothing_out():
    given = merges()
    found = recent_share(given.pulls, given.files, given.paths, later=pd.Series([], dtype="int64"), at_least=0.5)
    assert found.empty
    assert found.dtypes.astype(str).to_dict() == COLUMNS


@pytest.mark.parametrize("lines", [(None, None), (0, 0)])
def test_a_file_without_known_lines_owns_nothing(lines):
    given = merges(merge(1, "x", 0, "a.py", lines=lines), merge(2, "fix: it", 1, "a.py"))
    assert shares(given, 2) == {}
