"""How large and how wide pull requests are."""

import pandas as pd
from flow_frames import make_pulls

from analysis.size import size

FILES = {"pull_id": "int64", "path_id": "int64", "path": "str", "additions": "float64", "deletions": "float64"}
NOISE = pd.DataFrame({"path_id": [9], "is_noise": [1]})
MODULES = pd.DataFrame({"pull_id": [1, 1, 1], "module": ["api", "api", "core"], "source": ["title", "path", "path"]})


def sized(pull, *files):
    rows = pd.DataFrame([[1, *file] for file in files], columns=list(FILES)).astype(FILES)
    found = size(make_pulls({"merged": "03-02 09:00"} | pull), rows, NOISE, MODULES)
    return found.drop(columns=["pull_id", "merged_at"]).fillna(-1).iloc[0].to_dict()


def test_lines_and_files_are_the_declared_ones_and_noise_is_told_apart():
    found = sized(
        {"additions": 4100, "deletions": 20, "changed_files": 4},
        (1, "app/core.py", 60, 10),
        (2, "app/api/http.py", 40, 10),
        (3, "app/logo.png", None, None),
        (9, "uv.lock", 4000, 0),
    )
    assert found == {"churn_lines": 4120, "noise_lines": 4000, "changed_files": 4, "n_folders": 2, "n_modules": 2}


def test_of_a_list_that_was_cut_short_only_the_declared_is_known():
    found = sized(
        {"additions": 90_000, "deletions": 0, "changed_files": 3400, "files_complete": 0}, (1, "a/b.py", 1, 1)
    )
    assert (found["churn_lines"], found["changed_files"]) == (90_000, 3400)
    assert (found["noise_lines"], found["n_folders"]) == (-1, -1)


def test_unknown_lines_stay_unknown():
    assert sized({"additions": None, "files_complete": None})["churn_lines"] == -1
