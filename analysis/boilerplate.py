"""Which lines of descriptions come from the repository's template."""

from collections import Counter
from collections.abc import Iterable

LEARNED_FROM = 400  # newest descriptions
SHARE, FEWEST = 0.05, 3  # of the descriptions that hold a line of the template, and how many at least
LONG = 40  # letters of a line that nobody writes three times by chance
_READ = 20_000  # letters of one description


def boilerplate(bodies: Iterable[str | None]) -> frozenset[str]:
    """Which lines are the template's, or a bot's, and not an author's own?

    A line is boilerplate where at least 5 % of the descriptions, and at least 3, hold it; of 40 letters or more where 3
    do, so that a sentence which a series of pull requests shares is boilerplate too. Space at its ends and within,
    letter case and whether a box is ticked make no difference. A template used less than three times is not recognised.

    Args:
        bodies: descriptions as Markdown, None where unknown.

    Returns:
        The `line_key` of each such line.
    """
    told = [body for body in bodies if body and body.strip()]
    counts: Counter[str] = Counter()
    for body in told:
        counts.update({line_key(line) for line in body[:_READ].split("\n")})
    fewest = max(FEWEST, SHARE * len(told))
    return frozenset(
        line for line, n in counts.items() if line and (n >= fewest or (n >= FEWEST and len(line) >= LONG))
    )


def line_key(line: str) -> str:
    """What makes two lines the same."""
    key = " ".join(line.split()).casefold()
    return key.replace("[x]", "[ ]", 1) if "[x]" in key else key
