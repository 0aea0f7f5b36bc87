"""What the reader has chosen, as the address says it: checked, with what can't be told once in their language."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from analysis.window import FIRST_DAY, LAST_DAY, Window, period_of
from dashboard import address, config, formats, loaders
from dashboard.palette import Palette, palette
from dashboard.reads import Coverage, Selection
from dashboard.words import LANGUAGES, Words, language_of
from data.errors import BadWindow, MergeWindowError
from data.frames import rows
from data.moments import day_of, local_day

TOLD = "told of the address"
LANGUAGE_OF_LABEL = {label.casefold(): lang for lang, label in LANGUAGES.items()} | {lang: lang for lang in LANGUAGES}


@dataclass(frozen=True)
class View:
    """What the reader has chosen, checked: what pages ask for and how they write it."""

    selection: Selection
    latest: Window  # what no window in the address means
    coverage: Coverage | None  # None: nothing merged is cached
    repository: dict[str, Any]  # its row of `loaders.repositories`
    lang: str
    theme: str
    in_address: address.Frame

    @property
    def window(self) -> Window:
        return self.selection.window

    @cached_property
    def words(self) -> Words:
        return Words(self.lang)

    @cached_property
    def palette(self) -> Palette:
        return palette(self.theme)

    @property
    def knows_before(self) -> bool:
        """Whether the cache holds all of the equal period before."""
        return self.coverage is not None and self.window.before.since >= self.coverage.first


def usual_language() -> str:
    """The configured language, else the reader's own."""
    try:
        configured = config.load().lang
    except MergeWindowError:  # told where the page is drawn
        configured = None
    return configured or language_of(st.context.locale)


def language(in_address: address.Frame) -> str:
    """The language to write in."""
    return LANGUAGE_OF_LABEL.get(in_address.lang.casefold()) or usual_language()


def theme() -> str:
    """`dark` or `light`; light before the browser has told."""
    return "dark" if st.context.theme.type == "dark" else "light"


def resolve(in_address: address.Frame) -> View | None:
    """The view that the address asks for; what it asks for in vain is told once. None where nothing is cached."""
    repositories = rows(loaders.repositories())
    if not repositories:
        return None
    lang, tz = language(in_address), config.load().tz
    words = Words(lang)
    repository = _repository(in_address.repo, repositories) or _usual_repository(repositories)
    covered = loaders.coverage(repository["repo"], tz)
    latest = loaders.default_window(repository["repo"], tz) or _last_import_week(repository, tz)
    window, problem = _window(in_address.window, latest, words)
    unknown = [
        ("lang", in_address.lang, LANGUAGES[lang], in_address.lang.casefold() in LANGUAGE_OF_LABEL),
        ("repo", in_address.repo, repository["repo"], _repository(in_address.repo, repositories) is not None),
        ("bots", in_address.bots, "false", in_address.bots in (address.TRUE, "false")),
    ]
    problems = [unknown_keys(words, keys)] if (keys := strange()) else []
    problems += [bad_value(words, key, asked, shown) for key, asked, shown, known in unknown if asked and not known]
    tell_once("frame", problems + ([problem] if problem else []))
    selection = Selection(repository["repo"], window, bots=in_address.bots == address.TRUE)
    return View(selection, latest, covered, repository, lang, theme(), in_address)


def strange() -> list[str]:
    """The keys of the address that no page knows."""
    return sorted(set(st.query_params) - address.KEYS)


def unknown_keys(words: Words, keys: list[str]) -> str:
    """The sentence that tells of keys in the address that mean nothing."""
    named = words.listed([formats.shorten(key, 40) for key in keys])
    return words("filters.unknown_key", n=len(keys), key=formats.escape_markdown(formats.shorten(named, 160)))


def bad_value(words: Words, key: str, value: str, shown: str) -> str:
    """The sentence that tells of a value in the address which is not known."""
    safe = formats.escape_markdown(formats.shorten(value, 40))
    return words("filters.bad_value", key=key, value=safe, shown=formats.escape_markdown(shown))


def tell_once(about: str, problems: list[str]) -> None:
    """One toast for all that the address asks for in vain; not again while it stands there."""
    told = st.session_state.setdefault(TOLD, {})
    if problems and told.get(about) != problems:
        st.toast("  \n".join(problems), icon=":material/info:", duration="long")
    told[about] = problems


def _repository(asked: str, repositories: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The row of a repository by its name or a former one."""
    wanted = asked.casefold()
    for row in repositories:
        if wanted in (name.casefold() for name in (row["repo"], *row["aliases"])):
            return row
    return None


def _usual_repository(repositories: list[dict[str, Any]]) -> dict[str, Any]:
    """The configured one, else the one that was filled last."""
    configured = _repository(config.load().repo or "", repositories)
    return configured or max(repositories, key=lambda row: (row["last_import_at"] or "", row["repo"]))


def _last_import_week(repository: dict[str, Any], tz: str) -> Window:
    """A window to show for a repository without a single merge."""
    return period_of(local_day(repository["last_import_at"], tz), "W", tz)


def _window(asked: Sequence[str], latest: Window, words: Words) -> tuple[Window, str | None]:
    """The window of two dates in the address, else the latest week and what is wrong with them."""
    if not asked:
        return latest, None
    try:
        return window_of(asked, latest.tz, words), None
    except BadWindow as error:
        days = formats.escape_markdown(formats.days(latest.since, latest.until, words.lang))
        return latest, words("filters.bad_window", reason=str(error), shown=days)


def window_of(asked: Sequence[str], tz: str, words: Words) -> Window:
    """The window of two dates in the address, with what is wrong told in the reader's language."""
    try:
        days = [day_of(text) for value in asked for text in value.split(address.TO)]
    except BadWindow:
        raise BadWindow(words("filters.window_no_date")) from None
    if len(days) != 2:
        raise BadWindow(words("filters.window_one_end"))
    since, until = days
    if until < since:
        raise BadWindow(words("filters.window_reversed"))
    try:
        return Window(since, until, tz)
    except BadWindow:
        years = {"first": str(FIRST_DAY.year), "last": str(LAST_DAY.year)}
        raise BadWindow(words("filters.window_too_far", **years)) from None
