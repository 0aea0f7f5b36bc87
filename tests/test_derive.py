"""From raw frames to what is stored of each pull request."""

import json
import time

import pandas as pd
import pytest
from frames import Frames, change, frames, shuffled
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import derive as deriving
from analysis import importance
from analysis.derive import Settings, derive
from analysis.kinds import KINDS
from analysis.learning import learn_vocabulary
from data.errors import MergeWindowError
from data.schema import TABLES


def pulls_of(*changes, **more):
    return derive(*frames(*changes), **more).pulls


def one(*arguments, **more):
    return pulls_of(change(*arguments, **more)).iloc[0]


def parts_of(row):
    return json.loads(row["importance_parts"])


def test_results_have_the_columns_of_their_tables():
    result = derive(*frames(change("[api] fix: a", "api/a.py")))
    assert list(result.pulls.columns) == list(TABLES["pull_facts"].columns)
    assert list(result.modules.columns) == list(TABLES["pull_modules"].columns)
    assert list(result.paths.columns) == list(TABLES["path_facts"].columns)


def test_no_pull_requests_give_empty_frames_with_the_same_columns():
    result, full = derive(*frames()), derive(*frames(change("[api] fix: a", "api/a.py")))
    for name in ("pulls", "modules", "paths"):
        assert getattr(result, name).empty
        assert list(getattr(result, name).columns) == list(getattr(full, name).columns)


def test_the_input_is_left_as_it_was():
    given = frames(change("[api] fix: a", "api/a.py", labels=["bug"]), change("b"))
    copies = Frames(*(frame.copy() for frame in given))
    derive(*given)
    for frame, copy in zip(given, copies, strict=True):
        pd.testing.assert_frame_equal(frame, copy)


def test_lines_are_told_apart_by_what_they_are():
    row = one(
        "Words",
        ("app/a.py", "modified", 7, 3),
        ("tests/test_a.py", "added", 20, 0),
        ("README.md", "modified", 1, 1),
        ("app/settings.yaml", "modified", 4, 0),
        ("uv.lock", "modified", 500, 400),
        ("app/a_pb2.py", "modified", 90, 10),
        ("logo.png", "added", None, None),
    )
    lines = row[["code_lines", "test_lines", "docs_lines", "other_lines", "noise_lines"]].tolist()
    assert lines == [10, 20, 2, 4, 1000]
    assert row["touches_source"]
    assert row["touches_tests"]


def test_a_pull_request_without_known_files_has_unknown_lines():
    row = one("feat: a", changed_files=3, additions=200, deletions=100)
    assert row[["code_lines", "test_lines", "noise_lines", "touches_source", "touches_tests"]].isna().all()
    assert parts_of(row)["size"] > 0, "the declared size still counts"


def test_a_pull_request_known_to_change_nothing_has_no_lines():
    row = one("feat: a", changed_files=0)
    assert row["code_lines"] == 0
    assert not row["touches_source"]


def test_noise_and_renames_add_no_importance():
    quiet = one("chore: a", ("uv.lock", "modified", 9000, 9000), ("app/b.py", "renamed", 0, 0))
    assert "size" not in parts_of(quiet)


def test_kind_breaking_and_subject_come_from_title_labels_body_and_files():
    pulls = pulls_of(
        change("feat(api)!: drop v1 (#12)", "a.py"),
        change("Words", "README.md"),
        change("Words", "a.py", labels=["bug", "breaking-change"]),
        change("Words", "a.py", body="BREAKING CHANGE: v1 is gone"),
    )
    assert pulls["kind"].tolist() == ["feat", "docs", "fix", "other"]
    assert pulls["is_breaking"].tolist() == [True, False, True, True]
    assert pulls["subject"].tolist() == ["drop v1", "Words", "Words", "Words"]


def test_series_and_reverts_are_kept():
    pulls = pulls_of(
        change("[2/3] a"), change('Revert "a (#7)"'), change('Revert "Revert "a" (#8)"'), change("revert the default")
    )
    assert pulls["series_part"].tolist() == ["2/3", None, None, None]
    assert pulls["reverts_number"].fillna(0).tolist() == [0, 7, 8, 0]
    assert pulls["is_reapply"].tolist() == [False, False, True, False]
    assert ["revert" in parts_of(row) for _, row in pulls.iterrows()] == [False, True, True, False]


def test_a_file_changed_often_before_is_core_and_not_yet_the_first_time():
    pulls = pulls_of(*[change("fix: a", "app/engine.py")] * 40, change("fix: a", "lib/rare.py"))
    core = [parts_of(row).get("core_path", 0) for _, row in pulls.iterrows()]
    assert core[0] == 0
    assert core[39] > 0.7 * importance.DEFAULT_WEIGHTS["core_path"]
    assert core[:40] == sorted(core[:40])
    assert core[40] == 0


@pytest.mark.parametrize(
    ("status", "additions", "deletions", "is_new"),
    [("added", 5, 0, True), ("modified", 50, 0, False), (None, 50, 0, True), (None, 5, 0, False), (None, 50, 1, False)],
)
def test_a_new_file_is_told_by_its_status_or_its_looks(status, additions, deletions, is_new):
    row = one("feat: a", ("app/a.py", status, additions, deletions))
    assert ("new_ground" in parts_of(row)) == is_new


def test_a_file_seen_before_is_not_new_where_the_status_is_unknown():
    pulls = pulls_of(change("feat: a", ("app/a.py", None, 50, 0)), change("feat: b", ("app/a.py", None, 50, 0)))
    assert ["new_ground" in parts_of(row) for _, row in pulls.iterrows()] == [True, False]


def test_what_is_not_merged_counts_for_nobodys_history():
    opened = change("fix: a", "app/engine.py", merged_at=None, state="open")
    last = pulls_of(*[change("fix: a", "app/engine.py")] * 30, *[opened] * 30).iloc[29]
    assert last["importance"] == pulls_of(*[change("fix: a", "app/engine.py")] * 30).iloc[29]["importance"]
    assert pulls_of(*[opened] * 30)["importance_parts"].str.contains("core_path").sum() == 0


def test_bots_and_bumps_matter_less():
    person, bot = one("Bump a from 1 to 2", "uv.lock"), one("Bump a from 1 to 2", "uv.lock", author_type="bot")
    assert parts_of(person)["version_bump"] < 0
    assert bot["importance"] < person["importance"]


def test_key_is_an_importance_of_five_and_more():
    pulls = pulls_of(
        change("docs: a", "README.md"),
        change("feat: a", *[(f"app/{name}/a.py", "added", 300, 0) for name in "abc"]),
    )
    assert pulls["is_key"].tolist() == [False, True]
    assert (pulls["is_key"] == (pulls["importance"] >= 5)).all()


def test_weights_change_the_score_and_unknown_ones_are_refused():
    given = frames(change("feat!: a", "a.py"))
    assert parts_of(derive(*given, settings=Settings(importance={"breaking": 0.25})).pulls.iloc[0])["breaking"] == 0.25
    with pytest.raises(MergeWindowError, match="Unknown weight 'size_of_heart'"):
        derive(*given, settings=Settings(importance={"size_of_heart": 1}))


def test_paths_are_told_once_each():
    paths = derive(*frames(change("a", "app/a.py", "uv.lock"), change("b", "app/a.py"))).paths
    assert paths.to_dict("records") == [
        {"path_id": 1, "category": "source", "language": "Python", "is_noise": False},
        {"path_id": 2, "category": "lock", "language": None, "is_noise": True},
    ]


TITLES = ["[api] fix: a", "feat(web)!: b", 'Revert "c (#101)"', "Bump d from 1 to 2", "[2/3] e", "", "修复登录"]
PATHS = ["api/a.py", "web/b.ts", "tests/test_a.py", "docs/c.md", "uv.lock", "web/logo.png", "x"]
STATUSES = ["added", "modified", "removed", None]
LINES = st.none() | st.integers(0, 5000)
FILES = st.tuples(st.sampled_from(PATHS), st.sampled_from(STATUSES), LINES, LINES)


@st.composite
def a_change(draw):
    return change(
        draw(st.sampled_from(TITLES)),
        *draw(st.lists(FILES, max_size=5, unique_by=lambda file: file[0])),
        labels=draw(st.lists(st.sampled_from(["bug", "area/web", "docs"]), unique=True)),
        author_type=draw(st.sampled_from(["human", "bot", "ghost", None])),
        body=draw(st.sampled_from([None, "", "BREAKING CHANGE: yes"])),
    )


@given(st.lists(a_change(), max_size=12))
@settings(max_examples=10, deadline=None)
def test_scores_add_up_and_neither_order_nor_the_future_changes_them(changes):
    everything = frames(*changes)
    vocabulary = learn_vocabulary(*everything)
    result = derive(*everything, vocabulary=vocabulary)
    assert result.pulls["importance"].between(0, 10).all()
    assert result.pulls["kind"].isin(KINDS).all()
    sums = [round(sum(json.loads(parts).values()), 2) for parts in result.pulls["importance_parts"]]
    assert sums == result.pulls["importance"].tolist()

    again = derive(*shuffled(everything))
    half = len(changes) // 2
    earlier = derive(*frames(*changes[:half]), vocabulary=vocabulary)
    for name in ("pulls", "modules", "paths"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(result, name))
    for name in ("pulls", "modules"):
        frame = getattr(result, name)
        before = frame[frame["pull_id"] <= half].reset_index(drop=True)
        pd.testing.assert_frame_equal(getattr(earlier, name), before, check_dtype=False)


def test_rules_have_a_version():
    assert isinstance(deriving.RULES_VERSION, int)


def test_thousands_of_pull_requests_take_seconds():
    tags, names = ("api", "web", "jobs"), "abcdef"
    given = frames(
        *[
            change(f"[{tags[n % 3]}] fix: {n}", *[f"app/{n % 50}/{name}{n % 400}.py" for name in names])
            for n in range(5000)
        ]
    )
    start = time.process_time()
    derive(*given)
    assert time.process_time() - start < 10, "30,000 files took about a second where this was written"


def test_a_lock_file_in_the_last_of_many_changes_without_files_is_judged():
    assert len(pulls_of(*[change("fix: a")] * 4, change("fix: a", "uv.lock"))) == 5
