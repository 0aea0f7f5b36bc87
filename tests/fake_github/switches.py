"""How a test makes the fake misbehave for as long as it likes; `faults.py` is for single requests."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Switches:
    """All are off at first."""

    max_page: int | None = None  # bulk pages longer than this are answered with 502
    html_502: bool = False  # and in HTML instead of JSON
    poison: Collection[int] = ()  # numbers of pull requests that no bulk page gets through
    forbid: Collection[str] = ()  # patterns of paths answered as FORBIDDEN, such as `*.requestedReviewer`
    unavailable: dict[int, Collection[str]] = field(default_factory=dict)  # number -> fields answered as an error
    limit: int | None = None  # points and requests in a window, instead of 5,000
    reset_in: float | None = None  # length of a window in seconds, instead of an hour
    limit_error: str = "rate_limited_primary"  # or `rate_limited_primary_variant`
    secondary: dict[str, Any] | None = None  # status (403, 429 or 200), retry_after (seconds or None), times (1)
    token_ttl: float | None = None  # seconds that a token is good for
    date_skew: float = 0.0  # seconds by which GitHub's clock is ahead of ours
    on_page: Callable[[Any, int], None] | None = None  # called after each bulk page with the fake and the count
    removed_fields: Collection[str] = ()  # such as `PullRequest.fullDatabaseId`: an older Enterprise host
    graphql_off: bool = False  # and a host without GraphQL
    rate_limiting: bool = True  # an Enterprise host may have none
