"""A real repository's weeks, once from the JSON of `gh` and once from a git history made of it."""

import gzip
import json
import re

import numpy as np
import pandas as pd
import pytest
from git_repos import squash_history

from analysis.window import between, iso_week
from dashboard import reads, refresh
from dashboard.config import Config

REPO = "verl-project/verl"
MERGED = {
    "Asia/Shanghai": {"2026-W16": 39, "2026-W17": 31, "2026-W19": 34, "2026-W26": 22},
    "UTC": {"2026-W16": 39, "2026-W17": 32, "2026-W19": 34, "2026-W26": 22},
}
MOVES = 6044  # merged on Sunday evening in UTC, on Monday in Shanghai


@pytest.fixture(scope="module")
def sample(shared):
    return shared / "verl" / "prs-2026.json.gz"


@pytest.fixture(scope="module", params=["gh", "clone"])
def db(request, sample, tmp_path_factory):
    folder = tmp_path_factory.mktemp("verl")
    if request.param == "gh":
        refresh.import_gh(folder / "cache.db", REPO, sample, Config())
    else:
        with gzip.open(sample) as file:
            repository = squash_history(folder / "verl.git", json.load(file))
        refresh.import_clone(folder / "cache.db", REPO, repository.path, Config())
    return folder / "cache.db"


@pytest.mark.parametrize(("tz", "week"), [(tz, week) for tz, weeks in MERGED.items() for week in weeks])
def test_weeks_have_the_known_number_of_merges(db, tz, week):
    selection = reads.Selection(REPO, iso_week(week, tz))
    assert reads.totals(db, selection)["merged"] == MERGED[tz][week]
    assert len(reads.pulls(db, selection)) == MERGED[tz][week]


def test_one_pull_request_moves_between_the_zones(db):
    shanghai = reads.Selection(REPO, iso_week("2026-W17", "Asia/Shanghai"))
    assert reads.near_edges(db, shanghai)["number"].tolist() == [MOVES]
    utc = set(reads.pulls(db, reads.Selection(REPO, iso_week("2026-W17", "UTC")))["number"])
    assert utc - set(reads.pulls(db, shanghai)["number"]) == {MOVES}


def test_the_strip_counts_the_same_from_stored_weeks_and_from_rows(db):
    for tz, weeks in MERGED.items():  # the cache keeps sums in UTC only
        strip = reads.strip(db, reads.Selection(REPO, iso_week("2026-W26", tz)))
        counted = {str(week): merged for week, merged in zip(strip["week"], strip["merged"], strict=True)}
        assert {week: counted[str(iso_week(week).since)] for week in weeks} == weeks


def test_modules_are_found_from_paths_as_well_as_titles(db):
    modules = reads.modules(db, reads.Selection(REPO, iso_week("2026-W16", "Asia/Shanghai"))).set_index("module")
    for name in ("trainer", "rollout", "ci", "megatron"):
        sources = modules.loc[name, "sources"]
        assert sources["title"] and sources["path"], name
        assert len(modules.loc[name, "prs"]) < sum(sources.values()), "a pull request counts once, whatever the reasons"


def test_the_hottest_file_of_a_week_is_code_and_nothing_generated_is_hot(db):
    selection = reads.Selection(REPO, iso_week("2026-W16", "Asia/Shanghai"))
    assert reads.hot_files(db, selection)["path"].iloc[0] == "verl/trainer/main_ppo_sync.py"
    hot = [
        path
        for week in range(1, 34)
        for path in reads.hot_files(db, reads.Selection(REPO, iso_week(f"2026-W{week:02d}", "Asia/Shanghai")))["path"]
    ]
    assert hot
    assert not [path for path in hot if "generated" in path and path.endswith((".yaml", ".yml"))]


def reported(shared):
    """Of each week with a published report: the pull requests named as most worth knowing, how many are important."""
    text = (shared / "verl" / "reference.md").read_text(encoding="utf-8")
    weeks = re.findall(
        r"^## (\S+) .*?(\d+) of them called important\n- Named as most worth knowing: ([\d, ]+)", text, re.M
    )
    return {week: (set(map(int, named.split(","))), int(n)) for week, n, named in weeks}


def average_precision(pulls, column, named):
    order = pulls.sort_values([column, "number"], ascending=[False, True])["number"].isin(named)
    return (order.cumsum() / np.arange(1, len(order) + 1))[order].sum() / len(named)


def test_what_reports_named_is_important_and_no_plain_count_ranks_it_better(db, shared):
    precisions = []
    for week, (named, n) in reported(shared).items():
        pulls = reads.pulls(db, reads.Selection(REPO, iso_week(week, "Asia/Shanghai")))
        assert len(named & set(pulls["number"].head(n))) >= 0.9 * len(named), week
        assert 4.5 <= pulls["importance"].mean() <= 5.5, week
        columns = ("importance", "additions", "churn_lines", "changed_files", "code_lines")
        precisions.append([average_precision(pulls, column, named) for column in columns])
    ours, *plain = [sum(each) for each in zip(*precisions, strict=True)]
    assert len(precisions) == 2
    assert ours > max(plain)


BREAKING = {"2026-W17": {6067, 6074}, "2026-W19": {6302}}
WITHOUT_TESTS = {6062, 6090, 6095, 6206, 6267}
WITH_A_TEST = 6058


def week_of(label):
    return reads.Selection(REPO, iso_week(label, "Asia/Shanghai"))


def test_what_reports_called_breaking_is_and_the_revert_and_its_story_are_found(db):
    for week, named in BREAKING.items():
        pulls = reads.pulls(db, week_of(week))
        assert named <= set(pulls.loc[pulls["is_breaking"].astype(bool), "number"]), week
    assert reads.pulls(db, week_of("2026-W19")).set_index("number").loc[6258, "kind"] == "revert"
    stories = reads.chains(db, week_of("2026-W19"))
    assert [6226, 6258, 6265] in stories["prs"].tolist()
    fired = reads.risks(db, week_of("2026-W19")).groupby("rule")["number"].agg(set)
    assert 6258 in fired["revert"]
    assert 6265 in fired["repair-chain"]


def test_missing_tests_fires_on_what_reports_named_and_on_few_others(db):
    fired = {week: reads.risks(db, week_of(week)) for week in BREAKING}
    without = {week: set(risks.loc[risks["rule"] == "missing-tests", "number"]) for week, risks in fired.items()}
    assert set().union(*without.values()) >= WITHOUT_TESTS
    assert WITH_A_TEST not in without["2026-W17"]
    assert all(len(numbers) <= 11 for numbers in without.values()), without


@pytest.mark.parametrize("tz", ["UTC", "Asia/Shanghai"])
def test_missing_tests_fires_on_a_quarter_of_source_changes_and_in_no_month_on_a_third(db, tz):
    whole = reads.Selection(REPO, between("2026-01-01", "2026-08-31", tz))
    pulls = reads.pulls(db, whole).set_index("number")
    fires = pulls.index.isin(reads.risks(db, whole).query("rule == 'missing-tests'")["number"])
    source = pulls["touches_source"].astype(bool)
    months = pd.to_datetime(pulls["merged_on"]).dt.to_period("M")[source]
    shares = pd.Series(fires, index=pulls.index)[source].groupby(months).mean()
    assert len(shares) == 8
    assert shares.max() <= 0.3, shares
    assert 0.15 <= fires[source].mean() <= 0.3


def test_active_weeks_are_as_important_and_as_instructive_as_each_other(db):
    weeks = [
        reads.pulls(db, reads.Selection(REPO, iso_week(f"2026-W{week:02d}", "Asia/Shanghai"))) for week in range(1, 35)
    ]
    active = [week for week in weeks if len(week) >= 15]
    assert len(active) == 33
    assert [mean for week in active if not 4.5 <= (mean := week["importance"].mean()) <= 5.5] == []
    assert 3.5 <= sum(week["insight"].mean() for week in active) / len(active) <= 4.5


def test_a_clone_and_gh_hold_the_same_pull_requests(sample, tmp_path):
    with gzip.open(sample) as file:
        repository = squash_history(tmp_path / "verl.git", json.load(file))
    refresh.import_gh(tmp_path / "gh.db", REPO, sample, Config())
    refresh.import_clone(tmp_path / "clone.db", REPO, repository.path, Config())
    selection = reads.Selection(REPO, iso_week("2026-W19", "Asia/Shanghai"))
    columns = ["number", "title", "merged_at", "kind", "is_breaking", "additions", "deletions", "modules"]
    from_gh, from_clone = (
        reads.pulls(tmp_path / name, selection)[columns].sort_values("number", ignore_index=True)
        for name in ("gh.db", "clone.db")
    )
    assert from_gh.equals(from_clone), from_gh.compare(from_clone)


def test_week_19_is_told_from_week_17(db):
    now, before = (iso_week(week, "Asia/Shanghai") for week in ("2026-W19", "2026-W17"))
    found = reads.compare(db, reads.Selection(REPO, now), before, Config().calendar)
    merged = found.metrics.set_index("name").loc["merged"]
    assert (merged["before"], merged["now"], merged["state"]) == (31, 34, "more")
    assert found.usual.set_index("name").loc["merged", "state"] == "within"
    modules = found.modules.set_index("name")
    assert modules.loc["reward", "state"] == "new"
    assert modules.loc["fully_async", "state"] == "less"
