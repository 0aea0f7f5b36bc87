"""Caches that pages are tested on: the sample repository, one pull request, and whatever a test puts in."""

import shutil
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from factories import save

from dashboard import refresh
from dashboard.config import Config
from data.records import PullRecord


@lru_cache(maxsize=1)
def _sample() -> Path:
    db = Path(tempfile.mkdtemp(prefix="merge-window-tests-")) / "sample.db"
    refresh.import_demo(db, Config())
    return db


def sample_cache(folder: Path) -> Path:
    """A copy of the sample repository's cache, built once a session."""
    return Path(shutil.copy(_sample(), folder / "sample.db"))


def cache_of(folder: Path, pulls: Iterable[PullRecord], *, kind: str = "gh", repo: str = "acme/orbit") -> Path:
    """A cache of these pull requests, derived."""
    db = folder / "small.db"
    save(db, pulls, kind=kind, repo=repo)
    refresh.derive(db, Config())
    return db
