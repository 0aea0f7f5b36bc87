"""The list of metrics is whole: every metric function is in it, documented, and named in both languages."""

import ast
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import ROOT
from test_imports import HEAVY
from test_words import chinese_faults

from analysis import catalogue, totals, trends
from analysis.about import PARTS
from analysis.catalogue import GROUPS, METRICS, UnknownMetric
from dashboard import meanings
from dashboard.words import Words
from data.schema import TABLES

EVERYTHING = catalogue.everything()
# Called like their modules, as metrics are, but measure nothing by themselves.
NO_METRIC = {
    "boilerplate.boilerplate",
    "sentences.sentences",
    *("about.about", "compare.compare", "courses.courses", "derive.derive", "flow.flow"),
    *("unclassified.unclassified", "unjudged.unjudged"),
}


def metric_functions(folder) -> set[str]:
    """`module.function` of all that are metrics: named like their module, or with a paragraph of a metric."""
    found = set()
    for path in folder.glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                has_part = re.search(rf"^({'|'.join(PARTS)}):", ast.get_docstring(node) or "", re.MULTILINE)
                if has_part or node.name == path.stem:
                    found.add(f"{path.stem}.{node.name}")
    return found


def test_every_metric_function_is_in_the_list_and_every_entry_is_one():
    listed = {metric.where for metric in EVERYTHING} | NO_METRIC
    assert metric_functions(ROOT / "analysis") ^ listed == set()


def test_a_new_metric_is_found_by_its_name_or_its_paragraphs(tmp_path):
    (tmp_path / "churn.py").write_text('def churn(): "How much?"\ndef helper(): "Not for readers."', encoding="utf-8")
    (tmp_path / "reach.py").write_text('def wide():\n    """How wide?\n\n    Misses: depth.\n    """', encoding="utf-8")
    assert metric_functions(tmp_path) == {"churn.churn", "reach.wide"}


def reads_as_other_markdown(text: str) -> bool:
    return bool(re.search(r"__|[*<|$~]|\]\(|:\w+\[", re.sub(r"`[^`]*`", "", text)))


@pytest.mark.parametrize("metric", EVERYTHING, ids=lambda metric: metric.name)
def test_a_metric_asks_a_question_and_reads_as_markdown(metric):
    about = metric.about  # an error names the part that is missing
    assert about.answer.endswith("?")
    assert not reads_as_other_markdown(about.text), "put what Markdown would take for its own into ticks"


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_keys_of_a_metric_are_columns_or_told_by_its_function(metric):
    told = set(re.findall(r"\w+", metric.function.__doc__))
    columns = {column for table in TABLES.values() for column in table.columns}
    assert [key for key in metric.keys if key not in told | columns | set(trends.METRICS)] == []


def test_every_figure_of_trends_and_totals_is_explained():
    explained = {key for metric in EVERYTHING for key in (metric.name, *metric.keys)}
    assert {*trends.METRICS, *totals.TOTALS} - explained == set()


def test_names_and_labels_are_each_given_once():
    names = [metric.name for metric in EVERYTHING]
    assert len(set(names)) == len(names)
    labels = [metric.label for metric in METRICS]
    assert len(set(labels)) == len(labels)
    assert {metric.group for metric in METRICS} == set(GROUPS)


def test_rules_come_from_their_own_list():
    assert [metric.name for metric in EVERYTHING[len(METRICS) :]] == [rule.name for rule in catalogue.rules()]
    rule = catalogue.metric("missing-tests")
    assert (rule.group, rule.where) == ("risk", "missing_tests.missing_tests")


def test_an_unknown_metric_is_told_with_those_that_are_known():
    with pytest.raises(UnknownMetric, match=r"^Unknown metric 'leadtime'\. Known: .*first_review, .*lead_time, "):
        catalogue.metric("leadtime")


def test_the_list_itself_imports_nothing_heavy():
    script = f"import sys, analysis.catalogue\nprint(*sorted(sys.modules.keys() & set({HEAVY})))"
    answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == ""


# --- in the reader's language ----------------------------------------------------------------------------------


def test_every_metric_and_rule_has_its_chinese_words_and_none_is_left_over():
    said, rules = meanings.translated("zh"), {rule.name for rule in catalogue.rules()}
    assert said.keys() == {metric.name for metric in EVERYTHING}
    always = {"label", "unit", "answer", "formula", "misses", "source", "example", "english"}
    wanted = {name: always | ({"why"} if name in rules else set()) for name in said}
    assert {name: set(entry) - {"details"} for name, entry in said.items()} == wanted


@pytest.mark.parametrize("metric", EVERYTHING, ids=lambda metric: metric.name)
def test_chinese_keeps_up_with_the_english_that_it_translates(metric):
    said = meanings.translated("zh")[metric.name]
    assert said["english"] == meanings.fingerprint(metric.about), "translate what changed, then renew `english`"
    if metric.about.details:  # the question's own line may tell them
        assert "details" in said or said["answer"].endswith("。")
    else:
        assert "details" not in said


@pytest.mark.parametrize("metric", EVERYTHING, ids=lambda metric: metric.name)
def test_chinese_tells_the_numbers_and_the_names_in_ticks_that_english_does(metric):
    def named(text: str) -> set[str]:
        return set(re.findall(r"`[\w./-]+`|\d+(?:[.,]\d+)*", text))

    told = meanings.meaning(metric.name, "zh").about
    for part in PARTS:
        english, chinese = (getattr(each, part.lower()) for each in (metric.about, told))
        assert named(english) - named(chinese) == set(), part


def test_an_explanation_that_changes_by_a_word_has_another_fingerprint():
    about = catalogue.metric("lead_time").about
    assert meanings.fingerprint(replace(about, misses=about.misses + " Nights.")) != meanings.fingerprint(about)


def test_the_chinese_words_are_written_as_chinese_is():
    said = meanings.translated("zh")
    told = {(name, key): text for name, entry in said.items() for key, text in entry.items() if key != "english"}
    faults = {place: chinese_faults(text) for place, text in told.items()}
    assert {place: found for place, found in faults.items() if found} == {}
    assert [place for place, text in told.items() if reads_as_other_markdown(text)] == []


def test_english_is_what_the_list_and_the_docstring_say():
    said = meanings.meaning("lead_time", "en")
    assert (said.label, said.unit, said.answer) == ("Lead time", "hours", said.about.answer)
    assert meanings.meaning("revert", "en").why == meanings.meaning("revert", "en").rule.why


def names_found(text: str, lang: str = "en") -> list[str]:
    return [said.name for said in meanings.found(meanings.meanings(lang), text)]


def test_a_search_finds_every_word_in_any_text_and_a_name_finds_its_own():
    assert names_found("") == [metric.name for metric in EVERYTHING]
    assert names_found("lead_time") == names_found(" Lead Time ") == ["lead_time"]
    assert names_found("kaplan MEIER") == ["survival"]
    assert "lead_time" in names_found("approved_to_merged_hours")
    assert names_found("no such words anywhere") == []


def test_a_chinese_search_finds_chinese_and_english():
    assert names_found("巴士因子", "zh") == ["bus_factor"]
    assert names_found("Kaplan", "zh") == ["survival"]


def test_a_tooltip_answers_in_the_readers_language_and_leads_to_the_rest():
    told = meanings.tooltip("first_review", Words("en"), "Known for 3 of 9.").split("\n\n")
    about = catalogue.metric("first_review").about
    assert told[0].startswith(about.answer) and told[0].removeprefix(f"{about.answer} ") in about.formula
    assert told[1:] == ["Known for 3 of 9.", "[About this number](about?find=first_review&lang=en)"]
    chinese = meanings.tooltip("first_review", Words("zh"))
    assert chinese.startswith("每个 PR") and "lang=zh" in chinese and "Formula" not in chinese
