"""Numbers, dates and durations as a reader writes them, and text from repositories made safe for where it is shown.

`lang` is `en` or `zh`. Unknown is "–", never 0; zero is "0".
"""

import html
import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

import pandas as pd
from babel.dates import format_date, format_interval, format_skeleton, format_timedelta
from babel.numbers import format_compact_decimal, format_decimal, format_percent

from analysis.window import Window
from analysis.window_kinds import Kind, window_kind
from dashboard.words import LOCALES, Words
from data.moments import zone

UNKNOWN = "–"
SMALL = 5  # below this many, a percentage says more than is known
HOURS_A_DAY = 24
LONGEST_TITLE = 512  # columns: GitHub's longest, 256 signs, all of them Chinese

Unit = Literal["count", "hours", "share", "relative"]
Better = Literal["up", "down"]


def is_unknown(value: Any) -> bool:
    """Whether a number is missing: None, NaN, NaT or pandas' NA."""
    return value is None or bool(pd.isna(value))


# --- numbers ---------------------------------------------------------------------------------------------------


def number(value: float | None, lang: str) -> str:
    """`1,204`; one decimal at most."""
    return UNKNOWN if value is None or is_unknown(value) else format_decimal(value, "#,##0.#", locale=LOCALES[lang])


def measure(value: float | None, lang: str) -> str:
    """A measured value with two decimals at most, where one would hide that it lies above its threshold: `0.74`."""
    return UNKNOWN if value is None or is_unknown(value) else format_decimal(value, "#,##0.##", locale=LOCALES[lang])


def compact(value: float | None, lang: str) -> str:
    """A large number in three digits or so: `134.6K`, `13.5万`."""
    if value is None or is_unknown(value):
        return UNKNOWN
    return format_compact_decimal(value, locale=LOCALES[lang], fraction_digits=1)


def percent(share: float | None, lang: str) -> str:
    """A share from 0 to 1 as `29%`; `<1%` and `>99%` where rounding would claim none or all."""
    if share is None or is_unknown(share):
        return UNKNOWN
    if 0 < share <= 0.005:
        return "<" + percent(0.01, lang)
    return ">" + percent(0.99, lang) if 0.995 <= share < 1 else format_percent(share, locale=LOCALES[lang])


def share(part: float | None, whole: float | None, lang: str) -> str:
    """`29%` of `whole`; `1 of 3` where the whole is small; unknown where there is no whole."""
    if part is None or whole is None or is_unknown(part) or is_unknown(whole) or not whole:
        return UNKNOWN
    return Words(lang)("format.of", part=part, whole=whole) if whole < SMALL else percent(part / whole, lang)


def duration(hours: float | None, lang: str) -> str:
    """`45 min`, `4.2 h`, `23 h`, `3.2 d`: minutes below an hour, days from two days on."""
    if hours is None or is_unknown(hours):
        return UNKNOWN
    sign, size = ("−" if hours < 0 else ""), abs(hours)
    minutes = max(round(size * 60), 1 if size else 0)
    if minutes < 60:
        return sign + Words(lang)("duration.minutes", n=minutes)
    below_two_days = round(size) < 2 * HOURS_A_DAY
    amount, key = (size, "duration.hours") if below_two_days else (size / HOURS_A_DAY, "duration.days")
    return sign + Words(lang)(key, n=round(amount, 1) if amount < 10 else round(amount))


# --- change ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Delta:
    """What a card says of the change since the period before: `st.metric`'s delta, delta_arrow and delta_color."""

    text: str
    arrow: Literal["up", "down", "off"]
    colour: Literal["blue", "orange", "gray"]


def delta(
    now: float | None, before: float | None, lang: str, *, unit: Unit = "count", better: Better | None = None
) -> Delta:
    """How `now` differs from `before`.

    Args:
        now, before: the two values; None or NaN where it was not collected.
        unit: `count` says how many more, `relative` how many percent more (a count where either is small), `hours`
            a duration, `share` percentage points of values from 0 to 1.
        better: the direction that is good news (blue; the other is rust), or None where neither is.

    Returns:
        A count from zero is "new", a count to zero is "none", as before is "no change", and not knowing one of the
        two is "no data": four different texts, because none of them is a percentage.
    """
    words = Words(lang)
    if now is None or before is None or is_unknown(now) or is_unknown(before):
        return Delta(words("delta.no_data"), "off", "gray")
    text = _change(now, before, lang, unit)
    if text is None:
        return Delta(words("delta.no_change"), "off", "gray")
    arrow: Literal["up", "down"] = "up" if now > before else "down"
    colour: Literal["blue", "orange", "gray"] = "gray" if better is None else "blue" if better == arrow else "orange"
    return Delta(text, arrow, colour)


def _change(now: float, before: float, lang: str, unit: Unit) -> str | None:
    """The words for a change, or None where the reader would see the same value twice."""
    sign = "+" if now > before else "−"
    size = abs(now - before)
    if unit == "hours":
        return None if duration(now, lang) == duration(before, lang) else sign + duration(size, lang)
    if unit == "share":
        points = round(100 * size)
        return sign + Words(lang)("delta.points", n=points) if points else None
    if not size:
        return None
    if not before or not now:
        return Words(lang)("delta.new" if now else "delta.none")
    if unit == "relative" and min(now, before) >= SMALL:
        return sign + percent(size / before, lang)
    return sign + number(size, lang)


def than_before(window: Window, lang: str) -> str:
    """What the period before `window` is called in a comparison: `the week before`, `the 4 weeks before`."""
    unit, n = "days", window.days
    if window.whole_months:
        unit, n = "months", window.whole_months
    elif window.days % 7 == 0 and window.since.weekday() == 0:
        unit, n = "weeks", window.days // 7
    return Words(lang)(f"before.{unit}", n=n)


# --- days and moments ------------------------------------------------------------------------------------------


def day(value: date | None, lang: str) -> str:
    """`May 4, 2026`, `2026年5月4日`."""
    return UNKNOWN if value is None or is_unknown(value) else format_date(value, "medium", locale=LOCALES[lang])


def day_short(value: date, lang: str) -> str:
    """`May 4`; numeric in Chinese, `5/4`: for axes."""
    return format_skeleton("Md" if lang == "zh" else "MMMd", value, locale=LOCALES[lang])


def weekday(value: date, lang: str) -> str:
    """`Mon`, `周一`."""
    return format_skeleton("E", value, locale=LOCALES[lang])


def month(value: date, lang: str) -> str:
    """`May`, `5月`; January tells the year instead."""
    return str(value.year) if value.month == 1 else format_skeleton("MMM", value, locale=LOCALES[lang])


def days(since: date, until: date, lang: str) -> str:
    """`May 4 – 10, 2026`, `2026年5月4日 – 10日`; one day is written once."""
    # Babel sets the dash between thin spaces, which many fonts lack.
    return format_interval(since, until, "yMMMd", locale=LOCALES[lang]).replace("\u2009", " ")


def window_title(window: Window, lang: str, release: str | None = None) -> str:
    """What a report of the window is headed with: `Week 19, 2026`, `April 2026`, `v1.1 to v1.2`, `May 4 – 10, 2026`.

    Args:
        window: whose days.
        lang: en or zh.
        release: `A..B` or `A..` where the window was asked for by tags. Names come as they are, made `plain`: whoever
            shows the title escapes it.
    """
    kind = window_kind(window, release)
    if release:
        first, _, last = map(plain, release.partition(".."))
        return Words(lang)(f"window_title.{'release' if last else 'since_release'}", first=first, last=last)
    if kind in ("week", "weeks"):
        return _weeks_title(window, lang)
    if kind in ("day", "range"):
        return days(window.since, window.until, lang)
    return _months_title(window, kind, lang)


def _weeks_title(window: Window, lang: str) -> str:
    (year, first, _), (last_year, last, _) = window.since.isocalendar(), window.until.isocalendar()
    key = "two_years" if year != last_year else "week" if first == last else "weeks"
    values = {"year": year, "first": first, "last_year": last_year, "last": last}
    return Words(lang)(f"window_title.{key}", **{name: str(value) for name, value in values.items()})


def _months_title(window: Window, kind: Kind, lang: str) -> str:
    since, until, locale = window.since, window.until, LOCALES[lang]
    if kind == "half":
        return Words(lang)(f"window_title.{'first_half' if since.month == 1 else 'second_half'}", year=str(since.year))
    if kind == "quarter":
        quarter = format_date(since, "QQQQ" if lang == "zh" else "QQQ", locale=locale)
        return Words(lang)("window_title.quarter", year=str(since.year), quarter=quarter)
    shown = "y" if kind in ("year", "years") else "yMMMM"
    return spaced(format_interval(since, until, shown, locale=locale).replace("\u2009", " "))


def moment(utc: str | None, tz: str) -> str:
    """A stored UTC moment on the wall clock of `tz`: `2026-04-27 01:55`."""
    if utc is None or is_unknown(utc):
        return UNKNOWN
    return datetime.fromisoformat(utc).astimezone(zone(tz)).strftime("%Y-%m-%d %H:%M")


def ago(utc: str | None, now: str, lang: str) -> str:
    """How long before `now` a stored UTC moment was: `12 minutes ago`, `12 分钟前`."""
    if utc is None or is_unknown(utc):
        return UNKNOWN
    passed = datetime.fromisoformat(utc) - datetime.fromisoformat(now)
    if abs(passed.total_seconds()) < 60:
        return Words(lang)("format.just_now")
    return spaced(format_timedelta(passed, add_direction=True, locale=LOCALES[lang]))


def spaced(text: str) -> str:
    """The text with a space wherever Chinese meets Latin letters or digits. Not for text that others wrote."""
    text = re.sub(r"(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])", " ", text)
    return re.sub(r"(?<=[A-Za-z0-9%])(?=[\u4e00-\u9fff])", " ", text)


# --- text from repositories ------------------------------------------------------------------------------------

# They turn the reading direction of what follows, so that a title could rearrange the page around it.
BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&^=\"'@/])")
WORD_JOINER = "\u2060"  # no width, no break: it parts what Streamlit would find in the text after Markdown is read
# What Streamlit and GFM look for once the backslashes are gone: emoji and icon codes, arrows, addresses.
FOUND_LATER = re.compile(
    r"(?<=:)(?=[\w+\-][\w+\-/]*[:\[{])"  # :smile: :material/bolt: :red[..]
    r"|(?:(?<=\s)|^)[<\-~>](?=[\-=>]+(?:\s|$))"  # -> <- <-> -- >= <= ~=
    r"|(?<=[Hh][Tt][Tt][Pp]:)(?=//)|(?<=[Hh][Tt][Tt][Pp][Ss]:)(?=//)|(?<=[Ww][Ww][Ww])(?=\.)"
    r"|(?<=[\w.+\-])(?=@\w)"
)


def plain(text: Any) -> str:
    """One line of text that any screen can show: no control or direction marks, no broken characters."""
    if not isinstance(text, str):
        return "" if is_unknown(text) else str(text)
    if text.isascii() and text.isprintable():  # as most titles are
        return " ".join(text.split())
    kept = BIDI_CONTROLS.sub("", text).encode("utf-8", "replace").decode("utf-8")
    kept = "".join(" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign for sign in kept)
    return " ".join(kept.split())


def shorten(text: Any, width: int) -> str:
    """`plain` text of at most `width` columns, Chinese signs counting two; what was cut shows as an ellipsis."""
    text = plain(text)
    if columns(text) <= width:
        return text
    text = text[:width]
    while text and columns(text) >= width:
        text = text[:-1]
    return text.rstrip() + "…"


def title(text: Any) -> str:
    """A pull request's title as pages show it: whole, unless it is longer than any on GitHub."""
    return shorten(text, LONGEST_TITLE)


def columns(text: str) -> int:
    """How wide the text is in columns, Chinese signs counting two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def escape_markdown(text: Any) -> str:
    """Text that Streamlit's Markdown shows as it was written: no link, image, colour, formula, icon, emoji or HTML."""
    parted = FOUND_LATER.sub(lambda found: found[0] + WORD_JOINER, plain(text))
    return MARKDOWN_SIGNS.sub(r"\\\1", parted)


def code(text: Any) -> str:
    """A name set as code in Markdown, whatever signs it holds."""
    shown = plain(text).replace("`", "ʼ")
    return f"`{shown}`" if shown else ""


def escape_html(text: Any) -> str:
    """Text for HTML and for plotly's labels, which read tags, entities and `$formulas$`."""
    # Plotly knows few names of entities, but every number.
    return html.escape(plain(text), quote=False).replace("$", "&#36;").replace('"', "&#34;").replace("'", "&#39;")


def csv_safe(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: such text gets an apostrophe in front, numbers stay numbers."""
    if not isinstance(value, str):
        return value
    text = value.replace("\0", "")
    return "'" + text if text.lstrip()[:1] in tuple("=+-@＝＋－＠") or text[:1] in ("\t", "\r", "\n") else text
