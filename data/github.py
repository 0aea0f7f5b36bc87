"""Asks GitHub: the only module that knows PyGithub.

PyGithub signs, connects and names the addresses; when to ask again is decided here, since its own retries wait without
a word, without bound, and by the machine's clock rather than GitHub's. Requests go one after the other, as GitHub asks.
"""

import logging
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

import github

from data import answers, graphql_text
from data.answers import Answer, Limited, Partial, TooHeavy, Transient
from data.endpoint import Endpoint
from data.errors import LimitReached, Refused, Unavailable
from data.moments import utc_text
from data.tokens import App, Token

API_VERSION = "2022-11-28"  # the newer one has no merge_commit_sha
CA_BUNDLE = "MERGE_WINDOW_CA_BUNDLE"
FLOOR = 200  # points left for people and other programs with the same token
LONGEST_PAGE = 100
_MOST_REPAIRS = 5  # times that a query is cut down to what a host knows
_SECRETS = re.compile(r"""(["']token["']: ?["'])[^"']+""")

T = TypeVar("T")
OnWait = Callable[[float, str, str], None]  # seconds, until when (UTC text, GitHub's clock), why


@dataclass(frozen=True)
class Patience:
    """How long is waited, in seconds."""

    timeout: int = 15  # for an answer; GitHub itself gives up after 10
    max_wait: float = 900  # for a limit to pass: a longer one ends the run
    backoff: float = 1.0  # before the first repetition; doubled each time
    attempts: int = 6  # of one request that fails for no reason given
    secondary: float = 60.0  # where GitHub says "too fast", but not how long to wait; doubled each time
    most_limits: int = 5  # limits in a row that one request sits out


@dataclass
class Budget:
    """What one of GitHub's hourly allowances holds: `core` counts REST requests, `graphql` points."""

    limit: int
    remaining: int
    resets_at: int  # seconds since 1970, by GitHub's clock


@dataclass
class GitHub:
    """One GitHub, asked in one name."""

    endpoint: Endpoint
    what: str  # the repository asked for, for sentences
    credentials: Token | App
    patience: Patience = Patience()
    on_wait: OnWait = lambda seconds, until, why: None
    sleep: Callable[[float], None] = time.sleep
    notes: list[str] = field(default_factory=list)  # what could not be told, each once
    budgets: dict[str, Budget] = field(default_factory=dict)
    n_requests: int = 0
    so_far: str = "Nothing new is stored"  # for the sentence that ends a run
    _ahead: float = 0.0  # GitHub's clock minus ours
    _has_graphql: bool = False  # once it has answered, "not found" is said of what was asked for
    _queries: dict[str, str] = field(default_factory=dict)  # as far as this host knows their fields

    def __post_init__(self) -> None:
        _keep_tokens_out_of_logs()
        self._client = self._connect(self._authentication())

    # What is asked

    def get(self, path: str, **parameters: Any) -> Answer:
        """One REST answer, `/repositories/1/pulls` and the like.

        Raises:
            Refused, Unavailable, LimitReached: each with its sentence.
        """

        def ask() -> Answer:
            answer = self._send("GET", path, parameters={name: str(value) for name, value in parameters.items()})
            answers.check_rest(answer, what=self.what, host=self.endpoint.host)
            return answer

        return self._persist(ask)

    def find(self, path: str, **parameters: Any) -> Any:
        """The body of a REST answer, or None where there is nothing."""
        try:
            return self.get(path, **parameters).body
        except answers.Missing:
            return None

    def every(self, path: str, **parameters: Any) -> Iterator[Any]:
        """All items of a REST list, page by page."""
        page = 1
        while True:
            answer = self.get(path, **parameters, per_page=LONGEST_PAGE, page=page)
            yield from answer.body
            if 'rel="next"' not in answer.headers.get("link", ""):
                return
            page += 1

    def query(self, name: str, *, heavy: bool = False, **variables: Any) -> tuple[dict[str, Any], Partial]:
        """The data of one GraphQL query of ours, and what is missing from it.

        Args:
            name: of its file in `data/graphql/`.
            heavy: the caller can ask for less: what may come of asking for too much is raised as TooHeavy.
            variables: of the query.

        Raises:
            TooHeavy: see `heavy`.
            answers.NoGraphQL: the host has none.
            Refused, Unavailable, LimitReached: each with its sentence.
        """

        def ask() -> tuple[dict[str, Any], Partial]:
            try:
                return self._query(name, variables)
            except TooHeavy as error:
                if heavy:
                    raise
                raise Transient(str(error)) from error
            except answers.NoGraphQL as error:
                if not self._has_graphql:
                    raise
                raise answers.missing(self.what, self.endpoint.host) from error

        data, partial = self._persist(ask)
        self.note(*partial.notes)
        return data, partial

    def afford(self, resource: str, cost: int) -> None:
        """Wait, if this would use up what is left of an allowance but for a floor.

        Raises:
            LimitReached: the wait is too long.
        """
        budget = self.budgets.get(resource)
        if budget is None or budget.remaining - cost >= min(FLOOR, budget.limit // 25):
            return
        if budget.resets_at > self.now():
            self._wait_out(Limited("GitHub's rate limit is used up", until=budget.resets_at), 1)
        del self.budgets[resource]

    def note(self, *sentences: str) -> None:
        """Remember what the user should be told, each sentence once."""
        self.notes += [sentence for sentence in dict.fromkeys(sentences) if sentence not in self.notes]

    def now(self) -> float:
        """This moment by GitHub's clock: seconds since 1970."""
        return time.time() + self._ahead

    def clock(self) -> str:
        """The same as UTC text."""
        return utc_text(int(self.now())) or ""

    # How it is asked

    def _query(self, name: str, variables: dict[str, Any]) -> tuple[dict[str, Any], Partial]:
        for _ in range(_MOST_REPAIRS):
            text = self._queries.get(name) or graphql_text.query(name)
            body = {"query": text, "variables": variables}
            answer = self._send("POST", self._client.requester.graphql_url, body=body)
            try:
                data, partial = answers.check_graphql(answer, what=self.what, host=self.endpoint.host)
            except answers.Absent as absent:
                for path in absent.paths:
                    text = graphql_text.without(text, path)
                self._queries[name] = text
                fields = ", ".join(sorted({path[-1] for path in absent.paths}))
                self.note(f"{self.endpoint.host} is too old to tell {fields}; that stays unknown.")
                continue
            self._has_graphql = True
            self._learn_budget(data.get("rateLimit"))
            return data, partial
        raise Refused(f"The GraphQL of {self.endpoint.host} refuses the query {name} in every form that we have.")

    def _send(self, verb: str, path: str, *, parameters: Any = None, body: Any = None) -> Answer:
        """One request, its answer whatever it is.

        Raises:
            Transient, TooHeavy: there was none, or only a part.
            Refused: there can be none.
        """
        self.n_requests += 1
        try:
            status, headers, text = self._client.requester.requestJson(verb, path, parameters=parameters, input=body)
            answer = answers.read(status, headers, text)
        except github.GithubException as error:  # while an App's token was being fetched
            answer = Answer(error.status, {k.lower(): v for k, v in (error.headers or {}).items()}, error.data)
        except OSError as error:  # all that `requests` raises is one
            raise _no_answer(error, self.endpoint.host, is_graphql=verb == "POST") from None
        except RuntimeError as error:  # PyGithub will not be led to another host
            raise Refused(f"{self.endpoint.host} leads elsewhere: {error}") from None
        if answer.clock is not None:
            self._ahead = answer.clock - time.time()
        self._learn_headers(answer)
        return answer

    def _persist(self, ask: Callable[[], T]) -> T:
        """What `ask` gives, asked again where that may help.

        Raises:
            Unavailable, LimitReached: it did not.
        """
        failures = limits = 0
        while True:
            try:
                return ask()
            except Transient as error:
                failures += 1
                if failures >= self.patience.attempts:
                    raise Unavailable(
                        f"{error}, {failures} times in a row. {self.so_far}; run the same command again later to go on."
                    ) from error
                self._wait(self.patience.backoff * 2 ** (failures - 1), str(error))
            except Limited as limit:
                limits += 1
                self._wait_out(limit, limits)

    def _wait_out(self, limit: Limited, times: int) -> None:
        seconds = self.patience.secondary * 2 ** (times - 1)
        if limit.seconds is not None:
            seconds = limit.seconds
        elif limit.until is not None:
            seconds = limit.until - self.now() + 1  # it is not said when in that second
        seconds = max(1.0, seconds)  # clocks differ, and the past is no time to wait for
        if seconds > self.patience.max_wait or times > self.patience.most_limits:
            back_at = self._after(seconds)
            raise LimitReached(
                f"{limit} until {back_at[11:16]} UTC{self._day(back_at)}. {self.so_far}; run the same command"
                " again then to go on.",
                back_at,
            )
        self._wait(seconds, str(limit))

    def _wait(self, seconds: float, why: str) -> None:
        self.on_wait(seconds, self._after(seconds), why)
        self.sleep(seconds)

    def _after(self, seconds: float) -> str:
        return utc_text(datetime.fromtimestamp(self.now() + seconds, UTC)) or ""

    def _day(self, moment: str) -> str:
        return "" if moment[:10] == self.clock()[:10] else f" on {moment[:10]}"

    # Whose name it is asked in, and what is left

    def _authentication(self) -> github.Auth.Auth:
        if isinstance(self.credentials, Token):
            return github.Auth.Token(self.credentials.text)
        app = github.Auth.AppAuth(self.credentials.id, self.credentials.key)
        try:
            app.create_jwt()
        except Exception:  # whatever the library says that signs, it is about the key, and may quote it
            raise Refused("The App's private key is damaged or of another kind. Download the key again.") from None
        installation = self.credentials.installation
        if installation is None:
            self._client = self._connect(app)
            try:
                installation = self.get(f"/repos/{self.what}/installation").body["id"]
            except answers.Missing:
                raise Refused(f"The GitHub App is not installed for {self.what}. Install it there.") from None
        return github.Auth.AppInstallationAuth(app, installation)  # renewed before it ends, an hour on

    def _connect(self, auth: github.Auth.Auth) -> github.Github:
        return github.Github(
            auth=auth,
            base_url=self.endpoint.api,
            timeout=self.patience.timeout,
            user_agent="merge-window",
            per_page=LONGEST_PAGE,
            verify=os.environ.get(CA_BUNDLE) or True,
            retry=None,
            seconds_between_requests=None,
            seconds_between_writes=None,  # a query changes nothing, though it is sent by POST
            api_version=API_VERSION,
        )

    def _learn_headers(self, answer: Answer) -> None:
        told = {name: answer.headers.get(f"x-ratelimit-{name}") for name in ("limit", "remaining", "reset", "resource")}
        if told["resource"] and all((told[name] or "").isdecimal() for name in ("limit", "remaining", "reset")):
            limit, remaining, reset = (int(told[name] or 0) for name in ("limit", "remaining", "reset"))
            self.budgets[told["resource"]] = Budget(limit, remaining, reset)

    def _learn_budget(self, told: dict[str, Any] | None) -> None:
        if told and utc_text(told.get("resetAt")):
            resets_at = int(datetime.fromisoformat(told["resetAt"]).timestamp())
            self.budgets["graphql"] = Budget(told["limit"], told["remaining"], resets_at)


def _no_answer(error: OSError, host: str, *, is_graphql: bool) -> Exception:
    """What to do about a request without an answer. The error's own words may be long, and name what was sent."""
    name = type(error).__name__
    if name == "SSLError":
        return Refused(
            f"The certificate of {host} is not trusted here. Name the file of your own authority's certificates in"
            f" {CA_BUNDLE}."
        )
    if "bundle" in str(error) and "path" in str(error):
        return Refused(f"{CA_BUNDLE} names no file: {os.environ.get(CA_BUNDLE)}.")
    if "Timeout" in name and "Connect" not in name:
        kind = TooHeavy if is_graphql else Transient
        return kind(f"{host} did not answer in time")
    reason = re.search(
        r"(refused|reset|not known|unreachable|without response|IncompleteRead|name resolution)", str(error)
    )
    words = {"refused": "it refuses the connection", "not known": "its name is not known"}
    said = words.get(reason[1], reason[1]) if reason else name
    return Transient(f"{host} could not be reached ({said})")


class _WithoutTokens(logging.Filter):
    """PyGithub logs what it is answered, and an App is answered a token."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if _SECRETS.search(message):
            record.msg, record.args = _SECRETS.sub(r"\1(removed)", message), ()
        return not message.startswith("Following Github server redirection")  # a former name, which we tell ourselves


def _keep_tokens_out_of_logs() -> None:
    logger = logging.getLogger("github.Requester")
    if not any(isinstance(each, _WithoutTokens) for each in logger.filters):
        logger.addFilter(_WithoutTokens())
