"""What the risk rules are asked about: changes with what was known of them, and sums over the rows of each."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fnmatch import translate
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.paths import CATEGORIES
from analysis.risk_settings import RiskSettings
from analysis.running import largest, seconds

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]
Evidence = dict[str, Any]
Tell = Callable[[Places], list[Evidence]]  # facts on each of the changes at some places, which rise
TellRows = Callable[[Places], list[list[Evidence]]]  # a few of its rows

MOST_TOLD = 3  # entries of a kind in the evidence of one rule
_CODE_OF = {category: code for code, category in enumerate(CATEGORIES)}


@dataclass(frozen=True)
class Measured:
    """What a rule found in each change, in the order of the case."""

    value: Floats  # in the rule's unit; NaN: can't be judged from what is known
    evidence: Tell  # what a reader needs to see why
    weight: Floats | float = 1.0  # share of the rule's points for a change where it fires, 0 to 1


@dataclass(frozen=True)
class Case:
    """Changes to be judged, each as of its merge, with what was known then: all that is told lies before it.

    What is not known of a pull request has no rows, and its flag in `changes` says so.
    """

    # one row per pull request: pull_id, author_id, author_type, merged_by_id (-1 or NaN: unknown), created_at,
    # ready_at, merged_at, kind, is_breaking, subject, reverts, is_reapply, is_bump, is_bot, docs_only, weighted_lines,
    # files_complete, reviews_known, threads_known, patches_known, review_decision, exp, sexp
    changes: pd.DataFrame
    # one row per pull request and file: pull_id, path, status, additions, deletions, category, language, is_noise,
    # is_interface, area, and of the time before: n_before, n_fixes, by_author, churn_before, coreness, hotspot
    files: pd.DataFrame
    areas: pd.DataFrame  # one row per pull request and area: pull_id, area, n_source, n_tested
    companions: pd.DataFrame  # one row per missing companion: pull_id, path, companion, n_together, n_before
    # one row per submitted review: pull_id, seq, reviewer, reviewer_id, reviewer_type, state, submitted_at
    reviews: pd.DataFrame
    threads: pd.DataFrame  # one row per review thread: pull_id, path, is_resolved, is_outdated, n_comments
    signals: pd.DataFrame  # one row per thing a patch was found to do: pull_id, path, kind, line, detail
    # one row per earlier one taken out, brought back or repaired: pull_id, earlier_number, kind, is_sure, hours
    links: pd.DataFrame
    core_paths: tuple[str, ...] = ()
    hot_paths: tuple[str, ...] = ()

    def prepared(self, settings: RiskSettings) -> "Case":
        """The same sorted by pull_id, without rows of other pull requests, and with the configured paths."""
        changes = _sorted(self.changes)
        ids = changes["pull_id"].to_numpy()
        frames = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "changes"}
        others = {name: _only(_sorted(frame), ids) for name, frame in frames.items() if isinstance(frame, pd.DataFrame)}
        return replace(self, changes=changes, core_paths=settings.core_paths, hot_paths=settings.hot_paths, **others)

    def __len__(self) -> int:
        return len(self.changes)

    @cached_property
    def each(self) -> "Columns":
        """The columns of the changes."""
        return Columns(self.changes)

    @cached_property
    def is_merged(self) -> Flags:
        """Where the change was merged."""
        return self.changes["merged_at"].notna().to_numpy(dtype=bool)

    def hours(self, column: str) -> Floats:
        """When something happened, in hours since 1970; unknown is NaN."""
        if column not in self._hours:
            self._hours[column] = seconds(self.changes[column]) / 3600
        return self._hours[column].copy()

    @cached_property
    def _hours(self) -> dict[str, Floats]:
        return {}

    def rows(self, name: str) -> "Rows":
        """The rows of one of the other frames."""
        if name not in self._rows:
            self._rows[name] = Rows(self, name)
        return self._rows[name]

    @cached_property
    def _rows(self) -> dict[str, "Rows"]:
        return {}

    @cached_property
    def file_rows(self) -> "Files":
        """The changed files."""
        return Files(self, "files")


class Columns:
    """The columns of a frame as arrays, each converted once."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        self._values: dict[str, NDArray[Any]] = {}
        self._numbers: dict[str, Floats] = {}

    def values(self, column: str) -> NDArray[Any]:
        """A column as it is, texts as objects."""
        if column not in self._values:
            given = self.frame[column]
            if isinstance(given.dtype, pd.CategoricalDtype):
                found = np.array([*given.cat.categories, None], dtype=object)[given.array.codes]
            else:
                found = given.to_numpy() if _is_plain(given) else given.to_numpy(dtype=object, na_value=None)
            self._values[column] = found
        return self._values[column]

    def number(self, column: str) -> Floats:
        """A column as numbers; unknown is NaN."""
        if column not in self._numbers:
            given = self.frame[column]
            is_plain = _is_plain(given)
            found = given.to_numpy() if is_plain else pd.to_numeric(given).to_numpy(dtype=float, na_value=np.nan)
            self._numbers[column] = found.astype(float)
        return self._numbers[column]

    def flag(self, column: str) -> Flags:
        """Where a flag is known to be set."""
        return self.number(column) == 1.0

    def is_one_of(self, column: str, *names: str | None) -> Flags:
        """Where a text is one of some names."""
        given = self.frame[column]
        if isinstance(given.dtype, pd.CategoricalDtype):
            is_meant = [name in names for name in given.cat.categories]
            return np.array([*is_meant, None in names], dtype=bool)[given.array.codes]  # the last is for the code -1
        return np.array([value in names for value in self.values(column).tolist()], dtype=bool)


# By what rows are told apart that are equally telling, so that no evidence depends on the order of rows.
_ORDER = {
    "files": ("path",),
    "companions": ("path", "companion"),
    "signals": ("path", "line", "kind", "detail"),
    "threads": ("path",),
    "links": ("earlier_number", "kind"),
}


class Rows(Columns):
    """Rows of many changes, and sums over those of each."""

    def __init__(self, case: Case, name: str) -> None:
        super().__init__(getattr(case, name))
        self.case, self.order = case, _ORDER.get(name, ())
        ids = case.changes["pull_id"].to_numpy()
        self.at: Places = np.searchsorted(ids, self.frame["pull_id"].to_numpy())  # place of each row's change

    def count(self, mask: Flags) -> Floats:
        """How many rows of each change are meant."""
        return np.bincount(self.at[mask], minlength=len(self.case)).astype(float)

    def sum(self, values: Floats, mask: Flags) -> Floats:
        """The sum over those rows of each change; unknown counts as 0."""
        return np.bincount(self.at[mask], np.nan_to_num(values[mask]), minlength=len(self.case)).astype(float)

    def most(self, values: Floats, mask: Flags) -> Floats:
        """The largest value among those rows of each change; 0 without any."""
        return largest(self.at[mask], np.nan_to_num(values[mask]), len(self.case))

    @cached_property
    def _ranks(self) -> Places:
        codes = [_rising(self.frame[column]) for column in self.order]
        if len(codes) == 1:
            return codes[0]
        ranks = np.empty(len(self.frame), dtype=np.intp)
        ranks[np.lexsort(codes[::-1])] = np.arange(len(ranks))
        return ranks

    def told(self, mask: Flags, by: Floats, **columns: str) -> TellRows:
        """The most telling rows of some changes, a list for each.

        Args:
            mask: which rows may be told.
            by: the larger, the more telling.
            columns: name in the evidence -> column.
        """

        def entries(places: Places) -> list[list[Evidence]]:
            is_wanted = np.zeros(len(self.case), dtype=bool)
            is_wanted[places] = True
            rows = np.flatnonzero(mask & is_wanted[self.at])
            found: dict[int, list[Evidence]] = {place: [] for place in places.tolist()}
            if rows.size:
                rows = rows[np.lexsort((self._ranks[rows], -np.nan_to_num(by[rows]), self.at[rows]))]
                at = self.at[rows]
                rows = rows[np.arange(len(rows)) - np.searchsorted(at, at) < MOST_TOLD]
                facts = simply(**{name: self.values(column) for name, column in columns.items()})(rows)
                for place, fact in zip(self.at[rows].tolist(), facts, strict=True):
                    found[place].append(fact)
            return list(found.values())

        return entries


class Files(Rows):
    """The changed files of many changes."""

    @cached_property
    def _categories(self) -> Places:
        codes, names = pd.factorize(self.frame["category"])
        return np.array([*(_CODE_OF.get(name, -1) for name in names), -1], dtype=np.intp)[codes]

    def category(self, *names: str) -> Flags:
        """Where a file is of one of these categories."""
        return np.isin(self._categories, [_CODE_OF[name] for name in names])

    @cached_property
    def added(self) -> Floats:
        """Lines added; 0 where unknown."""
        return np.nan_to_num(self.number("additions"))

    @cached_property
    def deleted(self) -> Floats:
        """Lines deleted; 0 where unknown."""
        return np.nan_to_num(self.number("deletions"))

    @cached_property
    def lines(self) -> Floats:
        """Lines added and deleted."""
        return self.added + self.deleted

    @cached_property
    def is_removed(self) -> Flags:
        """Files that are gone, where that is known."""
        return self.is_one_of("status", "removed")

    @cached_property
    def is_code(self) -> Flags:
        """Source and settings in which something was changed: a mere rename is none."""
        return self.category("source", "config") & (self.lines > 0)

    @cached_property
    def coreness(self) -> Floats:
        """0 to 1, by history or configuration."""
        return np.where(self.is_under(self.case.core_paths), 1.0, self.number("coreness"))

    def is_under(self, patterns: tuple[str, ...]) -> Flags:
        """Where a path is matched by a pattern, or lies in a folder that is."""
        if not patterns or self.frame.empty:
            return np.zeros(len(self.frame), dtype=bool)
        codes, paths = pd.factorize(self.values("path"))
        matches = _glob(patterns).match
        return np.array([matches(path) is not None for path in paths], dtype=bool)[codes]


Measure = Callable[[Case], Measured]


def _is_plain(column: pd.Series) -> bool:
    return isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf"


def _rising(column: pd.Series) -> Places:
    """A number for each value of a column, the larger for the larger."""
    if isinstance(column.dtype, pd.CategoricalDtype) and column.cat.ordered:
        return column.array.codes.astype(np.intp)
    codes, names = pd.factorize(column)
    ranks = np.append(np.argsort(np.argsort(np.asarray(names, dtype=object))), -1)
    return ranks[codes]


def simply(**facts: NDArray[Any]) -> Tell:
    """Evidence that is a few numbers or words of each change; what is unknown is left out."""

    def evidence(places: Places) -> list[Evidence]:
        columns = [_plain(fact[places]) for fact in facts.values()]
        rows = zip(*columns, strict=True) if columns else [()] * len(places)
        if not any(None in column for column in columns):
            return [dict(zip(facts, row, strict=True)) for row in rows]
        return [{name: each for name, each in zip(facts, row, strict=True) if each is not None} for row in rows]

    return evidence


def _plain(values: NDArray[Any]) -> list[Any]:
    """Values as JSON writes them: whole numbers without a point, others with two decimals, unknown as None."""
    if values.dtype.kind != "f":
        return values.tolist()
    is_whole = values == np.rint(values)
    if is_whole.all():
        return values.astype(np.int64).tolist()
    rows = zip(values.tolist(), is_whole.tolist(), strict=True)
    return [int(value) if whole else round(value, 2) if value == value else None for value, whole in rows]


def together(rows: Mapping[str, TellRows], **facts: NDArray[Any]) -> Tell:
    """Evidence that is a few facts of a change, and its most telling rows of some kinds, where there are any."""
    alone = simply(**facts)

    def evidence(places: Places) -> list[Evidence]:
        told = alone(places)
        for name, entries in rows.items():
            for facts_of_one, few in zip(told, entries(places), strict=True):
                if few:
                    facts_of_one[name] = few
        return told

    return evidence


@lru_cache(maxsize=64)
def _glob(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """`src/core/*`, `*.proto`, or a folder `src/core`; a star crosses folders."""
    bare = [pattern.rstrip("/") for pattern in patterns]
    return re.compile("|".join(translate(each) for pattern in bare for each in (pattern, f"{pattern}/*")))


def _sorted(frame: pd.DataFrame) -> pd.DataFrame:
    return frame if frame["pull_id"].is_monotonic_increasing else frame.sort_values("pull_id", kind="stable")


def _only(frame: pd.DataFrame, ids: NDArray[Any]) -> pd.DataFrame:
    """The rows of some pull requests; the frame itself where there are no others."""
    given = frame["pull_id"].to_numpy()
    known = np.append(ids, -1)[np.searchsorted(ids, given)] == given
    return frame if known.all() else frame[known]
