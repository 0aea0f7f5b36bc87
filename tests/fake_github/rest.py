"""The REST endpoints: which there are, what they list, and how lists are cut into pages."""

import re
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any
from urllib.parse import unquote, urlencode

from fake_github.bodies import Bodies, Body
from fake_github.fields import MOST_FILES, find_ref, find_revision, timeline
from fake_github.nodes import Node
from fake_github.world import World, numbered

MOST_COMMITS = 250
MOST_FOUND = 1000  # by a search
LONGEST_PAGE, USUAL_PAGE = 100, 30


@dataclass
class Reply:
    """What is sent back: JSON, or a text as it stands."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


class HttpError(Exception):
    """Another answer than 200."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(message)
        self.reply = Reply(
            status, {"message": message, "documentation_url": "", "status": str(status)} | more, headers or {}
        )


@dataclass
class Asked:
    """A request: where it came to, and what for. `base` is the address that the API has for this client."""

    base: str
    path: str
    query: dict[str, str]
    world: World

    @property
    def write(self) -> Bodies:
        return Bodies(self.base)


@dataclass
class Listing:
    """A list to be cut into pages, and how each of its items is written."""

    items: list[Any]
    write: Callable[[Any], Body]
    most: int | None = None  # that GitHub gives of it, however long it is
    around: Callable[[list[Body]], Body] | None = None  # what a page is wrapped in


Endpoint = Callable[..., Any]
GENERAL: dict[str, Endpoint] = {}  # pattern of a whole path -> answer to (asked, *groups)
IN_REPOSITORY: dict[str, Endpoint] = {}  # pattern below /repos/O/R -> answer to (asked, repository, *groups)


def endpoint(table: dict[str, Endpoint], pattern: str) -> Callable[[Endpoint], Endpoint]:
    def register(answer: Endpoint) -> Endpoint:
        table[pattern] = answer
        return answer

    return register


def answer(asked: Asked) -> Reply:
    """What GitHub answers to a GET."""
    try:
        return routed(asked)
    except HttpError as error:
        return error.reply


def routed(asked: Asked) -> Reply:
    if found := re.fullmatch(r"/repos/([^/]+/[^/]+)(/.*)?", asked.path):
        repo = asked.world.find(unquote(found[1]))
        if repo is not None and repo["nameWithOwner"].lower() != unquote(found[1]).lower():
            raise moved(asked, repo, found[2] or "")
        return in_repository(asked, repo, found[2] or "")
    if found := re.fullmatch(r"/repositories/(\d+)(/.*)?", asked.path):
        return in_repository(asked, asked.world.repository(int(found[1])), found[2] or "")
    return reply(asked, dispatch(GENERAL, asked.path, asked), asked.path)


def moved(asked: Asked, repo: Node, rest: str) -> HttpError:
    """The answer to an old name: the address by number, with everything that followed the name."""
    query = f"?{urlencode(asked.query)}" if asked.query else ""
    location = f"{asked.base}/repositories/{repo['databaseId']}{rest}{query}"
    return HttpError(301, "Moved Permanently", {"Location": location}, url=location)


def in_repository(asked: Asked, repo: Node | None, rest: str) -> Reply:
    if repo is None:
        raise HttpError(404, "Not Found")
    return reply(asked, dispatch(IN_REPOSITORY, rest, asked, repo), f"/repositories/{repo['databaseId']}{rest}")


def dispatch(table: dict[str, Endpoint], path: str, *arguments: Any) -> Any:
    for pattern, answer in table.items():
        if found := re.fullmatch(pattern, path):
            return answer(*arguments, *map(unquote, found.groups()))
    raise HttpError(404, "Not Found")


def reply(asked: Asked, result: Any, path: str) -> Reply:
    """A body, or the asked page of a listing with its links, which name a repository by number as GitHub's do."""
    if not isinstance(result, Listing):
        return Reply(body=result)
    number, size = page_asked(asked.query)
    items = result.items[: result.most]
    chosen = [result.write(item) for item in items[(number - 1) * size : number * size]]
    headers = {"Link": link} if (link := links(asked, path, number, -(-len(items) // size))) else {}
    return Reply(body=result.around(chosen) if result.around else chosen, headers=headers)


def page_asked(query: dict[str, str]) -> tuple[int, int]:
    """Which page, and how long pages are: at most 100, without a word."""
    number, size = positive(query.get("page"), 1), positive(query.get("per_page"), USUAL_PAGE)
    return number, min(size, LONGEST_PAGE)


def positive(text: str | None, usual: int) -> int:
    return int(text) if text and text.isdecimal() and int(text) > 0 else usual


def links(asked: Asked, path: str, number: int, last: int) -> str:
    """The `Link` header: empty where everything fits on one page."""
    if last <= 1 and number <= 1:
        return ""
    targets = {"prev": min(number - 1, last), "first": 1, "next": number + 1, "last": last}
    missing = {"prev", "first"} if number <= 1 else set()
    missing |= {"next", "last"} if number >= last else set()
    return ", ".join(
        f'<{asked.base}{path}?{urlencode(asked.query | {"page": target})}>; rel="{name}"'
        for name, target in targets.items()
        if name not in missing and target > 0
    )


# Outside of repositories


@endpoint(GENERAL, "/user")
def viewer(asked: Asked) -> Body:
    return asked.write.user(asked.world.viewer)


@endpoint(GENERAL, "/users/([^/]+)")
def account(asked: Asked, login: str) -> Body:
    wanted = login.lower().removesuffix("[bot]")
    for who in asked.world.accounts():
        if who["login"].lower() == wanted and (body := asked.write.user(who)):
            return body | {"name": who["name"]}
    raise HttpError(404, "Not Found")


@endpoint(GENERAL, "/search/issues")
def search(asked: Asked) -> Listing:
    """Pull requests and issues that match `q`; GitHub shows the first 1,000 and refuses pages past them."""
    number, size = page_asked(asked.query)
    if (number - 1) * size >= MOST_FOUND:
        raise HttpError(422, "Only the first 1000 search results are available")
    items = chain.from_iterable(chain(repo["pullRequests"], repo["issues"]) for repo in asked.world.repositories)
    terms = shlex.split(asked.query.get("q", ""))
    found = [item for item in items if all(matches(item, term) for term in terms)]
    key = {"updated": "updatedAt"}.get(asked.query.get("sort", ""), "createdAt")
    found.sort(key=lambda item: (item[key], item["number"]), reverse=asked.query.get("order") != "asc")

    def around(page: list[Body]) -> Body:
        return {"total_count": len(found), "incomplete_results": False, "items": page}

    write = asked.write
    return Listing(found, lambda item: write.issue(item) | {"score": 1.0}, MOST_FOUND, around)


def matches(item: Node, term: str) -> bool:
    """Whether an item fits one term of a search, such as `is:merged` or `merged:2026-01-01..2026-02-01`."""
    name, colon, value = term.partition(":")
    value = value.lower()
    dates = {"created": "createdAt", "updated": "updatedAt", "closed": "closedAt", "merged": "mergedAt"}
    if not colon:
        return term.lower() in item["title"].lower()
    if name in {"is", "type", "state"}:
        is_pull = item["__typename"] == "PullRequest"
        states = {
            "open": {"OPEN"},
            "closed": {"CLOSED", "MERGED"},
            "merged": {"MERGED"},
            "unmerged": {"OPEN", "CLOSED"},
        }
        return is_pull if value == "pr" else not is_pull if value == "issue" else item["state"] in states[value]
    if name == "repo":
        return item["repository"]["nameWithOwner"].lower() == value
    if name == "base":
        return item.get("baseRefName", "").lower() == value
    if name == "label":
        return any(label["name"].lower() == value for label in item["labels"])
    if name == "author":
        return (item["author"] or {}).get("login", "").lower() == value.removesuffix("[bot]").removeprefix("app/")
    if name in dates:
        return within(item.get(dates[name]), value.upper())
    raise HttpError(422, "Validation Failed", errors=[{"message": f"The fake does not search by {name}."}])


def within(moment: str | None, asked: str) -> bool:
    """Whether a moment lies in `A..B`, `>=A`, `<B` or on a day."""
    if moment is None:
        return False
    if ".." in asked:
        first, last = asked.split("..")
        return (first == "*" or moment >= first) and (last == "*" or moment[: len(last)] <= last)
    sign, day = re.fullmatch(r"([<>]=?)?(.*)", asked).groups()
    part = moment[: len(day)]
    return {None: part == day, ">": part > day, ">=": part >= day, "<": part < day, "<=": part <= day}[sign]


# In a repository


@endpoint(IN_REPOSITORY, "")
def repository(asked: Asked, repo: Node) -> Body:
    return asked.write.repository(repo)


@endpoint(IN_REPOSITORY, "/pulls")
def pulls(asked: Asked, repo: Node) -> Listing:
    """Unknown parameters, such as `since`, are ignored without a word."""
    base, head = asked.query.get("base"), asked.query.get("head")
    wanted = [
        request
        for request in in_state(asked, repo["pullRequests"])
        if (not base or request["baseRefName"] == base)
        and (not head or f"{(request['headRepositoryOwner'] or {}).get('login')}:{request['headRefName']}" == head)
    ]
    return Listing(in_order(asked, wanted), asked.write.pull)


@endpoint(IN_REPOSITORY, r"/pulls/(\d+)")
def pull(asked: Asked, repo: Node, number: str) -> Body:
    return asked.write.pull_in_full(the_pull(repo, number))


@endpoint(IN_REPOSITORY, r"/pulls/(\d+)/files")
def files(asked: Asked, repo: Node, number: str) -> Listing:
    request, write = the_pull(repo, number), asked.write
    return Listing(request["files"], lambda file: write.file(request, file), MOST_FILES)


@endpoint(IN_REPOSITORY, r"/pulls/(\d+)/commits")
def commits_of_pull(asked: Asked, repo: Node, number: str) -> Listing:
    commits = [item["commit"] for item in the_pull(repo, number)["commits"]]
    return Listing(commits, asked.write.commit, MOST_COMMITS)


@endpoint(IN_REPOSITORY, r"/pulls/(\d+)/reviews")
def reviews(asked: Asked, repo: Node, number: str) -> Listing:
    return Listing(the_pull(repo, number)["reviews"], asked.write.review)


@endpoint(IN_REPOSITORY, r"/pulls/(\d+)/requested_reviewers")
def requested_reviewers(asked: Asked, repo: Node, number: str) -> Body:
    body = asked.write.pull(the_pull(repo, number))
    return {"users": body["requested_reviewers"], "teams": body["requested_teams"]}


@endpoint(IN_REPOSITORY, r"/pulls/(\d+)/comments")
def review_comments(asked: Asked, repo: Node, number: str) -> Listing:
    return Listing(in_order(asked, since(asked, said_in([the_pull(repo, number)])), "asc"), asked.write.review_comment)


@endpoint(IN_REPOSITORY, "/pulls/comments")
def all_review_comments(asked: Asked, repo: Node) -> Listing:
    return Listing(in_order(asked, since(asked, said_in(repo["pullRequests"])), "asc"), asked.write.review_comment)


def said_in(requests: Iterable[Node]) -> list[Node]:
    return [comment for request in requests for thread in request["reviewThreads"] for comment in thread["comments"]]


@endpoint(IN_REPOSITORY, "/issues")
def issues(asked: Asked, repo: Node) -> Listing:
    items = in_state(asked, [*repo["pullRequests"], *repo["issues"]])
    return Listing(in_order(asked, since(asked, items)), asked.write.issue)


@endpoint(IN_REPOSITORY, r"/issues/(\d+)")
def issue(asked: Asked, repo: Node, number: str) -> Body:
    return asked.write.issue(the_item(repo, number))


@endpoint(IN_REPOSITORY, r"/issues/(\d+)/comments")
def comments(asked: Asked, repo: Node, number: str) -> Listing:
    item, write = the_item(repo, number), asked.write
    return Listing(since(asked, item["comments"]), lambda comment: write.comment(item, comment))


@endpoint(IN_REPOSITORY, r"/issues/(\d+)/timeline")
def timeline_of_pull(asked: Asked, repo: Node, number: str) -> Listing:
    request, write = the_pull(repo, number), asked.write
    return Listing(timeline(request), lambda item: write.timeline_item(request, item))


@endpoint(IN_REPOSITORY, "/contents/(.+)")
def contents(asked: Asked, repo: Node, path: str) -> Body:
    if path not in repo["texts"] or find_revision(repo, asked.query.get("ref", "HEAD")) is None:
        raise HttpError(404, "Not Found")
    return asked.write.content(repo, path)


@endpoint(IN_REPOSITORY, "/tags")
def tags(asked: Asked, repo: Node) -> Listing:
    return Listing(sorted(repo["tags"], key=lambda ref: ref["name"], reverse=True), asked.write.tag)


@endpoint(IN_REPOSITORY, r"/git/tags/(\w+)")
def annotated_tag(asked: Asked, repo: Node, sha: str) -> Body:
    """An annotated tag, which knows who made it and when."""
    for ref in repo["tags"]:
        target = ref["target"]
        if target["__typename"] == "Tag" and target["oid"] == sha:
            tagger = asked.write.git_actor(target["tagger"])
            names = {"tag": ref["name"], "sha": sha, "node_id": target["id"], "message": target["message"]}
            return names | {"tagger": tagger, "object": {"type": "commit", "sha": target["target"]["oid"]}}
    raise HttpError(404, "Not Found")


@endpoint(IN_REPOSITORY, r"/git/(?:matching-)?refs?/(.*)")
def git_refs(asked: Asked, repo: Node, name: str) -> Any:
    """`git/ref/tags/v1` is one ref, `git/matching-refs/tags/v` all that begin so."""

    def write(ref: Node) -> Body:
        kind = ref["target"]["__typename"].lower()
        names = {"ref": ref["prefix"] + ref["name"], "node_id": ref["id"]}
        return names | {"object": {"type": kind, "sha": ref["target"]["oid"]}}

    if "/git/matching-refs/" in asked.path:
        return Listing([ref for ref in repo["tags"] if (ref["prefix"] + ref["name"]).startswith(f"refs/{name}")], write)
    ref = find_ref(repo, f"refs/{name}")
    if ref is None:
        raise HttpError(404, "Not Found")
    return write(ref)


@endpoint(IN_REPOSITORY, r"/commits/(.+)")
def commit(asked: Asked, repo: Node, name: str) -> Body:
    found = find_revision(repo, name)
    if found is None:
        raise HttpError(422, f"No commit found for SHA: {name}")
    return asked.write.commit(found["target"] if found["__typename"] == "Tag" else found)


@endpoint(IN_REPOSITORY, "/releases")
def releases(asked: Asked, repo: Node) -> Listing:
    newest_first = sorted(repo["releases"], key=lambda release: release["createdAt"], reverse=True)
    return Listing(newest_first, asked.write.release)


def the_pull(repo: Node, number: str) -> Node:
    return found_or_404(repo["pullRequests"], number)


def the_item(repo: Node, number: str) -> Node:
    """An issue, or a pull request as one."""
    return found_or_404([*repo["pullRequests"], *repo["issues"]], number)


def found_or_404(items: list[Node], number: str) -> Node:
    found = numbered(items, int(number))
    if found is None:
        raise HttpError(404, "Not Found")
    return found


def in_state(asked: Asked, items: list[Node]) -> list[Node]:
    state = asked.query.get("state", "open")
    if state not in {"open", "closed", "all"}:
        raise HttpError(422, "Validation Failed", errors=[{"field": "state", "code": "invalid", "value": state}])
    return [item for item in items if state == "all" or (item["state"] == "OPEN") == (state == "open")]


def since(asked: Asked, items: list[Node]) -> list[Node]:
    return [item for item in items if item["updatedAt"] >= asked.query.get("since", "")]


def in_order(asked: Asked, items: list[Node], usual: str = "desc") -> list[Node]:
    """Sorted as asked; `sort` without `direction` goes the usual way."""
    key = {"updated": "updatedAt"}.get(asked.query.get("sort", ""), "createdAt")
    descending = asked.query.get("direction", usual) == "desc"
    return sorted(items, key=lambda item: (item[key], item.get("number", item["id"])), reverse=descending)
