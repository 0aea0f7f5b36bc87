"""Programming languages: where each keeps its tests, what it depends on and what it locks. One line a language.

A language that is missing here is still named (by `identify` and pygments); its tests are then found by folder only.
"""

from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache

from identify import identify
from pygments.lexers import get_all_lexers


@dataclass(frozen=True, slots=True)
class Language:
    """How one language's projects are laid out. Patterns are shell globs on the file name alone."""

    name: str
    suffixes: tuple[str, ...]
    tests: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()
    locks: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()


LANGUAGES = (
    Language(
        "Python",
        (".py", ".pyi", ".pyx"),
        tests=("test_*.py", "*_test.py", "conftest.py"),
        manifests=(
            "pyproject.toml",
            "setup.py",
            "setup.cfg",
            "requirements*.txt",
            "requirements*.in",
            "constraints*.txt",
            "Pipfile",
            "environment.yml",
        ),
        locks=("poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "pixi.lock", "pylock*.toml", "conda-lock.yml"),
        generated=("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py"),
    ),
    Language(
        "JavaScript",
        (".js", ".jsx", ".mjs", ".cjs"),
        tests=("*.test.*js", "*.spec.*js", "*.test.jsx", "*.spec.jsx"),
        manifests=("package.json", "bower.json"),
        locks=(
            "package-lock.json",
            "npm-shrinkwrap.json",
            "yarn.lock",
            "pnpm-lock.yaml",
            "bun.lock",
            "bun.lockb",
            "deno.lock",
        ),
        generated=("*.min.js", "*.bundle.js", "*_pb.js"),
    ),
    Language(
        "TypeScript",
        (".ts", ".tsx", ".mts", ".cts"),
        tests=("*.test.ts", "*.test.tsx", "*.spec.ts", "*.spec.tsx", "*.test-d.ts", "*.e2e.ts", "*.cy.ts"),
        manifests=("pnpm-workspace.yaml",),
        generated=("*_pb.ts", "*_pb.d.ts"),
    ),
    Language(
        "Go",
        (".go",),
        tests=("*_test.go",),
        manifests=("go.mod", "go.work"),
        locks=("go.sum", "go.work.sum"),
        generated=("*.pb.go", "*.pb.gw.go", "*.gen.go", "wire_gen.go"),
    ),
    Language("Rust", (".rs",), tests=("*_test.rs", "*_tests.rs"), manifests=("Cargo.toml",), locks=("Cargo.lock",)),
    Language(
        "Java",
        (".java",),
        tests=("*Test.java", "*Tests.java", "*IT.java"),
        manifests=("pom.xml", "build.gradle", "settings.gradle", "libs.versions.toml"),
        locks=("gradle.lockfile", "buildscript-gradle.lockfile"),
    ),
    Language(
        "Kotlin",
        (".kt", ".kts"),
        tests=("*Test.kt", "*Tests.kt", "*Spec.kt"),
        manifests=("build.gradle.kts", "settings.gradle.kts"),
    ),
    Language(
        "Scala", (".scala", ".sc"), tests=("*Test.scala", "*Spec.scala", "*Suite.scala"), manifests=("build.sbt",)
    ),
    Language("C", (".c", ".h"), tests=("*_test.c", "test_*.c"), manifests=("conanfile.*", "vcpkg.json")),
    Language(
        "C++",
        (".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx"),
        tests=("*_test.cc", "*_test.cpp", "*_unittest.cc", "test_*.cpp"),
        locks=("conan.lock",),
        generated=("*.pb.cc", "*.pb.h"),
    ),
    Language("CUDA", (".cu", ".cuh"), tests=("*_test.cu",)),
    Language(
        "C#",
        (".cs",),
        tests=("*Test.cs", "*Tests.cs"),
        manifests=("*.csproj", "Directory.Packages.props", "packages.config", "*.nuspec"),
        locks=("packages.lock.json",),
        generated=("*.Designer.cs", "*.g.cs"),
    ),
    Language("F#", (".fs", ".fsi", ".fsx"), tests=("*Tests.fs",), manifests=("*.fsproj", "paket.dependencies")),
    Language(
        "Ruby",
        (".rb", ".rake"),
        tests=("*_spec.rb", "*_test.rb"),
        manifests=("Gemfile", "*.gemspec"),
        locks=("Gemfile.lock",),
    ),
    Language("PHP", (".php",), tests=("*Test.php",), manifests=("composer.json",), locks=("composer.lock",)),
    Language(
        "Swift",
        (".swift",),
        tests=("*Tests.swift", "*Test.swift"),
        manifests=("Package.swift", "Podfile", "*.podspec"),
        locks=("Package.resolved", "Podfile.lock"),
    ),
    Language(
        "Dart",
        (".dart",),
        tests=("*_test.dart",),
        manifests=("pubspec.yaml",),
        locks=("pubspec.lock",),
        generated=("*.g.dart", "*.freezed.dart"),
    ),
    Language("Elixir", (".ex", ".exs"), tests=("*_test.exs",), manifests=("mix.exs",), locks=("mix.lock",)),
    Language("Haskell", (".hs",), tests=("*Spec.hs",), manifests=("*.cabal", "stack.yaml"), locks=("stack.yaml.lock",)),
    Language("Julia", (".jl",), tests=("runtests.jl",), manifests=("Project.toml",), locks=("Manifest.toml",)),
    Language("R", (".r", ".R"), tests=("test-*.R",), manifests=("DESCRIPTION",), locks=("renv.lock",)),
    Language("Zig", (".zig",), manifests=("build.zig.zon",)),
    Language("Lua", (".lua",), tests=("*_spec.lua",), manifests=("*.rockspec",)),
    Language("Nix", (".nix",), locks=("flake.lock",)),
    Language("Terraform", (".tf",), tests=("*.tftest.hcl",), locks=(".terraform.lock.hcl",)),
    Language("Bazel", (".bzl",), manifests=("MODULE.bazel", "WORKSPACE"), locks=("MODULE.bazel.lock",)),
    Language("Shell", (".sh", ".bash", ".zsh"), tests=("*.bats", "test_*.sh", "*_test.sh")),
)

_BY_SUFFIX = {suffix: language.name for language in LANGUAGES for suffix in language.suffixes}
# What `identify` says beside the language: how a file is stored, or that it is written for people or machines to read.
_NOT_A_LANGUAGE = frozenset(
    {
        "text",
        "binary",
        "plain-text",
        "markdown",
        "rst",
        "asciidoc",
        "json",
        "json5",
        "yaml",
        "toml",
        "xml",
        "ini",
        "csv",
    }
    | {"tsv", "svg", "header", "diff"}
)


def patterns(role: str) -> str:
    """One regular expression for the globs of all languages in a role: tests, manifests, locks or generated."""
    return "|".join(translate(glob) for glob in sorted({glob for each in LANGUAGES for glob in getattr(each, role)}))


def language_of(name: str) -> str | None:
    """The programming language of a file name, or None for prose, settings, data and unknown suffixes."""
    suffix = name[name.rfind(".") :] if "." in name else ""
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    tags = identify.tags_from_filename(name) - _NOT_A_LANGUAGE
    named = sorted(_pygments_names()[tag] for tag in tags if tag in _pygments_names())
    return named[0] if named else None


@lru_cache(maxsize=1)
def _pygments_names() -> dict[str, str]:
    # Listing the lexers reads pygments' own index and imports none of them.
    return {alias: name for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in (*aliases, name.lower())}
