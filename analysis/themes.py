"""What a window was about: its pull requests in a handful of groups, each under a heading of its own words."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis import likeness
from analysis.likeness import Usual, usual
from analysis.theme_titles import Heading, Member, heading

__all__ = ["COLUMNS", "Themes", "Usual", "themes", "usual"]

MOST = 8  # themes
FLOOR = 0.12  # groups are joined while their pull requests are on average so alike
LEAST = 1.5  # importance that says nothing: even the smallest change of any kind has it
FEW = 3  # pull requests that make a theme even where none of them is a key change
MOST_JOINED = 800  # the most important ones are grouped with each other; others join the group they are most like
BELONGS = 1 / 3  # share of a theme's pull requests from which on a module is one of the theme's
MOST_MODULES = 4

COLUMNS = {
    "theme": "int64",
    "title": object,
    "words": object,
    "prs": object,
    "modules": object,
    "lead": "int64",
    "reason": object,
    "reason_key": object,
    "reason_prs": "int64",
    "n_prs": "int64",
    "n_breaking": "int64",
    "n_reverts": "int64",
    "importance": float,
    "churn_lines": float,
}


@dataclass(frozen=True)
class Themes:
    """The themes of a window, and which pull request is in which."""

    themes: pd.DataFrame  # one row per theme: COLUMNS
    of_pull: pd.DataFrame  # one row per pull request of the window, by number: number, theme (NA: in none)


def themes(
    pulls: pd.DataFrame,
    modules: pd.DataFrame,
    files: pd.DataFrame,
    links: pd.DataFrame,
    *,
    chains: pd.DataFrame | None = None,
    usual: Usual | None = None,
) -> Themes:
    """Which few things were the pull requests of a window about?

    Formula: two pull requests are alike by the modules (at most 0.45), words of the title (0.3), files (0.15) and
        folders (0.1) that they share, rarer ones counting more (the cosine of their inverse frequencies), and by 0.3
        each for a reference between them and for being parts of one series. The two groups that are most alike on
        average are joined, again and again, while that is at least 0.12. Groups with a key change, or of three, are
        themes; kept are the eight whose importances, less 1.5 and squared, add up to most.
    Misses: what changes have in common without sharing a word, a module, a file or a reference. A change with two
        subjects is in one theme only. What is in no theme is not unimportant by that. Of more than 800 pull requests
        only the 800 most important are grouped with each other; each other one joins the group it is most like.
    Source: Salton and Buckley (1988) for the weights; Sokal and Michener (1958) for average linkage.
    Example: "[reward] fix: world size" and its revert share module, words and a reference, about 0.45 + 0.3 + 0.3;
        "[reward, cfg] fix: use the config" shares the module with both, about 0.3: one theme of three.

    Args:
        pulls: one row per merged pull request of the window: pull_id, number, title, kind, is_breaking, is_key,
            importance (NaN unknown), additions, deletions.
        modules: one row per pull request, module and source: pull_id, module, source.
        files: one row per pull request and file: pull_id, path.
        links: one row per reference: pull_id, kind, repo (None: the same), number.
        chains: one row per chain link: pull_id (the later), earlier_id.
        usual: how common everything is in the repository; by the window alone unless given.

    Returns:
        `themes`: one row per theme, by number of pull requests, then churn_lines (both most first), then title: theme
        (0, 1, ...), title, words (the pieces of the title), prs (numbers, by importance), modules (the foremost first),
        lead (the most important number), reason (what most of the likeness comes from: module, word, series,
        reference, file, folder; single for one pull request), reason_key (which one), reason_prs (how many have it),
        n_prs, n_breaking, n_reverts, importance (sum), churn_lines. `of_pull`: number, theme.
    """
    pulls = pulls.sort_values(["importance", "number"], ascending=[False, True], ignore_index=True)
    features = likeness.described(pulls, modules, files)
    usual = usual or likeness.counted(len(pulls), features)
    features = pd.concat(
        [likeness.weighed(features, usual), likeness.references(pulls, links, chains)], ignore_index=True
    )
    features["pull"] = features["pull_id"].map(dict(zip(pulls["pull_id"], pulls.index, strict=True))).astype("int64")
    groups = _chosen(_grouped(features, len(pulls)), pulls)
    group_of = {pull: group for group, members in enumerate(groups) for pull in members}
    features = features.assign(group=features["pull"].map(group_of)).dropna(subset="group")
    found = _facts(pulls.assign(group=pulls.index.map(group_of)), features, usual)
    order = ["n_prs", "churn_lines", "title", "lead"]
    found = found.sort_values(order, ascending=[False, False, True, True], ignore_index=True)
    found = found.assign(theme=found.index)[list(COLUMNS)].astype(COLUMNS)
    return Themes(found, _assignment(pulls, found))


def _grouped(features: pd.DataFrame, n_pulls: int) -> list[list[int]]:
    """Groups of rows of `pulls`, each in order."""
    core = min(n_pulls, MOST_JOINED)
    features = features.assign(code=features.groupby(["what", "key"]).ngroup())
    holders = features.groupby("code")["pull"].agg(["size", "min"])
    shared = holders.index[(holders["size"] > 1) & (holders["min"] < core)].to_numpy()
    features = features[features["code"].isin(shared)]
    features = features.assign(code=np.searchsorted(shared, features["code"]))
    inner, outer = features[features["pull"] < core], features[features["pull"] >= core]
    matrix = np.zeros((core, len(shared)))
    matrix[inner["pull"], inner["code"]] = inner["weight"]
    # Rounded, so that no processor's way of adding up decides between equals.
    groups = _joined((matrix @ matrix.T).round(9))
    return _attached(groups, matrix, outer)


def _joined(alike: np.ndarray) -> list[list[int]]:
    """Average linkage: the two groups that are most alike become one, while they are alike enough."""
    np.fill_diagonal(alike, -1.0)
    groups: list[list[int]] = [[at] for at in range(len(alike))]
    while groups and alike.flat[best := int(alike.argmax())] >= FLOOR:
        first, second = sorted(divmod(best, len(alike)))
        sizes = len(groups[first]), len(groups[second])
        average = (sizes[0] * alike[first] + sizes[1] * alike[second]) / sum(sizes)
        groups[first] += groups[second]
        groups[second] = []
        alike[first, :] = alike[:, first] = average
        alike[second, :] = alike[:, second] = alike[first, first] = -1.0
    return [sorted(group) for group in groups if group]


def _attached(groups: list[list[int]], matrix: np.ndarray, outer: pd.DataFrame) -> list[list[int]]:
    """The groups with each other pull request in the one it is most like, if it is alike enough to any."""
    if outer.empty:
        return groups
    rows, pulls = pd.factorize(outer["pull"], sort=True)
    codes, weights = outer["code"].to_numpy(), outer["weight"].to_numpy()
    centres = (matrix[group].mean(axis=0) for group in groups)
    alike = np.array([np.bincount(rows, weights * centre[codes]) for centre in centres]).round(9)
    for pull, best, is_alike in zip(pulls, alike.argmax(axis=0), alike.max(axis=0) >= FLOOR, strict=True):
        if is_alike:
            groups[best].append(int(pull))
    return groups


def _chosen(groups: list[list[int]], pulls: pd.DataFrame) -> list[list[int]]:
    """The groups that are themes: with a key change or large enough, and of these the weightiest."""
    is_key = pulls["is_key"].fillna(False).astype(bool).to_numpy()
    weight = _weights(pulls["importance"])
    fit = [group for group in groups if is_key[group].any() or len(group) >= FEW]
    return sorted(fit, key=lambda group: (-weight[group].sum(), group[0]))[:MOST]


def _weights(importance: "pd.Series[float]") -> np.ndarray:
    """How much each pull request counts in a theme; an unknown one nothing."""
    weights: np.ndarray = (importance.fillna(LEAST).to_numpy() - LEAST).clip(min=0) ** 2
    return weights


def _facts(pulls: pd.DataFrame, features: pd.DataFrame, usual: Usual) -> pd.DataFrame:
    """One row per group: COLUMNS but theme."""
    members = pulls.dropna(subset="group")
    sums = members.assign(
        churn_lines=members["additions"] + members["deletions"],
        is_breaking=members["is_breaking"].fillna(False).astype(bool),
        is_revert=members["kind"] == "revert",
    ).groupby("group")
    belongs = features[features["what"] == "module"]
    headings = _headings(members, belongs, usual)
    facts = pd.DataFrame(
        {
            "title": headings.map(lambda each: each.text),
            "words": headings.map(lambda each: each.words),
            "prs": sums["number"].agg(tuple),
            "modules": _modules(belongs, sums.size()),
            "lead": sums["number"].first(),
            "n_prs": sums.size(),
            "n_breaking": sums["is_breaking"].sum(),
            "n_reverts": sums["is_revert"].sum(),
            "importance": sums["importance"].sum(min_count=1),
            "churn_lines": sums["churn_lines"].sum(min_count=1),
        }
    )
    return facts.join(_reasons(features, sums.size()))


def _headings(members: pd.DataFrame, belongs: pd.DataFrame, usual: Usual) -> "pd.Series[Any]":
    modules: dict[int, dict[str, float]] = {}
    for pull, module, sureness in zip(belongs["pull"], belongs["key"], belongs["sureness"], strict=True):
        modules.setdefault(pull, {})[module] = sureness
    of_group: dict[int, list[Member]] = {}
    rows = zip(members.index, members["group"], members["title"], _weights(members["importance"]), strict=True)
    for pull, group, title, weight in rows:
        of_group.setdefault(group, []).append(Member(title, weight, modules.get(pull, {})))
    found: dict[int, Heading] = {group: heading(each, usual.rarity) for group, each in of_group.items()}
    return pd.Series(found, dtype=object)


def _modules(belongs: pd.DataFrame, sizes: "pd.Series[int]") -> "pd.Series[Any]":
    """For each group the modules that enough of its members are of, the foremost first."""
    found = belongs.groupby(["group", "key"])["sureness"].agg(["size", "sum"]).reset_index()
    found = found[found["size"] >= BELONGS * found["group"].map(sizes)]
    found = found.sort_values(["group", "sum", "key"], ascending=[True, False, True])
    named = {group: tuple(keys.head(MOST_MODULES)) for group, keys in found.groupby("group")["key"]}
    return pd.Series({group: named.get(group, ()) for group in sizes.index}, dtype=object)


def _reasons(features: pd.DataFrame, sizes: "pd.Series[int]") -> pd.DataFrame:
    """For each group what most of the likeness among its members comes from: reason, reason_key, reason_prs."""
    rows = features.assign(square=features["weight"] ** 2).groupby(["group", "what", "key"])
    found = rows[["weight", "square"]].sum().assign(reason_prs=rows.size()).reset_index()
    found["shared"] = (found["weight"] ** 2 - found["square"]).round(9)
    found = found.sort_values(["shared", "what", "key"], ascending=[False, True, True]).drop_duplicates("group")
    found = found.rename(columns={"what": "reason", "key": "reason_key"}).set_index("group").reindex(sizes.index)
    found.loc[sizes == 1, ["reason", "reason_key", "reason_prs"]] = ["single", "", 1]
    return found[["reason", "reason_key", "reason_prs"]]


def _assignment(pulls: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    theme_of = {number: theme for theme, prs in zip(found["theme"], found["prs"], strict=True) for number in prs}
    numbers = pulls["number"].sort_values(ignore_index=True).astype("int64")
    return pd.DataFrame({"number": numbers, "theme": numbers.map(theme_of).astype("Int64")})
