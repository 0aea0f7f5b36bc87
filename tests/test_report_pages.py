"""The pages Report and Compare, as far as they can be seen without a browser."""

from datetime import date

import pytest
from conftest import ROOT
from factories import REPO, make_file, make_pull
from streamlit.testing.v1 import AppTest
from test_report import cached

from analysis.window import iso_week
from dashboard import reads
from dashboard.config import Config
from dashboard.version import version

APP = ROOT / "dashboard" / "app.py"
WEEK = ["2026-03-02", "2026-03-08"]


@pytest.fixture
def db(tmp_path):
    return cached(
        tmp_path,
        make_pull(1, "feat(core)!: a <b>new</b> engine", files=[make_file("core/engine.py", 400)]),
        make_pull(2, "fix(core): earlier", "2026-02-24T12:00:00Z", files=[make_file("core/engine.py", 12)]),
        make_pull(3, "docs: later", "2026-03-18T12:00:00Z", files=[make_file("docs/start.md", 20)]),
    )


@pytest.fixture
def open_page(db, monkeypatch):
    def open_it(page, **query):
        monkeypatch.setenv("MERGE_WINDOW_DB", str(db))
        monkeypatch.setenv("MERGE_WINDOW_CONFIG", "")
        app = AppTest.from_file(str(APP), default_timeout=60).run()
        app.switch_page(f"app_pages/{page}.py")
        for key, value in query.items():
            app.query_params[key] = value
        return app.run()

    monkeypatch.chdir(ROOT)
    return open_it


def texts(app):
    kinds = (app.header, app.subheader, app.markdown, app.caption, app.info, app.warning, app.error)
    return "\n".join(str(element.value) for elements in kinds for element in elements)


@pytest.mark.parametrize(
    ("lang", "title"), [("EN", "acme/orbit: Week 10, 2026"), ("中文", "acme/orbit：2026 年第 10 周")]
)
def test_the_report_has_its_title_facts_and_exports(open_page, lang, title):
    app = open_page("report", window=WEEK, lang=lang)
    assert app.header[0].value == title
    assert {f"export_{form}" for form in ("md", "html", "json", "xlsx")} <= {
        each.key for each in app.get("download_button")
    }
    assert [button.value for button in app.get("button_group") if button.key == "size_picked"] == ["M"]


def test_a_link_with_an_id_says_whether_its_numbers_hold(open_page, db):
    selection = reads.Selection(REPO, iso_week("2026-W10"))
    current = reads.report(db, selection, lang="en", config=Config().digest, version=version())["id"]
    assert f"The numbers are those of the link: report {current}." in texts(
        open_page("report", window=WEEK, id=current)
    )
    other = open_page("report", window=WEEK, id="0123456789abcdef")
    assert "This link was made of report 0123456789abcdef" in texts(other)


def test_a_length_that_there_is_not_is_told(open_page):
    app = open_page("report", window=WEEK, size="XXL")
    assert ["XXL" in toast.value for toast in app.toast] == [True]


def test_a_window_without_merges_leads_to_one_with_them(open_page):
    app = open_page("report", window=["2026-03-09", "2026-03-15"])
    assert not app.exception
    assert any("No pull request was merged" in info.value for info in app.info)


def test_a_comparison_is_with_the_period_before_unless_the_address_names_another(open_page):
    usual = open_page("compare", window=WEEK)
    assert usual.date_input(key="before_picked").value == (date(2026, 2, 23), date(2026, 3, 1))
    assert "Merged pull requests" in texts(usual)
    other = open_page("compare", window=WEEK, before=["2026-03-16", "2026-03-22"])
    assert other.date_input(key="before_picked").value == (date(2026, 3, 16), date(2026, 3, 22))
    wrong = open_page("compare", window=WEEK, before=["2026-03-16"])
    assert len(wrong.toast) == 1
    assert wrong.date_input(key="before_picked").value == (date(2026, 2, 23), date(2026, 3, 1))


def test_a_quarter_ago_is_one_click_away(open_page):
    app = open_page("compare", window=WEEK)
    app.button(key="before_quarter").click().run()
    assert app.query_params["before"] == ["2025-12-01", "2025-12-07"]
    assert app.date_input(key="before_picked").value == (date(2025, 12, 1), date(2025, 12, 7))
