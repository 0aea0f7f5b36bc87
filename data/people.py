"""One normaliser for everybody who writes, reviews or merges: people, bots, ghosts and mere git names.

GitHub's three interfaces spell one bot in three ways (`dependabot`, `dependabot[bot]`, `app/dependabot`), and a deleted
account comes as null, as an empty login or as `ghost`. Every reader of a login goes through `person`.
"""

import re
from typing import Any, TypedDict

HUMAN, BOT, GHOST = "human", "bot", "ghost"
GHOST_LOGIN = "ghost"

# Accounts that act on their own but are typed as users by some interface, or appear under several logins.
BOT_ALIASES = {
    "copilot-swe-agent": "copilot",
    "github-copilot": "copilot",
    "copilot-pull-request-reviewer": "copilot",
    "dependabot-preview": "dependabot",
    "renovate-bot": "renovate",
    "pre-commit-ci-bot": "pre-commit-ci",
}
KNOWN_BOTS = {
    *BOT_ALIASES.values(),
    "bors",
    "github-actions",
    "greenkeeper",
    "homu",
    "k8s-ci-robot",
    "mergify",
    "pyup-bot",
    "rust-bors",
    "rustbot",
    "snyk-bot",
    "web-flow",
}
_NOREPLY = re.compile(r"(?:\d+\+)?(?P<login>[^@+]+)@users\.noreply\.github\.com", re.IGNORECASE)


class Person(TypedDict):
    """Somebody as a source knows them; unknown is None, and a ghost has the login `ghost`."""

    login: str | None  # GitHub login without `[bot]` or `app/`; None where only git knows the person
    name: str | None
    email: str | None
    type: str  # human, bot or ghost


def person(
    login: str | None = None,
    *,
    name: str | None = None,
    email: str | None = None,
    is_bot: bool | None = None,
    account_type: str | None = None,
) -> Person:
    """One person from whatever a source says of them.

    Args:
        login: in any spelling; empty, `app/` and `ghost` mean a deleted account unless a name or e-mail is known.
        name: display name or git author name.
        email: git e-mail; a GitHub no-reply address gives the login.
        is_bot: what `gh` says.
        account_type: what the API says: User, Bot, Organization, Mannequin ...

    Returns:
        The person; two spellings of one bot give equal results.
    """
    name, email = _clean(name), _clean(email)
    if email:
        email = email.lower()
    login = _clean(login)
    if not login and email and (found := _NOREPLY.fullmatch(email)):
        login = found["login"]
    bot = bool(is_bot) or account_type == "Bot"
    if login and login.lower().startswith("app/"):
        login, bot = login[4:] or None, True
    if login and login.lower().endswith("[bot]"):
        login, bot = login[:-5], True
    if not login and name and name.lower().endswith("[bot]"):
        login, bot = name[:-5].strip().lower(), True
    if not login and name and name.lower() in KNOWN_BOTS:  # bors commits under its name
        login = name
    if login is not None and (alias := BOT_ALIASES.get(login.lower())):
        login, bot = alias, True
    if login is not None and login.lower() in KNOWN_BOTS:
        login, bot = login.lower(), True
    if (login is None and name is None and email is None) or (login or "").lower() == GHOST_LOGIN:
        return Person(login=GHOST_LOGIN, name=None, email=None, type=GHOST)
    return Person(login=login, name=name, email=email, type=BOT if bot else HUMAN)


def _clean(text: str | None) -> str | None:
    text = (text or "").replace("\0", "").strip()
    return text or None


def from_api(account: dict[str, Any] | None) -> Person:
    """A person from an account object of `gh`, REST or GraphQL; null means a deleted account."""
    if not account:
        return person()
    return person(
        account.get("login"),
        name=account.get("name"),
        is_bot=account.get("is_bot"),
        account_type=account.get("type") or account.get("__typename"),
    )
