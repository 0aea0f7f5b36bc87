"""The Overview's first sentence and the line below it."""

from datetime import date

import pytest

from analysis.window import Window
from dashboard.headline import context, headline
from dashboard.words import Words

WEEK = Window(date(2026, 5, 4), date(2026, 5, 10))
FOUR_WEEKS = Window(date(2026, 4, 13), date(2026, 5, 10))
EN, ZH = Words("en"), Words("zh")


@pytest.mark.parametrize(
    ("merged", "before", "window", "sentence"),
    [
        (31, 34, WEEK, "31 pull requests merged, 3 fewer than the week before"),
        (143, 98, FOUR_WEEKS, "143 pull requests merged, 45 more than the 4 weeks before"),
        (5, 5, WEEK, "5 pull requests merged, as many as the week before"),
        (5, 0, WEEK, "5 pull requests merged, after none in the week before"),
        (1, None, WEEK, "1 pull request merged"),
    ],
)
def test_the_headline_names_the_real_comparison(merged, before, window, sentence):
    assert headline(merged, before, window, EN) == sentence


def test_the_headline_reads_as_chinese():
    assert headline(31, 34, WEEK, ZH) == "合入 31 个 PR，比前一周少 3 个"


def test_the_share_of_the_busiest_modules_counts_a_shared_pull_request_once():
    modules = [
        {"module": "trainer", "prs": [1, 2, 3]},
        {"module": "rollout", "prs": [3, 4]},
        {"module": "ci", "prs": [5]},
    ]
    line = context(10, modules, missing_tests=6, breaking=1, words=EN)
    assert line == (
        "40% of them touched trainer or rollout. 6 changes came without tests where they matter."
        " 1 breaking change needs a migration note."
    )


def test_what_is_unknown_or_nil_is_not_mentioned():
    modules = [{"module": "trainer", "prs": [1, 2]}, {"module": "docs", "prs": [3]}]
    assert context(4, modules, missing_tests=0, breaking=0, words=EN) == "2 of them touched trainer."
    assert context(4, [], missing_tests=0, breaking=0, words=EN) == ""


def test_a_modules_name_brings_no_markdown_along():
    line = context(9, [{"module": "*a*", "prs": [1, 2]}], missing_tests=0, breaking=0, words=EN)
    assert "\\*a\\*" in line
