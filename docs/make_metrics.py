"""Makes docs/metrics, one page a metric and rule, from their docstrings: `python docs/make_metrics.py`."""

from collections.abc import Iterator
from pathlib import Path

from analysis import catalogue
from analysis.catalogue import GROUPS, Metric
from dashboard.words import Words

FOLDER = Path(__file__).resolve().parent / "metrics"
INDEX = "README.md"
WORDS = Words("en")
LEAD = (
    "What each number answers, how it is computed, what it does not see and where its definition comes from: the same"
    ' text as on the page "About the numbers" of the dashboard. Made by `make docs` from the docstrings in'
    " [analysis/](../../analysis)."
)


def main() -> None:
    """Write all pages, and take away those of metrics that are gone."""
    made = pages()
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.md"):
        if file.name not in made:
            file.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"docs/metrics: {len(made)} pages")


def pages() -> dict[str, str]:
    """The text of each file of docs/metrics by its name."""
    made = {f"{metric.name}.md": page(metric) for metric in catalogue.everything()}
    return {INDEX: index(), **made}


def page(metric: Metric) -> str:
    """All that is known of one metric or rule."""
    about = metric.about
    module, function = metric.where.split(".")
    origin = f"the docstring of `{function}` in [analysis/{module}.py](../../analysis/{module}.py)"
    parts = [
        f"# {metric.label}",
        f"**{about.answer}**",
        *([about.details] if about.details else []),
        "\n".join(f"- {fact}" for fact in facts(metric)),
        f"## Formula\n\n{about.formula}",
        f"## What it misses\n\n{about.misses}",
        f"## Source\n\n{about.source}",
        f"## Example\n\n{about.example}",
        f"---\n\n[All metrics]({INDEX}). Made by `make docs` from {origin}: change it there.",
    ]
    return "\n\n".join(parts) + "\n"


def facts(metric: Metric) -> Iterator[str]:
    """What stands in lists rather than in the docstring."""
    rule = next((rule for rule in catalogue.rules() if rule.name == metric.name), None)
    if rule:
        yield f"Risk rule `{rule.name}`: {rule.why}"
        yield f"Fires above {rule.threshold:g} and adds at most {rule.points:g} to the score; `[risk]` sets others"
    yield f"Unit: {metric.unit}"
    if metric.keys:
        yield f"Columns and keys: {', '.join(f'`{key}`' for key in metric.keys)}"


def index() -> str:
    """The table of all metrics by group, and of all rules."""
    parts = ["# Metrics and rules", LEAD]
    for group in GROUPS:
        members = [metric for metric in catalogue.METRICS if metric.group == group]
        lines = [f"| {link(metric)} | {metric.unit} | {metric.about.answer} |" for metric in members]
        parts.append(f"## {WORDS(f'group.{group}')}\n\n" + table("Metric | Unit | Answers", lines))
    lines = [
        f"| {link(catalogue.of_rule(rule))} | {rule.points:g} | {rule.threshold:g} {rule.unit} | {rule.why} |"
        for rule in catalogue.rules()
    ]
    parts.append(f"## {WORDS('group.rules')}\n\n" + table("Rule | Points | Fires above | Why", lines))
    return "\n\n".join(parts) + "\n"


def link(metric: Metric) -> str:
    return f"[{metric.label}]({metric.name}.md)"


def table(titles: str, lines: list[str]) -> str:
    rule = "|".join("---" for _ in titles.split("|"))
    return "\n".join([f"| {titles} |", f"|{rule}|", *lines])


if __name__ == "__main__":
    main()
