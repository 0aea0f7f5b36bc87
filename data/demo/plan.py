"""A pull request as its author means it, and as it came out."""

from collections.abc import Callable
from dataclasses import dataclass, field

from data.demo.changes import Change
from data.demo.team import Member
from data.demo.words import Subject
from data.records import PullRecord


@dataclass(slots=True)
class Plan:
    """What somebody is about to open."""

    author: Member
    area: str
    change: Change
    title: str
    body: str
    about: Subject | None = None  # None for bots and other special cases
    how: str | None = None  # its fate (see `life`), None to leave it to chance
    base: str = "main"
    head: str = ""
    labels: list[str] = field(default_factory=list)
    reverts: int | None = None  # a pull request whose commit the body names by hash only
    assisted: bool = False  # co-authored by a coding assistant
    at_landing: Callable[[], Change] | None = None  # a change that depends on the tree it lands on


@dataclass(slots=True)
class Pull:
    """A pull request under way or landed."""

    plan: Plan
    record: PullRecord

    @property
    def number(self) -> int:
        return self.record["number"]

    @property
    def title(self) -> str:
        return self.record["title"]
