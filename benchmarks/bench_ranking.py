"""How well importance ranks: against what careful weekly reports named, and against plain counts.

usage: python benchmarks/bench_ranking.py [FOLDER]     (default ../shared/verl)

FOLDER holds `prs-2026.json.gz`, the pull requests of one repository, and `reference.md`: which of them the reports on
some weeks named as most worth knowing, and how many they called important (N). Printed are, a week, how many of the
named are among the first N and the average precision of the ranking; the mean over the weeks; how that moves when every
weight is changed a little, so that a lucky set of weights shows; and mean importance and insight of each active week.
"""

import os
import platform
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from analysis import importance, scoring
from analysis.stability import SPREAD
from analysis.window import Window, iso_week
from dashboard import reads, refresh
from dashboard.config import Config
from data import moments

REPO, ZONE = "verl-project/verl", "Asia/Shanghai"
SAMPLE, REFERENCE = "prs-2026.json.gz", "reference.md"
PLAIN = {
    "additions": "additions",
    "churn": "churn_lines",
    "files": "changed_files",
    "churn of source files": "code_lines",
}
RANKINGS = {"importance": "importance", **PLAIN}
ACTIVE = 15  # merged in a week
DRAWS = 400


@dataclass(frozen=True)
class Week:
    """One week, and what the report on it says."""

    name: str  # 2026-W17
    pulls: pd.DataFrame  # as `reads.pulls` gives them
    named: frozenset[int]
    n: int  # called important

    def precision(self, values: pd.Series | np.ndarray) -> float:
        """The mean, over the named, of the share of named ones up to each, the largest value first."""
        order = self.ranked(values)
        hits = np.cumsum([number in self.named for number in order])
        precisions = [hits[at] / (at + 1) for at, number in enumerate(order) if number in self.named]
        return sum(precisions) / len(self.named)

    def hits(self, values: pd.Series | np.ndarray) -> int:
        """How many of the named are among the first N."""
        return len(self.named & set(self.ranked(values)[: self.n]))

    def ranked(self, values: pd.Series | np.ndarray) -> list[int]:
        """The numbers by value, the largest first; equal ones by number."""
        numbers = self.pulls["number"].to_numpy()
        return numbers[np.lexsort((numbers, -np.nan_to_num(np.asarray(values, dtype=float))))].tolist()


def main() -> None:
    folder = Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).resolve().parents[2] / "shared" / "verl"
    if absent := [name for name in (SAMPLE, REFERENCE) if not (folder / name).exists()]:
        print(f"Skipped: {folder / absent[0]} is not there. Name its folder, or put it beside the checkout.")
        return
    with tempfile.TemporaryDirectory() as place:
        db = Path(place) / "cache.db"
        refresh.import_gh(db, REPO, folder / SAMPLE, Config(tz=ZONE))
        covered = reads.coverage(db, REPO, ZONE)
        assert covered is not None
        everything = reads.pulls(db, reads.Selection(REPO, Window(covered.first, covered.last, ZONE)))
        weeks = [
            Week(name, reads.pulls(db, reads.Selection(REPO, iso_week(name, ZONE))), named, n)
            for name, named, n in reported(folder / REFERENCE)
        ]
    print_rankings(weeks)
    print_robustness(weeks)
    print_weeks(everything)
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, pandas {pd.__version__}"
    print(f"\n{versions}, {os.cpu_count()} cores, {moments.now()[:10]}")


def reported(file: Path) -> list[tuple[str, frozenset[int], int]]:
    """The weeks of a reference: name, the pull requests named as most worth knowing, how many are important."""
    found = []
    for section in re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE):
        title = re.match(r"(\d{4}-W\d\d) .*?(\d+) of them called important", section)
        named = re.search(r"^- Named as most worth knowing: ([\d, ]+)", section, re.MULTILINE)
        if title and named:
            found.append((title[1], frozenset(map(int, named[1].split(","))), int(title[2])))
    return found


def print_rankings(weeks: list[Week]) -> None:
    print(f"{'ranked by':24}" + "".join(f"{week.name:>12} named/first {week.n}" for week in weeks) + "     mean AP")
    for name, column in RANKINGS.items():
        told = "".join(
            f"{week.precision(week.pulls[column]):12.3f} {week.hits(week.pulls[column]):>4} of {len(week.named):<6}"
            for week in weeks
        )
        print(f"{name:24}{told} {mean_precision(weeks, column):10.4f}")


def mean_precision(weeks: list[Week], column: str) -> float:
    return float(np.mean([week.precision(week.pulls[column]) for week in weeks]))


def print_robustness(weeks: list[Week]) -> None:
    """The same under weights that differ a little from ours, and how far a choice made on one week carries."""
    scores = [perturbed(week.pulls) for week in weeks]
    precisions = np.array([[week.precision(draw) for draw in draws] for week, draws in zip(weeks, scores, strict=True)])
    has_most = [
        [week.hits(draw) >= 0.9 * len(week.named) for draw in draws] for week, draws in zip(weeks, scores, strict=True)
    ]
    mean, best = precisions.mean(axis=0), max(mean_precision(weeks, column) for column in PLAIN.values())
    low, high = np.quantile(mean, [0.05, 0.95])
    print(f"\n{DRAWS} sets of weights near ours: mean AP {mean.mean():.3f} (nine in ten from {low:.3f} to {high:.3f})")
    print(f"  better than the best plain count: {np.mean(mean > best):.0%}")
    print(f"  nine in ten of the named among the first N in each week: {np.all(has_most, axis=0).mean():.0%}")
    for at, week in enumerate(weeks):
        chosen = np.argsort(precisions[at])[-DRAWS // 20 :]
        here, elsewhere = precisions[at][chosen].mean(), np.delete(precisions, at, axis=0)[:, chosen].mean()
        print(f"  the twentieth of them that does best in {week.name}: {here:.3f} there, {elsewhere:.3f} elsewhere")


def perturbed(pulls: pd.DataFrame) -> np.ndarray:
    """The importance under DRAWS sets of weights, one a row, made as `stability` makes them."""
    rng, total = np.random.default_rng(1), np.zeros((DRAWS, len(pulls)))
    lowest = min(points for name, points in importance.DEFAULT_WEIGHTS.items() if scoring.is_kind(name))
    for name, points in importance.DEFAULT_WEIGHTS.items():
        factors = np.exp(rng.normal(0, SPREAD, (DRAWS, 1)))
        if scoring.is_kind(name):
            is_it = (pulls["kind"] == name.removeprefix("kind_")).to_numpy(dtype=float)
            total += (lowest + (points - lowest) * factors) * is_it
        else:
            total += factors * np.array([parts.get(name, 0.0) for parts in pulls["importance_parts"]])
    return total


def print_weeks(pulls: pd.DataFrame) -> None:
    days = pd.to_datetime(pulls["merged_at"], utc=True).dt.tz_convert(ZONE).dt.isocalendar()
    week = days["year"].astype(str) + "-W" + days["week"].astype(str).str.zfill(2)
    found = pulls.groupby(week)[["importance", "insight"]].mean().assign(merged=pulls.groupby(week).size())
    active = found[found["merged"] >= ACTIVE]
    print(f"\nmean importance and insight of the {len(active)} weeks with {ACTIVE} merged and more")
    for name, row in active.iterrows():
        print(f"  {name}  {row['merged']:4.0f} merged  {row['importance']:5.2f} {row['insight']:6.2f}")
    means, inside = active[["importance", "insight"]].mean(), active["importance"].between(4.5, 5.5).mean()
    print(f"  all: {means['importance']:.2f} and {means['insight']:.2f}; importance 4.5 to 5.5 in {inside:.0%}")


if __name__ == "__main__":
    main()
