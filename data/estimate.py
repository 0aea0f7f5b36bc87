"""What a sync would take, told before it is begun: requests, points and minutes. Nothing is stored."""

import math
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from data import cache, checkpoints, collect, github_words, store
from data.answers import NoGraphQL, TooHeavy
from data.checkpoints import BACKFILL, Checkpoint, Identity
from data.collect import CREATED, OVERLAP, REST_PAGE, UPDATED
from data.github import FLOOR, GitHub
from data.page_size import MOST, START, PageSize

MOST_SURVEYED = 20  # pages of 100: what lies beyond is taken to be like what was seen
REST_REQUESTS = 4  # for a pull request with few files: itself, files, reviews, timeline
_FIXED = 2  # requests of every run: the repository by REST, and what stands beside its pull requests
# Lists that may go on over a page: where their length stands, and how many fit on the first page of the bulk query.
_FIRST_PAGE = {"changedFiles": 100, "reviews": 50, "reviewThreads": 50, "labels": 30}
_MOST = {"changedFiles": github_words.MOST_FILES}


@dataclass(frozen=True)
class Estimate:
    """What a sync would take."""

    repo: str
    pulls: int  # pull requests to read
    calls: int  # requests
    points: int  # of the hourly allowance: GraphQL's points, or requests by REST
    minutes: float  # waits for the allowance included
    remaining: int | None  # what is left of the allowance now
    limit: int | None
    is_rough: bool  # only the newest pull requests were looked at


@dataclass
class _Survey:
    """What there is to read: how many pull requests, and how many pages of lists beyond their first."""

    pulls: int = 0
    overflow: int = 0
    is_rough: bool = False
    seconds: list[float] = field(default_factory=list)  # of each request


def estimate(
    db: Path, github: GitHub, name: str, *, since: str | None = None, full: bool = False, page_size: int | None = None
) -> Estimate:
    """What `collect.sync` would take with the same arguments.

    A page of each size is read for its duration, and the newest 2,000 pull requests for the length of their lists.

    Raises:
        GitHubError: one sentence.
        CacheError: the cache can't be read.
    """
    who = collect.identify(github, name)
    known = _checkpoint(db, who)
    if full or known.started_at is None:
        known = Checkpoint(bound=since)
    elif since and known.bound and since < known.bound:
        known.phase, known.bound = BACKFILL, since
    try:
        survey = _survey(github, who, known)
    except NoGraphQL:
        return _by_rest(github, who, known)
    first = page_size or (START if full else known.page_size) or START
    sizes, seconds, cost = _pages_that_work(github, who, survey.pulls, first, max(first, known.page_ceiling or MOST))
    n_delta = 1 if known.phase == BACKFILL else 0  # the walk that follows a backfill
    calls = _FIXED + len(sizes) + n_delta + survey.overflow
    points = 1 + sum(cost[n] for n in sizes) + n_delta * cost[sizes[-1]] + survey.overflow
    took = sum(seconds[n] for n in sizes) + n_delta * seconds[sizes[-1]]
    # Pages of 100 files are about as light as those of the survey, whose first one may have had a cold start.
    took += (_FIXED + survey.overflow) * min(survey.seconds)
    return _told(github, "graphql", who.name, survey.pulls, calls, points, took, survey.is_rough)


def _checkpoint(db: Path, who: Identity) -> Checkpoint:
    if not db.exists():
        return Checkpoint()
    with cache.reading(db) as connection:
        return checkpoints.load_by_number(connection, who)


def _survey(github: GitHub, who: Identity, known: Checkpoint) -> _Survey:
    """Look at what there is, page by page of 100; what lies beyond the last page looked at is taken to be alike."""
    is_backfill = known.phase == BACKFILL
    order, cursor = (CREATED, known.cursor) if is_backfill else (UPDATED, None)
    oldest = (known.bound or "") if is_backfill else collect.earlier(known.watermark or "", OVERLAP)
    found = _Survey()
    for _ in range(MOST_SURVEYED):
        began = time.monotonic()
        data, partial = github.query("survey", repo=who.node_id, after=cursor, field=order)
        found.seconds.append(time.monotonic() - began)
        page = collect.connection_of(data, partial, who.name)
        nodes = [node for node in page["nodes"] if node]
        wanted = [node for node in nodes if node["createdAt" if is_backfill else "updatedAt"] >= oldest]
        found.pulls += len(wanted)
        found.overflow += sum(map(_more_pages, wanted))
        if len(wanted) < len(nodes) or not page["pageInfo"]["hasNextPage"]:
            return found
        cursor = page["pageInfo"]["endCursor"]
    if is_backfill and not known.bound and found.pulls:
        rest = max(0, page["totalCount"] - known.n_read - found.pulls)
        found.overflow += round(found.overflow * rest / found.pulls)
        found.pulls += rest
    found.is_rough = True
    return found


def _more_pages(node: dict[str, Any]) -> int:
    """Pages of a pull request's lists beyond those that come with the bulk query."""
    total = 0
    for name, first in _FIRST_PAGE.items():
        told = node.get(name) or 0
        length = min(told["totalCount"] if isinstance(told, dict) else told, _MOST.get(name, told and 10**9))
        total += math.ceil(max(0, length - first) / 100)
    return total


def _pages_that_work(
    github: GitHub, who: Identity, pulls: int, first: int, ceiling: int
) -> tuple[list[int], dict[int, float], dict[int, int]]:
    """The sizes of the pages that the sync will settle on, and what one of each takes: see `_pages`, `_sample`."""
    while True:
        sizes = _pages(pulls, PageSize(first, ceiling))
        try:
            return sizes, *_sample(github, who, sorted(set(sizes)))
        except TooHeavy:  # the sync halves its pages too
            ceiling = max(1, max(sizes) // 2)
            first = min(first, ceiling)


def _pages(pulls: int, size: PageSize) -> list[int]:
    """The sizes of the pages that so many pull requests come in, if none fails; a page is asked for in any case."""
    sizes: list[int] = []
    left = pulls
    while left > 0 or not sizes:
        sizes.append(size.size)
        left -= size.size
        size.succeeded()
    return sizes


def _sample(github: GitHub, who: Identity, sizes: list[int]) -> tuple[dict[int, float], dict[int, int]]:
    """How long a page of each size takes to read and to store, and its points."""
    seconds, cost = {}, {}
    for size in sizes:
        began = time.monotonic()
        cost[size] = collect.points(size)
        try:
            data, _ = github.query("cost", heavy=True, repo=who.node_id, n=size, after=None, field=CREATED)
            cost[size] = (data.get("rateLimit") or {}).get("cost") or cost[size]
            began = time.monotonic()
            data, partial = github.query("bulk", heavy=True, repo=who.node_id, n=size, after=None, field=CREATED)
        except TooHeavy:
            if size > 1:
                raise
            seconds[size] = 2 * (time.monotonic() - began)  # one that comes by REST
            continue
        nodes = collect.connection_of(data, partial, who.name)["nodes"]
        records = [github_words.from_graphql(node, who.name) for node in nodes if node]
        seconds[size] = time.monotonic() - began + _seconds_to_store(records)
    return seconds, cost


def _seconds_to_store(records: list[Any]) -> float:
    with tempfile.TemporaryDirectory() as folder, cache.writing(Path(folder) / "sample.db") as database:
        repository = store.add_repository(database.conn, "a/sample", store.GITHUB)
        began = time.monotonic()
        store.save_page(database.conn, repository, records)
        return time.monotonic() - began


def _by_rest(github: GitHub, who: Identity, known: Checkpoint) -> Estimate:
    """The same where there is no GraphQL: one list, and some requests for each pull request."""
    path = f"/repositories/{who.github_id}/pulls"
    began = time.monotonic()
    if known.phase == BACKFILL:
        pulls, is_rough = max(0, collect.count_by_rest(github, path) - known.n_read), known.bound is not None
    else:
        oldest = collect.earlier(known.watermark or "", OVERLAP)
        items = github.get(path, state="all", sort="updated", direction="desc", per_page=100).body
        pulls = sum(item["updated_at"] >= oldest for item in items)
        is_rough = pulls == len(items) == 100
    calls = _FIXED + 6 + pulls * REST_REQUESTS + math.ceil(pulls / REST_PAGE)
    took = calls * (time.monotonic() - began)
    return _told(github, "core", who.name, pulls, calls, calls, took, is_rough)


def _told(
    github: GitHub, resource: str, repo: str, pulls: int, calls: int, points: int, seconds: float, is_rough: bool
) -> Estimate:
    budget = github.budgets.get(resource)
    if budget and points > budget.remaining - FLOOR:
        hours = math.ceil((points - max(0, budget.remaining - FLOOR)) / max(1, budget.limit - FLOOR))
        seconds = max(seconds, budget.resets_at - github.now() + (hours - 1) * 3600)
    left, limit = (budget.remaining, budget.limit) if budget else (None, None)
    return Estimate(repo, pulls, calls, points, seconds / 60, left, limit, is_rough)
