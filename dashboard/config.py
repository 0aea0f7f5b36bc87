"""`merge-window.toml`: the few things a team sets once, and where the cache lies."""

import hashlib
import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from fnmatch import translate
from pathlib import Path
from typing import Any

from analysis.module_rules import ModuleRule, ModuleRules
from analysis.presets import DEFAULT_PRESET, PRESETS
from analysis.risk_settings import TIERS, RiskSettings
from analysis.vocabulary import LONGEST_NAME, word_key
from analysis.working_calendar import WEEKDAYS, BadCalendar, Calendar
from data.cache import default_path
from data.errors import BadWindow, MergeWindowError
from data.moments import day_of, zone

DB_VARIABLE, CONFIG_VARIABLE = "MERGE_WINDOW_DB", "MERGE_WINDOW_CONFIG"
SYNC_VARIABLE = "MERGE_WINDOW_SYNC_EVERY"  # seconds, from `serve --sync-every` to its pages
FILE_NAME = "merge-window.toml"
LANGUAGES = ("en", "zh")
LONGEST_MODULE = 60  # letters of a module's name
LARGEST_WEIGHT = 100  # of a part of a score that goes to 10
_WEIGHT = {"importance": "breaking = 1.4", "insight": "measured = 1.5"}


class ConfigError(MergeWindowError):
    """The configuration file can't be used: absent, no TOML, an unknown key or a wrong value."""


@dataclass(frozen=True)
class Config:
    """What a team sets once; every value has a default, so that no file is needed."""

    tz: str = "UTC"  # the zone that cuts days and weeks
    lang: str | None = None  # en or zh; None: the reader's browser decides
    repo: str | None = None  # shown first
    preset: str = DEFAULT_PRESET  # whose weights of importance: one of PRESETS
    importance: Mapping[str, float] = field(default_factory=dict)  # weight of each part, over the preset's
    insight: Mapping[str, float] = field(default_factory=dict)  # weight of each part, over the built-in ones
    calendar: Calendar = field(default_factory=Calendar)  # when the team works, by the clock of `tz`
    risk: RiskSettings = field(default_factory=RiskSettings)
    modules: Mapping[str, ModuleRule] = field(default_factory=dict)  # by name, over what is learned
    learn_modules: bool = True  # False: no modules but those
    templates: Path | None = None  # folder with a team's own layouts of the report's sections

    @property
    def module_rules(self) -> ModuleRules:
        """What is said of modules, as the analysis takes it."""
        return ModuleRules(self.modules, self.learn_modules)

    @property
    def importance_weights(self) -> dict[str, float]:
        """The weights of importance that differ from the built-in ones."""
        return {**PRESETS[self.preset], **self.importance}

    @property
    def digest(self) -> str:
        """Changes when anything does that derived results depend on."""
        settings = {
            "importance": self.importance_weights,
            "insight": dict(self.insight),
            "risk": asdict(self.risk),
            "modules": asdict(self.module_rules),
        }
        return hashlib.blake2b(json.dumps(settings, sort_keys=True).encode(), digest_size=6).hexdigest()


def load(path: Path | None = None) -> Config:
    """The configuration from `path`, else from the variable, else from the working folder's file, else defaults.

    Raises:
        ConfigError: a file that was named is absent or unreadable, or any file holds what is not understood.
    """
    named = path or (Path(os.environ[CONFIG_VARIABLE]) if os.environ.get(CONFIG_VARIABLE) else None)
    file = named or Path(FILE_NAME)
    if named is None and not file.exists():
        return Config()
    try:
        return _checked(tomllib.loads(file.read_text(encoding="utf-8-sig")), file)
    except OSError as error:
        raise ConfigError(f"The configuration {file} can't be read: {error.strerror}. Check the path.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"The configuration {file} is not TOML: {error}.") from error


def db_path(option: Path | None = None) -> Path:
    """The cache to use: the option, else the variable, else a file in the user's data folder."""
    return option or Path(os.environ.get(DB_VARIABLE) or default_path())


def sync_every() -> timedelta | None:
    """How often this server syncs by itself; None: never."""
    seconds = os.environ.get(SYNC_VARIABLE, "")
    return timedelta(seconds=int(seconds)) if seconds.isdigit() else None


def _checked(values: dict[str, Any], file: Path) -> Config:
    known = Config.__dataclass_fields__
    if unknown := sorted(set(values) - set(known)):
        raise ConfigError(f"Unknown key {unknown[0]!r} in {file}. Known: {', '.join(sorted(known))}.")
    for key in ("tz", "lang", "repo", "preset"):
        if not isinstance(values.get(key, ""), str):
            raise ConfigError(f"`{key}` in {file} must be text, not {values[key]!r}.")
    if values.get("lang", "en") not in LANGUAGES:
        raise ConfigError(f"`lang` in {file} is {values['lang']!r}. Known: {', '.join(LANGUAGES)}.")
    if values.get("preset", DEFAULT_PRESET) not in PRESETS:
        raise ConfigError(f"`preset` in {file} is {values['preset']!r}. Known: {', '.join(PRESETS)}.")
    for key in ("importance", "insight"):
        weights = values.get(key, {})
        if not isinstance(weights, dict) or not all(map(_is_number, weights.values())):
            bounds = f"from -{LARGEST_WEIGHT} to {LARGEST_WEIGHT}"
            raise ConfigError(f"`{key}` in {file} must be a table of numbers {bounds}, such as {_WEIGHT[key]}.")
    zone(values.get("tz", "UTC"))
    calendar = _calendar(values.pop("calendar", {}), values.get("tz", "UTC"), file)
    risk = _risk(values.pop("risk"), file) if "risk" in values else RiskSettings()
    if not isinstance(values.get("learn_modules", True), bool):
        raise ConfigError(f"`learn_modules` in {file} must be true or false, not {values['learn_modules']!r}.")
    modules = _modules(values.pop("modules", {}), file)
    if "templates" in values:
        values["templates"] = _folder(values["templates"], file)
    return Config(**values, calendar=calendar, risk=risk, modules=modules)


def _folder(name: Any, file: Path) -> Path:
    """A folder, told from where the configuration lies."""
    if not isinstance(name, str) or not (file.parent / name).is_dir():
        raise ConfigError(f"`templates` in {file} must name a folder that is there, not {name!r}.")
    return file.parent / name


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) <= LARGEST_WEIGHT


def _calendar(table: Any, tz: str, file: Path) -> Calendar:
    if not isinstance(table, dict):
        raise ConfigError(f'`calendar` in {file} must be a table, such as [calendar] with start = "09:00".')
    if unknown := sorted(set(table) - set(_CALENDAR)):
        raise ConfigError(f"Unknown key {unknown[0]!r} in `calendar` of {file}. Known: {', '.join(_CALENDAR)}.")
    values = {}
    for key, value in table.items():
        read, example = _CALENDAR[key]
        try:
            values[key] = read(value)
        except (TypeError, ValueError, BadWindow) as error:
            raise ConfigError(f"`{key}` in `calendar` of {file} must be like {example}, not {value!r}.") from error
    try:
        return Calendar(**values, tz=tz)
    except BadCalendar as error:
        raise ConfigError(f"`calendar` in {file} can't be used. {error}") from error


def _days(names: Any) -> tuple[str, ...]:
    """Working days in the order of the week."""
    if not isinstance(names, list) or set(names) - set(WEEKDAYS):
        raise ValueError(names)
    return tuple(day for day in WEEKDAYS if day in names)


def _clock(text: Any) -> timedelta:
    """`HH:MM` since midnight, up to 24:00."""
    found = re.fullmatch(r"(\d\d):([0-5]\d)", text)
    if not found:
        raise ValueError(text)
    return timedelta(hours=int(found[1]), minutes=int(found[2]))


def _holidays(days: Any) -> frozenset[date]:
    """Dates, as ISO text or as TOML writes them."""
    return frozenset(day if type(day) is date else day_of(day) for day in days)


_CALENDAR: Mapping[str, tuple[Callable[[Any], Any], str]] = {
    "days": (_days, '["Mon", "Tue"]'),
    "start": (_clock, '"09:00"'),
    "end": (_clock, '"18:00"'),
    "holidays": (_holidays, '["2026-10-01"]'),
}


def _risk(table: Any, file: Path) -> RiskSettings:
    """The table `[risk]`, checked."""
    from analysis.risk import check  # only where it is set: the rules bring pandas along

    known = RiskSettings.__dataclass_fields__
    if not isinstance(table, dict):
        raise ConfigError(f"`risk` in {file} must be a table, such as [risk.points].")
    if unknown := sorted(set(table) - set(known)):
        raise ConfigError(f"Unknown key 'risk.{unknown[0]}' in {file}. Known: {', '.join(sorted(known))}.")
    for key in ("points", "thresholds"):
        given = table.get(key, {})
        if not isinstance(given, dict) or not all(type(value) in (int, float) for value in given.values()):
            raise ConfigError(f"`risk.{key}` in {file} must be a table of numbers, such as breaking = 20.")
    tiers = _list(table, "tiers", file, {int, float}, "[8, 26, 44]")
    core, hot = (_paths(table, key, file) for key in ("core_paths", "hot_paths"))
    settings = RiskSettings(table.get("points", {}), table.get("thresholds", {}), tiers or TIERS, core, hot)
    try:
        check(settings)
    except MergeWindowError as error:
        raise ConfigError(f"In {file}: {error}") from error
    return settings


def _list(table: dict[str, Any], key: str, file: Path, kinds: set[type], example: str) -> tuple[Any, ...]:
    given = table.get(key, [])
    if not isinstance(given, list) or not {type(value) for value in given} <= kinds:
        raise ConfigError(f"`risk.{key}` in {file} must be a list, such as {example}.")
    return tuple(given)


def _paths(table: dict[str, Any], key: str, file: Path) -> tuple[str, ...]:
    patterns = _list(table, key, file, {str}, '["src/core/*"]')
    if idle := [each for each in patterns if not _may_mean_a_path(each)]:
        raise ConfigError(
            f"`risk.{key}` in {file} holds {idle[0]!r}, which means no path. Drop it, or write it like src/core/*, from"
            " the root and without a slash before it."
        )
    return patterns


def _may_mean_a_path(pattern: str) -> bool:
    """Whether some path could match: `[z-a]` holds no letter, and nothing can be left out again by a `!`."""
    return bool(pattern.strip("/ ")) and not pattern.startswith(("/", "./", "!")) and "(?!)" not in translate(pattern)


def _modules(tables: Any, file: Path) -> dict[str, ModuleRule]:
    if not isinstance(tables, dict):
        raise ConfigError(f"`modules` in {file} must hold tables, such as [modules.web], not {tables!r}.")
    if odd := [name for name in tables if not _can_be_shown(name)]:
        raise ConfigError(
            f"`modules` in {file} can't name a module {odd[0][:LONGEST_MODULE]!r}. Give it a name of 1 to"
            f" {LONGEST_MODULE} letters, on one line."
        )
    rules = {name: _module(name, values, file) for name, values in tables.items()}
    bearers: dict[str, str] = {}
    for module, rule in rules.items():
        for name in sorted({module, *rule.aliases, *rule.words}):
            other = bearers.setdefault(word_key(name), module)
            if other != module:
                raise ConfigError(f"`modules.{other}` and `modules.{module}` in {file} both go by {name!r}. Drop one.")
    return rules


def _can_be_shown(name: str) -> bool:
    return any(map(str.isalnum, name)) and name.isprintable() and len(name) <= LONGEST_MODULE


def _module(name: str, values: Any, file: Path) -> ModuleRule:
    place, known = f"modules.{name}", ModuleRule.__dataclass_fields__
    if not isinstance(values, dict):
        raise ConfigError(f"`{place}` in {file} must be a table with any of {', '.join(known)}, not {values!r}.")
    if unknown := sorted(set(values) - set(known)):
        raise ConfigError(f"Unknown key {unknown[0]!r} in `{place}` of {file}. Known: {', '.join(known)}.")
    if not isinstance(values.get("hide", False), bool):
        raise ConfigError(f"`{place}.hide` in {file} must be true or false, not {values['hide']!r}.")
    for key in sorted(set(values) - {"hide"}):
        listed = values[key]
        if not isinstance(listed, list):
            raise ConfigError(f"`{place}.{key}` in {file} must be a list of texts, not {listed!r}.")
        if bad := [each for each in listed if not (isinstance(each, str) and each.strip("/ "))]:
            raise ConfigError(f"`{place}.{key}` in {file} must be a list of texts; {bad[0]!r} says nothing. Drop it.")
    if excluding := [pattern for pattern in values.get("paths", []) if pattern.startswith("!")]:
        raise ConfigError(f"`{place}.paths` in {file} can't leave paths out again, as {excluding[0]!r} would.")
    if long := [word for word in values.get("words", []) if word_key(word).count("_") >= LONGEST_NAME]:
        raise ConfigError(f"`{place}.words` in {file} holds {long[0]!r}; at most {LONGEST_NAME} words can go together.")
    rule: dict[str, Any] = {key: value if key == "hide" else tuple(value) for key, value in values.items()}
    return ModuleRule(**rule)
