"""Changes that tests did not follow: logic added without any, and tests taken out."""

import re

import numpy as np
import pandas as pd

from analysis.risk_case import Case, Files, Flags, Floats, Measured, together
from analysis.running import pair_codes

# What the value is made of: how much logic, how central and how often repaired the place. They add up to 1.
SIZE, CORE, REPAIRED = 0.4, 0.3, 0.3
FEW_LINES, FULL_LINES = 5, 100  # of logic: below the first a change is tiny, at the second its size counts whole
MOST_SIZE = 1.5  # what it counts from 1,000 lines on
KIND_COUNTS = {"fix": 1.0, "feat": 0.9, "perf": 0.9, "other": 0.9, "refactor": 0.8, "chore": 0.8}  # others: nothing
ON_BALANCE = ("refactor", "chore")  # of these only what they add on balance is new: what they move had its tests
TESTS_USUAL = 0.25  # an area in which fewer changes to source came with tests expects them less
PRIOR_TESTED, PRIOR_CHANGES = 1.5, 5  # what an area without history is taken for
MANY_FILES, THIN = 8, 4  # in so many files, so few lines added a file: one edit repeated
SCRIPTS = ("Shell", "Batchfile", "PowerShell")
TEST_SIGNALS = ("test-skipped", "test-removed", "assertion-removed")
SIGNAL_LINES = 20  # lines of tests that a test skipped or removed counts like

# Titles of changes that leave behaviour as it was. The second are verbs that say so only outside fixes and features.
NO_LOGIC = re.compile(
    r"\b(typos?|spelling|misspell\w*|grammar|wording|comments?|docstrings?|rustdoc|javadoc|typing"
    r"|type (hints?|annotations?|ignores?)|lints?|linters?|clippy|mypy|ruff|black|flake8|pylint|eslint"
    r"|prettier|rustfmt|gofmt|whitespace"
    r"|licen[cs]e headers?|copyright|unused|dead code|redundant)\b|错别字|注释|格式化|拼写",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\W*(renam|mov|relocat|reformat|format|tid|clean|sort|split|extract|inline)\w*\b|重命名|移动", re.IGNORECASE
)


def missing_tests(case: Case) -> Measured:
    """Was logic added where tests are worth most, without any?

    Formula: (0.4 x size + 0.3 x core + 0.3 x repaired) x kind x tests usual, 0 to 1; 0 if a line was added to a test.
        Size is the logarithm of the lines added to source, 1 at 100 and at most 1.5; of a refactor or chore only what
        it adds on balance. Core is the coreness of the files, weighed by those lines. Repaired is twice the largest
        share of fixes among a file's earlier changes, (fixes + 1) / (changes + 4), at most 1. A fix counts whole
        (without a test it may come back), features, speed-ups and unnamed kinds 0.9, refactors and chores 0.8, other
        kinds nothing. Tests are usual where 25 % of the area's earlier source changes came with some, else less.
        Nothing for: under 5 lines, bots, version bumps, shell scripts, one edit repeated over many files, and titles
        that name comments, types, lints, renames or moves.
    Misses: tests within the source file (as in Rust), in another repository or by hand; whether the tests that were
        touched test this change; a file moved where the source of data does not tell renames.
    Source: graded after the plain rule, source touched but no test, was found to fire on two thirds of changes; fixes
        and often repaired files: Mockus and Votta 2000, Kamei et al. 2013.
    Example: a fix adds 30 lines to a file of coreness 0.8 with 6 fixes in 16 changes; 40 % of the area's changes came
        with tests: 0.4 x 0.74 + 0.3 x 0.8 + 0.3 x 0.7 = 0.75.
    """
    files = case.file_rows
    logic = _logic(files)
    added, deleted = files.sum(files.added, logic), files.sum(files.deleted, logic)
    lines = np.where(case.each.is_one_of("kind", *ON_BALANCE), np.maximum(added - deleted, 0), added)
    size = np.minimum(np.log1p(lines) / np.log1p(FULL_LINES), MOST_SIZE)
    core = files.sum(files.coreness * files.added, logic) / np.maximum(added, 1)
    fixes, before = files.number("n_fixes"), files.number("n_before")
    repaired = np.minimum(2 * files.most((fixes + 1) / (before + 4), logic), 1)
    counts = np.array([KIND_COUNTS.get(kind, 0.0) for kind in case.each.values("kind").tolist()])
    tested = files.most(_tested(case), logic)
    value = (SIZE * size + CORE * core + REPAIRED * repaired) * counts * np.minimum(tested / TESTS_USUAL, 1)
    value = np.minimum(value, 1)
    n_files = files.count(logic)
    is_thin = (n_files >= MANY_FILES) & (added <= THIN * n_files)
    may_fire = (
        (lines >= FEW_LINES) & ~is_thin & ~_tests_added(files) & ~case.each.flag("is_bot") & ~case.each.flag("is_bump")
    )
    value[~may_fire] = 0
    _without_mechanical(case, value)
    entries = files.told(
        logic, files.added, path="path", added="additions", fixes_before="n_fixes", changes_before="n_before"
    )
    known = case.each.flag("files_complete")
    return Measured(np.where(known, value, np.nan), together({"files": entries}, lines_added=added, tests_usual=tested))


def _logic(files: Files) -> Flags:
    """Source in which lines were added, scripts left out."""
    return files.category("source") & (files.added > 0) & ~files.is_one_of("language", *SCRIPTS)


def _tests_added(files: Files) -> Flags:
    """Where a line was added to a test, or perhaps was: its lines are unknown."""
    return files.count(files.category("test") & ((files.added > 0) | np.isnan(files.number("additions")))) > 0


def _tested(case: Case) -> Floats:
    """For each file, the share of earlier source changes in its area that came with tests."""
    files, areas = case.file_rows, case.rows("areas")
    share = (areas.number("n_tested") + PRIOR_TESTED) / (areas.number("n_source") + PRIOR_CHANGES)
    in_files, names = pd.factorize(files.frame["area"])
    in_areas = pd.Index(np.asarray(names, dtype=object)).get_indexer(areas.values("area"))
    of_files, of_areas = pair_codes(files.at, in_files, len(names)), pair_codes(areas.at, in_areas, len(names))
    order = np.argsort(of_areas)
    keys = np.append(of_areas[order], -1)
    found = np.searchsorted(keys[:-1], of_files)
    return np.where(keys[found] == of_files, np.append(share[order], 0)[found], PRIOR_TESTED / PRIOR_CHANGES)


def _without_mechanical(case: Case, value: Floats) -> None:
    """Sets to 0 what a title says is no change of behaviour."""
    subjects, kinds = case.each.values("subject"), case.each.values("kind")
    for place in np.flatnonzero(value > 0).tolist():
        subject = subjects[place] or ""
        if NO_LOGIC.search(subject) or (kinds[place] not in ("fix", "feat", "perf") and _MOVES.match(subject)):
            value[place] = 0


def tests_weakened(case: Case) -> Measured:
    """Were tests taken out, skipped or shortened?

    Formula: lines of test programs deleted beyond those added, less twice the lines that source lost on balance (a
        feature goes with its tests). Where patches are known, 20 for each test skipped, and for each test or assertion
        removed unless source went with it.
    Misses: a test that stays but asserts less; without patches, a test skipped by a marker.
    Source: test smells, van Deursen et al. 2001; Kim et al. 2021, Studying test annotation maintenance in the wild.
    Example: 60 lines of tests deleted, 15 added, source grows: 45.
    """
    files, signals = case.file_rows, case.rows("signals")
    tests, source = files.category("test") & ~files.is_one_of("language", None), files.category("source")
    loss = files.deleted - files.added
    lost_source = np.maximum(files.sum(loss, source), 0)
    lost = np.maximum(files.sum(loss, tests) - 2 * lost_source, 0)
    is_skip, is_any = signals.is_one_of("kind", "test-skipped"), signals.is_one_of("kind", *TEST_SIGNALS)
    is_told = is_skip | (is_any & (lost_source == 0)[signals.at])
    value = lost + SIGNAL_LINES * signals.count(is_told)
    entries = files.told(tests & (loss > 0), loss, path="path", added="additions", deleted="deletions", status="status")
    found = signals.told(is_told, is_skip.astype(float), path="path", line="line", kind="kind", detail="detail")

    evidence = together({"files": entries, "signals": found})
    return Measured(np.where(case.each.flag("files_complete"), value, np.nan), evidence)
