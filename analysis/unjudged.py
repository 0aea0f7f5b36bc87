"""What the risk rules could not say for want of knowledge."""

from collections import Counter
from typing import Any

import pandas as pd

from analysis.risk import NEEDS, RULES
from data.frames import rows

PEOPLE = "people"  # who wrote, merged or approved it: no flag tells whether that is known
COLUMNS = {"missing": "object", "rule": "object", "n_prs": "int64"}
_NEEDS_OF = {rule.name: rule.needs for rule in RULES}


def unjudged(pulls: pd.DataFrame) -> pd.DataFrame:
    """How many pull requests each rule could not judge, by what is not known of them.

    Of several things that are missing the first counts that the rule needs. What has no column here is missing where
    a rule is silent although all else that it needs is known.

    Args:
        pulls: silent_rules (list), and where they are at hand the columns of `risk.NEEDS` that tell what is known.

    Returns:
        One row per missing thing (of `risk.NEEDS`, or people) and rule, in the order of the needs, most first:
        missing, rule, n_prs.
    """
    counts = Counter((_missing(row, rule), rule) for row in rows(pulls) for rule in row["silent_rules"])
    order = [*NEEDS, PEOPLE]
    found = [(missing, rule, n) for (missing, rule), n in counts.items()]
    found.sort(key=lambda each: (order.index(each[0]), -each[2], each[1]))
    return pd.DataFrame(found, columns=list(COLUMNS)).astype(COLUMNS)


def _missing(pull: dict[str, Any], rule: str) -> str:
    needs = _NEEDS_OF.get(rule, ())
    told = [need for need in needs if NEEDS[need] in pull]
    untold = [need for need in needs if NEEDS[need] not in pull]
    return next((need for need in told if not _is_known(need, pull[NEEDS[need]])), untold[0] if untold else PEOPLE)


def _is_known(need: str, value: Any) -> bool:
    return not pd.isna(value) and (need == "lines" or bool(value))  # no line is a number too
