"""What a pull request's title says outright: modules, kind, breaking, its place in a series, what it reverts.

Titles are read by their conventions, any of which may be missing or sloppy: module brackets (`[api, web] feat: x`),
Conventional Commits (`feat(scope)!: x`), scopes (`cmd/go: x`), full-width brackets (`【调度】修复：x`), gitmoji.
What is only likely (a verb, a folder) is for `kinds` and `modules` to weigh.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# Spellings of a kind, in lower case without spaces, hyphens and underscores.
KIND_WORDS = {
    word: kind
    for kind, words in {
        "feat": "feat feats feature features enhancement enhance enh 新增 新功能 功能 特性 增加 添加 支持",
        "fix": "fix fixes fixed fixup bug bugs bugfix bugfixes fixbug hotfix security 修复 修正 解决",
        "perf": "perf performance opt optim optimize optimise optimization optimisation 优化 性能优化 性能",
        "refactor": "refactor refact refac refactors refactoring cleanup clean rework 重构 整理 清理",
        "docs": "doc docs documentation readme 文档",
        "test": "test tests testing ut 测试 单测",
        "ci": "ci cd ci/cd cicd workflow workflows 持续集成 流水线",
        "build": "build dep deps dependency dependencies bump 构建 依赖 升级",
        "chore": "chore chores misc maint maintenance style lint release typo 杂项 发布",
        "revert": "revert reverts rollback 回滚 回退 撤销 还原",
    }.items()
    for word in words.split()
}
# What else a prefix can say, beside a kind.
_FLAG_WORDS = {
    word: flag
    for flag, words in {
        "breaking": "breaking breakingchange breakingchanges 不兼容 破坏性变更",
        "unfinished": "wip draft rfc poc dnm donotmerge donotreview",
        "reapply": "reland reapply",
    }.items()
    for word in words.split()
}
# In brackets these name a part of the project first (`[ci] fix: x`) and a kind only where nothing else does.
_AREA_WORDS = {word for word, kind in KIND_WORDS.items() if kind in {"docs", "test", "ci"}} | {
    *("perf", "performance", "性能", "build", "dep", "deps", "dependency", "dependencies", "依赖", "release", "misc"),
}
_BARE_KINDS = frozenset({"feat", "feature", "fix", "bugfix", "hotfix", "refactor", "chore"})
_VERBS_TOO = frozenset({"fix", "refactor"})
_CHINESE_KINDS = sorted((word for word in KIND_WORDS if not word.isascii()), key=len, reverse=True)
_KINDS = frozenset(KIND_WORDS.values())
_NOT_SCOPES = re.compile(r"note|todo|question|re|fwd|update|.*(error|exception|warning)", re.IGNORECASE)
# Gitmoji by Unicode name and by shortcode.
_GITMOJI = {
    name: said
    for said, names in {
        "feat": "sparkles|party popper|tada|rocket",
        "fix": "bug|ambulance|adhesive bandage|adhesive_bandage|lock",
        "perf": "high voltage sign|zap",
        "refactor": "black universal recycling symbol|recycle|fire|delivery truck|truck",
        "docs": "memo|books|pencil",
        "test": "white heavy check mark|white_check_mark|test tube|test_tube",
        "ci": "construction worker|construction_worker|green heart|green_heart",
        "build": "upwards black arrow|arrow_up|downwards black arrow|arrow_down|pushpin|package",
        "chore": "wrench|bookmark|artist palette|art|police cars revolving light|rotating_light",
        "revert": "black left-pointing double triangle|rewind",
        "breaking": "collision symbol|boom",
        "unfinished": "construction sign|construction",
    }.items()
    for name in names.split("|")
}

_LONGEST = 1000
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
# One character for one, so that what is found in the plain text is cut from the original.
_PLAIN = str.maketrans("【】〔〕［］（）：，、！／；“”„‘’\u3000", '[][][]():,,!/;"""\'\' ')
_NUMBERS_AT_END = re.compile(r"(?:\s*\(#\d{1,9}\))+\s*$")
_NUMBER_AT_START = re.compile(r"\(#(\d{1,9})\)\s+(?=\S)")
_EMOJI_CODE = re.compile(r":([a-z_]{2,40}):\s*")
_BRACKET = re.compile(r"\[([^\[\]]{1,80})\](?!\()\s*(?::|-(?=\s))?")
_PREFIX = re.compile(
    r"(?P<words>[^\W\d][\w ./,+&*-]{0,48}?)\s*(?:[(\[](?P<scope>[^()\[\]]{0,80})[)\]])?\s*"
    r"(?P<bang>!)?\s*:(?!:|//)(?P<gap>\s*)"
)
_SEPARATORS = re.compile(r"[,;|&]")
_BRANCH = re.compile(r"(feat|feature|fix|bugfix|hotfix|chore|refactor|docs)/(?=\w)", re.IGNORECASE)
_NO_COLON = re.compile(r"(?P<word>[A-Za-z]{3,12})(?:\((?P<scope>[^()]{1,80})\)(?P<bang>!)?|)\s+(?=\S)")
_PART_PREFIX = re.compile(r"\(([^()]{3,12})\)\s*:?|(\d[^\s:]{0,6}|part \d+)\s*:", re.IGNORECASE)
_PART = re.compile(
    r"(?:part|pt|step)?\s*(\d{1,3})\s*(?:/|of)\s*(\d{1,3}|[nx])|(?:part|pt)\.?\s*(\d{1,3})", re.IGNORECASE
)
# An issue, a version, a release branch.
_NO_MODULE = re.compile(r"#?\d+|v?\d+(\.(\d+|x))*((rc|alpha|beta|a|b|post|dev)\d*)?|release[/-].*")
_TICKET = re.compile(r"[A-Z][A-Z0-9]{1,9}-\d+")

_REVERT = r"revert(?:s|ed|ing)?|roll(?:ed)? ?back|back(?:ed)? ?out|回滚|回退|撤销|还原"
_REAPPLY = r"re-?appl(?:y|ies|ied)|re-?land(?:s|ed)?"
_BACK_IN = re.compile(_REAPPLY, re.IGNORECASE)
_QUOTED = re.compile(rf"(?:{_REVERT}|{_REAPPLY})\s*:?\s*(?P<quote>[\"'`])(?P<title>.+)", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"(?:{_REVERT}|{_REAPPLY})\s*:?\s*(?:pull request |pr ?)?#(?P<number>\d{{1,9}})(?![a-z0-9_])[\s:-]*(?P<title>.*)",
    re.IGNORECASE,
)
_REAPPLIED = re.compile(rf"(?:{_REAPPLY})\s*:?\s+(?P<title>\S.*)", re.IGNORECASE)
_REVERT_HINTS = tuple("revert roll back 回滚 回退 撤销 还原".split())  # quicker to look for
_REVERT_WORD = re.compile(rf"\b(?:{_REVERT})\b|回滚|回退|撤销|还原", re.IGNORECASE)
_BUMP = re.compile(
    r"(?:bump|upgrade|update|pin|downgrade)s?\b.*(?:\bfrom\b.*\bto\b|\bto v?\d[\w.+-]*|==|\bgroup\b.*\bupdates?\b)"
    r"|(?:update|pin) (?:(?:all )?dependenc(?:y|ies)|rust crate|module|.* action|.* docker tag|.* digest)\b"
    r"|.*\block ?file maintenance|.*\bpre-commit autoupdate",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reverted:
    """What a title says it takes out or brings back: a claim, which the cache has yet to confirm."""

    title: str | None  # as quoted, without its number; it may have been cut short
    number: int | None
    depth: int  # 1: a revert, 2: a revert of a revert or a re-apply, 3: a revert of that ...
    root: str | None  # the innermost quoted title

    @property
    def is_reapply(self) -> bool:
        """Whether the change is in again afterwards: an even number of reverts."""
        return self.depth % 2 == 0


@dataclass(frozen=True, slots=True)
class Title:
    """A title taken apart. What it does not say is None, empty or False; nothing is guessed."""

    raw: str
    tags: tuple[str, ...]  # words of module brackets and scopes, lower case, in order, each once
    kind: str | None
    is_breaking: bool
    is_unfinished: bool  # WIP, draft, RFC, do not merge
    is_bump: bool  # moves versions, of dependencies or of the project
    part: tuple[int, int | None] | None  # (5, None) for "[5/n]", (2, 3) for "[2/3]"
    subject: str
    numbers: tuple[int, ...]  # of "(#12) (#13)" around it
    reverts: Reverted | None
    may_revert: bool  # free-form, such as "revert default value": possible only

    @property
    def series_part(self) -> str | None:
        """`5/n` or `2/3`, or None."""
        return f"{self.part[0]}/{self.part[1] or 'n'}" if self.part else None


@lru_cache(maxsize=65536)
def parse(title: str) -> Title:
    """Takes a title apart by its conventions.

    Args:
        title: as GitHub or a commit subject has it; empty, unbalanced or very long ones are fine.

    Returns:
        Its parts. `subject` is what remains without prefixes and numbers, in single spaces, at most 1,000 characters;
        it is empty only where the title is. A re-apply has the kind of what it brings back.
    """
    text = title[:_LONGEST]
    clean = " ".join((text if text.isprintable() else _INVISIBLE.sub(" ", text)).split())
    text, numbers = _without_numbers(clean)
    prefixes = _Prefixes(text)
    subject = prefixes.rest or text or clean
    kind = prefixes.kind or prefixes.bracket_kind or prefixes.kind_of_tags()
    reverts = _reverted(subject)
    if reverts is None and prefixes.rest and (kind == "revert" or "reapply" in prefixes.flags):
        reverts = Reverted(subject, None, 1 if kind == "revert" else 2, subject)
    root = parse(reverts.root) if reverts and reverts.root else None
    if reverts:
        kind = "revert" if not reverts.is_reapply else root.kind if root else None
    return Title(
        raw=title,
        tags=tuple(dict.fromkeys([*prefixes.tags, *(root.tags if root else ())])),
        kind=kind,
        is_breaking="breaking" in prefixes.flags,
        is_unfinished="unfinished" in prefixes.flags,
        is_bump=_BUMP.match(subject) is not None,
        part=prefixes.part,
        subject=subject,
        numbers=numbers,
        reverts=reverts,
        may_revert=reverts is None and _says_revert(subject),
    )


def _says_revert(subject: str) -> bool:
    text = subject.lower()
    return any(map(text.__contains__, _REVERT_HINTS)) and _REVERT_WORD.search(subject) is not None


def _plain(text: str) -> str:
    return text if text.isascii() else text.translate(_PLAIN)


def _without_numbers(text: str) -> tuple[str, tuple[int, ...]]:
    """The text without `(#1) (#2)` at its end or `(#1)` at its start, and those numbers in order."""
    numbers = []
    if found := _NUMBER_AT_START.match(text):
        numbers.append(int(found[1]))
        text = text[found.end() :]
    if text.rstrip().endswith(")") and (found := _NUMBERS_AT_END.search(text)):
        numbers += [int(number) for number in re.findall(r"\d+", found[0])]
        text = text[: found.start()]
    return text.strip(), tuple(numbers)


def _reverted(subject: str) -> Reverted | None:
    """What `Revert "Revert "x" (#1)"`, `Reapply "x"` or `Revert #12` names, counting how deep it is nested."""
    plain = _plain(subject)
    number = None
    if found := _QUOTED.match(plain):
        end = found["title"].rfind(found["quote"])
        quoted = subject[found.start("title") :]
        title, numbers = _without_numbers(quoted[:end] if end > 0 else quoted)
        number = numbers[-1] if numbers else None
    elif found := _NUMBERED.match(plain):
        title, number = subject[found.start("title") :], int(found["number"])
    elif found := _REAPPLIED.match(plain):
        title = subject[found.start("title") :]
    else:
        return None
    inner = _reverted(title)
    depth = (2 if _BACK_IN.match(plain) else 1) + (inner.depth if inner else 0)
    return Reverted(title or None, number, depth, inner.root if inner else title or None)


class _Prefixes:
    """Takes prefix after prefix off the front of a title, noting what each says, until a sentence is left."""

    def __init__(self, text: str) -> None:
        self.rest = text
        self.tags: list[str] = []
        self.kind: str | None = None
        self.bracket_kind: str | None = None
        self.flags: set[str] = set()
        self.part: tuple[int, int | None] | None = None
        self.tag_kinds: set[str | None] = set()
        self.has_bracket = self.has_kind = False
        length = -1
        while length and self.rest and self.kind != "revert":
            length = self._understood(_plain(self.rest))
            self.rest = self.rest[length:].lstrip()

    def kind_of_tags(self) -> str | None:
        """`[docs] add a page` has the kind of its tags, if they all stand for one."""
        return next(iter(self.tag_kinds)) if len(self.tag_kinds) == 1 else None

    def _understood(self, text: str) -> int:
        return (
            self._emoji(text)
            or self._part(text)
            or self._bracket(text)
            or self._prefix(text)
            or self._branch(text)
            or self._missing_colon(text)
        )

    # Each step gets what is left, in plain punctuation, and returns how much of it it has understood.

    def _emoji(self, text: str) -> int:
        if text[0] == ":" and (code := _EMOJI_CODE.match(text)):
            self._note(_GITMOJI.get(code[1]))
            return code.end()
        if text[0].isascii() or unicodedata.category(text[0]) != "So":
            return 0
        self._note(_GITMOJI.get(unicodedata.name(text[0], "").lower()))
        return next((at for at, letter in enumerate(text) if not _is_emoji(letter)), len(text))

    def _part(self, text: str) -> int:
        found = _PART_PREFIX.match(text)
        return found.end() if found and self._note_part(found[1] or found[2]) else 0

    def _bracket(self, text: str) -> int:
        found = _BRACKET.match(text) if text[0] == "[" else None
        if not found or not self._note_list(found[1]):
            return 0
        self.has_bracket = True
        return found.end()

    def _prefix(self, text: str) -> int:
        """`feat(scope)!: `, `fix:`, `BREAKING: `, and before any of these a scope alone: `cmd/go: `."""
        found = _PREFIX.match(text) if ":" in text else None
        if not found:
            return 0
        said = _said_by(found["words"])
        spaced = found["gap"] or self.rest[found.end() - 1] == "："
        if said is None and (self.has_kind or not spaced or not self._note_scopes(found["words"])):
            return 0
        self._note(said)
        self.has_kind |= said is not None
        self._note_list(found["scope"] or "")
        self._note("breaking" if found["bang"] else None)
        return found.end()

    def _branch(self, text: str) -> int:
        """GitHub's proposal for the branch `feature/new-login`: "Feature/new login"."""
        found = _BRANCH.match(text)
        if not found or self.has_kind:
            return 0
        self._note(_said_by(found[1]))
        self.has_kind = True
        return found.end()

    def _missing_colon(self, text: str) -> int:
        """`[rollout] fix a leak`, `【调度】修复死锁`, `feat(api) add x`. A verb is noted, but left in its sentence."""
        if self.has_kind:
            return 0
        if self.has_bracket and (word := next((word for word in _CHINESE_KINDS if text.startswith(word)), None)):
            self._note(KIND_WORDS[word])
        found = _NO_COLON.match(text)
        if not found or found["word"].lower() not in _BARE_KINDS or not (self.has_bracket or found["scope"]):
            return 0
        self.has_kind = True
        self._note(_said_by(found["word"]))
        self._note_list(found["scope"] or "")
        self._note("breaking" if found["bang"] else None)
        return found.end() if found["scope"] or found["word"].lower() not in _VERBS_TOO else 0

    def _note(self, said: str | None) -> None:
        if said in _KINDS:
            self.kind = self.kind or said
        elif said:
            self.flags.add(said)

    def _note_part(self, text: str) -> bool:
        part = _as_part(text)
        self.part = self.part or part
        return part is not None

    def _note_list(self, text: str) -> bool:
        """Reads the inside of a bracket; False, and nothing noted, if it is no list of words but part of a sentence."""
        words = [word.strip() for word in _SEPARATORS.split(text) if word.strip()]
        return bool(words) and all(map(_is_name, words)) and self._note_names(words)

    def _note_scopes(self, text: str) -> bool:
        words = [word.strip() for word in text.split(",") if word.strip()]
        unlikely = any(" " in word or not _is_name(word) or _NOT_SCOPES.fullmatch(word) for word in words)
        return not unlikely and self._note_names(words)

    def _note_names(self, words: list[str]) -> bool:
        for word in words:
            if not _TICKET.fullmatch(word):
                self._note_name(word.lower())
        return True

    def _note_name(self, word: str) -> None:
        """A word in a bracket or scope: a part, a flag, a kind, or else a module."""
        if word.startswith("breaking "):  # "[BREAKING config]"
            self._note("breaking")
            word = word.removeprefix("breaking ").strip()
        said = _said_by(word)
        if self._note_part(word) or _NO_MODULE.fullmatch(word):
            return
        if said is None or word in _AREA_WORDS:
            self.tags.append(word)
            self.tag_kinds.add(said)
        elif said in _KINDS:
            self.bracket_kind = self.bracket_kind or said
        else:
            self._note(said)


@lru_cache(maxsize=4096)
def _said_by(words: str) -> str | None:
    """The kind, or the flag, that a prefix says: `Bug Fix`, `feat/fix`, `BREAKING CHANGE`; None for other words."""
    squeezed = re.sub(r"[\s_-]", "", words.lower())
    said = KIND_WORDS.get(squeezed) or _FLAG_WORDS.get(squeezed)
    if said is None and (pieces := re.split(r"[/,&+]", squeezed))[1:] and all(piece in KIND_WORDS for piece in pieces):
        return KIND_WORDS[pieces[0]]
    return said


def _is_name(word: str) -> bool:
    """A module, a kind or a part, but no sentence, no address and no mere number (`[0] is wrong`)."""
    if len(word) > 40 or word.count(" ") > 2 or "://" in word:
        return False
    return any(map(str.isalpha, word)) or _as_part(word) is not None or "." in word


def _is_emoji(letter: str) -> bool:
    return letter in "\ufe0f\u200d" or unicodedata.category(letter) in {"So", "Sk"}


def _as_part(text: str) -> tuple[int, int | None] | None:
    found = _PART.fullmatch(text.strip())
    if not found:
        return None
    index = int(found[1] or found[3])
    total = int(found[2]) if found[2] and found[2].isdigit() else None
    return None if total is not None and index > total else (index, total)
