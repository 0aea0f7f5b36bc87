"""What a sentence of the report says, before anybody puts it into words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Section = Literal["summary", "changes", "modules", "risks", "digest", "followups"]
SECTIONS: tuple[Section, ...] = ("summary", "changes", "modules", "risks", "digest", "followups")
Length = Literal["S", "M", "L"]
LENGTHS: tuple[Length, ...] = ("S", "M", "L")
Number = int | float
Names = Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True)
class Claim:
    """The facts of one sentence. The same facts give the same claims, whatever the language.

    `section`.`kind` is the name of its wording. A kind that is told once has that as its `id`; one that is told of
    several subjects (themes, rules, pull requests) has the subject's name behind it.
    """

    section: Section
    kind: str
    subject: str = ""
    numbers: Mapping[str, Number] = field(default_factory=dict)  # only what is known; a sentence prints no others
    prs: tuple[int, ...] = ()  # the pull requests behind it, in the order in which they are named
    names: Names = field(default_factory=dict)  # words of the repository: modules, paths, titles; and ids of ours
    evidence: tuple[Mapping[str, Any], ...] = ()  # what rules found, or reasons of links: told as `evidence` tells them
    query: Mapping[str, Any] = field(default_factory=dict)  # which list it is taken from: {"list": "risks", ...}
    level: Length = "M"  # the shortest length of the report that tells it

    @property
    def id(self) -> str:
        return ".".join(part for part in (self.section, self.kind, self.subject) if part)

    def as_report(self, text: str) -> dict[str, Any]:
        """The claim as the JSON report has it, with its sentence."""
        return {
            "id": self.id,
            "section": self.section,
            "text": text,
            "numbers": dict(self.numbers),
            "prs": list(self.prs),
            "names": {name: list(value) if isinstance(value, tuple) else value for name, value in self.names.items()},
            "evidence": [dict(each) for each in self.evidence],
            "query": dict(self.query),
            "level": self.level,
        }


def known(**numbers: Number | None) -> dict[str, Number]:
    """The numbers that are known: a sentence is silent where one is missing."""
    return {name: value for name, value in numbers.items() if value is not None}


def numbers_of(pulls: Iterable[Mapping[str, Any]]) -> tuple[int, ...]:
    """The numbers of pull requests as the report lists them."""
    return tuple(pull["number"] for pull in pulls)
