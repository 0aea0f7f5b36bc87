"""Column titles and formats: every table has them in both languages, and shows what its frame has."""

import pandas as pd
import pytest

from analysis import catalogue
from dashboard import tables
from dashboard.palette import LIGHT
from dashboard.words import Words

EN, ZH = Words("en"), Words("zh")
TABLES = {
    "pulls": lambda words: tables.pulls(words, LIGHT, tz="Asia/Shanghai"),
    "look_first": lambda words: tables.look_first(words, LIGHT),
    "risky": lambda words: tables.risky(words, LIGHT, tz="Asia/Shanghai"),
    "rules": tables.rules,
    "score": tables.score,
    "warnings": tables.warnings,
    "weeks": tables.weeks,
    "modules": tables.modules,
    "hot_files": tables.hot_files,
    "files": tables.files,
    "reviews": tables.reviews,
    "ledger": lambda words: tables.ledger(words, tz="UTC"),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_column_has_a_title_in_both_languages_and_no_two_share_one(name: str):
    english = [column["label"] for column in TABLES[name](EN).values()]
    chinese = [column["label"] for column in TABLES[name](ZH).values()]
    assert all(english) and all(chinese)
    assert not set(english) & set(chinese)
    assert len(set(english)) == len(english) and len(set(chinese)) == len(chinese)


@pytest.mark.parametrize("name", TABLES)
def test_the_first_column_stays_in_sight_when_a_phone_scrolls_unless_it_is_wider_than_one(name: str):
    (first_name, first), *others = TABLES[name](EN).items()
    assert bool(first["pinned"]) == (first_name != "path")
    assert not any(column.get("pinned") for _, column in others)


def test_the_number_of_a_pull_request_is_a_link_that_shows_the_number():
    shown = TABLES["pulls"](EN)["url"]["type_config"]["display_text"]
    numbers = pd.Series(["https://github.com/acme/orbit/pull/5756", "https://git.example/a/b/-/merge_requests/12/"])
    assert numbers.str.extract(shown)[0].tolist() == ["5756", "12"]


def test_importance_is_a_bar_from_zero_to_ten():
    config = TABLES["pulls"](EN)["importance"]["type_config"]
    assert (config["min_value"], config["max_value"]) == (0, 10)


def test_a_column_of_a_metric_says_what_it_means_in_the_readers_language():
    english, chinese = (TABLES["pulls"](words)["lead_time_hours"]["help"] for words in (EN, ZH))
    assert english.startswith(catalogue.metric("lead_time").about.answer)
    assert chinese.startswith("每个 PR") and "about?" not in english + chinese


def test_every_table_of_pull_requests_can_mark_bots_and_assisted_ones():
    assert {name for name, columns in TABLES.items() if "kind" in columns(EN)} == {"pulls", "look_first", "risky"}
    assert all("marks" in TABLES[name](EN) for name in ("pulls", "look_first", "risky"))


def test_bots_and_assisted_pull_requests_are_marked_in_the_readers_language():
    flags = pd.array([None, True, True, False, None], dtype="boolean")
    pulls = pd.DataFrame(
        {"title": "a", "author_type": ["bot", "human", "bot", "human", None], "is_assisted": flags, "kind": "fix"}
    )
    pulls = pulls.assign(risks=[[]] * len(pulls), tier=None)
    assert tables.told(pulls, EN)["marks"].tolist() == ["bot", "AI", "bot, AI", "", ""]
    assert tables.told(pulls, ZH)["marks"].tolist() == ["机器人", "AI", "机器人、AI", "", ""]
    assert tables.told(pulls.iloc[:0], EN)["marks"].empty


def test_risk_is_a_bar_from_zero_to_a_hundred():
    config = TABLES["pulls"](EN)["risk_score"]["type_config"]
    assert (config["min_value"], config["max_value"]) == (0, 100)


def test_the_reasons_of_a_pull_request_are_the_labels_of_its_rules():
    risks = [[{"rule": "core-path"}, {"rule": "of a later version"}], []]
    pulls = pd.DataFrame({"risks": risks, "tier": [3.0, None], "kind": ["fix", None]})
    pulls = pulls.assign(title="a", author_type="human", is_assisted=False)
    told = tables.told(pulls, ZH)
    assert told["why"].tolist() == [["核心路径", "of a later version"], []]
    assert told["tier"].tolist()[0] == "偏高" and pd.isna(told["tier"].iloc[1])
    assert pulls["tier"].iloc[0] == 3


def test_days_are_told_to_be_cut_in_the_zone_of_the_team():
    assert "Asia/Shanghai" in TABLES["pulls"](ZH)["merged_on"]["help"]


def test_values_get_the_names_of_the_readers_language_and_unknown_ones_stay():
    frame = pd.DataFrame({"path": ["a", "b", "c"], "status": ["added", "unheard of", None]})
    named = tables.named(frame, ZH, status="status")
    assert named["status"].tolist()[:2] == ["新增", "unheard of"]
    assert pd.isna(named["status"].iloc[2])
    assert named["path"].tolist() == ["a", "b", "c"]
    assert frame["status"].iloc[0] == "added"


def test_naming_an_empty_frame_keeps_its_columns():
    frame = pd.DataFrame({"state": pd.Series([], dtype="str")})
    assert list(tables.named(frame, EN, state="review_state").columns) == ["state"]
