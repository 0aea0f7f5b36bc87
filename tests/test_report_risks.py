"""The points of the report's risks add up to the score, also where that is bounded."""

from factories import REPO, make_file, make_pull, save

from analysis.risk import RULES
from analysis.risk_settings import RiskSettings
from analysis.window import iso_week
from dashboard import reads, refresh
from dashboard.config import Config


def test_a_bounded_score_has_a_part_that_takes_back_what_is_beyond(tmp_path):
    config = Config(risk=RiskSettings(points={rule.name: 70.0 for rule in RULES}))
    db = tmp_path / "cache.db"
    save(db, [make_pull(1, "feat!: a new core", files=[make_file("app/core.py", 4000), make_file("app/api.yaml", 90)])])
    refresh.derive(db, config)
    selection = reads.Selection(REPO, iso_week("2026-W10"))
    [pull] = reads.report(db, selection, lang="en", config=config.digest, version="0")["pulls"]
    assert pull["risk_score"] == 100
    assert pull["risks"][-1]["rule"] == "cap" and pull["risks"][-1]["points"] < 0
    assert sum(risk["points"] for risk in pull["risks"]) == 100
