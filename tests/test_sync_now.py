"""Syncing from the dashboard: in the background, joined by a second press, and never because somebody looks."""

import re
import sqlite3
import time

import oracle
import pytest
from conftest import ROOT
from fake_github import FakeGitHub, Fault, generate
from streamlit.testing.v1 import AppTest
from sync_cases import TOKEN, rows

from dashboard import cli, config, jobs, refresh
from dashboard.config import Config

APP = ROOT / "dashboard" / "app.py"
PAGES = ("overview.py", "pulls.py", "data_sync.py")


@pytest.fixture
def fake():
    oracle.required_schema()
    with FakeGitHub(generate(20, biggest=0)) as github:
        yield github


@pytest.fixture
def db(tmp_path, fake, monkeypatch):
    """A cache in step with the fake, in use by this process."""
    path = tmp_path / "cache.db"
    for name in (
        "GH_TOKEN",
        "GH_ENTERPRISE_TOKEN",
        "GITHUB_ENTERPRISE_TOKEN",
        config.CONFIG_VARIABLE,
        config.SYNC_VARIABLE,
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv(config.DB_VARIABLE, str(path))
    monkeypatch.chdir(tmp_path)
    (result,) = refresh.sync(path, [name_of(fake)], Config(), host=fake.url)
    assert result.error is None
    return path


def name_of(fake):
    return fake.world.repositories[0]["nameWithOwner"]


def opened(page="data_sync.py", **query):
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.run()
    app.switch_page(f"app_pages/{page}")
    for key, value in query.items():
        app.query_params[key] = value
    return app.run()


def ended(job, patience=60):
    until = time.monotonic() + patience
    while job.state == "running" and time.monotonic() < until:
        time.sleep(0.02)
    assert job.state != "running"
    return job


def test_looking_at_pages_asks_github_nothing(fake, db):
    before = len(fake.log)
    for page in PAGES:
        assert not opened(page).exception
    assert len(fake.log) == before


def test_sync_now_brings_what_is_new_and_says_so(fake, db):
    number = max(pull["number"] for pull in fake.world.repositories[0]["pullRequests"])
    fake.world.update(number, title="Renamed while nobody looked")
    app = opened()
    app.button(key="sync_now").click().run()
    assert ended(jobs.desk().job).state == "complete"
    assert rows(db, "select title from pulls where number = ?", number) == [("Renamed while nobody looked",)]
    assert "1 pull request new or changed" in app.run().success[0].value
    ledger = next(frame.value for frame in app.dataframe if "declared" in frame.value)
    assert ledger["declared"].iloc[0] >= 20


def test_the_page_tells_how_far_the_sync_is_and_what_is_incomplete(fake, db):
    app = opened()
    facts = "\n".join(element.value for element in app.markdown)
    assert "In step with GitHub as of" in facts
    assert "of GitHub's hourly allowance were left" in facts
    assert "does not tell all changed files" not in facts
    with sqlite3.connect(db) as connection:
        connection.execute("update pulls set files_complete = 0 where number = (select max(number) from pulls)")
        connection.execute("update state set value = value + 1 where key = 'generation'")
    number = rows(db, "select max(number) from pulls")[0][0]
    assert f"does not tell all changed files of 1 pull request: #{number}." in "\n".join(
        element.value for element in opened().markdown
    )


def test_a_second_press_joins_the_sync_that_runs_and_pages_stay_readable(fake, db):
    fake.add_fault(Fault("POST .*graphql", delay=1.5, times=1))
    app = opened()
    app.button(key="sync_now").click().run()
    job = jobs.desk().job
    assert job.state == "running"
    assert app.status[0].label == "Syncing with GitHub"
    assert not opened("overview.py").exception
    app.button(key="sync_now").click().run()
    assert jobs.desk().job is job
    assert ended(job).state == "complete"


def test_a_sync_that_fails_says_why_in_one_sentence_without_the_token(fake, db, monkeypatch):
    fake.add_fault(Fault(".*", status=401, body='{"message": "Bad credentials"}', times=99))
    app = opened()
    app.button(key="sync_now").click().run()
    job = ended(jobs.desk().job)
    assert job.state == "error"
    assert re.search("401|token|credentials", job.outcome)
    assert TOKEN not in job.outcome
    assert job.outcome in app.run().error[0].value


def test_the_sample_is_nobodys_to_sync(tmp_path, monkeypatch):
    db = tmp_path / "demo.db"
    refresh.import_demo(db, Config())
    assert refresh.syncable(db) == {}


def test_a_timer_syncs_at_once_and_again(fake, db):
    before = len(fake.log)
    stop = jobs.sync_every(0.3, db, Config())
    until = time.monotonic() + 30
    seen = set()
    while len(seen) < 2 and time.monotonic() < until:
        seen.add(id(jobs.desk().job))
        time.sleep(0.05)
    stop.set()
    assert len(seen) == 2
    ended(jobs.desk().job)
    assert len(fake.log) > before


@pytest.mark.parametrize(("seconds", "warns"), [("1", True), ("86400", False), ("", False)])
def test_data_older_than_two_intervals_is_called_stale(fake, db, monkeypatch, seconds, warns):
    monkeypatch.setenv(config.SYNC_VARIABLE, seconds)
    if warns:
        time.sleep(3.1)
    app = opened("overview.py")
    assert bool([warning for warning in app.warning if "Last updated" in warning.value]) == warns


@pytest.mark.parametrize("span", ["0h", "1w", "hourly", "59", "-1h"])
def test_a_span_that_is_none_is_wrong_usage(span, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["serve", "--sync-every", span])
    assert stop.value.code == 2
    assert "write it like 30m, 1h or 1d" in capsys.readouterr().err or span.startswith("-")
