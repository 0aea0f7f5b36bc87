"""Claims as sentences: Jinja2 templates, one file a section and language, one macro a kind of claim.

A template trusts its own words only. Whatever else it prints goes through the target's escape; a number is printed
only if it is one of the claim's, so that no sentence can tell a number that `verify` would not find.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from jinja2.loaders import FunctionLoader
from markupsafe import Markup

from analysis.claims import Claim
from analysis.risk_settings import ELEVATED
from analysis.window import Window
from dashboard import evidence, formats, stories
from dashboard.report.targets import Markdown, PlainText, Target
from dashboard.words import LOCALES, Words

TARGETS: Mapping[str, Target] = {target.name: target for target in (PlainText(), Markdown())}
MOST_LISTED = 8  # pull requests that a sentence names before it says how many more
LONGEST, LONGEST_NOTE = 160, 600  # columns of a repository's word, and of an author's sentences
_LINE_BREAK = re.compile(r"[ \t]*\n\s*")
_AT_A_TAG = re.compile(r"(?<=%\})[ \t]*\n\s*|(?<=#\})[ \t]*\n\s*|[ \t]*\n\s*(?=\{[%#])")
_NUMBER = re.compile(rf"(?<![\w\\/\[])#{formats.WORD_JOINER}?(?P<number>\d+)")
_SPACES = re.compile(r" {2,}")


class Whole(int):
    """A number of a claim."""

    def __abs__(self) -> "Whole":
        return Whole(super().__abs__())


class Real(float):
    """A measured number of a claim."""

    def __abs__(self) -> "Real":
        return Real(super().__abs__())


class Pull(int):
    """The number of a pull request, with its address."""

    url: str | None = None

    def __new__(cls, number: int, url: str | None = None) -> "Pull":
        made = super().__new__(cls, number)
        made.url = url
        return made


@dataclass(frozen=True)
class Told:
    """A claim as templates see it."""

    id: str
    section: str
    kind: str
    subject: str
    n: Mapping[str, Whole | Real]
    prs: list[Pull]
    names: Mapping[str, str | tuple[str, ...]]
    evidence: tuple[Mapping[str, Any], ...]
    tell: Callable[["Told"], Markup]

    @cached_property
    def text(self) -> Markup:
        """What it says, in one or more sentences; made when somebody asks, which of most pull requests nobody does."""
        return self.tell(self)


class Foreign(TypeError):
    """A template prints a number that is not the claim's: a fault of ours."""


class Wording:
    """The sentences of one language for one target.

    Args:
        lang: en or zh.
        target: text or markdown.
    """

    def __init__(self, lang: str, target: str) -> None:
        self.lang, self.target, self.words = lang, TARGETS[target], Words(lang)
        self._environment = Environment(
            loader=FunctionLoader(self._source),
            undefined=StrictUndefined,
            autoescape=True,
            finalize=self.written,
        )
        self._environment.globals.update(self.functions())
        self._macros: dict[str, Any] = {}

    def told(self, claim: Claim, urls: Mapping[int, str]) -> Told:
        """A claim as templates see it, with what it says.

        Args:
            claim: any.
            urls: number -> address of pull requests; others are named without a link.
        """
        return Told(
            claim.id,
            claim.section,
            claim.kind,
            claim.subject,
            figures(claim.numbers),
            [Pull(number, urls.get(number)) for number in claim.prs],
            claim.names,
            claim.evidence,
            self._tell,
        )

    def _tell(self, told: Told) -> Markup:
        said = getattr(self._section(told.section), told.kind)(told)
        return Markup(_SPACES.sub(" ", said).strip())

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What templates can call besides Jinja2's own; see docs/report-templates.md."""
        return {
            "arrow": self.arrow,
            "change": self.change,
            "chosen": self.chosen,
            "code": self.code,
            "counted": self.counted,
            "count": self.count,
            "day": self.day,
            "days": self.days,
            "detailed": self.detailed,
            "found": self.found,
            "hours": self.hours,
            "joined": self.joined,
            "label": self.label,
            "line": self.line,
            "kind": self.kind,
            "listed": self.listed,
            "named": self.named,
            "nature": self.nature,
            "percent": self.percent,
            "pulls": self.pulls,
            "quote": self.quote,
            "quotes": self.quotes,
            "reason": self.reason,
            "risks": self.risks,
            "rules": self.rules,
            "scope": self.scope,
            "score": self.score,
            "steps": self.steps,
            "states": self.states,
            "story_kind": self.story_kind,
            "strong": self.strong,
            "subjects": self.subjects,
            "than_before": self.than_before,
        }

    def written(self, value: Any) -> Any:
        """A value as the target shows it; Jinja2 calls it for everything that a template prints."""
        if isinstance(value, Markup | StrictUndefined):
            return value
        if isinstance(value, Pull):
            return self.target.pull(value, value.url)
        if isinstance(value, Whole | Real):
            return Markup(formats.number(value, self.lang))
        if isinstance(value, str):
            return self.target.escape(formats.shorten(value, LONGEST))
        raise Foreign(f"{value!r} is neither text nor a number of the claim.")

    def count(self, n: float, one: str, other: str | None = None) -> Markup:
        """`1 pull request`, `31 pull requests`, as the language's plural has it; Chinese: `count(n, "个 PR")`."""
        form = one if other is None or self.words.locale.plural_form(abs(n)) == "one" else other
        return Markup(f"{self.written(n)} {form}")

    def listed(self, items: Iterable[Any], most: int | None = None) -> Markup:
        """`a`, `a and b`, `a, b and c`; with `most`, `a, b and 3 more`. Text is escaped."""
        told = [self.written(item) for item in items]
        if most is not None and len(told) > most + 1:
            told = [*told[:most], Markup(self.words("report.more", n=len(told) - most))]
        return Markup(self.words.listed([str(item) for item in told]))

    def joined(self, told: Iterable[Told]) -> Markup:
        """The sentences of some claims as one paragraph."""
        return Markup(self.words("list.between_sentences").join(str(each.text) for each in told if each.text))

    def pulls(self, prs: Iterable[Pull], most: int = MOST_LISTED) -> Markup:
        """`#1, #2 and #3`; of many only the first, with how many more there are."""
        return self.listed(prs, most)

    def named(self, prs: Iterable[Pull], titles: Iterable[str]) -> Markup:
        """`#1 (a title) and #2 (another)`: as many pull requests as there are titles."""
        pairs = zip(prs, titles, strict=False)
        told = (self.words("report.named", pr=self.written(pr), title=self.written(title)) for pr, title in pairs)
        return Markup(self.words.listed(list(told)))

    def subjects(self, titles: Iterable[str]) -> Markup:
        """Titles of themes in a row, which hold commas of their own: `“a, b”, “c”, and “d”`."""
        return Markup(self.words.listed([self.words("report.quote", text=self.written(title)) for title in titles]))

    def counted(self, told: Told, one: Mapping[str, str], many: Mapping[str, str]) -> Markup:
        """How many there are of each of a claim's kinds: `15 fixes, 3 features and 1 revert`."""
        kinds = told.names["kinds"]
        return Markup(self.words.listed([str(self.count(told.n[kind], one[kind], many[kind])) for kind in kinds]))

    def detailed(
        self, told: Told, names: Sequence[str], macro: Callable[[Told, str], Markup], most: int | None = None
    ) -> Markup:
        """Some of a claim's names, each as a macro of the template puts it: `a (9 of 10) and b (4 of 6)`."""
        return self.listed([macro(told, name) for name in names], most)

    def change(self, told: Told) -> Markup:
        """How a claim's `now` differs from its `before`: `+4`, `new`, `none`, `no change` or `no data`."""
        return Markup(formats.delta(told.n["now"], told.n.get("before"), self.lang).text)

    def states(self, told: Told, meanings: Mapping[str, str]) -> Markup:
        """How many there are in each state that occurs: `5 still open, 1 repaired since`."""
        found = (
            (self.written(told.n[state]), self.written(meaning)) for state, meaning in meanings.items() if told.n[state]
        )
        return Markup(
            self.words("list.separator").join(self.words("report.state", n=n, what=what) for n, what in found)
        )

    def arrow(self, prs: Iterable[Pull]) -> Markup:
        """Pull requests in order of time: `#1 → #2`."""
        return Markup(" → ".join(str(self.written(pull)) for pull in prs))

    def line(self, told: Told) -> Markup:
        """A pull request in one short line: number, title, kind and importance."""
        facts = [str(self.nature(told))]
        facts += [str(self.score(told.n["importance"]))] if "importance" in told.n else []
        shown = self.words("list.separator").join(facts)
        values = {"pr": self.written(told.prs[0]), "title": self.written(told.names["title"]), "facts": shown}
        return Markup(self.words("report.line", **values))

    def chosen(self, meanings: Mapping[str, str], names: Iterable[str]) -> Markup:
        """What the template calls each of some ids: `a and b`."""
        return Markup(self.words.listed([str(self.written(meanings[name])) for name in names]))

    def code(self, text: str) -> Markup:
        """A path or name as code."""
        return self.target.code(text)

    def quote(self, text: str, most: int = LONGEST_NOTE) -> Markup:
        """The words of an author, marked as a quotation; beyond `most` columns it ends in an ellipsis."""
        return Markup(self.words("report.quote", text=self.target.escape(formats.shorten(text, most))))

    def quotes(self, texts: Iterable[str], most: int = LONGEST_NOTE) -> Markup:
        """Several words of an author, each marked as a quotation."""
        return Markup(self.words("list.separator").join(self.quote(text, most) for text in texts))

    def scope(self, told: Told) -> Markup:
        """How much a pull request changed, and where: `246 lines in ci and docker`; empty where neither is known."""
        modules, lines = self.listed(told.names["modules"], 3), told.n.get("lines")
        if not lines:
            return modules
        return Markup(self.words("report.lines_in" if modules else "report.lines", n=int(lines), modules=modules))

    def risks(self, told: Told, most: int | None = None) -> Markup:
        """The rules that fired in a pull request, the gravest first, led by its tier where that is elevated."""
        rules = self.listed((self.label(rule) for rule in told.names["rules"]), most)
        if int(str(told.names["tier"]) or 0) < ELEVATED:
            return rules
        tier = self.strong(Markup(self.words(f"tier.{told.names['tier']}")))
        return Markup(self.words("report.tier", tier=tier, rules=rules))

    def found(self, risk: Mapping[str, Any]) -> Markup:
        """What a rule found in one pull request: an entry of its `risks`. Empty where there is nothing to tell."""
        if risk["value"] is None:  # what bounds a score
            return Markup("")
        return self.target.from_markdown(evidence.sentence(risk["rule"], risk["value"], risk["evidence"], self.words))

    def reason(self, why: Mapping[str, Any]) -> Markup:
        """Why one pull request is taken to undo, bring back or repair another; empty where it can't be told."""
        return self.target.from_markdown(evidence.reason(why, self.words))

    def story_kind(self, kind: str) -> Markup:
        """What a story is called: `Revert`, `返工`."""
        return Markup(self.words(f"story.{kind}"))

    def steps(self, told: Told) -> list[Markup]:
        """What each pull request of a story did to an earlier one, and why we think so; pull requests are linked."""
        known = {int(pull): pull for pull in told.prs}
        found = (self.target.from_markdown(step) for step in stories.steps({"evidence": told.evidence}, self.words))
        return [Markup(_NUMBER.sub(lambda step: self._named(step, known), text)) for text in found]

    def _named(self, found: re.Match[str], known: Mapping[int, Pull]) -> str:
        number = int(found["number"])
        return str(self.written(known[number])) if number in known else found[0]

    def strong(self, text: Any) -> Markup:
        """Words that stand out, where the target can show that."""
        return self.target.strong(self.written(text))

    def label(self, rule: str) -> Markup:
        """What a risk rule is called."""
        return Markup(evidence.label(rule, self.words))

    def rules(self, names: Iterable[str]) -> Markup:
        """What some risk rules are called: `a, b`."""
        return Markup(self.words("list.separator").join(self.label(name) for name in names))

    def kind(self, name: str) -> Markup:
        """What a kind of change is called: `feature`, `修复`."""
        return Markup(self.words(f"kind.{name}"))

    def nature(self, told: Told) -> Markup:
        """The kind of a pull request, marked where it breaks something: `**breaking** refactoring`."""
        kind = self.kind(str(told.names["kind"]))
        if not told.names["breaking"]:
            return kind
        mark = self.strong(Markup(self.words("report.breaking")))
        return Markup(self.words("report.breaking_kind", breaking=mark, kind=kind))

    def hours(self, value: float) -> Markup:
        """`45 min`, `4.2 h`, `3.2 d`."""
        return Markup(formats.duration(self._figure(value), self.lang))

    def percent(self, value: float) -> Markup:
        """A share from 0 to 1 as `29%`."""
        return Markup(formats.percent(self._figure(value), self.lang))

    def score(self, value: float) -> Markup:
        """A score with two decimals at most."""
        return Markup(formats.measure(self._figure(value), self.lang))

    def day(self, value: str) -> Markup:
        """A day in ISO text as the language writes it."""
        return Markup(formats.day(date.fromisoformat(value), self.lang))

    def days(self, since: str, until: str) -> Markup:
        """Two days in ISO text, both included."""
        return Markup(formats.days(date.fromisoformat(since), date.fromisoformat(until), self.lang))

    def than_before(self, since: str, until: str) -> Markup:
        """What the equal period before is called: `the week before`."""
        return Markup(formats.than_before(Window(date.fromisoformat(since), date.fromisoformat(until)), self.lang))

    def _figure(self, value: Any) -> float:
        if not isinstance(value, Whole | Real):
            raise Foreign(f"{value!r} is no number of the claim.")
        return value

    def _section(self, section: str) -> Any:
        """The macros of a section, compiled once."""
        if section not in self._macros:
            self._macros[section] = self._environment.get_template(section).module
        return self._macros[section]

    def _source(self, section: str) -> str:
        """The template in one line: a line that ends at a tag joins the next, others as words are parted."""
        file = resources.files("dashboard.report").joinpath("templates", self.lang, f"{section}.jinja")
        return _LINE_BREAK.sub("" if self.lang == "zh" else " ", _AT_A_TAG.sub("", file.read_text("utf-8")))


@lru_cache(maxsize=len(LOCALES) * len(TARGETS))
def wording(lang: str, target: str) -> Wording:
    """The wording of a language for a target, its templates compiled once."""
    return Wording(lang, target)


def figures(numbers: Mapping[str, int | float]) -> dict[str, Whole | Real]:
    """The numbers of a claim, known again when a template prints them."""
    return {name: Whole(value) if isinstance(value, int) else Real(value) for name, value in numbers.items()}
