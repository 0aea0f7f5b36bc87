"""The simulation: days go by, people open pull requests, others review and merge them, and some come back to bite.

Everything happens in order of time from one queue, so that a change meets the tree as earlier merges left it, and a
pull request is told as soon as it ends. Only what is under way is held, so any number can be asked for.
"""

import heapq
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from math import fsum
from random import Random

from data.demo.bots import Bots
from data.demo.calendar import FIRST_MINOR, Calendar, offset
from data.demo.chance import DAY, HOUR
from data.demo.changes import Change, compose, rebase
from data.demo.life import fate, live, squeezed
from data.demo.plan import Plan, Pull
from data.demo.record import pull_record, set_change
from data.demo.stories import ONCE, STORIES, Story, aftermath, backport, release
from data.demo.team import TEAM, Member, guest
from data.demo.text import Facts, body, patterns, subject, title
from data.demo.tree import AREAS, Tree, area_of, is_code
from data.demo.words import VOCABULARY, Pair, Subject, Topic
from data.moments import utc_text
from data.people import HUMAN
from data.records import CommitRecord, OwnerRecord, PullRecord, Source, TagRecord

DEMO_REPO = "acme/orbit"
DEMO_FORMER_NAMES = ("acme/satellite",)
RENAMED_AT = 0.35  # when the repository got its present name, as a share of the whole time
FIRST_NUMBER = 2351
PER_PLANNED = 0.95  # merges for each pull request planned: some are closed, some are followed by others
ENOUGH_FOR_STORIES = 250  # pull requests; below it nothing is scripted, and releases bring no pull request
STORY_ROUND = 1_400  # pull requests for each telling of all stories
BOTS, GUESTS = 0.175, 0.025  # shares of the planned pull requests
BOTS_BY_WEEKDAY = (2.0, 0.7, 0.7, 0.7, 0.7, 3.0, 3.0)
KINDS = {"fix": 35, "feat": 27, "refactor": 11, "perf": 6, "test": 7, "docs": 7, "chore": 7}
KINDS_OF = {
    "docs": {"docs": 1},
    "ci": {"ci": 70, "fix": 30},
    "deploy": {"build": 32, "fix": 36, "feat": 20, "chore": 6, "docs": 6},
}
# How likely a fault is, relative, by the binary digits of the lines of code: 64 to 127 lines have seven.
HAZARD_BY_SIZE = (0.15, 0.15, 0.15, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.6, 3.6, 4.6)
PHASES = ((0.30, 0.48, "storage", 2.4), (0.55, 0.70, "console", 1.6), (0.80, 0.97, "planner", 1.5))
NEW_THINGS = {"feat": 0.32, "docs": 0.12, "ci": 0.1, "build": 0.1}  # share that builds what was not there
KIND_LABELS = {
    "fix": "bug",
    "feat": "enhancement",
    "docs": "documentation",
    "refactor": "refactoring",
    "perf": "performance",
}
OWNERS = (
    ("*", "@acme/orbit-maintainers"),
    ("/orbit/planner/", "@acme/planning"),
    ("/orbit/sched*/", "@acme/planning @linmei"),
    ("/orbit/storage/", "@acme/storage"),
    ("/orbit/api/", "@acme/platform"),
    ("/api/", "@acme/platform"),
    ("/orbit/auth/", "@acme/platform @jreyes-orbit"),
    ("/console/", "@acme/console"),
    ("/agent/", "@acme/stations"),
    ("/orbit/telemetry/", "@acme/stations"),
    ("/docs/", "@sfournier-docs"),
    ("/deploy/", "@acme/platform"),
    ("*.lock", ""),
)
DIRECT_PUSHES = ("Fix typo in README", "Update maintainers", "Add missing newline", "Remove debug print", "Bump year")


class World:
    """The repository and its team at one moment of the simulation."""

    def __init__(self, rng: Random, wanted: int, first: date, last: date) -> None:
        self.rng, self.wanted = rng, wanted
        self.calendar = Calendar(rng, first, (last - first).days + 1)
        self.tree = Tree(rng)
        self.bots = Bots(rng, self.tree)
        self.now = self.calendar.start
        self.horizon = self.calendar.end - 1
        self.source = Source(
            kind="demo",
            pulls=iter(()),
            default_branch="main",
            codeowners=[OwnerRecord(pattern=pattern, owners=owners.split()) for pattern, owners in OWNERS],
            notes=["This repository is invented: a generated history to try things out on."],
        )
        self._queue: list[tuple[int, int, Callable[[], PullRecord | None]]] = []
        self._arranged = 0  # keeps simultaneous events in the order they were arranged
        self._number = FIRST_NUMBER
        self._planned = 0  # merged, or sure to be merged before the end
        self._issues: deque[int] = deque(maxlen=150)
        self._recent: deque[tuple[int, str]] = deque(maxlen=80)  # landed lately: number and area
        self._said: dict[str, None] = {}  # subjects of late, oldest first
        self._known: Counter[tuple[str, str]] = Counter()  # changes by a member in an area
        self._patches: Counter[int] = Counter()  # patch releases by minor version
        self._last_landed: Pull | None = None  # on the main branch

    # ---- time

    def run(self) -> Iterator[PullRecord]:
        """Every pull request, as it ends."""
        if not self.wanted:
            return
        self._arrange_stories()
        left = fsum(self.calendar.totals)
        for day, work in enumerate(self.calendar.totals):
            start = self.calendar.start + day * DAY
            yield from self._happen(start)
            self.now = start
            if day == self.calendar.n_days - 1:
                count = self.wanted - self._planned
            else:
                count = self._whole((self.wanted - self._planned) * work / left / PER_PLANNED)
            self._plan_day(day, count)
            left -= work
        yield from self._happen(self.horizon + 1)

    def _happen(self, until: int) -> Iterator[PullRecord]:
        while self._queue and self._queue[0][0] < until:
            self.now, _, action = heapq.heappop(self._queue)
            if record := action():
                yield record

    def _at(self, moment: int, action: Callable[[], PullRecord | None]) -> None:
        """Arranges something; what lies beyond the horizon never happens."""
        if moment <= self.horizon:
            self._arranged += 1
            heapq.heappush(self._queue, (moment, self._arranged, action))

    def _whole(self, number: float) -> int:
        return int(number + self.rng.random())

    # ---- what a day brings

    def _plan_day(self, day: int, count: int) -> None:
        today = self.calendar.date(day)
        weights = self.calendar.weights(day)
        bots = BOTS * BOTS_BY_WEEKDAY[today.weekday()] if any(weights) else 1.0
        for _ in range(count):
            roll = self.rng.random()
            if roll < bots:
                self._at(self._moment(2, 9), self._open_bots)
            else:
                author = guest(self.rng) if roll > 1 - GUESTS else self.rng.choices(TEAM, weights)[0]
                self._at(self._desk_time(author), partial(self._open, author, self._everyday))
        if day in self.calendar.releases:
            self._at(self.now + 9 * HOUR, self._release)
        if today.weekday() < 5 and self.rng.random() < 0.025:
            self._at(self._moment(8, 16), self._push_directly)

    def _moment(self, first_hour: int, last_hour: int) -> int:
        return min(self.now + self.rng.randrange(first_hour * HOUR, last_hour * HOUR), self.horizon - 3 * HOUR)

    def _desk_time(self, author: Member) -> int:
        """A moment of today at which the author is at work."""
        opens, closes = author.hours
        local = self.rng.randrange(opens * HOUR, closes * HOUR)
        moment = self.now + local - offset(author.zone, self.now)
        return min(max(moment, self.now), self.horizon - 3 * HOUR)

    def _everyday(self, author: Member) -> Plan:
        area = self._area_for(author)
        kinds = KINDS_OF.get(area, KINDS)
        weights = [weight * (4 if kind == "fix" and self._stormy else 1) for kind, weight in kinds.items()]
        kind = self.rng.choices(list(kinds), weights)[0]
        breaking = kind in {"feat", "refactor"} and bool(AREAS[area].code) and self.rng.random() < 0.06
        how = "unreviewed" if self._stormy and self.rng.random() < 0.2 else None
        return self.regular(author, self.subject(kind, area, breaking=breaking), how=how)

    @property
    def _stormy(self) -> bool:
        """Whether this is the week of the incident."""
        return 0 <= self.calendar.day(self.now) - self.calendar.incident < 6

    def _area_for(self, author: Member) -> str:
        roll = self.rng.random()
        if roll < 0.55 and author.areas:
            return author.areas[0]
        if roll < 0.85 and author.areas:
            return self.rng.choice(author.areas)
        share = self.calendar.share(self.now)
        boost = {area: factor for first, last, area, factor in PHASES if first <= share < last}
        return self.rng.choices(list(AREAS), [area.weight * boost.get(name, 1) for name, area in AREAS.items()])[0]

    def _push_directly(self) -> None:
        self.source.direct_commits.append(
            CommitRecord(
                sha=f"{self.rng.getrandbits(160):040x}",
                committed_at=utc_text(self.now) or "",
                author=self.lead().who.copy(),
                subject=self.rng.choice(DIRECT_PUSHES),
            )
        )

    def _release(self) -> None:
        version = f"1.{self.calendar.minor(self.now) - 1}.0"
        if self.wanted >= ENOUGH_FOR_STORIES:
            self._tell(release(self, version))
        elif self._last_landed:
            self.tag(f"v{version}", self._last_landed)

    # ---- for stories

    def _arrange_stories(self) -> None:
        rounds = 0 if self.wanted < ENOUGH_FOR_STORIES else max(1, self.wanted // STORY_ROUND)
        span = self.calendar.end - self.calendar.start
        for lap in range(rounds):
            for share, story in STORIES:
                if lap == 0 or story not in ONCE:
                    whole = share if story in ONCE or rounds == 1 else (lap + share) / rounds
                    self._at(self.calendar.start + int(whole * span), partial(self._begin, story))

    def _begin(self, story: Callable[["World"], Story]) -> None:
        self._tell(story(self))

    def _tell(self, story: Story, landed: Pull | None = None) -> None:
        """Goes on with a story: arranges its next pull request."""
        try:
            author, delay, make = next(story) if landed is None else story.send(landed)
        except StopIteration:
            return
        if author.who["type"] == HUMAN:
            moment = self.calendar.at_work(self.rng, author, self.now + delay)
        else:
            moment = self.now + int(delay)
        self._at(moment, partial(self._open, author, make, story))

    def present(self, member: Member) -> bool:
        """Whether a member belongs to the team now."""
        return self.calendar.present(member, self.now)

    def lead(self) -> Member:
        return self.rng.choice([member for member in TEAM if member.lead and self.present(member)])

    def some_issue(self) -> int:
        """The number of an issue, to be mentioned."""
        return self.rng.choice(self._issues) if self._issues else FIRST_NUMBER

    @property
    def repo_name(self) -> str:
        """What the repository is called at this time."""
        return DEMO_REPO if self.calendar.share(self.now) >= RENAMED_AT else DEMO_FORMER_NAMES[0]

    def condition(self, area: str) -> Pair:
        return self.rng.choice(VOCABULARY[area].conditions)

    def subject(self, kind: str, area: str, *, topic: Topic | None = None, breaking: bool = False) -> Subject:
        """Something of a kind to do in an area (about a topic), in words not used lately."""
        for _ in range(6):
            idea = self._idea(kind, area) if topic is None and not breaking else None
            about = subject(
                self.rng,
                kind,
                idea or topic or self._topic("breaking" if breaking else kind, area),
                builds=idea is not None,
                breaking=breaking,
            )
            if about.text not in self._said:
                break
        self._said[about.text] = None
        if len(self._said) > 3000:
            del self._said[next(iter(self._said))]
        return about

    def _idea(self, kind: str, area: str) -> Topic | None:
        if kind == "docs" and area != "docs":
            return None
        return self.tree.idea(self.rng, area) if self.rng.random() < NEW_THINGS.get(kind, 0) else None

    def _topic(self, kind: str, area: str) -> Topic:
        """A topic of an area that suits a kind: one of the first or of the newest most often."""
        topics = self.tree.plots[area].topics
        suitable = [topic for topic in topics if patterns(kind, topic.sort)] or topics
        if self.rng.random() < 0.15:
            return self.rng.choice(suitable[-4:])
        return suitable[int(self.rng.random() * self.rng.random() * len(suitable))]

    def regular(
        self, author: Member, about: Subject, *, size: float = 1.0, extra: Sequence[str] = (), how: str | None = None
    ) -> Plan:
        """An ordinary pull request about a subject."""
        change = compose(self.rng, self.tree, about, size=author.size * size, test_habit=author.tests)
        return self.worded(author, about, change, extra=extra, how=how)

    def worded(
        self, author: Member, about: Subject, change: Change, *, extra: Sequence[str] = (), how: str | None = None
    ) -> Plan:
        """A change with the title and body that its author would give it."""
        rng, area = self.rng, about.topic.area
        main = change.files[0]["path"]
        facts = Facts(main.rpartition("/")[2], change.churn, change.tested, change.documented, extra=list(extra))
        if not extra and about.kind != "fix" and rng.random() < 0.1:
            facts.extra += [f"Follow-up to #{number}." for number, other in self._recent if other == area][-1:]
        if self._issues and rng.random() < (0.35 if about.kind == "fix" else 0.15):
            facts.closes = rng.choice(self._issues)
            self._issues.remove(facts.closes)
        labels = [f"area/{area}"] if rng.random() < 0.75 else []
        if about.kind in KIND_LABELS and rng.random() < 0.6:
            labels.append(KIND_LABELS[about.kind])
        return Plan(
            author=author,
            area=area,
            change=change,
            title=title(
                rng,
                rng.choice(author.habits) if rng.random() < 0.3 else author.habits[0],
                about,
                self._areas(area, change),
            ),
            body=body(rng, rng.choice(author.moods), about, facts),
            about=about,
            how=how,
            head=f"{author.login}/{_slug(about.text)}",
            labels=[*labels, "breaking-change"] if about.breaking else labels,
            assisted=rng.random() < author.assistant,
        )

    def _areas(self, area: str, change: Change) -> list[str]:
        """What a title names: the area, often a second one whose code is touched as well."""
        others = {area_of(file["path"]): None for file in change.files if is_code(file["path"])}
        named = [other for other in others if other and other != area]
        return [area, *named[:2]] if self.rng.random() < 0.6 else [area]

    # ---- opening and landing

    def _open_bots(self) -> PullRecord | None:
        plan = self.bots.plan()
        return self._open(plan.author, lambda _: plan)

    def _open(self, author: Member, make: Callable[[Member], Plan], story: Story | None = None) -> PullRecord | None:
        """Somebody opens a pull request; told at once if it stays open, else when it ends."""
        if self._planned >= self.wanted:
            return None
        plan, number = make(author), self._next_number()
        must_land = story is None and self.calendar.day(self.now) == self.calendar.n_days - 1
        how = plan.how or fate(self.rng, self.calendar, plan.change.churn, self.now)
        if must_land and how in {"stale", "abandoned", "unanswered"}:
            how = "usual"
        life = live(self.rng, self.calendar, author, plan.area, plan.change.churn, self.now, how)
        if must_land and (life.end or 0) > self.horizon:
            life = squeezed(self.rng, life, self.horizon)
        record = pull_record(
            self.rng,
            plan,
            life,
            number=number,
            repo=self.repo_name,
            milestone=f"1.{self.calendar.minor(self.now)}",
            horizon=self.horizon,
        )
        if record["state"] == "open":
            return record
        assert life.end is not None
        if record["state"] == "merged":
            self._planned += 1
        self.tree.busy.update(file["path"] for file in plan.change.files)
        self._at(life.end, partial(self._end, Pull(plan, record), story))
        return None

    def _next_number(self) -> int:
        """The next number; issues take some of those between."""
        while self.rng.random() < 0.36:
            self._issues.append(self._number)
            self._number += 1
        self._number += 1
        return self._number - 1

    def _end(self, pull: Pull, story: Story | None) -> PullRecord:
        """A pull request is merged or closed."""
        record, tree = pull.record, self.tree
        for file in pull.plan.change.files:
            file["path"] = tree.moved(file["path"])
            tree.busy[file["path"]] -= 1
            if not tree.busy[file["path"]]:
                del tree.busy[file["path"]]
        if record["state"] == "merged":
            if pull.plan.at_landing:
                pull.plan.change = pull.plan.at_landing()
            else:
                rebase(tree, pull.plan.change)
            set_change(record, pull.plan.change)
            self._land(pull, story)
        return record

    def _land(self, pull: Pull, story: Story | None) -> None:
        plan = pull.plan
        if plan.base == "main":
            for file in plan.change.files:
                self.tree.land(file["path"], file["status"] or "", file["additions"] or 0, file["deletions"] or 0)
            self._last_landed = pull
            self._recent.append((pull.number, plan.area))
            if story is None and self.rng.random() < self._hazard(pull):
                self._tell(aftermath(self, pull))
            self._maybe_backport(pull)
            if plan.author in TEAM:
                self._known[plan.author.login, plan.area] += 1
        elif self.rng.random() < 0.3:
            self._release_patch(plan.base, pull)
        if story:
            self._tell(story, pull)

    def _hazard(self, pull: Pull) -> float:
        """How probable it is that a change has a fault that shows later.

        Larger changes, changes to what everything depends on, by authors new to the area, without tests or review have
        more; much is chance.
        """
        plan, change = pull.plan, pull.plan.change
        if plan.author.who["type"] == "bot":
            return 0.006
        if not change.code_lines or plan.about is None:
            return 0.0
        hazard = 0.014 * HAZARD_BY_SIZE[min(change.code_lines.bit_length(), len(HAZARD_BY_SIZE) - 1)]
        hazard *= 2.8 if change.core else 1.0
        hazard *= 3.0 if self._known[plan.author.login, plan.area] < 4 else 1.0
        hazard *= 2.6 if not change.tested else 1.0
        hazard *= 2.0 if pull.record["review_decision"] != "approved" else 1.0
        return min(hazard, 0.6)

    def _maybe_backport(self, pull: Pull) -> None:
        about, minor = pull.plan.about, self.calendar.minor(self.now) - 1
        fits = (
            about is not None
            and about.kind == "fix"
            and pull.plan.change.churn < 150
            and "revert" not in pull.plan.labels
        )
        if fits and minor >= FIRST_MINOR and self.rng.random() < 0.06:
            self._tell(backport(self, pull, f"release/1.{minor}"))

    def _release_patch(self, branch: str, landed: Pull) -> None:
        minor = int(branch.rpartition(".")[2])
        self._patches[minor] += 1
        self.tag(f"v1.{minor}.{self._patches[minor]}", landed)

    def tag(self, name: str, landed: Pull) -> None:
        """A tag on the commit that a pull request brought."""
        sha, moment = landed.record["merge_commit"] or "", landed.record["merged_at"] or ""
        self.source.tags.append(TagRecord(name=name, sha=sha, tagged_at=moment))


def _slug(text: str) -> str:
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in text).lower().split()
    return "-".join(words[:4]) or "patch-1"
