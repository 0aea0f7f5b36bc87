"""The people and bots of the invented team, with their habits."""

from dataclasses import dataclass
from random import Random

from data.people import Person, person
from data.trailers import co_authors


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """Somebody of the team, with habits."""

    who: Person
    zone: str = "EU"  # CN, EU or US
    hours: tuple[int, int] = (9, 18)  # local
    pace: float = 1.0  # pull requests, relative to the others
    areas: tuple[str, ...] = ()  # best known first
    habits: tuple[str, ...] = ("bracket",)  # how titles are styled, the first by far the most
    moods: tuple[str, ...] = ("template", "prose", "terse")  # how bodies are written
    joined: float = 0.0  # share of the whole time
    left: float = 1.1
    tests: float = 0.7  # how often code comes with tests
    size: float = 1.0  # how large changes are, relative to the others
    weekend: float = 0.06
    assistant: float = 0.0  # share of changes co-authored by a coding assistant
    lead: bool = False  # may merge anything

    @property
    def login(self) -> str:
        return self.who["login"] or "ghost"


def _member(
    login: str, name: str, zone: str, hours: tuple[int, int], pace: float, areas: str, **more: object
) -> Member:
    who = person(login, name=name, email=f"{login}@acme.example")
    habits, moods = str(more.pop("habits", "bracket")).split(), str(more.pop("moods", "template prose terse")).split()
    return Member(who, zone, hours, pace, tuple(areas.split()), tuple(habits), tuple(moods), **more)  # type: ignore[arg-type]


TEAM = (
    _member("linmei", "Lin Mei", "CN", (9, 19), 1.3, "scheduler planner storage",
            habits="bracket zh zh-bracket zh", moods="template prose zh", tests=0.8, lead=True),
    _member("tbrandt-acme", "Tobias Brandt", "EU", (8, 17), 1.25, "storage deploy api", moods="prose prose template",
            tests=0.8, lead=True),
    _member("akowalska-dev", "Anna Kowalska", "EU", (9, 17), 1.2, "console api", habits="conventional",
            moods="template terse prose", tests=0.65),
    _member("jreyes-orbit", "Julia Reyes", "US", (8, 17), 1.15, "api auth scheduler",
            habits="conventional conventional plain", moods="prose template", tests=0.85, lead=True),
    _member("wanghao-sat", "Wang Hao", "CN", (10, 21), 1.2, "planner scheduler", habits="bracket zh zh-bracket sloppy",
            moods="zh terse template zh bare", tests=0.5, size=1.3, weekend=0.2),
    _member("cadeyemi", "Chidi Adeyemi", "EU", (9, 18), 1.0, "telemetry agent", habits="bracket plain",
            moods="prose terse", tests=0.75),
    _member("sfournier-docs", "Sophie Fournier", "EU", (9, 16), 0.85, "docs cli console", habits="plain",
            moods="prose prose empty", tests=0.7, size=0.8),
    _member("pkallio", "Petri Kallio", "EU", (7, 15), 0.9, "agent ci deploy", habits="plain bracket",
            moods="terse empty terse", tests=0.6, size=0.7),
    _member("zhouyi-fe", "Zhou Yi", "CN", (10, 20), 1.1, "console api", habits="emoji zh bracket zh",
            moods="terse zh template prose bare", joined=0.2, tests=0.45, weekend=0.12, assistant=0.25),
    _member("nhaddad", "Nadia Haddad", "EU", (9, 18), 0.95, "storage telemetry planner", habits="bracket conventional",
            moods="template prose", joined=0.38, tests=0.85),
    _member("gthornton-ops", "Greg Thornton", "US", (7, 16), 0.9, "deploy ci auth", habits="plain sloppy",
            moods="empty terse bare terse", left=0.62, tests=0.3),
    _member("chenxu-db", "Chen Xu", "CN", (9, 18), 0.9, "storage scheduler", habits="bracket zh-bracket zh",
            moods="template zh", left=0.45, tests=0.7),
    _member("ellis-ward", "Ellis Ward", "US", (10, 15), 0.45, "cli docs", habits="plain conventional",
            moods="prose terse", tests=0.7, size=0.7),
    _member("ravi-subra", "Ravi Subramanian", "US", (9, 19), 1.25, "scheduler api telemetry", habits="sloppy bracket",
            moods="template bare prose terse", joined=0.68, tests=0.4, size=1.7, weekend=0.15, assistant=0.5),
)  # fmt: skip
ASSISTANTS = co_authors(
    "Co-authored-by: Copilot <198982749+copilot@users.noreply.github.com>\n"
    "Co-authored-by: Claude <noreply@anthropic.com>"
)
GHOST = Member(person(), areas=("api",), tests=0.3)
DEPENDABOT, RENOVATE, RELEASER, COPILOT = (
    Member(person(login), moods=("terse",), tests=0.6)
    for login in ("dependabot[bot]", "renovate[bot]", "orbit-release[bot]", "copilot-swe-agent[bot]")
)
GIVEN = tuple("Amir Bea Carlos Dana Emeka Freya Goran Hana Ines Jonas Kaito Leila Marek Nora Omar Priya".split())
FAMILY = tuple("Abara Bianchi Costa Dubois Eriksen Fischer Garcia Hoang Ito Jansen Kovacs Lund Moreau Novak".split())


def guest(rng: Random) -> Member:
    """An outside contributor, seldom the same one twice."""
    given, family = rng.choice(GIVEN), rng.choice(FAMILY)
    login = f"{given}{family}{rng.randrange(100):02d}".lower()
    who = person(login, name=f"{given} {family}", email=f"{login}@mail.example")
    zone, area = rng.choice(("CN", "EU", "US")), rng.choice(("docs", "cli", "api", "console", "deploy", "agent"))
    return Member(
        who, zone, (8, 23), areas=(area,), habits=("plain", "conventional"), moods=("prose", "bare"), tests=0.4
    )
