"""What a GitHub holds, as plain dictionaries in GraphQL's spelling; REST bodies are made from the very same ones.

Each function makes one thing and fills in what its caller leaves out. A connection is stored as the whole list. What
follows from other fields (`closed` from `state`) is not stored: `fields.py` derives it.
"""

import hashlib
from datetime import UTC, datetime
from typing import Any

Node = dict[str, Any]

WEB = "https://github.example"  # where people look at things; the API is wherever the fake listens


def oid(*parts: object) -> str:
    """A commit or blob hash: the same for the same parts."""
    return hashlib.sha1("/".join(map(str, parts)).encode()).hexdigest()


def stable_id(*parts: object) -> int:
    """A number of up to nine digits: the same for the same parts."""
    return int(oid(*parts)[:12], 16) % 1_000_000_000


def utc(seconds: float) -> str:
    """Seconds since 1970 as GitHub writes moments: UTC, without fractions."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def actor(login: str, kind: str = "User", **more: Any) -> Node:
    """An account: User, Bot (without `[bot]`), Organization or Mannequin. One marked `deleted` is answered as null."""
    number = more.get("databaseId", stable_id(kind, login))
    page = f"{WEB}/apps/{login}" if kind == "Bot" else f"{WEB}/{login}"
    return {
        "__typename": kind,
        "id": f"U_{number}",
        "databaseId": number,
        "login": login,
        "name": None,
        "email": "",
        "url": page,
        "deleted": False,
    } | more


def team(slug: str, organization: Node) -> Node:
    """A team, which can be asked for a review."""
    number = stable_id("team", organization["login"], slug)
    return {
        "__typename": "Team",
        "id": f"T_{number}",
        "databaseId": number,
        "slug": slug,
        "name": slug.replace("-", " ").title(),
        "description": None,
        "combinedSlug": f"{organization['login']}/{slug}",
        "url": f"{WEB}/orgs/{organization['login']}/teams/{slug}",
        "organization": organization,
    }


def repository(name: str, *, owner: Node | None = None, created: str = "2025-01-01T00:00:00Z", **more: Any) -> Node:
    """An empty repository called `owner/name`."""
    number = more.get("databaseId", stable_id("repository", name))
    owner_login, short = name.split("/")
    return {
        "__typename": "Repository",
        "id": f"R_kgDO{number}",
        "databaseId": number,
        "name": short,
        "nameWithOwner": name,
        "owner": owner or actor(owner_login, "Organization"),
        "description": None,
        "url": f"{WEB}/{name}",
        "isArchived": False,
        "isDisabled": False,
        "isEmpty": False,
        "isFork": False,
        "isMirror": False,
        "isPrivate": False,
        "isTemplate": False,
        "parent": None,
        "createdAt": created,
        "pushedAt": created,
        "updatedAt": created,
        "diskUsage": 10,
        "stargazerCount": 0,
        "forkCount": 0,
        "primaryLanguage": {"__typename": "Language", "id": "LA_python", "name": "Python", "color": "3572A5"},
        "mergeCommitAllowed": True,
        "rebaseMergeAllowed": True,
        "squashMergeAllowed": True,
        "branches": ["main"],  # the first one is the default
        "texts": {},  # path -> content on the default branch
        "labels": [],
        "milestones": [],
        "pullRequests": [],
        "issues": [],
        "tags": [],
        "releases": [],
    } | more


def label(repo: Node, name: str, color: str = "ededed", **more: Any) -> Node:
    """The repository's label of that name, made when first asked for."""
    for known in repo["labels"]:
        if known["name"] == name:
            return known
    digest = oid(name)
    made = {
        "__typename": "Label",
        "id": f"LA_{digest[:8]}",
        "databaseId": int(digest[:7], 16),
        "name": name,
        "color": color,
        "description": "",
        "isDefault": name in {"bug", "documentation", "enhancement", "question"},
        "repository": repo,
    } | more
    repo["labels"].append(made)
    return made


def milestone(repo: Node, number: int, title: str, creator: Node, **more: Any) -> Node:
    """The repository's milestone of that number, made when first asked for."""
    for known in repo["milestones"]:
        if known["number"] == number:
            return known
    made = {
        "__typename": "Milestone",
        "id": f"MI_{number}",
        "databaseId": 3300 + number,
        "number": number,
        "title": title,
        "description": None,
        "creator": creator,
        "state": "OPEN",
        "createdAt": "2026-09-01T00:00:00Z",
        "updatedAt": "2026-09-01T00:00:00Z",
        "dueOn": None,
        "closedAt": None,
        "url": f"{repo['url']}/milestone/{number}",
        "repository": repo,
    } | more
    repo["milestones"].append(made)
    return made


def git_actor(who: Node | None, at: str) -> Node:
    """Somebody as git knows them; only for a User does GitHub link the account."""
    login = who["login"] if who else "nobody-example"
    return {
        "__typename": "GitActor",
        "name": (who and who["name"]) or login,
        "email": f"{login}@users.noreply.github.example",
        "date": at,
        "user": who if who and who["__typename"] == "User" else None,
    }


def commit(repo: Node, sha: str, at: str, *, who: Node | None = None, message: str = "Work", **more: Any) -> Node:
    """A commit."""
    return {
        "__typename": "Commit",
        "id": f"C_{sha[:20]}",
        "oid": sha,
        "message": message,
        "authoredDate": at,
        "committedDate": at,
        "author": git_actor(who, at),
        "committer": git_actor(who, at),
        "parents": [],
        "repository": repo,
    } | more


def changed_file(path: str, additions: int = 1, deletions: int = 0, change: str = "MODIFIED", **more: Any) -> Node:
    """One changed file. REST alone tells `previous_filename` and `patch`; a binary file has none."""
    return {
        "__typename": "PullRequestChangedFile",
        "path": path,
        "additions": additions,
        "deletions": deletions,
        "changeType": change,
        "viewerViewedState": "UNVIEWED",
        "previous_filename": None,
        "patch": None,
        "sha": oid("blob", path, additions, deletions),
    } | more


def pull(repo: Node, number: int, created: str, **more: Any) -> Node:
    """A pull request, put into the repository: open until `merge_pull` or `close_pull`, sized by its files."""
    files = more.get("files", [])
    made = {
        "__typename": "PullRequest",
        "id": f"PR_kwDO{repo['databaseId']}n{number}",
        "fullDatabaseId": str(3_000_000_000 + repo["databaseId"] % 100_000 * 100_000 + number),  # beyond 32 bits
        "number": number,
        "title": f"Change number {number}",
        "body": "",
        "url": f"{repo['url']}/pull/{number}",
        "state": "OPEN",
        "isDraft": False,
        "isCrossRepository": False,
        "createdAt": created,
        "updatedAt": created,
        "closedAt": None,
        "mergedAt": None,
        "mergedBy": None,
        "mergeCommit": None,
        "lastEditedAt": None,
        "author": None,
        "authorAssociation": "CONTRIBUTOR",
        "additions": sum(file["additions"] for file in files),
        "deletions": sum(file["deletions"] for file in files),
        "changedFiles": len(files),
        "baseRefName": repo["branches"][0],
        "baseRefOid": oid(repo["databaseId"], "base", number),
        "headRefName": f"change-{number}",
        "headRefOid": oid(repo["databaseId"], "head", number),
        "headRepository": repo,
        "headRepositoryOwner": repo["owner"],
        "reviewDecision": None,
        "milestone": None,
        "locked": False,
        "maintainerCanModify": False,
        "mergeable": "UNKNOWN",
        "labels": [],
        "assignees": [],
        "files": files,
        "commits": [],
        "comments": [],
        "reviews": [],
        "reviewRequests": [],
        "reviewThreads": [],
        "closingIssuesReferences": [],
        "events": [],
        "repository": repo,
    } | more
    repo["pullRequests"].append(made)
    return made


def event(request: Node, kind: str, at: str, who: Node | None = None, **more: Any) -> Node:
    """Something that happened to a pull request, such as a ReadyForReviewEvent; put into its timeline."""
    made = {
        "__typename": kind,
        "id": f"EV_{request['id']}_{len(request['events'])}",
        "databaseId": stable_id(request["id"], kind, len(request["events"])),
        "createdAt": at,
        "actor": who,
        "pullRequest": request,
    } | more
    request["events"].append(made)
    return made


def ask_for_review(request: Node, at: str, reviewer: Node, *, pending: bool = False) -> None:
    """A person or team is asked to review; whoever has not answered yet is `pending`."""
    event(request, "ReviewRequestedEvent", at, request["author"], requestedReviewer=reviewer)
    if pending:
        made = {
            "__typename": "ReviewRequest",
            "id": f"RR_{request['id']}_{len(request['reviewRequests'])}",
            "asCodeOwner": reviewer["__typename"] == "Team",
            "requestedReviewer": reviewer,
            "pullRequest": request,
        }
        request["reviewRequests"].append(made)


def review(request: Node, who: Node | None, at: str | None, state: str = "APPROVED", **more: Any) -> Node:
    """A review, put into the pull request; a PENDING one was never submitted."""
    number = stable_id(request["id"], "review", len(request["reviews"]))
    made = {
        "__typename": "PullRequestReview",
        "id": f"PRR_{number}",
        "fullDatabaseId": str(number),
        "author": who,
        "authorAssociation": "MEMBER" if who else "NONE",
        "body": "",
        "state": state,
        "createdAt": at or request["createdAt"],
        "updatedAt": at or request["createdAt"],
        "submittedAt": at,
        "commit": commit(request["repository"], request["headRefOid"], request["createdAt"]),
        "pullRequest": request,
    } | more
    made["url"] = f"{request['url']}#pullrequestreview-{made['fullDatabaseId']}"
    request["reviews"].append(made)
    return made


def thread(request: Node, path: str, line: int, **more: Any) -> Node:
    """A review thread without comments yet, put into the pull request."""
    number = stable_id(request["id"], "thread", len(request["reviewThreads"]))
    made = {
        "__typename": "PullRequestReviewThread",
        "id": f"PRRT_{number}",
        "isResolved": False,
        "isOutdated": False,
        "isCollapsed": False,
        "resolvedBy": None,
        "path": path,
        "diffSide": "RIGHT",
        "subjectType": "LINE",
        "originalLine": line,
        "comments": [],
        "pullRequest": request,
        "repository": request["repository"],
    } | more
    made["line"] = None if made["isOutdated"] else line
    request["reviewThreads"].append(made)
    return made


def review_comment(of: Node, who: Node | None, at: str, body: str, reviewed: Node, **more: Any) -> Node:
    """A comment in a review thread, given with the review `reviewed`."""
    request = of["pullRequest"]
    number = stable_id(of["id"], "comment", len(of["comments"]))
    head = commit(request["repository"], request["headRefOid"], request["createdAt"])
    made = {
        "__typename": "PullRequestReviewComment",
        "id": f"PRRC_{number}",
        "fullDatabaseId": str(number),
        "author": who,
        "authorAssociation": "MEMBER" if who else "NONE",
        "body": body,
        "createdAt": at,
        "updatedAt": at,
        "path": of["path"],
        "line": of["line"],
        "originalLine": of["originalLine"],
        "position": None if of["isOutdated"] else 4,
        "originalPosition": 4,
        "outdated": of["isOutdated"],
        "diffHunk": "@@ -1 +1 @@",
        "commit": head,
        "originalCommit": head,
        "replyTo": of["comments"][0] if of["comments"] else None,
        "pullRequestReview": reviewed,
        "pullRequest": request,
    } | more
    made["url"] = f"{request['url']}#discussion_r{made['fullDatabaseId']}"
    of["comments"].append(made)
    return made


def comment(on: Node, who: Node | None, at: str, body: str = "Thanks!") -> Node:
    """A plain comment, put below a pull request or an issue."""
    number = stable_id(on["id"], "comment", len(on["comments"]))
    made = {
        "__typename": "IssueComment",
        "id": f"IC_{number}",
        "fullDatabaseId": str(number),
        "author": who,
        "authorAssociation": "MEMBER" if who else "NONE",
        "body": body,
        "createdAt": at,
        "updatedAt": at,
        "url": f"{on['url']}#issuecomment-{number}",
    }
    on["comments"].append(made)
    return made


def add_commit(request: Node, at: str, *, who: Node | None, message: str) -> Node:
    """A commit on a pull request's branch."""
    index = len(request["commits"])
    sha = oid(request["id"], "commit", index)
    made = {
        "__typename": "PullRequestCommit",
        "id": f"PRC_{request['id']}_{index}",
        "commit": commit(request["repository"], sha, at, who=who, message=message),
        "pullRequest": request,
    }
    request["commits"].append(made)
    return made


def issue(repo: Node, number: int, title: str, created: str, *, author: Node | None = None, **more: Any) -> Node:
    """An issue, put into the repository."""
    made = {
        "__typename": "Issue",
        "id": f"I_kwDO{repo['databaseId']}n{number}",
        "fullDatabaseId": str(4_000_000_000 + repo["databaseId"] % 100_000 * 100_000 + number),
        "number": number,
        "title": title,
        "body": "",
        "url": f"{repo['url']}/issues/{number}",
        "state": "OPEN",
        "stateReason": None,
        "createdAt": created,
        "updatedAt": created,
        "closedAt": None,
        "author": author,
        "authorAssociation": "MEMBER",
        "milestone": None,
        "locked": False,
        "labels": [],
        "assignees": [],
        "comments": [],
        "repository": repo,
    } | more
    repo["issues"].append(made)
    return made


def tag(repo: Node, name: str, target: Node, *, annotated_at: str | None = None) -> Node:
    """A tag on a commit, annotated if `annotated_at` says when."""
    points_at = target
    if annotated_at:
        points_at = {
            "__typename": "Tag",
            "id": f"TA_{repo['databaseId']}_{name}",
            "oid": oid(repo["databaseId"], "tag", name),
            "name": name,
            "message": f"Version {name}",
            "tagger": git_actor(None, annotated_at),
            "target": target,
            "repository": repo,
        }
    made = {
        "__typename": "Ref",
        "id": f"REF_{repo['databaseId']}_{name}",
        "name": name,
        "prefix": "refs/tags/",
        "target": points_at,
        "repository": repo,
    }
    repo["tags"].append(made)
    return made


def release(repo: Node, tag_name: str, created: str, *, author: Node | None = None, **more: Any) -> Node:
    """A release; a draft has neither tag nor date of publication."""
    number = stable_id(repo["databaseId"], "release", tag_name)
    draft = more.get("isDraft", False)
    made = {
        "__typename": "Release",
        "id": f"RE_{number}",
        "databaseId": number,
        "tagName": tag_name,
        "name": f"Version {tag_name}",
        "description": f"What is new in {tag_name}.",
        "createdAt": created,
        "publishedAt": None if draft else created,
        "updatedAt": created,
        "isDraft": draft,
        "isPrerelease": False,
        "author": author,
        "url": f"{repo['url']}/releases/tag/{tag_name}",
        "repository": repo,
    } | more
    repo["releases"].append(made)
    return made


def merge_pull(request: Node, at: str, who: Node | None) -> None:
    """The pull request is merged, by `who`."""
    message = f"{request['title']} (#{request['number']})\n\n{request['body'] or ''}".strip()
    sha = oid(request["id"], "merge")
    merged = commit(request["repository"], sha, at, who=request["author"], message=message)
    merged["parents"] = [commit(request["repository"], request["baseRefOid"], request["createdAt"])]
    request.update(state="MERGED", mergedAt=at, closedAt=at, mergedBy=who, mergeCommit=merged)
    event(request, "MergedEvent", at, who, commit=merged, mergeRefName=request["baseRefName"])
    event(request, "ClosedEvent", at, who)


def close_pull(request: Node, at: str, who: Node | None) -> None:
    """The pull request is closed without a merge."""
    request.update(state="CLOSED", closedAt=at)
    event(request, "ClosedEvent", at, who)


def reopen_pull(request: Node, at: str, who: Node | None) -> None:
    """The closed pull request is opened again."""
    request.update(state="OPEN", closedAt=None)
    event(request, "ReopenedEvent", at, who)
