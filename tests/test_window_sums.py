"""What a window holds is what its days hold, no more and no less."""

from datetime import date, timedelta

import pytest

from analysis.window import Window
from dashboard import reads, refresh
from dashboard.config import Config
from data import demo

ADDED_UP = ("merged", "key", "bots_hidden", "additions", "deletions", "breaking", "reverts", "direct_commits")


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    path = tmp_path_factory.mktemp("sums") / "cache.db"
    refresh.import_demo(path, Config())
    return path


@pytest.fixture(scope="module", params=["UTC", "Asia/Shanghai", "America/St_Johns"])
def windows(request, db):
    """Three weeks in one zone, and their days."""
    last = reads.coverage(db, demo.DEMO_REPO, request.param).last
    whole = Window(last - timedelta(days=30), last - timedelta(days=10), request.param)
    return whole, whole.periods("D")


def selection(window, **more):
    return reads.Selection(demo.DEMO_REPO, window, **more)


@pytest.mark.parametrize("bots", [False, True])
def test_totals_add_up(db, windows, bots):
    whole, days = windows
    of_days = [reads.totals(db, selection(day, bots=bots)) for day in days]
    totals = reads.totals(db, selection(whole, bots=bots))
    assert totals["merged"] > 20
    assert {name: sum(day[name] for day in of_days) for name in ADDED_UP} == {name: totals[name] for name in ADDED_UP}


def pairs(frame, *columns):
    return sorted(map(tuple, frame[list(columns)].astype(object).to_numpy().tolist()))


def test_pull_requests_risks_and_modules_are_those_of_the_days(db, windows):
    whole, days = windows
    for read, columns in (
        (reads.pulls, ("number", "kind", "importance", "risk_score")),
        (reads.risks, ("rule", "number", "points")),
    ):
        of_days = [pair for day in days for pair in pairs(read(db, selection(day)), *columns)]
        assert pairs(read(db, selection(whole)), *columns) == sorted(of_days)
        assert of_days
    listed = {
        (module, number)
        for day in days
        for module, numbers in pairs(reads.modules(db, selection(day)), "module", "prs")
        for number in numbers
    }
    modules = reads.modules(db, selection(whole))
    assert {(row.module, number) for row in modules.itertuples() for number in row.prs} == listed


def test_a_window_outside_the_cache_holds_nothing(db):
    empty = selection(Window(date(1999, 1, 4), date(1999, 1, 10)))
    assert reads.pulls(db, empty).empty
    assert reads.risks(db, empty).empty
    assert reads.chains(db, empty).empty
    assert reads.themes(db, empty).themes.empty
    assert reads.risk_ledger(db, empty).empty
