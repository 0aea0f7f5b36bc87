"""Patterns of CODEOWNERS and of the configuration."""

import time
from itertools import product

import pytest
from git_repos import git
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.path_patterns import PathPatterns


def means(pattern, path):
    return PathPatterns([pattern]).matches(path) == [0]


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        ("*", ["a.py", "web/a.py", "web/deep/.env"], []),
        ("**", ["a.py", "web/deep/a.py"], []),
        ("*.js", ["a.js", "web/cart.js", ".js"], ["a.jsx", "a.js.map"]),
        ("a*b*c", ["abc", "x/a1b2b3c"], ["ab", "acb"]),
        ("cart?.py", ["web/cart1.py"], ["cart.py", "cart12.py", "cart/.py"]),
        ("apps/", ["apps/a.py", "web/apps/deep/a.py"], ["apps", "web/apps", "myapps/a.py"]),
        ("apps", ["apps", "apps/a.py", "web/apps/a.py", "web/apps"], ["apps.py"]),
        ("/apps", ["apps", "apps/deep/a.py"], ["web/apps/a.py"]),
        ("/apps/", ["apps/a.py"], ["apps", "web/apps/a.py"]),
        ("web/apps", ["web/apps", "web/apps/a.py"], ["old/web/apps/a.py"]),
        ("docs/*", ["docs/a.md"], ["docs/deep/a.md", "old/docs/a.md"]),
        ("docs/*.md", ["docs/a.md"], ["docs/deep/a.md", "docs/a.py"]),
        ("docs/*/", ["docs/deep/a.md"], ["docs/a.md"]),
        ("docs/**", ["docs/a.md", "docs/deep/a.md"], ["docs", "old/docs/a.md"]),
        ("**/logs", ["logs", "build/logs/a.txt", "deep/build/logs"], ["mylogs/a.txt"]),
        ("web/**/test", ["web/test", "web/a/b/test/x.py"], ["test/a.py", "web/tests/a.py"]),
        ("**/*npu*", ["a_npu.py", "verl/npu/a.py", "verl/my-npu-tools/a.py"], ["verl/gpu.py"]),
        (r"my\ file.md", ["my file.md"], ["my\\ file.md"]),
        (r"\#notes\*", ["a/#notes*"], ["#notes1"]),
        ("[ab].py", ["[ab].py"], ["a.py"]),
        ("Docs/", ["Docs/a.md"], ["docs/a.md"]),
        ("/", [], ["a.py", "a/b.py"]),
        ("!a.py", [], ["a.py", "!a.py"]),
        ("", [], ["a.py"]),
    ],
)
def test_a_pattern_means_paths_as_github_reads_it(pattern, hits, misses):
    assert [path for path in [*hits, *misses] if means(pattern, path)] == hits


def test_all_patterns_of_a_path_are_told_in_order():
    patterns = PathPatterns(["*", "web/", "/web/cart.py", "*.py", "docs/"])
    assert patterns.matches("web/cart.py") == [0, 1, 2, 3]
    assert patterns.matches("web/web/style.css") == [0, 1]
    assert patterns.matches("README.md") == [0]


PARTS = ["a", "b", "ab", "*", "**", "a*", "*b", "?", r"\a"]
PATHS = ["/".join(parts) for n in (1, 2, 3, 4) for parts in product(["a", "b", "ab"], repeat=n)]


@pytest.fixture(scope="module")
def empty_repository(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ignoring")
    git("init", "--quiet", folder)
    return folder


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4), st.booleans(), st.booleans())
def test_patterns_are_read_as_git_reads_them(empty_repository, parts, is_anchored, is_folder):
    """All but `docs/*`, which for owners does not reach into folders."""
    pattern = "/" * is_anchored + "/".join(parts) + "/" * is_folder
    if pattern.endswith("/*"):
        pattern += "/a"
    # It fails where it finds nothing to ignore.
    (empty_repository / ".gitignore").write_text(f"{pattern}\nsure\n")
    asked = ["check-ignore", "--no-index", "--stdin", "--verbose", "--non-matching"]
    told = git(*asked, cwd=empty_repository, data="\n".join([*PATHS, "sure"]).encode()).splitlines()
    ignored = [path for path, line in zip(PATHS, told, strict=False) if not line.startswith("::")]
    assert [path for path in PATHS if means(pattern, path)] == ignored


def test_many_stars_take_no_time():
    started = time.perf_counter()
    assert not means("*a" * 20 + "b", "a" * 200)
    assert not means("**/a/" * 10 + "*b", "a/" * 60 + "c")
    assert time.perf_counter() - started < 1
