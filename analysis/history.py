"""What had happened before a change: to its files and folders, in its areas, and by its author."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from analysis.running import Floats, Groups, Ints, codes, firsts, flat, largest, pair_codes, seconds

NEW_FILE_LINES = 10  # where a source does not tell, a file first seen with so many lines, none deleted, is new
FEW_PULLS = 20  # a history as short as this makes no file a core file
# Logarithms make small and large histories comparable. A place is core from the first share of the logarithm of the
# whole history on, and as core as can be at the second.
CORE_FROM, CORE_FULL = 0.25, 0.65
DAY, YEAR = 86_400, 365.25 * 86_400
YEARS = 10  # of an author's past that count for recent experience


PATHS = ("path_id", "n_pulls", "n_fixes", "churn_lines", "last_seconds", "author_ids")
AREAS = ("area", "n_pulls", "n_source", "n_tested", "author_ids")


@dataclass(frozen=True)
class Past:
    """What the cache knows of the time before the first pull request to judge, of the places and people concerned.

    Only what was merged counts; generated, vendored and lock files need none. Empty where everything is judged anew.
    """

    n_pulls: int = 0  # merged
    hottest: float = 0.0  # the largest product of changes and churn of any file
    # one row per path: n_pulls, n_fixes, churn_lines, last_seconds (since 1970), author_ids (of each pull request)
    paths: pd.DataFrame = field(default_factory=lambda: _empty(*PATHS))
    folders: pd.DataFrame = field(default_factory=lambda: _empty("folder", "n_pulls"))  # one row per folder: n_pulls
    # one row per area: n_pulls, n_source (of these, with source changed), n_tested (of those, with tests), author_ids
    areas: pd.DataFrame = field(default_factory=lambda: _empty(*AREAS))
    # one row per author: author_id, merged_seconds (of each pull request)
    merges: pd.DataFrame = field(default_factory=lambda: _empty("author_id", "merged_seconds"))
    # one row per file of the narrow pull requests that changed one of the paths
    together: pd.DataFrame = field(default_factory=lambda: _empty("pull_id", "path_id"))
    companions: pd.DataFrame = field(default_factory=lambda: _empty("path_id", "path", "category"))  # the files there


def _empty(*columns: str) -> pd.DataFrame:
    return pd.DataFrame(columns=list(columns))


@dataclass(frozen=True)
class History:
    """What was before, as of each change."""

    # one row per row of the files given, same index: n_before, n_fixes, n_authors, churn_before, by_author, age_days
    # (NaN: not seen before), coreness (0-1), hotspot (0-1: root
    # of changes x churn, of the largest such product of any file), hottest (that product, after the change), is_new,
    # is_new_folder (nobody had changed anything there; in a short history none is)
    files: pd.DataFrame
    # one row per pull request and area: at (place of the pull request), pull_id, area, n_before, n_source, n_tested,
    # by_author
    areas: pd.DataFrame
    # one row per pull request and folder: at, pull_id, folder
    folders: pd.DataFrame
    # one row per row of the pull requests given, same index: exp, rexp (NaN where the author is unknown)
    authors: pd.DataFrame


def before(pulls: pd.DataFrame, files: pd.DataFrame, past: Past | None = None) -> History:
    """What merged pull requests had done, before each other one, to the places it touches and by its author.

    A renamed file starts anew.

    Args:
        pulls: one row per merged pull request in time order: pull_id, merged_at (UTC text), author_id (-1: unknown),
            kind, has_source, has_tests.
        files: one row per pull request and file, in the order of `pulls`: at (position in `pulls`), pull_id, path_id,
            folder, area, lines, additions, deletions, status (or None), is_noise.
        past: of the time before the first of `pulls`.

    Returns:
        The history. Noise (generated, vendored and lock files) is no change of a folder or an area.
    """
    past = past or Past()
    moments = seconds(pulls["merged_at"])
    folders, areas = _places(files, "folder"), _places(files, "area")
    return History(
        _files(pulls, files, moments, folders, past),
        _areas(pulls, areas, past),
        folders,
        _authors(pulls["author_id"].to_numpy(dtype=np.int64), moments, past),
    )


def _files(
    pulls: pd.DataFrame, files: pd.DataFrame, moments: Floats, folders: pd.DataFrame, past: Past
) -> pd.DataFrame:
    # The past comes as rows before the first: one for each path, which counts for several.
    known, at, lines = past.paths, files["at"].to_numpy(), files["lines"].to_numpy()
    n, n_known = len(files), len(known)
    times = _after(known["last_seconds"], moments[at])
    paths = Groups(_after(known["path_id"], files["path_id"]))
    n_before = paths.sums_before(_after(known["n_pulls"], np.ones(n)))[n_known:]
    n_fixes = paths.sums_before(_after(known["n_fixes"], (pulls["kind"] == "fix").to_numpy()[at]))[n_known:]
    path_ids = files["path_id"].to_numpy(dtype=np.int64)
    authors = pulls["author_id"].to_numpy()[at]
    by_author, n_authors = _people(known["path_id"].to_numpy(dtype=np.int64), known["author_ids"], path_ids, authors)
    churn = paths.sums_before(_after(known["churn_lines"], lines))[n_known:]
    last = paths.last_before()[n_known:]
    n_all = (np.arange(len(pulls)) + past.n_pulls)[at]
    heat = np.where(files["is_noise"], 0, (n_before + 1) * (churn + lines))
    hottest = np.maximum.accumulate(np.append(past.hottest, largest(at, heat, len(pulls))))
    n_folder = _n_folder(files, folders, past)
    shares = np.log1p([n_before, n_folder]) / np.log1p(np.maximum(n_all, FEW_PULLS))
    first_seen = (
        (n_before == 0) & (files["additions"].to_numpy() >= NEW_FILE_LINES) & (files["deletions"].to_numpy() == 0)
    )
    is_told = files["status"].notna().to_numpy()
    return pd.DataFrame(
        {
            "n_before": n_before.astype(np.int64),
            "n_fixes": n_fixes.astype(np.int64),
            "n_authors": n_authors,
            "churn_before": churn,
            "by_author": by_author,
            "age_days": np.where(last >= 0, moments[at] - times[last], np.nan) / DAY,
            "coreness": ((shares - CORE_FROM) / (CORE_FULL - CORE_FROM)).clip(0, 1).mean(axis=0),
            "hotspot": np.sqrt(n_before * churn / np.maximum(hottest[at], 1)),
            "hottest": hottest[at + 1],
            "is_new_folder": (n_folder == 0) & (n_all >= FEW_PULLS),
            "is_new": np.where(is_told, files["status"] == "added", first_seen),
        },
        index=files.index,
    )


def _people(places: Ints, before: pd.Series, at: Ints, authors: Ints) -> tuple[Ints, Ints]:
    """How many earlier changes of each place were by the same author, and how many authors there were before.

    Args:
        places: those with a past,
        before: with the author of each change of that time.
        at: the place of each change,
        authors: and its author, -1 unknown.
    """
    earlier, sizes = flat(before)
    at = np.concatenate([np.repeat(places, sizes), at])
    authors = np.concatenate([earlier, authors])
    by_author = Groups(pair_codes(at, authors)).counts_before()
    n_authors = Groups(at).sums_before((by_author == 0) & (authors >= 0))
    return by_author[len(earlier) :], n_authors[len(earlier) :].astype(np.int64)


def _after(known: pd.Series, values: Any) -> Any:
    """The figures of the past, then the others."""
    return np.concatenate([known.to_numpy(), np.asarray(values)]) if len(known) else np.asarray(values)


def _places(files: pd.DataFrame, what: str) -> pd.DataFrame:
    """One row per pull request and folder or area of its files without noise: at, pull_id, the place."""
    real = np.flatnonzero(~files["is_noise"].to_numpy(dtype=bool))
    at, names = files["at"].to_numpy()[real], files[what].array[real]
    first = np.flatnonzero(firsts(pair_codes(at, names.codes.astype(np.int64))))
    pull_ids = files["pull_id"].to_numpy()[real[first]]
    return pd.DataFrame({"at": at[first], "pull_id": pull_ids, what: names[first]})


def _n_folder(files: pd.DataFrame, folders: pd.DataFrame, past: Past) -> Floats:
    """How many earlier pull requests changed a file of each row's folder."""
    names = files["folder"].cat.categories
    own, every = codes(folders["folder"]), codes(files["folder"])
    known = _codes_in(names, past.folders["folder"])
    groups = Groups(np.concatenate([known, own]))
    n_before = groups.sums_before(_after(past.folders["n_pulls"], np.ones(len(folders))))[len(known) :]
    place = pd.Index(pair_codes(folders["at"].to_numpy(), own, len(names)))
    found = place.get_indexer(pair_codes(files["at"].to_numpy(), every, len(names)))
    return np.append(n_before, 0)[found]  # the last is for the place -1 of those not found


def _codes_in(names: pd.Index, values: pd.Series) -> Ints:
    return names.get_indexer(values.to_numpy(dtype=object)) if len(values) else np.empty(0, dtype=np.int64)


def _areas(pulls: pd.DataFrame, areas: pd.DataFrame, past: Past) -> pd.DataFrame:
    known, at = past.areas, areas["at"].to_numpy()
    before, own = _codes_in(areas["area"].cat.categories, known["area"]), codes(areas["area"])
    source = pulls["has_source"].to_numpy(dtype=bool)[at]
    tested = source & pulls["has_tests"].to_numpy(dtype=bool)[at]
    counts = {"n_before": ("n_pulls", np.ones(len(areas))), "n_source": ("n_source", source)}
    counts |= {"n_tested": ("n_tested", tested)}
    groups = Groups(np.concatenate([before, own]))
    sums = {name: groups.sums_before(_after(known[column], values)) for name, (column, values) in counts.items()}
    sums = {name: values[len(known) :].astype(np.int64) for name, values in sums.items()}
    by_author, _ = _people(before, known["author_ids"], own, pulls["author_id"].to_numpy()[at])
    return areas.assign(**sums, by_author=by_author)


def _authors(authors: Ints, moments: Floats, past: Past) -> pd.DataFrame:
    """How many pull requests each author had merged; in `rexp` one of n whole years ago counts 1 / (n + 1)."""
    before, sizes = flat(past.merges["merged_seconds"])
    people = np.concatenate([np.repeat(past.merges["author_id"].to_numpy(dtype=np.int64), sizes), authors])
    times = np.concatenate([before, moments])
    exp = Groups(people).counts_before()[len(before) :]
    # Everybody's moments on one line, so far apart that nobody's reach into the next one's.
    span = times.max(initial=0) + 2
    line = np.sort((people + 1) * span + times)
    start = np.searchsorted(line, (authors + 1) * span)
    upto = start + exp  # of those merged in the same second, the ones before it
    rexp = np.zeros(len(authors))
    for years in range(YEARS):
        since = np.maximum(moments - (years + 1) * YEAR, 0)
        older = np.clip(np.searchsorted(line, (authors + 1) * span + since, side="right"), start, upto)
        rexp += (upto - older) / (years + 1)
        upto = older
    columns = {name: np.where(authors >= 0, values, np.nan) for name, values in (("exp", exp), ("rexp", rexp))}
    return pd.DataFrame(columns)
