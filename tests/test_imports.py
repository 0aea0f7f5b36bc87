"""Imports run data -> analysis -> dashboard and never ahead, libraries stay in their layer, `--help` stays light."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LAYERS = ("data", "analysis", "dashboard")  # each may import itself and those before it
DASHBOARD_ONLY, DATA_ONLY, GITHUB_ONLY = "dashboard/", "data/", "data/github.py"
HOMES = {
    "streamlit": DASHBOARD_ONLY,
    "plotly": DASHBOARD_ONLY,
    "sqlite3": DATA_ONLY,
    "sqlite_utils": DATA_ONLY,
    "github": GITHUB_ONLY,
}
HEAVY = ("pandas", "numpy", "pyarrow", "streamlit", "plotly", "sqlite_utils", "github", "jinja2", "babel")


def violations(root: Path) -> list[str]:
    """One line for each import that goes where it must not, as `analysis/risk.py:3 imports dashboard.charts`."""
    return [f"{name}:{line} imports {target}" for name, line, target in all_imports(root) if not allowed(name, target)]


def all_imports(root: Path) -> Iterator[tuple[str, int, str]]:
    """Module, line and imported name, over the three packages."""
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            for line, target in imports(path.read_text(encoding="utf-8"), name):
                yield name, line, target


def imports(source: str, name: str) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of every import, wherever it stands: in functions, relative, or by `import_module`."""
    package = Path(name).parent.parts
    for node in ast.walk(ast.parse(source, name)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                # `from ..summary import x` in analysis/wording/en.py starts at analysis/
                start = package[: len(package) - level + 1] if level else ()
                base = [*start, *([module] if module else [])]
                yield from ((node.lineno, ".".join([*base, alias.name])) for alias in names)
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module" | "__import__"),
                args=[ast.Constant(value=str(target)), *_],
            ):
                yield node.lineno, target


def allowed(name: str, target: str) -> bool:
    layer, imported = name.split("/")[0], target.split(".")[0]
    if imported in LAYERS:
        return LAYERS.index(imported) <= LAYERS.index(layer)
    return name.startswith(HOMES.get(imported, ""))


def test_imports_run_from_data_to_analysis_to_dashboard():
    assert violations(ROOT) == []


@pytest.mark.parametrize(
    ("name", "source", "target"),
    [
        ("data/store.py", "import analysis.titles", "analysis.titles"),
        ("data/store.py", "from analysis import titles", "analysis.titles"),
        ("data/store.py", "def save():\n    from dashboard.charts import trend", "dashboard.charts.trend"),
        ("analysis/wording/en.py", "from ...dashboard import charts", "dashboard.charts"),
        ("analysis/wording/en.py", "from ... import dashboard", "dashboard"),
        ("analysis/risk.py", "import importlib\nimportlib.import_module('dashboard.app')", "dashboard.app"),
        ("analysis/risk.py", "if TYPE_CHECKING:\n    import streamlit as st", "streamlit"),
        ("data/demo.py", "import plotly.graph_objects as go", "plotly.graph_objects"),
        ("data/clone.py", "from github import Github", "github.Github"),
        ("dashboard/loaders.py", "import sqlite3", "sqlite3"),
        ("analysis/derive.py", "from sqlite_utils import Database", "sqlite_utils.Database"),
    ],
)
def test_an_import_that_runs_ahead_or_leaves_its_layer_is_found(tmp_path, name, source, target):
    plant(tmp_path, name, source)
    [found] = violations(tmp_path)
    assert found.startswith(f"{name}:") and found.endswith(f" imports {target}")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "dashboard/app_pages/risk.py",
            "import streamlit\nfrom analysis import risk\nfrom data.store import load_pulls",
        ),
        ("dashboard/cli.py", "from . import charts"),
        ("analysis/wording/en.py", "from ..summary import facts\nfrom data import schema"),
        ("data/github.py", "from github import Github\nimport sqlite3"),
    ],
)
def test_imports_within_a_layer_and_back_along_the_line_are_fine(tmp_path, name, source):
    plant(tmp_path, name, source)
    assert violations(tmp_path) == []


def test_no_module_of_the_dashboard_hides_another_one_under_streamlit_run():
    """`streamlit run dashboard/app.py` puts dashboard/ first on the path: a calendar.py there would hide Python's."""
    ours = {path.stem for path in (ROOT / "dashboard").glob("*.py")}
    ours |= {path.parent.name for path in (ROOT / "dashboard").glob("*/__init__.py")}
    others = sys.stdlib_module_names | packages_distributions().keys()
    assert not ours & others


def test_every_library_imported_is_asked_for():
    """One that only comes along with another library is gone when that one drops it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    asked_for = {canonicalize_name(Requirement(one).name) for names in lists for one in names}
    libraries = {target.split(".")[0] for _, _, target in all_imports(ROOT)} - sys.stdlib_module_names - set(LAYERS)
    owners = packages_distributions()
    unasked = {name for name in libraries if asked_for.isdisjoint(map(canonicalize_name, owners.get(name, [name])))}
    assert unasked == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["report", "--help"],
        ["compare", "--help"],
        ["export", "--help"],
        ["import", "clone", "--help"],
    ],
)
def test_help_answers_without_importing_anything_heavy(arguments):
    script = (
        "import sys\n"
        "from dashboard.cli import main\n"
        "sys.argv[0] = 'merge-window'\n"
        "try:\n"
        "    code = main()\n"
        "except SystemExit as end:\n"
        "    code = end.code\n"
        f"print('heavy:', *sorted(sys.modules.keys() & set({HEAVY})))\n"
        "sys.exit(code)\n"
    )
    answer = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=60)
    assert answer.returncode == 0, answer.stderr
    *words, heavy = answer.stdout.splitlines()
    assert words
    assert heavy == "heavy:"


def plant(root: Path, name: str, source: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True)
    path.write_text(source, encoding="utf-8")
