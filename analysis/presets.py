"""Sets of importance weights for different readers: what each weighs otherwise than the built-in ones."""

from collections.abc import Mapping

DEFAULT_PRESET = "maintainer"
PRESETS: Mapping[str, Mapping[str, float]] = {
    DEFAULT_PRESET: {},
    # What users notice: breaks, interfaces, settings, dependencies, features and fixes; not how the inside looks.
    "release-manager": {
        "kind_feat": 4.23,
        "kind_fix": 4.02,
        "kind_perf": 4.23,
        "kind_refactor": 3.32,
        "kind_build": 3.46,
        "kind_test": 2.76,
        "kind_ci": 2.76,
        "kind_chore": 3.18,
        "breaking": 2.45,
        "interface": 0.84,
        "size": 1.26,
        "core_path": 0.28,
        "dependency": 0.56,
        "container": 0.28,
        "config": 0.56,
        "version_bump": -0.14,
    },
    # Where something can get in: dependencies, images, pipelines, settings, the core; a bot's bump counts in full.
    "security": {
        "kind_feat": 3.67,
        "kind_refactor": 3.6,
        "kind_build": 3.74,
        "kind_ci": 3.6,
        "size": 1.4,
        "core_path": 0.98,
        "dependency": 1.26,
        "container": 0.84,
        "ci": 0.7,
        "config": 0.56,
        "interface": 0.35,
        "bot": 0.0,
        "version_bump": 0.0,
        "docs_only": -1.05,
    },
}
