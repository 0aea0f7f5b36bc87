"""What the analysis says of a window beside its pull requests: code, people, words, talk and trends, each as a table.

As in `reads`, every function opens its own read-only connection. Of code and people a week alone tells little: what
needs a past looks at the year that ends with the window, or at all that is cached up to its end, as each one says.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pandas as pd

from analysis import age as ages
from analysis import assisted as groups
from analysis import coupling as couples
from analysis import flow as flows
from analysis.backlog import backlog as stock_of
from analysis.backlog import whole_since
from analysis.bus_factor import bus_factor as fewest
from analysis.compare import earlier, usual
from analysis.disputes import Disputes
from analysis.disputes import disputes as argued
from analysis.hotspots import hotspots as hottest
from analysis.lead_time import STAGES
from analysis.module_overlaps import module_overlaps as shared
from analysis.module_rules import ModuleRules
from analysis.newcomers import newcomers as people
from analysis.shifts import shifts as moved
from analysis.survival import survival as curve
from analysis.terms import terms as words
from analysis.title_paths import title_paths as elsewhere
from analysis.trends import METRICS, Known, figures, trend
from analysis.unclassified import unclassified as left_out
from analysis.vocabulary import Vocabulary
from analysis.window import Window
from analysis.working_calendar import Calendar
from dashboard import reads
from dashboard.reads import NO_DAYS, Selection
from data import cache, queries
from data.cache import Connection
from data.people import BOT
from data.queries import Scope

YEAR = timedelta(days=364)  # 52 weeks
BY_WEEK = 21  # days of a window, from which on its trends are by week
NO_WORDS = Vocabulary({}, {}, {}, {}, {}, frozenset())
SHARES = [
    "unreviewed",
    "assisted",
    "merges_out_of_hours",
    "merges_on_weekends",
    "reviews_out_of_hours",
    "reviews_on_weekends",
]


def about(db: Path, selection: Selection) -> pd.DataFrame:
    """One row: which pull requests of which days are meant, and what the cache knows of them.

    Returns:
        repo, base, since, until, tz, bots (whether they count), bots_hidden, first, last (days cached), last_sync.
    """
    said, window = reads.about(db, selection), selection.window
    row = {"repo": said.repo, "base": said.base, "since": window.since, "until": window.until, "tz": window.tz}
    row |= {"bots": selection.bots, "bots_hidden": said.bots_hidden}
    covered = said.covered
    row |= {"first": covered and covered.first, "last": covered and covered.last, "last_sync": said.last_sync}
    return pd.DataFrame([row])


def chains(db: Path, selection: Selection) -> pd.DataFrame:
    """The stories that touch the window: as `reads.chains`, with first_merged_at and last_merged_at."""
    return reads.chains(db, selection).rename(columns={"since": "first_merged_at", "until": "last_merged_at"})


def hotspots(db: Path, selection: Selection) -> pd.DataFrame:
    """The files that most of the window's changes went through: see `hotspots.hotspots`."""
    with cache.reading(db) as connection:
        pulls, files, paths = _code(connection, _scope(connection, selection))
    return hottest(pulls, files, pulls, paths)


def coupling(db: Path, selection: Selection) -> pd.DataFrame:
    """The files that changed together in the year that ends with the window: see `coupling.coupling`."""
    with cache.reading(db) as connection:
        return couples.coupling(*_code(connection, _year(connection, selection)))


def module_coupling(db: Path, selection: Selection) -> pd.DataFrame:
    """The modules that changed together in the year that ends with the window: see `coupling.module_coupling`."""
    with cache.reading(db) as connection:
        scope = _year(connection, selection)
        return couples.module_coupling(queries.merges(connection, scope), queries.modules(connection, scope))


def module_overlaps(db: Path, selection: Selection) -> pd.DataFrame:
    """The modules that share pull requests of the window: see `module_overlaps.module_overlaps`."""
    with cache.reading(db) as connection:
        return shared(queries.modules(connection, _scope(connection, selection)))


def bus_factor(db: Path, selection: Selection) -> pd.DataFrame:
    """How few people know a module, by the year that ends with the window: see `bus_factor.bus_factor`."""
    with cache.reading(db) as connection:
        scope = _year(connection, selection)
        return fewest(queries.merges(connection, scope), queries.modules(connection, scope))


def age_of_open(db: Path, selection: Selection) -> pd.DataFrame:
    """What was open at the window's end: see `age.of_open`; nothing where only merges were cached by then."""
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        pulls, as_of = queries.flow_stock(connection, scope)["pulls"], _as_of(connection, scope)
    return ages.of_open(pulls if whole_since(pulls) <= as_of else pulls[:0], as_of=as_of)


def age_of_files(db: Path, selection: Selection) -> pd.DataFrame:
    """How long files had been left alone at the window's end, by all that is cached: see `age.of_files`."""
    with cache.reading(db) as connection:
        scope = _history(connection, selection)
        return ages.of_files(*_code(connection, scope), as_of=_as_of(connection, scope))


def age_of_modules(db: Path, selection: Selection) -> pd.DataFrame:
    """How long modules had been left alone at the window's end, by all that is cached: see `age.of_modules`."""
    with cache.reading(db) as connection:
        scope = _history(connection, selection)
        pulls, modules = queries.merges(connection, scope), queries.modules(connection, scope)
        return ages.of_modules(pulls, modules, as_of=_as_of(connection, scope))


def newcomers(db: Path, selection: Selection) -> pd.DataFrame:
    """Who is new or back in the window: see `newcomers.newcomers`."""
    with cache.reading(db) as connection:
        return people(queries.merges(connection, _history(connection, selection)), selection.window)


def assisted(db: Path, selection: Selection) -> pd.DataFrame:
    """The shares of people, assistants and bots in the window, bots always counted: see `assisted.shares`.

    Where nobody has read the commits' trailers, nobody can tell who was helped: all but the bots are unknown.
    """
    with cache.reading(db) as connection:
        scope = _scope(connection, replace(selection, bots=True))
        pulls, helpers = queries.merges(connection, scope), queries.talk(connection, scope)["co_authors"]
    is_told = pulls["is_assisted"].notna() | pulls["author_type"].eq(BOT)
    return groups.shares(pulls.assign(author_type=pulls["author_type"].where(is_told)), helpers)


def terms(db: Path, selection: Selection) -> pd.DataFrame:
    """The words of titles that rise or fade in the window: see `terms.terms`."""
    with cache.reading(db) as connection:
        scope = _history(connection, selection)
        modules = queries.modules(connection, scope)[["pull_id", "module"]]
        return words(queries.merges(connection, scope), modules, selection.window)


def unclassified(db: Path, selection: Selection) -> pd.DataFrame:
    """The window's pull requests that lie in no module: see `unclassified.unclassified`."""
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        return left_out(queries.merges(connection, scope), queries.modules(connection, scope))


def title_paths(db: Path, selection: Selection, rules: ModuleRules) -> pd.DataFrame:
    """The window's pull requests whose title names another module than their code lies in: see `title_paths`.

    What is usual is told by the year that ends with the window.
    """
    with cache.reading(db) as connection:
        scope = _year(connection, selection)
        pulls, files, _ = _code(connection, scope)
        learned, owners = (read(connection, scope.repository) for read in (queries.learned, queries.owners))
    vocabulary = Vocabulary.from_json(learned["words"]) if learned else NO_WORDS
    found = elsewhere(pulls, files, vocabulary, owners=owners, rules=rules)
    inside = pulls.loc[pulls["merged_at"] >= selection.window.start, ["pull_id", "number"]]
    return inside.merge(found, on="pull_id").sort_values("number", ignore_index=True)


def disputes(db: Path, selection: Selection) -> Disputes:
    """What the window's pull requests were argued about: see `disputes.disputes`."""
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        said = queries.talk(connection, scope)
        return argued(queries.merges(connection, scope), said["reviews"], said["threads"])


def trends(db: Path, selection: Selection, calendar: Calendar) -> pd.DataFrame:
    """Every metric over the window, by week, or by day where the window has less than three weeks.

    Returns:
        One row per metric and period: metric, and the columns of `trends.trend`.
    """
    window = selection.window
    every = "W" if window.days >= BY_WEEK else "D"
    rows, known = _measures(db, selection, calendar), _known(db, selection)
    return _each(trend(rows, name, window, every=every, known=known).assign(metric=name) for name in METRICS)


def shifts(db: Path, selection: Selection, calendar: Calendar) -> pd.DataFrame:
    """When a metric moved to another level within the window: metric, and the columns of `shifts.shifts`."""
    found = trends(db, selection, calendar)
    return _each(moved(rows).assign(metric=name) for name, rows in found.groupby("metric", sort=False))


def variation(db: Path, selection: Selection, calendar: Calendar) -> pd.DataFrame:
    """Whether the window's figures lie where they usually do: see `compare.usual`.

    Returns:
        One row per metric: metric, value, low, high, n_before, state.
    """
    window, known = selection.window, _known(db, selection)
    since = earlier(window, known)[0].since
    rows = _measures(db, replace(selection, window=Window(since, window.until, window.tz)), calendar)
    found = usual(rows, window, known).rename(columns={"name": "metric"})
    found.insert(1, "value", [figures(rows, name, [window])["value"].iloc[0] for name in found["metric"]])
    found["value"] = found["value"].where(found["state"] != "no_data")
    return found


def backlog(db: Path, selection: Selection) -> pd.DataFrame:
    """What was opened, merged, closed and left open in each week or day of the window: see `backlog.backlog`."""
    window = selection.window
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        return stock_of(
            **queries.flow_stock(connection, scope),
            periods=window.periods("W" if window.days >= BY_WEEK else "D"),
            as_of=queries.covered(connection, scope)[1] or "",
            known_since=queries.known_since(connection, scope),
        )


def flow(db: Path, selection: Selection, calendar: Calendar) -> pd.DataFrame:
    """The window's figures of flow in one column: see `reads.flow`.

    Returns:
        One row per figure: figure, measure (median, share or count: what the value is), n, value, p75, p90.
    """
    found = reads.flow(db, selection, calendar)
    spreads = {"lead_time_hours": found.lead_time, **{f"{stage}_hours": found.stages[stage] for stage in STAGES}}
    spreads |= {"draft_hours": found.draft_time, "first_review_hours": found.first_review}
    spreads |= {"review_rounds": found.review_rounds}
    shares: dict[str, flows.Share] = {name: getattr(found, name) for name in SHARES}
    merging = found.time_to_merge
    rows = [
        *((name, "median", each.n, each.median, each.p75, each.p90) for name, each in spreads.items()),
        ("time_to_merge_hours", "median", merging.n, merging.median, merging.p75, None),
        *((name, "share", each.n, each.share, None, None) for name, each in shares.items()),
        ("merge_rate", "share", None, found.merge_rate, None, None),
        *((name, "count", None, getattr(found.stock, name), None, None) for name in flows.COUNTS),
    ]
    frame = pd.DataFrame(rows, columns=["figure", "measure", "n", "value", "p75", "p90"])
    return frame.astype({"n": "Int64"} | dict.fromkeys(("value", "p75", "p90"), "float64"))


def survival(db: Path, selection: Selection) -> pd.DataFrame:
    """The curve of what became ready in the window, open ones counted: see `survival.survival`.

    No row where only merges are cached: none would be left to be counted in.
    """
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        pulls, as_of = queries.flow_stock(connection, scope)["pulls"], queries.covered(connection, scope)[1]
    ready_at = pulls["ready_at"].fillna(pulls["created_at"])
    is_told = (ready_at >= scope.start) & (ready_at < scope.end) & (whole_since(pulls) <= scope.start)
    return curve(pulls[is_told], as_of=as_of or scope.end)


def _scope(connection: Connection, selection: Selection, start: str | None = None) -> Scope:
    window = selection.window
    return queries.scope(
        connection, selection.repo, start or window.start, window.end, base=selection.base, bots=selection.bots
    )


def _year(connection: Connection, selection: Selection) -> Scope:
    """The year that ends with the window, or the window where that is longer."""
    window = selection.window
    since = min(window.since, window.until - YEAR + timedelta(days=1))
    return _scope(connection, selection, Window(since, window.until, window.tz).start)


def _history(connection: Connection, selection: Selection) -> Scope:
    return _scope(connection, selection, NO_DAYS)


def _as_of(connection: Connection, scope: Scope) -> str:
    """The scope's end, or the newest moment that the cache knows, if that is earlier."""
    return min(scope.end, queries.covered(connection, scope)[1] or scope.end)


def _known(db: Path, selection: Selection) -> Known:
    covered = reads.coverage(db, selection.repo, selection.window.tz)
    return (covered.first, covered.last) if covered else None


def _measures(db: Path, selection: Selection, calendar: Calendar) -> pd.DataFrame:
    with cache.reading(db) as connection:
        scope = _scope(connection, selection)
        found = flows.per_pull(**queries.flow_rows(connection, scope), calendar=calendar)
        return queries.measures(connection, scope).merge(found, on="pull_id", how="left")


def _code(connection: Connection, scope: Scope) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The scope's pull requests, the files that they changed, and what each path is."""
    files = queries.file_changes(connection, scope)
    paths = files[["path_id", "category", "is_noise"]].drop_duplicates("path_id")
    return queries.merges(connection, scope), files.drop(columns=["category", "is_noise"]), paths


def _each(frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Tables of several metrics as one, the metric first."""
    found = pd.concat(list(frames), ignore_index=True)
    found.insert(0, "metric", found.pop("metric"))
    return found
