"""Finds GitHub's own GraphQL schema, and gets it from npm where it is missing: `python tests/oracle.py [--install]`.

Prints the path of the schema's JSON, or one sentence and exit code 1. It lies under build/oracle, which git ignores.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "build" / "oracle"
PACKAGE, VERSION = "@octokit/graphql-schema", "15.26.1"
INSTALLED = FOLDER / "node_modules" / PACKAGE


class NoOracle(Exception):
    """GitHub's schema is not here; the text says what to do."""


def find_schema() -> Path:
    """The path of the schema, as the JSON of an introspection.

    Raises:
        NoOracle: it is not installed, or in another version.
    """
    manifest, schema = INSTALLED / "package.json", INSTALLED / "schema.json"
    if not manifest.is_file() or not schema.is_file():
        raise NoOracle("GitHub's GraphQL schema is not installed. Run: python tests/oracle.py --install")
    if (found := json.loads(manifest.read_text(encoding="utf-8"))["version"]) != VERSION:
        raise NoOracle(f"{PACKAGE} is installed as {found}, not {VERSION}. Run: python tests/oracle.py --install")
    return schema


def required_schema() -> Path:
    """The schema's path for a test: without it, the test is skipped with a word, but fails where `CI` is set."""
    try:
        return find_schema()
    except NoOracle as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


def install_schema() -> None:
    """Gets the schema with npm: the one of the virtual environment if it has one, else the machine's.

    Raises:
        NoOracle: there is no npm, or it failed.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    npm = shutil.which("npm", path=path)
    if npm is None:
        raise NoOracle(f"{PACKAGE} comes from npm, which is not installed. Install Node.js, which brings it.")
    options = ("--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--prefix", str(FOLDER))
    # In sight on stderr, so that stdout holds the path alone; npm itself starts `node` by name
    command = [npm, "install", *options, f"{PACKAGE}@{VERSION}"]
    done = subprocess.run(command, stdout=sys.stderr, env={**os.environ, "PATH": path})
    if done.returncode:
        raise NoOracle(f"npm could not install {PACKAGE}@{VERSION}; above it says why.")


def main() -> int:
    try:
        try:
            print(find_schema())
        except NoOracle:
            if "--install" not in sys.argv:
                raise
            install_schema()
            print(find_schema())
    except NoOracle as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
