"""Results that were measured, and numbers that were not."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.measured import LONGEST, MOST, measured

TABLE = """
| setup | before | after |
|---|---:|---:|
| 8 GPUs | 3.5 | 3.05 |
| **16 GPUs** | ~7.1 | **6.2** |
| none | - | - |
"""


@pytest.mark.parametrize(
    "text",
    [
        "+12 % throughput",
        "It is 1.5x faster.",
        "This makes the test suite 1.5 to 1.7 times faster.",
        "reward 0.62 -> 0.71",
        "Reward improved from -0.8 to 0 over 12+ hours.",
        "A no-op build of a large workspace goes from 11s to 6.7s.",
        "unit tests (20min -> 13min)",
        "Peak memory dropped **68.3 → 0.9 GiB** after the clear.",
        "It took 2 minutes instead of 0.3 seconds.",
        "Approximately a 4% win on wall-time.",
        "Coverage 76% -> 90%.",
        "we reach approximately **90% success rate**",
        "吞吐提升 12%",
        "显存从 80GB 降到 60GB",
        "训练速度提升1.5倍。",
        "耗时3ms降到1ms",
    ],
)
def test_a_sentence_tells_a_result(text):
    assert measured(text).strength == 0.5
    assert len(measured(text).evidence) == 1


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "much faster now",
        "Bump foo from 0.17 to 0.18",
        "`anyhow` 1.0.70 -> 1.0.71",
        "Upgrade the engine 0.17 -> 0.18.1, which is 10% faster",
        "Released 2026-04-20 -> 2026-05-01",
        "22 passed in 4.79s",
        "The timeout goes from 30s to 60s",
        "I am 90% sure that this improves it",
        "Default memory share goes from 80% to 60%",
        "from 2 files to 3",
        "Tested on 8x H100 and 2×8 H20",
        "+120 lines, 40% less code than before, 30 files",
        "lower `pool.memory_share` from 0.8 to 0.6",
        "- [x] It is 50% faster",
        "> For changes like this show results, such as 50% faster,\nor 2x less memory",
        "<!-- e.g. throughput +12% -->",
        "```\n1.5x faster\n```",
        "```\n1.5x faster, never closed",
        "| file | lines |\n|---|---|\n| a.py | 10% |",
        "| Package | Change |\n|---|---|\n| serde | 1.0.1 -> 1.0.2 |",
        "版本从 1.2 升到 1.3",
    ],
)
def test_other_numbers_are_no_results(text):
    assert measured(text).strength == 0
    assert measured(text).evidence == ()


def test_each_row_of_a_table_with_numbers_is_a_result():
    found = measured(f"### Results\n\n{TABLE}\n")
    assert found.strength == 0.75
    assert found.evidence == ("setup: 8 GPUs; before: 3.5; after: 3.05", "setup: 16 GPUs; before: ~7.1; after: 6.2")


def test_numbers_with_units_speak_in_a_table_under_any_heading():
    assert measured("| who | a |\n|---|---|\n| x | 3.5 ms |\n| y | 7 |").evidence == ("who: x; a: 3.5 ms",)


def test_sentences_that_a_commit_message_has_broken_are_read_whole():
    found = measured("The step is faster. Throughput\nincreased by\n12 %, as hoped.\n- memory is down by 3\n  %")
    assert found.evidence == ("Throughput increased by 12 %, as hoped.", "- memory is down by 3 %")


def test_the_worked_example_of_the_documentation_is_right():
    assert measured("Step time 3.5 s -> 3.05 s. Throughput is up 13 %, no test was changed.").strength == 0.75


def test_evidence_is_bounded():
    found = measured("\n".join(f"- {n}: 12% faster {'x' * 500}" for n in range(100)))
    assert 0.99 < found.strength <= 1
    assert len(found.evidence) == MOST
    assert {len(piece) for piece in found.evidence} == {LONGEST}


@given(
    st.text() | st.lists(st.sampled_from(["12%", "faster", " ", "|", "\n", "->", "3 s", "`", "-", "降到"])).map("".join)
)
def test_any_text_is_read(text):
    found = measured(text)
    assert 0 <= found.strength <= 1
    assert (found.strength > 0) == bool(found.evidence)


def test_long_texts_of_any_shape_are_read_in_no_time():
    start = time.process_time()
    for text in ("1" * 50_000 + "%", "1,1" * 20_000 + "%", "|" * 50_000, "-" * 50_000 + "%", "9 % " * 20_000):
        measured(text)
    assert time.process_time() - start < 2, "it took 0.1 s where this was written"
