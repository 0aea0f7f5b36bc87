"""What every page shows while nothing is cached: three steps to a first page, one of which is a button."""

import streamlit as st

from dashboard import config, controls, jobs
from dashboard.words import Words


def draw(words: Words) -> None:
    """The three steps, with the language switch above."""
    with st.container(horizontal=True, horizontal_alignment="right"):
        controls.language_switch(words.lang)
    st.header(words("data.first.title"), anchor=False)
    look, own, read = st.columns(3, border=True)
    with look:
        st.subheader(f"1. {words('data.first.look')}", anchor=False)
        st.write(words("data.first.look_text"))
        jobs.sample_button(words, key="load_sample", kind="primary")
    with own:
        st.subheader(f"2. {words('data.first.own')}", anchor=False)
        jobs.commands(words, config.db_path())
    with read:
        st.subheader(f"3. {words('data.first.read')}", anchor=False)
        st.write(words("data.first.read_text"))
        st.button(words("data.import.show"), key="look_again")  # any click runs the page anew
    jobs.progress(words, then="overview")
