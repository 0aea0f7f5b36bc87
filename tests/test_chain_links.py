"""What a pull request did to earlier ones, and how that is known."""

import json
import random

import pandas as pd
import pytest
from merges import merge, merges, shuffled

from analysis.chain_links import COLUMNS, links_of, meant, named
from analysis.recent_share import LOOK_BACK_DAYS
from data.schema import TABLES


def told(given, only=None):
    """(later, earlier) -> kind, with a question mark where it is only possible."""
    found = links_of(*given, only=only)
    sure = ["" if each else "?" for each in found["is_sure"]]
    pairs = zip(found["pull_id"], found["earlier_id"], strict=True)
    return {pair: kind + mark for pair, kind, mark in zip(pairs, found["kind"], sure, strict=True)}


def rules(given, later, earlier):
    found = links_of(*given)
    [evidence] = found.loc[(found["pull_id"] == later) & (found["earlier_id"] == earlier), "evidence"]
    return [reason["rule"] for reason in json.loads(evidence)]


DOCK = merge(10, "[dock] feat: weigh parcels on arrival", 1, "dock/scale.py", lines=(30, 4))
UNDONE = {"lines": (4, 30)}


@pytest.mark.parametrize(
    ("revert", "reasons"),
    [
        (merge(12, 'Revert "weigh parcels"', 2, body="Reverts acme/orbit#10"), ["said"]),
        (
            merge(12, 'Revert "[dock] feat: weigh parcels on arrival (#10)"', 2, "dock/scale.py"),
            ["title_number", "title"],
        ),
        (merge(12, 'Revert "[dock] feat: weigh parcels on arrival"', 2, "dock/scale.py"), ["title"]),
        (merge(12, 'Revert "[dock] feat: weigh parcels on ar…"', 2, "dock/scale.py"), ["title"]),
        (merge(12, "Revert “[dock] feat:  Weigh parcels on arrival", 2, "dock/scale.py"), ["title"]),
        (merge(12, "revert(dock): weigh parcels on arrival", 2, "dock/scale.py"), ["title"]),
        (merge(12, "Revert #10: the scale lies", 2), ["title_number"]),
        (merge(12, "Back out the scale", 2, "dock/scale.py", body="This takes #10 out again."), ["words"]),
        (merge(12, "Revert the scale", 2, "dock/scale.py", head="ada:revert-10-weigh"), ["branch"]),
        (merge(12, "Revert the scale", 2, "dock/scale.py", head="revert_pr10"), ["branch"]),
        (merge(12, 'Revert "a commit of the branch"', 2, "dock/scale.py", **UNDONE), ["mirror"]),
        (merge(12, "[dock] revert: weigh parcels on arrival (#10)", 2, "dock/scale.py"), ["title_number", "title"]),
    ],
)
def test_a_revert_is_told_by_several_rules(revert, reasons):
    given = merges(DOCK, revert)
    assert told(given) == {(12, 10): "revert"}
    assert rules(given, 12, 10) == reasons


def test_a_bors_revert_by_the_merge_commit_it_names():
    given = merges(DOCK, merge(12, 'Revert "Auto merge of #10 - ada:scale, r=grace"', 2, "dock/scale.py"))
    sha = {"pull_id": 12, "kind": "reverts", "repo": None, "number": 10, "evidence": "This reverts commit 1f0c9d2a"}
    given = given._replace(links=pd.concat([given.links.iloc[:0], pd.DataFrame([sha])]))
    assert told(given) == {(12, 10): "revert"}
    assert rules(given, 12, 10) == ["said"]


def test_reverts_of_reverts_bring_back_and_take_out_by_turns():
    given = merges(
        DOCK,
        merge(11, 'Revert "[dock] feat: weigh parcels on arrival"', 2, body="Reverts acme/orbit#10"),
        merge(12, 'Revert "Revert "[dock] feat: weigh parcels on arrival""', 3, body="Reverts acme/orbit#11"),
        merge(13, 'Revert "Revert "Revert "[dock] feat: weigh…"""', 4, body="Reverts acme/orbit#12"),
    )
    assert told(given) == {
        (11, 10): "revert",
        (12, 11): "revert",
        (12, 10): "reapply",
        (13, 12): "revert",
        (13, 11): "reapply",
        (13, 10): "revert",
    }


def test_nested_numbers_are_told_apart_without_a_body():
    given = merges(
        DOCK,
        merge(11, 'Revert "[dock] feat: weigh parcels on arrival (#10)"', 2, "dock/scale.py"),
        merge(12, 'Revert "Revert "[dock] feat: weigh parcels on arrival (#10)" (#11)"', 3, "dock/scale.py"),
    )
    assert told(given) == {(11, 10): "revert", (12, 11): "revert", (12, 10): "reapply"}


def test_a_quoted_number_that_is_the_inner_ones_does_not_turn_a_return_into_a_revert():
    given = merges(
        DOCK,
        merge(11, "[dock] revert: [dock] feat: weigh parcels on arrival (#10)", 2, "dock/scale.py"),
        merge(12, 'Revert "[dock] revert: [dock] feat: weigh parcels on arrival (#10)"', 3, "dock/scale.py"),
    )
    assert told(given) == {(11, 10): "revert", (12, 11): "revert", (12, 10): "reapply"}


@pytest.mark.parametrize(
    "title", ['Reapply "[dock] feat: weigh parcels on arrival"', 'Reland "[dock] feat: weigh parcels on arrival" (#10)']
)
def test_a_return_names_what_comes_back(title):
    assert told(merges(DOCK, merge(12, title, 9, "dock/scale.py"))) == {(12, 10): "reapply"}


def test_of_several_with_one_title_the_latest_before_is_meant():
    given = merges(
        merge(10, "Update the map", 1, "map.py"),
        merge(11, "Update the map", 2, "map.py"),
        merge(12, 'Revert "Update the map"', 3, "map.py"),
        merge(13, "Update the map", 4, "map.py"),
    )
    assert told(given) == {(12, 11): "revert"}


@pytest.mark.parametrize(
    "earlier",
    [
        merge(10, "feat: weigh parcels", None, "dock/scale.py"),  # never merged
        merge(99, "feat: weigh letters", 1, "dock/scale.py"),  # another number
        merge(10, "feat: weigh parcels", 3, "dock/scale.py"),  # merged only later, or by a wrong clock
    ],
)
def test_a_claim_about_what_was_not_merged_before_links_nothing(earlier):
    given = merges(earlier, merge(12, 'Revert "feat: weigh parcels (#10)"', 2, body="Reverts acme/orbit#10"))
    assert told(given) == {}


def test_a_number_that_is_an_issues_leaves_the_title():
    given = merges(DOCK, merge(12, 'Revert "[dock] feat: weigh parcels on arrival (#7)"', 2, "dock/scale.py"))
    assert told(given) == {(12, 10): "revert"}


def test_a_title_without_a_common_file_is_no_proof():
    given = merges(merge(10, "Fix ci", 1, "ci/a.sh"), merge(12, 'Revert "Fix ci"', 2, "ci/b.sh"))
    assert told(given) == {}


def test_another_repositorys_number_is_not_ours():
    given = merges(DOCK, merge(12, "fix: parcels", 2, "map.py", body="Broken since other/thing#10."))
    assert told(given) == {}


@pytest.mark.parametrize(
    ("revert", "expected"),
    [
        (merge(12, "Revert default value of the scale", 2, "dock/scale.py", body="See #10."), {(12, 10): "revert?"}),
        (merge(12, "Revert default value of the scale", 2, "map.py", body="See #10."), {}),
        (merge(12, "Revert default value of the scale", 2, "dock/scale.py"), {(12, 10): "revert?"}),
        (merge(12, "Revert default value of the scale", 60, "dock/scale.py"), {}),
        (merge(12, "Weigh parcels anew", 2, "dock/scale.py", head="revert-10-weigh"), {(12, 10): "revert?"}),
    ],
)
def test_a_free_form_revert_is_possible_only(revert, expected):
    assert told(merges(DOCK, revert)) == expected


LARGE = merge(10, "[dock] feat: weigh parcels on arrival", 1, "dock/scale.py", lines=(90, 4))


@pytest.mark.parametrize(
    "fix",
    [
        merge(12, "fix: negative weights", 2, "map.py", body="A bug introduced in #10."),
        merge(12, "fix: negative weights", 80, "dock/scale.py", body="Follow-up to #10."),
        merge(12, "fix: negative weights", 20, "dock/scale.py"),
        merge(12, "Tidy the dock", 2, "dock/scale.py", body="#10 broke the scale."),
    ],
)
def test_a_repair_names_what_was_wrong_or_rewrites_it_soon(fix):
    assert told(merges(LARGE, fix)) == {(12, 10): "repair"}


@pytest.mark.parametrize(
    "other",
    [
        merge(12, "feat: weigh letters", 2, "dock/scale.py"),
        merge(12, "feat: weigh letters", 2, "dock/scale.py", body="Follow-up to #10."),
        merge(12, "fix: negative weights", 40, "dock/scale.py"),
        merge(12, "fix: negative weights", 2, "map.py", body="Follow-up to #10."),
        merge(12, "fix: negative weights", 400, "dock/scale.py", body="Follow-up to #10."),
        merge(12, "fix: negative weights", 2, "dock/scale.py", "map.py", "gate.py"),
        merge(12, "fix: typo in the scale", 2, "dock/scale.py"),
        merge(12, "fix: negative weights", 2, "dock/scale.py", author_type="bot"),
        merge(12, "fix: negative weights", 2, "dock/scale.py", base="release/1.2"),
        merge(12, "chore: bump scale from 1.0 to 1.1", 2, "dock/scale.py"),
        merge(12, "docs: tell of weights", 2, "docs/scale.md", body="The field was added in #10."),
    ],
)
def test_what_is_no_repair(other):
    assert told(merges(LARGE, other)) == {}


@pytest.mark.parametrize(
    "earlier",
    [
        merge(10, "feat: weigh parcels", 1, *(f"dock/s{n}.py" for n in range(40)), "dock/scale.py", lines=(90, 4)),
        merge(10, "refactor: move the scale", 1, "dock/scale.py", lines=(90, 88)),
        merge(10, "feat: weigh parcels", 1, "dock/scale.py", lines=(90, 4), author_type="bot"),
        merge(10, 'Revert "an old thing"', 1, "dock/scale.py", lines=(90, 4)),
    ],
)
def test_what_is_repaired_by_name_only(earlier):
    assert told(merges(earlier, merge(12, "fix: weights", 2, "dock/scale.py"))) == {}
    by_name = merge(12, "fix: weights", 2, "dock/scale.py", body="A regression from #10.")
    assert told(merges(earlier, by_name)) == {(12, 10): "repair"}


def test_who_names_the_culprit_is_believed_before_files():
    given = merges(
        merge(9, "feat: add a gate", 1, "gate.py", lines=(60, 0)),
        LARGE,
        merge(12, "fix: negative weights", 2, "dock/scale.py", body="Broken by #9."),
    )
    assert told(given) == {(12, 9): "repair"}


def test_another_approach_after_a_revert_repairs_what_was_reverted():
    given = merges(
        LARGE,
        merge(11, 'Revert "[dock] feat: weigh parcels on arrival"', 2, "dock/scale.py", body="Reverts acme/orbit#10"),
        merge(
            12, "fix: weigh parcels by contract", 3, "dock/scale.py", "map.py", body="The former try went out in #11."
        ),
    )
    assert told(given) == {(11, 10): "revert", (12, 10): "repair"}
    assert rules(given, 12, 10) == ["after_revert"]


def test_hours_lie_between_the_merges():
    given = merges(LARGE, merge(12, "fix: weights", 1.75, "dock/scale.py"))
    assert links_of(*given)["hours"].tolist() == [18.0]


def test_nothing_in_nothing_out():
    found = links_of(*merges())
    assert found.empty
    assert found.dtypes.astype(str).to_dict() == COLUMNS


def test_the_columns_are_those_of_the_table():
    assert list(COLUMNS) == list(TABLES["chain_links"].columns)


def busy_year():
    """A made-up year in which everything happens to a few files."""
    chance = random.Random(3)
    made = []
    for number in range(1, 160):
        earlier = chance.choice(made) if made else None
        title = chance.choice(["feat: add x{n}", "fix: y{n}", "Revert default of z", "fix: typo", "test: more"])
        body, head = "", None
        if earlier and chance.random() < 0.5:
            title, body, head = chance.choice(
                [
                    (f'Revert "{earlier["title"]}"', f"Reverts acme/orbit#{earlier['number']}", None),
                    (f'Revert "{earlier["title"]}"', "", None),
                    (f'Reapply "{earlier["title"]}"', "", None),
                    ("fix: repair it", f"Broken since #{earlier['number']}.", None),
                    ("fix: once more", f"See #{earlier['number']}.", None),
                    ("Revert it", "", f"revert-{earlier['number']}-it"),
                ]
            )
        paths = chance.sample(["a.py", "b.py", "c.py", "d.py", "tests/test_a.py", "README.md"], 2)
        lines = (chance.randint(0, 120), chance.randint(0, 20))
        day = number * 2 + chance.random()
        made.append(merge(number, title.format(n=number), day, *paths, body=body, head=head, lines=lines))
    return merges(*made)


def test_the_order_of_rows_changes_nothing():
    given = busy_year()
    assert len(links_of(*given)) > 50
    pd.testing.assert_frame_equal(links_of(*given), links_of(*shuffled(given)))


def context_of(given, only):
    """What `links_of` asks for: those, what was merged in the days before, and what is named, again and again."""
    pulls = given.pulls
    first = pd.to_datetime(pulls.loc[pulls["pull_id"].isin(only), "merged_at"]).min()
    lately = pd.to_datetime(pulls["merged_at"]) >= first - pd.Timedelta(days=LOOK_BACK_DAYS)
    wanted, asked = set(pulls.loc[lately, "pull_id"]), set(only)
    while asked:
        need = named(pulls[pulls["pull_id"].isin(asked)], given.links)
        titles = dict(zip(pulls["number"], pulls["title"], strict=True))
        brought = set(pulls.loc[pulls["number"].isin(need.numbers | meant(need.titles, titles)), "pull_id"])
        asked = brought - wanted
        wanted |= brought
    frames = [frame[frame["pull_id"].isin(wanted)] for frame in given[:4]]
    return [*frames, given.paths]


@pytest.mark.parametrize("start", [60, 130, 158])
def test_links_of_the_newest_equal_those_of_a_full_run(start):
    given = busy_year()
    full = links_of(*given)
    only = set(range(start, 160))
    expected = full[full["pull_id"].isin(only)].reset_index(drop=True)
    pd.testing.assert_frame_equal(links_of(*context_of(given, only), only=only), expected)


def test_what_is_merged_later_changes_nothing():
    given = busy_year()
    full = links_of(*given)
    early = given._replace(pulls=given.pulls[given.pulls["number"] <= 80])
    expected = full[full["pull_id"] <= 80].reset_index(drop=True)
    pd.testing.assert_frame_equal(links_of(*early), expected)


HASH = "a1b2c3d4e5f60718293a4b5c6d7e8f9001122334"


@pytest.mark.parametrize("sha", [HASH, HASH[:8]])
def test_a_revert_is_told_by_the_hash_of_the_merge(sha):
    first = merge(10, "feat: weigh parcels", 1, "dock/scale.py", merge_commit=HASH)
    undo = merge(12, "Weigh by hand again", 2, "dock/scale.py", body=f"This reverts commit {sha}.")
    elsewhere = merge(13, "Move a ramp", 3, "dock/ramp.py", body=f"This reverts commit {sha}.")
    assert told(merges(first, undo, elsewhere)) == {(12, 10): "revert"}


def test_the_number_of_another_repository_reverts_nothing_with_which_no_file_is_shared():
    first = merge(10, "feat: weigh parcels", 1, "dock/scale.py")
    port = merge(12, "Port a ramp", 2, "dock/ramp.py", body="Reverts other/repo#10")
    assert told(merges(first, port)) == {}


def test_a_title_that_only_has_the_word_is_possible_at_most():
    first = merge(10, "feat: weigh parcels", 1, "dock/scale.py")
    button = merge(12, "feat: add a revert button (#10)", 2, "dock/scale.py", body="For those who change their mind.")
    assert told(merges(first, button)) in ({}, {(12, 10): "revert?"})


def test_an_empty_quotation_means_nothing():
    nameless, undo = merge(10, "", 1, "dock/scale.py"), merge(12, 'Revert ""', 2, "dock/scale.py")
    assert told(merges(nameless, undo)) == {}


def test_a_reapply_is_one_behind_a_kind_too():
    first = merge(10, "feat: weigh parcels", 1, "dock/scale.py")
    again = merge(14, "chore: re-apply #10", 3, "dock/scale.py")
    assert told(merges(first, again)) == {(14, 10): "reapply"}


@pytest.mark.parametrize(
    "title",
    [
        "修复 #10 引入的问题",
        "修复#10引入的问题",
        "fix: 修复 #10 导致的崩溃",
        "fix regression from #10",
        "Follow-up to #10",
    ],
)
def test_a_fix_that_names_what_went_wrong_repairs_it_in_both_languages(title):
    first = merge(10, "feat: weigh parcels", 1, "dock/scale.py")
    mend = merge(12, title, 2, "dock/scale.py", *(f"dock/other_{n}.py" for n in range(5)))
    assert told(merges(first, mend)) == {(12, 10): "repair"}


@pytest.mark.parametrize("title", ["回退 #10", "撤销#10的改动", "还原 PR #10", "还原PR#10 中的修改"])
def test_a_revert_may_be_told_in_chinese(title):
    first = merge(10, "feat: weigh parcels", 1, "dock/scale.py")
    assert told(merges(first, merge(12, title, 2, "dock/scale.py"))) == {(12, 10): "revert"}


def test_a_revert_that_a_template_gives_as_its_example_reverts_nothing():
    first = merge(10, "feat: weigh parcels", 1, "dock/scale.py")
    other = merge(12, "feat: weigh pallets", 2, "dock/scale.py", body="<!-- Reverts acme/orbit#10 -->\nWeighs more.")
    assert told(merges(first, other)) == {}
