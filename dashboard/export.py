"""The tables behind the pages as files: `merge-window export`."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from analysis.working_calendar import Calendar
from dashboard import formats, reads, tables_of
from dashboard.config import Config
from dashboard.reads import Selection
from data.errors import MergeWindowError

Format = Literal["csv", "parquet"]
Read = Callable[[Path, Selection, Config], pd.DataFrame]
Plain = Callable[[Path, Selection], pd.DataFrame]

# Columns that pandas alone could not type where a table has no row, or holds as objects.
_NUMBERS, _TEXTS = pa.list_(pa.int64()), pa.list_(pa.string())
TYPES = {
    **dict.fromkeys(("prs", "prs_before"), _NUMBERS),
    **dict.fromkeys(("modules", "words", "says", "lies_in", "paths", "silent_rules"), _TEXTS),
    **dict.fromkeys(("since", "until", "period", "merged_on", "first", "last"), pa.date32()),
    **dict.fromkeys(("pull_id", "number", "bots_hidden"), pa.int64()),
    **dict.fromkeys(("merged_hour", "before"), pa.float64()),
}
# What has parts of its own is JSON in every format.
JSON = frozenset({"importance_parts", "insight_parts", "risks", "evidence", "sources", "top_authors"})


@dataclass(frozen=True)
class Table:
    """One file of an export."""

    name: str
    row: str  # what one row is
    read: Read


def _plain(read: Plain) -> Read:
    return lambda db, selection, _: read(db, selection)


def _timed(read: Callable[[Path, Selection, Calendar], pd.DataFrame]) -> Read:
    return lambda db, selection, config: read(db, selection, config.calendar)


def _argued(part: str) -> Read:
    return lambda db, selection, _: getattr(tables_of.disputes(db, selection), part)


def _themes(db: Path, selection: Selection, config: Config) -> pd.DataFrame:
    return reads.themes(db, selection).themes


def _title_paths(db: Path, selection: Selection, config: Config) -> pd.DataFrame:
    return tables_of.title_paths(db, selection, config.module_rules)


TABLES = (
    Table("window", "export: what it is of", _plain(tables_of.about)),
    Table("pulls", "merged pull request, most important first", _plain(reads.pulls)),
    Table("modules", "module of the window or the period before", _plain(reads.modules)),
    Table("themes", "theme of the window", _themes),
    Table("risks", "pull request and risk rule that fired", _plain(reads.risks)),
    Table("chains", "story of reverts, repairs and rework that touches the window", _plain(tables_of.chains)),
    Table("ledger", "warning of the period before", _plain(reads.risk_ledger)),
    Table("trends", "metric and week, or day where the window has less than three weeks", _timed(tables_of.trends)),
    Table("shifts", "level shift of a metric within the window", _timed(tables_of.shifts)),
    Table("variation", "metric", _timed(tables_of.variation)),
    Table("flow", "figure of flow", _timed(tables_of.flow)),
    Table("backlog", "week or day, as in `trends`", _plain(tables_of.backlog)),
    Table("survival", "time after which one was merged, closed or last seen open", _plain(tables_of.survival)),
    Table("open", "pull request open at the window's end", _plain(tables_of.age_of_open)),
    Table("hotspots", "file changed in the window", _plain(tables_of.hotspots)),
    Table("coupling", "pair of files that changed together, over a year", _plain(tables_of.coupling)),
    Table("module_coupling", "pair of modules that changed together, over a year", _plain(tables_of.module_coupling)),
    Table("module_overlaps", "pair of modules that share a pull request", _plain(tables_of.module_overlaps)),
    Table("bus_factor", "module changed within a year", _plain(tables_of.bus_factor)),
    Table("file_ages", "file known at the window's end", _plain(tables_of.age_of_files)),
    Table("module_ages", "module known at the window's end", _plain(tables_of.age_of_modules)),
    Table("people", "person with a merge in the window", _plain(tables_of.newcomers)),
    Table("assisted", "group of authors, bots always counted", _plain(tables_of.assisted)),
    Table("terms", "rising or fading term", _plain(tables_of.terms)),
    Table("disputes", "file or word that was argued about", _argued("subjects")),
    Table("open_threads", "review thread left open by a merge", _argued("threads")),
    Table("open_requests", "request for changes never answered", _argued("requests")),
    Table("unclassified", "pull request in no module", _plain(tables_of.unclassified)),
    Table("title_paths", "pull request whose title and code disagree", _title_paths),
)


def write(db: Path, selection: Selection, config: Config, folder: Path, format: Format) -> list[Path]:
    """Write every table into a folder, one file each; the same cache gives the same bytes.

    All are computed before the first is written, and each takes its place only when it is whole.

    Returns:
        The files, in the order of TABLES.

    Raises:
        MergeWindowError: the folder can't be made or written.
        NotCached: no such repository.
    """
    found = {table.name: typed(table.read(db, selection, config)) for table in TABLES}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_save(table, folder / f"{name}.{format}", format) for name, table in found.items()]
    except OSError as error:
        raise MergeWindowError(f"{folder} can't be written: {error.strerror}. Name another folder.") from error


def typed(frame: pd.DataFrame) -> pa.Table:
    """A table whose types hang on its columns alone, not on its rows."""
    return pa.table({name: _column(name, frame[name]) for name in frame.columns})


def _column(name: str, values: pd.Series) -> pa.Array:
    if name in JSON:
        return pa.array([_json(value) for value in values], pa.string())
    if name in TYPES:
        return pa.array(values, TYPES[name], from_pandas=True)
    if pd.api.types.is_numeric_dtype(values):  # flags too
        return pa.array(values, from_pandas=True)
    return pa.array(values, pa.string(), from_pandas=True)


def _save(table: pa.Table, file: Path, format: Format) -> Path:
    partial = file.with_name(file.name + ".partial")
    try:
        if format == "csv":
            partial.write_bytes(_csv(table))
        else:
            parquet.write_table(table, partial)
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)
    return file


def _csv(table: pa.Table) -> bytes:
    """Rows for a spreadsheet or a script: lists as JSON, no formulas, unknown is empty."""
    cells = [[_cell(value) for value in column.to_pylist()] for column in table.columns]
    frame = pd.DataFrame(dict(zip(table.column_names, cells, strict=True)), dtype=object)
    return frame.to_csv(index=False, lineterminator="\n").encode()


def _cell(value: Any) -> Any:
    safe = formats.csv_safe(_json(value) if isinstance(value, list) else value)
    # Readers take a lone carriage return for the end of a row, and Python's writer does not quote it.
    return safe.replace("\r\n", "\n").replace("\r", "\n") if isinstance(safe, str) else safe


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
