"""Imports started from a page: one at a time for each cache, in a thread of its own, its progress seen by everybody."""

import logging
import shlex
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import streamlit as st

from dashboard import config, controls, formats, refresh
from dashboard.words import Words
from data import cache
from data.errors import MergeWindowError

if TYPE_CHECKING:
    from data.collect import Progress

GH_FIELDS = (
    "number,title,body,author,mergedBy,createdAt,mergedAt,closedAt,updatedAt,additions,deletions,changedFiles,labels,"
    "files,reviews,milestone,mergeCommit,baseRefName,headRefName,isDraft,isCrossRepository,reviewDecision,url,state"
)
SECONDS_BETWEEN_LOOKS = 1.0
Work = Callable[["Job"], str]


@dataclass
class Job:
    """One import: what it is called, how far it is, and how it ended."""

    what: str  # is being done
    n_read: int = 0
    line: str = ""  # how far it is, where there is more to say than `n_read`
    state: Literal["running", "complete", "error"] = "running"
    outcome: str = ""  # a sentence, once it has ended

    def count(self, n_read: int) -> None:
        """Say how many pull requests were read so far."""
        self.n_read = n_read


@dataclass
class Desk:
    """Where the imports into one cache are started: a second one joins the first."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    job: Job | None = None

    def start(self, what: str, work: Work) -> None:
        """Run `work`, which tells its progress and gives the sentence to end with, unless something runs already."""
        with self.lock:
            if self.job is None or self.job.state != "running":
                self.job = Job(what)
                threading.Thread(target=_run, args=(self.job, work), daemon=True).start()


def _run(job: Job, work: Work) -> None:
    try:
        outcome, state = work(job), "complete"
    except MergeWindowError as error:
        outcome, state = str(error), "error"
    except Exception as error:  # the thread would take it along unseen
        logging.getLogger(__name__).exception("The import %r failed", job.what)
        outcome, state = type(error).__name__, "error"
    job.outcome = outcome
    job.state = state  # type: ignore[assignment]  # last: who sees the end must find the outcome


_DESKS: defaultdict[Path, Desk] = defaultdict(Desk)


def desk() -> Desk:
    """The desk of the cache in use, one in this process."""
    return _DESKS[config.db_path()]


def is_running() -> bool:
    """Whether something is being imported into the cache in use."""
    job = desk().job
    return job is not None and job.state == "running"


def sample_button(words: Words, *, key: str, kind: Literal["primary", "secondary"] = "secondary") -> None:
    """A button that builds the sample repository into the cache."""

    def work(job: Job) -> str:
        result = refresh.import_demo(config.db_path(), config.load(), progress=job.count)
        return words("data.import.done", repo=result.repo, n=result.saved)

    what = words("data.import.running", what=words("source.demo"))
    _button(words, "demo_run", what, work, key=key, kind=kind)


def derive_button(words: Words, *, key: str) -> None:
    """A button that judges every cached pull request anew."""

    def work(job: Job) -> str:
        done = refresh.derive(config.db_path(), config.load(), full=True)
        return words("data.import.deriving", n=sum(one.pulls for one in done))

    _button(words, "derive_run", words("data.import.derive_run"), work, key=key)


def sync_button(words: Words, *, key: str) -> None:
    """A button that brings what is cached of GitHub up to date; a press while it runs joins it."""
    _button(words, "sync_run", words("data.import.syncing"), lambda job: sync(words, job), key=key, kind="primary")


def sync(words: Words, job: Job) -> str:
    """Sync every cached repository of GitHub's, one after the other; the sentence to end with.

    Raises:
        MergeWindowError: nothing was there to sync, or some failed: what each said.
    """
    db, settings = config.db_path(), config.load()
    done, failed = [], []
    for host, repos in refresh.syncable(db).items():
        for result in refresh.sync(db, repos, settings, host=host, tell=lambda now: _say(job, now, words)):
            if result.error:
                failed.append(f"{result.repo}: {result.error}")
            else:
                done.append(words("data.import.done", repo=result.repo, n=result.saved))
    if failed:
        raise MergeWindowError(" ".join([*failed, *done]))
    return " ".join(done) or words("data.import.nothing_to_sync")


def sync_every(seconds: float, db: Path, settings: config.Config) -> threading.Event:
    """Sync now and then again and again, in a thread of its own; an import that runs is joined.

    Returns:
        Set it to stop after the sync that runs; else it goes on as long as the process.
    """
    words, stop = Words(settings.lang or "en"), threading.Event()

    def repeat() -> None:
        while True:
            _DESKS[db].start(words("data.import.syncing"), lambda job: sync(words, job))
            if stop.wait(seconds):
                return

    threading.Thread(target=repeat, daemon=True).start()
    return stop


def _say(job: Job, now: "Progress", words: Words) -> None:
    """Keep for the page what a sync says of itself: how far it is, or what it waits for."""
    job.n_read = now.fetched
    said = [
        words("data.import.far", repo=now.repo, n=now.done)
        if now.total is None
        else words("data.import.far_of", repo=now.repo, n=now.done, total=now.total)
    ]
    if now.seconds_left is not None:
        said.append(words("data.import.left", time=formats.duration(now.seconds_left / 3600, words.lang)))
    if now.remaining is not None:
        said.append(words("data.import.quota", n=now.remaining))
    if now.waiting_until is not None:
        said.append(words("data.import.waits", clock=now.waiting_until[11:16]))
    job.line = " · ".join(said)


def _button(
    words: Words, name: str, what: str, work: Work, *, key: str, kind: Literal["primary", "secondary"] = "secondary"
) -> None:
    db = config.db_path()
    why_not = None if cache.is_writable(db) else words("data.import.read_only", reason=str(db))
    st.button(
        words(f"data.import.{name}"),
        key=key,
        type=kind,
        disabled=why_not is not None,
        help=why_not,
        on_click=desk().start,
        args=(what, work),
    )
    if why_not:
        st.caption(why_not)


def progress(words: Words, *, then: str | None = None) -> None:
    """How far the import is that runs, or how the last one ended; `then` is the page to open at the end."""
    job = desk().job
    if job is None:
        return
    if job.state == "running":
        _watch(words, then)
    elif job.state == "error":
        st.error(job.outcome)
    else:
        st.success(job.outcome)


@st.fragment(run_every=SECONDS_BETWEEN_LOOKS)
def _watch(words: Words, then: str | None) -> None:
    job = desk().job
    if job is None or job.state != "running":
        if then:
            controls.follow(then)
        st.rerun()
        return
    # Not as a context: at its end Streamlit would show the tick of something that is done.
    box = st.status(job.what, expanded=True, state="running")
    box.write(formats.escape_markdown(job.line) or words("data.import.reading", n=job.n_read))


def commands(words: Words, db: Path) -> None:
    """How to fill the cache from a terminal, to be copied."""
    option = "" if db == cache.default_path() else f" --db {shlex.quote(str(db))}"
    st.write(words("data.first.own_text"))
    st.code(f"merge-window import clone PATH --repo OWNER/NAME{option}", language="sh", wrap_lines=True)
    st.write(words("data.first.own_sync"))
    st.code(f"GITHUB_TOKEN=... merge-window sync OWNER/NAME{option}", language="sh", wrap_lines=True)
    st.write(words("data.first.own_gh"))
    gh = f"gh pr list --repo OWNER/NAME --state all --limit 1000 \\\n  --json {GH_FIELDS} > prs.json"
    st.code(f"{gh}\nmerge-window import gh prs.json --repo OWNER/NAME{option}", language="sh", wrap_lines=True)
