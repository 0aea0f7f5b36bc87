"""A team's own layouts of the report's sections: what they are given, and what is said of one that fails."""

import pytest
from test_report import cached, facts_of

from dashboard.report.document import document

from factories import make_file, make_pull  # isort: skip


@pytest.fixture
def facts(tmp_path):
    return facts_of(cached(tmp_path, make_pull(1, "feat(core)!: a | new `engine`", files=[make_file("core/a.py", 90)])))


def section(facts, folder, name="summary", length="M"):
    made = document(facts, length=length, templates=folder)
    return next(each.markdown for each in made.sections if each.name == name), made.problems


def test_a_layout_takes_the_place_of_one_section_only(facts, tmp_path):
    (tmp_path / "digest.md.jinja").write_text(
        "{% for c in claims if c.kind == 'pull' %}\n* {{ pulls(c.prs) }} {{ c.names.title }} {{ c.n.importance }}"
        " {{ 6 * 7 }}\n{% endfor %}\n{{ length }}, {{ words('report.heading.digest') }}"
    )
    found, problems = section(facts, tmp_path, "digest")
    assert problems == ()
    assert found.startswith("* [#1](https://github.com/acme/orbit/pull/1) feat(core)!: a \\| new \\`engine\\`")
    assert found.endswith("42\nM, Pull-request digest")
    assert section(facts, tmp_path)[0] == section(facts, None)[0]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("one\n{{ nobody }}", 2, "nobody"),
        ("one\ntwo\n{% for %}", 3, "Expected"),
        ("{{ claims[0].n.nobody }}", 1, "nobody"),
        ("{{ ''.__class__.__mro__ }}", 1, "unsafe"),
        ("{% include '/etc/passwd' %}", 1, "loader"),
        ("{{ range(999999999)|list }}", 1, "Range"),
    ],
)
def test_one_that_fails_is_told_with_its_line_and_the_built_in_is_used(facts, tmp_path, text, line, reason):
    (tmp_path / "summary.md.jinja").write_text(text)
    found, [problem] = section(facts, tmp_path)
    assert problem.startswith(f"{tmp_path / 'summary.md.jinja'}:{line}: ")
    assert reason in problem
    assert found == section(facts, None)[0]
