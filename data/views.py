"""Views for everybody else's SQL, such as Datasette's: names instead of ids, and columns that stay.

A column here is a promise: it is never renamed or taken away without a new number of the schema and a line in the
changelog. `docs/cache.md` describes them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class View:
    """One view: what a row is, its columns, and the query behind it."""

    grain: str
    columns: tuple[str, ...]
    sql: str


def _view(grain: str, columns: dict[str, str], rest: str) -> View:
    chosen = ", ".join(f"{expression} as {name}" for name, expression in columns.items())
    return View(grain, tuple(columns), f"select {chosen} {rest}")


def _who(alias: str) -> str:
    return f"case when {alias}.id is not null then coalesce({alias}.login, {alias}.name, 'ghost') end"


_OF = "p.id = {child}.pull_id join repositories r on r.id = p.repository_id"

VIEWS: dict[str, View] = {
    "v_pull_requests": _view(
        "one row per pull request: open, closed and merged",
        {
            "repository": "r.name",
            "number": "p.number",
            "title": "p.title",
            "body": "b.body",
            "url": "coalesce(p.url, 'https://' || r.host || '/' || r.name || '/pull/' || p.number)",
            "state": "p.state",
            "is_draft": "p.is_draft",
            "author": _who("a"),
            "author_type": "a.type",
            "merged_by": _who("m"),
            "created_at": "p.created_at",
            "ready_at": "p.ready_at",
            "merged_at": "p.merged_at",
            "closed_at": "p.closed_at",
            "updated_at": "p.updated_at",
            "base": "p.base",
            "head": "p.head",
            "additions": "p.additions",
            "deletions": "p.deletions",
            "changed_files": "p.changed_files",
            "files_complete": "p.files_complete",
            "reviews_known": "p.reviews_known",
            "threads_known": "p.threads_known",
            "events_known": "p.events_known",
            "labels": "case when p.labels_known then (select json_group_array(name) from"
            " (select name from labels l where l.pull_id = p.id order by name)) end",
            "milestone": "p.milestone",
            "review_decision": "p.review_decision",
            "n_threads": "case when p.threads_known then"
            " (select count(*) from review_threads t where t.pull_id = p.id) end",
            "n_unresolved_threads": "case when p.threads_known then"
            " (select count(*) from review_threads t where t.pull_id = p.id and not t.is_resolved) end",
            "n_comments": "p.n_comments",
            "n_commits": "p.n_commits",
            "merge_commit": "p.merge_commit",
            "merge_method": "p.merge_method",
            "kind": "d.kind",
            "is_breaking": "d.is_breaking",
            "modules": "(select json_group_array(module) from"
            " (select distinct module from pull_modules o where o.pull_id = p.id order by module))",
            "importance": "d.importance",
            "is_key": "d.is_key",
            "source": "p.source",
        },
        "from pulls p join repositories r on r.id = p.repository_id left join people a on a.id = p.author_id"
        " left join people m on m.id = p.merged_by_id left join bodies b on b.pull_id = p.id"
        " left join pull_facts d on d.pull_id = p.id",
    ),
    "v_reviews": _view(
        "one row per submitted review",
        {
            "repository": "r.name",
            "number": "p.number",
            "reviewer": _who("a"),
            "reviewer_type": "a.type",
            "state": "v.state",
            "submitted_at": "v.submitted_at",
        },
        f"from reviews v join pulls p on {_OF.format(child='v')} left join people a on a.id = v.reviewer_id",
    ),
    "v_files": _view(
        "one row per pull request and file it changed",
        {
            "repository": "r.name",
            "number": "p.number",
            "path": "t.path",
            "old_path": "o.path",
            "status": "f.status",
            "additions": "f.additions",
            "deletions": "f.deletions",
            "category": "c.category",
            "language": "c.language",
            "is_noise": "c.is_noise",
        },
        f"from files f join pulls p on {_OF.format(child='f')} join paths t on t.id = f.path_id"
        " left join paths o on o.id = f.old_path_id left join path_facts c on c.path_id = f.path_id",
    ),
    "v_events": _view(
        "one row per thing that happened to a pull request, besides its reviews and its merge",
        {
            "repository": "r.name",
            "number": "p.number",
            "kind": "e.kind",
            "at": "e.at",
            "actor": _who("a"),
            "actor_type": "a.type",
            "reviewer": _who("w"),
            "team": "e.team",
        },
        f"from events e join pulls p on {_OF.format(child='e')} left join people a on a.id = e.actor_id"
        " left join people w on w.id = e.reviewer_id",
    ),
}
