"""What a team may set of the risk rules; nothing heavy is imported here, for the configuration is read first of all."""

from collections.abc import Mapping
from dataclasses import dataclass, field

TIERS = (8.0, 26.0, 44.0)  # scores from which on a change is in tier 2, 3 and 4
ELEVATED = 3  # the tier from which on a risk is called so


@dataclass(frozen=True)
class RiskSettings:
    """Points and thresholds over those of the rules, and which paths are core or hot whatever history says."""

    points: Mapping[str, float] = field(default_factory=dict)  # rule -> points; 0 turns it off
    thresholds: Mapping[str, float] = field(default_factory=dict)  # rule -> value above which it fires
    tiers: tuple[float, ...] = TIERS
    core_paths: tuple[str, ...] = ()  # patterns, as `src/core/*`; a star crosses folders
    hot_paths: tuple[str, ...] = ()
