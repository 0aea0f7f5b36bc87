"""A comparison as JSON and as Markdown: the same numbers, in both languages."""

import json
import re
from datetime import date

import pytest
from caches import cache_of, sample_cache
from conftest import ROOT
from factories import make_file, make_pull

from analysis.trends import METRICS
from analysis.window import Window, iso_week
from analysis.working_calendar import Calendar
from dashboard import compare_text, reads
from data.people import person

REPO = "acme/orbit"
W18, W19 = iso_week("2026-W18"), iso_week("2026-W19")


def compared(db, now=W19, before=W18, *, lang="en", bots=False):
    selection = reads.Selection(REPO, now, bots=bots)
    return compare_text.facts(
        reads.compare(db, selection, before, Calendar()),
        reads.about(db, selection),
        reads.about(db, reads.Selection(REPO, before, bots=bots)),
        lang=lang,
        calendar=Calendar(),
        config="",
        version="1.2",
    )


def merged(number, day, path="app/core.py", **more):
    return make_pull(number, merged=f"2026-{day}T12:00:00Z", files=[make_file(path)], **more)


def plain_week(first, month_and_day, n=6):
    return [merged(first + place, month_and_day, title=f"[api] fix: thing {place}") for place in range(n)]


@pytest.fixture
def two_weeks(tmp_path):
    """Six fixes in W18; the same, and a feature of another module, in W19; a bot's in each."""
    pulls = [*plain_week(10, "04-28"), *plain_week(20, "05-05")]
    pulls += [merged(30 + n, "05-06", f"web/page{n % 2}.py", title=f"[web] feat: page {n}") for n in range(4)]
    pulls += [merged(40, "04-28", author=person("app/robot")), merged(41, "05-05", author=person("app/robot"))]
    return cache_of(tmp_path, [*pulls, merged(1, "01-05"), merged(2, "06-30")])


def by_name(listed, name):
    return next(each for each in listed if each["name"] == name)


def test_the_object_says_what_changed_and_which_pull_requests_that_is(two_weeks):
    found = compared(two_weeks)
    assert list(found) == [
        "schema", "id", "generated_by", "repo", "lang", "window", "before", "overlap_days", "per", "coverage",
        "metrics", "kinds", "modules", "files", "authors", "splits",
    ]  # fmt: skip
    row = by_name(found["metrics"], "merged")
    assert (row["before"], row["now"], row["change"], row["share"], row["state"]) == (6, 10, 4, 0.6667, "more")
    web = by_name(found["modules"], "web")
    assert (web["before"], web["now"], web["prs"], web["state"]) == (0, 4, [30, 31, 32, 33], "new")
    assert by_name(found["files"], "web/page1.py")["prs"] == [31, 33]
    assert (found["window"]["bots_hidden"], found["before"]["bots_hidden"]) == (1, 1)
    assert found["authors"] == {"both": 1, "new": 0, "gone": 0}
    assert compared(two_weeks, bots=True)["window"]["bots_hidden"] == 0


def test_every_figure_is_there_and_what_nobody_knows_is_null(two_weeks):
    found = compared(two_weeks)
    assert [each["name"] for each in found["metrics"]] == list(METRICS)
    lead = by_name(found["metrics"], "median_lead_time_hours")
    assert (lead["before"], lead["now"], lead["change"], lead["state"]) == (None, None, None, "no_data")


def test_the_parts_of_each_split_add_up(two_weeks):
    for split in compared(two_weeks)["splits"]:
        assert split["amount"] + split["mix"] + split["rate"] == pytest.approx(split["change"], abs=1e-3)
        assert sum(part["change"] for part in split["parts"]) == pytest.approx(split["change"], abs=1e-2)


def test_markdown_in_both_languages_tells_the_same_numbers(two_weeks):
    english, chinese = (compared(two_weeks, lang=lang) for lang in ("en", "zh"))
    assert english["id"] == chinese["id"]
    assert english["metrics"] == chinese["metrics"]
    texts = [compare_text.as_markdown(found) for found in (english, chinese)]
    cells = [[line.count("|") for line in text.splitlines() if line.startswith("|")] for text in texts]
    assert cells[0] == cells[1]
    assert len(cells[0]) > 20
    shown = [sorted(re.findall(r"#\d+", text)) for text in texts]
    assert shown[0] == shown[1]
    assert "| Merged pull requests | 6 | 10 | +4 (+67%) |" in texts[0]
    assert "| 合入 PR | 6 | 10 | +4（+67%） |" in texts[1]
    assert "New modules: `web` (#30, #31, #32, #33)" in texts[0]
    assert "新出现的模块：`web`（#30、#31、#32、#33）" in texts[1]


def test_from_zero_to_zero_and_unknown_have_four_texts_in_both_languages(tmp_path):
    texts = {
        "en": ["| new |", "| none |", "| no change |", "| no data |"],
        "zh": ["| 新出现 |", "| 已清零 |", "| 无变化 |", "| 无数据 |"],
    }
    db = cache_of(tmp_path, [*plain_week(10, "05-05"), merged(1, "04-13"), merged(2, "06-30")])
    before_cache = Window(date(2026, 1, 5), date(2026, 1, 11))
    for lang, expected in texts.items():
        pairs = [(W19, W18), (W18, W19), (W18, W18.before), (W19, before_cache)]
        label = "合入 PR" if lang == "zh" else "Merged pull requests"
        for (now, before), text in zip(pairs, expected, strict=True):
            found = compared(db, now, before, lang=lang)
            [line] = [
                line
                for line in compare_text.as_markdown(found).splitlines()
                if line.startswith(f"| {label} | ") and "---" not in line
            ][:1]
            assert text in line


def test_days_that_are_not_cached_are_said_to_be_so_and_nothing_is_compared(two_weeks):
    found = compared(two_weeks, Window(date(2024, 1, 3), date(2024, 1, 4)), Window(date(2024, 1, 1), date(2024, 1, 2)))
    text = compare_text.as_markdown(found)
    assert text.count("are not in the cache, which covers Jan 5 – Jun 30, 2026") == 1
    assert "|" not in text
    assert found["authors"] == {"both": None, "new": None, "gone": None}


def test_a_window_that_is_partly_cached_tells_which_days_and_is_compared_by_the_week(two_weeks):
    found = compared(two_weeks, iso_week("2026-W27"), W19)
    assert found["window"]["known_until"] == "2026-06-30"
    assert found["per"] == "working_week"
    text = compare_text.as_markdown(found)
    assert "Of Jun 29 – Jul 5, 2026 the cache knows Jun 29 – 30, 2026 only" in text
    assert "| Merged pull requests | 10 (10 a working week) | 1 (2.5 a working week) |" in text


def test_overlapping_windows_are_allowed_and_said_to_overlap(two_weeks):
    found = compared(two_weeks, W19, Window(date(2026, 5, 1), date(2026, 5, 7)))
    assert "4 days lie in both windows" in compare_text.as_markdown(found)


def test_people_are_counted_and_not_named(two_weeks):
    assert "ada" not in compare_text.as_json(compared(two_weeks))


def test_names_from_the_repository_do_not_break_the_tables(tmp_path):
    paths = ["a|b/`x`.py", "api/<img src=x>.py"]
    pulls = [
        merged(20 + n, "05-05", paths[n % 2], title="[a|b] fix: a `tick`, a |, a [link](x) and <b>") for n in range(6)
    ]
    db = cache_of(tmp_path, [*plain_week(10, "04-28"), *pulls, merged(1, "01-05"), merged(2, "06-30")])
    text = compare_text.as_markdown(compared(db))
    tables = [line for line in text.splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
    assert set(widths) <= {5, 6, 8}
    assert "a\\|b\\/\\`x\\`\\.py" in text
    assert "`api/<img src=x>.py`" in text, "as code it is text"


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("bots", [False, True])
def test_the_sample_repository_compares_in_both_languages(tmp_path, lang, bots):
    db = sample_cache(tmp_path)
    window = reads.default_window(db, REPO, "UTC")
    months = window.shifted(-8).since, window.until
    found = compared(db, window, Window(*months), lang=lang, bots=bots)
    text = compare_text.as_markdown(found)
    assert text.count("\n## ") == 5
    assert by_name(found["metrics"], "median_lead_time_hours")["before"] > 0
    json.loads(compare_text.as_json(found))


def test_the_page_of_the_schema_names_every_key_and_figure(two_weeks):
    page = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
    known = set(re.findall(r"`([\w.]+)(?:\[\])?`", page))
    found = compared(two_weeks)
    keys = {*found, *found["window"], *found["coverage"], *found["metrics"][0], *found["metrics"][0]["usual"]}
    keys |= {*found["modules"][0], *found["authors"], *found["splits"][0], *found["splits"][0]["parts"][0]}
    assert not (keys | set(METRICS)) - known
