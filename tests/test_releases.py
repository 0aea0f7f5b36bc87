"""The window between two tags: whole days, none shared by neighbours and none left out."""

from datetime import date, timedelta
from itertools import pairwise

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.releases import release_window
from analysis.window import between
from data.errors import BadWindow
from data.moments import utc_text

TAGS = pd.DataFrame(
    {
        "name": ["v1.0", "v1.1", "v1.1.1", "v1.2"],
        "tagged_at": ["2026-03-02T09:00:00Z", "2026-03-20T17:00:00Z", "2026-03-20T20:00:00Z", "2026-04-10T12:00:00Z"],
    }
)
LAST_DAY = date(2026, 4, 30)


def window(text, tz="UTC", last_day=LAST_DAY):
    return release_window(text, TAGS, last_day=last_day, tz=tz)


def test_a_release_starts_the_day_after_the_tag_before_it_and_ends_with_its_own_day():
    assert window("v1.0..v1.1") == between("2026-03-03", "2026-03-20")
    assert window(" v1.1..v1.2 ") == between("2026-03-21", "2026-04-10")


def test_the_day_of_a_tag_is_cut_in_the_zone():
    assert window("v1.0..v1.1", "Asia/Shanghai") == between("2026-03-03", "2026-03-21", "Asia/Shanghai")


def test_what_came_after_a_tag_goes_on_to_the_last_day_of_the_cache():
    assert window("v1.2..") == between("2026-04-11", "2026-04-30")


@given(hours=st.lists(st.integers(0, 30_000), min_size=3, max_size=6, unique=True))
def test_neighbouring_releases_share_no_day_and_leave_none_out(hours):
    names = [f"v{n}" for n in range(len(hours))]
    tags = pd.DataFrame({"name": names, "tagged_at": [utc_text(hour * 3600) for hour in sorted(hours)]})
    days = tags.assign(day=tags["tagged_at"].str[:10]).drop_duplicates("day")["name"].tolist()
    found = [release_window(f"{a}..{b}", tags, last_day=None) for a, b in pairwise(days)]
    assert all(later.since == earlier.until + timedelta(days=1) for earlier, later in pairwise(found))
    if found:
        whole = release_window(f"{days[0]}..{days[-1]}", tags.sample(frac=1, random_state=1), last_day=None)
        assert sum(each.days for each in found) == whole.days


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("v1.1", "no pair of tags"),
        ("", "no pair of tags"),
        ("..", "no pair of tags"),
        ("..v1.1", "no pair of tags"),
        ("1.1..v1.2", "no tag '1.1' in the cache. Nearest: 'v1.1', "),
        ("v1.1..V1.2", "no tag 'V1.2' in the cache. Nearest: 'v1.2', "),
        ("v1.1...v1.2", "no tag '.v1.2' in the cache. Nearest: 'v1.2', "),
        ("v1.1..x\n\u202e", r"no tag 'x\n\u202e' in the cache"),
        ("v1.2..v1.1", "'v1.2' is of 2026-04-10, later than 'v1.1' of 2026-03-20. Swap"),
        ("v1.1..v1.1.1", "both of 2026-03-20"),
        ("v1.1.1..v1.1", "both of 2026-03-20"),
        ("v1.1..v1.1", "both of 2026-03-20"),
    ],
)
def test_a_bad_pair_of_tags_gets_one_sentence(text, says):
    with pytest.raises(BadWindow) as caught:
        window(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("last_day", [None, date(2026, 4, 10)])
def test_nothing_after_the_newest_tag_is_said(last_day):
    with pytest.raises(BadWindow, match=r"days after 'v1\.2', which is of 2026-04-10"):
        window("v1.2..", last_day=last_day)
