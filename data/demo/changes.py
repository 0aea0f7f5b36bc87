"""What a change of the invented team contains: which files, added or modified, with how many lines."""

from dataclasses import dataclass, field
from math import fsum
from random import Random

from data.demo.chance import Curve, draw
from data.demo.tree import AREAS, COMPANIONS, NEIGHBOURS, VENDORED, Tree, area_of, is_code, is_test, test_of
from data.demo.words import Subject
from data.records import FileRecord

SIZES: dict[str, Curve] = {  # lines of the change itself, without tests, generated and lock files
    "fix": ((0, 1), (0.1, 3), (0.25, 8), (0.5, 22), (0.75, 65), (0.9, 170), (0.97, 420), (1, 1300)),
    "feat": ((0, 6), (0.1, 28), (0.25, 75), (0.5, 180), (0.75, 420), (0.9, 900), (0.97, 2000), (1, 5200)),
    "refactor": ((0, 4), (0.1, 20), (0.25, 60), (0.5, 160), (0.75, 460), (0.9, 1150), (0.97, 2400), (1, 6000)),
    "perf": ((0, 4), (0.25, 30), (0.5, 75), (0.75, 180), (0.9, 420), (1, 1800)),
    "test": ((0, 4), (0.25, 30), (0.5, 75), (0.75, 160), (0.9, 360), (1, 1500)),
    "docs": ((0, 1), (0.25, 6), (0.5, 22), (0.75, 65), (0.9, 170), (1, 900)),
    "ci": ((0, 1), (0.25, 4), (0.5, 12), (0.75, 36), (0.9, 95), (1, 500)),
    "build": ((0, 1), (0.25, 4), (0.5, 14), (0.75, 42), (0.9, 110), (1, 600)),
    "chore": ((0, 1), (0.25, 5), (0.5, 16), (0.75, 50), (0.9, 140), (1, 800)),
}
DELETED: dict[str, tuple[float, float]] = {  # share of deleted lines, from and to
    "fix": (0.15, 0.5),
    "feat": (0.04, 0.25),
    "refactor": (0.35, 0.6),
    "perf": (0.25, 0.5),
    "test": (0.03, 0.3),
    "docs": (0.1, 0.4),
    "ci": (0.15, 0.5),
    "build": (0.25, 0.5),
    "chore": (0.3, 0.7),
}
TEST_FACTOR = {"fix": 0.85, "feat": 1.05, "refactor": 0.6, "perf": 0.6}  # of the author's habit to write tests
GENERATED: Curve = ((0, 8), (0.5, 60), (0.9, 400), (1, 1500))
WIDTH = ((15, 1), (90, 2), (300, 4), (900, 8), (2400, 16))  # up to so many lines, at most so many source files
SMALL_MATTERS = ("typos", "comment", "warning", "log why", "default", "dead links", "raise", "off-by-one", "colours")
LARGER_MATTERS = ("rewrite", "split", "interface", "add {t}", "support {t}", "first cut", "trace", "switch", "resume")
SPLIT_NAMES = ("types", "rules", "io", "state", "helpers")


@dataclass(slots=True)
class Change:
    """The files of a change, and what its author can say about them."""

    files: list[FileRecord] = field(default_factory=list)
    core: bool = False  # touches a file that everything depends on
    code_lines: int = 0  # of source code, tests left out

    @property
    def tested(self) -> bool:
        return any(is_test(file["path"]) for file in self.files)

    @property
    def documented(self) -> bool:
        return any(file["path"].startswith("docs/") for file in self.files)

    @property
    def churn(self) -> int:
        return sum((file["additions"] or 0) + (file["deletions"] or 0) for file in self.files)


def file_record(
    path: str, status: str, additions: int | None, deletions: int | None, old_path: str | None = None
) -> FileRecord:
    return FileRecord(path=path, old_path=old_path, status=status, additions=additions, deletions=deletions)


def compose(rng: Random, tree: Tree, about: Subject, *, size: float, test_habit: float) -> Change:
    """A change about a subject.

    Args:
        size: of the author's changes, relative to others.
        test_habit: how often the author writes tests, 0 to 1.
    """
    area, kind = about.topic.area, about.kind
    sizes = SIZES[kind if AREAS[area].code or kind == "docs" else "ci"]
    churn = max(1, int(draw(rng, sizes) * size))
    if any(word in about.pattern for word in SMALL_MATTERS):
        churn = min(churn, rng.randrange(1, 40))
    elif any(word in about.pattern for word in LARGER_MATTERS):
        churn = max(churn, rng.randrange(25, 70))
    main = tree.path(area, about.topic.stem)
    writer = _Writer(rng, tree, *DELETED[kind])
    if kind == "docs":
        _write_docs(writer, about, main, churn)
    elif kind == "test":
        writer.write(test_of(main) or main, churn)
    else:
        sources = _sources(rng, tree, about, main, churn)
        writer.spread(sources, churn)
        if AREAS[area].code:
            _write_around(writer, about, sources, churn)
            habit = test_habit * TEST_FACTOR.get(kind, 0.05) * (0.55 if churn < 12 else 1.0)
            if rng.random() < habit:
                _write_tests(writer, sources, churn)
    return summed(tree, writer.files)


def summed(tree: Tree, files: dict[str, FileRecord]) -> Change:
    """A change of these files, by path."""
    code = [file for path, file in files.items() if area_of(path) and is_code(path)]
    return Change(
        list(files.values()),
        core=not tree.core.isdisjoint(files),
        code_lines=sum((file["additions"] or 0) + (file["deletions"] or 0) for file in code),
    )


class _Writer:
    """Collects the files of one change; a path written twice keeps its first entry."""

    def __init__(self, rng: Random, tree: Tree, least_deleted: float, most_deleted: float) -> None:
        self.rng, self.tree, self.files = rng, tree, dict[str, FileRecord]()
        self._deleted = (least_deleted, most_deleted)

    def write(self, path: str, churn: int) -> None:
        if path in self.files:
            return
        present = self.tree.lines.get(path)
        if present is None:
            self.files[path] = file_record(path, "added", max(1, churn), 0)
            return
        low, high = self._deleted
        deletions = min(int(churn * (low + (high - low) * self.rng.random()) + self.rng.random()), present - 1)
        additions = max(churn - deletions, 0 if deletions else 1)
        self.files[path] = file_record(path, "modified", additions, deletions)

    def spread(self, paths: list[str], churn: int) -> None:
        """Divides lines among files, the first getting most."""
        weights = [3.0 if i == 0 else 0.2 + self.rng.random() for i in range(len(paths))]
        total = fsum(weights)  # `sum` rounds otherwise since Python 3.12
        for path, weight in zip(paths, weights, strict=True):
            self.write(path, max(1, int(churn * weight / total)))

    def remove(self, path: str) -> None:
        self.files[path] = file_record(path, "removed", 0, self.tree.lines[path])


def _sources(rng: Random, tree: Tree, about: Subject, main: str, churn: int) -> list[str]:
    """The main file, and as many others as a change of that size drags along."""
    area = about.topic.area
    widest = next((width for lines, width in WIDTH if churn <= lines), 24)
    paths = [main]
    if about.text.startswith("split `") and not tree.is_full:
        stem, dot, suffix = main.rpartition(".")
        paths += [new for name in rng.sample(SPLIT_NAMES, 2) if not tree.is_taken(new := f"{stem}_{name}{dot}{suffix}")]
    if tree.plots[area].files:
        paths += [tree.companion(rng, area) for _ in range(rng.randint(0, widest - 1))]
    near = NEIGHBOURS.get(area, ())
    if near and churn > 30 and rng.random() < 0.22:
        neighbour = near[rng.randrange(rng.randint(1, len(near)))]
        paths += [tree.companion(rng, neighbour) for _ in range(1 + widest // 5)]
    return list(dict.fromkeys(paths))


def _write_around(writer: _Writer, about: Subject, sources: list[str], churn: int) -> None:
    """What a change of source code needs beside it: generated files, settings, words, documentation."""
    rng, area = writer.rng, about.topic.area
    for source in sources:
        for companion, how_often in COMPANIONS.get(source, ()):
            if rng.random() < how_often:
                writer.write(companion, int(draw(rng, GENERATED)) if "json" in companion or "gen" in companion else 6)
    if about.topic.sort == "s" and area != "agent" and rng.random() < 0.6:
        writer.spread(["config/orbit.toml", "orbit/settings.py"], min(churn, 20))
    if about.topic.sort == "v" and about.kind == "feat" and rng.random() < 0.6:
        languages = ["console/src/i18n/en.json", "console/src/i18n/zh.json"]
        writer.spread(languages[: 1 if rng.random() < 0.25 else 2], 2 + churn // 40)
    if area == "storage" and about.kind in {"feat", "refactor"} and rng.random() < 0.3 and not writer.tree.is_full:
        slug = about.topic.stem.rpartition("/")[2]
        path = f"orbit/storage/versions/{rng.randrange(16**8):08x}_{slug}.py"
        writer.write(path, rng.randrange(24, 70))
    if rng.random() < (0.8 if about.breaking else 0.16 if about.kind == "feat" else 0.02):
        page = "docs/operations/upgrading.md" if about.breaking else f"docs/reference/{area}.md"
        writer.write(page, 4 + rng.randrange(30))
    if about.breaking:
        writer.write("CHANGELOG.md", 1 + rng.randrange(4))
    if about.text.startswith("remove dead code") and rng.random() < 0.6:
        _remove_one(writer, area)


def _remove_one(writer: _Writer, area: str) -> None:
    """Removes a file that some split or feature brought and that nobody is working on."""
    tree = writer.tree
    named = {tree.path(area, topic.stem) for topic in tree.plots[area].topics}
    loose = [path for path in tree.plots[area].files if path not in named and not tree.busy[path]]
    loose = [
        path for path in loose if path not in writer.files and path.rpartition("_")[2].partition(".")[0] in SPLIT_NAMES
    ]
    if loose:
        writer.remove(writer.rng.choice(loose))


def _write_tests(writer: _Writer, sources: list[str], churn: int) -> None:
    tests = [test for test in map(test_of, sources) if test and "__init__" not in test]
    wanted = tests[: 1 + len(tests) // 3]
    for test in wanted:
        writer.write(test, max(3, int(churn * (0.25 + writer.rng.random()) / len(wanted))))


def _write_docs(writer: _Writer, about: Subject, main: str, churn: int) -> None:
    page = main if about.topic.area == "docs" else f"docs/reference/{about.topic.area}.md"
    writer.write(page, churn)
    if churn > 60 and writer.rng.random() < 0.4:
        writer.write("docs/index.md", 2)
    if "screenshots" in about.text or "diagram" in about.text:
        picture = f"docs/images/{about.topic.area}-{writer.rng.randrange(12):02d}.png"
        status = "modified" if picture in writer.tree.lines else "added"
        writer.files[picture] = file_record(picture, status, None, None)


def rebase(tree: Tree, change: Change) -> None:
    """Fits a change to what landed since it was opened: a file may have come or gone meanwhile."""
    for changed in change.files:
        exists = changed["path"] in tree.lines
        if changed["status"] == "added" and exists:
            changed["status"] = "modified"
        elif changed["status"] == "modified" and not exists:
            changed["status"], changed["deletions"] = "added", changed["deletions"] and 0


def undone(tree: Tree, files: list[FileRecord]) -> Change:
    """The files of a revert: every line back, a new file removed unless others are working on it."""
    back: dict[str, FileRecord] = {}
    for old in files:
        path = tree.moved(old["path"])
        additions, deletions = old["deletions"], old["additions"]
        present = tree.lines.get(path)
        if present is None:
            back[path] = file_record(path, "added", max(1, additions or 0), 0)
        elif old["status"] == "added" and not tree.busy[path] and additions is not None:
            back[path] = file_record(path, "removed", 0, present)
        else:
            deletions = None if deletions is None else min(deletions, present - 1)
            back[path] = file_record(path, "modified", additions, deletions)
    return summed(tree, back)


def repaired(rng: Random, tree: Tree, about: Subject, files: list[FileRecord]) -> Change:
    """The files of a repair: some of those that the broken change touched, rewritten in part, mostly with a test."""
    paths = [tree.moved(old["path"]) for old in files if old["status"] != "removed"]
    sources = [path for path in paths if area_of(path) and is_code(path) and path in tree.lines]
    main = tree.path(about.topic.area, about.topic.stem)
    known = list(dict.fromkeys([main, *sources] if main in tree.lines else sources)) or [main]
    hit = known[: rng.randint(1, min(4, len(known)))]
    churn = max(2, int(draw(rng, SIZES["fix"])))
    writer = _Writer(rng, tree, *DELETED["fix"])
    writer.spread(hit, churn)
    if rng.random() < 0.6:
        _write_tests(writer, hit, churn)
    return summed(tree, writer.files)


def vendored(rng: Random, tree: Tree) -> Change:
    """A new version of the vendored library: thousands of lines nobody here wrote."""
    writer = _Writer(rng, tree, 0.3, 0.5)
    for path in VENDORED:
        writer.write(path, rng.randrange(40, 1400))
    return summed(tree, writer.files)
