"""The invented sample payloads in tests/replies/: four pull requests in every shape, and two dozen failures."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from fake_github import nodes
from fake_github.nodes import Node

REPLIES = Path(__file__).resolve().parent.parent / "replies"


@cache
def load(name: str) -> Any:
    """A payload by its file's name; not to be changed."""
    return json.loads((REPLIES / name).read_text(encoding="utf-8"))


def query_text(name: str) -> str:
    """A sample query, such as `bulk_merged_prs`."""
    return (REPLIES / f"{name}.graphql").read_text(encoding="utf-8")


def error_sample(name: str) -> dict[str, Any]:
    """One failure: status, headers, body or body_text, and `is_graphql`."""
    for file in ("graphql_errors.json", "rest_errors.json"):
        for sample in load(file):
            if sample["name"] == name:
                return sample | {"is_graphql": file == "graphql_errors.json"}
    raise LookupError(f"There is no failure called {name} in the samples.")


def from_fixtures() -> Node:
    """The sample repository harbor-example/tidepool with its four pull requests.

    What the samples only count (comments, commits) is invented; all else is as they have it.
    """
    answer = load("graphql_page.json")["data"]["repository"]
    details = load("rest_pull_details.json")
    rest_repo = details["101"]["base"]["repo"]
    repo = nodes.repository(
        answer["nameWithOwner"],
        owner=account(rest_repo["owner"]),
        databaseId=answer["databaseId"],
        id=answer["id"],
        isPrivate=answer["isPrivate"],
        pushedAt=rest_repo["pushed_at"],
        updatedAt=rest_repo["updated_at"],
        branches=["main", "release/2026.10"],
        texts={".github/CODEOWNERS": "* @ada-example\n/docs/ @harbor-example/writers-example\n"},
    )
    people = People(repo["owner"])
    for request in reversed(answer["pullRequests"]["nodes"]):
        add_pull(repo, people, request, details[str(request["number"])])
    return repo


def account(user: Node) -> Node:
    """An account from REST's words."""
    login = user["login"].removesuffix("[bot]")
    return nodes.actor(login, user["type"], databaseId=user["id"], id=user["node_id"])


class People:
    """One account for each login, with the name that some payload tells."""

    def __init__(self, owner: Node) -> None:
        self.owner = owner
        self.known: dict[str, Node] = {}

    def meet(self, in_graphql: Node | None, in_rest: Node | None) -> Node | None:
        """Whoever two payloads call by the same login."""
        if in_graphql is None or in_rest is None:
            return None
        who = self.known.setdefault(in_graphql["login"], account(in_rest))
        who["name"] = in_graphql.get("name", who["name"])
        return who

    def named(self, login: str) -> Node:
        return self.known.setdefault(login, nodes.actor(login))


def add_pull(repo: Node, people: People, request: Node, detail: Node) -> None:
    """One sample pull request, from what GraphQL and REST tell of it."""
    number = request["number"]
    who = people.meet(request["author"], detail["user"])
    merger = people.meet(request["mergedBy"], detail["merged_by"])
    plain = {name: value for name, value in request.items() if not isinstance(value, dict)}
    made = nodes.pull(
        repo,
        number,
        **{name: value for name, value in plain.items() if name not in {"number", "createdAt"}} | {"author": who},
        created=request["createdAt"],
        files=[changed_file(*pair) for pair in zip(files_of(request), rest_of("files", number), strict=True)],
    )
    made.update(
        body=detail["body"],
        mergedBy=merger,
        changedFiles=request["changedFiles"],
        additions=request["additions"],
        deletions=request["deletions"],
        baseRefOid=detail["base"]["sha"],
        mergeCommit=nodes.commit(repo, request["mergeCommit"]["oid"], request["mergedAt"], who=who),
        labels=[add_label(repo, label) for label in detail["labels"]],
    )
    if detail["head"]["repo"] is None:
        made.update(headRepository=None, headRepositoryOwner=None)
    if milestone := detail["milestone"]:
        creator = people.meet(milestone["creator"], milestone["creator"])
        made["milestone"] = nodes.milestone(repo, milestone["number"], milestone["title"], creator)
    add_discussion(repo, people, made, request)


def files_of(request: Node) -> list[Node]:
    """All files of a sample, over both pages where there are two."""
    files = request["files"]["nodes"]
    if request["files"]["pageInfo"]["hasNextPage"]:
        files = files + load("graphql_files_101_page2.json")["data"]["node"]["files"]["nodes"]
    return files


def rest_of(kind: str, number: int) -> list[Node]:
    return load(f"rest_pull_{kind}.json")[str(number)]


def changed_file(in_graphql: Node, in_rest: Node) -> Node:
    return nodes.changed_file(
        in_graphql["path"],
        in_graphql["additions"],
        in_graphql["deletions"],
        in_graphql["changeType"],
        previous_filename=in_rest.get("previous_filename"),
        sha=in_rest["sha"],
    )


def add_label(repo: Node, label: Node) -> Node:
    return nodes.label(
        repo,
        label["name"],
        label["color"],
        id=label["node_id"],
        databaseId=label["id"],
        description=label["description"],
        isDefault=label["default"],
    )


def add_discussion(repo: Node, people: People, made: Node, request: Node) -> None:
    """Reviews, threads, linked issues, review requests, and what is only counted."""
    number = made["number"]
    for review, in_rest in zip(request["reviews"]["nodes"], rest_of("reviews", number), strict=True):
        who = people.meet(review["author"], in_rest["user"])
        names = {"id": review["id"], "fullDatabaseId": str(in_rest["id"])}
        nodes.review(made, who, review["submittedAt"], review["state"], **names)
    for thread, comment in zip(request["reviewThreads"]["nodes"], rest_of("review_comments", number), strict=True):
        add_thread(people, made, thread, comment)
    for issue in request["closingIssuesReferences"]["nodes"]:
        title, created = issue["title"], "2026-09-15T08:00:00Z"
        linked = nodes.issue(repo, issue["number"], title, created, state="CLOSED", closedAt=made["mergedAt"])
        made["closingIssuesReferences"].append(linked)
    for asked in request["timelineItems"]["nodes"]:
        reviewer = asked["requestedReviewer"]
        of_whom = people.named(reviewer["login"]) if "login" in reviewer else nodes.team(reviewer["slug"], people.owner)
        nodes.ask_for_review(made, asked["createdAt"], of_whom)
    nodes.event(
        made, "MergedEvent", made["mergedAt"], made["mergedBy"], commit=made["mergeCommit"], mergeRefName="main"
    )
    for index in range(request["comments"]["totalCount"]):
        nodes.comment(made, made["author"], made["createdAt"], f"Comment {index + 1}")
    for index in range(request["commits"]["totalCount"]):
        nodes.add_commit(made, made["createdAt"], who=made["author"], message=f"Step {index + 1}")


def add_thread(people: People, made: Node, thread: Node, comment: Node) -> None:
    resolver = people.named(thread["resolvedBy"]["login"]) if thread["resolvedBy"] else None
    flags = {name: thread[name] for name in ("id", "isResolved", "isOutdated")}
    added = nodes.thread(made, thread["path"], comment["original_line"], resolvedBy=resolver, **flags)
    reviewed = next(
        each for each in made["reviews"] if each["fullDatabaseId"] == str(comment["pull_request_review_id"])
    )
    nodes.review_comment(
        added,
        people.named(comment["user"]["login"]),
        comment["created_at"],
        comment["body"],
        reviewed,
        id=comment["node_id"],
        fullDatabaseId=str(comment["id"]),
        diffHunk=comment["diff_hunk"],
    )
