"""Colours are told apart by everyone: CIEDE2000, three kinds of colour blindness and WCAG contrast, computed here."""

import math
import tomllib
from importlib import resources
from itertools import combinations

import pytest

from dashboard.palette import DARK, KIND_SERIES, LIGHT, SERIES_OF_KIND, Palette, kind_series, palette

APART = 10  # CIEDE2000 units between any two of a set
BOTH = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])

Triple = tuple[float, float, float]

# Machado, Oliveira, Fernandes (2009), severity 1.0, on linear RGB.
SIGHTS: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# sRGB to CIE XYZ under D65, and the white point that belongs to it.
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE: Triple = (0.95047, 1.0, 1.08883)


def contrast(one: str, other: str) -> float:
    """The WCAG contrast ratio of two `#rrggbb` colours, 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def distance(one: str, other: str, sight: str = "normal") -> float:
    """CIEDE2000 between two `#rrggbb` colours as a person with this sight sees them."""
    return ciede2000(_lab(one, sight), _lab(other, sight))


def ciede2000(one: Triple, other: Triple) -> float:
    """The colour difference of two CIELAB colours, as Sharma, Wu and Dalal (2005) write it down."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - math.sqrt(chroma**7 / (chroma**7 + 25**7)))
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = _hue(a1 * stretch, b1), _hue(a2 * stretch, b2)
    grey = c1 * c2 == 0
    turn = 0.0 if grey else (h2 - h1 + 180) % 360 - 180
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2 if grey else _mean_hue(h1, h2)
    weight_l = 1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    weight_c, weight_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * _hue_weight(hue)
    twist = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * _sin(60 * math.exp(-(((hue - 275) / 25) ** 2)))
    d_l = (l2 - l1) / weight_l
    d_c = (c2 - c1) / weight_c
    d_h = 2 * math.sqrt(c1 * c2) * _sin(turn / 2) / weight_h
    return math.sqrt(d_l**2 + d_c**2 + d_h**2 + twist * d_c * d_h)


def _hue(a: float, b: float) -> float:
    return math.degrees(math.atan2(b, a)) % 360


def _mean_hue(one: float, other: float) -> float:
    total = one + other
    if abs(one - other) <= 180:
        return total / 2
    return (total + 360) / 2 if total < 360 else (total - 360) / 2


def _hue_weight(hue: float) -> float:
    return 1 - 0.17 * _cos(hue - 30) + 0.24 * _cos(2 * hue) + 0.32 * _cos(3 * hue + 6) - 0.20 * _cos(4 * hue - 63)


def _sin(degrees: float) -> float:
    return math.sin(math.radians(degrees))


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def _linear(colour: str) -> Triple:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return (_to_linear(red), _to_linear(green), _to_linear(blue))


def _to_linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _times(matrix: tuple[Triple, Triple, Triple], vector: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return (first, second, third)


def _lab(colour: str, sight: str) -> Triple:
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(SIGHTS[sight], _linear(colour)))
    x, y, z = (_root(part / white) for part, white in zip(_times(TO_XYZ, (red, green, blue)), WHITE, strict=True))
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def _root(part: float) -> float:
    return part ** (1 / 3) if part > (6 / 29) ** 3 else part / (3 * (6 / 29) ** 2) + 4 / 29


def closest(colours: dict, sight: str) -> tuple[float, str, str]:
    """The two of a set that this sight finds most alike, and how far apart they are."""
    pairs = combinations(colours, 2)
    return min((distance(colours[one], colours[other], sight), str(one), str(other)) for one, other in pairs)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # from the data that Sharma, Wu and Dalal published with the formula
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
        ((50, -1, 2), (50, 0, 0), 2.3669),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_colour_difference_agrees_with_its_published_data(one, other, expected):
    assert ciede2000(one, other) == pytest.approx(expected, abs=5e-5)


def test_colour_blind_sight_confuses_what_it_is_known_to_confuse():
    red, green = "#c05040", "#707a30"
    assert distance(red, green, "deutan") < 0.5 * distance(red, green)
    assert distance("#00a0c0", "#00a090", "tritan") < 0.5 * distance("#00a0c0", "#00a090")


def test_contrast_runs_from_one_to_twenty_one():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast("#3354a7", "#3354a7") == 1


@BOTH
@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_kinds_stay_apart_for_every_sight(colours: Palette, sight: str):
    assert closest(colours.kinds, sight) >= (APART,)


@BOTH
@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_risk_tiers_stay_apart_for_every_sight(colours: Palette, sight: str):
    assert closest(colours.tiers, sight) >= (APART,)


@BOTH
@pytest.mark.parametrize("sight", SIGHTS)
def test_better_worse_and_neutral_stay_apart_for_every_sight(colours: Palette, sight: str):
    meaning = {"better": colours.better, "worse": colours.worse, "neutral": colours.neutral}
    assert closest(meaning, sight) >= (APART,)


@BOTH
def test_every_mark_stands_out_from_the_page(colours: Palette):
    marks = {**colours.kinds, **colours.tiers, "before": colours.before, "accent": colours.accent}
    assert {name: colour for name, colour in marks.items() if contrast(colour, colours.paper) < 3} == {}


@BOTH
def test_every_text_can_be_read(colours: Palette):
    for name in ("text", "muted", "accent", "better", "worse", "neutral"):
        assert contrast(getattr(colours, name), colours.paper) >= 4.5, name


@BOTH
def test_a_chosen_week_stands_out_from_the_others(colours: Palette):
    assert contrast(colours.accent, colours.strip) >= 3
    for sight in SIGHTS:
        assert distance(colours.accent, colours.strip, sight) >= 20


def test_every_kind_of_the_contract_has_a_series_and_an_unknown_one_is_other():
    contract = "feat fix perf refactor docs test ci build chore revert other".split()
    assert set(SERIES_OF_KIND) == set(contract)
    assert set(SERIES_OF_KIND.values()) == set(KIND_SERIES)
    assert kind_series("a kind of a later version") == "other"


def test_the_theme_of_the_browser_chooses_the_set():
    assert palette("dark") is DARK
    assert palette("light") is LIGHT
    assert palette(None) is LIGHT


@pytest.mark.parametrize(("name", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_charts_and_the_streamlit_theme_share_their_colours(name: str, colours: Palette):
    theme = tomllib.loads(resources.files("dashboard").joinpath("theme/merge-window.toml").read_text("utf-8"))["theme"]
    assert theme[name]["backgroundColor"] == colours.paper
    assert theme[name]["textColor"] == colours.text
    assert theme[name]["primaryColor"] == colours.accent
    assert theme[name]["blueColor"] == colours.better
    assert theme[name]["orangeColor"] == colours.worse
    assert theme[name]["chartCategoricalColors"] == list(colours.kinds.values())


def test_streamlit_accepts_every_line_of_the_theme(caplog):
    from streamlit import config_util
    from streamlit.config import _config_options_template

    path = resources.files("dashboard").joinpath("theme/merge-window.toml")
    loaded = config_util._load_theme_file(str(path), _config_options_template)
    assert loaded == tomllib.loads(path.read_text("utf-8"))
    assert caplog.messages == []
