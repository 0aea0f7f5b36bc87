"""Stories that several pull requests tell together: a change, its revert, its repairs, its return."""

import json
from collections import defaultdict
from collections.abc import Collection
from typing import Any, NamedTuple

import pandas as pd

from analysis.chain_links import KINDS, REAPPLY, REPAIR, REVERT

REWORK = "rework"
MOST_MEMBERS = 12  # a longer story goes on as another
COLUMNS = {
    "kind": "object",
    "is_sure": "bool",
    "prs": "object",
    "since": "object",
    "until": "object",
    "repair_hours": "float64",
    "days": "float64",
    "evidence": "object",
}
LABELS = {
    "pull_id": "int64",
    "was_reverted": "bool",
    "was_repaired": "bool",
    "revert_hours": "float64",
    "repair_hours": "float64",
    "is_censored": "bool",
}


class _Story(NamedTuple):
    members: set[int]  # pull ids
    links: list[Any]
    is_sure: bool


def chains(links: pd.DataFrame, pulls: pd.DataFrame) -> pd.DataFrame:
    """Which pull requests tell one story: a change, its revert, its repairs, its return?

    A pull request goes into the story of what it took out, brought back or repaired; if that was told in two, into
    both, but they stay two. What is only possible is appended to a story, joins none, and alone makes one that is not
    sure.

    Formula: a story is `rework` if two or more of its pull requests take out or repair, else `reapply` if something
        came back in, else `revert` or `repair`. Time to repair runs from a first merge to the first revert or repair of
        it.
    Misses: what the links between pull requests miss (`chain_links.links_of`). A story does not grow beyond 12 pull
        requests: it goes on as another one.
    Source: own; reverts and repairs as `chain_links.links_of` finds them.
    Example: #10 merged on Monday noon, #12 reverted it 16.5 hours later, #14 repaired it on Wednesday: rework of #10,
        #12, #14, repaired after 16.5 hours.

    Args:
        links: one row per pull request and earlier one, as `chain_links.links_of` gives them.
        pulls: one row per pull request that occurs there: pull_id, number, merged_at.

    Returns:
        One row per story, by its first pull request: kind, is_sure (False: it may be none), prs (numbers in order of
        time), since and until (first and last merge, UTC text), repair_hours (NaN if nothing was taken out or
        repaired), days (from first to last merge), evidence (list of dicts: pr, of, kind, is_sure, hours, and the
        `reasons` of the link; of reverts of reverts what each means for the change that they begin with).
    """
    merged = pulls[pulls["pull_id"].isin({*links["pull_id"], *links["earlier_id"]}) & pulls["merged_at"].notna()]
    order = merged.sort_values(["merged_at", "number"])
    number = dict(zip(order["pull_id"], order["number"], strict=True))
    pull_of = {of: pull_id for pull_id, of in number.items()}
    merged_at = dict(zip(order["pull_id"], order["merged_at"], strict=True))
    place = {pull_id: at for at, pull_id in enumerate(number)}
    known = links[links["pull_id"].isin(place) & links["earlier_id"].isin(place)]
    rows = [_row(story, place, number, merged_at) for story in _stories(known, place)]
    rows.sort(key=lambda row: (place[pull_of[row["prs"][0]]], row["prs"]))
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def in_window(stories: pd.DataFrame, numbers: Collection[int]) -> pd.DataFrame:
    """The stories that touch a window: at least one of whose pull requests has one of these numbers."""
    wanted = set(numbers)
    touches = pd.Series([not wanted.isdisjoint(prs) for prs in stories["prs"]], index=stories.index, dtype=bool)
    return stories[touches].reset_index(drop=True)


def labels(links: pd.DataFrame, pulls: pd.DataFrame, *, within_days: float, until: str | None = None) -> pd.DataFrame:
    """Which merged pull requests were reverted or repaired soon after?

    This is what a back-test asks the risk rules to foresee.

    Formula: something merged within so many days reverts or repairs it, by a sure link. Censored are those merged so
        shortly before the newest merge that this cannot be known yet: a back-test leaves them out, reverted or not,
        lest only the quick failures of the last days count.
    Misses: what the links between pull requests miss (`chain_links.links_of`); repairs that came later.
    Source: labels after the SZZ algorithm (Śliwerski, Zimmermann and Zeller 2005); right censoring as in survival
        analysis.
    Example: watched for 30 days, a change merged 40 days before the newest merge and repaired after 100 hours was
        repaired; one merged 20 days before it is censored.

    Args:
        links: one row per pull request and earlier one, as `chain_links.links_of` gives them.
        pulls: one row per pull request: pull_id, merged_at.
        within_days: how long each is watched.
        until: the newest moment that is known (UTC text), where a wrong clock has put a merge later; None: the newest
            merge.

    Returns:
        One row per merged pull request, by id: pull_id, was_reverted, was_repaired, revert_hours, repair_hours (to the
        first; NaN for none), is_censored.
    """
    merged = pulls[pulls["merged_at"].notna()].sort_values("pull_id")
    sure = links[links["is_sure"] & (links["hours"] <= within_days * 24)]
    found = pd.DataFrame({"pull_id": merged["pull_id"].to_numpy()})
    for kind, was, hours in ((REVERT, "was_reverted", "revert_hours"), (REPAIR, "was_repaired", "repair_hours")):
        first = sure[sure["kind"] == kind].groupby("earlier_id")["hours"].min()
        found[hours] = found["pull_id"].map(first).astype(float)
        found[was] = found[hours].notna()
    moments = pd.to_datetime(merged["merged_at"], utc=True)
    newest = moments.max() if until is None else pd.Timestamp(until)
    found["is_censored"] = (newest - moments < pd.Timedelta(days=within_days)).to_numpy()
    return found[list(LABELS)].astype(LABELS)


def _stories(links: pd.DataFrame, place: dict[int, int]) -> list[_Story]:
    """All stories; a pull request goes where what it undid or repaired is told, in order of time."""
    home: dict[int, _Story] = {}
    stories = []
    order = links.assign(
        is_unsure=~links["is_sure"],
        at=links["pull_id"].map(place),
        strength=links["kind"].map(KINDS.index),
        before=-links["earlier_id"].map(place),
    ).sort_values(["is_unsure", "at", "strength", "before"])
    for row in order.itertuples():
        story = home.get(row.earlier_id) or home.get(row.pull_id)
        if story is None or len(story.members | {row.pull_id, row.earlier_id}) > MOST_MEMBERS:
            story = _Story(set(), [], row.is_sure)
            stories.append(story)
            home[row.earlier_id if row.is_sure else row.pull_id] = story  # what is only possible attracts nobody
        story.members.update((row.pull_id, row.earlier_id))
        story.links.append(row)
        if row.is_sure:
            home.setdefault(row.pull_id, story)
            home.setdefault(row.earlier_id, story)
    return stories


def _row(story: _Story, place: dict[int, int], number: dict[int, int], merged_at: dict[int, str]) -> dict[str, Any]:
    members = sorted(story.members, key=place.__getitem__)
    links = sorted(story.links, key=lambda link: (place[link.pull_id], place[link.earlier_id]))
    roles: dict[int, Any] = {}  # what each did to the earliest that it is linked to
    for link in links:
        if link.is_sure or not story.is_sure:
            roles.setdefault(link.pull_id, link)
    repairs = [link for link in roles.values() if link.kind in (REVERT, REPAIR)]
    since, until = merged_at[members[0]], merged_at[members[-1]]
    return {
        "kind": _kind([link.kind for link in roles.values()]),
        "is_sure": story.is_sure,
        "prs": [number[pull_id] for pull_id in members],
        "since": since,
        "until": until,
        "repair_hours": repairs[0].hours if repairs else None,
        "days": round((pd.Timestamp(until) - pd.Timestamp(since)) / pd.Timedelta(days=1), 1),
        "evidence": [
            {
                "pr": number[link.pull_id],
                "of": number[link.earlier_id],
                "kind": link.kind,
                "is_sure": bool(link.is_sure),
                "hours": link.hours,
                "reasons": json.loads(link.evidence),
            }
            for link in _told(links)
        ],
    }


def _told(links: list[Any]) -> list[Any]:
    """The links but those to reverts that another link of the same pull request tells the outcome of.

    A revert of a revert is told as bringing the change back, once, however deep such a quarrel goes.
    """
    undone: dict[int, set[int]] = defaultdict(set)
    for link in links:
        if link.is_sure and link.kind != REPAIR:
            undone[link.pull_id].add(link.earlier_id)

    def is_told(link: Any) -> bool:
        is_undoing = link.earlier_id in undone[link.pull_id]
        return not (is_undoing and undone[link.pull_id] & undone[link.earlier_id])

    return [link for link in links if is_told(link)]


def _kind(roles: list[str]) -> str:
    if sum(role in (REVERT, REPAIR) for role in roles) > 1:
        return REWORK
    return min(roles, key=(REAPPLY, REVERT, REPAIR).index)
