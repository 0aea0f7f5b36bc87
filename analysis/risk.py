"""Which changes deserve a second look, and why: rules that fire on evidence, and the score their points add up to."""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import missing_tests, risk_code, risk_process
from analysis.risk_case import Case, Flags, Floats, Measure
from analysis.risk_settings import RiskSettings
from analysis.sizes import uncounted
from data.errors import MergeWindowError

__all__ = ["RULES", "Case", "Judged", "RiskSettings", "Rule", "check", "judge"]

NEEDS = {
    "files": "files_complete",
    "lines": "code_lines",  # of each file that has any
    "reviews": "reviews_known",
    "threads": "threads_known",
    "events": "events_known",
    "patches": "patches_known",
    "created_at": "created_at",
    "history": "merged_at",  # of places and people; only merged changes have one
}
RISK_COLUMNS = {"pull_id": "int64", "rule": "str", "points": "float64", "value": "float64", "evidence": "str"}
SCORE_COLUMNS = {
    "pull_id": "int64",
    "risk_score": "float64",
    "risk_cap": "float64",
    "tier": "int64",
    "silent_rules": "str",
}
HIGHEST = 100.0


@dataclass(frozen=True)
class Rule:
    """One reason to look at a change again. It fires where its value lies above the threshold."""

    name: str
    label: str
    unit: str  # of value and threshold
    threshold: float
    points: float  # at most; `measure` may give a change a share of them
    why: str  # the sentence a reader sees
    source: str
    needs: tuple[str, ...]  # of NEEDS: where one is not known, the rule is silent unless it fires on what is
    measure: Measure


@dataclass(frozen=True)
class Judged:
    """What the rules say."""

    risks: pd.DataFrame  # one row per pull request and rule that fired, sorted by these: RISK_COLUMNS; evidence is JSON
    scores: pd.DataFrame  # one row per pull request, by pull_id: SCORE_COLUMNS; silent_rules is a JSON list


RULES: tuple[Rule, ...] = (
    Rule(
        name="missing-tests",
        label="Tests missing",
        unit="share of the largest gap",
        threshold=0.6,
        points=16,
        why="Logic was added in a place where a mistake costs much, and no test came with it.",
        source="graded source-without-test rule; Mockus and Votta 2000, Kamei et al. 2013",
        needs=("files", "lines", "history"),
        measure=missing_tests.missing_tests,
    ),
    Rule(
        name="tests-weakened",
        label="Tests weakened",
        unit="lines of tests lost",
        threshold=10,
        points=12,
        why="Tests were deleted, skipped or shortened: what they held may break unseen.",
        source="van Deursen et al. 2001",
        needs=("files", "lines"),
        measure=missing_tests.tests_weakened,
    ),
    Rule(
        name="core-path",
        label="Core path",
        unit="coreness x extent, 0 to 1",
        threshold=0.6,
        points=12,
        why="A place that much of the project depends on was changed: a mistake here reaches many.",
        source="Nagappan and Ball 2005; Zimmermann and Nagappan 2008",
        needs=("files", "lines", "history"),
        measure=risk_code.core_path,
    ),
    Rule(
        name="hotspot",
        label="Hotspot",
        unit="share of the hottest file's heat",
        threshold=0.5,
        points=8,
        why="A file that is changed often and much was changed again: such files hold most defects.",
        source="Tornhill 2015",
        needs=("files", "lines", "history"),
        measure=risk_code.hotspot,
    ),
    Rule(
        name="large-change",
        label="Large change",
        unit="lines of source",
        threshold=120,
        points=20,
        why="The more code a change brings, the more of it slips past its review, most of all beyond 400 lines.",
        source="Cohen et al. 2006",
        needs=("files", "lines"),
        measure=risk_code.large_change,
    ),
    Rule(
        name="wide-rename",
        label="Wide rename",
        unit="files",
        threshold=10,
        points=6,
        why="Files or names were renamed in many places: what is not in the repository may still use the old ones.",
        source="Dig and Johnson 2006",
        needs=("files", "lines"),
        measure=risk_code.wide_rename,
    ),
    Rule(
        name="breaking",
        label="Breaking change",
        unit="declared",
        threshold=0,
        points=18,
        why="The change says itself that it breaks something for its users.",
        source="Conventional Commits 1.0",
        needs=(),
        measure=risk_code.breaking,
    ),
    Rule(
        name="public-api",
        label="Public interface",
        unit="names or files",
        threshold=0,
        points=10,
        why="Names that others may call were removed or are called otherwise now.",
        source="Brito et al. 2018",
        needs=("files", "lines"),
        measure=risk_code.public_api,
    ),
    Rule(
        name="config-contract",
        label="Configuration contract",
        unit="keys, defaults or files",
        threshold=0,
        points=10,
        why="Settings that users have were removed or renamed, or mean something else by default.",
        source="Xu et al. 2015; Sayagh et al. 2020",
        needs=("files", "lines"),
        measure=risk_code.config_contract,
    ),
    Rule(
        name="dependency-change",
        label="Dependencies",
        unit="files or versions",
        threshold=0,
        points=8,
        why="The project builds on other versions now, whose changes nobody reviewed here.",
        source="Pashchenko et al. 2020; OpenSSF Scorecard",
        needs=("files", "lines"),
        measure=risk_code.dependency_change,
    ),
    Rule(
        name="ci-or-container",
        label="CI or container",
        unit="files",
        threshold=0,
        points=4,
        why="What builds, checks or ships the project was changed; the checks may no longer say the same.",
        source="Rahman et al. 2019",
        needs=("files", "lines"),
        measure=risk_code.ci_or_container,
    ),
    Rule(
        name="revert",
        label="Revert",
        unit="said",
        threshold=0,
        points=15,
        why="Something merged before was taken out: whoever relied on it is affected, and it may come back.",
        source="Shimagaki et al. 2016",
        needs=(),
        measure=risk_process.revert,
    ),
    Rule(
        name="repair-chain",
        label="Repair chain",
        unit="earlier pull requests",
        threshold=0,
        points=14,
        why="It repairs or brings back something merged before, which was not right the first time.",
        source="Sliwerski et al. 2005",
        needs=(),
        measure=risk_process.repair_chain,
    ),
    Rule(
        name="unreviewed",
        label="Unreviewed",
        unit="merged without a review",
        threshold=0,
        points=14,
        why="Nobody other than its author is known to have reviewed it before it was merged.",
        source="CHAOSS, Change Request Reviews; OpenSSF Scorecard, Code-Review",
        needs=("reviews",),
        measure=risk_process.unreviewed,
    ),
    Rule(
        name="self-merged",
        label="Merged by its author",
        unit="merged without approval",
        threshold=0,
        points=8,
        why="One person wrote and merged it, and nobody else had approved.",
        source="OpenSSF Scorecard, Code-Review; NIST SP 800-53 AC-5",
        needs=(),
        measure=risk_process.self_merged,
    ),
    Rule(
        name="fast-merge",
        label="Merged fast",
        unit="lines an hour",
        threshold=400,
        points=8,
        why="It was merged faster than its lines can be read.",
        source="Cohen et al. 2006",
        needs=("created_at", "files", "lines"),
        measure=risk_process.fast_merge,
    ),
    Rule(
        name="merged-over-objection",
        label="Merged over an objection",
        unit="requests and open threads",
        threshold=0,
        points=18,
        why="Somebody had asked for changes, or a discussion was open, when it was merged.",
        source="GitHub, protected branches; McIntosh et al. 2014",
        needs=("reviews", "threads"),
        measure=risk_process.merged_over_objection,
    ),
    Rule(
        name="long-lived",
        label="Long open",
        unit="days",
        threshold=30,
        points=6,
        why="It was open so long that the code around it has moved on since it was written.",
        source="DORA, trunk-based development",
        needs=("created_at",),
        measure=risk_process.long_lived,
    ),
    Rule(
        name="unfamiliar-area",
        label="Unfamiliar area",
        unit="share of the lines",
        threshold=0.5,
        points=6,
        why="Most of it lies in files with a history in which this change's author had no part.",
        source="Kamei et al. 2013; Bird et al. 2011",
        needs=("files", "lines", "history"),
        measure=risk_code.unfamiliar_area,
    ),
    Rule(
        name="missing-companion",
        label="Companion left out",
        unit="share of earlier changes",
        threshold=0.7,
        points=8,
        why="A file that nearly always changes together with one of these was left as it is.",
        source="Zimmermann et al. 2005",
        needs=("files", "history"),
        measure=risk_code.missing_companion,
    ),
    Rule(
        name="new-markers",
        label="Unfinished or fragile code",
        unit="marks",
        threshold=0,
        points=8,
        why="It brings in marks of unfinished or fragile code: TODOs, bare excepts, assertions.",
        source="Potdar and Shihab 2014",
        needs=("patches",),
        measure=risk_code.new_markers,
    ),
)


def judge(case: Case, settings: RiskSettings | None = None) -> Judged:
    """What do the rules say of each change, and which score comes of it?

    A rule fires where its value lies above its threshold. Where it does not, and something that it needs is not known,
    it is silent: that is told, and is not "no risk".

    Formula: the score is the sum of the points of the rules that fired, at most 100; what is beyond is taken back by
        `risk_cap`, so that points and cap add up to it. A tier begins at each of the settings' scores.
    Misses: what rules are silent about; that points are judgement, which the back-test puts to the test.
    Source: own; the rules name theirs.
    Example: core path 12, tests missing 16 and revert 15: 43, tier 3 of the tiers that begin at 8, 26 and 44.

    Args:
        case: the changes and what was known of them.
        settings: points and thresholds over those of the rules; 0 points turn a rule off.

    Returns:
        Risks and scores.

    Raises:
        MergeWindowError: the settings name an unknown rule or hold a number that can't be.
    """
    settings = settings or RiskSettings()
    check(settings)
    case = case.prepared(settings)
    known, total, found = _known(case), np.zeros(len(case)), _Found()
    silent: list[tuple[str, Flags]] = []
    for rule in RULES:
        if not (most := float(settings.points.get(rule.name, rule.points))):
            continue
        threshold = float(settings.thresholds.get(rule.name, rule.threshold))
        measured = rule.measure(case)
        fires = measured.value > threshold  # an unknown value never does
        points = np.where(fires, np.round(most * measured.weight, 2), 0)
        total += points
        is_judged = np.logical_and.reduce([~np.isnan(measured.value), *(known[need] for need in rule.needs)])
        silent.append((rule.name, ~fires & ~is_judged))
        places = np.flatnonzero(fires)
        if places.size:
            told = {"threshold": int(threshold) if threshold.is_integer() else threshold}
            evidence = [_json(facts | told) for facts in measured.evidence(places)]
            found.add(rule.name, places, points[places], measured.value[places], evidence)
    ids = case.changes["pull_id"].to_numpy()
    return Judged(found.frame(ids), _scores(ids, np.round(total, 2), silent, settings))


def check(settings: RiskSettings) -> None:
    """Raises MergeWindowError, with one sentence, where settings can't be used."""
    known = {rule.name for rule in RULES}
    for name, table in (("points", settings.points), ("thresholds", settings.thresholds)):
        if unknown := sorted(table.keys() - known):
            raise MergeWindowError(f"Unknown risk rule {unknown[0]!r} in {name}. Known: {', '.join(sorted(known))}.")
        if bad := sorted(rule for rule, value in table.items() if not (math.isfinite(value) and value >= 0)):
            raise MergeWindowError(f"The {name} of {bad[0]!r} are {table[bad[0]]}; they must be 0 or more.")
    tiers = settings.tiers
    if len(tiers) != 3 or not all(low < high for low, high in pairwise([0, *tiers, HIGHEST])):
        raise MergeWindowError(
            f"The tiers {list(tiers)} must be three rising scores between 0 and 100, such as [8, 26, 44]."
        )


def _known(case: Case) -> dict[str, Flags]:
    """For each of NEEDS, where it is known."""
    known = {"lines": case.file_rows.count(uncounted(case.files)) == 0}
    for need, column in NEEDS.items():
        if need not in known:
            is_moment = column.endswith("_at")
            known[need] = case.changes[column].notna().to_numpy(dtype=bool) if is_moment else case.each.flag(column)
    return known


class _Found:
    """What fired, collected rule by rule."""

    def __init__(self) -> None:
        self.places: list[NDArray[np.intp]] = []
        self.points: list[Floats] = []
        self.values: list[Floats] = []
        self.rules: list[str] = []
        self.evidence: list[str] = []

    def add(self, rule: str, places: NDArray[np.intp], points: Floats, values: Floats, evidence: list[str]) -> None:
        self.places.append(places)
        self.points.append(points)
        self.values.append(values)
        self.rules += [rule] * len(places)
        self.evidence += evidence

    def frame(self, ids: NDArray[Any]) -> pd.DataFrame:
        """One row per pull request and rule, by pull_id and rule."""
        places = np.concatenate([np.empty(0, dtype=np.intp), *self.places])
        order = np.lexsort((_ranks(self.rules), places))
        columns = {
            "pull_id": ids[places],
            "rule": np.array(self.rules, dtype=object),
            "points": np.concatenate([np.empty(0), *self.points]),
            "value": np.concatenate([np.empty(0), *self.values]),
            "evidence": np.array(self.evidence, dtype=object),
        }
        return pd.DataFrame(
            {name: pd.Series(values[order], dtype=RISK_COLUMNS[name]) for name, values in columns.items()}
        )


_json = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, check_circular=False).encode


def _ranks(names: list[str]) -> NDArray[np.intp]:
    rank = {name: place for place, name in enumerate(sorted(set(names)))}
    return np.array([rank[name] for name in names], dtype=np.intp)


@lru_cache(maxsize=4096)
def _list_of(names: tuple[str, ...]) -> str:
    return json.dumps(names)


def _scores(
    ids: NDArray[Any], total: Floats, silent: Iterable[tuple[str, Flags]], settings: RiskSettings
) -> pd.DataFrame:
    score = np.minimum(total, HIGHEST)
    names: list[list[str]] = [[] for _ in ids]
    for name, places in sorted(silent, key=lambda each: each[0]):
        for place in np.flatnonzero(places).tolist():
            names[place].append(name)
    columns = {
        "pull_id": ids,
        "risk_score": score,
        "risk_cap": np.round(score - total, 2),
        "tier": 1 + np.searchsorted(np.asarray(settings.tiers), score, side="right"),
        "silent_rules": np.array([_list_of(tuple(each)) for each in names], dtype=object),
    }
    return pd.DataFrame({name: pd.Series(values, dtype=SCORE_COLUMNS[name]) for name, values in columns.items()})
