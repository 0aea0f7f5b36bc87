"""The configuration file."""

import pytest

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


def test_other_weights_have_another_digest_and_another_zone_has_not():
    assert Config(importance={"breaking": 3}).digest != Config().digest
    assert Config(tz="Asia/Shanghai").digest == Config().digest


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
    ],
)
def test_a_wrong_file_gets_one_sentence(tmp_path, text, says):
    (tmp_path / "merge-window.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(MergeWindowError) as caught:
        config.load()
    assert says in str(caught.value)


def test_a_named_file_that_is_absent_is_told(tmp_path):
    with pytest.raises(ConfigError, match="can't be read"):
        config.load(tmp_path / "none.toml")
