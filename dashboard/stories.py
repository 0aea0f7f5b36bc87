"""Stories of reverts, repairs and rework as sentences: who did what to whom, after how long, and why we think so."""

from typing import Any

from dashboard import evidence, formats
from dashboard.words import Words


def headline(story: dict[str, Any], words: Words) -> str:
    """`Rework #6226 → #6258 → #6265 · undone or repaired after 17 h`, in Markdown.

    Args:
        story: a row of `reads.chains`.
        words: the language.
    """
    kind = words(f"story.{story['kind']}")
    numbers = " → ".join(f"#{number}" for number in story["prs"])
    told = [f"**{kind}** {numbers}"]
    if not formats.is_unknown(story["repair_hours"]):
        told.append(words("story.repaired_after", time=formats.duration(story["repair_hours"], words.lang)))
    if not story["is_sure"]:
        told.append(words("story.unsure"))
    return " · ".join(told)


def steps(story: dict[str, Any], words: Words) -> list[str]:
    """What each pull request of a story did to an earlier one, with the surest reason for it, in Markdown."""
    return [_step(link, words) for link in story["evidence"]]


def _step(link: dict[str, Any], words: Words) -> str:
    time = formats.duration(link["hours"], words.lang)
    done = words(f"story.step.{link['kind']}", pr=f"#{link['pr']}", of=f"#{link['of']}", time=time)
    why = next(filter(None, (evidence.reason(reason, words) for reason in link["reasons"])), "")
    told = words("story.because", done=done, why=why) if why else done
    return told if link["is_sure"] else words("evidence.unsure", told=told)
