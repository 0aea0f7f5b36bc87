"""One window against another: every figure, and what is new and gone."""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from analysis import mix
from analysis.spread import FEW
from analysis.trends import ADDITIVE, COUNTED, METRICS, Known, Metric, column, figures, within
from analysis.variation import BEFORE, variation
from analysis.window import Window
from analysis.working_calendar import Calendar

State = Literal["new", "none", "same", "more", "less", "no_data", "too_few", "not_comparable"]
Per = Literal["window", "working_week", "week"]
NEW: State = "new"
GONE: State = "none"
DIGITS = 4
COUNTS = ("pulls", "people")
RELATIVE = ("pulls", "people", "lines", "hours")  # units whose change is told as a share of what was before
# Figures whose change is split, and the column they are made of; pull requests themselves have none.
SPLIT = {"merged": None, "churn_lines": "churn_lines", "mean_importance": "importance", "without_tests": "is_untested"}
SPLIT_BY = ("module", "kind", "size", "author_type")
GROUP_COLUMNS = {
    "name": "str",
    "before": "float64",
    "now": "float64",
    "prs_before": "object",
    "prs": "object",
    "change": "float64",
    "share": "float64",
    "state": "str",
}


@dataclass(frozen=True)
class Delta:
    """How a value differs from before; None is unknown, and `share` the change as a part of before."""

    before: float | None
    now: float | None
    change: float | None
    share: float | None
    state: State


@dataclass(frozen=True)
class Side:
    """One of the two windows, and what the cache holds of it."""

    window: Window
    known: Window | None  # the days of it that the cache knows; None: none
    pulls: pd.DataFrame  # one row per merged pull request of it: number, merged_at, and what figures need
    modules: pd.DataFrame  # one row per module, pull request and reason: module, number
    files: pd.DataFrame  # one row per pull request and file, of the files to compare: path, number


@dataclass(frozen=True)
class Lengths:
    """By what counts are divided so that windows of different lengths can be compared."""

    per: Per
    before: float  # how many such units the known days have; 1 where counts stay as they are
    now: float


@dataclass(frozen=True)
class Comparison:
    """A window against another one."""

    now: Side
    before: Side
    by: Lengths
    overlap_days: int  # that lie in both
    metrics: pd.DataFrame  # as `metrics`
    usual: pd.DataFrame  # as `usual`, in the same order
    kinds: pd.DataFrame  # as `groups`, and likewise
    modules: pd.DataFrame
    authors: pd.DataFrame
    files: pd.DataFrame
    splits: dict[tuple[str, str], pd.DataFrame]  # as `splits`


def compare(now: Side, before: Side, rows: pd.DataFrame, *, known: Known, calendar: Calendar) -> Comparison:
    """How does a window differ from another one?

    Args:
        now: the window.
        before: any other window; they may overlap and differ in length.
        rows: one row per merged pull request of the window and of the equal ones before it (see `earlier`), as
            `queries.measures` gives them: they say what is usual.
        known: the days that the cache knows.
        calendar: says which days are working days.
    """
    by = lengths(now, before, calendar)

    def grouped(frame: Literal["pulls", "modules", "files"], name: str) -> pd.DataFrame:
        here, then = (getattr(each, frame) if each.known else None for each in (now, before))
        return groups(here, then, name, by)

    return Comparison(
        now=now,
        before=before,
        by=by,
        overlap_days=overlap_days(now.window, before.window),
        metrics=metrics(now, before, by),
        usual=usual(rows, now.window, known),
        kinds=grouped("pulls", "kind"),
        modules=grouped("modules", "module"),
        authors=grouped("pulls", "author"),
        files=grouped("files", "path"),
        splits=splits(now, before, by),
    )


def delta(before: float | None, now: float | None, *, small: bool = False, relative: bool = True) -> Delta:
    """How does a value differ from before?

    Formula: from zero it is "new", to zero "none", equal (also twice zero) "same", else "more" or "less"; where one of
        the two is unknown there is "no_data". The share is the change divided by before.
    Misses: chance: that 31 became 34 need not mean anything; `variation` tells what is usual.
    Source: growth from nothing has no percentage.
    Example: 20 to 25 is more: +5, +0.25. 0 to 5 is new, 5 to 0 none, both without a share.

    Args:
        before: the value then; None or NaN unknown.
        now: the value now.
        small: of so few that a share would say more than is known.
        relative: whether a share says anything of such a value; of a percentage it does not.
    """
    if before is None or now is None or math.isnan(before) or math.isnan(now):
        return Delta(_known(before), _known(now), None, None, "no_data")
    change = round(now - before, DIGITS)
    state: State = "more" if change > 0 else "less"
    if not change:
        state = "same"
    elif not before or not now:
        state = NEW if now else GONE
    share = None if small or not relative or not before or not now else round(change / before, DIGITS)
    return Delta(before, now, change, share, state)


def lengths(now: Side, before: Side, calendar: Calendar) -> Lengths:
    """By what counts are divided, so that they can be compared: nothing, working weeks, or weeks.

    Nothing where both windows have as many known days, or as many working days. A working week has as many days as the
    calendar. Where a window has no working day, all days count, seven a week.
    """
    if before.known is None or now.known is None:
        return Lengths("window", 1.0, 1.0)
    known = (before.known, now.known)
    worked = [len(calendar.workdays(each.since, each.until)) for each in known]
    if known[0].days == known[1].days or worked[0] == worked[1] > 0:
        return Lengths("window", 1.0, 1.0)
    if not all(worked):
        return Lengths("week", known[0].days / 7, known[1].days / 7)
    return Lengths("working_week", worked[0] / len(calendar.days), worked[1] / len(calendar.days))


def overlap_days(now: Window, before: Window) -> int:
    """How many days lie in both windows."""
    return max((min(now.until, before.until) - max(now.since, before.since)).days + 1, 0)


def metrics(now: Side, before: Side, by: Lengths) -> pd.DataFrame:
    """How does every figure of a window compare with another window's?

    Formula: each of `trends.METRICS` of both windows. Where these differ in length (or in how much of them is cached),
        counts are compared by the working week: divided by the working days of the known days, times those of a week.
        Medians, means and shares are compared as they are; a number of distinct people is not, for it does not grow
        with the days.
    Misses: what is still open. A count of a few days, made a week's, rests on those few.
    Source: `trends` and `delta`.
    Example: 31 merges in 5 working days and 62 in 20: 31 and 15.5 a working week, so twice as many.

    Args:
        now: the window.
        before: the one it is compared with.
        by: as `lengths` gives it.

    Returns:
        One row per metric: name, unit, n_before, n_now (known values behind it), before, now, rate_before, rate_now (by
        the week, NaN where not compared so), change, share (of before; NaN below five, for percentages and points, and
        where it was 0), state (new, none, same, more, less, no_data, too_few: below five values; not_comparable). The
        change is that of the rates where there are any.
    """
    return pd.DataFrame([_metric(name, made, now, before, by) for name, made in METRICS.items()])


def groups(now: pd.DataFrame | None, before: pd.DataFrame | None, name: str, by: Lengths) -> pd.DataFrame:
    """How many pull requests did each kind, module or author have then and now, and which are new and gone?

    Args:
        now: one row per pull request and group: number and the column `name`; None: not known.
        before: the same of the other window.
        name: the column of their names.
        by: as `lengths` gives it.

    Returns:
        One row per group of either, most now, then most before, then by name: name, before, now (pull requests; NaN
        unknown), prs_before, prs (sorted numbers), change, share, state (new: none before; none: none now). By the week
        where the windows differ in length.
    """
    sides = [_numbers(rows, name) for rows in (before, now)]
    found = []
    for group in sorted({*sides[0], *sides[1]}):
        then, here = (each.get(group, []) for each in sides)
        counts = [np.nan if rows is None else len(prs) for rows, prs in ((before, then), (now, here))]
        differs = delta(counts[0] / by.before, counts[1] / by.now, small=min(counts) < FEW)
        found.append([group, *counts, then, here, differs.change, differs.share, differs.state])
    frame = pd.DataFrame(found, columns=list(GROUP_COLUMNS)).astype(GROUP_COLUMNS)
    return frame.sort_values(["now", "before", "name"], ascending=[False, False, True], ignore_index=True)


def usual(rows: pd.DataFrame, window: Window, known: Known) -> pd.DataFrame:
    """Are the figures of a window within the usual variation of the twelve equal windows before it?

    Args:
        rows: one row per merged pull request of the window and of those before it, as `queries.measures`.
        window: the one that is judged.
        known: the days that the cache knows; a window that is not wholly among them says nothing.

    Returns:
        One row per metric: name, low, high, n_before, state, as `variation` gives them.
    """
    windows = earlier(window, known)
    is_whole = np.array([within(each, known) == each for each in windows])
    found = []
    for name, made in METRICS.items():
        values = figures(rows, name, windows)["value"].where(is_whole)
        found.append(variation(values, unit=made.unit).iloc[[-1]].assign(name=name))
    return pd.concat(found, ignore_index=True)[["name", "low", "high", "n_before", "state"]]


def earlier(window: Window, known: Known) -> list[Window]:
    """Up to twelve equal windows before a window, as far as the cache reaches back, and itself, in time order."""
    found = [window]
    while known and len(found) <= BEFORE and known[0] < found[-1].since:
        found.append(window.shifted(-len(found)))
    return found[::-1]


def splits(now: Side, before: Side, by: Lengths) -> dict[tuple[str, str], pd.DataFrame]:
    """Where does the change come from: other amounts, another mix, or another rate, by module, kind, size and bot?

    Args:
        now: the window.
        before: the one it is compared with.
        by: as `lengths` gives it.

    Returns:
        For each figure that can be split (those of SPLIT) and each grouping (SPLIT_BY; author_type only where there are
        several): the rows of `mix.of_total` or `mix.of_mean`. None of a mean or share that is known of fewer than five
        on either side, and nothing where a side is not cached.
    """
    if now.known is None or before.known is None:
        return {}
    rows = [_prepared(each.pulls) for each in (now, before)]
    modules = [mix.by_module(each, of.modules) for each, of in zip(rows, (now, before), strict=True)]
    found = {}
    for name, value in SPLIT.items():
        if METRICS[name].how not in ADDITIVE and min(each[value].notna().sum() for each in rows) < FEW:
            continue
        for group in SPLIT_BY:
            one, other = modules if group == "module" else rows
            if group != "author_type" or pd.concat([one[group], other[group]]).nunique() > 1:
                found[name, group] = _split(name, one, other, group, by)
    return found


def _split(name: str, now: pd.DataFrame, before: pd.DataFrame, group: str, by: Lengths) -> pd.DataFrame:
    value = SPLIT[name]
    if value is None or METRICS[name].how in ADDITIVE:
        return mix.of_total(now, before, by=group, value=value, now_length=by.now, before_length=by.before)
    return mix.of_mean(now, before, by=group, value=value)


def _prepared(pulls: pd.DataFrame) -> pd.DataFrame:
    lines = column(pulls, "churn_lines")
    return pulls.assign(churn_lines=lines, size=mix.size_class(lines), is_untested=column(pulls, "is_untested"))


def _metric(name: str, made: Metric, now: Side, before: Side, by: Lengths) -> dict[str, Any]:
    n_before, then = _figure(name, before)
    n_now, here = _figure(name, now)
    is_rated = by.per != "window" and made.how in ADDITIVE
    rates = [round(value / length, DIGITS) for value, length in ((then, by.before), (here, by.now))]
    is_small = made.unit in COUNTS and min(then, here) < FEW
    found = delta(*(rates if is_rated else (then, here)), small=is_small, relative=made.unit in RELATIVE)
    if made.how == "distinct" and by.per != "window" and found.state != "no_data":
        found = Delta(found.before, found.now, None, None, "not_comparable")
    if found.state == "no_data" and _is_few(made, before, n_before) and _is_few(made, now, n_now):
        found = replace(found, state="too_few")
    return {
        "name": name,
        "unit": made.unit,
        "n_before": n_before,
        "n_now": n_now,
        "before": then,
        "now": here,
        "rate_before": rates[0] if is_rated else np.nan,
        "rate_now": rates[1] if is_rated else np.nan,
        "change": found.change,
        "share": found.share,
        "state": found.state,
    }


def _figure(name: str, of: Side) -> tuple[int, float]:
    """Known values, and the figure; NaN where the window is not cached."""
    row = figures(of.pulls, name, [of.window]).iloc[0]
    return int(row["n"]), round(float(row["value"]), DIGITS) if of.known else np.nan


def _is_few(made: Metric, of: Side, n: int) -> bool:
    """Whether a side is known, or unknown for no other reason than that it has too few values."""
    return of.known is not None and made.how not in COUNTED and (n > 0 or of.pulls.empty)


def _numbers(rows: pd.DataFrame | None, name: str) -> dict[str, list[int]]:
    if rows is None:
        return {}
    return {str(group): sorted({*map(int, numbers)}) for group, numbers in rows.groupby(name)["number"]}


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
