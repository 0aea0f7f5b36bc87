"""Every sentence of the pages in English and Chinese: `Words("zh")("overview.merged", n=31)`.

The catalogues are `en.toml` and `zh.toml` beside this file. A key is the path through their tables. A value holds
`{names}` to be filled in; a table of plural forms (`one`, `other`, or `"=1"` for that very number, which Chinese needs
because it has no singular) is chosen from by the value called `n`. Numbers are written the way the language writes
them; text goes in as it is, so what came from a repository is escaped before.
"""

import re
import string
import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any

from babel import Locale
from babel.numbers import format_decimal

LANGUAGES: dict[str, str] = {"en": "EN", "zh": "中文"}  # the labels are what the address holds as `lang`
LOCALES: dict[str, str] = {"en": "en", "zh": "zh_Hans"}
_CHINESE = "[\u3000-\u303f\u3400-\u9fff\uff00-\uffef“”‘’]"
# Between a sentence and a value, whose ends \0 marks, where both are Chinese: only beside Latin and digits is a space.
_NEEDLESS_GAP = re.compile(f"(?<={_CHINESE})(\0+ \0*|\0* \0+)(?={_CHINESE})")
PLURAL_FORMS = frozenset({"=0", "=1", "zero", "one", "two", "few", "many", "other"})


class MissingWords(LookupError):
    """A catalogue lacks a key, or a sentence lacks a value: a fault of ours, so it is never shown half filled."""


def language_of(browser_locale: str | None) -> str:
    """The language for a browser that asks for `zh-CN`, `en-GB` and so on: Chinese for any Chinese, else English."""
    return "zh" if (browser_locale or "").lower().replace("_", "-").split("-")[0] == "zh" else "en"


class Words:
    """The catalogue of one language.

    Raises:
        MissingWords: there is no catalogue for `lang`.
    """

    def __init__(self, lang: str) -> None:
        if lang not in LANGUAGES:
            raise MissingWords(f"There are no words for the language {lang!r}. Known: {', '.join(LANGUAGES)}.")
        self.lang = lang
        self.locale = _locale(lang)
        self._entries = catalogue(lang)

    @staticmethod
    def label(lang: str) -> str:
        """What a language is called, as the address of a page has it."""
        return LANGUAGES[lang]

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def __call__(self, key: str, /, **values: Any) -> str:
        """The sentence at `key` with its names filled in.

        Raises:
            MissingWords: the key is not in the catalogue, or a value that the sentence names was not given.
        """
        entry = self._entries.get(key)
        if entry is None:
            raise MissingWords(f"{self.lang}.toml has no words for {key!r}.")
        try:
            template = entry if isinstance(entry, str) else entry[self._form(values["n"], entry)]
            told = template.format_map({name: f"\0{self.written(value)}\0" for name, value in values.items()})
        except KeyError as error:
            raise MissingWords(f"{key!r} in {self.lang}.toml needs a value for {error}.") from error
        return _NEEDLESS_GAP.sub("", told).replace("\0", "")

    def names(self, key: str) -> set[str]:
        """The values that the sentence at `key` wants, whichever its plural form."""
        entry = self._entries[key]
        return placeholders(entry) if isinstance(entry, str) else {"n"}.union(*map(placeholders, entry.values()))

    def listed(self, items: list[str]) -> str:
        """`a`, `a and b`, `a, b and c`. Empty for no items."""
        if len(items) < 2:
            return "".join(items)
        start = self("list.separator").join(items[:-1])
        return self("list.last", start=start, last=items[-1])

    def _form(self, n: float, entry: dict[str, str]) -> str:
        wanted = (f"={n}", self.locale.plural_form(n), "other")
        return next(form for form in wanted if form in entry)

    def written(self, value: Any) -> str:
        """A number the way the language writes it; anything else as text."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value)
        return format_decimal(value, format="#,##0.#", locale=self.locale)


@lru_cache(maxsize=8)
def _locale(lang: str) -> Locale:
    return Locale.parse(LOCALES[lang])


@lru_cache(maxsize=8)
def catalogue(lang: str) -> dict[str, str | dict[str, str]]:
    """All entries of a language by dotted key: text, or the plural forms of a text."""
    text = resources.files(__package__).joinpath(f"{lang}.toml").read_text("utf-8")
    return dict(_flat(tomllib.loads(text)))


def placeholders(template: str) -> set[str]:
    """The names that a sentence wants filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def _flat(table: dict[str, Any], path: str = "") -> list[tuple[str, str | dict[str, str]]]:
    entries: list[tuple[str, str | dict[str, str]]] = []
    for name, value in table.items():
        key = f"{path}{name}"
        if isinstance(value, dict) and not ("other" in value and set(value) <= PLURAL_FORMS):
            entries += _flat(value, f"{key}.")
        else:
            entries.append((key, value))
    return entries
