"""About the numbers: what does each one mean, and how far can it be trusted?"""

from collections.abc import Iterator

import streamlit as st

from analysis.catalogue import GROUPS
from analysis.risk import Rule
from analysis.risk_settings import RiskSettings
from dashboard import address, config, controls, formats, meanings
from dashboard.meanings import Meaning
from dashboard.view import View
from dashboard.words import Words

MOST_OPEN = 3  # found; more are listed closed
LINE_WIDTH = 860  # pixels: longer lines are hard to follow
RULES = "rules"


def draw(view: View, asked: str) -> None:
    """The page, from top to bottom."""
    words, settings = view.words, config.load().risk
    st.header(words("about.title"), anchor=False)
    st.markdown(f":gray[{words('about.lead')}]")
    draw_search(words, asked)
    found = meanings.found(meanings.meanings(view.lang), asked)
    if not found:
        st.info(words("about.nothing", text=formats.escape_markdown(asked)))
    for group, members in grouped(found):
        st.subheader(words(f"group.{group}"), anchor=False)
        with st.container(gap="xsmall"):
            for said in members:
                with st.expander(f"**{said.label}** · {said.answer}", expanded=len(found) <= MOST_OPEN):
                    st.markdown("\n\n".join(told(said, settings, words)), width=LINE_WIDTH)


def draw_search(words: Words, asked: str) -> None:
    address.show("find_picked", asked)
    st.text_input(
        words("about.search"),
        key="find_picked",
        type="search",
        placeholder=words("about.search_hint"),
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=address.put_widget,
        args=(address.FIND, "find_picked"),
        width=400,
    )


def grouped(found: list[Meaning]) -> Iterator[tuple[str, list[Meaning]]]:
    """The metrics of each group, the rules in one of their own after the metrics of risk; empty groups left out."""
    for group in GROUPS:
        metrics = [said for said in found if said.metric.group == group and not said.rule]
        rules = [said for said in found if said.metric.group == group and said.rule]
        yield from ((name, members) for name, members in ((group, metrics), (RULES, rules)) if members)


def told(said: Meaning, settings: RiskSettings, words: Words) -> Iterator[str]:
    """What there is to say of one number, a paragraph each."""
    about = said.about
    yield words("about.unit", unit=said.unit)
    if said.rule:
        yield words("list.between_sentences").join((said.why, points(said.rule, settings, words)))
    if about.details:
        yield about.details
    for part, text in (
        ("formula", about.formula),
        ("misses", about.misses),
        ("source", about.source),
        ("example", about.example),
    ):
        yield f"**{words(f'about.{part}')}**  \n{text}"
    if said.metric.keys:
        yield f"**{words('about.columns')}**  \n{words('list.separator').join(f'`{key}`' for key in said.metric.keys)}"


def points(rule: Rule, settings: RiskSettings, words: Words) -> str:
    """Above what a rule fires and what it weighs, as configured; what is built in too where that differs."""
    built_in = (rule.threshold, rule.points)
    here = (settings.thresholds.get(rule.name, rule.threshold), settings.points.get(rule.name, rule.points))
    both = [words("about.fires", **written(*here)) if here[1] else words("about.off")]
    if here != built_in:
        both.append(words("about.built_in", **written(*built_in)))
    return words("list.between_sentences").join(both)


def written(threshold: float, points: float) -> dict[str, str]:
    return {"threshold": f"{threshold:g}", "points": f"{points:g}"}


draw(controls.view(), address.read_find())
