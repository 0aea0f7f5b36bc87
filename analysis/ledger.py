"""What became of earlier warnings: which were repaired, tested or reverted since, and which are still open."""

import pandas as pd

from analysis.chain_links import REAPPLY, REPAIR, REVERT
from analysis.paths import PathFacts, classify
from analysis.risk_settings import ELEVATED
from analysis.vocabulary import folders_of, path_words, word_key

ABOUT_TESTS = frozenset({"missing-tests", "tests-weakened"})
FOLLOWED = ABOUT_TESTS | {"breaking", "config-contract", "new-markers", "merged-over-objection"}  # whatever the tier
STATES = (REVERTED, TESTED, REPAIRED, OPEN) = ("reverted", "tested", "repaired", "open")  # the first that holds
SHORTEST_NAME = 4  # letters; a shorter file name stands in too many others
COLUMNS = {"rule": "object", "pr": "int64", "warned_in": "object", "state": "object", "by": "Int64", "hours": "float64"}


def ledger(
    risks: pd.DataFrame,
    links: pd.DataFrame,
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    *,
    warned_in: str,
    end: str,
    roots: frozenset[str] = frozenset(),
) -> pd.DataFrame:
    """What became, by now, of the risks that an earlier window warned of?

    Followed are the rules that ask for something to be done (tests, documents, markers, objections), and of elevated
    pull requests without any of these the rule with the most points.

    Formula: `reverted` if a later merge took it out and none brought it back; `tested`, for rules about tests, if a
        later merge added lines to a test named after one of its source files (or after the folder of one that only
        opens it); `repaired` if a later merge repaired it; else `open`. Later is until the end of the current window.
    Misses: tests by another name; a test of that name which does not cover the change; repairs that name nothing
        (`chain_links.links_of`).
    Source: a risk register, closed by evidence instead of by hand.
    Example: W17 warned that #10 changed `shop/tax.py` without a test. In W18 #14 added 30 lines to
        `tests/shop/test_tax.py`: `missing-tests` of #10 is tested, by #14.

    Args:
        risks: one row per pull request of the earlier window and rule that fired: pull_id, rule, points, tier.
        links: one row per pull request and earlier one, as `chain_links.links_of` gives them.
        pulls: one row per pull request, these and all merged since: pull_id, number, merged_at.
        files: their files: pull_id, path, additions.
        warned_in: what the earlier window is called.
        end: first moment after the current window, UTC text.
        roots: folders that hold the whole project, as `vocabulary.Vocabulary.roots`.

    Returns:
        One row per warning, by rule and number: rule, pr, warned_in, state, by (number of the first pull request that
        settled it; NA while open), hours (from one merge to the other).
    """
    numbers = pulls.set_index("pull_id")["number"].astype("Int64")
    merged = pulls[pulls["merged_at"].notna() & (pulls["merged_at"] < end)]
    settled = pd.concat([_undone(links, merged), _tested(risks, merged, files, roots), _repaired(links, merged)])
    known = _followed(risks).merge(settled, left_on="pull_id", right_on="earlier_id", how="left", suffixes=("", "_by"))
    known.loc[(known["state"] == TESTED) & ~known["rule"].isin(ABOUT_TESTS), ["state", "pull_id_by", "hours"]] = None
    known["rank"] = known["state"].map(STATES.index, na_action="ignore")
    first = known.sort_values(["rank", "hours", "pull_id_by"]).drop_duplicates(["pull_id", "rule"])
    found = pd.DataFrame(
        {
            "rule": first["rule"],
            "pr": first["pull_id"].map(numbers),
            "warned_in": warned_in,
            "state": first["state"].fillna(OPEN),
            "by": first["pull_id_by"].map(numbers),
            "hours": first["hours"].astype(float).round(2),
        }
    )
    return found.astype(COLUMNS).sort_values(["rule", "pr"], ignore_index=True)


def _followed(risks: pd.DataFrame) -> pd.DataFrame:
    """The warnings to follow, one row per pull request and rule."""
    asked = risks[risks["rule"].isin(FOLLOWED)]
    others = risks[(risks["tier"] >= ELEVATED) & ~risks["pull_id"].isin(asked["pull_id"])]
    heaviest = others.sort_values(["points", "rule"], ascending=[False, True]).drop_duplicates("pull_id")
    return pd.concat([asked, heaviest]).astype({"pull_id": "int64"})


def _undone(links: pd.DataFrame, merged: pd.DataFrame) -> pd.DataFrame:
    """What is out: the last sure word on it was a revert."""
    words = links[links["is_sure"] & links["kind"].isin([REVERT, REAPPLY]) & links["pull_id"].isin(merged["pull_id"])]
    last = words.sort_values(["hours", "pull_id"]).drop_duplicates("earlier_id", keep="last")
    return _settled(last[last["kind"] == REVERT], REVERTED)


def _repaired(links: pd.DataFrame, merged: pd.DataFrame) -> pd.DataFrame:
    repairs = links[links["is_sure"] & (links["kind"] == REPAIR) & links["pull_id"].isin(merged["pull_id"])]
    return _settled(repairs, REPAIRED)


def _tested(risks: pd.DataFrame, merged: pd.DataFrame, files: pd.DataFrame, roots: frozenset[str]) -> pd.DataFrame:
    """Later merges that added to tests mirroring the source of what was warned of."""
    warned = risks.loc[risks["rule"].isin(ABOUT_TESTS), "pull_id"].unique()
    rows = files[files["pull_id"].isin(merged["pull_id"])]
    facts = {path: classify(path) for path in rows["path"].unique()}
    sources = {path: _name(each, roots) for path, each in facts.items() if each.category == "source"}
    tests = {path: _mirrored(each, roots) for path, each in facts.items() if each.category == "test"}
    wanted = _keyed(rows[rows["path"].isin(sources) & rows["pull_id"].isin(warned)], sources)
    given = _keyed(rows[rows["path"].isin(tests) & (pd.to_numeric(rows["additions"]) > 0)], tests)
    met = wanted.merge(given, on="key", suffixes=("_earlier", ""))[["pull_id_earlier", "pull_id"]].drop_duplicates()
    moments = pd.to_datetime(merged.set_index("pull_id")["merged_at"], utc=True).dt.as_unit("s").astype("int64") / 3600
    later, earlier = (moments.reindex(met[name]).to_numpy() for name in ("pull_id", "pull_id_earlier"))
    met = met.assign(earlier_id=met["pull_id_earlier"], hours=later - earlier)
    return _settled(met[met["hours"] > 0], TESTED)


def _keyed(rows: pd.DataFrame, keys_of: dict[str, set[str]]) -> pd.DataFrame:
    """One row per pull request and key of its files: pull_id, key."""
    pairs = {
        (pull_id, key) for pull_id, path in zip(rows["pull_id"], rows["path"], strict=True) for key in keys_of[path]
    }
    return pd.DataFrame(sorted(pairs), columns=["pull_id", "key"])


def _name(facts: PathFacts, roots: frozenset[str]) -> set[str]:
    """By what a test would call a source file: its bare name, or its folder's if it only opens that."""
    folders = folders_of(facts, roots)
    return {word_key(folders[-1])} if folders and len(folders[-1]) >= SHORTEST_NAME else set()


def _mirrored(facts: PathFacts, roots: frozenset[str]) -> set[str]:
    """What a test may be about: the words of its name and folders."""
    return {*path_words(facts), *map(word_key, folders_of(facts, roots))}


def _settled(found: pd.DataFrame, state: str) -> pd.DataFrame:
    return found[["earlier_id", "pull_id", "hours"]].astype(float).assign(state=state)
