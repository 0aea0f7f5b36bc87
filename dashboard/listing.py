"""Which pull requests a list shows for its filters, and the same as a file."""

from collections.abc import Set

import pandas as pd

from analysis.kinds import KINDS
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
)


def choose(
    pulls: pd.DataFrame, filters: Filters, *, matching: Set[int] | None = None, on_path: Set[int] | None = None
) -> pd.DataFrame:
    """The rows that fit all filters, in their order.

    Args:
        pulls: as `reads.pulls`.
        filters: several kinds or modules mean any of them; several of `only` mean all of them.
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
    for name in filters.only:
        kept &= ONLY[name](pulls).fillna(False).astype(bool)
    return pulls[kept].reset_index(drop=True)


def known(filters: Filters) -> tuple[Filters, list[tuple[str, str]]]:
    """The filters without kinds and names of `only` that do not exist, and those as (key, value)."""
    bad = [("kind", kind) for kind in filters.kinds if kind not in KINDS]
    bad += [("only", name) for name in filters.only if name not in ONLY]
    kinds = tuple(kind for kind in filters.kinds if kind in KINDS)
    only = tuple(name for name in filters.only if name in ONLY)
    return Filters(filters.q, kinds, filters.modules, only, filters.path, filters.everywhere), bad


def as_csv(pulls: pd.DataFrame) -> bytes:
    """The rows as CSV for spreadsheets: UTF-8 with a mark, several modules parted by semicolons, no formulas."""
    frame = pulls[list(DOWNLOADED)].assign(modules=pulls["modules"].map("; ".join))
    return frame.map(formats.csv_safe).to_csv(index=False).encode("utf-8-sig")
