"""Whole reports, in both languages, of six windows: what a reader gets, to be read in a diff.

After a change that is meant: MERGE_WINDOW_GOLDEN=write python -m pytest tests/test_report_golden.py
"""

import os
from datetime import date, timedelta

import pytest
from conftest import ROOT
from factories import REPO, make_file, make_pull, make_review, save

from analysis.window import Window
from dashboard import reads, refresh
from dashboard.config import Config
from dashboard.report.document import document
from data.people import person

FOLDER = ROOT / "tests" / "golden"
# Window and length of each report.
REPORTS = {
    "empty": (Window(date(2026, 3, 16), date(2026, 3, 22)), "M"),
    "one": (Window(date(2026, 3, 23), date(2026, 3, 29)), "M"),
    "two": (Window(date(2026, 3, 30), date(2026, 4, 5)), "M"),
    "calm-week": (Window(date(2026, 4, 6), date(2026, 4, 12)), "M"),
    "stormy-week": (Window(date(2026, 4, 13), date(2026, 4, 19)), "L"),
    "year": (Window(date(2025, 7, 1), date(2026, 6, 30)), "S"),
}
ENGINE, TAX, TESTS = "shop/engine/core.py", "shop/tax/rates.py", "tests/tax/test_rates.py"


def pull(number, title, merged, *files, who="ada", body="", **more):
    """One merged pull request, opened the day before, of these files: path, or path and lines."""
    changed = [make_file(*((file, 12, 3) if isinstance(file, str) else file)) for file in files]
    opened = f"{date.fromisoformat(merged) - timedelta(days=1)}T08:00:00Z"
    at = f"{merged}T12:00:00Z"
    reviews = more.pop("reviews", [make_review("kim", f"{merged}T09:00:00Z")])
    return make_pull(
        number, title, at, files=changed, author=person(who), body=body, created_at=opened, reviews=reviews, **more
    )


def history():
    """Twenty-five calm weeks of one or two merges, so that there is something usual."""
    for week in range(25):
        day = date.fromordinal(date(2025, 9, 17).toordinal() + 7 * week).isoformat()
        yield pull(100 + 2 * week, f"fix(engine): keep step {week} in order", day, (ENGINE, 20, 4), TAX, who="ada")
        if week % 3 == 0:
            yield pull(
                101 + 2 * week, f"feat(tax): rates of region {week}", day, (TAX, 60, 2), (TESTS, 30, 0), who="bo"
            )


def weeks():
    yield pull(200, "docs: how to start", "2026-03-24", "docs/start.md", body="Tells a newcomer the first three steps.")
    yield pull(210, "fix(tax): round half up", "2026-03-31", (TAX, 8, 2), (TESTS, 12, 0), who="bo")
    yield pull(
        211,
        "feat(engine): count retries",
        "2026-04-01",
        (ENGINE, 90, 10),
        body="Retries are counted and shown, 12 % fewer pages at night.",
    )
    yield pull(
        220, "fix(engine): stop twice is stop once", "2026-04-07", (ENGINE, 14, 2), ("tests/engine/test_core.py", 20, 0)
    )
    yield pull(
        221,
        "feat(tax): rates of 2027",
        "2026-04-08",
        (TAX, 40, 5),
        (TESTS, 25, 0),
        who="bo",
        body="The rates that take effect next January.",
    )
    yield pull(222, "docs(tax): where rates come from", "2026-04-08", "docs/tax.md", who="bo")
    yield pull(223, "chore: newer linter", "2026-04-09", ("pyproject.toml", 2, 2), who="cy")
    yield pull(
        230,
        "feat(engine)!: one queue for all",
        "2026-04-14",
        (ENGINE, 320, 210),
        ("shop/engine/queue.py", 180, 0),
        ("shop/engine/settings.yaml", 10, 6),
        body="Replaces the three queues by one. Throughput rises from 410 to 590 orders a second.",
    )
    yield pull(
        231,
        "fix(engine): the queue loses the last order",
        "2026-04-15",
        ("shop/engine/queue.py", 40, 12),
        who="dee",
        body="Follow-up to #230.",
    )
    yield pull(
        232,
        "feat(tax): exemptions",
        "2026-04-15",
        (TAX, 160, 20),
        who="bo",
        reviews=[make_review("kim", "2026-04-15T09:00:00Z", "changes_requested")],
    )
    yield pull(
        233,
        'Revert "feat(tax): exemptions"',
        "2026-04-16",
        (TAX, 20, 160),
        who="kim",
        body="Reverts acme/orbit#232. It broke invoices.",
    )
    yield pull(
        234,
        'Reapply "feat(tax): exemptions"',
        "2026-04-17",
        (TAX, 170, 20),
        (TESTS, 80, 0),
        who="bo",
        body="Reapplies acme/orbit#232, now with tests.",
    )
    yield pull(
        235,
        "ci: build on arm",
        "2026-04-17",
        (".github/workflows/build.yml", 30, 2),
        ("docker/Dockerfile", 6, 1),
        who="cy",
    )
    yield pull(
        236,
        "修复（engine）：重试次数统计错误",
        "2026-04-17",
        (ENGINE, 18, 6),
        who="李雷",
        body="修复了重试次数在重启后归零的问题。",
    )


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    path = tmp_path_factory.mktemp("golden") / "cache.db"
    save(path, [*history(), *weeks(), pull(299, "fix(engine): later", "2026-06-30", ENGINE)])
    refresh.derive(path, Config())
    return path


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_reads_as_it_did(db, name, lang):
    window, length = REPORTS[name]
    facts = reads.report(db, reads.Selection(REPO, window), lang=lang, config=Config().digest, version="0")
    made = document(facts | {"id": "0" * 16}, length=length).markdown
    file = FOLDER / f"{name}.{lang}.md"
    if os.environ.get("MERGE_WINDOW_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        file.write_text(made, encoding="utf-8")
    assert made == file.read_text(encoding="utf-8")
