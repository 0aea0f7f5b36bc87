"""What reads from the cache: a handful of named queries that pages, command line and report share.

Each takes an open connection (`cache.reading`) and gives a frame with its columns even where no row is found. Cost
follows the rows of the range asked for, not the size of the cache.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from data import people
from data.errors import NotCached
from data.moments import midnight
from data.store import repository_or_raise

ANY_BASE = "*"
MOST_BASES = 10  # branches that an error names
SHORTEST_TRIGRAM = 3
SEARCH_LIMIT, NO_LIMIT = 1000, -1
NEVER = "9999-12-31T23:59:59Z"
FLOAT, FLAG = "float64", "boolean"
_SHARES = ("known_created", "known_reviews", "known_files", "known_labels", "files_complete")
_NUMBERS = {
    "additions",
    "deletions",
    "churn_lines",
    "changed_files",
    "lead_time_hours",
    "first_review_hours",
    "importance",
    "insight",
    "risk_score",
    "risk_cap",
    "tier",
    "points",
    "value",
    "hours",
    "key_share",
    "code_lines",
    "n_comments",
    "n_commits",
}
_FLAGS = {
    "is_breaking",
    "is_key",
    "touches_source",
    "touches_tests",
    "files_complete",
    "reviews_known",
    "is_noise",
    "is_draft",
    "is_sure",
    "is_assisted",
}
_LISTS = {"author_ids", "merged_seconds"}


@dataclass(frozen=True)
class Scope:
    """Which merged pull requests are meant: of one repository, merged in [start, end) into `base`."""

    repository: int
    name: str  # owner/name as the cache knows it now
    host: str
    start: str  # UTC text
    end: str
    base: str = ANY_BASE
    bots: bool = False  # whether bots' pull requests count

    def between(self, start: str, end: str) -> "Scope":
        """The same for another stretch of time."""
        return replace(self, start=start, end=end)


def scope(
    connection: sqlite3.Connection,
    repo: str,
    start: str,
    end: str,
    *,
    base: str | None = None,
    bots: bool = False,
) -> Scope:
    """The scope of a repository given by any name it had; `base` None means its default branch.

    Raises:
        NotCached: no such repository, or nothing of it was merged into that branch.
    """
    repository = repository_or_raise(connection, repo)
    name, host, branch = connection.execute(
        "select name, host, default_branch from repositories where id = ?", (repository,)
    ).fetchone()
    if base not in (None, ANY_BASE, branch):
        _check_base(connection, repository, name, base)
    return Scope(repository, name, host, start, end, base or branch or ANY_BASE, bots)


def _check_base(connection: sqlite3.Connection, repository: int, name: str, base: str) -> None:
    """A branch that was mistyped would give a window without a single pull request."""
    sql = "select base from pulls where repository_id = ? and merged_at is not null and base is not null"
    known = [branch for (branch,) in connection.execute(f"{sql} group by base order by count(*) desc", (repository,))]
    if base not in known:
        named = ", ".join(known[:MOST_BASES]) + (", ..." if len(known) > MOST_BASES else "")
        raise NotCached(
            f"No pull request of {name} was merged into {base!r}. Known: {named or 'no branch'}; '*' is any."
        )


def generation(connection: sqlite3.Connection) -> int:
    """The number that grows with every change of the cache: the key of everything that is read from it."""
    row = connection.execute("select value from state where key = 'generation'").fetchone()
    return int(row[0]) if row else 0


def identity(connection: sqlite3.Connection) -> str:
    """What tells this cache's content apart from another's that may come to lie at the same place."""
    row = connection.execute("select value from state where key = 'identity'").fetchone()
    return row[0] if row else ""


def repositories(connection: sqlite3.Connection) -> pd.DataFrame:
    """One row per repository, by name: what is cached of it and how much of each field is known.

    Returns:
        repo, host, default_branch, aliases (JSON list), n_pulls, n_merged, n_open, first_merged_at, last_merged_at,
        covered_until (None: not known), n_direct_commits, shares from 0 to 1 (NaN without pull requests) known_created,
        known_reviews, known_files, known_labels, files_complete, sources (JSON list: of the pull requests),
        last_source, last_import_at.
    """
    return pd.read_sql_query(_REPOSITORIES, connection).astype(dict.fromkeys(_SHARES, FLOAT))


def stamps(connection: sqlite3.Connection) -> pd.DataFrame:
    """What each repository's derived results were made with.

    Returns:
        One row per repository, by name: id, repo, derived_generation, derived_rules, derived_config (None before the
        first run, the first also where all is to be judged anew), has_changed: whether its pull requests have, since,
        and owners: its CODEOWNERS as one text.
    """
    return pd.read_sql_query(
        "select id, name as repo, derived_generation, derived_rules, derived_config,"
        " coalesce(changed_generation, 0) > coalesce(derived_generation, 0) as has_changed,"
        " (select group_concat(pattern || ' ' || owners, char(10)) from (select pattern, owners from codeowners"
        " where repository_id = repositories.id order by seq)) as owners"
        " from repositories order by name",
        connection,
    )


def covered(connection: sqlite3.Connection, scope: Scope) -> tuple[str | None, str | None]:
    """The moment of the repository's first cached merge, and the newest that anything is known of; None before any."""
    row = connection.execute(
        "select min(p.merged_at), max(r.covered_until) from pulls p join repositories r on r.id = p.repository_id"
        " where r.id = ?",
        (scope.repository,),
    ).fetchone()
    return (row[0], row[1])


def last_import(connection: sqlite3.Connection, scope: Scope) -> str | None:
    """When the newest import of the repository ended."""
    row = connection.execute("select max(finished_at) from syncs where repository_id = ?", (scope.repository,))
    moment: str | None = row.fetchone()[0]
    return moment


def ledger(connection: sqlite3.Connection, limit: int = 200) -> pd.DataFrame:
    """One row per import, newest first: repo, source, started_at, finished_at, fetched, saved, skipped, declared,
    is_complete, notes (JSON list), error."""
    return _frame(
        "select r.name as repo, source, started_at, finished_at, fetched, saved, skipped, declared, is_complete, notes,"
        " error from syncs s join repositories r on r.id = s.repository_id order by s.id desc limit ?",
        connection,
        params=(limit,),
    )


def sync_states(connection: sqlite3.Connection) -> pd.DataFrame:
    """One row per repository that was read from GitHub, by name: how far that is, and what is known to be missing.

    Returns:
        repo, host, way (graphql or rest), phase (backfill: still going back; delta: only what is new), n_read,
        n_declared, n_cached, bound (UTC text or None: opened before it, nothing was fetched), watermark (UTC text or
        None: all that was updated before it is cached), page_size, quota_left, quota, quota_resets_at (None: not
        told), incomplete (JSON list: numbers of pull requests without all of their files, newest first).
    """
    return pd.read_sql_query(_SYNC_STATES, connection)


def pulls(connection: sqlite3.Connection, scope: Scope, numbers: list[int] | None = None) -> pd.DataFrame:
    """One row per merged pull request of the scope, most important first.

    Args:
        connection: from `cache.reading`.
        scope: which ones.
        numbers: instead of those merged in the scope, exactly these of its repository, merged or not.

    Returns:
        pull_id, number, title, url, author, author_type, is_assisted (a `Co-authored-by` line names a coding assistant;
        NA where no such line of the repository is cached), state, base, merged_at, created_at, ready_at, kind,
        is_breaking, modules (JSON list), additions, deletions, churn_lines, changed_files, files_complete,
        reviews_known, lead_time_hours, first_review_hours, importance, importance_parts (JSON), is_key, key_share,
        insight, insight_parts, touches_source, touches_tests, code_lines, subject, risk_score, tier, risks (JSON
        list of rule, points, value, evidence; most points first), silent_rules (JSON list). Unknown is NaN.
    """
    if numbers is None:
        return _frame(_PULLS.format(where=_IN_SCOPE), connection, params=_values(scope))
    where = "p.repository_id = :repository and p.number in (select value from json_each(:numbers))"
    values = _values(scope) | {"numbers": json.dumps(numbers)}
    return _frame(_PULLS.format(where=where), connection, params=values)


def measures(connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """One narrow row per merged pull request of the scope, in time order: what trends are made of.

    Returns:
        pull_id, number, merged_at, author, kind, is_breaking, is_key, importance, insight, risk_score, tier,
        touches_source, touches_tests, additions, deletions, is_assisted, lead_time_hours, first_review_hours.
    """
    return _frame(_MEASURES, connection, params=_values(scope))


def flow_rows(connection: sqlite3.Connection, scope: Scope) -> dict[str, pd.DataFrame]:
    """What the metrics of flow read of the scope's merged pull requests.

    Returns:
        `pulls`: pull_id, author_id, author_type, is_assisted, state, is_draft, created_at, ready_at, merged_at,
        closed_at, reviews_known, events_known. `reviews`: pull_id, seq, reviewer_id, reviewer_type, state,
        submitted_at. `events`: pull_id, seq, kind, at.
    """
    return {name: _of_pulls(sql.format(where=_IN_SCOPE), connection, scope) for name, sql in _FLOW_ROWS.items()}


def flow_stock(connection: sqlite3.Connection, scope: Scope) -> dict[str, pd.DataFrame]:
    """What backlog, merge rate and time to merge read: all of the repository, of any state and time.

    Returns:
        `pulls`: pull_id, number, author, author_type, state, is_draft, created_at, ready_at, merged_at, closed_at.
        `events`: pull_id, seq, kind, at, of closings and reopenings.
    """
    return {name: _of_pulls(sql, connection, scope) for name, sql in _FLOW_STOCK.items()}


def merges(connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """One row per merged pull request of the scope, in time order: what it is called, and whose it is.

    Returns:
        pull_id, number, title, author, author_id, author_type, is_assisted, merged_at, kind, files_complete.
    """
    return _of_pulls(_MERGES, connection, scope)


def file_changes(connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """One row per pull request of the scope and file, noise included: what follows files over renames.

    Returns:
        pull_id, path_id, path, status, additions, deletions, old_path_id, category, is_noise.
    """
    return _of_pulls(_FILE_CHANGES, connection, scope).astype({"path_id": "int64"})


def talk(connection: sqlite3.Connection, scope: Scope) -> dict[str, pd.DataFrame]:
    """Who said what to the scope's pull requests, and who helped to write them.

    Returns:
        `reviews`: pull_id, seq, reviewer, reviewer_id, reviewer_type, state, submitted_at. `threads`: pull_id, path,
        is_resolved, is_outdated, n_comments. `co_authors`: pull_id, name, is_ai (as bool).
    """
    found = {name: _of_pulls(sql, connection, scope) for name, sql in _TALK.items()}
    return found | {"co_authors": found["co_authors"].astype({"is_ai": FLAG})}


def known_since(connection: sqlite3.Connection, scope: Scope) -> str | None:
    """Since when all that was opened in the repository may be cached: never from before its oldest pull request, nor
    from before the day that a sync was told to go back to; None where no opening is known."""
    row = connection.execute(
        "select max(min(p.created_at), coalesce((select bound from sync_state where repository_id = :repository), ''))"
        " from pulls p where p.repository_id = :repository",
        {"repository": scope.repository},
    ).fetchone()
    moment: str | None = row[0]
    return moment


def n_bots(connection: sqlite3.Connection, scope: Scope) -> int:
    """How many of the scope's merged pull requests are bots'."""
    rows = connection.execute(
        f"select count(*) from pulls p join people a on a.id = p.author_id where {_MERGED_THEN} and a.type = 'bot'",
        _values(scope),
    ).fetchone()
    return int(rows[0])


def new_authors(connection: sqlite3.Connection, scope: Scope) -> int:
    """How many authors merged for the first time in the scope, as far as the cache reaches back."""
    rows = connection.execute(
        "select count(*) from (select distinct p.author_id as id from pulls p left join people a on a.id = p.author_id"
        f" where {_IN_SCOPE} and a.type <> 'ghost') as here where not exists (select 1 from pulls q"
        " where q.author_id = here.id and q.merged_at < :start and q.repository_id = :repository)",
        _values(scope),
    ).fetchone()
    return int(rows[0])


def direct_commits(connection: sqlite3.Connection, scope: Scope) -> int:
    """How many commits came to the default branch without a pull request, in the scope's time."""
    rows = connection.execute(
        "select count(*) from direct_commits where repository_id = ? and committed_at >= ? and committed_at < ?",
        (scope.repository, scope.start, scope.end),
    ).fetchone()
    return int(rows[0])


def weeks(connection: sqlite3.Connection, scope: Scope, tz: str) -> pd.DataFrame | None:
    """The stored weekly sums whose Monday begins in the scope, or None if none are kept in this zone.

    Returns:
        One row per week with merges, by week: week (ISO text of its Monday), merged.
    """
    kept = connection.execute(
        "select 1 from weeks where repository_id = ? and tz = ? limit 1", (scope.repository, tz)
    ).fetchone()
    if not kept:
        return None
    frame = _frame(
        "select week, sum(n_merged) as merged from weeks where repository_id = :repository and tz = :tz"
        f" and {_IN_ROLLUP} group by week order by week",
        connection,
        params=_values(scope) | {"tz": tz},
    )
    starts = [midnight(date.fromisoformat(week), tz) for week in frame["week"]]
    return frame[[scope.start <= start < scope.end for start in starts]].reset_index(drop=True)


def merge_moments(connection: sqlite3.Connection, scope: Scope) -> pd.Series:
    """When each merged pull request of the scope was merged: UTC text, in time order."""
    frame = _frame(
        f"select p.merged_at from pulls p left join people a on a.id = p.author_id where {_IN_SCOPE} order by 1",
        connection,
        params=_values(scope),
    )
    return frame["merged_at"]


def modules(connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """One row per module, pull request and reason, by module and number: module, pull_id, number, source."""
    return _frame(
        "select m.module, p.id as pull_id, p.number, m.source from pulls p left join people a on a.id = p.author_id"
        f" join pull_modules m on m.pull_id = p.id where {_IN_SCOPE} order by m.module, p.number, m.source",
        connection,
        params=_values(scope),
    )


def risks(connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """One row per pull request of the scope and risk rule that fired, by rule, points (most first) and number.

    Returns:
        rule, pull_id, number, merged_at, points, tier, value, evidence (JSON).
    """
    return _frame(
        "select k.rule, p.id as pull_id, p.number, p.merged_at, k.points, d.tier, k.value, k.evidence"
        " from pulls p left join people a on a.id = p.author_id join pull_risks k on k.pull_id = p.id"
        f" join pull_facts d on d.pull_id = p.id where {_IN_SCOPE} order by k.rule, k.points desc, p.number",
        connection,
        params=_values(scope),
    )


def to_backtest(connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """One row per merged pull request of the scope that `derive` has read, in time order: what a back-test asks for.

    Returns:
        pull_id, merged_at, additions, changed_files, risk_score, tier, silent_rules (JSON), code_lines, test_lines, and
        of `pull_history` ns, nf, entropy, la, ld, fix, ndev, age_days, nuc, exp, sexp, coreness, repair_density.
        Unknown is NaN.
    """
    return pd.read_sql_query(_TO_BACKTEST, connection, params=_values(scope))


def chain_links(connection: sqlite3.Connection, repository: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All that a repository's pull requests were found to revert, re-apply or repair, and the pull requests concerned.

    Returns:
        One row per pull request and earlier one, by ids: pull_id, earlier_id, kind, is_sure, hours, evidence (JSON);
        and one row per pull request that occurs there: pull_id, number, merged_at.
    """
    links = _frame(
        "select c.* from chain_links c join pulls p on p.id = c.pull_id where p.repository_id = ? order by 1, 2, 3",
        connection,
        params=(repository,),
    ).astype({"is_sure": "bool"})
    concerned = pd.read_sql_query(
        "select id as pull_id, number, merged_at from pulls where repository_id = :repository and id in"
        " (select pull_id from chain_links union select earlier_id from chain_links)",
        connection,
        params={"repository": repository},
    )
    return links, concerned


def changed_files(connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """One row per pull request of the scope and file without noise: pull_id, path, additions, deletions, category."""
    return _frame(
        "select p.id as pull_id, t.path, f.additions, f.deletions, c.category from pulls p"
        " left join people a on a.id = p.author_id join files f on f.pull_id = p.id join paths t on t.id = f.path_id"
        f" join path_facts c on c.path_id = f.path_id where {_IN_SCOPE} and not c.is_noise order by p.id, t.path",
        connection,
        params=_values(scope),
    )


def references(connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """One row per reference from a pull request of the scope: pull_id, kind, repo (None: the same), number."""
    return pd.read_sql_query(
        "select p.id as pull_id, l.kind, l.repo, l.number from pulls p left join people a on a.id = p.author_id"
        f" join links l on l.pull_id = p.id where {_IN_SCOPE} order by p.id, l.seq",
        connection,
        params=_values(scope),
    )


def hot_files(
    connection: sqlite3.Connection, scope: Scope, tz: str, whole: tuple[date, date] | None = None, limit: int = 20
) -> pd.DataFrame:
    """The files changed by most pull requests of the scope; generated, vendored and lock files left out.

    Args:
        connection: from `cache.reading`.
        scope: which pull requests.
        tz: the zone of the stored months.
        whole: first days of the first whole month in the scope and of the month after the last, if there are any:
            those are read from the stored sums.
        limit: how many files.

    Returns:
        One row per file, by number of pull requests, then churn, then path: path, n_prs, churn_lines,
        prs (JSON list of numbers).
    """
    kept = (
        whole
        and connection.execute(
            "select 1 from file_months where repository_id = ? and tz = ? limit 1", (scope.repository, tz)
        ).fetchone()
    )
    first, after = whole if whole and kept else (None, None)
    values = _values(scope) | {
        "tz": tz,
        "first": str(first),
        "after": str(after),
        "whole_start": midnight(first, tz) if first else scope.end,
        "whole_end": midnight(after, tz) if after else scope.end,
        "limit": limit,
    }
    return _frame(_HOT_FILES, connection, params=values).astype({"churn_lines": "int64"})


def file_pulls(connection: sqlite3.Connection, scope: Scope, path: str) -> set[int]:
    """The numbers of the scope's pull requests that changed a file, under this or its former name."""
    rows = connection.execute(
        "select p.number from paths t join files f on f.path_id = t.id or f.old_path_id = t.id"
        " join pulls p on p.id = f.pull_id left join people a on a.id = p.author_id"
        f" where t.path = :path and {_IN_SCOPE}",
        _values(scope) | {"path": path},
    )
    return {number for (number,) in rows}


def search(connection: sqlite3.Connection, repository: int, text: str, within: Scope | None = None) -> list[int]:
    """The numbers of a repository's pull requests that hold every word of `text`: all those merged in the scope
    `within`, or the first 1,000 of any time and state.

    Those with all words in the title come first, then the newest.

    A word is found anywhere in title, description, author, changed paths, or as the number (`#12` or `12`); "quoted
    words" stay together; case does not matter.
    """
    terms = [quoted or word for quoted, word in re.findall(r'"([^"]+)"|(\S+)', text)]
    if not terms:
        return []
    connection.create_function("contains", 2, _contains, deterministic=True)
    parts: list[str] = []
    values: dict[str, Any] = {"repository": repository, "limit": NO_LIMIT if within else SEARCH_LIMIT}
    if within:
        values |= {"start": within.start, "end": within.end}
    for index, term in enumerate(terms):
        parts.append(_term_query(index, term))
        values |= {f"term{index}": term.casefold(), f"grams{index}": _trigrams(term), f"number{index}": _number(term)}
    in_title = " and ".join(f"contains(title, :term{index})" for index in range(len(terms)))
    rows = connection.execute(
        "select number from pulls p where repository_id = :repository and "
        + ("merged_at >= :start and merged_at < :end and " if within else "")
        + " and ".join(f"p.id in ({part})" for part in parts)
        + f" order by {in_title} desc, coalesce(merged_at, closed_at, created_at) desc, number desc limit :limit",
        values,
    )
    return [number for (number,) in rows]


def pull(connection: sqlite3.Connection, scope: Scope, number: int) -> dict[str, Any] | None:
    """Everything that is cached of one pull request, or None.

    Returns:
        `row`: the columns of `pulls` and body, head, merged_by, merge_commit, merge_method, milestone, closed_at,
        review_decision, n_comments, n_commits, is_draft; `labels`, `co_authors`: lists of text; frames `files` (path,
        old_path, status, additions, deletions, category, language, is_noise), `reviews` (reviewer, reviewer_type,
        state, submitted_at), `modules` (module, source), `links` (kind, repo, number, evidence), `threads` (path,
        is_resolved, is_outdated, n_comments).
    """
    found = pulls(connection, scope, [number])
    if found.empty:
        return None
    pull_id = int(found["pull_id"].iloc[0])
    more = _frame(_PULL_MORE, connection, params=(pull_id,))
    frames = {name: _frame(sql, connection, params=(pull_id,)) for name, sql in _PULL_PARTS.items()}
    return {
        "row": found.iloc[0].to_dict() | more.iloc[0].to_dict(),
        "labels": frames.pop("labels")["name"].tolist(),
        "co_authors": frames.pop("co_authors")["name"].tolist(),
        **frames,
    }


def to_derive(
    connection: sqlite3.Connection, repository: int, since: str = "", judged: int = 0
) -> dict[str, pd.DataFrame]:
    """The raw frames that `analysis.derive` reads.

    Args:
        connection: from `cache.reading` or `cache.writing`.
        repository: whose pull requests.
        since: all of them, or only those merged at this moment (UTC text) or later, and
        judged: those not merged that have changed since this generation.

    Returns:
        `pulls`: one row per pull request: pull_id, number, title, body, author, author_id, author_type, merged_by_id,
        state, base, head, created_at, ready_at, merged_at, closed_at, additions, deletions, changed_files, the flags
        files_complete, reviews_known, threads_known, events_known, patches_known, and review_decision, n_comments.
        `files`: one row per pull request and file: pull_id, path_id, path, status, additions, deletions, old_path_id.
        `labels`, `links`, `reviews`, `threads`, `signals`: one row each, with pull_id.
    """
    values = {"repository": repository, "since": since, "judged": judged if since else -1}
    ids = [pull_id for (pull_id,) in connection.execute(_IDS_TO_JUDGE, values)]
    return {name: _rows(sql, connection, {"ids": json.dumps(ids)}) for name, sql in _TO_DERIVE.items()}


def to_judge_since(connection: sqlite3.Connection, repository: int, judged: int) -> str:
    """The moment from which on a repository's merged pull requests are to be judged anew.

    It is the earliest at which one that changed after generation `judged` is merged, or was when it was last judged:
    what is derived of later ones may depend on it. Where no merged one has changed, it is after all of them.
    """
    row = connection.execute(_TO_JUDGE_SINCE, {"repository": repository, "judged": judged}).fetchone()
    moment: str = row[0] or NEVER
    return moment


def learned(connection: sqlite3.Connection, repository: int) -> dict[str, Any] | None:
    """The stored vocabulary: digest, words (JSON), learned_from, learned_until; None where there is none."""
    cursor = connection.execute(
        "select digest, words, learned_from, learned_until from vocabularies where repository_id = ?", (repository,)
    )
    row = cursor.fetchone()
    return row and dict(zip((name for name, *_ in cursor.description), row, strict=True))


def nth_merge(connection: sqlite3.Connection, repository: int, n: int) -> str | None:
    """When the `n`th pull request was merged, counted from 1 by moment and number; None for the 0th."""
    row = connection.execute(
        "select merged_at from pulls where repository_id = ? and merged_at is not null order by merged_at, number"
        " limit 1 offset ?",
        (repository, n - 1),
    ).fetchone()
    return row[0] if row and n else None


def n_merged(connection: sqlite3.Connection, repository: int) -> int:
    """How many merged pull requests are cached of a repository."""
    row = connection.execute(
        "select count(*) from pulls where repository_id = ? and merged_at is not null", (repository,)
    ).fetchone()
    return int(row[0])


def to_learn(connection: sqlite3.Connection, repository: int, first: int, latest: int) -> dict[str, pd.DataFrame]:
    """What a vocabulary is learned from: of a repository's `first` merged pull requests the `latest` ones.

    Returns:
        `pulls`: pull_id, number, title, merged_at. `files`: pull_id, path. `labels`: pull_id, name.
    """
    values = {"repository": repository, "latest": min(first, latest), "skipped": max(first - latest, 0)}
    return {name: pd.read_sql_query(sql, connection, params=values) for name, sql in _TO_LEARN.items()}


def past(
    connection: sqlite3.Connection,
    repository: int,
    since: str,
    *,
    paths: list[int],
    folders: list[str],
    areas: list[str],
    authors: list[int],
    narrow_paths: Mapping[int, int],
    narrow: int,
    fewest: int,
    most: int,
    often: int,
) -> dict[str, Any]:
    """What was merged before `since`, of these places and people; all of that time must be judged.

    Args:
        connection: from `cache.writing` or `cache.reading`.
        repository: its id.
        since: UTC text.
        paths: ids.
        folders: and `areas`, as `pull_folders` and `pull_areas` have them.
        areas: see there.
        authors: ids.
        narrow_paths: ids of paths whose companions are asked for, with the number of changes that ask,
        narrow: most files of a pull request that counts for `together`,
        fewest: least earlier changes of a path for the last of those that asks,
        most: most for the first, and
        often: least narrow changes of a companion, those that ask among them.

    Returns:
        n_pulls, hottest (see `pull_history`), and frames: `paths` (path_id, n_pulls, n_fixes, churn_lines,
        last_seconds, author_ids), `folders` (folder, n_pulls), `areas` (area, n_pulls, n_source, n_tested, author_ids),
        `merges` (author_id, merged_seconds), `together` (one row per file of those narrow pull requests, without noise
        and what is rare there: pull_id, path_id), `companions` (one row per file that occurs there: path_id, path,
        category). Authors and seconds (since 1970) are lists, one entry a pull request; an unknown author is -1.
    """
    values: dict[str, Any] = {"repository": repository, "since": since, "narrow": narrow}
    values |= {
        name: json.dumps(keys)
        for name, keys in (("paths", paths), ("folders", folders), ("areas", areas), ("authors", authors))
    }
    found = {name: _rows(sql, connection, values) for name, sql in _PAST.items()}
    n_changes = dict(zip(found["paths"]["path_id"].tolist(), found["paths"]["n_pulls"].tolist(), strict=True))
    last = {path_id: n_changes.get(path_id, 0) + n_asking - 1 for path_id, n_asking in narrow_paths.items()}
    coupled = [path_id for path_id, n in last.items() if fewest <= n and n_changes.get(path_id, 0) <= most]
    together = connection.execute(_TOGETHER, values | {"coupled": json.dumps(coupled)}).fetchall()
    changed = _lists([path_ids for _, path_ids in together])
    n_together = Counter(chain.from_iterable(changed))
    likely = [path_id for path_id, n in n_together.items() if n + narrow_paths.get(path_id, 0) >= often]
    found["companions"] = _rows(_COMPANIONS, connection, {"ids": json.dumps(likely)})
    known = set(found["companions"]["path_id"].tolist())
    pairs = [
        (pull_id, each) for (pull_id, _), ids in zip(together, changed, strict=True) for each in ids if each in known
    ]
    found["together"] = pd.DataFrame(pairs, columns=["pull_id", "path_id"], dtype=np.int64)
    n_pulls, hottest = connection.execute(_PAST_TOTALS, values).fetchone()
    return {"n_pulls": n_pulls, "hottest": hottest or 0.0, **found}


def earlier_ids(
    connection: sqlite3.Connection,
    repository: int,
    since: str,
    *,
    after: str,
    paths: list[int],
    numbers: list[int],
) -> list[int]:
    """The ids of pull requests merged before `since` that later ones may revert or repair: all that are judged.

    Args:
        connection: from `cache.writing` or `cache.reading`.
        repository: its id.
        since: UTC text.
        after: merged at this moment or later (UTC text) and changed one of these
        paths: ids; and besides those,
        numbers: these, whenever merged.
    """
    values = {"repository": repository, "since": since, "after": after}
    values |= {"paths": json.dumps(paths), "numbers": json.dumps(numbers)}
    return [pull_id for (pull_id,) in connection.execute(_EARLIER_IDS, values)]


def earlier_texts(connection: sqlite3.Connection, ids: list[int]) -> dict[str, pd.DataFrame]:
    """What judged pull requests say, by their ids.

    Returns:
        `pulls`: pull_id, number, title, body, head, base, author_type, merged_at, merge_commit, kind. `links`: pull_id,
        kind, repo, number, evidence.
    """
    return {name: _rows(sql, connection, {"ids": json.dumps(ids)}) for name, sql in _EARLIER_TEXTS.items()}


def earlier_files(connection: sqlite3.Connection, ids: list[int]) -> pd.DataFrame:
    """The files of judged pull requests: pull_id, path_id, category, additions, deletions, old_path_id."""
    return _rows(_EARLIER_FILES, connection, {"ids": json.dumps(ids)})


def owners(connection: sqlite3.Connection, repository: int) -> pd.DataFrame:
    """One row per rule of the repository's CODEOWNERS, in file order: seq, pattern, owners (separated by spaces)."""
    return _rows(
        "select seq, pattern, owners from codeowners where repository_id = :repository order by seq",
        connection,
        {"repository": repository},
    )


def tags(connection: sqlite3.Connection, repository: int) -> pd.DataFrame:
    """One row per tag of the repository, oldest first: name, sha and tagged_at of the commit that it names."""
    return _rows(
        "select name, sha, tagged_at from tags where repository_id = :repository order by tagged_at, name",
        connection,
        {"repository": repository},
    )


def merged_as(connection: sqlite3.Connection, repository: int, since: str, commits: Collection[str]) -> set[int]:
    """The numbers of the pull requests merged before `since` (UTC text) by one of these commits, or how they begin."""
    rows = connection.execute(
        "select p.number from json_each(:commits) c"
        " join pulls p on substr(p.merge_commit, 1, length(c.value)) = c.value"
        " where p.repository_id = :repository and p.merged_at < :since",
        {"repository": repository, "since": since, "commits": json.dumps(sorted(commits))},
    )
    return {number for (number,) in rows}


def descriptions(connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """One row per merged pull request of the scope: number, title, body (None: unknown), author_type."""
    return _frame(_DESCRIPTIONS, connection, params=_values(scope))


def newest_descriptions(connection: sqlite3.Connection, scope: Scope, n: int) -> list[str | None]:
    """The descriptions of the `n` pull requests of the scope's repository that were merged last before its end."""
    rows = connection.execute(
        "select b.body from pulls p left join bodies b on b.pull_id = p.id"
        " where p.repository_id = ? and p.merged_at < ? order by p.merged_at desc, p.number desc limit ?",
        (scope.repository, scope.end, n),
    )
    return [body for (body,) in rows]


def titles(connection: sqlite3.Connection, repository: int, since: str) -> dict[int, str]:
    """The title of each pull request merged before `since` (UTC text), by number."""
    sql = "select number, title from pulls where repository_id = ? and merged_at < ?"
    return dict(connection.execute(sql, (repository, since)).fetchall())


def _rows(sql: str, connection: sqlite3.Connection, values: dict[str, Any]) -> pd.DataFrame:
    """What `_frame` gives; of a handful of rows quicker, of many as quick."""
    cursor = connection.execute(sql, values)
    names = [name for name, *_ in cursor.description]
    columns = zip(names, zip(*cursor.fetchall(), strict=True), strict=False)  # without rows there is no second
    found = {name: _column(name, values) for name, values in columns}
    return pd.DataFrame(found) if found else _typed(pd.DataFrame(columns=names))


def _column(name: str, values: Sequence[Any]) -> Any:
    if name in _NUMBERS:
        return np.array(values, dtype=float)
    if name in _LISTS:
        return _lists(values)
    return pd.array(values, dtype=FLAG) if name in _FLAGS else values


def _lists(texts: Sequence[str]) -> list[list[int]]:
    """What JSON lists of whole numbers hold."""
    found: list[list[int]] = json.loads(f"[{','.join(texts)}]")
    return found


def _of_pulls(sql: str, connection: sqlite3.Connection, scope: Scope) -> pd.DataFrame:
    """Rows to be joined by pull_id, also where there are none."""
    return _frame(sql, connection, params=_values(scope)).astype({"pull_id": "int64"})


def _frame(sql: str, connection: sqlite3.Connection, params: Any = None) -> pd.DataFrame:
    return _typed(pd.read_sql_query(sql, connection, params=params))


def _typed(frame: pd.DataFrame) -> pd.DataFrame:
    """The same with types by column name: a column of nothing but NULL would else have none."""
    types = {column: FLOAT if column in _NUMBERS else FLAG for column in frame.columns if column in _NUMBERS | _FLAGS}
    return frame.astype(types) if types else frame


def _values(scope: Scope) -> dict[str, Any]:
    return {
        "repository": scope.repository,
        "start": scope.start,
        "end": scope.end,
        "base": scope.base,
        "bots": int(scope.bots),
        "address": f"https://{scope.host}/{scope.name}/pull/",
    }


def _contains(text: str | None, term: str) -> bool:
    return text is not None and term in text.casefold()


def _trigrams(term: str) -> str | None:
    """An FTS5 expression that every text holding `term` matches; None where it is too short for the index."""
    if len(term) < SHORTEST_TRIGRAM:
        return None
    grams = dict.fromkeys(term[i : i + 3].replace('"', '""') for i in range(len(term) - 2))
    return " AND ".join(f'"{gram}"' for gram in grams)


def _number(term: str) -> int | None:
    digits = term.removeprefix("#")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


def _term_query(index: int, term: str) -> str:
    """SQL giving the ids of pull requests that hold the term; below three characters the index is of no use."""
    text_candidates = path_candidates = ""
    if len(term) >= SHORTEST_TRIGRAM:
        text_candidates = f"s.pull_id in (select rowid from pull_search where pull_search match :grams{index}) and"
        path_candidates = f"t.id in (select rowid from path_search where path_search match :grams{index}) and"
    return f"""
        select s.pull_id from search_source s
        where {text_candidates} s.pull_id in (select id from pulls where repository_id = :repository)
            and (contains(s.title, :term{index}) or contains(s.body, :term{index}))
        union
        select f.pull_id from paths t join files f on f.path_id = t.id
        where {path_candidates} contains(t.path, :term{index})
        union
        select q.id from pulls q join people a on a.id = q.author_id
        where q.repository_id = :repository and (contains(a.login, :term{index}) or contains(a.name, :term{index}))
        union
        select q.id from pulls q where q.repository_id = :repository and q.number = :number{index}
    """


_INTO_BASE = "p.repository_id = :repository and (:base = '*' or p.base is null or p.base = :base)"
_MERGED_THEN = f"{_INTO_BASE} and p.merged_at >= :start and p.merged_at < :end"
_NO_BOT = "(:bots or a.type is null or a.type <> 'bot')"
_IN_SCOPE = f"{_MERGED_THEN} and {_NO_BOT}"
_IN_ROLLUP = "(:base = '*' or base in ('', :base)) and (:bots or not is_bot)"

# Lead time starts when it was last made ready, else when it was opened; the first review is by another person.
_START = "coalesce(p.ready_at, p.created_at)"
# Merged before it was opened: a wrong clock, so that nobody knows how long it took.
_LEAD = (
    f"case when p.merged_at >= {_START}"
    f" then (strftime('%s', p.merged_at) - strftime('%s', {_START})) / 3600.0 end as lead_time_hours"
)
_FIRST_REVIEW = (
    f"case when p.reviews_known then (select (strftime('%s', min(v.submitted_at)) - strftime('%s', {_START})) / 3600.0"
    " from reviews v join people w on w.id = v.reviewer_id where v.pull_id = p.id and w.type = 'human'"
    f" and v.reviewer_id is not p.author_id and v.submitted_at >= {_START}) end as first_review_hours"
)
_AUTHOR = f"case when a.id is null then null else coalesce(a.login, a.name, '{people.GHOST_LOGIN}') end"

# Where no co-author at all is cached, nobody has read the commits' trailers.
_ASSISTED = (
    "case when exists (select 1 from co_authors c join pulls q on q.id = c.pull_id where q.repository_id = :repository)"
    " then exists (select 1 from co_authors c where c.pull_id = p.id and c.is_ai) end as is_assisted"
)

_PULLS = (
    "select p.id as pull_id, p.number, p.title, coalesce(p.url, :address || p.number) as url,"
    f" {_AUTHOR} as author, a.type as author_type, {_ASSISTED}, p.state, p.base, p.merged_at, p.created_at, p.ready_at,"
    " d.kind, d.is_breaking,"
    " (select json_group_array(module) from (select distinct module from pull_modules m where m.pull_id = p.id"
    " order by module)) as modules, p.additions, p.deletions, p.additions + p.deletions as churn_lines,"
    f" p.changed_files, p.files_complete, p.reviews_known, {_LEAD}, {_FIRST_REVIEW},"
    " d.importance, d.importance_parts, d.is_key, d.key_share, d.insight, d.insight_parts,"
    " d.touches_source, d.touches_tests, d.code_lines, d.subject, d.risk_score, d.tier, d.silent_rules,"
    " (select json_group_array(json_object('rule', rule, 'points', points, 'value', value, 'evidence', json(evidence)))"
    " from (select * from pull_risks k where k.pull_id = p.id order by points desc, rule)) as risks"
    " from pulls p left join people a on a.id = p.author_id left join pull_facts d on d.pull_id = p.id"
    " where {where} order by d.importance desc, p.number"
)
_DESCRIPTIONS = (
    "select p.number, p.title, b.body, a.type as author_type from pulls p left join people a on a.id = p.author_id"
    f" left join bodies b on b.pull_id = p.id where {_IN_SCOPE} order by p.number"
)
_MEASURES = (
    f"select p.id as pull_id, p.number, p.merged_at, {_AUTHOR} as author, d.kind, d.is_breaking, d.is_key,"
    " d.importance, d.insight, d.risk_score, d.tier, d.touches_source, d.touches_tests, p.additions, p.deletions,"
    f" {_ASSISTED}, {_LEAD}, {_FIRST_REVIEW}"
    " from pulls p left join people a on a.id = p.author_id left join pull_facts d on d.pull_id = p.id"
    f" where {_IN_SCOPE} order by p.merged_at, p.number"
)
_FLOW_ROWS = {
    "pulls": f"select p.id as pull_id, p.author_id, a.type as author_type, {_ASSISTED}, p.state, p.is_draft,"
    " p.created_at, p.ready_at, p.merged_at, p.closed_at, p.reviews_known, p.events_known"
    " from pulls p left join people a on a.id = p.author_id where {where} order by p.id",
    "reviews": "select v.pull_id, v.seq, v.reviewer_id, w.type as reviewer_type, v.state, v.submitted_at from pulls p"
    " left join people a on a.id = p.author_id join reviews v on v.pull_id = p.id"
    " left join people w on w.id = v.reviewer_id where {where} order by v.pull_id, v.seq",
    "events": "select e.pull_id, e.seq, e.kind, e.at from pulls p left join people a on a.id = p.author_id"
    " join events e on e.pull_id = p.id where {where} order by e.pull_id, e.seq",
}
_FLOW_STOCK = {
    "pulls": f"select p.id as pull_id, p.number, {_AUTHOR} as author, a.type as author_type, p.state, p.is_draft,"
    " p.created_at, p.ready_at, p.merged_at, p.closed_at"
    f" from pulls p left join people a on a.id = p.author_id where {_INTO_BASE} and {_NO_BOT} order by p.id",
    "events": "select e.pull_id, e.seq, e.kind, e.at from pulls p left join people a on a.id = p.author_id"
    f" join events e on e.pull_id = p.id where {_INTO_BASE} and {_NO_BOT} and e.kind in ('closed', 'reopened')"
    " order by e.pull_id, e.seq",
}
_MERGES = (
    f"select p.id as pull_id, p.number, p.title, {_AUTHOR} as author, p.author_id, a.type as author_type, {_ASSISTED},"
    " p.merged_at, d.kind, p.files_complete from pulls p left join people a on a.id = p.author_id"
    f" left join pull_facts d on d.pull_id = p.id where {_IN_SCOPE} order by p.merged_at, p.number"
)
_FILE_CHANGES = (
    "select f.pull_id, f.path_id, t.path, f.status, f.additions, f.deletions, f.old_path_id, c.category, c.is_noise"
    " from pulls p left join people a on a.id = p.author_id join files f on f.pull_id = p.id"
    " join paths t on t.id = f.path_id left join path_facts c on c.path_id = f.path_id"
    f" where {_IN_SCOPE} order by f.pull_id, f.path_id"
)
_TALK = {
    "reviews": "select v.pull_id, v.seq, coalesce(w.login, w.name) as reviewer, v.reviewer_id,"
    " w.type as reviewer_type, v.state, v.submitted_at from pulls p left join people a on a.id = p.author_id"
    " join reviews v on v.pull_id = p.id left join people w on w.id = v.reviewer_id"
    f" where {_IN_SCOPE} order by v.pull_id, v.seq",
    "threads": "select h.pull_id, h.path, h.is_resolved, h.is_outdated, h.n_comments from pulls p"
    " left join people a on a.id = p.author_id join review_threads h on h.pull_id = p.id"
    f" where {_IN_SCOPE} order by h.pull_id, h.seq",
    "co_authors": "select c.pull_id, coalesce(w.login, w.name) as name, c.is_ai from pulls p"
    " left join people a on a.id = p.author_id join co_authors c on c.pull_id = p.id"
    f" left join people w on w.id = c.person_id where {_IN_SCOPE} order by c.pull_id, c.seq",
}
_TO_BACKTEST = (
    "select p.id as pull_id, p.merged_at, p.additions, p.changed_files, d.risk_score, d.tier, d.silent_rules,"
    " d.code_lines, d.test_lines, h.ns, h.nf, h.entropy, h.la, h.ld, h.fix, h.ndev, h.age_days, h.nuc, h.exp, h.sexp,"
    " h.coreness, h.repair_density"
    " from pulls p left join people a on a.id = p.author_id join pull_facts d on d.pull_id = p.id"
    f" left join pull_history h on h.pull_id = p.id where {_IN_SCOPE} order by p.merged_at, p.number"
)
_PULL_MORE = (
    "select b.body, p.head, coalesce(m.login, m.name) as merged_by, p.merge_commit, p.merge_method, p.milestone,"
    " p.closed_at, p.review_decision, p.n_comments, p.n_commits, p.is_draft"
    " from pulls p left join bodies b on b.pull_id = p.id left join people m on m.id = p.merged_by_id where p.id = ?"
)
_PULL_PARTS = {
    "labels": "select name from labels where pull_id = ? order by name",
    "co_authors": "select coalesce(a.login, a.name, 'ghost') as name from co_authors c"
    " join people a on a.id = c.person_id where c.pull_id = ? order by c.seq",
    "files": "select t.path, o.path as old_path, f.status, f.additions, f.deletions, c.category, c.language, c.is_noise"
    " from files f join paths t on t.id = f.path_id left join paths o on o.id = f.old_path_id"
    " left join path_facts c on c.path_id = f.path_id where f.pull_id = ?"
    " order by coalesce(f.additions, 0) + coalesce(f.deletions, 0) desc, t.path",
    "reviews": "select coalesce(a.login, a.name, 'ghost') as reviewer, a.type as reviewer_type, v.state, v.submitted_at"
    " from reviews v left join people a on a.id = v.reviewer_id where v.pull_id = ? order by v.submitted_at, v.seq",
    "modules": "select module, source from pull_modules where pull_id = ? order by module, source",
    "links": "select kind, repo, number, evidence from links where pull_id = ? order by seq",
    "threads": "select path, is_resolved, is_outdated, n_comments from review_threads where pull_id = ? order by seq",
}
_IDS_TO_JUDGE = """
select id from pulls where repository_id = :repository and merged_at >= :since
union all
select id from pulls where repository_id = :repository and revision > :judged and merged_at is null
"""
_JUDGED = "select value from json_each(:ids)"
_TO_DERIVE = {
    "pulls": f"select p.id as pull_id, p.number, p.title, b.body, {_AUTHOR} as author, p.author_id,"
    " a.type as author_type, p.merged_by_id, p.state, p.base, p.head, p.created_at, p.ready_at, p.merged_at,"
    " p.closed_at, p.additions, p.deletions, p.changed_files, p.files_complete, p.reviews_known, p.threads_known,"
    " p.events_known, p.patches_known, p.review_decision, p.n_comments, p.merge_commit"
    " from pulls p left join people a on a.id = p.author_id left join bodies b on b.pull_id = p.id"
    f" where p.id in ({_JUDGED}) order by p.id",
    "files": "select f.pull_id, f.path_id, t.path, f.status, f.additions, f.deletions, f.old_path_id"
    f" from files f join paths t on t.id = f.path_id where f.pull_id in ({_JUDGED}) order by f.pull_id, f.path_id",
    "labels": f"select pull_id, name from labels where pull_id in ({_JUDGED}) order by pull_id, name",
    "links": f"select pull_id, kind, repo, number, evidence from links where pull_id in ({_JUDGED})"
    " order by pull_id, seq",
    "reviews": "select v.pull_id, v.seq, coalesce(w.login, w.name) as reviewer, v.reviewer_id,"
    " w.type as reviewer_type, v.state, v.submitted_at from reviews v left join people w on w.id = v.reviewer_id"
    f" where v.pull_id in ({_JUDGED}) order by v.pull_id, v.seq",
    "threads": "select pull_id, seq, path, is_resolved, is_outdated, n_comments, resolver_id from review_threads"
    f" where pull_id in ({_JUDGED}) order by pull_id, seq",
    "signals": "select v.pull_id, v.path_id, t.path, v.kind, v.line, v.detail from signals v"
    f" join paths t on t.id = v.path_id where v.pull_id in ({_JUDGED}) order by v.pull_id, v.seq",
}
_TO_JUDGE_SINCE = """
select min(min(coalesce(p.merged_at, h.merged_at), coalesce(h.merged_at, p.merged_at)))
from pulls p left join pull_history h on h.pull_id = p.id
where p.repository_id = :repository and p.revision > :judged
"""
_LEARNED_FROM = (
    "(select id from pulls where repository_id = :repository and merged_at is not null order by merged_at, number"
    " limit :latest offset :skipped)"
)
_TO_LEARN = {
    "pulls": f"select id as pull_id, number, title, merged_at from pulls where id in {_LEARNED_FROM} order by id",
    "files": "select f.pull_id, t.path from files f join paths t on t.id = f.path_id"
    f" where f.pull_id in {_LEARNED_FROM} order by f.pull_id, f.path_id",
    "labels": f"select pull_id, name from labels where pull_id in {_LEARNED_FROM} order by pull_id, name",
}
_BEFORE = "h.repository_id = :repository and h.merged_at < :since"
_PAST_TOTALS = """
select (select count(*) from pulls where repository_id = :repository and merged_at < :since), (
    select h.hottest from pulls p join pull_history h on h.pull_id = p.id
    where p.repository_id = :repository and p.merged_at < :since order by p.merged_at desc, p.number desc limit 1
)
"""
# Walked from the places to the few pull requests that touched them, not the other way round.
_HISTORY = f"cross join pull_history h on h.pull_id = x.pull_id where {_BEFORE}"
_PAST = {
    "paths": "select x.path_id, count(*) as n_pulls, sum(h.fix) as n_fixes,"
    " sum(coalesce(x.additions, 0) + coalesce(x.deletions, 0)) as churn_lines,"
    " cast(strftime('%s', max(h.merged_at)) as integer) as last_seconds,"
    " json_group_array(coalesce(h.author_id, -1)) as author_ids"
    f" from (select * from files where path_id in (select value from json_each(:paths))) x {_HISTORY} group by 1",
    "folders": "select x.folder, count(*) as n_pulls"
    " from (select * from pull_folders where folder in (select value from json_each(:folders))) x"
    f" {_HISTORY} group by 1",
    "areas": "select x.area, count(*) as n_pulls, sum(h.has_source) as n_source,"
    " sum(h.has_source and h.has_tests) as n_tested, json_group_array(coalesce(h.author_id, -1)) as author_ids"
    f" from (select * from pull_areas where area in (select value from json_each(:areas))) x {_HISTORY} group by 1",
    "merges": "select x.author_id, json_group_array(cast(strftime('%s', h.merged_at) as integer)) as merged_seconds"
    " from (select id as pull_id, author_id from pulls where author_id in (select value from json_each(:authors))) x"
    f" {_HISTORY} group by 1",
}
_TOGETHER = f"""
select f.pull_id, json_group_array(f.path_id) from files f where f.pull_id in (
    select x.pull_id from (select pull_id from files where path_id in (select value from json_each(:coupled))) x
    {_HISTORY} and h.nf <= :narrow
) group by 1
"""
_COMPANIONS = (
    "select t.id as path_id, t.path, c.category from paths t join path_facts c on c.path_id = t.id"
    " where t.id in (select value from json_each(:ids)) and not c.is_noise"
)
# The sign before the column keeps SQLite from walking all that was ever merged.
_EARLIER_IDS = """
select id from pulls
where repository_id = :repository and +merged_at < :since and number in (select value from json_each(:numbers))
union
select h.pull_id from (select distinct pull_id from files where path_id in (select value from json_each(:paths))) x
cross join pull_history h on h.pull_id = x.pull_id
where h.repository_id = :repository and h.merged_at >= :after and h.merged_at < :since
"""
_EARLIER_TEXTS = {
    "pulls": "select p.id as pull_id, p.number, p.title, b.body, p.head, p.base, a.type as author_type, p.merged_at,"
    " p.merge_commit, d.kind from pulls p join pull_facts d on d.pull_id = p.id"
    f" left join people a on a.id = p.author_id left join bodies b on b.pull_id = p.id where p.id in ({_JUDGED})",
    "links": f"select pull_id, kind, repo, number, evidence from links where pull_id in ({_JUDGED})",
}
_EARLIER_FILES = (
    "select f.pull_id, f.path_id, c.category, f.additions, f.deletions, f.old_path_id"
    " from files f join path_facts c on c.path_id = f.path_id"
    f" where f.pull_id in ({_JUDGED}) order by f.pull_id, f.path_id"
)
_HOT_FILES = f"""
with counted as (
    select path_id, n_pulls, churn_lines from file_months
    where repository_id = :repository and tz = :tz and month >= :first and month < :after and {_IN_ROLLUP}
    union all
    select f.path_id, 1, coalesce(f.additions, 0) + coalesce(f.deletions, 0)
    from pulls p join files f on f.pull_id = p.id left join people a on a.id = p.author_id
    where {_IN_SCOPE} and (p.merged_at < :whole_start or p.merged_at >= :whole_end)
), hottest as (
    select t.id, t.path, sum(n_pulls) as n_prs, sum(churn_lines) as churn_lines
    from counted join paths t on t.id = counted.path_id left join path_facts c on c.path_id = t.id
    where not coalesce(c.is_noise, 0) group by t.id
    order by n_prs desc, churn_lines desc, t.path limit :limit
)
select path, n_prs, churn_lines, (
    select json_group_array(number) from (
        select p.number from pulls p left join people a on a.id = p.author_id
        where {_IN_SCOPE} and exists (select 1 from files f where f.pull_id = p.id and f.path_id = hottest.id)
        order by +p.number -- the sign keeps SQLite from walking the index on numbers instead of that on moments
    )
) as prs from hottest order by n_prs desc, churn_lines desc, path
"""
_SYNC_STATES = """
select r.name as repo, r.host, s.way, s.phase, s.n_read, s.n_declared,
    (select count(*) from pulls p where p.repository_id = r.id) as n_cached,
    s.bound, s.watermark, s.page_size, s.quota_left, s.quota, s.quota_resets_at,
    (select json_group_array(number) from (select number from pulls p
     where p.repository_id = r.id and p.files_complete = 0 order by number desc)) as incomplete
from sync_state s join repositories r on r.id = s.repository_id order by r.name
"""
_REPOSITORIES = """
select r.name as repo, r.host, r.default_branch,
    (select json_group_array(name) from repository_names n
     where n.repository_id = r.id and n.key <> lower(r.name)) as aliases,
    count(p.id) as n_pulls, count(p.merged_at) as n_merged, coalesce(sum(p.state = 'open'), 0) as n_open,
    min(p.merged_at) as first_merged_at, max(p.merged_at) as last_merged_at,
    nullif(r.covered_until, '') as covered_until,
    (select count(*) from direct_commits c where c.repository_id = r.id) as n_direct_commits,
    avg(p.created_at is not null) filter (where p.id) as known_created,
    avg(coalesce(p.reviews_known, 0)) filter (where p.id) as known_reviews,
    avg(p.files_complete is not null) filter (where p.id) as known_files,
    avg(coalesce(p.labels_known, 0)) filter (where p.id) as known_labels,
    avg(coalesce(p.files_complete, 0)) filter (where p.id) as files_complete,
    (select json_group_array(distinct source) from pulls q where q.repository_id = r.id) as sources,
    (select source from syncs s where s.repository_id = r.id order by id desc limit 1) as last_source,
    (select finished_at from syncs s where s.repository_id = r.id order by id desc limit 1) as last_import_at
from repositories r left join pulls p on p.repository_id = r.id group by r.id order by r.name
"""
