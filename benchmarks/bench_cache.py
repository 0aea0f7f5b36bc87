"""What the cache costs: filling it, filling it again, and asking it, as ratios inside one run.

usage: python benchmarks/bench_cache.py [PULLS ...]     (default 1400 14000)

Each figure is the median of several rounds that take turns. `x` columns compare with the least that the same rows can
cost here: writing them by one `executemany` a table, or fetching them by plain sqlite3.
"""

import os
import platform
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.window import Window
from dashboard import reads, refresh
from dashboard.config import Config
from data import cache, demo, moments, queries, store
from data.schema import TABLES

ROUNDS = 5


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or [1_400, 14_000]
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            measure(size, Path(folder))
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, pandas {pd.__version__}"
    print(f"\n{versions}, {os.cpu_count()} cores, {moments.now()[:10]}")


def measure(size: int, folder: Path) -> None:
    """Prints the figures for one size of repository."""
    db = folder / "cache.db"
    records = list(demo.generate(size).pulls)
    generated = seconds(lambda: sum(1 for _ in demo.generate(size).pulls))
    stored = seconds(lambda: fill(db, records))
    again = seconds(lambda: fill(db, records))
    judged = seconds(lambda: refresh.derive(db, Config(), full=True))
    least = statistics.median(seconds(lambda round=round: copy(db, folder / f"copy{round}.db")) for round in range(3))
    kilobytes = db.stat().st_size / len(records) / 1000
    print(f"\n{size:,} merged pull requests, {len(records):,} in all, {kilobytes:.1f} kB each")
    print(f"  generating       {generated:7.2f} s")
    print(f"  first import     {stored:7.2f} s  {stored / least:5.1f} x writing the same rows")
    print(f"  the same again   {again:7.2f} s  {again / stored:5.2f} x the first")
    print(f"  judging (derive) {judged:7.2f} s  {judged / stored:5.2f} x the first import")
    covered = reads.coverage(db, demo.DEMO_REPO, "UTC")
    assert covered is not None
    windows = {
        "week": reads.default_window(db, demo.DEMO_REPO, "UTC"),
        "quarter": Window(covered.last.replace(month=covered.last.month - 3, day=1), covered.last),
        "all": Window(covered.first, covered.last),
    }
    questions: dict[str, Callable[[reads.Selection], Any]] = {
        "pulls": lambda chosen: reads.pulls(db, chosen),
        "totals": lambda chosen: reads.totals(db, chosen),
        "history": lambda chosen: reads.history(db, chosen),
        "strip": lambda chosen: reads.strip(db, chosen),
        "modules": lambda chosen: reads.modules(db, chosen),
        "hot files": lambda chosen: reads.hot_files(db, chosen),
        "search": lambda chosen: reads.find(db, chosen, "scheduler"),
    }
    for name, window in windows.items():
        assert window is not None
        chosen = reads.Selection(demo.DEMO_REPO, window)
        fetch = median(lambda chosen=chosen: plain_fetch(db, chosen))
        told = ", ".join(
            f"{name} {median(lambda ask=ask, chosen=chosen: ask(chosen)) * 1e3:.0f}" for name, ask in questions.items()
        )
        print(f"  {name:8} {len(reads.pulls(db, chosen)):7,} rows; plain fetch {fetch * 1e3:.1f} ms; ms: {told}")


def fill(db: Path, records: list[Any]) -> None:
    """One import of these records, without judging them."""
    source = demo.generate(0)
    source.pulls = iter(records)
    with cache.writing(db) as database:
        store.save_import(database.conn, demo.DEMO_REPO, source)


def copy(db: Path, target: Path) -> None:
    """The raw rows of the cache written to a new file: one executemany a table."""
    with cache.reading(db) as connection:
        rows = {name: connection.execute(f"select * from {name}").fetchall() for name in TABLES}
    with closing(sqlite3.connect(target)) as connection:
        connection.execute("pragma journal_mode = wal")
        for name, table in TABLES.items():
            connection.execute(f"create table {name} ({', '.join(table.columns)})")
            connection.executemany(f"insert into {name} values ({', '.join('?' * len(table.columns))})", rows[name])
        connection.commit()


def plain_fetch(db: Path, chosen: reads.Selection) -> None:
    """The window's pull requests by sqlite3 alone."""
    with cache.reading(db) as connection:
        scope = queries.scope(connection, chosen.repo, chosen.window.start, chosen.window.end)
        connection.execute(
            "select * from pulls where repository_id = ? and merged_at >= ? and merged_at < ?",
            (scope.repository, scope.start, scope.end),
        ).fetchall()


def median(work: Callable[[], Any]) -> float:
    work()
    return statistics.median(seconds(work) for _ in range(ROUNDS))


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
