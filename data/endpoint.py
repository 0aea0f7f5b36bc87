"""Where a GitHub's API is, whatever its users call it."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from data.errors import Refused

PUBLIC = "github.com"
_API_PATHS = ("/api/v3", "/api/graphql", "/api")
_PLAIN = re.compile(r"localhost|\d+(?:\.\d+){3}|\[[0-9a-f:]+\]")  # where no name stands, no certificate does either


@dataclass(frozen=True)
class Endpoint:
    """One GitHub: github.com, a data-residency host of it, or an Enterprise server."""

    host: str  # as the cache and `gh` call it: github.com, ghe.example.com
    api: str  # base of REST addresses, without a slash at the end; GraphQL's follows from it


def endpoint(written: str | None = None) -> Endpoint:
    """The endpoint that somebody means by a host name or an address.

    Args:
        written: `ghe.example.com`, `https://ghe.example.com/api/v3/`, `api.sub.ghe.com`, `http://127.0.0.1:8080` ...;
            None or empty means github.com. Without `https://` or `http://`, https is meant, but http for a mere number
            (or localhost), for which nobody has a certificate. Such a host has its API at the root unless a path is
            given, as test servers do.

    Raises:
        Refused: it is no address, or it holds a password.
    """
    text = (written or PUBLIC).strip()
    parts = urlsplit(text if "://" in text else f"//{text}")
    if not parts.scheme:
        parts = parts._replace(scheme="http" if _PLAIN.fullmatch(parts.hostname or "") else "https")
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("http", "https") or not parts.hostname or port == -1 or re.search(r"\s", text):
        raise Refused(f"{_shown(text)!r} is no GitHub host. Write it like ghe.example.com.")
    if parts.username or parts.password:
        raise Refused("A GitHub host is given without user or password. The token comes from GITHUB_TOKEN.")
    name = parts.hostname.lower()
    if name in (PUBLIC, f"www.{PUBLIC}", f"api.{PUBLIC}"):
        return Endpoint(PUBLIC, f"https://api.{PUBLIC}")
    if name.endswith(".ghe.com"):  # GitHub's own servers under a company's name, with an API host of their own
        name = name.removeprefix("api.")
        return Endpoint(name, f"{parts.scheme}://api.{name}")
    place = f"{name}:{port}" if port else name
    path = parts.path.rstrip("/").lower()
    at_root = _PLAIN.fullmatch(name) and not path
    if path and not path.startswith(_API_PATHS):
        raise Refused(f"{_shown(text)!r} is no GitHub host: {parts.path} is no path of its API. Name the host alone.")
    return Endpoint(place, f"{parts.scheme}://{place}" + ("" if at_root else "/api/v3"))


def _shown(text: str) -> str:
    """The text without what may be a password before an `@`."""
    return text.rpartition("@")[2][:80]
