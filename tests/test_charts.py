"""Figures: what their traces, axes, labels and hover texts say, and how a browser draws them."""

import json
import math
import re
from datetime import date, datetime, timedelta
from decimal import Decimal
from importlib import resources

import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analysis import importance
from analysis.window import Window
from dashboard import charts
from dashboard.palette import DARK, LIGHT
from dashboard.words import Words

EN, ZH = Words("en"), Words("zh")
WEEK = Window(date(2026, 5, 4), date(2026, 5, 10), "Asia/Shanghai")
HOSTILE = '<b>Bold</b> <a href="http://e.example">link</a> $x$ %{x} &amp; \u202eturned'
SHOWN = '<b>Bold</b> <a href="http://e.example">link</a> $x$ %{x} &amp; turned'


def make_pulls(*rows: dict) -> pd.DataFrame:
    """Merged pull requests as `reads.pulls` gives them; each fills in what a test does not care about."""
    usual = {
        "number": 1,
        "title": "Fix token routing",
        "kind": "fix",
        "modules": ["rollout"],
        "merged_on": date(2026, 5, 6),
        "merged_hour": 14.5,
        "churn_lines": 100,
        "lead_time_hours": 23.0,
        "tier": 1.0,
        "risks": [],
    }
    return pd.DataFrame([usual | row for row in rows], columns=list(usual))


def make_strip(merged: list[int], *, chosen: int = -1, until: date = date(2026, 5, 4)) -> pd.DataFrame:
    """Weeks that end with the one from Monday `until`, all complete and collected."""
    weeks = [until - timedelta(weeks=back) for back in reversed(range(len(merged)))]
    frame = pd.DataFrame({"week": weeks, "until": [week + timedelta(days=6) for week in weeks], "merged": merged})
    frame["chosen"] = [position == chosen % max(1, len(merged)) for position in range(len(merged))]
    return frame.assign(complete=True, collected=True)


def make_kinds(**weeks: dict[str, int]) -> pd.DataFrame:
    """Merges by week and kind: make_kinds(**{"2026-05-04": {"fix": 3}})."""
    rows = [(date.fromisoformat(week), kind, n) for week, kinds in weeks.items() for kind, n in kinds.items()]
    return pd.DataFrame(rows, columns=["week", "kind", "merged"])


def make_modules(*rows: tuple[str, int, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["module", "merged", "before"])


FILES = pd.DataFrame(
    [(120, 30, "source", False), (80, 4, "test", False), (400, 380, "lock", True), (None, None, "asset", False)],
    columns=["additions", "deletions", "category", "is_noise"],
)
# Every chart on usual rows, on one row and on none.
USUAL = {
    "strip": lambda words: charts.window_strip(make_strip([3, 0, 44]), LIGHT, words),
    "weeks": lambda words: charts.merges_by_kind(make_kinds(**{"2026-04-27": {"fix": 2, "ci": 1}}), LIGHT, words),
    "dots": lambda words: charts.merge_dots(make_pulls({}, {"kind": "feat"}), WEEK, LIGHT, words),
    "days": lambda words: charts.merge_days(make_pulls({}, {"kind": "feat"}), WEEK, LIGHT, words),
    "moved": lambda words: charts.modules_moved(make_modules(("a", 3, 1)), LIGHT, words, before="x"),
    "parts": lambda words: charts.score_parts("importance", {"size": 2.5, "cap": -0.5}, LIGHT, words),
    "risk": lambda words: charts.score_parts("risk", {"core-path": 12, "cap": -0.5}, LIGHT, words),
    "files": lambda words: charts.lines_by_category(FILES, LIGHT, words),
}
EMPTY = {
    "strip": lambda words: charts.window_strip(make_strip([]), LIGHT, words),
    "weeks": lambda words: charts.merges_by_kind(make_kinds(), LIGHT, words),
    "weeks of nothing": lambda words: charts.merges_by_kind(make_kinds(**{"2026-05-04": {"fix": 0}}), LIGHT, words),
    "dots": lambda words: charts.merge_dots(make_pulls(), WEEK, LIGHT, words),
    "days": lambda words: charts.merge_days(make_pulls(), WEEK, LIGHT, words),
    "moved": lambda words: charts.modules_moved(make_modules(), LIGHT, words, before="x"),
    "parts": lambda words: charts.score_parts("insight", {}, LIGHT, words),
    "risk": lambda words: charts.score_parts("risk", {}, LIGHT, words),
    "files": lambda words: charts.lines_by_category(FILES[:0], LIGHT, words),
}
LANGS = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])


def at(text: str) -> datetime:
    """A moment on an axis: plotly draws the wall clock, so it has no zone."""
    return datetime.fromisoformat(text)


def named(figure: go.Figure) -> list[str]:
    """The names in the legend, without what follows in grey."""
    return [trace.name.split(" <")[0] for trace in figure.data if trace.showlegend is not False]


def sentences(figure: go.Figure) -> list[str]:
    return [told for trace in figure.data if trace.customdata is not None for told in sentences_of(trace)]


def sentences_of(trace) -> list[str]:
    """The hover texts of a trace, its lines joined."""
    return [point[1].replace("<br>", " ") for point in trace.customdata]


# --- all charts ------------------------------------------------------------------------------------------------


@LANGS
@pytest.mark.parametrize("name", USUAL)
def test_every_chart_tells_what_it_shows_and_draws_no_frame(name: str, words: Words):
    figure = USUAL[name](words)
    assert len(charts.alt(figure)) > 15
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert figure.layout.xaxis.showgrid is False
    assert figure.layout.xaxis.fixedrange and figure.layout.yaxis.fixedrange
    assert figure.layout.dragmode is None  # "select" would switch single clicks off
    assert figure.layout.font.family is None  # comes from the page


@LANGS
@pytest.mark.parametrize("name", EMPTY)
def test_an_empty_frame_gives_a_sentence_instead_of_axes(name: str, words: Words):
    figure = EMPTY[name](words)
    assert not figure.data
    assert figure.layout.xaxis.visible is figure.layout.yaxis.visible is False
    assert figure.layout.annotations[0].text == charts.alt(figure) != ""


@pytest.mark.parametrize("name", [name for name in USUAL if name != "strip"])
def test_axes_say_their_unit(name: str):
    titles = {
        "weeks": ("week beginning", "pull requests merged"),
        "dots": ("May 4 – 10, 2026 (Asia/Shanghai)", "lead time, log scale"),
        "days": ("May 4 – 10, 2026 (Asia/Shanghai)", "time of day"),
        "moved": ("pull requests", None),
        "parts": ("points of importance", None),
        "risk": ("points of risk", None),
        "files": ("lines changed", None),
    }
    layout = USUAL[name](EN).layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == titles[name]


@pytest.mark.parametrize("name", USUAL)
def test_no_english_is_left_on_a_chinese_chart(name: str):
    figure = USUAL[name](ZH)
    axes = [figure.layout.xaxis, figure.layout.yaxis]
    told = [text for axis in axes for text in axis.ticktext or []] + [axis.title.text or "" for axis in axes]
    told += [*named(figure), charts.alt(figure), *sentences(figure)]
    english = re.compile(r"[A-Za-z]{3,}")
    rest = [re.sub(r"Asia/Shanghai|rollout|Fix token routing|<br>|</?b>|<span.*", "", text) for text in told]
    assert [text for text in rest if english.search(text)] == []


@pytest.mark.parametrize("name", ["strip", "weeks", "dots", "days"])
def test_chinese_axis_dates_are_numeric_and_tick_labels_are_ours(name: str):
    axis = USUAL[name](ZH).layout.xaxis
    assert len(axis.ticktext) == len(axis.tickvals) > 0
    for label in axis.ticktext:
        assert re.fullmatch(r"(周[一二三四五六日]<br>)?\d+(/\d+|月)?", label)


@pytest.mark.parametrize("name", USUAL)
def test_hover_texts_are_whole_sentences(name: str):
    for figure, end in ((USUAL[name](EN), "."), (USUAL[name](ZH), "。")):
        told = sentences(figure)
        assert told and [sentence for sentence in told if not sentence.endswith(end)] == []
        assert [sentence for sentence in told if "。 点击" in sentence] == []


# --- the window strip ------------------------------------------------------------------------------------------


def test_the_strip_has_a_bar_a_week_with_the_chosen_ones_in_the_accent_colour():
    bars = charts.window_strip(make_strip([5, 8, 0], chosen=1), DARK, EN).data[1]
    assert list(bars.y) == [5, 8, 0]
    assert list(bars.marker.color) == [DARK.strip, DARK.accent, DARK.strip]
    assert bars.hoverinfo == "skip"


def test_every_week_can_be_clicked_over_the_whole_height_even_an_empty_one():
    targets = charts.window_strip(make_strip([5, 8, 0]), LIGHT, EN).data[0]
    assert list(targets.y) == [8, 8, 8]
    assert [point[0] for point in targets.customdata] == ["2026-04-20", "2026-04-27", "2026-05-04"]
    assert targets.unselected.marker.opacity == 1  # a click must not fade the other weeks


def test_a_strip_of_nothing_but_empty_weeks_still_has_targets():
    targets = charts.window_strip(make_strip([0, 0]), LIGHT, EN).data[0]
    assert list(targets.y) == [1, 1]


def test_a_week_that_is_not_over_is_lighter_and_says_so():
    strip = make_strip([5, 8]).assign(complete=[True, False])
    targets, bars = charts.window_strip(strip, LIGHT, EN).data
    assert bars.marker.opacity[1] < bars.marker.opacity[0] == 1
    assert "merged so far" in targets.customdata[1][1]


def test_a_week_before_the_cache_begins_is_not_told_as_a_week_without_merges():
    strip = make_strip([0, 8]).assign(collected=[False, True])
    told = sentences(charts.window_strip(strip, LIGHT, EN))
    assert told[0] == "Apr 27 – May 3, 2026: not in the cache."
    assert told[1] == "May 4 – 10, 2026: 8 pull requests merged. Click to choose."


def test_the_strip_names_months_where_they_begin_and_the_year_in_january():
    axis = charts.window_strip(make_strip([1] * 23), LIGHT, EN).layout.xaxis
    assert list(axis.ticktext) == ["Dec", "2026", "Feb", "Mar", "Apr", "May"]
    assert axis.tickvals[1] == at("2026-01-01T12:00")


def test_the_alternative_text_of_the_strip_tells_what_is_chosen():
    told = charts.alt(charts.window_strip(make_strip([5, 8, 0], chosen=1), LIGHT, EN))
    assert "3 weeks" in told and "had 8" in told and "Chosen: Apr 27 – May 3, 2026" in told
    none = make_strip([5, 8]).assign(chosen=False)
    assert "none of these weeks" in charts.alt(charts.window_strip(none, LIGHT, EN))


# --- weeks by kind ---------------------------------------------------------------------------------------------


def test_kinds_are_stacked_in_at_most_six_series_and_a_grey_rest():
    kinds = dict.fromkeys("feat fix perf refactor docs test ci build chore revert other".split(), 1)
    figure = charts.merges_by_kind(make_kinds(**{"2026-05-04": kinds}), LIGHT, EN)
    assert named(figure) == ["Features", "Fixes", "Refactoring", "Performance", "Tests", "Docs & CI", "Other"]
    assert [trace.y[0] for trace in figure.data] == [1, 1, 1, 1, 1, 4, 2]
    assert [trace.marker.color for trace in figure.data] == list(LIGHT.kinds.values())
    assert {(trace.marker.line.color, trace.marker.line.width) for trace in figure.data} == {(LIGHT.paper, 1)}
    assert figure.layout.barmode == "stack"


def test_a_kind_that_did_not_occur_takes_no_place_in_the_legend_and_an_empty_week_keeps_its_place():
    weeks = make_kinds(**{"2026-04-27": {"fix": 0, "feat": 0}, "2026-05-04": {"fix": 3, "feat": 0}})
    figure = charts.merges_by_kind(weeks, LIGHT, EN)
    assert named(figure) == ["Fixes"]
    assert list(figure.data[0].x) == [at("2026-04-27"), at("2026-05-04")]
    assert list(figure.data[0].y) == [0, 3]


def test_a_piece_of_a_stack_tells_its_week_its_share_and_what_a_click_means():
    weeks = make_kinds(**{"2026-05-04": {"fix": 3, "feat": 1}})
    point = charts.merges_by_kind(weeks, LIGHT, EN).data[1].customdata[0]
    assert point == ["2026-05-04", "Fixes made up 3 of 4 pull requests merged May 4 – 10, 2026.", "fix"]


# --- dots ------------------------------------------------------------------------------------------------------


def test_a_dot_stands_at_its_local_merge_time_and_lead_time_in_the_looks_of_its_tier():
    figure = charts.merge_dots(make_pulls({"tier": 3.0, "number": 7}), WEEK, DARK, EN)
    (dot,) = figure.data
    assert (dot.x[0], dot.y[0]) == (at("2026-05-06T14:30"), 23.0)
    assert (dot.marker.color, dot.marker.symbol) == (DARK.tiers[3], "diamond")
    assert dot.customdata[0][0] == 7


def test_risky_dots_lie_on_the_others_and_what_was_not_judged_is_hollow():
    pulls = make_pulls({"tier": 4.0}, {"tier": 1.0}, {"tier": None}, {"tier": 1.0})
    figure = charts.merge_days(pulls, WEEK, LIGHT, EN)
    assert named(figure) == ["not judged", "low", "high"]
    assert figure.data[0].marker.symbol == "circle-open"
    assert charts.alt(figure).endswith("Risk: not judged 1, low 2, high 1.")


def test_a_dot_tells_its_risk_and_the_first_reasons():
    rules = ["core-path", "hotspot", "breaking", "revert"]
    pulls = make_pulls({"tier": 4.0, "risks": [{"rule": rule} for rule in rules]})
    (told,) = sentences(charts.merge_days(pulls, WEEK, LIGHT, EN))
    assert "Risk high: Core path, Hotspot, Breaking change and 1 more." in told
    (told,) = sentences(charts.merge_days(make_pulls({"tier": None}), WEEK, LIGHT, EN))
    assert "Risk" not in told


def test_the_area_of_a_dot_is_its_churn_within_limits():
    churns = [1, 100, 400, 10_000_000, math.nan]
    pulls = make_pulls(*({"number": n, "churn_lines": churn} for n, churn in enumerate(churns)))
    (dots,) = charts.merge_dots(pulls, WEEK, LIGHT, EN).data
    size = {point[0]: size for point, size in zip(dots.customdata, dots.marker.size, strict=True)}
    assert size[2] == pytest.approx(2 * size[1], abs=0.1)
    assert (size[0], size[3]) == (charts.SMALLEST_DOT, charts.LARGEST_DOT)
    assert "size unknown" in next(point[1] for point in dots.customdata if point[0] == 4)


def test_small_dots_lie_on_large_ones():
    pulls = make_pulls({"churn_lines": 4}, {"churn_lines": 4000}, {"churn_lines": 40})
    assert list(charts.merge_days(pulls, WEEK, LIGHT, EN).data[0].marker.size) == sorted(
        charts.merge_days(pulls, WEEK, LIGHT, EN).data[0].marker.size, reverse=True
    )


def test_lead_times_are_marked_as_a_person_would_on_a_log_axis():
    pulls = make_pulls({"lead_time_hours": 0.2}, {"lead_time_hours": 3000})
    axis = charts.merge_dots(pulls, WEEK, LIGHT, EN).layout.yaxis
    assert axis.type == "log"
    assert list(axis.ticktext) == ["15 min", "1 h", "4 h", "1 d", "3 d", "1 w", "1 mo", "3 mo"]
    assert list(axis.tickvals)[:4] == [0.25, 1, 4, 24]
    assert axis.range[0] < math.log10(0.2) and axis.range[1] > math.log10(3000)


@pytest.mark.parametrize("hours", [0, 1 / 3600, 5, 24, 100_000])
def test_one_lead_time_of_any_length_lies_inside_the_axis_with_marks_beside_it(hours: float):
    figure = charts.merge_dots(make_pulls({"lead_time_hours": hours}), WEEK, LIGHT, EN)
    low, high = figure.layout.yaxis.range
    assert low < math.log10(figure.data[0].y[0]) < high
    assert len(figure.layout.yaxis.ticktext) >= (2 if 1 < hours < 10_000 else 1)


def test_pull_requests_without_a_lead_time_are_left_out_and_counted():
    pulls = make_pulls({"lead_time_hours": math.nan}, {}, {"lead_time_hours": math.nan})
    figure = charts.merge_dots(pulls, WEEK, LIGHT, EN)
    assert len(figure.data[0].x) == 1
    assert charts.note(figure) == "2 pull requests with an unknown lead time are not drawn."
    assert charts.alt(figure).startswith("1 merged pull request by day and lead time")


def test_where_no_lead_time_is_known_the_figure_says_so():
    figure = charts.merge_dots(make_pulls({"lead_time_hours": math.nan}), WEEK, LIGHT, ZH)
    assert not figure.data
    assert charts.alt(figure) == "没有合入耗时已知的 PR。"
    assert charts.note(figure) == "另有 1 个 PR 合入耗时未知，未画出。"


def test_beyond_two_thousand_dots_the_smaller_ones_are_left_out_and_counted():
    pulls = make_pulls(*({"number": n, "churn_lines": n} for n in range(charts.MAX_POINTS + 3)))
    for draw in (charts.merge_dots, charts.merge_days):
        figure = draw(pulls, WEEK, LIGHT, EN)
        drawn = [point[0] for point in figure.data[0].customdata]
        assert len(drawn) == charts.MAX_POINTS and min(drawn) == 3
        assert charts.note(figure) == "3 smaller pull requests are not drawn; the table has all."


def test_without_lead_times_the_time_of_day_is_drawn_with_morning_on_top():
    figure = charts.merge_days(make_pulls({"lead_time_hours": math.nan, "merged_hour": 9.25}), WEEK, LIGHT, EN)
    axis = figure.layout.yaxis
    assert figure.data[0].y[0] == 9.25
    assert axis.range[0] > axis.range[1]
    assert list(axis.ticktext) == ["00:00", "06:00", "12:00", "18:00", "24:00"]
    assert "Merged on May 6, 2026 at 09:15, 100 lines changed." in sentences(figure)[0]


def test_a_week_names_its_days_and_a_longer_window_a_few_dates():
    week = charts.merge_dots(make_pulls({}), WEEK, LIGHT, EN).layout.xaxis
    assert list(week.ticktext)[:3] == ["Mon<br>May 4", "Tue<br>5", "Wed<br>6"]
    assert list(week.range) == [at("2026-05-04"), at("2026-05-11")]
    turn = Window(date(2026, 4, 28), date(2026, 5, 4))
    assert "Fri<br>May 1" in charts.merge_dots(make_pulls({}), turn, LIGHT, EN).layout.xaxis.ticktext
    quarter = Window(date(2026, 2, 9), date(2026, 5, 10))
    assert len(charts.merge_dots(make_pulls({}), quarter, LIGHT, EN).layout.xaxis.ticktext) == 5


def test_a_kind_that_is_unknown_or_missing_is_called_other():
    figure = charts.merge_days(make_pulls({"kind": "novel"}, {"kind": None}), WEEK, LIGHT, EN)
    assert ["other in rollout" in told for told in sentences(figure)] == [True, True]


# --- modules, parts, files -------------------------------------------------------------------------------------


def test_modules_have_a_hollow_dot_before_and_a_filled_one_now():
    modules = make_modules(("rollout", 9, 6), ("trainer", 6, 11), ("cli", 1, 1))
    lines, before, now = charts.modules_moved(modules, LIGHT, EN, before="the week before").data
    assert (list(before.x), list(now.x)) == ([6, 11, 1], [9, 6, 1])
    assert before.marker.color == LIGHT.paper and now.marker.color == LIGHT.accent
    assert list(lines.x) == [6, 9, None, 11, 6, None, 1, 1, None]
    assert now.customdata[0][0] == "rollout"
    assert sentences_of(now)[0] == "rollout: 9 pull requests now, 6 in the week before. Click to see them."
    assert [text.strip() for text in before.text] == ["6", "11", ""]  # equal ends say their number once


def test_numbers_stand_on_the_outer_side_of_their_dots():
    modules = make_modules(("up", 9, 6), ("down", 6, 11), ("same", 1, 1))
    _, before, now = charts.modules_moved(modules, LIGHT, EN, before="x").data
    assert list(now.textposition) == ["middle right", "middle left", "middle right"]
    assert list(before.textposition)[:2] == ["middle left", "middle right"]


def test_at_most_eight_modules_are_drawn_the_busiest_on_top():
    modules = make_modules(*((f"module {n}", 20 - n, n) for n in range(12)))
    figure = charts.modules_moved(modules, LIGHT, EN, before="x")
    assert len(figure.data[2].y) == 8
    assert figure.layout.yaxis.categoryarray[-1] == "module 0"


def test_where_the_cache_does_not_reach_back_there_is_no_dot_before():
    figure = charts.modules_moved(make_modules(("cli", 3, math.nan)), LIGHT, EN, before="the week before")
    assert not figure.data[1].x
    assert "the cache does not hold the week before" in figure.data[2].customdata[0][1].replace("<br>", " ")
    assert "before –" in charts.alt(figure)


def test_long_names_that_begin_alike_keep_a_row_each():
    modules = make_modules(*((f"algorithms/policy/gradient/{end}", 3, 1) for end in ("workers", "losses")))
    rows = charts.modules_moved(modules, LIGHT, EN, before="x").data[2].y
    assert len(set(rows)) == 2


def test_a_module_called_like_a_number_is_a_name():
    figure = charts.modules_moved(make_modules(("2024", 3, 1), ("7", 2, 1)), LIGHT, EN, before="x")
    assert figure.layout.yaxis.type == "category"


def test_parts_of_importance_are_sorted_and_a_cap_reaches_left():
    figure = charts.score_parts("importance", {"cap": -0.5, "kind": 0.0, "size": 1.25, "breaking": 2.0}, LIGHT, EN)
    (bars,) = figure.data
    assert list(bars.y) == ["breaking", "size", "kept between 0 and 10"]
    assert list(bars.x) == [2.0, 1.25, -0.5]
    assert figure.layout.xaxis.range[0] < -0.5
    assert list(bars.text) == ["+2.00", "+1.25", "-0.50"], "to the last digit, so that they add up on screen"
    assert charts.alt(figure).startswith("Importance 2.75 of 10")


@given(st.dictionaries(st.sampled_from(importance.PARTS), st.integers(-500, 500), min_size=1))
def test_parts_of_a_score_add_up_on_screen_to_the_total_beside_them(hundredths):
    assume(any(hundredths.values()))
    figure = charts.score_parts("importance", {part: n / 100 for part, n in hundredths.items()}, LIGHT, EN)
    total = re.match(r"Importance (\S+) of 10", charts.alt(figure))[1]
    assert sum(map(Decimal, figure.data[0].text)) == Decimal(total)


def test_lines_are_counted_by_category_with_noise_in_grey():
    (bars,) = charts.lines_by_category(FILES, LIGHT, EN).data
    assert list(bars.y) == ["lock file", "source", "tests", "images and other assets"]
    assert list(bars.x) == [780, 150, 84, 0]
    assert list(bars.marker.color) == [LIGHT.before, LIGHT.accent, LIGHT.accent, LIGHT.accent]
    assert sentences(charts.lines_by_category(FILES, LIGHT, EN))[0] == "lock file: 780 lines in 1 file."


# --- as a browser draws them -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plotly_page(browser):
    """A page with plotly.js of the installed package, which counts what goes wrong."""
    page = browser.new_page(viewport={"width": 900, "height": 500})
    page.set_content("<body><div id=chart style='width:880px'></div></body>")
    page.add_script_tag(path=str(resources.files("plotly").joinpath("package_data/plotly.min.js")))
    return page


def draw(page, figure: go.Figure) -> None:
    spec = {**json.loads(figure.to_json()), "config": charts.CONFIG}
    spec["layout"].pop("template", None)
    page.evaluate("({data, layout, config}) => Plotly.newPlot('chart', data, {...layout, width: 880}, config)", spec)


def hover(page, curve: int) -> str:
    page.evaluate(f"Plotly.Fx.hover('chart', [{{curveNumber: {curve}, pointNumber: 0}}])")
    return without_spaces(page.locator(".hoverlayer .hovertext").first.text_content())


def without_spaces(text: str) -> str:
    """Lines of a label follow each other without any, so they are compared without."""
    return "".join(text.split())


@pytest.mark.parametrize("name", USUAL)
def test_a_browser_draws_every_chart(plotly_page, name: str):
    draw(plotly_page, USUAL[name](EN))
    assert plotly_page.locator("#chart .trace").count() >= len([trace for trace in USUAL[name](EN).data if trace.x])
    assert plotly_page.locator("#chart .main-svg").count() > 0


@pytest.mark.parametrize("make", [charts.merge_dots, charts.merge_days])
def test_a_hostile_title_shows_as_it_was_written_and_makes_no_link(plotly_page, make):
    draw(plotly_page, make(make_pulls({"title": HOSTILE, "modules": ["<i>m</i>"]}), WEEK, LIGHT, EN))
    shown = hover(plotly_page, 0)
    assert without_spaces(f"#1 {SHOWN} fix in <i>m</i> Risk low. Merged on May 6, 2026") in shown
    assert plotly_page.locator(".hoverlayer a").count() == 0


def test_a_hostile_module_shows_as_it_was_written_beside_its_row(plotly_page):
    draw(plotly_page, charts.modules_moved(make_modules(("<b>$x$</b>", 3, 1)), LIGHT, EN, before="x"))
    assert plotly_page.locator("#chart .ytick").first.text_content() == "<b>$x$</b>"
    assert hover(plotly_page, 2).startswith("<b>$x$</b>:3pullrequestsnow")


def test_a_long_title_is_broken_into_lines_and_cut_after_three(plotly_page):
    for title in ("word " * 60, "修复加载器中的竞态" * 20, "x" * 300):
        (point,) = charts.merge_dots(make_pulls({"title": title}), WEEK, LIGHT, EN).data[0].customdata
        head = point[1].split("</b>")[0]
        assert head.count("<br>") <= 2 and head.endswith("…")
        assert all(len(line) <= 80 for line in head.split("<br>"))


def test_every_week_of_the_strip_is_a_target_in_the_browser(plotly_page):
    draw(plotly_page, charts.window_strip(make_strip([5, 0, 44]), LIGHT, EN))
    top = plotly_page.locator("#chart").bounding_box()
    plotly_page.evaluate(
        "document.getElementById('chart').on('plotly_click', e => window.clicked = e.points[0].customdata[0])"
    )
    for position, monday in ((6.5, "2026-04-27"), (7.5, "2026-05-04")):
        x, y = top["x"] + 880 * position / charts.FEWEST_WEEKS, top["y"] + 8
        plotly_page.mouse.move(x, y)
        plotly_page.wait_for_timeout(
            400
        )  # plotly draws hovers at its own pace, and two clicks must not be a double one
        plotly_page.mouse.click(x, y)
        plotly_page.wait_for_function("monday => window.clicked === monday", arg=monday, timeout=5000)
