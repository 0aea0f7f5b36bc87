"""Fields of GraphQL that follow from others, or that take arguments. All other fields are stored as they are asked."""

import re
from collections.abc import Callable, Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from fake_github import nodes
from fake_github.nodes import Node, oid
from fake_github.paging import GitHubError, key_page
from fake_github.world import World, numbered

if TYPE_CHECKING:
    from fake_github.graph import Query

Arguments = dict[str, Any]

MOST_FILES = 3000  # that GitHub tells of one pull request, here and in REST; `changedFiles` knows them all

KEYS: dict[str, Callable[[Node], Any]] = {
    "CREATED_AT": lambda item: item["createdAt"],
    "UPDATED_AT": lambda item: item["updatedAt"],
    "COMMENTS": lambda item: len(item["comments"]),
}


def not_found(kind: str, what: str) -> GitHubError:
    return GitHubError(f"Could not resolve to a {kind} with {what}.", type="NOT_FOUND")


# Where a query starts


def find_repository(world: World, arguments: Arguments) -> Node:
    name = f"{arguments['owner']}/{arguments['name']}"
    repo = world.find(name, follow_renames=arguments.get("followRenames", True))
    if repo is None:
        raise not_found("Repository", f"the name '{name}'")
    return repo


def find_node(world: World, wanted: str) -> Node | GitHubError:
    """The node, or the error that stands in its place."""
    return world.node(wanted) or not_found("node", f"the global id of '{wanted}'")


def the_one(items: list[Node], kind: str, number: int) -> Node:
    found = numbered(items, number)
    if found is None:
        raise not_found(kind, f"the number of {number}")
    return found


# Repositories


def pull_requests(repo: Node, arguments: Arguments) -> Node:
    states, base, head = (arguments.get(name) for name in ("states", "baseRefName", "headRefName"))
    labels = set(arguments.get("labels") or ())
    wanted = [
        request
        for request in repo["pullRequests"]
        if (not states or request["state"] in states)
        and (not base or request["baseRefName"] == base)
        and (not head or request["headRefName"] == head)
        and (not labels or labels & {label["name"] for label in request["labels"]})
    ]
    return key_page(wanted, arguments, KEYS)


def issues(repo: Node, arguments: Arguments) -> Node:
    since = (arguments.get("filterBy") or {}).get("since") or ""
    states = arguments.get("states")
    wanted = [
        issue for issue in repo["issues"] if (not states or issue["state"] in states) and issue["updatedAt"] >= since
    ]
    return key_page(wanted, arguments, KEYS)


def releases(repo: Node, arguments: Arguments) -> list[Node]:
    order = arguments.get("orderBy") or {"field": "CREATED_AT", "direction": "DESC"}
    key = "name" if order["field"] == "NAME" else "createdAt"
    return sorted(repo["releases"], key=lambda release: release[key], reverse=order["direction"] == "DESC")


def latest_release(repo: Node) -> Node | None:
    out = [release for release in repo["releases"] if not release["isDraft"] and not release["isPrerelease"]]
    return max(out, key=lambda release: release["createdAt"], default=None)


def refs(repo: Node, arguments: Arguments) -> list[Node]:
    order = arguments.get("orderBy") or {"field": "ALPHABETICAL", "direction": arguments.get("direction") or "ASC"}
    key = ref_date if order["field"] == "TAG_COMMIT_DATE" else lambda ref: ref["name"]
    return sorted(refs_below(repo, arguments["refPrefix"]), key=key, reverse=order["direction"] == "DESC")


def ref_date(ref: Node) -> tuple[str, str]:
    return tagged_commit(ref)["committedDate"], ref["name"]


def refs_below(repo: Node, prefix: str) -> Iterable[Node]:
    if prefix == "refs/heads/":
        return (branch(repo, name) for name in repo["branches"])
    return iter(repo["tags"] if prefix == "refs/tags/" else ())


def find_ref(repo: Node, name: str) -> Node | None:
    """A branch or tag by its short or full name."""
    every = chain(refs_below(repo, "refs/heads/"), refs_below(repo, "refs/tags/"))
    return next((ref for ref in every if name in {ref["name"], ref["prefix"] + ref["name"]}), None)


def branch(repo: Node, name: str) -> Node:
    """A branch; its tip is the last commit merged into it."""
    merged = [
        request["mergeCommit"]
        for request in repo["pullRequests"]
        if request["mergeCommit"] and request["baseRefName"] == name
    ]
    first = nodes.commit(repo, oid(repo["databaseId"], name), repo["createdAt"], message="First commit")
    return {
        "__typename": "Ref",
        "id": f"REF_{repo['databaseId']}_heads_{name}",
        "name": name,
        "prefix": "refs/heads/",
        "target": max(merged, key=lambda commit: commit["committedDate"], default=first),
        "repository": repo,
    }


def default_branch(repo: Node) -> Node | None:
    return branch(repo, repo["branches"][0]) if repo["branches"] else None


def tagged_commit(ref: Node) -> Node:
    """The commit that a branch or a tag, annotated or not, leads to."""
    target = ref["target"]
    return target["target"] if target["__typename"] == "Tag" else target


def release_tag(release: Node) -> Node | None:
    return next((ref for ref in release["repository"]["tags"] if ref["name"] == release["tagName"]), None)


def git_object(repo: Node, arguments: Arguments) -> Node | None:
    """What `HEAD`, `main:.github/CODEOWNERS` or a hash names: a commit, a file's content, or nothing."""
    name, _, path = (arguments.get("expression") or arguments.get("oid") or "").partition(":")
    target = find_revision(repo, name)
    if target is None or not path:
        return target
    return blob(repo, path) if path in repo["texts"] else None


def find_revision(repo: Node, name: str) -> Node | None:
    """The commit (or annotated tag) that `HEAD`, a branch, a tag or a hash names."""
    ref = default_branch(repo) if name == "HEAD" else find_ref(repo, name)
    if ref is not None:
        return ref["target"]
    return next((each for each in git_objects(repo) if each["oid"] == name), None)


def git_objects(repo: Node) -> Iterable[Node]:
    """Every commit that a pull request brought or a tag names, and every annotated tag."""
    for request in repo["pullRequests"]:
        yield from (item["commit"] for item in request["commits"])
        if request["mergeCommit"]:
            yield request["mergeCommit"]
    for ref in repo["tags"]:
        yield from (ref["target"], tagged_commit(ref))


def blob(repo: Node, path: str) -> Node:
    text = repo["texts"][path]
    return {
        "__typename": "Blob",
        "id": f"B_{repo['databaseId']}_{path}",
        "oid": oid("blob", text),
        "text": text,
        "byteSize": len(text.encode()),
        "isBinary": False,
        "isTruncated": False,
        "repository": repo,
    }


# Pull requests


def reviews(request: Node, arguments: Arguments) -> list[Node]:
    states, author = arguments.get("states"), arguments.get("author")
    return [
        review
        for review in request["reviews"]
        if (not states or review["state"] in states) and (not author or (review["author"] or {}).get("login") == author)
    ]


def latest_reviews(request: Node) -> list[Node]:
    """The last review of each person, unless that person is asked again."""
    asked = {item["requestedReviewer"].get("login") for item in request["reviewRequests"]}
    return [review for review in last_of_each(request["reviews"]) if review["author"]["login"] not in asked]


def latest_opinions(request: Node) -> list[Node]:
    opinions = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
    return last_of_each(review for review in request["reviews"] if review["state"] in opinions)


def last_of_each(reviews: Iterable[Node]) -> list[Node]:
    known = (review for review in reviews if review["submittedAt"] and review["author"])
    return list({review["author"]["login"]: review for review in known}.values())


def participants(request: Node) -> list[Node]:
    said = chain(request["reviews"], request["comments"])
    people = filter(None, [request["author"], *(item["author"] for item in said)])
    users = {person["login"]: person for person in people if person["__typename"] == "User" and not person["deleted"]}
    return list(users.values())


def total_comments(request: Node) -> int:
    return len(request["comments"]) + sum(len(thread["comments"]) for thread in request["reviewThreads"])


def timeline_items(request: Node, arguments: Arguments) -> list[Node]:
    types = {type_name(item) for item in arguments.get("itemTypes") or ()}
    since = arguments.get("since") or ""
    wanted = [
        item for item in timeline(request) if (not types or item["__typename"] in types) and moment(item) >= since
    ]
    return wanted[arguments.get("skip") or 0 :]


def timeline(request: Node) -> list[Node]:
    """All that happened to a pull request, in order of time: events, commits, comments and reviews."""
    submitted = (review for review in request["reviews"] if review["submittedAt"])
    return sorted(chain(request["commits"], request["events"], submitted, request["comments"]), key=moment)


def moment(item: Node) -> str:
    match item["__typename"]:
        case "PullRequestCommit":
            return item["commit"]["committedDate"]
        case "PullRequestReview":
            return item["submittedAt"]
    return item["createdAt"]


def type_name(item_type: str) -> str:
    """`HEAD_REF_FORCE_PUSHED_EVENT` selects a HeadRefForcePushedEvent."""
    return "".join(word.capitalize() for word in item_type.split("_"))


def comments_given_with(review: Node) -> list[Node]:
    threads = review["pullRequest"]["reviewThreads"]
    return [each for thread in threads for each in thread["comments"] if each["pullRequestReview"] is review]


def closing_pulls(issue: Node) -> list[Node]:
    return [
        request
        for request in issue["repository"]["pullRequests"]
        if any(each is issue for each in request["closingIssuesReferences"])
    ]


def commit_authors(commit: Node) -> list[Node]:
    """The author, and whoever a `Co-authored-by:` trailer names."""
    trailers = re.findall(r"^Co-authored-by: (.+?) <(.+?)>$", commit["message"], re.MULTILINE | re.IGNORECASE)
    others = [
        {"__typename": "GitActor", "name": name, "email": email, "date": commit["authoredDate"], "user": None}
        for name, email in trailers
    ]
    return [commit["author"], *others]


def database_id(item: Node) -> int | None:
    """An `Int` of GraphQL has 32 bits; GitHub's newer numbers have more, which is why `fullDatabaseId` exists."""
    number = int(item["fullDatabaseId"])
    return number if number < 2**31 else None


def body(item: Node) -> str:
    """GraphQL knows no missing body: REST's null is an empty text."""
    return item["body"] or ""


# `Type.field` -> how it follows from the object
FOLLOWING: dict[str, Callable[[Node], Any]] = {
    "Blob.abbreviatedOid": lambda blob: blob["oid"][:7],
    "Commit.abbreviatedOid": lambda commit: commit["oid"][:7],
    "Commit.authors": commit_authors,
    "Commit.commitUrl": lambda commit: f"{commit['repository']['url']}/commit/{commit['oid']}",
    "Commit.messageBody": lambda commit: commit["message"].partition("\n")[2].strip(),
    "Commit.messageHeadline": lambda commit: commit["message"].partition("\n")[0],
    "Commit.url": lambda commit: f"{commit['repository']['url']}/commit/{commit['oid']}",
    "Issue.body": body,
    "Issue.bodyText": body,
    "Issue.closed": lambda issue: issue["state"] == "CLOSED",
    "Issue.closedByPullRequestsReferences": closing_pulls,
    "Issue.databaseId": database_id,
    "Issue.resourcePath": lambda issue: issue["url"].removeprefix(nodes.WEB),
    "IssueComment.bodyText": body,
    "IssueComment.databaseId": database_id,
    "Milestone.closed": lambda milestone: milestone["state"] == "CLOSED",
    "PullRequest.baseRepository": lambda request: request["repository"],
    "PullRequest.body": body,
    "PullRequest.bodyText": body,
    "PullRequest.closed": lambda request: request["state"] != "OPEN",
    "PullRequest.databaseId": database_id,
    "PullRequest.files": lambda request: request["files"][:MOST_FILES],
    "PullRequest.latestOpinionatedReviews": latest_opinions,
    "PullRequest.latestReviews": latest_reviews,
    "PullRequest.merged": lambda request: request["state"] == "MERGED",
    "PullRequest.participants": participants,
    "PullRequest.permalink": lambda request: request["url"],
    "PullRequest.publishedAt": lambda request: request["createdAt"],
    "PullRequest.resourcePath": lambda request: request["url"].removeprefix(nodes.WEB),
    "PullRequest.totalCommentsCount": total_comments,
    "PullRequestReview.bodyText": body,
    "PullRequestReview.comments": comments_given_with,
    "PullRequestReview.databaseId": database_id,
    "PullRequestReview.repository": lambda review: review["pullRequest"]["repository"],
    "PullRequestReviewComment.bodyText": body,
    "PullRequestReviewComment.databaseId": database_id,
    "Release.isLatest": lambda release: latest_release(release["repository"]) is release,
    "Release.tag": release_tag,
    "Release.tagCommit": lambda release: (tag := release_tag(release)) and tagged_commit(tag),
    "Repository.defaultBranchRef": default_branch,
    "Repository.latestRelease": latest_release,
    "Repository.resourcePath": lambda repo: repo["url"].removeprefix(nodes.WEB),
    "Repository.visibility": lambda repo: "PRIVATE" if repo["isPrivate"] else "PUBLIC",
    "Tag.abbreviatedOid": lambda tag: tag["oid"][:7],
}

# `Type.field` -> how it follows from the object and the field's arguments
ASKED: dict[str, Callable[[Node, Arguments], Any]] = {
    "PullRequest.reviews": reviews,
    "PullRequest.timelineItems": timeline_items,
    "Repository.issue": lambda repo, asked: the_one(repo["issues"], "Issue", asked["number"]),
    "Repository.issueOrPullRequest": lambda repo, asked: the_one(
        [*repo["pullRequests"], *repo["issues"]], "issue or pull request", asked["number"]
    ),
    "Repository.issues": issues,
    "Repository.object": git_object,
    "Repository.pullRequest": lambda repo, asked: the_one(repo["pullRequests"], "PullRequest", asked["number"]),
    "Repository.pullRequests": pull_requests,
    "Repository.ref": lambda repo, asked: find_ref(repo, asked["qualifiedName"]),
    "Repository.refs": refs,
    "Repository.releases": releases,
}

# The fields where a query starts; the source is the query at hand
ROOTS: dict[str, Callable[["Query", Arguments], Any]] = {
    "Query.node": lambda query, asked: find_node(query.world, asked["id"]),
    "Query.nodes": lambda query, asked: [find_node(query.world, each) for each in asked["ids"]],
    "Query.rateLimit": lambda query, asked: query.rate_limit,
    "Query.repository": lambda query, asked: find_repository(query.world, asked),
    "Query.viewer": lambda query, asked: query.world.viewer,
}
