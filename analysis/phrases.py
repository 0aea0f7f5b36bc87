"""The words and phrases of a title, so that titles can be compared and quoted."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from analysis.kinds import VERBS
from analysis.titles import KIND_WORDS, parse
from analysis.vocabulary import word_key

LONGEST = 5  # words that are quoted together
COMPARED = 3  # neighbouring words that are compared together

_HAN = "\u3040-\u30ff\u3400-\u9fff"  # written without spaces: each character counts as a word
_HAN_CHARACTER = re.compile(f"[{_HAN}]")
_TOKEN = re.compile(rf"[{_HAN}]|(?:(?<![\w-])--?)?[^\W{_HAN}]+(?:[-.'’/][^\W{_HAN}]+)*")
_PART = re.compile(r"[^\W_]+")
_CHINESE_KINDS = sorted((word for word in KIND_WORDS if not word.isascii()), key=len, reverse=True)

# Verbs that can also be a thing, or part of its name.
_NOUNS_TOO = frozenset("new support supports patch hotfix cleanup fix fixes clean split format merge extract".split())
_DOING = {verb for verb, kind in VERBS.items() if kind in {"feat", "fix", "refactor"}} - _NOUNS_TOO
# Between these a sentence says one thing each.
_JOINTS = _DOING | frozenset(
    "a an the of for to in on at by from with without into onto as per via than then when while where if"
    " unless until that which who or but so because since after before during between against under over"
    " through across only is are was were be been being will would can could should must may might do does did"
    " not no also it its this these those their them we you i how what why now using based instead due within"
    " inside vs etc eg ie 的 了 和 与 在 把 被".split()
)
# A phrase does not start or end with these.
_EDGES = (_JOINTS | VERBS.keys() | KIND_WORDS.keys()) | frozenset(
    "and all any either few some each every more less most least many other another same such very just now still"
    " both latest old better simpler proper correct incorrect wrong missing missed invalid broken redundant unused"
    " unnecessary extra additional several various minor small simple initial basic default possible potential change"
    " changes update updates updated updating use uses used make makes made set sets get gets let show shows check"
    " checks put run runs keep give say tell ask turn go apply adapt adjust adjusted improve improved improving"
    " improvement improvements enhance try tries skip skips skipped changed changing work works working restrict"
    " preserve strip truncate dump guard include write compute refine register align rebuild slim need needs want"
    " modify modified create creates created return returns force switch convert start stop bring pass passing call"
    " consider mention bit lot up out off back down re".split()
)
# As the first word of a sentence these are verbs; elsewhere most of them are things.
_OPENERS = frozenset(
    "accept align append apply assert assign attach backport bind block bound broadcast build bypass cache calculate"
    " call cancel capture catch clamp clip clone close collect compare compile configure copy count deduplicate"
    " default defer define delay derive detach detect disable discard dispatch distinguish document download dump emit"
    " enforce escape exclude execute exit expand export extend fall fetch filter find finish flatten flush follow free"
    " gate generate guard hide hold honor ignore import infer inherit init initialize inject insert install integrate"
    " invoke isolate join leverage limit list load lock log loosen lower map mark mask match migrate mock mount"
    " normalise normalize omit open order override parse persist pick polish populate port postpone prefer preserve"
    " print probe process propagate publish pull purge push query raise read recognize record reduce reject release"
    " relax reload reorder report request require reserve reset respect restore resume retain retire retry reuse"
    " rewrite rewrap re-enable re-wrap roll route sanitize save scale scan select send separate serialize share"
    " shorten shrink silence simplify sleep solve sort specify stabilise stabilize stablize standardize store stream"
    " streamline suppress swap sync teach throw tidy tighten track transfer treat trigger trim tune tweak unblock undo"
    " verify vendor wait warn wire wrap".split()
)
# Nor does it end with these, which only what stands before them tells apart; but a `page cache` is a thing.
_ENDS = (_EDGES - {"cache", "format", "merge", "patch", "release"}) | frozenset(
    "issue issues problem problems error errors bug bugs thing things stuff typo typos code line lines file files way"
    " case cases part logic message messages fail fails failure failures".split()
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand together in a title."""

    key: str  # equal for all spellings
    text: str  # as written there
    n_words: float  # two Chinese characters count as one word

    @property
    def stands_alone(self) -> bool:
        """Whether it is more than one plain word: `drain loop`, `request_id`, `GDPO`."""
        return self.n_words > 1 or not (self.text[1:].islower() and self.text.isalpha())


def key_of(text: str) -> str:
    """`TRT-LLM` and `trtllm`, `fully async` and `fully_async`, `Qwen3.5` and `qwen35` have the same key."""
    return word_key(text).replace("_", "")


@lru_cache(maxsize=65536)
def sentence(title: str) -> str:
    """What a title says without its prefixes; of a revert, what is reverted."""
    parsed = parse(title)
    root = parsed.reverts.root if parsed.reverts else None
    return parse(root).subject if root else parsed.subject


@lru_cache(maxsize=65536)
def compared(title: str) -> frozenset[str]:
    """The keys by which a title is compared with others: its words, and neighbouring ones, in any spelling."""
    text = sentence(title)
    found = {word_key(part) for part in _PART.findall(text) if part.lower() not in _JOINTS or part.lower() in _DOING}
    for chunk in _chunks(text):
        found.update(_key(words) for start in range(len(chunk)) for words in _runs(chunk, start, COMPARED))
    return frozenset(key for key in found if _is_telling(key) and not _HAN_CHARACTER.fullmatch(key))


def opening_verb(title: str) -> str | None:
    """The verb that a title's sentence starts with, as written there."""
    found = _TOKEN.match(sentence(title))
    return found[0] if found and found[0].lower() in VERBS.keys() | _OPENERS else None


@lru_cache(maxsize=65536)
def quotable(title: str) -> tuple[tuple[Phrase, bool], ...]:
    """The phrases of a title that a heading may quote, in order, each with whether it is all that stands there."""
    text = sentence(title)
    found: dict[str, tuple[Phrase, bool]] = {}
    for chunk in _chunks(text):
        for start in range(len(chunk)):
            for words in _runs(chunk, start, LONGEST):
                phrase = Phrase(_key(words), text[words[0][1] : words[-1][2]], _n_words(words))
                if _is_telling(phrase.key):
                    found.setdefault(phrase.key, (phrase, len(words) == len(chunk)))
    return tuple(found.values())


_Token = tuple[str, int, int]  # a word, and where it starts and ends


def _chunks(text: str) -> Iterator[list[_Token]]:
    """Runs of words with nothing but spaces between them and nothing vague at their edges."""
    chunk: list[_Token] = []
    for found in _TOKEN.finditer(text):
        token = (found[0], found.start(), found.end())
        is_joint = found[0].lower() in _JOINTS
        if chunk and (is_joint or text[chunk[-1][2] : token[1]].strip()):
            yield _trimmed(chunk)
            chunk = []
        if not is_joint:
            chunk.append(token)
    yield _trimmed(chunk)


def _trimmed(chunk: list[_Token]) -> list[_Token]:
    start, end = 0, len(chunk)
    if chunk and chunk[0][1] == 0 and chunk[0][0].lower() in _OPENERS:
        start = 1
    while start < end and (length := _vague_at(chunk, start)):
        start += length
    while start < end and chunk[end - 1][0].lower() in _ENDS:
        end -= 1
    return chunk[start:end]


def _vague_at(chunk: list[_Token], start: int) -> int:
    """How many words that cannot start a phrase stand here."""
    word = chunk[start][0].lower()
    if word in _EDGES or (word.isascii() and word.endswith("ly")):
        return 1
    if not _is_han(chunk[start]):
        return 0
    following = "".join(token[0] for token in chunk[start : start + 4])
    return next((len(kind) for kind in _CHINESE_KINDS if following.startswith(kind)), 0)


def _runs(chunk: list[_Token], start: int, most: int) -> Iterator[list[_Token]]:
    """The runs of up to `most` words from here that can stand alone."""
    if _vague_at(chunk, start):
        return
    most = 2 * most if _is_han(chunk[start]) else most
    for end in range(start + 1, min(start + most, len(chunk)) + 1):
        if chunk[end - 1][0].lower() not in _ENDS:
            yield chunk[start:end]


def _is_han(token: _Token) -> bool:
    return _HAN_CHARACTER.fullmatch(token[0]) is not None


def _n_words(words: list[_Token]) -> float:
    return sum(0.5 if _is_han(token) else 1.0 for token in words)


def _key(words: list[_Token]) -> str:
    return key_of("_".join(token[0] for token in words))


def _is_telling(key: str) -> bool:
    return len(key) > 1 and not key.isdigit()
