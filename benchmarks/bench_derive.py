"""What deriving costs: everything anew, and after ten new pull requests, as ratios inside one run.

usage: python benchmarks/bench_derive.py [PULLS FILES]     (default 10000 100000)

Deriving is compared with the least that it can cost here: reading the same rows from SQLite into frames. Each figure is
the median of several rounds that take turns, in processor time. What a process remembers of titles and paths is
forgotten before each, for the command line starts with nothing.
"""

import functools
import gc
import os
import platform
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from analysis import derive as analysis
from analysis.learning import LEARN_FROM, learn_from, learn_vocabulary
from dashboard import refresh
from dashboard.config import Config
from data import cache, demo, moments, queries, store
from data.people import person
from data.records import PullRecord, Source

ROUNDS, NEW = 5, 10
MOST_FILES, NAMES = 200, 400  # files of one pull request; made-up files of a folder
PEOPLE = 1500


def main() -> None:
    n_pulls, n_files = (int(argument) for argument in sys.argv[1:] or ("10000", "100000"))
    everything = widened(n_pulls, n_files)
    gc.freeze()  # what is held here is no concern of what is measured
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder) / "cache.db", everything)
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, pandas {pd.__version__}"
    print(f"\n{versions}, {os.cpu_count()} cores, {moments.now()[:10]}")


def widened(n_pulls: int, n_files: int) -> list[PullRecord]:
    """The sample's merged pull requests in order of time, with so many files in all, and more people as authors.

    Most change few files and some very many; some files and people occur often and most of them rarely.
    """
    chance = random.Random(7)
    merged = [record for record in demo.generate(n_pulls * 12 // 10).pulls if record.get("merged_at")]
    records = sorted(merged, key=lambda record: record["merged_at"] or "")[:n_pulls]
    wanted = shared_out(n_files, [chance.lognormvariate(0, 1) for _ in records])
    for record, n in zip(records, wanted, strict=True):
        files = {file["path"]: file for file in record["files"] or []}
        beside = list(files.values())[:n] or [{"path": "src/app.py", "additions": 5, "deletions": 1}]
        files = {file["path"]: file for file in beside[:n]}
        while len(files) < n:
            near = chance.choice(beside)
            name = f"part_{min(int(chance.paretovariate(0.5)), chance.randrange(1, NAMES))}.py"
            path = f"{near['path'].rpartition('/')[0]}/{name}".lstrip("/")
            files[path] = near | {"path": path, "old_path": None, "status": "modified"}
        record["files"], record["changed_files"] = list(files.values()), n
        if chance.random() < 0.4:
            record["author"] = person(f"contributor-{min(int(chance.paretovariate(0.3)), PEOPLE)}")
    return records


def shared_out(total: int, weights: list[float]) -> list[int]:
    """A total in whole parts of 1 to MOST_FILES, about as the weights are."""
    low, high = 0.0, float(total)
    for _ in range(60):
        scale = (low + high) / 2
        parts = [min(MOST_FILES, max(1, round(weight * scale))) for weight in weights]
        low, high = (scale, high) if sum(parts) < total else (low, scale)
    for place in range(abs(total - sum(parts))):
        parts[place] += 1 if sum(parts) < total else -1 if parts[place] > 1 else 0
    return parts


def measure(db: Path, everything: list[PullRecord]) -> None:
    """Prints what a derivation costs with these pull requests, and after ten new ones came, and ten more ..."""
    spare = NEW * ROUNDS
    save(db, everything[:-spare])
    refresh.derive(db, Config())
    taken: dict[str, list[float]] = defaultdict(list)
    for number in range(ROUNDS):
        frames, vocabulary = read(db), learn(db)
        taken["reading"].append(seconds(lambda: read(db)))
        taken["judging"].append(
            seconds(lambda frames=frames, words=vocabulary: analysis.derive(**frames, vocabulary=words))
        )
        taken["learning too"].append(seconds(lambda frames=frames: analysis.derive(**frames)))
        taken["anew"].append(seconds(lambda: refresh.derive(db, Config(), full=True)))
        save(db, everything[len(everything) - spare + number * NEW :][:NEW])
        taken["added"].append(seconds(lambda: refresh.derive(db, Config())))
    report(everything, {name: statistics.median(times) for name, times in taken.items()})


def report(everything: list[PullRecord], taken: dict[str, float]) -> None:
    paths = {file["path"] for record in everything for file in record["files"] or []}
    people = {record["author"]["login"] for record in everything if record["author"]}
    n_files = sum(len(record["files"] or []) for record in everything)
    print(f"{len(everything):,} pull requests by {len(people):,} people, {n_files:,} changes of {len(paths):,} files")
    least = taken["reading"]
    print(f"  reading them into frames          {least:7.3f} s")
    for name, words in (
        ("judging", "deriving from those frames"),
        ("learning too", "  and learning the vocabulary"),
        ("anew", "derive --full, read to stored"),
    ):
        print(f"  {words:32}  {taken[name]:7.3f} s  {taken[name] / least:6.2f} x reading")
    ratio = taken["anew"] / taken["added"]
    print(f"  derive after {NEW} new ones           {taken['added']:7.3f} s  1/{ratio:.0f} of derive --full")


def save(db: Path, records: list[PullRecord]) -> None:
    with cache.writing(db) as database:
        store.save_import(database.conn, demo.DEMO_REPO, Source("demo", iter(records)))


def read(db: Path) -> dict[str, pd.DataFrame]:
    with cache.reading(db) as connection:
        return queries.to_derive(connection, store.repository_or_raise(connection, demo.DEMO_REPO))


def learn(db: Path) -> analysis.Vocabulary:
    with cache.reading(db) as connection:
        repository = store.repository_or_raise(connection, demo.DEMO_REPO)
        first = learn_from(queries.n_merged(connection, repository))
        return learn_vocabulary(**queries.to_learn(connection, repository, first, LEARN_FROM))


def seconds(act: Callable[[], object]) -> float:
    """What it takes, in processor time, which other work on the machine disturbs least."""
    forget()
    start = time.process_time()
    act()
    return time.process_time() - start


def forget() -> None:
    """Empties what the analysis remembers of titles, paths and words."""
    gc.collect()
    for each in gc.get_objects():
        if isinstance(each, functools._lru_cache_wrapper) and each.__module__.startswith("analysis"):
            each.cache_clear()


if __name__ == "__main__":
    main()
