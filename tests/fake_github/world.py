"""All that the fake knows: repositories under their names, old and new, and what can happen to them meanwhile."""

import time
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from fake_github import nodes
from fake_github.nodes import Node


class World:
    """Repositories and the accounts that occur in them.

    What changes a pull request sets `updatedAt` to this moment by the server's clock, as GitHub does. Without
    `repo` the first repository is meant.
    """

    def __init__(self, *repositories: Node, clock: Callable[[], float] = time.time) -> None:
        self.repositories = list(repositories)
        self.viewer = nodes.actor("maintainer-example", databaseId=9101, name="Maintainer Example")
        self.clock = clock
        self._names = {repo["nameWithOwner"].lower(): repo for repo in repositories}

    def now(self) -> str:
        """This moment by the server's clock."""
        return nodes.utc(self.clock())

    # What is there

    def find(self, name: str, *, follow_renames: bool = True) -> Node | None:
        """The repository of that name, whatever its case; an old name leads to it too."""
        repo = self._names.get(name.lower())
        if repo is None or (not follow_renames and repo["nameWithOwner"].lower() != name.lower()):
            return None
        return repo

    def repository(self, number: int) -> Node | None:
        """The repository with that numeric id."""
        return next((repo for repo in self.repositories if repo["databaseId"] == number), None)

    def pull(self, number: int, repo: Node | None = None) -> Node:
        """One pull request, to look at or to change by hand."""
        found = numbered((repo or self.repositories[0])["pullRequests"], number)
        assert found is not None, f"There is no pull request {number} here."
        return found

    def node(self, wanted: str) -> Node | None:
        """Whatever has that node id."""
        return next((node for node in self._nodes() if node["id"] == wanted), None)

    def _nodes(self) -> Iterator[Node]:
        for repo in self.repositories:
            yield repo
            yield from chain(repo["pullRequests"], repo["issues"], repo["releases"])
            for request in repo["pullRequests"]:
                yield from chain(request["reviews"], request["reviewThreads"])

    def accounts(self) -> Iterator[Node]:
        """Everybody who opened, merged or reviewed something, some of them more than once."""
        yield self.viewer
        for repo in self.repositories:
            yield repo["owner"]
            for request in repo["pullRequests"]:
                people = [request["author"], request["mergedBy"], *(review["author"] for review in request["reviews"])]
                yield from filter(None, people)

    # What happens

    def update(self, number: int, *, at: str | None = None, repo: Node | None = None, **fields: Any) -> Node:
        """Some fields of a pull request change; `at` says when, by GitHub's clock."""
        request = self.pull(number, repo)
        unknown = fields.keys() - request.keys()
        assert not unknown, f"A pull request has no {', '.join(sorted(unknown))}."
        request.update(fields, updatedAt=at or self.now())
        return request

    def open(self, title: str, *, author: Node | None = None, repo: Node | None = None, **fields: Any) -> Node:
        """A new pull request, with the next free number."""
        repo = repo or self.repositories[0]
        number = 1 + max((item["number"] for item in chain(repo["pullRequests"], repo["issues"])), default=0)
        return nodes.pull(repo, number, self.now(), title=title, author=author, **fields)

    def merge(self, number: int, *, by: Node | None = None, repo: Node | None = None) -> Node:
        """An open pull request is merged."""
        request = self.update(number, repo=repo)
        nodes.merge_pull(request, request["updatedAt"], by)
        return request

    def close(self, number: int, *, by: Node | None = None, repo: Node | None = None) -> Node:
        """An open pull request is closed without a merge."""
        request = self.update(number, repo=repo)
        nodes.close_pull(request, request["updatedAt"], by)
        return request

    def reopen(self, number: int, *, by: Node | None = None, repo: Node | None = None) -> Node:
        """A closed pull request is opened again."""
        request = self.update(number, repo=repo)
        nodes.reopen_pull(request, request["updatedAt"], by)
        return request

    def review(self, number: int, who: Node | None, state: str = "APPROVED", *, repo: Node | None = None) -> Node:
        """Somebody reviews a pull request."""
        request = self.update(number, repo=repo)
        return nodes.review(request, who, request["updatedAt"], state)

    def delete_pull(self, number: int, repo: Node | None = None) -> None:
        """A pull request vanishes, as spam does."""
        repo = repo or self.repositories[0]
        repo["pullRequests"] = [request for request in repo["pullRequests"] if request["number"] != number]

    def delete_account(self, login: str) -> None:
        """An account is deleted: wherever it stood, null is answered."""
        gone = [account for account in self.accounts() if account["login"] == login]
        assert gone, f"Nobody here is called {login}."
        for account in gone:
            account["deleted"] = True

    def rename(self, short: str, repo: Node | None = None) -> None:
        """The repository gets another name; the old one leads to it."""
        repo = repo or self.repositories[0]
        self._move(repo, repo["owner"], short)

    def transfer(self, owner: str, repo: Node | None = None) -> None:
        """The repository goes to another organization; the old name leads to it."""
        repo = repo or self.repositories[0]
        self._move(repo, nodes.actor(owner, "Organization"), repo["name"])

    def _move(self, repo: Node, owner: Node, short: str) -> None:
        name = f"{owner['login']}/{short}"
        before = repo["url"]
        repo.update(owner=owner, name=short, nameWithOwner=name, url=f"{nodes.WEB}/{name}")
        for item in chain(repo["pullRequests"], repo["issues"]):
            item["url"] = item["url"].replace(before, repo["url"])
        self._names[name.lower()] = repo


def numbered(items: list[Node], number: int) -> Node | None:
    """The pull request or issue of that number."""
    return next((item for item in items if item["number"] == number), None)
