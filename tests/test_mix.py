"""A change is split into amount, mix and rate, and the parts add up to it."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import mix

PARTS = ["amount", "mix", "rate"]


def rows(*groups):
    """Rows of group, how many, and the value of each."""
    return pd.DataFrame(
        [[group, value] for group, n, value in groups for _ in range(n)], columns=["kind", "value"]
    ).astype({"kind": "str", "value": "float64"})


def parts(found):
    return found.set_index("group")[PARTS].round(9).to_dict("index")


def test_a_mean_that_falls_because_more_of_it_is_docs_falls_by_mix():
    found = mix.of_mean(
        rows(("docs", 5, 2.0), ("feat", 5, 6.0)), rows(("docs", 2, 2.0), ("feat", 8, 6.0)), by="kind", value="value"
    )
    assert found["mix"].sum() == pytest.approx(-1.2)
    assert found["rate"].tolist() == [0.0, 0.0]
    assert found["change"].tolist() == pytest.approx([-0.78, -0.42])  # docs lie further from the mean of both


def test_a_mean_that_falls_within_a_group_falls_by_rate():
    found = mix.of_mean(rows(("docs", 5, 2.0), ("feat", 5, 4.0)), rows(("docs", 5, 2.0), ("feat", 5, 6.0)),
                        by="kind", value="value")  # fmt: skip
    assert parts(found) == {
        "feat": {"amount": 0.0, "mix": 0.0, "rate": -1.0}, "docs": {"amount": 0.0, "mix": 0.0, "rate": 0.0}
    }  # fmt: skip
    assert found["group"].tolist() == ["feat", "docs"], "the largest change comes first"


def test_more_of_the_same_is_amount_and_larger_ones_are_rate():
    ten = rows(("fix", 10, 30.0))
    assert parts(mix.of_total(rows(("fix", 20, 30.0)), ten, by="kind", value="value")) == {
        "fix": {"amount": 300.0, "mix": 0.0, "rate": 0.0}
    }
    assert parts(mix.of_total(rows(("fix", 10, 50.0)), ten, by="kind", value="value")) == {
        "fix": {"amount": 0.0, "mix": 0.0, "rate": 200.0}
    }


def test_windows_of_different_lengths_are_compared_by_the_week():
    now, before = rows(("fix", 10, 1.0)), rows(("fix", 40, 1.0))
    found = mix.of_total(now, before, by="kind", now_length=1, before_length=4)
    assert (found["n_before"].tolist(), found["change"].tolist()) == ([10.0], [0.0])


def test_a_group_that_comes_is_no_change_of_a_rate():
    found = mix.of_mean(
        rows(("feat", 5, 4.0), ("docs", 5, 2.0)), rows(("feat", 5, 4.0)), by="kind", value="value"
    ).set_index("group")
    assert found["rate"].tolist() == [0.0, 0.0]
    assert found["mix"].sum() == pytest.approx(-1.0)
    assert pd.isna(found.loc["docs", "before"])


def test_nothing_before_makes_a_total_all_amount_and_says_nothing_of_a_mean():
    now, nothing = rows(("fix", 3, 10.0)), rows()
    assert parts(mix.of_total(now, nothing, by="kind", value="value")) == {
        "fix": {"amount": 30.0, "mix": 0.0, "rate": 0.0}
    }
    for before in (nothing, rows(("fix", 3, None))):
        found = mix.of_mean(now, before, by="kind", value="value")
        assert (len(found), found.columns.tolist()) == (0, list(mix.COLUMNS))
    assert mix.of_total(nothing, nothing, by="kind").dtypes.to_dict() == found.dtypes.to_dict()


def test_unknown_groups_are_a_group_and_unknown_values_are_left_out():
    now = pd.DataFrame({"kind": ["fix", None, "fix"], "value": [1.0, 3.0, None]})
    found = mix.of_total(now, now.iloc[:0], by="kind", value="value")
    assert dict(zip(found["group"], found["n_now"], strict=True)) == {"": 1.0, "fix": 1.0}


def test_one_pull_request_of_two_modules_counts_half_in_each():
    pulls = pd.DataFrame({"number": [1, 2], "value": [10.0, 4.0]})
    modules = pd.DataFrame({"module": ["api", "api", "cli"], "number": [1, 1, 1], "source": ["title", "path", "path"]})
    found = mix.of_total(
        mix.by_module(pulls, modules), mix.by_module(pulls.iloc[:0], modules), by="module", value="value"
    )
    assert dict(zip(found["group"], found["change"], strict=True)) == {"api": 5.0, "cli": 5.0, "": 4.0}


def test_size_classes_begin_where_kubernetes_has_them():
    lines = pd.Series([0, 9, 10, 29, 30, 99, 100, 499, 500, 999, 1000, None])
    assert mix.size_class(lines).fillna("?").tolist() == [
        "XS", "XS", "S", "S", "M", "M", "L", "L", "XL", "XL", "XXL", "?"
    ]  # fmt: skip


sides = st.lists(
    st.tuples(st.sampled_from(["feat", "fix", "docs", "ci"]), st.integers(1, 6), st.floats(-1e3, 1e3)), max_size=6
)
lengths = st.sampled_from([1.0, 0.4, 4.0, 13.0])


@settings(max_examples=40, deadline=None)
@given(sides, sides, lengths, lengths)
def test_all_parts_add_up_to_the_change_of_each_group_and_of_all(now, before, now_length, before_length):
    now, before = rows(*now), rows(*before)
    found = mix.of_total(now, before, by="kind", value="value", now_length=now_length, before_length=before_length)
    assert found[PARTS].sum(axis=1).tolist() == pytest.approx(found["change"].tolist(), abs=1e-6)
    for group, change in zip(found["group"], found["change"], strict=True):
        of_now, of_before = (side.loc[side["kind"] == group, "value"].sum() for side in (now, before))
        assert change == pytest.approx(of_now / now_length - of_before / before_length, abs=1e-6)
    means = mix.of_mean(now, before, by="kind", value="value")
    if len(now) and len(before):
        assert means[PARTS].sum().sum() == pytest.approx(now["value"].mean() - before["value"].mean(), abs=1e-6)
    counts = mix.of_total(now, before, by="kind")
    assert counts["change"].sum() == pytest.approx(len(now) - len(before))
    assert counts["mix"].sum() == pytest.approx(0) and counts["rate"].abs().sum() == 0


@settings(max_examples=20, deadline=None)
@given(sides, sides)
def test_swapping_the_sides_swaps_the_signs_and_the_order_of_rows_changes_nothing(now, before):
    now, before = rows(*now), rows(*before)
    for split in (mix.of_mean, mix.of_total):
        found, swapped = (split(*pair, by="kind", value="value") for pair in ((now, before), (before, now)))
        together = found.merge(swapped, on="group")
        for part in PARTS:
            assert together[f"{part}_x"].tolist() == pytest.approx((-together[f"{part}_y"]).tolist(), abs=1e-6)
        again = split(
            now.sample(frac=1, random_state=3), before.sample(frac=1, random_state=3), by="kind", value="value"
        )
        pd.testing.assert_frame_equal(
            again.sort_values("group", ignore_index=True), found.sort_values("group", ignore_index=True)
        )


@pytest.mark.parametrize("split", [mix.of_mean, mix.of_total])
def test_the_frames_are_left_as_they_were(split):
    now, before = rows(("fix", 2, 1.0)), rows(("docs", 1, 3.0))
    kept = now.copy(), before.copy()
    split(now, before, by="kind", value="value")
    pd.testing.assert_frame_equal(now, kept[0])
    pd.testing.assert_frame_equal(before, kept[1])
