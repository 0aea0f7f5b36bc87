"""Starting the dashboard: where it listens, what is told when it can't, and the options that make its looks."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from dashboard import serve


@pytest.fixture
def taken() -> int:
    """A port that somebody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_taken_port_is_told_in_one_sentence_and_exit_code_1(taken, tmp_path):
    command = [sys.executable, "-m", "dashboard.cli", "serve", "--db", str(tmp_path / "a.db"), "--port", str(taken)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert ended.stderr.strip() == (
        f"Port {taken} of 127.0.0.1 can't be used: Address already in use."
        " Stop what listens there, or choose another with --port."
    )


@pytest.mark.parametrize("host", ["192.0.2.77", "no.such.host.invalid"])
def test_an_address_of_another_machine_is_refused(host):
    with pytest.raises(serve.ServerError, match=host.replace(".", r"\.")):
        serve.run(Path("a.db"), None, host, 0)


def test_nothing_is_sent_home_and_the_theme_comes_from_the_package():
    options = serve.options("127.0.0.1", 8501, theme="/somewhere/theme.toml", open_browser=False)
    assert options["browser.gatherUsageStats"] is False
    assert options["client.showErrorLinks"] is False
    assert options["theme.base"] == "/somewhere/theme.toml"
    assert Path(serve.__file__).with_name("theme").joinpath("merge-window.toml").exists()


def test_every_option_is_one_that_streamlit_knows():
    from streamlit import config

    options = serve.options("0.0.0.0", 8501, theme="t", open_browser=True)
    assert set(options) <= set(config._config_options_template)
    assert options["browser.serverAddress"] == "localhost"
