"""Modules learned from what a project's titles say and its changes touch."""

import gzip
import json

import pandas as pd
import pytest
from conftest import ROOT
from frames import Frames, change, frames, shuffled
from hypothesis import given as having
from hypothesis import settings
from hypothesis import strategies as st

from analysis import modules
from analysis.module_rules import ModuleRule, ModuleRules
from analysis.modules import assign, learn_vocabulary
from analysis.vocabulary import EMPTY, Vocabulary, component_of, folders_of, word_key
from dashboard import config, refresh
from data import cache, queries, store


def modules_of(vocabulary, *changes, **more):
    """For each change, its modules with what says so, as `{"web": {"title", "path"}}`."""
    given = frames(*changes)
    found = {pull_id: {} for pull_id in given.pulls["pull_id"]}
    for row in assign(*given, vocabulary, **more).itertuples():
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
    assert vocabulary == EMPTY
    found = assign(*given, vocabulary)
    assert found.empty
    assert found.dtypes.to_dict() == assign(*frames(*TAGGED), vocabulary).dtypes.to_dict()
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


def owners_of(*rules):
    """CODEOWNERS, one `pattern owner ...` a rule."""
    rows = [(seq, *rule.split(maxsplit=1)) for seq, rule in enumerate(rules)]
    return pd.DataFrame([(*row, "")[:3] for row in rows], columns=["seq", "pattern", "owners"])


def test_teams_are_modules_and_the_last_rule_that_matches_a_file_counts():
    owners = owners_of("* @acme/all", "/web/ @acme/front @ada", "*.sql @acme/store", "/web/old/", "docs/* me@acme.org")
    paths = ["web/cart.ts", "web/cart.sql", "web/old/cart.ts", "docs/a.md", "setup.py"]
    found = modules_of(EMPTY, *[change("Words", path) for path in paths], owners=owners)
    assert found == [{"front": {"owner"}}, {"store": {"owner"}}, {}, {}, {}]


def test_a_team_has_the_name_that_the_project_uses(tagged):
    owners = owners_of("/guides/ @acme/docs", "/lost/ @acme/Queue-Keepers")
    found = modules_of(tagged, change("Words", "guides/a.txt"), change("Words", "lost/b.go"), owners=owners)
    assert found == [{"doc": {"owner"}}, {"queue-keepers": {"owner"}}]


def test_people_and_teams_own_a_module_where_the_configuration_says_so():
    rules = ModuleRules({"web": ModuleRule(owners=("@Ada", "@acme/all")), "api": ModuleRule(aliases=("back",))})
    owners = owners_of("* @acme/all", "/a/ @ada @grace", "/b/ @acme/back", "/c/ @grace")
    found = modules_of(EMPTY, *[change("W", path) for path in ("x", "a/x", "b/x", "c/x")], owners=owners, rules=rules)
    assert found == [{"web": {"owner"}}, {"web": {"owner"}}, {"api": {"owner"}}, {}]


def test_owners_count_from_a_fifth_of_the_files_on():
    owners = owners_of("/a/ @acme/many", "/b/ @acme/some", "/c/ @acme/few")
    paths = [*[f"a/{n}" for n in range(7)], "b/1", "b/2", "c/1"]
    assert modules_of(EMPTY, change("Words", *paths), owners=owners) == [{"many": {"owner"}, "some": {"owner"}}]


def test_configured_patterns_words_and_labels_add_to_what_was_learned(tagged):
    npu = ModuleRule(paths=("*_npu.py",), words=("NPU", "torch npu", "昇腾"), labels=("Hardware: Ascend",))
    found = modules_of(
        tagged,
        change("Words", "orbit/trainer/loss_npu.py"),
        change("[trainer] fix: OOM on NPUs"),
        change("Use torch_npu"),
        change("支持昇腾推理"),
        change("为npu推理提速"),
        change("An input"),
        change("Words", labels=["hardware: ascend"]),
        rules=ModuleRules({"npu": npu}),
    )
    said = {"npu": {"title"}}
    assert found[:2] == [{"npu": {"config"}, "trainer": {"path"}}, {"trainer": {"title"}} | said]
    assert found[2:] == [said, said, said, {}, {"npu": {"label"}}]


def test_a_configured_word_overrides_what_it_was_learned_to_mean(tagged):
    changes = [change("[kafka] fix: a"), change("Words", labels=["kafka"]), change("W", "orbit/queues/kafka_client.py")]
    found = modules_of(tagged, *changes, rules=ModuleRules({"queues": ModuleRule(words=("kafka",))}))
    assert found == [{"queues": {"title"}}, {"queues": {"label"}}, {"kafka": {"path"}}]


def test_a_configured_word_overrides_what_it_means_in_a_sentence():
    talk = [change("Round kafka offsets", "orbit/queues/kafka_client.py")] * 8
    vocabulary = learn_vocabulary(*frames(*TAGGED, *talk))
    rules = ModuleRules({"queues": ModuleRule(words=("kafka",))})
    assert modules_of(vocabulary, change("Let kafka start later")) == [{"kafka": {"title"}}]
    assert modules_of(vocabulary, change("Let kafka start later"), rules=rules) == [{"queues": {"title"}}]


def test_an_alias_renames_a_learned_module_wherever_it_stands(tagged):
    rules = ModuleRules({"streams": ModuleRule(aliases=("Kafka", "kinesis"))})
    found = modules_of(
        tagged,
        change("[kafka] fix: retries", "orbit/queues/kafka_client.py", labels=["area/kafka"]),
        change("[Kinesis] fix: retries", labels=["kinesis"]),
        change("[streams] fix: retries"),
        rules=rules,
    )
    assert found == [{"streams": {"title", "path", "label"}}, {"streams": {"title", "label"}}, {"streams": {"title"}}]


def test_a_hidden_module_is_none_and_leaves_its_files_to_what_is_around():
    inner = [change("[pool] feat: a", "orbit/checkpoint_engine/pool/a.py")] * 4
    vocabulary = learn_vocabulary(*frames(*TAGGED, *inner))
    asked = change("[pool] fix: a", "orbit/checkpoint_engine/pool/a.py", labels=["pool"])
    assert modules_of(vocabulary, asked) == [{"pool": {"title", "path", "label"}}]
    assert modules_of(vocabulary, asked, rules=ModuleRules({"pool": ModuleRule(hide=True)})) == [{"ckpt": {"path"}}]


def test_without_learning_there_are_no_modules_but_the_configured_ones(tagged):
    rules = ModuleRules({"web": ModuleRule(paths=("/web/",))}, learn=False)
    changes = [change("[trainer] fix: a", "web/a.py"), change("W", "docs/a.md", "orbit/trainer/a.py")]
    found = modules_of(tagged, *changes, rules=rules, owners=owners_of("/docs/ @acme/docs", "/orbit/ @acme/web"))
    assert found == [{"web": {"config"}}, {"web": {"owner"}}]


NAMES = ["ci", "ckpt", "cli", "doc", "kafka", "queues", "rollout", "team", "trainer"]
MIXED = [
    *TAGGED,
    change(
        "Words", *[f"orbit/{name}/{n}.py" for n in range(2) for name in NAMES], "docs/a.md", ".github/workflows/a.yml"
    ),
    change("Words", "orbit/checkpoint_engine/a.py", "orbit/workers/rollout/b.py", labels=["ckpt", "area/kafka"]),
]


@settings(max_examples=20, deadline=None)
@having(st.permutations(["alpha", "beta", "gamma", "delta", "zeta", "omega", "a", "b", "x y"]))
def test_whatever_modules_are_called_the_same_pull_requests_are_in_them(tagged, names):
    """By the vocabulary's own renaming and by the configuration's aliases."""
    given, called, owners = (
        frames(*MIXED),
        dict(zip(NAMES, names, strict=True)),
        owners_of("/orbit/rollout/ @acme/team"),
    )
    rules = ModuleRules({new: ModuleRule(aliases=(old,)) for old, new in called.items()})
    expected = assign(*given, tagged, owners=owners)
    expected["module"] = expected["module"].map(called)
    expected = expected.sort_values(modules.COLUMNS, ignore_index=True)
    pd.testing.assert_frame_equal(assign(*given, tagged, owners=owners, rules=rules), expected)
    by_paths = assign(*given, tagged.renamed(called))
    pd.testing.assert_frame_equal(by_paths, expected[expected["source"] != "owner"].reset_index(drop=True))


def test_of_modules_with_equally_many_files_code_goes_before_everything_around_it(tagged):
    [found] = modules_of(
        tagged, change("Words", *[f"lost/{n}.py" for n in range(9)], "docs/a.md", "orbit/trainer/a.py")
    )
    assert found == {"trainer": {"path"}}


def test_only_merged_pull_requests_teach(tagged):
    unmerged = [change("[zebra] feat: stripes", "orbit/zebra/a.py", merged_at=None)] * 50
    assert learn_vocabulary(*frames(*unmerged, *TAGGED)) == tagged


def test_a_vocabulary_survives_being_stored(tagged, untagged):
    for vocabulary in (tagged, untagged, EMPTY):
        restored = Vocabulary.from_json(vocabulary.as_json())
        assert restored == vocabulary
        assert restored.digest == vocabulary.digest
        assert restored.as_json() == vocabulary.as_json()


def test_a_worked_configuration_joins_what_goes_by_several_names(shared, tmp_path):
    """NPUs, called npu, ascend or cann in a real project, are one module, and no title that names them is missed."""
    team = config.load(ROOT / "examples" / "verl.toml")
    refresh.import_gh(tmp_path / "cache.db", team.repo, shared / "verl" / "prs-2026.json.gz", team)
    with cache.reading(tmp_path / "cache.db") as connection:
        raw = queries.to_derive(connection, store.repository_or_raise(connection, team.repo))
    given = Frames(raw["pulls"], raw["files"], raw["labels"])
    vocabulary = learn_vocabulary(*given)
    learned = assign(*given, vocabulary)
    found = assign(*given, vocabulary, rules=team.module_rules)
    of_number = given.pulls.set_index("number")["pull_id"]
    members = {name: set(rows["pull_id"]) for name, rows in found.groupby("module")}
    assert not {"ascend", "cann", "amd", "mcore", "scripts"} & members.keys()
    for name, word in {"npu": "npu|ascend|cann", "rocm": "rocm|amd"}.items():
        titled = given.pulls[given.pulls["title"].str.contains(rf"\b(?:{word})\b", case=False)]
        assert len(titled) > 10
        assert set(titled["pull_id"]) <= members[name]
    assert {of_number[5967], of_number[6102]} <= members["npu"]
    assert of_number[6062] in members["rocm"]
    assert {of_number[6051], of_number[6072]} <= members["distillation"]
    pairs = [set(zip(rows["pull_id"], rows["module"], strict=True)) for rows in (learned, found)]
    kept = {(pull_id, module) for pull_id, module in pairs[0] if module not in {"one_step_off_policy", "scripts"}}
    assert len(kept & pairs[1]) / len(kept) > 0.95, "what was learned stays, but where the configuration speaks"


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
