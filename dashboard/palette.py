"""The colours of every page, in a light and a dark set: the one place that names them.

A kind of change and a risk tier keep their colour on every page. `tests/test_palette.py` computes that any two of a
set stay apart for ordinary and colour-blind sight, and that each stands out from the page.
"""

from dataclasses import dataclass
from typing import Literal

KindSeries = Literal["feat", "fix", "refactor", "perf", "test", "docs", "other"]

# At most six series and a grey rest, in the order of legends and of stacks, from the bottom.
KIND_SERIES: tuple[KindSeries, ...] = ("feat", "fix", "refactor", "perf", "test", "docs", "other")

# The contract's kinds that share a series with another one.
SERIES_OF_KIND: dict[str, KindSeries] = {
    "feat": "feat",
    "fix": "fix",
    "refactor": "refactor",
    "perf": "perf",
    "test": "test",
    "docs": "docs",
    "ci": "docs",
    "build": "docs",
    "chore": "docs",
    "revert": "other",
    "other": "other",
}

# Risk tiers differ in shape as well as lightness, so that none needs its hue to be told apart.
TIER_SYMBOLS: dict[int, str] = {1: "circle", 2: "circle", 3: "diamond", 4: "square"}
TIER_SIGNS: dict[int, str] = {1: "●", 2: "●", 3: "◆", 4: "■"}  # the same shapes in text


def kind_series(kind: str) -> KindSeries:
    """The series that a kind of the contract is drawn in; one that is not known goes to `other`."""
    return SERIES_OF_KIND.get(kind, "other")


@dataclass(frozen=True)
class Palette:
    """One set of colours, each as `#rrggbb`."""

    paper: str  # what the page is made of, and the gaps between stacked pieces
    text: str
    muted: str  # axis labels and captions: still 4.5:1 on paper
    grid: str
    strip: str  # bars of the window strip that are not chosen
    before: str  # the earlier of two values, beside the accent
    accent: str
    better: str
    worse: str
    neutral: str
    kinds: dict[KindSeries, str]
    tiers: dict[int, str]


def _kinds(*colours: str) -> dict[KindSeries, str]:
    return dict(zip(KIND_SERIES, colours, strict=True))


def _tiers(*colours: str) -> dict[int, str]:
    return dict(enumerate(colours, start=1))


LIGHT = Palette(
    paper="#fbfaf7",
    text="#15171b",
    muted="#62656b",
    grid="#e7e3d9",
    strip="#d8d3c6",
    before="#8a8f98",
    accent="#3354a7",
    better="#3354a7",
    worse="#b54b32",
    neutral="#62656b",
    kinds=_kinds("#3354a7", "#b54b32", "#127f6a", "#a98c00", "#723666", "#3494dd", "#8a8f98"),
    tiers=_tiers("#92918e", "#a47d13", "#974137", "#57030b"),
)

DARK = Palette(
    paper="#14171c",
    text="#e9e7e2",
    muted="#9a9da3",
    grid="#272d36",
    strip="#3a4250",
    before="#7d8590",
    accent="#82a2fc",
    better="#82a2fc",
    worse="#d4813a",
    neutral="#9a9da3",
    kinds=_kinds("#82a2fc", "#d4813a", "#67cba8", "#f0cb70", "#d294c0", "#c5e2fc", "#7d8590"),
    tiers=_tiers("#5e6879", "#9a6f32", "#f8a65f", "#fde8e0"),
)


def palette(theme_type: str | None) -> Palette:
    """The set for `st.context.theme.type`: dark for `dark`, light for all else (None before the browser has told)."""
    return DARK if theme_type == "dark" else LIGHT
