"""What deriving costs: everything anew, and after ten new pull requests, as ratios inside one run.

usage: python benchmarks/bench_derive.py [PULLS FILES]     (default 10000 100000)

Deriving is compared with the least that it can cost here: reading the same rows from SQLite into frames.
"""

import os
import platform
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd

from analysis import derive as analysis
from dashboard import refresh
from dashboard.config import Config
from data import cache, demo, moments, queries, store
from data.records import PullRecord, Source

ROUNDS = 3
NEW = 10


def main() -> None:
    n_pulls, n_files = (int(argument) for argument in sys.argv[1:] or ("10000", "100000"))
    everything = list(widened(n_pulls, n_files))
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder) / "cache.db", everything)
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, pandas {pd.__version__}"
    print(f"\n{versions}, {os.cpu_count()} cores, {moments.now()[:10]}")


def widened(n_pulls: int, n_files: int) -> Iterator[PullRecord]:
    """The sample's pull requests, each with more files beside its own, so that they have so many in all."""
    chance = random.Random(7)
    records = [record for record in demo.generate(n_pulls).pulls if record.get("merged_at")]
    mean = n_files / len(records)
    for record in records:
        files = list(record.get("files") or [])
        wanted = min(200, max(1, int(chance.lognormvariate(0, 0.8) * mean / 1.38)))
        while files and len(files) < wanted:
            beside = chance.choice(files)
            path = f"{beside['path'].rpartition('/')[0]}/part_{int(chance.paretovariate(0.6)) % 400}.py"
            files.append(beside | {"path": path.lstrip("/"), "old_path": None, "status": "modified"})
        record["files"] = list({file["path"]: file for file in files}.values())
        record["changed_files"] = len(record["files"])
        yield record


def measure(db: Path, everything: list[PullRecord]) -> None:
    """Prints what a derivation costs with these pull requests, and after the last ten came."""
    everything.sort(key=lambda record: record["merged_at"] or "")
    first, last = everything[:-NEW], everything[-NEW:]
    save(db, first)
    refresh.derive(db, Config())
    n_files = sum(len(record["files"] or []) for record in everything)
    reading = median(lambda: read(db))
    judging = median(lambda: judge(db))
    anew = median(lambda: refresh.derive(db, Config(), full=True))
    save(db, last)
    added = seconds(lambda: refresh.derive(db, Config()))
    print(f"{len(everything):,} merged pull requests with {n_files:,} files")
    print(f"  reading them into frames      {reading:7.3f} s")
    print(f"  deriving from those frames    {judging:7.3f} s  {judging / reading:6.2f} x reading")
    print(f"  derive --full, with storing   {anew:7.3f} s  {anew / reading:6.2f} x reading")
    print(f"  derive after {NEW} new ones      {added:7.3f} s  1/{anew / added:.0f} of a full one")


def save(db: Path, records: list[PullRecord]) -> None:
    with cache.writing(db) as database:
        store.save_import(database.conn, demo.DEMO_REPO, Source("demo", iter(records)))


def read(db: Path) -> dict[str, pd.DataFrame]:
    with cache.reading(db) as connection:
        return queries.to_derive(connection, store.repository_or_raise(connection, demo.DEMO_REPO))


def judge(db: Path) -> float:
    frames = read(db)
    return seconds(lambda: analysis.derive(frames["pulls"], frames["files"], frames["labels"]))


def median(act: Callable[[], object]) -> float:
    return statistics.median(seconds(act) for _ in range(ROUNDS))


def seconds(act: Callable[[], object]) -> float:
    """What it takes, in processor time, which other work on the machine disturbs least."""
    start = time.process_time()
    taken = act()
    return taken if isinstance(taken, float) else time.process_time() - start


if __name__ == "__main__":
    main()
