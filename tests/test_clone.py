import gzip
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from git_repos import GITHUB, GRACE, GitRepo, git, squash_history

from data.clone import fetch_clone
from data.errors import SourceError
from data.gh_export import fetch_gh
from data.git import Repository


@pytest.fixture
def repo(tmp_path):
    return GitRepo(tmp_path / "tidepool")


def read(path, **options):
    """Source, with its pull requests by number."""
    source = fetch_clone(path, **options)
    return source, {pull["number"]: pull for pull in source.pulls}


def pulls_of(repo, **options):
    return read(repo.path, **options)[1]


def files_of(pull):
    return {file["path"]: (file["status"], file["additions"], file["deletions"]) for file in pull["files"]}


def names(people):
    return [person["person"]["name"] for person in people]


# How it was merged


def test_a_squash_is_the_pull_request_that_its_title_names(repo):
    repo.commit("Start")
    repo.squash(12, "Add tides", {"tides.py": "1\n2\n3\n"}, body="High and low.", at="2026-04-26T17:55:00Z")
    pull = pulls_of(repo)[12]
    assert (pull["title"], pull["body"], pull["state"]) == ("Add tides", "High and low.", "merged")
    assert (pull["merged_at"], pull["closed_at"]) == ("2026-04-26T17:55:00Z", "2026-04-26T17:55:00Z")
    assert (pull["additions"], pull["deletions"], pull["changed_files"]) == (3, 0, 1)
    assert (pull["merge_method"], pull["base"], pull["merge_commit"]) == ("squash", "main", repo.head())
    assert pull["author"] == {"login": None, "name": "Ada Example", "email": "ada@example.org", "type": "human"}


def test_what_a_clone_cannot_know_is_unknown_and_not_empty(repo):
    repo.squash(12, "Add tides")
    pull = pulls_of(repo)[12]
    for field in ("created_at", "ready_at", "reviews", "threads", "labels", "review_decision", "merged_by", "url"):
        assert pull.get(field) is None, field


def test_a_merge_is_measured_against_its_first_parent_and_belongs_to_the_author_of_its_branch(repo):
    repo.commit("Start", {"old.py": "1\n"})
    repo.merge(
        12, "Add tides", {"tides.py": "1\n2\n", "old.py": "2\n"}, body="High and low.", head="ada-example/tides/high"
    )
    pull = pulls_of(repo)[12]
    assert (pull["title"], pull["body"], pull["head"]) == ("Add tides", "High and low.", "tides/high")
    assert files_of(pull) == {"tides.py": ("added", 2, 0), "old.py": ("modified", 1, 1)}
    assert pull["merge_method"] == "merge"
    assert (pull["author"]["name"], pull["author"]["login"]) == ("Ada Example", "ada-example")
    assert pull["merged_by"]["name"] == "Grace Example"
    assert pull["co_authors"] is None  # the trailers of its commits are not read


@pytest.mark.parametrize(
    ("author", "owner", "login"),
    [
        ("Ada Example <a@example.org>", "adaexample", "adaexample"),
        ("Ada Example <a@example.org>", "AExample", "AExample"),
        ("Ada Example <a.tides@example.org>", "a-tides", "a-tides"),
        ("Ada Example <1+ada-tides@users.noreply.github.com>", "harbour", "ada-tides"),
        ("Ada Example <a@example.org>", "harbour-team", None),
        ("Ada Example <a@example.org>", "grace-example", None),
    ],
)
def test_the_owner_of_a_merged_branch_is_the_authors_login_only_if_it_looks_like_them(repo, author, owner, login):
    repo.commit("Start")
    repo.merge(12, "Add tides", head=f"{owner}/tides", author=author)
    assert pulls_of(repo)[12]["author"]["login"] == login


def test_a_branch_that_merged_main_into_itself_still_belongs_to_its_author(repo):
    start = repo.commit("Start")
    own = repo.commit("Add tides", branch="tides", parents=[start])
    main = repo.commit("Meanwhile", author=GRACE)
    updated = repo.commit("Merge branch 'main' into tides", author=GRACE, branch="tides", parents=[own, main])
    repo.commit(
        "Merge pull request #12 from x/tides\n\nAdd tides", author=GRACE, committer=GITHUB, parents=[main, updated]
    )
    assert pulls_of(repo)[12]["author"]["name"] == "Ada Example"


def test_a_merge_without_a_title_takes_that_of_its_branchs_commit(repo):
    repo.commit("Start")
    repo.merge(12, "Add tides", message="Merge pull request #12 from ada/tides")
    assert pulls_of(repo)[12]["title"] == "Work on Add tides"


def test_bors_merges_are_queued_and_carry_the_pull_requests_title_and_body(repo):
    repo.commit("Start")
    repo.bors(12, "Add tides", {"tides.py": "1\n"}, body="High and low.", head="ada-example:tides")
    pull = pulls_of(repo)[12]
    assert (pull["title"], pull["body"], pull["head"]) == ("Add tides", "High and low.", "tides")
    assert (pull["merge_method"], pull["author"]["login"]) == ("queue", "ada-example")
    assert (pull["merged_by"]["login"], pull["merged_by"]["type"]) == ("bors", "bot")


def test_each_pull_request_of_a_batch_has_what_its_own_branch_changed(repo):
    repo.commit("Start", {"shared.py": "0\n"})
    batch = {12: ("Add tides", {"tides.py": "1\n2\n"}), 13: ("Add moons", {"moons.py": "1\n", "shared.py": None})}
    repo.bors_batch(batch)
    pulls = pulls_of(repo)
    assert files_of(pulls[12]) == {"tides.py": ("added", 2, 0)}
    assert files_of(pulls[13]) == {"moons.py": ("added", 1, 0), "shared.py": ("removed", 0, 1)}
    assert [pulls[n]["title"] for n in batch] == ["Add tides", "Add moons"]
    assert pulls[12]["author"]["login"] == "ada-example"
    assert pulls[12]["merge_commit"] == pulls[13]["merge_commit"] == repo.head()


def test_a_batch_whose_parents_do_not_fit_its_numbers_has_no_known_sizes(repo):
    start = repo.commit("Start")
    own = repo.commit("Work", branch="side", parents=[start])
    repo.commit("Merge #12 #13", {"tides.py": "1\n"}, parents=[start, own])
    for pull in pulls_of(repo).values():
        assert (pull["files"], pull["additions"], pull["changed_files"]) == (None, None, None)
        assert pull["files_complete"] is False


def test_the_commits_of_a_rebased_pull_request_are_added_up(repo):
    repo.commit("Start", {"old.py": "1\n", "name.py": "a\nb\nc\nd\n"})
    repo.commit("Add tides\n\nFor boats.\n\nPR-URL: https://github.com/example/harbour/pull/12", {"tides.py": "1\n2\n"})
    repo.commit(
        "Rename\n\nPR-URL: https://github.com/example/harbour/pull/12\nCo-authored-by: Linus Example <l@example.org>",
        {"tides.py": "1\n3\n"},
        renames={"name.py": "new_name.py"},
    )
    repo.commit(
        "Drop old\n\nPR-URL: https://github.com/example/harbour/pull/12", {"old.py": None}, at="2026-03-03T00:00:00Z"
    )
    repo.rebase(13, [("Add moons", {"moons.py": "1\n"})])
    pulls = pulls_of(repo)
    assert list(pulls) == [12, 13]
    pull = pulls[12]
    assert (pull["title"], pull["merged_at"], pull["n_commits"]) == ("Add tides", "2026-03-03T00:00:00Z", 3)
    assert files_of(pull) == {
        "tides.py": ("added", 3, 1),
        "new_name.py": ("renamed", 0, 0),
        "old.py": ("removed", 0, 1),
    }
    assert (pull["additions"], pull["deletions"], pull["changed_files"]) == (3, 2, 3)
    assert (pull["merge_method"], names(pull["co_authors"])) == ("rebase", ["Linus Example"])


def test_a_file_taken_out_and_put_back_was_modified(repo):
    repo.commit("Start", {"a.py": "1\n"})
    repo.commit("Out\n\nPR: #12", {"a.py": None})
    repo.commit("In\n\nPR: #12", {"a.py": "2\n3\n"})
    assert files_of(pulls_of(repo)[12]) == {"a.py": ("modified", 2, 1)}


def test_a_file_renamed_after_it_was_changed_keeps_its_lines_and_first_name(repo):
    repo.commit("Start", {"a.py": "1\n2\n3\n4\n5\n6\n"})
    repo.commit("Change\n\nPR: #12", {"a.py": "1\n2\n3\n4\n5\n7\n"})
    repo.commit("Rename\n\nPR: #12", renames={"a.py": "b.py"})
    (file,) = pulls_of(repo)[12]["files"]
    assert file == {"path": "b.py", "old_path": "a.py", "status": "renamed", "additions": 1, "deletions": 1}


def test_two_pull_requests_with_trailers_do_not_run_together_across_a_direct_push(repo):
    repo.rebase(12, [("Add tides", {"a.py": "1\n"})])
    repo.commit("Direct")
    repo.rebase(12, [("Add more tides", {"b.py": "1\n"})])
    source, pulls = read(repo.path)
    assert pulls[12]["n_commits"] == 1
    assert source.skipped == 1


def test_a_merge_known_by_its_trailer_is_a_merge_and_belongs_to_its_branch(repo):
    start = repo.commit("Start")
    own = repo.commit("Work", branch="side", parents=[start])
    repo.commit("Merge branch 'side'\n\nPull-Request: #12", {"a.py": "1\n"}, author=GRACE, parents=[start, own])
    pull = pulls_of(repo)[12]
    assert (pull["merge_method"], pull["n_commits"], pull["author"]["name"]) == ("merge", None, "Ada Example")


def test_commits_without_a_number_are_direct_pushes(repo):
    repo.commit("Start", at="2026-03-02T09:00:00Z")
    repo.squash(12, "Add tides")
    repo.commit('Revert "Add tides (#12)"\n\nThis reverts commit 0123456789.', author=GRACE)
    source, pulls = read(repo.path)
    assert list(pulls) == [12]
    assert [commit["subject"] for commit in source.direct_commits] == ["Start", 'Revert "Add tides (#12)"']
    assert source.direct_commits[1]["sha"] == repo.head()
    assert source.direct_commits[1]["author"]["name"] == "Grace Example"
    assert source.direct_commits[0]["committed_at"] == "2026-03-02T09:00:00Z"


def test_a_history_without_numbers_says_that_github_knows_more(repo):
    for _ in range(12):
        repo.commit("Work")
    repo.squash(12, "Add tides")
    source, _ = read(repo.path)
    assert source.notes[-1].startswith("A pull request is named by only 1 of 13 commits.")


def test_the_first_commit_with_a_number_is_the_pull_request_and_later_ones_are_told(repo):
    repo.squash(12, "Add tides", at="2026-03-02T09:00:00Z")
    repo.squash(13, "Add moons")
    repo.squash(12, "Fix what was forgotten")
    repo.squash(12, "Add tides once more")
    source, pulls = read(repo.path)
    assert (pulls[12]["title"], pulls[12]["merged_at"]) == ("Add tides", "2026-03-02T09:00:00Z")
    assert source.skipped == 2
    assert source.notes == ["2 commits left out for naming a pull request that had landed before (#12)."]


def test_pull_requests_come_oldest_first_and_only_from_the_first_parents(repo):
    start = repo.commit("Start")
    inner = repo.commit("Inner squash (#99)", branch="side", parents=[start])
    repo.commit("Merge pull request #12 from ada/tides\n\nAdd tides", parents=[start, inner])
    repo.squash(11, "Add moons")
    assert list(pulls_of(repo)) == [12, 11]


# What changed


def test_renames_binaries_modes_links_and_submodules_are_told_as_they_are(repo):
    repo.commit(
        "Start", {"a.py": "1\n2\n3\n4\n", "run.sh": "x\n", "page": "x\n", "pic.png": b"\0\1", "gone.txt": "1\n"}
    )
    repo.squash(
        12,
        "Everything at once",
        {"pic.png": b"\0\2", "gone.txt": None, "run.sh": "x\n", "new.bin": b"\0" * 9},
        renames={"a.py": "lib/b.py"},
        executable=["run.sh"],
        also=["M 120000 inline page\ndata 1\na", f"M 160000 {'1' * 40} vendor/lib"],
    )
    pull = pulls_of(repo)[12]
    assert files_of(pull) == {
        "lib/b.py": ("renamed", 0, 0),
        "run.sh": ("changed", 0, 0),
        "page": ("changed", 1, 1),
        "pic.png": ("modified", None, None),
        "new.bin": ("added", None, None),
        "gone.txt": ("removed", 0, 1),
        "vendor/lib": ("added", 1, 0),
    }
    assert [file["old_path"] for file in pull["files"] if file["old_path"]] == ["a.py"]
    assert (pull["additions"], pull["deletions"], pull["changed_files"], pull["files_complete"]) == (2, 2, 7, True)


def test_any_path_comes_through(repo):
    odd = [
        "with space.py",
        "tab\there.py",
        "line\nfeed.py",
        'quo"te.py',
        ":colon.py",
        "1\t2\tthree.py",
        "潮汐/新.py",
        "\u200e.sh",
    ]
    repo.squash(12, "Odd names", dict.fromkeys(odd, "1\n"))
    assert sorted(files_of(pulls_of(repo)[12])) == sorted(odd)


def test_a_commit_that_changes_nothing_changes_no_files(repo):
    repo.commit("Start")
    repo.squash(12, "Run the checks again", {})
    repo.squash(13, "Add tides")
    pulls = pulls_of(repo)
    assert (pulls[12]["files"], pulls[12]["additions"], pulls[12]["files_complete"]) == ([], 0, True)
    assert pulls[13]["changed_files"] == 1


@pytest.mark.parametrize("checkout", [True, False])
def test_attributes_settings_and_surroundings_of_a_clone_change_nothing(repo, tmp_path, checkout, monkeypatch):
    files = {".gitattributes": "*.lock binary\n*.py diff=odd\n", "a.lock": "1\n", "b.py": "1\n2\n3\n4\n"}
    repo.squash(12, "Dateien hinzufügen", files)
    repo.squash(13, "Rename", {"a.lock": "2\n"}, renames={"b.py": "c.py"}, also=[f"M 160000 {'1' * 40} vendor/lib"])
    repo.merge(14, "Add tides", {"tides.py": "1\n"})
    clone = repo.clone(tmp_path / "clone", *([] if checkout else ["--bare"]))
    order = tmp_path / "order"
    order.write_text("vendor/lib\nc.py\n")
    unusual = {
        "color.ui": "always",
        "core.quotePath": "true",
        "diff.external": "false",
        "diff.ignoreSubmodules": "all",
        "diff.odd.textconv": "false",
        "diff.orderFile": str(order),
        "diff.relative": "true",
        "diff.renames": "false",
        "i18n.logOutputEncoding": "ISO-8859-1",
        "log.diffMerges": "off",
        "log.follow": "true",
        "log.showRoot": "false",
        "log.showSignature": "true",
        "core.worktree": str(tmp_path / "moved" / "away"),
    }
    git("replace", "main:tides.py", "main:c.py", cwd=clone)
    for name, value in unusual.items():
        git("config", name, value, cwd=clone)
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "elsewhere"))
    monkeypatch.chdir(clone if checkout else clone / "objects")
    _, pulls = read(clone)
    assert pulls[12]["title"] == "Dateien hinzufügen"
    assert files_of(pulls[12]) == {
        ".gitattributes": ("added", 2, 0),
        "a.lock": ("added", 1, 0),
        "b.py": ("added", 4, 0),
    }
    assert files_of(pulls[13]) == {
        "a.lock": ("modified", 1, 1),
        "c.py": ("renamed", 0, 0),
        "vendor/lib": ("added", 1, 0),
    }
    assert list(files_of(pulls[13])) == ["a.lock", "c.py", "vendor/lib"]
    assert files_of(pulls[14]) == {"tides.py": ("added", 1, 0)}


# Text and people


def test_any_encoding_becomes_text(repo):
    repo.commit("Gezeiten hinzufügen (#12)".encode("latin-1"), encoding="ISO-8859-1")
    repo.commit("加入潮汐 (#13)\n\n说明".encode("gb18030"), encoding="GB18030")
    repo.commit(b"Add \xff tides (#14)")
    pulls = pulls_of(repo)
    assert [pull["title"] for pull in pulls.values()] == ["Gezeiten hinzufügen", "加入潮汐", "Add \ufffd tides"]
    assert pulls[13]["body"] == "说明"


def test_the_author_of_a_merged_commit_in_an_old_encoding_keeps_the_name(repo):
    start = repo.commit("Start")
    own = repo.commit("Änderung".encode("latin-1"), branch="side", parents=[start], encoding="ISO-8859-1")
    repo.commit("Merge pull request #12 from x/y", {"a.py": "1\n"}, parents=[start, own])
    assert pulls_of(repo)[12]["title"] == "Änderung"


def test_an_empty_description_is_empty_and_not_unknown(repo):
    repo.squash(12, "Add tides")
    repo.commit("Add moons (#13)\n\n---------\n\nCo-authored-by: Grace Example <grace@example.org>")
    assert [pull["body"] for pull in pulls_of(repo).values()] == ["", ""]


def test_co_authors_and_links_come_from_the_message(repo):
    trailers = "Co-authored-by: Grace Example <grace@example.org>\nCo-authored-by: Claude <noreply@anthropic.com>"
    repo.squash(12, "Add tides", body=f"Fixes #7, see #8.\n\n{trailers}")
    pull = pulls_of(repo)[12]
    assert [(who["person"]["name"], who["is_ai"]) for who in pull["co_authors"]] == [
        ("Grace Example", False),
        ("Claude", True),
    ]
    assert [(link["kind"], link["number"]) for link in pull["links"]] == [("closes", 7), ("refers", 8)]
    assert pull["body"] == "Fixes #7, see #8."


def test_a_revert_that_names_a_commit_reverts_the_pull_request_of_that_commit(repo):
    repo.squash(12, "Add tides")
    sha = repo.head()
    repo.squash(13, "Take them out again", body=f"This reverts commit {sha}.")
    repo.squash(14, "Nothing known", body=f"This reverts commit {'1' * 40}.")
    repo.squash(15, "By a short name", body=f"This reverts commit {sha[:10]}.")
    pulls = pulls_of(repo)
    assert [(link["kind"], link["number"], link["evidence"]) for link in pulls[13]["links"]] == [
        ("reverts", 12, f"This reverts commit {sha}")
    ]
    assert pulls[14]["links"] == []
    assert [(link["kind"], link["number"]) for link in pulls[15]["links"]] == [("reverts", 12)]


def test_ones_own_repository_spelled_out_is_no_foreign_one(repo):
    repo.squash(12, "Add tides", body="Closes harbour/tidepool#7")
    assert [link["repo"] for link in pulls_of(repo)[12]["links"]] == ["harbour/tidepool"]
    _, pulls = read(repo.path, repo="Harbour/Tidepool")
    assert [link["repo"] for link in pulls[12]["links"]] == [None]


def test_the_committer_merged_it_unless_github_committed_for_somebody_unnamed(repo):
    repo.squash(12, "Add tides", committer=GRACE)
    repo.squash(13, "Add moons", committer=GITHUB)
    pulls = pulls_of(repo)
    assert pulls[12]["merged_by"]["name"] == "Grace Example"
    assert pulls[13]["merged_by"] is None


# Which part of the history


def test_the_default_branch_is_what_origin_says_whatever_is_checked_out(repo, tmp_path):
    repo.squash(12, "Add tides")
    clone = repo.clone(tmp_path / "clone")
    git("checkout", "--quiet", "-b", "feature", cwd=clone)
    source, pulls = read(clone)
    assert (source.default_branch, pulls[12]["base"]) == ("main", "main")


def test_a_branch_can_be_named_with_and_without_its_remote(repo, tmp_path):
    start = repo.commit("Start")
    repo.squash(12, "Add tides")
    repo.squash(13, "Backport tides", branch="release/1.x", parents=[start])
    clone = repo.clone(tmp_path / "clone")
    for name in ("release/1.x", "origin/release/1.x"):
        source, pulls = read(clone, branch=name)
        assert list(pulls) == [13]
        assert (pulls[13]["base"], source.default_branch) == ("release/1.x", "main")


def test_an_unknown_branch_is_answered_with_those_there_are(repo):
    repo.commit("Start")
    repo.commit("Release", branch="release/1.x", parents=[])
    with pytest.raises(SourceError, match=r"has no branch trunk\. Name one of its branches: release/1\.x, main\.$"):
        fetch_clone(repo.path, branch="trunk")


def test_a_head_that_names_no_branch_is_answered_with_those_there_are(repo):
    repo.commit("Start")
    repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
    with pytest.raises(SourceError, match=r"has no branch trunk\. Name one of its branches: main\.$"):
        fetch_clone(repo.path)


def test_a_detached_head_is_read_under_the_name_of_a_branch_at_it(tmp_path):
    repo = GitRepo(tmp_path / "tidepool", bare=False)
    repo.squash(12, "Add tides")
    git("checkout", "--quiet", "--detach", "main", cwd=repo.path)
    assert pulls_of(repo)[12]["base"] == "main"
    repo.squash(13, "Add moons")
    assert list(pulls_of(repo)) == [12]
    assert pulls_of(repo)[12]["base"] == "HEAD"


def test_since_keeps_what_landed_then_though_clocks_disagree(repo):
    repo.squash(1, "Old", at="2026-03-01T00:00:00Z")
    repo.squash(2, "Just before", at="2026-03-09T23:59:59Z")
    repo.squash(3, "On the day", at="2026-03-10T00:00:00Z")
    repo.squash(4, "By a slow clock", at="2026-03-05T00:00:00Z")
    repo.squash(5, "After", at="2026-03-12T00:00:00Z")
    repo.commit("Direct, long ago", at="2026-01-01T00:00:00Z")
    source, pulls = read(repo.path, since="2026-03-10")
    assert list(pulls) == [3, 5]
    assert source.direct_commits == []
    assert list(pulls_of(repo, since="2026-03-10T08:00:00+08:00")) == [3, 5]
    assert list(pulls_of(repo, since="2027-01-01")) == []
    assert list(pulls_of(repo, since="1970-01-01")) == [1, 2, 3, 4, 5]


def test_a_follow_up_after_since_is_not_the_pull_request_that_landed_before_it(repo):
    repo.squash(12, "Add tides", at="2026-03-01T00:00:00Z")
    repo.squash(12, "Fix tides", at="2026-03-11T00:00:00Z")
    source, pulls = read(repo.path, since="2026-03-10")
    assert (pulls, source.skipped) == ({}, 1)


def test_since_that_is_no_date_is_said(repo):
    repo.commit("Start")
    with pytest.raises(SourceError, match=r"'last week' is no date\. Write it like 2026-04-26\.$"):
        fetch_clone(repo.path, since="last week")


# The second run


def test_a_second_run_reads_only_what_is_new(repo):
    repo.squash(12, "Add tides")
    repo.commit("Direct")
    first, _ = read(repo.path)
    assert first.checkpoint == {"branch": "main", "head": repo.head()}
    landed = repo.git("log", "-1", "--format=%H", "--grep=Add tides")
    repo.squash(13, "Add moons")
    repo.squash(12, "Fix tides")
    second, pulls = read(repo.path, checkpoint=first.checkpoint, known={12: landed})
    assert list(pulls) == [13]
    assert (second.direct_commits, second.skipped) == ([], 1)
    assert second.checkpoint == {"branch": "main", "head": repo.head()}
    third, pulls = read(repo.path, checkpoint=second.checkpoint, known={12: landed, 13: pulls[13]["merge_commit"]})
    assert (pulls, third.checkpoint, third.notes) == ({}, second.checkpoint, [])


def test_a_pull_request_that_another_source_told_of_is_read_from_its_commit_too(repo):
    repo.commit("Start")
    first, _ = read(repo.path)
    repo.squash(12, "Add tides")
    _, pulls = read(repo.path, checkpoint=first.checkpoint, known={12: repo.head()})
    assert list(pulls) == [12]


def test_what_is_known_does_not_matter_to_a_first_run(repo):
    repo.squash(12, "Add tides")
    assert list(pulls_of(repo, known={12: "0" * 40})) == [12]


def test_a_rewritten_history_is_read_again(repo):
    repo.commit("Start")
    repo.squash(12, "Add tides")
    first, _ = read(repo.path)
    repo.commit("Start anew", parents=[])
    repo.squash(12, "Add tides, rewritten")
    second, pulls = read(repo.path, checkpoint=first.checkpoint, known={12: "0" * 40})
    assert pulls[12]["title"] == "Add tides, rewritten"
    assert "is no longer part of main" in second.notes[0]
    assert second.checkpoint == {"branch": "main", "head": repo.head()}


def test_another_branch_is_read_from_its_beginning(repo):
    start = repo.squash(12, "Add tides")
    first, _ = read(repo.path)
    repo.squash(13, "Backport", branch="release", parents=[start])
    second, pulls = read(repo.path, branch="release", checkpoint=first.checkpoint)
    assert list(pulls) == [12, 13]
    assert second.notes == ["Everything was read again: the last import was of branch main, this one is of release."]


def test_an_earlier_since_reads_what_the_first_run_left_out(repo):
    repo.squash(1, "Old", at="2026-03-01T00:00:00Z")
    repo.squash(2, "New", at="2026-03-20T00:00:00Z")
    first, pulls = read(repo.path, since="2026-03-10")
    assert list(pulls) == [2]
    repo.squash(3, "Newer", at="2026-03-21T00:00:00Z")
    same, pulls = read(repo.path, since="2026-03-10", checkpoint=first.checkpoint)
    assert (list(pulls), same.notes) == ([3], [])
    later, pulls = read(repo.path, since="2026-03-15", checkpoint=first.checkpoint)
    assert (list(pulls), later.notes) == ([3], [])
    for earlier in ("2026-02-01", None):
        again, pulls = read(repo.path, since=earlier, checkpoint=later.checkpoint)
        assert list(pulls) == [1, 2, 3]
        assert again.notes == ["Everything was read again: the last import reached back to 2026-03-10 only."]


# Clones that lack something


def test_a_shallow_clone_works_without_its_first_commit_and_says_so(repo, tmp_path):
    repo.squash(1, "Long ago", {"a.py": "1\n" * 500}, at="2026-03-01T00:00:00Z")
    repo.squash(2, "At the edge", {"b.py": "1\n"}, at="2026-03-02T00:00:00Z")
    edge = repo.head()
    repo.squash(3, "Within", {"c.py": "1\n2\n"}, at="2026-03-03T00:00:00Z")
    clone = repo.clone(tmp_path / "clone", "--depth=2")
    source, pulls = read(clone)
    assert {number: pull["additions"] for number, pull in pulls.items()} == {3: 2}
    assert source.direct_commits == []
    (note,) = source.notes
    assert f"shallow: its history goes back to commit {edge[:10]} of 2026-03-02" in note
    assert "git fetch --unshallow" in note
    assert read(clone, checkpoint=source.checkpoint)[0].notes == [note]


def test_a_clone_that_is_no_longer_shallow_is_read_again(repo, tmp_path):
    for number in (1, 2, 3):
        repo.squash(number, "Work")
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    first, _ = read(clone)
    git("fetch", "--quiet", "--unshallow", cwd=clone)
    second, pulls = read(clone, checkpoint=first.checkpoint)
    assert list(pulls) == [1, 2, 3]
    assert second.notes == ["Everything was read again: the clone has more history than it had."]
    assert second.checkpoint == {"branch": "main", "head": repo.head()}


def test_a_clone_without_file_contents_tells_paths_but_no_lines_and_fetches_nothing(repo, tmp_path):
    repo.commit("Start", {"a.py": "1\n2\n3\n4\n"})
    repo.squash(12, "Add tides", {"tides.py": "1\n"}, renames={"a.py": "lib/a.py"})
    repo.merge(13, "Add moons", {"moons.py": "1\n"})
    for number in range(14, 30):
        repo.squash(number, "Work")
    clone = repo.clone(tmp_path / "clone", "--filter=blob:none", "--no-checkout")
    before = git("count-objects", "-v", cwd=clone)
    source, pulls = read(clone)
    assert list(pulls) == list(range(12, 30))
    assert {file["path"]: file["status"] for file in pulls[12]["files"]} == {"tides.py": "added", "lib/a.py": "renamed"}
    for pull in pulls.values():
        assert (pull["additions"], pull["deletions"], pull["files_complete"]) == (None, None, False)
    assert pulls[13]["changed_files"] == 1
    (note,) = source.notes
    assert "lacks contents of the files of 18 pull requests" in note
    assert git("count-objects", "-v", cwd=clone) == before


def test_only_pull_requests_with_missing_contents_lose_their_lines(repo, tmp_path):
    for number in range(1, 10):
        content = "long line of a large file\n" * 4000 if number in (3, 4, 8) else "1\n"
        repo.squash(number, "Work", {f"part_{number}.txt": content})
    clone = repo.clone(tmp_path / "clone", "--bare", "--filter=blob:limit=1k")
    source, pulls = read(clone)
    assert list(pulls) == list(range(1, 10))
    assert [number for number, pull in pulls.items() if pull["additions"] is None] == [3, 4, 8]
    assert all(pull["changed_files"] == 1 for pull in pulls.values())
    (note,) = source.notes
    assert "of 3 pull requests" in note


def test_a_rebased_pull_request_of_which_some_contents_are_missing_has_no_known_lines(repo, tmp_path):
    repo.rebase(12, [("Small", {"a.txt": "1\n"}), ("Large", {"b.txt": "long line of a large file\n" * 4000})])
    _, pulls = read(repo.clone(tmp_path / "clone", "--bare", "--filter=blob:limit=1k"))
    assert (pulls[12]["additions"], pulls[12]["changed_files"]) == (None, 2)
    assert files_of(pulls[12]) == {"a.txt": ("added", None, None), "b.txt": ("added", None, None)}


def test_contents_that_came_later_are_counted_by_reading_again(repo, tmp_path):
    repo.squash(1, "Work", {"a.txt": "1\n2\n"})
    clone = repo.clone(tmp_path / "clone", "--bare", "--filter=blob:none")
    first, _ = read(clone)
    assert read(clone, checkpoint=first.checkpoint)[1] == {}
    git("cat-file", "-p", "main:a.txt", cwd=clone)  # fetches it
    second, pulls = read(clone, checkpoint=first.checkpoint)
    assert pulls[1]["additions"] == 2
    assert second.notes == ["Everything was read again: the clone has file contents that it lacked."]


def test_a_damaged_repository_that_lacks_one_content_loses_only_those_lines(repo):
    repo.squash(1, "Good", {"a.txt": "1\n"})
    repo.squash(2, "Damaged", {"b.txt": "2\n", "c.txt": "3\n"})
    repo.squash(3, "Good again", {"d.txt": "4\n"})
    content = repo.git("rev-parse", "main:c.txt")
    loosen(repo)
    (repo.path / "objects" / content[:2] / content[2:]).unlink()
    _, pulls = read(repo.path)
    assert {number: pull["additions"] for number, pull in pulls.items()} == {1: 1, 2: None, 3: 1}
    assert files_of(pulls[2]) == {"b.txt": ("added", None, None), "c.txt": ("added", None, None)}


# Patches


def signals_of(pull):
    return [(each["kind"], each["path"], each["line"]) for each in pull["signals"]]


def test_without_being_asked_no_patch_is_read(repo):
    repo.squash(12, "Add tides", {"tides.py": "# TODO\n"})
    assert not {"signals", "patches_known"} & pulls_of(repo)[12].keys()


def test_the_patch_of_each_way_of_merging_is_read_once(repo):
    repo.commit("Start", {"tides.py": "def high(): ...\n"})
    repo.squash(12, "Squash", {"tides.py": "def low(): ...\n"})
    repo.merge(13, "Merge", {"moons.py": "# TODO: new moon\n"})
    repo.bors_batch({14: ("One", {"a.py": "# FIXME\n"}), 15: ("Other", {"b.py": "1\nassert x\n"})})
    repo.commit("Pushed", {"direct.py": "# TODO\n"})
    pulls = pulls_of(repo, patches=True)
    assert {number: signals_of(pull) for number, pull in pulls.items()} == {
        12: [("name-removed", "tides.py", 1)],
        13: [("todo", "moons.py", 1)],
        14: [("todo", "a.py", 1)],
        15: [("assert", "b.py", 2)],
    }
    assert all(pull["patches_known"] for pull in pulls.values())


def test_patches_change_nothing_else_that_is_known(repo):
    repo.commit("Start", {"tides.py": "1\n2\n3\n4\n", "pic.png": b"\0\1"})
    repo.squash(12, "Squash", {"pic.png": b"\0\2", "b.py": "cr\r\n"}, renames={"tides.py": "lib/tides.py"})
    repo.merge(13, "Merge", {"moons.py": None, "lib/tides.py": "1\n2\n3\nfive"})
    repo.rebase(14, [("One", {"a.py": "1\n"}), ("Two", {"a.py": "2\n"})])
    plain, asked = pulls_of(repo), pulls_of(repo, patches=True)
    assert [{**pull, "signals": None, "patches_known": None} for pull in plain.values()] == [
        {**pull, "signals": None, "patches_known": None} for pull in asked.values()
    ]


def test_what_one_commit_of_a_rebase_adds_and_the_next_takes_away_was_never_there(repo):
    repo.commit("Start")
    repo.rebase(12, [("One", {"a.py": "# TODO\n# FIXME\n"}), ("Two", {"a.py": "# FIXME\nx = 1\n"})])
    (signal,) = pulls_of(repo, patches=True)[12]["signals"]
    assert (signal["kind"], signal["line"], signal["detail"]) == ("todo", 1, "FIXME")


def test_patches_that_are_asked_for_later_are_read_of_everything(repo):
    repo.squash(12, "Add tides", {"tides.py": "# TODO\n"})
    first, _ = read(repo.path)
    second, pulls = read(repo.path, patches=True, checkpoint=first.checkpoint, known={12: repo.head()})
    assert signals_of(pulls[12]) == [("todo", "tides.py", 1)]
    assert second.notes == ["Everything was read again: the last import read no patches."]
    third, pulls = read(repo.path, patches=True, checkpoint=second.checkpoint, known={12: repo.head()})
    assert (pulls, third.notes) == ({}, [])
    plain, _ = read(repo.path, checkpoint=third.checkpoint, known={12: repo.head()})
    assert plain.checkpoint == third.checkpoint  # nothing came that was not read
    repo.squash(13, "More")
    plain, pulls = read(repo.path, checkpoint=third.checkpoint, known={12: repo.head()})
    assert "patches" not in plain.checkpoint and "signals" not in pulls[13]


def test_a_partial_clone_knows_the_patches_of_what_it_has(repo, tmp_path):
    for number in range(1, 4):
        repo.squash(number, "Work", {f"part_{number}.py": "# TODO\n" * (4000 if number == 2 else 1)})
    source, pulls = read(repo.clone(tmp_path / "clone", "--bare", "--filter=blob:limit=1k"), patches=True)
    assert {number: pull.get("patches_known") for number, pull in pulls.items()} == {1: True, 2: None, 3: True}
    (note,) = source.notes
    assert "the lines are not, nor what the patches do" in note


def test_a_damaged_repository_that_lacks_a_folder_fails_and_leaves_no_checkpoint(repo):
    repo.squash(1, "Good", {"a/b.txt": "1\n"})
    repo.squash(2, "Bad", {"a/c.txt": "1\n"})
    repo.squash(3, "After", {"d.txt": "1\n"})
    tree = repo.git("rev-parse", "main~1:a")
    loosen(repo)
    (repo.path / "objects" / tree[:2] / tree[2:]).unlink()
    source = fetch_clone(repo.path)
    with pytest.raises(SourceError, match=r"git could not read .*tidepool to the end: .*\.$"):
        list(source.pulls)
    assert source.checkpoint is None


def loosen(repo):
    """Unpack every object into a file of its own."""
    for pack in (repo.path / "objects" / "pack").glob("*.pack"):
        moved = pack.rename(repo.path / pack.name)
        pack.with_suffix(".idx").unlink()
        moved.chmod(stat.S_IRUSR | stat.S_IWUSR)
        git("unpack-objects", "-q", cwd=repo.path, data=moved.read_bytes())


def test_when_git_dies_midway_only_whole_commits_came_and_an_error_ends_the_stream(repo, tmp_path, monkeypatch):
    for number in range(1, 40):
        repo.squash(number, "Work", {f"part_{number}/{part}.txt": "1\n" for part in range(20)})
    whole = pulls_of(repo)
    dying = tmp_path / "bin" / "git"
    dying.parent.mkdir()
    dying.write_text(f"""#!/bin/sh
case "$*" in
*--numstat*) {shutil.which("git")} "$@" | head -c 60000; kill -9 $$;;
*) exec {shutil.which("git")} "$@";;
esac
""")
    dying.chmod(0o755)
    monkeypatch.setenv("PATH", f"{dying.parent}{os.pathsep}{os.environ['PATH']}")
    source, came = fetch_clone(repo.path), []
    with pytest.raises(SourceError, match=r"to the end: it ended with -9\.$"):
        came.extend(source.pulls)  # what came before the error stays in the list
    assert 0 < len(came) < len(whole)
    assert all(pull == whole[pull["number"]] for pull in came)
    assert source.checkpoint is None


# What is no repository


def test_a_path_that_is_no_repository_gets_one_sentence(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    for name, words in {
        "nowhere": "There is no folder .*nowhere",
        "folder": "folder is not a git repository",
        "file": "file is a file",
    }.items():
        with pytest.raises(SourceError, match=words):
            fetch_clone(tmp_path / name)


def test_a_folder_inside_a_repository_is_not_taken_for_it(tmp_path):
    repo = GitRepo(tmp_path / "tidepool", bare=False)
    repo.commit("Start")
    (repo.path / "inner").mkdir()
    with pytest.raises(SourceError, match="is not a git repository"):
        fetch_clone(repo.path / "inner")


def test_an_empty_repository_is_said_to_be_empty(repo):
    with pytest.raises(SourceError, match=r"tidepool is an empty repository: it has no commits yet\.$"):
        fetch_clone(repo.path)


def test_a_missing_git_is_said(repo, tmp_path, monkeypatch):
    path = repo.path
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="git is not installed"):
        fetch_clone(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="Only root can give a folder away.")
@pytest.mark.parametrize("bare", [True, False])
def test_a_repository_of_somebody_else_is_read_all_the_same(tmp_path, bare):
    repo = GitRepo(tmp_path / "tidepool", bare=bare)
    repo.squash(12, "Add tides")
    for path in [repo.path, *repo.path.rglob("*")]:
        os.chown(path, 12345, 12345)
    refused = subprocess.run(["git", "-C", repo.folder, "log"], capture_output=True, env={"PATH": os.environ["PATH"]})
    assert b"dubious ownership" in refused.stderr
    assert list(pulls_of(repo)) == [12]


def test_a_linked_worktree_is_a_clone_too(tmp_path):
    repo = GitRepo(tmp_path / "tidepool")
    repo.squash(12, "Add tides")
    git("worktree", "add", "--quiet", "--detach", tmp_path / "linked", "main", cwd=repo.path)
    _, pulls = read(tmp_path / "linked")
    assert list(pulls) == [12]


# Beside the pull requests


def test_tags_name_the_commit_they_are_on_and_its_date_even_if_they_were_made_later(repo):
    repo.commit("Start", at="2026-03-02T09:00:00Z")
    repo.tag("v1.0")
    first = repo.head()
    repo.squash(12, "Add tides")
    repo.tag("v1.1", annotated=True, at="2026-03-20T12:00:00Z")
    repo.git("tag", "a-tree", "main^{tree}")
    source = fetch_clone(repo.path)
    assert source.tags == [
        {"name": "v1.0", "sha": first, "tagged_at": "2026-03-02T09:00:00Z"},
        {"name": "v1.1", "sha": repo.head(), "tagged_at": "2026-03-02T10:00:00Z"},
    ]


def test_a_tag_on_a_release_branch_holds_what_landed_before_that_branch_began(repo):
    start = repo.commit("Start", at="2026-03-02T09:00:00Z")
    cut = repo.squash(12, "Add tides", at="2026-03-05T09:00:00Z")
    repo.squash(13, "For the next release", at="2026-03-10T09:00:00Z")
    for branch, commit in (("older", start), ("release", cut)):
        fix = repo.commit("Prepare", at="2026-03-12T09:00:00Z", branch=branch, parents=[commit])
        repo.commit("Backport a fix", at="2026-03-20T09:00:00Z", branch=branch, parents=[fix])
    repo.commit("Both", at="2026-03-21T09:00:00Z", branch="both", parents=[fix, start])
    repo.commit("Pages", at="2026-03-22T09:00:00Z", branch="pages", parents=[])
    for branch in ("older", "release", "both", "pages"):
        repo.git("update-ref", f"refs/tags/on-{branch}", repo.head(branch))
    tags = fetch_clone(repo.path).tags
    assert fetch_clone(repo.path, branch="release").tags == tags
    assert {tag["name"]: tag["tagged_at"] for tag in tags} == {
        "on-older": "2026-03-02T09:00:00Z",
        "on-release": "2026-03-05T09:00:00Z",
        "on-both": "2026-03-05T09:00:00Z",
        "on-pages": "2026-03-22T09:00:00Z",  # it has nothing in common with the branch
    }


def test_any_name_of_a_tag_comes_through(repo):
    repo.squash(12, "Add tides")
    names = ["发布/1.0", 'say-"hi"', "a|b#c<d>&e", "$(date)", "line\u2028end", "next\x85line", "right\u202eleft", "-"]
    for name in names:
        repo.git("update-ref", f"refs/tags/{name}", repo.head())
    assert sorted(tag["name"] for tag in fetch_clone(repo.path).tags) == sorted(names)


def test_thousands_of_tags_take_one_call_of_git(repo, monkeypatch):
    repo.squash(12, "Add tides")
    lines = "".join(f"create refs/tags/build/{n} {repo.head()}\n" for n in range(3000))
    git("update-ref", "--stdin", cwd=repo.path, data=lines.encode())
    calls = []
    run = Repository.run
    monkeypatch.setattr(Repository, "run", lambda self, *words: calls.append(words[0]) or run(self, *words))
    assert len(fetch_clone(repo.path).tags) == 3000
    assert [name for name in calls if name in ("for-each-ref", "rev-list")] == ["for-each-ref", "rev-list"]


def test_the_codeowners_file_that_github_takes_is_read(repo):
    repo.commit("Start")
    assert fetch_clone(repo.path).codeowners == []
    rules = ["# Who", "", "* @ada @harbour/all # everything", "/docs/ grace@example.org", "my\\ file.py @ada", "/free/"]
    rules += ["[odd]", "!x @ada"]
    repo.commit("Owners", {"docs/CODEOWNERS": "* @nobody\n", "CODEOWNERS": "\n".join(rules)})
    assert fetch_clone(repo.path).codeowners == [
        {"pattern": "*", "owners": ["@ada", "@harbour/all"]},
        {"pattern": "/docs/", "owners": ["grace@example.org"]},
        {"pattern": "my file.py", "owners": ["@ada"]},
        {"pattern": "/free/", "owners": []},
    ]
    repo.commit("Owners", {".github/CODEOWNERS": "* @grace\n"})
    assert fetch_clone(repo.path).codeowners == [{"pattern": "*", "owners": ["@grace"]}]


# Against gh


EXPORT = [
    {
        "number": number,
        "title": title,
        "body": f"Body of {number}",
        "state": "MERGED",
        "author": {"login": login},
        "mergedAt": merged,
        "additions": sum(added for _, added, _ in files),
        "deletions": sum(deleted for _, _, deleted in files),
        "changedFiles": len(files),
        "files": [{"path": path, "additions": added, "deletions": deleted} for path, added, deleted in files],
    }
    for number, title, login, merged, files in [
        (7, "[core] feat: add tides", "ada", "2026-04-20T09:00:00Z", [("tides.py", 40, 0), ("docs/潮汐.md", 7, 0)]),
        (9, "Fix moons (#3)", "grace", "2026-04-27T01:55:00+08:00", [("moons.py", 3, 12), ("run.sh", 0, 0)]),
        (8, "加入 | `a` <b> 🌊", "linus", "2026-04-21T00:00:00Z", [("tides.py", 5, 45), ("moons.py", 30, 0)]),
        (10, 'Revert "Fix moons (#3)"', "ada", "2026-04-27T02:00:00Z", [("moons.py", 12, 3), ("run.sh", 0, 0)]),
    ]
]


def assert_the_same(export, repo, tmp_path):
    file = tmp_path / "export.json"
    file.write_text(json.dumps(export), encoding="utf-8")
    told = {pull["number"]: pull for pull in fetch_gh(file).pulls}
    found = pulls_of(repo)
    assert sorted(found) == sorted(told)
    for number, pull in told.items():
        for field in ("title", "merged_at", "state", "additions", "deletions", "changed_files", "files_complete"):
            assert found[number][field] == pull[field], (number, field)
        assert found[number]["author"]["login"] == pull["author"]["login"]
    return told, found


def test_the_same_pull_requests_are_told_alike_by_a_clone_and_by_gh(tmp_path):
    told, found = assert_the_same(EXPORT, squash_history(tmp_path / "tidepool", EXPORT), tmp_path)
    for number, pull in told.items():
        lines = {file["path"]: (file["additions"], file["deletions"]) for file in pull["files"]}
        assert {path: counts[1:] for path, counts in files_of(found[number]).items()} == lines
        assert found[number]["body"] == pull["body"]


def test_a_real_sample_is_told_alike_by_a_clone_and_by_gh(shared, tmp_path):
    with gzip.open(shared / "verl" / "prs-2026.json.gz") as file:
        export = json.load(file)
    told, _ = assert_the_same(export, squash_history(tmp_path / "sample", export), tmp_path)
    assert len(told) == 1059


# Streaming


def test_a_long_history_is_streamed_and_an_early_stop_ends_git(repo, tmp_path, monkeypatch):
    for number in range(1, 2001):
        repo.squash(number, "Work", body="words " * 300)
    path = repo.path
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    source = fetch_clone(path)
    assert next(source.pulls)["number"] == 1
    if sys.platform == "linux" and children.exists():
        assert children.read_text().split()
    source.pulls.close()
    if sys.platform == "linux" and children.exists():
        assert not children.read_text().split()
    assert source.checkpoint is None
