"""What kind of change a pull request is: by its title, else its files, else its labels, else its verb."""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from analysis.titles import KIND_WORDS, Title

KINDS = ("feat", "fix", "perf", "refactor", "docs", "test", "ci", "build", "chore", "revert", "other")

# A change to nothing but these files is of that kind, whatever its words; files that merely come along are left out.
_KIND_OF_CATEGORY = {
    "docs": "docs",
    "test": "test",
    "ci": "ci",
    "dependency": "build",
    "lock": "build",
    "container": "build",
    "config": "chore",
    "generated": "chore",
    "vendored": "build",
}
_COME_ALONG = frozenset({"asset", "generated", "lock", "data", "other"})
_LABEL_WORDS = {
    word: kind
    for kind, words in {
        "feat": "feat feature enhancement improvement",
        "fix": "fix bug bugfix hotfix regression",
        "perf": "perf performance",
        "refactor": "refactor refactoring cleanup",
        "docs": "doc docs documentation",
        "test": "test tests testing",
        "ci": "ci",
        "build": "build deps dependency dependencies",
        "chore": "chore maintenance",
    }.items()
    for word in words.split()
}
_BREAKING_LABEL = re.compile(r"breaking|api-?break|semver-?major|breaking[ _-]?changes?|不兼容")
_BREAKING_FOOTER = re.compile(r"^[ \t]{0,3}BREAKING[ -]CHANGES?[ \t]*:[ \t]*(?!(?i:none|n/?a|no)\b)\S", re.MULTILINE)
_HIDDEN = re.compile(r"<!--.*?-->|^```.*?^```", re.DOTALL | re.MULTILINE)
# What a plain title starts with.
VERBS = {
    verb: kind
    for kind, verbs in {
        "feat": "add adds added adding allow allows allowed enable enables enabled expose exposes exposed implement"
        " implements implemented improve improves improved introduce introduces introduced new provide provides support"
        " supports supported",
        "fix": "avoid avoids avoided correct corrects corrected don't ensure ensures fix fixes fixed fixing handle"
        " handles handled hotfix patch prevent prevents prevented repair resolve resolves resolved workaround",
        "perf": "accelerate cache optimise optimised optimize optimizes optimized speed",
        "refactor": "clean cleanup delete deletes deleted deprecate deprecates drop drops dropped extract extracts"
        " extracted inline move moves moved refactor refactors refactored refactoring remove removes removed removing"
        " rename renames renamed reorganize replace replaces replaced restructure rework simplify simplifies simplified"
        " split unify",
        "docs": "changelog doc docs docstring docstrings document documents documented documentation readme",
        "test": "test tests tested testing",
        "ci": "ci",
        "build": "bump bumps bumped downgrade pin pins pinned unpin upgrade upgrades upgraded",
        "chore": "format lint merge prepare reformat release releases released typo typos",
        "revert": "revert reverts reverted rollback",
    }.items()
    for verb in verbs.split()
}
# What it names anywhere, if it starts with none of these.
_NOUNS = {
    noun: kind
    for kind, nouns in {
        "fix": "fix fixes fixed bug bugs bugfix crash regression workaround",
        "refactor": "refactor refactoring refactored renamed",
        "docs": "docstring docstrings typo typos",
        "feat": "support supports",
    }.items()
    for noun in nouns.split()
}
_REMOVAL_HINTS = tuple(
    "remov drop delet deprecat retir 移除 删除 废弃 弃用 下线".split()
)  # to look for them is quicker
_REMOVAL = re.compile(
    r"\b(?:remov|drop|delet|deprecat|retir)\w*\b(?!\s+(?:unused|dead|redundant|duplicated?|unnecessary|unneeded|stale|extra)\b)"
    r"|(?:移除|删除|废弃|弃用|下线)(?!未使用|无用|冗余|重复|多余)",
    re.IGNORECASE,
)
_CHINESE_VERBS = sorted((word for word in KIND_WORDS if not word.isascii()), key=len, reverse=True)
_WORDS = re.compile(r"[a-z][\w']*")


def kind(title: Title, categories: Collection[str], labels: Iterable[str] = ()) -> str:
    """What kind of change is it: feature, fix, speed-up, refactoring, documentation, tests ...?

    Formula: the first of these that tells: what the title says (`fix:`, `[docs]`, 修复); what all its files are
        (nothing but tests: `test`; what merely comes along, such as a lock file, left out); a label; the verb that a
        plain title starts with; else `other`. Whole words only: a label `doctor` is no `doc`. The revert of a revert
        has the kind of what it brings back.
    Misses: a second purpose: one change has one kind. A title is believed: a `fix:` that adds a feature is a fix.
    Source: Conventional Commits 1.0, and the conventions that projects use instead.
    Example: `[api] fix: count days` is a `fix`; `Faster startup` is `other`, or `docs` if it changed nothing but
        `docs/startup.md`.

    Args:
        title: of the pull request.
        categories: of the files it changed (`paths.CATEGORIES`), empty if unknown.
        labels: as on the forge: `bug`, `kind/bug`, `type: documentation`.
    """
    of_files = _kind_of_files(frozenset(categories))
    return title.kind or of_files or _kind_of_labels(labels) or _kind_of_words(title) or "other"


def is_breaking(title: Title, body: str | None = None, labels: Iterable[str] = ()) -> bool:
    """Does a change say that its users must change something as well?

    Formula: true if the title marks it (`feat!:`, `[BREAKING]`), a label does (`breaking`, `semver-major`), or the
        description has a footer `BREAKING CHANGE:`. A footer in a comment or a code block of the template does not
        count, nor one that says "none".
    Misses: what breaks users without anybody saying so; the risk rules `public-api` and `config-contract` look for
        that. A mark that was forgotten in the title after the change had become harmless.
    Source: Conventional Commits 1.0; Semantic Versioning 2.0.
    Example: `feat(api)!: drop v1` and `fix: rename a key` with the label `breaking` are, `fix: handle breaking input`
        is not.
    """
    if title.is_breaking or any(map(_says_breaking, labels)):
        return True
    if not body or "BREAKING" not in body:
        return False
    return _BREAKING_FOOTER.search(_HIDDEN.sub("", body.replace("\r\n", "\n"))) is not None


def removes(title: Title) -> bool:
    """Whether the title says that something is taken away which somebody may have used: no dead or redundant code."""
    text = title.subject.lower()
    return any(map(text.__contains__, _REMOVAL_HINTS)) and _REMOVAL.search(title.subject) is not None


@lru_cache(maxsize=4096)
def _kind_of_files(categories: frozenset[str]) -> str | None:
    telling = categories - _COME_ALONG or categories - {"asset", "data", "other"}
    kinds = {_KIND_OF_CATEGORY.get(category) for category in telling}
    if kinds == {"ci", "build"} and "container" in telling:  # the image that CI runs in
        return "ci"
    return kinds.pop() if len(kinds) == 1 else None


def _kind_of_labels(labels: Iterable[str]) -> str | None:
    """The kind of the first label that names one; of several kinds the one that stands first in KINDS."""
    found = {_LABEL_WORDS[part] for label in labels for part in _label_parts(label) if part in _LABEL_WORDS}
    return min(found, key=KINDS.index, default=None)


@lru_cache(maxsize=4096)
def _says_breaking(label: str) -> bool:
    return any(_BREAKING_LABEL.fullmatch(part) for part in _label_parts(label))


@lru_cache(maxsize=4096)
def _label_parts(label: str) -> tuple[str, ...]:
    """`Type: Bug fix` as `type`, `bug fix` and `bugfix`, so that each can be compared whole."""
    parts = [part.strip() for part in re.split(r"[:/]", label.lower())]
    return tuple(dict.fromkeys([*parts, *(re.sub(r"[\s_-]", "", part) for part in parts)]))


def _kind_of_words(title: Title) -> str | None:
    if title.is_bump:
        return "build"
    if chinese := next((word for word in _CHINESE_VERBS if title.subject.startswith(word)), None):
        return KIND_WORDS[chinese]
    words = _WORDS.findall(title.subject.lower())
    return VERBS.get(words[0]) or next((_NOUNS[word] for word in words if word in _NOUNS), None) if words else None
