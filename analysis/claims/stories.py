"""Stories for the risk watch: who took out, brought back or repaired what, after how long, and how sure that is."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from analysis.claims.claim import Claim, Length, Number
from analysis.titles import parse

MOST_STORIES = 6  # that a report of middle length tells
MOST_STEPS = 4  # of a story that are told one by one
ORDER = ("rework", "revert", "reapply", "repair")  # what a reader should know first
Facts = Mapping[str, Any]
Chain = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """How many stories touch the window, and each of them: the surest and most eventful first."""
    chains = sorted(facts["chains"], key=lambda chain: (not chain["is_sure"], ORDER.index(chain["kind"])))
    prs = tuple(dict.fromkeys(number for chain in chains for number in chain["prs"]))
    kinds = [chain["kind"] for chain in chains if chain["is_sure"]]
    numbers: dict[str, Number] = {"n": len(chains), "sure": len(kinds)}
    numbers |= {kind: kinds.count(kind) for kind in ORDER}
    count = Claim("risks", "stories", numbers=numbers, prs=prs, query={"list": "chains"})
    titles = {pull["number"]: parse(pull["title"]).subject for pull in facts["pulls"]}
    return [count, *(_story(chain, at, titles) for at, chain in enumerate(chains))]


def _story(chain: Chain, place: int, titles: Mapping[int, str]) -> Claim:
    """What happened, step by step; of a long story its first steps, how many more came, and over which time.

    A story is told whole, so that some of its pull requests may lie before or after the window.
    """
    prs, steps = tuple(chain["prs"]), chain["evidence"][:MOST_STEPS]
    more = len(chain["evidence"]) - len(steps)
    here = [at for at, number in enumerate(prs) if number in titles]
    numbers: dict[str, Number] = {"prs": len(prs), "more": more, "span_hours": _span_hours(chain)}
    numbers |= {"before": here[0], "after": len(prs) - 1 - here[-1]} if here else {"before": 0, "after": 0}
    numbers |= {f"hours_{at}": step["hours"] for at, step in enumerate(steps, 1)}
    sure = "yes" if chain["is_sure"] else ""
    names = {"kind": chain["kind"], "sure": sure, "title": titles.get(prs[0], "")}
    level: Length = "M" if place < MOST_STORIES else "L"
    subject, query = "-".join(map(str, prs)), {"list": "chains", "first": prs[0]}
    return Claim("risks", "story", subject, numbers, prs, names, tuple(steps), query, level)


def _span_hours(chain: Chain) -> float:
    """From its first merge to its last."""
    first, last = (datetime.fromisoformat(chain[end]) for end in ("since", "until"))
    return round((last - first).total_seconds() / 3600, 2)
