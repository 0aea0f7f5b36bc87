"""The command line as a user meets it: a process, its output and its exit code."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from git_repos import GitRepo

from dashboard import cli

REPO = "acme/orbit"
ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Done:
    """What a command left behind."""

    returncode: int
    stdout: bytes
    stderr: bytes


@pytest.fixture
def run(tmp_path, monkeypatch, capfdbinary):
    """Runs a command in a folder of its own, with a cache of its own: in this process, for imports take a second."""
    for name in [name for name in os.environ if name.startswith("MERGE_WINDOW")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MERGE_WINDOW_DB", str(tmp_path / "cache.db"))
    monkeypatch.chdir(tmp_path)

    def call(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
        capfdbinary.readouterr()
        try:
            code = cli.main([str(argument) for argument in arguments])
        except SystemExit as stop:  # how argparse ends
            code = stop.code or 0
        return Done(code, *capfdbinary.readouterr())

    return call


def pull(number, merged_at, **more):
    return {
        "number": number,
        "title": f"[api] feat: thing {number}",
        "state": "MERGED",
        "author": {"login": "ada"},
        "mergedAt": merged_at,
        "baseRefName": "main",
        "additions": 7,
        "deletions": 3,
        "changedFiles": 1,
        "files": [{"path": "orbit/api/thing.py", "additions": 7, "deletions": 3}],
    } | more


def load(run, pulls, *, repo=REPO):
    done = run("import", "gh", "-", "--repo", repo, stdin=json.dumps(pulls).encode())
    assert done.returncode == 0, done.stderr.decode()
    return done


def facts(run, *arguments):
    """The JSON report."""
    return json.loads(run("report", *arguments, "--format", "json").stdout)


def one_sentence(done, says):
    """Exit 1, nothing on stdout, one line on stderr that says so."""
    error = done.stderr.decode()
    assert (done.returncode, done.stdout) == (1, b""), error
    assert "Traceback" not in error
    assert len(error.strip().splitlines()) == 1, error
    assert says in error


def test_help_and_version_answer(run):
    assert b"merge-window import clone" in run("--help").stdout
    for command in (
        "demo",
        "import",
        "derive",
        "report",
        "backtest",
        "status",
        "remove",
        "prune",
        "backup",
        "restore",
        "serve",
    ):
        done = run(command, "--help")
        assert done.returncode == 0
        assert b"usage: merge-window " + command.encode() in done.stdout
    assert run("--version").stdout.startswith(b"merge-window ")


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("fly",),
        ("report",),
        ("report", "--repo", REPO, "--lang", "fr"),
        ("import", "gh", "x.json", "--repo", "no-slash"),
        ("import", "gh", "x.json", "--repo", "../x"),
        ("import", "gh", "x.json", "--repo", "a/b?x=1"),
        ("serve", "--port", "99999"),
    ],
)
def test_wrong_usage_exits_with_2(run, arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert b"usage:" in done.stderr


NO_DAYS = [
    "yesterday",
    "20260201",
    "2026-W10",
    "2026-W10-1",
    "2026-2-1",
    "2026-02-30",
    " 2026-02-01",
    "２０２６-02-01",
    "",
]


@pytest.mark.parametrize("day", NO_DAYS)
@pytest.mark.parametrize(
    "arguments",
    [
        ("backtest", "--repo", REPO, "--since"),
        ("prune", "--before"),
        ("sync", REPO, "--since"),
        ("import", "clone", ".", "--repo", REPO, "--since"),
        *(
            (*command, "--until", "2026-12-31", "--since")
            for command in (
                ("report", "--repo", REPO),
                ("compare", "--repo", REPO),
                ("export", "--repo", REPO, "-o", "x"),
            )
        ),
    ],
)
def test_a_day_is_written_in_one_way_everywhere(run, arguments, day):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    one_sentence(run(*arguments, day), f"{day!r} is no date. Write it like 2026-05-04.")


def test_a_day_beyond_the_calendar_is_told(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    for arguments in (("backtest", "--repo", REPO, "--since"), ("prune", "--before"), ("sync", REPO, "--since")):
        one_sentence(run(*arguments, "0001-01-01"), "outside the years 1900 to 9998")


def test_report_counts_whole_days_of_the_zone(run):
    load(run, [pull(1, "2026-04-27T01:55:45+08:00"), pull(2, "2026-04-21T00:00:00Z"), pull(3, "2026-04-26T15:59:59Z")])
    for tz, numbers in (("UTC", [1, 2, 3]), ("Asia/Shanghai", [2, 3])):
        report = facts(run, "--repo", REPO, "--week", "2026-W17", "--tz", tz)
        assert sorted(found["number"] for found in report["pulls"]) == numbers
        assert report["totals"]["merged"] == len(numbers)
        assert report["window"] == {
            "since": "2026-04-20",
            "until": "2026-04-26",
            "tz": tz,
            "days": 7,
            "iso_week": "2026-W17",
            "release": None,
        }
    spelled = run("report", "--repo", REPO, "--since", "2026-04-20", "--until", "2026-04-26", "--tz", "UTC")
    assert spelled.stdout == run("report", "--repo", REPO, "--week", "2026-W17").stdout


def test_report_without_a_window_is_of_the_latest_complete_week(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z"), pull(2, "2026-04-22T12:00:00Z")])  # the cache ends on a Wednesday
    assert facts(run, "--repo", REPO)["window"]["iso_week"] == "2026-W16"
    last = facts(run, "--repo", REPO, "--last", "7d")["window"]
    assert (last["since"], last["until"]) == ("2026-04-16", "2026-04-22")


def test_report_has_every_key_of_the_contract_and_says_null_for_what_is_unknown(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z", createdAt=None), pull(2, "2026-04-08T12:00:00Z")])
    report = facts(run, "--repo", REPO, "--week", "2026-W16")
    assert list(report) == [
        "schema", "id", "generated_by", "repo", "lang", "window", "before", "coverage", "totals", "totals_before",
        "kinds", "modules", "overlaps", "hot_files", "risks", "chains", "themes", "ledger", "pulls", "claims",
        "base", "bots", "history", "terms", "unjudged", "unclassified",
    ]  # fmt: skip
    assert report["schema"] == "merge-window/report@1"
    assert list(report["totals"]) == list(report["totals_before"])
    assert report["totals"]["median_lead_time_hours"] is None
    assert report["totals_before"]["merged"] == 1
    assert report["kinds"] == [{"name": "feat", "prs": [1], "before": 1}]
    assert report["hot_files"] == [{"path": "orbit/api/thing.py", "prs": [1], "churn_lines": 10}]
    assert isinstance(report["hot_files"][0]["churn_lines"], int)
    (found,) = report["pulls"]
    assert list(found) == [
        "number", "title", "url", "author", "author_type", "merged_at", "kind", "breaking", "modules", "additions",
        "deletions", "changed_files", "importance", "importance_parts", "insight", "insight_parts", "key", "risk_score",
        "tier", "risks", "note", "note_source", "measured", "touches_tests",
    ]  # fmt: skip
    assert found["url"] == "https://github.com/acme/orbit/pull/1"
    assert found["note"] is None
    for score in ("importance", "insight"):
        assert round(sum(found[f"{score}_parts"].values()), 2) == found[score]
    assert report["totals"]["key"] == sum(pull["key"] for pull in report["pulls"])


def test_the_period_before_the_cache_begins_is_unknown_not_zero(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    report = facts(run, "--repo", REPO, "--week", "2026-W16")
    assert set(report["totals_before"].values()) == {None}
    assert report["kinds"][0]["before"] is None
    assert report["coverage"]["notes"][0] == (
        "The cache covers 2026-04-15 to 2026-04-15; other days of the window are unknown."
    )
    chinese = facts(run, "--repo", REPO, "--week", "2026-W16", "--lang", "zh")
    assert chinese["coverage"]["notes"][0] == "缓存只覆盖 2026-04-15 至 2026-04-15，窗口中的其他日期未知。"
    assert chinese["id"] == report["id"]


def test_rules_that_could_not_judge_are_told_in_the_notes_by_what_is_missing(run):
    load(run, [pull(n, "2026-04-15T12:00:00Z", reviews=[]) for n in (1, 2)] + [pull(3, "2026-04-15T12:00:00Z")])
    told = {
        lang: facts(run, "--repo", REPO, "--week", "2026-W16", "--lang", lang)["coverage"]["notes"]
        for lang in ("en", "zh")
    }
    note, chinese = told["en"][-1], told["zh"][-1]
    assert note.startswith("Some risk rules could not judge all 3 merged pull requests, for want of reviews (")
    assert "unreviewed 1" in note and "patches (new-markers 3)" in note
    assert note.endswith("That is not the same as no risk.")
    assert "部分风险规则未能判断全部 3 个已合入的 PR" in chinese and "unreviewed 1 个" in chinese


def test_bots_are_left_out_and_their_number_told_unless_asked_for(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z"), pull(2, "2026-04-15T12:00:00Z", author={"login": "app/dependabot"})])
    hidden = facts(run, "--repo", REPO, "--week", "2026-W16")["totals"]
    shown = facts(run, "--repo", REPO, "--week", "2026-W16", "--bots")["totals"]
    assert (hidden["merged"], hidden["bots_hidden"], shown["merged"], shown["bots_hidden"]) == (1, 1, 2, 0)


def test_only_the_default_branch_counts_unless_another_is_asked_for(run):
    load(run, [pull(n, "2026-04-15T12:00:00Z", baseRefName="main" if n < 3 else "release/1") for n in (1, 2, 3)])

    def merged(*more):
        return facts(run, "--repo", REPO, "--week", "2026-W16", *more)["totals"]["merged"]

    assert (merged(), merged("--base", "release/1"), merged("--base", "*")) == (2, 1, 3)


def test_a_branch_that_nothing_was_merged_into_is_told_with_those_that_are_known(run):
    load(run, [pull(n, "2026-04-15T12:00:00Z", baseRefName="main" if n < 3 else "release/1") for n in (1, 2, 3)])
    for command in (["report"], ["compare"], ["export", "-o", "tables"]):
        done = run(*command, "--repo", REPO, "--week", "2026-W16", "--base", "nope")
        assert done.returncode == 1
        assert done.stderr.decode().strip() == (
            f"No pull request of {REPO} was merged into 'nope'. Known: main, release/1; '*' is any."
        )


def test_one_pull_request_is_told_as_one_and_none_without_days(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    assert "- 1 pull request merged from 2026-04-15 to 2026-04-15 (UTC)" in run("status").stdout.decode()
    assert run("prune", "--before", "2026-05-01").stdout.startswith(b"Out of the cache: 1 pull request merged")
    assert "- 0 pull requests merged, 0 open" in run("status").stdout.decode()


def test_the_same_cache_gives_the_same_bytes_and_other_rows_another_id(run, tmp_path):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    arguments = ("report", "--repo", REPO, "--week", "2026-W16", "--format", "json")
    first = run(*arguments).stdout
    assert run(*arguments).stdout == first
    run(*arguments, "-o", tmp_path / "report.json")
    assert (tmp_path / "report.json").read_bytes() == first
    load(run, [pull(2, "2026-04-15T13:00:00Z")])
    assert json.loads(run(*arguments).stdout)["id"] != json.loads(first)["id"]


def test_a_clone_is_imported_and_only_what_is_new_the_second_time(run, tmp_path):
    repository = GitRepo(tmp_path / "clone")
    repository.squash(1, "feat: first", files={"orbit/a.py": "a\n"}, at="2026-04-14T12:00:00Z")
    first = run("import", "clone", repository.path, "--repo", REPO)
    assert b"1 pull request read, 1 new or changed" in first.stdout, first.stderr
    repository.squash(2, "fix: second", files={"orbit/a.py": "b\n"}, at="2026-04-15T12:00:00Z")
    assert b"1 pull request read, 1 new or changed" in run("import", "clone", repository.path, "--repo", REPO).stdout
    report = facts(run, "--repo", REPO, "--week", "2026-W16")
    assert {found["number"] for found in report["pulls"]} == {1, 2}
    patches = run("import", "clone", repository.path, "--repo", REPO, "--patches")
    assert b"2 pull requests read, 2 new or changed" in patches.stdout
    assert b"the last import read no patches" in patches.stderr + patches.stdout


@pytest.fixture
def released(run, tmp_path):
    """A clone with three tags, imported: 1.0 on March 2, 1.1 on March 4 and a preview later that day."""
    repo = GitRepo(tmp_path / "clone")
    repo.squash(1, "Before", at="2026-03-02T08:00:00Z")
    repo.tag("v1.0")
    repo.squash(2, "The same day", at="2026-03-02T20:00:00Z")
    repo.squash(3, "The day after", at="2026-03-03T08:00:00Z")
    repo.squash(4, "The release", at="2026-03-04T08:00:00Z")
    repo.tag("v1.1", annotated=True, at="2026-03-09T08:00:00Z")
    repo.squash(5, "After it", at="2026-03-04T20:00:00Z")
    repo.tag("v1.2-rc1")
    repo.squash(6, "Later", at="2026-03-06T08:00:00Z")
    assert run("import", "clone", repo.path, "--repo", REPO).returncode == 0
    return repo


def test_a_release_is_the_days_after_one_tag_up_to_that_of_another(run, released):
    report = facts(run, "--repo", REPO, "--release", "v1.0..v1.1")
    assert report["window"]["release"] == "v1.0..v1.1"
    assert (report["window"]["since"], report["window"]["until"]) == ("2026-03-03", "2026-03-04")
    assert sorted(found["number"] for found in report["pulls"]) == [3, 4, 5]
    by_days = facts(run, "--repo", REPO, "--since", "2026-03-03", "--until", "2026-03-04")
    assert report | {"window": report["window"] | {"release": None}} == by_days
    rest = facts(run, "--repo", REPO, "--release", "v1.1..", "--tz", "Asia/Shanghai")
    assert (rest["window"]["since"], rest["window"]["until"]) == ("2026-03-05", "2026-03-06")
    assert sorted(found["number"] for found in rest["pulls"]) == [5, 6]


def test_a_release_is_compared_and_exported_like_any_window(run, released, tmp_path):
    chosen = ("--repo", REPO, "--release", "v1.0..v1.1")
    found = json.loads(run("compare", *chosen, "--format", "json").stdout)
    assert (found["window"]["since"], found["window"]["until"]) == ("2026-03-03", "2026-03-04")
    run("export", *chosen, "-o", tmp_path / "by_tag")
    run("export", "--repo", REPO, "--since", "2026-03-03", "--until", "2026-03-04", "-o", tmp_path / "by_day")
    assert b"The release" in (tmp_path / "by_tag" / "pulls.csv").read_bytes()
    for file in (tmp_path / "by_day").iterdir():
        assert (tmp_path / "by_tag" / file.name).read_bytes() == file.read_bytes()


def test_what_can_go_wrong_with_a_release_gets_one_sentence(run, released):
    report = ("report", "--repo", REPO)
    one_sentence(run(*report, "--release", "v1.0..1.1"), "no tag '1.1' in the cache. Nearest: 'v1.1', ")
    one_sentence(run(*report, "--release", "v1.1..v1.0"), "Swap the two tags")
    one_sentence(run(*report, "--release", "v1.1..v1.2-rc1"), "both of 2026-03-04")
    one_sentence(run(*report, "--release", "v1.1"), "no pair of tags")
    one_sentence(run(*report, "--release", ""), "no pair of tags")
    one_sentence(run(*report, "--release", "v1.0..v1.1", "--week", "2026-W10"), "given twice, by week and release")
    one_sentence(run(*report, "--release", "v1.0..v1.1", "--since", "2026-03-01"), "given twice")
    one_sentence(run("report", "--repo", "octo/app", "--release", "v1.0..v1.1"), "No pull requests of octo/app")


def test_a_release_needs_tags_which_only_a_clone_or_a_sync_tells(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    one_sentence(run("report", "--repo", REPO, "--release", "v1.0..v1.1"), f"import clone PATH --repo {REPO}")


def test_the_bytes_do_not_depend_on_the_terminals_encoding(run, tmp_path):
    load(run, [pull(1, "2026-04-15T12:00:00Z", title="修复 café 🚀")])
    command = [
        sys.executable,
        "-m",
        "dashboard.cli",
        "report",
        "--repo",
        REPO,
        "--week",
        "2026-W16",
        "--format",
        "json",
    ]
    results = {
        subprocess.run(
            command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)} | encoding, capture_output=True
        ).stdout
        for encoding in ({"PYTHONIOENCODING": "latin-1"}, {"PYTHONUTF8": "1"})
    }
    assert len(results) == 1
    assert json.loads(results.pop())["pulls"][0]["title"] == "修复 café 🚀"


def test_a_report_that_can_not_be_written_leaves_the_earlier_one(run, tmp_path, monkeypatch):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    (tmp_path / "report.json").write_text("earlier")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    one_sentence(run("report", "--repo", REPO, "--week", "2026-W16", "-o", "report.json"), "No space left")
    assert (tmp_path / "report.json").read_bytes() == b"earlier"


def test_a_window_after_the_cache_ends_has_an_unknown_period_before(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    report = facts(run, "--repo", REPO, "--week", "2026-W30")
    assert set(report["totals_before"].values()) == {None}
    assert report["coverage"]["notes"]


def test_what_can_go_wrong_gets_one_sentence_and_loses_nothing(run, tmp_path):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    before = run("report", "--repo", REPO, "--week", "2026-W16").stdout
    (tmp_path / "text.json").write_text("not json")
    (tmp_path / "schema.json").write_text('[{"name": "x"}]')
    (tmp_path / "cut.gz").write_bytes(gzip.compress(json.dumps([pull(9, "2026-04-15T12:00:00Z")] * 99).encode())[:-20])
    (tmp_path / "plain").mkdir()
    (tmp_path / "other.db").write_text("songs")
    report = ("report", "--repo", REPO)
    one_sentence(run("import", "clone", tmp_path / "plain", "--repo", REPO), "not a git repository")
    one_sentence(run("import", "clone", tmp_path / "nowhere", "--repo", REPO), "nowhere")
    one_sentence(run("import", "gh", "text.json", "--repo", REPO), "JSON")
    one_sentence(run("import", "gh", "schema.json", "--repo", REPO), "number")
    one_sentence(run("import", "gh", "cut.gz", "--repo", REPO), "cut")
    one_sentence(run("import", "gh", "absent.json", "--repo", REPO), "absent.json")
    one_sentence(run("report", "--repo", "octo/app"), "No pull requests of octo/app are cached")
    one_sentence(run("backtest", "--repo", "octo/app"), "No pull requests of octo/app are cached")
    one_sentence(run(*report, "--since", "2026-05-10", "--until", "2026-05-04"), "before it starts")
    one_sentence(run(*report, "--since", "2026-05-10"), "until is missing")
    one_sentence(run(*report, "--week", "2026-W16", "--last", "4w"), "given twice")
    one_sentence(run(*report, "--week", "2026-W99"), "2026-W99")
    one_sentence(run(*report, "--tz", "Mars/Olympus"), "Mars/Olympus")
    one_sentence(run(*report, "--db", "other.db"), "not a SQLite file")
    one_sentence(run("import", "gh", "text.json", "--repo", REPO, "--db", "other.db"), "not a SQLite file")
    one_sentence(run(*report, "--db", "absent.db"), "There is no cache")
    one_sentence(run(*report, "--config", "absent.toml"), "absent.toml")
    one_sentence(run("status", "--config", "absent.toml"), "absent.toml")
    one_sentence(run("serve", "--db", "other.db"), "not a SQLite file")
    one_sentence(run(*report, "-o", tmp_path / "no" / "folder.json"), "can't be written")
    one_sentence(run("remove", "octo/app"), "octo/app")
    assert run("report", "--repo", REPO, "--week", "2026-W16").stdout == before


def compare(run, *more, week="2026-W17"):
    return run("compare", "--repo", REPO, "--week", week, *more)


def test_a_window_is_compared_with_the_equal_one_before_or_with_the_one_named(run):
    load(run, [pull(day, f"2026-04-{day}T12:00:00Z") for day in (13, 14, 20, 21, 22, 27)])
    found = json.loads(compare(run, "--format", "json").stdout)
    assert (found["schema"], found["before"]["since"]) == ("merge-window/compare@1", "2026-04-13")
    merged = found["metrics"][0]
    assert (merged["before"], merged["now"], merged["state"]) == (2, 3, "more")
    named = ("--before-since", "2026-04-27", "--before-until", "2026-04-27", "--format", "json")
    assert json.loads(compare(run, *named).stdout)["before"]["days"] == 1
    assert b"| Merged pull requests | 2 | 3 | +1 |" in compare(run).stdout
    assert "| 合入 PR | 2 | 3 | +1 |" in compare(run, "--lang", "zh").stdout.decode()


def test_a_comparison_is_the_same_bytes_each_time_and_goes_to_a_file(run, tmp_path):
    load(run, [pull(1, "2026-04-15T12:00:00Z"), pull(2, "2026-04-22T12:00:00Z")])
    first = compare(run, "--format", "json").stdout
    assert compare(run, "--format", "json").stdout == first
    compare(run, "--format", "json", "-o", tmp_path / "compare.json")
    assert (tmp_path / "compare.json").read_bytes() == first


def test_what_can_go_wrong_with_a_comparison_gets_one_sentence(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    one_sentence(compare(run, "--before-since", "2026-04-10", "--before-until", "2026-04-04"), "before it starts")
    one_sentence(compare(run, "--before-since", "2026-04-10"), "--before-until")
    one_sentence(compare(run, "--before-since", "last week", "--before-until", "2026-04-04"), "is no date")
    one_sentence(run("compare", "--repo", REPO, "--since", "2026-05-10", "--until", "2026-05-04"), "before it starts")
    one_sentence(run("compare", "--repo", "octo/app"), "No pull requests of octo/app are cached")


def test_status_tells_what_is_cached_and_what_is_not_known(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    told = run("status").stdout.decode()
    assert "## acme/orbit" in told
    assert "reviews 0%" in told
    state = json.loads(run("status", "--format", "json").stdout)
    assert (state["repositories"][0]["n_merged"], state["imports"][0]["saved"]) == (1, 1)


def test_status_of_an_empty_repository_claims_nothing_that_is_not_known(run):
    load(run, [])
    state = json.loads(run("status", "--format", "json").stdout)["repositories"][0]
    unknown = ("default_branch", "first_merged_at", "last_merged_at", "covered_until", "files_complete")
    known = ("known_created", "known_reviews", "known_files", "known_labels")
    assert {name: state[name] for name in (*unknown, *known)} == dict.fromkeys((*unknown, *known))
    assert (state["n_pulls"], state["n_merged"], state["n_open"]) == (0, 0, 0)
    assert b"0 pull requests merged, 0 open" in run("status").stdout


@pytest.mark.parametrize(
    ("since", "until", "notes"),
    [
        ("2020-01-06", "2020-01-12", ["The window is not in the cache, which covers 2026-04-15 to 2026-04-22."]),
        ("2030-01-07", "2030-01-13", ["The window is not in the cache, which covers 2026-04-15 to 2026-04-22."]),
        ("2026-04-23", "2026-04-30", ["The window is not in the cache, which covers 2026-04-15 to 2026-04-22."]),
        (
            "2026-01-01",
            "2026-12-31",
            ["The cache covers 2026-04-15 to 2026-04-22; other days of the window are unknown."],
        ),
        ("2026-04-01", "2026-04-20", ["The cache begins on 2026-04-15; earlier days of the window are unknown."]),
        ("2026-04-22", "2026-04-25", ["The cache ends on 2026-04-22; later days of the window are unknown."]),
    ],
)
def test_a_window_outside_the_cache_is_told_once(run, since, until, notes):
    load(run, [pull(1, "2026-04-15T12:00:00Z"), pull(2, "2026-04-22T12:00:00Z")])
    report = facts(run, "--repo", REPO, "--since", since, "--until", until)
    assert [note for note in report["coverage"]["notes"] if "cache" in note] == notes


def test_remove_prune_backup_and_restore(run, tmp_path):
    load(run, [pull(1, "2025-04-15T12:00:00Z"), pull(2, "2026-04-15T12:00:00Z")])
    assert run("backup", tmp_path / "copy.db").returncode == 0
    assert b": 1 pull request merged" in run("prune", "--before", "2026-01-01").stdout
    assert run("remove", REPO).stdout.endswith(b": 1 pull request\n")
    one_sentence(run("report", "--repo", REPO), "The cache is empty")
    assert run("restore", tmp_path / "copy.db").returncode == 0
    assert json.loads(run("status", "--format", "json").stdout)["repositories"][0]["n_merged"] == 2


def test_one_name_on_two_hosts_is_two_repositories_and_removed_by_host(run):
    load(run, [pull(1, "2026-04-15T12:00:00Z")])
    more = run(
        "import",
        "gh",
        "-",
        "--repo",
        REPO,
        "--host",
        "ghe.example.com",
        stdin=json.dumps([pull(2, "2026-04-15T12:00:00Z")]).encode(),
    )
    assert more.returncode == 0, more.stderr
    assert b"## acme/orbit on ghe.example.com" in run("status").stdout
    one_sentence(run("remove", REPO), "is cached from ghe.example.com and github.com")
    gone = run("remove", REPO, "--host", "https://ghe.example.com/")
    assert gone.stdout.endswith(b": 1 pull request\n")
    assert b"on ghe.example.com" not in run("status").stdout


def test_a_day_to_come_is_no_bound_for_a_sync(run):
    one_sentence(run("sync", REPO, "--since", "2999-01-01"), "lies in the future")


def test_demo_builds_a_cache_of_its_own_that_reports(run, tmp_path):
    done = run("demo", "--no-serve", "--db", tmp_path / "demo.db")
    assert done.returncode == 0, done.stderr.decode()
    report = facts(run, "--repo", "acme/satellite", "--db", tmp_path / "demo.db")
    assert report["repo"] == "acme/orbit", "a former name finds the repository"
    assert report["totals"]["merged"] > 0
    assert report["totals"]["median_lead_time_hours"] > 0


def test_a_closed_pipe_is_no_error(run, tmp_path):
    load(run, [pull(number, "2026-04-15T12:00:00Z") for number in range(1, 400)])
    shell = shutil.which("sh")
    command = f"{sys.executable} -m dashboard.cli report --repo {REPO} --week 2026-W16 | head -c 10"
    environment = os.environ | {"MERGE_WINDOW_DB": str(tmp_path / "cache.db"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([shell, "-c", command], cwd=tmp_path, env=environment, capture_output=True)
    assert done.stderr == b""
