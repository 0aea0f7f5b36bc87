"""Whose name GitHub is asked in: a token from the environment or from `gh`, or a GitHub App's key."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from data.endpoint import PUBLIC
from data.errors import Refused

APP_ID, APP_KEY, APP_INSTALLATION = "MERGE_WINDOW_APP_ID", "MERGE_WINDOW_APP_KEY", "MERGE_WINDOW_APP_INSTALLATION"
_ENTERPRISE = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")  # what `gh` reads for other hosts
_USUAL = ("GITHUB_TOKEN", "GH_TOKEN")
_GH_SECONDS = 10


@dataclass(frozen=True)
class Token:
    """A token, and where it was found; its text is kept out of every representation."""

    text: str = field(repr=False)
    found: str


@dataclass(frozen=True)
class App:
    """A GitHub App: its id, its private key, and its installation where that is told."""

    id: str
    key: str = field(repr=False)
    installation: int | None = None


def credentials(host: str, environment: Mapping[str, str] | None = None) -> Token | App:
    """What to authenticate with on a host.

    An App counts before tokens, since who sets one up means it; then the environment, then `gh auth token`.

    Args:
        host: such as github.com.
        environment: instead of the process's own.

    Raises:
        Refused: there is nothing, or it cannot be a token or key.
    """
    environment = os.environ if environment is None else environment
    if environment.get(APP_ID):
        return _app(environment)
    for name in (*(_ENTERPRISE if host != PUBLIC else ()), *_USUAL):
        if text := environment.get(name, "").strip():
            return Token(_checked(text, name), name)
    if told := _ask_gh(host, environment):
        return Token(_checked(told, "gh auth token"), "gh auth token")
    raise Refused(
        f"There is no token for {host}. Set GITHUB_TOKEN to one that may read pull requests,"
        f" or run: gh auth login --hostname {host}"
    )


def _app(environment: Mapping[str, str]) -> App:
    number, file = environment[APP_ID].strip(), environment.get(APP_KEY, "")
    installation = environment.get(APP_INSTALLATION, "").strip()
    if not file:
        raise Refused(f"{APP_ID} is set, but {APP_KEY} is not. Set it to the file of the App's private key.")
    if installation and not installation.isdecimal():
        raise Refused(f"{APP_INSTALLATION} must be the number of an installation, not {installation[:40]!r}.")
    try:
        key = Path(file).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise Refused(f"The App's private key {file} can't be read: {reason}.") from None
    if "PRIVATE KEY-----" not in key:
        raise Refused(f"{file} is no private key: it has no line BEGIN ... PRIVATE KEY. Download the App's key again.")
    return App(number, key, int(installation) if installation else None)


def _ask_gh(host: str, environment: Mapping[str, str]) -> str | None:
    program = shutil.which("gh", path=environment.get("PATH", ""))
    if program is None:
        return None
    command = [program, "auth", "token", "--hostname", host]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_GH_SECONDS, env=dict(environment), check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


def _checked(text: str, found: str) -> str:
    """The token, if it can stand in a header: the HTTP library would else print it in its complaint."""
    if not re.fullmatch(r"[!-~]+", text):
        raise Refused(f"What {found} holds is no token: it has blanks or letters that no token has. Copy it again.")
    return text
