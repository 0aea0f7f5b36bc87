"""How the claims of a section are laid out: the built-in layouts, and those of a team in their place.

A layout is a Jinja2 template that makes Markdown; docs/report-templates.md tells what it is given. A team's own is run
in a sandbox; one that fails is told with its file and line, and the built-in one is used.
"""

import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateSyntaxError
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from dashboard.report.targets import Markdown
from dashboard.report.wording import Told, wording

SUFFIX = ".md.jinja"


@dataclass(frozen=True)
class LaidOut:
    """A section as Markdown."""

    markdown: str
    problem: str  # why a team's own layout was not used; empty where nothing was wrong


def lay_out(section: str, told: Sequence[Told], *, lang: str, length: str, own: Path | None = None) -> LaidOut:
    """The claims of a section as Markdown.

    Args:
        section: its name.
        told: its claims of that length, in order.
        lang: en or zh.
        length: S, M or L.
        own: a folder that may hold a team's own `<section>.md.jinja`.
    """
    if [each.kind for each in told] == ["not_cached"]:
        return LaidOut(str(told[0].text), "")
    values = {"claims": told, "length": length}
    file = own / f"{section}{SUFFIX}" if own else None
    if file and file.is_file():
        try:
            return LaidOut(_tidy(_own(file, lang).render(values)), "")
        except Exception as error:  # whatever a template of others does
            problem = _told(error, file)
    else:
        problem = ""
    built_in = _environment(lang).from_string(_built_in(section))
    return LaidOut(_tidy(built_in.render(values)), problem)


def grouped(told: Iterable[Told]) -> list[tuple[str, list[Told]]]:
    """Claims by their subject, both in the order given."""
    groups: dict[str, list[Told]] = {}
    for each in told:
        groups.setdefault(each.subject, []).append(each)
    return list(groups.items())


@lru_cache(maxsize=8)
def _environment(lang: str) -> SandboxedEnvironment:
    """With the functions that sentences have too; what is printed is escaped for Markdown."""
    written = wording(lang, Markdown.name)

    def shown(value: Any) -> Any:
        """Also numbers that a team's layout counts itself."""
        return Markup(written.words.written(value)) if type(value) in (int, float) else written.written(value)

    made = SandboxedEnvironment(
        undefined=StrictUndefined, autoescape=True, finalize=shown, trim_blocks=True, lstrip_blocks=True
    )
    made.globals.update(written.functions(), words=lambda key, **values: Markup(written.words(key, **values)))
    made.globals.update(grouped=grouped)
    return made


@lru_cache(maxsize=16)
def _built_in(section: str) -> str:
    file = resources.files("dashboard.report").joinpath("templates", "sections", f"{section}{SUFFIX}")
    return file.read_text("utf-8")


def _own(file: Path, lang: str) -> Template:
    environment = _environment(lang)
    code = environment.compile(file.read_text(encoding="utf-8"), file.name, str(file))
    return environment.template_class.from_code(environment, code, environment.make_globals(None))


def _told(error: Exception, file: Path) -> str:
    """What is wrong with a layout, and where in its file."""
    lines = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename == str(file)]
    line = error.lineno if isinstance(error, TemplateSyntaxError) else next(reversed(lines), None)
    reason = str(error).strip().split("\n")[0] or type(error).__name__
    return f"{file}{f':{line}' if line else ''}: {reason}. The built-in layout is used."


def _tidy(markdown: str) -> str:
    """Never more than one empty line in a row."""
    lines = [line.rstrip() for line in markdown.strip().split("\n")]
    kept = [line for line, before in zip(lines, ["", *lines], strict=False) if line or before]
    return "\n".join(kept)
