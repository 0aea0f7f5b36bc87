from dashboard import sync_words
from data.counted import counted, counted_of
from data.estimate import Estimate


def test_only_one_is_singular_and_thousands_are_parted():
    assert [counted(n, "commit") for n in (0, 1, 2, 1204)] == ["0 commits", "1 commit", "2 commits", "1,204 commits"]


def test_the_verb_goes_with_what_is_told_and_the_noun_with_all_of_it():
    told = [counted_of(*each, "commit") for each in ((1, 1), (1, 3), (2, 3), (0, 1), (1, None), (1204, None))]
    assert told == [
        "1 of 1 commit is",
        "1 of 3 commits is",
        "2 of 3 commits are",
        "0 of 1 commit are",
        "1 commit is",
        "1,204 commits are",
    ]


def test_an_estimate_of_one_is_told_as_one():
    one = Estimate("acme/orbit", 1, 1, 1, 0.5, None, None, is_rough=False)
    assert sync_words.estimate(one) == "acme/orbit: 1 pull request to read in 1 call, 1 point, about 30 s"
