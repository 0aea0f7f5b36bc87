"""The claims of the section changes."""

from collections.abc import Mapping
from typing import Any

from analysis.claims.claim import Claim


def claims(facts: Mapping[str, Any]) -> list[Claim]:
    """What the section says."""
    return []
