"""A generated repository of a believable team: sample data without a network, and any amount of it for benchmarks."""

from calendar import monthrange
from datetime import date, timedelta
from random import Random

from data.counted import counted
from data.demo.world import DEMO_FORMER_NAMES, DEMO_REPO, World
from data.errors import SourceError
from data.records import Source

__all__ = ["DEMO_FORMER_NAMES", "DEMO_REPO", "generate"]


def generate(pulls: int = 1_400, *, seed: int = 7, months: int = 18, until: str = "2026-06-28") -> Source:
    """The repository DEMO_REPO, the same for the same arguments on any machine.

    Args:
        pulls: how many pull requests are merged; about a tenth more are closed unmerged or still open at the end.
        seed: of the random generator.
        months: how long the history is.
        until: its last day (UTC), as ISO text.

    Returns:
        A source of kind `demo` whose stream runs in order of merging (closing, or opening where still open), oldest
        first, with tags, CODEOWNERS and direct pushes. It holds in memory only what is under way.

    Raises:
        SourceError: numbers that make no history, or a date that can't be read.
    """
    if pulls < 0 or months < 1:
        raise SourceError(f"A sample needs 0 or more pull requests and 1 or more months, not {pulls} and {months}.")
    try:
        last = date.fromisoformat(until)
        first = _months_before(last + timedelta(days=1), months)
    except ValueError:
        raise SourceError(
            f"No sample of {counted(months, 'month')} can end on {until}. Write the day as 2026-06-28."
        ) from None
    world = World(Random(seed), pulls, first, last)
    world.source.pulls = world.run()
    return world.source


def _months_before(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
