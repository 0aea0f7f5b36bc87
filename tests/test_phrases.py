"""What titles are compared by, and what of them a heading may quote."""

import pytest

from analysis.phrases import compared, key_of, opening_verb, quotable, sentence


def whole(title):
    return [phrase.text for phrase, is_whole in quotable(title) if is_whole]


@pytest.mark.parametrize(
    ("one", "other"),
    [("TRT-LLM", "trtllm"), ("fully async", "fully_async"), ("Qwen3.5", "qwen35"), ("Snapshots", "snapshot")],
)
def test_spellings_of_one_name_have_one_key(one, other):
    assert key_of(one) == key_of(other)


def test_titles_that_spell_a_name_differently_share_it():
    assert "onpolicydistillation" in compared("[veomni] feat: enable On-Policy Distillation")
    assert "onpolicydistillation" in compared("[rollout] fix: teacher of on_policy_distillation")


def test_a_rare_verb_is_compared_but_small_words_are_not():
    found = compared("[misc] refactor: deprecate the workers of a ray")
    assert {"deprecate", "worker", "ray"} <= found
    assert not {"the", "of", "a"} & found


def test_a_phrase_is_cut_at_small_words_verbs_and_punctuation():
    assert whole("fix: allow drain loop to go on (from pausing), add page cache") == [
        "drain loop",
        "pausing",
        "page cache",
    ]


def test_a_phrase_neither_starts_nor_ends_with_words_that_say_nothing():
    assert whole("[ckpt] fix: correctly handle missing world size issues") == ["world size"]
    assert whole("[x] fix: several minor bugs") == []


def test_names_and_options_are_quoted_as_they_are_written():
    assert whole("feat: support `--depth public` and sft/rl in main_ppo.py") == [
        "--depth public",
        "sft/rl",
        "main_ppo.py",
    ]


def test_the_first_word_of_a_sentence_is_taken_for_a_verb_where_it_can_be_one():
    assert whole("[ckpt] fix: load weights in shards") == ["weights", "shards"]
    assert whole("[ckpt] fix: shards of load balance") == ["shards", "load balance"]
    assert opening_verb("[ckpt] fix: load weights") == "load"
    assert opening_verb("[ckpt] fix: weights") is None


def test_chinese_is_compared_and_quoted_without_spaces():
    one, other = "【调度】修复：任务队列的死锁", "【调度】优化任务队列"
    assert "任务队列" in compared(one) & compared(other)
    assert whole(one) == ["任务队列", "死锁"]
    assert whole(other) == ["任务队列"]


def test_a_revert_says_what_it_reverts():
    assert sentence('Revert "[reward] fix: compute the world size (#12)"') == "compute the world size"


@pytest.mark.parametrize("title", ["", " ", "()", "#12", "🚀", "fix:", "-", "[a] [b]", "x" * 2000])
def test_any_title_is_fine(title):
    compared(title), quotable(title), opening_verb(title)
