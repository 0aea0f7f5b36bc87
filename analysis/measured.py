"""Results that were measured, as a description tells them: sentences and rows of tables, such as "1.5x faster"."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from analysis.prose import own_lines

LONGEST, MOST = 300, 20  # letters of one piece of evidence, pieces kept of one description

# Every description that tells of a measurement holds one of these; most others hold none.
_HINTS = (*"% ％ -> → × 倍 |- |: aster lower educ nstead 秒 降 升".split(), "| -", "| :", "rom ")
# Repetitions are bounded, so that no text takes long.
_NUMBER = r"(?<![A-Za-z0-9_.,])[-+~≈<]?\d[\d,]{0,11}(?:\.\d{1,9})?(?![.\d])"
_RATE = r"(?:%|％|[x×](?![\w×])(?!\s+(?-i:[A-Z\d]))|倍|个百分点|\s?times(?=\s(?:faster|slower|quicker|more|less|as)))"
_UNIT = (
    r"(?:(?:[mnuµ]?s|sec|secs|seconds?|mins?|minutes?|hours?|hrs?|h|[kmgt]i?b(?:/s)?|[kmgt]bps|t?flops|fps"
    r"|(?:k?tok(?:en)?s?|samples?|it|iters?|reqs?|requests|images?|steps?)/s(?:ec)?)(?![A-Za-z0-9_])|毫?秒|分钟|小时)"
)
_METRIC = (
    r"(?:\b(?:throughput|latency|memory|vram|rss|mfu|accuracy|acc|reward|score|loss|bandwidth|utili[sz]ation|coverage"
    r"|perplexity|ppl|bleu|f1|pass@\d+|runtime|duration|wall[- ]time|footprint|success rate|hit rate|binary size)\b"
    r"|吞吐|延迟|时延|耗时|显存|内存|精度|准确率|性能|速度|得分|奖励|带宽|利用率|开销)"
)
_MOVE = (
    r"(?:\b(?:faster|slower|quicker|speed-?ups?|improv\w+|reduc\w+|decreas\w+|increas\w+|lower|higher|gain(?:s|ed)?"
    r"|drop(?:s|ped)|sav(?:e|es|ed|ing|ings)|boost\w*|shrinks?|shrank|regress\w*|shorter|smaller|win|wins|wast\w+"
    r"|overhead)\b|提升|提高|提速|加速|降低|下降|减少|节省|缩短|增加|增长|更快|变快|快了)"
)
_ARROW = r"(?:-+>|→|=+>|⇒|降至|降到|降低到|减少到|提升到|提升至|提高到|升到|升至|到|\bto\b)"
_FROM_TO = re.compile(
    rf"({_NUMBER})\s?({_RATE}|{_UNIT})?\*{{0,3}}\s{{0,3}}{_ARROW}\s{{0,3}}\*{{0,3}}({_NUMBER})\s?({_RATE}|{_UNIT})?",
    re.IGNORECASE,
)
_QUANTITY = re.compile(rf"\d[*`]{{0,3}}\s?(?:{_RATE}|{_UNIT}|[*`]{{0,3}}\s?{_ARROW})", re.IGNORECASE)
_RATES = re.compile(rf"(?!100\s?%){_NUMBER}\s?{_RATE}", re.IGNORECASE)
_AMOUNTS = re.compile(rf"{_NUMBER}\s?{_UNIT}", re.IGNORECASE)
_METRICS, _MOVES = re.compile(_METRIC, re.IGNORECASE), re.compile(_MOVE, re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:instead of|versus|vs|compared|before|previously|than|baseline|down|now)\b|之前|原来|相比|对比|基线",
    re.IGNORECASE,
)
# Numbers of these were chosen, not measured.
_CHOSEN = re.compile(
    r"\b(?:versions?|bump\w*|upgrad\w*|pin(?:s|ned)?|requires?|default\w*|time(?:d|s)?[ -]?outs?|retr(?:y|ies)|wait\w*"
    r"|limits?|lines|files|confident|sure|set)\b|版本|升级|默认|超时|行代码|设置",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:[-*+•]|\d{1,2}[.)])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|[。；！？]")
_CELL = re.compile(rf"{_NUMBER}\s?({_RATE}|{_UNIT})?\s*(?:±.*|\(.*\))?", re.IGNORECASE)
_MEASURED_HEAD = re.compile(
    rf"{_METRIC}|\b(?:time|before|after|baseline|ours|speed-?up|improvement|delta|mean|median|avg|p\d\d)\b"
    rf"|\(\s*{_UNIT}\s*\)|之前|之后|优化前|优化后|基线|加速比|时间",
    re.IGNORECASE,
)
_OTHER_HEAD = re.compile(
    r"\b(?:files?|lines|package|versions?|dependency|type|age|commit|pr|issue)\b|文件|版本|行数", re.IGNORECASE
)


@dataclass(frozen=True)
class Measured:
    """What was found in one description."""

    strength: float  # 0 (nothing found) to 1
    # In order, at most MOST of LONGEST letters: sentences as written, and rows as `heading: cell; heading: cell`.
    evidence: tuple[str, ...]


def measured(body: str | None, paragraphs: Iterable[list[str]] | None = None) -> Measured:
    """Which results does an author say to have measured?

    Formula: each sentence and each row of a table that tells a result halves what is missing to 1: one gives 0.5,
        two 0.75, three 0.88. A sentence tells one if a number becomes another ("reward 0.62 -> 0.71", "from 11s
        to 6.7s"), if something moves by a share or a factor ("12% faster", "吞吐提升 12%"), or if two amounts with
        units are compared ("2 s instead of 5 s"). A row tells one if its cells are numbers with units, or numbers
        under a heading such as throughput, before or baseline.
    Misses: what only a picture, a log in a code block or a linked page shows; results without a number ("much faster");
        a comparison spread over two sentences. Versions, timeouts, defaults, counts of lines and the template's own
        text are left out by their words, so that a result in the same sentence is left out with them.
    Source: this project's own.
    Example: "Step time 3.5 s -> 3.05 s. Throughput is up 13 %, no test was changed." has two results: strength 0.75.

    Args:
        body: Markdown; None where unknown.
        paragraphs: its `prose.own_lines`, where they are at hand.

    Returns:
        The strength, and the sentences and rows it stands on.
    """
    if not body or not any(map(body.__contains__, _HINTS)):
        return Measured(0.0, ())
    found = [piece for lines in paragraphs or own_lines(body) for piece in _pieces(lines)]
    return Measured(1 - 0.5 ** len(found), tuple(piece[:LONGEST] for piece in found[:MOST]))


def _pieces(lines: list[str]) -> Iterator[str]:
    """What tells a result in one paragraph, which may be a table."""
    has_table = any(line[0] == "|" for line in lines)
    if not has_table and not _QUANTITY.search(" ".join(lines)):
        return
    items = _items(lines)
    for item in items:
        if item[0] != "|":
            yield from (sentence for sentence in _SENTENCE_END.split(item) if _tells_result(sentence))
    if has_table:
        yield from _rows([item for item in items if item[0] == "|"])


def _items(lines: list[str]) -> list[str]:
    """Sentences, list items and rows that a commit message had broken into lines are whole again."""
    items: list[str] = []
    for line in lines:
        if items and line[0] != "|" and not _ITEM.match(line) and not _is_rule(items[-1]):
            items[-1] += " " + line
        else:
            items.append(line)
    return items


def _tells_result(sentence: str) -> bool:
    if not _QUANTITY.search(sentence) or _CHOSEN.search(sentence):
        return False
    has_move, has_metric = _MOVES.search(sentence) is not None, _METRICS.search(sentence) is not None
    if any(unit or new_unit or has_metric for _, unit, _, new_unit in _FROM_TO.findall(sentence)):
        return True
    if (has_move or has_metric) and _RATES.search(sentence):
        return True
    return (has_move or _COMPARES.search(sentence) is not None) and len(_AMOUNTS.findall(sentence)) > 1


def _rows(rows: list[str]) -> Iterator[str]:
    if len(rows) < 3 or not _is_rule(rows[1]):
        return
    has_metric = _MEASURED_HEAD.search(rows[0]) is not None
    if _OTHER_HEAD.search(rows[0]) and not has_metric:
        return
    for row in rows[2:]:
        cells = [_CELL.fullmatch(cell.strip(" *_`")) for cell in row.strip("|").split("|")]
        if any(cell and (cell[1] or has_metric) for cell in cells):
            yield _named_cells(rows[0], row)


def _named_cells(head: str, row: str) -> str:
    """Each cell of a row that holds something with what stands above it: `setup: 8 GPUs; before: 3.5; after: 3.05`."""
    names, cells = ([cell.strip(" *_`") for cell in line.strip("|").split("|")] for line in (head, row))
    pairs = [(name, cell) for name, cell in zip_longest(names, cells, fillvalue="") if cell.strip("-–— ")]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs)


def _is_rule(line: str) -> bool:
    """Whether a line is the one below a table's heading."""
    return "-" in line and not line.strip("|:- ")
