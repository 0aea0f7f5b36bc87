"""What the report costs: loading a window's rows, putting them into words, and every format, as ratios inside one run.

usage: python benchmarks/bench_report.py [PULLS ...]     (merged in the generated year and a half; default 9300)

`loading` is all that the report reads and computes from the cache (`reads.report`), `words` what makes Markdown of it.
Limits: words of a week at most 2 x loading; loading and words of a year of 5,000 at most 5 s on two cores.
"""

import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.window import Window
from dashboard import reads, refresh
from dashboard.config import Config
from dashboard.report import html
from dashboard.report.document import document, with_claims
from dashboard.report.pdf import pdf
from dashboard.report.xlsx import xlsx
from data import cache, demo, moments, store

ROUNDS = 5


def main() -> None:
    for size in [int(size) for size in sys.argv[1:]] or [9_300]:
        with tempfile.TemporaryDirectory() as folder:
            measure(size, Path(folder) / "cache.db")
    print(
        f"\nPython {platform.python_version()}, pandas {pd.__version__}, {os.cpu_count()} cores, {moments.now()[:10]}"
    )


def measure(size: int, db: Path) -> None:
    """Prints the figures for one size of repository."""
    with cache.writing(db) as database:
        store.save_import(database.conn, demo.DEMO_REPO, demo.generate(size), tz="UTC")
    refresh.derive(db, Config())
    covered, week = reads.coverage(db, demo.DEMO_REPO, "UTC"), reads.default_window(db, demo.DEMO_REPO, "UTC")
    assert covered is not None
    assert week is not None
    year = Window(covered.last - timedelta(days=364), covered.last)
    for name, window in (("week", week), ("year", year)):
        facts = loaded(db, window)
        ways: dict[str, Callable[[], Any]] = {
            "loading": lambda window=window: loaded(db, window),
            "words": lambda facts=facts: document(facts).markdown,
            "words, L": lambda facts=facts: document(facts, length="L").markdown,
            "JSON": lambda facts=facts: json.dumps(with_claims(facts)),
            "HTML": lambda facts=facts: html.page(document(facts, marked=True), facts),
            "Excel": lambda facts=facts: xlsx(facts),
        }
        took = {way: median(made) for way, made in ways.items()}
        if find_spec("weasyprint") and name == "week":
            page = html.page(document(facts, marked=True), facts)
            took["PDF of the HTML"] = median(lambda page=page: pdf(page))
        print(f"\n{name}: {facts['totals']['merged']:,} pull requests")
        for way, spent in took.items():
            print(f"  {way:16} {spent:7.3f} s  {spent / took['loading']:5.2f} x loading")
        print(f"  loading and words {took['loading'] + took['words']:6.2f} s")


def loaded(db: Path, window: Window) -> dict[str, Any]:
    return reads.report(db, reads.Selection(demo.DEMO_REPO, window), lang="en", config=Config().digest, version="0")


def median(what: Callable[[], Any]) -> float:
    """Seconds of CPU that it takes, the median of a few rounds after a first one."""
    what()
    return statistics.median(cpu(what) for _ in range(ROUNDS))


def cpu(what: Callable[[], Any]) -> float:
    start = time.process_time()
    what()
    return time.process_time() - start


if __name__ == "__main__":
    main()
