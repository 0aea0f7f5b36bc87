"""Risk rules about what a change touches: places, size, contracts, dependencies, markers."""

import re

import numpy as np

from analysis.missing_tests import NO_LOGIC, SCRIPTS
from analysis.paths import NOISE, classify
from analysis.risk_case import Case, Files, Flags, Floats, Measured, Rows, simply, together
from analysis.sizes import uncounted

FULL_EXTENT = 50  # lines changed in a file from which on it counts as fully changed
BY_THE_LINE = 10  # a file in which as many lines were added as deleted, at most so many, had a name replaced in it
FIRST_LINES, FULL_LINES = 30, 900  # lines of source at which size begins to count, and counts in full
LEADING = 0.5  # share of the largest value from which on a file is told
FEW_LINES = 10
_RENAMES = re.compile(r"\b(renam|mov(e|ing)\b|relocat)|重命名|改名|更名|移动", re.IGNORECASE)
_NEWS = re.compile(r"(.*/)?(changelog|changes|history|news|release[-_]?notes?|whats[-_]?new)\b[^/]*", re.IGNORECASE)
# Folders at the top and files there that hold what developers run: nobody imports it.
_OWN_TOOLS = re.compile(
    r"(scripts?|tools?|hack|bin|dev|devtools|misc|bench(mark)?(s|es)?|xtask|\.\w[^/]*)/|(setup|noxfile|fabfile|dodo|tasks)\.py$",
    re.IGNORECASE,
)
_NOT_OWN = NOISE | {"test", "docs"}  # what nobody who uses the project relies on, or what others wrote
SEEN_BEFORE = 5  # earlier changes from which on a file has a history to know
NEWCOMER = 3  # changes in an area from which on its author knows it
COARSE = 0.5  # of a rule's points, where files tell what only a patch could prove
NAMES = ("name-removed", "signature-changed")
# Kinds of signals, the most telling first.
SETTINGS = ("config-key-removed", "config-key-changed", "default-changed")
MARKERS = ("raise-in-finally", "bare-except", "assert", "todo")


def core_path(case: Case) -> Measured:
    """Was a place changed that most of the project's changes go through, and how much?

    Formula: the largest product, over files of source and settings, of coreness (0 to 1: how much of all earlier change
        went to the file and its folder) and of the logarithm of the lines changed in it, full at 50. 1 for a configured
        core path.
    Misses: code that all depends on but nobody needs to change; history before the cache begins; a renamed file starts
        anew.
    Source: Nagappan and Ball 2005, relative code churn; Zimmermann and Nagappan 2008 on central files.
    Example: 20 lines in a file of coreness 0.9: 0.9 x log 21 / log 51 = 0.70.
    """
    files = case.file_rows
    extent = np.minimum(np.log1p(files.lines) / np.log1p(FULL_EXTENT), 1)
    value = np.where(files.is_under(case.core_paths), 1.0, files.coreness * extent)
    columns = {"path": "path", "coreness": "coreness", "changes_before": "n_before"}
    return _largest(files, value, **columns)


def hotspot(case: Case) -> Measured:
    """Was a file changed that is changed often and much?

    Formula: the largest over files of source and settings: the square root of its share of earlier pull requests times
        its share of their lines, divided by that of the hottest file. 1 for a configured hot path.
    Misses: whether the file is hot because it is bad or because it is a list that everything is entered into.
    Source: Tornhill 2015, Your Code as a Crime Scene.
    Example: a file with half of the changes and half of the lines of the hottest: 0.5.
    """
    files = case.file_rows
    value = np.where(files.is_under(case.hot_paths), 1.0, files.number("hotspot"))
    columns = {"path": "path", "hotspot": "hotspot", "changes_before": "n_before", "lines_before": "churn_before"}
    return _largest(files, value, **columns)


def _largest(files: Files, value: Floats, **columns: str) -> Measured:
    """The largest value of a change's code, told by the files that come near it."""
    most = files.most(value, files.is_code)
    leading = files.is_code & (value >= LEADING * most[files.at])
    return Measured(most, together({"files": files.told(leading, value, **columns)}))


def large_change(case: Case) -> Measured:
    """Is there more code in the change than a reviewer takes in?

    Formula: lines added and deleted in source; files deleted whole, tests, documents, settings, generated, vendored and
        lock files left out. Where no file is known, or not the lines of each, the declared lines. Points grow with
        their logarithm from 30 lines on, in full at 900.
    Misses: how hard the lines are; a file moved where the source of data does not tell renames counts twice.
    Source: Cohen et al. 2006, Best Kept Secrets of Peer Code Review: beyond 400 lines reviewers find fewer defects.
    Example: 350 lines added and 80 deleted in source, 900 in a lock file: 430.
    """
    files = case.file_rows
    counts = files.category("source") & ~files.is_removed
    has_files = files.count(np.ones(len(files.at), dtype=bool)) > 0
    is_counted = has_files & (files.count(uncounted(files.frame)) == 0)
    value = np.where(is_counted, files.sum(files.lines, counts), case.each.number("weighted_lines"))
    entries = files.told(counts & (files.lines > 0), files.lines, path="path", added="additions", deleted="deletions")
    told = together({"files": entries}, n_files=files.count(counts))
    return Measured(value, told, weight=graded(value, FIRST_LINES, FULL_LINES))


def graded(value: Floats, first: float, full: float) -> Floats:
    """How far a value is on the way from `first` to `full`, by its logarithm: 0 to 1."""
    return np.clip(np.log(np.maximum(value, 1) / first) / np.log(full / first), 0, 1)


def wide_rename(case: Case) -> Measured:
    """Were files or names renamed across the project, which breaks what is not in it?

    Formula: files renamed; where one was, or the title speaks of a rename, also files of source other than shell
        scripts in which as many lines were added as deleted, at most 10, unless the title names typos, lints, types or
        comments. Where the source of data does not tell
        renames, files without a changed line count as renamed, pictures and the like left out.
    Misses: a name replaced everywhere under a title that does not say so; a rename together with larger edits; whether
        anything outside uses the old name.
    Source: Dig and Johnson 2006: most changes that break users of an interface are refactorings.
    Example: a folder of 14 files moved: 14.
    """
    files = case.file_rows
    untold = files.is_one_of("status", None) & (files.lines == 0) & ~np.isnan(files.number("additions"))
    untold &= ~files.category("asset", "data")
    by_the_line = files.category("source") & ~files.is_one_of("language", *SCRIPTS)
    by_the_line &= (files.added == files.deleted) & (files.added > 0)
    is_renamed = files.is_one_of("status", "renamed") | untold
    is_told = (_says(case, _RENAMES) | (files.count(is_renamed) > 0)) & ~_says(case, NO_LOGIC)
    counts = is_renamed | (by_the_line & (files.added <= BY_THE_LINE) & is_told[files.at])
    entries = files.told(counts, is_renamed.astype(float), path="path", status="status", added="additions")
    return Measured(files.count(counts), together({"files": entries}, n_renamed=files.count(is_renamed)))


def _says(case: Case, words: re.Pattern[str]) -> Flags:
    return np.array([words.search(subject or "") is not None for subject in case.each.values("subject")], dtype=bool)


def breaking(case: Case) -> Measured:
    """Does the change say that it breaks something for its users?

    Formula: 1 if title, labels or description declare a breaking change, else 0.
    Misses: what breaks without being declared; see public-api and config-contract.
    Source: Conventional Commits 1.0; each project's own mark, such as [BREAKING].
    Example: "feat(api)!: drop v1": 1.
    """
    return Measured(case.each.flag("is_breaking").astype(float), simply(subject=case.each.values("subject")))


def public_api(case: Case) -> Measured:
    """Were names that others may use removed, or are they called otherwise now?

    Formula: public names removed and signatures changed, where the patch is known, outside tests, examples, vendored
        and generated code and developers' own tools (`scripts/`, `setup.py` and the like at the top). Else, for half of
        the points, front files (such as `__init__.py`, `lib.rs`, a schema) that lost lines.
    Misses: behaviour that changes under the same name; languages that are not read; names public only by convention.
    Source: Brito et al. 2018, Why and how Java developers break APIs.
    Example: two functions removed, one given a new argument without default: 3.
    """
    files = case.file_rows
    front = files.category("source") & files.flag("is_interface") & (files.deleted > 0)
    return _contract(case, NAMES, front, apart=_OWN_TOOLS)


def config_contract(case: Case) -> Measured:
    """Were settings that users have removed or renamed, or do they mean something else by default?

    Formula: keys removed or changed and defaults changed outside tests, examples, vendored and generated files, where
        the patch is known. Else, for half of the points, files of settings that ship with the code and lost lines.
    Misses: settings read from the environment; keys that nobody sets.
    Source: Xu et al. 2015, Hey, you have given me too many knobs; Sayagh et al. 2020 on configuration engineering.
    Example: a key renamed and a default changed: 2.
    """
    files = case.file_rows
    shipped = files.category("config") & files.flag("is_interface") & (files.deleted > 0)
    return _contract(case, SETTINGS, shipped)


def _contract(case: Case, kinds: tuple[str, ...], coarse: Flags, apart: re.Pattern[str] | None = None) -> Measured:
    """What signals of some kinds say in the project's own code, outside some paths; files where no patch is known."""
    files, signals, is_known = case.file_rows, case.rows("signals"), case.each.flag("patches_known")
    found = _own_code(signals) & signals.is_one_of("kind", *kinds) & _outside(signals, apart)
    coarse = coarse & ~is_known[files.at] & _outside(files, apart)
    value = np.where(is_known, signals.count(found), files.count(coarse))
    by_kind = _by_kind(signals, kinds)
    evidence = {
        "signals": signals.told(found, by_kind, path="path", line="line", kind="kind", detail="detail"),
        "files": files.told(coarse, files.deleted, path="path", deleted="deletions"),
    }
    return Measured(value, together(evidence), np.where(is_known, 1.0, COARSE))


def _own_code(signals: Rows) -> Flags:
    return np.array([classify(path).category not in _NOT_OWN for path in signals.values("path")], dtype=bool)


def _outside(rows: Rows, apart: re.Pattern[str] | None) -> Flags:
    return np.array([apart is None or apart.match(path) is None for path in rows.values("path")], dtype=bool)


def _by_kind(signals: Rows, kinds: tuple[str, ...]) -> Floats:
    """The kinds named first are the most telling."""
    weight = {kind: float(len(kinds) - place) for place, kind in enumerate(kinds)}
    return np.array([weight.get(kind, 0.0) for kind in signals.values("kind").tolist()])


def dependency_change(case: Case) -> Measured:
    """Does the project build on other versions now?

    Formula: manifests and lock files changed; where the patch is known, the larger of that and of the versions moved. A
        bot's change counts for 0.4 of the points, a change to lock files alone for 0.3.
    Misses: what the new versions do; packages installed in scripts; settings of tools that share a manifest.
    Source: Pashchenko et al. 2020 on the risks of updating; OpenSSF Scorecard, Pinned-Dependencies.
    Example: `pyproject.toml` and `uv.lock` changed by a person: 2.
    """
    files, signals = case.file_rows, case.rows("signals")
    manifests = files.category("dependency") & (files.lines > 0)
    touched = manifests | (files.category("lock") & (files.lines > 0))
    moved = signals.is_one_of("kind", "version-moved")
    value = np.maximum(files.count(touched), np.where(files.count(touched) > 0, signals.count(moved), 0))
    weight = np.where(files.count(manifests) == 0, 0.3, np.where(case.each.flag("is_bot"), 0.4, 1.0))
    evidence = {
        "files": files.told(
            touched, manifests * 1e9 + files.lines, path="path", added="additions", deleted="deletions"
        ),
        "moved": signals.told(moved, np.ones(len(moved)), path="path", detail="detail"),
    }
    return Measured(value, together(evidence), weight)


def ci_or_container(case: Case) -> Measured:
    """Was anything changed that builds, checks or ships the project?

    Formula: files of continuous integration and of containers with a changed line.
    Misses: jobs that are kept elsewhere; scripts they call.
    Source: Rahman et al. 2019, defects in infrastructure as code.
    Example: a workflow and a Dockerfile changed: 2.
    """
    files = case.file_rows
    touched = files.category("ci", "container") & (files.lines > 0)
    entries = files.told(touched, files.lines, path="path", added="additions", deleted="deletions")
    return Measured(files.count(touched), together({"files": entries}))


def unfamiliar_area(case: Case) -> Measured:
    """Does most of the change lie in files with a history that its author had no part in?

    Formula: of the lines changed in source files with 5 earlier changes or more, the share in files that the author had
        not changed before. 0 where the author had merged 3 times or more in the areas touched, under 10 such lines, and
        for bots.
    Misses: what the author knows from reviews, other repositories or under another name; what is not cached.
    Source: Kamei et al. 2013 (experience in the subsystem); Bird et al. 2011, Don't touch my code.
    Example: 30 of 40 lines in files new to an author with one earlier change in the area: 0.75.
    """
    files = case.file_rows
    known = files.category("source") & (files.number("n_before") >= SEEN_BEFORE) & (files.lines > 0)
    foreign = known & (files.number("by_author") == 0)
    lines = files.sum(files.lines, known)
    value = files.sum(files.lines, foreign) / np.maximum(lines, 1)
    earlier = case.each.number("sexp")
    value[(earlier >= NEWCOMER) | (lines < FEW_LINES) | case.each.flag("is_bot")] = 0
    is_known = (case.each.number("author_id") >= 0) & ~case.each.is_one_of("author_type", "ghost")
    entries = files.told(foreign, files.lines, path="path", changes_before="n_before")
    first = case.each.number("exp") == 0
    facts = together({"files": entries}, first_change=first, earlier_in_area=earlier)
    return Measured(np.where(is_known, value, np.nan), facts)


def missing_companion(case: Case) -> Measured:
    """Was a file left out that nearly always goes with one that was changed?

    Formula: of the earlier narrow changes of the file, the share that changed the companion too; the largest. Change
        logs are no companions. 0 where the title names typos, lints, types or comments: such a change needs none.
    Misses: companions that are no longer needed; files that usually go together only in changes to many files; what a
        linter does, where the project is one.
    Source: Zimmermann et al. 2005, Mining version histories to guide software changes.
    Example: 9 of 10 earlier changes of api.py changed api.md too, this one did not: 0.9.
    """
    pairs = case.rows("companions")
    share = pairs.number("n_together") / np.maximum(pairs.number("n_before"), 1)
    # What is new is written down with any change: no file lacks it more than another.
    every = np.array([_NEWS.fullmatch(path) is None for path in pairs.values("companion")], dtype=bool)
    columns = {"path": "path", "companion": "companion", "together": "n_together", "changes_before": "n_before"}
    value = np.where(_says(case, NO_LOGIC), 0, pairs.most(share, every))
    value[~case.each.flag("files_complete")] = np.nan
    return Measured(value, together({"companions": pairs.told(every, share, **columns)}))


def new_markers(case: Case) -> Measured:
    """Does the change bring in marks of unfinished or fragile code?

    Formula: TODO, FIXME, HACK or temporary marks, bare or swallowing except, work that can raise inside finally, and
        assertions, added outside tests, examples, vendored and generated code. Half of the points where there is
        nothing but TODOs.
    Misses: what is unfinished without a mark; marks that were there before.
    Source: Potdar and Shihab 2014, self-admitted technical debt.
    Example: one TODO and one bare except: 2.
    """
    signals = case.rows("signals")
    found = _own_code(signals) & signals.is_one_of("kind", *MARKERS)
    by_kind = _by_kind(signals, MARKERS)
    only_todos = signals.most(by_kind, found) <= 1
    entries = signals.told(found, by_kind, path="path", line="line", kind="kind", detail="detail")
    return Measured(signals.count(found), together({"signals": entries}), np.where(only_todos, 0.5, 1.0))
