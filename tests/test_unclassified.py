"""Pull requests in no module."""

import math

import pandas as pd
from frames import change, frames

from analysis.modules import COLUMNS
from analysis.unclassified import unclassified, unclassified_share

PULLS = frames(*[change(title) for title in ("a", "b", "c", "d", "e")]).pulls


def assigned(*pull_ids):
    return pd.DataFrame([(pull_id, "web", "path") for pull_id in pull_ids], columns=COLUMNS).astype({"pull_id": int})


def test_those_without_a_module_are_listed_by_number():
    found = unclassified(PULLS.iloc[::-1], assigned(1, 2, 2, 4))
    assert found.to_numpy().tolist() == [[3, 103, "c"], [5, 105, "e"]]


def test_their_share_is_told_from_five_pull_requests_on():
    assert unclassified_share(PULLS, assigned(1, 2, 2, 4)) == 0.4
    assert unclassified_share(PULLS, assigned()) == 1
    assert math.isnan(unclassified_share(PULLS.head(4), assigned(1)))


def test_no_pull_requests_give_an_empty_frame_and_no_share():
    none = frames().pulls
    assert unclassified(none, assigned()).empty
    assert list(unclassified(none, assigned()).columns) == ["pull_id", "number", "title"]
    assert math.isnan(unclassified_share(none, assigned()))
