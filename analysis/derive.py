"""What the analysis says of each pull request by itself: derived once, stored, and rebuilt when the rules change."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import pandas as pd

from analysis import history, importance, kinds, modules
from analysis.learning import learn_vocabulary
from analysis.paths import CATEGORIES, PathFacts, classify
from analysis.titles import Title, parse
from analysis.vocabulary import Vocabulary

RULES_VERSION = 1  # grows whenever equal input may give other results; what older rules derived is derived again

PULL_COLUMNS = (
    *(
        "pull_id",
        "kind",
        "is_breaking",
        "subject",
        "importance",
        "importance_parts",
        "is_key",
        "insight",
        "insight_parts",
    ),
    *("code_lines", "test_lines", "docs_lines", "other_lines", "noise_lines", "touches_source", "touches_tests"),
    *("series_part", "reverts_number", "is_reapply"),
)
PATH_COLUMNS = ("path_id", "category", "language", "is_noise")
_LINES_OF = {"source": "code_lines", "test": "test_lines", "docs": "docs_lines"}
_BUCKETS = [*_LINES_OF.values(), "other_lines", "noise_lines"]
_WITH_DOCS = frozenset({"docs", "asset", "generated"})
_INTERFACE = re.compile(
    r"(^|/)(__init__\.py|index\.[jt]sx?|lib\.rs|cli\.\w+|schema\.\w+|openapi\.\w+)$|\.(proto|graphql|thrift|avsc)$"
    r"|(^|/)(api|migrations)/"
)


@dataclass(frozen=True)
class Derived:
    """Results by table; rows are sorted by their ids."""

    pulls: pd.DataFrame  # one row per pull request: PULL_COLUMNS
    modules: pd.DataFrame  # one row per pull request, module and source: modules.COLUMNS
    paths: pd.DataFrame  # one row per path: PATH_COLUMNS
    vocabulary: Vocabulary


def derive(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    labels: pd.DataFrame,
    *,
    weights: Mapping[str, float] | None = None,
    vocabulary: Vocabulary | None = None,
) -> Derived:
    """What each pull request of one repository is.

    Nothing depends on the order of rows, nor on pull requests merged later, except through the vocabulary.

    Args:
        pulls: one row per pull request: pull_id, number, title, body (or None), author_type, merged_at (UTC text or
            None), changed_files (or None), additions, deletions.
        files: one row per pull request and file: pull_id, path_id, path, status, additions, deletions (lines or None).
        labels: one row per pull request and label: pull_id, name.
        weights: of importance, where they differ from its defaults.
        vocabulary: what the project calls its modules; learned from these pull requests unless given.

    Returns:
        The results. Lines are added + deleted; they and what is touched are unknown (NA) where no file is known.

    Raises:
        MergeWindowError: a weight has an unknown name.
    """
    vocabulary = vocabulary or learn_vocabulary(pulls, files, labels)
    pulls = pulls.sort_values("pull_id", ignore_index=True)
    files = _tidy(files[files["pull_id"].isin(pulls["pull_id"])])
    titles = [parse(title) for title in pulls["title"]]
    assigned = modules.assign(pulls, files, labels, vocabulary)
    paths = _paths(files)
    touched = _touched(pulls, files, paths)
    said = _said(pulls, labels, titles, touched["categories"])
    changes = pd.concat([said, touched, _reach(pulls, assigned)], axis=1)
    scores = importance.score(changes, weights)
    results = changes.assign(
        pull_id=pulls["pull_id"],
        importance=scores["importance"],
        importance_parts=_as_json(scores[list(importance.PARTS)]),
        is_key=scores["importance"] >= importance.KEY,
        insight=None,
        insight_parts=None,
    )
    return Derived(results[list(PULL_COLUMNS)], assigned, paths[list(PATH_COLUMNS)], vocabulary)


def _tidy(files: pd.DataFrame) -> pd.DataFrame:
    lines = {column: pd.to_numeric(files[column]).astype(float) for column in ("additions", "deletions")}
    return files.assign(**lines).sort_values(["pull_id", "path_id"], ignore_index=True)


def _paths(files: pd.DataFrame) -> pd.DataFrame:
    """One row per path, by its id: PATH_COLUMNS and what the sums over a pull request's files need."""
    paths = files[["path_id", "path"]].drop_duplicates("path_id").sort_values("path_id", ignore_index=True)
    facts = [classify(path) for path in paths["path"]]
    columns = {
        "category": pd.Series([each.category for each in facts], dtype=object),
        "language": pd.Series([each.language for each in facts], dtype=object),
        "is_noise": pd.Series([each.is_noise for each in facts], dtype=bool),
        "is_interface": pd.Series([_is_interface(each) for each in facts], dtype=bool),
        "folder": pd.Series([each.path.rpartition("/")[0] for each in facts], dtype=object),
    }
    return paths.assign(
        **columns,
        bit=columns["category"].map({category: 1 << place for place, category in enumerate(CATEGORIES)}).astype(int),
        bucket=columns["category"].map(_LINES_OF).fillna("other_lines").mask(columns["is_noise"], "noise_lines"),
        weight=columns["category"].map(importance.LINES_COUNT).fillna(0.0).astype(float),
    )


def _is_interface(facts: PathFacts) -> bool:
    """Whether others build on the file: a package's front, a schema, or settings that ship with the code."""
    if facts.category == "config":
        return "/" in facts.path and not facts.path.startswith(".")
    return facts.category == "source" and _INTERFACE.search(facts.path) is not None


def _touched(pulls: pd.DataFrame, files: pd.DataFrame, paths: pd.DataFrame) -> pd.DataFrame:
    """What each pull request touched, one row per row of `pulls`; lines are unknown where no file is known."""
    rows = files.merge(paths.drop(columns="path"), on="path_id", how="left")
    rows = pd.concat([rows, history.before(pulls, files)], axis=1)
    rows["lines"] = rows["additions"].fillna(0) + rows["deletions"].fillna(0)
    sums = _sums(rows).reindex(pulls["pull_id"]).fillna(0).astype(float).reset_index(drop=True)
    is_known = pulls["pull_id"].isin(rows["pull_id"]) | (pulls["changed_files"] == 0)
    declared = pulls[["additions", "deletions"]].apply(pd.to_numeric).fillna(0).sum(axis=1)
    categories = sums.pop("bits").astype(int).map(_categories)
    return sums.assign(
        **sums[_BUCKETS].astype("Int64").mask(~is_known),
        weighted_lines=sums["weighted_lines"].where(is_known, declared),
        categories=categories,
        touches_source=categories.map(lambda each: "source" in each).astype("boolean").mask(~is_known),
        touches_tests=categories.map(lambda each: "test" in each).astype("boolean").mask(~is_known),
        docs_only=categories.map(lambda each: "docs" in each and each <= _WITH_DOCS),
    )


def _sums(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per pull request with files: what its files add up to."""
    by_pull = rows.assign(weighted=rows["lines"] * rows["weight"]).groupby("pull_id")
    source = rows[rows["category"] == "source"].groupby("pull_id")
    code = rows[rows["category"].isin(["source", "config"])].groupby("pull_id")
    lines = rows.groupby(["pull_id", "bucket"])["lines"].sum().unstack().reindex(columns=_BUCKETS)
    return lines.assign(
        bits=rows.drop_duplicates(["pull_id", "bit"]).groupby("pull_id")["bit"].sum(),
        weighted_lines=by_pull["weighted"].sum(),
        touches_interface=by_pull["is_interface"].max(),
        n_folders=source["folder"].nunique(),
        n_new_files=source["is_new"].sum(),
        coreness=code["coreness"].max(),
    )


@lru_cache
def _categories(bits: int) -> frozenset[str]:
    return frozenset(category for place, category in enumerate(CATEGORIES) if bits >> place & 1)


def _said(pulls: pd.DataFrame, labels: pd.DataFrame, titles: list[Title], categories: pd.Series) -> pd.DataFrame:
    """What titles, labels and bodies say, one row per row of `pulls`."""
    names = labels.groupby("pull_id")["name"].agg(sorted).to_dict()
    labelled = [names.get(pull_id, []) for pull_id in pulls["pull_id"]]
    bodies = [body if isinstance(body, str) else None for body in pulls["body"]]
    told = list(zip(titles, categories, bodies, labelled, strict=True))
    return pd.DataFrame(
        {
            "kind": pd.Series([kinds.kind(title, files, each) for title, files, _, each in told], dtype=object),
            "is_breaking": pd.Series(
                [kinds.is_breaking(title, body, each) for title, _, body, each in told], dtype=bool
            ),
            "subject": pd.Series([title.subject for title in titles], dtype=object),
            "series_part": pd.Series([title.series_part for title in titles], dtype=object),
            "reverts": pd.Series([title.reverts is not None for title in titles], dtype=bool),
            "reverts_number": pd.Series([title.reverts and title.reverts.number for title in titles], dtype="Int64"),
            "is_reapply": pd.Series([bool(title.reverts and title.reverts.is_reapply) for title in titles], dtype=bool),
            "is_bump": pd.Series([title.is_bump for title in titles], dtype=bool),
            "is_bot": (pulls["author_type"] == "bot").to_numpy(),
        }
    )


def _reach(pulls: pd.DataFrame, assigned: pd.DataFrame) -> pd.Series:
    n_modules = assigned.drop_duplicates(["pull_id", "module"])["pull_id"].value_counts()
    return pulls["pull_id"].map(n_modules).fillna(0).astype(int).rename("n_modules")


def _as_json(parts: pd.DataFrame) -> pd.Series:
    """Each row's parts that are not 0, as JSON with sorted keys."""
    names = sorted(parts.columns)
    rows = zip(*(parts[name].tolist() for name in names), strict=True)
    texts = [json.dumps({name: value for name, value in zip(names, row, strict=True) if value}) for row in rows]
    return pd.Series(texts, index=parts.index, dtype=object)
