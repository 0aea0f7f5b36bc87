"""Weights for other readers."""

import pytest
from changes import changes

from analysis import importance
from analysis.presets import DEFAULT_PRESET, PRESETS


def ranked(preset, **facts):
    """The names of some changes, the most important first."""
    scores = importance.score(changes(*facts.values()), PRESETS[preset])["importance"]
    return [name for _, name in sorted(zip(-scores, facts, strict=True))]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_weight_of_a_preset_exists_and_differs(preset):
    assert PRESETS[preset].keys() <= importance.DEFAULT_WEIGHTS.keys()
    assert all(importance.DEFAULT_WEIGHTS[name] != points for name, points in PRESETS[preset].items())


def test_the_maintainers_are_the_built_in_weights():
    assert PRESETS[DEFAULT_PRESET] == {}


CHANGES = {
    "cleanup": {"kind": "refactor", "added": 150.0, "n_folders": 3},
    "flag": {"kind": "feat", "added": 12.0, "touches_interface": True, "touches_config": True},
    "bump": {"kind": "build", "added": 1.0, "is_bump": True, "is_bot": True, "touches_dependency": True},
    "pipeline": {"kind": "ci", "added": 10.0, "touches_ci": True, "touches_container": True},
    "docs": {"kind": "docs", "docs_only": True, "added": 2.0},
}


def test_each_reader_has_another_first_one():
    assert ranked("maintainer", **CHANGES)[0] == "cleanup"
    assert ranked("release-manager", **CHANGES)[0] == "flag"
    assert ranked("security", **CHANGES)[0] == "pipeline"


def test_a_bots_bump_rises_for_security_only():
    places = {preset: ranked(preset, **CHANGES).index("bump") for preset in PRESETS}
    assert places["security"] < places["maintainer"]
    assert ranked("maintainer", **CHANGES)[-1] == "bump"
