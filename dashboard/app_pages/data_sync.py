"""Data & sync: can I trust this?"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from analysis.window import Window
from dashboard import config, controls, elements, formats, jobs, loaders, tables
from dashboard.gaps import gaps
from dashboard.reads import Selection
from dashboard.view import View
from data.frames import rows
from data.moments import local_day

KNOWN = ("known_created", "known_reviews", "known_files", "files_complete", "known_labels")
MEGABYTE = 1_000_000
MOST_NUMBERS = 20  # of incomplete pull requests, spelled out
MOST_GAPS = 3  # told in full: a quiet repository has dozens


def draw(view: View) -> None:
    """The page, from top to bottom."""
    words, db = view.words, config.db_path()
    st.header(words("data.title"), anchor=False)
    size = f"{db.stat().st_size / MEGABYTE:.1f} MB"
    told = (words("data.lead"), words("data.cache", file=formats.escape_markdown(db.name), size=size))
    st.markdown(f":gray[{words('list.between_sentences').join(told)}]")
    jobs.progress(words)
    for repository in rows(loaders.repositories()):
        with st.container(border=True):
            draw_repository(view, repository)
    draw_ledger(view)
    draw_imports(view, db)


def draw_repository(view: View, repository: dict[str, Any]) -> None:
    words = view.words
    st.subheader(formats.escape_markdown(repository["repo"]), anchor=False)
    if repository["aliases"]:
        names = words("list.separator").join(map(formats.escape_markdown, repository["aliases"]))
        st.caption(words("data.aliases", names=names))
    st.markdown("  \n".join(facts(view, repository)))
    grid = st.grid(len(KNOWN), min_column_width=140)
    for field in KNOWN:
        with grid.cell():
            st.metric(
                words(f"data.{field}"), formats.percent(repository[field], view.lang), help=words("data.known_help")
            )
    for sentence in gap_sentences(view, repository):
        st.caption(sentence)


def facts(view: View, repository: dict[str, Any]) -> list[str]:
    """What is cached of a repository, a sentence a line."""
    words, tz, lang = view.words, view.window.tz, view.lang
    first, last = repository["first_merged_at"], repository["last_merged_at"]
    counts = {"merged": repository["n_merged"], "open": repository["n_open"], "pulls": repository["n_pulls"]}
    told = [words("data.no_merges")]
    if first:
        days = (formats.day(local_day(moment, tz), lang) for moment in (first, last))
        told = [words("data.covers", **dict(zip(("first", "last"), days, strict=True)))]
    told.append(words("data.rows", **counts))
    if repository["last_import_at"]:
        source = words(f"source.{repository['last_source']}")
        told.append(words("data.imported", ago=controls.ago(repository["last_import_at"], lang), source=source))
    if repository["n_direct_commits"]:
        told.append(words("data.direct", n=repository["n_direct_commits"]))
    states = loaders.sync_states()
    return told + [
        fact for state in rows(states[states["repo"] == repository["repo"]]) for fact in sync_facts(view, state)
    ]


def sync_facts(view: View, state: dict[str, Any]) -> Iterator[str]:
    """How far the sync with GitHub is, what it could not get, and what was left of the allowance."""
    words, tz, lang = view.words, view.window.tz, view.lang
    if state["phase"] == "backfill":
        yield words("data.sync.backfill", n=state["n_read"], total=formats.number(state["n_declared"], lang))
    elif state["watermark"]:
        yield words("data.sync.current", moment=formats.moment(state["watermark"], tz))
    if state["bound"]:
        yield words("data.sync.bound", day=formats.day(local_day(state["bound"], tz), lang))
    if incomplete := state["incomplete"]:
        named = words("list.separator").join(f"#{number}" for number in incomplete[:MOST_NUMBERS])
        yield words("data.sync.incomplete", n=len(incomplete), numbers=named)
    if not formats.is_unknown(state["quota_left"]):
        quota = {"n": int(state["quota_left"]), "quota": int(state["quota"])}
        yield words("data.sync.quota", **quota, clock=formats.moment(state["quota_resets_at"], tz))


def gap_sentences(view: View, repository: dict[str, Any]) -> list[str]:
    """Where nothing was merged for weeks, in the zone of the days on screen."""
    covered = loaders.coverage(repository["repo"], view.window.tz)
    if covered is None:
        return [view.words("data.no_merges")]
    selection = Selection(repository["repo"], Window(covered.last, covered.last, view.window.tz), base="*", bots=True)
    n_weeks = (covered.last - covered.first).days // 7 + 2
    found = gaps(loaders.strip(selection, n_weeks))
    if not found:
        return [view.words("data.no_gaps")]
    longest = sorted(sorted(found, key=lambda gap: gap[0] - gap[1])[:MOST_GAPS])
    told = [view.words("data.gap", days=formats.days(since, until, view.lang)) for since, until in longest]
    return told + ([view.words("data.more_gaps", n=len(found) - MOST_GAPS)] if len(found) > MOST_GAPS else [])


def draw_ledger(view: View) -> None:
    words, ledger = view.words, loaders.ledger()
    st.subheader(words("data.ledger"), anchor=False)
    if ledger.empty:
        st.caption(words("data.ledger_empty"))
        return
    shown = tables.named(ledger, words, source="source").assign(finished_at=pd.to_datetime(ledger["finished_at"]))
    elements.table(shown, "ledger", tables.ledger(words, tz=view.window.tz), alt=words("data.ledger_alt"))


def draw_imports(view: View, db: Path) -> None:
    words = view.words
    st.subheader(words("data.import.title"), anchor=False)
    left, right = st.columns([0.65, 0.35], gap="medium")
    with left:
        jobs.commands(words, db)
    with right:
        jobs.sync_button(words, key="sync_now")
        jobs.sample_button(words, key="load_sample")
        jobs.derive_button(words, key="derive")


draw(controls.view())
