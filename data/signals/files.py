"""What a file is, as far as reading its patch goes: in which language, where its comments are, whether it is a test."""

import re
from pathlib import PurePosixPath

_SUFFIXES = {
    "python": (".py", ".pyi", ".pyx"),
    "javascript": (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"),
    "go": (".go",),
    "rust": (".rs",),
    "java": (".java", ".kt", ".kts", ".scala", ".groovy", ".cs"),
    "c": (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".cu", ".cuh", ".m", ".mm"),
    "slashes": (".swift", ".php", ".proto", ".dart", ".zig", ".scss", ".less", ".css", ".gradle"),
    "hashes": (
        ".sh",
        ".bash",
        ".zsh",
        ".rb",
        ".pl",
        ".r",
        ".ex",
        ".exs",
        ".jl",
        ".cmake",
        ".tf",
        ".nix",
        ".mk",
        ".ps1",
    ),
    "dashes": (".sql", ".lua", ".hs"),
    "yaml": (".yml", ".yaml"),
    "toml": (".toml", ".ini", ".cfg", ".conf", ".properties"),
    "json": (".json", ".jsonc", ".json5"),
}
_LANGUAGES = {suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes}
_NAMES = {"makefile": "hashes", "dockerfile": "hashes", "justfile": "hashes", "containerfile": "hashes"}
_MARKS = {
    **dict.fromkeys(("python", "hashes", "yaml", "toml"), ("#",)),
    **dict.fromkeys(("javascript", "go", "rust", "java", "c", "slashes"), ("//", "/*")),
    "dashes": ("--",),
}
_STRING = re.compile(
    r"r(?P<hashes>#+)\".*?(?:\"(?P=hashes)|$)|\"\"\".*?(?:\"\"\"|$)|'{3}.*?(?:'{3}|$)"
    r"|\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?|`[^`]*`?"
)
_TEST = re.compile(
    r"(?:^|/)(?:tests?|testsuite|__tests__|e2e|specs?|unittests|testing)/"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest|tests)\.\w+$"
    r"|\.(?:test|spec)\.\w+$|_spec\.rb$|(?:Test|Tests|IT)\.(?:java|kt|cs|scala)$"
)


def language_of(path: str) -> str | None:
    """The way in which a file is written; None for prose, data and what is not known."""
    file = PurePosixPath(path)
    return _LANGUAGES.get(file.suffix.lower()) or _NAMES.get(file.name.lower().partition(".")[0])


def is_test(path: str) -> bool:
    """Whether a file holds tests, or is there for them."""
    return bool(_TEST.search(path))


def comment_of(text: str, language: str | None) -> str | None:
    """What a line says as a comment, without the mark; None if it has none."""
    marks = _MARKS.get(language or "", ())
    stripped = text.lstrip()
    if "/*" in marks and stripped.startswith("* "):  # in the middle of a block
        return stripped[2:]
    quote = ""
    position = 0
    while position < len(text):
        letter = text[position]
        if quote:
            position += letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "\"'`" and (letter != "'" or _is_string(text, position, language)):
            quote = letter
        else:
            for mark in marks:
                if text.startswith(mark, position) and (
                    mark != "#" or not text[:position].rstrip(" \t#") or text[position - 1] in " \t"
                ):
                    return text[position + len(mark) :].strip("/*#!- \t")
        position += 1
    return None


def _is_string(text: str, position: int, language: str | None) -> bool:
    """Whether an apostrophe opens a string: in Rust it may begin a lifetime."""
    return language != "rust" or text[position + 2 : position + 3] == "'"


def without_strings(code: str) -> str:
    """Code without what stands in quotes, which may be anything."""
    return _STRING.sub("'…'", code)


def indent_of(text: str) -> int:
    """How far a line is indented; a tab counts as one step."""
    return len(text) - len(text.lstrip())
