"""How many pull requests were opened, merged and closed, and how many stood open at the end of any day."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.spread import dates, period_of_each
from analysis.window import Window

OPENED, REOPENED, MERGED, CLOSED = MOVES = ("opened", "reopened", "merged", "closed_unmerged")
COUNTS, UNFINISHED = [*MOVES, "open_at_end"], "is_unfinished"
ALWAYS, NEVER = "", "9999"  # as texts, before and after every moment


def backlog(
    pulls: pd.DataFrame,
    events: pd.DataFrame,
    periods: Sequence[Window],
    *,
    as_of: str,
    known_since: str | None = None,
    by: str | None = None,
) -> pd.DataFrame:
    """How many pull requests were opened, merged and closed in each period, and how many were open at its end?

    Formula: open at the end of a period = open at its beginning + opened + reopened - merged - closed unmerged. Merged,
        closed and reopened are counted each time they happen; a pull request that was closed, reopened and merged is
        one of each. Drafts are open.
    Misses: a closing that was taken back is seen only where the events of the pull request are cached. Where the cache
        holds only what was opened since some day (`known_since`), older ones that were open then are missing. A source
        that knows merges only, such as git, makes all but `merged` unknown until the last one it told of had ended.
    Source: CHAOSS, Change Requests; as with any stock, the end is the beginning plus what came in minus what went out.
    Example: 10 open on Sunday night; in the week 7 opened, 1 reopened, 5 merged and 2 closed: 11 open at its end.

    Args:
        pulls: one row per pull request of any state (several where `by` groups overlap, as modules do): pull_id, state,
            created_at, merged_at, closed_at. All of the repository: of a handful that happen to be merged nobody can
            tell that others were not.
        events: one row per event: pull_id, seq, kind, at.
        periods: days, weeks or months in time order, not overlapping.
        as_of: the newest moment that the cache knows anything about (UTC text); nothing later is claimed.
        known_since: pull requests opened before it are not cached; None: all are.
        by: a column of `pulls` to count by, such as author_type.

    Returns:
        One row per period (and group): since, until, the column `by`, opened, reopened, merged, closed_unmerged,
        open_at_end (NaN where unknown), is_unfinished (counted up to `as_of` only).
    """
    moves = _moves(pulls.drop_duplicates("pull_id"), events)
    moves = moves[moves["at"] <= as_of]
    known = {"as_of": as_of, "known_from": max(whole_since(pulls), known_since or ALWAYS)}
    if by is None:
        return _counts(moves, periods, **known)
    grouped = pulls[["pull_id", by]].drop_duplicates().groupby(by, dropna=False)["pull_id"]
    groups = {name: _counts(moves[moves["pull_id"].isin(members)], periods, **known) for name, members in grouped}
    found = [counts.assign(**{by: name}) for name, counts in groups.items()] or [
        _counts(moves, periods[:0], **known).assign(**{by: pulls[by]})
    ]
    return pd.concat(found).sort_values(["since", by], ignore_index=True)[["since", "until", by, *COUNTS, UNFINISHED]]


def whole_since(pulls: pd.DataFrame) -> str:
    """From which moment on openings and closings are known: ALWAYS, NEVER or UTC text.

    A pull request without `created_at` was told by a source that sees merges only, such as git; until the last of them
    had ended, others may have been opened or closed unseen. And where not one was left unmerged, merged ones are all
    that was ever asked for.
    """
    if len(pulls) and not (pulls["state"] != "merged").any():
        return NEVER
    ends = pulls.loc[pulls["created_at"].isna(), ["merged_at", "closed_at"]]
    return str(ends["merged_at"].fillna(ends["closed_at"]).fillna(NEVER).max()) if len(ends) else ALWAYS


def _moves(pulls: pd.DataFrame, events: pd.DataFrame) -> pd.DataFrame:
    """One row per opening, reopening, merge or closing: pull_id, at (UTC text), move, step (+1 or -1 to the stock)."""
    is_closed = pulls["merged_at"].isna() & (pulls["state"] == "closed")
    # GitHub writes `closed` at a merge too: only one taken back by `reopened` is not told by the pull request itself.
    turns = events[events["kind"].isin(["closed", "reopened"]) & events["pull_id"].isin(pulls["pull_id"])]
    turns = turns.sort_values(["pull_id", "seq"])
    kinds = turns.groupby("pull_id")["kind"]
    moves = pd.concat(
        [
            _times(pulls, "created_at", OPENED),
            _times(pulls, "merged_at", MERGED),
            _times(pulls[is_closed], "closed_at", CLOSED),
            _times(turns[(turns["kind"] == "closed") & (kinds.shift(-1) == "reopened")], "at", CLOSED),
            _times(turns[(turns["kind"] == "reopened") & (kinds.shift() == "closed")], "at", REOPENED),
        ],
        ignore_index=True,
    )
    # What was never seen to open does not leave the stock either.
    is_stock = moves["pull_id"].isin(pulls.loc[pulls["created_at"].notna(), "pull_id"])
    return moves.assign(step=np.where(moves["move"].isin([OPENED, REOPENED]), 1, -1) * is_stock)


def _times(rows: pd.DataFrame, at: str, move: str) -> pd.DataFrame:
    return pd.DataFrame({"pull_id": rows["pull_id"], "at": rows[at], "move": move}).dropna(subset="at")


def _counts(moves: pd.DataFrame, periods: Sequence[Window], *, as_of: str, known_from: str) -> pd.DataFrame:
    starts, ends = (np.array([getattr(each, edge) for each in periods], dtype=str) for edge in ("start", "end"))
    found = dates(periods)
    places = period_of_each(moves["at"], periods)
    for move in MOVES:
        of_move = places[(moves["move"] == move) & (places >= 0)]
        found[move] = np.bincount(of_move, minlength=len(periods)).astype(float)
    order = moves.sort_values("at")
    stock = np.concatenate([[0.0], order["step"].cumsum()])
    found["open_at_end"] = stock[np.searchsorted(order["at"].to_numpy(dtype=str), ends)]
    found.loc[starts < known_from, [OPENED, REOPENED, CLOSED]] = np.nan
    found.loc[ends < known_from, "open_at_end"] = np.nan
    found.loc[starts > as_of, COUNTS] = np.nan
    return found.assign(**{UNFINISHED: ends > as_of})
