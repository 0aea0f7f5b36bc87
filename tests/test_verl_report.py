"""The report of a real repository against what careful reports said of two of its weeks: tests/verl_facts.toml."""

import tomllib

import pytest
from conftest import ROOT

from analysis.window import iso_week
from dashboard import reads, refresh
from dashboard.config import Config
from dashboard.report.document import with_claims

REPO = "verl-project/verl"
FACTS = tomllib.loads((ROOT / "tests" / "verl_facts.toml").read_text(encoding="utf-8"))["fact"]
MOST_UNKNOWABLE, LEAST_COVERED = 0.25, 0.8  # of all facts; of those that the cache can know


@pytest.fixture(scope="module")
def claims(shared, tmp_path_factory):
    """Week -> id -> claim."""
    db = tmp_path_factory.mktemp("verl") / "cache.db"
    refresh.import_gh(db, REPO, shared / "verl" / "prs-2026.json.gz", Config())
    found = {}
    for week in sorted({fact["week"] for fact in FACTS}):
        selection = reads.Selection(REPO, iso_week(week, "Asia/Shanghai"))
        report = with_claims(reads.report(db, selection, lang="en", config=Config().digest, version="0"))
        found[week] = {claim["id"]: claim for claim in report["claims"]}
    return found


@pytest.mark.parametrize(
    "fact", [fact for fact in FACTS if "claims" in fact], ids=lambda fact: f"{fact['week']} {fact['says']}"
)
def test_a_fact_is_told_by_its_claims(claims, fact):
    told = [claims[fact["week"]][name] for name in fact["claims"]]
    named = {number for claim in told for number in claim["prs"]}
    assert named >= set(fact.get("prs", []))
    if fact.get("exact"):
        assert named == set(fact["prs"])
    assert {name: told[0]["numbers"][name] for name in fact.get("numbers", {})} == fact.get("numbers", {})
    assert {name: told[0]["names"][name] for name in fact.get("names", {})} == fact.get("names", {})


def test_four_fifths_of_what_the_cache_can_know_are_told_and_little_is_unknowable():
    unknowable = [fact for fact in FACTS if fact.get("unknowable")]
    covered = [fact for fact in FACTS if fact.get("claims")]
    assert all(sum(key in fact for key in ("claims", "unknowable", "missing")) == 1 for fact in FACTS)
    assert len(unknowable) <= MOST_UNKNOWABLE * len(FACTS)
    assert len(covered) >= LEAST_COVERED * (len(FACTS) - len(unknowable))
