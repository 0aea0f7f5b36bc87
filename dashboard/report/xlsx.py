"""The report as an Excel file: a sheet per table, pull requests linked, text that is never a formula."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from dashboard import evidence, formats
from dashboard.report.document import with_claims
from dashboard.words import Words

LONGEST, MOST_LINKS = 32_767, 65_000  # of a cell, and of a sheet, that Excel reads
WIDEST, NARROWEST = 60, 8  # columns
Facts = Mapping[str, Any]
Rows = Iterable[Sequence[Any]]


class Link(str):
    """Text that leads to an address."""

    url: str

    def __new__(cls, text: str, url: str) -> "Link":
        made = super().__new__(cls, text)
        made.url = url
        return made


def xlsx(facts: Facts) -> bytes:
    """The report's tables; the same facts give the same bytes.

    Args:
        facts: as `reads.report` gives them; their language is that of the sheets.
    """
    words, made = Words(facts["lang"]), BytesIO()
    book = xlsxwriter.Workbook(
        made, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    )
    stamp = facts["coverage"]["last_sync"] or f"{facts['window']['until']}T00:00:00Z"
    book.set_properties({"title": facts["repo"], "created": datetime.fromisoformat(stamp).astimezone(UTC)})
    head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    link = book.add_format({"font_color": "#2b4a99"})
    for name, columns, rows in _sheets(facts, words):
        sheet = book.add_worksheet(words(f"report.sheet.{name}"))
        _fill(sheet, [words(f"report.column.{column}") for column in columns], rows, head, link)
    book.close()
    return made.getvalue()


def _sheets(facts: Facts, words: Words) -> Iterable[tuple[str, tuple[str, ...], Rows]]:
    """Name, columns and rows of each sheet."""
    urls = {pull["number"]: pull["url"] for pull in facts["pulls"]}
    yield "totals", ("figure", "now", "before"), _totals(facts, words)
    yield "claims", ("section", "sentence", "prs"), _claims(facts, words)
    pull_columns: tuple[str, ...] = (
        "number",
        "title",
        "kind",
        "breaking",
        "importance",
        "insight",
        "risk_score",
        "tier",
        "rules",
    )
    pull_columns += ("modules", "author", "merged_at", "additions", "deletions", "changed_files", "note")
    yield "pulls", pull_columns, (_pull(pull, words) for pull in facts["pulls"])
    yield "modules", ("module", "now", "before", "usual", "prs"), _modules(facts)
    yield (
        "kinds",
        ("kind", "now", "before", "prs"),
        _counted(facts["kinds"], "name", lambda name: words(f"kind.{name}")),
    )
    yield (
        "risks",
        ("rule", "now", "before", "prs"),
        _counted(facts["risks"], "rule", lambda of: evidence.label(of, words)),
    )
    yield "themes", ("theme", "modules", "prs"), ([t["title"], t["modules"], t["prs"]] for t in facts["themes"])
    yield "chains", ("story", "hours", "prs"), _chains(facts, words)
    yield "hot_files", ("path", "lines", "prs"), ([f["path"], f["churn_lines"], f["prs"]] for f in facts["hot_files"])
    yield "ledger", ("rule", "pr", "warned_in", "state", "by"), _ledger(facts, urls, words)


def _totals(facts: Facts, words: Words) -> Rows:
    now, before = facts["totals"], facts["totals_before"]
    return ([words(f"report.total.{name}"), now[name], before[name]] for name in now)


def _claims(facts: Facts, words: Words) -> Rows:
    for claim in with_claims(facts)["claims"]:
        yield [words(f"report.heading.{claim['section']}"), claim["text"], claim["prs"]]


def _pull(pull: Mapping[str, Any], words: Words) -> Sequence[Any]:
    rules = [evidence.label(risk["rule"], words) for risk in pull["risks"] if risk["rule"] != "cap"]
    kind = words(f"kind.{pull['kind']}") if pull["kind"] else None
    tier = words(f"tier.{pull['tier']}") if pull["tier"] else None
    return [
        Link(f"#{pull['number']}", pull["url"]),
        *(pull["title"], kind, words("report.yes") if pull["breaking"] else ""),
        *(pull["importance"], pull["insight"], pull["risk_score"], tier, rules, pull["modules"], pull["author"]),
        *(pull["merged_at"], pull["additions"], pull["deletions"], pull["changed_files"], pull["note"]),
    ]


def _modules(facts: Facts) -> Rows:
    return ([m["name"], len(m["prs"]), m["before"], m["usual"]["median"], m["prs"]] for m in facts["modules"])


def _counted(entries: Iterable[Mapping[str, Any]], name: str, called: Any) -> Rows:
    return ([called(entry[name]), len(entry["prs"]), entry["before"], entry["prs"]] for entry in entries)


def _chains(facts: Facts, words: Words) -> Rows:
    return ([words(f"story.{chain['kind']}"), chain["repair_hours"], chain["prs"]] for chain in facts["chains"])


def _ledger(facts: Facts, urls: Mapping[int, str], words: Words) -> Rows:
    for entry in facts["ledger"]:
        label, state = evidence.label(entry["rule"], words), words(f"became.{entry['state']}")
        by = entry["by"]
        settled = Link(f"#{by}", urls[by]) if by in urls else by
        yield [label, entry["pr"], entry["warned_in"], state, settled]


def _fill(sheet: Worksheet, columns: Sequence[str], rows: Rows, head: Format, link: Format) -> None:
    widths = [formats.columns(column) + 2 for column in columns]
    sheet.write_row(0, 0, columns, head)
    n_links = n_rows = 0
    for n_rows, row in enumerate(rows, 1):
        for place, value in enumerate(row):
            shown = _cell(value)
            if isinstance(value, Link) and n_links < MOST_LINKS:
                n_links += sheet.write_url(n_rows, place, value.url, link, str(value)) == 0
            elif isinstance(shown, str):
                sheet.write_string(n_rows, place, shown)
            elif shown is not None:
                sheet.write_number(n_rows, place, shown)
            widths[place] = max(widths[place], formats.columns(str(shown)[:WIDEST]) + 1)
    for place, width in enumerate(widths):
        sheet.set_column(place, place, min(max(width, NARROWEST), WIDEST))
    sheet.freeze_panes(1, 0)
    if n_rows:
        sheet.autofilter(0, 0, n_rows, len(columns) - 1)


def _cell(value: Any) -> str | float | None:
    """Text in one line, lists joined, numbers as they are; None is an empty cell."""
    if isinstance(value, list | tuple):
        return formats.plain(", ".join(f"#{each}" if isinstance(each, int) else str(each) for each in value))[:LONGEST]
    return formats.plain(value)[:LONGEST] if isinstance(value, str) else value
