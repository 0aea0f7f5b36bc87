"""How sure a key change is."""

import time

import pandas as pd
import pytest
from changes import QUIET, changes

from analysis import importance
from analysis.stability import stability
from data.errors import MergeWindowError


def key_shares(*facts, weights=None):
    return stability(changes(*facts), weights)["key_share"].tolist()


def test_far_above_and_far_below_the_line_are_sure_and_close_ones_are_not():
    big = {"kind": "feat", "is_breaking": True, "added": 500.0, "n_folders": 6, "coreness": 1.0}
    close = {"kind": "feat", "added": 40.0}
    assert importance.score(changes(close)).iloc[0]["importance"] == pytest.approx(5, abs=0.2)
    sure, unsure, never = key_shares(big, close, {"kind": "docs", "docs_only": True})
    assert (sure, never) == (1, 0)
    assert 0.2 < unsure < 0.8


def test_the_draws_are_always_the_same_and_rows_do_not_hang_on_each_other():
    rows = [{"added": float(lines), "kind": "fix"} for lines in (20, 60, 90, 200)]
    shares = key_shares(*rows)
    assert shares == sorted(shares)
    assert key_shares(*reversed(rows)) == shares[::-1]
    assert key_shares(rows[2]) == shares[2:3]


def test_weights_that_are_chosen_are_the_ones_that_move():
    close = {"kind": "fix", "added": 60.0}
    assert key_shares(close, weights={"size": 0.0}) == [0]
    assert key_shares(close, weights={"kind_fix": 5.5, "kind_docs": 5.5}) == [1]
    with pytest.raises(MergeWindowError, match="Unknown weight"):
        key_shares(close, weights={"siz": 0.0})


def test_no_pull_requests_have_no_shares():
    empty = stability(changes(QUIET).iloc[:0])
    assert empty.empty
    assert empty.dtypes.to_dict() == {"key_share": "float64"}


def test_ten_thousand_take_no_time():
    frame = pd.concat([changes({"added": 5.0, "kind": "fix"})] * 10_000, ignore_index=True)
    start = time.process_time()
    stability(frame)
    assert time.process_time() - start < 2, "it took 0.04 s where this was written"
