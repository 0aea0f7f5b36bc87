"""What a file is, told by its path alone: code, test, documentation, settings, or noise that no one wrote.

Follows the conventions that GitHub's linguist collected for vendored, generated and documentation files (examples count
as documentation, as there), and those of each language in `languages`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from identify import identify

from analysis.languages import language_of, patterns

CATEGORIES = (
    *("source", "test", "docs", "config", "ci", "container", "dependency"),
    *("generated", "vendored", "lock", "data", "asset", "other"),
)
# Changed by tools, not by people: left out of sizes, reach and hot files.
NOISE = frozenset({"generated", "vendored", "lock"})


@dataclass(frozen=True, slots=True)
class PathFacts:
    """One path, read."""

    path: str
    category: str  # one of CATEGORIES
    language: str | None  # programming language, where it is in one
    area: tuple[str, ...]  # its first two folders, or fewer
    is_noise: bool


def _any_of(*expressions: str) -> re.Pattern[str]:
    return re.compile("|".join(expressions), re.IGNORECASE)


# Names of whole folders, in lower case, anywhere above the file.
_VENDORED_FOLDERS = frozenset(
    {"vendor", "vendors", "vendored", "third_party", "third-party", "thirdparty", "3rdparty", "node_modules", "godeps"}
)
_GENERATED_FOLDERS = frozenset({"generated", "__generated__", "generated_txt", "autogen", "__snapshots__", "dist"})
_CI_FOLDERS = frozenset({".circleci", ".buildkite", ".gitlab", ".jenkins", ".teamcity", ".woodpecker", ".ci"})
_FORGES = frozenset({".github", ".gitea", ".forgejo"})
_CONTAINER_FOLDERS = frozenset({"docker", "dockerfiles", ".devcontainer", "helm"})
_TEST_FOLDERS = frozenset(
    {"test", "tests", "testsuite", "__tests__", "__mocks__", "e2e", "fixtures", "testdata", "test_data", "unittests"}
)
_SPEC_FOLDERS = frozenset({"spec", "specs"})  # of tests, unless they hold documents
_DOCS_FOLDERS = frozenset(
    {
        "doc",
        "docs",
        "documentation",
        "example",
        "examples",
        "sample",
        "samples",
        "demo",
        "demos",
        "tutorial",
        "tutorials",
    }
)
_DATA_FOLDERS = frozenset(
    {"data", "dataset", "datasets", "locale", "locales", "i18n", "l10n", "translations", "results"}
)

# Names of files.
_LOCKS = _any_of(patterns("locks"), r".*\.lock", r".*[-.]lock\.(json|ya?ml|txt)")
_GENERATED = _any_of(
    patterns("generated"),
    r"_*(zz_)?generated[_.].*",
    r".*[._-]generated(\.[^.]+)*",
    r".*\.min\.(js|css)",
    r".*\.(js|css)\.map",
    r".*\.snap",
    r"(openapi|swagger)\.json",
)
# A copy of somebody's release has its number in the name: `codemirror-5.31.0.js`, `jquery-3.6.slim.js`.
_VENDORED = _any_of(r".+[-_.@]v?\d+\.\d+[\w.-]*\.(js|mjs|cjs|css)")
_CI = _any_of(
    r"\.?(gitlab-ci|travis|appveyor|azure-pipelines|bitbucket-pipelines|cirrus|drone|buildspec|cloudbuild)[\w.-]*\.ya?ml",
    r"\.?(codecov|pre-commit-config|mergify|dependabot)\.ya?ml",
    r"jenkinsfile.*",
    r"bors\.toml",
    r"renovate\.json5?",
)
_CONTAINER = _any_of(
    r"(.*\.)?(docker|container)file([._-].*)?", r"\.dockerignore", r"(docker-)?compose([._-].*)?\.ya?ml"
)
_MANIFESTS = _any_of(patterns("manifests"))
_TESTS = re.compile(patterns("tests"))  # TestCase.java is none, OrderTest.java is
_DOCS = _any_of(
    r".*\.(md|mdx|markdown|rst|adoc|asciidoc|org|textile|ipynb)",
    r"(readme|changelog|changes|history|news|licen[cs]e|copying|notice|authors|contributing|install)(\.txt)?",
)
_CONFIG = _any_of(
    r".*\.(ya?ml|toml|ini|cfg|conf|json|jsonc|json5|properties|xml|plist|props|hcl)",
    r"\.[a-z][\w-]*(rc|ignore)(\..*)?",
    r"\.(editorconfig|git\w+|flake8|nvmrc|env)(\..*)?",
    r"codeowners|makefile|justfile|rakefile|cmakelists\.txt|build\.bazel",
)
_DATA = _any_of(r".*\.(csv|tsv|parquet|jsonl|ndjson|avro|arrow|npy|npz|h5|hdf5|pkl|sqlite3?|db|po|pot)")
_ASSET_TAGS = frozenset({"image", "audio", "video", "binary", "woff", "woff2", "ttf", "otf", "eot", "zip", "gzip"})
# Languages in which a container folder keeps what goes into the image, not a program of its own.
_IMAGE_LANGUAGES = frozenset({None, "Docker", "Shell", "Batchfile"})


@lru_cache(maxsize=200_000)
def classify(path: str) -> PathFacts:
    """What the file at `path` is.

    Args:
        path: as git has it, `/` between folders; any text is fine.

    Returns:
        Its facts; the same object for the same path, while it is remembered.
    """
    above, slash, base = path.rpartition("/")
    folders, name = _folders(above + slash), _name(base)
    category = _category(folders, name)
    return PathFacts(path, category, name.language, folders.area, category in NOISE)


class _Folders(NamedTuple):
    """What the folders above a file say; many files share them."""

    area: tuple[str, ...]
    is_generated: bool
    is_vendored: bool
    is_ci: bool
    is_container: bool
    is_test: bool
    is_spec: bool
    is_docs: bool
    is_data: bool


@lru_cache(maxsize=65536)
def _folders(above: str) -> _Folders:
    names = above.split("/")[:-1]
    folders = [name.lower() for name in names]
    is_forge_ci = len(folders) > 1 and folders[0] in _FORGES and folders[1] in {"workflows", "actions", "scripts"}
    return _Folders(
        tuple(names[:2]),
        is_generated=not _GENERATED_FOLDERS.isdisjoint(folders),
        is_vendored=not _VENDORED_FOLDERS.isdisjoint(folders),
        is_ci=is_forge_ci or folders[:1] == ["ci"] or not _CI_FOLDERS.isdisjoint(folders),
        is_container=not _CONTAINER_FOLDERS.isdisjoint(folders),
        is_test=not _TEST_FOLDERS.isdisjoint(folders),
        is_spec=not _SPEC_FOLDERS.isdisjoint(folders),
        is_docs=not _DOCS_FOLDERS.isdisjoint(folders),
        is_data=not _DATA_FOLDERS.isdisjoint(folders),
    )


class _Name(NamedTuple):
    """What a file's name says, wherever it lies; many files are called the same."""

    language: str | None
    is_asset: bool
    is_generated: bool
    is_lock: bool
    is_vendored: bool
    is_docs: bool
    is_ci: bool
    is_container: bool
    is_manifest: bool
    is_test: bool
    is_data: bool
    is_config: bool
    is_json: bool


@lru_cache(maxsize=65536)
def _name(name: str) -> _Name:
    is_asset = not _ASSET_TAGS.isdisjoint(identify.tags_from_filename(name))
    return _Name(
        None if is_asset else language_of(name),
        is_asset,
        is_generated=_GENERATED.fullmatch(name) is not None,
        is_lock=_LOCKS.fullmatch(name) is not None,
        is_vendored=_VENDORED.fullmatch(name) is not None,
        is_docs=_DOCS.fullmatch(name) is not None,
        is_ci=_CI.fullmatch(name) is not None,
        is_container=_CONTAINER.fullmatch(name) is not None,
        is_manifest=_MANIFESTS.fullmatch(name) is not None,
        is_test=_TESTS.fullmatch(name) is not None,
        is_data=_DATA.fullmatch(name) is not None,
        is_config=_CONFIG.fullmatch(name) is not None,
        is_json=name.lower().endswith(".json"),
    )


def _category(folders: _Folders, name: _Name) -> str:
    """The first category that fits, from the surest sign to the weakest."""
    return (
        _noise(folders, name)
        or ("docs" if name.is_docs else _machinery(folders, name) or _test_or_example(folders, name))
        or _content(folders, name)
        or ("source" if name.language else "other")
    )


def _noise(folders: _Folders, name: _Name) -> str | None:
    if name.is_generated or folders.is_generated:
        return "generated"
    if folders.is_test:  # a lock file there is somebody's input
        return None
    if name.is_lock:
        return "lock"
    return "vendored" if folders.is_vendored or name.is_vendored else None


def _machinery(folders: _Folders, name: _Name) -> str | None:
    """CI, containers and manifests."""
    if name.is_ci or folders.is_ci:
        return "ci"
    if name.is_container or (folders.is_container and name.language in _IMAGE_LANGUAGES):
        return "container"
    return "dependency" if name.is_manifest and not folders.is_test else None


def _test_or_example(folders: _Folders, name: _Name) -> str | None:
    if name.is_test or folders.is_test or (name.language and folders.is_spec):
        return "test"
    if folders.is_docs:
        return "asset" if name.is_asset else "docs"
    return None


def _content(folders: _Folders, name: _Name) -> str | None:
    if name.is_asset:
        return "asset"
    if name.is_data:
        return "data"
    if name.is_config:
        return "data" if folders.is_data and name.is_json else "config"
    return None
