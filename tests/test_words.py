"""The two catalogues say the same things, and each says them as its readers write."""

import re
from pathlib import Path

import pytest

from dashboard import words as module
from dashboard.words import LANGUAGES, MissingWords, Words, catalogue, language_of, placeholders

PAGES = Path(module.__file__).parent.parent
ENTRIES = {lang: catalogue(lang) for lang in LANGUAGES}
PACKAGES = [PAGES, PAGES.parent / "analysis", PAGES.parent / "data"]
CODE_OF_PAGES = "\n".join(
    path.read_text("utf-8") for path in sorted([*PAGES.rglob("*.py"), *PAGES.rglob("*.md.jinja")])
)
CODE = "\n".join(path.read_text("utf-8") for folder in PACKAGES for path in sorted(folder.rglob("*.py")))
# Looked up by a name that the code tells elsewhere: words(f"kind.{kind}"), named(files, words, status="status").
STARTS = tuple(re.findall(r"""f["']([a-z_.]+\.[a-z_]*)\{""", CODE_OF_PAGES))


def is_used(key: str) -> bool:
    """Whether a page names the key, or puts it together from a start and a name that stands in the code."""
    start, _, name = key.rpartition(".")
    if f'"{key}"' in CODE_OF_PAGES:
        return True
    together = key.startswith(STARTS) or f'"{start}"' in CODE_OF_PAGES
    return together and any(re.search(rf"\b{part}\b", CODE) for part in (name, name.removesuffix("_help")))


def texts(lang: str) -> list[tuple[str, str]]:
    """Every text of a catalogue with its key, each plural form by itself."""
    return [
        (key, text)
        for key, entry in ENTRIES[lang].items()
        for text in ([entry] if isinstance(entry, str) else entry.values())
    ]


def wanted(entry: str | dict[str, str]) -> set[str]:
    """All names that a text wants, whichever its plural form."""
    return set().union(*(placeholders(text) for text in ([entry] if isinstance(entry, str) else entry.values())))


def test_both_languages_have_the_same_keys():
    assert set(ENTRIES["en"]) == set(ENTRIES["zh"])


def test_both_languages_want_the_same_values_for_each_key():
    differing = {key: (wanted(ENTRIES["en"][key]), wanted(ENTRIES["zh"][key])) for key in ENTRIES["en"]}
    assert {key: pair for key, pair in differing.items() if pair[0] != pair[1]} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_is_empty_or_hangs_over(lang: str):
    separators = {"list.separator", "list.between_sentences"}
    assert [key for key, text in texts(lang) if key not in separators and (not text or text != text.strip())] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_values_are_named_only_and_carry_no_format(lang: str):
    assert [key for key, text in texts(lang) if re.search(r"\{[^}]*[^a-z_}][^}]*\}", text)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_with_plural_forms_names_the_number_it_is_chosen_by(lang: str):
    plural = {key: entry for key, entry in ENTRIES[lang].items() if isinstance(entry, dict)}
    assert [key for key, entry in plural.items() if lang == "en" and set(entry) != {"one", "other"}] == []
    by_n = {key: Words(lang)(key, **dict.fromkeys(wanted(entry) | {"n"}, 3)) for key, entry in plural.items()}
    assert set(by_n) == set(plural)


# Numbers that are never one: days of the back-test, and what there are five of at least.
NEVER_ONE = {
    *("backtest.cases", "backtest.none.too_recent", "backtest.how.failed", "backtest.model.held_out"),
    "evidence.missing-companion.companions",
}


def test_english_has_a_singular_wherever_it_counts():
    counted = re.compile(r"\} (?:\w+ )?(pull requests|changes|days|files|lines|modules|points|rules|weeks|windows)\b")
    plain = {key: text for key, text in ENTRIES["en"].items() if isinstance(text, str)}
    assert {key for key, text in plain.items() if counted.search(text)} == NEVER_ONE


def test_every_key_is_used_by_a_page():
    assert [key for key in ENTRIES["en"] if not is_used(key)] == []


def test_every_key_that_the_pages_name_exists():
    named = set(re.findall(r"""\bwords\(\s*["']([a-z_]+(?:\.[a-z_]+)+)["']""", CODE_OF_PAGES))
    assert len(named) > 20
    assert sorted(named - set(ENTRIES["en"])) == []


# --- Chinese as it is written ----------------------------------------------------------------------------------

IN_TICKS = re.compile(r"`[^`]*`")


def chinese_faults(text: str) -> list[str]:
    """Places where Chinese touches a Latin letter or digit without a space, or half-width punctuation."""
    prose = IN_TICKS.sub("`x`", text)
    patterns = (
        r"[\u4e00-\u9fff][A-Za-z0-9`#]",
        r"[A-Za-z0-9`%][\u4e00-\u9fff]",
        r"[\u4e00-\u9fff][,;:!?()\"]",
        r"[,;:!?()\"][\u4e00-\u9fff]",
        r"[\u4e00-\u9fff]\.(?!\w)",
        r"[\u4e00-\u9fff] [\u4e00-\u9fff]",
        r"\s[，。；：！？（）、“”]|[，。；：！？（）、“”]\s",
    )
    return [found for pattern in patterns for found in re.findall(pattern, prose)]


@pytest.mark.parametrize(
    "fault",
    ["合入PR", "有3 个", "合入 3个", "合入,完成", "说明(可选)", "完成.", "合入 完成", "首先 ，完成", "运行`x` 即可"],
)
def test_the_rule_for_chinese_finds_each_kind_of_fault(fault: str):
    assert chinese_faults(fault)


def test_chinese_has_spaces_beside_latin_and_full_width_punctuation():
    # After a sentence that others end, a space parts it from ours.
    allowed = {"filters.bad_window"}
    faults = {key: chinese_faults(text) for key, text in texts("zh") if key not in allowed}
    assert {key: found for key, found in faults.items() if found} == {}


def test_chinese_numbers_have_a_space_and_then_their_measure_word():
    beside = {key: text for key, text in texts("zh") if re.search(r"\{n\}[\u4e00-\u9fff]|[\u4e00-\u9fff]\{n\}", text)}
    assert beside == {}


def test_chinese_speaks_of_pull_requests_as_pr():
    assert [text for _, text in texts("zh") if re.search(r"pull request|拉取请求|合并请求", text, re.IGNORECASE)] == []


# --- looking words up ------------------------------------------------------------------------------------------


def test_a_plural_form_is_chosen_by_n():
    english, chinese = Words("en"), Words("zh")
    assert english("overview.merged", n=1) == "1 pull request merged"
    assert english("overview.merged", n=0) == "0 pull requests merged"
    assert english("overview.merged", n=31) == "31 pull requests merged"
    assert chinese("overview.merged", n=1) == "合入 1 个 PR"


def test_chinese_may_name_the_single_one():
    assert Words("zh")("before.weeks", n=1) == "前一周"
    assert Words("zh")("before.weeks", n=4) == "此前 4 周"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_are_grouped(lang: str):
    assert "1,204" in Words(lang)("overview.merged", n=1204)
    assert "2.5" in Words(lang)("duration.hours", n=2.5)


def test_text_goes_in_as_it_is_even_if_it_looks_like_a_placeholder():
    assert Words("en")("empty.filter_text", value="{n} {0.__class__}") == "text “{n} {0.__class__}”"


def test_a_value_in_chinese_stands_beside_chinese_without_a_space():
    assert Words("zh")("data.covers", first="2026年5月4日", last="5月10日") == "合入时间从 2026年5月4日到 5月10日"
    assert Words("zh")("data.covers", first="05-04", last="（未知）") == "合入时间从 05-04 到（未知）"
    assert Words("en")("data.covers", first="甲", last="乙") == "Merges from 甲 to 乙"


def test_an_unknown_key_is_an_error_that_names_it():
    with pytest.raises(MissingWords, match=r"zh.toml has no words for 'overview.nothing'"):
        Words("zh")("overview.nothing")


@pytest.mark.parametrize("key", ["overview.more", "overview.merged"])
def test_a_value_that_is_not_given_is_an_error_that_names_it(key: str):
    with pytest.raises(MissingWords, match=r"needs a value for '(merged|n)'"):
        Words("en")(key)


def test_an_unknown_language_is_an_error():
    with pytest.raises(MissingWords, match=r"'fr'\. Known: en, zh"):
        Words("fr")


def test_a_chinese_list_has_a_space_only_between_chinese_and_latin():
    chinese = Words("zh").listed
    assert chinese(["模块", "主题"]) == "模块和主题"
    assert chinese(["#1", "#2", "另外 3 个"]) == "#1、#2 和另外 3 个"
    assert chinese(["“a”", "“b”"]) == "“a”和“b”"


@pytest.mark.parametrize(
    ("items", "english", "chinese"),
    [([], "", ""), (["a"], "a", "a"), (["a", "b"], "a and b", "a 和 b"), (["a", "b", "c"], "a, b and c", "a、b 和 c")],
)
def test_a_list_reads_as_its_language_writes_one(items: list[str], english: str, chinese: str):
    assert Words("en").listed(items) == english
    assert Words("zh").listed(items) == chinese


@pytest.mark.parametrize(
    ("locale", "lang"),
    [("zh-CN", "zh"), ("zh_TW", "zh"), ("ZH", "zh"), ("en-GB", "en"), ("de", "en"), ("", "en"), (None, "en")],
)
def test_the_browser_chooses_the_language(locale: str | None, lang: str):
    assert language_of(locale) == lang
