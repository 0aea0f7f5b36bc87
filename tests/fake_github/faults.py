"""Faults that a test orders: what goes wrong with which request, how often, and in which way."""

import re
import time
from dataclasses import dataclass, field
from typing import Any

from fake_github.samples import error_sample


@dataclass
class Fault:
    """One thing that goes wrong. Requests are matched as `METHOD path?query`, by regular expressions.

    Without `status` the request is answered as ever, only later (`delay`), or cut short (`truncate`).
    """

    match: str = ""
    body_match: str = ""
    skip: int = 0  # so many matching requests pass first
    times: int = 1  # so many are then hit
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None  # JSON
    raw: str | None = None  # instead of JSON
    delay: float = 0.0  # seconds before the answer
    drop: bool = False  # the connection is closed without an answer
    truncate: bool = False  # half of the announced body is sent

    def hits(self, request: str, body: str) -> bool:
        """Whether this request is hit; counts it if it matches."""
        if self.times <= 0 or not re.search(self.match, request) or not re.search(self.body_match, body):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        return True


def sample_fault(name: str, match: str = "", **more: Any) -> Fault:
    """The failure of that name in `graphql_errors.json` or `rest_errors.json`, for requests that match."""
    sample = error_sample(name)
    return Fault(
        match or ("POST .*graphql" if sample["is_graphql"] else ""),
        status=sample["status"],
        headers=dict(sample["headers"]),
        body=sample.get("body"),
        raw=sample.get("body_text"),
        **more,
    )


def filled_in(value: Any, base: str, path: str) -> Any:
    """A sample with its `<...>` marks filled in: the moment, the API's address, what follows the name."""
    if isinstance(value, dict):
        return {name: filled_in(each, base, path) for name, each in value.items()}
    if isinstance(value, list):
        return [filled_in(each, base, path) for each in value]
    if not isinstance(value, str) or "<" not in value:
        return value
    rest = re.sub(r"^.*?/repos/[^/]+/[^/?]+", "", path)
    value = value.replace("<same as Location>", "<base>/repositories/777042<rest-of-path-and-query>")
    value = value.replace("<base>", base).replace("<rest-of-path-and-query>", rest)
    return re.sub(r"<now\+(\d+)>", lambda found: str(int(time.time()) + int(found[1])), value)
