"""Files that are changed often and much."""

import pandas as pd
import pytest
from frames import change, frames, shuffled

from analysis.hotspots import COLUMNS, hotspots
from analysis.paths import classify


def inputs(*changes, kind="feat"):
    """What `hotspots` takes, for pull requests as `frames` makes them."""
    return with_facts(frames(*changes), kind)


def with_facts(given, kind="feat"):
    authors, _ = pd.factorize(given.pulls["author"], sort=True)
    pulls = given.pulls.assign(author_id=authors + 1)
    facts = pulls[["pull_id"]].assign(kind=kind)
    paths = given.files[["path_id", "path"]].drop_duplicates("path_id")
    about = [classify(path) for path in paths["path"]]
    paths = paths.assign(category=[each.category for each in about], is_noise=[int(each.is_noise) for each in about])
    return pulls, given.files, facts, paths


def test_the_score_is_the_share_of_pull_requests_times_the_share_of_lines():
    rows = [change("x", ("app/core.py", "modified", 30, 10)) for _ in range(10)]
    rows += [change("x", ("app/other.py", "modified", 50, 3)) for _ in range(29)]
    rows += [change("x", ("app/other.py", "modified", 50, 3), ("app/third.py", "modified", 10, 0))]
    core = hotspots(*inputs(*rows)).set_index("path").loc["app/core.py"]
    assert (core["pulls_share"], core["churn_lines"], core["churn_share"]) == (0.25, 400, pytest.approx(0.2))
    assert core["hotspot_score"] == pytest.approx(0.05)


def test_generated_files_count_nowhere_and_unknown_lines_count_nothing():
    found = hotspots(
        *inputs(
            change("x", ("poetry.lock", "modified", 900, 900), ("app/logo.py", "modified", None, None), "app/core.py")
        )
    )
    assert found["path"].tolist() == ["app/core.py", "app/logo.py"]
    assert found["churn_share"].tolist() == [1.0, 0.0]


def test_people_are_counted_once_and_bots_not_at_all():
    found = hotspots(
        *inputs(
            change("x", "app/core.py"),
            change("x", "app/core.py"),
            change("x", "app/core.py", author="bob"),
            change("x", "app/core.py", author="dependabot", author_type="bot"),
        )
    )
    assert found[["n_pulls", "n_authors"]].values.tolist() == [[4, 2]]
    assert found["prs"].tolist() == [[101, 102, 103, 104]]


def test_the_share_of_fixes_is_claimed_from_five_pull_requests_on():
    four, five = (hotspots(*inputs(*[change("x", "app/core.py")] * n, kind="fix"))["fix_share"][0] for n in (4, 5))
    assert pd.isna(four)
    assert five == 1.0


def test_a_renamed_file_is_one_file_and_a_deleted_one_is_marked():
    given = frames(
        change("x", "app/old.py"),
        change("x", ("app/new.py", "renamed", 0, 0)),
        change("x", "app/new.py"),
        change("x", ("app/gone.py", "removed", 0, 9), ("app/unknown.py", None, 1, 0)),
    )
    given.files.loc[1, "old_path_id"] = given.files.loc[0, "path_id"]
    found = hotspots(*with_facts(given)).set_index("path")
    assert found.loc["app/new.py", "prs"] == [101, 102, 103]
    assert "app/old.py" not in found.index
    assert found["is_gone"].astype(object).where(found["is_gone"].notna(), None).to_dict() == {
        "app/new.py": False,
        "app/gone.py": True,
        "app/unknown.py": None,
    }


def test_the_order_of_rows_changes_nothing_and_nothing_gives_nothing():
    rows = [change("x", "app/a.py", "app/b.py"), change("x", "app/b.py", author="bob"), change("x", "app/c.py")]
    given = frames(*rows)
    expected = hotspots(*with_facts(given))
    pd.testing.assert_frame_equal(hotspots(*with_facts(shuffled(given))), expected)
    pulls, files, facts, paths = with_facts(given)
    empty = hotspots(pulls.iloc[:0], files, facts, paths)
    assert empty.dtypes.astype(str).to_dict() == COLUMNS == expected.dtypes.astype(str).to_dict()
