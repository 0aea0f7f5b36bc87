"""The documentation names what there is."""

import re
import runpy

import pytest
from conftest import ROOT

from analysis import importance, insight, totals
from analysis.module_rules import ModuleRule
from analysis.presets import PRESETS
from analysis.risk_settings import RiskSettings
from dashboard import config
from dashboard.config import Config
from data.schema import TABLES
from data.views import VIEWS


def words(name):
    return set(re.findall(r"`([\w.]+)`", (ROOT / "docs" / name).read_text(encoding="utf-8")))


def test_the_cache_page_names_every_table_view_and_column():
    known = words("cache.md")
    missing = [name for name, table in TABLES.items() for name in (name, *table.columns) if name not in known]
    assert not missing
    assert not [name for name, view in VIEWS.items() for name in (name, *view.columns) if name not in known]


def test_the_report_page_names_every_total():
    assert not set(totals.TOTALS) - words("report.md")


def section(title):
    return (ROOT / "docs" / "figures.md").read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize(("title", "score"), [("Importance", importance), ("Insight", insight)])
def test_the_figures_page_names_every_weight_with_its_points(title, score):
    rows = dict(re.findall(r"^\| (`[a-z][^|]*?) \| (-?[\d.]+) \|", section(title), re.M))
    points = {name: float(value) for names, value in rows.items() for name in re.findall(r"`(\w+)`", names)}
    assert points == score.DEFAULT_WEIGHTS


def test_the_figures_page_names_every_preset():
    assert set(PRESETS) <= set(re.findall(r"^\| `([\w-]+)` \|", section("Importance"), re.M))


def test_the_example_configuration_names_every_key():
    text = (ROOT / "examples" / "merge-window.toml").read_text(encoding="utf-8")
    keys = [*Config.__dataclass_fields__, *ModuleRule.__dataclass_fields__]
    missing = [key for key in keys if not re.search(rf"^(# )?{key} = |^\[{key}[].]", text, re.M)]
    known = {f"risk.{key}": key for key in RiskSettings.__dataclass_fields__}
    missing += [name for name, key in known.items() if not re.search(rf"^{key} = |^\[{re.escape(name)}\]", text, re.M)]
    assert not missing


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.toml")), ids=lambda file: file.name)
def test_every_example_configuration_is_understood(file):
    assert config.load(file) != Config()


PAGES = runpy.run_path(str(ROOT / "docs" / "make_metrics.py"))["pages"]()


def test_the_pages_of_metrics_are_what_make_docs_makes():
    found = {file.name: file.read_text(encoding="utf-8") for file in (ROOT / "docs" / "metrics").iterdir()}
    differing = sorted(name for name in PAGES.keys() | found.keys() if PAGES.get(name) != found.get(name))
    assert differing == [], "Not up to date. Run: make docs"


def test_the_index_of_metrics_leads_to_every_page():
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", PAGES["README.md"]))
    assert linked == PAGES.keys() - {"README.md"}


@pytest.mark.parametrize(
    "name", ["README.md", "docs/figures.md", "docs/export.md", "docs/metrics/README.md", "docs/metrics/lead_time.md"]
)
def test_links_lead_somewhere(name):
    file = ROOT / name
    targets = re.findall(r"\]\((?!http)([^)#]+)(?:#[\w-]+)?\)", file.read_text(encoding="utf-8"))
    assert targets
    assert not [target for target in targets if not (file.parent / target).exists()]
