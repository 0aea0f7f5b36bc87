"""How well the risk rules foresaw what was later reverted or repaired."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import logistic
from analysis.calibration import by_level, by_tenth, wilson
from analysis.chains import labels
from analysis.discrimination import Interval, aucs, top_tenth
from analysis.walk_forward import FEWEST_FAILED, walk_forward
from analysis.window import Window
from data.moments import local_day, midnight

SCHEMA = "merge-window/backtest@1"
WITHIN_DAYS = 30  # half of what is ever reverted or repaired is so within a week or two
FEWEST_FIRED = 5
MONTHS_FROM = 365  # days; over less, periods are weeks
SCORE, LINES, MODEL = "risk_score", "lines_added", "model"
FEATURES = (
    *("ns", "nf", "entropy", "la", "ld", "fix", "ndev", "age_days", "nuc", "exp", "sexp"),
    *("code_lines", "test_lines", "coreness", "repair_density"),
)
_KNOWN = ("additions", "changed_files", "risk_score", "tier")
_OF_SCORES = {SCORE: "risk_score", "tier": "tier", LINES: "additions", "files_changed": "changed_files"}

Numbers = dict[str, Any]


def backtest(
    changes: pd.DataFrame,
    risks: pd.DataFrame,
    links: pd.DataFrame,
    *,
    rules: Sequence[str],
    since: date | None = None,
    tz: str = "UTC",
    until: str | None = None,
) -> dict[str, Any]:
    """How well did the risk rules, and their score, foresee which changes were soon reverted or repaired?

    Formula: a change failed if it was reverted or repaired within so many days; the newest ones, of which that cannot
        be known yet, are left out. Rules judge a change by what was known when it was merged; their points and
        thresholds are set by hand, nothing of them is trained here. The model of a period (a month; a week, where there
        is less than a year) is trained on changes whose fate was known when that began. Changes are compared within
        their period: the tenth that is looked at first is that of each month. The score stands beside "lines added" and
        "files changed", the model beside the score on the periods for which there was a model. The model is for use if
        its AUC beats the score's with 95 % confidence.
    Misses: failures that nobody names and that come late; what a warned reader mended before it could fail. A repair
        is often found by the lines it rewrites, and a large change has more lines to rewrite. Points were set with
        sight of some of these repositories.
    Source: walk-forward evaluation of just-in-time defect prediction (Kamei et al. 2013; Tan et al. 2015); labels
        after SZZ (Śliwerski, Zimmermann and Zeller 2005).
    Example: of 100 changes 10 failed, 4 of them among the ten with the highest score of their month: precision 0.4,
        lift 4.

    Args:
        changes: one row per merged pull request that counts: pull_id, merged_at, additions, changed_files, risk_score,
            tier, silent_rules (JSON list), and FEATURES.
        risks: one row per pull request and rule that fired: pull_id, rule.
        links: one row per pull request and earlier one, as `chain_links.links_of` gives them.
        rules: the names of all rules.
        since: first day that is evaluated; None: all. The model is trained on earlier ones all the same.
        tz: cuts days and periods.
        until: the newest moment that is known (UTC text); None: the newest merge.

    Returns:
        What `merge-window backtest --format json` shows, without its first keys: see docs/backtest.md. Among it auc,
        top_tenth and lift of each score, precision, lift and recall of each rule, and use_model. Unknown is None.
        Below ten failed changes nothing is claimed: `state` is "too_few", and but for counts all is None.
    """
    rows = changes.merge(labels(links, changes, within_days=WITHIN_DAYS, until=until), on="pull_id")
    rows["failed"] = rows["was_reverted"] | rows["was_repaired"]
    start = midnight(since, tz) if since else ""
    wanted, is_known = rows["merged_at"] >= start, rows[list(_KNOWN)].notna().all(axis=1)
    counted = wanted & is_known & ~rows["is_censored"]
    left_out = {
        "n_too_recent": int((wanted & rows["is_censored"]).sum()),
        "n_not_judged": int((wanted & ~is_known & ~rows["is_censored"]).sum()),
    }
    # Sorted, so that the order of rows does not matter to the last digit of a sum.
    past = rows[is_known & ~rows["is_censored"]].sort_values(["merged_at", "pull_id"], ignore_index=True)
    periods = _periods(rows.loc[counted, "merged_at"], tz)
    walk = walk_forward(past, periods, features=FEATURES, within_days=WITHIN_DAYS)
    is_counted = (past["merged_at"] >= start).to_numpy(dtype=bool)
    found, period, log_odds = past[is_counted], walk.period[is_counted], walk.log_odds[is_counted]
    failed = found["failed"].to_numpy(dtype=bool)
    is_enough = _is_enough(failed)
    scores = pd.DataFrame({name: found[column].astype(float) for name, column in _OF_SCORES.items()})
    return {
        "state": _state(is_enough),
        "window": _window(found["merged_at"], tz),
        "within_days": WITHIN_DAYS,
        "period": "week" if periods and periods[0].days == 7 else "month",
        "minimum": {"n_failed": FEWEST_FAILED, "n_fired": FEWEST_FIRED},
        "cases": _cases(found, is_enough) | left_out,
        "scores": _compared(failed, scores, period, LINES),
        "rules": _rules(found, failed, risks, rules, is_enough),
        "tiers": _shares(by_level(failed, found["tier"].to_numpy()), "tier", is_enough),
        "tenths": _shares(by_tenth(failed, found["risk_score"].to_numpy(dtype=float), period), "tenth", is_enough),
        "model": _model(past, failed, scores, period, log_odds),
        "folds": _folds(walk.folds, failed, period, log_odds),
    }


def _periods(moments: pd.Series, tz: str) -> list[Window]:
    if moments.empty:
        return []
    days = Window(local_day(moments.min(), tz), local_day(moments.max(), tz), tz)
    return days.periods("M" if days.days >= MONTHS_FROM else "W")


def _window(moments: pd.Series, tz: str) -> dict[str, str | None]:
    days = [str(local_day(moment, tz)) for moment in (moments.min(), moments.max())] if len(moments) else [None, None]
    return {"since": days[0], "until": days[1], "tz": tz}


def _is_enough(failed: NDArray[Any]) -> bool:
    """Whether of both kinds there are enough to say anything."""
    return bool(FEWEST_FAILED <= failed.sum() <= len(failed) - FEWEST_FAILED)


def _state(is_enough: bool) -> str:
    return "ok" if is_enough else "too_few"


def _cases(found: pd.DataFrame, is_enough: bool) -> Numbers:
    n, n_failed = len(found), int(found["failed"].sum())
    counts = {name: int(found[f"was_{name}"].sum()) for name in ("reverted", "repaired")}
    return {
        "n": n,
        "n_failed": n_failed,
        **{f"n_{name}": count for name, count in counts.items()},
        "base_rate": _share(n_failed, n, is_enough),
    }


def _compared(failed: NDArray[Any], scores: pd.DataFrame, period: NDArray[Any], against: str) -> list[Numbers]:
    """What each score tells of the same changes, and by how much it beats one of them."""
    is_enough = _is_enough(failed)
    base = failed.mean() if is_enough else np.nan
    each, beyond = aucs(failed, scores, period, against=against) if is_enough else ({}, {})
    found = []
    for name in scores.columns:
        top = top_tenth(failed, scores[name].to_numpy(), period)
        found.append(
            {
                "name": name,
                "auc": _interval(each.get(name)),
                "top_tenth": _share(top.n_failed, top.n, is_enough),
                "lift": _number(top.n_failed / top.n / base) if is_enough else None,
                f"auc_beyond_{against}": _interval(beyond.get(name)),
            }
        )
    return found


def _rules(
    found: pd.DataFrame, failed: NDArray[Any], risks: pd.DataFrame, rules: Sequence[str], is_enough: bool
) -> list[Numbers]:
    """What each rule foresaw by itself."""
    fired = {rule: found["pull_id"].isin(ids).to_numpy() for rule, ids in risks.groupby("rule")["pull_id"]}
    n_silent = _n_silent(found["silent_rules"])
    nothing = np.zeros(len(found), dtype=bool)
    return [_rule(rule, fired.get(rule, nothing), n_silent.get(rule, 0), failed, is_enough) for rule in rules]


def _rule(rule: str, fires: NDArray[Any], n_silent: int, failed: NDArray[Any], is_enough: bool) -> Numbers:
    n_fired, n_hit, n_failed = int(fires.sum()), int((fires & failed).sum()), int(failed.sum())
    can_tell = is_enough and n_fired >= FEWEST_FIRED
    return {
        "rule": rule,
        "state": "not_judged" if len(fires) and n_silent == len(fires) else _state(can_tell),
        "n_silent": n_silent,
        "n_fired": n_fired,
        "n_failed": n_hit,
        "fires": _number(n_fired / len(fires)) if len(fires) > n_silent else None,
        "precision": _share(n_hit, n_fired, can_tell),
        "lift": _number(n_hit / n_fired / failed.mean()) if can_tell else None,
        "recall": _share(n_hit, n_failed, can_tell),
    }


def _n_silent(texts: pd.Series) -> dict[str, int]:
    """By rule, for how many changes it could not be judged."""
    counts: Counter[str] = Counter()
    for text, n in texts.dropna().value_counts().items():
        counts.update(dict.fromkeys(json.loads(str(text)), int(n)))
    return dict(counts)


def _model(
    past: pd.DataFrame, failed: NDArray[Any], scores: pd.DataFrame, period: NDArray[Any], log_odds: NDArray[Any]
) -> Numbers:
    """What the model told of the changes for which there was one, and its weights as they would be used from now on."""
    scored = ~np.isnan(log_odds)
    compared = _compared(failed[scored], scores[scored].assign(**{MODEL: log_odds[scored]}), period[scored], SCORE)
    beyond = compared[-1][f"auc_beyond_{SCORE}"]
    is_enough = _is_enough(failed[scored])
    fitted = logistic.fit(past[list(FEATURES)], past["failed"].to_numpy(dtype=bool)) if is_enough else None
    return {
        "state": _state(is_enough),
        "use_model": bool(beyond and beyond["low"] > 0),
        "n": int(scored.sum()),
        "n_failed": int(failed[scored].sum()),
        "scores": compared,
        "weights": {name: _number(weight) for name, weight in fitted.by_name().items()} if fitted else {},
    }


def _folds(folds: pd.DataFrame, failed: NDArray[Any], period: NDArray[Any], log_odds: NDArray[Any]) -> list[Numbers]:
    n = np.bincount(period, minlength=len(folds))
    n_failed = np.bincount(period[failed], minlength=len(folds))
    has_model = np.bincount(period[~np.isnan(log_odds)], minlength=len(folds)) > 0
    return [
        {
            "since": str(fold.since),
            "until": str(fold.until),
            "n": int(n[place]),
            "n_failed": int(n_failed[place]),
            "n_trained": int(fold.n_trained),
            "n_trained_failed": int(fold.n_trained_failed),
            "has_model": bool(has_model[place]),
        }
        for place, fold in enumerate(folds.itertuples())
    ]


def _shares(found: pd.DataFrame, name: str, is_enough: bool) -> list[Numbers]:
    return [
        {name: int(row.level), "n": int(row.n), "n_failed": int(row.n_failed)}
        | {"share": _share(row.n_failed, row.n, is_enough and not np.isnan(row.share))}
        for row in found.itertuples()
    ]


def _share(n_true: float, n: float, is_claimed: bool) -> Numbers | None:
    """n_true of n with its Wilson interval."""
    if not is_claimed:
        return None
    low, high = wilson(n_true, n)
    return _interval(Interval(n_true / n, float(low), float(high)))


def _interval(found: Interval | None) -> Numbers | None:
    if found is None or np.isnan(found.value):
        return None
    return {name: _number(value) for name, value in found._asdict().items()}


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)
