"""What one line of a patch says, and what is left of many such facts once moves and edits are taken out."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

Read = Callable[[str], str | None]  # the text of a file by the hash of its content; None if it can't be had

LONGEST_DETAIL = 120


class Told(NamedTuple):
    """What becomes a signal."""

    path: str
    line: int
    kind: str
    detail: str


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """Something that a patch adds or takes away."""

    group: str  # facts of one group can cancel each other
    key: str  # its own text: added here and removed there, it was moved
    path: str
    place: int  # the hunk it stands in: added and removed in one, it was edited
    line: int
    is_added: bool
    kind: str | None  # of the signal that it becomes; None: it only cancels others
    detail: str = ""


def remaining(facts: Iterable[Fact]) -> list[Fact]:
    """The facts that are neither part of a move (same text, anywhere) nor of an edit (same group, same hunk)."""
    left = _uncancelled(list(facts), lambda fact: (fact.group, fact.key))
    return _uncancelled(left, lambda fact: (fact.group, fact.path, fact.place))


def _uncancelled(facts: list[Fact], same: Callable[[Fact], Hashable]) -> list[Fact]:
    """The facts without those that have an opposite, one for one, the earliest first."""
    waiting: dict[Hashable, tuple[list[Fact], list[Fact]]] = defaultdict(lambda: ([], []))
    for fact in facts:
        waiting[same(fact)][fact.is_added].append(fact)
    gone: set[int] = set()
    for removed, added in waiting.values():
        number = min(len(removed), len(added))
        gone.update(id(fact) for fact in (*removed[:number], *added[:number]))
    return [fact for fact in facts if id(fact) not in gone]
