"""Lines by what they are worth, without those that only moved."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.paths import classify
from analysis.sizes import LINES_COUNT, moved_share, sizes

NAMES = ["a.py", "old/a.py", "new/a.py", "new/b.py", "uv.lock", "tests/test_a.py", "README.md"]


def files_of(*rows):
    frame = pd.DataFrame(rows, columns=["at", "path", "additions", "deletions"])
    facts = [classify(path) for path in frame["path"]]
    return frame.assign(category=[each.category for each in facts], language=[each.language for each in facts])


def pulls_of(n, declared=(None, None, None)):
    return pd.DataFrame([declared] * n, columns=["changed_files", "additions", "deletions"])


def test_lines_count_by_what_their_file_is():
    found = sizes(pulls_of(1), files_of((0, "a.py", 40, 10), (0, "uv.lock", 100, 90), (0, "tests/test_a.py", 10, 0)))
    assert found.iloc[0].to_dict() == {"added": 43, "deleted": 10, "moved_lines": 0}


def test_lines_that_are_told_of_some_files_only_give_way_to_the_declared_ones():
    files = files_of((0, "a.py", 40, 10), (0, "b.py", None, None), (1, "a.py", 5, 0), (1, "logo.png", None, None))
    found = sizes(pulls_of(2, declared=(2, 90, 20)), files)
    assert found[["added", "deleted"]].to_numpy().tolist() == [[90, 20], [5, 0]], "a picture has no lines"
    assert sizes(pulls_of(1, declared=(1, None, None)), files_of((0, "b.py", None, None)))["added"].isna().all()


def test_moved_lines_are_told_apart():
    found = sizes(pulls_of(1), files_of((0, "old/a.py", 0, 100), (0, "new/a.py", 120, 0), (0, "new/b.py", 7, 0)))
    assert found.iloc[0].to_dict() == {"added": pytest.approx(27), "deleted": 0, "moved_lines": pytest.approx(200)}


@pytest.mark.parametrize(
    ("rows", "shares"),
    [
        ([("old/a.py", 0, 100), ("new/a.py", 120, 0)], [1, 100 / 120]),  # same name
        ([("old/a.py", 0, 100), ("new/b.py", 100, 0)], [1, 1]),  # same length
        ([("old/a.py", 0, 9), ("new/b.py", 9, 0)], [0, 0]),  # too short to tell
        ([("old/a.py", 0, 100), ("new/b.md", 100, 0)], [0, 0]),  # another suffix
        ([("old/a.py", 0, 100), ("new/b.py", 120, 0)], [0, 0]),  # neither
        ([("old/a.py", 3, 100), ("new/a.py", 120, 0)], [0, 0]),  # changed, not gone
        ([("old/a.py", 0, 60), ("older/a.py", 0, 60), ("new/a.py", 30, 0)], [0.25, 0.25, 1]),
        ([("old/a.py", 0, None), ("new/a.py", None, 0)], [0, 0]),  # binary
    ],
)
def test_what_one_file_loses_and_another_gains_was_moved(rows, shares):
    found = moved_share(files_of(*((0, *row) for row in rows)))
    assert found.tolist() == pytest.approx(shares)


def test_nothing_moves_from_one_pull_request_to_another():
    assert moved_share(files_of((0, "old/a.py", 0, 100), (1, "new/a.py", 100, 0))).tolist() == [0, 0]


def test_where_no_file_is_known_the_declared_lines_count():
    unknown = sizes(pulls_of(1, (3, 200, 100)), files_of())
    assert unknown[["added", "deleted"]].iloc[0].tolist() == [200, 100]
    none = sizes(pulls_of(1, (0, None, None)), files_of())
    assert none[["added", "deleted"]].iloc[0].tolist() == [0, 0]


def test_no_pull_requests_have_no_sizes():
    assert list(sizes(pulls_of(0), files_of()).columns) == ["added", "deleted", "moved_lines"]


LINES = st.none() | st.integers(0, 300)
ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(NAMES), LINES, LINES), max_size=12, unique_by=lambda row: row[:2]
)


@given(ROWS, st.randoms())
@settings(deadline=None, max_examples=50)
def test_neither_order_nor_others_change_it_and_moves_balance(rows, chance):
    shuffled = chance.sample(rows, len(rows))
    found = sizes(pulls_of(3), files_of(*rows))
    pd.testing.assert_frame_equal(sizes(pulls_of(3), files_of(*shuffled)), found)
    assert not (found < -1e-9).any(axis=None)
    files = files_of(*rows)
    moved = moved_share(files)
    for side, other in (("additions", "deletions"), ("deletions", "additions")):
        one = (files[side].fillna(0).astype(float) * moved).groupby(files["at"]).sum()
        two = (files[other].fillna(0).astype(float) * moved).groupby(files["at"]).sum()
        assert one.tolist() == pytest.approx(two.tolist())


def test_every_weight_is_of_a_category_that_exists():
    assert {classify(path).category for path in NAMES} - set(LINES_COUNT) == {"lock"}
