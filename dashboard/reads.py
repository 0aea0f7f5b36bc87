"""Answers about a window, put together from the cache and the analysis: pages, command line and report share them.

No Streamlit here: `loaders.py` wraps these in its caches. Every function opens its own read-only connection, so that a
sync may write meanwhile and no connection crosses a thread.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import backtest as foreseen
from analysis import flow as flows
from analysis import report as facts
from analysis import totals as sums
from analysis.boilerplate import LEARNED_FROM, boilerplate
from analysis.chains import chains as stories
from analysis.chains import in_window
from analysis.compare import Comparison, Side, earlier
from analysis.compare import compare as compared
from analysis.courses import courses
from analysis.flow import Flow
from analysis.ledger import ledger as settled
from analysis.likeness import usual
from analysis.notes import Note, note, notes
from analysis.releases import release_window as between_tags
from analysis.risk import RULES
from analysis.terms import terms as terms_of
from analysis.themes import Themes
from analysis.themes import themes as themes_of
from analysis.trends import Known, within
from analysis.unjudged import unjudged
from analysis.vocabulary import Vocabulary
from analysis.window import Window, last_complete, period_of
from analysis.working_calendar import Calendar
from dashboard import evidence
from dashboard.words import Words
from data import cache, queries
from data.cache import Connection
from data.errors import BadWindow
from data.frames import rows
from data.moments import local_day, midnight, monday_of, month_after
from data.queries import Scope
from data.store import repository_or_raise

STRIP_WEEKS = 30
HISTORY = 12
USUAL_FROM = 2000  # newest pull requests from which it is told how common a word, module or file is
NOTES = {
    "en": {
        "empty": "No merged pull request of this repository is cached.",
        "outside": "The window is not in the cache, which covers {first} to {last}.",
        "within": "The cache covers {first} to {last}; other days of the window are unknown.",
        "starts": "The cache begins on {first}; earlier days of the window are unknown.",
        "before_starts": "The cache begins on {first}; the period before is not wholly known.",
        "ends": "The cache ends on {last}; later days of the window are unknown.",
    },
    "zh": {
        "empty": "缓存中没有该仓库已合入的 PR。",
        "outside": "窗口不在缓存范围（{first} 至 {last}）内。",
        "within": "缓存只覆盖 {first} 至 {last}，窗口中的其他日期未知。",
        "starts": "缓存从 {first} 开始，窗口中更早的日期未知。",
        "before_starts": "缓存从 {first} 开始，上一周期的数据不完整。",
        "ends": "缓存截至 {last}，窗口中更晚的日期未知。",
    },
}
NO_DAYS = "1970-01-01T00:00:00Z"


@dataclass(frozen=True)
class Selection:
    """What a reader has chosen: a repository, a window, and which pull requests of it count."""

    repo: str
    window: Window
    base: str | None = None  # None: the default branch; `*`: every branch
    bots: bool = False
    release: str | None = None  # `A..B` where the window was asked for by two tags


@dataclass(frozen=True)
class Coverage:
    """Which days of a repository the cache holds, in one zone."""

    first: date  # day of the first merge
    last: date  # newest day that the cache knows anything about


@dataclass(frozen=True)
class About:
    """What a comparison or a report says of its rows as a whole."""

    repo: str  # as the cache knows it now
    base: str
    covered: Coverage | None
    last_sync: str | None
    bots_hidden: int  # bots' pull requests of the window that are not counted


@dataclass(frozen=True)
class PullDetail:
    """One pull request with everything that is cached of it; `row` has the columns of `pulls` and more."""

    row: dict[str, Any]
    files: pd.DataFrame
    reviews: pd.DataFrame
    modules: pd.DataFrame
    links: pd.DataFrame
    threads: pd.DataFrame
    chains: pd.DataFrame  # the stories that it is part of, as `reads.chains`
    labels: list[str]
    co_authors: list[str]
    said: Note  # in the author's own words


def generation(db: Path) -> str:
    """What changes with every change of the cache, also when another file takes its place; empty without one."""
    if not db.exists() or not db.stat().st_size:
        return ""
    with cache.reading(db) as connection:
        return f"{queries.identity(connection)} {db.stat().st_ino} {queries.generation(connection)}"


def repositories(db: Path) -> pd.DataFrame:
    """One row per cached repository, as `queries.repositories`, with `aliases` and `sources` as lists."""
    with cache.reading(db) as connection:
        frame = queries.repositories(connection)
    return frame.assign(**{name: frame[name].map(json.loads) for name in ("aliases", "sources")})


def ledger(db: Path) -> pd.DataFrame:
    """One row per import, newest first, as `queries.ledger`, with `notes` as lists and `is_complete` as bool."""
    with cache.reading(db) as connection:
        frame = queries.ledger(connection)
    return frame.assign(notes=frame["notes"].map(json.loads), is_complete=frame["is_complete"].astype(bool))


def sync_states(db: Path) -> pd.DataFrame:
    """One row per repository read from GitHub, as `queries.sync_states`, with `incomplete` as lists."""
    with cache.reading(db) as connection:
        frame = queries.sync_states(connection)
    return frame.assign(incomplete=frame["incomplete"].map(json.loads))


def coverage(db: Path, repo: str, tz: str) -> Coverage | None:
    """The days that are cached of a repository; None before the first merge.

    Raises:
        NotCached: no such repository.
    """
    with cache.reading(db) as connection:
        return _coverage(connection, repo, tz)


def default_window(db: Path, repo: str, tz: str) -> Window | None:
    """The latest complete ISO week in the cache; None where nothing is cached of the repository."""
    covered = coverage(db, repo, tz)
    if covered is None:
        return None
    window = last_complete(covered.last, "W", tz)
    # A cache of less than one whole week shows the week it has begun.
    return window if window.until >= covered.first else period_of(covered.first, "W", tz)


def release_window(db: Path, repo: str, release: str, tz: str) -> Window:
    """The window between two cached tags: see `releases.release_window`.

    Raises:
        NotCached: no such repository.
        BadWindow: no tags of it are cached, or there is no such window.
    """
    with cache.reading(db) as connection:
        tags = queries.tags(connection, repository_or_raise(connection, repo))
        covered = _coverage(connection, repo, tz)
    if tags.empty:
        raise BadWindow(
            f"No tags of {repo} are cached. Import a clone that has them: merge-window import clone PATH --repo {repo}"
        )
    return between_tags(release, tags, last_day=covered.last if covered else None, tz=tz)


def strip(db: Path, selection: Selection, n: int = STRIP_WEEKS) -> pd.DataFrame:
    """The weeks around the window: the newest of the cache, or those that end with the window if it lies further back.

    Returns:
        One row per week, oldest first: week (its Monday), until, merged, chosen (it overlaps the window),
        complete (it is over), collected (the cache reaches back to it).
    """
    window = selection.window
    with cache.reading(db) as connection:
        covered = _coverage(connection, selection.repo, window.tz)
        last_day = max(covered.last, window.since) if covered else window.until
        newest = monday_of(min(last_day, window.until) if _weeks_apart(window.since, last_day) >= n else last_day)
        mondays = [newest - timedelta(weeks=back) for back in reversed(range(n))]
        weeks = [period_of(monday, "W", window.tz) for monday in mondays]
        scope = _scope(connection, selection).between(weeks[0].start, weeks[-1].end)
        merged = _merged_per_week(connection, scope, weeks)
    return pd.DataFrame(
        {
            "week": mondays,
            "until": [week.until for week in weeks],
            "merged": merged,
            "chosen": [week.since <= window.until and week.until >= window.since for week in weeks],
            "complete": [covered is not None and week.until <= covered.last for week in weeks],
            "collected": [covered is not None and week.until >= covered.first for week in weeks],
        }
    )


def totals(db: Path, selection: Selection) -> dict[str, Any]:
    """The window's totals as the report gives them (None is unknown), and `direct_commits`."""
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        covered = _coverage(connection, selection.repo, selection.window.tz)
        return _totals(connection, scope, covered, selection.window) | {
            "direct_commits": queries.direct_commits(connection, scope)
        }


def totals_before(db: Path, selection: Selection) -> dict[str, Any]:
    """The totals of the equal period before; all None where the cache does not reach back that far."""
    before = selection.window.before
    with cache.reading(db) as connection:
        covered = _coverage(connection, selection.repo, before.tz)
        if not _reaches(covered, before):
            return {**sums.UNKNOWN}
        scope = _scope(connection, selection).between(before.start, before.end)
        return _totals(connection, scope, covered, before)


def history(db: Path, selection: Selection, n: int = HISTORY) -> pd.DataFrame:
    """The window and those of equal length before it, as far as the cache reaches: see `totals.history`."""
    with cache.reading(db) as connection:
        windows = _windows(_coverage(connection, selection.repo, selection.window.tz), selection.window, n)
        scope = _scope(connection, selection).between(windows[0].start, windows[-1].end)
        return sums.history(queries.measures(connection, scope), windows)


def pulls(db: Path, selection: Selection) -> pd.DataFrame:
    """One row per merged pull request of the window, most important first.

    Returns:
        The columns of `queries.pulls`, with `modules` as lists, `importance_parts` as dicts, `merged_on` (date in the
        window's zone) and `merged_hour` (0 to 24, in that zone).
    """
    with cache.reading(db) as connection:
        return _readable(queries.pulls(connection, _scope(connection, selection)), selection.window.tz)


def kinds_by_week(db: Path, selection: Selection, n: int = 16) -> pd.DataFrame:
    """Merged pull requests by week and kind, for the `n` weeks that end with the window's last: week, kind, merged."""
    newest = monday_of(selection.window.until)
    weeks = [period_of(newest - timedelta(weeks=back), "W", selection.window.tz) for back in reversed(range(n))]
    with cache.reading(db) as connection:
        covered = _coverage(connection, selection.repo, selection.window.tz)
        weeks = [week for week in weeks if covered and week.until >= covered.first] or weeks[-1:]
        scope = _scope(connection, selection).between(weeks[0].start, weeks[-1].end)
        return sums.by_period(queries.measures(connection, scope), weeks).rename(columns={"since": "week"})


def modules(db: Path, selection: Selection) -> pd.DataFrame:
    """One row per module of the window or the one before, most pull requests first.

    Returns:
        module, merged, before (NaN where the cache does not reach back), prs (list of numbers), sources (dict).
    """
    window = selection.window
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        covered = _coverage(connection, selection.repo, window.tz)
        now = queries.modules(connection, scope)
        before = _if_covered(covered, window.before, queries.modules, connection, scope)
    found = sums.modules(now, before)
    frame = pd.DataFrame(found, columns=["name", "prs", "before", "sources"]).rename(columns={"name": "module"})
    frame["before"] = frame["before"].astype("float64")
    return frame.assign(merged=frame["prs"].map(len).astype("int64"))


def hot_files(db: Path, selection: Selection, n: int = 20) -> pd.DataFrame:
    """The files that most pull requests of the window changed: path, n_prs, churn_lines, prs (list of numbers)."""
    window = selection.window
    with cache.reading(db) as connection:
        frame = queries.hot_files(connection, _scope(connection, selection), window.tz, _whole_months(window), n)
    return frame.assign(prs=frame["prs"].map(json.loads))


def file_pulls(db: Path, selection: Selection, path: str) -> set[int]:
    """The numbers of the window's pull requests that changed a file."""
    with cache.reading(db) as connection:
        return queries.file_pulls(connection, _scope(connection, selection), path)


def find(db: Path, selection: Selection, text: str) -> list[int]:
    """The numbers of the window's pull requests that hold every word of `text`, best match first."""
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        return queries.search(connection, scope.repository, text, within=scope)


def found(db: Path, selection: Selection, text: str) -> pd.DataFrame:
    """The first 1,000 pull requests that hold every word of `text`, of any time and state, best match first.

    Returns:
        One row per pull request, as `pulls`.
    """
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        return _numbered(connection, scope, queries.search(connection, scope.repository, text), selection.window.tz)


def numbered(db: Path, selection: Selection, numbers: Sequence[int]) -> pd.DataFrame:
    """The pull requests with these numbers, of any time and state, in that order.

    Returns:
        One row per pull request that is cached, as `pulls`.
    """
    with cache.reading(db) as connection:
        return _numbered(connection, _scope(connection, selection), list(numbers), selection.window.tz)


def pull(db: Path, selection: Selection, number: int) -> PullDetail | None:
    """Everything cached of one pull request, or None if it is not cached."""
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        parts = queries.pull(connection, scope, number)
        found = _chains(connection, scope, [number])
        template = _template(connection, scope)
    if parts is None:
        return None
    row = rows(_readable(pd.DataFrame([parts.pop("row")]), selection.window.tz))[0]
    said = note(row["title"], row["body"], template, by_bot=row["author_type"] == "bot")
    return PullDetail(row=row, chains=found, said=said, **parts)


def nearest(db: Path, selection: Selection) -> Window | None:
    """The ISO week with merges that lies nearest to the window; None where nothing was ever merged."""
    window = selection.window
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        moments = queries.merge_moments(connection, scope.between(NO_DAYS, "9999"))
    if moments.empty:
        return None
    position = int(moments.searchsorted(window.start))
    near = [local_day(moment, window.tz) for moment in moments.iloc[max(position - 1, 0) : position + 1]]
    closest = min(near, key=lambda day: max(window.since - day, day - window.until))
    return period_of(closest, "W", window.tz)


def near_edges(db: Path, selection: Selection) -> pd.DataFrame:
    """The pull requests that UTC would put into another window than the chosen zone does: see `totals.near_edges`."""
    window = selection.window
    with cache.reading(db) as connection:
        around = (midnight(day, "UTC") for day in (window.since - timedelta(days=1), window.until + timedelta(days=2)))
        measures = queries.measures(connection, _scope(connection, selection).between(*around))
    return sums.near_edges(measures, window)


def report(db: Path, selection: Selection, *, lang: str, config: str, version: str) -> dict[str, Any]:
    """The report of the window as data: the contract's JSON object."""
    window, before = selection.window, selection.window.before
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        covered = _coverage(connection, selection.repo, window.tz)
        then = scope.between(before.start, before.end)
        hot = queries.hot_files(connection, scope, window.tz, _whole_months(window))
        pulls = _readable(queries.pulls(connection, scope), window.tz)
        windows = _whole_before(covered, window)
        since_then = scope.between(windows[0].start, window.end)
        past, assigned = queries.measures(connection, since_then), queries.modules(connection, since_then)
        silent = unjudged(pulls)
        found = facts.WindowRows(
            pulls=pulls,
            before=_if_covered(covered, before, queries.measures, connection, scope),
            modules=queries.modules(connection, scope),
            modules_before=_if_covered(covered, before, queries.modules, connection, scope),
            hot_files=hot.assign(prs=hot["prs"].map(json.loads)),
            risks=queries.risks(connection, scope),
            risks_before=_if_covered(covered, before, queries.risks, connection, scope),
            chains=_chains(connection, scope, pulls["number"]),
            themes=_themes(connection, scope, pulls).themes,
            ledger=_ledger(connection, scope, before),
            terms=terms_of(
                queries.merges(connection, since_then), assigned[["pull_id", "module"]], window, steady=True
            ),
            history=sums.history(past, windows[:-1]),
            usual=sums.usual_modules(past, assigned, windows),
            totals=_totals(connection, scope, covered, window),
            before_totals=_totals(connection, then, covered, before) if _reaches(covered, before) else {**sums.UNKNOWN},
            first=str(covered.first) if covered else None,
            last=str(covered.last) if covered else None,
            last_sync=queries.last_import(connection, scope),
            said=notes(queries.descriptions(connection, scope), _template(connection, scope)),
            notes=_coverage_notes(covered, window, lang) + _unjudged_notes(silent, len(pulls), lang),
            unjudged=silent,
        )
    return facts.build(
        found,
        repo=scope.name,
        window=window,
        lang=lang,
        generated_by=f"merge-window {version}",
        config=config,
        base=scope.base,
        bots=scope.bots,
        release=selection.release,
    )


def compare(db: Path, selection: Selection, before: Window, calendar: Calendar) -> Comparison:
    """The window against another one of the same repository: see `compare.compare`; files are the busiest of both."""
    window = selection.window
    with cache.reading(db) as connection:
        scopes = [_scope(connection, replace(selection, window=each)) for each in (window, before)]
        covered = _coverage(connection, selection.repo, window.tz)
        known = (covered.first, covered.last) if covered else None
        hot = [
            queries.hot_files(connection, scope, each.tz, _whole_months(each))["path"]
            for scope, each in zip(scopes, (window, before), strict=True)
        ]
        paths = sorted({path for each in hot for path in each})
        now, then = (
            _side(connection, scope, each, known, paths, calendar)
            for scope, each in zip(scopes, (window, before), strict=True)
        )
        since = earlier(window, known)[0].start
        since_then = scopes[0].between(since, window.end)
        rows = _with_flow(connection, since_then, queries.measures(connection, since_then), calendar)
    return compared(now, then, rows, known=known, calendar=calendar)


def _whole_before(covered: Coverage | None, window: Window) -> list[Window]:
    """The equal windows before this one that are wholly cached, up to twelve, and itself, in time order."""
    known = (covered.first, covered.last) if covered else None
    return [each for each in earlier(window, known) if each == window or (covered and _is_whole(covered, each))]


def _is_whole(covered: Coverage, window: Window) -> bool:
    return window.since >= covered.first and window.until <= covered.last


def _side(
    connection: Connection, scope: Scope, window: Window, known: Known, paths: Sequence[str], calendar: Calendar
) -> Side:
    touched = [(path, number) for path in paths for number in queries.file_pulls(connection, scope, path)]
    return Side(
        window,
        within(window, known),
        pulls=_with_flow(connection, scope, queries.pulls(connection, scope), calendar),
        modules=queries.modules(connection, scope),
        files=pd.DataFrame(touched, columns=["path", "number"]),
    )


def _with_flow(connection: Connection, scope: Scope, pulls: pd.DataFrame, calendar: Calendar) -> pd.DataFrame:
    """The scope's pull requests with the columns of `flow.per_pull`."""
    found = flows.per_pull(**queries.flow_rows(connection, scope), calendar=calendar)
    return pulls.merge(found, on="pull_id", how="left")


def flow(db: Path, selection: Selection, calendar: Calendar) -> Flow:
    """How the window's pull requests got from opened to merged: see `flow.flow`; all unknown where it is not cached."""
    window = selection.window
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        as_of = queries.covered(connection, scope)[1]
        if as_of is None or not _reaches(_coverage(connection, selection.repo, window.tz), window):
            return flows.UNKNOWN
        return flows.flow(
            queries.flow_rows(connection, scope),
            queries.flow_stock(connection, scope),
            window,
            calendar=calendar,
            as_of=as_of,
            known_since=queries.known_since(connection, scope),
        )


def about(db: Path, selection: Selection) -> About:
    """Whose pull requests a selection counts, what of them the cache knows, and how many bots' are left out."""
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        return About(
            scope.name,
            scope.base,
            _coverage(connection, selection.repo, selection.window.tz),
            queries.last_import(connection, scope),
            0 if scope.bots else queries.n_bots(connection, scope),
        )


def chains(db: Path, selection: Selection) -> pd.DataFrame:
    """The stories of reverts, repairs and rework that touch the window: see `chains.chains`."""
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        return _chains(connection, scope, queries.measures(connection, scope)["number"])


def themes(db: Path, selection: Selection) -> Themes:
    """Which few things the window's pull requests were about: see `themes.themes`."""
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        return _themes(connection, scope, queries.pulls(connection, scope))


def risk_ledger(db: Path, selection: Selection) -> pd.DataFrame:
    """What became of the risks that the period before warned of: see `ledger.ledger`."""
    with cache.reading(db) as connection:
        return _ledger(connection, _scope(connection, selection), selection.window.before)


def risks(db: Path, selection: Selection) -> pd.DataFrame:
    """One row per pull request of the window and risk rule that fired, as `queries.risks`, with evidence as dicts."""
    with cache.reading(db) as connection:
        frame = queries.risks(connection, _scope(connection, selection))
    return frame.assign(evidence=frame["evidence"].map(json.loads))


def risk_courses(db: Path, selection: Selection, column: str, n: int = HISTORY) -> pd.DataFrame:
    """How often each risk `rule` fired, or how many pull requests each `tier` held, in the window and those before.

    Only windows that the cache holds wholly are told, besides this one. See `courses.courses`.

    Args:
        column: `rule` or `tier`.
    """
    with cache.reading(db) as connection:
        covered = _coverage(connection, selection.repo, selection.window.tz)
        windows = [each for each in _windows(covered, selection.window, n) if covered and each.since >= covered.first]
        windows = windows or [selection.window]
        scope = _scope(connection, selection).between(windows[0].start, windows[-1].end)
        rows_of = queries.risks if column == "rule" else queries.measures
        return courses(rows_of(connection, scope), column, windows)


def unjudged_rules(db: Path, selection: Selection) -> pd.DataFrame:
    """How many of the window's pull requests each risk rule could not judge, and why: see `unjudged.unjudged`."""
    return unjudged(pulls(db, selection))


def backtest(
    db: Path, repo: str, *, version: str, since: date | None = None, base: str | None = None, tz: str = "UTC"
) -> dict[str, Any]:
    """How well the risk rules foresaw reverts and repairs of a repository: `merge-window/backtest@1`, docs/backtest.md.

    Raises:
        NotCached: no such repository.
    """
    with cache.reading(db) as connection:
        scope = queries.scope(connection, repo, NO_DAYS, "9999", base=base)
        links, _ = queries.chain_links(connection, scope.repository)
        found = foreseen.backtest(
            queries.to_backtest(connection, scope),
            queries.risks(connection, scope),
            links,
            rules=[rule.name for rule in RULES],
            since=since,
            tz=tz,
            until=queries.covered(connection, scope)[1],
        )
        covered = _coverage(connection, repo, tz)
        bots = queries.n_bots(connection, scope.between(midnight(since, tz) if since else NO_DAYS, "9999"))
    cases, window = found["cases"], found["window"]
    cases["bots_hidden"] = bots
    if covered and not cases["n"]:
        window |= {"since": str(since or covered.first), "until": str(covered.last)}
    return {
        "schema": foreseen.SCHEMA,
        "generated_by": f"merge-window {version}",
        "repo": scope.name,
        "base": scope.base,
        "reason": None if cases["n"] else _why_none(cases, covered, since),
        **found,
    }


def _why_none(cases: dict[str, Any], covered: Coverage | None, since: date | None) -> str:
    """Why a back-test evaluates nothing."""
    if covered is None:
        return "empty"
    if cases["n_too_recent"]:
        return "too_recent"
    if cases["n_not_judged"]:
        return "not_judged"
    if cases["bots_hidden"]:
        return "only_bots"
    return "after_last" if since and since > covered.last else "nothing_merged"


def _numbered(connection: Connection, scope: Scope, numbers: list[int], tz: str) -> pd.DataFrame:
    order = {number: position for position, number in enumerate(numbers)}
    frame = queries.pulls(connection, scope, numbers)
    return _readable(frame.sort_values("number", key=lambda column: column.map(order)), tz)


def _chains(connection: Connection, scope: Scope, numbers: Collection[int]) -> pd.DataFrame:
    links, concerned = queries.chain_links(connection, scope.repository)
    return in_window(stories(links, concerned), numbers)


def _template(connection: Connection, scope: Scope) -> frozenset[str]:
    """What descriptions of the repository have in common up to the window's end."""
    return boilerplate(queries.newest_descriptions(connection, scope, LEARNED_FROM))


def _themes(connection: Connection, scope: Scope, pulls: pd.DataFrame) -> Themes:
    links, _ = queries.chain_links(connection, scope.repository)
    history = scope.between(NO_DAYS, scope.end)
    known = queries.pulls(connection, history).sort_values(["merged_at", "number"]).tail(USUAL_FROM)
    known_files = queries.changed_files(connection, history.between(known["merged_at"].min() or "9999", scope.end))
    return themes_of(
        pulls,
        queries.modules(connection, scope),
        queries.changed_files(connection, scope),
        queries.references(connection, scope),
        chains=links[links["is_sure"]],
        usual=usual(known, queries.modules(connection, history), known_files),
    )


def _ledger(connection: Connection, scope: Scope, before: Window) -> pd.DataFrame:
    then, since = scope.between(before.start, before.end), scope.between(before.start, scope.end)
    links, _ = queries.chain_links(connection, scope.repository)
    learned = queries.learned(connection, scope.repository)
    return settled(
        queries.risks(connection, then),
        links,
        queries.measures(connection, since),
        queries.changed_files(connection, since),
        warned_in=before.iso_week or f"{before.since}..{before.until}",
        end=scope.end,
        roots=Vocabulary.from_json(learned["words"]).roots if learned else frozenset(),
    )


def _coverage_notes(covered: Coverage | None, window: Window, lang: str) -> list[str]:
    """What a reader must know about the days that are not, or not wholly, cached."""
    if covered is None:
        return [NOTES[lang]["empty"]]
    starts, ends = window.since < covered.first, window.until > covered.last
    if not _reaches(covered, window):
        told = ["outside"]
    elif starts and ends:
        told = ["within"]
    else:
        before = not starts and window.before.since < covered.first
        told = [name for name, is_so in (("starts", starts), ("before_starts", before), ("ends", ends)) if is_so]
    return [NOTES[lang][name].format(first=covered.first, last=covered.last) for name in told]


def _unjudged_notes(rules: pd.DataFrame, n_pulls: int, lang: str) -> list[str]:
    """One sentence on the risk rules that could not judge some of the window's pull requests; none where all could."""
    words = Words(lang)
    told = evidence.unjudged(rules, words, by_id=True)
    return [words("unjudged.note", n=n_pulls, told=told)] if told else []


def _scope(connection: Connection, selection: Selection) -> Scope:
    window = selection.window
    return queries.scope(connection, selection.repo, window.start, window.end, base=selection.base, bots=selection.bots)


def _coverage(connection: Connection, repo: str, tz: str) -> Coverage | None:
    scope = queries.scope(connection, repo, NO_DAYS, "9999")
    first, last = queries.covered(connection, scope)
    if first is None or last is None:
        return None
    return Coverage(local_day(first, tz), local_day(last, tz))


def _windows(covered: Coverage | None, window: Window, n: int) -> list[Window]:
    """The window and up to `n` - 1 of equal length before it, as far as the cache reaches, in time order."""
    windows = [window]
    while covered and len(windows) < n and windows[-1].before.until >= covered.first:
        windows.append(windows[-1].before)
    return windows[::-1]


def _totals(connection: Connection, scope: Scope, covered: Coverage | None, window: Window) -> dict[str, Any]:
    reaches_back = covered is not None and covered.first < window.since
    return sums.totals(
        queries.measures(connection, scope),
        bots_hidden=0 if scope.bots else queries.n_bots(connection, scope),
        new_authors=queries.new_authors(connection, scope) if reaches_back else None,
    )


def _reaches(covered: Coverage | None, window: Window) -> bool:
    """Whether the cache knows of at least one of the window's days."""
    return covered is not None and window.until >= covered.first and window.since <= covered.last


def _if_covered(
    covered: Coverage | None, window: Window, query: Any, connection: Connection, scope: Scope
) -> pd.DataFrame | None:
    """A query's rows for another window, or None where the cache does not reach there."""
    if not _reaches(covered, window):
        return None
    frame: pd.DataFrame = query(connection, scope.between(window.start, window.end))
    return frame


def _merged_per_week(connection: Connection, scope: Scope, weeks: Sequence[Window]) -> list[int]:
    stored = queries.weeks(connection, scope, weeks[0].tz)
    if stored is None:  # no sums are kept in this zone
        return sums.per_week(queries.merge_moments(connection, scope), weeks)
    by_week = dict(zip(stored["week"], stored["merged"], strict=True))
    return [int(by_week.get(str(week.since), 0)) for week in weeks]


def _whole_months(window: Window) -> tuple[date, date] | None:
    """The first days of the first whole month inside and of the month after the last one; None if there is none."""
    first = window.since if window.since.day == 1 else month_after(window.since.replace(day=1))
    after = (window.until + timedelta(days=1)).replace(day=1)
    return (first, after) if first < after else None


def _weeks_apart(earlier: date, later: date) -> int:
    return (monday_of(later) - monday_of(earlier)).days // 7 + 1


def _readable(frame: pd.DataFrame, tz: str) -> pd.DataFrame:
    """Lists and dicts instead of JSON, and the local day and hour of the merge."""
    local = pd.to_datetime(frame["merged_at"], utc=True).dt.tz_convert(tz)
    return frame.assign(
        modules=frame["modules"].map(json.loads),
        importance_parts=frame["importance_parts"].map(lambda text: json.loads(text) if isinstance(text, str) else {}),
        insight_parts=frame["insight_parts"].map(lambda text: json.loads(text) if isinstance(text, str) else {}),
        risks=frame["risks"].map(json.loads),
        silent_rules=frame["silent_rules"].map(lambda text: json.loads(text) if isinstance(text, str) else []),
        merged_on=local.dt.date,
        merged_hour=local.dt.hour + local.dt.minute / 60,
    ).reset_index(drop=True)
