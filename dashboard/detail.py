"""One pull request in full: what it changed, how it went, why it matters, and what to look at again."""

from typing import Any, Literal
from urllib.parse import urlsplit

import pandas as pd
import streamlit as st

from analysis.unjudged import unjudged
from dashboard import charts, evidence, formats, meanings, stories, tables, timeline
from dashboard.elements import chart, table
from dashboard.reads import PullDetail
from dashboard.view import View
from dashboard.words import Words
from data.frames import rows

BODY_SIGNS = 2000  # of the description; the rest is a click away on its host
MOST_HEIGHT = 300


def draw(view: View, pull: PullDetail) -> None:
    """Title, facts, stages, scores, risks, stories, files, reviews and description, as far as they are known."""
    row = pull.row
    draw_title(view, row)
    draw_facts(view, pull)
    draw_note(view, pull)
    draw_stages(view, pull)
    draw_score(view, row, "importance")
    draw_score(view, row, "insight")
    draw_risk(view, row)
    draw_chains(view, pull)
    draw_files(view, pull)
    draw_reviews(view, pull)
    draw_description(view, row)


def draw_title(view: View, row: dict[str, Any]) -> None:
    words = view.words
    st.subheader(f"#{row['number']} {formats.escape_markdown(formats.title(row['title']))}", anchor=False)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(words(f"state.{row['state']}"), color="blue" if row["state"] == "merged" else "gray")
        if row["kind"]:
            st.badge(words(f"kind.{row['kind']}"), color="gray")
        if is_true(row["is_key"]):
            st.badge(words("detail.key"), color="gray")
        if is_true(row["is_breaking"]):
            st.badge(words("detail.breaking"), color="orange")
        for mark in tables.marks_of(row["author_type"], row["is_assisted"]):
            st.badge(words(f"mark.{mark}"), color="violet", help=meanings.short("assisted", words))
        if (url := urlsplit(str(row["url"] or ""))).scheme in ("http", "https"):
            st.link_button(
                words("detail.open_host", host=url.netloc), url.geturl(), type="tertiary", icon=":material/open_in_new:"
            )


def draw_facts(view: View, pull: PullDetail) -> None:
    """Who, when, where to and how much, a line each."""
    words, row, tz = view.words, pull.row, view.window.tz
    told = []
    if row["author"]:
        told.append(words("detail.author", who=formats.escape_markdown(row["author"])))
    if row["created_at"]:
        told.append(words("detail.opened", moment=formats.moment(row["created_at"], tz)))
    if row["merged_at"]:
        key = "detail.merged" if row["merged_by"] else "detail.merged_anonymous"
        moment = formats.moment(row["merged_at"], tz)
        told.append(words(key, moment=moment, who=formats.escape_markdown(row["merged_by"])))
    if row["base"] and row["head"]:
        told.append(words("detail.into", head=formats.code(row["head"]), base=formats.code(row["base"])))
    if not formats.is_unknown(row["additions"]):
        added, deleted = int(row["additions"]), int(row["deletions"] or 0)
        told.append(words("detail.size", added=added, deleted=deleted, n=n_files(pull)))
    told.append(words(f"detail.{tests_touched(row)}") if tests_touched(row) else "")
    st.markdown(" · ".join(filter(None, told)))
    for label, values in (
        ("detail.labels", [formats.code(label) for label in pull.labels]),
        ("detail.milestone", [formats.escape_markdown(row["milestone"])] if row["milestone"] else []),
        ("detail.co_authors", [formats.escape_markdown(name) for name in pull.co_authors]),
        ("detail.modules", module_reasons(view, pull.modules)),
        ("detail.links", [link_sentence(view, link) for link in pull.links.to_dict("records")]),
    ):
        if values:
            st.markdown(words("detail.fact", label=words(label), values=words("list.separator").join(values)))


def draw_note(view: View, pull: PullDetail) -> None:
    """What the author says of it, word for word."""
    for key, quoted in (("own_words", [pull.said.text]), ("measured", pull.said.measured)):
        if shown := [formats.escape_markdown(text) for text in quoted if text]:
            st.markdown(f"**{view.words(f'detail.{key}')}**\n\n> " + "\n>\n> ".join(shown))


def draw_stages(view: View, pull: PullDetail) -> None:
    """The way from opened to merged as one bar, where it is known."""
    words = view.words
    stages = timeline.stages(pull.row, pull.reviews)
    if not stages:
        return
    figure = timeline.bar(stages, view.palette, words)
    st.markdown(f"**{words('timeline.title')}**")
    chart(figure, f"timeline {pull.row['number']}")


def draw_score(view: View, row: dict[str, Any], name: Literal["importance", "insight"]) -> None:
    words, parts = view.words, row[f"{name}_parts"]
    if not parts:
        return
    score = formats.measure(row[name], view.lang)
    st.markdown(f"**{words(f'{name}.title')}** · {words('detail.score', score=score)}")
    chart(charts.score_parts(name, parts, view.palette, words), f"{name} {row['number']}")


def draw_risk(view: View, row: dict[str, Any]) -> None:
    """The score as a sum, each rule that fired with what it found, and the rules that could not judge."""
    words, tier = view.words, row["tier"]
    if formats.is_unknown(tier):
        st.markdown(f"**{words('risk.title')}**")
        st.caption(words("risk.not_judged"))
        return
    score = formats.measure(row["risk_score"], view.lang)
    named = words(f"tier.{int(tier)}")
    st.markdown(f"**{words('risk.title')}** · {words('risk.score', score=score, tier=named)}")
    parts = {risk["rule"]: risk["points"] for risk in row["risks"]}
    cap = round(row["risk_score"] - sum(parts.values()), 2)
    chart(charts.score_parts("risk", parts | {"cap": cap}, view.palette, words), f"risk {row['number']}")
    for risk in row["risks"]:
        found = evidence.sentence(risk["rule"], risk["value"], risk["evidence"], words)
        head = f"**{evidence.label(risk['rule'], words)}** {risk['points']:+g}"
        st.markdown(f"{head} · {found}  \n:gray[{reason(risk, words)}]")
    if row["silent_rules"]:
        told = evidence.unjudged(unjudged(pd.DataFrame([row])), words, counted=False)
        st.caption(words("risk.silent", told=told))


def reason(risk: dict[str, Any], words: Words) -> str:
    """Why a rule asks for a second look, and where a number decides, which."""
    told = [evidence.why(risk["rule"], words)]
    threshold = risk["evidence"].get("threshold")
    if threshold:
        unit, measured = evidence.unit(risk["rule"], words), formats.measure(risk["value"], words.lang)
        told.append(words("risk.value", value=measured, threshold=formats.measure(threshold, words.lang), unit=unit))
    return words("list.between_sentences").join(told)


def draw_chains(view: View, pull: PullDetail) -> None:
    """The stories that it is part of: what it undid or repaired, and what became of it."""
    for story in rows(pull.chains):
        draw_story(view, story)


def draw_story(view: View, story: dict[str, Any]) -> None:
    """What kind of story it is, when, who did what to whom and why we think so; each pull request one click away."""
    words, tz = view.words, view.window.tz
    days = f":gray[{formats.moment(story['since'], tz)} – {formats.moment(story['until'], tz)}]"
    st.markdown("  \n".join([stories.headline(story, words), days, *stories.steps(story, words)]))
    with st.container(horizontal=True, gap="small"):
        for number in story["prs"]:
            label = f":primary[#{number}]"
            st.page_link("app_pages/pulls.py", label=label, query_params={"pr": number}, width="content")


def draw_files(view: View, pull: PullDetail) -> None:
    words, files = view.words, pull.files
    st.markdown(f"**{words('detail.files')}**")
    if files.empty:
        st.caption(words("detail.files_unknown"))
        return
    chart(charts.lines_by_category(files, view.palette, words), f"files {pull.row['number']}")
    declared = pull.row["changed_files"]
    if not formats.is_unknown(declared) and int(declared) > len(files):
        st.caption(words("detail.files_cut", declared=int(declared), known=len(files)))
    if n_quiet := int(files["is_noise"].fillna(False).sum()):
        st.caption(words("detail.quiet_files", n=n_quiet))
    table(
        tables.named(files, words, status="status", category="category"),
        "changed files",
        tables.files(words),
        alt=words("detail.files"),
        most_height=MOST_HEIGHT,
    )


def draw_reviews(view: View, pull: PullDetail) -> None:
    words, reviews = view.words, pull.reviews
    st.markdown(f"**{words('detail.reviews')}**")
    if not is_true(pull.row["reviews_known"]):
        st.caption(words("detail.reviews_unknown"))
    elif reviews.empty:
        st.caption(words("detail.no_reviews" if pull.row["merged_at"] else "detail.no_reviews_yet"))
    else:
        moments = reviews["submitted_at"].map(lambda moment: formats.moment(moment, view.window.tz))
        shown = tables.named(reviews, words, state="review_state").assign(submitted_at=moments)
        table(shown, "reviews", tables.reviews(words), alt=words("detail.reviews"))


def draw_description(view: View, row: dict[str, Any]) -> None:
    """The start of what the author wrote, as plain text: no Markdown of theirs is read."""
    words, body = view.words, row["body"]
    st.markdown(f"**{words('detail.description')}**")
    if body is None:
        st.caption(words("detail.description_unknown"))
    elif not body.strip():
        st.caption(words("detail.no_description"))
    else:
        lines = [formats.plain(line) for line in body[:BODY_SIGNS].splitlines()]
        st.text("\n".join(lines).strip() + ("…" if len(body) > BODY_SIGNS else ""))


def module_reasons(view: View, modules: pd.DataFrame) -> list[str]:
    """Each module with what tells of it: `trainer (title, path)`."""
    words = view.words
    reasons = modules.groupby("module", sort=True)["source"].agg(list)
    return [
        words(
            "detail.module_from",
            module=formats.code(module),
            source=words("list.separator").join(words(f"module_source.{source}") for source in sources),
        )
        for module, sources in reasons.items()
    ]


def link_sentence(view: View, link: dict[str, Any]) -> str:
    target = formats.escape_markdown(f"{link['repo'] or ''}#{link['number']}")
    return view.words(f"detail.link.{link['kind']}", target=target)


def tests_touched(row: dict[str, Any]) -> str | None:
    """The key of the sentence about tests; None where files are unknown."""
    if formats.is_unknown(row["touches_source"]):
        return None
    if not is_true(row["touches_source"]):
        return "no_source"
    return "tests_touched" if is_true(row["touches_tests"]) else "tests_untouched"


def n_files(pull: PullDetail) -> int:
    declared = pull.row["changed_files"]
    return len(pull.files) if formats.is_unknown(declared) else int(declared)


def is_true(flag: Any) -> bool:
    """Whether a flag is known and set."""
    return not formats.is_unknown(flag) and bool(flag)
