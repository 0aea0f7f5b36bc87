"""Sets of importance weights for different readers: what each weighs otherwise than the built-in ones."""

from collections.abc import Mapping

DEFAULT_PRESET = "maintainer"
PRESETS: Mapping[str, Mapping[str, float]] = {
    DEFAULT_PRESET: {},
    # What users notice: breaks, interfaces, settings, dependencies, features and fixes; not how the inside looks.
    "release-manager": {
        "kind_feat": 3.9,
        "kind_fix": 3.6,
        "kind_perf": 3.9,
        "kind_refactor": 2.6,
        "kind_build": 2.8,
        "kind_test": 1.8,
        "kind_ci": 1.8,
        "kind_chore": 2.4,
        "breaking": 3.5,
        "interface": 1.2,
        "size": 1.8,
        "core_path": 0.4,
        "dependency": 0.8,
        "container": 0.4,
        "config": 0.8,
        "version_bump": -0.2,
    },
    # Where something can get in: dependencies, images, pipelines, settings, the core; a bot's bump counts in full.
    "security": {
        "kind_feat": 3.1,
        "kind_refactor": 3.0,
        "kind_build": 3.2,
        "kind_ci": 3.0,
        "size": 2.0,
        "core_path": 1.4,
        "dependency": 1.8,
        "container": 1.2,
        "ci": 1.0,
        "config": 0.8,
        "interface": 0.5,
        "bot": 0.0,
        "version_bump": 0.0,
        "docs_only": -1.5,
    },
}
