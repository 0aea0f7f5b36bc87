"""What the Risk page shows, put together from the rules, their configuration and the answers of the cache."""

from typing import Any

import pandas as pd

from analysis.ledger import STATES
from analysis.risk import RULES
from analysis.risk_settings import RiskSettings
from dashboard import evidence, formats
from dashboard.words import Words
from data.frames import rows


def counts_of(courses: pd.DataFrame, column: str) -> dict[Any, list[int]]:
    """How often each value of `column` occurred, window by window, from `reads.risk_courses`."""
    return dict(zip(courses[column], courses["counts"], strict=True))


def fired(courses: pd.DataFrame, words: Words) -> pd.DataFrame:
    """The rules that fired in this window or those before, most often now first.

    Args:
        courses: as `reads.risk_courses` tells of rules.
        words: the language.

    Returns:
        One row per rule: rule, label, now, before (NaN without a window before), counts.
    """
    found = courses.assign(
        label=[evidence.label(rule, words) for rule in courses["rule"]],
        now=[counts[-1] for counts in courses["counts"]],
        before=[counts[-2] if len(counts) > 1 else float("nan") for counts in courses["counts"]],
        total=courses["counts"].map(sum),
    )
    return found.sort_values(["now", "total", "rule"], ascending=[False, False, True], ignore_index=True)


def examples(pulls: pd.DataFrame, rule: str, n: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The pull requests in which a rule found most, each with what it found: most points first, then most measured."""
    found = [(pull, risk) for pull in rows(pulls) for risk in pull["risks"] if risk["rule"] == rule]
    found.sort(key=lambda each: (-each[1]["points"], -(each[1]["value"] or 0), each[0]["number"]))
    return found[:n]


def warnings(ledger: pd.DataFrame, words: Words) -> pd.DataFrame:
    """What became of earlier warnings, in words, the open ones first: pr (int), number, label, state, by, after."""
    order = ledger["state"].map(lambda state: -STATES.index(state))
    sorted_ = ledger.assign(order=order).sort_values(["order", "rule", "pr"], ignore_index=True)
    return pd.DataFrame(
        {
            "pr": sorted_["pr"],
            "number": sorted_["pr"].map("#{}".format),
            "label": [evidence.label(rule, words) for rule in sorted_["rule"]],
            "state": sorted_["state"].map(lambda state: words(f"became.{state}")),
            "by": sorted_["by"].map("#{}".format, na_action="ignore"),
            "after": sorted_["hours"].map(lambda hours: formats.duration(hours, words.lang), na_action="ignore"),
        }
    )


def warned_in_short(ledger: pd.DataFrame, before: str, words: Words) -> str:
    """How many warnings the period before gave, and what became of them, in a sentence."""
    counts = ledger["state"].value_counts()
    told = [
        words("risk.became", state=words(f"became.{state}"), n=int(counts[state]))
        for state in STATES
        if state in counts
    ]
    return words("risk.warned", n=len(ledger), before=before, told=words("list.separator").join(told))


def scores_of(tier: int, settings: RiskSettings, words: Words) -> str:
    """Which scores a tier holds."""
    bounds = [0.0, *settings.tiers]
    since = formats.measure(bounds[tier - 1], words.lang)
    if tier == len(bounds):
        return words("risk.scores_from", since=since)
    return words("risk.scores", since=since, below=formats.measure(bounds[tier], words.lang))


def rules(settings: RiskSettings, unjudged: pd.DataFrame, words: Words) -> pd.DataFrame:
    """Every rule as configured, most points first: label, points, threshold, unit, needs, unjudged, why, source.

    Args:
        settings: points and thresholds that differ from the built-in ones.
        unjudged: as `reads.unjudged_rules`.
        words: the language.
    """
    silent = unjudged.groupby("rule")["n_prs"].sum()
    made = [
        {
            "label": evidence.label(rule.name, words),
            "points": float(settings.points.get(rule.name, rule.points)),
            "threshold": float(settings.thresholds.get(rule.name, rule.threshold)),
            "unit": evidence.unit(rule.name, words),
            "needs": [words(f"need.{need}") for need in rule.needs],
            "unjudged": int(silent.get(rule.name, 0)),
            "why": evidence.why(rule.name, words),
            "source": rule.source,
        }
        for rule in RULES
    ]
    return pd.DataFrame(made).sort_values("points", ascending=False, kind="stable", ignore_index=True)
