"""Makes the pictures in docs/images from the sample repository, through the real app: `python docs/screenshots.py`.

Needs what the tests need (a Chromium, see tests/browser.py), and nothing from the internet.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
WIDE, PHONE = {"width": 1440, "height": 1400}, {"width": 390, "height": 2200}
WEEKS = "window=2026-05-04&window=2026-05-31"
# Name, address, and how the reader's browser is set.
PICTURES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("overview-light", f"/?{WEEKS}", {}),
    ("overview-dark", f"/?{WEEKS}", {"color_scheme": "dark"}),
    ("overview-zh", f"/?{WEEKS}", {"locale": "zh-CN"}),
    ("overview-phone", f"/?{WEEKS}", {"viewport": PHONE, "device_scale_factor": 2}),
    ("pulls", f"/pulls?{WEEKS}", {}),
    ("risk", f"/risk?{WEEKS}", {}),
    ("report", f"/report?{WEEKS}", {}),
    ("report-zh", f"/report?{WEEKS}", {"locale": "zh-CN", "color_scheme": "dark"}),
    ("data", "/data", {}),
)


def main() -> None:
    """Serve the sample and take all pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as site, chromium() as browser:
        for name, address, surroundings in PICTURES:
            take(browser, site + address, IMAGES / f"{name}.png", surroundings)
            print(f"docs/images/{name}.png")


@contextmanager
def served(home: Path) -> Iterator[str]:
    """The address of the dashboard on a new sample, which lies where the cache of a user of `home` would."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(home)}
    command = [sys.executable, "-m", "dashboard.cli"]
    sample = home / "merge-window" / "cache.db"
    subprocess.run([*command, "demo", "--no-serve", "--db", str(sample)], cwd=home, env=surroundings, check=True)
    server = subprocess.Popen([*command, "serve", "--port", str(port)], cwd=home, env=surroundings)
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if server.poll() is not None:
            raise SystemExit("The dashboard did not start; see above.")
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{address} did not answer within a minute.")


@contextmanager
def chromium() -> Iterator[Browser]:
    sys.path.insert(0, str(ROOT / "tests"))
    from browser import FLAGS, find_browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        yield browser
        browser.close()


def take(browser: Browser, address: str, file: Path, surroundings: dict[str, Any]) -> None:
    context = browser.new_context(**{"viewport": WIDE, "locale": "en-US"} | surroundings)
    page = context.new_page()
    page.goto(address)
    wait_until_drawn(page)
    if file.stem == "pulls":
        table = page.locator("[data-testid=stDataFrame]").first.bounding_box()
        page.mouse.click(table["x"] + 260, table["y"] + 35 * 3 + 18)
        page.wait_for_url("**pr=*")
        wait_until_drawn(page)
        page.mouse.move(0, 0)
    page.screenshot(path=file)
    context.close()


def wait_until_drawn(page: Page) -> None:
    """The run has ended, every chart and table stands, and nothing moves any more."""
    page.wait_for_function(
        """() => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
            && document.querySelector(".st-key-strip .bars .point path")
            && !document.querySelector("[data-testid=stSkeleton]")
            && [...document.querySelectorAll(".stPlotlyChart")].every(chart => chart.querySelector(".main-svg"))"""
    )
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(1500)  # sparklines and tables fade in


if __name__ == "__main__":
    main()
