"""Bots and coding assistants: which pull requests are theirs, and what share they make."""

import pandas as pd

from data.people import BOT

COLUMNS = {
    "pull_id": "int64",
    "number": "int64",
    "author": "str",
    "is_bot": "boolean",
    "is_assisted": "bool",
    "assistants": "object",
}
SHARES = {"group": "str", "n_pulls": "int64", "share": "float64", "prs": "object"}
GROUPS = ("human", "assisted", "bot", "unknown")
FEWEST = 5  # pull requests, for a share to be claimed


def assisted(pulls: pd.DataFrame, co_authors: pd.DataFrame) -> pd.DataFrame:
    """Which pull requests did a bot open, and in which did a coding assistant have a hand?

    Formula: a bot's is what an account of the type bot opened; assisted is what names a coding assistant in a
        `Co-authored-by` line. One pull request can be both.
    Misses: help that nobody declared, so read it as "at least so many"; lines that were lost in squashing. An assistant
        that opens pull requests by an account of its own is a bot.
    Source: GitHub's account types, and git's trailers (lines such as `Co-authored-by:` at the end of a message).
    Example: `dependabot` opened one, a person another with `Co-authored-by: Claude`, a person a third one alone: one is
        a bot's, one assisted, one neither.

    Args:
        pulls: one row per pull request: pull_id, number, author, author_type (or None).
        co_authors: one row per trailer: pull_id, name, is_ai.

    Returns:
        One row per pull request, by number: pull_id, number, author, is_bot (NA where the author is unknown),
        is_assisted, assistants (names, sorted, each once).
    """
    assistants = co_authors[co_authors["is_ai"].eq(True)].groupby("pull_id")["name"].agg(set)
    names = pulls["pull_id"].map(assistants)
    found = pulls[["pull_id", "number", "author"]].assign(
        is_bot=(pulls["author_type"] == BOT).astype("boolean").mask(pulls["author_type"].isna()),
        is_assisted=names.notna(),
        assistants=names.map(lambda each: sorted(each) if isinstance(each, set) else []).astype(object),
    )
    return found.sort_values(["number", "pull_id"], ignore_index=True).astype(COLUMNS)


def shares(pulls: pd.DataFrame, co_authors: pd.DataFrame) -> pd.DataFrame:
    """Which share of the pull requests did people make alone, with a coding assistant, or bots?

    Formula: each pull request is in one group, where a bot's comes before an assisted one; the share is the group /
        all. Unknown below five pull requests.
    Misses: help that nobody declared, which counts as human; `Co-authored-by` lines that were lost in squashing.
    Source: GitHub's account types, and git's trailers (lines such as `Co-authored-by:` at the end of a message).
    Example: 20 pull requests, 6 of them by bots, 2 assisted: human 0.6, assisted 0.1, bot 0.3.

    Args:
        pulls: as for `assisted`.
        co_authors: as for `assisted`.

    Returns:
        One row per group, always all four, in this order: group (human, assisted, bot, unknown), n_pulls, share (0 to
        1; NaN below five pull requests in all), prs (numbers, sorted). They add up to all.
    """
    marked = assisted(pulls, co_authors)
    is_bot = marked["is_bot"].fillna(False).astype(bool)
    group = pd.Series("human", index=marked.index).mask(marked["is_bot"].isna(), "unknown")
    group = group.mask(marked["is_assisted"], "assisted").mask(is_bot, "bot")
    prs = {name: marked.loc[group == name, "number"].tolist() for name in GROUPS}
    counts = pd.Series([len(prs[name]) for name in GROUPS])
    share = counts / len(marked) if len(marked) >= FEWEST else float("nan")
    rows = pd.DataFrame({"group": GROUPS, "n_pulls": counts, "share": share, "prs": list(prs.values())})
    return rows.astype(SHARES)
