"""Which few things a window was about, and what they are called."""

import sqlite3
from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import themes
from analysis.window import iso_week
from dashboard import refresh
from dashboard.config import Config
from data import cache

REPO = "verl-project/verl"
NO_LINKS = pd.DataFrame(columns=["pull_id", "kind", "repo", "number"])


def change(title, *paths, modules=(), importance=6.0, **more):
    """One pull request; a module is known from its title unless written `path:name`."""
    return {"title": title, "paths": paths, "modules": modules, "importance": importance, **more}


def frames(*changes):
    """What `themes` takes: pull requests 101, 102, ... with 10 lines added and 2 deleted in each file."""
    pulls, modules, files = [], [], []
    for pull_id, each in enumerate(changes, start=1):
        paths, names = each["paths"], each["modules"]
        for name in names:
            source, _, module = name.rpartition(":")
            modules.append([pull_id, module, source or "title"])
        files += [[pull_id, path] for path in paths]
        pull = {"pull_id": pull_id, "number": 100 + pull_id, "kind": "fix", "is_breaking": False}
        pull |= {"is_key": each["importance"] >= 5, "additions": 10 * len(paths), "deletions": 2 * len(paths)}
        pulls.append(pull | {key: value for key, value in each.items() if key not in {"paths", "modules"}})
    columns = ["pull_id", "number", "title", "kind", "is_breaking", "is_key", "importance", "additions", "deletions"]
    return (
        pd.DataFrame(pulls, columns=columns),
        pd.DataFrame(modules, columns=["pull_id", "module", "source"]),
        pd.DataFrame(files, columns=["pull_id", "path"]),
        NO_LINKS,
    )


def links(*rows):
    return pd.DataFrame([[pull_id, kind, None, number] for pull_id, kind, number in rows], columns=NO_LINKS.columns)


# What else happens in the repository, so that no word or module is common by chance.
OTHERS = [
    change(f"Tidy {word} of {word}s", f"{word}/{word}.py", modules=[word], importance=2.0)
    for word in "apple birch cedar elm fir hazel iris juniper larch maple oak pine rowan spruce willow yew".split()
]


def found(*changes, links=NO_LINKS, **more):
    """The themes of these changes, seen in a repository where others happen too."""
    pulls, modules, files, _ = frames(*changes)
    usual = themes.usual(*frames(*changes, *4 * OTHERS)[:3])
    return themes.themes(pulls, modules, files, links, usual=usual, **more)


def groups(result):
    return [set(prs) for prs in result.themes["prs"]]


def test_changes_to_one_module_are_one_theme():
    result = found(
        change("Fix leak", modules=["reward"]),
        change("Add score", modules=["reward"]),
        change("Speed up", modules=["rollout"]),
    )
    assert groups(result) == [{101, 102}, {103}]
    assert result.themes["reason"].tolist() == ["module", "single"]
    assert result.themes["reason_key"].tolist() == ["reward", ""]
    assert result.of_pull["theme"].tolist() == [0, 0, 1]


def test_rare_words_hold_changes_to_different_modules_together():
    result = found(
        change("Deprecate workers", is_breaking=True),
        change("Deprecate interactions", is_breaking=True),
        change("Speed up", modules=["rollout"]),
    )
    assert groups(result) == [{101, 102}, {103}]
    assert result.themes.loc[0, "reason"] == "word"
    assert result.themes.loc[0, "reason_key"] in {"deprecate", "breaking"}
    assert result.themes.loc[0, "title"] == "Deprecate workers, interactions"


def test_changes_to_the_same_rare_files_are_one_theme():
    result = found(change("Alpha", "a/one.py"), change("Beta", "a/one.py"), change("Gamma", "b/two.py"))
    assert groups(result) == [{101, 102}, {103}]
    assert result.themes.loc[0, "reason"] == "file"


def test_generated_and_lock_files_hold_nothing_together():
    assert groups(found(change("Alpha", "uv.lock"), change("Beta", "uv.lock"))) == [{101}, {102}]


def test_a_chain_is_one_theme_though_nothing_else_is_shared():
    told = [change("Alpha"), change("Beta"), change("Gamma")]
    assert len(found(*told).themes) == 3
    reverted = found(*told, links=links((2, "reverts", 101)))
    assert groups(reverted) == [{101, 102}, {103}]
    assert reverted.themes.loc[0, ["reason", "reason_key"]].tolist() == ["reference", "101"]
    chains = pd.DataFrame({"pull_id": [3], "earlier_id": [1]})
    assert groups(found(*told, chains=chains)) == [{101, 103}, {102}]


def test_a_list_that_many_refer_to_holds_nothing_together():
    told = [change(word.title()) for word in "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda".split()]
    assert found(*told, links=links(*((at + 1, "closes", 9) for at in range(11)))).themes["n_prs"].max() == 1
    assert found(*told, links=links(*((at + 1, "closes", 9) for at in range(3)))).themes["n_prs"].max() == 3


def test_parts_of_a_series_are_one_theme():
    one, other = "feat: flowgrpo loss", "feat: flowgrpo sampler and its many options"
    apart = found(change(one, modules=["algo"]), change(other, modules=["data"]))
    series = found(change(f"[1/n] {one}", modules=["algo"]), change(f"[2/n] {other}", modules=["data"]))
    assert (groups(apart), groups(series)) == ([{101}, {102}], [{101, 102}])


def test_a_small_change_alone_is_no_theme_but_an_important_one_is():
    result = found(change("Fix typo", modules=["docs"], importance=1.0), change("Rework", modules=["core"]))
    assert groups(result) == [{102}]
    assert result.of_pull.set_index("number")["theme"].isna().tolist() == [True, False]


def test_three_small_changes_to_one_module_are_a_theme():
    small = [change(f"Fix {word}", modules=["docs"], importance=1.0) for word in ("alpha", "beta", "gamma")]
    assert groups(found(*small[:2])) == []
    assert groups(found(*small)) == [{101, 102, 103}]


def test_only_the_weightiest_are_kept():
    names = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
    told = [change(name.title(), modules=[name], importance=5 + at / 10) for at, name in enumerate(names)]
    kept = {number for group in groups(found(*told)) for number in group}
    assert kept == set(range(103, 111))


def test_a_theme_of_one_is_called_by_its_subject_and_its_module():
    titles = found(
        change("[trainer] feat: log metrics of the load (#7)", modules=["trainer"]),
        change("[algo] feat: new algo for rewards", modules=["algo"]),
        change("Remove the shim.", modules=["path:docs"]),
    ).themes["title"]
    assert set(titles) == {"trainer: log metrics of the load", "new algo for rewards", "Remove the shim"}


def test_a_theme_is_called_by_its_module_and_what_its_changes_share():
    result = found(
        change("[tool] feat: memory snapshot collection", modules=["tool"]),
        change("[tool] fix: history in the Memory Snapshot Collection logic", modules=["tool"]),
        change("[tool] fix: drain loop", modules=["tool"]),
    )
    assert result.themes.loc[0, "title"] == "tool: memory snapshot collection, drain loop"
    assert result.themes.loc[0, "words"] == ("tool", "memory snapshot collection", "drain loop")


def test_a_change_that_outweighs_the_rest_gives_its_subject():
    result = found(
        change("[tool] feat: memory snapshot collection", modules=["tool"], importance=9.0),
        change("[tool] fix: drain loop", modules=["tool"], importance=4.0),
    )
    assert result.themes.loc[0, ["title", "lead"]].tolist() == ["tool: memory snapshot collection", 101]


def test_a_chinese_theme_has_a_chinese_title():
    result = found(
        change("【调度】修复：任务队列的死锁", modules=["调度"]), change("【调度】优化任务队列", modules=["调度"])
    )
    assert result.themes.loc[0, "title"].startswith("调度: 任务队列")


def test_a_theme_tells_what_it_holds():
    result = found(
        change("Fix leak", "r/a.py", modules=["reward", "path:core"], importance=5.0, is_breaking=True),
        change("Fix leak again", "r/a.py", "r/b.py", modules=["reward"], importance=7.0, kind="revert"),
    )
    theme = result.themes.loc[0]
    assert theme["prs"] == (102, 101), "the most important first"
    assert theme["modules"] == ("reward", "core")
    assert theme[["n_prs", "n_breaking", "n_reverts", "importance", "churn_lines"]].tolist() == [2, 1, 1, 12.0, 36.0]


def test_what_is_unknown_stays_unknown():
    pulls, modules, files, none = frames(change("Alpha", modules=["a"]), change("Beta", modules=["a"]))
    pulls = pulls.assign(additions=None, deletions=None, importance=None, is_key=None, is_breaking=None).astype(
        {"additions": float, "deletions": float, "importance": float}
    )
    assert themes.themes(pulls, modules, files, none).themes.empty
    theme = themes.themes(pulls.assign(is_key=True), modules, files, none).themes.iloc[0]
    assert theme[["importance", "churn_lines"]].isna().all()


def test_nothing_in_nothing_out():
    empty, some = found(), found(change("Alpha"))
    assert empty.themes.empty and empty.of_pull.empty
    assert empty.themes.dtypes.to_dict() == some.themes.dtypes.to_dict()
    assert empty.of_pull.dtypes.to_dict() == some.of_pull.dtypes.to_dict()
    assert list(empty.themes) == list(themes.COLUMNS)


WORDS = st.lists(st.sampled_from("drain loop world size snapshot teacher cache of".split()), min_size=1, max_size=4)
CHANGES = st.builds(
    change,
    WORDS.map(" ".join),
    st.sampled_from(["a/x.py", "a/y.py", "b/z.py"]),
    modules=st.lists(st.sampled_from(["reward", "rollout", "path:core"]), max_size=2, unique=True),
    importance=st.sampled_from([1.0, 5.0, 8.0]),
)


@settings(max_examples=20, deadline=None)
@given(st.lists(CHANGES, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_order_of_rows_changes_nothing_and_no_pull_request_is_twice_or_lost(told, random):
    given_frames = frames(*told)
    result = themes.themes(*given_frames)
    shuffled = [frame.sample(frac=1, random_state=random.randrange(1000)) for frame in given_frames]
    again = themes.themes(*shuffled)
    pd.testing.assert_frame_equal(result.themes, again.themes)
    pd.testing.assert_frame_equal(result.of_pull, again.of_pull)
    held = [number for prs in result.themes["prs"] for number in prs]
    assert len(held) == len(set(held))
    assert set(held) == set(result.of_pull.dropna()["number"])
    assert set(result.of_pull["number"]) == set(given_frames[0]["number"])


def test_more_than_are_grouped_with_each_other_join_the_group_they_are_like(monkeypatch):
    told = [change(f"Fix {word}", modules=["reward"]) for word in ("alpha", "beta", "gamma", "delta")]
    told += [change("Speed up", modules=["rollout"]), change("Unlike all", importance=1.0)]
    told += [change("Slow down", modules=["rollout"], importance=1.0)]
    monkeypatch.setattr(themes, "MOST_JOINED", 5)
    result = found(*told)
    assert groups(result) == [{101, 102, 103, 104}, {105, 107}]
    assert result.of_pull["theme"].isna().sum() == 1


# Groups of the reference for two real weeks; pairs within a group belong together.
REFERENCE = {
    "2026-W17": [
        {6067, 6074},
        {6051, 6072},
        {6062},
        {5967, 6102},
        {5898, 6061},
        {6090, 6095, 6052},
        {6055, 6058, 6127},
    ],
    "2026-W19": [
        {6302, 6300, 6189},
        {6265, 6228, 6242, 6226, 6258},
        {5631, 6117, 6056},
        {6267, 6206},
        {6273, 6216, 6248, 6275},
    ],
}
BREAKING = {"2026-W17": {6067, 6074}, "2026-W19": {6302}}


@pytest.fixture(scope="module")
def verl(shared, tmp_path_factory):
    db = tmp_path_factory.mktemp("themes") / "cache.db"
    refresh.import_gh(db, REPO, shared / "verl" / "prs-2026.json.gz", Config())
    sql = {
        "pulls": "select p.id as pull_id, * from pulls p join pull_facts f on f.pull_id = p.id",
        "modules": "select * from pull_modules",
        "files": "select f.pull_id, t.path from files f join paths t on t.id = f.path_id",
        "links": "select * from links",
    }
    with cache.reading(db) as connection:
        rows = {name: read(connection, query) for name, query in sql.items()}
    return rows | {"usual": themes.usual(rows["pulls"], rows["modules"], rows["files"])}


def read(connection: sqlite3.Connection, query: str) -> pd.DataFrame:
    frame = pd.read_sql_query(query, connection)
    return frame.loc[:, ~frame.columns.duplicated()]


def of_week(verl, label):
    week = iso_week(label, "Asia/Shanghai")
    merged = verl["pulls"]["merged_at"]
    pulls = verl["pulls"][(merged >= week.start) & (merged < week.end)]
    rows = [verl[name][verl[name]["pull_id"].isin(pulls["pull_id"])] for name in ("modules", "files", "links")]
    return themes.themes(pulls, *rows, usual=verl["usual"])


@pytest.mark.parametrize("week", REFERENCE)
def test_real_weeks_are_grouped_much_as_people_grouped_them(verl, week):
    """Against drawing pairs blindly, our pairs are right several times as often, and few named ones are left out."""
    result = of_week(verl, week)
    theme_of = result.of_pull.dropna().set_index("number")["theme"].to_dict()
    named = sorted(set.union(*REFERENCE[week]))
    pairs = list(combinations(named, 2))
    wanted = {pair for group in REFERENCE[week] for pair in combinations(sorted(group), 2)}
    ours = {(a, b) for a, b in pairs if a in theme_of and theme_of[a] == theme_of.get(b)}
    recall, precision = len(wanted & ours) / len(wanted), len(wanted & ours) / len(ours)
    base_rate = len(wanted) / len(pairs)
    in_theme = sum(number in theme_of for number in named) / len(named)
    print(f"{week}: recall {recall:.2f}, precision {precision:.2f} (blind {base_rate:.2f}), in a theme {in_theme:.2f}")
    assert 3 <= len(result.themes) <= themes.MOST
    assert recall >= 0.3 and precision >= 3 * base_rate and in_theme >= 0.85
    assert BREAKING[week] <= theme_of.keys()


def test_titles_of_real_weeks_are_made_of_the_words_of_their_own_pull_requests(verl):
    titles = verl["pulls"].set_index("number")["title"]
    modules = set(verl["modules"]["module"])
    for week in range(1, 34, 4):
        for theme in of_week(verl, f"2026-W{week:02d}").themes.itertuples():
            own = " ".join(titles[number] for number in theme.prs).lower()
            for word in theme.words:
                assert word in modules or word.lower() in " ".join(own.split()), (week, word)
            assert theme.title and len(theme.title) <= 120
