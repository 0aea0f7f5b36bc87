"""Starts the dashboard: one process, the same look from a checkout and from the installed command."""

import os
import socket
import sys
from contextlib import suppress
from datetime import timedelta
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dashboard.config import CONFIG_VARIABLE, DB_VARIABLE, SYNC_VARIABLE, load
from data.errors import MergeWindowError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

THEME = "theme/merge-window.toml"


class ServerError(MergeWindowError):
    """The dashboard can't listen where it was asked to."""


def run(
    db: Path,
    config: Path | None,
    host: str,
    port: int,
    open_browser: bool = False,
    sync_every: timedelta | None = None,
) -> None:
    """Serve the dashboard on a cache until Ctrl-C.

    Args:
        db: the cache; it need not exist yet.
        config: the configuration file, None for the usual places.
        host, port: where to listen.
        open_browser: open a browser window on this machine.
        sync_every: sync with GitHub now and then again and again.

    Raises:
        ServerError: the port is taken, or the address is not one of this machine.
    """
    _check_is_free(host, port)
    # Pages run in this process but not below this call: they learn of the cache the way `streamlit run` tells them.
    os.environ[DB_VARIABLE] = str(db.absolute())
    if config is not None:
        os.environ[CONFIG_VARIABLE] = str(config.absolute())
    if sync_every is not None:
        os.environ[SYNC_VARIABLE] = str(int(sync_every.total_seconds()))
    from starlette.routing import Route
    from streamlit.starlette import App

    from dashboard import jobs

    if sync_every is not None:
        jobs.sync_every(sync_every.total_seconds(), db.absolute(), load(config))
    folder = resources.files("dashboard")
    app = App(str(folder / "app.py"), routes=[Route("/feed.atom", feed)])
    print(f"Merge Window is at http://{_shown(host)}:{port} (Ctrl-C stops it)", file=sys.stderr, flush=True)
    with suppress(KeyboardInterrupt):  # the server has closed everything before it passes Ctrl-C on
        app.run(config=options(host, port, theme=str(folder / THEME), open_browser=open_browser))


def feed(request: "Request") -> "Response":
    """The Atom feed of weekly reports: `/feed.atom?repo=owner/name&lang=zh`, both of them optional."""
    from starlette.responses import PlainTextResponse, Response

    from dashboard import reads
    from dashboard.config import db_path
    from dashboard.report import feed as atom
    from dashboard.version import version

    try:
        config, db = load(), db_path()
        known = reads.repositories(db) if db.exists() else None
        if known is None or known.empty:
            return PlainTextResponse("The cache is empty. Run: merge-window sync owner/name", status_code=404)
        repo = request.query_params.get("repo") or config.repo or str(known["repo"].iloc[0])
        lang = "zh" if (request.query_params.get("lang") or config.lang) in ("zh", "中文") else "en"
        made = atom.feed(db, repo, lang=lang, config=config, version=version(), site=str(request.base_url))
    except MergeWindowError as error:
        return PlainTextResponse(str(error), status_code=404)
    return Response(made, media_type="application/atom+xml")


def options(host: str, port: int, *, theme: str, open_browser: bool) -> dict[str, Any]:
    """The options of Streamlit that make up the product; those of a user's own files give way to them."""
    return {
        "server.address": host,
        "server.port": port,
        "server.headless": not open_browser,
        "server.fileWatcherType": "none",  # an installed command has no source to watch
        "browser.serverAddress": _shown(host),  # else Streamlit asks a host on the internet for this machine's address
        "browser.gatherUsageStats": False,
        "client.toolbarMode": "viewer",
        "client.showErrorDetails": "type",
        "client.showErrorLinks": False,  # they lead to search engines
        "logger.hideWelcomeMessage": True,
        "runner.magicEnabled": False,  # a page writes what it says it writes
        "theme.base": theme,
    }


def _check_is_free(host: str, port: int) -> None:
    """Bind and let go: told in one sentence here, while Streamlit would log and exit."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name != "nt":  # there it would let two servers share the port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror as error:
        raise ServerError(f"{host!r} is no address of this machine. Give one such as 127.0.0.1 or 0.0.0.0.") from error
    except PermissionError as error:
        raise ServerError(f"Port {port} needs rights that you don't have. Choose one from 1024 on.") from error
    except OSError as error:
        taken = f"Port {port} of {host} can't be used: {error.strerror}."
        raise ServerError(f"{taken} Stop what listens there, or choose another with --port.") from error


def _shown(host: str) -> str:
    """What to type into a browser on this machine."""
    return "localhost" if host in ("0.0.0.0", "::", "") else host
