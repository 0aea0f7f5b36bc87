"""The dashboard as `serve` gives it to a real browser: address, Back, clicks, links, languages, themes, a phone."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import parse_qs, urlsplit

import pytest
from caches import sample_cache
from conftest import ROOT
from playwright.sync_api import Browser, BrowserContext, Page, expect

from analysis.risk_settings import TIERS

PATIENCE = 45_000  # ms; only a broken page takes it all
# Streamlit asks below the page's own path first and then at the root, and its sparklines warn before they have data.
NOT_OURS = re.compile(r"404 \(Not Found\)|Infinite extent for field")

expect.set_options(timeout=PATIENCE)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(db: Path, port: int) -> subprocess.Popen[str]:
    """`merge-window serve` in a process of its own, once it answers."""
    command = [sys.executable, "-m", "dashboard.cli", "serve", "--db", str(db), "--port", str(port)]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "MERGE_WINDOW_CONFIG": ""}
    server = subprocess.Popen(command, cwd=db.parent, env=surroundings, stderr=subprocess.PIPE, text=True)
    until = monotonic() + PATIENCE / 1000
    while monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5):
                return server
        except OSError:
            sleep(0.05)
    server.kill()
    raise AssertionError(f"The server did not answer: {server.communicate()[1]}")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the dashboard on the sample repository."""
    port = free_port()
    server = start(sample_cache(tmp_path_factory.mktemp("site")), port)
    yield f"http://127.0.0.1:{port}"
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=20)


@pytest.fixture(scope="module")
def reader(browser: Browser) -> BrowserContext:
    """Somebody who comes back: what the browser has loaded once, it keeps."""
    return newcomer(browser)


def newcomer(browser: Browser, **surroundings: object) -> BrowserContext:
    """Somebody at a large screen who reads English, or as told."""
    context = browser.new_context(**{"viewport": {"width": 1440, "height": 1400}, "locale": "en-US", **surroundings})
    context.set_default_timeout(PATIENCE)
    return context


@contextmanager
def visit(reader: BrowserContext, address: str) -> Iterator[Page]:
    """A tab of their own; at its end, nothing was asked of another host and nothing of ours complained."""
    page = reader.new_page()
    host, strangers, complaints = urlsplit(address).netloc, [], []
    page.on("request", lambda request: strangers.append(request.url) if is_elsewhere(request.url, host) else None)
    page.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto("about:blank")
    page.goto(address)
    drawn(page)
    yield page
    page.close()
    assert strangers == []
    assert complaints == []


def is_elsewhere(url: str, host: str) -> bool:
    return urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).netloc != host


def is_complaint(said: object) -> bool:
    return said.type in ("error", "warning") and not NOT_OURS.search(said.text)  # type: ignore[attr-defined]


def drawn(page: Page) -> None:
    """Wait until the run has ended and every chart that it made stands on the page."""
    page.wait_for_function(
        """() => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
            && document.querySelector(".st-key-strip .bars .point path")
            && !document.querySelector("[data-testid=stSkeleton]")
            && [...document.querySelectorAll(".stPlotlyChart")].every(chart => chart.querySelector(".main-svg"))"""
    )


def headline(page: Page) -> str:
    return page.get_by_role("heading", level=2).first.inner_text()


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def click_mark(page: Page, chart: str, marks: str, position: int) -> None:
    """Click a mark of a chart as a reader would: in its middle, once the chart has told what it is."""
    box = page.locator(f"[class*=st-key-{chart}] {marks}").nth(position).bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(middle[0] - 1, middle[1])
    page.mouse.move(*middle)
    page.locator(f"[class*=st-key-{chart}] .hoverlayer .hovertext").first.wait_for()
    page.mouse.click(*middle)


def expect_found(page: Page, count: int) -> None:
    """The list of pull requests says it holds so many."""
    expect(page.get_by_text(re.compile(r"^[\d,]+ found"))).to_contain_text(f"{count:,} found")


def test_a_bar_of_the_strip_takes_its_week_and_back_returns_step_by_step(reader, site):
    with visit(reader, site) as page:
        first = headline(page)
        bars = page.locator(".st-key-strip .bars .point path")
        click_mark(page, "strip", ".bars .point path", bars.count() // 2 - 8)
        page.wait_for_url("**/?window=*")
        expect(page.get_by_role("heading", level=2).first).not_to_have_text(first)
        drawn(page)
        second, chosen = headline(page), page.url
        since, until = query(page)["window"]
        assert f"{since}–{until}" in page.locator(".st-key-window_picked").inner_text().replace("\n", "")
        page.get_by_role("button", name="4w").first.click()
        expect(page.get_by_role("heading", level=2).first).not_to_have_text(second)
        drawn(page)
        page.go_back()
        page.wait_for_url(chosen)
        expect(page.get_by_role("heading", level=2).first).to_have_text(second)
        page.go_back()
        page.wait_for_url(f"{site}/")
        expect(page.get_by_role("heading", level=2).first).to_have_text(first)
        page.go_forward()
        page.wait_for_url(chosen)
        expect(page.get_by_role("heading", level=2).first).to_have_text(second)


def test_each_filter_is_one_step_of_back(reader, site):
    with visit(reader, f"{site}/?window=2026-05-04&window=2026-05-10") as page:
        steps = page.evaluate("history.length")
        page.locator(".st-key-bots_picked label").first.click()
        page.wait_for_url("**bots=true*")
        drawn(page)
        page.get_by_text("中文", exact=True).click()
        expect(page.get_by_role("heading", level=2).first).to_contain_text("个 PR")
        drawn(page)
        assert query(page)["lang"] == ["中文"]
        assert page.evaluate("history.length") == steps + 2
        page.go_back()
        expect(page.get_by_role("heading", level=2).first).to_contain_text("merged")
        assert query(page) == {"window": ["2026-05-04", "2026-05-10"], "bots": ["true"]}
        page.go_back()
        page.wait_for_url("**/?window=2026-05-04&window=2026-05-10")


def test_shortcuts_move_the_window(reader, site):
    with visit(reader, f"{site}/?window=2026-05-04&window=2026-05-10") as page:
        page.keyboard.press("Alt+j")
        page.wait_for_url("**/?window=2026-04-27&window=2026-05-03")
        drawn(page)
        page.keyboard.press("Alt+k")
        page.wait_for_url("**/?window=2026-05-04&window=2026-05-10")


def test_one_day_has_an_address_too(reader, site):
    with visit(reader, f"{site}/?window=2026-05-05..2026-05-05") as page:
        first = headline(page)
        assert "day before" in first
        page.keyboard.press("Alt+j")
        page.wait_for_url("**/?window=2026-05-04..2026-05-04")
        drawn(page)
        page.go_back()
        page.wait_for_url("**/?window=2026-05-05..2026-05-05")
        expect(page.get_by_role("heading", level=2).first).to_have_text(first)
        page.get_by_role("button", name="Share").click()
        assert page.locator("[data-testid=stCode]").first.inner_text().strip().endswith("window=2026-05-05..2026-05-05")


def test_a_share_link_shows_the_same_to_somebody_else(browser, site):
    sender, receiver = newcomer(browser, locale="zh-CN"), newcomer(browser, locale="zh-CN")
    with visit(sender, f"{site}/pulls?window=2026-04-13&window=2026-05-10&kind=fix") as page:
        page.get_by_role("button", name="分享").click()
        link = page.locator("[data-testid=stCode]").first.inner_text().strip()
        found = page.get_by_text(re.compile("^找到")).inner_text()
    with visit(receiver, link) as other:
        expect(other.get_by_text(re.compile("^找到"))).to_have_text(found)
        assert query(other).items() >= {"window": ["2026-04-13", "2026-05-10"], "kind": ["fix"]}.items()


def test_filters_stay_when_the_page_changes(reader, site):
    with visit(reader, f"{site}/?window=2026-04-13&window=2026-05-10&bots=true") as page:
        steps = page.evaluate("history.length")
        n_merged = int(headline(page).split()[0])
        page.get_by_role("link", name="Pull requests", exact=True).click()
        expect_found(page, n_merged)
        page.get_by_role("link", name="Data & sync").click()
        expect(page.get_by_role("heading", level=2).first).to_have_text("Data & sync")
        assert query(page) == {"window": ["2026-04-13", "2026-05-10"], "bots": ["true"]}
        assert page.evaluate("history.length") == steps + 2


def test_a_card_opens_the_list_that_it_counts_in_one_step(reader, site):
    with visit(reader, f"{site}/?window=2026-04-13&window=2026-05-10") as page:
        steps, n_merged = page.evaluate("history.length"), int(headline(page).split()[0])
        link = page.locator(".st-key-card_missing_tests a")
        count = int(link.inner_text().split()[0])
        link.click()
        page.wait_for_url("**/pulls?*rule=missing-tests*")
        expect_found(page, count)
        assert page.evaluate("history.length") == steps + 1
        drawn(page)
        page.get_by_role("button", name="Clear filters").click()
        page.wait_for_url("**/pulls?window=2026-04-13&window=2026-05-10")
        expect_found(page, n_merged)
        page.go_back()
        page.wait_for_url("**rule=missing-tests*")
        expect_found(page, count)


@pytest.mark.parametrize("lang", ["en-US", "zh-CN"])
def test_a_sentence_of_the_report_opens_the_pull_requests_behind_it(browser, site, lang):
    with visit(newcomer(browser, locale=lang), f"{site}/report") as page:
        number = page.locator(".document button").first
        count = int(number.inner_text())
        number.click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text(f"{count} found" if lang == "en-US" else f"找到 {count} 个")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        sections = page.locator(".document h2").all_inner_texts()
        assert len(sections) == 6


def test_a_dot_opens_its_pull_request_again_and_again(reader, site):
    with visit(reader, site) as page:
        for _ in range(2):
            click_mark(page, "dots", ".scatterlayer .point", 0)
            page.wait_for_url("**/pulls?pr=*")
            number = query(page)["pr"][0]
            expect(page.get_by_role("heading", level=3).filter(has_text=f"#{number} ")).to_be_visible()
            page.go_back()
            page.wait_for_url(f"{site}/")
            expect(page.get_by_role("heading", level=2).first).to_contain_text("merged")
            drawn(page)


def test_a_piece_of_a_bar_opens_that_week_and_kind(reader, site):
    with visit(reader, f"{site}/?window=2026-05-04&window=2026-05-31") as page:
        click_mark(page, "weeks", ".barlayer .trace:first-child .point path", 3)
        page.wait_for_url("**/pulls?*kind=feat*")
        since, until = query(page)["window"]
        assert (since, until) != ("2026-05-04", "2026-05-31")
        page.go_back()
        page.wait_for_url(f"**/?window={since}&window={until}")


def test_a_row_of_the_table_is_chosen_by_a_click(reader, site):
    with visit(reader, f"{site}/pulls") as page:
        table = page.locator("[data-testid=stDataFrame]").first.bounding_box()
        page.mouse.click(table["x"] + 260, table["y"] + 35 * 2 + 18)
        page.wait_for_url("**/pulls?pr=*")
        number = query(page)["pr"][0]
        expect(page.get_by_role("heading", level=3).filter(has_text=f"#{number} ")).to_be_visible()


def test_the_names_of_the_stages_need_no_scroll_bar(reader, site):
    with visit(reader, f"{site}/pulls?pr=4530") as page:
        chart = page.locator("[class*=st-key-timeline]")
        expect(chart.locator(".legend .traces")).to_have_count(3)
        assert float(chart.locator(".legend rect.scrollbar").get_attribute("width") or 0) == 0


def test_a_tiers_count_narrows_the_list_and_a_row_opens_beside_it(reader, site):
    with visit(reader, f"{site}/risk?window=2026-04-13&window=2026-05-10") as page:
        steps = page.evaluate("history.length")
        card = page.locator(".st-key-tier_4")
        count = int(card.locator("[data-testid=stMetricValue]").inner_text())
        card.get_by_role("button", name=f"{count} pull requests").click()
        page.wait_for_url("**tier=4*")
        expect_found(page, count)
        drawn(page)
        table = page.locator("[data-testid=stDataFrame]").first.bounding_box()
        page.mouse.click(table["x"] + 260, table["y"] + 33 + 16)
        page.wait_for_url("**/risk?*pr=*")
        number = query(page)["pr"][0]
        expect(page.get_by_role("heading", level=3).filter(has_text=f"#{number} ")).to_be_visible()
        assert page.evaluate("history.length") == steps + 2
        page.go_back()
        page.go_back()
        page.wait_for_url("**/risk?window=2026-04-13&window=2026-05-10")


def test_a_row_of_the_rules_lists_where_it_fired_and_another_page_begins_with_the_whole_list(reader, site):
    with visit(reader, f"{site}/risk?window=2026-04-13&window=2026-05-10") as page:
        whole = int(re.sub(r"\D", "", page.get_by_text(re.compile(r"^[\d,]+ found")).inner_text()))
        table = page.locator("[class*=st-key-rules] [data-testid=stDataFrame]")
        table.scroll_into_view_if_needed()
        box = table.bounding_box()
        page.mouse.click(box["x"] + 120, box["y"] + 33 * 3 + 16)
        page.wait_for_url("**rule=*")
        drawn(page)
        found = int(re.sub(r"\D", "", page.get_by_text(re.compile(r"^[\d,]+ found")).inner_text().split("·")[0]))
        assert 0 < found < whole
        page.get_by_role("link", name="Pull requests", exact=True).click()
        expect_found(page, whole)
        assert query(page) == {"window": ["2026-04-13", "2026-05-10"]}
        page.go_back()
        page.wait_for_url("**/risk?*rule=*")
        expect_found(page, found)


def test_how_the_score_is_made_and_the_back_test_are_there_on_demand(reader, site):
    with visit(reader, f"{site}/risk?window=2026-04-13&window=2026-05-10") as page:
        expect(page.get_by_text("AUC")).to_have_count(0)
        page.locator(".st-key-backtest summary").click()
        expect(page.locator(".st-key-backtest table").first).to_contain_text("lines added")
        page.locator(".st-key-how_scored summary").click()
        expect(page.locator(".st-key-how_scored")).to_contain_text(
            re.compile(rf"begin at {TIERS[0]:g}, {TIERS[1]:g} and {TIERS[2]:g}\.")
        )
        assert query(page) == {"window": ["2026-04-13", "2026-05-10"]}


def test_a_phone_never_scrolls_sideways(browser, site):
    phone = newcomer(browser, viewport={"width": 390, "height": 844})
    for path in ("/", "/pulls", "/risk", "/compare", "/report", "/data"):
        with visit(phone, site + path) as page:
            width, room = page.evaluate(
                "[document.querySelector('[data-testid=stMain]').scrollWidth, document.documentElement.clientWidth]"
            )
            assert (path, width) == (path, min(width, room))


def test_a_dark_browser_gets_the_dark_theme(browser, site):
    with visit(newcomer(browser, color_scheme="dark"), site) as page:
        paper = page.locator("[data-testid=stApp]").evaluate("app => getComputedStyle(app).backgroundColor")
        assert paper == "rgb(20, 23, 28)"
        chosen = page.locator(".st-key-strip .bars .point path").evaluate_all(
            "bars => bars.map(bar => getComputedStyle(bar).fill)"
        )
        assert "rgb(130, 162, 252)" in chosen


def test_a_wrong_address_is_told_in_a_toast(browser, site):
    with visit(newcomer(browser, locale="zh-CN"), f"{site}/?window=2026-05-10&window=2026-05-04&repo=no/such") as page:
        expect(page.get_by_test_id("stToast")).to_contain_text("no/such")
        expect(page.get_by_role("heading", level=2).first).to_contain_text("个 PR")


def test_the_first_run_leads_to_an_overview_and_ctrl_c_stops_the_server_while_somebody_reads(reader, tmp_path):
    port = free_port()
    server = start(tmp_path / "new.db", port)
    page = reader.new_page()
    page.goto(f"http://127.0.0.1:{port}/data")
    page.get_by_role("button", name="Load sample data").click()
    page.wait_for_url(f"http://127.0.0.1:{port}/")
    expect(page.get_by_role("heading", level=2).first).to_contain_text("pull requests merged")
    server.send_signal(signal.SIGINT)
    said = server.communicate(timeout=30)[1]
    page.close()
    assert server.returncode == 0
    assert f"http://127.0.0.1:{port}" in said and "Traceback" not in said


def test_a_card_leads_to_what_its_number_means(reader, site):
    with visit(reader, site) as page:
        page.locator("[data-testid=stMetric] [data-testid=stTooltipHoverTarget]").nth(1).hover()
        with reader.expect_page() as opened:
            page.get_by_text("About this number").click()
        explained = opened.value
        expect(explained.locator("[data-testid=stExpander]")).to_have_count(1)
        expect(explained.get_by_text("What it misses")).to_be_visible()
        assert query(explained)["find"] == ["lead_time"]
        explained.close()


def test_back_from_the_numbers_brings_the_search_for_pull_requests_back(reader, site):
    with visit(reader, f"{site}/pulls?q=the") as page:
        page.get_by_role("link", name="About", exact=True).click()
        page.wait_for_url(f"{site}/about")
        search = page.locator(".st-key-find_picked input")
        search.fill("kaplan")
        search.press("Enter")
        page.wait_for_url("**/about?find=kaplan")
        expect(page.locator("[data-testid=stExpander]")).to_have_count(1)
        page.go_back()
        page.wait_for_url(f"{site}/about")
        page.go_back()
        page.wait_for_url(f"{site}/pulls?q=the")
        expect(page.locator(".st-key-q_picked input")).to_have_value("the")
