"""The digest of the report: every pull request of the window once, the key changes first, the others folded."""

import re
from time import perf_counter

import pytest
from factories import REPO, make_file, make_pull, save
from section_facts import make_facts, make_listed, section

from analysis.claims import digest
from analysis.window import iso_week
from dashboard import reads, refresh
from dashboard.config import Config
from dashboard.report.wording import wording

WEEK = iso_week("2026-W10")


def digest_of(facts, length="M"):
    return section("digest", facts, length)


def linked(markdown):
    return [int(number) for number in re.findall(r"\[#(\d+)\]", markdown)]


@pytest.mark.parametrize("n", [0, 1, 2, 5, 6, 40])
@pytest.mark.parametrize("length", ["M", "L"])
def test_every_pull_request_is_listed_once(n, length):
    pulls = [make_listed(number, key=number % 3 == 0) for number in range(1, n + 1)]
    assert sorted(linked(digest_of(make_facts(*pulls), length))) == list(range(1, n + 1))


def test_nothing_merged_is_said_in_one_sentence():
    assert digest_of(make_facts()) == "There is no pull request to list."
    assert digest_of(make_facts(lang="zh")) == "没有可列出的 PR。"


def test_key_changes_stand_in_the_table_and_the_others_below_it():
    pulls = [make_listed(number, key=number <= 2) for number in range(1, 8)]
    table, folded = digest_of(make_facts(*pulls)).split("<details><summary>")
    assert linked(table) == [1, 2]
    assert folded.startswith("5 other pull requests</summary>\n\n- ")
    assert folded.endswith("\n\n</details>")
    assert digest_of(make_facts(*pulls, lang="zh")).count("<summary>其余 5 个 PR</summary>") == 1


def test_the_table_holds_thirty_at_most():
    pulls = [make_listed(number, key=True) for number in range(1, 41)]
    table, folded = digest_of(make_facts(*pulls)).split("<details>")
    assert (len(linked(table)), len(linked(folded))) == (30, 10)


def test_a_handful_is_not_folded():
    assert "<details>" not in digest_of(make_facts(*(make_listed(number) for number in range(1, 6))))


def test_without_a_key_change_the_first_ones_stand_in_the_table():
    table, folded = digest_of(make_facts(*(make_listed(number) for number in range(1, 8)))).split("<details>")
    assert (linked(table), linked(folded)) == ([1, 2, 3, 4, 5], [6, 7])


def test_the_short_length_tells_five_and_how_many_more_there_are():
    pulls = [make_listed(number, key=True) for number in range(1, 9)]
    short = digest_of(make_facts(*pulls), "S")
    assert linked(short) == [1, 2, 3, 4, 5]
    assert short.endswith("\n\n3 more pull requests were merged.")
    assert digest_of(make_facts(*pulls[:6]), "S").endswith("\n\n1 more pull request was merged.")
    assert digest_of(make_facts(*pulls, lang="zh"), "S").endswith("\n\n另外还合入了 3 个 PR。")
    assert "more pull request" not in digest_of(make_facts(*pulls[:5]), "S")


def test_a_pull_request_brings_what_its_author_says_else_how_much_it_changes_and_where():
    noted = make_listed(1, note="Adds a cache.", measured=["Adds a cache", "It is 1.5x faster"])
    bare, unknown = make_listed(2, modules=["core", "web"]), make_listed(3, modules=["core"], additions=None)
    text = digest_of(make_facts(noted, bare, unknown, make_listed(4, modules=[])))
    assert [row.split(" | ")[4] for row in text.split("\n")[2:]] == [
        "“Adds a cache.” Measured: “It is 1.5x faster”",
        "4 lines in core and web",
        "core",
        "4 lines",
    ]
    chinese = digest_of(make_facts(noted, bare, lang="zh"))
    assert "“Adds a cache.” 实测：“It is 1.5x faster”" in chinese
    assert "| 涉及 core 和 web，改动 4 行 |" in chinese


def test_a_breaking_change_is_marked_in_the_table_and_in_the_fold():
    pulls = [make_listed(1, key=True, breaking=True), *map(make_listed, range(2, 6)), make_listed(6, breaking=True)]
    text = digest_of(make_facts(*pulls))
    assert text.count("| **breaking** fix |") == 1
    assert "thing 6 (**breaking** fix, 8.99)" in text
    assert digest_of(make_facts(*pulls, lang="zh")).count("**破坏性**修复") == 2


def test_risks_are_told_by_their_names_the_gravest_first_led_by_an_elevated_tier():
    rules = ("large-change", "core-path", "hotspot", "breaking", "unreviewed", "cap")
    risks = [{"rule": rule, "points": 1, "evidence": {}, "value": None} for rule in rules]
    grave, light = make_listed(1, tier=4, risks=risks), make_listed(2, tier=2, risks=risks[:1])
    text = digest_of(make_facts(grave, light))
    assert "| **high**: Large change, Core path, Hotspot and 2 more |" in text
    assert "| Large change |" in text
    assert "**high**: Large change, Core path, Hotspot, Breaking change and Unreviewed |" in digest_of(
        make_facts(grave), "L"
    )
    assert "**高**：大变更" in digest_of(make_facts(grave, lang="zh"))


def test_a_sentence_tells_all_of_a_pull_request():
    found = make_facts(
        make_listed(7, note="Adds a cache.", risks=[{"rule": "hotspot", "points": 1, "evidence": {}, "value": 1}])
    )
    [claim] = digest.claims(found)
    assert (claim.id, claim.prs, claim.numbers) == ("digest.pull.7", (7,), {"importance": 8.993, "lines": 4})
    for lang, said in (
        ("en", "(fix, importance 8.99, 4 lines in core). “Adds a cache.” Risks: Hotspot."),
        ("zh", "（修复，重要度 8.99，涉及 core，改动 4 行）。“Adds a cache.”风险：热点。"),
    ):
        assert wording(lang, "text").told(claim, {}).text.endswith(said)


def test_what_is_unknown_is_not_told():
    [claim] = digest.claims(
        make_facts(make_listed(1, importance=None, additions=None, deletions=None, tier=None, kind=None))
    )
    assert dict(claim.numbers) == {}
    assert "| other | – | core |  |" in digest_of(
        make_facts(make_listed(1, importance=None, additions=None, tier=None, kind=None))
    )


def test_a_title_with_a_pipe_stays_in_its_cell():
    row = digest_of(make_facts(make_listed(1, title="a | b", modules=["x|y"]))).split("\n")[2]
    assert len(re.findall(r"(?<!\\)\|", row)) == 7


def test_two_thousand_pull_requests_are_told_in_a_moment():
    found = make_facts(*(make_listed(number, note="Adds a cache.") for number in range(1, 2001)))
    began = perf_counter()
    text = digest_of(found)
    assert perf_counter() - began < 5  # about one second; machines differ
    assert len(linked(text)) == 2000


def test_real_rows_are_told_from_the_cache(tmp_path):
    db = tmp_path / "cache.db"
    body = "Adds a queue between the two, so that no job is lost."
    save(db, [make_pull(1, "feat(core): a queue", body=body, files=[make_file("core/queue.py", 30)])])
    refresh.derive(db, Config())
    made = reads.report(db, reads.Selection(REPO, WEEK), lang="en", config=Config().digest, version="0")
    assert "“Adds a queue between the two, so that no job is lost.”" in digest_of(made)
