"""What the analysis says of each pull request by itself: derived once, stored, and rebuilt when the rules change."""

import gc
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from analysis import chain_links, history, importance, insight, kamei, modules, risk, said, sizes, touched
from analysis.companions import NARROW, missing_companions
from analysis.history import History, Past
from analysis.learning import learn_vocabulary
from analysis.module_rules import ModuleRules
from analysis.risk_settings import RiskSettings
from analysis.running import firsts, in_time, n_distinct
from analysis.stability import stability
from analysis.vocabulary import Vocabulary

RULES_VERSION = 5  # grows whenever equal input may give other results; what older rules derived is derived again
PULL_COLUMNS = (
    *("pull_id", "kind", "is_breaking", "subject"),
    *("importance", "importance_parts", "is_key", "insight", "insight_parts"),
    *("code_lines", "test_lines", "docs_lines", "other_lines", "noise_lines", "touches_source", "touches_tests"),
    *("series_part", "reverts_number", "is_reapply", "key_share", "risk_score", "risk_cap", "tier", "silent_rules"),
)
PATH_COLUMNS = ("path_id", "category", "language", "is_noise")
# What the risk rules are told of a pull request as its source knows it.
_KNOWN = (
    *("author_type", "merged_by_id", "created_at", "ready_at", "review_decision"),
    *("files_complete", "reviews_known", "threads_known", "events_known", "patches_known"),
)

NO_LINKS = pd.DataFrame(columns=["pull_id", "kind", "repo", "number", "evidence"])
NO_REVIEWS = pd.DataFrame(
    columns=["pull_id", "seq", "reviewer", "reviewer_id", "reviewer_type", "state", "submitted_at"]
)
NO_THREADS = pd.DataFrame(columns=["pull_id", "path", "is_resolved", "is_outdated", "n_comments"])
NO_SIGNALS = pd.DataFrame(columns=["pull_id", "path", "kind", "line", "detail"])


@dataclass(frozen=True)
class Settings:
    """What a team sets; nothing by default."""

    importance: Mapping[str, float] = field(default_factory=dict)  # weights that differ from its defaults
    insight: Mapping[str, float] = field(default_factory=dict)  # the same
    risk: RiskSettings = field(default_factory=RiskSettings)
    modules: ModuleRules = field(default_factory=ModuleRules)


@dataclass(frozen=True)
class Earlier:
    """Pull requests merged before those to judge that these may revert or repair."""

    pulls: pd.DataFrame  # one row per pull request: chain_links.PULL_COLUMNS, kind
    files: pd.DataFrame  # their files: pull_id, path_id, category, additions, deletions, old_path_id
    links: pd.DataFrame  # their raw links: pull_id, kind, repo, number, evidence


@dataclass(frozen=True)
class Derived:
    """Results by table; rows are sorted by their ids."""

    pulls: pd.DataFrame  # one row per pull request: PULL_COLUMNS
    modules: pd.DataFrame  # one row per pull request, module and source: modules.COLUMNS
    paths: pd.DataFrame  # one row per path: PATH_COLUMNS
    history: pd.DataFrame  # one row per merged pull request: kamei.HISTORY_COLUMNS
    folders: pd.DataFrame  # one row per merged pull request and folder: pull_id, folder
    areas: pd.DataFrame  # one row per merged pull request and area: pull_id, area
    risks: pd.DataFrame  # one row per pull request and risk rule that fired: risk.RISK_COLUMNS
    chain_links: pd.DataFrame  # one row per pull request and earlier one: chain_links.COLUMNS
    vocabulary: Vocabulary

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The results by the table of the cache that keeps them."""
        return {
            "pull_facts": self.pulls,
            "pull_modules": self.modules,
            "pull_history": self.history,
            "pull_folders": self.folders,
            "pull_areas": self.areas,
            "path_facts": self.paths,
            "pull_risks": self.risks,
            "chain_links": self.chain_links,
        }


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without collecting garbage meanwhile: nearly all that is made is kept, and each look goes through all of it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@undisturbed()
def derive(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    labels: pd.DataFrame,
    *,
    links: pd.DataFrame = NO_LINKS,
    reviews: pd.DataFrame = NO_REVIEWS,
    threads: pd.DataFrame = NO_THREADS,
    signals: pd.DataFrame = NO_SIGNALS,
    owners: pd.DataFrame | None = None,
    settings: Settings | None = None,
    vocabulary: Vocabulary | None = None,
    past: Past | None = None,
    earlier: Earlier | None = None,
) -> Derived:
    """What each pull request of one repository is.

    Nothing depends on the order of rows, nor on what is merged later, except through the vocabulary. What is not
    merged is judged without a history.

    Args:
        pulls: one row per pull request: pull_id, number, title, body (or None), author_id, author_type, merged_by_id,
            base, head, created_at, ready_at, merged_at (UTC text or None), changed_files (or None), additions,
            deletions, review_decision, n_comments, and the flags files_complete, reviews_known, threads_known,
            events_known, patches_known.
        files: one row per pull request and file: pull_id, path_id, path, status, additions, deletions (lines or None),
            old_path_id.
        labels: one row per pull request and label: pull_id, name.
        links: one row per reference: pull_id, kind, repo, number, evidence.
        reviews: one row per submitted review: pull_id, seq, reviewer, reviewer_id, reviewer_type, state, submitted_at.
        threads: one row per review thread: pull_id, path, is_resolved, is_outdated, n_comments.
        signals: one row per thing that a patch does: pull_id, path, kind, line, detail.
        owners: one row per rule of CODEOWNERS: seq, pattern, owners; None: unknown.
        settings: the team's.
        vocabulary: what the project calls its modules; learned from these pull requests unless given.
        past: of the time before the first of `pulls`, where these are not all of the repository's,
        earlier: and what of that time they may revert or repair (see `chain_links.named`).

    Returns:
        The results. Lines are added + deleted; they and what is touched are unknown (NA) where no file is known.

    Raises:
        MergeWindowError: a weight has an unknown name.
    """
    settings, past = settings or Settings(), past or Past()
    vocabulary = vocabulary or learn_vocabulary(pulls, files, labels)
    pulls = _in_time(pulls)
    paths = touched.read_paths(files)
    changed = touched.in_order(files, pulls, paths)
    assigned = modules.assign(pulls, files, labels, vocabulary, owners=owners, rules=settings.modules)
    changes = _changes(pulls, labels, changed, assigned)
    before, changes, experience = _with_history(changes, changed, past)
    chained = _chained(pulls, files, links, changes, paths, earlier)
    case = risk.Case(
        changes=pd.concat([changes, pulls[list(_KNOWN)], experience[["exp", "sexp"]]], axis=1),
        files=pd.concat([changed, before.files], axis=1),
        areas=before.areas,
        companions=_companions(changed, paths, before, past),
        reviews=reviews,
        threads=threads,
        signals=signals,
        links=_with_numbers(chained, pulls, earlier),
    )
    judged = risk.judge(case, settings.risk)
    weighed = [changes, sizes.sizes(pulls, changed), said.descriptions(pulls), said.talk(pulls, reviews, threads)]
    results = _scored(pd.concat(weighed, axis=1), chained, settings)
    return Derived(
        pulls=pd.concat([_by_id(results), judged.scores.drop(columns="pull_id")], axis=1)[list(PULL_COLUMNS)],
        modules=assigned,
        paths=paths[list(PATH_COLUMNS)],
        history=_by_id(experience),
        folders=_by_id(before.folders[["pull_id", "folder"]]),
        areas=_by_id(before.areas[["pull_id", "area"]]),
        risks=judged.risks,
        chain_links=chained,
        vocabulary=vocabulary,
    )


def concerned(pulls: pd.DataFrame, files: pd.DataFrame) -> dict[str, Any]:
    """The places and people whose past is needed to judge some pull requests.

    Returns:
        paths (ids), folders, areas, authors (ids), narrow_paths (ids, with the number of narrow changes of each).
    """
    paths = touched.read_paths(files)
    paths = paths[~paths["is_noise"].to_numpy()]
    is_real = np.isin(files["path_id"], paths["path_id"])
    at, pull_ids = pd.factorize(files["pull_id"])
    n_files = np.bincount(at[is_real], minlength=len(pull_ids))
    return {
        "paths": paths["path_id"].tolist(),
        "folders": list(dict.fromkeys(paths["folder"])),
        "areas": list(dict.fromkeys(paths["area"])),
        "authors": np.unique(pulls["author_id"].dropna().astype(int)).tolist(),
        "narrow_paths": Counter(files["path_id"][is_real & (n_files <= NARROW)[at]].tolist()),
    }


def _in_time(pulls: pd.DataFrame) -> pd.DataFrame:
    """The pull requests in the order in which they were merged, then those that are not."""
    author = pd.to_numeric(pulls["author_id"]).fillna(-1).astype("int64")
    return pulls.assign(author_id=author).take(in_time(pulls)[0]).reset_index(drop=True)


def _changes(pulls: pd.DataFrame, labels: pd.DataFrame, changed: pd.DataFrame, assigned: pd.DataFrame) -> pd.DataFrame:
    """What each pull request is by what it says and touches."""
    sums = touched.sums(pulls, changed)
    told = said.titles_and_labels(pulls, labels, sums["categories"].tolist())
    changes = pd.concat([pulls[["pull_id", "number", "merged_at", "author_id"]], told, sums], axis=1)
    at = pd.Index(pulls["pull_id"]).get_indexer(assigned["pull_id"])
    changes["n_modules"] = n_distinct(at, pd.factorize(assigned["module"])[0], len(pulls))
    return changes


def _with_history(
    changes: pd.DataFrame, changed: pd.DataFrame, past: Past
) -> tuple[History, pd.DataFrame, pd.DataFrame]:
    """What was before each change; the changes with what that says of their places, and with what it foretells.

    What is not merged comes last: it has no history, and is in nobody's.
    """
    n_merged = int(changes["merged_at"].notna().sum())
    merged, files = changes[:n_merged], changed[: np.count_nonzero(changed["at"] < n_merged)]
    before = history.before(merged, files, past)
    changes = pd.concat([changes, touched.places(changes, changed, before)], axis=1)
    return before, changes, kamei.measures(changes[:n_merged], files, before, past)


def _chained(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    links: pd.DataFrame,
    changes: pd.DataFrame,
    paths: pd.DataFrame,
    earlier: Earlier | None,
) -> pd.DataFrame:
    """What each of `pulls` did to those merged before: see `chain_links.links_of`."""
    pulls = pulls[list(chain_links.PULL_COLUMNS)].assign(kind=changes["kind"])
    if earlier is None:
        return chain_links.links_of(pulls, files, links, pulls, paths)
    only = set(pulls["pull_id"].tolist())
    files, paths = _after(earlier.files, files), _with_paths_of(earlier.files, paths)
    pulls, links = _after(earlier.pulls, pulls), _after(earlier.links, links)
    return chain_links.links_of(pulls, files, links, pulls, paths, only=only)


def _with_paths_of(files: pd.DataFrame, paths: pd.DataFrame) -> pd.DataFrame:
    """The paths, and what the cache knows of others that some files have."""
    ids = files["path_id"].to_numpy(dtype=np.int64)
    others = np.flatnonzero(firsts(ids) & ~np.isin(ids, paths["path_id"]))
    known = {"path_id": ids[others], "path": np.full(len(others), None), "category": files["category"].take(others)}
    return _after(pd.DataFrame(known), paths)


def _after(earlier: pd.DataFrame, later: pd.DataFrame) -> pd.DataFrame:
    """The rows of both, with the columns that both have."""
    names = [name for name in earlier if name in later]
    if earlier.empty:
        return later[names]
    return pd.DataFrame({name: np.concatenate([each[name].to_numpy() for each in (earlier, later)]) for name in names})


def _with_numbers(chained: pd.DataFrame, pulls: pd.DataFrame, earlier: Earlier | None) -> pd.DataFrame:
    known = pulls[["pull_id", "number"]]
    if earlier is not None:
        known = _after(earlier.pulls[["pull_id", "number"]], known)
    at = pd.Index(known["pull_id"]).get_indexer(chained["earlier_id"])
    return chained.assign(earlier_number=known["number"].to_numpy()[at])


def _companions(changed: pd.DataFrame, paths: pd.DataFrame, before: History, past: Past) -> pd.DataFrame:
    """The files that narrow changes leave out: see `companions.missing_companions`."""
    files = changed[: len(before.files)]
    at, is_real = files["at"].to_numpy(), ~files["is_noise"].to_numpy()
    narrow = np.flatnonzero(is_real & (np.bincount(at[is_real], minlength=at.max(initial=-1) + 1) <= NARROW)[at])
    asking = {name: files[name].to_numpy()[narrow] for name in ("pull_id", "path_id")}
    asking["n_before"] = before.files["n_before"].to_numpy()[narrow]
    if len(past.companions):
        paths = pd.concat([paths[["path_id", "path", "category"]], past.companions]).drop_duplicates("path_id")
    found = missing_companions(pd.DataFrame(asking), past.together, paths)
    places, names = pd.Index(paths["path_id"]), paths["path"].to_numpy(dtype=object)
    told = {"path": "path_id", "companion": "companion_id"}
    return found.assign(**{name: names[places.get_indexer(found[column])] for name, column in told.items()})


def _scored(changes: pd.DataFrame, chained: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Importance and insight of each change, with their parts."""
    repairs = chained["pull_id"][(chained["kind"] == "repair") & chained["is_sure"]]
    changes = changes.assign(repairs=changes["pull_id"].isin(repairs))
    scores, lessons = importance.score(changes, settings.importance), insight.score(changes, settings.insight)
    return changes.assign(
        importance=scores["importance"],
        importance_parts=_as_json(scores[list(importance.PARTS)]),
        is_key=scores["importance"] >= importance.KEY,
        key_share=stability(changes, settings.importance)["key_share"],
        insight=lessons["insight"],
        insight_parts=_as_json(lessons[list(insight.PARTS)]),
    )


def _as_json(parts: pd.DataFrame) -> pd.Series:
    """Each row's parts that are not 0, as JSON with sorted keys."""
    names = sorted(parts.columns)
    values = parts[names].to_numpy()
    rows, columns = np.nonzero(values)
    # The same few points occur again and again: each is put into words once.
    points, known = pd.factorize(values[rows, columns])
    entry, different = pd.factorize(columns * len(known) + points)
    names_of, points_of = np.divmod(different, max(1, len(known)))
    told = zip(names_of.tolist(), known[points_of].tolist(), strict=True)
    words = [f"{json.dumps(names[name])}: {point!r}" for name, point in told]
    entries = np.array(words, dtype=object)[entry].tolist()
    ends = np.searchsorted(rows, np.arange(len(parts) + 1)).tolist()
    texts = [f"{{{', '.join(entries[start:end])}}}" for start, end in pairwise(ends)]
    return pd.Series(texts, index=parts.index, dtype=object)


def _by_id(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sort_values("pull_id", kind="stable", ignore_index=True)
