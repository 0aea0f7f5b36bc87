"""Pull requests, reviews and events as the metrics of flow read them: in a line each, or from a cache."""

import sqlite3
from typing import Any

import pandas as pd

PULL_TYPES = {
    "pull_id": "int64", "author_id": "float64", "author_type": "str", "state": "str", "is_draft": "float64",
    "created_at": "str", "ready_at": "str", "merged_at": "str", "closed_at": "str", "reviews_known": "float64",
    "events_known": "float64", "additions": "float64", "deletions": "float64", "changed_files": "float64",
    "files_complete": "float64",
}  # fmt: skip
REVIEW_TYPES = {
    "pull_id": "int64", "seq": "int64", "reviewer_id": "float64", "reviewer_type": "str", "state": "str",
    "submitted_at": "str",
}  # fmt: skip
EVENT_TYPES = {"pull_id": "int64", "seq": "int64", "kind": "str", "at": "str"}
ADA, BOB, CAT, BOT, GHOST = 1, 2, 3, 8, 9
TYPES = {BOT: "bot", GHOST: "ghost"}


def at(text: str | None) -> str | None:
    """`03-02 09:00` (of 2026, UTC) as the cache writes it; what is written so already stays."""
    return text if text is None or text.endswith("Z") else f"2026-{text.replace(' ', 'T')}:00Z"


def make_pulls(*rows: dict[str, Any]) -> pd.DataFrame:
    """One row per pull request of ada's; ids count from 1, everything is known, the state follows from the moments."""
    made = []
    for pull_id, given in enumerate(rows, 1):
        moments = {f"{key}_at": at(given[key]) for key in ("created", "ready", "merged", "closed") if key in given}
        usual = {
            "pull_id": pull_id, "author_id": ADA, "author_type": "human", "is_draft": 0, "created_at": None,
            "ready_at": None, "merged_at": None, "closed_at": moments.get("merged_at"), "reviews_known": 1,
            "events_known": 1, "additions": 10, "deletions": 2, "changed_files": 1, "files_complete": 1,
        }  # fmt: skip
        row = usual | moments | {key: value for key, value in given.items() if key in PULL_TYPES}
        row["state"] = "merged" if row["merged_at"] else "closed" if row["closed_at"] else "open"
        more = {key: value for key, value in given.items() if f"{key}_at" not in PULL_TYPES and key not in PULL_TYPES}
        made.append(row | more)
    extra = sorted({key for row in made for key in row} - set(PULL_TYPES))
    return pd.DataFrame(made, columns=[*PULL_TYPES, *extra]).astype(PULL_TYPES)


def make_reviews(*rows: tuple[Any, ...]) -> pd.DataFrame:
    """Rows of pull_id, reviewer, state, moment."""
    made = [
        [pull_id, seq, who, TYPES.get(who, "human"), state, at(moment)]
        for seq, (pull_id, who, state, moment) in enumerate(rows)
    ]
    return pd.DataFrame(made, columns=list(REVIEW_TYPES)).astype(REVIEW_TYPES)


def make_events(*rows: tuple[Any, ...]) -> pd.DataFrame:
    """Rows of pull_id, kind, moment."""
    made = [[pull_id, seq, kind, at(moment)] for seq, (pull_id, kind, moment) in enumerate(rows)]
    return pd.DataFrame(made, columns=list(EVENT_TYPES)).astype(EVENT_TYPES)


def from_cache(connection: sqlite3.Connection) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """All pull requests, reviews and events of a cache."""
    pulls = (
        "select p.id as pull_id, p.number, p.author_id, a.type as author_type, p.state, p.is_draft, p.created_at,"
        " p.ready_at, p.merged_at, p.closed_at, p.reviews_known, p.events_known, p.additions, p.deletions,"
        " p.changed_files, p.files_complete from pulls p left join people a on a.id = p.author_id order by p.id"
    )
    reviews = (
        "select v.pull_id, v.seq, v.reviewer_id, w.type as reviewer_type, v.state, v.submitted_at"
        " from reviews v left join people w on w.id = v.reviewer_id"
    )
    events = "select pull_id, seq, kind, at from events"
    found = [pd.read_sql_query(sql, connection) for sql in (pulls, reviews, events)]
    return found[0], found[1], found[2]


def shuffled(*frames: pd.DataFrame) -> list[pd.DataFrame]:
    """The same rows in another order, with another index."""
    return [frame.sample(frac=1, random_state=7).reset_index(drop=True) for frame in frames]
