"""Tables, columns and units of the cache: the one list of names.

Raw tables keep what a source said, renamed and typed, one table a noun. Derived tables keep what `analysis/` says of
one pull request; they can be rebuilt at any time and are never edited. Unknown is NULL, never 0 or "". Moments are UTC
text (`2026-04-26T17:55:00Z`), dates ISO text, flags 0 or 1, a repository's days are cut in the zone that stands beside
them.
"""

from dataclasses import dataclass, field

APPLICATION_ID = 0x4D57494E  # "MWIN" in the SQLite header tells our files from other people's
SCHEMA_VERSION = 3

MERGED, OPEN, CLOSED = "merged", "open", "closed"

# Who wins where two sources disagree about one pull request: git history knows less than `gh`, and that less than sync.
SOURCE_RANK = {"clone": 1, "gh": 2, "demo": 3, "github": 3}


@dataclass(frozen=True)
class Table:
    """One table: what a row is, its columns and how it is found."""

    grain: str
    columns: dict[str, type]
    pk: str | tuple[str, ...]
    not_null: tuple[str, ...] = ()
    references: dict[str, str] = field(default_factory=dict)  # column -> table, always by its id
    indexes: tuple[tuple[str, ...], ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    without_rowid: bool = False  # narrow rows found by their key only: a third smaller
    since: int = 1  # version of the schema that it came with
    later: dict[str, int] = field(default_factory=dict)  # columns that came after the table -> version; last, nullable


TABLES: dict[str, Table] = {
    "state": Table(
        "one row per fact about the cache itself; `generation` grows with every change and keys every cached read",
        {"key": str, "value": str},
        pk="key",
    ),
    "repositories": Table(
        "one row per repository, whatever it was called over time",
        {
            "id": int,
            "host": str,
            "name": str,  # owner/name as it is now
            "github_id": int,  # GitHub's number, stable over renames and transfers; NULL until a sync tells it
            "default_branch": str,
            "covered_until": str,  # newest moment the cache knows anything about
            "derived_generation": int,  # generation that `derive` last read
            "derived_rules": int,  # version of the rules that it used
            "derived_config": str,  # digest of the configuration that it used
            "changed_generation": int,  # generation of the last change to its pull requests
            "node_id": str,  # GitHub's other name for it, which GraphQL asks by
        },
        later={"node_id": 2},
        pk="id",
        not_null=("host", "name"),
        unique=(("host", "name"),),
    ),
    "repository_names": Table(
        "one row per name a repository has or had, in lower case",
        {"host": str, "key": str, "name": str, "repository_id": int},
        pk=("host", "key"),
        not_null=("name", "repository_id"),
        references={"repository_id": "repositories"},
    ),
    "people": Table(
        "one row per person, bot or ghost",
        {"id": int, "host": str, "login": str, "name": str, "type": str},  # login NULL: known from git only
        pk="id",
        not_null=("host", "type"),
    ),
    "people_names": Table(
        "one row per spelling by which somebody is known: `login:...`, `email:...` or `name:...`, in lower case",
        {"host": str, "key": str, "person_id": int},
        pk=("host", "key"),
        not_null=("person_id",),
        references={"person_id": "people"},
        indexes=(("person_id",),),
    ),
    "pulls": Table(
        "one row per pull request",
        {
            "id": int,
            "repository_id": int,
            "number": int,
            "title": str,
            "state": str,  # merged, open or closed
            "is_draft": int,
            "author_id": int,
            "merged_by_id": int,
            "created_at": str,
            "ready_at": str,  # the last time it left draft
            "merged_at": str,
            "closed_at": str,
            "updated_at": str,
            "base": str,  # branch merged into
            "head": str,
            "is_cross_repository": int,
            "additions": int,  # lines, as declared for the whole pull request
            "deletions": int,
            "changed_files": int,
            "files_complete": int,  # 1: every changed file has its row
            "reviews_known": int,  # 1: its reviews are cached, be there none
            "labels_known": int,
            "merge_commit": str,
            "merge_method": str,  # squash, merge, rebase, queue
            "milestone": str,
            "review_decision": str,  # approved, changes_requested, review_required
            "n_comments": int,
            "n_commits": int,
            "url": str,
            "node_id": str,
            "source": str,
            "source_rank": int,
            "digest": str,  # of the record last written: an equal one changes nothing
            "revision": int,  # generation that last changed it
            "threads_known": int,
            "events_known": int,
            "patches_known": int,  # 1: its patch was read for `signals`
        },
        later={"threads_known": 2, "events_known": 2, "patches_known": 3},
        pk="id",
        not_null=("repository_id", "number", "title", "state", "source", "source_rank", "revision"),
        references={"repository_id": "repositories", "author_id": "people", "merged_by_id": "people"},
        unique=(("repository_id", "number"),),
        indexes=(("repository_id", "merged_at"), ("author_id", "merged_at"), ("merged_by_id",)),
    ),
    "bodies": Table(
        "one row per pull request whose description is known; apart, so that lists stay fast",
        {"pull_id": int, "body": str},
        pk="pull_id",
        not_null=("body",),
        references={"pull_id": "pulls"},
    ),
    "paths": Table("one row per path ever changed", {"id": int, "path": str}, pk="id", unique=(("path",),)),
    "files": Table(
        "one row per pull request and file it changed",
        {
            "pull_id": int,
            "path_id": int,
            "old_path_id": int,
            "status": str,  # added, modified, removed, renamed, copied, changed
            "additions": int,  # lines; NULL for a binary file
            "deletions": int,
        },
        pk=("pull_id", "path_id"),
        references={"pull_id": "pulls", "path_id": "paths", "old_path_id": "paths"},
        indexes=(("path_id", "additions", "deletions"), ("old_path_id",)),  # the first holds a path's whole history
        without_rowid=True,
    ),
    "labels": Table(
        "one row per pull request and label",
        {"pull_id": int, "name": str},
        pk=("pull_id", "name"),
        references={"pull_id": "pulls"},
        without_rowid=True,
    ),
    "reviews": Table(
        "one row per submitted review",
        {"pull_id": int, "seq": int, "reviewer_id": int, "state": str, "submitted_at": str},
        pk=("pull_id", "seq"),
        not_null=("state", "submitted_at"),
        references={"pull_id": "pulls", "reviewer_id": "people"},
        indexes=(("reviewer_id",),),
        without_rowid=True,
    ),
    "review_threads": Table(
        "one row per review thread",
        {
            "pull_id": int,
            "seq": int,
            "path": str,
            "is_resolved": int,
            "is_outdated": int,
            "n_comments": int,
            "resolver_id": int,
        },
        later={"resolver_id": 2},
        pk=("pull_id", "seq"),
        references={"pull_id": "pulls", "resolver_id": "people"},
        indexes=(("resolver_id",),),
        without_rowid=True,
    ),
    "events": Table(
        "one row per thing that happened to a pull request, besides its reviews and its merge, in order of time",
        {
            "pull_id": int,
            "seq": int,
            "kind": str,  # ready_for_review, converted_to_draft, review_requested, force_pushed, closed, reopened
            "at": str,
            "actor_id": int,
            "reviewer_id": int,  # who was asked for a review; NULL for a team, or where the token may not know
            "team": str,  # its slug
        },
        pk=("pull_id", "seq"),
        not_null=("kind", "at"),
        references={"pull_id": "pulls", "actor_id": "people", "reviewer_id": "people"},
        indexes=(("actor_id",), ("reviewer_id",)),
        without_rowid=True,
        since=2,
    ),
    "signals": Table(
        "one row per thing that a pull request's patch was found to do; the patch itself is not kept",
        {
            "pull_id": int,
            "seq": int,
            "path_id": int,
            "kind": str,
            "line": int,  # in the file as it is afterwards; of what was removed, as it was before
            "detail": str,  # the name, marker, version ... in question, cut short
        },
        pk=("pull_id", "seq"),
        not_null=("path_id", "kind"),
        references={"pull_id": "pulls", "path_id": "paths"},
        indexes=(("path_id",),),
        without_rowid=True,
        since=3,
    ),
    "co_authors": Table(
        "one row per `Co-authored-by` trailer",
        {"pull_id": int, "seq": int, "person_id": int, "is_ai": int},
        pk=("pull_id", "seq"),
        references={"pull_id": "pulls", "person_id": "people"},
        indexes=(("person_id",),),
        without_rowid=True,
    ),
    "links": Table(
        "one row per reference from a pull request to an issue or another pull request",
        {"pull_id": int, "seq": int, "kind": str, "repo": str, "number": int, "evidence": str},
        pk=("pull_id", "seq"),
        not_null=("kind", "number"),
        references={"pull_id": "pulls"},
        without_rowid=True,
    ),
    "direct_commits": Table(
        "one row per commit on the default branch that came with no pull request",
        {"repository_id": int, "sha": str, "committed_at": str, "author_id": int, "subject": str},
        pk=("repository_id", "sha"),
        not_null=("committed_at",),
        references={"repository_id": "repositories", "author_id": "people"},
        indexes=(("author_id",),),
        without_rowid=True,
    ),
    "tags": Table(
        "one row per tag that names a commit",
        {
            "repository_id": int,
            "name": str,
            "sha": str,  # of that commit
            "tagged_at": str,  # that commit's moment; on a release branch, as a clone tells, of where that branch began
        },
        pk=("repository_id", "name"),
        references={"repository_id": "repositories"},
        without_rowid=True,
    ),
    "releases": Table(
        "one row per published release",
        {"repository_id": int, "tag": str, "name": str, "published_at": str, "is_prerelease": int},
        pk=("repository_id", "tag"),
        references={"repository_id": "repositories"},
        without_rowid=True,
    ),
    "codeowners": Table(
        "one row per rule of the default branch's CODEOWNERS, in file order",
        {"repository_id": int, "seq": int, "pattern": str, "owners": str},  # owners: space-separated, as written
        pk=("repository_id", "seq"),
        references={"repository_id": "repositories"},
        without_rowid=True,
    ),
    "syncs": Table(
        "one row per import or sync: the ledger",
        {
            "id": int,
            "repository_id": int,
            "source": str,
            "started_at": str,
            "finished_at": str,
            "fetched": int,  # pull requests read
            "saved": int,  # of those, new or changed
            "skipped": int,  # entries that were no pull requests
            "declared": int,  # pull requests the source said it has, where it says so
            "is_complete": int,
            "checkpoint": str,  # JSON: what the next incremental run starts from
            "notes": str,  # JSON: list of sentences
            "error": str,
        },
        pk="id",
        not_null=("repository_id", "source", "finished_at"),
        references={"repository_id": "repositories"},
        indexes=(("repository_id",),),
    ),
    "sync_state": Table(
        "one row per repository read from GitHub: how far, and where to go on",
        {
            "repository_id": int,
            "way": str,  # graphql or rest: whose cursor this is
            "phase": str,  # backfill: newest first, down to `bound`; delta: what was updated since `watermark`
            "cursor": str,  # GitHub's, of the last page stored in the backfill
            "bound": str,  # opened before this moment, nothing is wanted; NULL: everything is
            "started_at": str,  # by GitHub's clock: when the backfill began
            "watermark": str,  # by GitHub's clock: all that was updated before this moment is cached
            "reread_at": str,  # when pull requests merged lately were last read again
            "page_size": int,  # pull requests a page, as GitHub lets us
            "page_ceiling": int,
            "n_read": int,  # pull requests of the backfill stored so far
            "n_declared": int,  # pull requests that GitHub says there are
            "quota_left": int,  # points or requests of the hour, when it was last asked
            "quota": int,  # NULL: the host has no limits
            "quota_resets_at": str,
        },
        pk="repository_id",
        not_null=("way", "phase"),
        references={"repository_id": "repositories"},
        since=2,
    ),
    "weeks": Table(
        "one row per repository, zone, base branch, bot flag and ISO week with merges; written with the import",
        {
            "repository_id": int,
            "tz": str,
            "week": str,  # its Monday
            "base": str,  # "" where unknown
            "is_bot": int,
            "n_merged": int,
            "additions": int,
            "deletions": int,
        },
        pk=("repository_id", "tz", "week", "base", "is_bot"),
        references={"repository_id": "repositories"},
        without_rowid=True,
    ),
    "file_months": Table(
        "one row per repository, zone, base branch, bot flag, month and path; written with the import",
        {
            "repository_id": int,
            "tz": str,
            "month": str,  # its first day
            "base": str,
            "is_bot": int,
            "path_id": int,
            "n_pulls": int,
            "churn_lines": int,
        },
        pk=("repository_id", "tz", "month", "base", "is_bot", "path_id"),
        references={"repository_id": "repositories", "path_id": "paths"},
        indexes=(("path_id",),),
        without_rowid=True,
    ),
    "pull_facts": Table(
        "one row per pull request that `derive` has read",
        {
            "pull_id": int,
            "kind": str,
            "is_breaking": int,
            "subject": str,  # the title without brackets, kind and number
            "importance": float,  # 0-10
            "importance_parts": str,  # JSON: part -> points, adding up to the score
            "is_key": int,
            "insight": float,
            "insight_parts": str,
            "code_lines": int,  # added + deleted, by what the file is; noise is generated, vendored and lock files
            "test_lines": int,
            "docs_lines": int,
            "other_lines": int,
            "noise_lines": int,
            "touches_source": int,
            "touches_tests": int,
            "series_part": str,
            "reverts_number": int,
            "is_reapply": int,
            "key_share": float,  # 0-1: share of perturbed weights under which it is key
            "risk_score": float,  # 0-100: the points of the rules that fired
            "risk_cap": float,  # what the bound of 100 took back, 0 or less
            "tier": int,  # 1 (low) to 4 (high)
            "silent_rules": str,  # JSON list: rules that could not be judged from what is known
        },
        later={"key_share": 3, "risk_score": 3, "risk_cap": 3, "tier": 3, "silent_rules": 3},
        pk="pull_id",
        not_null=("kind", "is_breaking"),
        references={"pull_id": "pulls"},
    ),
    "pull_modules": Table(
        "one row per pull request, module and reason for it",
        {"pull_id": int, "module": str, "source": str},  # title, path, label, owner or config
        pk=("pull_id", "module", "source"),
        references={"pull_id": "pulls"},
        indexes=(("module",),),
        without_rowid=True,
    ),
    "pull_history": Table(
        "one row per merged pull request: the change, and what had happened before to its files and by its author,"
        " named as by Kamei et al. 2013",
        {
            "pull_id": int,
            "repository_id": int,
            "number": int,
            "merged_at": str,  # this and the next three as judged, so that the past of a place is read from here alone
            "author_id": int,
            "has_source": int,
            "has_tests": int,
            "ns": int,  # areas (first two folders) touched
            "nd": int,  # folders touched
            "nf": int,  # files touched; in all of these without generated, vendored and lock files
            "entropy": float,  # how evenly its lines lie over its files, 0 (one file) to 1
            "la": int,  # lines added
            "ld": int,
            "fix": int,  # its kind is fix
            "ndev": int,  # people who had changed its files
            "age_days": float,  # mean time since its files were last changed
            "nuc": int,  # earlier changes of its files
            "exp": int,  # pull requests its author had merged
            "rexp": float,  # the same, each divided by the years since then + 1
            "sexp": int,  # the same, in the areas it touches
            "coreness": float,  # 0-1: how much of all earlier change went to its most changed file and folder
            "repair_density": float,  # 0-1: share of fixes among the earlier changes of its most repaired file
            "hottest": float,  # the largest product of changes and churn that any file had by then
        },
        pk="pull_id",
        not_null=("repository_id", "merged_at"),
        references={"pull_id": "pulls", "repository_id": "repositories"},
        since=3,
    ),
    "pull_folders": Table(
        "one row per merged pull request and folder of the files it changed, noise left out",
        {"pull_id": int, "folder": str},
        pk=("pull_id", "folder"),
        references={"pull_id": "pulls"},
        indexes=(("folder",),),
        without_rowid=True,
        since=3,
    ),
    "pull_areas": Table(
        "one row per merged pull request and area (the first two folders) of the files it changed, noise left out",
        {"pull_id": int, "area": str},
        pk=("pull_id", "area"),
        references={"pull_id": "pulls"},
        indexes=(("area",),),
        without_rowid=True,
        since=3,
    ),
    "pull_risks": Table(
        "one row per pull request and risk rule that fired",
        {
            "pull_id": int,
            "rule": str,
            "points": float,
            "value": float,  # what was measured, in the rule's unit
            "evidence": str,  # JSON: what a reader needs to see why
        },
        pk=("pull_id", "rule"),
        not_null=("points",),
        references={"pull_id": "pulls"},
        indexes=(("rule",),),
        without_rowid=True,
        since=3,
    ),
    "chain_links": Table(
        "one row per pull request and earlier one that it reverts, re-applies or repairs",
        {
            "pull_id": int,
            "earlier_id": int,
            "kind": str,  # revert, reapply, repair
            "is_sure": int,  # 0: possible only
            "hours": float,  # between the two merges
            "evidence": str,  # JSON: by which rule, and the words, numbers or files
        },
        pk=("pull_id", "earlier_id", "kind"),
        not_null=("is_sure",),
        references={"pull_id": "pulls", "earlier_id": "pulls"},
        indexes=(("earlier_id",),),
        without_rowid=True,
        since=3,
    ),
    "vocabularies": Table(
        "one row per repository: what it calls its modules, learned from its first merged pull requests",
        {
            "repository_id": int,
            "digest": str,
            "words": str,  # JSON of the vocabulary
            "learned_from": int,
            "learned_until": str,  # when the last of those was merged
        },
        pk="repository_id",
        not_null=("digest", "words", "learned_from"),
        references={"repository_id": "repositories"},
        since=3,
    ),
    "path_facts": Table(
        "one row per path that `derive` has read",
        {"path_id": int, "category": str, "language": str, "is_noise": int},
        pk="path_id",
        not_null=("category", "is_noise"),
        references={"path_id": "paths"},
    ),
}

# Rows of these go with their pull request, and of those below with their repository.
PULL_CHILDREN = tuple(name for name, table in TABLES.items() if "pull_id" in table.columns)
REPOSITORY_CHILDREN = tuple(
    name for name, table in TABLES.items() if "repository_id" in table.columns and name != "pulls"
)
