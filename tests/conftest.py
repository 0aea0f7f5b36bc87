"""Fixtures that several test files share."""

import os
from collections.abc import Iterator
from pathlib import Path

import browser as browsers
import pytest
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real samples that lies beside the checkout, or where `MERGE_WINDOW_SHARED` says."""
    if chosen := os.environ.get("MERGE_WINDOW_SHARED"):
        folder = Path(chosen)
        assert folder.is_dir(), f"MERGE_WINDOW_SHARED names {chosen}, which is no folder."
        return folder
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("The samples are not here: put shared/ beside the checkout, or set MERGE_WINDOW_SHARED.")
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium; ask it for a page of your own: `browser.new_page()`.

    One a file, not one for all: while Playwright runs, no other event loop can start in this thread.
    Without a Chromium the test is skipped with a word, but fails where `CI` is set.
    """
    try:
        executable = browsers.find_browser()
    except browsers.NoBrowser as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=list(browsers.FLAGS))
        yield chromium
        chromium.close()
