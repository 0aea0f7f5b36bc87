"""Risk: what deserves a second look before it bites?"""

import streamlit as st

from analysis.risk_settings import ELEVATED
from dashboard import (
    address,
    backtest_text,
    browse,
    config,
    controls,
    detail,
    elements,
    evidence,
    formats,
    loaders,
    risk_facts,
    tables,
)
from dashboard.address import Filters
from dashboard.listing import TIERS
from dashboard.palette import TIER_SIGNS
from dashboard.view import View
from data.frames import rows

N_EXAMPLES, N_STORIES = 5, 8
CARD_WIDTH = 165


def draw(view: View, asked: Filters, pr: str) -> None:
    """The page, from top to bottom."""
    words = view.words
    pulls = loaders.pulls(view.selection)
    filters, number = browse.checked(view, asked, pr)
    if pulls.empty:
        st.header(words("nav.risk"), anchor=False)
        browse.draw_no_merges(view)
        return
    if pulls["tier"].isna().all():
        st.header(words("nav.risk"), anchor=False)
        st.info(words("risk.none_judged"))
        st.page_link("app_pages/data_sync.py", label=words("nav.data"), icon=":material/arrow_forward:")
        return
    n_elevated = int((pulls["tier"] >= ELEVATED).sum())
    st.header(words("risk.headline", n=n_elevated, whole=words("footer.pulls", n=len(pulls))), anchor=False)
    st.markdown(f":gray[{words('risk.lead')}]")
    draw_unjudged(view)
    draw_tiers(view, filters)
    draw_list(view, filters, number)
    draw_rules(view, filters)
    left, right = st.columns(2)
    with left, st.container(border=True, height="stretch"):
        draw_stories(view)
    with right, st.container(border=True, height="stretch"):
        draw_warnings(view)
    draw_score(view)
    draw_backtest(view)


def draw_unjudged(view: View) -> None:
    """How many rules had too little to go by, since their silence is no good news; the panel below tells the rest."""
    words, unjudged = view.words, loaders.unjudged_rules(view.selection)
    if not unjudged.empty:
        missing = words.listed([words(f"need.{need}") for need in unjudged["missing"].drop_duplicates()])
        n = unjudged["rule"].nunique()
        st.caption(words("unjudged.short", n=n, missing=missing, panel=words("risk.how")))


def draw_tiers(view: View, filters: Filters) -> None:
    """How many pull requests each tier holds; a click lists them."""
    counted = risk_facts.counts_of(loaders.risk_courses(view.selection, "tier"), "tier")
    signs = (
        f".st-key-tier_{tier} [data-testid=stMetricLabel] p::before"
        f" {{ content: '{sign}'; color: {view.palette.tiers[tier]}; margin-right: 0.4em; font-size: 1.2em }}"
        for tier, sign in TIER_SIGNS.items()
    )
    st.html(f"<style>{''.join(signs)}</style>")
    nothing = [0] * max(map(len, counted.values()), default=1)
    grid = st.grid(len(TIERS), min_column_width=CARD_WIDTH)
    for tier in TIERS:
        counts = counted.get(int(tier), nothing)
        with grid.cell(), st.container(border=True, height="stretch", gap="xsmall", key=f"tier_{tier}"):
            draw_tier(view, tier, counts, is_chosen=filters.tiers == (tier,))


def draw_tier(view: View, tier: str, counts: list[int], *, is_chosen: bool) -> None:
    words = view.words
    change = formats.delta(counts[-1], counts[-2] if len(counts) > 1 else None, view.lang)
    st.metric(
        words(f"tier.{tier}"),
        formats.number(counts[-1], view.lang),
        change.text,
        delta_arrow=change.arrow,
        delta_color=change.colour,
        delta_description=words("card.versus"),
        chart_data=counts if len(counts) > 1 else None,
        chart_type="bar",
        help=risk_facts.scores_of(int(tier), config.load().risk, words),
    )
    st.button(
        words("risk.all_tiers") if is_chosen else words("footer.pulls", n=counts[-1]),
        key=f"take_tier_{tier}",
        type="tertiary",
        icon=":material/close:" if is_chosen else ":material/filter_list:",
        on_click=address.put,
        args=("tier", () if is_chosen else (tier,)),
        disabled=not counts[-1] and not is_chosen,
    )


def draw_list(view: View, filters: Filters, number: int | None) -> None:
    """The pull requests, the riskiest first, and what narrows them down."""
    words, found = view.words, browse.rows_of(view, filters)
    found = found.sort_values(["risk_score", "importance"], ascending=False, kind="stable", ignore_index=True)
    with st.container(horizontal=True, vertical_alignment="center"):
        told = [f"**{words('pulls.found', n=len(found))}**", *browse.filters_told(view, filters)]
        st.markdown(" · ".join(told))
        if filters.are_set:
            st.button(words("filters.clear"), key="clear", type="tertiary", on_click=address.clear_list)
    browse.draw(view, filters, number, found, tables.risky(words, view.palette, tz=view.window.tz))


def draw_rules(view: View, filters: Filters) -> None:
    """How often each rule fired, and the clearest examples of the chosen one."""
    words = view.words
    fired = risk_facts.fired(loaders.risk_courses(view.selection, "rule"), words)
    with st.container(border=True):
        st.subheader(words("risk.rules"), anchor=False, help=words("risk.rules_help"))
        if fired.empty:
            st.caption(words("risk.none_fired"))
            return
        names = fired["rule"].tolist()
        chosen = filters.rules[0] if filters.rules else names[0]
        left, right = st.columns(2, gap="medium")
        with left:
            elements.table(
                fired,
                f"rules {hash((view.selection, view.lang))}",
                tables.rules(words),
                alt=words("risk.rules"),
                on_row=lambda row: address.put("rule", (names[row],)),
                selected=names.index(chosen) if filters.rules and chosen in names else None,
                most_height=elements.ROW_HEIGHT * (len(names) + 1) + 2,
            )
        with right:
            draw_examples(view, chosen)


def draw_examples(view: View, rule: str) -> None:
    """Where a rule found most: the pull request, and in a sentence what it found."""
    words = view.words
    st.markdown(f"**{evidence.label(rule, words)}**  \n:gray[{evidence.why(rule, words)}]")
    examples = risk_facts.examples(loaders.pulls(view.selection), rule, N_EXAMPLES)
    if not examples:
        st.caption(words("risk.not_fired"))
    for pull, risk in examples:
        title = formats.escape_markdown(formats.shorten(pull["title"], 90))
        st.page_link("app_pages/pulls.py", label=f"**#{pull['number']}** {title}", query_params={"pr": pull["number"]})
        st.caption(evidence.sentence(rule, risk["value"], risk["evidence"], words))


def draw_stories(view: View) -> None:
    """Reverts, repairs and rework that touch the window."""
    words, found = view.words, rows(loaders.chains(view.selection))
    st.subheader(words("risk.stories"), anchor=False, help=words("risk.stories_help"))
    if not found:
        st.caption(words("risk.no_stories"))
    for story in found[:N_STORIES]:
        detail.draw_story(view, story)
    if rest := found[N_STORIES:]:
        more = st.expander(words("risk.more_stories", n=len(rest)), on_change="rerun", key="more_stories")
        if more.open:
            with more:
                for story in rest:
                    detail.draw_story(view, story)


def draw_warnings(view: View) -> None:
    """What the period before warned of, and what became of it since."""
    words = view.words
    st.subheader(words("risk.ledger"), anchor=False, help=words("risk.ledger_help"))
    if not view.knows_before:
        st.caption(words("risk.ledger_unknown"))
        return
    warned = loaders.risk_ledger(view.selection)
    if warned.empty:
        st.caption(words("risk.ledger_empty", before=formats.than_before(view.window, view.lang)))
        return
    st.markdown(risk_facts.warned_in_short(warned, formats.than_before(view.window, view.lang), words))
    told = risk_facts.warnings(warned, words)
    elements.table(
        told,
        f"warnings {hash((view.selection, view.lang))}",
        tables.warnings(words),
        alt=words("risk.ledger"),
        on_row=lambda row: controls.follow("pulls", pr=int(told["pr"].iloc[row])),
    )


def draw_score(view: View) -> None:
    """Every rule with its points, threshold and reason as configured, and how many it could not judge."""
    words = view.words
    panel = st.expander(words("risk.how"), icon=":material/functions:", on_change="rerun", key="how_scored")
    if not panel.open:
        return
    with panel:
        tiers = [formats.measure(score, view.lang) for score in config.load().risk.tiers]
        st.markdown(words("risk.sum", tiers=words.listed(tiers)))
        st.page_link("app_pages/about.py", label=words("risk.about"), icon=":material/info:")
        unjudged = loaders.unjudged_rules(view.selection)
        elements.table(
            risk_facts.rules(config.load().risk, unjudged, words),
            "score",
            tables.score(words),
            alt=words("risk.how"),
            most_height=800,
        )
        if not unjudged.empty:
            n = len(loaders.pulls(view.selection))
            st.caption(words("unjudged.note", n=n, told=evidence.unjudged(unjudged, words)))


def draw_backtest(view: View) -> None:
    """How well the score foresaw what was reverted or repaired, computed when somebody asks."""
    words = view.words
    panel = st.expander(words("backtest.asks"), icon=":material/history:", on_change="rerun", key="backtest")
    if not panel.open:
        return
    with panel:
        st.markdown(backtest_text.in_short(loaders.backtest(view.selection.repo, view.window.tz), view.lang))
        st.caption(words("risk.more_backtest"))
        st.code(f"merge-window backtest --repo {view.selection.repo}", language=None)


draw(controls.view(), *address.current_list())
