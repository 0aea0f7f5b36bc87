"""The report in words: what claims are told, in both languages, and what every format keeps to."""

import re

import pytest
from factories import REPO, make_file, make_pull, save

from analysis.claims import SECTIONS, Claim, NotCached, claims
from analysis.window import iso_week
from dashboard import formats, reads, refresh
from dashboard.config import Config
from dashboard.report import html, verify
from dashboard.report.document import document, with_claims
from dashboard.report.parts import parts
from dashboard.report.wording import Foreign, wording

WEEK = iso_week("2026-W10")
NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")


def cached(tmp_path, *pulls):
    db = tmp_path / "cache.db"
    save(db, list(pulls))
    refresh.derive(db, Config())
    return db


def facts_of(db, window=WEEK, lang="en"):
    return reads.report(db, reads.Selection(REPO, window), lang=lang, config=Config().digest, version="0")


@pytest.fixture
def db(tmp_path):
    return cached(
        tmp_path,
        make_pull(
            1, "feat(core)!: a new engine", files=[make_file("core/engine.py", 400), make_file("core/api.py", 90)]
        ),
        make_pull(2, "fix(core): engine starts twice", files=[make_file("core/engine.py", 12)]),
        make_pull(3, "docs: how to start", files=[make_file("docs/start.md", 20)]),
    )


def test_the_six_sections_always_stand_in_their_order(db):
    for length in ("S", "M", "L"):
        made = document(facts_of(db), length=length)
        assert tuple(section.name for section in made.sections) == SECTIONS
        assert [line for line in made.markdown.split("\n") if line.startswith("## ")] == [
            f"## {section.heading}" for section in made.sections
        ]


def test_both_languages_tell_the_same_claims(db):
    english, chinese = (with_claims(facts_of(db, lang=lang))["claims"] for lang in ("en", "zh"))
    for key in ("id", "section", "numbers", "prs", "names", "query", "level"):
        assert [claim[key] for claim in english] == [claim[key] for claim in chinese], key
    assert all(
        one["text"] and two["text"] and one["text"] != two["text"] for one, two in zip(english, chinese, strict=True)
    )


def test_no_claim_has_the_id_of_another_and_each_names_what_it_counts(db):
    found = claims(facts_of(db))
    assert len({claim.id for claim in found}) == len(found)
    [merged] = [claim for claim in found if claim.id == "summary.merged"]
    assert merged.numbers["merged"] == len(merged.prs) == 3


def test_a_pull_request_that_is_not_cached_is_never_told(db, monkeypatch):
    stray = Claim("summary", "merged", numbers={"merged": 1}, prs=(99,))
    monkeypatch.setitem(claims.__globals__["MAKERS"], "summary", lambda _: [stray])
    with pytest.raises(NotCached, match="99"):
        claims(facts_of(db))


def test_a_sentence_prints_no_number_that_is_not_its_claims():
    words = wording("en", "text")
    with pytest.raises(Foreign):
        words.written(7)
    with pytest.raises(Foreign):
        words.hours(7.0)


def shown(value):
    """All ways in which a sentence may write a number that it knows."""
    if isinstance(value, dict):
        return set().union(*map(shown, value.values()))
    if isinstance(value, list):
        return set().union(*map(shown, value))
    if isinstance(value, str):
        return set(NUMBERS.findall(value))
    if value is None or isinstance(value, bool):
        return set()
    ways = [
        formats.number(value, "en"),
        formats.measure(value, "en"),
        f"{value:.2f}",
        str(abs(value)),
        str(round(value)),
    ]
    ways += [formats.percent(value, "en")] if 0 <= value <= 1 else []
    ways += [formats.duration(value, lang) for lang in ("en", "zh")]
    return set().union(*(NUMBERS.findall(way) for way in ways))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_number_of_a_sentence_is_one_of_its_claim(db, lang):
    for claim in with_claims(facts_of(db, lang=lang))["claims"]:
        known = shown([claim["numbers"], claim["prs"], claim["names"], claim["evidence"]])
        known |= {str(max(len(claim["prs"]) - n, 0)) for n in range(12)}  # "and 3 more" counts what is not named
        stray = [number for number in NUMBERS.findall(claim["text"]) if number not in known]
        assert not stray, claim


def test_the_same_cache_gives_the_same_text_twice(db):
    assert document(facts_of(db)).markdown == document(facts_of(db)).markdown
    assert html.page(document(facts_of(db), marked=True), facts_of(db)) == html.page(
        document(facts_of(db), marked=True), facts_of(db)
    )


@pytest.mark.parametrize(("lang", "label"), [("en", "Unreviewed 3"), ("zh", "未经评审 3 个")])
def test_rules_that_could_not_judge_are_called_by_their_names(db, lang, label):
    assert any(label in note for note in document(facts_of(db, lang=lang)).notes)
    assert any("unreviewed 3" in note for note in facts_of(db, lang=lang)["coverage"]["notes"])


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("week", ["2025-W02", "2027-W02"])
def test_of_days_that_are_not_cached_nothing_is_claimed(db, week, lang):
    made = document(facts_of(db, iso_week(week), lang), length="L")
    assert len(made.sections) == 6
    assert {"en": "is not known", "zh": "无从得知"}[lang] in made.sections[0].markdown
    assert not re.search(r"\b0 (pull|个)|No pull request was merged|没有合入", made.markdown)
    assert {claim.kind for claim in claims(facts_of(db, iso_week(week), lang))} == {"not_cached"}


def test_windows_of_none_and_one_read_as_such(tmp_path):
    db = cached(tmp_path, make_pull(1, "feat: a", "2026-02-18T12:00:00Z"), make_pull(2, "fix: b"))
    empty = document(facts_of(db, iso_week("2026-W09")))
    assert "No pull request was merged" in empty.sections[0].markdown
    alone = document(facts_of(db)).sections[0].markdown
    assert alone.startswith("1 pull request was merged by 1 person, after none in the week before.")


def test_sentences_in_html_name_their_claims(db):
    facts = facts_of(db)
    body = html.body(document(facts, length="L", marked=True))
    named = re.findall(r'data-claim="([^"]+)"', body)
    assert set(named) <= {claim.id for claim in claims(facts)}
    assert "summary.merged" in named
    assert "\ue000" not in body and "\ue001" not in body


def test_a_long_report_is_cut_at_section_borders(db):
    made = document(facts_of(db), length="L")
    whole = parts(made)
    assert whole == [made.markdown]
    cut = parts(made, limit=1_500)
    assert len(cut) > 1
    assert all(len(part) < 1_500 for part in cut)
    for section in made.sections:
        assert sum(f"## {section.heading}\n" in part or part.rstrip().endswith(section.heading) for part in cut) == 1
    assert cut[0].startswith(f"# {made.title} (1/{len(cut)})")


def test_a_saved_report_holds_until_a_row_changes(db, tmp_path):
    saved = with_claims(facts_of(db))
    found = verify.verify(db, saved, config=Config(), version="0")
    assert (found.differences, found.same_id, found.n_claims) == ([], True, len(saved["claims"]))
    save(db, [make_pull(4, "fix: late", files=[make_file("core/api.py", 2)])])
    refresh.derive(db, Config())
    late = verify.verify(db, saved, config=Config(), version="0")
    assert not late.same_id
    assert "summary.merged: numbers.merged was 3, is 4" in map(str, late.differences)


def test_a_changed_claim_is_named(db):
    saved = with_claims(facts_of(db))
    saved["claims"][0]["numbers"]["merged"] = 7
    saved["claims"][1]["prs"] = [3]
    del saved["claims"][2]
    found = verify.verify(db, saved, config=Config(), version="0").differences
    assert {(each.what, each.name) for each in found} >= {("numbers", "merged"), ("prs", ""), ("new", "")}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"schema": "merge-window/report@1"}', '{"schema": "other"}', "[" * 100_000, "\x00"]
)
def test_what_is_no_report_is_told_in_one_sentence(tmp_path, text):
    file = tmp_path / "saved.json"
    file.write_text(text)
    with pytest.raises(verify.NotAReport, match=r"saved\.json"):
        verify.load(file)
