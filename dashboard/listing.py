"""Which pull requests a list shows for its filters, and the same as a file."""

from collections.abc import Set
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.kinds import KINDS
from analysis.risk import RULES
from dashboard import formats
from dashboard.address import Filters

# Short names for what the Overview's cards count; each is a test on the columns of `reads.pulls`.
ONLY = {
    "breaking": lambda pulls: pulls["is_breaking"],
    "key": lambda pulls: pulls["is_key"],
    "untested": lambda pulls: pulls["touches_source"] & ~pulls["touches_tests"].fillna(False),
    "timed": lambda pulls: pulls["lead_time_hours"].notna(),
    "reviewed": lambda pulls: pulls["first_review_hours"].notna(),
}
DOWNLOADED = (
    "number",
    "title",
    "url",
    "state",
    "author",
    "author_type",
    "is_assisted",
    "merged_at",
    "kind",
    "is_breaking",
    "modules",
    "additions",
    "deletions",
    "changed_files",
    "lead_time_hours",
    "first_review_hours",
    "importance",
    "insight",
    "risk_score",
    "tier",
    "risks",
)
TIERS = ("1", "2", "3", "4")
RULE_NAMES = tuple(rule.name for rule in RULES)


def choose(
    pulls: pd.DataFrame, filters: Filters, *, matching: Set[int] | None = None, on_path: Set[int] | None = None
) -> pd.DataFrame:
    """The rows that fit all filters, in their order.

    Args:
        pulls: as `reads.pulls`.
        filters: several kinds, modules, tiers or rules mean any of them; several of `only` mean all of them.
        matching: numbers that hold the searched text; None where nothing is searched.
        on_path: numbers that changed the file asked for; None where none is.
    """
    kept = pd.Series(True, index=pulls.index)
    for numbers in (matching, on_path):
        if numbers is not None:
            kept &= pulls["number"].isin(numbers)
    if filters.kinds:
        kept &= pulls["kind"].isin(filters.kinds)
    if filters.modules:
        wanted = set(filters.modules)
        kept &= pulls["modules"].map(lambda modules: not wanted.isdisjoint(modules)).astype(bool)
    if filters.tiers:
        kept &= pulls["tier"].isin([float(tier) for tier in filters.tiers])
    if filters.rules:
        rules = set(filters.rules)
        kept &= pulls["risks"].map(lambda risks: any(risk["rule"] in rules for risk in risks)).astype(bool)
    for name in filters.only:
        kept &= ONLY[name](pulls).fillna(False).astype(bool)
    return pulls[kept].reset_index(drop=True)


def known(filters: Filters) -> tuple[Filters, list[tuple[str, str]]]:
    """The filters without kinds, tiers, rules and names of `only` that do not exist, and those as (key, value)."""
    kept: dict[str, Any] = {}
    bad = []
    for key, field, possible in (
        ("kind", "kinds", KINDS),
        ("tier", "tiers", TIERS),
        ("rule", "rules", RULE_NAMES),
        ("only", "only", tuple(ONLY)),
    ):
        asked: tuple[str, ...] = getattr(filters, field)
        kept[field] = tuple(value for value in asked if value in possible)
        bad += [(key, value) for value in asked if value not in possible]
    return replace(filters, **kept), bad


def as_csv(pulls: pd.DataFrame) -> bytes:
    """The rows as CSV for spreadsheets: UTF-8 with a mark, lists in one cell parted by semicolons, no formulas."""
    rules = pulls["risks"].map(lambda risks: "; ".join(risk["rule"] for risk in risks))
    frame = pulls[list(DOWNLOADED)].assign(modules=pulls["modules"].map("; ".join), risks=rules)
    return frame.map(formats.csv_safe).to_csv(index=False).encode("utf-8-sig")
