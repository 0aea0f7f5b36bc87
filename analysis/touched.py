"""What a pull request touches: its files by what they are, added up."""

import re
from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.history import History
from analysis.paths import CATEGORIES, PathFacts, classify
from analysis.running import Ints, codes, largest, n_distinct
from analysis.sizes import LINES_COUNT, uncounted

_LINES_OF = {"source": "code_lines", "test": "test_lines", "docs": "docs_lines"}
BUCKETS = (*_LINES_OF.values(), "other_lines", "noise_lines")
OPEN = ("dependency", "container", "ci", "config")  # where something from outside can get in
_WITH_DOCS = frozenset({"docs", "asset", "generated"})
_NUMBER_OF = {category: number for number, category in enumerate(CATEGORIES)}
_CATEGORY = pd.CategoricalDtype(CATEGORIES)
_SOURCE, _TEST, _CONFIG = (_NUMBER_OF[name] for name in ("source", "test", "config"))
_INTERFACE = re.compile(
    r"(^|/)(__init__\.py|index\.[jt]sx?|lib\.rs|cli\.\w+|schema\.\w+|openapi\.\w+)$|\.(proto|graphql|thrift|avsc)$"
    r"|(^|/)(api|migrations)/"
)


def read_paths(files: pd.DataFrame) -> pd.DataFrame:
    """What each path is.

    Args:
        files: one row per pull request and file: path_id, path.

    Returns:
        One row per path, by path_id: path_id, path, category, language, is_noise, is_interface, folder, area.
    """
    place, ids = pd.factorize(files["path_id"].to_numpy(dtype=np.int64))
    first = np.empty(len(ids), dtype=np.intp)
    first[place[::-1]] = np.arange(len(place))[::-1]
    order = np.argsort(ids)
    facts = [classify(path) for path in files["path"].take(first[order]).tolist()]
    return pd.DataFrame(
        {
            "path_id": ids[order],
            "path": _texts([each.path for each in facts]),
            "category": _texts([each.category for each in facts]),
            "language": _texts([each.language for each in facts]),
            "is_noise": np.array([each.is_noise for each in facts], dtype=bool),
            "is_interface": np.array([_is_interface(each) for each in facts], dtype=bool),
            "folder": _texts([each.path.rpartition("/")[0] for each in facts]),
            "area": _texts(["/".join(each.area) for each in facts]),
        }
    )


def _texts(values: list[str | None]) -> pd.Series:
    return pd.Series(values, dtype=object)


def _is_interface(facts: PathFacts) -> bool:
    """Whether others build on the file: a package's front, a schema, or settings that ship with the code."""
    if facts.category == "config":
        return "/" in facts.path and not facts.path.startswith(".")
    return facts.category == "source" and _INTERFACE.search(facts.path) is not None


def in_order(files: pd.DataFrame, pulls: pd.DataFrame, paths: pd.DataFrame) -> pd.DataFrame:
    """The files of some pull requests in their order, then by path, with the columns of `paths`.

    Returns:
        One row per pull request and file: at (position in `pulls`), pull_id, path_id, status, additions, deletions
        (NaN: binary or unknown), lines, and what `paths` tells. Texts are categorical, paths in their order.
    """
    at = pd.Index(pulls["pull_id"]).get_indexer(files["pull_id"])
    path_ids = files["path_id"].to_numpy(dtype=np.int64)
    place = pd.Index(paths["path_id"]).get_indexer(path_ids)
    # By path and not by its id, which depends on what came first: sums of fractions differ with their order.
    names = paths["path"].to_numpy(dtype=object)
    by_name = np.argsort(names)
    rank = np.empty(len(names), dtype=np.int64)
    rank[by_name] = np.arange(len(names))
    order = np.argsort(at * np.int64(len(names)) + rank[place])
    order = order[np.count_nonzero(at < 0) :]
    place = place[order]
    additions, deletions = (
        files[name].to_numpy(dtype=float, na_value=np.nan)[order] for name in ("additions", "deletions")
    )
    own = {
        "at": at[order],
        "pull_id": files["pull_id"].to_numpy(dtype=np.int64)[order],
        "path_id": path_ids[order],
        "status": _coded(files["status"], order),
        "additions": additions,
        "deletions": deletions,
        "lines": np.nan_to_num(additions) + np.nan_to_num(deletions),
    }
    own |= {name: paths[name].to_numpy()[place] for name in ("is_noise", "is_interface")}
    path = pd.CategoricalDtype(pd.Index(names[by_name], dtype=object), ordered=True)
    own["path"] = pd.Categorical.from_codes(rank[place], dtype=path, validate=False)
    own |= {name: _coded(paths[name], place) for name in ("language", "folder", "area")}
    categories = pd.Categorical(paths["category"], _CATEGORY.categories).codes[place]
    return pd.DataFrame(own | {"category": pd.Categorical.from_codes(categories, dtype=_CATEGORY, validate=False)})


def _coded(values: pd.Series, at: Ints) -> pd.Categorical:
    """The values at some positions, as categories."""
    numbers, names = pd.factorize(values)
    return pd.Categorical.from_codes(numbers[at], dtype=pd.CategoricalDtype(names), validate=False)


def sums(pulls: pd.DataFrame, files: pd.DataFrame) -> pd.DataFrame:
    """What the files of each pull request add up to.

    Args:
        pulls: one row per pull request: changed_files, additions, deletions (as declared).
        files: as `in_order` gives them.

    Returns:
        One row per row of `pulls`, same index: the BUCKETS (lines; NA where the lines of a file are not known, or no
        file), weighted_lines (by `sizes.LINES_COUNT`; where those are NA as declared, NaN where that is not known),
        categories (frozenset), has_source, has_tests, touches_source, touches_tests (NA where no file is known),
        touches_<category> for each of OPEN, docs_only, touches_interface, n_folders (with source).
    """
    n, at = len(pulls), files["at"].to_numpy()
    category = codes(files["category"])
    lines, is_noise = files["lines"].to_numpy(), files["is_noise"].to_numpy(dtype=bool)
    has = np.zeros((n, len(CATEGORIES)), dtype=bool)
    has[at, category] = True
    is_known = (np.bincount(at, minlength=n) > 0) | (pulls["changed_files"].to_numpy(dtype=float, na_value=np.nan) == 0)
    is_counted = is_known & (np.bincount(at, weights=uncounted(files), minlength=n) == 0)
    bucket = np.where(is_noise, len(BUCKETS) - 1, _BUCKET_OF[category])
    by_bucket = np.bincount(at * len(BUCKETS) + bucket, weights=lines, minlength=n * len(BUCKETS))
    by_bucket = by_bucket.astype(np.int64).reshape(n, len(BUCKETS))
    weighted = np.bincount(at, weights=lines * _WEIGHT_OF[category], minlength=n)
    declared = pulls["additions"].to_numpy(float, na_value=np.nan) + pulls["deletions"].to_numpy(float, na_value=np.nan)
    categories = [_categories(bits) for bits in (has @ (1 << np.arange(len(CATEGORIES)))).tolist()]
    source = category == _SOURCE
    return pd.DataFrame(
        {
            **{
                name: pd.arrays.IntegerArray(by_bucket[:, i].astype(np.int64), ~is_counted)
                for i, name in enumerate(BUCKETS)
            },
            "weighted_lines": np.where(is_counted, weighted, declared),
            "categories": pd.Series(categories, index=pulls.index, dtype=object),
            "has_source": has[:, _SOURCE],
            "has_tests": has[:, _TEST],
            "touches_source": pd.arrays.BooleanArray(has[:, _SOURCE].copy(), ~is_known),
            "touches_tests": pd.arrays.BooleanArray(has[:, _TEST].copy(), ~is_known),
            **{f"touches_{name}": has[:, _NUMBER_OF[name]] for name in OPEN},
            "docs_only": np.array(["docs" in each and each <= _WITH_DOCS for each in categories], dtype=bool),
            "touches_interface": np.bincount(at, weights=files["is_interface"].to_numpy(dtype=bool), minlength=n) > 0,
            "n_folders": n_distinct(at[source], codes(files["folder"])[source], n),
        },
        index=pulls.index,
    )


def places(pulls: pd.DataFrame, files: pd.DataFrame, before: History) -> pd.DataFrame:
    """What the history says of the places that each pull request touches; `before` may end before `files` does.

    Returns:
        One row per row of `pulls`, same index: n_new_files (with source), n_new_folders (with a new source file, where
        nobody had changed anything), coreness (0-1, of its most changed code).
    """
    n, n_known, at = len(pulls), len(before.files), files["at"].to_numpy()
    category = codes(files["category"])
    is_new = (files["status"] == "added").to_numpy(copy=True)
    is_new[:n_known] = before.files["is_new"]
    new = is_new & (category == _SOURCE)
    fresh = np.flatnonzero(new[:n_known] & before.files["is_new_folder"].to_numpy())
    code = ((category == _SOURCE) | (category == _CONFIG))[:n_known]
    return pd.DataFrame(
        {
            "n_new_files": np.bincount(at[new], minlength=n),
            "n_new_folders": n_distinct(at[fresh], codes(files["folder"])[fresh], n),
            "coreness": largest(at[:n_known][code], before.files["coreness"].to_numpy()[code], n),
        },
        index=pulls.index,
    )


_WEIGHT_OF = np.array([LINES_COUNT.get(category, 0.0) for category in CATEGORIES])
_BUCKET_OF = np.array([BUCKETS.index(_LINES_OF.get(category, "other_lines")) for category in CATEGORIES])


@lru_cache
def _categories(bits: int) -> frozenset[str]:
    return frozenset(category for number, category in enumerate(CATEGORIES) if bits >> number & 1)
