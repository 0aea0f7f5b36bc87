from data.counted import counted


def test_only_one_is_singular_and_thousands_are_parted():
    assert [counted(n, "commit") for n in (0, 1, 2, 1204)] == ["0 commits", "1 commit", "2 commits", "1,204 commits"]
