"""The address that a share link holds."""

from datetime import date

from dashboard.address import Filters, link


def test_a_link_keeps_the_page_and_spells_out_what_is_set():
    values = {"repo": "acme/orbit", "window": (date(2026, 5, 4), date(2026, 5, 10)), "bots": True, "q": "", "pr": None}
    assert link(values, page_url="http://host:8501/pulls?old=1#part") == (
        "http://host:8501/pulls?repo=acme/orbit&window=2026-05-04&window=2026-05-10&bots=true"
    )


def test_a_link_without_anything_set_is_the_page():
    assert link({"window": None, "bots": False}, page_url="http://host:8501") == "http://host:8501/"


def test_text_of_any_sort_survives_a_link():
    assert link({"q": "a&b=c #1 中"}, page_url="http://h/pulls") == "http://h/pulls?q=a%26b%3Dc+%231+%E4%B8%AD"


def test_all_days_alone_leaves_nothing_out():
    assert not Filters(everywhere=True).are_set
    assert Filters(q="x").are_set and Filters(path="a.py").are_set
