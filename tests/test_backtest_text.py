"""The back-test as readers see it: from the command line, in both languages."""

import json
import re

import pytest
from conftest import ROOT

from dashboard import backtest_text, cli, refresh
from dashboard.config import Config

INTERVAL = {"value": 0.25, "low": 0.125, "high": 0.5}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    db = tmp_path_factory.mktemp("backtest") / "demo.db"
    refresh.import_demo(db, Config())
    return db


@pytest.fixture
def run(demo, capfdbinary):
    def call(*arguments):
        capfdbinary.readouterr()
        code = cli.main(["backtest", "--repo", "acme/orbit", "--db", str(demo), *map(str, arguments)])
        out, error = capfdbinary.readouterr()
        assert code == 0, error
        return out.decode()

    return call


def test_the_sample_is_told_in_figures(run):
    found = json.loads(run("--format", "json"))
    assert (found["schema"], found["repo"], found["base"]) == ("merge-window/backtest@1", "acme/orbit", "main")
    assert (found["state"], found["period"]) == ("ok", "month")
    assert found["cases"]["bots_hidden"] > 100
    assert found["cases"]["n_not_judged"] == 0
    scores = {score["name"]: score["auc"]["value"] for score in found["scores"]}
    assert 0.6 < scores["risk_score"] < 0.9
    shares = [tier["share"]["value"] for tier in found["tiers"]]
    assert shares == sorted(shares), "changes of a higher tier fail more often"


def test_the_same_cache_gives_the_same_bytes_also_in_a_file(run, tmp_path):
    assert run("--format", "json") == run("--format", "json")
    run("-o", tmp_path / "told.md")
    assert (tmp_path / "told.md").read_text(encoding="utf-8") == run()


def test_since_leaves_out_what_was_merged_before(run):
    found = json.loads(run("--format", "json", "--since", "2026-01-01"))
    assert found["window"]["since"] >= "2026-01-01"
    assert found["folds"][0]["n_trained"] > 100


def test_both_languages_tell_the_same_figures(run):
    def figures(text):
        return re.findall(r"[−+]?\d[\d.,]*%?", text.split("##")[1] + text.split("##")[2])

    english, chinese = run("--lang", "en"), run("--lang", "zh")
    assert figures(english) == figures(chinese)
    assert english.count("\n## ") == chinese.count("\n## ") == 6
    assert "**The risk score" in english
    assert "**风险分" in chinese


def test_the_page_of_the_documentation_names_every_key(run):
    page = (ROOT / "docs" / "backtest.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)(?:\[\])?`", page)) | {"value", "low", "high"}

    def keys(value):
        if isinstance(value, list):
            return set().union(*map(keys, value))
        if isinstance(value, dict):
            return set(value).union(*map(keys, value.values()))
        return set()

    found = json.loads(run("--format", "json"))
    weights = found["model"].pop("weights")
    assert keys(found) - named == set()
    assert weights


def facts(**more):
    """What `reads.backtest` gives, little of it known."""
    scores = [
        {"name": name, "auc": INTERVAL, "auc_beyond_lines_added": INTERVAL, "top_tenth": INTERVAL, "lift": 2.0}
        for name in ("risk_score", "lines_added")
    ]
    return {
        "repo": "a_b/c",
        "reason": None,
        "state": "ok",
        "window": {"since": "2026-01-01", "until": "2026-02-01", "tz": "UTC"},
        "within_days": 30,
        "period": "week",
        "minimum": {"n_failed": 10, "n_fired": 5},
        "cases": {
            "n": 1200,
            "n_failed": 30,
            "n_reverted": 10,
            "n_repaired": 25,
            "base_rate": INTERVAL,
            "n_too_recent": 3,
            "n_not_judged": 0,
            "bots_hidden": 7,
        },
        "scores": scores,
        "rules": [],
        "tiers": [{"tier": 4, "n": 3, "n_failed": 1, "share": None}],
        "tenths": [],
        "model": {"state": "too_few"},
        "folds": [],
    } | more


@pytest.mark.parametrize(
    ("low", "high", "says"),
    [(0.01, 0.2, "better than lines added"), (-0.1, 0.2, "may be chance"), (-0.2, -0.01, "they tell those")],
)
def test_the_verdict_follows_the_interval(low, high, says):
    found = facts()
    found["scores"][0]["auc_beyond_lines_added"] = {"value": (low + high) / 2, "low": low, "high": high}
    assert says in backtest_text.markdown(found, "en")


def test_too_few_cases_are_said_and_nothing_is_claimed():
    rule = {"rule": "revert", "state": "too_few", "n_silent": 0, "n_fired": 4, "n_failed": 1, "fires": 0.1}
    found = facts(state="too_few", rules=[rule | {"precision": None, "lift": None, "recall": None}])
    found["cases"]["base_rate"] = None
    text = backtest_text.markdown(found, "en")
    assert "**Too few cases to say: 10 that failed are needed" in text
    assert "| `revert` | 0 | 4 | 1 | 10.0% | too few cases to say | – | – |" in text
    assert "| 4 | 3 | 1 | too few cases to say |" in text
    assert "## Scores" not in text
    assert "样本太少" in backtest_text.markdown(found, "zh")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_without_an_evaluated_pull_request_each_reason_is_said(lang):
    texts = set()
    for reason in ("empty", "after_last", "nothing_merged", "only_bots", "not_judged", "too_recent"):
        found = facts(state="too_few", reason=reason, tiers=[])
        found["cases"] |= {"n": 0, "n_failed": 0, "base_rate": None}
        texts.add(backtest_text.in_short(found, lang))
    assert len(texts) == 6


BOT = {"login": "dependabot[bot]", "is_bot": True}


@pytest.mark.parametrize(
    ("pulls", "since", "reason", "window", "says"),
    [
        ([("OPEN", "ada")], (), "empty", (None, None), "No merged pull request of this repository is cached"),
        ([("2026-04-15", "ada")], (), "too_recent", ("2026-04-15", "2026-04-15"), "has been watched for 30 days"),
        (
            [("2026-04-15", BOT), ("2026-06-15", BOT)],
            (),
            "only_bots",
            ("2026-04-15", "2026-06-15"),
            "All pull requests merged into the default branch from 2026-04-15 to 2026-06-15 are by bots",
        ),
        (
            [("2026-04-15", "ada")],
            ("--since", "2999-01-01"),
            "after_last",
            ("2999-01-01", "2026-04-15"),
            "The cache ends on 2026-04-15: nothing merged since 2999-01-01 is known",
        ),
        (
            [("2026-04-15", "ada"), ("CLOSED", "ada")],
            ("--since", "2026-05-01"),
            "nothing_merged",
            ("2026-05-01", "2026-06-15"),
            "No pull request was merged into the default branch from 2026-05-01 to 2026-06-15",
        ),
    ],
)
def test_a_back_test_of_nothing_says_why(tmp_path, capfdbinary, pulls, since, reason, window, says):
    file, db = tmp_path / "pulls.json", tmp_path / "cache.db"
    told = []
    for number, (day, author) in enumerate(pulls, start=1):
        merged = f"{day}T12:00:00Z" if day[0] == "2" else None
        closed = "2026-06-15T12:00:00Z" if day == "CLOSED" else merged
        told.append({"number": number, "title": "Weigh parcels", "state": "MERGED" if merged else day})
        told[-1] |= {"author": author if author is BOT else {"login": author}, "baseRefName": "main"}
        told[-1] |= {"mergedAt": merged, "closedAt": closed, "updatedAt": closed or "2026-06-15T12:00:00Z"}
    file.write_text(json.dumps(told))
    assert cli.main(["import", "gh", str(file), "--repo", "acme/orbit", "--db", str(db)]) == 0
    found = {}
    for style in ("json", "md"):
        capfdbinary.readouterr()
        assert cli.main(["backtest", "--repo", "acme/orbit", "--db", str(db), "--format", style, *since]) == 0
        found[style] = capfdbinary.readouterr().out.decode()
    facts = json.loads(found["json"])
    assert (facts["reason"], facts["window"]["since"], facts["window"]["until"]) == (reason, *window)
    assert says in found["md"]


def test_a_difference_that_rounds_to_nothing_has_no_sign():
    found = facts()
    found["scores"][0]["auc_beyond_lines_added"] = {"value": -0.004, "low": -0.1, "high": 0.104}
    assert "(AUC 0.00 (−0.10 to +0.10))" in backtest_text.markdown(found, "en")
