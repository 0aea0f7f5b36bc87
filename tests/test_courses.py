"""How often something occurred, window after window."""

from datetime import date

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from analysis.courses import courses
from analysis.window import Window

WEEKS = [Window(date(2026, 3, 2), date(2026, 3, 8)), Window(date(2026, 3, 9), date(2026, 3, 15))]


def rows(*pairs: tuple[str, str]) -> pd.DataFrame:
    """Moments of merges and the rules that fired."""
    return pd.DataFrame(pairs, columns=["merged_at", "rule"]).astype("object")


def test_each_value_is_counted_in_each_window():
    found = courses(
        rows(
            ("2026-03-02T00:00:00Z", "revert"),
            ("2026-03-08T23:59:59Z", "revert"),
            ("2026-03-09T00:00:00Z", "breaking"),
        ),
        "rule",
        WEEKS,
    )
    assert found.to_dict("list") == {"rule": ["breaking", "revert"], "counts": [[0, 1], [2, 0]]}


def test_what_lies_outside_of_all_windows_or_between_them_is_not_counted():
    apart = [WEEKS[0], Window(date(2026, 3, 16), date(2026, 3, 22))]
    found = courses(rows(*((f"2026-03-{day}T12:00:00Z", "revert") for day in ("01", "04", "12", "23"))), "rule", apart)
    assert found["counts"].tolist() == [[1, 0]]


def test_unknown_values_are_left_out_and_nothing_gives_nothing():
    frame = pd.DataFrame({"merged_at": ["2026-03-04T12:00:00Z"] * 2, "tier": [None, 3.0]})
    assert courses(frame, "tier", WEEKS).values.tolist() == [[3.0, [1, 0]]]
    empty = courses(frame[:0], "tier", WEEKS)
    assert empty.empty and list(empty) == ["tier", "counts"]


@given(st.permutations([("2026-03-04T12:00:00Z", "a"), ("2026-03-10T12:00:00Z", "a"), ("2026-03-10T13:00:00Z", "b")]))
def test_the_order_of_rows_changes_nothing(pairs):
    assert courses(rows(*pairs), "rule", WEEKS)["counts"].tolist() == [[1, 1], [0, 1]]
