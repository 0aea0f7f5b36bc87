"""How few people the knowledge of a module rests with."""

import pandas as pd

from analysis.bus_factor import COLUMNS, bus_factor


def inputs(*authors, module="orders"):
    """One merged pull request of the module for each author; `bot` and `ghost` are no people."""
    names = sorted(set(authors))
    pulls = pd.DataFrame({"pull_id": range(1, len(authors) + 1), "author": list(authors)})
    pulls["author_id"] = [names.index(author) + 1 for author in authors]
    pulls["author_type"] = ["human" if author not in ("bot", "ghost") else author for author in authors]
    return pulls, pulls[["pull_id"]].assign(module=module, source="path")


def found(*authors):
    return bus_factor(*inputs(*authors)).iloc[0]


def test_it_is_the_fewest_authors_with_half_of_the_changes():
    assert found(*["ada"] * 6, *["bob"] * 3, *["cy"] * 2, "dee")["bus_factor"] == 1
    assert found("ada", "ada", "bob", "bob", "cy", "dee")["bus_factor"] == 2
    assert found("ada", "bob", "cy", "dee", "eve", "fay")["bus_factor"] == 3


def test_below_five_pull_requests_it_is_unknown():
    few, enough = found(*["ada"] * 4), found(*["ada"] * 5)
    assert (few["n_pulls"], pd.isna(few["bus_factor"]), pd.isna(few["top_share"])) == (4, True, True)
    assert (enough["bus_factor"], enough["top_share"]) == (1, 1.0)


def test_bots_and_deleted_accounts_count_on_neither_side():
    row = found(*["ada"] * 3, "bob", "cy", *["bot"] * 9, *["ghost"] * 9)
    assert (row["n_pulls"], row["n_authors"], row["bus_factor"], row["top_share"]) == (5, 3, 1, 0.6)


def test_names_come_with_counts_most_first_and_are_no_more_than_five():
    assert found(*"aabbbcdefg")["top_authors"] == [("b", 3), ("a", 2), ("c", 1), ("d", 1), ("e", 1)]


def test_a_module_named_by_two_sources_counts_a_pull_request_once():
    pulls, modules = inputs(*["ada"] * 5)
    doubled = pd.concat([modules, modules.assign(source="title")])
    assert bus_factor(pulls, doubled)["n_pulls"].tolist() == [5]


def test_the_order_of_rows_changes_nothing_and_nothing_gives_nothing():
    pulls, modules = inputs(*"aabbccd")
    modules = pd.concat([modules, modules.head(5).assign(module="billing")])
    expected = bus_factor(pulls, modules)
    assert expected["module"].tolist() == ["orders", "billing"]
    pd.testing.assert_frame_equal(bus_factor(pulls.iloc[::-1], modules.iloc[::-1]), expected)
    none = bus_factor(pulls.iloc[:0], modules)
    assert none.dtypes.astype(str).to_dict() == COLUMNS == expected.dtypes.astype(str).to_dict()
