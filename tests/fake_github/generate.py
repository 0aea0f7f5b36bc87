"""A made-up repository of any size, the same for the same arguments, with every oddity that GitHub's data has.

Oddities come by the pull request's place in the row, so that a world of 120 has them all: see `Maker.add_pull`.
"""

import random
from datetime import UTC, datetime
from typing import Any

from fake_github import nodes
from fake_github.nodes import Node, utc

NAME = "quayside-example/lanternfish"
USERS = "anouk bela ciara dmitri eske farida goran hana ines jules kwame liv".split()
HOUR, DAY = 3600, 86400
STEP = 7 * HOUR  # from one pull request to the next, on average

SUBJECTS = (
    "feat(api): accept several lanterns at once",
    "fix: keep the beam on while the clock is set back",
    "refactor(core): one place for the tide tables",
    "docs: explain how to trim a wick",
    "perf(render): draw only what the beam reaches",
    "test(core): cover the night without a moon",
    "chore: newer pins",
    "Make the fog horn wait for its turn",
    "[api, core] feat!: rename `shine` to `light_up`",
    "ci: run the slow tests at night",
)
FOLDERS = ("src/api", "src/core", "src/render", "docs", "tests/core", "tests/api", ".github/workflows")
LABELS = (("bug", "d73a4a"), ("enhancement", "a2eeef"), ("area/api", "0e8a16"), ("area/core", "0366d6"))
CODEOWNERS = """\
# Who looks after what
*            @anouk-example
/src/api/    @bela-example @quayside-example/api-team
/docs/       @quayside-example/writers
"""


def generate(
    closed: int = 120,
    seed: int = 1,
    *,
    merged: int | None = None,
    still_open: int | None = None,
    biggest: int = 3200,
    last: str = "2026-06-26T16:00:00Z",
    name: str = NAME,
) -> Node:
    """A repository full of pull requests.

    Args:
        closed: how many of them are closed, merged or not.
        seed: what chance made of the rest.
        merged: how many of the closed ones were merged; nine of ten unless told.
        still_open: how many there are besides; one for each 15 closed ones unless told.
        biggest: how many files the largest one changes; GitHub tells 3,000 of them.
        last: the moment of the last thing that happened.
        name: `owner/name`.

    Returns:
        The repository, to give to `FakeGitHub`.
    """
    n_merged = round(closed * 0.9) if merged is None else merged
    n_open = closed // 15 if still_open is None else still_open
    fates = ["MERGED"] * n_merged + ["CLOSED"] * (closed - n_merged) + ["OPEN"] * n_open
    maker = Maker(random.Random(seed), name, seconds(last), len(fates))
    for place, fate in enumerate(maker.shuffled(fates)):
        maker.add_pull(place, fate, biggest)
    maker.add_releases()
    return maker.repo


def seconds(moment: str) -> int:
    return int(datetime.fromisoformat(moment).astimezone(UTC).timestamp())


class Maker:
    """Fills one repository, pull request by pull request, in the order in which they were opened.

    What takes a collector further requests occurs once, and in a merged one, so that requests can be counted: 143
    files, 25 labels, 60 reviews with 70 threads, and as many files as there shall be at most.
    """

    many_files, many_labels = 7, 18  # places in the row

    def __init__(self, rng: random.Random, name: str, last: int, total: int) -> None:
        self.rng, self.last = rng, last
        self.opened = last - STEP * (total + 4)
        self.number = 0
        self.busiest, self.biggest = total // 3, total // 2
        self.repo = nodes.repository(name, created=utc(self.opened - 30 * DAY), description="Keeps the light on")
        self.repo.update(texts={".github/CODEOWNERS": CODEOWNERS}, branches=["main", "release/1.x"])
        owner = self.repo["owner"]
        self.users = [nodes.actor(f"{user}-example", name=f"{user.title()} Example") for user in USERS]
        self.bots = [nodes.actor(f"{bot}-example", "Bot") for bot in ("tidy", "pin-raiser")]
        self.queue = nodes.actor("merge-queue-example", "Bot")
        self.imported = nodes.actor("before-the-move-example", "Mannequin")
        self.teams = [nodes.team(slug, owner) for slug in ("api-team", "writers")]
        self.milestones = [nodes.milestone(self.repo, n, f"1.{n}", self.users[0]) for n in (1, 2, 3)]
        self.labels = [nodes.label(self.repo, *label) for label in LABELS]
        self.ports = [nodes.label(self.repo, f"port/{n:02}") for n in range(24)]

    def shuffled(self, fates: list[str]) -> list[str]:
        """The fates in any order in which the places that tests ask for are merged."""
        wanted = {
            place for place in (self.many_files, self.many_labels, self.busiest, self.biggest) if place < len(fates)
        }
        n_sure = min(len(wanted), fates.count("MERGED"))
        others = fates[n_sure:]
        self.rng.shuffle(others)
        sure = dict.fromkeys(sorted(wanted)[:n_sure], "MERGED")
        return [sure[place] if place in sure else others.pop() for place in range(len(fates))]

    def later(self, moment: int, most: float) -> int:
        """A moment after another one, by up to `most` hours, but not after the last."""
        return min(self.last, moment + self.rng.randint(60, max(61, int(most * HOUR))))

    def add_pull(self, place: int, fate: str, biggest: int) -> None:
        """The pull request at a place in the row, with the oddities that fall on it."""
        if place % 20 != 10:  # else: opened in the same second as the one before
            self.opened += self.rng.randint(STEP // 2, STEP * 3 // 2)
        opened = min(self.opened, self.last - 2 * HOUR)
        linked = self.add_issue(opened) if place % 4 == 1 else None
        self.number += 1
        author = self.author(place)
        request = nodes.pull(
            self.repo,
            self.number,
            utc(opened),
            title=f"{self.rng.choice(SUBJECTS)} ({self.number})",
            author=author,
            authorAssociation="NONE" if author is None else "MEMBER",
            body=self.body(place, linked),
            files=self.files(place, biggest),
            baseRefName="release/1.x" if place % 14 == 6 else "main",
        )
        if linked:
            request["closingIssuesReferences"].append(linked)
        request["labels"] = self.rng.sample(self.labels, self.rng.randint(0, 2))
        if place == self.many_labels:
            request["labels"] = self.labels[:1] + self.ports
        if place % 3 == 0:
            request["milestone"] = self.rng.choice(self.milestones)
        self.place_on_fork(request, place)
        ready = self.open_up(request, place, opened, fate)
        self.finish(request, place, fate, self.discuss(request, place, ready))

    def author(self, place: int) -> Node | None:
        """Mostly people; bots, a deleted account, and somebody who never had one here."""
        if place % 9 == 2:
            return self.bots[place // 9 % 2]
        if place % 31 == 6:
            return None
        return self.imported if place % 53 == 16 else self.rng.choice(self.users)

    def body(self, place: int, linked: Node | None) -> str | None:
        """Mostly a sentence; none, one with a NUL, one in Chinese with Windows' line ends, one that is long."""
        if place % 17 == 3:
            return None
        if place % 23 == 4:
            return "Before\0after"
        if place % 29 == 5:
            return "## 修改内容\r\n\r\n- 修复灯光\r\n- `a | b` <b>@quayside-example/writers</b>\r\n"
        if place % 59 == 12:
            return "A long story. " * 4000
        closes = f"Fixes #{linked['number']}\n\n" if linked else ""
        return f"{closes}Why: the light went out.\n\nWhat: it stays on."

    def files(self, place: int, biggest: int) -> list[Node]:
        """Mostly a few; more than a page of 100, the largest one, renames and pictures."""
        if place == self.biggest and biggest:
            return [self.file(n, f"src/core/moved/m{n:04}.py") for n in range(biggest)]
        n_files = 143 if place == self.many_files else min(12, 1 + int(self.rng.expovariate(0.5)))
        files = [self.file(n, f"{self.rng.choice(FOLDERS)}/part{place % 7}_{n}.py") for n in range(n_files)]
        if place % 33 == 12:
            names = {"previous_filename": "docs/light.md", "patch": "@@ -1 +1 @@\n-Light\n+Lights"}
            files.append(nodes.changed_file("docs/lights.md", 1, 1, "RENAMED", **names))
            files.append(nodes.changed_file("docs/lantern.png", 0, 0, "ADDED"))
        return files

    def file(self, n: int, path: str) -> Node:
        change = ("MODIFIED", "MODIFIED", "ADDED", "MODIFIED", "DELETED")[n % 5]
        added = 0 if change == "DELETED" else self.rng.randint(1, 60)
        removed = 0 if change == "ADDED" else self.rng.randint(0, 30)
        patch = f"@@ -1,{removed} +1,{added} @@\n+{path}"
        return nodes.changed_file(path, added, removed, change, patch=patch)

    def place_on_fork(self, request: Node, place: int) -> None:
        """Some come from forks, and some forks are gone."""
        if place % 31 == 6:
            request.update(isCrossRepository=True, headRepository=None, headRepositoryOwner=None)
        elif place % 5 == 1 and request["author"] in self.users:
            owner = request["author"]
            fork = nodes.repository(f"{owner['login']}/{self.repo['name']}", owner=owner, isFork=True, parent=self.repo)
            request.update(isCrossRepository=True, headRepository=fork, headRepositoryOwner=owner)
            request["authorAssociation"] = "CONTRIBUTOR"

    def open_up(self, request: Node, place: int, opened: int, fate: str) -> int:
        """Commits, drafts, pushes and requests for review; tells when it was ready."""
        author, ready = request["author"], opened
        for n in range(260 if place % 61 == 14 else self.rng.randint(1, 5)):
            nodes.add_commit(request, utc(opened - HOUR + n), who=author, message=f"Step {n + 1}")
        if place % 8 == 0:
            if fate == "OPEN":
                request["isDraft"] = True
            else:
                ready = self.later(opened, 20)
                nodes.event(request, "ReadyForReviewEvent", utc(ready), author)
        if place % 24 == 8 and fate != "OPEN":  # a second spell as a draft
            nodes.event(request, "ConvertToDraftEvent", utc(self.later(ready, 1)), author)
            ready = self.later(ready + 2 * HOUR, 10)
            nodes.event(request, "ReadyForReviewEvent", utc(ready), author)
        if place % 10 == 3:
            commits = [item["commit"] for item in request["commits"]]
            pushed = {"beforeCommit": commits[0], "afterCommit": commits[-1], "ref": None}
            nodes.event(request, "HeadRefForcePushedEvent", utc(self.later(ready, 5)), author, **pushed)
        if place % 6 == 4:
            nodes.ask_for_review(request, utc(ready), self.teams[place // 6 % 2], pending=fate == "OPEN")
        if place % 47 == 15:
            nodes.ask_for_review(request, utc(ready), self.imported)
        return ready

    def discuss(self, request: Node, place: int, ready: int) -> int:
        """Reviews, threads and comments; tells when the last one was given."""
        said = ready
        others = [user for user in self.users if user is not request["author"]]
        for n in range(self.n_reviews(place)):
            reviewer = None if place % 19 == 8 and n == 0 else self.rng.choice(others)
            if reviewer and n < 2:
                nodes.ask_for_review(request, utc(ready), reviewer)
            said = self.later(said, 0.2 if place == self.busiest else 30)
            state = self.rng.choice(
                ("APPROVED",) * 4 + ("COMMENTED",) * 2 + ("CHANGES_REQUESTED",) * 2 + ("DISMISSED",)
            )
            reviewed = nodes.review(request, reviewer, utc(said), state)
            if n < 5:
                self.add_threads(request, place, reviewed, said)
        if place % 25 == 10:
            nodes.review(request, self.users[0], None, "PENDING")
        for _ in range(self.rng.randint(0, 3)):
            nodes.comment(request, self.rng.choice([*self.users, self.bots[0]]), utc(self.later(ready, 20)))
        request["reviewDecision"] = decision(request["reviews"])
        return said

    def n_reviews(self, place: int) -> int:
        if place == self.busiest:
            return 60
        return 0 if place % 9 == 2 else self.rng.randint(0, 4)

    def add_threads(self, request: Node, place: int, reviewed: Node, at: int) -> None:
        n_threads = 14 if place == self.busiest else self.rng.randint(0, 2)
        for _ in range(n_threads):
            resolver = self.rng.choice([None, self.users[place % len(self.users)]])
            path = request["files"][0]["path"]
            flags = {"isOutdated": self.rng.random() < 0.3, "isResolved": resolver is not None, "resolvedBy": resolver}
            thread = nodes.thread(request, path, self.rng.randint(1, 300), **flags)
            for n in range(self.rng.randint(1, 3)):
                who = reviewed["author"] if n % 2 == 0 else request["author"]
                nodes.review_comment(thread, who, utc(at + n), "Why so?" if n % 2 == 0 else "See above.", reviewed)

    def finish(self, request: Node, place: int, fate: str, said: int) -> None:
        """It is merged, closed, or stays open; something may be said afterwards."""
        author = request["author"]
        by = self.queue if place % 11 == 7 else self.rng.choice(self.users)
        if place % 21 == 9 and fate != "OPEN":
            nodes.close_pull(request, utc(self.later(said, 1)), author)
            said = self.later(said + HOUR, 5)
            nodes.reopen_pull(request, utc(said), author)
        ended = self.later(said, 400 if place % 15 == 4 else 40)
        if fate == "MERGED":
            nodes.merge_pull(request, utc(ended), by)
            for issue in request["closingIssuesReferences"]:
                issue.update(state="CLOSED", stateReason="COMPLETED", closedAt=utc(ended), updatedAt=utc(ended))
        elif fate == "CLOSED":
            nodes.close_pull(request, utc(ended), author)
        happened = [ended if fate != "OPEN" else said, *(seconds(item["createdAt"]) for item in request["comments"])]
        touched = self.later(max(happened), 500) if place % 12 == 5 else max(happened)
        request["updatedAt"] = utc(touched)

    def add_issue(self, opened: int) -> Node:
        """An issue takes the number before its pull request's."""
        self.number += 1
        reporter = self.rng.choice(self.users)
        title = f"The light goes out ({self.number})"
        return nodes.issue(self.repo, self.number, title, utc(opened - DAY), author=reporter)

    def add_releases(self) -> None:
        """Tags in both kinds, releases for all but the first, a prerelease, and a draft that nobody sees yet."""
        on_main = [pull for pull in self.repo["pullRequests"] if pull["mergedAt"] and pull["baseRefName"] == "main"]
        landed = sorted(on_main, key=lambda pull: pull["mergedAt"])
        for n, request in enumerate(landed[19::20]):
            name, at = f"v1.{n}.0", request["mergedAt"]
            nodes.tag(self.repo, name, request["mergeCommit"], annotated_at=at if n % 2 else None)
            if n:
                options: dict[str, Any] = {"isPrerelease": n % 4 == 2, "author": self.users[0]}
                nodes.release(self.repo, name, at, **options)
        nodes.release(self.repo, "v9.9.9", utc(self.last), author=self.users[0], isDraft=True)


def decision(reviews: list[Node]) -> str | None:
    """What GitHub concludes from the last opinion of each person."""
    opinions = {}
    for review in reviews:
        if review["author"] and review["state"] in {"APPROVED", "CHANGES_REQUESTED"}:
            opinions[review["author"]["login"]] = review["state"]
    if "CHANGES_REQUESTED" in opinions.values():
        return "CHANGES_REQUESTED"
    return "APPROVED" if opinions else None
