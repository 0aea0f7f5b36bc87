"""Finds the browser that the tests drive, and gets one where none is: `python tests/browser.py [--install]`.

Prints the path of a Chromium that starts, or one sentence and exit code 1. In order: `MERGE_WINDOW_CHROMIUM`, an
installed Chromium or Chrome, Playwright's own. `--install` takes the distribution's package where apt and the rights
to use it are at hand, else Playwright's download.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

INSTALLED = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPLICATIONS = ("Google Chrome", "Chromium")

# For a machine without a screen, and a network that is closed: Chromium's own calls home would fail by the dozen.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NoBrowser(Exception):
    """No Chromium starts on this machine; the text says what to do."""


def find_browser() -> str:
    """The path of a Chromium or Chrome that starts.

    Raises:
        NoBrowser: there is none, or `MERGE_WINDOW_CHROMIUM` names something else.
    """
    if chosen := os.environ.get("MERGE_WINDOW_CHROMIUM"):
        if starts(chosen):
            return chosen
        raise NoBrowser(f"MERGE_WINDOW_CHROMIUM names {chosen}, which does not start as a Chromium.")
    for candidate in candidates():
        if starts(candidate):
            return candidate
    raise NoBrowser("No Chromium starts here. Run `make test`, or install chromium, or set MERGE_WINDOW_CHROMIUM.")


def candidates() -> Iterator[str]:
    """Paths to try, the cheap ones first."""
    yield from filter(None, map(shutil.which, INSTALLED))
    for name in MAC_APPLICATIONS:
        yield f"/Applications/{name}.app/Contents/MacOS/{name}"
    yield from playwrights_own()


def playwrights_own() -> list[str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return [playwright.chromium.executable_path]


def starts(executable: str) -> bool:
    """Whether it runs: the `chromium-browser` of some distributions only tells to install something else."""
    if shutil.which(executable) is None:
        return False
    try:
        return subprocess.run([executable, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install_browser() -> None:
    """Gets a Chromium; whether it worked, `find_browser` tells."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and shutil.which("apt-get"):
        apt = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        run("apt-get", "update", env=apt)
        run("apt-get", "install", "-y", "--no-install-recommends", "chromium", env=apt)
        if any(starts(path) for name in INSTALLED if (path := shutil.which(name))):
            return
    with_libraries = ["--with-deps"] if is_root and sys.platform == "linux" else []
    run(sys.executable, "-m", "playwright", "install", *with_libraries, "chromium")


def run(*command: str, env: dict[str, str] | None = None) -> None:
    """Runs it in sight on stderr, so that stdout holds the path alone; a failure shows in what comes after."""
    subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL, env=env)


def main() -> int:
    try:
        try:
            print(find_browser())
        except NoBrowser:
            if "--install" not in sys.argv or os.environ.get("MERGE_WINDOW_CHROMIUM"):
                raise
            install_browser()
            print(find_browser())
    except NoBrowser as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
