"""The weekly reports as an Atom feed, for readers and chat rooms that follow one."""

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree as Xml

from analysis.window import Window, period_of
from dashboard import formats, reads
from dashboard.config import Config
from dashboard.reads import Selection
from dashboard.report import html
from dashboard.report.document import document
from dashboard.words import Words

WEEKS = 8  # newest complete ones with merges
ATOM = "http://www.w3.org/2005/Atom"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feed(db: Path, repo: str, *, lang: str, config: Config, version: str, site: str) -> bytes:
    """The newest weekly reports of a repository as Atom; the same cache gives the same bytes.

    Args:
        db: the cache.
        repo: `owner/name`.
        lang: en or zh.
        config: its zone cuts the weeks.
        version: of the program.
        site: address of the dashboard, ending with `/`: entries lead there.

    Raises:
        NotCached: no such repository.
    """
    entries = _entries(db, reads.generation(db), repo, lang, config.tz, config.digest, config.templates, version)
    words = Words(lang)
    top = Xml.Element("feed", {"xmlns": ATOM, "xml:lang": "zh-Hans" if lang == "zh" else "en"})
    _add(top, "id", f"tag:merge-window,2026:{repo}")
    _add(top, "title", words("report.feed", repo=repo))
    _add(top, "updated", entries[0].updated if entries else reads.NO_DAYS)
    Xml.SubElement(_add(top, "author"), "name").text = "Merge Window"
    query = urlencode({"repo": repo, "lang": lang}, safe="/")
    Xml.SubElement(top, "link", {"rel": "self", "href": f"{site}feed.atom?{query}"})
    for entry in entries:
        made = _add(top, "entry")
        _add(made, "id", f"tag:merge-window,2026:{repo}/{entry.week}")
        _add(made, "title", entry.title)
        _add(made, "updated", entry.updated)
        Xml.SubElement(made, "link", {"rel": "alternate", "href": f"{site}report?{entry.query}"})
        _add(made, "content", entry.content).set("type", "html")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + Xml.tostring(top, encoding="utf-8") + b"\n"


class _Entry:
    """A weekly report as the feed tells it."""

    def __init__(self, facts: dict[str, Any], window: Window, templates: Path | None) -> None:
        lang = facts["lang"]
        self.week, self.updated = str(window.iso_week), window.end
        self.title = f"{facts['repo']}: {formats.window_title(window, lang)}"
        self.content = html.body(document(facts, templates=templates))
        days = f"{window.since}..{window.until}"
        self.query = urlencode({"repo": facts["repo"], "window": days, "lang": Words.label(lang)}, safe="/")


@lru_cache(maxsize=8)
def _entries(
    db: Path, generation: str, repo: str, lang: str, tz: str, config: str, templates: Path | None, version: str
) -> Sequence[_Entry]:
    """Kept until the cache changes."""
    covered, latest = reads.coverage(db, repo, tz), reads.default_window(db, repo, tz)
    found: list[_Entry] = []
    week = latest if latest and covered and latest.until <= covered.last else None
    while week and covered and week.until >= covered.first and len(found) < WEEKS:
        facts = reads.report(db, Selection(repo, week), lang=lang, config=config, version=version)
        if facts["totals"]["merged"]:
            found.append(_Entry(facts, week, templates))
        week = period_of(week.since - timedelta(days=1), "W", tz)
    return found


def _add(parent: Xml.Element, name: str, text: str | None = None) -> Xml.Element:
    made = Xml.SubElement(parent, name)
    made.text = None if text is None else _NOT_XML.sub("", text)
    return made
