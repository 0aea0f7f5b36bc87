"""What a window's titles speak of more, or less, than those before."""

from datetime import date, timedelta

import pandas as pd
import pytest

from analysis.terms import COLUMNS, terms
from analysis.window import Window, iso_week

WEEK = iso_week("2026-W20")
FILLERS = ("Add retry to the client", "Add cache to the server", "Update the parser", "Update the docs of the shell")
NO_MODULES = pd.DataFrame(columns=["pull_id", "module"])


def make_pulls(now, *before):
    """Pull requests of W20 with these titles, and of the weeks before it, newest first; each filled up to thirty."""
    rows = []
    for step, titles in enumerate((now, *before)):
        day = WEEK.since - timedelta(weeks=step)
        filled = [*titles, *(FILLERS * 8)[: 30 - len(titles)]]
        rows += [{"title": title, "merged_at": f"{day}T00:{minute:02d}:00Z"} for minute, title in enumerate(filled)]
    pulls = pd.DataFrame(rows)
    return pulls.assign(pull_id=range(1, len(pulls) + 1), number=range(101, len(pulls) + 101))


def told(now, *before, n=8):
    """Term and direction of what is told, for `n` windows before, of which the last ones are fillers only."""
    found = terms(make_pulls(now, *before, *[()] * (n - len(before))), NO_MODULES, WEEK)
    return list(zip(found["term"], found["direction"], strict=True))


FP8 = ["Add fp8 to the client", "Update fp8 in the server", "Remove fp8 from the docs"]


def test_a_term_rises_from_three_pull_requests_on():
    assert told(FP8) == [("fp8", "rising")]
    assert told(FP8[:2]) == []
    assert told(["fp8 and fp8 and fp8"]) == [], "one pull request counts once"


def test_a_term_fades_if_an_average_window_had_three():
    assert told([], *[FP8] * 8) == [("fp8", "fading")]
    assert told([], *[FP8[:2]] * 8) == []


def test_what_is_usual_neither_rises_nor_fades():
    assert told(FP8, *[FP8] * 8) == []


def test_what_is_usual_is_told_last_where_that_is_asked_for():
    lora, often = ["Add lora", "Remove lora", "Update lora"], ["Add npu", "Move npu", "Update npu"]
    pulls = make_pulls([*FP8, *often, "Test npu"], *[[*often, *lora, "Test fsdp"]] * 8)
    found = terms(pulls, NO_MODULES, WEEK, steady=True)
    told = list(zip(found["term"], found["direction"], found["n_now"], strict=True))
    assert told == [("fp8", "rising", 3), ("lora", "fading", 0), ("npu", "steady", 4)]
    assert terms(pulls, NO_MODULES, WEEK)["term"].tolist() == ["fp8", "lora"]


def test_a_longer_steady_term_does_not_hide_one_that_rises():
    now = [f"{verb} the npu kernel" for verb in ("Add", "Update", "Remove", "Move", "Test", "Tune", "Split")]
    before = [now[:4], now[:3]] * 4
    found = terms(make_pulls([*now, "Add npu", "Update npu"], *before), NO_MODULES, WEEK, steady=True)
    told = list(zip(found["term"], found["direction"], found["n_now"], strict=True))
    assert told == [("npu", "rising", 9), ("npu kernel", "steady", 7)]


def test_no_title_at_all_says_nothing():
    long_ago = make_pulls(FP8).assign(merged_at="2026-03-16T00:00:00Z")
    assert terms(long_ago, NO_MODULES, WEEK).empty
    assert terms(long_ago.head(0), NO_MODULES, WEEK).empty


def test_the_numbers_of_both_sides_come_with_the_term():
    pulls = make_pulls(FP8, ["Add fp8 to the shell"], [], [], [], [], [], [], [])
    modules = pd.DataFrame({"pull_id": [1, 2, 2, 3, 31], "module": ["client", "client", "server", "docs", "shell"]})
    [found] = terms(pulls, modules, WEEK).to_dict("records")
    assert (found["n_now"], found["n_before"], found["prs"], found["prs_before"]) == (3, 0.125, [101, 102, 103], [131])
    assert found["modules"] == ["client", "docs", "server"]


def test_the_score_is_the_root_of_the_likelihood_ratio():
    """4 of 34 against 2 of 272, as the docstring says."""
    titles = ["Add fp8"] * 4 + ["Add"] * 30 + ["Add fp8"] * 2 + ["Add"] * 270
    days = [WEEK.since] * 34 + [WEEK.since - timedelta(weeks=1 + place % 8) for place in range(272)]
    pulls = pd.DataFrame({"title": titles, "merged_at": [f"{day}T00:00:00Z" for day in days]})
    [score] = terms(pulls.assign(pull_id=range(306), number=range(306)), NO_MODULES, WEEK)["score"]
    assert score == pytest.approx(3.29, abs=0.01)


def test_a_phrase_stands_for_its_words_unless_they_are_used_far_more():
    attention = ["Add attention mask", "Update attention mask", "Remove attention mask"]
    assert told(attention) == [("attention mask", "rising")]
    assert told([*attention, "Add mask"]) == [("attention mask", "rising")], "3 of 4 say both"
    more = ["Add attention to x", "Update attention in y", "Add attention for z", "Remove attention in u"]
    assert told([*attention, *more]) == [("attention", "rising"), ("attention mask", "rising")]


def test_spellings_are_one_term_called_as_it_is_mostly_written():
    assert told(["Add qwen3-VL", "Update qwen3_VL", "Add Qwen3 VL", "Remove qwen3-VL"]) == [("qwen3 VL", "rising")]
    assert told(["Add adapter", "Update adapters", "Remove adapters"]) == [("adapters", "rising")]


def test_verbs_and_words_of_every_title_are_learned_from_the_repository():
    guarded = ["Guard the client", "Guard the shell", "Guard the docs"]
    assert told(guarded) == [("Guard", "rising")], "three uses are too few to learn from"
    old = [f"Guard part {letter}" for letter in "abcde"]
    assert told(guarded, *[()] * 6, old) == []
    assert told(["Add orbit to x", "Update orbit", "Remove orbit"], *[["Update orbit"] * 2] * 8) == []


def test_a_name_that_opens_titles_is_no_verb():
    rest = ("loses a part", "in the client", "for the shell", "without docs", "and parser")
    assert told([f"TransferQueue {each}" for each in rest]) == [("TransferQueue", "rising")]
    assert told([f"Guard {each}" for each in rest]) == []


def test_tags_are_terms_and_kinds_and_numbers_are_not():
    assert told(["[veomni] feat: x (#7)", "[veomni] fix: y (#8)", "[veomni] fix: 12 of 30 (#9)"]) == [
        ("veomni", "rising")
    ]


CHINESE = ["修复虚拟滚动的闪烁问题", "feat: 支持虚拟滚动", "优化虚拟滚动和懒加载"]


def test_chinese_terms_are_the_longest_characters_that_titles_share():
    assert told(CHINESE) == [("虚拟滚动", "rising")]
    assert told([], *[CHINESE] * 8) == [("虚拟滚动", "fading")]


def test_chinese_and_english_stand_side_by_side():
    assert told(["修复 NPU 的内存泄漏", "NPU 内存泄漏", "内存泄漏: npu"]) == [("内存泄漏", "rising")], (
        "same pull requests"
    )
    assert sorted(told(["修复 NPU 问题", "NPU 内存泄漏", "内存泄漏", "Add NPU", "内存泄漏"])) == [
        ("NPU", "rising"),
        ("内存泄漏", "rising"),
    ]


def test_without_four_whole_windows_before_nothing_is_told():
    assert told(FP8, n=4) == [("fp8", "rising")]
    assert told(FP8, n=3) == []


def test_what_is_merged_after_the_window_changes_nothing():
    pulls = make_pulls(FP8, *[()] * 8)
    later = pulls.head(9).assign(merged_at="2026-06-01T00:00:00Z", pull_id=range(900, 909), number=range(900, 909))
    expected = terms(pulls, NO_MODULES, WEEK)
    assert not expected.empty
    pd.testing.assert_frame_equal(terms(pd.concat([later, pulls]), NO_MODULES, WEEK), expected)


def test_the_order_of_rows_changes_nothing_and_nothing_gives_nothing():
    pulls = make_pulls([*FP8, *CHINESE], *[["Add lora", "Remove lora", "Update lora"]] * 8)
    modules = pd.DataFrame({"pull_id": [1, 2, 3, 3], "module": ["b", "a", "b", "a"]})
    expected = terms(pulls, modules, WEEK)
    assert expected["direction"].tolist() == ["rising", "rising", "fading"]
    shuffled = terms(pulls.sample(frac=1, random_state=7), modules.iloc[::-1], WEEK)
    pd.testing.assert_frame_equal(shuffled, expected)
    for given in (pulls.iloc[:0], pulls.assign(title="Add the"), pulls[pulls["merged_at"] < WEEK.start]):
        none = terms(given, modules.iloc[:0], WEEK)
        assert none.dtypes.astype(str).to_dict() == COLUMNS == expected.dtypes.astype(str).to_dict()


def test_months_are_compared_with_months():
    days = [date(2026, 5, 4)] * 3 + [date(2026, month, 28) for month in (1, 2, 3, 4)] + [date(2025, 12, 1)]
    titles = [*FP8, *["Add retry"] * 5]
    pulls = pd.DataFrame({"title": titles, "merged_at": [f"{day}T12:00:00Z" for day in days]})
    pulls = pulls.assign(pull_id=range(8), number=range(8))
    assert terms(pulls, NO_MODULES, Window(date(2026, 5, 1), date(2026, 5, 31)))["n_now"].tolist() == [3]
