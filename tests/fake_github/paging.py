"""Pages of GraphQL's connections.

The two lists that change while somebody walks them, pull requests and issues, have keyset cursors, as GitHub's have:
a cursor holds what it is sorted by and the number. The others count: their cursors are places in the list.
"""

import base64
import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from fake_github.nodes import Node


class GitHubError(Exception):
    """An error that GitHub answers for one field, with its `type` and whatever else stands beside the message."""

    def __init__(self, message: str, **more: Any) -> None:
        super().__init__(message)
        self.more = more


class Order(Protocol):
    """How a list is sorted, and what its cursors mean."""

    def cursor(self, index: int) -> str:
        """The cursor of one item."""

    def before(self, cursor: str) -> int:
        """How many items come before the one that a cursor names."""

    def through(self, cursor: str) -> int:
        """The same, counting that one too."""


class ByPlace:
    """The order in which a list is stored; cursors count."""

    def cursor(self, index: int) -> str:
        return base64.b64encode(str(index + 1).encode()).decode().rstrip("=")

    def before(self, cursor: str) -> int:
        return self.through(cursor) - 1

    def through(self, cursor: str) -> int:
        try:
            return int(base64.b64decode(cursor + "=" * (-len(cursor) % 4)))
        except ValueError as error:
            raise invalid(cursor) from error


class ByKey:
    """Sorted by a field and then by number; cursors hold both, so they survive changes."""

    def __init__(self, items: Sequence[Node], key: Callable[[Node], Any], *, descending: bool) -> None:
        self.descending = descending
        self.keys = sorted((key(item), item["number"]) for item in items)
        by_number = {item["number"]: item for item in items}
        self.items = [by_number[number] for _, number in (reversed(self.keys) if descending else self.keys)]

    def cursor(self, index: int) -> str:
        key = self.keys[-1 - index] if self.descending else self.keys[index]
        return base64.b64encode(f"cursor:v2:{json.dumps(key)}".encode()).decode()

    def before(self, cursor: str) -> int:
        key = self._key(cursor)
        return len(self.keys) - bisect_right(self.keys, key) if self.descending else bisect_left(self.keys, key)

    def through(self, cursor: str) -> int:
        key = self._key(cursor)
        return len(self.keys) - bisect_left(self.keys, key) if self.descending else bisect_right(self.keys, key)

    def _key(self, cursor: str) -> tuple[Any, int]:
        try:
            key, number = json.loads(base64.b64decode(cursor, validate=True).removeprefix(b"cursor:v2:"))
        except ValueError as error:
            raise invalid(cursor) from error
        return key, number


def invalid(cursor: str) -> GitHubError:
    return GitHubError(f"`{cursor}` does not appear to be a valid cursor.", type="INVALID_CURSOR_ARGUMENTS")


def page(items: Sequence[Any], arguments: dict[str, Any], order: Order | None = None) -> Node:
    """The part of `items`, sorted already, that `first`, `after`, `last` and `before` ask for."""
    order = order or ByPlace()
    after, before = arguments.get("after"), arguments.get("before")
    start = order.through(after) if after else 0
    stop = max(start, order.before(before)) if before else len(items)
    if (first := arguments.get("first")) is not None:
        stop = min(stop, start + first)
    if (last := arguments.get("last")) is not None:
        start = max(start, stop - last)
    chosen = items[start:stop]
    return {
        "totalCount": len(items),
        "filteredCount": len(items),  # this and the next one: timelines only
        "pageCount": len(chosen),
        "nodes": chosen,
        "edges": lambda: [{"cursor": order.cursor(start + i), "node": node} for i, node in enumerate(chosen)],
        "pageInfo": {
            "hasNextPage": stop < len(items),
            "hasPreviousPage": start > 0,
            "startCursor": order.cursor(start) if chosen else None,
            "endCursor": order.cursor(start + len(chosen) - 1) if chosen else None,
        },
    }


def key_page(items: Sequence[Node], arguments: dict[str, Any], keys: dict[str, Callable[[Node], Any]]) -> Node:
    """A page of pull requests or issues in the order that `orderBy` asks for; oldest first without it."""
    wanted = arguments.get("orderBy") or {"field": "CREATED_AT", "direction": "ASC"}
    order = ByKey(items, keys[wanted["field"]], descending=wanted["direction"] == "DESC")
    return page(order.items, arguments, order)
