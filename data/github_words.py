"""What GraphQL and REST tell of a pull request, in the cache's words: the same record from either.

A field that GitHub did not tell (forbidden, absent on an old host, unavailable just now) gets no key, so that it stays
as it was; a field that is told to be nothing gets None.
"""

import base64
import re
from collections.abc import Iterable, Mapping
from typing import Any

from data import people
from data.links import links
from data.moments import utc_text
from data.patches import rest_patch
from data.records import (
    EventRecord,
    FileRecord,
    LinkRecord,
    OwnerRecord,
    PullRecord,
    ReleaseRecord,
    ReviewRecord,
    TagRecord,
    ThreadRecord,
)
from data.signals import signals
from data.trailers import co_authors, plain_text

Node = Mapping[str, Any]

CLOSING = "closingIssuesReferences"
MOST_FILES = 3000  # GitHub tells no more of one pull request, by either interface
_STATUS = {"deleted": "removed", "unchanged": "changed"}
_EVENTS = {
    "ReadyForReviewEvent": "ready_for_review",
    "ConvertToDraftEvent": "converted_to_draft",
    "ReviewRequestedEvent": "review_requested",
    "HeadRefForcePushedEvent": "force_pushed",
    "ClosedEvent": "closed",
    "ReopenedEvent": "reopened",
    # the same in REST
    "ready_for_review": "ready_for_review",
    "convert_to_draft": "converted_to_draft",
    "review_requested": "review_requested",
    "head_ref_force_pushed": "force_pushed",
    "closed": "closed",
    "reopened": "reopened",
}
# GraphQL's plain fields, and their columns.
_PLAIN = {
    "isDraft": "is_draft",
    "isCrossRepository": "is_cross_repository",
    "additions": "additions",
    "deletions": "deletions",
    "changedFiles": "changed_files",
    "baseRefName": "base",
    "headRefName": "head",
    "url": "url",
    "id": "node_id",
}
_MOMENTS = {
    "createdAt": "created_at",
    "mergedAt": "merged_at",
    "closedAt": "closed_at",
    "updatedAt": "updated_at",
}


def from_graphql(node: Node, repo: str, unknown: Iterable[str] = (), in_part: Iterable[str] = ()) -> PullRecord:
    """One pull request from a node of our bulk query, its connections complete.

    Args:
        node: the pull request; each connection is `{"nodes": [...]}`, or None where GitHub did not tell it.
        repo: `owner/name`, for the links in its description.
        unknown: names of fields that are null only because they were refused.
        in_part: names of fields in or below which something was refused.
    """
    told = {name: value for name, value in node.items() if name not in set(unknown)}
    body = plain_text(told.get("body") or "")
    title = plain_text(node["title"]).strip()
    record: dict[str, Any] = {"number": node["number"], "title": title, "state": str(node["state"]).lower()}
    record |= {column: told[name] for name, column in _PLAIN.items() if name in told}
    record |= {column: utc_text(told[name]) for name, column in _MOMENTS.items() if name in told}
    if "body" in told:
        record["body"] = body
        if named := co_authors(body):  # the commits' trailers are not in a description: none is unknown
            record["co_authors"] = named
    if "author" in told:
        record["author"] = people.from_api(told["author"])
    if "mergedBy" in told:
        record["merged_by"] = people.from_api(told["mergedBy"]) if told["mergedBy"] else None
    if "mergeCommit" in told:
        record["merge_commit"] = (told["mergeCommit"] or {}).get("oid")
    if "milestone" in told:
        record["milestone"] = _text((told["milestone"] or {}).get("title"))
    if "reviewDecision" in told:
        record["review_decision"] = (told["reviewDecision"] or "").lower() or None
    for name, column in (("comments", "n_comments"), ("commits", "n_commits")):
        if told.get(name):
            record[column] = told[name]["totalCount"]
    lists = {name: _nodes(told[name]) for name in _LISTS if told.get(name) is not None}
    record |= {_LISTS[name][0]: _LISTS[name][1](nodes) for name, nodes in lists.items() if name != CLOSING}
    if "body" in told or CLOSING in lists:
        record["links"] = _links(title, body, node["number"], repo, lists.get(CLOSING, []))
    if refused := sorted({_LISTS[name][0] for name in in_part if name in _LISTS}):
        record["in_part"] = refused
    return _completed(record)


def from_rest(
    detail: Node,
    repo: str,
    *,
    files: list[Node] | None,
    reviews: list[Node] | None,
    timeline: list[Node] | None,
    beyond: Node | None = None,
) -> PullRecord:
    """One pull request from REST's answers.

    Args:
        detail: of `pulls/N`.
        repo: `owner/name`.
        files: of `pulls/N/files`, all pages; None where they could not be had.
        reviews: of `pulls/N/reviews`.
        timeline: of `issues/N/timeline`.
        beyond: what GraphQL alone tells, where it could be had: reviewDecision, reviewThreads and linked issues.
    """
    body, title = plain_text(detail.get("body") or ""), plain_text(detail["title"]).strip()
    merged = detail.get("merged_at") is not None
    head, base = detail.get("head") or {}, detail.get("base") or {}
    record: dict[str, Any] = {
        "number": detail["number"],
        "title": title,
        "state": "merged" if merged else detail["state"],
        "is_draft": bool(detail.get("draft")),
        "is_cross_repository": (head.get("repo") or {}).get("id") != (base.get("repo") or {}).get("id"),
        "additions": detail.get("additions"),
        "deletions": detail.get("deletions"),
        "changed_files": detail.get("changed_files"),
        "base": base.get("ref"),
        "head": head.get("ref"),
        "url": detail.get("html_url"),
        "node_id": detail.get("node_id"),
        "created_at": utc_text(detail.get("created_at")),
        "merged_at": utc_text(detail.get("merged_at")),
        "closed_at": utc_text(detail.get("closed_at")),
        "updated_at": utc_text(detail.get("updated_at")),
        "body": body,
        "author": people.from_api(detail.get("user")),
        "merged_by": people.from_api(detail["merged_by"]) if detail.get("merged_by") else None,
        # Of an open one it is a trial merge that never reaches a branch.
        "merge_commit": detail.get("merge_commit_sha") if merged else None,
        "milestone": _text((detail.get("milestone") or {}).get("title")),
        "n_comments": detail.get("comments"),
        "n_commits": detail.get("commits"),
        "labels": _labels(detail.get("labels") or []),
    }
    if named := co_authors(body):
        record["co_authors"] = named
    if files is not None:
        record |= _rest_files(files)
    if reviews is not None:
        record["reviews"] = _reviews(
            {"author": r.get("user"), "state": r["state"], "submittedAt": r.get("submitted_at")} for r in reviews
        )
    if timeline is not None:
        record["events"] = _events(_rest_event(event) for event in timeline)
    beyond = beyond or {}
    if beyond.get("reviewThreads") is not None:
        record["threads"] = _threads(_nodes(beyond["reviewThreads"]))
    if "reviewDecision" in beyond:
        record["review_decision"] = (beyond["reviewDecision"] or "").lower() or None
    record["links"] = _links(title, body, detail["number"], repo, _nodes(beyond.get(CLOSING) or {}))
    return _completed(record)


def with_rest_files(record: PullRecord, files: list[Node]) -> PullRecord:
    """A record with its files from REST, where GraphQL could not tell them."""
    return _completed({**record, **_rest_files(files)})


def owners_from(text: str) -> list[OwnerRecord]:
    """The rules of a CODEOWNERS file, in its order; comments and sections' brackets left out."""
    rules = []
    for line in plain_text(text).splitlines():
        pattern, *owners = re.sub(r"(?<!\\)(?:^|\s)#.*", "", line).split() or [""]
        if pattern and not pattern.startswith("["):
            rules.append(OwnerRecord(pattern=pattern, owners=owners))
    return rules


def owners_from_rest(content: Node) -> list[OwnerRecord]:
    """The same from REST's base64."""
    return owners_from(base64.b64decode(content.get("content") or "").decode("utf-8", "replace"))


def tags_from_graphql(nodes: Iterable[Node]) -> list[TagRecord]:
    """Tags that name a commit, by themselves or through an annotated tag."""
    found = []
    for node in nodes:
        target = node.get("target") or {}
        commit = target.get("target") or target
        moment = commit.get("committedDate")
        if moment and commit.get("oid"):  # a tag may also name a tree or a file
            found.append(TagRecord(name=node["name"], sha=commit["oid"], tagged_at=utc_text(moment) or ""))
    return found


def releases_from(nodes: Iterable[Node]) -> list[ReleaseRecord]:
    """Published releases, from GraphQL or REST; a draft is nobody's business yet."""
    found = []
    for node in nodes:
        published = utc_text(node.get("publishedAt") or node.get("published_at"))
        if published and not (node.get("isDraft") or node.get("draft")):
            found.append(
                ReleaseRecord(
                    tag=node.get("tagName") or node["tag_name"],
                    name=_text(node.get("name")),
                    published_at=published,
                    is_prerelease=bool(node.get("isPrerelease") or node.get("prerelease")),
                )
            )
    return found


def _completed(record: dict[str, Any]) -> PullRecord:
    """The record with what follows from its lists."""
    if (files := record.get("files")) is not None:
        declared = record.get("changed_files")
        record["files_complete"] = declared is None or len(files) >= declared
    if (events := record.get("events")) is not None:
        record["ready_at"] = max((each["at"] for each in events if each["kind"] == "ready_for_review"), default=None)
    return PullRecord(**record)  # type: ignore[typeddict-item]  # its keys are the record's, put together above


def _files(nodes: Iterable[Node]) -> list[FileRecord]:
    return [
        FileRecord(
            path=plain_text(node["path"]),
            old_path=None,
            status=_status(node.get("changeType")),
            additions=node.get("additions"),
            deletions=node.get("deletions"),
        )
        for node in nodes
    ]


def _rest_files(files: list[Node]) -> dict[str, Any]:
    """The files and what their patches do; GitHub gives none of a binary file, and none of a large one."""
    records = [_rest_file(file) for file in files]
    patches = [
        rest_patch(record["path"], record["old_path"], record["status"], file["patch"])
        for record, file in zip(records, files, strict=True)
        if file.get("patch")
    ]
    is_whole = all(file.get("patch") or not file.get("changes") for file in files) and len(files) < MOST_FILES
    return {"files": records, "signals": signals(patches), "patches_known": is_whole}


def _rest_file(file: Node) -> FileRecord:
    return FileRecord(
        path=plain_text(file["filename"]),
        old_path=plain_text(file["previous_filename"]) if file.get("previous_filename") else None,
        status=_status(file.get("status")),
        additions=file.get("additions"),
        deletions=file.get("deletions"),
    )


def _status(told: str | None) -> str | None:
    status = (told or "").lower()
    return _STATUS.get(status, status) or None


def _reviews(nodes: Iterable[Node]) -> list[ReviewRecord]:
    """Submitted reviews; one that is being written (PENDING) has no moment yet."""
    return [
        ReviewRecord(
            reviewer=people.from_api(node.get("author")),
            state=node["state"].lower(),
            submitted_at=utc_text(node["submittedAt"]) or "",
        )
        for node in nodes
        if node.get("submittedAt") and node["state"].lower() != "pending"
    ]


def _threads(nodes: Iterable[Node]) -> list[ThreadRecord]:
    return [
        ThreadRecord(
            path=_text(node.get("path")),
            is_resolved=bool(node.get("isResolved")),
            is_outdated=node.get("isOutdated"),
            n_comments=None,
            resolved_by=people.from_api(node["resolvedBy"]) if node.get("resolvedBy") else None,
        )
        for node in nodes
    ]


def _events(nodes: Iterable[Node]) -> list[EventRecord]:
    found = []
    for node in nodes:
        kind, moment = _EVENTS.get(str(node.get("__typename"))), utc_text(node.get("createdAt"))
        if kind and moment:
            asked = node.get("requestedReviewer") or {}
            found.append(
                EventRecord(
                    kind=kind,
                    at=moment,
                    actor=people.from_api(node.get("actor")),
                    reviewer=people.from_api(asked) if asked.get("login") else None,
                    team=_text(asked.get("slug")),
                )
            )
    return found


def _rest_event(event: Node) -> Node:
    """A line of REST's timeline in GraphQL's words."""
    return {
        "__typename": event.get("event"),
        "createdAt": event.get("created_at"),
        "actor": event.get("actor"),
        "requestedReviewer": event.get("requested_reviewer") or event.get("requested_team"),
    }


def _labels(nodes: Iterable[Node]) -> list[str]:
    return [plain_text(node["name"]) for node in nodes if node.get("name")]


def _links(title: str, body: str, number: int, repo: str, closing: Iterable[Node]) -> list[LinkRecord]:
    """What GitHub links as closing, then what title and description say."""
    found: dict[tuple[int, str | None], LinkRecord] = {}
    for issue in closing:
        named = (issue.get("repository") or {}).get("nameWithOwner")
        other = None if named is None or named.lower() == repo.lower() else named
        found[issue["number"], other] = LinkRecord(
            kind="closes", number=issue["number"], repo=other, evidence="linked on GitHub"
        )
    for link in links(title, body, number=number, repo=repo):
        found.setdefault((link["number"], link["repo"]), link)
    return list(found.values())


def _nodes(connection: Node) -> list[Node]:
    return [node for node in connection.get("nodes") or [] if node]


def _text(value: str | None) -> str | None:
    return plain_text(value) if value else None


# GraphQL's connections, the record's lists, and the way from one to the other.
_LISTS: dict[str, tuple[str, Any]] = {
    "labels": ("labels", _labels),
    "files": ("files", _files),
    "reviews": ("reviews", _reviews),
    "reviewThreads": ("threads", _threads),
    "timelineItems": ("events", _events),
    CLOSING: ("links", list),
}
