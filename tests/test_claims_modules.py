"""Modules and themes of the report: where the work gathered, and how that compares; below five, counts alone."""

import re

import pytest
from factories import REPO, make_file, make_pull, save
from section_facts import USUAL, make_facts, make_listed, section

from analysis.claims import modules
from analysis.window import iso_week
from dashboard import reads, refresh
from dashboard.config import Config
from dashboard.report.document import with_claims
from dashboard.report.wording import wording


def make_module(name, prs, before=None, titled=0, **usual):
    """A module with that many pull requests now, and before; `usual` as in the facts."""
    sources = {"path": prs, "title": titled} if titled else {"path": prs}
    return {
        "name": name,
        "prs": list(range(1, prs + 1)),
        "before": before,
        "sources": sources if prs else {},
        "usual": USUAL | usual,
    }


def usually(median, low=0.0, high=9.5, state="within"):
    return {"median": median, "low": low, "high": high, "n_before": 12, "state": state}


def facts_of(*found, merged=10, before=None, **more):
    pulls = more.pop("pulls", None) or [make_listed(number, kind="feat") for number in range(1, merged + 1)]
    return make_facts(*pulls, before=before, modules=list(found), **more)


def claim_of(facts, id):
    [found] = [claim for claim in modules.claims(facts) if claim.id == id]
    return found


def ids(facts):
    return [claim.id for claim in modules.claims(facts)]


def told(facts, id, lang="en"):
    return str(wording(lang, "text").told(claim_of(facts, id), {}).text)


def test_the_most_active_module_is_told_in_one_sentence_in_the_short_length():
    facts = facts_of(make_module("core", 6, 2, titled=4), make_module("web", 3, 5))
    assert section("modules", facts, "S") == (
        "`core` is the most active module with 6 of 10 pull requests (4 name it in their titles), "
        "4 more than in the week before."
    )
    assert section("modules", facts | {"lang": "zh"}, "S") == (
        "最活跃的模块是 `core`，10 个 PR 中有 6 个涉及它（其中 4 个在标题中点明），比前一周多 4 个。"
    )


@pytest.mark.parametrize(
    ("before", "english", "chinese"),
    [
        (6, "as many as in the week before", "与前一周持平"),
        (7, "1 fewer than in the week before", "比前一周少 1 个"),
        (0, "after none in the week before", "前一周一个也没有"),
        (None, "with 6 of 10 pull requests.", "10 个 PR 中有 6 个涉及它。"),
    ],
)
def test_what_was_before_is_told_only_where_it_is_known(before, english, chinese):
    facts = facts_of(make_module("core", 6, before))
    assert english in told(facts, "modules.most")
    assert chinese in told(facts, "modules.most", "zh")


@pytest.mark.parametrize(
    ("usual", "english", "chinese"),
    [
        (usually(2.1, high=5.2, state="above"), "and clearly above the usual 2.", "明显高于往常的 2 个。"),
        (usually(20.0, low=8.0, high=40.0, state="below"), "clearly below the usual 20.", "明显低于往常的 20 个。"),
        (usually(4.9), "; usually there are 5.", "往常为 5 个。"),
        (usually(1.0), "; usually there is 1.", "往常为 1 个。"),
        (usually(0.2), "; usually there are hardly any.", "往常几乎没有。"),
        ({"n_before": 7}, "than in the week before.", "比前一周多 4 个。"),
    ],
)
def test_the_norm_is_told_in_whole_pull_requests_where_it_is_known(usual, english, chinese):
    facts = facts_of(make_module("core", 6, 2, **usual))
    assert told(facts, "modules.most").endswith(english)
    assert told(facts, "modules.most", "zh").endswith(chinese)


def test_of_modules_with_as_many_the_one_that_titles_name_comes_first():
    facts = facts_of(make_module("api", 6, titled=1), make_module("core", 6, titled=5), make_module("web", 2))
    assert told(facts, "modules.most").startswith("core is the most active module")
    assert told(facts, "modules.most").endswith(" api has as many.")
    assert told(facts, "modules.next") == "Next comes web (2)."
    three = facts_of(*(make_module(name, 3) for name in ("a", "b", "c")))
    assert told(three, "modules.most") == "a, b and c were touched most, each by 3 of 10 pull requests."
    assert told(three, "modules.most", "zh") == "改动最多的是 a、b 和 c，各占 10 个 PR 中的 3 个。"


def test_all_pull_requests_in_one_module_read_as_such():
    assert told(facts_of(make_module("core", 2), merged=2), "modules.most") == "Both pull requests touch core."
    assert told(facts_of(make_module("core", 3), merged=3), "modules.most") == "All 3 pull requests touch core."


def test_windows_of_none_and_one_and_of_no_module_read_as_such():
    one = facts_of(make_module("core", 1), make_module("web", 1), merged=1)
    apart = facts_of(make_module("core", 1), make_module("web", 1), merged=2)
    outside = make_facts(make_listed(1, modules=[]), make_listed(2, modules=[]))
    for facts, english, chinese in (
        (make_facts(), "Nothing was merged, so no module was touched.", "本期没有合入，各模块均无改动。"),
        (one, "The one pull request touches `core` and `web`.", "唯一的 PR 涉及 `core` 和 `web`。"),
        (
            apart,
            "No module saw more than one pull request; touched were `core` and `web`.",
            "各模块至多只有一个 PR，涉及 `core` 和 `web`。",
        ),
        (outside, "None of the 2 pull requests touches a module.", "这 2 个 PR 都不属于任何模块。"),
    ):
        assert section("modules", facts, "S") == english
        assert section("modules", facts | {"lang": "zh"}, "S") == chinese


def test_the_modules_behind_come_with_what_they_were_before():
    facts = facts_of(make_module("core", 6, 6), make_module("web", 4, 3), make_module("api", 2, 0))
    assert told(facts, "modules.next") == "Next come web (4, after 3 in the week before) and api (2, after none)."
    assert told(facts, "modules.next", "zh") == "其次是 web（4 个，前一周 3 个）和 api（2 个，此前没有）。"


def test_below_five_nothing_is_above_its_norm():
    few = make_module("tool", 3, 1, **usually(0.0, high=2.2, state="above"))
    facts = facts_of(make_module("core", 6, 6), few)
    assert "modules.above" not in ids(facts)
    assert "tool` | 3 | 1 |" in section("modules", facts)
    enough = make_module("tool", 5, 1, **usually(0.0, high=2.2, state="above"))
    facts = facts_of(make_module("core", 6, 6), enough)
    assert told(facts, "modules.above") == "tool (5, usually hardly any) is clearly above its norm."
    assert told(facts, "modules.above", "zh") == "tool（5 个，往常几乎没有）明显高于往常。"
    assert "tool` | 5 ↑ | 1 |" in section("modules", facts)


def test_quiet_modules_are_those_that_had_at_least_three():
    facts = facts_of(
        make_module("core", 6, 6), make_module("web", 0, 3), make_module("api", 0, 5), make_module("x", 0, 2)
    )
    assert told(facts, "modules.went") == "api (5 in the week before) and web (3) went quiet."
    assert told(facts, "modules.went", "zh") == "api（前一周 5 个）和 web（3 个）本期没有改动。"
    assert claim_of(facts, "modules.went").prs == ()
    assert "modules.went" not in ids(facts_of(make_module("core", 6, 6), make_module("web", 0, None)))


def behind(*others):
    """The most active module, four behind it, and others."""
    return facts_of(make_module("core", 9, 9), *(make_module(name, 8, 8) for name in "abcd"), *others)


def test_new_modules_and_large_moves_are_told_once():
    facts = behind(make_module("web", 7, 1), make_module("api", 2, 9), make_module("new", 3, 0), make_module("x", 6, 4))
    assert told(facts, "modules.up") == "web (7, after 1 in the week before) is up."
    assert told(facts, "modules.down") == "api (2, after 9 in the week before) is down."
    assert told(facts, "modules.came") == "new (3) had none in the week before."
    assert told(facts, "modules.up", "zh") == "web（7 个，前一周 1 个）明显增加。"
    assert told(facts, "modules.down", "zh") == "api（2 个，前一周 9 个）明显减少。"
    assert told(facts, "modules.came", "zh") == "new（3 个）前一周没有改动。"
    assert {"modules.up", "modules.down", "modules.came"}.isdisjoint(ids(behind(make_module("web", 7, None))))


def test_repairs_are_told_where_they_prevail_more_than_everywhere():
    pulls = [make_listed(number, kind="fix" if number <= 4 else "feat") for number in range(1, 11)]
    facts = facts_of(make_module("core", 5), make_module("web", 3), make_module("all", 10), pulls=pulls)
    assert told(facts, "modules.repaired") == "Repairs prevail in core (4 of 5) and web (all 3)."
    assert told(facts, "modules.repaired", "zh") == "core（5 个中有 4 个）和 web（3 个全是）以修复为主。"
    assert claim_of(facts, "modules.repaired").prs == (1, 2, 3, 4)
    only_fixes = facts_of(make_module("core", 5), pulls=[make_listed(number) for number in range(1, 11)])
    assert "modules.repaired" not in ids(only_fixes)


def kinds(**counts):
    first = 1
    for name, (now, before) in counts.items():
        yield {"name": name, "prs": list(range(first, first + now)), "before": before}
        first += now


def test_shares_of_fixes_and_features_are_told_against_before():
    found = list(kinds(fix=(6, 3), feat=(3, 1), docs=(1, 6)))
    facts = facts_of(make_module("core", 2), before=10, kinds=found)
    assert told(facts, "modules.kinds") == (
        "There are 6 fixes (60%, after 30% in the week before) and 3 features (30%, after 10%), "
        "besides 1 change of documentation."
    )
    assert told(facts, "modules.kinds", "zh") == (
        "本期修复 6 个（占 60%，前一周 30%）和新功能 3 个（占 30%，前一周 10%），此外有文档 1 个。"
    )


def test_below_five_pull_requests_no_share_is_told():
    few_before = facts_of(make_module("core", 2), before=4, kinds=list(kinds(fix=(6, 3), feat=(4, 1))))
    assert told(few_before, "modules.kinds") == "There are 6 fixes (60%) and 4 features (40%)."
    few_now = facts_of(make_module("core", 2), merged=4, before=10, kinds=list(kinds(fix=(3, 5), docs=(1, 5))))
    assert told(few_now, "modules.kinds") == "By kind: 3 fixes and 1 change of documentation."
    assert told(few_now, "modules.kinds", "zh") == "按类型看，有修复 3 个和文档 1 个。"


def test_modules_that_share_pull_requests_are_told_from_three_on():
    pairs = [{"a": "core", "b": "web", "prs": [1, 2, 3]}, {"a": "api", "b": "web", "prs": [4, 5]}]
    facts = facts_of(make_module("core", 3), make_module("web", 3), overlaps=pairs)
    assert told(facts, "modules.overlap") == "Most changed together was core + web (3)."
    assert told(facts, "modules.overlap", "zh") == "最常一同改动的模块是 core + web（3 个）。"
    assert "| `api + web` |" in section("modules", facts, "L")
    assert "| `api + web` |" not in section("modules", facts, "M")


def hot(path, prs, lines):
    return {"path": path, "prs": list(range(1, prs + 1)), "churn_lines": lines}


def test_the_hottest_file_is_one_of_source():
    files = [hot("CHANGELOG.md", 9, 20), hot("core/engine.py", 3, 85), hot("docs/a.md", 1, 2)]
    facts = facts_of(make_module("core", 3), hot_files=files)
    said = "core/engine.py, where 3 pull requests (#1, #2 and #3) changed 85 lines."
    assert told(facts, "modules.hottest_source") == f"The busiest source file is {said}"
    assert told(facts, "modules.hottest_source", "zh") == (
        "改动最集中的源文件是 core/engine.py，3 个 PR（#1、#2 和 #3）共改动 85 行。"
    )
    assert "| `CHANGELOG.md` | 20 |" in section("modules", facts)
    no_source = facts_of(make_module("core", 3), hot_files=files[:1])
    assert told(no_source, "modules.hottest").startswith("The busiest file is CHANGELOG.md, where 9 pull requests")
    assert "modules.hottest" not in ids(facts_of(make_module("core", 3), hot_files=files[2:]))


def term(name, direction, prs, usual, before=()):
    return {"term": name, "direction": direction, "prs": prs, "prs_before": list(before), "n_before": usual}


def test_terms_come_with_their_numbers():
    terms = [
        term("App", "rising", [1, 2, 3, 4], 0.25),  # as the repository is called
        term("fp8", "rising", [1, 2, 3, 4], 0.25),
        term("lora", "fading", [5], 4.6, before=[91, 92]),
        term("npu", "steady", [1, 2, 6, 7, 8], 4.1),
        term("core", "steady", [1, 2, 6, 7, 8], 4.1),
        term("gpu", "steady", [1, 2, 6, 7], 4.1),
    ]
    pulls = [make_listed(number, kind="fix" if number == 8 else "feat") for number in range(1, 11)]
    facts = facts_of(make_module("core", 2), terms=terms, pulls=pulls)
    assert told(facts, "modules.rising") == "More titles than usual speak of “fp8” (4, usually hardly any)."
    assert told(facts, "modules.fading") == "Fewer titles than usual speak of “lora” (1, usually 5)."
    assert told(facts, "modules.steady") == (
        "As in the windows before, a good many titles speak of “npu” (5, 1 of them a fix)."
    ), "neither what is a module nor what fewer than five titles name"
    assert told(facts, "modules.rising", "zh") == "标题提到“fp8”（4 个，往常几乎没有）的比往常多。"
    assert told(facts, "modules.fading", "zh") == "标题提到“lora”（1 个，往常 5 个）的比往常少。"
    assert told(facts, "modules.steady", "zh") == "与往常一样，不少标题提到“npu”（5 个，其中修复 1 个）。"
    assert claim_of(facts, "modules.fading").prs == (91, 92)


def test_a_revert_does_not_make_a_term_rise():
    pulls = [make_listed(1), make_listed(2), make_listed(3, kind="revert")]
    facts = facts_of(make_module("core", 2), terms=[term("fp8", "rising", [1, 2, 3], 0.0)], pulls=pulls)
    assert "modules.rising" not in ids(facts)


def test_what_is_in_no_module_is_told_in_the_medium_length_only_where_it_is_much():
    pulls = [make_listed(number, modules=[] if number <= 2 else ["core"]) for number in range(1, 41)]
    said = "2 pull requests lie in no module"
    assert said in section("modules", facts_of(make_module("core", 2), pulls=pulls[:10]))
    assert said not in section("modules", facts_of(make_module("core", 2), pulls=pulls))
    assert said in section("modules", facts_of(make_module("core", 2), pulls=pulls), "L")


def test_the_table_tells_now_before_the_change_and_the_norm():
    rows = [
        make_module("core", 6, 2, **usually(2.4, low=0.2, high=8.9)),
        make_module("web", 4, 0, **usually(1.0)),
        make_module("api", 3, 3),
        make_module("old", 2, None),
        make_module("gone", 0, 2),
    ]
    text = section("modules", facts_of(*rows), "L")
    cells = [[cell.strip() for cell in row.split("|")[1:6]] for row in text.split("\n") if row.startswith("| `")]
    assert cells == [
        ["`core`", "6", "2", "+4", "2 (1–8)"],
        ["`web`", "4", "0", "new", "1 (0–9)"],
        ["`api`", "3", "3", "no change", "–"],
        ["`old`", "2", "–", "no data", "–"],
        ["`gone`", "0", "2", "none", "–"],
    ]
    medium = section("modules", facts_of(*rows[2:]))
    assert "`gone`" not in medium, "only what was touched"
    assert "Usual" not in medium.split("\n\n")[1], "no column of unknown values"


def test_the_medium_length_holds_ten_modules_and_five_files():
    rows = [make_module(f"m{place:02}", 20 - place) for place in range(12)]
    files = [hot(f"core/f{place}.py", 9 - place, 5) for place in range(7)]
    facts = facts_of(*rows, merged=20, hot_files=files)
    for length, n_modules, n_files in (("M", 10, 5), ("L", 12, 7)):
        text = section("modules", facts, length)
        assert len(re.findall(r"^\| `m\d\d`", text, re.MULTILINE)) == n_modules
        assert len(re.findall(r"^\| `core/", text, re.MULTILINE)) == n_files


def test_every_number_in_a_row_of_the_cache_is_its_claims(tmp_path):
    db = tmp_path / "cache.db"
    files = {"core": "core/queue.py", "web": "web/page.py"}
    pulls = [(1, "core", "feat"), (2, "core", "fix"), (3, "core", "fix"), (4, "web", "fix"), (5, "web", "docs")]
    save(db, [make_pull(n, f"[{area}] {kind}: {n}", files=[make_file(files[area], 30 + n)]) for n, area, kind in pulls])
    refresh.derive(db, Config())
    selection = reads.Selection(REPO, iso_week("2026-W10"))
    made = with_claims(reads.report(db, selection, lang="en", config=Config().digest, version="0"))
    found = [claim for claim in made["claims"] if claim["section"] == "modules"]
    for claim in found:
        values = [*claim["numbers"].values(), *claim["prs"]]
        known = {str(shown) for value in values for shown in (abs(value), round(100 * value))}
        assert set(re.findall(r"\d+", claim["text"])) <= known, claim["text"]
    [most] = [claim for claim in found if claim["id"] == "modules.most"]
    assert most["prs"] == [1, 2, 3]
