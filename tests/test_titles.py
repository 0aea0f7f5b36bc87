"""Titles of every convention, sloppy ones, and text that is no title at all."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import kinds
from analysis.titles import KIND_WORDS, Reverted, parse

# title: tags, kind, subject
CONVENTIONS = {
    "[fsdp, trainer] feat: shard the optimizer": (("fsdp", "trainer"), "feat", "shard the optimizer"),
    "[a][b] fix x": (("a", "b"), "fix", "fix x"),
    "[ doc ,cfg ]fix:x": (("doc", "cfg"), "fix", "x"),
    "[ckpt]: larger buckets": (("ckpt",), None, "larger buckets"),
    "[Doc] update the guide": (("doc",), "docs", "update the guide"),
    "[ci] fix: run on every push": (("ci",), "fix", "run on every push"),
    "[misc] fix: a typo": (("misc",), "fix", "a typo"),
    "[Bug Fix] wrong port": ((), "fix", "wrong port"),
    "[core] - feat: cache": (("core",), "feat", "cache"),
    "fix: [api] wrong port": (("api",), "fix", "wrong port"),
    "fix(toml): keep comments": (("toml",), "fix", "keep comments"),
    "feat (publish): deprecate the flag": (("publish",), "feat", "deprecate the flag"),
    "feat(api) add paging": (("api",), "feat", "add paging"),
    "docs(api,cli): explain": (("api", "cli"), "docs", "explain"),
    "ci/cd: add a linter": ((), "ci", "add a linter"),
    "feat/fix: paging": ((), "feat", "paging"),
    "bugfix: a": ((), "fix", "a"),
    "hotfix: a": ((), "fix", "a"),
    "perf: a": ((), "perf", "a"),
    "style: a": ((), "chore", "a"),
    "deps: a": ((), "build", "a"),
    "cmd/go: print less": (("cmd/go",), None, "print less"),
    "net/http, crypto/tls: print less": (("net/http", "crypto/tls"), None, "print less"),
    "Feature/add paging": ((), "feat", "add paging"),
    "【调度】修复：死锁，很严重": (("调度",), "fix", "死锁，很严重"),
    "【调度】修复死锁": (("调度",), "fix", "修复死锁"),
    "新增：登录": ((), "feat", "登录"),
    "feat（登录）：支持扫码": (("登录",), "feat", "支持扫码"),
    "megatron：update": (("megatron",), None, "update"),
    "\N{SPARKLES} add paging": ((), "feat", "add paging"),
    "\N{HIGH VOLTAGE SIGN}\N{VARIATION SELECTOR-16} faster start": ((), "perf", "faster start"),
    ":bug: wrong port": ((), "fix", "wrong port"),
    "(#12) recipe: new version": (("recipe",), None, "new version"),
    "[v0.1][release] publish": (("release",), "chore", "publish"),
    "[ABC-123] wrong port": ((), None, "wrong port"),
}
PLAIN = [
    "Update README.md",
    "[unbalanced fix: x",
    "unbalanced] fix - x",
    "[0] is the wrong index",
    "[link](https://example.org) broken",
    "std::thread leaks",
    "https://example.org is down",
    "KeyError: 'x' on start",
    "Merge branch 'main'",
    "[a sentence that is in brackets for no good reason] and goes on",
]


@pytest.mark.parametrize("title", CONVENTIONS)
def test_a_title_is_taken_apart_by_its_convention(title):
    parsed = parse(title)
    assert (parsed.tags, parsed.kind, parsed.subject) == CONVENTIONS[title]


@pytest.mark.parametrize("title", PLAIN)
def test_a_plain_sentence_stays_whole(title):
    parsed = parse(title)
    assert (parsed.tags, parsed.kind, parsed.subject) == ((), None, title)


def test_words_count_only_as_a_whole():
    assert parse("doctor: heal").kind is None
    assert parse("[fixtures] add one").kind is None
    assert parse("prefix: strip it").kind is None


@pytest.mark.parametrize(
    "title",
    [
        "feat!: drop v1",
        "feat(api)!: drop v1",
        "[BREAKING] drop v1",
        "[BREAKING][api] refactor: drop v1",
        "[breaking change] drop v1",
        "[BREAKING config] feat: drop v1",
        "BREAKING: drop v1",
        "BREAKING CHANGE: drop v1",
        "[api] breaking: drop v1",
        "feat！：drop v1",
        "\N{COLLISION SYMBOL} drop v1",
    ],
)
def test_a_breaking_change_is_told_by_bracket_bang_or_prefix(title):
    assert parse(title).is_breaking
    assert parse(title).subject == "drop v1"


@pytest.mark.parametrize("title", ["fix: stop breaking the build", "Breaking news on the start page", "feat: wow!"])
def test_a_sentence_about_breaking_is_not_breaking(title):
    assert not parse(title).is_breaking


@pytest.mark.parametrize("title", ["[WIP] paging", "WIP: paging", "[api][draft] feat: paging", "[Do Not Merge] paging"])
def test_unfinished_work_is_marked(title):
    assert parse(title).is_unfinished
    assert parse(title).subject == "paging"


@pytest.mark.parametrize(
    ("title", "part", "text"),
    [
        ("[5/n][trainer] feat: flow", (5, None), "5/n"),
        ("[2/3] feat: flow", (2, 3), "2/3"),
        ("[api] feat: [1/N] flow", (1, None), "1/n"),
        ("(1/3) flow", (1, 3), "1/3"),
        ("2/3: flow", (2, 3), "2/3"),
        ("Converter[part1]: flow", (1, None), "1/n"),
        ("【2/3】flow", (2, 3), "2/3"),
    ],
)
def test_a_part_of_a_series_is_numbered(title, part, text):
    assert (parse(title).part, parse(title).series_part, parse(title).subject) == (part, text, "flow")


def test_a_date_or_a_fraction_is_no_part():
    assert parse("[12/5] flow").part is None
    assert parse("Support 1/2 precision").part is None


def test_numbers_around_a_title_are_kept_apart():
    assert parse("Fix #3 by retrying (#14) (#15)").numbers == (14, 15)
    assert parse("Fix #3 by retrying (#14) (#15)").subject == "Fix #3 by retrying"


@pytest.mark.parametrize(
    ("title", "reverts"),
    [
        ('Revert "feat: paging"', Reverted("feat: paging", None, 1, "feat: paging")),
        ('Revert "feat: paging" (#3)', Reverted("feat: paging", None, 1, "feat: paging")),
        ('Revert "feat: paging (#1)" (#3)', Reverted("feat: paging", 1, 1, "feat: paging")),
        ('Revert "Revert "paging" (#1)" (#3)', Reverted('Revert "paging"', 1, 2, "paging")),
        ('Revert "Reapply "paging""', Reverted('Reapply "paging"', None, 3, "paging")),
        ('Reapply "paging" (#4)', Reverted("paging", None, 2, "paging")),
        ("Reland: paging", Reverted("paging", None, 2, "paging")),
        ("[reland] paging", Reverted("paging", None, 2, "paging")),
        ("Revert #12", Reverted(None, 12, 1, None)),
        ("Revert PR #12: paging", Reverted("paging", 12, 1, "paging")),
        ("revert: feat(api): paging", Reverted("feat(api): paging", None, 1, "feat(api): paging")),
        ('[api] fix: Revert "paging"', Reverted("paging", None, 1, "paging")),
        (
            'Revert "paging of a long li…',
            Reverted("paging of a long li…", None, 1, "paging of a long li…"),
        ),
        ("Revert “paging” (#3)", Reverted("paging", None, 1, "paging")),
        ("回滚“新增分页”", Reverted("新增分页", None, 1, "新增分页")),
    ],
)
def test_what_a_title_reverts_is_quoted_with_its_number_and_depth(title, reverts):
    assert parse(title).reverts == reverts


def test_a_revert_of_a_revert_is_a_reapply_by_parity():
    assert parse('Revert "feat: paging"').kind == "revert"
    assert parse('Revert "Revert "feat: paging""').reverts.is_reapply
    assert parse('Revert "Revert "feat: paging""').kind == "feat"
    assert not parse('Revert "Reapply "feat: paging""').reverts.is_reapply


def test_a_revert_has_the_modules_of_what_it_quotes():
    assert parse('Revert "[algo, cfg] fix: add a mask"').tags == ("algo", "cfg")
    assert parse('[model] fix: Revert "[api] feat: paging"').tags == ("model", "api")


@pytest.mark.parametrize(
    "title",
    ["[rollout] feat: revert default value of max_num_seqs", "Revert the config in worker.py", "恢复并回滚默认值"],
)
def test_a_free_form_revert_is_only_possible(title):
    assert parse(title).reverts is None
    assert parse(title).may_revert


def test_irreversible_is_no_revert():
    assert not parse("Make deletion irrevertible").may_revert


@pytest.mark.parametrize(
    "title",
    [
        "Bump pygments from 2.13.0 to 2.14.0",
        "build(deps): bump actions/checkout from 3 to 4 in /ui",
        "Update dependency pandas to v3",
        "chore(deps): update rust crate gix to 0.84.0 [security]",
        "Bump the python-packages group with 4 updates",
        "Update actions/setup-python action to v5",
        "chore: lock file maintenance",
        "[pre-commit.ci] pre-commit autoupdate",
        "Update pytest requirement from ~=5.2.2 to >=5.2.2,<5.5.0",
    ],
)
def test_a_bump_of_versions_is_recognised(title):
    assert parse(title).is_bump


@pytest.mark.parametrize("title", ["Update the guide", "Move from lists to tuples", "fix: upgrade path of old caches"])
def test_an_update_of_anything_else_is_no_bump(title):
    assert not parse(title).is_bump


WORDS = st.text("abcdefghij", min_size=3, max_size=8).filter(lambda word: word not in KIND_WORDS)
SPACES = st.sampled_from(["", " ", "  "])


@given(st.text())
def test_no_text_breaks_the_reading(text):
    parsed = parse(text)
    assert parsed.raw == text
    assert parsed.kind is None or parsed.kind in kinds.KINDS
    assert parsed.subject == " ".join(parsed.subject.split())
    assert all(tag == tag.lower() and tag.strip() for tag in parsed.tags)


@given(st.text('[]【】():：,，!#"“”/ Rrevtfix1n', max_size=60))
def test_no_heap_of_brackets_and_quotes_breaks_the_reading(text):
    parsed = parse(text)
    assert len(set(parsed.tags)) == len(parsed.tags)
    assert bool(parsed.subject) == bool(text.strip())


@given(st.lists(WORDS, min_size=1, max_size=3, unique=True), st.sampled_from(["fix", "feat", "docs"]), WORDS, st.data())
def test_sloppy_spacing_and_full_width_signs_change_nothing(tags, kind, subject, data):
    space = lambda: data.draw(SPACES)  # noqa: E731
    title = f"[{space()}" + f"{space()},{space()}".join(tags) + f"{space()}]{space()}{kind}{space()}:{space()}{subject}"
    wide = title.translate(str.maketrans("[],:", "【】，："))
    for parsed in (parse(title), parse(wide)):
        assert (parsed.tags, parsed.kind, parsed.subject) == (tuple(tags), kind, subject)


@given(WORDS, st.integers(1, 20))
def test_each_revert_around_a_title_goes_one_deeper(subject, times):
    title = subject
    for number in range(1, times + 1):
        title = f'Revert "{title} (#{number})"'
    reverts = parse(title).reverts
    assert (reverts.depth, reverts.root, reverts.number) == (times, subject, times)
    assert reverts.is_reapply == (times % 2 == 0)


@pytest.mark.parametrize("title", ["", " ", "x" * 300, "[" * 400, 'Revert "' * 2000, "revert: " * 2000, "[a] " * 500])
def test_empty_long_and_deeply_nested_titles_are_read_in_no_time(title):
    assert parse(title).raw == title


def test_the_titles_of_a_real_project_are_understood(shared):
    """By eye, all but a dozen of these 1,059 titles have brackets, a kind, or both."""
    with gzip.open(shared / "verl" / "prs-2026.json.gz") as file:
        titles = [parse(pull["title"]) for pull in json.load(file)]
    assert sum(title.kind is None and not title.tags for title in titles) < 15
    assert sum(title.is_breaking for title in titles) == 18
    assert sum(title.reverts is not None for title in titles) == 12
