"""Numbers, dates and durations as both languages write them; text from repositories shown as it was written."""

import html
import math
import re
import socket
import subprocess
import sys
import textwrap
import time
import unicodedata
from datetime import date, timedelta

import pandas as pd
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from analysis.window import Window
from dashboard import formats
from dashboard.formats import Delta, delta, duration

UNKNOWN_VALUES = pytest.mark.parametrize("unknown", [None, math.nan, pd.NA, pd.NaT])
LANGS = pytest.mark.parametrize("lang", ["en", "zh"])
MONDAY = date(2026, 5, 4)


# --- numbers ---------------------------------------------------------------------------------------------------


@UNKNOWN_VALUES
@LANGS
def test_unknown_is_a_dash_and_zero_is_zero(unknown, lang: str):
    for written in (formats.number, formats.compact, formats.percent, formats.duration, formats.day):
        assert written(unknown, lang) == "–"
    assert formats.share(unknown, 10, lang) == formats.share(1, unknown, lang) == "–"
    assert formats.moment(unknown, "UTC") == formats.ago(unknown, "2026-05-04T00:00:00Z", lang) == "–"
    assert formats.number(0, lang) == formats.compact(0, lang) == "0"
    assert formats.percent(0, lang) == "0%"


def test_numbers_are_grouped_and_large_ones_shortened_the_way_a_language_counts():
    assert formats.number(1204, "en") == formats.number(1204, "zh") == "1,204"
    assert formats.number(2.25, "en") == "2.2"
    assert formats.compact(134_567, "en") == "134.6K"
    assert formats.compact(134_567, "zh") == "13.5万"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.294, "29%"), (1, "100%"), (0.001, "<1%"), (0.9999, ">99%"), (0.005, "<1%"), (0.5, "50%"), (1.5, "150%")],
)
def test_a_percentage_claims_none_or_all_only_where_it_is_so(share: float, text: str):
    assert formats.percent(share, "en") == text


def test_a_share_of_few_is_counted_instead_of_weighed():
    assert formats.share(1, 3, "en") == "1 of 3"
    assert formats.share(1, 3, "zh") == "1 / 3"
    assert formats.share(1, 4, "en") == "1 of 4"
    assert formats.share(1, 5, "en") == "20%"
    assert formats.share(0, 0, "en") == "–"


@pytest.mark.parametrize(
    ("hours", "english", "chinese"),
    [
        (0, "0 min", "0 分钟"),
        (0.002, "1 min", "1 分钟"),
        (0.75, "45 min", "45 分钟"),
        (59.6 / 60, "1 h", "1 小时"),
        (4.23, "4.2 h", "4.2 小时"),
        (9.97, "10 h", "10 小时"),
        (23.4, "23 h", "23 小时"),
        (47.4, "47 h", "47 小时"),
        (47.6, "2 d", "2 天"),
        (76, "3.2 d", "3.2 天"),
        (30 * 24, "30 d", "30 天"),
        (-2, "−2 h", "−2 小时"),
    ],
)
def test_a_duration_takes_the_unit_that_reads_best(hours: float, english: str, chinese: str):
    assert duration(hours, "en") == english
    assert duration(hours, "zh") == chinese


@given(st.floats(0, 100_000))
def test_no_duration_reads_sixty_minutes_or_forty_eight_hours(hours: float):
    amount, unit = duration(hours, "en").replace(",", "").split()
    assert float(amount) < {"min": 60, "h": 48, "d": math.inf}[unit]
    assert (float(amount) == 0) == (hours == 0)


@given(st.floats(0.02, 100_000))
def test_a_duration_says_what_it_is_within_its_precision(hours: float):
    amount, unit = duration(hours, "en").replace(",", "").split()
    assert float(amount) * {"min": 1 / 60, "h": 1, "d": 24}[unit] == pytest.approx(hours, rel=0.06, abs=0.5 / 60)


# --- change ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "before", "english", "chinese"),
    [
        (5, 0, "new", "新出现"),
        (0, 5, "none", "已清零"),
        (0, 0, "no change", "无变化"),
        (5, None, "no data", "无数据"),
        (None, 5, "no data", "无数据"),
        (5, math.nan, "no data", "无数据"),
    ],
)
@pytest.mark.parametrize("unit", ["count", "relative"])
def test_growth_from_nothing_has_words_instead_of_a_percentage(now, before, english: str, chinese: str, unit: str):
    assert delta(now, before, "en", unit=unit).text == english
    assert delta(now, before, "zh", unit=unit).text == chinese


def test_a_change_names_its_amount_and_points_its_way():
    assert delta(31, 34, "en") == Delta("−3", "down", "gray")
    assert delta(1300, 34, "en").text == "+1,266"
    assert delta(23, 25, "en", unit="hours") == Delta("−2 h", "down", "gray")
    assert delta(0.32, 0.29, "zh", unit="share").text == "+3 个百分点"


def test_better_is_blue_and_worse_is_rust_whichever_way_is_up():
    assert delta(2, 1, "en", better="up").colour == delta(1, 2, "en", better="down").colour == "blue"
    assert delta(1, 2, "en", better="up").colour == delta(2, 1, "en", better="down").colour == "orange"
    assert delta(2, 1, "en").colour == "gray"
    assert delta(2, None, "en", better="up").colour == delta(2, 2, "en", better="up").colour == "gray"


@pytest.mark.parametrize(
    ("now", "before", "unit"), [(7, 7, "count"), (23.02, 23.01, "hours"), (0.291, 0.292, "share"), (9, 9, "relative")]
)
def test_what_reads_the_same_has_not_changed_and_has_no_arrow(now: float, before: float, unit: str):
    assert delta(now, before, "en", unit=unit) == Delta("no change", "off", "gray")


@pytest.mark.parametrize(("now", "before", "text"), [(6, 12, "−50%"), (4, 12, "−8"), (12, 4, "+8"), (15, 5, "+200%")])
def test_small_counts_are_compared_as_numbers(now: int, before: int, text: str):
    assert delta(now, before, "en", unit="relative").text == text


@given(
    st.one_of(st.none(), st.floats(0, 1e6)),
    st.one_of(st.none(), st.floats(0, 1e6)),
    st.sampled_from(["count", "relative", "hours", "share"]),
    st.sampled_from(["en", "zh"]),
)
def test_no_change_ever_reads_infinite_or_not_a_number(now, before, unit, lang):
    change = delta(now, before, lang, unit=unit)
    assert change.text
    assert not re.search(r"nan|inf|∞", change.text, re.IGNORECASE)
    assert "None" not in change.text
    if change.arrow != "off":
        assert change.arrow == ("up" if now > before else "down")


@pytest.mark.parametrize(
    ("since", "until", "english", "chinese"),
    [
        ("2026-05-04", "2026-05-10", "the week before", "前一周"),
        ("2026-04-13", "2026-05-10", "the 4 weeks before", "此前 4 周"),
        ("2026-02-09", "2026-05-10", "the 13 weeks before", "此前 13 周"),
        ("2026-04-01", "2026-04-30", "the month before", "前一个月"),
        ("2026-01-01", "2026-03-31", "the 3 months before", "此前 3 个月"),
        ("2026-05-05", "2026-05-11", "the 7 days before", "此前 7 天"),
        ("2026-05-05", "2026-05-05", "the day before", "前一天"),
    ],
)
def test_a_comparison_names_the_period_it_compares_with(since: str, until: str, english: str, chinese: str):
    window = Window(date.fromisoformat(since), date.fromisoformat(until))
    assert formats.than_before(window, "en") == english
    assert formats.than_before(window, "zh") == chinese


# --- days ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("since", "until", "english", "chinese"),
    [
        (MONDAY, date(2026, 5, 10), "May 4 – 10, 2026", "2026年5月4日 – 10日"),
        (date(2026, 4, 28), MONDAY, "Apr 28 – May 4, 2026", "2026年4月28日 – 5月4日"),
        (date(2025, 12, 29), date(2026, 1, 4), "Dec 29, 2025 – Jan 4, 2026", "2025年12月29日 – 2026年1月4日"),
        (MONDAY, MONDAY, "May 4, 2026", "2026年5月4日"),
    ],
)
def test_days_name_what_differs_only_once(since: date, until: date, english: str, chinese: str):
    assert formats.days(since, until, "en") == english
    assert formats.days(since, until, "zh") == chinese


@pytest.mark.parametrize(
    ("since", "until", "english", "chinese"),
    [
        ("2026-05-04", "2026-05-10", "Week 19, 2026", "2026 年第 19 周"),
        ("2024-12-30", "2025-01-05", "Week 1, 2025", "2025 年第 1 周"),
        ("2026-04-13", "2026-05-10", "Weeks 16–19, 2026", "2026 年第 16–19 周"),
        ("2025-12-22", "2026-01-11", "Week 52, 2025 – week 2, 2026", "2025 年第 52 周至 2026 年第 2 周"),
        ("2026-04-01", "2026-04-30", "April 2026", "2026 年 4 月"),
        ("2026-04-01", "2026-05-31", "April – May 2026", "2026 年 4 月 – 5 月"),
        ("2025-11-01", "2026-01-31", "November 2025 – January 2026", "2025 年 11 月 – 2026 年 1 月"),
        ("2026-04-01", "2026-06-30", "Q2 2026", "2026 年第二季度"),
        ("2026-01-01", "2026-06-30", "First half of 2026", "2026 年上半年"),
        ("2026-07-01", "2026-12-31", "Second half of 2026", "2026 年下半年"),
        ("2026-01-01", "2026-12-31", "2026", "2026 年"),
        ("2024-01-01", "2026-12-31", "2024 – 2026", "2024–2026 年"),
        ("2026-05-04", "2026-05-04", "May 4, 2026", "2026年5月4日"),
        ("2026-05-04", "2026-05-11", "May 4 – 11, 2026", "2026年5月4日 – 11日"),
    ],
)
def test_a_window_is_called_what_the_calendar_calls_it(since: str, until: str, english: str, chinese: str):
    window = Window(date.fromisoformat(since), date.fromisoformat(until))
    assert formats.window_title(window, "en") == english
    assert formats.window_title(window, "zh") == chinese


def test_a_window_between_two_tags_is_called_by_them_and_they_stay_on_one_line():
    week = Window(MONDAY, date(2026, 5, 10))
    assert formats.window_title(week, "en", "v1.1..v1.2") == "v1.1 to v1.2"
    assert formats.window_title(week, "zh", "v1.1..v1.2") == "v1.1 至 v1.2"
    assert (formats.window_title(week, "en", "v1.1.."), formats.window_title(week, "zh", "v1.1..")) == (
        "Since v1.1",
        "v1.1 之后",
    )
    assert formats.window_title(week, "en", "v1\u2028x..{year}\u202e") == "v1 x to {year}"


@LANGS
@given(since=st.dates(date(1999, 1, 1), date(2030, 1, 1)), length=st.integers(1, 1200))
def test_every_window_has_a_title(lang: str, since: date, length: int):
    title = formats.window_title(Window(since, since + timedelta(days=length - 1)), lang)
    assert title and "\u2009" not in title


def test_axis_dates_are_numeric_in_chinese():
    assert (formats.day_short(MONDAY, "en"), formats.day_short(MONDAY, "zh")) == ("May 4", "5/4")
    assert (formats.weekday(MONDAY, "en"), formats.weekday(MONDAY, "zh")) == ("Mon", "周一")
    assert (formats.month(MONDAY, "en"), formats.month(MONDAY, "zh")) == ("May", "5月")
    assert formats.month(date(2026, 1, 5), "en") == formats.month(date(2026, 1, 5), "zh") == "2026"


def test_a_moment_is_told_on_the_clock_of_its_zone():
    assert formats.moment("2026-04-26T17:55:00Z", "Asia/Shanghai") == "2026-04-27 01:55"
    assert formats.moment("2026-04-26T17:55:00Z", "UTC") == "2026-04-26 17:55"


@pytest.mark.parametrize(
    ("then", "english", "chinese"),
    [
        ("2026-05-04T11:48:00Z", "12 minutes ago", "12 分钟前"),
        ("2026-05-04T11:59:30Z", "just now", "刚刚"),
        ("2026-05-02T12:00:00Z", "2 days ago", "2 天前"),
    ],
)
def test_freshness_is_told_in_words(then: str, english: str, chinese: str):
    now = "2026-05-04T12:00:00Z"
    assert formats.ago(then, now, "en") == english
    assert formats.ago(then, now, "zh") == chinese


# --- text from repositories ------------------------------------------------------------------------------------

HOSTILE = [
    ":red[colour] :blue-background[b] :small[s] :gray-badge[b]",
    ":foo :bar[x]{y=z} ::a ::: a:b:c 10:30:15 std::vector::x",
    "$formula$ and $$display$$ \\(x\\) \\[y\\]",
    "![image](http://e.example/i.png) [link](http://e.example) [x]: http://e.example [^1]",
    "<b>bold</b> <img src=x onerror=alert(1)> <http://e.example> <!-- c --> <?php ?>",
    "`code` ``more`` ~~~ ~~gone~~ *em* **bold** _u_ __v__ snake_case __init__",
    "a | pipe | b",
    ":material/bolt: :streamlit: :smile: :+1: :-1: ::smile::",
    "# heading",
    "- item",
    "+ item",
    "1. one",
    "2) two",
    "> quote",
    "- [ ] task",
    "---",
    "===",
    "https://evil.example/a?b=c&d HTTP://A.B www.evil.example WWW.E.F",
    "mail me@evil.example mailto:me@evil.example xmpp:a@b.example @team #12",
    "a -> b <- c <-> d -- e >= f <= g ~= h",
    "->",
    "&lt; &amp; &copy; &#36; \\* back\\slash\\",
    "{{x}} {% y %} =1+1 \"double\" 'single' (c) ...",
    "    indented as code",
    "\u202eturned round\u202c \u2066isolated\u2069",
    "NUL\0and\x1bescape\u2028line\r\nbreak",
    "中文 $标题$ :笑脸: 修复【模块】",
    "🎉 done ✅",
    "\u200f",
    "broken \udc80 half",
    "x" * 300,
]


@given(st.text(st.characters(), max_size=80))
def test_plain_text_is_one_line_that_every_screen_can_show(text: str):
    shown = formats.plain(text)
    shown.encode("utf-8")
    assert not {unicodedata.category(sign) for sign in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert not formats.BIDI_CONTROLS.search(shown)
    assert shown == shown.strip()
    assert formats.plain(shown) == shown


def test_plain_text_of_nothing_is_empty():
    assert [formats.plain(value) for value in (None, math.nan, pd.NA, "", 7)] == ["", "", "", "", "7"]


@given(st.text(st.sampled_from(":[]()$`*_<>|#!-=@./\\ abwht中修\u202e\0"), max_size=60))
def test_escaped_markdown_reads_as_it_was_written_and_leaves_no_sign_bare(text: str):
    escaped = formats.escape_markdown(text)
    assert re.sub(r"\\(.)", r"\1", escaped).replace(formats.WORD_JOINER, "") == formats.plain(text)
    assert not re.search(r"[`*_\[\]()$<>|#!:@]", re.sub(r"\\.", "", escaped))


@given(st.text(st.sampled_from("<>&;$\"'#x3abc/ \0") | st.characters(), max_size=60))
def test_escaped_html_reads_as_it_was_written_and_holds_no_tag_or_formula(text: str):
    escaped = formats.escape_html(text)
    assert html.unescape(escaped) == formats.plain(text)
    assert not re.search(r"[<>$\"']", escaped)


@given(st.text(st.characters(), max_size=60), st.integers(1, 40))
def test_shortened_text_fits_and_says_that_it_was_cut(text: str, width: int):
    short = formats.shorten(text, width)
    assert formats.columns(short) <= width
    assert short == formats.plain(text) or short.endswith("…")


def test_chinese_counts_two_columns_a_sign():
    assert formats.columns("修复 bug") == 8
    assert formats.shorten("修复加载器中的竞态", 8) == "修复加…"


@pytest.mark.parametrize(
    "value", ["=1+1", "+1", "-1", "@cmd", "＝1", " =1", "\t=1", "\rx", "\0=1", '=HYPERLINK("http://e.example")']
)
def test_no_cell_of_a_download_is_a_formula(value: str):
    safe = formats.csv_safe(value)
    assert safe.startswith("'")
    assert formats.csv_safe(safe) == safe


@pytest.mark.parametrize("value", ["fix: a=b", "a-b", "#12", "", "中文", 5, -3, 2.5, None, True])
def test_other_cells_stay_as_they_are(value):
    assert formats.csv_safe(value) is value or formats.csv_safe(value) == value


PAGE = """
    import sys

    sys.path.insert(0, {root!r})
    import streamlit as st
    from dashboard.formats import escape_markdown

    for index, text in enumerate({texts!r}):
        with st.container(key=f"markdown-{{index}}"):
            st.markdown(escape_markdown(text))
        with st.container(key=f"caption-{{index}}"):
            st.caption(f"by {{escape_markdown(text)}} x")
        with st.container(key=f"metric-{{index}}"):
            st.metric(escape_markdown(text) or "empty", 1)
"""
PLACES = {
    "markdown": ("stMarkdownContainer", "{}"),
    "caption": ("stCaptionContainer", "by {} x"),
    "metric": ("stMetricLabel", "{}"),
}


SERVER_OPTIONS = (
    "--server.address=127.0.0.1",
    "--server.headless=true",
    "--server.fileWatcherType=none",
    "--browser.serverAddress=127.0.0.1",
    "--browser.gatherUsageStats=false",
)


@pytest.fixture(scope="module")
def page_of_titles(browser, tmp_path_factory):
    """The hostile titles on a page of Streamlit, in the places where titles and logins stand."""
    script = tmp_path_factory.mktemp("titles") / "page.py"
    script.write_text(textwrap.dedent(PAGE).format(root=str(ROOT), texts=HOSTILE), encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}", *SERVER_OPTIONS],
        cwd=script.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}")
        page.wait_for_selector(f".st-key-metric-{len(HOSTILE) - 1} [data-testid=stMetricValue]", timeout=60_000)
        page.wait_for_timeout(500)  # what Markdown needs for emoji and formulas loads after the text
        yield page
    finally:
        server.terminate()
        server.wait(10)


def wait_for(port: int) -> None:
    for _ in range(120):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.25)
        else:
            return
    raise AssertionError(f"Streamlit does not answer on port {port}.")


@pytest.mark.parametrize("place", PLACES)
def test_streamlit_shows_every_title_as_it_was_written(page_of_titles, place: str):
    test_id, around = PLACES[place]
    for index, text in enumerate(HOSTILE):
        shown = page_of_titles.locator(f".st-key-{place}-{index} [data-testid={test_id}]").first
        expected = around.format(formats.plain(text) or ("empty" if place == "metric" else "")).strip()
        assert " ".join(shown.text_content().replace(formats.WORD_JOINER, "").split()) == " ".join(expected.split())
        assert (
            shown.locator(
                "a, img, code, em, strong, del, table, svg, h1, ul, ol, .katex, .stMarkdownColoredText"
            ).count()
            == 0
        )
