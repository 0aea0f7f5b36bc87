"""From opened to merged: drafts, reviews, rounds, waits, and all the ways in which it goes otherwise."""

from dataclasses import dataclass, field
from random import Random

from data.demo.calendar import Calendar
from data.demo.chance import DAY, HOUR, MINUTE, Curve, draw
from data.demo.team import COPILOT, GHOST, TEAM, Member

DRAFT_HOURS: Curve = ((0, 0.5), (0.25, 4), (0.5, 20), (0.75, 50), (0.95, 160), (1, 500))
FIRST_REVIEW_HOURS: Curve = ((0, 0.05), (0.1, 0.2), (0.25, 0.5), (0.5, 1.3), (0.75, 5), (0.9, 18), (0.97, 55), (1, 190))
ROUND_HOURS: Curve = ((0, 0.3), (0.25, 2), (0.5, 8), (0.75, 22), (0.9, 60), (1, 220))
MERGE_HOURS: Curve = ((0, 0.02), (0.25, 0.1), (0.5, 0.5), (0.75, 4), (0.9, 22), (1, 110))
ABANDONED_DAYS: Curve = ((0, 0.1), (0.25, 2), (0.5, 9), (0.75, 25), (1, 90))

# What becomes of a pull request by a person, and how often. The rest is "usual".
FATES = (
    ("unreviewed", 0.05),
    ("objection", 0.008),
    ("unanswered", 0.013),
    ("abandoned", 0.075),
    ("fast", 0.025),
    ("slow", 0.012),
)
LARGE, SMALL = 300, 20  # lines


@dataclass(slots=True)
class Life:
    """Every moment of one pull request, in seconds since 1970."""

    opened: int
    ready: int | None = None  # None where it never was a draft
    reviews: list[tuple[Member, str, int]] = field(default_factory=list)  # by whom, state, when
    merged: int | None = None
    closed: int | None = None  # without a merge
    merger: Member | None = None
    pushes: int = 1

    @property
    def end(self) -> int | None:
        return self.merged or self.closed

    @property
    def start(self) -> int:
        """When reviewers could begin."""
        return self.ready or self.opened


def fate(rng: Random, calendar: Calendar, churn: int, opened: int) -> str:
    """What will become of a pull request: stale, usual or a name of FATES. Old ones seldom stay open."""
    days_left = (calendar.end - opened) / DAY
    if rng.random() < 0.006 + 0.06 * max(0.0, 1 - days_left / 90):
        return "stale"
    roll = rng.random() * (0.8 if churn > LARGE else 1.0)
    for name, share in FATES:
        if roll < share:
            return name
        roll -= share
    return "usual"


def live(rng: Random, calendar: Calendar, author: Member, area: str, churn: int, opened: int, how: str) -> Life:
    """The life of a pull request opened at a moment, told to its end even if that lies beyond the sample's.

    Args:
        area: whose experts review.
        churn: large ones go through more rounds.
        how: automatic, or a `fate`.
    """
    course = _Course(rng, calendar, author, area, churn, Life(opened))
    getattr(course, how)()
    if how != "automatic":
        course.passers_by()
    course.life.reviews.sort(key=lambda review: review[2])
    return course.life


@dataclass(slots=True)
class _Course:
    """One life in the making; each public method but the last is a way it can go."""

    rng: Random
    calendar: Calendar
    author: Member
    area: str
    churn: int
    life: Life

    def usual(self) -> None:
        """Rounds of review until approved, then merged."""
        self._draft()
        reviewer = self._reviewer()
        moment = self._review(reviewer, self._rounds())
        if self.rng.random() < (0.4 if self.churn > LARGE else 0.15):
            second = self._reviewer(reviewer)
            moment = self._says(second, moment, ROUND_HOURS, "approved" if self.rng.random() < 0.7 else "commented")
        self._merge(reviewer, moment)

    def automatic(self) -> None:
        """A bot's, merged by the bot once the checks are green."""
        self.life.merger = self.author
        self.life.merged = self.life.opened + self.rng.randrange(4 * MINUTE, 50 * MINUTE)

    def unreviewed(self) -> None:
        """Merged without a review, by its author."""
        self.life.merger = self.author if self.author in TEAM else self._reviewer()
        self.life.merged = self.life.opened + self.rng.randrange(6 * MINUTE, 5 * HOUR)

    def fast(self) -> None:
        """Waved through within minutes."""
        reviewer = self._reviewer()
        moment = self.life.opened + self.rng.randrange(2 * MINUTE, 14 * MINUTE)
        self.life.reviews.append((reviewer, "approved", moment))
        self.life.merger = self.author if self.author in TEAM else reviewer
        self.life.merged = moment + self.rng.randrange(20, 6 * MINUTE)

    def objection(self) -> None:
        """One reviewer asks for changes, another approves, and it goes in."""
        critic = self._reviewer()
        moment = self._says(critic, self.life.start, FIRST_REVIEW_HOURS, "changes_requested")
        second = self._reviewer(critic)
        self._merge(second, self._says(second, moment, ROUND_HOURS, "approved"))

    def unanswered(self) -> None:
        """Changes are requested, nothing comes, somebody closes it."""
        critic = self._reviewer()
        moment = self._says(critic, self.life.start, FIRST_REVIEW_HOURS, "changes_requested")
        self.life.closed = self.calendar.at_work(self.rng, critic, moment + self.rng.randrange(14, 60) * DAY)

    def abandoned(self) -> None:
        """Closed by its author: overtaken, or not wanted."""
        moment = self.life.start
        if self.rng.random() < 0.5:
            moment = self._says(self._reviewer(), moment, FIRST_REVIEW_HOURS, "commented")
        self.life.closed = self.calendar.at_work(self.rng, self.author, moment + draw(self.rng, ABANDONED_DAYS) * DAY)

    def slow(self) -> None:
        """A long-lived branch: a draft for weeks, then round after round."""
        reviewer, rng = self._reviewer(), self.rng
        weeks_later = self.life.opened + rng.randrange(18, 45) * DAY
        moment = self.life.ready = self.calendar.at_work(rng, self.author, weeks_later)
        for _ in range(rng.randint(4, 7)):
            moment = self._asks(reviewer, moment + rng.randrange(1, 6) * DAY)
            moment = self._says(self.author, moment, ROUND_HOURS, "commented")
            self.life.pushes += rng.randint(2, 7)
        self._merge(reviewer, self._says(reviewer, moment, ROUND_HOURS, "approved"))

    def stale(self) -> None:
        """Open for good; some wait for an answer to a reviewer."""
        if self.rng.random() < 0.6:
            state = self.rng.choice(("commented", "changes_requested"))
            self._says(self._reviewer(), self.life.start, FIRST_REVIEW_HOURS, state)
        elif self.rng.random() < 0.6:
            self.life.ready = self.calendar.end  # a draft to this day

    def passers_by(self) -> None:
        """A reviewing bot, an account since deleted, a comment after the merge."""
        rng, life = self.rng, self.life
        if self.calendar.share(life.start) > 0.5 and rng.random() < 0.2:
            self._slip_in(COPILOT, rng.randrange(90, 6 * MINUTE))
        if rng.random() < 0.006:
            self._slip_in(GHOST, rng.randrange(HOUR, 9 * HOUR))
        if life.merged and life.reviews and rng.random() < 0.012:
            life.reviews.append((life.reviews[0][0], "commented", life.merged + rng.randrange(20 * MINUTE, 30 * HOUR)))

    def _reviewer(self, other: Member | None = None) -> Member:
        """Somebody else of the team, most often one who knows the area."""
        people = [
            member
            for member in TEAM
            if member is not self.author and member is not other and self.calendar.present(member, self.life.opened)
        ]
        weights = [
            ((6 / (1 + m.areas.index(self.area)) if self.area in m.areas else 0.3) + m.lead)
            * (2 if m.zone == self.author.zone else 1)
            for m in people
        ]
        return self.rng.choices(people, weights)[0]

    def _draft(self) -> None:
        likely = 0.0 if self.author.who["type"] == "bot" else 0.3 if self.churn > LARGE else 0.13
        if self.rng.random() < likely:
            moment = self.life.opened + draw(self.rng, DRAFT_HOURS) * HOUR
            self.life.ready = self.calendar.at_work(self.rng, self.author, moment)

    def _rounds(self) -> int:
        roll = self.rng.random() + (0.2 if self.churn > LARGE else -0.1 if self.churn < SMALL else 0)
        return 1 if roll < 0.66 else 2 if roll < 0.9 else 3 if roll < 1.08 else 4

    def _review(self, reviewer: Member, rounds: int) -> int:
        """So many rounds by one reviewer, the last an approval; the moment of that."""
        moment, wait = self.life.start, FIRST_REVIEW_HOURS
        for _ in range(rounds - 1):
            moment = self._asks(reviewer, moment + draw(self.rng, wait) * HOUR)
            if self.rng.random() < 0.3:  # the author answers in the threads
                answer = moment + self.rng.randrange(10 * MINUTE, 5 * HOUR)
                moment = self.calendar.at_work(self.rng, self.author, answer)
                self.life.reviews.append((self.author, "commented", moment))
            self.life.pushes += self.rng.randint(1, 3)
            wait = ROUND_HOURS
        return self._says(reviewer, moment, wait, "approved")

    def _asks(self, reviewer: Member, moment: float) -> int:
        """A review that wants something."""
        state = "changes_requested" if self.rng.random() < 0.5 else "commented"
        if state == "changes_requested" and self.rng.random() < 0.05:
            state = "dismissed"
        at = self.calendar.at_work(self.rng, reviewer, moment)
        self.life.reviews.append((reviewer, state, at))
        return at

    def _says(self, reviewer: Member, after: float, wait: Curve, state: str) -> int:
        moment = self.calendar.at_work(self.rng, reviewer, after + draw(self.rng, wait) * HOUR)
        self.life.reviews.append((reviewer, state, moment))
        return moment

    def _merge(self, reviewer: Member, approved: int) -> None:
        merger = reviewer if self.author not in TEAM or self.rng.random() < 0.3 else self.author
        moment = self.calendar.at_work(self.rng, merger, approved + draw(self.rng, MERGE_HOURS) * HOUR)
        self.life.merger, self.life.merged = merger, moment + self.rng.randrange(20, 200)

    def _slip_in(self, reviewer: Member, wait: int) -> None:
        moment = self.life.start + wait
        if self.life.end is None or moment < self.life.end:
            self.life.reviews.append((reviewer, "commented", moment))


def squeezed(rng: Random, life: Life, horizon: int) -> Life:
    """The same life, gone through fast enough to be over before the horizon."""
    assert life.end is not None
    pace = (0.4 + 0.5 * rng.random()) * (horizon - life.opened) / max(1, life.end - life.opened)

    def sooner(moment: int) -> int:
        return life.opened + int((moment - life.opened) * pace)

    reviews = [(who, state, sooner(moment)) for who, state, moment in life.reviews if moment <= (life.end or moment)]
    return Life(
        life.opened,
        life.ready and sooner(life.ready),
        reviews,
        life.merged and sooner(life.merged),
        life.closed and sooner(life.closed),
        life.merger,
        life.pushes,
    )
