"""Scores as sums of named parts: weight times measure, in hundredths, so that they add up to the last digit."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.running import Floats
from data.errors import MergeWindowError

LOWEST, HIGHEST = 0, 10
FULL_TALK, USUAL_TALK = 40, 3  # reviews, comments and threads
FULL_NEW_FILES, FULL_NEW_FOLDERS = 4, 2
_KIND = "kind_"


def weights_of(defaults: Mapping[str, float], chosen: Mapping[str, float] | None) -> dict[str, float]:
    """The default weights with the chosen ones in their place.

    Raises:
        MergeWindowError: a chosen weight has an unknown name.
    """
    if unknown := sorted((chosen or {}).keys() - defaults.keys()):
        raise MergeWindowError(f"Unknown weight {unknown[0]!r}. Known: {', '.join(sorted(defaults))}.")
    return {**defaults, **(chosen or {})}


def parts_of(weights: Mapping[str, float]) -> tuple[str, ...]:
    """The parts that these weights make, in the order of `add_up`."""
    return ("kind", *(name for name in weights if not is_kind(name)), "cap")


def is_kind(weight: str) -> bool:
    """Whether a weight is the points of a kind, where every change of that kind starts from."""
    return weight.startswith(_KIND)


def add_up(measures: pd.DataFrame, weights: Mapping[str, float], name: str) -> pd.DataFrame:
    """The score of each row and its parts.

    Args:
        measures: one column per weight, 0 to 1; those of kinds, `kind_fix` and so on, make one part `kind`.
        weights: points of each where its measure is full.
        name: of the score.

    Returns:
        Same index: `name` (0 to 10), `kind`, the other weights, and `cap`: what brings a sum back to 0 to 10.
    """
    hundredths = np.rint(measures.to_numpy() * [weights[column] * 100 for column in measures.columns])
    kinds = [place for place, column in enumerate(measures.columns) if is_kind(column)]
    parts = {"kind": hundredths[:, kinds].sum(axis=1)}
    parts |= {column: hundredths[:, place] for place, column in enumerate(measures.columns) if not is_kind(column)}
    total = hundredths.sum(axis=1)
    score = total.clip(LOWEST * 100, HIGHEST * 100)
    columns = {name: score, **parts, "cap": score - total}
    # Adding 0 makes a plain zero of a negative one.
    return pd.DataFrame(np.column_stack(list(columns.values())) / 100 + 0.0, measures.index, list(columns))


def numbers(changes: pd.DataFrame, names: Sequence[str]) -> dict[str, Floats]:
    """Some columns as numbers, flags as 1 and 0; what is unknown is 0, for it adds nothing."""
    return dict(zip(names, changes[list(names)].to_numpy(dtype=float, na_value=0.0).T, strict=True))


def share(values: Floats, full: float, start: float = 0.0) -> Floats:
    """How far each value is from `start` to `full`, 0 to 1."""
    return ((values - start) / (full - start)).clip(0, 1)


def log_share(values: Floats, full: float, start: float = 0.0) -> Floats:
    """The same by logarithms: of twice as much, what comes later counts less."""
    return share(np.log1p(values), float(np.log1p(full)), float(np.log1p(start)))


def talk(known: Mapping[str, Floats]) -> Floats:
    """How much was said about each pull request, 0 to 1: its reviews, comments and review threads, by their logarithm.

    A few are a matter of form and count nothing.

    Args:
        known: n_reviews, n_comments, n_threads.
    """
    return log_share(known["n_reviews"] + known["n_comments"] + known["n_threads"], FULL_TALK, USUAL_TALK)


def new_ground(known: Mapping[str, Floats]) -> Floats:
    """How much of the change is where nothing was, 0 to 1: half by its new files, half by its new folders.

    Args:
        known: n_new_files, n_new_folders (with source).
    """
    return (share(known["n_new_files"], FULL_NEW_FILES) + share(known["n_new_folders"], FULL_NEW_FOLDERS)) / 2
