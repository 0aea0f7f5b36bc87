"""What a file is, by its path alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.languages import LANGUAGES, language_of
from analysis.paths import CATEGORIES, NOISE, classify

EXAMPLES = {
    "source": [
        "shop/orders.py",
        "src/shop/orders.ts",
        "cmd/server/main.go",
        "web/styles/site.css",
        "templates/page.html",
        "scripts/deploy.sh",
        "docker/api/client.py",
        "src/workflows/engine.py",
        "src/generate_report.py",
        "latest.py",
        "contest.go",
    ],
    "test": [
        "tests/orders.py",
        "shop/test_orders.py",
        "shop/orders_test.go",
        "web/cart.spec.ts",
        "web/cart.test.jsx",
        "web/__tests__/cart.js",
        "src/test/java/org/shop/OrderTest.java",
        "spec/models/order_spec.rb",
        "tests/data/orders.json",
        "tests/testsuite/vendor/a/Cargo.toml",
        "tests/testsuite/build/Cargo.lock",
        "tests/test_generated_columns.py",
        "conftest.py",
    ],
    "docs": [
        "README.md",
        "docs/conf.py",
        "CHANGELOG",
        "LICENSE",
        "shop/README.rst",
        "examples/train/run.sh",
        ".github/CONTRIBUTING.md",
        "docker/README.md",
        "tests/README.md",
    ],
    "config": [
        "shop/settings.yaml",
        ".editorconfig",
        "tsconfig.json",
        "ruff.toml",
        "Makefile",
        ".github/CODEOWNERS",
        "api/openapi.yaml",
        "specs/limits.yaml",
    ],
    "ci": [
        ".github/workflows/test.yml",
        ".github/actions/setup/action.yml",
        ".gitlab-ci.yml",
        "Jenkinsfile",
        "azure-pipelines.yml",
        ".circleci/config.yml",
        ".travis.yml",
        ".pre-commit-config.yaml",
        ".github/dependabot.yml",
        "ci/build.sh",
    ],
    "container": [
        "Dockerfile",
        "docker/Dockerfile.rocm",
        "images/base.dockerfile",
        "docker/entrypoint.sh",
        "docker-compose.yml",
        "compose.prod.yaml",
        ".dockerignore",
        "tests/Dockerfile",
    ],
    "dependency": [
        "pyproject.toml",
        "setup.py",
        "requirements-dev.txt",
        "docs/requirements.txt",
        "package.json",
        "go.mod",
        "crates/core/Cargo.toml",
        "pom.xml",
        "Gemfile",
        "api/api.csproj",
    ],
    "generated": [
        "verl/trainer/config/_generated_ppo_trainer.yaml",
        "verl/trainer/config/_generated_ppo_megatron_trainer.yaml",
        "rpc/order_pb2.py",
        "rpc/order.pb.go",
        "static/site.min.js",
        "web/__snapshots__/cart.test.js.snap",
        "api/openapi.json",
        "api/zz_generated.deepcopy.go",
        "models.generated.ts",
        "dist/index.js",
        "doc/man/generated_txt/build.txt",
    ],
    "vendored": [
        "vendor/a/b.go",
        "third_party/zlib/inflate.c",
        "web/node_modules/a/index.js",
        "app/static/codemirror-5.31.0.js",
        "s/jquery-3.6.0.slim.css",
    ],
    "lock": [
        "poetry.lock",
        "uv.lock",
        "web/package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "Cargo.lock",
        "go.sum",
        "Gemfile.lock",
        "composer.lock",
        "conda-lock.yml",
    ],
    "data": ["data/cities.csv", "src/locales/de.json", "benchmarks/results/2026.json", "po/de.po"],
    "asset": ["docs/logo.png", "web/icons/cart.svg", "fonts/sans.woff2"],
    "other": ["py.typed", "notes.txt", "bin/launcher", ""],
}


@pytest.mark.parametrize(("category", "path"), [(each, path) for each, paths in EXAMPLES.items() for path in paths])
def test_a_path_tells_its_category(category, path):
    assert classify(path).category == category


def test_every_category_has_an_example():
    assert set(EXAMPLES) == set(CATEGORIES)


def test_noise_is_what_tools_write():
    assert {category for category in CATEGORIES if classify(EXAMPLES[category][0]).is_noise} == NOISE
    assert {"generated", "vendored", "lock"} == NOISE


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_language_is_known_by_its_suffixes_and_conventions(language):
    for suffix in language.suffixes:
        assert language_of("name" + suffix) == language.name
        assert classify("pkg/name" + suffix).category in {"source", "dependency"}
    roles = {"tests": "test", "manifests": "dependency", "locks": "lock", "generated": "generated"}
    for role, category in roles.items():
        for glob in getattr(language, role):
            assert classify("pkg/" + glob.replace("*", "name")).category == category, glob


@pytest.mark.parametrize(
    ("name", "language"),
    [("a.vue", "Vue"), ("a.proto", "Protocol Buffer"), ("Dockerfile", "Docker"), ("a.pl", "Perl"), ("a.sql", "SQL")],
)
def test_other_languages_are_named_by_libraries(name, language):
    assert language_of(name) == language


@pytest.mark.parametrize("path", ["README.md", "a.yaml", "a.json", "a.svg", "a.ico", "a.csv", "a.unknown", "LICENSE"])
def test_prose_settings_and_pictures_are_in_no_programming_language(path):
    assert classify(path).language is None


def test_an_area_is_the_first_two_folders():
    assert classify("shop/orders/tax/vat.py").area == ("shop", "orders")
    assert classify("shop/orders.py").area == ("shop",)
    assert classify("setup.py").area == ()


@given(st.text())
def test_any_text_is_some_path(path):
    facts = classify(path)
    assert facts.category in CATEGORIES
    assert facts.is_noise == (facts.category in NOISE)


@given(st.sampled_from([path for paths in EXAMPLES.values() for path in paths if "/" in path]))
def test_the_case_of_folders_does_not_matter(path):
    folder, _, name = path.rpartition("/")
    assert classify(f"{folder.upper()}/{name}").category == classify(path).category
