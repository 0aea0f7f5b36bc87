"""A repository's life by chance: pull requests that follow, repair and revert each other, and what becomes of them."""

import random
from collections.abc import Callable
from typing import Any

from factories import REPO, make_file, make_pull, make_review
from merges import START

from data import links
from data.moments import utc_text
from data.people import Person, person
from data.records import PullRecord

PATHS = (
    *(f"app/{name}.py" for name in ("core", "jobs", "queue", "tax", "web")),
    *("lib/core/api.py", "lib/core/client.py", "tests/app/test_core.py", "tests/lib/test_api.py"),
    *("docs/api.md", "README.md", "uv.lock", "app/api_pb2.py", ".github/workflows/ci.yml", "pyproject.toml"),
)
PEOPLE = ("ada", "bob", "cy", "dee", "robo")
KINDS = ("[app] fix", "[lib, app] feat", "fix(web)", "docs", "refactor", "[app] chore", "Words without a kind: perhaps")
THINGS = ("the queue", "a rounding error", "retries", "the tax of a leap year", "logging", "队列")
HOUR = 3600


class Life:
    """Makes pull requests one after the other, each of which may look back at those before it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now = START.timestamp()
        self.records: list[PullRecord] = []
        self.bots: set[str] = set()

    def grow(self, n: int) -> list[PullRecord]:
        """`n` more pull requests, most of them merged, in order of time."""
        for _ in range(n):
            self.now += self.chance.choice([0, 1, 5, 30, 80]) * HOUR  # some in the same second
            make = self.chance.choices([self._plain, self._repair, self._revert, self._pair], [8, 4, 3, 3])[0]
            self.records.append(self._record(**(make() if self.records else self._plain())))
        return self.records[-n:]

    def changed(self, record: PullRecord) -> PullRecord:
        """The same pull request as it is told later."""
        changes: list[Callable[[PullRecord], dict[str, Any]]] = [
            lambda _: {"title": f"{self.chance.choice(KINDS)}: {self.chance.choice(THINGS)}"},
            lambda _: {"labels": self.chance.sample(["bug", "area/web", "breaking-change"], self.chance.randrange(3))},
            lambda old: {"reviews": [*old["reviews"], self._review(old)]},  # type: ignore[misc]
            lambda old: {"body": f"{old['body']}\n\nThis was broken by #{self.chance.randrange(1, 20)}."},
            lambda old: {"merged_at": old["merged_at"] or self._moment(), "state": "merged"},
            lambda _: {"merged_at": utc_text(int(self.now - self.chance.randrange(2000) * HOUR)), "state": "merged"},
            lambda _: {"files": self._files(self.chance.randrange(1, 5)), "changed_files": None},
            lambda _: {"author": self._turned_bot("robo")},
        ]
        return self._linked(record | self.chance.choice(changes)(record))  # type: ignore[arg-type]

    def told_now(self, record: PullRecord) -> PullRecord:
        """The same by what is known of people by now."""
        reviews = [review | {"reviewer": self._known(review["reviewer"])} for review in record["reviews"] or []]
        return record | {"author": self._known(record["author"]), "reviews": reviews}  # type: ignore[typeddict-item]

    def _turned_bot(self, login: str) -> Person:
        self.bots.add(login)
        return person(login, is_bot=True)

    def _known(self, someone: Person | None) -> Person | None:
        return person(someone["login"], is_bot=True) if someone and someone["login"] in self.bots else someone

    def _record(self, **more: Any) -> PullRecord:
        number = len(self.records) + 1
        is_merged = self.chance.random() < 0.9
        made = make_pull(
            number,
            more.pop("title"),
            merged=self._moment() if is_merged else None,
            author=person(self.chance.choice(PEOPLE)),
            created_at=utc_text(int(self.now - self.chance.randrange(1, 900) * HOUR)),
            labels=self.chance.choice([[], [], ["bug"], ["area/web"]]),
            threads=[],
            reviews=[],
            head=more.pop("head", f"branch-{number}"),
            **more,
        )
        made["reviews"] = [self._review(made) for _ in range(self.chance.randrange(3))]
        return self._linked(made)

    def _plain(self) -> dict[str, Any]:
        title = f"{self.chance.choice(KINDS)}: {self.chance.choice(THINGS)} {len(self.records)}"
        n_files = self.chance.choice([1, 1, 2, 3, 14])
        return {
            "title": title,
            "files": self._files(n_files),
            "body": self.chance.choice(["", "12 % faster: 3 s -> 2 s."]),
        }

    def _pair(self) -> dict[str, Any]:
        """Two files that nearly always go together."""
        both = ["lib/core/api.py", "lib/core/client.py"][: self.chance.choice([1, 2, 2, 2, 2])]
        return {"title": f"[lib] feat: {self.chance.choice(THINGS)}", "files": [self._file(path) for path in both]}

    def _repair(self) -> dict[str, Any]:
        before = self.chance.choice(self.records[-12:])
        body = self.chance.choice(
            [f"Broken by #{before['number']}.", f"Follow-up to #{before['number']}.", "", "Words."]
        )
        files = [self._file(file["path"]) for file in before["files"] or []][:3]
        return {"title": f"fix: {self.chance.choice(THINGS)} again", "files": files, "body": body}

    def _revert(self) -> dict[str, Any]:
        """By quotation, number, branch, or by nothing but the same lines the other way round."""
        before = self.chance.choice(self.records[-25:])
        mirrored = [
            file | {"additions": file["deletions"], "deletions": file["additions"]} for file in before["files"] or []
        ]
        title, number = before["title"], before["number"]
        way = self.chance.choice(
            [
                {"title": f'Revert "{title}"', "body": f"Reverts {REPO}#{number}"},
                {"title": f'Revert "{title} (#{number})"'},
                {"title": f'Reapply "{title}"'},
                {"title": "revert the last change", "head": f"revert-{number}-branch-{number}"},
                {"title": "revert what was wrong"},
            ]
        )
        return {"files": mirrored} | way

    def _files(self, n: int) -> list[dict[str, Any]]:
        return [self._file(path) for path in self.chance.sample(PATHS, n)]

    def _file(self, path: str) -> dict[str, Any]:
        added, deleted = self.chance.choice([(3, 1), (40, 0), (120, 30), (7, 7), (0, 60)])
        old = self.chance.choice([None] * 9 + ["app/old.py"])
        return make_file(path, added, deleted, old_path=old, status="renamed" if old else "modified")

    def _review(self, record: PullRecord) -> dict[str, Any]:
        state = self.chance.choice(["approved", "commented", "changes_requested"])
        return make_review(self.chance.choice(PEOPLE), record["merged_at"] or self._moment(), state)

    def _moment(self) -> str:
        return utc_text(int(self.now)) or ""

    def _linked(self, record: PullRecord) -> PullRecord:
        named = links.links(record["title"], record["body"] or "", number=record["number"], repo=REPO)
        return record | {"links": named}
