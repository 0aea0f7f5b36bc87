"""The sentence on top of the Overview, and the line below it: what happened, in words."""

from collections.abc import Sequence
from typing import Any

from analysis.window import Window
from dashboard import formats
from dashboard.words import Words


def headline(merged: int, before: int | None, window: Window, words: Words) -> str:
    """How many pull requests were merged, and how that compares with the equal period before (None: unknown)."""
    told = words("overview.merged", n=merged)
    if before is None:
        return told
    than = formats.than_before(window, words.lang)
    if before == 0:
        return words("overview.first", merged=told, before=than)
    key = "same" if merged == before else "more" if merged > before else "fewer"
    return words(f"overview.{key}", merged=told, n=abs(merged - before), before=than)


def context(merged: int, modules: Sequence[dict[str, Any]], *, missing_tests: int, breaking: int, words: Words) -> str:
    """Where the changes went and what stands out, as one line of Markdown.

    Args:
        merged: pull requests of the window.
        modules: most pull requests first: module, prs (their numbers).
        missing_tests: changes that the rule of this name asks tests of.
        breaking: changes marked as breaking.
        words: the language.
    """
    sentences = [_touched(merged, modules, words)]
    if missing_tests:
        sentences.append(words("overview.missing_tests", n=missing_tests))
    if breaking:
        sentences.append(words("overview.breaking", n=breaking))
    return words("list.between_sentences").join(filter(None, sentences))


def _touched(merged: int, modules: Sequence[dict[str, Any]], words: Words) -> str:
    """Which share of the pull requests the one or two busiest modules have."""
    top = [module for module in modules[:2] if len(module["prs"]) > 1]
    if not top or not merged:
        return ""
    touched = set().union(*(module["prs"] for module in top))
    names = [formats.escape_markdown(module["module"]) for module in top]
    few = merged < formats.SMALL
    share = words("overview.some", n=len(touched)) if few else formats.percent(len(touched) / merged, words.lang)
    if len(names) == 1:
        return words("overview.touched_one", share=share, a=names[0])
    return words("overview.touched_two", share=share, a=names[0], b=names[1])
