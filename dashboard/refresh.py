"""Brings the cache up to date: reads a source, stores it, derives what the analysis says of it, in one transaction."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pandas as pd

from analysis import derive as analysis
from analysis.chain_links import Named, followed, meant, named, rewritten
from analysis.companions import FEWEST, MIN_TOGETHER, MOST, NARROW
from analysis.history import Past
from analysis.learning import LEARN_FROM, learn_from, learn_vocabulary
from analysis.recent_share import LOOK_BACK_DAYS
from analysis.vocabulary import Vocabulary
from dashboard.config import Config
from data import cache, clone, demo, gh_export, queries, store, tokens
from data.cache import Connection
from data.endpoint import Endpoint, endpoint
from data.errors import GitHubError
from data.frames import rows
from data.moments import midnight, utc_text
from data.queries import NEVER
from data.records import Source
from data.store import ImportResult

if TYPE_CHECKING:
    from data import collect
    from data import estimate as estimates

Progress = Callable[[int], None]
DEFAULT_WAIT = 15.0  # minutes
SAMPLE = "demo"
DERIVE_EVERY = 1000  # pull requests, so that pages can be read while a long sync runs


@dataclass(frozen=True)
class Derived:
    """What one run of `derive` did to a repository."""

    repo: str
    pulls: int  # pull requests judged; 0 where nothing had changed


@dataclass(frozen=True)
class Synced:
    """How the sync of one repository ended."""

    repo: str  # as it was asked for, or as it is called now
    fetched: int = 0
    saved: int = 0
    declared: int | None = None
    incomplete: list[int] = field(default_factory=list)  # pull requests without all of their files
    notes: list[str] = field(default_factory=list)
    error: str | None = None  # one sentence; what was read before is stored


def sync(
    db: Path,
    repos: Sequence[str],
    config: Config,
    *,
    host: str | None = None,
    since: date | None = None,
    full: bool = False,
    wait: float = DEFAULT_WAIT,
    page_size: int | None = None,
    tell: "Callable[[collect.Progress], None] | None" = None,
) -> Iterator[Synced]:
    """Bring repositories in step with GitHub, one after the other, and derive; one that fails stops no other.

    Args:
        db: the cache; made if absent.
        repos: each `owner/name`, also a former one.
        config: its zone cuts the days, its weights count.
        host: of an Enterprise server, in any spelling; None is github.com.
        since: pull requests opened before this day are not fetched for the first time.
        full: read all anew.
        wait: minutes that a limit is waited for; a longer one ends that repository's sync.
        page_size: pull requests a page to begin with.
        tell: called after each stored page, and before each wait.

    Raises:
        Refused: there is no token, or `host` is none.
        CacheError: the cache can't be written.
    """
    place = endpoint(host)
    credentials = tokens.credentials(place.host)
    for repo in repos:
        yield _sync(db, repo, config, place, credentials, since, full, wait, page_size, tell)


def syncable(db: Path) -> dict[str, list[str]]:
    """The cached repositories that GitHub may know: host -> names. The sample is nobody's."""
    with cache.reading(db) as connection:
        frame = queries.repositories(connection)
    real = frame[frame["last_source"] != SAMPLE]
    return {str(host): names["repo"].tolist() for host, names in real.groupby("host")}


def estimate(
    db: Path,
    repos: Sequence[str],
    *,
    config: Config,
    host: str | None = None,
    since: date | None = None,
    full: bool = False,
    page_size: int | None = None,
) -> "Iterator[estimates.Estimate | Synced]":
    """What `sync` with the same arguments would take, a repository at a time; a Synced tells an error."""
    from data import estimate as estimates
    from data.github import GitHub

    place = endpoint(host)
    credentials = tokens.credentials(place.host)
    for repo in repos:
        try:
            github = GitHub(place, repo, credentials)
            yield estimates.estimate(db, github, repo, since=_moment(since, config), full=full, page_size=page_size)
        except GitHubError as error:
            yield Synced(repo, error=str(error))


def _sync(
    db: Path,
    repo: str,
    config: Config,
    place: Endpoint,
    credentials: "tokens.Token | tokens.App",
    since: date | None,
    full: bool,
    wait: float,
    page_size: int | None,
    tell: "Callable[[collect.Progress], None] | None",
) -> Synced:
    from data import collect
    from data.github import GitHub, Patience

    derived = 0

    def step(progress: collect.Progress) -> None:
        nonlocal derived
        if tell:
            tell(progress)
        if progress.saved - derived >= DERIVE_EVERY and progress.waiting_until is None:
            derived = progress.saved
            derive(db, config, repo=progress.repo)

    result = Synced(repo)
    try:
        github = GitHub(place, repo, credentials, Patience(max_wait=wait * 60))
        moment = _moment(since, config)
        done = collect.sync(db, github, repo, since=moment, full=full, tz=config.tz, page_size=page_size, tell=step)
        result = Synced(done.repo, done.fetched, done.saved, done.declared, done.incomplete, done.notes)
    except GitHubError as error:
        result = Synced(repo, error=str(error))
    if db.exists():
        with cache.writing(db) as database:
            if store.find_repository(database.conn, result.repo) is not None:
                _derive_stale(database.conn, config, result.repo)
    return result


def _moment(day: date | None, config: Config) -> str | None:
    return midnight(day, config.tz) if day else None


def _derive_stale(connection: Connection, config: Config, repo: str | None = None) -> None:
    """Judge anew what needs it, of one or all repositories."""
    for stamp in _stamps(connection, repo):
        if _is_stale(stamp, config):
            _derive(connection, stamp, config)


def import_clone(
    db: Path,
    repo: str,
    path: Path,
    config: Config,
    *,
    branch: str | None = None,
    since: str | None = None,
    host: str | None = None,
    patches: bool = False,
    progress: Progress | None = None,
) -> ImportResult:
    """Import the merged pull requests of a local git clone, on a later run only what is new, and derive."""

    def source(connection: Connection) -> Source:
        checkpoint, known = store.known(connection, repo, "clone", endpoint(host).host)
        return clone.fetch_clone(
            path, branch=branch, since=since, checkpoint=checkpoint, known=known, repo=repo, patches=patches
        )

    return _import(db, repo, source, config, progress, host=host)


def import_gh(
    db: Path,
    repo: str,
    file: Path | BinaryIO,
    config: Config,
    *,
    host: str | None = None,
    progress: Progress | None = None,
) -> ImportResult:
    """Import the JSON of `gh pr list` and derive."""
    return _import(db, repo, lambda _: gh_export.fetch_gh(file, repo=repo), config, progress, host=host)


def import_demo(db: Path, config: Config, *, progress: Progress | None = None) -> ImportResult:
    """Build the sample repository and derive."""
    names = demo.DEMO_FORMER_NAMES
    return _import(db, demo.DEMO_REPO, lambda _: demo.generate(), config, progress, former_names=names)


def derive(db: Path, config: Config, *, repo: str | None = None, full: bool = False) -> list[Derived]:
    """Judge the pull requests of one or all repositories anew, where rows, rules or configuration have changed.

    Args:
        db: the cache.
        config: its weights count.
        repo: only this one.
        full: even where nothing has changed.

    Raises:
        NotCached: `repo` is not there.
    """
    with cache.writing(db) as database:
        return [
            _derive(database.conn, stamp, config, full=full)
            if full or _is_stale(stamp, config)
            else Derived(stamp["repo"], 0)
            for stamp in _stamps(database.conn, repo)
        ]


def is_stale(db: Path, config: Config) -> bool:
    """Whether rows, rules or configuration have changed since the last `derive`."""
    with cache.reading(db) as connection:
        return any(_is_stale(stamp, config) for stamp in _stamps(connection))


def remove(db: Path, repo: str, host: str | None = None) -> int:
    """Take a repository out of the cache: how many pull requests went."""
    with cache.writing(db) as database:
        gone = store.remove_repository(database.conn, repo, endpoint(host).host if host else None)
    cache.shrink(db)
    return gone


def prune(db: Path, before: date, config: Config) -> int:
    """Take pull requests merged or closed before a date (UTC) out of the cache: how many went."""
    with cache.writing(db) as database:
        gone = store.prune(database.conn, before)
        _derive_stale(database.conn, config)
    cache.shrink(db)
    return gone


def _import(
    db: Path,
    repo: str,
    open_source: Callable[[Connection], Source],
    config: Config,
    progress: Progress | None,
    former_names: tuple[str, ...] = (),
    host: str | None = None,
) -> ImportResult:
    with cache.writing(db) as database:
        connection = database.conn
        source, place = open_source(connection), endpoint(host).host
        result = store.save_import(connection, repo, source, host=place, tz=config.tz, progress=progress)
        for former in former_names:
            store.add_name(connection, repo, former)
        _derive_stale(connection, config, repo)
    return result


@analysis.undisturbed()
def _derive(connection: Connection, stamp: dict[str, Any], config: Config, *, full: bool = False) -> Derived:
    """Judge what changed and everything later; all of it where the rules, the configuration or the words did."""
    repository, judged = stamp["id"], stamp["derived_generation"]
    is_current = (
        not full and judged and (stamp["derived_rules"], stamp["derived_config"]) == _judged_with(stamp, config)
    )
    since = queries.to_judge_since(connection, repository, judged) if is_current else ""
    vocabulary, since = _vocabulary(connection, repository, since)
    raw = queries.to_derive(connection, repository, since, judged or 0)
    past = earlier = None
    if since:
        known = analysis.concerned(raw["pulls"], raw["files"])
        past = Past(
            **queries.past(
                connection, repository, since, narrow=NARROW, fewest=FEWEST, most=MOST, often=MIN_TOGETHER, **known
            )
        )
        earlier = _earlier(connection, repository, since, raw)
    result = analysis.derive(
        **raw,
        owners=queries.owners(connection, repository),
        settings=analysis.Settings(config.importance_weights, config.insight, config.risk, config.module_rules),
        vocabulary=vocabulary,
        past=past,
        earlier=earlier,
    )
    rules, digest = _judged_with(stamp, config)
    ids = raw["pulls"]["pull_id"].tolist()
    store.save_derived(connection, repository, ids, result.tables, rules=rules, config=digest)
    return Derived(stamp["repo"], len(ids))


def _earlier(connection: Connection, repository: int, since: str, raw: dict[str, pd.DataFrame]) -> analysis.Earlier:
    """What was merged before `since` and may be reverted or repaired by what is to be judged."""
    after = utc_text(datetime.fromisoformat(since) - timedelta(days=LOOK_BACK_DAYS)) or "" if since < NEVER else since
    paths = rewritten(raw["pulls"], raw["files"], raw["labels"])
    asked = _named_numbers(connection, repository, since, named(raw["pulls"], raw["links"]))
    while True:
        ids = queries.earlier_ids(connection, repository, since, after=after, paths=paths, numbers=sorted(asked))
        found = queries.earlier_texts(connection, ids)
        then = named(followed(found["pulls"], asked, raw["pulls"]), found["links"])
        more = _named_numbers(connection, repository, since, then)
        if more <= asked:
            return analysis.Earlier(files=queries.earlier_files(connection, ids), **found)
        asked |= more


def _named_numbers(connection: Connection, repository: int, since: str, wanted: Named) -> set[int]:
    """The numbers of what is named by number, by title or by the commit that it was merged as."""
    numbers = set(wanted.numbers)
    if wanted.titles:
        numbers |= meant(wanted.titles, queries.titles(connection, repository, since))
    if wanted.commits:
        numbers |= queries.merged_as(connection, repository, since, wanted.commits)
    return numbers


def _vocabulary(connection: Connection, repository: int, since: str) -> tuple[Vocabulary, str]:
    """What the repository calls its modules, and the moment from which on pull requests are to be judged by that.

    It is learned from as many of its first merged pull requests as `learn_from` says, so that it follows from what is
    cached, in whatever portions that came. It is learned anew where that number has grown or one of these has changed;
    where it has come out differently, all are judged anew.
    """
    stored = queries.learned(connection, repository)
    first = learn_from(queries.n_merged(connection, repository))
    if stored and stored["learned_from"] == first and since > (stored["learned_until"] or ""):
        return Vocabulary.from_json(stored["words"]), since
    learned = learn_vocabulary(**queries.to_learn(connection, repository, first, LEARN_FROM))
    store.save_vocabulary(
        connection,
        repository,
        digest=learned.digest,
        words=learned.as_json(),
        learned_from=first,
        learned_until=queries.nth_merge(connection, repository, first),
    )
    return learned, since if stored and stored["digest"] == learned.digest else ""


def _stamps(connection: Connection, repo: str | None = None) -> list[dict[str, Any]]:
    frame = queries.stamps(connection)
    if repo is not None:
        frame = frame[frame["id"] == store.repository_or_raise(connection, repo)]
    return rows(frame)


def _is_stale(stamp: dict[str, Any], config: Config) -> bool:
    judged_with = (stamp["derived_rules"], stamp["derived_config"])
    return bool(stamp["has_changed"]) or judged_with != _judged_with(stamp, config)


def _judged_with(stamp: dict[str, Any], config: Config) -> tuple[int, str]:
    """What results depend on besides the pull requests: version of the rules; configuration and CODEOWNERS."""
    owners = hashlib.blake2b(str(stamp["owners"] or "").encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return analysis.RULES_VERSION, f"{config.digest} {owners}"
