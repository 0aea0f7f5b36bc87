"""A plan and its life as the record that a source yields."""

from collections.abc import Iterable
from random import Random

from data.demo.changes import Change
from data.demo.life import LARGE, Life
from data.demo.plan import Plan
from data.demo.shown import shown
from data.demo.team import ASSISTANTS, TEAM, Member
from data.links import links
from data.moments import utc_text
from data.people import HUMAN
from data.records import CoAuthorRecord, EventRecord, LinkRecord, PullRecord, ReviewRecord, ThreadRecord

FATES = {"approved": "approved", "changes_requested": "changes_requested"}


def pull_record(
    rng: Random, plan: Plan, life: Life, *, number: int, repo: str, milestone: str, horizon: int
) -> PullRecord:
    """What is known of a pull request at the horizon, all later moments left out."""
    merged = _known(life.merged, horizon)
    closed = merged or _known(life.closed, horizon)
    ready = _known(life.ready, horizon)
    reviews = [review for review in life.reviews if review[2] <= horizon]
    latest = max(moment for moment in (life.opened, ready, closed, *(at for _, _, at in reviews)) if moment is not None)
    author = plan.author
    record = PullRecord(
        number=number,
        title=plan.title,
        body=plan.body,
        state="merged" if merged else "closed" if closed else "open",
        is_draft=life.ready is not None and ready is None,
        author=author.who.copy(),
        merged_by=life.merger.who.copy() if merged and life.merger else None,
        created_at=utc_text(life.opened),
        ready_at=utc_text(ready),
        merged_at=utc_text(merged),
        closed_at=utc_text(closed),
        updated_at=utc_text(latest),
        base=plan.base,
        head=plan.head,
        is_cross_repository=author.who["type"] == HUMAN and author not in TEAM,
        labels=plan.labels,
        reviews=[
            ReviewRecord(reviewer=who.who.copy(), state=state, submitted_at=utc_text(at) or "")
            for who, state, at in reviews
        ],
        threads=_threads(rng, plan, reviews),
        events=_events(plan, life, reviews, horizon),
        co_authors=_co_authors(rng, plan),
        links=_links(plan, number, repo),
        merge_commit=f"{rng.getrandbits(160):040x}" if merged else None,
        merge_method=("merge" if plan.base != "main" else "squash") if merged else None,
        milestone=milestone if author in TEAM and rng.random() < 0.55 else None,
        review_decision=_decision(reviews, author),
        n_comments=_few(rng, 2 + len(reviews)),
        n_commits=life.pushes + _few(rng, 1 + plan.change.churn // LARGE),
        url=None,
        node_id=None,
    )
    set_change(record, plan.change)
    return record


def set_change(record: PullRecord, change: Change) -> None:
    """The files of a pull request, their totals, and what their patches do."""
    record["files"], record["files_complete"] = change.files, True
    record["changed_files"] = len(change.files)
    record["signals"], record["patches_known"] = shown(record["number"], record["title"], change.files), True
    record["additions"] = sum(file["additions"] or 0 for file in change.files)
    record["deletions"] = sum(file["deletions"] or 0 for file in change.files)


def _known(moment: int | None, horizon: int) -> int | None:
    return moment if moment is not None and moment <= horizon else None


def _few(rng: Random, most: int) -> int:
    """A small number, mostly in the lower half."""
    return int(rng.random() * rng.random() * (most + 1))


def _events(plan: Plan, life: Life, reviews: list[tuple[Member, str, int]], horizon: int) -> list[EventRecord]:
    """When it left draft, and the pushes that answered reviews: each somewhat before the next word on it."""
    events = []
    if ready := _known(life.ready, horizon):
        events.append(_event("ready_for_review", ready, plan.author))
    moments = [at for _, _, at in reviews] + [life.end or horizon]
    for (reviewer, state, at), following in zip(reviews, moments[1:], strict=True):
        if reviewer is not plan.author and state != "approved" and at < following:
            events.append(_event("force_pushed", at + (following - at) * 3 // 5, plan.author))
    return sorted(events, key=lambda event: event["at"])


def _event(kind: str, moment: int, actor: Member) -> EventRecord:
    return EventRecord(kind=kind, at=utc_text(moment) or "", actor=actor.who.copy(), reviewer=None, team=None)


def _threads(rng: Random, plan: Plan, reviews: Iterable[tuple[Member, str, int]]) -> list[ThreadRecord]:
    """Conversations in the files, from each review that wanted something; a few grow into disputes."""
    threads = []
    for reviewer, state, _ in reviews:
        if reviewer is plan.author or (state == "approved" and rng.random() < 0.8):
            continue
        for _ in range(rng.randint(0 if state == "approved" else 1, 3)):
            dispute = rng.random() < 0.03
            threads.append(
                ThreadRecord(
                    path=rng.choice(plan.change.files)["path"] if plan.change.files else None,
                    is_resolved=rng.random() < (0.5 if dispute else 0.88),
                    is_outdated=rng.random() < 0.5,
                    n_comments=rng.randint(7, 22) if dispute else 1 + _few(rng, 6),
                )
            )
    return threads


def _co_authors(rng: Random, plan: Plan) -> list[CoAuthorRecord]:
    if plan.assisted:
        assistant = rng.choice(ASSISTANTS)
        return [CoAuthorRecord(person=assistant["person"].copy(), is_ai=assistant["is_ai"])]
    if plan.author in TEAM and rng.random() < 0.04:
        other = rng.choice([member for member in TEAM if member is not plan.author and plan.area in member.areas])
        return [CoAuthorRecord(person=other.who.copy(), is_ai=False)]
    return []


def _links(plan: Plan, number: int, repo: str) -> list[LinkRecord]:
    found = links(plan.title, plan.body, number=number, repo=repo)
    if plan.reverts is not None:
        by_hash = LinkRecord(kind="reverts", number=plan.reverts, repo=None, evidence=plan.body.partition("\n")[0])
        return [by_hash, *(link for link in found if link["number"] != plan.reverts)]
    return found


def _decision(reviews: Iterable[tuple[Member, str, int]], author: Member) -> str:
    """As GitHub sums up: the last word of each reviewer, a request for changes before an approval."""
    last = {who.login: state for who, state, _ in reviews if who is not author and state != "commented"}
    states = set(last.values())
    return (
        "changes_requested"
        if "changes_requested" in states
        else "approved"
        if "approved" in states
        else "review_required"
    )
