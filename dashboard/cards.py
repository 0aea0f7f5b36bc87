"""The Overview's cards: a number, how it changed, how it ran before, and which pull requests it counts."""

from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from analysis.risk_settings import ELEVATED
from dashboard import formats, meanings
from dashboard.formats import Better, Delta, Unit
from dashboard.listing import TIERS
from dashboard.words import Words

MOST = 6
ELEVATED_TIERS = [tier for tier in TIERS if int(tier) >= ELEVATED]


@dataclass(frozen=True)
class Card:
    """One metric; `filters` are those of the list of pull requests that has `n_pulls` rows."""

    name: str
    value: str
    help: str
    change: Delta
    course: list[float]  # the windows of this length up to now, oldest first; unknown ones are left out
    course_type: Literal["bar", "line"]
    filters: dict[str, Any]
    n_pulls: int


def cards(
    pulls: pd.DataFrame, totals: dict[str, Any], history: pd.DataFrame, *, base: str, knows_before: bool, words: Words
) -> list[Card]:
    """The first six of the cards whose numbers are known, in the order they are shown.

    Args:
        pulls: the window's pull requests.
        totals: its sums.
        history: windows of its length that are wholly cached, this one last, as `reads.history`, and `missing_tests`:
            how often that rule fired.
        base: the branch that was merged into.
        knows_before: whether the last row but one is the period just before.
        words: the language.
    """
    course = _Course(history, knows_before, words)
    n_merged = len(pulls)
    n_timed, n_reviewed = (int(pulls[name].notna().sum()) for name in ("lead_time_hours", "first_review_hours"))
    made = [
        Card(
            "merged",
            formats.number(n_merged, words.lang),
            meanings.tooltip(
                "merged", words, words("card.merged_told", base=formats.escape_markdown(base), n=len(history))
            ),
            course.change("merged"),
            course.values("merged"),
            "bar",
            {},
            n_merged,
        )
    ]
    for name, column, n_known, only in (
        ("lead_time", "median_lead_time_hours", n_timed, "timed"),
        ("first_review", "median_first_review_hours", n_reviewed, "reviewed"),
    ):
        if n_known:
            made.append(
                Card(
                    name,
                    formats.duration(totals[column], words.lang),
                    meanings.tooltip(name, words, words("card.known", known=n_known, merged=n_merged)),
                    course.change(column, unit="hours", better="down"),
                    course.values(column),
                    "line",
                    {} if n_known == n_merged else {"only": [only]},
                    n_known,
                )
            )
    if pulls["tier"].notna().any():
        n_lacking = int(history["missing_tests"].iloc[-1])
        made.append(
            course.count("missing_tests", "missing-tests", n_lacking, {"rule": ["missing-tests"]}, better="down")
        )
        n_elevated = int(history["elevated"].iloc[-1])
        made.append(course.count("elevated", "risk", n_elevated, {"tier": ELEVATED_TIERS}, better="down"))
    made.append(course.count("breaking", "breaking_change", totals["breaking"], {"only": ["breaking"]}, better="down"))
    made.append(course.count("key", "importance", totals["key"], {"only": ["key"]}))
    return made[:MOST]


class _Course:
    """How the measures ran through the windows of one length."""

    def __init__(self, history: pd.DataFrame, knows_before: bool, words: Words) -> None:
        self.history = history
        self.knows_before = knows_before and len(history) > 1
        self.words, self.lang = words, words.lang

    def count(self, name: str, metric: str, n: int, filters: dict[str, Any], *, better: Better | None = None) -> Card:
        """A card that counts pull requests; `metric` tells what by."""
        told, change = meanings.tooltip(metric, self.words), self.change(name, better=better)
        return Card(name, formats.number(n, self.lang), told, change, self.values(name), "bar", filters, n)

    def values(self, column: str) -> list[float]:
        known: list[float] = self.history[column].dropna().astype(float).round(3).tolist()
        return known if len(known) > 1 else []

    def change(self, column: str, *, unit: Unit = "count", better: Better | None = None) -> Delta:
        now = self.history[column].iloc[-1]
        before = self.history[column].iloc[-2] if self.knows_before else None
        return formats.delta(now, before, self.lang, unit=unit, better=better)
