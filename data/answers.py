"""What an answer of GitHub's means: fine, partly refused, or one of a handful of failures, each with what may help.

Nothing here asks GitHub or waits. What the user is told is made of our own words and GitHub's `message`, never of a
request: no token can get into it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

from data.errors import Refused

MOST_MESSAGE = 200  # characters of GitHub's own words that a sentence quotes
_GRAPHQL_LIMIT = {"RATE_LIMITED", "RATE_LIMIT"}  # both spellings occur (octokit/plugin-throttling.js#848)
_HEAVY_TYPES = {"RESOURCE_LIMITS_EXCEEDED", "MAX_NODE_LIMIT_EXCEEDED"}
_ABSENT = {"undefinedField", "undefinedType", "cannotSpreadFragment", "argumentLiteralsIncompatible"}
_TRANSIENT_STATUS = {408, 425, 500, 502, 503, 504}
# What a token lacks if GitHub refuses a field, by a piece of the field's path.
_PERMISSIONS = {
    "requestedReviewer": "Members: read (of the organization)",
    "closingIssuesReferences": "Issues: read",
    "inGithub": "Contents: read",
    "inRoot": "Contents: read",
    "inDocs": "Contents: read",
    "refs": "Contents: read",
    "releases": "Contents: read",
    "defaultBranchRef": "Contents: read",
    "pullRequests": "Pull requests: read",
}


@dataclass(frozen=True)
class Answer:
    """What came back: status, headers (names in lower case), and the JSON or the text it was."""

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def clock(self) -> int | None:
        """GitHub's clock when it answered: seconds since 1970."""
        try:
            return int(parsedate_to_datetime(self.headers.get("date", "")).timestamp())
        except (TypeError, ValueError):
            return None

    @property
    def message(self) -> str:
        """What GitHub says about a failure, in one line."""
        said = self.body.get("message") if isinstance(self.body, dict) else None
        if said is None and isinstance(self.body, dict) and isinstance(self.body.get("errors"), list):
            said = next((error.get("message") for error in self.body["errors"] if isinstance(error, dict)), None)
        return " ".join(str(said or f"HTTP {self.status}").split())[:MOST_MESSAGE].rstrip(".")


class Failure(Exception):
    """An answer that is of no use; the kinds below say what may help."""


class Transient(Failure):
    """Ask again in a moment."""


class TooHeavy(Failure):
    """Ask for less at once."""


class Limited(Failure):
    """Ask again after a while."""

    def __init__(self, sentence: str, *, seconds: int | None = None, until: int | None = None) -> None:
        super().__init__(sentence)
        self.seconds = seconds  # GitHub said how long
        self.until = until  # GitHub said until when, by its clock; neither: a minute, then longer


class Absent(Failure):
    """The host's GraphQL lacks parts of the query; `paths` says which."""

    def __init__(self, paths: list[list[str]]) -> None:
        super().__init__(", ".join(path[-1] for path in paths))
        self.paths = paths


class NoGraphQL(Failure):
    """The host has no GraphQL."""


class Missing(Refused):
    """What was asked for is not there, or not for this token."""


@dataclass
class Partial:
    """Errors that GitHub gave beside data: where, and what to tell the user."""

    paths: list[list[Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read(status: int, headers: Mapping[str, str], text: str) -> Answer:
    """An answer from its parts; a body that is no JSON stays the text it is."""
    try:
        body = json.loads(text) if text.strip() else None
    except ValueError:
        body = text
    return Answer(status, {name.lower(): value for name, value in headers.items()}, body)


def check_rest(answer: Answer, *, what: str, host: str) -> None:
    """Nothing, if a REST answer is good.

    Args:
        answer: it.
        what: what was asked for, for the sentence: `acme/orbit`.
        host: who was asked.

    Raises:
        Transient, Limited: asking again may help.
        Refused: it will not; the sentence says what is missing.
    """
    status = answer.status
    if status < 400 and isinstance(answer.body, (dict, list)):
        return
    if status in _TRANSIENT_STATUS or status < 400:
        raise Transient(f"{host} answered with {_status_words(answer)}")
    if limited := _limited(answer):
        raise limited
    raise _refused(answer, what, host)


def check_graphql(answer: Answer, *, what: str, host: str) -> tuple[dict[str, Any], Partial]:
    """The data of a GraphQL answer, and what is missing from it.

    Args:
        answer: it.
        what: the repository asked for, for the sentences.
        host: who was asked.

    Raises:
        Transient, TooHeavy, Limited, Absent, NoGraphQL: asking again in another way or later may help.
        Refused: it will not.
    """
    if answer.status in (502, 504):
        raise TooHeavy(f"{host} answered with {_status_words(answer)}")
    if answer.status in (404, 405, 410):
        raise NoGraphQL(f"{host} answered with {_status_words(answer)}")
    check_rest(answer, what=what, host=host)
    errors = [error for error in answer.body.get("errors") or () if isinstance(error, dict)]
    _raise_for_errors(answer, errors, what, host)
    data = answer.body.get("data")
    if not isinstance(data, dict):
        if limited := _limited(answer):  # GitHub may answer 200 with the message alone
            raise limited
        raise Transient(f"{host} answered without data: {answer.message}")
    return data, _partial(errors)


def _raise_for_errors(answer: Answer, errors: list[dict[str, Any]], what: str, host: str) -> None:
    types = {str(error.get("type") or error.get("code") or "") for error in errors}
    if types & _GRAPHQL_LIMIT:
        raise _limited(answer, primary=True) or AssertionError
    if types & _HEAVY_TYPES:
        raise TooHeavy(answer.message)
    absent = [error for error in errors if (error.get("extensions") or {}).get("code") in _ABSENT]
    if absent:
        raise Absent([_path_of(error) for error in absent])
    data = answer.body.get("data")
    root_gone = not isinstance(data, dict) or all(data.get(key) is None for key in data if key != "rateLimit")
    if not errors or not root_gone:
        return
    if "NOT_FOUND" in types:
        raise missing(what, host)
    if any((error.get("extensions") or {}).get("saml_failure") for error in errors):
        raise _sso(what, answer.headers.get("x-github-sso", ""))
    if "FORBIDDEN" in types:
        raise Refused(_forbidden_sentence(answer, "pullRequests"))
    if any(limited := _limited(answer) for _ in errors[:1]):
        raise limited  # type: ignore[misc]  # the walrus has just found it
    if all(error.get("path") is None and error.get("type") is None for error in errors):
        raise TooHeavy(answer.message) if "wrong while executing" in answer.message else Transient(answer.message)
    raise Transient(f"{host} answered without data: {answer.message}")


def _path_of(error: dict[str, Any]) -> list[str]:
    """The path of what is absent; of an argument, the field that it belongs to."""
    path = [str(step) for step in error.get("path") or ()]
    if (error.get("extensions") or {}).get("code") == "argumentLiteralsIncompatible":
        path = path[:-1]
    return path


def _partial(errors: list[dict[str, Any]]) -> Partial:
    partial = Partial(paths=[error["path"] for error in errors if error.get("path")])
    for error in errors:
        steps = [str(step) for step in error.get("path") or ()]
        name = next((step for step in reversed(steps) if not step.isdigit()), "a field")
        if error.get("type") == "FORBIDDEN":
            needs = next((_PERMISSIONS[step] for step in reversed(steps) if step in _PERMISSIONS), None)
            asks = f" Give it the permission {needs}." if needs else ""
            partial.notes.append(f"The token may not read {name}, which therefore stays unknown.{asks}")
        elif error.get("type") != "NOT_FOUND":
            said = str(error.get("message") or "no reason given").rstrip(".")[:MOST_MESSAGE]
            partial.notes.append(f"GitHub could not tell {name} of some pull requests: {said}.")
    partial.notes = list(dict.fromkeys(partial.notes))
    return partial


def _limited(answer: Answer, *, primary: bool = False) -> Limited | None:
    """The limit that an answer tells of, if it tells of one."""
    message, headers = answer.message.lower(), answer.headers
    is_secondary = "secondary rate" in message or "abuse detection" in message
    is_primary = primary or "rate limit exceeded" in message or "rate limit already exceeded" in message
    if not (is_secondary or is_primary or answer.status == 429):
        return None
    sentence = (
        f"GitHub's {'rate limit is used up' if is_primary and not is_secondary else 'secondary rate limit holds'}"
    )
    if (seconds := _whole(headers.get("retry-after"))) is not None:
        return Limited(sentence, seconds=seconds)
    if headers.get("x-ratelimit-remaining") == "0" and (until := _whole(headers.get("x-ratelimit-reset"))) is not None:
        return Limited(sentence, until=until)
    return Limited(sentence)


def _refused(answer: Answer, what: str, host: str) -> Refused:
    sso = answer.headers.get("x-github-sso", "")
    if answer.status == 401:
        return Refused(f"{host} does not accept the token ({answer.message}). Make a new one, or renew the login.")
    if answer.status == 403 and ("required" in sso or "SAML" in answer.message):
        return _sso(what, sso)
    if answer.status == 403:
        return Refused(_forbidden_sentence(answer, "pullRequests"))
    if answer.status == 404:
        return missing(what, host)
    if answer.status == 451:
        reason = answer.body.get("block", {}).get("reason") if isinstance(answer.body, dict) else None
        return Refused(f"{host} has blocked {what} for legal reasons{f' ({reason})' if reason else ''}.")
    return Refused(f"{host} refused what was asked of {what}: {answer.message} (HTTP {answer.status}).")


def _sso(what: str, header: str) -> Refused:
    page = re.search(r"url=(\S+)", header)
    where = page[1] if page else "GitHub's token settings"
    return Refused(f"The organization of {what} asks for single sign-on. Open {where} and authorize the token.")


def missing(what: str, host: str) -> Missing:
    """What to tell about a repository that is not there."""
    return Missing(
        f"{host} shows no repository {what} to this token. Check the spelling, and that the token may read it"
        " (Metadata: read, Pull requests: read)."
    )


def _forbidden_sentence(answer: Answer, wanted: str) -> str:
    told = answer.headers.get("x-accepted-github-permissions", "")
    needed = [_permission(one) for one in re.split(r"[,;]\s*", told) if one] or [_PERMISSIONS[wanted]]
    return f"The token lacks a permission ({answer.message}). Give it: {', '.join(needed)}."


def _permission(told: str) -> str:
    """`pull_requests=read` as GitHub's settings page calls it."""
    name, _, level = told.partition("=")
    return f"{name.replace('_', ' ').capitalize()}: {level or 'read'}"


def _status_words(answer: Answer) -> str:
    said = "" if answer.message == f"HTTP {answer.status}" else f" ({answer.message})"
    return f"HTTP {answer.status}{said}" if answer.status >= 400 else "something that is no JSON"


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.strip().isdecimal() else None
