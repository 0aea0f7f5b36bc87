"""The browser that other tests drive: found, started, and missed aloud."""

import os
import stat
import subprocess
import sys

import browser as browsers
import pytest
from conftest import ROOT


def test_a_page_opens_and_shows_chinese(browser):
    page = browser.new_page()
    page.set_content("<h1>合并窗口</h1>")
    assert page.inner_text("h1") == "合并窗口"


def test_a_browser_that_only_asks_for_another_one_is_passed_over(monkeypatch, tmp_path):
    works, asks = tmp_path / "chromium-browser", tmp_path / "chromium"
    for path, code in ((works, 0), (asks, 1)):
        path.write_text(f"#!/bin/sh\nexit {code}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.delenv("MERGE_WINDOW_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browsers.find_browser() == str(works)


def test_a_chosen_browser_that_does_not_start_is_named(monkeypatch):
    monkeypatch.setenv("MERGE_WINDOW_CHROMIUM", "/no/such/chromium")
    with pytest.raises(browsers.NoBrowser, match="names /no/such/chromium, which does not start"):
        browsers.find_browser()


@pytest.mark.parametrize(("ci", "outcome"), [("true", "1 error"), ("", "1 skipped")])
def test_without_a_browser_a_test_is_skipped_but_fails_in_ci(tmp_path, ci, outcome):
    (tmp_path / "test_one.py").write_text("def test_one(browser):\n    assert browser\n")
    surroundings = {
        **os.environ,
        "CI": ci,
        "MERGE_WINDOW_CHROMIUM": "/no/such/chromium",
        "PYTHONPATH": str(ROOT / "tests"),
    }
    command = [sys.executable, "-m", "pytest", "-ra", "-p", "conftest", "--rootdir", str(tmp_path), str(tmp_path)]
    answer = subprocess.run(command, cwd=tmp_path, env=surroundings, capture_output=True, text=True)
    assert outcome in answer.stdout.splitlines()[-1]
    assert "/no/such/chromium, which does not start" in answer.stdout
