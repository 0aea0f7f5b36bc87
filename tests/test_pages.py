"""What a reader sees on each page, run from app.py as Streamlit runs it."""

import json
import re
import sqlite3
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

import pandas as pd
import pytest
from caches import cache_of, sample_cache
from conftest import ROOT
from factories import make_pull, make_review
from streamlit.testing.v1 import AppTest

from analysis import catalogue
from analysis.window import Window
from dashboard import address, detail, evidence, formats, jobs, listing, reads, risk_facts
from dashboard.config import Config
from dashboard.reads import Selection
from dashboard.words import Words
from data import cache
from data.demo import DEMO_FORMER_NAMES, DEMO_REPO
from data.people import person

APP = ROOT / "dashboard" / "app.py"
PAGES = sorted(path.name for path in (ROOT / "dashboard" / "app_pages").glob("*.py") if path.name != "__init__.py")
LABELS = {"en": "EN", "zh": "中文"}
EN = Words("en")
NASTY = "**bold** [link](https://evil.example) :red[colour] $x$ <b>html</b> ![](x)"
WEEK = ("2026-03-02", "2026-03-08")

Open = Callable[..., AppTest]


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens an address of the dashboard on a cache: `open_page(db, "pulls.py", lang="中文", q="text")`."""

    def open_it(db: Path, page: str = "overview.py", **query: str | list[str]) -> AppTest:
        monkeypatch.setenv("MERGE_WINDOW_DB", str(db))
        monkeypatch.setenv("MERGE_WINDOW_CONFIG", "")
        app = AppTest.from_file(str(APP), default_timeout=60)
        if page != "overview.py":
            app.run()  # only then does AppTest know the pages
            app.switch_page(f"app_pages/{page}")
        for key, value in query.items():
            app.query_params[key] = value
        return app.run()

    monkeypatch.chdir(ROOT)
    return open_it


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return sample_cache(tmp_path)


@pytest.fixture
def one(tmp_path: Path) -> Path:
    return cache_of(tmp_path, [make_pull(7, NASTY, body=NASTY)])


def texts(app: AppTest) -> str:
    """Everything that is written on the page."""
    kinds = (app.header, app.subheader, app.markdown, app.caption, app.info, app.error, app.warning, app.success)
    return "\n".join(str(element.value) for elements in kinds for element in elements)


def n_found(app: AppTest) -> int:
    """The number that the list of pull requests says it holds."""
    return int(re.search(r"\*\*([\d,]+) found\*\*", texts(app))[1].replace(",", ""))


def latest_window(db: Path) -> tuple[date, date]:
    window = reads.default_window(db, DEMO_REPO, "UTC")
    return window.since, window.until


def report_of(db: Path) -> dict[str, Any]:
    """The report of the latest complete week: what the command line says."""
    selection = Selection(DEMO_REPO, reads.default_window(db, DEMO_REPO, "UTC"))
    return reads.report(db, selection, lang="en", config=Config().digest, version="0")


def is_fine(app: AppTest) -> bool:
    return not app.exception and not app.error


# --- every page, every cache, both languages -------------------------------------------------------------------


@pytest.mark.parametrize("lang", LABELS)
@pytest.mark.parametrize("filled", ["sample", "one", "nothing"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_draws_with_a_full_an_empty_and_a_one_row_cache(page, filled, lang, open_page, tmp_path):
    db = {"sample": sample_cache, "one": lambda folder: cache_of(folder, [make_pull()])}.get(
        filled, lambda folder: folder / "absent.db"
    )(tmp_path)
    app = open_page(db, page, lang=LABELS[lang])
    assert is_fine(app), texts(app)
    first_steps = Words(lang)("data.first.title")
    assert (first_steps in texts(app)) == (filled == "nothing")


def test_every_page_of_the_folder_is_in_the_navigation(open_page, sample):
    listed = re.findall(r'\("(\w+)", "\w+", "\w+"\)', APP.read_text("utf-8"))
    assert sorted(f"{name}.py" for name in listed) == PAGES


# --- the first run ---------------------------------------------------------------------------------------------


def test_the_sample_button_builds_the_sample_and_lands_on_the_overview(open_page, tmp_path):
    app = open_page(tmp_path / "new.db")
    app.button(key="load_sample").click().run()
    for _ in range(600):
        if jobs.desk().job.state != "running":
            break
        time.sleep(0.05)
    app.run()
    assert "pull requests merged" in app.header[0].value
    assert len(reads.repositories(tmp_path / "new.db")) == 1


def test_buttons_explain_why_they_are_off_without_write_access(open_page, sample, monkeypatch):
    monkeypatch.setattr(cache, "is_writable", lambda path: False)
    app = open_page(sample, "data_sync.py")
    assert app.button(key="load_sample").disabled and app.button(key="derive").disabled
    assert "cannot be written" in texts(app)


def test_the_commands_to_copy_name_the_cache_in_use(open_page, sample):
    app = open_page(sample, "data_sync.py")
    assert any("merge-window import clone" in code.value and str(sample) in code.value for code in app.code)


def test_an_import_that_fails_says_so_in_its_own_words(open_page, sample):
    open_page(sample, "data_sync.py")

    def fail(_: object) -> str:
        raise cache.CacheError("The disk is full.")

    jobs.desk().start("Import", fail)
    while jobs.desk().job.state == "running":
        time.sleep(0.01)
    assert "The disk is full." in [error.value for error in open_page(sample, "data_sync.py").error]


def test_a_second_import_joins_the_first(tmp_path, monkeypatch):
    monkeypatch.setenv("MERGE_WINDOW_DB", str(tmp_path / "busy.db"))
    begun, go_on = [], []

    def work(_: object) -> str:
        begun.append(1)
        while not go_on:
            time.sleep(0.01)
        return "done"

    jobs.desk().start("first", work)
    jobs.desk().start("second", work)
    go_on.append(1)
    while jobs.desk().job.state == "running":
        time.sleep(0.01)
    assert (len(begun), jobs.desk().job.what) == (1, "first")


# --- the address -----------------------------------------------------------------------------------------------


def test_the_default_window_is_the_latest_complete_week(open_page, sample):
    app = open_page(sample)
    assert app.date_input(key="window_picked").value == latest_window(sample)
    assert "window" not in app.query_params


@pytest.mark.parametrize(
    ("window", "reason"),
    [
        (["2026-05-10", "2026-05-04"], "末日早于首日"),
        (["2026-05-04"], "需要首日和末日"),
        (["soon", "later"], "2026-05-04 的形式"),
        (["20260504", "20260510"], "2026-05-04 的形式"),
        (["2026-W19-1", "2026-W19-7"], "2026-05-04 的形式"),
        (["1800-01-01", "1800-01-07"], "至 9998 之间"),
    ],
)
def test_an_impossible_window_falls_back_and_is_told_in_the_readers_language(open_page, sample, window, reason):
    app = open_page(sample, lang="中文", window=window)
    assert [reason in toast.value for toast in app.toast] == [True]
    assert app.date_input(key="window_picked").value == latest_window(sample)


def test_unknown_values_fall_back_and_are_told_once(open_page, sample):
    app = open_page(sample, repo="no/such", lang="Klingon", bots="perhaps")
    told = app.toast[0].value
    assert all(text in told for text in ("no\\/such", "Klingon", "perhaps"))
    assert app.selectbox(key="repo_picked").value == DEMO_REPO
    app.button(key="span_4").click().run()
    assert len(app.toast) == 0


def test_a_former_name_of_a_repository_still_opens_it(open_page, sample):
    app = open_page(sample, repo=DEMO_FORMER_NAMES[0])
    assert app.selectbox(key="repo_picked").value == DEMO_REPO
    assert len(app.toast) == 0


def test_spans_reach_back_from_the_end_of_the_window_and_mark_the_one_that_fits(open_page, sample):
    app = open_page(sample, window=["2026-05-04", "2026-05-10"])
    app.button(key="span_4").click().run()
    assert app.query_params["window"] == ["2026-04-13", "2026-05-10"]
    assert app.date_input(key="window_picked").value[0].isoformat() == "2026-04-13"
    kinds = {weeks: app.button(key=f"span_{weeks}").proto.type for weeks in (1, 4, 13)}
    assert kinds == {1: "secondary", 4: "primary", 13: "secondary"}


def test_earlier_and_later_move_by_the_windows_length_and_stop_where_the_cache_ends(open_page, sample):
    app = open_page(sample, window=["2026-04-13", "2026-05-10"])
    app.button(key="earlier").click().run()
    assert app.query_params["window"] == ["2026-03-16", "2026-04-12"]
    last = reads.coverage(sample, DEMO_REPO, "UTC").last
    monday = last - timedelta(days=last.weekday())
    newest = open_page(sample, window=[str(monday), str(monday + timedelta(days=6))])
    assert newest.button(key="later").disabled and not newest.button(key="earlier").disabled


def test_an_echo_of_the_old_dates_does_not_undo_a_choice(open_page, sample, monkeypatch):
    monkeypatch.setattr(address, "ECHO_SECONDS", 3600)  # whatever else the machine has to do
    app = open_page(sample)
    app.button(key="span_4").click().run()
    four_weeks = app.query_params["window"]
    app.date_input(key="window_picked").set_value(latest_window(sample)).run()
    assert app.query_params["window"] == four_weeks
    monkeypatch.setattr(address, "ECHO_SECONDS", 0)
    app.date_input(key="window_picked").set_value(latest_window(sample)).run()
    assert "window" not in app.query_params


@pytest.mark.parametrize("lang", ["EN", "中文"])
def test_a_key_of_the_address_that_no_page_knows_is_told_once(open_page, sample, lang):
    app = open_page(sample, lang=lang, modul="core")
    assert ["modul" in toast.value for toast in app.toast] == [True]
    app.run()
    assert len(app.toast) == 0
    assert len(open_page(sample, lang=lang, kind="fix").toast) == 0, "a key of another page"


def test_many_unknown_keys_are_told_in_one_short_sentence(open_page, sample):
    [toast] = open_page(sample, foo="1", bar="2").toast
    assert toast.value == "The address holds bar and foo, which mean nothing here; they are left out."
    [toast] = open_page(sample, **{f"key{n}": "1" for n in range(200)}).toast
    assert len(toast.value) < 300 and "…" in toast.value


def test_rules_that_could_not_judge_are_told_in_sight(open_page, tmp_path):
    app = open_page(cache_of(tmp_path, [make_pull(1, "feat: a")]), "risk.py", window=list(WEEK))
    assert any("could not judge every pull request, for want of" in caption.value for caption in app.caption)


def test_a_title_of_60_kb_is_cut_on_every_page(open_page, tmp_path):
    db = cache_of(tmp_path, [make_pull(1, "feat: " + "long " * 12_000)])
    for page in ("overview.py", "pulls.py", "risk.py"):
        app = open_page(db, page, window=list(WEEK), **({} if page == "overview.py" else {"pr": "1"}))
        texts = [element.value for kind in ("markdown", "subheader", "caption") for element in app.get(kind)]
        texts += [title for table in app.dataframe if "title" in table.value for title in table.value["title"]]
        assert max(map(len, texts)) < 2_000, page


def test_the_longest_title_that_a_host_allows_is_shown_whole(open_page, tmp_path):
    title = "修" * 256
    app = open_page(cache_of(tmp_path, [make_pull(1, title)]), "pulls.py", window=list(WEEK), pr="1")
    assert app.subheader[0].value == f"#1 {title}" and app.dataframe[0].value["title"].tolist() == [title]


def test_a_long_search_that_finds_nothing_is_told_in_short(open_page, tmp_path):
    app = open_page(cache_of(tmp_path, [make_pull(1, "feat: a")]), "pulls.py", window=list(WEEK), q="x" * 5_000)
    assert ["…" in info.value and len(info.value) < 300 for info in app.info] == [True]


def test_the_latest_week_needs_no_window_in_the_address(open_page, sample):
    app = open_page(sample)
    app.button(key="earlier").click().run()
    app.button(key="later").click().run()
    assert "window" not in app.query_params


def test_the_language_is_the_browsers_unless_the_address_says_another(open_page, sample):
    app = open_page(sample)
    assert "pull requests merged" in app.header[0].value
    app.button_group(key="lang_picked").set_value("中文").run()
    assert app.query_params["lang"] == "中文"
    assert "个 PR" in app.header[0].value


def test_both_share_links_lead_here_and_only_one_fixes_the_days(open_page, sample):
    fixed, latest = [code.value for code in open_page(sample, "pulls.py", q="console", bots="true").code]
    for link in (fixed, latest):
        assert (
            parse_qs(link.partition("?")[2]).items()
            >= {"repo": [DEMO_REPO], "q": ["console"], "bots": ["true"]}.items()
        )
    days = parse_qs(fixed.partition("?")[2])["window"]
    assert days == [str(day) for day in latest_window(sample)] and "window" not in latest


# --- numbers and the lists behind them -------------------------------------------------------------------------


def card_links(app: AppTest) -> list[tuple[int, dict[str, list[str]]]]:
    """The number on each card's link, and the filters it leads to."""
    links = [link.proto for link in app.get("page_link")]
    counted = [(int(re.search(r"\[(\d+) ", link.label)[1]), parse_qs(link.query_string)) for link in links]
    return [(count, filters) for count, filters in counted if count]


def test_a_cards_link_lists_as_many_pull_requests_as_the_card_counts(open_page, sample):
    window = ["2026-04-13", "2026-05-10"]
    links = card_links(open_page(sample, window=window))
    assert len(links) >= 5
    for count, filters in links:
        assert n_found(open_page(sample, "pulls.py", window=window, **filters)) == count, filters


def test_the_headline_counts_what_the_report_counts(open_page, sample):
    report = report_of(sample)
    header = open_page(sample).header[0].value
    assert header.startswith(f"{report['totals']['merged']} pull requests merged")


def test_each_kind_and_module_of_the_report_lists_its_pull_requests(open_page, sample):
    report = report_of(sample)
    for key, entries in (("kind", report["kinds"]), ("module", report["modules"])):
        for entry in [entry for entry in entries if entry["prs"]][:3]:
            assert n_found(open_page(sample, "pulls.py", **{key: entry["name"]})) == len(entry["prs"])
    for entry in report["hot_files"][:3]:
        assert n_found(open_page(sample, "pulls.py", path=entry["path"])) == len(entry["prs"])


def test_bots_are_counted_only_on_demand_and_the_footer_tells_how_many_are_hidden(open_page, sample):
    window = ["2026-04-13", "2026-05-10"]
    without = open_page(sample, "pulls.py", window=window)
    hidden = int(re.search(r"(\d+) bot pull requests? hidden", texts(without))[1])
    assert hidden > 0
    with_bots = open_page(sample, "pulls.py", window=window, bots="true")
    assert n_found(with_bots) == n_found(without) + hidden


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_bots_and_assisted_pull_requests_are_marked_in_lists_and_in_the_detail(open_page, tmp_path, lang):
    helped = {"person": person("claude", is_bot=True), "is_ai": True}
    pulls = [make_pull(1), make_pull(2, author=person("app/robot")), make_pull(3, co_authors=[helped])]
    db, words = cache_of(tmp_path, pulls), Words(lang)
    bot, assisted = words("mark.bot"), words("mark.assisted")
    for page in ("overview.py", "pulls.py"):
        app = open_page(db, page, window=list(WEEK), bots="true", lang=LABELS[lang])
        marks = app.dataframe[0].value.set_index("number")["marks"]
        assert marks.to_dict() == {1: "", 2: bot, 3: assisted}
    for number, expected in ((1, set()), (2, {bot}), (3, {assisted})):
        app = open_page(db, "pulls.py", window=list(WEEK), bots="true", lang=LABELS[lang], pr=str(number))
        assert {mark for mark in (bot, assisted) if f":violet-badge[{mark}]" in texts(app)} == expected


# --- Overview --------------------------------------------------------------------------------------------------


def test_unknown_lead_times_and_reviews_are_left_out_and_explained_once(open_page, one):
    app = open_page(one)
    labels = [metric.label for metric in app.metric]
    assert "Merged" in labels and "Lead time, median" not in labels and "First review, median" not in labels
    assert texts(app).count("Lead time is unknown here") == 1
    assert texts(app).count("Reviews are unknown here") == 1


@pytest.mark.parametrize("last", ["gh", "clone"])
def test_a_cache_of_a_clone_and_an_export_blames_neither(open_page, tmp_path, last):
    told = make_pull(9, created_at="2026-02-01T00:00:00Z", merged="2026-02-04T00:00:00Z", reviews=[])
    imports = {"clone": make_pull(7), "gh": told}
    for kind in sorted(imports, key=lambda kind: kind == last):
        db = cache_of(tmp_path, [imports[kind]], kind=kind)
    said = texts(open_page(db, window=list(WEEK)))
    assert "nothing in the cache tells when these pull requests were opened" in said
    assert "filled from a git clone" not in said and "this export lacks" not in said


def test_nothing_is_called_unknown_where_everything_is_known(open_page, sample):
    assert "unknown here" not in texts(open_page(sample))


def test_a_merge_whose_day_depends_on_the_zone_is_named(open_page, tmp_path, monkeypatch):
    sunday_night = make_pull(8, merged="2026-03-08T20:00:00Z")  # Monday in Shanghai
    db = cache_of(tmp_path, [make_pull(7), sunday_night])
    (tmp_path / "merge-window.toml").write_text('tz = "Asia/Shanghai"')
    assert "#8" not in texts(open_page(db, window=list(WEEK)))
    monkeypatch.chdir(tmp_path)
    assert "days cut in UTC would count it elsewhere: #8." in texts(open_page(db, window=list(WEEK)))


def test_another_file_in_the_caches_place_shows_at_once(open_page, sample, tmp_path):
    app = open_page(sample)
    other = cache_of(tmp_path, [make_pull(7)], repo="acme/other")
    cache.backup(other, tmp_path / "copy.db")
    cache.restore(sample, tmp_path / "copy.db")
    app.run()
    assert "acme\\/other · 1 pull request" in texts(app)
    assert "acme\\/orbit" not in texts(app)


def test_an_empty_window_offers_the_nearest_week_with_merges(open_page, tmp_path):
    db = cache_of(tmp_path, [make_pull(7), make_pull(8, merged="2026-01-01T12:00:00Z")])
    app = open_page(db, window=["2026-02-16", "2026-02-22"])
    assert "nearest week with merges is" in texts(app)
    next(button for button in app.button if button.label.startswith("Go to")).click().run()
    assert app.header[0].value == "1 pull request merged, after none in the week before"


def test_a_window_that_is_not_over_says_how_far_the_cache_reaches(open_page, sample):
    last = reads.coverage(sample, DEMO_REPO, "UTC").last
    app = open_page(sample, window=[str(last - timedelta(days=27)), str(last + timedelta(days=7))])
    assert f"The cache reaches to {formats.day(last, 'en')};" in texts(app)


# --- Pull requests ---------------------------------------------------------------------------------------------


def test_nothing_found_names_the_filters_in_force_and_clears_them(open_page, sample):
    app = open_page(sample, "pulls.py", q="no such words", kind=["fix", "docs"], only="breaking")
    told = app.info[0].value
    assert all(text in told for text in ("no such words", "kind fix", "kind documentation", "breaking changes"))
    app.button(key="clear_nothing").click().run()
    assert dict(app.query_params) == {}
    assert n_found(app) == report_of(sample)["totals"]["merged"]


def test_an_echo_of_the_old_text_does_not_bring_a_cleared_search_back(open_page, sample, monkeypatch):
    app = open_page(sample, "pulls.py", q="console")
    app.button(key="clear").click().run()
    app.text_input(key="q_picked").set_value("console").run()
    assert dict(app.query_params) == {}
    monkeypatch.setattr(address, "ECHO_SECONDS", 0)
    app.text_input(key="q_picked").set_value("console").run()
    assert dict(app.query_params) == {"q": "console"}


def test_an_unknown_number_says_so_and_what_to_do(open_page, sample):
    app = open_page(sample, "pulls.py", pr="999999")
    assert "#999999 of acme\\/orbit is not in the cache. Import or sync" in app.info[0].value


def test_values_of_the_list_that_do_not_exist_are_told(open_page, sample):
    app = open_page(sample, "pulls.py", kind=["fix", "magic"], only="luck", pr="first")
    assert all(text in app.toast[0].value for text in ("magic", "luck", "first"))
    assert app.multiselect(key="kind_picked").value == ["fix"]


def test_a_chosen_pull_request_outside_the_window_is_shown_with_its_day(open_page, sample):
    number = int(
        reads.pulls(sample, Selection(DEMO_REPO, Window(date(2025, 9, 1), date(2025, 9, 28))))["number"].iloc[0]
    )
    app = open_page(sample, "pulls.py", pr=str(number))
    assert f"#{number} lies outside this window" in texts(app)
    assert any(subheader.value.startswith(f"#{number} ") for subheader in app.subheader)


def test_a_title_is_shown_as_it_was_written(open_page, one):
    app = open_page(one, "pulls.py", pr="7", window=list(WEEK))
    shown = next(subheader.value for subheader in app.subheader)
    assert "\\*\\*bold\\*\\*" in shown and "[link](" not in shown and "<b>" not in shown.replace("\\<b\\>", "")
    assert app.text[0].value == NASTY


def test_the_detail_tells_stages_files_reviews_and_reasons(open_page, tmp_path):
    reviews = [make_review("grace", "2026-03-03T12:00:00Z")]
    pull = make_pull(
        5, "feat: paint", created_at="2026-03-01T12:00:00Z", reviews=reviews, labels=["area/ui"], milestone="2.0"
    )
    app = open_page(cache_of(tmp_path, [pull]), "pulls.py", pr="5", window=list(WEEK))
    told = texts(app)
    for expected in (
        "By ada",
        "Merged 2026-03-04 12:00",
        "`area/ui`",
        "2\\.0",
        "From opened to merged",
        "Why it matters",
    ):
        assert expected in told
    assert [frame.value["path"].tolist() for frame in app.dataframe if "path" in frame.value] == [["app/core.py"]]
    assert [frame.value["reviewer"].tolist() for frame in app.dataframe if "reviewer" in frame.value] == [["grace"]]


def test_a_search_finds_in_the_window_or_on_all_days(open_page, sample):
    selection = Selection(DEMO_REPO, reads.default_window(sample, DEMO_REPO, "UTC"))
    everywhere = n_found(open_page(sample, "pulls.py", q="console", all="true"))
    assert everywhere == len(reads.found(sample, selection, "console"))
    found = set(reads.find(sample, selection, "console")) & set(reads.pulls(sample, selection)["number"])
    assert 0 < n_found(open_page(sample, "pulls.py", q="console")) == len(found) < report_of(sample)["totals"]["merged"]


def test_choosing_filters_writes_the_address(open_page, sample):
    app = open_page(sample, "pulls.py")
    app.multiselect(key="kind_picked").set_value(["fix", "feat"]).run()
    app.text_input(key="q_picked").set_value("the").run()
    assert dict(app.query_params) == {"kind": ["fix", "feat"], "q": "the"}


def test_leaving_the_list_leaves_its_filters(open_page, sample):
    app = open_page(sample, "pulls.py", kind="fix", window=["2026-05-04", "2026-05-10"])
    app.switch_page("app_pages/overview.py").run()
    assert dict(app.query_params) == {"window": ["2026-05-04", "2026-05-10"]}
    app.switch_page("app_pages/pulls.py").run()
    assert app.multiselect(key="kind_picked").value == []


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", "`api` (labels, changed paths), `web` (title)"), ("zh", "`api`（标签、改动路径）、`web`（标题）")],
)
def test_modules_are_listed_so_that_each_keeps_its_own_reasons(lang, told):
    modules = pd.DataFrame({"module": ["web", "api", "api"], "source": ["title", "label", "path"]})
    words = Words(lang)
    assert words("list.separator").join(detail.module_reasons(SimpleNamespace(words=words), modules)) == told


def test_the_detail_tells_each_risk_rule_with_its_evidence_and_points_that_add_up(open_page, sample):
    selection = Selection(DEMO_REPO, Window(date(2026, 4, 13), date(2026, 5, 10)))
    row = reads.pulls(sample, selection).sort_values("risk_score").iloc[-1]
    told = texts(open_page(sample, "pulls.py", pr=str(row["number"]), window=["2026-04-13", "2026-05-10"]))
    assert len(row["risks"]) >= 3
    for risk in row["risks"]:
        found = evidence.sentence(risk["rule"], risk["value"], risk["evidence"], EN)
        assert f"**{evidence.label(risk['rule'], EN)}** {risk['points']:+g} · {found}" in told
        assert evidence.why(risk["rule"], EN) in told
    assert f"{formats.number(row['risk_score'], 'en')} of 100, {EN('tier.4')}" in told
    assert sum(risk["points"] for risk in row["risks"]) == pytest.approx(row["risk_score"])


def test_the_detail_says_which_rules_could_not_judge_and_why(open_page, one):
    told = texts(open_page(one, "pulls.py", pr="7", window=list(WEEK)))
    assert "Not judged, for want of reviews (" in told and "patches (Unfinished or fragile code)" in told


def test_the_detail_tells_the_story_that_a_pull_request_is_part_of(open_page, tmp_path):
    revert = make_pull(8, 'Revert "Add a thing"', merged="2026-03-05T12:00:00Z")
    app = open_page(cache_of(tmp_path, [make_pull(7), revert]), "pulls.py", pr="7", window=list(WEEK))
    assert "**Revert** #7 → #8 · undone or repaired after 24 h" in texts(app)
    assert "#8 took out #7 after 24 h: the title quotes “Add a thing”" in texts(app)
    assert {":primary[#7]", ":primary[#8]"} <= {link.proto.label for link in app.get("page_link")}


# --- Risk ------------------------------------------------------------------------------------------------------

MONTH = ["2026-04-13", "2026-05-10"]


def tier_counts(app: AppTest) -> dict[str, int]:
    """The number on the card of each tier."""
    tiers = {EN(f"tier.{tier}"): tier for tier in listing.TIERS}
    return {tiers[metric.label]: int(metric.value) for metric in app.metric if metric.label in tiers}


def test_each_tiers_count_lists_as_many_and_a_second_press_shows_all(open_page, sample):
    app = open_page(sample, "risk.py", window=MONTH)
    counts, whole = tier_counts(app), n_found(app)
    assert sum(counts.values()) == whole and min(counts.values()) > 0
    assert app.header[0].value.startswith(f"{counts['3'] + counts['4']} of {whole} pull requests deserve")
    for tier, count in counts.items():
        app.button(key=f"take_tier_{tier}").click().run()
        assert app.query_params["tier"] == tier
        assert n_found(app) == count
    app.button(key="take_tier_4").click().run()
    assert "tier" not in app.query_params and n_found(app) == whole


def test_the_tiers_and_rules_of_the_report_list_their_pull_requests(open_page, sample):
    report = report_of(sample)
    for risk in report["risks"][:3]:
        for page in ("risk.py", "pulls.py"):
            assert n_found(open_page(sample, page, rule=risk["rule"])) == len(risk["prs"])
    for tier in (1, 4):
        count = sum(pull["tier"] == tier for pull in report["pulls"])
        assert n_found(open_page(sample, "pulls.py", tier=str(tier))) == count


def test_the_list_of_risk_begins_with_the_riskiest_and_tells_why(open_page, sample):
    table = open_page(sample, "risk.py", window=MONTH).dataframe[0].value
    assert table["risk_score"].is_monotonic_decreasing
    assert table["tier"].iloc[0] == "high" and len(table["why"].iloc[0]) > 1


def test_a_rule_of_the_address_shows_how_often_it_fired_and_its_clearest_examples(open_page, sample):
    app = open_page(sample, "risk.py", rule="core-path", window=MONTH)
    rules = next(frame.value for frame in app.dataframe if "counts" in frame.value).set_index("rule")
    assert rules["now"]["core-path"] == n_found(app) == rules["counts"]["core-path"][-1]
    assert rules["before"]["core-path"] == rules["counts"]["core-path"][-2]
    pulls = reads.pulls(sample, Selection(DEMO_REPO, Window(date(2026, 4, 13), date(2026, 5, 10))))
    examples = risk_facts.examples(pulls, "core-path", 5)
    assert len(examples) == 5
    assert [risk["points"] for _, risk in examples] == sorted((risk["points"] for _, risk in examples), reverse=True)
    for _, risk in examples:
        assert evidence.sentence("core-path", risk["value"], risk["evidence"], EN) in texts(app)


def test_stories_and_what_became_of_warnings_are_those_of_the_report(open_page, sample):
    selection = Selection(DEMO_REPO, Window(date(2026, 4, 13), date(2026, 5, 10)))
    report = reads.report(sample, selection, lang="en", config="", version="0")
    app = open_page(sample, "risk.py", window=MONTH)
    assert report["chains"] and report["ledger"]
    for chain in report["chains"][:8]:
        assert " → ".join(f"#{number}" for number in chain["prs"]) in texts(app)
    warned = next(frame.value for frame in app.dataframe if "after" in frame.value)
    assert sorted(warned["pr"]) == sorted(entry["pr"] for entry in report["ledger"])
    assert f"{len(report['ledger'])} warnings from the 4 weeks before: " in texts(app)


def test_nothing_happened_not_collected_and_filtered_away_are_told_apart_on_risk(open_page, one, sample):
    nothing = open_page(one, "risk.py", window=["2026-01-05", "2026-01-11"])
    assert [info.value[:31] for info in nothing.info] == ["These days are not in the cache"]
    assert nothing.button(key="go_nearest").label.startswith("Go to ")
    quiet = texts(open_page(one, "risk.py", window=list(WEEK)))
    assert "Nothing was reverted, brought back or repaired in this window." in quiet
    assert "The cache does not hold all of the period before." in quiet
    app = open_page(sample, "risk.py", tier="4", rule="wide-rename")
    assert "risk high, rule Wide rename" in app.info[0].value
    app.button(key="clear_nothing").click().run()
    assert dict(app.query_params) == {}


@pytest.mark.parametrize("page", ["overview.py", "pulls.py", "risk.py"])
@pytest.mark.parametrize(
    ("year", "says"), [("2020", "These days are not in the cache"), ("2030", "These days are not")]
)
def test_days_that_are_not_cached_are_told_once(open_page, one, page, year, says):
    app = open_page(one, page, window=[f"{year}-01-06", f"{year}-01-12"])
    assert texts(app).count(says) == 1
    assert "No pull request was merged" not in texts(app)


def test_pull_requests_that_no_rule_has_judged_yet_are_not_called_safe(open_page, one):
    with sqlite3.connect(one) as cached:
        cached.execute("update pull_facts set tier = null, risk_score = null, silent_rules = null")
    assert "have not judged these pull requests yet" in open_page(one, "risk.py", window=list(WEEK)).info[0].value
    assert "Not judged yet" in texts(open_page(one, "pulls.py", pr="7", window=list(WEEK)))
    assert "Elevated risk" not in [metric.label for metric in open_page(one, window=list(WEEK)).metric]


def test_a_rule_and_a_tier_that_do_not_exist_are_told(open_page, sample):
    app = open_page(sample, "risk.py", rule="bad-luck", tier="9")
    assert "bad\\-luck" in app.toast[0].value and "9" in app.toast[0].value
    assert n_found(app) == report_of(sample)["totals"]["merged"]


# --- Data & sync -----------------------------------------------------------------------------------------------


def test_coverage_is_told_for_each_field(open_page, one):
    shares = {metric.label: metric.value for metric in open_page(one, "data_sync.py").metric}
    assert shares["Opened at"] == "0%" and shares["Changed files"] == "100%"


def test_weeks_without_merges_are_told_as_gaps(open_page, tmp_path):
    pulls = [make_pull(1, merged="2026-03-04T12:00:00Z"), make_pull(2, merged="2026-04-08T12:00:00Z")]
    assert "Nothing was merged Mar 9 – Apr 5, 2026" in texts(open_page(cache_of(tmp_path, pulls), "data_sync.py"))


# --- About the numbers -----------------------------------------------------------------------------------------


def explained(app: AppTest) -> list[str]:
    """The labels of the numbers that the page explains."""
    return [re.match(r"\*\*(.+?)\*\*", expander.label)[1] for expander in app.expander]


def test_every_number_is_explained_in_the_words_of_its_docstring(open_page, sample):
    app = open_page(sample, "about.py")
    assert sorted(explained(app)) == sorted(metric.label for metric in catalogue.everything())
    assert not any(expander.proto.expanded for expander in app.expander)
    about = catalogue.metric("lead_time").about
    assert all(text in texts(app) for text in (about.formula, about.misses, about.source, about.example))


def test_a_link_to_one_number_opens_it_alone(open_page, sample):
    app = open_page(sample, "about.py", find="lead_time")
    assert explained(app) == ["Lead time"]
    assert app.expander[0].proto.expanded and app.text_input(key="find_picked").value == "lead_time"


def test_a_search_writes_the_address_and_what_is_not_found_is_told(open_page, sample):
    app = open_page(sample, "about.py")
    app.text_input(key="find_picked").set_value("kaplan").run()
    assert dict(app.query_params) == {"find": "kaplan"} and len(app.expander) == 1
    app.text_input(key="find_picked").set_value("**nothing** like it").run()
    assert not app.expander and "**nothing**" not in app.info[0].value and "like it" in app.info[0].value


def test_neither_search_follows_to_the_other_page(open_page, sample):
    app = open_page(sample, "pulls.py", q="the")
    app.switch_page("app_pages/about.py").run()
    assert app.text_input(key="find_picked").value == "" and not app.query_params
    app.text_input(key="find_picked").set_value("kaplan").run()
    app.switch_page("app_pages/pulls.py").run()
    assert app.text_input(key="q_picked").value == ""


def test_rules_are_told_as_they_are_configured(open_page, sample, tmp_path, monkeypatch):
    file = tmp_path / "merge-window.toml"
    file.write_text("[risk.points]\nlarge-change = 20\nrevert = 0\n[risk.thresholds]\nlarge-change = 250\n")
    open_page(sample)
    monkeypatch.setenv("MERGE_WINDOW_CONFIG", str(file))
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    app.switch_page("app_pages/about.py").run()
    rules = {rule.name: rule for rule in catalogue.rules()}
    [large] = [each.markdown[0].value for each in app.expander if each.label.startswith("**Large change**")]
    built_in = f"Built in: above {rules['large-change'].threshold:g}, at most {rules['large-change'].points:g}."
    assert "Fires above 250 and adds at most 20 to the score." in large and built_in in large
    [revert] = [each.markdown[0].value for each in app.expander if each.label.startswith("**Revert**")]
    assert "Switched off in the configuration." in revert
    [breaking] = [
        each.markdown[0].value for each in app.expander if each.label.startswith("**Breaking change** · Does the")
    ]
    assert "Built in" not in breaking


def test_a_chinese_reader_finds_every_explanation_in_chinese(open_page, sample):
    told = [each.markdown[0].value for each in open_page(sample, "about.py", lang="中文").expander]
    english = {part for metric in catalogue.everything() for part in (metric.about.formula, metric.about.misses)}
    assert len(told) == len(catalogue.everything())
    assert [text for text in told if any(part in text for part in english)] == []


def test_a_card_says_what_its_number_means_and_leads_to_the_rest(open_page, sample):
    helps = {metric.label: metric.help for metric in open_page(sample).metric}
    about = catalogue.metric("lead_time").about
    assert helps["Lead time, median"].startswith(about.answer)
    assert all("](about?find=" in text for text in helps.values())


# --- failures --------------------------------------------------------------------------------------------------


def test_a_file_that_is_no_cache_gets_one_sentence(open_page, tmp_path):
    file = tmp_path / "notes.db"
    file.write_text("these are my notes, and they are longer than the header of a database would be")
    app = open_page(file)
    assert not app.exception
    assert [str(file) in error.value for error in app.error] == [True]
    assert file.read_text().startswith("these are my notes")


def test_a_database_of_another_program_is_left_alone(open_page, tmp_path):
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as other:
        other.execute("create table things (name text)")
    app = open_page(file)
    assert not app.exception and len(app.error) == 1


def test_a_configuration_that_is_wrong_is_named(open_page, sample, tmp_path, monkeypatch):
    file = tmp_path / "merge-window.toml"
    file.write_text('tz = "Mars/Olympus"')
    open_page(sample)
    monkeypatch.setenv("MERGE_WINDOW_CONFIG", str(file))
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    assert not app.exception
    assert ["Mars/Olympus" in error.value for error in app.error] == [True]


def test_a_page_that_fails_says_what_still_works(open_page, sample, monkeypatch):
    monkeypatch.setattr(listing, "choose", lambda *_, **__: 1 / 0)
    app = open_page(sample, "pulls.py")
    assert not app.exception
    assert "could not be drawn" in app.error[0].value and "division" not in texts(app)


SPACED = re.compile(
    r"[\u4e00-\u9fff，。：；、）] [\u4e00-\u9fff，。：；、（]|[\u4e00-\u9fff][:;,?!(]|[:;,?!)][\u4e00-\u9fff]"
)


@pytest.mark.parametrize("page", PAGES)
def test_no_space_and_no_half_width_sign_stands_beside_chinese(open_page, sample, page):
    query = {"pr": "4530"} if page in ("pulls.py", "risk.py") else {}
    app = open_page(sample, page, lang="中文", window=["2026-05-04", "2026-05-10"], **query)
    elements = [
        each for kind in ("markdown", "caption", "subheader", "metric", "button", "info") for each in app.get(kind)
    ]
    told = [str(getattr(each, name, "")) for each in elements for name in ("value", "label", "help")]
    told += [json.loads(each.proto.spec)["layout"]["meta"]["alt"] for each in app.get("plotly_chart")]
    as_code = [re.sub(r"`[^`]*`", "x", text) for text in told]
    plain = [re.sub(r"\*\*|:\w+\[|\]\([^)]*\)|[\\\]]|<style>.*", "", text) for text in as_code]
    assert [found for text in plain for found in SPACED.findall(text)] == []
