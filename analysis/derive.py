"""What the analysis says of each pull request by itself: derived once, stored, and rebuilt when the rules change."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from analysis import history, importance, insight, kamei, kinds, modules, prose, risk, sizes, touched
from analysis.chain_links import links_of
from analysis.companions import NARROW, missing_companions
from analysis.history import History, Past
from analysis.learning import learn_vocabulary
from analysis.measured import measured
from analysis.module_rules import ModuleRules
from analysis.risk_settings import RiskSettings
from analysis.stability import stability
from analysis.titles import parse
from analysis.vocabulary import Vocabulary

RULES_VERSION = 3  # grows whenever equal input may give other results; what older rules derived is derived again
PULL_COLUMNS = (
    *("pull_id", "kind", "is_breaking", "subject"),
    *("importance", "importance_parts", "is_key", "insight", "insight_parts"),
    *("code_lines", "test_lines", "docs_lines", "other_lines", "noise_lines", "touches_source", "touches_tests"),
    *("series_part", "reverts_number", "is_reapply", "key_share", "risk_score", "risk_cap", "tier", "silent_rules"),
)
PATH_COLUMNS = ("path_id", "category", "language", "is_noise")


NO_LINKS = pd.DataFrame(columns=["pull_id", "kind", "repo", "number", "evidence"])
NO_REVIEWS = pd.DataFrame(
    columns=["pull_id", "seq", "reviewer", "reviewer_id", "reviewer_type", "state", "submitted_at"]
)
NO_THREADS = pd.DataFrame(columns=["pull_id", "path", "is_resolved", "is_outdated", "n_comments"])
NO_SIGNALS = pd.DataFrame(columns=["pull_id", "path", "kind", "line", "detail"])


@dataclass(frozen=True)
class Derived:
    """Results by table; rows are sorted by their ids."""

    pulls: pd.DataFrame  # one row per pull request: PULL_COLUMNS
    modules: pd.DataFrame  # one row per pull request, module and source: modules.COLUMNS
    paths: pd.DataFrame  # one row per path: PATH_COLUMNS
    history: pd.DataFrame  # one row per pull request with known files: HISTORY_COLUMNS
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


@dataclass(frozen=True)
class Earlier:
    """Pull requests merged before those to judge that these may revert or repair."""

    pulls: (
        pd.DataFrame
    )  # one row per pull request: pull_id, number, title, body, head, base, author_type, merged_at, kind
    files: pd.DataFrame  # their files: pull_id, path_id, path, additions, deletions, old_path_id
    links: pd.DataFrame  # their raw links: pull_id, kind, repo, number, evidence


def concerned(pulls: pd.DataFrame, files: pd.DataFrame) -> dict[str, list[Any]]:
    """The places and people whose past is needed to judge some pull requests: paths (ids), folders, areas, authors."""
    paths = touched.read_paths(files)
    return {
        "paths": paths["path_id"].tolist(),
        "folders": paths["folder"].unique().tolist(),
        "areas": paths["area"].unique().tolist(),
        "authors": pulls["author_id"].dropna().astype(int).unique().tolist(),
    }


def derive(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    labels: pd.DataFrame,
    *,
    links: pd.DataFrame | None = None,
    reviews: pd.DataFrame | None = None,
    threads: pd.DataFrame | None = None,
    events: pd.DataFrame | None = None,
    signals: pd.DataFrame | None = None,
    co_authors: pd.DataFrame | None = None,
    owners: pd.DataFrame | None = None,
    weights: Mapping[str, float] | None = None,
    insight_weights: Mapping[str, float] | None = None,
    settings: RiskSettings | None = None,
    rules: ModuleRules | None = None,
    vocabulary: Vocabulary | None = None,
    past: Past | None = None,
    earlier: Earlier | None = None,
) -> Derived:
    """What each pull request of one repository is.

    Nothing depends on the order of rows, nor on what is merged later, except through the vocabulary. What is not
    merged is judged without a history.

    Args:
        pulls: one row per pull request: pull_id, number, title, body (or None), author_id, author_type, merged_at
            (UTC text or None), changed_files (or None), additions, deletions.
        files: one row per pull request and file: pull_id, path_id, path, status, additions, deletions (lines or None).
        labels: one row per pull request and label: pull_id, name.
        weights: of importance, where they differ from its defaults.
        insight_weights: the same of insight.
        settings: of the risk rules.
        rules: what the configuration says of modules.
        vocabulary: what the project calls its modules; learned from these pull requests unless given.
        past: of the time before the first of `pulls`, where these are not all of the repository's,
        earlier: and what of that time they may revert or repair (see `chain_links.named`).

    Returns:
        The results. Lines are added + deleted; they and what is touched are unknown (NA) where no file is known.

    Raises:
        MergeWindowError: a weight has an unknown name.
    """
    past = past or Past()
    vocabulary = vocabulary or learn_vocabulary(pulls[pulls["merged_at"].notna()], files, labels)
    pulls, raw_files = _in_time(pulls), files
    paths = touched.read_paths(files)
    files = touched.in_order(files, pulls, paths)
    assigned = modules.assign(pulls, files, labels, vocabulary, owners=owners, rules=rules)
    sums = touched.sums(pulls, files)
    said = _said(pulls, labels, sums["categories"])
    changes = pd.concat([pulls[["pull_id", "number", "merged_at", "author_id"]], said, sums], axis=1)
    changes["n_modules"] = _n_modules(pulls, assigned)
    # What is not merged comes last: it has no history, and is in nobody's.
    n_merged = int(pulls["merged_at"].notna().sum())
    merged, merged_files = changes[:n_merged], files[files["at"] < n_merged]
    before = history.before(merged.assign(is_fix=merged["kind"] == "fix"), merged_files, past)
    changes = pd.concat([changes, touched.places(pulls, files, before)], axis=1)
    experience = kamei.measures(changes[:n_merged], merged_files, before, past)
    chained = _chained(pulls, raw_files, links, changes, paths, earlier)
    judged = risk.judge(
        risk.Case(
            changes=_as_known(pulls, changes, experience),
            files=pd.concat([files, before.files], axis=1),
            areas=before.areas,
            companions=_companions(merged_files, paths, before, past),
            reviews=NO_REVIEWS if reviews is None else reviews,
            threads=NO_THREADS if threads is None else threads,
            signals=NO_SIGNALS if signals is None else signals,
            links=_with_numbers(chained, pulls, earlier),
        ),
        settings,
    )
    repairs = chained.loc[(chained["kind"] == "repair") & (chained["is_sure"] == 1), "pull_id"]
    changes = changes.assign(repairs=changes["pull_id"].isin(repairs))
    changes = pd.concat([changes, sizes.sizes(pulls, files), _told(pulls), _talk(pulls, reviews, threads)], axis=1)
    scores, lessons = importance.score(changes, weights), insight.score(changes, insight_weights)
    results = changes.assign(
        importance=scores["importance"],
        importance_parts=_as_json(scores[list(importance.PARTS)]),
        is_key=scores["importance"] >= importance.KEY,
        key_share=stability(changes, weights)["key_share"],
        insight=lessons["insight"],
        insight_parts=_as_json(lessons[list(insight.PARTS)]),
    ).sort_values("pull_id", ignore_index=True)
    results = pd.concat([results, judged.scores.drop(columns="pull_id")], axis=1)
    return Derived(
        results[list(PULL_COLUMNS)],
        assigned,
        paths[list(PATH_COLUMNS)],
        experience,
        before.folders.sort_values(["pull_id", "folder"], ignore_index=True),
        before.areas[["pull_id", "area"]].sort_values(["pull_id", "area"], ignore_index=True),
        judged.risks,
        chained,
        vocabulary,
    )


def _as_known(pulls: pd.DataFrame, changes: pd.DataFrame, experience: pd.DataFrame) -> pd.DataFrame:
    """What is known of each pull request itself, for the risk rules."""
    told = pulls.drop(columns=[column for column in pulls if column in changes and column != "pull_id"])
    return pd.concat([changes, told.drop(columns="pull_id")], axis=1).merge(
        experience[["pull_id", "exp", "sexp"]], on="pull_id", how="left"
    )


def _with_numbers(chained: pd.DataFrame, pulls: pd.DataFrame, earlier: Earlier | None) -> pd.DataFrame:
    known = pulls if earlier is None else pd.concat([earlier.pulls, pulls])
    numbers = known.set_index("pull_id")["number"]
    return chained.assign(earlier_number=numbers.reindex(chained["earlier_id"]).to_numpy())


def _chained(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    links: pd.DataFrame | None,
    changes: pd.DataFrame,
    paths: pd.DataFrame,
    earlier: Earlier | None,
) -> pd.DataFrame:
    """What each of `pulls` did to those merged before: see `chain_links.links_of`."""
    links = NO_LINKS if links is None else links
    facts, only = changes[["pull_id", "kind"]], None
    if earlier is not None:
        only = set(pulls["pull_id"])
        facts = pd.concat([earlier.pulls[["pull_id", "kind"]], facts], ignore_index=True)
        pulls = pd.concat([earlier.pulls, pulls], ignore_index=True)
        files = pd.concat([earlier.files, files], ignore_index=True)
        links = pd.concat([earlier.links, links], ignore_index=True)
        paths = touched.read_paths(files)
    return links_of(pulls, files, links, facts, paths, only=only)


def _companions(files: pd.DataFrame, paths: pd.DataFrame, before: History, past: Past) -> pd.DataFrame:
    real = files.assign(n_before=before.files["n_before"])[~files["is_noise"].to_numpy(dtype=bool)]
    n_files = np.bincount(real["at"]) if len(real) else np.zeros(0)
    narrow = real[n_files[real["at"]] <= NARROW]
    found = missing_companions(narrow[["pull_id", "path_id", "category", "n_before"]], past.together)
    names = dict(zip(past.together["path_id"], past.together["path"], strict=True))
    names |= dict(zip(paths["path_id"], paths["path"], strict=True))
    return found.assign(path=found["path_id"].map(names), companion=found["companion_id"].map(names))


def _in_time(pulls: pd.DataFrame) -> pd.DataFrame:
    """The pull requests in the order in which they were merged, then those that are not."""
    author = pd.to_numeric(pulls["author_id"]).fillna(-1).astype("int64")
    return pulls.assign(author_id=author).sort_values(["merged_at", "number"], na_position="last", ignore_index=True)


def _said(pulls: pd.DataFrame, labels: pd.DataFrame, categories: Sequence[frozenset[str]]) -> pd.DataFrame:
    """What titles, labels and bodies say, one row per row of `pulls`."""
    names: dict[int, list[str]] = {}
    for pull_id, name in sorted(zip(labels["pull_id"], labels["name"], strict=True)):
        names.setdefault(pull_id, []).append(name)
    titles = [parse(title) for title in pulls["title"]]
    labelled = [names.get(pull_id, []) for pull_id in pulls["pull_id"]]
    bodies = [body if isinstance(body, str) else None for body in pulls["body"]]
    told = list(zip(titles, categories, bodies, labelled, strict=True))
    reverts = [title.reverts for title in titles]
    return pd.DataFrame(
        {
            "kind": _texts(kinds.kind(title, files, each) for title, files, _, each in told),
            "is_breaking": np.array(
                [kinds.is_breaking(title, body, each) for title, _, body, each in told], dtype=bool
            ),
            "removes": np.array([kinds.removes(title) for title in titles], dtype=bool),
            "subject": _texts(title.subject for title in titles),
            "series_part": _texts(title.series_part for title in titles),
            "reverts": np.array([each is not None for each in reverts], dtype=bool),
            "reverts_number": pd.array([each and each.number for each in reverts], dtype="Int64"),
            "is_reapply": np.array([each is not None and each.is_reapply for each in reverts], dtype=bool),
            "is_bump": np.array([title.is_bump for title in titles], dtype=bool),
            "is_bot": (pulls["author_type"] == "bot").to_numpy(),
        }
    )


def _told(pulls: pd.DataFrame) -> pd.DataFrame:
    """What descriptions tell, one row per row of `pulls`; of an unknown one nothing is known."""
    bodies = [body if isinstance(body, str) else None for body in pulls["body"]]
    own = [prose.own_text(body) for body in bodies]
    return pd.DataFrame(
        {
            "prose_length": np.array([prose.length(text) for text in own], dtype=float),
            "says_design": np.array([insight.says_design(text) for text in own], dtype=bool),
            "measured": np.array([measured(body).strength for body in bodies], dtype=float),
        },
        index=pulls.index,
    )


def _talk(pulls: pd.DataFrame, reviews: pd.DataFrame | None, threads: pd.DataFrame | None) -> pd.DataFrame:
    """How much was said, one row per row of `pulls`: n_reviews, n_threads, n_comments; NaN where unknown."""
    columns = {}
    for name, frame in (("reviews", reviews), ("threads", threads)):
        counts = pd.Series(dtype=float) if frame is None else frame["pull_id"].value_counts()
        is_known = pulls.get(f"{name}_known", pd.Series(0, pulls.index)).to_numpy(dtype=float, na_value=0) > 0
        columns[f"n_{name}"] = np.where(
            is_known, counts.reindex(pulls["pull_id"], fill_value=0).to_numpy(float), np.nan
        )
    comments = pulls.get("n_comments", pd.Series(np.nan, pulls.index))
    return pd.DataFrame({**columns, "n_comments": comments.to_numpy(dtype=float, na_value=np.nan)}, index=pulls.index)


def _texts(values: Iterable[str | None]) -> pd.Series:
    return pd.Series(list(values), dtype=object)


def _n_modules(pulls: pd.DataFrame, assigned: pd.DataFrame) -> np.ndarray[Any, Any]:
    ids, counts = np.unique(assigned.drop_duplicates(["pull_id", "module"])["pull_id"], return_counts=True)
    return pd.Series(counts, index=ids).reindex(pulls["pull_id"], fill_value=0).to_numpy()


def _as_json(parts: pd.DataFrame) -> pd.Series:
    """Each row's parts that are not 0, as JSON with sorted keys."""
    names = sorted(parts.columns)
    values = parts[names].to_numpy()
    rows, columns = np.nonzero(values)
    heads = [f"{json.dumps(name)}: " for name in names]
    told = zip(columns.tolist(), values[rows, columns].tolist(), strict=True)
    entries = [f"{heads[column]}{value!r}" for column, value in told]
    ends = np.searchsorted(rows, np.arange(len(parts) + 1)).tolist()
    texts = [f"{{{', '.join(entries[start:end])}}}" for start, end in pairwise(ends)]
    return pd.Series(texts, index=parts.index, dtype=object)
