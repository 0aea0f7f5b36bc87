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


def _frame(**columns: str) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in columns.items()})


@dataclass(frozen=True)
class Past:
    """What the cache knows of the time before the first pull request to judge, of the places and people concerned.

    Only what was merged counts. Empty where everything is judged anew.
    """

    n_pulls: int = 0  # merged
    churn_lines: float = 0  # of all of these
    # one row per path: n_pulls, n_fixes, churn_lines, last_at (seconds since 1970), last_pull_id
    paths: pd.DataFrame = field(
        default_factory=lambda: _frame(
            path_id="int64", n_pulls="int64", n_fixes="int64", churn_lines="float64", last_at="float64", last_pull="int64"
        )
    )
    # one row per path and author: n_pulls
    path_authors: pd.DataFrame = field(
        default_factory=lambda: _frame(path_id="int64", author_id="int64", n_pulls="int64")
    )
    folders: pd.DataFrame = field(default_factory=lambda: _frame(folder="object", n_pulls="int64"))
    # one row per area: n_pulls, n_source (of these, with source changed), n_tested (of those, with tests changed)
    areas: pd.DataFrame = field(
        default_factory=lambda: _frame(area="object", n_pulls="int64", n_source="int64", n_tested="int64")
    )
    area_authors: pd.DataFrame = field(
        default_factory=lambda: _frame(area="object", author_id="int64", n_pulls="int64")
    )
    merges: pd.DataFrame = field(default_factory=lambda: _frame(author_id="int64", merged_at="object"))
    # one row per file of the latest narrow pull requests that changed one of the paths, oldest first
    together: pd.DataFrame = field(default_factory=lambda: _frame(pull_id="int64", path_id="int64"))


@dataclass(frozen=True)
class History:
    """What was before, as of each change."""

    # one row per row of the files given, same index: n_before, n_fixes, n_authors, churn_before, by_author, age_days
    # (NaN: not seen before), last_pull (-1), coreness (0-1), hotspot (0-1), is_new
    files: pd.DataFrame
    # one row per pull request and area: pull_id, area, n_before, n_source, n_tested, by_author
    areas: pd.DataFrame
    # one row per pull request and folder: pull_id, folder, area
    folders: pd.DataFrame
    # one row per row of the pull requests given, same index: exp, rexp (NaN where the author is unknown)
    authors: pd.DataFrame


def before(pulls: pd.DataFrame, files: pd.DataFrame, past: Past | None = None) -> History:
    """What merged pull requests had done, before each change, to the places it touches and by its author.

    What is not merged is judged as of its moment and counts for nobody. A renamed file starts anew.

    Args:
        pulls: one row per pull request in time order: pull_id, moment (UTC text), is_merged, author_id (-1: unknown),
            is_fix, has_source, has_tests, churn_lines.
        files: one row per pull request and file, in the order of `pulls`: pull_id, path_id, folder, area, lines,
            additions, deletions, status (or None), is_noise.
        past: of the time before the first of `pulls`.

    Returns:
        The history. Counts are of merged pull requests.
    """
    past = past or Past()
    at = pd.Index(pulls["pull_id"]).get_indexer(files["pull_id"])
    seconds = _seconds(pulls["moment"])
    merged = pulls["is_merged"].to_numpy(dtype=bool)
    before_files = _files(pulls, files, at, seconds, merged, past)
    folders, areas = _places(pulls, files, at, merged, past)
    return History(before_files, areas, folders, _authors(pulls, seconds, merged, past))


def _seconds(moments: pd.Series) -> Floats:
    return np.asarray(pd.to_datetime(moments, utc=True).to_numpy(dtype="datetime64[s]").astype(np.int64), dtype=float)


def _files(
    pulls: pd.DataFrame, files: pd.DataFrame, at: Ints, seconds: Floats, merged: np.ndarray[Any, Any], past: Past
) -> pd.DataFrame:
    paths = files["path_id"].to_numpy(dtype=np.int64)
    authors = pulls["author_id"].to_numpy(dtype=np.int64)[at]
    lines = files["lines"].to_numpy(dtype=float)
    counts = merged[at]
    known = past.paths.set_index("path_id")
    seen = _Seeds(known, paths)
    n_before = sums_before(paths, counts) + seen["n_pulls"]
    churn = sums_before(paths, np.where(counts, lines, 0)) + seen["churn_lines"]
    pairs = pd.MultiIndex.from_frame(past.path_authors[["path_id", "author_id"]])
    earlier = _Seeds(past.path_authors.set_axis(pairs), pd.MultiIndex.from_arrays([paths, authors]) if len(pairs) else paths)
    by_author = sums_before(pair_codes(paths, authors), counts) + earlier["n_pulls"]
    first_time = counts & (by_author == 0) & (authors >= 0)
    last = last_before(paths, counts)
    last_at = np.where(last >= 0, seconds[at[last]], seen.get("last_at", np.nan))
    last_pull = np.where(last >= 0, files["pull_id"].to_numpy()[last], seen.get("last_pull", -1))
    n_all = (np.cumsum(merged) - merged + past.n_pulls)[at]
    churned = np.where(merged, pulls["churn_lines"].to_numpy(dtype=float), 0)
    churn_all = (np.cumsum(churned) - churned + past.churn_lines)[at]
    folder = codes(files["folder"])
    in_folder = _distinct(at, folder)
    known_folders = _Seeds(past.folders.set_index("folder"), files["folder"])
    n_folder = sums_before(folder, counts & in_folder)
    # Further files of the same folder in one change have the same history of it.
    n_folder = n_folder - np.where(in_folder, 0, counts) + known_folders["n_pulls"]
    shares = np.log1p([n_before, n_folder]) / np.log1p(np.maximum(n_all, FEW_PULLS))
    additions, deletions = (files[name].to_numpy(dtype=float) for name in ("additions", "deletions"))
    first_seen = (n_before == 0) & (additions >= NEW_FILE_LINES) & (deletions == 0)
    status = files["status"]
    return pd.DataFrame(
        {
            "n_before": n_before.astype(np.int64),
            "n_fixes": (sums_before(paths, counts & pulls["is_fix"].to_numpy(dtype=bool)[at]) + seen["n_fixes"]).astype(np.int64),
            "n_authors": (sums_before(paths, first_time) + _n_authors(past, paths)).astype(np.int64),
            "churn_before": churn,
            "by_author": by_author.astype(np.int64),
            "age_days": (seconds[at] - last_at) / DAY,
            "last_pull": last_pull.astype(np.int64),
            "coreness": ((shares - CORE_FROM) / (CORE_FULL - CORE_FROM)).clip(0, 1).mean(axis=0),
            "hotspot": np.sqrt(n_before / np.maximum(n_all, FEW_PULLS) * churn / np.maximum(churn_all, 1)),
            "is_new": np.where(status.notna(), status.eq("added"), first_seen).astype(bool),
        },
        index=files.index,
    )


class _Seeds:
    """The figures of the past for each of some keys, 0 where there are none."""

    def __init__(self, frame: pd.DataFrame, keys: Any) -> None:
        self.frame = frame
        self.at = frame.index.get_indexer(keys) if len(frame) else None

    def __getitem__(self, column: str) -> Any:
        return self.get(column, 0)

    def get(self, column: str, default: float) -> Any:
        if self.at is None:
            return default
        return np.where(self.at >= 0, self.frame[column].to_numpy()[self.at], default)


def _n_authors(past: Past, paths: Ints) -> Any:
    people = past.path_authors[past.path_authors["author_id"] >= 0]
    return _Seeds(people.groupby("path_id").size().to_frame("n"), paths)["n"] if len(people) else 0


def _distinct(at: Ints, group: Ints) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """For each row whether it is the first of its group within its pull request."""
    first = np.zeros(len(at), dtype=bool)
    first[np.unique(pair_codes(at, group), return_index=True)[1]] = True
    return first


def _places(
    pulls: pd.DataFrame, files: pd.DataFrame, at: Ints, merged: np.ndarray[Any, Any], past: Past
) -> tuple[pd.DataFrame, pd.DataFrame]:
    real = ~files["is_noise"].to_numpy(dtype=bool)
    first = _distinct(at[real], codes(files["folder"])[real])
    folders = files.loc[real, ["pull_id", "folder", "area"]][first]
    at_folder = at[real][first]
    first = _distinct(at_folder, codes(folders["area"]))
    areas, at = folders.loc[first, ["pull_id", "area"]], at_folder[first]
    names = codes(areas["area"])
    authors = pulls["author_id"].to_numpy(dtype=np.int64)[at]
    source = merged[at] & pulls["has_source"].to_numpy(dtype=bool)[at]
    tested = source & pulls["has_tests"].to_numpy(dtype=bool)[at]
    known = _Seeds(past.areas.set_index("area"), areas["area"])
    pairs = pd.MultiIndex.from_frame(past.area_authors[["area", "author_id"]])
    own = _Seeds(
        past.area_authors.set_axis(pairs), pd.MultiIndex.from_arrays([areas["area"], authors]) if len(pairs) else names
    )
    counted = {
        "n_before": sums_before(names, merged[at]) + known["n_pulls"],
        "n_source": sums_before(names, source) + known["n_source"],
        "n_tested": sums_before(names, tested) + known["n_tested"],
        "by_author": sums_before(pair_codes(names, authors), merged[at]) + own["n_pulls"],
    }
    counted = {name: values.astype(np.int64) for name, values in counted.items()}
    return folders.reset_index(drop=True), areas.assign(**counted).reset_index(drop=True)


def _authors(pulls: pd.DataFrame, seconds: Floats, merged: np.ndarray[Any, Any], past: Past) -> pd.DataFrame:
    """How many pull requests each author had merged; in `rexp` one of n whole years ago counts 1 / (n + 1)."""
    authors = pulls["author_id"].to_numpy(dtype=np.int64)
    earlier, earlier_at = past.merges["author_id"].to_numpy(dtype=np.int64), _seconds(past.merges["merged_at"])
    people = np.concatenate([earlier, authors[merged]])
    times = np.concatenate([earlier_at, seconds[merged]])
    order = np.lexsort((times, people))
    people, times = people[order], times[order]
    span = float(max(times.max(initial=0), seconds.max(initial=0))) + 2  # no moment of one person reaches the next one's
    line = (people + 1) * span + times
    start = np.searchsorted(line, (authors + 1) * span)
    # Those merged in the same second count by their order in `pulls`.
    exp = sums_before(authors, merged) + np.bincount(earlier + 1, minlength=int(authors.max(initial=0)) + 2)[authors + 1]
    upto = start + exp.astype(np.int64)
    rexp = np.zeros(len(pulls))
    for years in range(YEARS):
        since = np.searchsorted(line, (authors + 1) * span + np.maximum(seconds - (years + 1) * YEAR, 0), side="right")
        since = np.clip(since, start, upto)
        rexp += (upto - since) / (years + 1)
        upto = since
    is_known = authors >= 0
    columns = {"exp": np.where(is_known, exp, np.nan), "rexp": np.where(is_known, rexp, np.nan)}
    return pd.DataFrame(columns, index=pulls.index)
