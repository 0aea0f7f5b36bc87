"""What keeps a client within bounds: points by the hour, pauses, and tokens that run out."""

import math
import time
from collections.abc import Callable
from itertools import count

from fake_github import nodes
from fake_github.apps import PERMISSIONS, is_jwt
from fake_github.bodies import Body
from fake_github.faults import sample_fault
from fake_github.rest import HttpError, Reply
from fake_github.switches import Switches

HOUR = 3600.0
USUAL_LIMIT = 5000
SEARCHES_A_MINUTE = 30


class Bucket:
    """Points that can be spent until the bucket is filled again."""

    def __init__(self, clock: Callable[[], float], limit: int, window: float) -> None:
        self.clock, self.limit, self.window = clock, limit, window
        self.used, self.reset_at = 0, clock() + window

    @property
    def remaining(self) -> int:
        self._refill_when_due()
        return max(0, self.limit - self.used)

    def spend(self, points: int) -> None:
        self._refill_when_due()
        self.used = min(self.limit, self.used + points)

    def exhaust(self, reset_in: float) -> None:
        """Uses it up, until so many seconds from now."""
        self.used, self.reset_at = self.limit, self.clock() + reset_in

    def body(self) -> Body:
        """As `GET /rate_limit` tells of it: in whole seconds, and never before it is really filled."""
        remaining = self.remaining
        return {"limit": self.limit, "remaining": remaining, "used": self.used, "reset": math.ceil(self.reset_at)}

    def _refill_when_due(self) -> None:
        if self.clock() >= self.reset_at:
            self.used, self.reset_at = 0, self.clock() + self.window


class Gate:
    """Lets a request in, or says why not."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.switches = Switches()
        self._tokens: dict[str, float] = {}  # token -> when it was issued or first seen
        self._token_numbers = count(1)
        self.turn(self.switches, set(Switches.__dataclass_fields__))

    def turn(self, switches: Switches, turned: set[str]) -> None:
        """Takes new switches; what depends on the ones that were `turned` begins anew."""
        self.switches = switches
        if turned & {"limit", "reset_in", "date_skew"}:
            limit = USUAL_LIMIT if switches.limit is None else switches.limit
            window = HOUR if switches.reset_in is None else switches.reset_in
            self.buckets = {name: Bucket(self.clock, limit, window) for name in ("core", "graphql")}
            self.buckets["search"] = Bucket(self.clock, SEARCHES_A_MINUTE, 60.0)
        if "secondary" in turned:
            self._pauses_left = (switches.secondary or {"times": 0}).get("times", 1)
            self._pause_until = 0.0

    def check_token(self, authorization: str | None) -> None:
        """Refuses a token that is older than `token_ttl`, counted from when it was issued or first seen.

        Raises:
            HttpError: 401.
        """
        if authorization is None or is_jwt(authorization):
            return
        born = self._tokens.setdefault(authorization.split()[-1], time.time())
        if self.switches.token_ttl is not None and time.time() - born > self.switches.token_ttl:
            raise HttpError(401, "Bad credentials")

    def issue_token(self) -> Body:
        """A new token of an installation, and when it runs out."""
        token = f"ghs_invented{next(self._token_numbers)}"
        self._tokens[token] = time.time()
        ttl = HOUR if self.switches.token_ttl is None else self.switches.token_ttl
        expires_at = nodes.utc(self.clock() + ttl)
        return {"token": token, "expires_at": expires_at, "permissions": PERMISSIONS, "repository_selection": "all"}

    def refusal(self, resource: str) -> Reply | None:
        """The secondary or the primary limit, if one stands in the way."""
        return self._pause(resource) or self.used_up(resource, 1)

    def _pause(self, resource: str) -> Reply | None:
        """Too fast: so many times, and whoever comes back before `retry_after` is over hears it again."""
        wanted, now = self.switches.secondary, time.time()
        if wanted is None or (self._pauses_left <= 0 and now >= self._pause_until):
            return None
        retry_after = wanted.get("retry_after")
        if now >= self._pause_until:
            self._pauses_left -= 1
            self._pause_until = now + (retry_after or 0)
        status = wanted.get("status", 403)
        if status == 200 and resource != "graphql":
            status = 403
        name = {200: "secondary_200", 403: "secondary_limit_retry_after", 429: "secondary_limit_429"}[status]
        return Reply(status, sample_fault(name).body, {} if retry_after is None else {"Retry-After": str(retry_after)})

    def used_up(self, resource: str, cost: int) -> Reply | None:
        """The hour's points are spent: REST says so with 403, GraphQL with an error in 200."""
        bucket = self.buckets[resource]
        if not self.switches.rate_limiting or bucket.remaining >= cost:
            return None
        bucket.used = bucket.limit
        sample = sample_fault(self.switches.limit_error if resource == "graphql" else "primary_limit")
        return Reply(sample.status or 403, sample.body)

    def headers(self, resource: str) -> dict[str, str]:
        if not self.switches.rate_limiting:
            return {}
        told = self.buckets[resource].body() | {"resource": resource}
        return {f"X-RateLimit-{name.title()}": str(value) for name, value in told.items()}

    def overview(self) -> Body:
        """The body of `GET /rate_limit`.

        Raises:
            HttpError: 404 where the host has no limits.
        """
        if not self.switches.rate_limiting:
            raise HttpError(404, "Rate limiting is not enabled.")
        resources = {name: bucket.body() for name, bucket in self.buckets.items()}
        return {"resources": resources, "rate": resources["core"]}

    def rate_limit_field(self, cost: int, nodes_asked: int) -> Body | None:
        """GraphQL's `rateLimit`, after this query was paid."""
        if not self.switches.rate_limiting:
            return None
        told = self.buckets["graphql"].body()
        counts = {name: told[name] for name in ("limit", "remaining", "used")}
        return counts | {"cost": cost, "nodeCount": nodes_asked, "resetAt": nodes.utc(told["reset"])}
