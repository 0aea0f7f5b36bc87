"""Sentences of a description as plain text, and how well each would tell in one line what a change does."""

import re
from collections.abc import Iterator
from functools import lru_cache

from analysis.kinds import VERBS
from analysis.prose import length

SHORTEST, LONGEST = 20, 330  # letters, a Chinese character counting three
LONGEST_WORD = 120  # letters between two spaces; a longer one is an address, a path or Chinese

_LINK = re.compile(r"(!?)\[([^\[\]]{0,300})\]\([^()\s]{0,500}(?: \"[^\"]{0,100}\")?\)")
_IMAGE = re.compile(r"<img\b[^<>]{0,1000}>", re.IGNORECASE)
_STRONG = re.compile(r"(\*\*|__|~~)(?=\S)([^*~]{1,400}?)(?<=\S)\1(?!\w)")
_AROUND_CODE = re.compile(r"^\*\*(?=\S)|(?<=\S)\*\*|(?<!\S)\*\*(?=\S|$)")  # of what is strong and holds code
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*_]{1,400}?)(?<=[^\s*_])\1(?![\w*])")
_HAN = "\u3040-\u30ff\u3400-\u9fff\u3000-\u303f\uff00-\uffef"
_BROKEN_LINE = re.compile(rf"(?<=[{_HAN}])[^\S\n]*\n\s*(?=[{_HAN}])")
_END = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)(?<!cf\.)(?<!\bNo\.)(?<!\b\d\.)[\"')\]*]{0,2}\s+(?=[^a-z\s])|(?<=[。！？；])"
)
_LABEL = re.compile(
    r"(?:summary|description|overview|what|why|motivation|context|tl;?dr|purpose|goal|issue|概述|摘要|描述|背景|说明|目的)"
    r"\s*[:：]\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_PLAIN_WORD = re.compile(r"[\"'(\[“‘]*[^\W\d_]+(?:['’-][^\W\d_]+)*[\"')\].,;:!”’]*")
_ASCII_WORD = re.compile(r"[a-z]{2,}")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_TAG = re.compile(r"</?(?:[a-z]{1,10}|h[1-6])(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://|www\.")
_VERBS = frozenset(verb for verb, kind in VERBS.items() if kind not in ("docs", "chore", "test")) | frozenset(
    "use uses used make makes made change changes changed switch switches switched update updates updated return"
    " returns stop stops stopped skip skips skipped reduce reduces reduced increase increases integrate integrates"
    " convert converts pass passes set sets turn turns bring brings let lets keep keeps restore restores align aligns"
    " adapt adapts disable disables report reports show shows emit emits account extend extends merge merges teach"
    " teaches rewrite rewrites unify unifies migrate migrates".split()
)
_CHINESE_VERB = re.compile(
    r"新增|增加|添加|支持|修复|修正|解决|移除|删除|去除|优化|提升|改进|重构|改为|改用|替换|避免|防止|引入|实现|适配|升级|更新|调整|统一|允许|禁用|迁移|拆分|合并|降低|减少|缩短"
)
_REASON = re.compile(
    r"\b(?:because|so that|caus\w+|crash\w*|fail\w*|prevent\w*|instead of|now|no longer|leads? to|previously|which)\b"
    r"|导致|避免|从而|因为|由于|不再|现在|之前",
    re.IGNORECASE,
)
# Talk about the work and not about what it brings.
_TALK = re.compile(
    r"\b(?:please|thanks?|lgtm|wip|todo|review(?:er|ers|ing)?|as titled?|as (?:discussed|the title)|follow[- ]?up"
    r"|depends on|related to|split off|cherry[- ]?pick\w*|rebased?|unit tests?|tests? pass\w*|ci (?:is|was|fail\w*)"
    r"|verified|tested|(?-i:I(?:'m|'ve|'d)?)|not sure|happy to|see (?:also|the)|refer(?:s|ring)? to|merge branch"
    r"|pre-commit|changelog|(?:close|resolve|fixe)s #\d+)\b|请|谢谢|感谢|参考|测试通过|已测试",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"(?:it|they|that|these|those|however|but|then|also|and|so|or|otherwise|additionally|furthermore|finally|besides"
    r"|for example|for instance|e\.g\.|note|therefore|thus|here|he|she|which|because|leads? to|due to)\b"
    r"|但是?|然而|同时|此外|另外|例如|因此|所以|注意",
    re.IGNORECASE,
)
_DANGLES = re.compile(r"\b(?:for|to|of|in|by|with|from|and|or|the|an?|see|via|on|at|as|is|are)$")
# What introduces a list and says nothing without it.
_LEADS_IN = re.compile(
    r"\b(?:following|follows?|below|changes?|includ\w+|are|is|issues|problems|steps|example)\b|如下|以下|包括|包含|例如",
    re.IGNORECASE,
)
LEAD = 60  # letters from which the sentence before a list may stand alone
_LAST_ADDRESS = re.compile(r"[\s:：(<]{1,5}https?://\S{1,300}$")
_ASIDE = re.compile(
    r"test|valid|verif|usage|example|checklist|how to|note|refer|related|todo|future|additional|environment|reproduc"
    r"|limitation|review|files? changed|测试|验证|用法|示例|参考|环境|复现|备注|注意",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"what|summary|overview|description|概述|摘要|描述|简介|改动|内容", re.IGNORECASE)
_FILLER = frozenset(
    "the this that pr pull request change changes commit patch to of for in on and or with from by is are be as at an"
    " it its we into when feat fix fixes fixed add adds added chore docs refactor test ci perf build update updates"
    " support supports".split()
)


def plain(text: str) -> str:
    """The text without Markdown's signs for emphasis, without images and targets of links; code stays as it is.

    White space becomes one space, and a line broken between two Chinese characters is joined without one.
    """
    text = _BROKEN_LINE.sub("", text)
    if "](" in text:
        text = _LINK.sub(lambda found: "" if found[1] else found[2], text)
    parts = (_IMAGE.sub("", text) if "<" in text else text).split("`")
    for place in range(0, len(parts), 2):  # every other part is code
        if "*" in parts[place] or "_" in parts[place] or "~" in parts[place]:
            parts[place] = _AROUND_CODE.sub("", _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", parts[place])))
    return " ".join("`".join(parts).replace("\0", " ").split())


def sentences(text: str) -> Iterator[str]:
    """The sentences of a plain text, without a label such as "Summary:" before and an address behind."""
    label = _LABEL.match(text)
    start = label.end() if label else 0
    for end in _END.finditer(text, start):
        # The sign after a full stop, such as a bracket, still belongs to the sentence.
        yield text[start : end.end()].strip()
        start = end.end()
    rest = text[start:].strip()
    shorter = _LAST_ADDRESS.sub("", rest)
    if rest.endswith((":", "：")) and length(rest) >= LEAD and not _LEADS_IN.search(rest):
        shorter = rest[:-1].rstrip()
    yield rest if _DANGLES.search(shorter) else shorter


def is_quotable(sentence: str) -> bool:
    """Whether it is a whole sentence of words: not a lead-in, a question, a line of code or an address."""
    if not SHORTEST <= length(sentence) <= LONGEST or sentence[-1] in ":：?？,，" or sentence.count("`") % 2:
        return False
    if (
        sentence.count("(") > sentence.count(")")
        or sentence.startswith("http")
        or _DANGLES.search(sentence, len(sentence) - 6)
    ):
        return False
    parts = sentence.split()
    n_words = sum(1 for part in parts if _PLAIN_WORD.fullmatch(part))
    if (n_words < 4 and len(_CHINESE.findall(sentence)) < 6) or max(map(len, parts)) > LONGEST_WORD:
        return False
    return "<" not in sentence or not _TAG.search(sentence)


def repeats(said: frozenset[str], title: frozenset[str]) -> bool:
    """Whether a sentence of this `content` says hardly anything that the title does not say."""
    return len(said - title) <= max(1, len(said) // 5)


def content(text: str) -> frozenset[str]:
    """The words that say something, a Chinese text by pairs of neighbours."""
    words = frozenset([word[:6] for word in _ASCII_WORD.findall(text.casefold()) if word not in _FILLER])
    if text.isascii():
        return words
    signs = "".join(_CHINESE.findall(text))
    return words | {signs[at : at + 2] for at in range(len(signs) - 1)}


def leans(sentence: str) -> bool:
    """Whether it can't stand without the one before: "However, ..."."""
    return _LEANS.match(sentence) is not None


@lru_cache(maxsize=1024)  # the headings of a template come again and again
def by_place(heading: str, *, is_item: bool) -> float:
    """Points of a paragraph's sentences for the heading they stand under, and whether it is an item of a list."""
    return 0.6 * (_ABOUT.search(heading) is not None) - 2.0 * (_ASIDE.search(heading) is not None) - 0.3 * is_item


def by_words(sentence: str, of_title: frozenset[str]) -> float:
    """Points for what a sentence says: `of_title` is what of its `content` the title has too."""
    first = [word.casefold() for word in _WORD.findall(sentence[:60])[:4]]
    points = 1.5 * min(1.0, len(of_title) / 3)
    points += 1.2 * (not _VERBS.isdisjoint(first) or _CHINESE_VERB.search(sentence[:16]) is not None)
    points += 0.4 * (_REASON.search(sentence) is not None)
    points -= 1.5 * (_TALK.search(sentence) is not None) + 1.2 * leans(sentence)
    points -= 0.8 * (_ADDRESS.search(sentence) is not None) + 0.5 * (length(sentence) > 220)
    return points
