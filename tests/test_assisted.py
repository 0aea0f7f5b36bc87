"""Which pull requests are bots', and which a coding assistant had a hand in."""

import pandas as pd

from analysis import assisted

TYPES = ["bot", "human", "human", None, "bot", "ghost"]
PULLS = pd.DataFrame({"pull_id": range(1, 7), "number": range(11, 17), "author": "somebody", "author_type": TYPES})
CO_AUTHORS = pd.DataFrame(
    {
        "pull_id": [2, 2, 2, 3, 5, 9],
        "name": ["claude", "bob", "claude", "bob", "copilot", "claude"],
        "is_ai": [1, 0, 1, 0, 1, 1],
    }
)


def test_bots_and_assistants_are_marked_apart_and_unknown_stays_unknown():
    found = assisted.assisted(PULLS, CO_AUTHORS)
    assert found["is_bot"].astype(object).where(found["is_bot"].notna(), None).tolist() == [
        *(True, False, False, None, True, False),
    ]
    assert found["is_assisted"].tolist() == [False, True, False, False, True, False]
    assert found["assistants"].tolist() == [[], ["claude"], [], [], ["copilot"], []]


def test_each_pull_request_is_in_one_group_and_groups_add_up():
    found = assisted.shares(PULLS, CO_AUTHORS).set_index("group")
    assert found["prs"].to_dict() == {"human": [13, 16], "assisted": [12], "bot": [11, 15], "unknown": [14]}
    assert found["n_pulls"].sum() == len(PULLS)
    assert found["share"].round(3).to_dict() == {"human": 0.333, "assisted": 0.167, "bot": 0.333, "unknown": 0.167}


def test_shares_are_not_claimed_below_five_pull_requests():
    found = assisted.shares(PULLS.head(4), CO_AUTHORS)
    assert found["n_pulls"].tolist() == [1, 1, 1, 1]
    assert found["share"].isna().all()


def test_the_order_of_rows_changes_nothing_and_columns_are_always_there():
    for found, columns in ((assisted.assisted, assisted.COLUMNS), (assisted.shares, assisted.SHARES)):
        expected = found(PULLS, CO_AUTHORS)
        pd.testing.assert_frame_equal(found(PULLS.iloc[::-1], CO_AUTHORS.iloc[::-1]), expected)
        none = found(PULLS.iloc[:0], CO_AUTHORS)
        assert none.dtypes.astype(str).to_dict() == columns == expected.dtypes.astype(str).to_dict()
        assert found(PULLS, CO_AUTHORS.iloc[:0]).dtypes.astype(str).to_dict() == columns
    assert assisted.shares(PULLS.iloc[:0], CO_AUTHORS)["n_pulls"].tolist() == [0, 0, 0, 0]
