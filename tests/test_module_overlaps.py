"""Modules that change together."""

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from analysis.module_overlaps import COLUMNS, module_overlaps


def assigned(**pull_ids):
    rows = [(pull_id, module, "path") for module, ids in pull_ids.items() for pull_id in ids]
    return pd.DataFrame(rows, columns=["pull_id", "module", "source"])


def test_a_pair_is_told_with_what_it_shares_and_to_what_degree():
    [pair] = module_overlaps(assigned(vllm=range(5), rollout=range(1, 11))).to_dict("records")
    assert pair["jaccard"] == 4 / 11
    assert pair["degree"] == 4 / 7.5
    assert [pair[key] for key in ("a", "b", "n_a", "n_b", "n_both")] == ["rollout", "vllm", 10, 5, 4]


def test_of_few_pull_requests_no_share_is_claimed():
    [pair] = module_overlaps(assigned(a=range(4), b=range(4))).to_dict("records")
    assert pair["n_both"] == 4
    assert pd.isna(pair["jaccard"]) and pd.isna(pair["degree"])


def test_a_pull_request_counts_once_for_all_its_reasons():
    twice = pd.concat([assigned(a=range(6), b=range(6)), assigned(a=range(6)).assign(source="title")])
    assert module_overlaps(twice)["n_both"].tolist() == [6]


def test_no_pairs_give_an_empty_frame_with_the_same_types():
    for none in (assigned(), assigned(a=[1], b=[2])):
        found = module_overlaps(none)
        assert found.empty
        assert found.dtypes.to_dict() == module_overlaps(assigned(a=[1], b=[1])).dtypes.to_dict()
        assert list(found.columns) == list(COLUMNS)


@given(st.sets(st.tuples(st.integers(0, 9), st.sampled_from("abcd"))))
def test_shares_lie_between_nothing_and_everything_and_order_changes_nothing(pairs):
    rows = pd.DataFrame([(*pair, "path") for pair in sorted(pairs)], columns=["pull_id", "module", "source"])
    rows = rows.astype({"pull_id": int, "module": "str"})
    found = module_overlaps(rows)
    assert (found["n_both"] <= found[["n_a", "n_b"]].min(axis=1)).all()
    told = found.dropna()
    assert (told["jaccard"] <= told["degree"]).all() and (told["degree"] <= 1).all()
    pd.testing.assert_frame_equal(module_overlaps(rows.iloc[::-1]), found)
