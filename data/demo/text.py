"""How the invented team words its pull requests: subjects, titles in many habits, bodies in many moods.

Functions of a random generator and facts. A body claims only what its change contains: tests where tests were touched,
a big diff where the diff is big, an issue that exists.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath
from random import Random

from data.demo.details import (
    DETAILS,
    DETAILS_ZH,
    MISSIONS,
    REASONS,
    TEMPLATE,
    TESTED,
    TESTED_ZH,
    TOOLS,
    UNTESTED,
    UNTESTED_UI,
    UNTESTED_ZH,
)
from data.demo.words import EMOJI, KIND_ZH, NEW_FEATURE, PATTERNS, VOCABULARY, Pair, Subject, Topic

UNTESTABLE = {"docs", "ci", "chore", "build", "test"}  # kinds whose body says nothing about tests
SELF_EVIDENT = {"fix", "new"}  # their details say what the change does; others first repeat the subject


@dataclass
class Facts:
    """What a body may claim."""

    file: str  # name of the main file
    churn: int
    tested: bool
    documented: bool
    closes: int | None = None
    extra: list[str] = field(default_factory=list)  # whole paragraphs, e.g. "Part 2 of 3. Builds on #41."


@cache
def patterns(kind: str, sort: str) -> tuple[Pair, ...]:
    """The patterns of a kind that suit a sort of topic; none where the kind makes no sense for it."""
    return tuple(pair for sorts, pairs in PATTERNS[kind].items() if sort in sorts for pair in pairs)


def subject(rng: Random, kind: str, topic: Topic, *, builds: bool = False, breaking: bool = False) -> Subject:
    """A subject of a kind about a topic that suits it (see `patterns`)."""
    condition = rng.choice(VOCABULARY[topic.area].conditions)
    choices = NEW_FEATURE if builds else patterns("breaking" if breaking else kind, topic.sort)
    english, chinese = rng.choice(choices)
    verb, _, pattern = english.rpartition("~")
    file = PurePosixPath(topic.stem).name + ("" if "." in topic.stem else ".py")
    return Subject(
        kind=kind,
        topic=topic,
        pattern=pattern,
        text=pattern.format(t=topic.en, c=condition[0], file=file),
        verb=verb,
        zh=chinese.format(t=topic.zh, c=condition[1], file=file),
        condition=condition,
        builds=builds,
        breaking=breaking,
    )


def plain(about: Subject) -> str:
    """The subject as a sentence without full stop."""
    return f"{about.verb} {about.text}" if about.verb else about.text[:1].upper() + about.text[1:]


def title(rng: Random, habit: str, about: Subject, areas: list[str]) -> str:
    """The subject as somebody of a habit titles it.

    Args:
        habit: bracket, conventional, plain, emoji, zh, zh-bracket or sloppy.
        areas: the areas the change touches, the main one first.
    """
    clause = about.text.removeprefix("the ")
    words = VOCABULARY[about.topic.area]
    front = "[BREAKING]" if about.breaking else ""
    if habit == "conventional":
        scope = f"({areas[0]})" if rng.random() < 0.85 else ""
        return f"{about.kind}{scope}{'!' * about.breaking}: {clause}"
    if habit == "plain":
        return f"{front} {plain(about)}".lstrip()
    if habit == "emoji":
        return f"{front} {EMOJI[about.kind]} {plain(about)}".lstrip()
    if habit == "zh":
        front, said = "【破坏性变更】" * about.breaking, about.zh.removeprefix("修复").lstrip()
        return f"{front}【{words.zh}】{KIND_ZH[about.kind]}：{said}"
    if habit == "zh-bracket":
        return f"{front}[{areas[0]}] {about.kind}: {about.zh}"
    if habit == "sloppy":
        form = rng.choice(("[{a}]{k}: {t}", "[{a} ] {k}:  {t}", "[{a}] {k} : {t}.", "{K}({a}): {T}"))
        capital = clause[:1].upper() + clause[1:]
        name, kind = rng.choice(words.aliases), about.kind
        return front + form.format(a=name, k=kind, K=kind.title(), t=clause, T=capital)
    return f"{front}[{', '.join(areas)}] {about.kind}: {clause}"


def body(rng: Random, mood: str, about: Subject, facts: Facts) -> str:
    """A description of a pull request.

    Args:
        mood: template, prose, terse, zh, bare (the template, not filled in) or empty.
    """
    if mood == "empty":
        return ""
    if mood == "bare":
        return _template(facts, "", "", "", read=False)
    chinese = mood == "zh"
    what, why = _what(rng, about, facts, chinese)
    tested = _tested(rng, about, facts, chinese)
    extra = _extra(rng, about, facts, chinese)
    if mood == "template":
        return _template(facts, _paragraphs([what, *extra]), why, tested, read=True)
    return _paragraphs([what, *extra] if mood == "terse" else [what, why, tested, *extra])


def _what(rng: Random, about: Subject, facts: Facts, chinese: bool) -> tuple[str, str]:
    """What the change does, and why it is needed (or "")."""
    group = "breaking" if about.breaking else "new" if about.builds and about.kind == "feat" else about.kind
    detail = _fill(rng, _detail(rng, group, about, chinese), about, facts.file, chinese)
    if chinese:
        return detail, ""
    reason = ""
    if rng.random() < 0.6 and group in REASONS:
        reason = rng.choice(REASONS[group]).format(mission=rng.choice(MISSIONS))
    if facts.churn > 900 and about.kind in {"feat", "refactor"}:
        detail += rng.choice((" Sorry for the size, best read file by file.", " Most of the diff is moved lines.", ""))
    return (detail if group in SELF_EVIDENT else f"{plain(about)}. {detail}".rstrip()), reason


def _detail(rng: Random, group: str, about: Subject, chinese: bool) -> str:
    """A sentence that fits the pattern of the subject, else one that fits anything."""
    lines = (DETAILS_ZH if chinese else DETAILS)[group]
    fitting = [sentence for key, sentence in lines if key in about.pattern]
    fitting = fitting or [sentence for key, sentence in lines if key == "*"]
    return rng.choice(fitting) if fitting else ""


def _fill(rng: Random, sentence: str, about: Subject, file: str, chinese: bool) -> str:
    thing = about.topic.zh if chinese else about.topic.en
    fast = rng.randrange(3, 12)
    return sentence.format(
        t=thing,
        T=thing[:1].upper() + thing[1:],
        c=about.condition[chinese],
        file=file,
        flag=f"{about.topic.area}.{PurePosixPath(about.topic.stem).name.split('.')[0].lower()}",
        mission=rng.choice(MISSIONS),
        pct=rng.randrange(18, 71),
        n=rng.randrange(30, 400),
        fast=fast,
        slow=fast + rng.randrange(2, 12),
    )


def _tested(rng: Random, about: Subject, facts: Facts, chinese: bool) -> str:
    if about.kind in UNTESTABLE:
        return ""
    if chinese:
        return rng.choice(TESTED_ZH if facts.tested else UNTESTED_ZH).format(mission=rng.choice(MISSIONS))
    if not facts.tested:
        choices = UNTESTED_UI if about.topic.area == "console" else UNTESTED
        return rng.choice(choices).format(mission=rng.choice(MISSIONS)) if rng.random() < 0.5 else ""
    if rng.random() < 0.3:
        return f"{TOOLS.get(about.topic.area, '`pytest -q`')}: {rng.randrange(212, 940)} passed."
    return rng.choice(TESTED)


def _extra(rng: Random, about: Subject, facts: Facts, chinese: bool) -> list[str]:
    """Further paragraphs: references, measurements, a note for the release."""
    extra = [*facts.extra]
    if about.kind == "perf":
        extra.append(_measured(rng, chinese))
    if about.breaking or (about.kind == "feat" and rng.random() < 0.2):
        extra.append(f"```release-note\n{'BREAKING: ' * about.breaking}{plain(about)}.\n```")
    if facts.closes is not None:
        extra.append(f"{rng.choice(('Closes', 'Fixes', 'Resolves'))} #{facts.closes}")
    return extra


def _measured(rng: Random, chinese: bool) -> str:
    """A small benchmark table and its headline; the percentage follows from the numbers."""
    rows, gain = [], 0
    for tasks in (20, 200, 1000):
        before = tasks * rng.randrange(14, 30) // 10
        after = before * rng.randrange(62, 94) // 100
        gain = max(gain, 100 * (before - after) // after)
        rows.append(f"| {tasks} | {before} ms | {after} ms |")
    head = f"吞吐量最多提升 {gain} %：" if chinese else f"Up to +{gain} % throughput:"
    columns = "| 任务数 | 之前 | 之后 |" if chinese else "| tasks | before | after |"
    return "\n".join([head, "", columns, "| --- | --- | --- |", *rows])


def _template(facts: Facts, what: str, why: str, tested: str, *, read: bool) -> str:
    return TEMPLATE.format(
        what=what,
        why=why,
        tested=tested,
        read="x" if read else " ",
        tests="x" if read and facts.tested else " ",
        docs="x" if read and facts.documented else " ",
    )


def _paragraphs(pieces: Iterable[str]) -> str:
    return "\n\n".join(piece for piece in pieces if piece)
