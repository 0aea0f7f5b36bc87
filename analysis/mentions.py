"""What a pull request's text says of the other pull requests that it names: that it takes them out, or repairs them."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from data.links import own_words

REAPPLIES, REVERTS, BLAMES, FOLLOWS = "reapplies", "reverts", "blames", "follows"  # strongest first

MOST_WORDS = 120  # characters of a sentence kept as evidence
_ADDRESS = re.compile(r"https?://[^\s()\[\]<>]+/(?:pull|issues)/(\d{1,7})[^\s()\[\]<>,;\u0080-\U0010ffff]*")
_REFERENCE = re.compile(r"(?<![\w&/.-])(?:[\w.-]+/[\w.-]+)?(?:#|GH-)(\d{1,7})\b", re.ASCII)
_NAMES = re.compile(r"#\d+")
_MARKUP = re.compile(r"[*`\[\]<>]+")
_BLOCKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+>#|]|\d+[.)])\s)")
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|[。！？；]")

_NAMED = r"(?P<numbers>#\d+\)?(?:(?:,|/| ?&|,? and| or|、|和)\s*(?:(?:PR|MR)s? ?)?\(?#\d+)*)"
_WRONG = (
    r"(?:regress(?:ed|ions?)|broken?|breaks?|breakages?|caused?|bugs?|problems?|errors?|fail(?:s|ed|ures?|ing)?"
    r"|crash(?:es|ed)?|hangs?|wrong(?:ly)?|accidental(?:ly)?|inadvertent(?:ly)?|mistaken(?:ly)?|oversights?)"
)
_DID_WRONG = (
    r"(?:broke|breaks?|regress(?:ed|es)|caused?|causes|forgot|missed|accidentally|inadvertently|mistakenly"
    r"|unintentionally|incorrectly|wrongly)"
)
_CHANGED = (
    r"(?:introduced|added|changed|removed|dropped|moved|lost|modified|enabled|disabled|replaced|refactored|switched"
    r"|updated|migrated|rewrote|rewritten)"
)
_TAKES_OUT = r"(?:revert(?:s|ing)?|roll(?:s|ing)? ?back|back(?:s|ing)? out|undo(?:es|ing)?)"
_ZH_WRONG = r"(?:问题|错误|缺陷|故障|异常|回归|退化|崩溃|失败|报错|死锁|卡死|泄漏|泄露|不一致|遗漏|bug)"
_ZH_DID = r"(?:引入|导致|造成|带来|引起|引发|产生)"
_ZH_TAKES_OUT = r"(?:回滚|回退|撤销|撤回|还原)"
_SAID = {
    REAPPLIES: (
        rf"\b(?:re-?land|re-?appl[yi])(?:s|es|ed|ing)?\b(?: of)?(?: the)?(?: PR| MR)?:? *\(?{_NAMED}",
        rf"(?:重新|再次)(?:应用|合入|合并|提交)了? ?(?:PR|MR)? ?\(?{_NAMED}",
    ),
    REVERTS: (
        rf"\b{_TAKES_OUT}\b(?![^#]*\b(?:by|until|because|if)\b)[^#]{{0,40}}{_NAMED}",
        rf"\btak(?:es|ing) {_NAMED} (?:back )?out\b",
        rf"{_ZH_TAKES_OUT}(?!到)[^#，,]{{0,10}}{_NAMED}(?!\d|\)? ?(?:之?后|时))",
        rf"[将把] ?(?:PR|MR)? ?{_NAMED}[^#，,]{{0,10}}{_ZH_TAKES_OUT}",
    ),
    BLAMES: (
        rf"\b{_WRONG}\b[^#]{{0,60}}\b(?:by|in|from|since|after|of|due to|because of)\b[^#]{{0,40}}{_NAMED}",
        rf"{_NAMED}\)?(?: \([^)]*\))?,?(?: \w+){{0,3}} {_DID_WRONG}\b",
        rf"{_NAMED}\)?(?: has| also)? (?:introduced|brought|added)(?: \w+){{0,3}} {_WRONG}\b",
        rf"{_NAMED}[^#，,]{{0,6}}{_ZH_DID}[^#，,]{{0,20}}{_ZH_WRONG}",
        rf"{_ZH_WRONG}[^#，,]{{0,10}}[由因被自从在][^#，,]{{0,8}}{_NAMED}[^#，,]{{0,6}}{_ZH_DID}",
        rf"{_NAMED}[^#，,]{{0,6}}(?:破坏|弄坏|改坏)了",
    ),
    FOLLOWS: (
        rf"\bfollow(?:s|ing|ed)?[- ]?ups?\b[^#]{{0,40}}{_NAMED}",
        rf"\b{_CHANGED}(?: \w+){{0,2}} (?:in|by|with|from|via)\b[^#]{{0,25}}{_NAMED}",
        rf"{_NAMED}\)?,?(?: (?:which|that|has|had|have|also|only|just|recently|previously)){{0,2}} {_CHANGED}\b",
        rf"^\W*(?:after|since)\b[^#]{{0,15}}{_NAMED}",
        rf"\b(?:fix(?:es|ed|ing)?|repair(?:s|ing)?|corrects?|amends?)\b:?(?: up| for| of| the| PR){{0,2}} {_NAMED}",
        rf"(?:修复|修正|完善|补充|跟进|后续)[于了]? ?(?:PR|MR)? ?{_NAMED}",
        rf"{_NAMED}\)? ?的?后续",
        rf"{_NAMED}[^#，,]{{0,6}}(?:引入|新增|添加|增加|修改|移除|删除|重构)了?的",
    ),
}
_PATTERNS = {
    says: [re.compile(each, re.ASCII | re.IGNORECASE) for each in patterns] for says, patterns in _SAID.items()
}
# Shortly before the name: another's work told for comparison, a fault that it took care of, or nothing that was done.
_ASIDE = re.compile(
    r"\b(?:similar|same|likewise|counterpart|equivalent|analog\w*|unlike|supersed\w*|alternative|depends?|duplicates?"
    r"|based on|back-?port\w*|cherry[- ]?pick\w*|split|extracted|reported|described|discuss\w*|mentioned|noted"
    r"|suggested"
    r"|(?:fixed|solved|resolved|addressed|reverted|handled) (?:in|by|with|via)|unrelated|not (?:caused|introduced)"
    r"|(?:not|will|would|should|could|may|might|do we|we can) revert|un-?revert)\b|n't (?:\w+ )?revert"
    rf"|(?:不[会要用应能]?|未|没有?|无需|避免|是否)[再被]? ?{_ZH_TAKES_OUT}",
    re.ASCII | re.IGNORECASE,
)
_BEFORE = 25  # characters


class Said(NamedTuple):
    """One pull request or issue that a text names, and what it says of it."""

    number: int
    says: str  # reapplies, reverts, blames (it did harm) or follows (this goes on from it)
    words: str  # of the sentence


def said_of(title: str, body: str | None, numbers: Collection[int]) -> list[Said]:
    """What a pull request says of others that it names; plain mentions say nothing.

    Args:
        title: of the pull request.
        body: its description; None or "" for none.
        numbers: of the pull requests that are meant: others may be issues, or another repository's.

    Returns:
        One entry per number, by the strongest of its words, in the order of the text.
    """
    found: dict[int, Said] = {}
    strength = list(_PATTERNS).index
    for said in _every(f"{title}\n\n{own_words(body or '')}", {f"#{number}" for number in numbers}):
        known = found.get(said.number)
        if said.number in numbers and (known is None or strength(said.says) < strength(known.says)):
            found[said.number] = said
    return list(found.values())


def _every(text: str, names: set[str]) -> Iterator[Said]:
    for sentence in _sentences(text):
        if names.isdisjoint(_NAMES.findall(sentence)):
            continue
        for says, patterns in _PATTERNS.items():
            for match in (match for pattern in patterns for match in pattern.finditer(sentence)):
                if not _ASIDE.search(sentence, max(0, match.start() - _BEFORE), match.end("numbers")):
                    words = _around(sentence, match)
                    yield from (Said(int(number), says, words) for number in re.findall(r"\d+", match["numbers"]))


def _sentences(text: str) -> Iterator[str]:
    """The sentences of the blocks that name something, without markup; references are written `#12`."""
    text = text.replace("\r\n", "\n")
    for block in _BLOCKS.split(text):
        if any(mark in block for mark in ("#", "GH-", "://")):
            block = _REFERENCE.sub(r"#\1", _ADDRESS.sub(r"#\1", block))
        if "#" in block:
            plain = " ".join(_MARKUP.sub("", block).split())
            yield from _SENTENCES.split(plain)


def _around(sentence: str, match: re.Match[str]) -> str:
    """The matched words, with what stands around them as far as it fits."""
    spare = max(0, MOST_WORDS - (match.end() - match.start()))
    start = max(0, match.start() - spare // 2)
    return sentence[start : start + MOST_WORDS].strip()
