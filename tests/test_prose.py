"""What an author wrote, and what the template did."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import prose

TEMPLATE = """### What does this PR do?

> Add a **concise** overview of what this PR aims to
achieve. Reference related issues.

### Checklist

- [ ] Search for similar PRs: ...
- [x] Format the title as `[{modules}] {type}: {description}`
  - `{type}` is in `feat`, `fix`

<!-- Tell how it was
tested -->

```python
# Add code snippet
```
"""


def text_of(body):
    return prose.running_text(prose.own_lines(body))


def test_an_empty_template_has_no_line_of_its_author():
    assert list(prose.own_lines(TEMPLATE)) == []
    assert text_of(TEMPLATE) == ""


def test_what_is_written_between_its_lines_is_the_authors():
    body = TEMPLATE.replace("### Checklist", "The lock is taken twice,\nso that it hangs.\n\n### Checklist")
    assert list(prose.own_lines(body.replace("\n", "\r\n"))) == [["The lock is taken twice,", "so that it hangs."]]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (None, ""),
        ("See [the issue](https://example.com/a/b) or https://example.com/c.", "See the issue or "),
        ('<img width="3" src="x"> A <b>bold</b> step', "A bold step"),
        ("A step\nSigned-off-by: Ada <ada@example.com>\nCo-authored-by: Bob <b@example.com>", "A step"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ""),
        ("Before ```code``` after", "Before  after"),
        ("Open <!-- never closed", "Open"),
        ("My words\n> Describe what\nyou did here\n\nand more", "My words and more"),
    ],
)
def test_running_text_is_without_tables_addresses_tags_and_trailers(body, text):
    assert text_of(body).strip() == text.strip()


def test_tables_stay_among_the_lines():
    assert list(prose.own_lines("| a |\n|---|\n| 1 |")) == [["| a |", "|---|", "| 1 |"]]


def test_a_chinese_character_is_three_letters_long():
    assert prose.length("修复 lock") == 3 + 3 + len(" lock")


@given(st.text())
def test_any_text_is_read_and_nothing_is_added(body):
    assert prose.length(text_of(body)) <= prose.length(body)
