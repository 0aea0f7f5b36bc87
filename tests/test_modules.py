"""Modules learned from what a project's titles say and its changes touch."""

import gzip
import json

import pandas as pd
import pytest
from frames import change, frames, shuffled

from analysis import modules
from analysis.modules import assign, learn_vocabulary
from analysis.vocabulary import Vocabulary, component_of, folders_of, word_key


def modules_of(vocabulary, *changes):
    """For each change, its modules with what says so, as `{"web": {"title", "path"}}`."""
    given = frames(*changes)
    found = {pull_id: {} for pull_id in given.pulls["pull_id"]}
    for row in assign(*given, vocabulary).itertuples():
        found[row.pull_id].setdefault(row.module, set()).add(row.source)
    return list(found.values())


TAGGED = [
    *[change("[ckpt] fix: names", "orbit/checkpoint_engine/writer.py", "tests/checkpoint_engine/test_writer.py")] * 6,
    *[change("[rollout] feat: speed", "orbit/workers/rollout/server.py")] * 6,
    *[change("[rollout, kafka] feat: speed", "orbit/workers/rollout/kafka_rollout.py")] * 4,
    *[change("[kafka] fix: retries", "orbit/queues/kafka_client.py", "orbit/cli.py")] * 4,
    *[change("[trainer] feat: loss", "orbit/trainer/loss.py", "orbit/utils/tensor.py")] * 6,
    *[change("[doc] chore: guide", "docs/guide.md")] * 4,
    *[change("[ci] chore: faster", ".github/workflows/test.yml")] * 4,
    *[change("[misc] chore: names", "orbit/cli.py")] * 4,
]
UNTAGGED = [
    *[change("Round totals", "src/shop/orders/totals.py", "tests/orders/test_totals.py")] * 5,
    *[change("Retry payments", "src/shop/payments/retry.py", "CHANGELOG.md")] * 5,
    *[change("Draw the cart", "src/shop/cart.py", "src/shop/utils/__init__.py")] * 5,
    *[change("Explain", "docs/index.md")] * 5,
]


@pytest.fixture(scope="module")
def tagged():
    return learn_vocabulary(*frames(*TAGGED))


@pytest.fixture(scope="module")
def untagged():
    return learn_vocabulary(*frames(*UNTAGGED))


def test_titles_tell_what_a_folder_is_called(tagged):
    [found] = modules_of(tagged, change("Words", "orbit/checkpoint_engine/reader.py"))
    assert found == {"ckpt": {"path"}}


def test_a_title_and_a_path_can_both_say_it(tagged):
    [found] = modules_of(tagged, change("[trainer] fix: loss", "orbit/trainer/optimizer.py"))
    assert found == {"trainer": {"title", "path"}}


def test_a_path_can_lie_in_several_modules(tagged):
    [found] = modules_of(tagged, change("Words", "orbit/workers/rollout/kafka_pool.py"))
    assert found == {"rollout": {"path"}, "kafka": {"path"}}


def test_tests_lie_in_what_they_mirror(tagged, untagged):
    assert modules_of(tagged, change("Words", "tests/workers/rollout/test_pool.py")) == [{"rollout": {"path"}}]
    assert modules_of(untagged, change("Words", "tests/test_orders.py")) == [{"orders": {"path"}}]
    assert modules_of(untagged, change("Words", "tests/test_cart_colours.py")) == [{"cart": {"path"}}]


def test_documents_and_ci_are_called_by_the_projects_own_words(tagged, untagged):
    assert modules_of(tagged, change("Words", "docs/new.md"), change("Words", "Jenkinsfile")) == [
        {"doc": {"path"}},
        {"ci": {"path"}},
    ]
    assert modules_of(untagged, change("Words", "docs/new.md")) == [{"docs": {"path"}}]


def test_without_tags_folders_and_files_keep_their_own_names(untagged):
    assert {name for names in untagged.folders.values() for name in names} == {"orders", "payments", "cart"}


def test_folders_that_hold_everything_or_anything_are_no_modules(untagged):
    assert "shop" in untagged.roots
    assert modules_of(untagged, change("Words", "src/shop/utils/dates.py", "src/shop/__init__.py")) == [{}]


def test_generic_words_and_kinds_are_no_modules(tagged):
    assert tagged.words.keys() == {"ckpt", "rollout", "kafka", "trainer", "doc", "ci"}
    assert modules_of(tagged, change("[misc] fix: all over the place")) == [{}]


def test_rare_tags_are_no_modules():
    vocabulary = learn_vocabulary(*frames(*TAGGED, change("[zebra] fix: stripes", "orbit/cli.py")))
    assert "zebra" not in vocabulary.words


def test_spellings_are_joined_under_the_commonest_one():
    spellings = ["[Docs] a", "[doc] b", "[doc] c", "[documentation] d", "[Config] a", "[cfg] b", "[cfg] c"]
    vocabulary = learn_vocabulary(*frames(*[change(title, "a.py") for title in spellings]))
    found = modules_of(vocabulary, *[change(title) for title in spellings])
    assert [list(each) for each in found] == [["doc"]] * 4 + [["cfg"]] * 3


def test_a_second_name_for_the_same_folder_is_an_alias():
    vocabulary = learn_vocabulary(
        *frames(
            *TAGGED,
            *[change("[scheduler] feat: cron", "orbit/scheduler/cron.py")] * 9,
            *[change("[sched] fix: cron", "orbit/scheduler/cron.py")] * 5,
            *[change("【调度】修复：死锁", "orbit/scheduler/cron.py")] * 5,
        )
    )
    found = modules_of(vocabulary, change("[sched] fix: a"), change("【调度】新增：b"))
    assert found == [{"scheduler": {"title"}}] * 2


def test_a_sentence_names_a_module_where_the_title_has_no_tag():
    talk = [change("Round kafka offsets", "orbit/queues/kafka_client.py")] * 8
    vocabulary = learn_vocabulary(*frames(*TAGGED, *talk))
    assert modules_of(vocabulary, change("Let kafka start later")) == [{"kafka": {"title"}}]
    assert modules_of(vocabulary, change("[ckpt] fix: a leak in kafka")) == [{"ckpt": {"title"}}]


def test_labels_name_modules_whole_or_by_component(tagged):
    found = modules_of(tagged, change("Words", labels=["rollout", "area/kafka", "kafkaesque"]))
    assert found == [{"rollout": {"label"}, "kafka": {"label"}}]


def test_component_labels_make_modules_of_their_own():
    vocabulary = learn_vocabulary(*frames(*[change("Words", "a.py", labels=["component: Web UI", "bug"])] * 3))
    assert modules_of(vocabulary, change("Words", labels=["component: Web UI"])) == [{"web ui": {"label"}}]
    assert "bug" not in vocabulary.words


@pytest.mark.parametrize(
    ("label", "component"),
    [("area/web", "web"), ("module: web", "web"), ("A-web", "web"), ("bug", None), ("a-team", None), ("areas", None)],
)
def test_only_some_labels_claim_to_name_a_component(label, component):
    assert component_of(label) == component


def test_noise_and_changelogs_say_nothing_but_lock_files_alone_do():
    vocabulary = learn_vocabulary(
        *frames(*UNTAGGED, *[change("Words", "pyproject.toml", "uv.lock"), change("Words", "package.json")] * 3)
    )
    found = modules_of(
        vocabulary,
        change("Words", "src/shop/orders/totals.py", "CHANGELOG.md", "uv.lock", "src/shop/orders/a_pb2.py"),
        change("Words", "uv.lock"),
    )
    assert found == [{"orders": {"path"}}, {"deps": {"path"}}]


def test_a_change_to_everything_is_in_the_few_modules_it_is_about(untagged):
    paths = [f"src/shop/orders/part{n}.py" for n in range(400)] + ["src/shop/payments/a.py", "src/shop/cart.py"]
    assert modules_of(untagged, change("Words", *paths)) == [{"orders": {"path"}}]


def test_a_change_spread_thinly_is_still_somewhere(untagged):
    paths = [f"scripts/{n}.py" for n in range(40)]
    assert modules_of(untagged, change("Words", "src/shop/cart.py", *paths)) == [{"cart": {"path"}}]


def test_a_pull_request_in_no_module_has_no_row(tagged):
    assert assign(*frames(change("Words", "orbit/nowhere.py")), tagged).empty


def test_a_renamed_module_is_renamed_everywhere(tagged):
    renamed = tagged.renamed({"ckpt": "checkpoints", "rollout": "checkpoints"})
    changes = [*TAGGED, change("Words", "orbit/checkpoint_engine/a.py", labels=["ckpt"])]
    before, after = modules_of(tagged, *changes), modules_of(renamed, *changes)
    for old, new in zip(before, after, strict=True):
        assert new.keys() == {"checkpoints" if name in {"ckpt", "rollout"} else name for name in old}


def test_order_of_rows_changes_nothing():
    given = frames(*TAGGED)
    vocabulary = learn_vocabulary(*given)
    assert learn_vocabulary(*shuffled(given)) == vocabulary
    assert learn_vocabulary(*shuffled(given)).digest == vocabulary.digest
    pd.testing.assert_frame_equal(assign(*shuffled(given), vocabulary), assign(*given, vocabulary))


def test_different_vocabularies_have_different_digests(tagged, untagged):
    assert tagged.digest != untagged.digest
    assert tagged.renamed({"ckpt": "checkpoints"}).digest != tagged.digest


def test_nothing_to_learn_from_gives_an_empty_vocabulary():
    given = frames()
    vocabulary = learn_vocabulary(*given)
    assert vocabulary == Vocabulary({}, {}, {}, {}, {}, frozenset())
    found = assign(*given, vocabulary)
    assert found.empty
    assert list(found.columns) == modules.COLUMNS


def test_words_are_compared_without_case_hyphens_and_plural():
    assert len({word_key(word) for word in ("Build-Rs", "build_rs", "build rs")}) == 1
    assert word_key("models") == word_key("Model")
    assert word_key("status") == "status"


def test_a_path_and_its_test_lie_in_the_same_folders():
    roots = frozenset({"shop"})
    folders = [
        folders_of(modules.classify(path), roots) for path in ("src/shop/orders/tax.py", "tests/orders/test_tax.py")
    ]
    assert folders == [("orders", "tax")] * 2


def test_a_real_project_is_known_by_its_paths(shared):
    """Paths alone find most of the modules that titles name, and few pull requests are left over."""
    with gzip.open(shared / "verl" / "prs-2026.json.gz") as file:
        pulls = json.load(file)
    given = frames(*[change(pull["title"], *[file["path"] for file in pull["files"]]) for pull in pulls])
    found = assign(*given, learn_vocabulary(*given))
    pairs = {source: set(zip(rows["pull_id"], rows["module"], strict=True)) for source, rows in found.groupby("source")}
    by_title, by_path = pairs["title"], pairs["path"]
    assert len(by_title & by_path) / len(by_title) > 0.6
    assert len(by_title & by_path) / len(by_path) > 0.45
    assert found["pull_id"].nunique() / len(pulls) > 0.97
    assert found.drop_duplicates(["pull_id", "module"])["pull_id"].value_counts().median() <= 2
    commonest = found["module"].value_counts().index[:8]
    assert {"rollout", "trainer", "megatron", "ci", "doc", "fsdp", "vllm"} <= set(commonest)
