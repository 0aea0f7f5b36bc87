"""Column titles and formats of every table: the keys of what a function returns are the columns to show, in order.

Draw with `st.dataframe(frame, column_config=config, column_order=list(config), placeholder=formats.UNKNOWN, alt=...)`.
Numbers stay numbers, so that sorting and downloads work on them; names of values are filled in by `named`.
"""

from collections.abc import Mapping
from typing import Any, TypedDict

import pandas as pd
from streamlit import column_config as columns

from dashboard import evidence, formats, meanings
from dashboard.formats import is_unknown
from dashboard.palette import Palette
from dashboard.words import Words
from data.people import BOT

Config = dict[str, Any]

NUMBER_IN_URL = r"([0-9]+)/?$"
DAY_FORMAT, MOMENT_FORMAT = "YYYY-MM-DD", "YYYY-MM-DD HH:mm"
MOST_IMPORTANCE, MOST_RISK = 10, 100


class Said(TypedDict):
    """The words of a column."""

    label: str
    help: str


def pulls(words: Words, palette: Palette, *, tz: str) -> Config:
    """Pull requests, as `reads.pulls`; `tz` is the zone that cuts days."""
    return {
        "url": columns.LinkColumn(**_said(words, "number"), display_text=NUMBER_IN_URL, width=70, pinned=True),
        "title": columns.TextColumn(words("column.title"), width=340),
        "marks": columns.TextColumn(**_means(words, "marks", "assisted"), width=80),
        "kind": columns.TextColumn(**_means(words, "kind", "kind"), width=100),
        "importance": _score(words, palette, "importance", MOST_IMPORTANCE, "%.1f"),
        "risk_score": _score(words, palette, "risk", MOST_RISK, "%.0f"),
        "why": columns.ListColumn(**_said(words, "why"), width="medium"),
        "churn_lines": columns.NumberColumn(**_means(words, "size", "size"), format="localized", width=80),
        "merged_on": columns.DateColumn(
            words("column.merged"), help=words("column.merged_help", tz=tz), format=DAY_FORMAT, width=100
        ),
        "modules": columns.ListColumn(**_means(words, "module", "modules"), width="small"),
        "lead_time_hours": columns.NumberColumn(**_means(words, "lead_time", "lead_time"), format="%.1f", width=110),
        "first_review_hours": columns.NumberColumn(
            **_means(words, "first_review", "first_review"), format="%.1f", width=110
        ),
        "is_breaking": columns.CheckboxColumn(**_means(words, "breaking", "breaking_change"), width=80),
    }


def look_first(words: Words, palette: Palette) -> Config:
    """The few to look at first, on a card of half the page: the columns of `pulls` that fit there."""
    wide = pulls(words, palette, tz="") | {"title": columns.TextColumn(words("column.title"), width=210)}
    return {name: wide[name] for name in ("url", "title", "risk_score", "why", "importance", "marks", "kind")}


def risky(words: Words, palette: Palette, *, tz: str) -> Config:
    """The same pull requests as a reading order of risk."""
    wide = pulls(words, palette, tz=tz) | {"tier": columns.TextColumn(**_said(words, "tier"), width=80)}
    shown = ("url", "title", "marks", "risk_score", "tier", "why", "kind", "modules", "merged_on")
    return {name: wide[name] for name in shown}


def rules(words: Words) -> Config:
    """How often each risk rule fired, as `risk_facts.fired`."""
    return {
        "label": columns.TextColumn(words("column.rule"), width=170, pinned=True),
        "now": columns.NumberColumn(**_said(words, "fired"), format="localized", width=70),
        "before": columns.NumberColumn(words("column.before"), format="localized", width=70),
        "counts": columns.BarChartColumn(**_said(words, "course"), y_min=0, width="medium"),
    }


def score(words: Words) -> Config:
    """Every risk rule with what it counts, as `risk_facts.rules`."""
    return {
        "label": columns.TextColumn(words("column.rule"), width=170, pinned=True),
        "points": columns.NumberColumn(**_said(words, "points"), format="localized", width=70),
        "threshold": columns.NumberColumn(**_said(words, "threshold"), format="localized", width=80),
        "unit": columns.TextColumn(words("column.unit"), width=190),
        "needs": columns.ListColumn(**_said(words, "needs"), width="medium"),
        "unjudged": columns.NumberColumn(**_said(words, "unjudged"), format="localized", width=90),
        "why": columns.TextColumn(words("column.reason"), width=520),
        "source": columns.TextColumn(words("column.source"), width=300),
    }


def warnings(words: Words) -> Config:
    """What became of earlier warnings, as `risk_facts.warnings`."""
    return {
        "number": columns.TextColumn(words("column.number"), width=70, pinned=True),
        "label": columns.TextColumn(words("column.rule"), width=190),
        "state": columns.TextColumn(words("column.became"), width=110),
        "by": columns.TextColumn(**_said(words, "by"), width=80),
        "after": columns.TextColumn(words("column.after"), width=90),
    }


def weeks(words: Words) -> Config:
    """The numbers behind the stacked bars: week, series, merged."""
    return {
        "week": columns.DateColumn(words("column.week"), format=DAY_FORMAT, pinned=True),
        "series": columns.TextColumn(words("column.series")),
        "merged": columns.NumberColumn(words("column.merges"), format="localized"),
    }


def modules(words: Words) -> Config:
    """Modules now and before, as `reads.modules`."""
    return {
        "module": columns.TextColumn(**_means(words, "module", "modules"), width="medium", pinned=True),
        "merged": columns.NumberColumn(words("column.n_prs"), format="localized"),
        "before": columns.NumberColumn(words("column.before"), format="localized"),
    }


def hot_files(words: Words) -> Config:
    """Files that changed most, as `reads.hot_files`."""
    return {
        "path": columns.TextColumn(words("column.path"), width="large"),
        "n_prs": columns.NumberColumn(words("column.n_prs"), format="localized", width=100),
        "churn_lines": columns.NumberColumn(**_means(words, "churn", "size"), format="localized", width=100),
    }


def files(words: Words) -> Config:
    """The files of one pull request, as `PullDetail.files` with `named` values."""
    return {
        "path": columns.TextColumn(words("column.path"), width=280),
        "status": columns.TextColumn(words("column.status"), width=90),
        "additions": columns.NumberColumn(words("column.additions"), format="localized", width=80),
        "deletions": columns.NumberColumn(words("column.deletions"), format="localized", width=80),
        "category": columns.TextColumn(words("column.category"), width=100),
        "language": columns.TextColumn(words("column.language"), width=100),
    }


def reviews(words: Words) -> Config:
    """The reviews of one pull request, as `PullDetail.reviews` with `named` values and readable moments."""
    return {
        "reviewer": columns.TextColumn(words("column.reviewer"), pinned=True),
        "state": columns.TextColumn(words("column.review")),
        "submitted_at": columns.TextColumn(words("column.submitted")),
    }


def ledger(words: Words, *, tz: str) -> Config:
    """Imports, as `reads.ledger` with `named` sources and moments parsed in `tz`."""
    return {
        "finished_at": columns.DatetimeColumn(
            words("data.column.finished"), format=MOMENT_FORMAT, timezone=tz, pinned=True
        ),
        "repo": columns.TextColumn(words("data.column.repo")),
        "source": columns.TextColumn(words("data.column.source")),
        "fetched": columns.NumberColumn(words("data.column.fetched"), format="localized"),
        "declared": columns.NumberColumn(words("data.column.declared"), format="localized"),
        "saved": columns.NumberColumn(words("data.column.saved"), format="localized"),
        "is_complete": columns.CheckboxColumn(words("data.column.complete")),
        "notes": columns.ListColumn(words("data.column.notes"), width="large"),
        "error": columns.TextColumn(words("data.column.error"), width="large"),
    }


def told(pulls: pd.DataFrame, words: Words) -> pd.DataFrame:
    """Pull requests with the values of their columns in the reader's language, with `marks` (a bot's, AI-assisted) and
    `why` (the rules that fired). A title longer than any that somebody reads is cut."""
    flags = zip(pulls["author_type"], pulls["is_assisted"], strict=True)
    marks = [words("list.separator").join(words(f"mark.{mark}") for mark in marks_of(*each)) for each in flags]
    why = pulls["risks"].map(lambda risks: [evidence.label(risk["rule"], words) for risk in risks])
    tier = pulls["tier"].map(lambda tier: words(f"tier.{int(tier)}"), na_action="ignore")
    titles = pulls["title"].map(formats.title)
    marked = pulls.assign(title=titles, marks=pd.Series(marks, index=pulls.index, dtype="str"), why=why, tier=tier)
    return named(marked, words, kind="kind")


def marks_of(author_type: str | None, is_assisted: Any) -> list[str]:
    """Whose hand besides a person's is known to be in a pull request: `bot`, `assisted`, both or none."""
    return ["bot"] * (author_type == BOT) + ["assisted"] * (not is_unknown(is_assisted) and bool(is_assisted))


def named(frame: pd.DataFrame, words: Words, **tables: str) -> pd.DataFrame:
    """The frame with the values of some columns in the reader's language: `named(files, words, status="status")`.

    Args:
        tables: for a column, the table of the catalogue that names its values; a value it does not name stays.
    """
    return frame.assign(**{column: _names(frame[column], words, table) for column, table in tables.items()})


def _names(values: pd.Series, words: Words, table: str) -> pd.Series:
    known: Mapping[Any, str] = {
        value: words(f"{table}.{value}") for value in values.dropna().unique() if f"{table}.{value}" in words
    }
    return values.map(lambda value: known.get(value, value))


def _said(words: Words, name: str) -> Said:
    """The title of a column and the tooltip that explains it."""
    return Said(label=words(f"column.{name}"), help=words(f"column.{name}_help"))


def _means(words: Words, name: str, metric: str) -> Said:
    """The title of a column and what its metric means; without the link, which goes before a mouse can reach it."""
    return Said(label=words(f"column.{name}"), help=meanings.short(metric, words))


def _score(words: Words, palette: Palette, name: str, most: int, form: str) -> Any:
    said = _means(words, name, name)
    return columns.ProgressColumn(**said, min_value=0, max_value=most, format=form, width=110, color=palette.accent)
