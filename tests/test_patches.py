import pytest
from git_repos import GitRepo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data import git as git_module
from data.git import open_repository
from data.patches import LONGEST_LINE, Line, read_patch, rest_patch


@pytest.fixture
def repo(tmp_path):
    return GitRepo(tmp_path / "tidepool")


def commits_of(repo):
    return list(open_repository(repo.path).log("main", changes="patches"))


def patches_of(commit):
    return {patch.path: patch for patch in map(read_patch, commit.patches)}


def last(repo):
    return patches_of(commits_of(repo)[-1])


def test_lines_have_their_numbers_on_either_side(repo):
    repo.commit("Start", {"a.py": "".join(f"line {n}\n" for n in range(1, 9))})
    repo.commit("Change", {"a.py": "".join(f"line {n}\n" for n in range(1, 9)).replace("line 4\n", "four\nand more\n")})
    (hunk,) = last(repo)["a.py"].hunks
    assert list(hunk.removed) == [Line(4, "line 4", True)]
    assert list(hunk.added) == [Line(4, "four", True), Line(5, "and more", True)]
    assert [line.number for line in hunk.new] == list(range(1, 9))
    assert hunk.new[-1] == Line(8, "line 7", False)


def test_new_removed_and_renamed_files_are_told(repo):
    body = "".join(f"{n}\n" for n in range(30))
    repo.commit("Start", {"old.py": body, "gone.py": "1\n"})
    repo.commit("Change", {"new.py": body + "more\n", "old.py": None, "gone.py": None, "fresh.py": "2\n"})
    found = last(repo)
    assert (found["new.py"].old_path, found["new.py"].is_new) == ("old.py", False)
    assert (found["gone.py"].is_gone, found["gone.py"].new_blob) == (True, None)
    assert (found["fresh.py"].is_new, found["fresh.py"].old_blob) == (True, None)
    assert len(found["new.py"].old_blob) == 40


def test_binary_files_modes_and_submodules_do_not_disturb(repo):
    repo.commit("Start", {"run.sh": "echo\n", "a.py": "1\n"})
    also = ["M 160000 1111111111111111111111111111111111111111 vendor/lib"]
    repo.commit("Change", {"run.sh": "echo\n", "pic.png": b"\0\1\2", "a.py": "2\n"}, executable=["run.sh"], also=also)
    found = last(repo)
    assert set(found) == {"run.sh", "pic.png", "a.py", "vendor/lib"}
    assert not found["run.sh"].hunks and not found["pic.png"].hunks
    assert [line.text for line in found["a.py"].hunks[0].added] == ["2"]


@pytest.mark.parametrize(
    "path", ["tide s/höhe 潮.py", 'a "quoted".py', "a\ttab.py", "b/a b/b.py", "-dash.py", "back\\slash.py"]
)
def test_a_path_is_read_however_git_writes_it(repo, path):
    repo.commit("Start", {path: "1\n", "moved.py": "".join(f"{n}\n" for n in range(20))})
    repo.commit("Change", {path: "2\n"}, renames={"moved.py": f"to/{path}"})
    assert {patch.path: patch.old_path for patch in last(repo).values()} == {path: None, f"to/{path}": "moved.py"}


def test_text_that_is_no_utf_8_and_nul_late_in_a_file_are_read(repo):
    start = b"x" * 9000 + b"\n"  # git looks for a NUL in the first 8,000 bytes only
    repo.commit("Start", {"a.py": start})
    repo.commit("Change", {"a.py": start + b"caf\xe9\n\0zero\nda\0ta\r\n", "b.py": "after\n"})
    repo.commit("Next", {"c.py": "1\n"})
    change, following = commits_of(repo)[-2:]
    found = patches_of(change)
    assert [line.text for line in found["a.py"].hunks[0].added] == ["caf\ufffd", "\0zero", "da\0ta"]
    assert len(found["a.py"].hunks[0].new[0].text) == LONGEST_LINE
    assert set(found) == {"a.py", "b.py"} and following.message.strip() == "Next"


def test_a_file_too_long_to_read_is_left_out_and_the_rest_is_there(repo, monkeypatch):
    monkeypatch.setattr(git_module, "LONGEST_PATCH", 100_000)
    repo.commit("Change", {"a.py": "1\n", "data.txt": "some data\n" * 200_000, "z.py": "2\n"})
    repo.commit("Next", {"b.py": "1\n"})
    assert [set(patches_of(commit)) for commit in commits_of(repo)] == [{"a.py", "z.py"}, {"b.py"}]


def test_a_commit_too_large_to_keep_has_no_patches_and_the_next_has(repo, monkeypatch):
    monkeypatch.setattr(git_module, "MOST_PATCHES", 10_000)
    repo.commit("Change", {f"{n}.py": "line\n" * 1000 for n in range(5)})
    repo.commit("Next", {"b.py": "1\n"})
    large, small = commits_of(repo)
    assert large.patches is None and len(large.files) == 5
    assert set(patches_of(small)) == {"b.py"}


def test_a_commit_that_changes_nothing_has_no_patches_rather_than_unknown_ones(repo):
    first = repo.commit("Start")
    repo.commit("Nothing", {}, parents=[first], also=["# nothing"])
    assert commits_of(repo)[-1].patches == []


def test_settings_of_the_repository_change_nothing(repo):
    repo.commit("Start", {"a.py": "1\n\n\n2\n"})
    repo.commit("Change", {"a.py": "1\n\n\n3\n"})
    before = last(repo)["a.py"]
    for setting in ("diff.noprefix true", "diff.mnemonicPrefix true", "diff.suppressBlankEmpty true", "diff.context 0"):
        repo.git("config", *setting.split())
    repo.git("config", "color.ui", "always")
    assert last(repo)["a.py"] == before


def test_what_rest_tells_is_read_the_same(repo):
    repo.commit("Start", {"a.py": "1\n2\n"})
    repo.commit("Change", {"a.py": "1\n3"})
    told = rest_patch("a.py", None, "modified", "@@ -1,2 +1,2 @@\n 1\n-2\n+3\n\\ No newline at end of file")
    assert told.hunks == last(repo)["a.py"].hunks


@pytest.mark.parametrize("text", ["", "nonsense", "@@ broken\n+1", "@@ -1 +1 @@", "+1\n-2"])
def test_a_patch_that_is_none_gives_no_lines(text):
    assert not [line for hunk in rest_patch("a.py", None, "modified", text).hunks for line in hunk.added]


LINE = st.sampled_from(
    [
        b"one",
        b"two",
        b"",
        b" ",
        b"-- a",
        b"++ b",
        b"@@ -1 +1 @@",
        b"diff --git a/x b/x",
        b"\\ No newline",
        b"caf\xe9",
        b"cr\r",
        b"\r",
    ]
)
CONTENT = st.builds(
    lambda lines, ends: b"\n".join(lines) + (b"\n" if ends and lines else b""),
    st.lists(LINE, max_size=30),
    st.booleans(),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(versions=st.lists(CONTENT, min_size=2, max_size=12))
def test_the_hunks_of_any_edit_turn_the_old_text_into_the_new(tmp_path_factory, versions):
    repo = GitRepo(tmp_path_factory.mktemp("edits") / "tidepool")
    for number, content in enumerate(versions):
        repo.commit(f"Version {number}", {"a.txt": content, "z.txt": f"{number}\n"})
    for before, after, commit in zip([b"", *versions], versions, commits_of(repo), strict=False):
        patch = patches_of(commit).get("a.txt")
        old, new = lines_of(before), lines_of(after)
        assert rebuilt(old, patch.hunks if patch else []) == new


def lines_of(content):
    lines = content.decode("utf-8", "replace").split("\n")
    return [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]


def rebuilt(old, hunks):
    """The old lines with each hunk put in its place, every line of it where its number says."""
    result, read = [], 0
    for hunk in hunks:
        start = hunk.old[0].number - 1 if hunk.old else hunk.new[0].number - 1
        result += old[read:start]
        assert [line.text for line in hunk.old] == old[start : start + len(hunk.old)]
        assert [line.number for line in hunk.new] == list(range(len(result) + 1, len(result) + 1 + len(hunk.new)))
        result += [line.text for line in hunk.new]
        read = start + len(hunk.old)
    return result + old[read:]
