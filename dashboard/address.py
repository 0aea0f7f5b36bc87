"""The address of a page is its state: what it holds, and how a change of it becomes one step of Back.

Streamlit's own `bind="query-params"` replaces the current history entry when a reader moves a bound widget, so that
Back would leave the page instead of undoing the change; only a value set from a callback makes a new entry. So each
key is bound to a carrier that nobody sees, the widgets in sight are unbound and follow it, and their callbacks set it.
Carriers hold plain text, so that a wrong value can be told instead of being dropped without a word, and their default
is always "nothing": what nothing means (the latest week, the reader's language) may change from day to day.

Carriers are disabled: what the browser believes of them is then never asked for, else a quick second click would
bring back the value that the first has just replaced.

The list's carriers stand in a closed popover, which the browser does not mount: Streamlit then lets them go when the
page changes. Mounted ones would cost an extra step of Back and stand twice in links from other pages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

ONE_FRAME_KEYS = ("repo", "bots", "lang")
ONE_LIST_KEYS = ("q", "path", "pr", "all")
MANY_LIST_KEYS = ("kind", "module", "tier", "rule", "only")
LIST_KEYS = (*ONE_LIST_KEYS, *MANY_LIST_KEYS)
# What is looked for among the explained numbers: two pages can't both have `q`, Back from one to the other loses it.
FIND = "find"
REPORT_KEYS = (SIZE, ID) = ("size", "id")  # how much the report tells, and which numbers a link was made of
BEFORE = "before"  # the window that another is compared with
PAGE_KEYS = (FIND, *REPORT_KEYS, BEFORE)  # each on one page only
# Streamlit's own: a page within another.
EMBEDDED = ("embed", "embed_options")
KEYS = frozenset({*ONE_FRAME_KEYS, "window", *LIST_KEYS, *PAGE_KEYS, *EMBEDDED})
TRUE = "true"
TO = ".."  # between the ends of a window that is written as one value

HIDDEN, HIDDEN_LIST, FOLLOWED = "address", "address-list", "follow"
ECHO_SECONDS = 1.0
SHOWN = "address shown"
CURRENT, CLEARING, CLEARED, ON_PAGE = "address list", "address clearing", "address cleared", "address page"
FOLLOW_SCRIPT = f"""
(function go() {{
    const link = document.querySelector(".st-key-{FOLLOWED} a")
    link ? link.click() : setTimeout(go, 10)
}})()
"""
# Streamlit wraps a container once more; a wrapper of nothing would still leave its gap.
STYLE = "".join(
    f'.st-key-{key}, [data-testid="stLayoutWrapper"]:has(> .st-key-{key}) {{ display: none }}\n'
    for key in (HIDDEN, HIDDEN_LIST, FOLLOWED)
)


@dataclass(frozen=True)
class Frame:
    """What the address says of the filters that all pages share, as it stands there; nothing is checked yet."""

    repo: str
    window: tuple[str, ...]
    bots: str
    lang: str


@dataclass(frozen=True)
class Filters:
    """What the address says of the list of pull requests; the same filters make the same rows."""

    q: str = ""
    kinds: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    path: str = ""
    everywhere: bool = False

    @property
    def are_set(self) -> bool:
        """Whether they leave anything out."""
        return self != Filters(everywhere=self.everywhere)


def read_frame() -> Frame:
    """Draw the carriers of the shared filters and tell what they hold."""
    with st.container(key=HIDDEN):
        repo, bots, lang = (_one(key) for key in ONE_FRAME_KEYS)
        return Frame(repo, tuple(_many("window")), bots, lang)


def read_list(page: str) -> tuple[Filters, str]:
    """Draw the carriers of the list's filters; what they hold, and the number of the chosen pull request as text.

    What another page's list was narrowed down to is not taken along to this one.
    """
    _end_clearing()
    if st.session_state.get(ON_PAGE, page) != page:
        forget_list()
    st.session_state[ON_PAGE] = page
    if st.session_state.pop(CLEARING, False):
        st.session_state[CLEARED] = True
        return _remember(Filters(), "")
    with st.container(key=HIDDEN_LIST), st.popover("address"):
        q, path, pr, everywhere = (_one(key) for key in ONE_LIST_KEYS)
        kinds, modules, tiers, rules, only = (tuple(_many(key)) for key in MANY_LIST_KEYS)
    return _remember(Filters(q, kinds, modules, tiers, rules, only, path, everywhere == TRUE), pr)


def read_find() -> str:
    """Draw the carrier of what is looked for among the explained numbers, and tell what it holds."""
    with st.container(key=HIDDEN_LIST), st.popover("address"):
        return _one(FIND)


def read_report() -> tuple[str, str]:
    """The same of the report: its length, and the id that it had when the link was made."""
    with st.container(key=HIDDEN_LIST), st.popover("address"):
        return _one(SIZE), _one(ID)


def read_before() -> tuple[str, ...]:
    """The same of a comparison: the days of the other window."""
    with st.container(key=HIDDEN_LIST), st.popover("address"):
        return tuple(_many(BEFORE))


def current_list() -> tuple[Filters, str]:
    """What `read_list` told in this run."""
    found: tuple[Filters, str] = st.session_state[CURRENT]
    return found


def clear_list() -> None:
    """Take all of the list's filters out of the address, from a callback.

    Each key set to nothing would make its own step of Back. Carriers that one run leaves out go in a single step.
    """
    st.session_state[CLEARING] = True


def forget_list() -> None:
    """Let the list's filters go on a page that has no list; Streamlit would bring them back on the next visit."""
    _forget(LIST_KEYS)


def forget_others(*own: str) -> None:
    """The same for the keys of single pages, on a page that has but these of its own."""
    _forget([key for key in PAGE_KEYS if key not in own])


def put(key: str, value: Any) -> None:
    """Set a key of the address from a callback: text, a list of text, a number, a truth or None for "nothing"."""
    _end_clearing()
    if key in (*MANY_LIST_KEYS, "window", BEFORE):
        st.session_state[key] = [str(item) for item in value or ()]
    else:
        st.session_state[key] = TRUE if value is True else str(value or "")


def show(widget: str, value: Any) -> None:
    """Make a widget in sight show what the address holds; call it before the widget is drawn."""
    if (held := st.session_state.get(widget)) != value:
        st.session_state.setdefault(SHOWN, {})[widget] = (held, monotonic())
    st.session_state[widget] = value


def is_echo(widget: str) -> bool:
    """Whether an `on_change` is not the reader's doing.

    Just after `show` the browser may not know the new value yet. A click on anything then sends the old one along,
    which looks like a change back.
    """
    before, at = st.session_state.get(SHOWN, {}).get(widget, (None, 0.0))
    return bool(st.session_state[widget] == before and monotonic() - at < ECHO_SECONDS)


def put_widget(key: str, widget: str) -> None:
    """`on_change` of the widget in sight: the address takes over what it holds."""
    if not is_echo(widget):
        put(key, st.session_state[widget])


def link(values: Mapping[str, Any], *, page_url: str | None) -> str:
    """The whole address of a page that holds these keys; those with nothing in them are left out."""
    scheme, host, path, *_ = urlsplit(page_url or "")
    query = urlencode([(key, item) for key, value in values.items() for item in _texts(value)], safe="/")
    return urlunsplit((scheme, host, path or "/", query, ""))


def follow(page: Any, values: Mapping[str, Any]) -> None:
    """Go to a page with these keys set, as if the reader had clicked a link: one step of Back.

    `st.switch_page` cannot do it: it refuses keys that are bound, and makes two steps.
    """
    with st.container(key=FOLLOWED):
        st.page_link(page, label="follow", query_params={key: list(_texts(value)) for key, value in values.items()})
        st.html(f"<script>{FOLLOW_SCRIPT}</script>", unsafe_allow_javascript=True)


def _forget(keys: Sequence[str]) -> None:
    for key in keys:
        if key in st.session_state:
            del st.session_state[key]


def _end_clearing() -> None:
    """After the run without carriers: Streamlit has kept what they held, for their return."""
    if st.session_state.pop(CLEARED, False):
        forget_list()


def _remember(filters: Filters, pr: str) -> tuple[Filters, str]:
    st.session_state[CURRENT] = (filters, pr)
    return filters, pr


def _one(key: str) -> str:
    return st.text_input(key, key=key, bind="query-params", disabled=True) or ""


def _many(key: str) -> list[str]:
    return st.multiselect(key, [], key=key, bind="query-params", accept_new_options=True, disabled=True)


def _texts(value: Any) -> Sequence[str]:
    if value is None or value is False or value == "":
        return ()
    if isinstance(value, list | tuple):
        return [str(item) for item in value]
    return [TRUE if value is True else str(value)]
