"""What the tests of the collector share: syncs with the fake GitHub, and what the cache then says, free of ids."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from fake_github import FakeGitHub

from data import collect
from data.endpoint import endpoint
from data.github import GitHub, Patience
from data.tokens import Token

TOKEN = "ghp_invented0000000000000000000000000000"
QUICK = Patience(timeout=5, max_wait=30, backoff=0.01, secondary=0.2)

# Everything that was read, by names: ids and revisions tell only in which order it came.
CONTENT = {
    "pulls": "select v.*, p.merge_commit, p.is_cross_repository, p.node_id from v_pull_requests v"
    " join repositories r on r.name = v.repository join pulls p on p.repository_id = r.id and p.number = v.number",
    "files": "select repository, number, path, old_path, status, additions, deletions from v_files",
    "reviews": "select * from v_reviews",
    "events": "select * from v_events",
    "labels": "select r.name, p.number, l.name from labels l join pulls p on p.id = l.pull_id"
    " join repositories r on r.id = p.repository_id",
    "threads": "select p.number, t.seq, t.path, t.is_resolved, t.is_outdated, a.login from review_threads t"
    " join pulls p on p.id = t.pull_id left join people a on a.id = t.resolver_id",
    "links": "select p.number, l.seq, l.kind, l.repo, l.number, l.evidence from links l"
    " join pulls p on p.id = l.pull_id",
    "tags": "select name, sha, tagged_at from tags",
    "releases": "select tag, name, published_at, is_prerelease from releases",
    "codeowners": "select seq, pattern, owners from codeowners",
    "weeks": "select tz, week, base, is_bot, n_merged, additions, deletions from weeks",
    "months": "select tz, month, base, is_bot, path, n_pulls, churn_lines from file_months join paths on id = path_id",
}


def rows(db: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """What a query gives, over a connection of its own."""
    with closing(sqlite3.connect(db)) as connection:
        return connection.execute(sql, values).fetchall()


def content(db: Path) -> dict[str, list[str]]:
    """Everything that was read, sorted."""
    return {name: sorted(map(repr, rows(db, sql))) for name, sql in CONTENT.items()}


def digest(db: Path) -> str:
    """The same as a short text."""
    return hashlib.sha256(json.dumps(content(db)).encode()).hexdigest()[:16]


def github(fake: FakeGitHub, *, url: str | None = None, patience: Patience = QUICK, **more: Any) -> GitHub:
    """A client of the fake."""
    name = fake.world.repositories[0]["nameWithOwner"]
    return GitHub(endpoint(url or fake.url), name, Token(TOKEN, "a test"), patience, **more)


def sync(db: Path, fake: FakeGitHub, name: str | None = None, **more: Any) -> collect.Outcome:
    """One sync of the fake's first repository."""
    options = {key: more.pop(key) for key in ("url", "patience") if key in more}
    client = github(fake, **options)
    return collect.sync(db, client, name or fake.world.repositories[0]["nameWithOwner"], **more)


def pages(fake: FakeGitHub) -> int:
    """How many bulk pages were asked for."""
    return len(fake.requests("POST .*graphql", "query Bulk"))


def n_queries(fake: FakeGitHub) -> int:
    """How many GraphQL requests came."""
    return len(fake.requests("POST .*graphql"))
