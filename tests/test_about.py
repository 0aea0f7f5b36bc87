"""A docstring is taken apart for those who read numbers, not code."""

import pytest

from analysis.about import About, Undocumented, about, parse

COMPACT = """How long did it wait?

Only what was merged counts.

Formula: merged - opened,
    in hours.
Misses: nights.
Source: CHAOSS.
Example: opened 09:00, merged 11:00: 2 hours.

Args:
    pulls: one row per pull request.

Returns:
    Hours. Example: none."""
PARTED = COMPACT.replace("\n    in", "\nin").replace("\nMisses", "\n\nMisses").replace("\nSource", "\n\nSource")


def wait() -> None:
    """How long did it wait?

    Formula: `n` hours.
    Misses: nights.
    Source: CHAOSS.
    Example: 2 hours.
    """


def rate() -> None:
    """How many were merged?

    Formula: merged / closed.
    Misses: nights.
    Source:
    Example: 0.9.
    """


def lacking(part: str) -> str:
    return "\n".join(line for line in COMPACT.splitlines() if not line.startswith(part))


@pytest.mark.parametrize("docstring", [COMPACT, PARTED])
def test_a_docstring_is_taken_apart_whichever_way_it_is_laid_out(docstring):
    assert parse(docstring, name="wait") == About(
        answer="How long did it wait?",
        details="Only what was merged counts.",
        formula="Merged - opened, in hours.",
        misses="Nights.",
        source="CHAOSS.",
        example="Opened 09:00, merged 11:00: 2 hours.",
    )


def test_what_callers_need_is_left_out_wherever_it_stands():
    last = lacking("Source").replace("    Hours.", "    Hours.\n\nSource: CHAOSS.\n\nRaises:\n    Nothing.")
    found = parse(last, name="wait")
    assert found.source == "CHAOSS."
    assert "pull request" not in found.text and "Nothing" not in found.text


def test_paragraphs_within_a_part_stay_apart():
    parted = COMPACT.replace("Misses: nights.", "Misses: nights.\n\n    And weekends,\n    too.")
    assert parse(parted, name="wait").misses == "Nights.\n\nAnd weekends, too."


def test_a_word_with_a_colon_amid_a_line_begins_no_part():
    assert parse(COMPACT.replace("nights.", "the rest. Source: nobody."), name="wait").misses.endswith("nobody.")


def test_the_docstring_of_a_function_is_read_without_its_indent():
    assert about(wait).formula == "`n` hours."


@pytest.mark.parametrize("part", ["Formula", "Misses", "Source", "Example"])
def test_a_part_that_is_missing_is_named_with_its_function(part):
    with pytest.raises(Undocumented, match=rf"^The docstring of wait lacks its {part}; .*$"):
        parse(lacking(part), name="wait")


def test_a_part_that_is_empty_is_missing():
    with pytest.raises(Undocumented, match=r"test_about\.rate lacks its Source"):
        about(rate)


def test_a_function_without_docstring_is_told_so():
    with pytest.raises(Undocumented, match="lacks its first line"):
        about(lacking)
