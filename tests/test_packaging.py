"""What is built holds all it needs, starts away from the checkout, and the pins fit what pyproject.toml asks for."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PACKAGES = ("data", "analysis", "dashboard")
PINS = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; .+)? \\$", re.MULTILINE)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the wheel and the sdist, built from the checkout without the network."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built) -> zipfile.ZipFile:
    [path] = built.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def metadata(wheel) -> Message:
    [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    return message_from_bytes(wheel.read(name))


def package_files() -> set[str]:
    """Every file of the three packages: code, templates, themes, pictures."""
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file())
    files = (path for path in files if "__pycache__" not in path.parts and path.name != ".DS_Store")
    return {path.relative_to(ROOT).as_posix() for path in files}


def pins(name: str) -> dict[str, str]:
    found = PINS.findall((ROOT / name).read_text(encoding="utf-8"))
    assert found, f"{name} pins nothing"
    return dict(found)


def test_the_wheel_holds_every_file_of_the_three_packages_and_nothing_else(wheel):
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in held} == set(PACKAGES)
    assert held == package_files()


def test_the_sdist_holds_the_packages_the_tests_and_the_words(built):
    [path] = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"LICENSE", "README.md", "CHANGELOG.md", "Makefile", "requirements.txt", "tests/conftest.py"}
    assert package_files() | wanted <= held
    assert not [name for name in held if name.startswith((".venv", ".git/")) or name.endswith((".pyc", ".db"))]


def test_the_wheel_tells_its_command_licence_and_python(wheel, metadata):
    [entry_points] = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert "merge-window = dashboard.cli:main" in wheel.read(entry_points).decode()
    assert metadata["Name"] == "merge-window"
    assert metadata["Version"] == PROJECT["project"]["version"]
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata.get_all("Provides-Extra") == ["auth", "images", "notify", "pdf"]


def test_the_wheel_starts_away_from_the_checkout(wheel, tmp_path):
    installed = tmp_path / "installed"
    wheel.extractall(installed)
    script = (
        "import analysis, dashboard, data, sys\n"
        "from dashboard.cli import main\n"
        "print(data.__file__, analysis.__file__, dashboard.__file__, sep='\\n', flush=True)\n"
        "sys.exit(main())"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script, "--version"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert answer.returncode == 0, answer.stderr
    *places, version = answer.stdout.splitlines()
    assert all(place.startswith(str(installed)) for place in places)
    assert PROJECT["project"]["version"] in version


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_pins_carry_hashes_and_no_address(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=[a-z0-9])", text)[1:]
    assert len(blocks) == len(pins(name)) > 0
    assert all("--hash=sha256:" in block for block in blocks)
    assert not re.search(r"://|\s@\s|--(index|extra-index|find-links|trusted-host)|(^|\s)[~.]?/", text, re.MULTILINE)


def asked(groups: dict[str, list], name: str) -> list[str]:
    """The requirements of a dependency group, included groups too."""
    found = []
    for entry in groups[name]:
        found += asked(groups, entry["include-group"]) if isinstance(entry, dict) else [entry]
    return found


@pytest.mark.parametrize(("name", "group"), [("requirements.txt", "build"), ("requirements-dev.txt", "dev")])
def test_pins_fit_what_the_project_asks_for(name, group):
    """After a change in pyproject.toml: make requirements."""
    pinned = pins(name)
    wanted = map(Requirement, PROJECT["project"]["dependencies"] + asked(PROJECT["dependency-groups"], group))
    unfit = [str(one) for one in wanted if pinned.get(canonicalize_name(one.name), "0") not in one.specifier]
    assert unfit == []


def test_tests_run_on_the_very_versions_that_users_get():
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()
