"""GitHub Apps: they sign themselves in with a key, and get short-lived tokens for an installation."""

import re
from typing import Any

import jwt

from fake_github.bodies import Bodies
from fake_github.nodes import WEB
from fake_github.rest import HttpError
from fake_github.world import World

INSTALLATION = 4242
LONGEST_JWT = 600  # seconds
PERMISSIONS = {"contents": "read", "issues": "read", "metadata": "read", "pull_requests": "read"}


def is_app_path(path: str) -> bool:
    """Whether only an app may ask for this."""
    return re.fullmatch(r"/app(/.*)?|/repos/[^/]+/[^/]+/installation", path) is not None


def is_jwt(authorization: str) -> bool:
    return re.fullmatch(r"Bearer [\w-]+\.[\w-]+\.[\w-]+", authorization) is not None


def check_jwt(authorization: str | None, public_key: str | None, now: float) -> str:
    """The id of the app that signed itself in; its signature counts where `public_key` is known.

    Raises:
        HttpError: 401 for no token, a wrong signature, or one that is over or good for more than ten minutes.
    """
    if authorization is None or not is_jwt(authorization):
        raise HttpError(401, "A JSON web token could not be decoded")
    options = {"verify_signature": public_key is not None, "verify_exp": False, "verify_iat": False}
    try:
        claims = jwt.decode(authorization.split()[1], public_key or "", algorithms=["RS256"], options=options)
    except jwt.InvalidTokenError as error:
        raise HttpError(401, "A JSON web token could not be decoded") from error
    if claims["exp"] <= now:
        raise HttpError(401, "'Expiration time' claim ('exp') must be a numeric value representing the future time")
    if claims["exp"] > now + LONGEST_JWT:
        raise HttpError(401, "'Expiration time' claim ('exp') is too far in the future")
    return str(claims["iss"])


def answer_app(path: str, base: str, world: World, app: str) -> Any:
    """What an app can ask about itself: itself, and the one installation that it has everywhere.

    Raises:
        HttpError: 404 for anything else.
    """
    owner = world.repositories[0]["owner"]
    number = int(app) if app.isdecimal() else 1
    installation = {
        "id": INSTALLATION,
        "app_id": number,
        "account": Bodies(base).user(owner),
        "access_tokens_url": f"{base}/app/installations/{INSTALLATION}/access_tokens",
        "repositories_url": f"{base}/installation/repositories",
        "html_url": f"{WEB}/settings/installations/{INSTALLATION}",
        "target_type": owner["__typename"],
        "repository_selection": "all",
        "permissions": PERMISSIONS,
        "events": [],
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
    }
    if path == "/app":
        return {"id": number, "slug": "window-example", "name": "Window Example", "owner": installation["account"]}
    if path == "/app/installations":
        return [installation]
    found = re.fullmatch(r"/repos/([^/]+/[^/]+)/installation", path)
    if path == f"/app/installations/{INSTALLATION}" or (found and world.find(found[1])):
        return installation
    raise HttpError(404, "Not Found")
