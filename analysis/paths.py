"""What a file is, told by its path alone: code, test, documentation, settings, or noise that no one wrote.

Follows the conventions that GitHub's linguist collected for vendored, generated and documentation files (examples count
as documentation, as there), and those of each language in `languages`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

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
    *folders, name = path.split("/")
    language = None if _is_asset(name) else language_of(name)
    category = _category([folder.lower() for folder in folders], name, language)
    return PathFacts(path, category, language, tuple(folders[:2]), category in NOISE)


def _category(folders: list[str], name: str, language: str | None) -> str:
    """The first category that fits, from the surest sign to the weakest."""
    return (
        _noise(folders, name)
        or _machinery(folders, name, language)
        or _test_or_docs(folders, name, language)
        or _content(folders, name)
        or ("source" if language else "other")
    )


def _noise(folders: list[str], name: str) -> str | None:
    if _GENERATED.fullmatch(name) or not _GENERATED_FOLDERS.isdisjoint(folders):
        return "generated"
    if not _TEST_FOLDERS.isdisjoint(folders):  # a lock file there is somebody's input
        return None
    if _LOCKS.fullmatch(name):
        return "lock"
    return None if _VENDORED_FOLDERS.isdisjoint(folders) else "vendored"


def _machinery(folders: list[str], name: str, language: str | None) -> str | None:
    """CI, containers and manifests; a document about them is a document."""
    if _DOCS.fullmatch(name):
        return None
    if _CI.fullmatch(name) or not _CI_FOLDERS.isdisjoint(folders) or _is_forge_ci(folders) or folders[:1] == ["ci"]:
        return "ci"
    if _CONTAINER.fullmatch(name):
        return "container"
    if not _CONTAINER_FOLDERS.isdisjoint(folders) and language in _IMAGE_LANGUAGES:
        return "container"
    return "dependency" if _MANIFESTS.fullmatch(name) and _TEST_FOLDERS.isdisjoint(folders) else None


def _is_forge_ci(folders: list[str]) -> bool:
    return len(folders) > 1 and folders[0] in _FORGES and folders[1] in {"workflows", "actions", "scripts"}


def _test_or_docs(folders: list[str], name: str, language: str | None) -> str | None:
    if _DOCS.fullmatch(name):
        return "docs"
    if _TESTS.fullmatch(name) or not _TEST_FOLDERS.isdisjoint(folders):
        return "test"
    if language and not _SPEC_FOLDERS.isdisjoint(folders):
        return "test"
    if not _DOCS_FOLDERS.isdisjoint(folders):
        return "asset" if _is_asset(name) else "docs"
    return None


def _content(folders: list[str], name: str) -> str | None:
    if _is_asset(name):
        return "asset"
    if _DATA.fullmatch(name):
        return "data"
    if _CONFIG.fullmatch(name):
        in_data = not _DATA_FOLDERS.isdisjoint(folders) and name.lower().endswith(".json")
        return "data" if in_data else "config"
    return None


def _is_asset(name: str) -> bool:
    return not _ASSET_TAGS.isdisjoint(identify.tags_from_filename(name))
