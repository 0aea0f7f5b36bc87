"""What happens over several pull requests: reverts, repairs, series, an incident, a rename.

A story is a coroutine. It yields its next pull request (who opens it, how long from now, how it is planned) and is sent
that pull request once it is merged. One that never is, because it was closed or the sample ended, ends its story.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING

from data.demo.chance import DAY, HOUR, Curve, draw
from data.demo.changes import Change, file_record, repaired, summed, undone, vendored
from data.demo.details import MISSIONS
from data.demo.plan import Plan, Pull
from data.demo.team import DEPENDABOT, GHOST, RELEASER, TEAM, Member
from data.demo.tree import AREAS, RENAMED
from data.demo.words import VOCABULARY, Subject, Topic

if TYPE_CHECKING:
    from data.demo.world import World

Step = tuple[Member, float, Callable[[Member], Plan]]  # author, seconds from now, the author's plan at that moment
Story = Generator[Step, Pull, None]

REVERT_HOURS: Curve = ((0, 0.5), (0.4, 5), (0.7, 26), (0.9, 90), (1, 200))
REPAIR_HOURS: Curve = ((0, 1), (0.25, 9), (0.5, 30), (0.75, 80), (0.95, 200), (1, 300))
SECOND_TRY_DAYS: Curve = ((0, 0.4), (0.5, 3), (1, 14))
REASONS = (
    "The nightly run on staging fails since this landed.",
    "Breaks the {area} tests on main, and nobody is around to look into it.",
    "Two sites lost passes this morning. Reverting first, looking later.",
    "Memory grows without bound under the load of the {mission} replay.",
    "We should agree on the format first; reverting to unblock the release.",
)
CAUSES = (
    "The cause was a missing index.",
    "The cause was a fixture that hid the real order of events; it is gone.",
    "This time with a switch, off by default.",
    "What broke was a consumer we did not know of. It has been adapted.",
)
REASONS_ZH = ("合入后夜间任务持续失败，先回滚。", "两个站点今早丢失过境，先回滚再排查。")
STORIES: list[tuple[float, Callable[[World], Story]]]  # when, as a share of the whole time; filled in below


# ---- what follows when a change turns out to be bad


def aftermath(world: World, broken: Pull) -> Story:
    """What happens to a change with a fault: reverted, or repaired in one or several goes."""
    rng = world.rng
    taken_back = broken.plan.about is None or rng.random() < 0.15
    return reverted(world, broken) if taken_back else repairs(world, broken, rng.choice((1, 1, 1, 1, 1, 2, 3)))


def reverted(world: World, broken: Pull, form: str = "", second_try: float = 0.5) -> Story:
    """Taken back, and perhaps brought in again."""
    take_back = partial(revert_plan, world, broken, form=form)
    revert = yield _somebody(world, broken), _hours(world, REVERT_HOURS), take_back
    if world.rng.random() < second_try and broken.plan.author in TEAM:
        again = draw(world.rng, SECOND_TRY_DAYS) * DAY
        yield broken.plan.author, again, partial(second_try_plan, world, broken, revert)


def repairs(world: World, broken: Pull, goes: int) -> Story:
    """Mended, and then something else of it, or the mending itself."""
    target = broken
    for _ in range(goes):
        author = broken.plan.author if world.rng.random() < 0.55 else _somebody(world, broken)
        if author not in TEAM:
            author = world.lead()
        fix = yield author, _hours(world, REPAIR_HOURS), partial(repair_plan, world, target)
        target = fix if world.rng.random() < 0.4 else broken


def revert_plan(world: World, broken: Pull, author: Member, form: str = "") -> Plan:
    """A revert in one of the ways people write them: github, hash, bracket or free, else by chance."""
    rng = world.rng
    form = form or rng.choice(("github", "github", "hash", "bracket", "free"))
    old, number = broken.title, broken.number
    chinese = "zh" in author.habits and rng.random() < 0.4
    reason = rng.choice(REASONS_ZH if chinese else REASONS).format(area=broken.plan.area, mission=rng.choice(MISSIONS))
    name, body = f'Revert "{_cut(old)}"', f"Reverts {world.repo_name}#{number}\n\n{reason}"
    if form == "hash":
        body = f"This reverts commit {broken.record['merge_commit']}.\n\n{reason}"
    elif form == "bracket":
        name = f"[{broken.plan.area}] revert: {_cut(old)} (#{number})"
        body = reason
    elif form == "free" and broken.plan.about:
        what = broken.plan.about.topic
        name = f"[{what.area}] revert: 回退{what.zh}的修改" if chinese else f"Back out the change to {what.en}"
        body = f"{reason}\n\nThis takes #{number} out again."
    return Plan(
        author=author,
        area=broken.plan.area,
        change=undone(world.tree, broken.record["files"] or []),
        title=name,
        body=body,
        about=broken.plan.about,
        how=rng.choice(("fast", "fast", "usual", "unreviewed")),
        head=f"revert-{number}-{broken.plan.head.rpartition('/')[2]}"[:80],
        labels=["revert"],
        reverts=number if form == "hash" else None,
    )


def second_try_plan(world: World, first: Pull, revert: Pull, author: Member, form: str = "") -> Plan:
    """The change once more: as a revert of the revert, by GitHub's Reapply, or in the author's own words."""
    rng = world.rng
    form = form or rng.choice(("revert", "reapply", "words"))
    name, body = f'Revert "{_cut(revert.title)}"', f"Reverts {world.repo_name}#{revert.number}\n\nWith the fix."
    if form == "reapply":
        name, body = f'Reapply "{_cut(first.title)}"', f"Reapplies #{first.number}, reverted in #{revert.number}."
    elif form == "words":
        name = f"{first.title} (second try)"
        body = f"Second try at #{first.number}, which #{revert.number} took out. {rng.choice(CAUSES)}"
    return Plan(
        author=author,
        area=first.plan.area,
        change=undone(world.tree, revert.record["files"] or []),
        title=name,
        body=body,
        about=first.plan.about,
        how="usual",
        head=f"{author.login}/again-{first.number}",
    )


def repair_plan(world: World, broken: Pull, author: Member) -> Plan:
    """A fix of what a change broke; seven of ten name its number, the others just touch the same files."""
    rng, number = world.rng, broken.number
    assert broken.plan.about is not None, "a bot's change is reverted or pinned back, never repaired"
    topic = broken.plan.about.topic
    fix = world.subject("fix", topic.area, topic=topic)
    roll = rng.random()
    if roll < 0.4:
        fix = fix._replace(
            text=rng.choice(("regression in {t} since #{n}", "{t} broken since #{n}")).format(t=topic.en, n=number),
            verb="Fix",
            zh=f"修复 #{number} 引入的{topic.zh}问题",
        )
    told = [rng.choice((f"Introduced by #{number}.", f"Follow-up fix to #{number}."))] if 0.3 < roll < 0.7 else []
    change = repaired(rng, world.tree, fix, broken.record["files"] or [])
    return world.worded(author, fix, change, extra=told, how=rng.choice((None, "fast", "unreviewed", "usual")))


# ---- organised work


def series(world: World) -> Story:
    """One piece of work in three to five numbered parts."""
    rng = world.rng
    author, area = world.lead(), rng.choice(("api", "scheduler", "console", "planner"))
    yield from _parts(world, author, area, rng.randint(3, 4), "split up the {t} module")


def migration(world: World) -> Story:
    """The move of the storage to asynchronous sessions, in five parts."""
    author = next((m for m in TEAM if "storage" in m.areas[:1] and world.present(m)), world.lead())
    yield from _parts(world, author, "storage", 5, "asynchronous {t}")


def _parts(world: World, author: Member, area: str, n: int, work: str) -> Story:
    topics, builds_on = world.rng.sample(list(VOCABULARY[area].topics), n), ""
    for part, topic in enumerate(topics, 1):
        wait = (1 + world.rng.random() * 5) * DAY
        said = f"Part {part} of {n}.{builds_on}"
        landed = yield author, wait, partial(_part, world, topic, f"[{part}/{n}]", work, said)
        builds_on = f" Builds on #{landed.number}."


def _part(world: World, topic: Topic, mark: str, work: str, said: str, author: Member) -> Plan:
    text = work.format(t=topic.en.removeprefix("the "))
    about = Subject(
        kind="refactor",
        topic=topic,
        pattern=work,
        text=text,
        verb="",
        zh=f"{topic.zh}改造",
        condition=world.condition(topic.area),
    )
    plan = world.regular(author, about, extra=[said], size=1.6, how="usual")
    plan.title = f"{mark} {plan.title}"
    return plan


def rework(world: World) -> Story:
    """One thing repaired over and over within weeks, each time in other words."""
    rng = world.rng
    area = rng.choice(("scheduler", "console", "telemetry"))
    topic = world.rng.choice(world.tree.plots[area].topics[:5])
    experts = [member for member in TEAM if area in member.areas and world.present(member)]
    for _ in range(rng.randint(4, 5)):
        yield rng.choice(experts), (1 + rng.random() * 4) * DAY, partial(_fix_again, world, topic)


def _fix_again(world: World, topic: Topic, author: Member) -> Plan:
    return world.regular(author, world.subject("fix", topic.area, topic=topic), size=1.3, how="usual")


def rename(world: World) -> Story:
    """The folder of the scheduler gets its full name, with everybody who imports it."""

    def moved() -> Change:
        tree, files = world.tree, {}
        for old, new in RENAMED:
            for path in [path for path in tree.lines if path.startswith(old)]:
                lines = world.rng.choice((0, 0, 1, 2, 4))
                files[new + path[len(old) :]] = file_record(new + path[len(old) :], "renamed", lines, lines, path)
        importers = [path for area in ("planner", "api", "telemetry", "cli") for path in tree.plots[area].files]
        for path in world.rng.sample(importers, 14):
            files[path] = file_record(path, "modified", 2, 2)
        files["pyproject.toml"] = file_record("pyproject.toml", "modified", 1, 1)
        tree.move(RENAMED)
        return summed(tree, files)

    def make(author: Member) -> Plan:
        return Plan(
            author=author,
            area="scheduler",
            change=Change(),
            title="[scheduler] refactor: rename `orbit/sched` to `orbit/scheduler`",
            body="Only moves and imports, no logic. Open branches need a rebase, sorry; git follows the renames.\n\n"
            "Announced last week, nobody objected.",
            how="usual",
            head="linmei/rename-scheduler",
            labels=["area/scheduler", "refactoring"],
            at_landing=moved,
        )

    yield TEAM[0], 0, make


def vendor_update(world: World) -> Story:
    """A new version of the vendored library."""

    def make(author: Member) -> Plan:
        return Plan(
            author=author,
            area="planner",
            change=vendored(world.rng, world.tree),
            title="chore: update vendored sgp4 to 2.24",
            body="Straight copy of the upstream release, licence unchanged. Nothing of ours in this diff.",
            how="usual",
            head=f"{author.login}/sgp4-2.24",
        )

    yield world.lead(), 0, make


def release(world: World, version: str) -> Story:
    """The release bot's pull request; the tag follows when it lands."""
    landed = yield RELEASER, 6 * HOUR, lambda _: world.bots.release(version)
    world.tag(f"v{version}", landed)


def backport(world: World, fixed: Pull, branch: str) -> Story:
    """A fix once more, for the branch of the last release."""

    def make(author: Member) -> Plan:
        return Plan(
            author=author,
            area=fixed.plan.area,
            change=Change([file.copy() for file in fixed.record["files"] or []]),
            title=f"[{branch}] {fixed.title}",
            body=f"Cherry-pick of #{fixed.number}.",
            about=fixed.plan.about,
            how="usual",
            base=branch,
            head=f"backport-{fixed.number}-to-{branch}",
            labels=["backport"],
        )

    author = fixed.plan.author if fixed.plan.author in TEAM and world.rng.random() < 0.5 else RELEASER
    yield author, (2 + world.rng.random() * 40) * HOUR, make


# ---- things that go wrong, told in full


def taken_back(form: str) -> Callable[[World], Story]:
    """A feature that comes, goes (in a way that `revert_plan` knows) and comes back."""

    def story(world: World) -> Story:
        first = yield _own(world, "feat", size=1.2)
        yield from reverted(world, first, form=form, second_try=1.0)

    return story


def revert_war(world: World) -> Story:
    """Reverted, re-applied, reverted again: three deep."""
    first = yield _own(world, "perf", area="scheduler", size=1.5)
    revert = yield world.lead(), 9 * HOUR, partial(revert_plan, world, first, form="github")
    again = yield first.plan.author, 3 * DAY, partial(second_try_plan, world, first, revert, form="revert")
    yield world.lead(), 2 * DAY, partial(revert_plan, world, again, form="github")


def incident(world: World) -> Story:
    """A bad week: a large change goes in fast, and fix follows fix until it is taken out."""
    first = yield _own(world, "feat", area="scheduler", size=2.5, how="fast")
    for _ in range(5):
        yield _somebody(world, first), (3 + world.rng.random() * 14) * HOUR, partial(repair_plan, world, first)
    yield world.lead(), 5 * HOUR, partial(revert_plan, world, first, form="github")


def repair_chain(world: World) -> Story:
    """A change to something central, mended three times."""
    first = yield _own(world, "refactor", area=world.rng.choice(("storage", "api", "planner")), size=2.0)
    yield from repairs(world, first, 3)


def pinned_back(world: World) -> Story:
    """A version bump that breaks production and is pinned back by hand."""
    folder, name = world.rng.choice((("", "pydantic"), ("", "sqlalchemy"), ("console", "vite")))
    bump = yield DEPENDABOT, 0, lambda _: world.bots.bump(folder, name, how="automatic")

    def make(author: Member) -> Plan:
        new = bump.title.rpartition(" to ")[2].partition(" ")[0]
        return Plan(
            author=author,
            area="ci",
            change=undone(world.tree, bump.record["files"] or []),
            title=f"fix(deps): pin {name} below {new}",
            body=f"{new} changes how defaults are copied and breaks saved plans, see #{bump.number}. "
            "Pinned until upstream has a fix.",
            how="fast",
            head=f"{author.login}/pin-{name}",
            labels=["bug", "dependencies"],
        )

    yield world.lead(), 11 * HOUR, make


def from_a_ghost(world: World) -> Story:
    """A contribution of an account that has since been deleted."""
    about = world.subject("fix", "api")
    yield GHOST, 0, lambda ghost: world.regular(ghost, about, how="usual")


def breaking(world: World) -> Story:
    """What callers must adapt to, in the two ways in which titles say so."""
    for login in ("tbrandt-acme", "akowalska-dev"):
        author = next(member for member in TEAM if member.login == login)
        about = world.subject("refactor", author.areas[0], breaking=True)
        yield author, 9 * DAY, partial(_regular, world, about)


def _regular(world: World, about: Subject, author: Member) -> Plan:
    return world.regular(author, about, how="usual")


def told(how: str, kind: str = "feat", size: float = 1.0) -> Callable[[World], Story]:
    """One pull request with a given fate."""

    def story(world: World) -> Story:
        yield _own(world, kind, size=size, how=how)

    return story


RIGHT_TO_LEFT = "names with \N{RIGHT-TO-LEFT OVERRIDE}marks\N{POP DIRECTIONAL FORMATTING} reverse the row"
SKY = "\N{SATELLITE}\N{VARIATION SELECTOR-16} show \N{EARTH GLOBE EUROPE-AFRICA} and \N{CRESCENT MOON} in the timeline"
LONG = (
    "make the nightly export resumable after a lost connection, report progress per mission and per ground station, "
    "keep partial files for inspection, retry uploads with a growing delay, and write a summary that names every "
    "skipped pass together with the reason why it was skipped"
)
# Hostile to tables, HTML, formulas and mentions, yet meant: area and file, kind, title, body.
ODD_TITLES = (
    ("cli", "passes", "fix", "`orbit passes list | head` prints a traceback", "SIGPIPE is no error for a list."),
    ("console", "passes/PassTable.tsx", "fix", "`<PassTable>` renders twice on every tick", "One effect too many."),
    ("api", "missions", "fix", "escape <script> in mission names (thanks @acme/security)", "Escaped on output now."),
    ("cli", "output", "fix", "a cell like =SUM(A1:A9) must stay text in CSV exports", "A leading quote keeps it text."),
    ("api", "passes", "fix", "`GET /v2/passes?station=A|B` answers 500, see #{issue}", "The bar was a separator once."),
    ("storage", "export", "feat", LONG, "Everything the night shift asked for, in one go. Best read commit by commit."),
    ("console", "passes/PassTable.tsx", "fix", RIGHT_TO_LEFT, "Names are isolated with `<bdi>` now."),
    (
        "docs",
        "operations/runbook.md",
        "docs",
        "say **when** to ping @acme/on-call, and #{issue} everywhere",
        "As agreed.",
    ),
    ("telemetry", "metrics", "fix", 'don\'t treat 100% | 0% as "no data" & count <1 ms as zero', "Zero is a number."),
    (
        "planner",
        "solver",
        "fix",
        "【规划】修复：过境 <1 分钟时 `solver` 无解（关联 #{issue}）",
        "过短的过境直接跳过，不再参与求解。",
    ),
    (
        "console",
        "timeline/Timeline.tsx",
        "feat",
        SKY,
        "Day and night in the background of the timeline. Off by default.",
    ),
)


def odd(area: str, stem: str, kind: str, said: str, why: str) -> Callable[[World], Story]:
    """One pull request with a title that breaks careless tables."""
    topic = next(topic for topic in VOCABULARY[area].topics if topic.stem == stem)

    def story(world: World) -> Story:
        experts = [member for member in TEAM if area in member.areas and world.present(member)]
        yield world.rng.choice(experts or [world.lead()]), 0, partial(_odd, world, topic, kind, said, why)

    return story


def _odd(world: World, topic: Topic, kind: str, said: str, why: str, author: Member) -> Plan:
    text = said.format(issue=world.some_issue())
    about = world.subject(kind, topic.area, topic=topic)._replace(text=text, zh=text, verb="", pattern="")
    plan = world.regular(author, about, extra=[why], how="usual")
    if said.startswith("【"):
        plan.title = text
    return plan


STORIES = [
    (0.05, breaking),
    (0.06, taken_back("github")),
    (0.10, told("objection")),
    (0.12, series),
    (0.16, told("slow", "feat", 2.0)),
    (0.19, rework),
    (0.22, rename),
    (0.25, pinned_back),
    (0.28, repair_chain),
    (0.31, migration),
    (0.34, told("unanswered")),
    (0.37, revert_war),
    (0.41, from_a_ghost),
    (0.43, told("fast", "refactor", 3.0)),
    (0.47, incident),
    (0.53, taken_back("hash")),
    (0.56, told("objection", "refactor")),
    (0.60, series),
    (0.62, vendor_update),
    (0.64, breaking),
    (0.65, told("unreviewed", "fix")),
    (0.68, repair_chain),
    (0.70, told("slow", "refactor", 2.0)),
    (0.73, rework),
    (0.76, revert_war),
    (0.80, taken_back("bracket")),
    (0.83, told("fast", "feat", 3.0)),
    (0.86, repair_chain),
    (0.89, taken_back("free")),
    (0.92, pinned_back),
    (0.94, told("unanswered")),
]
STORIES += [(0.04 + 0.085 * i, odd(*row)) for i, row in enumerate(ODD_TITLES)]
ONCE = {rename, from_a_ghost}


def _own(world: World, kind: str, *, area: str | None = None, size: float = 1.0, how: str = "usual") -> Step:
    """A step that starts something: a change of a kind by somebody who knows the area."""
    area = area or world.rng.choice([name for name, this in AREAS.items() if this.code])
    about = world.subject(kind, area)
    experts = [member for member in TEAM if area in member.areas and world.present(member)]
    author = world.rng.choice(experts or [world.lead()])
    return author, 0, lambda who: world.regular(who, about, size=size, how=how)


def _somebody(world: World, broken: Pull) -> Member:
    """Who takes care: an expert of the area or a lead."""
    people = [m for m in TEAM if world.present(m) and (m.lead or broken.plan.area in m.areas)]
    return world.rng.choice(people)


def _hours(world: World, curve: Curve) -> float:
    return draw(world.rng, curve) * HOUR


def _cut(quoted: str) -> str:
    """A quoted title as GitHub shortens it."""
    return quoted if len(quoted) <= 120 else quoted[:119] + "…"
