"""The report of a window as data: schema `merge-window/report@1`, from frames that the cache gave."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis import totals as sums
from analysis.window import Window
from data.frames import rows as rows_of

SCHEMA = "merge-window/report@1"


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
    themes: list[dict[str, Any]]  # as `Themes.as_report`
    ledger: pd.DataFrame  # as `ledger.ledger`, of what the period before warned of
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
    pulls = [_pull(row) for row in rows_of(listed)]
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
        "modules": sums.modules(rows.modules, rows.modules_before),
        "overlaps": sums.overlaps(rows.modules),
        "hot_files": rows_of(rows.hot_files[["path", "prs", "churn_lines"]]),
        "risks": sums.risks(rows.risks, rows.risks_before),
        "chains": [
            {"kind": row["kind"], "prs": row["prs"], "evidence": row["evidence"]} for row in rows_of(rows.chains)
        ],
        "themes": rows.themes,
        "ledger": rows_of(rows.ledger[["rule", "pr", "warned_in", "state"]]),
        "pulls": pulls,
        "claims": [],
    }
    facts["id"] = _identity(facts, config=config, base=base, bots=bots)
    return facts


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
        "note": None,
    }


def _risks(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The rules that fired, and where the score is bounded what that takes back, so that points add up to it."""
    fired = [{key: risk[key] for key in ("rule", "points", "evidence")} for risk in row["risks"]]
    cap = _known(row["risk_score"]) and round(row["risk_score"] - sum(risk["points"] for risk in fired), 2)
    return [*fired, {"rule": "cap", "points": cap, "evidence": {}}] if cap else fired


def _identity(facts: dict[str, Any], **more: Any) -> str:
    """Names repository, window, zone, configuration and rows; not the language, in which nothing of that differs."""
    named = {key: facts[key] for key in ("schema", "generated_by", "repo", "window", "totals", "pulls")} | more
    named["window"] = {key: value for key, value in facts["window"].items() if key != "release"}  # its days say it
    return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:16]


def _share(flags: "pd.Series[Any]") -> float | None:
    return round(float(flags.fillna(False).astype(bool).mean()), 3) if len(flags) else None


def _known(value: Any) -> Any:
    return None if pd.isna(value) else value


def _flag(value: Any) -> bool | None:
    return None if pd.isna(value) else bool(value)


def _whole(value: float) -> int | None:
    return None if pd.isna(value) else int(value)
