"""The report's other formats: Excel, the Atom feed, messages, and the command that writes them."""

import json
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO
from urllib.error import HTTPError, URLError
from urllib.request import urlopen
from xml.etree import ElementTree

import openpyxl
import pytest
from conftest import ROOT
from factories import REPO, make_file, make_pull, save
from test_report import cached, facts_of

from dashboard import cli, refresh
from dashboard.config import Config
from dashboard.report import feed, notify
from dashboard.report.document import document, with_claims
from dashboard.report.xlsx import xlsx


@pytest.fixture
def db(tmp_path):
    return cached(
        tmp_path,
        make_pull(1, "feat(core)!: a new engine", files=[make_file("core/engine.py", 400)]),
        make_pull(2, "fix(core): engine starts twice", files=[make_file("core/engine.py", 12)]),
        make_pull(3, "docs: later", "2026-03-18T12:00:00Z", files=[make_file("docs/start.md", 20)]),
    )


def test_every_table_has_its_sheet_and_pull_requests_are_links(db):
    for lang in ("en", "zh"):
        facts = facts_of(db, lang=lang)
        book = openpyxl.load_workbook(BytesIO(xlsx(facts)))
        assert len(book.sheetnames) == 10
        pulls = book[book.sheetnames[2]]
        assert [cell.hyperlink.target for cell in pulls["A"][1:]] == [pull["url"] for pull in facts["pulls"]]
        assert [cell.value for cell in pulls["E"][1:]] == [pull["importance"] for pull in facts["pulls"]]
        sentences = [cell.value for cell in book[book.sheetnames[1]]["B"][1:]]
        assert sentences == [" ".join(claim["text"].split()) for claim in with_claims(facts)["claims"]]


def test_the_same_facts_give_the_same_workbook(db):
    assert xlsx(facts_of(db)) == xlsx(facts_of(db))


def entries(made):
    names = {"a": feed.ATOM}
    return [
        (
            entry.findtext("a:title", None, names),
            entry.findtext("a:updated", None, names),
            entry.findtext("a:content", None, names),
        )
        for entry in ElementTree.fromstring(made).findall("a:entry", names)
    ]


def test_the_feed_has_the_complete_weeks_with_merges_the_newest_first(db):
    made = feed.feed(db, REPO, lang="en", config=Config(), version="0", site="http://localhost/")
    [(title, updated, content)] = entries(made)
    assert (title, updated) == ("acme/orbit: Week 10, 2026", "2026-03-09T00:00:00Z")
    assert "2 pull requests were merged" in content
    save(db, [make_pull(4, "fix: last", "2026-03-25T12:00:00Z")])
    refresh.derive(db, Config())
    again = feed.feed(db, REPO, lang="en", config=Config(), version="0", site="http://localhost/")
    assert [title for title, *_ in entries(again)] == ["acme/orbit: Week 12, 2026", "acme/orbit: Week 10, 2026"]


def test_the_server_answers_with_the_feed_and_says_what_is_wrong(db):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "dashboard.cli", "serve", "--db", str(db), "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as server:
        try:
            found = asked(f"http://127.0.0.1:{port}/feed.atom?lang=zh")
            assert found.headers["content-type"].startswith("application/atom+xml")
            assert "2026 年第 10 周" in entries(found.read())[0][0]
            with pytest.raises(HTTPError) as missing:
                asked(f"http://127.0.0.1:{port}/feed.atom?repo=no/such")
            assert missing.value.code == 404
            assert b"no/such" in missing.value.read()
        finally:
            server.terminate()


def asked(address):
    """What the server answers, once it has started."""
    for _ in range(100):
        try:
            return urlopen(address, timeout=20)
        except HTTPError:
            raise
        except URLError:
            time.sleep(0.2)
    raise TimeoutError(address)


class Room(BaseHTTPRequestHandler):
    """A chat room that keeps what it is sent."""

    status, got = 200, []

    def do_POST(self):
        self.got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def room():
    pytest.importorskip("apprise", reason="the extra `notify` is not installed")
    Room.status, Room.got = 200, []
    server = HTTPServer(("127.0.0.1", 0), Room)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"json://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_the_summary_and_the_follow_ups_are_sent(db, room):
    notify.send(document(facts_of(db)), [room])
    [message] = Room.got
    assert message["title"] == "acme/orbit: Week 10, 2026"
    assert "2 pull requests were merged" in message["message"]
    assert "Suggested follow-ups" in message["message"]


def test_what_can_not_be_sent_is_told_without_the_secret(db, room):
    Room.status = 500
    with pytest.raises(notify.NotSent, match="did not take the message"):
        notify.send(document(facts_of(db)), [room])
    with pytest.raises(notify.NotSent) as error:
        notify.send(document(facts_of(db)), ["nonsense://user:hunter2@host"])
    assert "hunter2" not in str(error.value)


def test_a_preview_is_what_would_be_sent_and_sends_nothing(db, room, capfdbinary):
    arguments = ["report", "--db", str(db), "--repo", REPO, "--week", "2026-W10", "--notify", room, "--preview"]
    assert cli.main(arguments) == 0
    assert b"2 pull requests were merged" in capfdbinary.readouterr().out
    assert Room.got == []


@pytest.mark.parametrize("form", ["md", "html", "json", "xlsx"])
def test_the_command_writes_the_same_bytes_twice(db, tmp_path, form):
    for name in ("one", "two"):
        arguments = ["report", "--db", str(db), "--repo", REPO, "--week", "2026-W10", "--format", form]
        assert cli.main([*arguments, "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_parts_go_into_files_beside_each_other(db, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("dashboard.report.parts.parts.__defaults__", (1_800,))
    arguments = ["report", "--db", str(db), "--repo", REPO, "--week", "2026-W10", "--length", "L", "--split"]
    assert cli.main(arguments) == 1
    assert "Name a file for them" in capsys.readouterr().err
    assert cli.main([*arguments, "-o", str(tmp_path / "report.md")]) == 0
    assert (tmp_path / "report-1.md").read_text().startswith("# acme/orbit: Week 10, 2026 (1/")
    assert (tmp_path / "report-2.md").exists()


def test_a_saved_report_is_verified_from_the_command_line(db, tmp_path, capsys):
    saved = tmp_path / "saved.json"
    assert (
        cli.main(
            ["report", "--db", str(db), "--repo", REPO, "--week", "2026-W10", "--format", "json", "-o", str(saved)]
        )
        == 0
    )
    assert cli.main(["verify", "--db", str(db), str(saved)]) == 0
    assert "claims hold" in capsys.readouterr().out
    saved.write_text(saved.read_text().replace('"merged": 2', '"merged": 9'))
    assert cli.main(["verify", "--db", str(db), str(saved)]) == 1
    told = capsys.readouterr()
    assert "summary.merged: numbers.merged was 9, is 2" in told.out
    assert "between" in told.err
