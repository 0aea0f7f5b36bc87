"""What had happened before a change: to its files and folders, in its areas, and by its author."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from analysis.running import Floats, Ints, codes, last_before, pair_codes, sums_before

NEW_FILE_LINES = 10  # where a source does not tell, a file first seen with so many lines, none deleted, is new
FEW_PULLS = 20  # a history as short as this makes no file a core file
# Logarithms make small and large histories comparable. A place is core from the first share of the logarithm of the
# whole history on, and as core as can be at the second.
CORE_FROM, CORE_FULL = 0.25, 0.65
DAY, YEAR = 86_400, 365.25 * 86_400
YEARS = 10  # of an author's past that count for recent experience


PATHS = ("path_id", "author_id", "n_pulls", "n_fixes", "churn_lines", "last_at")
AREAS = ("area", "author_id", "n_pulls", "n_source", "n_tested")


@dataclass(frozen=True)
class Past:
    """What the cache knows of the time before the first pull request to judge, of the places and people concerned.

    Only what was merged counts. Empty where everything is judged anew.
    """

    n_pulls: int = 0  # merged
    hottest: float = 0.0  # the largest product of changes and churn of any file
    # one row per path and author (-1: unknown): n_pulls, n_fixes, churn_lines, last_at (UTC text)
    paths: pd.DataFrame = field(default_factory=lambda: _empty(*PATHS))
    folders: pd.DataFrame = field(default_factory=lambda: _empty("folder", "n_pulls"))  # one row per folder: n_pulls
    # one row per area and author: n_pulls, n_source (of these, with source changed), n_tested (of those, with tests)
    areas: pd.DataFrame = field(default_factory=lambda: _empty(*AREAS))
    merges: pd.DataFrame = field(default_factory=lambda: _empty("author_id", "merged_at"))  # one row per pull request
    # one row per file of the narrow pull requests that changed one of the paths, in time order
    together: pd.DataFrame = field(default_factory=lambda: _empty("pull_id", "path_id", "path", "category"))


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
    # one row per pull request and area: pull_id, area, n_before, n_source, n_tested, by_author
    areas: pd.DataFrame
    # one row per pull request and folder: pull_id, folder
    folders: pd.DataFrame
    # one row per row of the pull requests given, same index: exp, rexp (NaN where the author is unknown)
    authors: pd.DataFrame


def before(pulls: pd.DataFrame, files: pd.DataFrame, past: Past | None = None) -> History:
    """What merged pull requests had done, before each other one, to the places it touches and by its author.

    A renamed file starts anew.

    Args:
        pulls: one row per merged pull request in time order: pull_id, merged_at (UTC text), author_id (-1: unknown),
            is_fix, has_source, has_tests.
        files: one row per pull request and file, in the order of `pulls`: at (position in `pulls`), pull_id, path_id,
            folder, area, lines, additions, deletions, status (or None), is_noise.
        past: of the time before the first of `pulls`.

    Returns:
        The history. Noise (generated, vendored and lock files) is no change of a folder or an area.
    """
    past = past or Past()
    seconds = _seconds(pulls["merged_at"])
    folders = _places(files, "folder")
    areas = _places(files, "area")
    return History(
        _files(pulls, files, seconds, folders, past),
        _areas(pulls, areas, past),
        folders[["pull_id", "folder"]].reset_index(drop=True),
        _authors(pulls["author_id"].to_numpy(dtype=np.int64), seconds, past),
    )


def _seconds(moments: pd.Series) -> Floats:
    return np.asarray(pd.to_datetime(moments, utc=True).to_numpy(dtype="datetime64[s]").astype(np.int64), dtype=float)


def _files(
    pulls: pd.DataFrame, files: pd.DataFrame, seconds: Floats, folders: pd.DataFrame, past: Past
) -> pd.DataFrame:
    # The past comes as rows before the first: one for each path and author, which counts for several.
    known, at = past.paths.sort_values("last_at"), files["at"].to_numpy()
    n, n_known = len(files), len(known)
    paths = _after(known["path_id"], files["path_id"])
    authors = _after(known["author_id"], pulls["author_id"].to_numpy()[at])
    times = np.concatenate([_seconds(known["last_at"]), seconds[at]])
    n_by_author = sums_before(pair_codes(paths, authors), _after(known["n_pulls"], np.ones(n)))
    n_before = sums_before(paths, _after(known["n_pulls"], np.ones(n)))[n_known:]
    churn = sums_before(paths, _after(known["churn_lines"], files["lines"]))[n_known:]
    last = last_before(paths)[n_known:]
    n_all = (np.arange(len(pulls)) + past.n_pulls)[at]
    heat = np.where(files["is_noise"], 0, (n_before + 1) * (churn + files["lines"]))
    hottest = np.zeros(len(pulls) + 1)
    np.maximum.at(hottest, at + 1, heat)
    hottest = np.maximum.accumulate(np.maximum(hottest, past.hottest))
    n_folder = _n_folder(files, folders, past)
    shares = np.log1p([n_before, n_folder]) / np.log1p(np.maximum(n_all, FEW_PULLS))
    first_seen = (n_before == 0) & (files["additions"] >= NEW_FILE_LINES) & (files["deletions"] == 0)
    return pd.DataFrame(
        {
            "n_before": n_before.astype(np.int64),
            "n_fixes": sums_before(paths, _after(known["n_fixes"], pulls["is_fix"].to_numpy()[at]))[n_known:].astype(
                np.int64
            ),
            "n_authors": sums_before(paths, (n_by_author == 0) & (authors >= 0))[n_known:].astype(np.int64),
            "churn_before": churn,
            "by_author": n_by_author[n_known:].astype(np.int64),
            "age_days": np.where(last >= 0, seconds[at] - times[last], np.nan) / DAY,
            "coreness": ((shares - CORE_FROM) / (CORE_FULL - CORE_FROM)).clip(0, 1).mean(axis=0),
            "hotspot": np.sqrt(n_before * churn / np.maximum(hottest[at], 1)),
            "hottest": hottest[at + 1],
            "is_new_folder": (n_folder == 0) & (n_all >= FEW_PULLS),
            "is_new": np.where(files["status"].notna(), files["status"] == "added", first_seen).astype(bool),
        },
        index=files.index,
    )


def _after(known: pd.Series, values: Any) -> Any:
    """The figures of the past, then the others."""
    return np.concatenate([known.to_numpy(), np.asarray(values)]) if len(known) else np.asarray(values)


def _places(files: pd.DataFrame, what: str) -> pd.DataFrame:
    """One row per pull request and folder or area of its files without noise: at, pull_id, the place."""
    rows = files.loc[~files["is_noise"].to_numpy(dtype=bool), ["at", "pull_id", what]]
    _, first = np.unique(pair_codes(rows["at"].to_numpy(), codes(rows[what])), return_index=True)
    return rows.iloc[np.sort(first)]


def _n_folder(files: pd.DataFrame, folders: pd.DataFrame, past: Past) -> Floats:
    """How many earlier pull requests changed a file of each row's folder."""
    n_known, n_places = len(past.folders), len(folders)
    names = codes(_after(past.folders["folder"], np.concatenate([folders["folder"], files["folder"]])))
    n_before = sums_before(names[: n_known + n_places], _after(past.folders["n_pulls"], np.ones(n_places)))[n_known:]
    place = pair_codes(folders["at"].to_numpy(), names[n_known : n_known + n_places], len(names))
    wanted = pair_codes(files["at"].to_numpy(), names[n_known + n_places :], len(names))
    order = np.argsort(place)
    found = np.minimum(np.searchsorted(place[order], wanted), max(n_places - 1, 0))
    is_there = place[order][found] == wanted if n_places else np.zeros(len(files), dtype=bool)
    return np.where(is_there, n_before[order][found], 0) if n_places else np.zeros(len(files))


def _areas(pulls: pd.DataFrame, areas: pd.DataFrame, past: Past) -> pd.DataFrame:
    known, at = past.areas, areas["at"].to_numpy()
    names = codes(_after(known["area"], areas["area"]))
    authors = _after(known["author_id"], pulls["author_id"].to_numpy()[at])
    source = pulls["has_source"].to_numpy(dtype=bool)[at]
    tested = source & pulls["has_tests"].to_numpy(dtype=bool)[at]
    n_pulls = _after(known["n_pulls"], np.ones(len(areas)))
    sums = {
        "n_before": sums_before(names, n_pulls),
        "n_source": sums_before(names, _after(known["n_source"], source)),
        "n_tested": sums_before(names, _after(known["n_tested"], tested)),
        "by_author": sums_before(pair_codes(names, authors), n_pulls),
    }
    counted = {name: values[len(known) :].astype(np.int64) for name, values in sums.items()}
    return areas[["pull_id", "area"]].assign(**counted).reset_index(drop=True)


def _authors(authors: Ints, seconds: Floats, past: Past) -> pd.DataFrame:
    """How many pull requests each author had merged; in `rexp` one of n whole years ago counts 1 / (n + 1)."""
    n_known = len(past.merges)
    people = _after(past.merges["author_id"], authors).astype(np.int64)
    times = np.concatenate([_seconds(past.merges["merged_at"]), seconds])
    exp = sums_before(people, np.ones(len(people)))[n_known:]
    # Everybody's moments on one line, so far apart that nobody's reach into the next one's.
    span = times.max(initial=0) + 2
    line = np.sort((people + 1) * span + times)
    start = np.searchsorted(line, (authors + 1) * span)
    upto = start + exp.astype(np.int64)  # of those merged in the same second, the ones before it
    rexp = np.zeros(len(authors))
    for years in range(YEARS):
        since = np.maximum(seconds - (years + 1) * YEAR, 0)
        older = np.clip(np.searchsorted(line, (authors + 1) * span + since, side="right"), start, upto)
        rexp += (upto - older) / (years + 1)
        upto = older
    columns = {name: np.where(authors >= 0, values, np.nan) for name, values in (("exp", exp), ("rexp", rexp))}
    return pd.DataFrame(columns)
