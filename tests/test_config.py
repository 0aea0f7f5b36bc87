"""The configuration file."""

from datetime import date, timedelta

import pytest
from conftest import ROOT

from analysis.module_rules import ModuleRule, ModuleRules
from analysis.presets import PRESETS
from analysis.risk_settings import RiskSettings
from analysis.working_calendar import Calendar
from dashboard import config
from dashboard.config import Config, ConfigError
from data.errors import MergeWindowError


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(config.CONFIG_VARIABLE, raising=False)


def test_no_file_is_needed():
    assert config.load() == Config()


def test_the_working_folders_file_is_read_and_a_named_one_goes_first(tmp_path, monkeypatch):
    (tmp_path / "merge-window.toml").write_text('tz = "Asia/Shanghai"')
    (tmp_path / "other.toml").write_text('lang = "zh"\n[importance]\nbreaking = 3')
    assert config.load().tz == "Asia/Shanghai"
    monkeypatch.setenv(config.CONFIG_VARIABLE, str(tmp_path / "other.toml"))
    assert (config.load().lang, config.load().importance) == ("zh", {"breaking": 3})
    assert config.load(tmp_path / "merge-window.toml").lang is None


def test_a_byte_order_mark_from_windows_is_no_fault(tmp_path):
    (tmp_path / "merge-window.toml").write_bytes(b'\xef\xbb\xbftz = "Asia/Shanghai"')
    assert config.load(tmp_path / "merge-window.toml").tz == "Asia/Shanghai"


def test_other_weights_and_rules_have_another_digest_and_another_zone_has_not():
    assert len({Config(importance=each).digest for each in [{}, {"breaking": 3}]}) == 2
    assert len({each.digest for each in (Config(), Config(preset="security"), Config(insight={"measured": 3}))}) == 3
    others = [{"points": {"revert": 3}}, {"thresholds": {"revert": 3}}, {"tiers": (1, 2, 3)}, {"core_paths": ("a",)}]
    assert len({Config(risk=RiskSettings(**each)).digest for each in [{}, {"hot_paths": ("a",)}, *others]}) == 6
    assert Config(tz="Asia/Shanghai").digest == Config().digest


def test_single_weights_go_over_those_of_the_preset(tmp_path):
    (tmp_path / "merge-window.toml").write_text('preset = "security"\n[importance]\nci = 3')
    assert config.load().importance_weights == {**PRESETS["security"], "ci": 3}
    assert Config().importance_weights == {}


def test_the_calendar_is_read_with_the_zone_and_changes_nothing_derived(tmp_path):
    file = tmp_path / "team.toml"
    file.write_text(
        "tz = 'Asia/Shanghai'\n[calendar]\ndays = ['Sat', 'Mon']\nstart = '08:30'\nend = '24:00'\n"
        "holidays = ['2026-10-01', 2026-10-02]"
    )
    found = config.load(file)
    holidays = frozenset({date(2026, 10, 1), date(2026, 10, 2)})
    hours = timedelta(hours=8, minutes=30), timedelta(hours=24)
    assert found.calendar == Calendar(("Mon", "Sat"), *hours, holidays, "Asia/Shanghai")
    assert found.digest == Config().digest
    assert config.load().calendar == Calendar()


def test_modules_are_read_as_the_analysis_takes_them(tmp_path):
    file = tmp_path / "modules.toml"
    file.write_text('learn_modules = false\n[modules.npu]\naliases = ["ascend"]\npaths = ["*_npu.py"]')
    rules = ModuleRules({"npu": ModuleRule(paths=("*_npu.py",), aliases=("ascend",))}, learn=False)
    assert config.load(file).module_rules == rules


def test_other_modules_have_another_digest():
    digests = {
        Config(modules=modules, learn_modules=learn).digest
        for modules in ({}, {"npu": ModuleRule()}, {"npu": ModuleRule(words=("npu",))}, {"npu": ModuleRule(hide=True)})
        for learn in (True, False)
    }
    assert len(digests) == 8


NO_PATHS = ["", " ", "/", "!x", "[z-a]", "/src/core", "./src"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tz = ", "is not TOML"),
        ("\xff", "is not TOML"),
        ("zone = 'UTC'", "Unknown key 'zone'"),
        ("tz = 8", "`tz`"),
        ("tz = 'Mars'", "'Mars'"),
        ("lang = 'fr'", "'fr'"),
        ("importance = 3", "table of numbers"),
        ("[importance]\nbreaking = 'much'", "table of numbers"),
        ("[importance]\nbreaking = true", "table of numbers"),
        ("[importance]\nbreaking = nan", "table of numbers"),
        ("insight = 3", "such as measured = 1.5"),
        ("preset = 3", "`preset`"),
        ("preset = 'pilot'", "Known: maintainer, release-manager, security"),
        ("calendar = 3", "`calendar`"),
        ("[calendar]\nhours = 8", "Unknown key 'hours' in `calendar`"),
        ("[calendar]\ndays = ['Monday']", "`days` in `calendar`"),
        ("[calendar]\ndays = []", "at least one working day"),
        ("[calendar]\nstart = 9", "`start` in `calendar`"),
        ("[calendar]\nend = '9:00'", "`end` in `calendar`"),
        ("[calendar]\nstart = '18:00'\nend = '09:00'", "can't end at 09:00"),
        ("[calendar]\nend = '25:00'", "25:00"),
        ("[calendar]\nholidays = ['Xmas']", "`holidays` in `calendar`"),
        ("[calendar]\nholidays = ['20261001']", 'must be like ["2026-10-01"], not'),
        ("[calendar]\nholidays = 3", "`holidays` in `calendar`"),
        ("risk = 3", "`risk`"),
        ("[risk]\nlevels = [1]", "Unknown key 'risk.levels'"),
        ("[risk]\ntiers = 3", "`risk.tiers`"),
        ("[risk]\ntiers = ['high', 'low', 'none']", "`risk.tiers`"),
        ("[risk]\ntiers = [30, 20, 10]", "three rising scores"),
        ("[risk]\ncore_paths = 'src'", "`risk.core_paths`"),
        ("[risk]\nhot_paths = [1]", "`risk.hot_paths`"),
        *((f"[risk]\ncore_paths = ['src', '{bad}']", f"holds '{bad}', which means no path") for bad in NO_PATHS),
        ("[risk]\nhot_paths = ['']", "`risk.hot_paths` in merge-window.toml holds ''"),
        ("[risk.points]\nbreaking = 'much'", "`risk.points`"),
        ("[risk.points]\nspeed = 3", "Unknown risk rule 'speed' in points. Known: breaking,"),
        ("[risk.thresholds]\nrevert = -1", "'revert'"),
        ("learn_modules = 1", "true or false, not 1"),
        ("modules = 3", "such as [modules.web], not 3"),
        ("modules.web = 3", "`modules.web`"),
        ("[modules.'']", "can't name a module ''"),
        ("[modules.' / ']", "can't name a module ' / '"),
        ('[modules."a\\nb"]', "can't name a module 'a\\nb'. Give it a name"),
        (f"[modules.{'a' * 5000}]", f"`modules` in merge-window.toml can't name a module '{'a' * 60}'. Give it"),
        ("[modules.web]\npath = ['web/']", "Unknown key 'path' in `modules.web`"),
        ("[modules.web]\npath = ['web/']", "Known: paths, labels, words, owners, aliases, hide."),
        ("[modules.web]\npaths = 'web/'", "`modules.web.paths`"),
        ("[modules.web]\nlabels = [3]", "list of texts; 3 says nothing"),
        ("[modules.web]\npaths = ['web/', '/', 'app/']", "`modules.web.paths` in merge-window.toml"),
        ("[modules.web]\npaths = ['web/', '/', 'app/']", "list of texts; '/' says nothing"),
        ("[modules.web]\npaths = ['!web/old/']", "can't leave paths out again, as '!web/old/' would"),
        ("[modules.web]\nwords = ['one two three four']", "at most 3 words can go together"),
        ("[modules.web]\nhide = 'yes'", "`modules.web.hide`"),
        ("[modules.web]\naliases = ['UI']\n[modules.ui]", "`modules.web` and `modules.ui`"),
        ("[modules.a]\nwords = ['npu']\n[modules.b]\nwords = ['NPUs']", "both go by 'NPUs'"),
    ],
)
def test_a_wrong_file_gets_one_sentence(tmp_path, text, says):
    (tmp_path / "merge-window.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(MergeWindowError) as caught:
        config.load()
    assert says in str(caught.value)


def test_the_rules_are_set_as_the_example_does():
    risk = config.load(ROOT / "examples" / "merge-window.toml").risk
    assert risk.tiers == (8, 26, 44)
    assert risk.points == {"breaking": 20, "self-merged": 0}
    assert risk.thresholds == {"large-change": 600}
    assert risk.core_paths == ("orbit/engine", "*.proto")
    assert risk.hot_paths == ("orbit/settings.py",)
    assert RiskSettings().tiers == risk.tiers


def test_a_named_file_that_is_absent_is_told(tmp_path):
    with pytest.raises(ConfigError, match="can't be read"):
        config.load(tmp_path / "none.toml")


def test_a_weight_beyond_all_measure_is_refused(tmp_path):
    file = tmp_path / "merge-window.toml"
    file.write_text("[importance]\nbreaking = 1e308\n", encoding="utf-8")
    with pytest.raises(config.ConfigError, match="numbers from -100 to 100"):
        config.load(file)


@pytest.mark.parametrize("pattern", ["src/core", "src/core/", "*.proto", "[ab]/*", "[!a]/*", "**/core/*", "a b"])
def test_paths_that_can_mean_something_are_taken(tmp_path, pattern):
    file = tmp_path / "merge-window.toml"
    file.write_text(f"[risk]\ncore_paths = ['{pattern}']", encoding="utf-8")
    assert config.load(file).risk.core_paths == (pattern,)
