"""The report of a window as data: schema `merge-window/report@1`, from frames that the cache gave."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis import totals as sums
from analysis.variation import TOO_FEW
from analysis.window import Window
from data.frames import rows as rows_of

SCHEMA = "merge-window/report@1"
# Of a module that is only in days before the first window that is wholly cached.
NOT_USUAL = {"low": None, "median": None, "high": None, "n_before": 0, "state": TOO_FEW}


@dataclass(frozen=True)
class WindowRows:
    """What the cache holds of a window and of the equal period before.

    `before` and `modules_before` are None where the cache does not reach back; `before_totals` is then all None.
    """

    pulls: pd.DataFrame  # as `queries.pulls`, with lists and dicts read
    before: pd.DataFrame | None  # as `queries.measures`
    modules: pd.DataFrame  # as `queries.modules`
    modules_before: pd.DataFrame | None
    hot_files: pd.DataFrame  # path, prs, churn_lines
    risks: pd.DataFrame  # as `queries.risks`
    risks_before: pd.DataFrame | None
    chains: pd.DataFrame  # as `chains.chains`, those that touch the window
    themes: pd.DataFrame  # as `Themes.themes`
    ledger: pd.DataFrame  # as `ledger.ledger`, of what the period before warned of
    terms: pd.DataFrame  # as `terms.terms`
    history: pd.DataFrame  # as `totals.history`, of the equal windows before this one that are wholly cached
    usual: pd.DataFrame  # as `totals.usual_modules`, by those windows
    said: pd.DataFrame  # as `notes.notes`
    unjudged: pd.DataFrame  # as `unjudged.unjudged`
    totals: dict[str, Any]
    before_totals: dict[str, Any]
    first: str | None  # days cached
    last: str | None
    last_sync: str | None
    notes: list[str]


def build(
    rows: WindowRows,
    *,
    repo: str,
    window: Window,
    lang: str,
    generated_by: str,
    config: str,
    base: str,
    bots: bool,
    release: str | None = None,
) -> dict[str, Any]:
    """The report's facts. Unknown is None.

    Args:
        rows: of the window.
        repo: `owner/name`.
        window: whose days and zone the report names.
        lang: en or zh.
        generated_by: program and version.
        config: digest of the configuration.
        base: branch the pull requests were merged into, `*` for all.
        bots: whether bots' pull requests are counted.
        release: `A..B` where the window was asked for by two tags.

    Returns:
        The JSON object of the contract, keys in its order. The same rows give the same object.
    """
    listed = rows.pulls.sort_values(["importance", "number"], ascending=[False, True])
    said = {row.pop("number"): row for row in rows_of(rows.said)}
    pulls = [
        _pull(row) | said[row["number"]] | {"touches_tests": _flag(row["touches_tests"])} for row in rows_of(listed)
    ]
    before = window.before
    facts: dict[str, Any] = {
        "schema": SCHEMA,
        "id": "",
        "generated_by": generated_by,
        "repo": repo,
        "lang": lang,
        "window": {
            "since": str(window.since),
            "until": str(window.until),
            "tz": window.tz,
            "days": window.days,
            "iso_week": window.iso_week,
            "release": release,
        },
        "before": {"since": str(before.since), "until": str(before.until)},
        "coverage": {
            "first": rows.first,
            "last": rows.last,
            "reviews_known": _share(rows.pulls["reviews_known"]),
            "files_complete": _share(rows.pulls["files_complete"]),
            "last_sync": rows.last_sync,
            "notes": rows.notes,
        },
        "totals": rows.totals,
        "totals_before": rows.before_totals,
        "kinds": sums.kinds(rows.pulls, rows.before),
        "modules": _modules(rows),
        "overlaps": sums.overlaps(rows.modules),
        "hot_files": rows_of(rows.hot_files[["path", "prs", "churn_lines"]]),
        "risks": sums.risks(rows.risks, rows.risks_before),
        "chains": [_chain(row) for row in rows_of(rows.chains)],
        "themes": [_theme(row) for row in rows_of(rows.themes)],
        "ledger": [
            {key: row[key] for key in ("rule", "pr", "warned_in", "state")}
            | {"by": _whole(row["by"]), "hours": _known(row["hours"])}
            for row in rows_of(rows.ledger)
        ],
        "pulls": pulls,
        "claims": [],
        # beyond the contract
        "base": base,
        "bots": bots,
        "history": _history(rows.history),
        "terms": [_term(row) for row in rows_of(rows.terms)],
        "unjudged": rows_of(rows.unjudged),
        "unclassified": sorted(pull["number"] for pull in pulls if not pull["modules"]),
    }
    facts["id"] = _identity(facts, config=config, base=base, bots=bots)
    return facts


def _history(windows: pd.DataFrame) -> list[dict[str, Any]]:
    """Each window before, the oldest first, with the counts that the report compares with."""
    counts = ("merged", "key", "breaking", "elevated")
    return [
        {"since": str(row["since"]), "until": str(row["until"]), **{name: row[name] for name in counts}}
        for row in rows_of(windows)
    ]


def _modules(rows: WindowRows) -> list[dict[str, Any]]:
    """The modules, each with how many pull requests are usual for it and where this window lies by that."""
    usual = {row["module"]: _usual(row) for row in rows_of(rows.usual)}
    modules = sums.modules(rows.modules, rows.modules_before)
    return [module | {"usual": usual.get(module["name"], NOT_USUAL)} for module in modules]


def _usual(row: dict[str, Any]) -> dict[str, Any]:
    edges = {name: _rounded(row[name]) for name in ("low", "median", "high")}
    return {**edges, "n_before": row["n_before"], "state": row["state"]}


def _term(row: dict[str, Any]) -> dict[str, Any]:
    told = {key: row[key] for key in ("term", "direction", "prs", "prs_before")}
    return told | {"n_before": _rounded(row["n_before"])}


def _chain(row: dict[str, Any]) -> dict[str, Any]:
    told = {key: row[key] for key in ("kind", "prs", "evidence", "is_sure", "since", "until")}
    return told | {"repair_hours": _known(row["repair_hours"])}


def _theme(row: dict[str, Any]) -> dict[str, Any]:
    told = {"title": row["title"], "prs": list(row["prs"]), "modules": list(row["modules"]), "lead": row["lead"]}
    return told | {"reason": row["reason"], "reason_key": row["reason_key"], "reason_prs": row["reason_prs"]}


def _pull(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "number": row["number"],
        "title": row["title"],
        "url": row["url"],
        "author": row["author"],
        "author_type": row["author_type"],
        "merged_at": row["merged_at"],
        "kind": _known(row["kind"]),
        "breaking": _flag(row["is_breaking"]),
        "modules": row["modules"],
        "additions": _whole(row["additions"]),
        "deletions": _whole(row["deletions"]),
        "changed_files": _whole(row["changed_files"]),
        "importance": _known(row["importance"]),
        "importance_parts": row["importance_parts"],
        "insight": _known(row["insight"]),
        "insight_parts": row["insight_parts"],
        "key": _flag(row["is_key"]),
        "risk_score": _known(row["risk_score"]),
        "tier": _whole(row["tier"]),
        "risks": _risks(row),
    }


def _risks(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The rules that fired, and where the score is bounded what that takes back, so that points add up to it."""
    fired = [{key: risk[key] for key in ("rule", "points", "evidence", "value")} for risk in row["risks"]]
    cap = _known(row["risk_score"]) and round(row["risk_score"] - sum(risk["points"] for risk in fired), 2)
    return [*fired, {"rule": "cap", "points": cap, "evidence": {}, "value": None}] if cap else fired


def _identity(facts: dict[str, Any], **more: Any) -> str:
    """Names repository, window, zone, configuration and rows; not the language, in which nothing of that differs."""
    named = {key: facts[key] for key in ("schema", "generated_by", "repo", "window", "totals", "pulls")} | more
    named["window"] = {key: value for key, value in facts["window"].items() if key != "release"}  # its days say it
    return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:16]


def _share(flags: "pd.Series[Any]") -> float | None:
    return round(float(flags.fillna(False).astype(bool).mean()), 3) if len(flags) else None


def _known(value: Any) -> Any:
    return None if pd.isna(value) else value


def _rounded(value: float) -> float | None:
    return None if pd.isna(value) else round(float(value), 2)


def _flag(value: Any) -> bool | None:
    return None if pd.isna(value) else bool(value)


def _whole(value: float) -> int | None:
    return None if pd.isna(value) else int(value)
