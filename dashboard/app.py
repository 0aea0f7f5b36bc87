"""The entry of the dashboard: the list of pages, the filters that all of them share, and the chosen page."""

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources

import streamlit as st

from dashboard import address, controls, first_run, jobs, loaders
from dashboard import view as reader
from dashboard.words import Words
from data.errors import CacheError, MergeWindowError

THEME = resources.files("dashboard") / "theme"
# File, path in the address, icon; the first is the default and lives at `/`.
PAGES = (
    ("overview", "overview", "space_dashboard"),
    ("pulls", "pulls", "merge"),
    ("risk", "risk", "warning"),
    ("compare", "compare", "compare_arrows"),
    ("report", "report", "article"),
    ("data_sync", "data", "database"),
    ("about", "about", "info"),
)
WITH_LIST = ("pulls", "risk")  # their address holds the filters of a list
OWN_KEYS = {"about": (address.FIND,), "report": address.REPORT_KEYS, "compare": (address.BEFORE,)}


@st.cache_resource
def freeze_imports() -> None:
    """Take what was imported out of the garbage collector's sight: Streamlit collects after every run of a page."""
    gc.collect()
    gc.freeze()


def navigation(words: Words) -> dict[str, st.Page]:
    """The pages by their path, in the order of the top bar."""
    return {
        path: st.Page(
            f"app_pages/{file}.py",
            title=words(f"nav.{path}"),
            icon=f":material/{icon}:",
            url_path=path,
            default=path == PAGES[0][1],
        )
        for file, path, icon in PAGES
    }


@contextmanager
def told_failures(words: Words) -> Iterator[None]:
    """What fails is told in the reader's language, with what to do, while the trace goes to the log."""
    try:
        yield
    except CacheError as error:
        st.error(words("error.cache", reason=str(error)))
    except MergeWindowError as error:
        st.error(str(error))
    except Exception:
        logging.getLogger(__name__).exception("A page failed")
        told = [words("error.title"), words("error.works"), words("error.todo")]
        st.error(words("list.between_sentences").join(told))


st.set_page_config(page_title="Merge Window", page_icon=str(THEME / "icon.svg"), layout="wide")
st.html(f"<style>{address.STYLE}{controls.STYLE}</style>")
freeze_imports()
in_address = address.read_frame()
words = Words(reader.language(in_address))
st.logo(str(THEME / f"logo-{reader.theme()}.svg"), size="medium")
pages = navigation(words)
page = st.navigation(list(pages.values()), position="top")
if page.url_path in WITH_LIST:
    address.read_list(page.url_path)
else:
    address.forget_list()
address.forget_others(*OWN_KEYS.get(page.url_path, ()))
controls.follow_now(pages, page)
with told_failures(words):
    try:
        loaders.begin_run()
        view = reader.resolve(in_address)
    except CacheError:
        if not jobs.is_running():
            raise
        view = None  # the first import is just making the cache
    if view is None:
        first_run.draw(words)
    else:
        controls.frame(view)
        with told_failures(words):
            page.run()
        controls.footer(view)
