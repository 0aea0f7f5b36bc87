"""The window between two releases: which days lie between two tags."""

from collections.abc import Collection
from datetime import date, timedelta
from difflib import get_close_matches

import pandas as pd

from analysis.window import Window
from data.errors import BadWindow
from data.moments import local_day

MOST_NAMED = 3


def release_window(text: str, tags: pd.DataFrame, *, last_day: date | None, tz: str = "UTC") -> Window:
    """The whole days after the first tag's day, up to and including the second's.

    A window is whole days, so what was merged on the day of the first tag counts before it, whichever came first that
    day; neighbouring releases share no day and leave none out.

    Args:
        text: `A..B`, the names of two tags, or `A..` for what came after A.
        tags: one row per tag: name, tagged_at (UTC text).
        last_day: the last day that the cache knows, with which `A..` ends; None: it knows none.
        tz: the zone that cuts the days.

    Raises:
        BadWindow: the text is no pair of tags, a tag is not known, or no whole day lies between the two.
    """
    first, dots, last = text.strip().partition("..")
    if not dots or not first:
        raise BadWindow(f"{text!r} is no pair of tags. Write it like v1.1..v1.2, or v1.1.. for all that came after.")
    moments = dict(zip(tags["name"], tags["tagged_at"], strict=True))
    since = local_day(_moment(first, moments), tz)
    if last:
        until = local_day(_moment(last, moments), tz)
        if since == until:
            raise BadWindow(
                f"{first!r} and {last!r} are both of {since}: no whole day lies between them. Name tags further apart."
            )
        if until < since:
            raise BadWindow(f"{first!r} is of {since}, later than {last!r} of {until}. Swap the two tags.")
    elif last_day is None or last_day <= since:
        raise BadWindow(f"Nothing is cached of the days after {first!r}, which is of {since}. Name an earlier tag.")
    else:
        until = last_day
    return Window(since + timedelta(days=1), until, tz)


def _moment(name: str, moments: dict[str, str]) -> str:
    if name not in moments:
        raise BadWindow(f"There is no tag {name!r} in the cache. Nearest: {', '.join(_nearest(name, moments))}.")
    return moments[name]


def _nearest(name: str, names: Collection[str]) -> list[str]:
    """The names most alike, in quotes that show what no terminal does."""
    return [repr(found) for found in get_close_matches(name, sorted(names), MOST_NAMED, cutoff=0)]
