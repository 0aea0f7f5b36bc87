"""What a page can't show, and why: said once and calmly, so that an absent card is never taken for a zero."""

import pandas as pd

from dashboard import loaders
from dashboard.view import View

KNOWN_BY = {"lead_time": "lead_time_hours", "first_review": "first_review_hours", "files": "touches_source"}


def missing(view: View, pulls: pd.DataFrame) -> list[str]:
    """A sentence for each measure that no pull request of the window has.

    Args:
        view: whose cache; what filled it decides what would help, if that was one thing.
        pulls: the window's pull requests, not empty.
    """
    words, sources = view.words, view.repository["sources"]
    source = sources[0] if len(sources) == 1 else "other"
    told = []
    for measure, column in KNOWN_BY.items():
        if pulls[column].notna().any():
            continue
        # Known for others, just not for these days: no import is to blame.
        if measure == "first_review" and view.repository["known_reviews"] > 0:
            told.append(words("missing.first_review.none"))
        else:
            key = f"missing.{measure}.{source}"
            told.append(words(key if key in words else f"missing.{measure}.other"))
    return told


def edges(view: View) -> str | None:
    """Which pull requests were merged so near the window's edges that the zone decides; None if there are none."""
    numbers = loaders.near_edges(view.selection)["number"].tolist()
    if not numbers:
        return None
    listed = view.words("list.separator").join(f"#{number}" for number in numbers)
    return view.words("overview.edges", n=len(numbers), numbers=listed)
