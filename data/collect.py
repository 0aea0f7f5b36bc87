"""Brings the cache in step with GitHub: page after page, each stored together with how far that is.

First the backfill, newest first, down to the oldest pull request or to a bound; then, and on every later run, what was
updated since. A run that is stopped at any point goes on where it was. Nothing is stored of a page that did not come.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from data import cache, checkpoints, github_words, store
from data.answers import Missing, NoGraphQL, Partial, TooHeavy
from data.checkpoints import BACKFILL, DELTA, GRAPHQL, REST, Checkpoint, Identity
from data.counted import counted, counted_of
from data.errors import GitHubError, Refused, Unavailable
from data.github import Budget, GitHub
from data.moments import utc_text
from data.page_size import MOST, START, PageSize
from data.records import OwnerRecord, PullRecord, Source, TagRecord

OVERLAP = timedelta(minutes=5)
REREAD_DAYS, REREAD_EVERY = 14, timedelta(days=1)  # a resolved thread does not show as an update
REST_PAGE = 25  # pull requests a transaction where each takes four requests or more
REST_COST = 6  # requests for one pull request, about
MOST_TAGS = 100  # by REST, in one run
MOST_NUMBERS_NAMED = 20
CREATED, UPDATED = "CREATED_AT", "UPDATED_AT"
# Connections of a pull request, and the queries that give their later pages.
OVERFLOW = {
    "files": "files",
    "reviews": "reviews",
    "reviewThreads": "threads",
    "labels": "labels",
    "timelineItems": "events",
    "closingIssuesReferences": "closes",
}
# Where GitHub looks for CODEOWNERS: as our query calls the place -> path, the first that is there counts.
OWNERS_PLACES = {"inGithub": ".github/CODEOWNERS", "inRoot": "CODEOWNERS", "inDocs": "docs/CODEOWNERS"}

T = TypeVar("T")
Tell = Callable[["Progress"], None]


@dataclass(frozen=True)
class Progress:
    """How far a sync is."""

    repo: str
    phase: str  # backfill, delta
    done: int  # pull requests of this phase, those of earlier runs included
    total: int | None  # how many there are to do, where that is known
    fetched: int  # by this run
    saved: int  # of those, new or changed
    per_minute: float | None = None
    seconds_left: float | None = None
    remaining: int | None = None  # of the allowance in use: points or requests
    limit: int | None = None
    waiting_until: str | None = None  # UTC text, by GitHub's clock
    why: str | None = None  # what is waited for


@dataclass(frozen=True)
class Outcome:
    """What a sync did."""

    repo: str  # owner/name as it is now
    fetched: int
    saved: int
    declared: int | None  # pull requests that GitHub says there are
    incomplete: list[int]  # numbers of cached pull requests whose files GitHub does not tell in full
    notes: list[str]


@dataclass
class Page:
    """A page of pull requests, complete."""

    records: list[PullRecord]
    cursor: str | None  # of its end
    is_last: bool
    is_past: bool = False  # it reached what is not wanted any more
    total: int | None = None
    n_known: int = 0  # pull requests on it that needed no reading, since they are cached as they are


def sync(
    db: Path,
    github: GitHub,
    name: str,
    *,
    since: str | None = None,
    full: bool = False,
    tz: str = "UTC",
    page_size: int | None = None,
    tell: Tell = lambda progress: None,
) -> Outcome:
    """Read what the cache lacks of one repository.

    Args:
        db: the cache; made if absent.
        github: who is asked.
        name: `owner/name`, also a former one.
        since: UTC text: pull requests opened earlier are not backfilled. One earlier than before goes on down to it;
            without one, what an earlier run was bounded by holds.
        full: read all anew.
        tz: the zone in which weekly and monthly sums are kept.
        page_size: pull requests a page to begin with, instead of what is known to work.
        tell: called after each stored page, and before each wait.

    Raises:
        GitHubError: one sentence; what was read until then is stored.
        CacheError: the cache can't be written.
    """
    return _Sync(db, github, name, tz, tell).run(since, full, page_size)


class _Sync:
    """One run for one repository."""

    def __init__(self, db: Path, github: GitHub, name: str, tz: str, tell: Tell) -> None:
        self.db, self.github, self.asked, self.tz, self.tell = db, github, name, tz, tell
        self.host = github.endpoint.host
        self.began = time.monotonic()
        self.read: set[int] = set()  # numbers that this run has read
        self.saved = 0
        self.full = False
        self.size = PageSize()
        github.on_wait = self._tell_wait

    def run(self, since: str | None, full: bool, page_size: int | None) -> Outcome:
        self.who = identify(self.github, self.asked)
        with cache.writing(self.db) as database:
            self.repository = checkpoints.adopt(database.conn, self.who, self.asked)
            self.checkpoint = checkpoints.load(database.conn, self.repository)
            self.line = checkpoints.open_ledger(database.conn, self.repository)
        try:
            way = self._read_beside()
            self._begin(way, since, full, page_size)
            if self.checkpoint.phase == BACKFILL:
                self._backfill()
            self._delta()
            if way == GRAPHQL:
                self._reread()
        except GitHubError as error:
            self._close_ledger(str(error))
            raise
        return self._end()

    def _begin(self, way: str, since: str | None, full: bool, page_size: int | None) -> None:
        """Where to go on: from the start, from where the last run was, or further down."""
        known, self.full = self.checkpoint, full
        if full or known.started_at is None or (known.way != way and known.phase == BACKFILL):
            bound = since if full or known.started_at is None else known.bound
            self.checkpoint = Checkpoint(bound=bound, started_at=self.github.clock())
        elif since and known.bound and since < known.bound:
            same_way = known.way == way
            self.checkpoint = replace(known, phase=BACKFILL, bound=since, cursor=known.cursor if same_way else None)
        self.checkpoint.way = way
        ceiling = MOST if full or known.page_ceiling is None else known.page_ceiling
        size = page_size or (START if full else known.page_size) or START
        self.size = PageSize(size, max(ceiling, size))

    # The walks

    def _backfill(self) -> None:
        """Newest first by the moment of opening, which never changes: nothing can slip through between two pages."""
        at = self.checkpoint
        while True:
            page = self._page(CREATED, at.cursor, lambda node: _created(node) >= (at.bound or ""))
            is_bottom = page.is_last or page.is_past
            if not page.is_past:  # else the page is read again, should an earlier bound be asked for one day
                at.cursor = page.cursor
            at.n_read += len(page.records) + page.n_known
            at.n_declared = page.total if page.total is not None else at.n_declared
            if is_bottom:
                at.phase, at.reread_at = DELTA, self.github.clock()
                at.watermark = at.watermark or at.started_at
            self._store(page.records, at.n_read, None if at.bound else at.n_declared)
            if is_bottom:
                return

    def _delta(self) -> None:
        """What was updated since the watermark, newest first; the watermark moves once all of it is stored."""
        at = self.checkpoint
        started = self.github.clock()
        oldest = earlier(at.watermark or started, OVERLAP)
        cursor, done = None, 0
        while True:
            page = self._page(UPDATED, cursor, lambda node: _updated(node) >= oldest)
            done += len(page.records)
            at.n_declared = page.total if page.total is not None else at.n_declared
            is_bottom = page.is_last or page.is_past
            if is_bottom:
                at.watermark = started
            self._store(page.records, done, None)
            if is_bottom:
                return
            cursor = page.cursor

    def _reread(self) -> None:
        """Once a day, what was merged lately: a thread that is resolved afterwards does not show as an update."""
        now = self.github.clock()
        if (self.checkpoint.reread_at or "") > earlier(now, REREAD_EVERY):
            return
        with cache.reading(self.db) as connection:
            since = earlier(now, timedelta(days=REREAD_DAYS))
            known = store.merged_since(connection, self.repository, since)
        wanted = [node_id for number, node_id in known.items() if number not in self.read and node_id]
        done = 0
        while wanted:
            records, n = self._again(wanted)
            del wanted[:n]
            done += n
            self._store(records, done, done + len(wanted))
        self.checkpoint.reread_at = now
        self._store([], done, done)

    # A page

    def _page(self, order: str, cursor: str | None, is_wanted: Callable[[Any], bool]) -> Page:
        return (self._rest_page if self.checkpoint.way == REST else self._graphql_page)(order, cursor, is_wanted)

    def _graphql_page(self, order: str, cursor: str | None, is_wanted: Callable[[Any], bool]) -> Page:
        """The page after a cursor, as large as GitHub manages; what it can't give in bulk comes by REST."""
        while True:
            size = self.size.size
            self.github.afford("graphql", points(size))
            try:
                data, partial = self.github.query(
                    "bulk", heavy=True, repo=self.who.node_id, n=size, after=cursor, field=order
                )
                page = self._read_page(data, partial, is_wanted)
            except TooHeavy:
                if self.size.failed_page():
                    continue
                page = self._poisoned_page(order, cursor, is_wanted)
                self.size.was_one()
                return page
            self.size.succeeded()
            return page

    def _read_page(self, data: dict[str, Any], partial: Partial, is_wanted: Callable[[Any], bool]) -> Page:
        found = connection_of(data, partial, self.asked)
        nodes, info = found.get("nodes"), found.get("pageInfo")
        if not isinstance(nodes, list) or not info or not all(node and "title" in node for node in nodes):
            raise TooHeavy("GitHub left pull requests out of a page.")
        refused = _refused_fields(partial, 3)
        wanted = [(index, node) for index, node in enumerate(nodes) if is_wanted(node)]
        records = [self._record(node, refused.get(index, set())) for index, node in wanted]
        is_past = len(wanted) < len(nodes)
        return Page(records, info["endCursor"], not info["hasNextPage"], is_past, found.get("totalCount"))

    def _record(self, node: dict[str, Any], refused: set[str]) -> PullRecord:
        """A pull request with all pages of its lists, and by REST those that GraphQL could not tell."""
        unknown = {name for name in refused if node.get(name) is None}  # null only because of an error
        for name, query in OVERFLOW.items():
            if node.get(name):
                self._complete(node, name, query)
        record = github_words.from_graphql(node, self.who.name, unknown, in_part=refused)
        if "files" in unknown and node.get("files") is None:
            files = self._list(f"/pulls/{node['number']}/files")
            record = github_words.with_rest_files(record, files)
        return record

    def _complete(self, node: dict[str, Any], name: str, query: str) -> None:
        connection = node[name]
        while (info := connection.get("pageInfo") or {}).get("hasNextPage"):
            self.github.afford("graphql", 1)
            data, _ = self.github.query(query, id=node["id"], after=info["endCursor"])
            more = (data.get("node") or {}).get(name)
            if not more or more["pageInfo"]["endCursor"] == info["endCursor"]:
                self.github.note(f"GitHub does not tell all {name} of #{node.get('number', node['id'])}.")
                return
            connection["nodes"] = [*connection["nodes"], *more["nodes"]]
            connection["pageInfo"] = more["pageInfo"]

    def _poisoned_page(self, order: str, cursor: str | None, is_wanted: Callable[[Any], bool]) -> Page:
        """The one pull request after a cursor, which GitHub does not give in bulk."""
        data, partial = self.github.query("light", repo=self.who.node_id, n=1, after=cursor, field=order)
        found = connection_of(data, partial, self.asked)
        info, nodes = found["pageInfo"], [node for node in found["nodes"] if node]
        wanted = [node for node in nodes if is_wanted(node)]
        records = [self._by_rest(node["number"], node["id"]) for node in wanted]
        is_past = len(wanted) < len(nodes)
        for node in wanted:
            self.github.note(
                f"Pull request #{node['number']} is too much for a page of GitHub's, and was read by REST."
            )
        kept = [record for record in records if record]
        return Page(kept, info["endCursor"], not info["hasNextPage"], is_past, found.get("totalCount"))

    def _again(self, ids: list[str]) -> tuple[list[PullRecord], int]:
        """The first few of these pull requests, and how many of them that were."""
        while True:
            chosen = ids[: self.size.size]
            self.github.afford("graphql", points(len(chosen)))
            try:
                data, partial = self.github.query("again", heavy=True, ids=chosen)
            except TooHeavy:
                if self.size.failed_page():
                    continue
                self.size.was_one()
                return [], 1  # it stays as it is until it is updated
            self.size.succeeded()
            nodes = data.get("nodes") or []
            refused = _refused_fields(partial, 1)
            records = [self._record(node, refused.get(i, set())) for i, node in enumerate(nodes) if node]
            return records, len(chosen)

    # By REST

    def _rest_page(self, order: str, cursor: str | None, is_wanted: Callable[[Any], bool]) -> Page:
        """A page of the list, each pull request by itself; those that are known as they are take no request."""
        number = int(cursor or 1)
        sort = {CREATED: "created", UPDATED: "updated"}[order]
        answer = self.github.get(
            self._path("/pulls"), state="all", sort=sort, direction="desc", per_page=REST_PAGE, page=number
        )
        is_last = 'rel="next"' not in answer.headers.get("link", "")
        wanted = [item for item in answer.body if is_wanted(item)]
        with cache.reading(self.db) as connection:
            known = store.updated_at(connection, self.repository, [item["number"] for item in wanted])
        changed = [item["number"] for item in wanted if self.full or known.get(item["number"]) != item["updated_at"]]
        records = [record for record in map(self._by_rest, changed) if record]
        total = count_by_rest(self.github, self._path("/pulls")) if number == 1 else None
        # What is opened meanwhile moves others to later pages: those are met twice, never missed.
        following = str(number if is_last else number + 1)
        return Page(
            records, following, is_last, len(wanted) < len(answer.body), total, n_known=len(wanted) - len(changed)
        )

    def _by_rest(self, number: int, node_id: str | None = None) -> PullRecord | None:
        """One pull request by itself; None if it is gone. With a node id GraphQL adds what it alone knows."""
        self.github.afford("core", REST_COST)
        detail = self.github.find(self._path(f"/pulls/{number}"))
        if detail is None:
            return None
        return github_words.from_rest(
            detail,
            self.who.name,
            files=self._list(f"/pulls/{number}/files"),
            reviews=self._list(f"/pulls/{number}/reviews"),
            timeline=self._list(f"/issues/{number}/timeline"),
            beyond=self._beyond_rest(number, node_id) if node_id else {},
        )

    def _beyond_rest(self, number: int, node_id: str) -> dict[str, Any]:
        """What GraphQL alone tells of a pull request, by a query for just that; empty if not even that comes."""
        try:
            data, _ = self.github.query("alone", id=node_id)
            node = data.get("node") or {}
            for name in ("reviewThreads", "closingIssuesReferences"):
                if node.get(name):
                    self._complete(node, name, OVERFLOW[name])
        except Unavailable as error:
            self.github.note(f"The review threads of #{number} stay unknown: {error}")
            return {}
        return node

    def _list(self, path: str) -> list[Any]:
        return list(self.github.every(self._path(path)))

    def _path(self, rest: str) -> str:
        """By number: a name may lead elsewhere, and loses what was asked for on the way."""
        return f"/repositories/{self.who.github_id}{rest}"

    # Beside the pull requests

    def _read_beside(self) -> str:
        """Store default branch, tags, releases and CODEOWNERS; tells whether GraphQL is to be had."""
        try:
            data, partial = self.github.query("repository", repo=self.who.node_id)
        except NoGraphQL:
            self.github.note(f"{self.host} has no GraphQL: read by REST, which does not tell threads of reviews.")
            source, way = self._beside_by_rest(), REST
        else:
            source, way = self._beside(data["repository"], partial), GRAPHQL
        with cache.writing(self.db) as database:
            store.save_beside(database.conn, self.repository, source, host=self.host)
        return way

    def _beside(self, told: dict[str, Any], partial: Partial) -> Source:
        places = [place for place in OWNERS_PLACES if place in told]
        text = next((told[place]["text"] for place in places if (told[place] or {}).get("text")), None)
        is_unknown = text is None and (
            not places or any(step in OWNERS_PLACES for path in partial.paths for step in path)
        )
        refs = self._nodes_of(told, "refs", "tags")
        releases = self._nodes_of(told, "releases", "releases")
        return Source(
            store.LIVE,
            iter(()),
            default_branch=(told.get("defaultBranchRef") or {}).get("name") or self.who.default_branch,
            tags=github_words.tags_from_graphql(refs),
            releases=github_words.releases_from(releases),
            codeowners=None if is_unknown else github_words.owners_from(text or ""),
        )

    def _nodes_of(self, told: dict[str, Any], name: str, query: str) -> Iterator[Any]:
        """All items of a connection of the repository."""
        connection = told.get(name)
        while connection:
            yield from connection["nodes"]
            if not connection["pageInfo"]["hasNextPage"]:
                return
            data, _ = self.github.query(query, repo=self.who.node_id, after=connection["pageInfo"]["endCursor"])
            connection = (data.get("repository") or {}).get(name)

    def _beside_by_rest(self) -> Source:
        """The same by REST."""
        return Source(
            store.LIVE,
            iter(()),
            default_branch=self.who.default_branch,
            tags=self._if_allowed(self._tags_by_rest) or [],
            releases=github_words.releases_from(self._if_allowed(lambda: self._list("/releases")) or []),
            codeowners=self._if_allowed(self._owners_by_rest),
        )

    def _if_allowed(self, ask: Callable[[], T]) -> T | None:
        """What stands beside the pull requests, or None and a note: without it they are worth reading too."""
        try:
            return ask()
        except Refused as error:
            self.github.note(str(error))
            return None

    def _owners_by_rest(self) -> list[OwnerRecord]:
        found = (self.github.find(self._path(f"/contents/{path}")) for path in OWNERS_PLACES.values())
        return github_words.owners_from_rest(next((content for content in found if content), {}))

    def _tags_by_rest(self) -> list[TagRecord]:
        """Tags that are not known yet. REST does not date them, so that each takes a request for its commit."""
        with cache.reading(self.db) as connection:
            known = store.tags(connection, self.repository)
        told = [tag for tag in self._list("/tags") if known.get(tag["name"]) != tag["commit"]["sha"]]
        if len(told) > MOST_TAGS:
            self.github.note(f"Only {MOST_TAGS} of {len(told):,} new tags were read.")
        tags = []
        for tag in told[:MOST_TAGS]:
            commit = self.github.find(self._path(f"/commits/{tag['commit']['sha']}")) or {}
            if moment := ((commit.get("commit") or {}).get("committer") or {}).get("date"):
                tags.append(TagRecord(name=tag["name"], sha=commit["sha"], tagged_at=utc_text(moment) or ""))
        return tags

    # What is stored and told

    def _store(self, records: list[PullRecord], done: int, total: int | None) -> None:
        """One transaction: the pull requests, and how far that is."""
        at = self.checkpoint
        at.page_size, at.page_ceiling = self.size.size, self.size.ceiling
        if budget := self._budget():
            at.quota_left, at.quota, at.quota_resets_at = budget.remaining, budget.limit, utc_text(budget.resets_at)
        with cache.writing(self.db) as database:
            saved = store.save_page(database.conn, self.repository, records, host=self.host, tz=self.tz)
            checkpoints.save(database.conn, self.repository, at)
            fetched = len(self.read | {record["number"] for record in records})
            checkpoints.write_ledger(
                database.conn,
                self.line,
                fetched=fetched,
                saved=self.saved + saved,
                declared=at.n_declared,
                notes=self.github.notes,
            )
        self.read.update(record["number"] for record in records)
        self.saved += saved
        self.github.so_far = f"{counted_of(done, total, 'pull request')} stored"
        self.progress = self._progress(done, total)
        self.tell(self.progress)

    def _progress(self, done: int, total: int | None) -> Progress:
        minutes = (time.monotonic() - self.began) / 60
        rate = len(self.read) / minutes if minutes > 0 and self.read else None
        left = max(0, total - done) if total is not None else None
        budget = self._budget()
        return Progress(
            self.who.name,
            self.checkpoint.phase,
            done,
            total,
            len(self.read),
            self.saved,
            per_minute=rate,
            seconds_left=left / rate * 60 if rate and left is not None else None,
            remaining=budget.remaining if budget else None,
            limit=budget.limit if budget else None,
        )

    def _budget(self) -> Budget | None:
        """The allowance that this sync lives on."""
        return self.github.budgets.get("core" if self.checkpoint.way == REST else "graphql")

    def _tell_wait(self, seconds: float, until: str, why: str) -> None:
        known = getattr(self, "progress", None) or Progress(self.asked, BACKFILL, 0, None, 0, 0)
        self.tell(replace(known, waiting_until=until, why=why))

    def _end(self) -> Outcome:
        with cache.reading(self.db) as connection:
            incomplete = store.incomplete(connection, self.repository)
            cached = store.count_pulls(connection, self.repository)
        declared = self.checkpoint.n_declared
        if incomplete:
            named = ", ".join(f"#{n}" for n in incomplete[:MOST_NUMBERS_NAMED]) + (
                " ..." if incomplete[MOST_NUMBERS_NAMED:] else ""
            )
            self.github.note(f"GitHub does not tell all files of {counted(len(incomplete), 'pull request')}: {named}.")
        if bound := self.checkpoint.bound:
            self.github.note(
                f"Pull requests opened before {bound[:10]} were not asked for. Go further back with an earlier --since,"
                " or read everything with --full."
            )
        if declared is not None and self.checkpoint.bound is None and cached < declared:
            self.github.note(f"{counted_of(cached, declared, 'pull request')} cached. Read all anew with --full.")
        self._close_ledger(None)
        return Outcome(self.who.name, len(self.read), self.saved, declared, incomplete, list(self.github.notes))

    def _close_ledger(self, error: str | None) -> None:
        with cache.writing(self.db) as database:
            checkpoints.write_ledger(
                database.conn,
                self.line,
                fetched=len(self.read),
                saved=self.saved,
                declared=self.checkpoint.n_declared,
                notes=self.github.notes,
                error=error,
            )


def identify(github: GitHub, name: str) -> Identity:
    """The repository that goes by a name, now or in former times.

    Raises:
        GitHubError: there is none, or GitHub does not tell.
    """
    # By REST, which leads from a former name to the present one, and tells the number.
    body = github.get(f"/repos/{name}").body
    if not isinstance(body, dict) or not {"id", "node_id", "full_name"} <= body.keys():
        raise Missing(f"{github.endpoint.host} tells nothing of {name}.")
    return Identity(github.endpoint.host, body["id"], body["node_id"], body["full_name"], body.get("default_branch"))


def count_by_rest(github: GitHub, path: str) -> int:
    """How many pull requests there are: the number of the last page, were there one on each."""
    answer = github.get(path, state="all", per_page=1)
    last = [part for part in answer.headers.get("link", "").split(",") if 'rel="last"' in part]
    return _page_number(last[0]) if last else len(answer.body)


def points(size: int) -> int:
    """What a page of that many pull requests costs: a hundredth of its connections, by GitHub's published rule."""
    return max(1, round((1 + 8 * size) / 100))


def connection_of(data: dict[str, Any], partial: Partial, asked: str) -> dict[str, Any]:
    """The page of pull requests in an answer.

    Raises:
        Refused: GitHub keeps it from us.
    """
    found = (data.get("repository") or {}).get("pullRequests")
    if not isinstance(found, dict):
        raise Refused(next(iter(partial.notes), f"GitHub does not tell the pull requests of {asked} to this token."))
    return found


def _refused_fields(partial: Partial, depth: int) -> dict[int, set[str]]:
    """By the index of a pull request in its page: the fields in or below which something was refused."""
    refused: dict[int, set[str]] = {}
    for path in partial.paths:
        index, name = [*path[depth : depth + 2], None, None][:2]
        if isinstance(index, int) and name:
            refused.setdefault(index, set()).add(str(name))
    return refused


def _created(node: Any) -> str:
    return node.get("createdAt") or node["created_at"]


def _updated(node: Any) -> str:
    return node.get("updatedAt") or node["updated_at"]


def earlier(moment: str, span: timedelta) -> str:
    """The moment so long before another one."""
    return utc_text(datetime.fromisoformat(moment) - span) or ""


def _page_number(link: str) -> int:
    address = link[link.index("<") + 1 : link.index(">")]
    told = parse_qs(urlsplit(address).query).get("page")
    return int(told[0]) if told else 1
