"""The fake GitHub itself: what it holds, how it answers, and the log of what it was asked."""

import hashlib
import json
import re
import threading
import time
import traceback
from dataclasses import replace
from email.utils import formatdate
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

import oracle

from fake_github import graph
from fake_github.apps import answer_app, check_jwt, is_app_path
from fake_github.faults import Fault, filled_in, sample_fault
from fake_github.limits import Gate
from fake_github.nodes import Node
from fake_github.rest import Asked, HttpError, Reply, answer
from fake_github.switches import Switches
from fake_github.wire import Logged, start_server
from fake_github.world import World

ENTERPRISE = "/api/v3"
GRAPHQL_PATHS = {"/graphql", "/api/graphql"}
EXTRA_COST = 50  # of a query that GitHub gave up on


class FakeGitHub:
    """A GitHub that holds some repositories. Use as `with FakeGitHub(generate()) as github:`.

    Args:
        repositories: as `generate` and `from_fixtures` make them; the first is meant where none is named.
        switches: fields of `Switches`.

    Raises:
        oracle.NoOracle: GitHub's schema is not installed.
    """

    def __init__(self, *repositories: Node, **switches: Any) -> None:
        self.schema_file = oracle.find_schema()
        self.world = World(*repositories, clock=self.clock)
        self.lock = threading.RLock()
        self.crashes: list[str] = []
        self.reset()
        self.set(**switches)
        self._server = start_server(self)

    @property
    def url(self) -> str:
        """The API's address in the style of github.com."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def enterprise_url(self) -> str:
        """The API's address in the style of GitHub Enterprise Server."""
        return self.url + ENTERPRISE

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stops it; fails if the fake itself broke down, which a client may have taken for a fault of GitHub's."""
        self._server.shutdown()
        self._server.server_close()
        assert not self.crashes, "\n".join(self.crashes)

    def clock(self) -> float:
        """This moment by GitHub's clock, in seconds since 1970."""
        return time.time() + self.switches.date_skew

    # What a test may order

    def set(self, **switches: Any) -> None:
        """Turns switches; limits and pauses begin anew when theirs are among them."""
        with self.lock:
            self.switches = replace(self.switches, **switches)
            self.gate.turn(self.switches, set(switches))

    def exhaust(self, resource: str, reset_in: float) -> None:
        """Uses up `core`, `graphql` or `search` until so many seconds from now."""
        self.gate.buckets[resource].exhaust(reset_in)

    def add_fault(self, fault: Fault | str, match: str = "", **more: Any) -> None:
        """Orders a fault, or the failure of that name in the samples for requests that match."""
        self.faults.append(fault if isinstance(fault, Fault) else sample_fault(fault, match, **more))

    def reset(self) -> None:
        """Switches off, no faults, an empty log, full buckets, no tokens known. The repositories stay as they are."""
        with self.lock:
            self.switches = Switches()
            self.gate = Gate(self.clock)
            self.faults: list[Fault] = []
            self.log: list[Logged] = []
            self.app_public_key: str | None = None  # PEM; with it, apps' signatures are checked
            self.n_pages = 0  # bulk pages answered

    def requests(self, match: str = "", body_match: str = "") -> list[Logged]:
        """Logged requests that match, in the way that faults do: `METHOD path?query`, and the body."""
        return [entry for entry in self.log if re.search(match, entry.request) and re.search(body_match, entry.body)]

    # How a request is answered

    def respond(self, entry: Logged) -> tuple[Reply | None, Fault]:
        """The answer to a request, None for none at all, and the fault that hit it (`Fault()` if none did)."""
        with self.lock:
            self.log.append(entry)
            fault = next((each for each in self.faults if each.hits(entry.request, entry.body)), Fault())
        time.sleep(fault.delay)
        if fault.drop:
            return None, fault
        with self.lock:
            reply = self._ordered(entry, fault) if fault.status else self._usual(entry)
            reply.headers = self._headers(entry) | reply.headers
            entry.status = reply.status
        return reply, fault

    def _headers(self, entry: Logged) -> dict[str, str]:
        return {
            "Date": formatdate(self.clock(), usegmt=True),
            "Content-Type": "application/json; charset=utf-8",
            "X-GitHub-Request-Id": f"FAKE:{len(self.log)}",
            **({"X-GitHub-Enterprise-Version": "3.17.1"} if entry.path.startswith("/api/") else {}),
            **self.gate.headers(resource_of(entry)),
        }

    def _ordered(self, entry: Logged, fault: Fault) -> Reply:
        base = base_of(entry)
        body = fault.raw if fault.raw is not None else filled_in(fault.body, base, entry.path)
        return Reply(fault.status or 200, body, filled_in(fault.headers, base, entry.path))

    def _usual(self, entry: Logged) -> Reply:
        try:
            return self._admitted(entry)
        except HttpError as error:
            return error.reply
        except Exception:
            self.crashes.append(f"{entry.request} {entry.body}\n{traceback.format_exc()}")
            return Reply(501, {"message": "The fake GitHub broke down."})

    def _admitted(self, entry: Logged) -> Reply:
        """The answer, or what tokens and limits say instead."""
        path, authorization = api_path(entry), entry.headers.get("authorization")
        if path in GRAPHQL_PATHS and (self.switches.graphql_off or entry.method != "POST"):
            raise HttpError(404, "Not Found")
        self.gate.check_token(authorization)
        if is_app_path(path):
            return self._app(entry, path)
        if authorization is None and (path in GRAPHQL_PATHS or path == "/user"):
            raise HttpError(401, "Requires authentication")
        if path == "/rate_limit":
            return Reply(body=self.gate.overview())
        if refusal := self.gate.refusal(resource_of(entry)):
            return refusal
        return self._graphql(entry) if path in GRAPHQL_PATHS else self._rest(entry, path)

    def _app(self, entry: Logged, path: str) -> Reply:
        app = check_jwt(entry.headers.get("authorization"), self.app_public_key, self.clock())
        if entry.method == "POST" and path.endswith("/access_tokens"):
            return Reply(201, self.gate.issue_token())
        return Reply(body=answer_app(path, base_of(entry), self.world, app))

    def _charge(self, entry: Logged, points: int) -> None:
        entry.cost += points
        self.gate.buckets[resource_of(entry)].spend(points)

    def _rest(self, entry: Logged, path: str) -> Reply:
        if entry.method != "GET":
            raise HttpError(404, "Not Found")
        query = dict(parse_qsl(urlsplit(entry.path).query, keep_blank_values=True))
        reply = answer(Asked(base_of(entry), path, query, self.world))
        reply.body = json.dumps(reply.body)
        etag = f'W/"{hashlib.sha256(reply.body.encode()).hexdigest()}"'
        reply.headers["ETag"] = etag
        if reply.status == 200 and entry.headers.get("if-none-match") == etag:
            return Reply(304, "", reply.headers)
        self._charge(entry, 1)
        return reply

    def _graphql(self, entry: Logged) -> Reply:
        try:
            asked = json.loads(entry.body)
            text, operation, variables = asked["query"], asked.get("operationName"), asked.get("variables") or {}
        except (ValueError, KeyError, TypeError):
            raise HttpError(400, "Problems parsing JSON") from None
        schema = graph.load_schema(self.schema_file, frozenset(self.switches.removed_fields))
        document, errors = graph.checked(text, schema)
        if document is None or errors:
            self._charge(entry, 1)
            return Reply(body={"errors": [graph.error_answer(error) for error in errors]})
        question = graph.Question(document, schema, operation, variables)
        return self._measured(entry, question, graph.measure(question))

    def _measured(self, entry: Logged, question: graph.Question, size: graph.Size) -> Reply:
        """The answer to a valid query, unless it asks for too much."""
        if size.problems:
            self._charge(entry, 1)
            return Reply(body={"errors": size.problems})
        if used_up := self.gate.used_up("graphql", size.cost):
            return used_up
        self._charge(entry, 0 if size.is_dry_run else size.cost)
        if self.switches.max_page is not None and size.bulk > self.switches.max_page:
            self._charge(entry, EXTRA_COST)
            gave_up = sample_fault("timeout_502_html" if self.switches.html_502 else "timeout_502_json")
            return self._ordered(entry, gave_up)
        rate_limit = self.gate.rate_limit_field(size.cost, size.nodes)
        body = graph.run(question, graph.Query(self.world, size, rate_limit, self.switches))
        if size.bulk and not size.is_dry_run:
            self.n_pages += 1
            if self.switches.on_page:
                self.switches.on_page(self, self.n_pages)
        return Reply(body=body)


def api_path(entry: Logged) -> str:
    """The path as github.com has it, without a query."""
    return urlsplit(entry.path).path.removeprefix(ENTERPRISE)


def base_of(entry: Logged) -> str:
    """The API's address as this client knows it."""
    return f"http://{entry.headers['host']}{ENTERPRISE if entry.path.startswith('/api/') else ''}"


def resource_of(entry: Logged) -> str:
    """Which bucket a request is charged to."""
    path = api_path(entry)
    return "graphql" if path in GRAPHQL_PATHS else "search" if path.startswith("/search/") else "core"
