"""Measures of a change that foretell defects: size, spread, history and experience."""

import numpy as np
import pandas as pd

from analysis.history import History, Past
from analysis.running import codes, largest, n_distinct

_AS_JUDGED = ("pull_id", "number", "merged_at", "author_id", "has_source", "has_tests")
HISTORY_COLUMNS = (
    *_AS_JUDGED,
    *("ns", "nd", "nf", "entropy", "la", "ld", "fix", "ndev", "age_days", "nuc", "exp", "rexp", "sexp"),
    *("coreness", "repair_density", "hottest"),
)
_WAS = ("n_before", "n_fixes", "n_authors", "age_days", "hottest")
FEW_CHANGES = 3  # earlier changes of a file below which the share of fixes among them says nothing


def measures(changes: pd.DataFrame, files: pd.DataFrame, before: History, past: Past) -> pd.DataFrame:
    """How large and spread is each change, what went before in its files, and how well does its author know them?

    Formula: `ns`, `nd`, `nf` are the areas (first two folders), folders and files touched. `entropy` is Shannon's over
        the shares of changed lines, divided by its largest possible value: 0 for one file, 1 for lines spread evenly.
        `la` and `ld` are lines added and deleted, `fix` is 1 for a fix. `ndev` is the most authors that one of the
        files had before, `age_days` the mean time since the files were last changed, `nuc` the sum of their earlier
        changes. `exp` counts the author's earlier merged pull requests, `rexp` weighs each by 1 / (whole years ago +
        1), `sexp` counts those in the areas touched. `repair_density` is the largest share of fixes among a file's
        earlier changes. Generated, vendored and lock files are left out.
    Misses: what happened before the cache begins; a renamed file starts anew; authors under two names count as two.
        Where a file list is cut short, it is of the files that are known.
    Source: Kamei et al. 2013, A Large-Scale Empirical Study of Just-in-Time Quality Assurance. Its LT (lines before) is
        not cached; NDEV and NUC are taken per file.
    Example: a fix of 10 lines in each of two files of one folder: `nf` 2, `nd` 1, `entropy` 1.0, `la` 20, `fix` 1.

    Args:
        changes: one row per merged pull request in time order: pull_id, number, merged_at, author_id, has_source,
            has_tests, kind, coreness.
        files: as `touched.in_order` gives them.
        before: of these files and pull requests,
        past: and of the time before them.

    Returns:
        One row per row of `changes`, in their order: HISTORY_COLUMNS. Unknown is NaN.
    """
    n, real = len(changes), ~files["is_noise"].to_numpy(dtype=bool)
    at, lines = files["at"].to_numpy()[real], files["lines"].to_numpy()[real]
    was = {name: before.files[name].to_numpy()[real] for name in _WAS}
    n_files = np.bincount(at, minlength=n)
    seen = ~np.isnan(was["age_days"])
    n_seen = np.bincount(at[seen], minlength=n)
    age = np.bincount(at[seen], weights=was["age_days"][seen], minlength=n) / np.maximum(n_seen, 1)
    density = np.where(was["n_before"] >= FEW_CHANGES, was["n_fixes"] / np.maximum(was["n_before"], 1), 0)
    added, deleted = (
        np.bincount(at, weights=np.nan_to_num(files[name].to_numpy()[real]), minlength=n)
        for name in ("additions", "deletions")
    )
    own = np.bincount(before.areas["at"].to_numpy(), weights=before.areas["by_author"].to_numpy(), minlength=n)
    return pd.DataFrame(
        {
            **{name: changes[name].to_numpy() for name in _AS_JUDGED},
            "ns": n_distinct(at, codes(files["area"])[real], n),
            "nd": n_distinct(at, codes(files["folder"])[real], n),
            "nf": n_files,
            "entropy": _entropy(at, lines, n),
            "la": added.astype(np.int64),
            "ld": deleted.astype(np.int64),
            "fix": (changes["kind"] == "fix").to_numpy(dtype=np.int64),
            "ndev": largest(at, was["n_authors"], n).astype(np.int64),
            "age_days": np.where(n_seen > 0, age, np.nan),
            "nuc": np.bincount(at, weights=was["n_before"], minlength=n).astype(np.int64),
            "exp": before.authors["exp"].to_numpy(),
            "rexp": before.authors["rexp"].to_numpy(),
            "sexp": own.astype(np.int64),
            "coreness": changes["coreness"].to_numpy(),
            "hottest": np.maximum.accumulate(np.maximum(largest(at, was["hottest"], n), past.hottest)),
            "repair_density": largest(at, density, n),
        }
    )


def _entropy(at: np.ndarray, lines: np.ndarray, n: int) -> np.ndarray:
    """How evenly lines lie over the files of each of `n` changes: 0 (all in one) to 1."""
    at, lines = at[lines > 0], lines[lines > 0]
    total = np.bincount(at, weights=lines, minlength=n)
    share = lines / total[at]
    found = -np.bincount(at, weights=share * np.log2(share), minlength=n)
    n_files = np.bincount(at, minlength=n)
    return np.where(n_files > 1, found / np.log2(np.maximum(n_files, 2)), 0)
