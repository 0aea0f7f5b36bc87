"""The files of the invented repository: what lies where, what changes together, what is born, moved and removed."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from data.demo.chance import Curve, draw
from data.demo.words import QUALIFIERS, VOCABULARY, Topic


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the repository."""

    folder: str
    weight: float  # how much happens here, relative to other areas
    code: str = "python"  # python, ts, go or "" for none
    core: tuple[str, ...] = ()  # stems that everything depends on
    extras: tuple[str, ...] = ()  # further files at the start


AREAS = {
    "scheduler": Area("orbit/sched", 1.5, core=("engine", "leases", "states"),
                      extras=("__init__", "models", "errors", "clock", "locks")),
    "planner": Area("orbit/planner", 1.4, core=("solver", "windows"),
                    extras=("__init__", "models", "errors", "units", "backends/greedy", "backends/lp", "backends/cp")),
    "storage": Area("orbit/storage", 1.3, core=("session", "migrations"),
                    extras=("__init__", "models", "types", "errors", "dialects/sqlite", "dialects/postgres")),
    "api": Area("orbit/api", 1.2, core=("schemas", "errors"), extras=("__init__", "app", "deps", "routes/health")),
    "console": Area("console/src", 1.4, "ts", ("lib/api.ts",), ("main.tsx", "App.tsx", "lib/types.ts", "lib/theme.ts",
                    "layout/Header.tsx", "passes/PassRow.tsx", "timeline/Lane.tsx", "map/MapView.tsx")),
    "agent": Area("agent", 0.8, "go", ("internal/link/link.go",), ("internal/log/log.go", "internal/rpc/server.go",
                  "internal/antenna/rotor.go")),
    "telemetry": Area("orbit/telemetry", 0.8, core=("decoder",), extras=("__init__", "models", "errors", "archive")),
    "cli": Area("orbit/cli", 0.6, extras=("__init__", "main", "style", "errors")),
    "auth": Area("orbit/auth", 0.6, core=("policy",), extras=("__init__", "models", "crypto")),
    "docs": Area("docs", 0.6, ""),
    "ci": Area("", 0.7, ""),
    "deploy": Area("deploy", 0.7, "", extras=("helm/orbit/Chart.yaml", "helm/orbit/README.md",
                   "helm/orbit/templates/service.yaml")),
}  # fmt: skip
RENAMED = (("orbit/sched/", "orbit/scheduler/"), ("tests/sched/", "tests/scheduler/"))
ROOT_FILES = (
    "README.md CHANGELOG.md docs/index.md pyproject.toml uv.lock Makefile config/orbit.toml orbit/__init__.py "
    "orbit/settings.py proto/orbit.proto orbit/telemetry/frames_pb2.py orbit/api/orbit_pb2.py "
    "agent/internal/pb/orbit.pb.go api/openapi.json console/src/api/client.gen.ts console/package.json "
    "console/package-lock.json agent/go.mod agent/go.sum console/src/i18n/en.json console/src/i18n/zh.json "
    ".github/CODEOWNERS .pre-commit-config.yaml"
).split()
VENDORED = tuple(f"third_party/sgp4/{name}" for name in ("sgp4.c", "sgp4.h", "deep.c", "init.c", "README", "LICENSE"))
# Files that change together, with how often they do: what the first needs, the second must follow.
COMPANIONS: dict[str, tuple[tuple[str, float], ...]] = {
    "orbit/api/schemas.py": (("api/openapi.json", 0.7), ("console/src/api/client.gen.ts", 0.6)),
    "orbit/api/passes.py": (("api/openapi.json", 0.4), ("console/src/api/client.gen.ts", 0.3)),
    "orbit/telemetry/decoder.py": (("orbit/telemetry/frames_pb2.py", 0.25), ("proto/orbit.proto", 0.25)),
    "agent/internal/rpc/client.go": (("agent/internal/pb/orbit.pb.go", 0.3), ("proto/orbit.proto", 0.3)),
    "deploy/helm/orbit/values.yaml": (("deploy/helm/orbit/README.md", 0.6),),
    "orbit/planner/windows.py": (("orbit/planner/eclipse.py", 0.3),),
    "orbit/storage/session.py": (("orbit/storage/dialects/postgres.py", 0.4),),
}
NEIGHBOURS = {  # whom a change drags along, the likeliest first
    "scheduler": ("planner", "storage", "telemetry"),
    "planner": ("scheduler", "api", "storage"),
    "storage": ("api", "scheduler", "planner"),
    "api": ("console", "cli", "auth", "storage"),
    "console": ("api",),
    "agent": ("telemetry",),
    "telemetry": ("storage", "agent", "api"),
    "cli": ("api", "auth"),
    "auth": ("api", "console"),
    "deploy": ("agent", "storage"),
}
MAX_FILES = 6_000  # memory stays flat however many pull requests are asked for
LINES: Curve = ((0, 12), (0.25, 70), (0.5, 160), (0.75, 330), (0.95, 800), (1, 1900))


@dataclass(slots=True)
class Plot:
    """The files of one area that pull requests may pick, and what they are about."""

    files: list[str] = field(default_factory=list)
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=40))
    topics: list[Topic] = field(default_factory=list)
    ideas: list[Topic] = field(default_factory=list)


class Tree:
    """The repository's files as of the last merge, and which of them are being worked on."""

    def __init__(self, rng: Random) -> None:
        self.lines: dict[str, int] = {}
        self.busy: Counter[str] = Counter()  # paths in pull requests under way that will be merged
        self.moves: list[tuple[str, str]] = []  # folders renamed so far
        self.plots = {name: Plot() for name in AREAS}
        self._about: dict[str, Topic] = {}  # what the new files of pull requests are about
        self._laps = dict.fromkeys(AREAS, 0)
        for path in (*ROOT_FILES, *VENDORED):
            self.lines[path] = int(draw(rng, LINES)) + 30
        for name, area in AREAS.items():
            words, plot = VOCABULARY[name], self.plots[name]
            plot.topics, plot.ideas = list(words.topics), list(words.ideas)
            self._found(rng, name, dict.fromkeys([*(topic.stem for topic in words.topics), *area.extras]))

    def _found(self, rng: Random, area: str, stems: Iterable[str]) -> None:
        for path in (self.path(area, stem) for stem in stems):
            self.lines[path] = int(draw(rng, LINES))
            self.plots[area].files.append(path)
            test = test_of(path)
            if test and "__init__" not in path and rng.random() < 0.8:
                self.lines[test] = int(draw(rng, LINES))
        if AREAS[area].code:
            self.lines[f"docs/reference/{area}.md"] = int(draw(rng, LINES))

    @cached_property
    def core(self) -> frozenset[str]:
        """The files that everything depends on."""
        return frozenset(self.path(name, stem) for name, area in AREAS.items() for stem in area.core)

    @property
    def is_full(self) -> bool:
        """Whether no more files are born."""
        return len(self.lines) >= MAX_FILES

    def path(self, area: str, stem: str) -> str:
        """The present path of a stem of an area."""
        folder = AREAS[area].folder
        if AREAS[area].code == "python":
            return self.moved(f"{folder}/{stem}.py")
        return f"{folder}/{stem}".lstrip("/")

    def moved(self, path: str) -> str:
        """Where a path is now, after the renames that have landed."""
        for old, new in self.moves:
            if path.startswith(old):
                return new + path[len(old) :]
        return path

    def is_taken(self, path: str) -> bool:
        return path in self.lines or path in self.busy

    def idea(self, rng: Random, area: str) -> Topic | None:
        """Something to build whose file does not exist; None when the repository is full or nothing is left to want."""
        plot = self.plots[area]
        if self.is_full:
            return None
        while plot.ideas or AREAS[area].code:
            plot.ideas = plot.ideas or self._next_lap(area)
            topic = plot.ideas.pop(rng.randrange(len(plot.ideas)))
            path = self.path(area, topic.stem)
            if not self.is_taken(path):
                self._about[path] = topic
                return topic
        return None

    def _next_lap(self, area: str) -> list[Topic]:
        """The first ideas once more, qualified: shared quotas, staged quotas ..."""
        rounds, which = divmod(self._laps[area], len(QUALIFIERS))
        self._laps[area] += 1
        prefix, zh = QUALIFIERS[which]
        return [
            topic._replace(
                stem=_prefixed(topic.stem, f"{prefix}{rounds + 1 if rounds else ''}_"),
                en=f"{'the ' * topic.en.startswith('the ')}{prefix} {topic.en.removeprefix('the ')}",
                zh=zh + topic.zh,
            )
            for topic in VOCABULARY[area].ideas
        ]

    def companion(self, rng: Random, area: str) -> str:
        """Another file of an area: more often than not one that changed lately."""
        plot = self.plots[area]
        return rng.choice(plot.recent if plot.recent and rng.random() < 0.6 else plot.files)

    def land(self, path: str, status: str, additions: int, deletions: int) -> None:
        """One file of a merged pull request, by its present path."""
        if status == "removed":
            self._remove(path)
            return
        is_new = path not in self.lines
        self.lines[path] = max(1, self.lines.get(path, 0) + additions - deletions)
        area = area_of(path)
        if area is None or not is_code(path):
            return
        plot = self.plots[area]
        plot.recent.append(path)
        if is_new:
            plot.files.append(path)
            if topic := self._about.get(path):
                plot.topics.append(topic)

    def _remove(self, path: str) -> None:
        self.lines.pop(path, None)
        plot = self.plots.get(area_of(path) or "")
        if plot and path in plot.files:
            plot.files.remove(path)
            plot.recent = deque((other for other in plot.recent if other != path), maxlen=plot.recent.maxlen)
            plot.topics = [topic for topic in plot.topics if topic != self._about.get(path)]

    def move(self, moves: Sequence[tuple[str, str]]) -> None:
        """Renames folders, for everything that is there or under way."""
        self.moves += moves
        self.__dict__.pop("core", None)  # paths have changed
        self.lines = {self.moved(path): lines for path, lines in self.lines.items()}
        self.busy = Counter({self.moved(path): count for path, count in self.busy.items()})
        self._about = {self.moved(path): topic for path, topic in self._about.items()}
        for plot in self.plots.values():
            plot.files = [self.moved(path) for path in plot.files]
            plot.recent = deque(map(self.moved, plot.recent), maxlen=plot.recent.maxlen)


def area_of(path: str) -> str | None:
    """The area whose source folder holds a path, by the folder's name before or after the rename."""
    first, _, rest = path.partition("/")
    return _AREA_OF_FOLDER.get(first if first == "agent" else f"{first}/{rest.partition('/')[0]}")


_AREA_OF_FOLDER = {area.folder: name for name, area in AREAS.items() if area.code}
_AREA_OF_FOLDER["orbit/scheduler"] = "scheduler"


def is_test(path: str) -> bool:
    return path.startswith("tests/") or ".test." in path or path.endswith("_test.go")


def is_code(path: str) -> bool:
    """Whether people write the file by hand, and not as a test or a step of a migration."""
    made = path.endswith(("_pb2.py", ".gen.ts", ".pb.go")) or "/versions/" in path
    return path.endswith((".py", ".ts", ".tsx", ".go")) and not made and not is_test(path)


def test_of(path: str) -> str | None:
    """Where the tests of a source file live; None where there are none by custom."""
    if path.startswith("orbit/") and path.endswith(".py") and path.count("/") >= 2:
        _, area, name = path.split("/", 2)
        return f"tests/{area}/test_{name.replace('/', '_')}"
    if path.startswith("console/src/") and path.endswith((".ts", ".tsx")):
        stem, _, suffix = path.rpartition(".")
        return f"{stem}.test.{suffix}"
    return path[:-3] + "_test.go" if path.endswith(".go") else None


def _prefixed(stem: str, prefix: str) -> str:
    folder, slash, name = stem.rpartition("/")
    return f"{folder}{slash}{prefix.title().replace('_', '') if name[0].isupper() else prefix}{name}"
