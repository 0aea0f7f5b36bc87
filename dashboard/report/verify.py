"""A saved report against the cache of today: which of its claims still hold, and which give other numbers."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from analysis.report import SCHEMA
from analysis.window import Window
from dashboard import reads
from dashboard.config import Config
from dashboard.reads import Selection
from dashboard.report.document import with_claims
from data.errors import MergeWindowError

# What a claim says; `text` is the wording of one version, so it counts only where the version is the same.
SAYS = ("numbers", "prs", "names", "evidence", "text")


class NotAReport(MergeWindowError):
    """The file can't be verified: it is absent, no JSON, or not such a report."""


class Difference(NamedTuple):
    """One thing that the saved report says and the cache does not, or the other way round."""

    claim: str  # its id
    what: str  # numbers, prs, ...; `gone`: it is not told any more; `new`: it was not told
    name: str  # of the number, where it is one
    saved: Any  # None where it was not told
    now: Any

    def __str__(self) -> str:
        if self.what in ("gone", "new"):
            return f"{self.claim}: {'is not told any more' if self.what == 'gone' else 'is told now and was not'}"
        of = f"{self.what}.{self.name}" if self.name else self.what
        saved, now = (json.dumps(value, ensure_ascii=False) for value in (self.saved, self.now))
        return f"{self.claim}: {of} was {saved}, is {now}"


class Verified(NamedTuple):
    """What came of it."""

    n_claims: int  # of the saved report
    same_id: bool  # False: rows, configuration or version are others
    differences: list[Difference]


def load(file: Path) -> dict[str, Any]:
    """A saved report.

    Raises:
        NotAReport: it can't be read, or is something else.
    """
    try:
        return checked(json.loads(file.read_text(encoding="utf-8-sig")), str(file))
    except OSError as error:
        raise NotAReport(f"{file} can't be read: {error.strerror}. Check the path.") from error
    except (ValueError, RecursionError) as error:
        raise NotAReport(f"{file} is no JSON. Save a report with: merge-window report --format json") from error


def checked(saved: Any, name: str) -> dict[str, Any]:
    """The object, if it is a report that can be verified.

    Raises:
        NotAReport: it is not.
    """
    if not isinstance(saved, dict) or saved.get("schema") != SCHEMA:
        raise NotAReport(f"{name} is no report of schema {SCHEMA}. Save one with: merge-window report --format json")
    try:
        selection_of(saved)
        _by_id(saved)
        if saved["lang"] not in ("en", "zh") or not isinstance(saved["generated_by"], str):
            raise ValueError
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotAReport(
            f"{name} lacks what a report holds. Save it anew: merge-window report --format json"
        ) from error
    return saved


def selection_of(saved: Mapping[str, Any]) -> Selection:
    """What the report was made of."""
    window = saved["window"]
    since, until = (date.fromisoformat(window[end]) for end in ("since", "until"))
    chosen = Window(since, until, window["tz"])
    return Selection(saved["repo"], chosen, saved["base"], saved["bots"], window.get("release"))


def verify(db: Path, saved: Mapping[str, Any], *, config: Config, version: str) -> Verified:
    """Recomputes every claim of a saved report.

    Args:
        db: the cache.
        saved: as `load` gives it.
        config: the configuration of today.
        version: of the program.

    Raises:
        NotCached: its repository is not in the cache.
    """
    facts = reads.report(db, selection_of(saved), lang=saved["lang"], config=config.digest, version=version)
    now = with_claims(facts)
    is_same_version = saved["generated_by"] == now["generated_by"]
    says = SAYS if is_same_version else tuple(key for key in SAYS if key != "text")
    before, after = _by_id(saved), _by_id(now)
    found = [
        difference
        for name in dict.fromkeys([*before, *after])
        for difference in _differences(name, before.get(name), after.get(name), says)
    ]
    return Verified(len(before), saved["id"] == now["id"], found)


def _by_id(report: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {str(claim["id"]): claim for claim in report["claims"]}


def _differences(
    name: str, saved: Mapping[str, Any] | None, now: Mapping[str, Any] | None, says: tuple[str, ...]
) -> list[Difference]:
    if saved is None or now is None:
        return [Difference(name, "new" if saved is None else "gone", "", None, None)]
    found = []
    for key in says:
        one, other = saved.get(key), now[key]
        if key == "numbers" and isinstance(one, dict):
            names = [of for of in dict.fromkeys([*one, *other]) if one.get(of) != other.get(of)]
            found += [Difference(name, key, of, one.get(of), other.get(of)) for of in names]
        elif one != other:
            found.append(Difference(name, key, "", one, other))
    return found
