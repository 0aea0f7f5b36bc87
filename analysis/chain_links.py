"""What a pull request did to earlier ones: took them out, brought them back or repaired them, and how that is known."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis import kinds, mentions
from analysis.paths import classify
from analysis.recent_share import CODE, LOOK_BACK_DAYS, recent_share
from analysis.running import Ints, in_time
from analysis.titles import Title, parse
from data.links import reverted_commits

REVERT, REAPPLY, REPAIR = "revert", "reapply", "repair"  # strongest first
KINDS = (REVERT, REAPPLY, REPAIR)
COLUMNS = {
    "pull_id": "int64",
    "earlier_id": "int64",
    "kind": "object",
    "is_sure": "bool",
    "hours": "float64",
    "evidence": "object",
}
PULL_COLUMNS = ("pull_id", "number", "title", "body", "head", "base", "author_type", "merged_at", "merge_commit")
REPAIRED_SHARE = 2 / 3  # of the lines lately added to what is fixed; measured: 85 % of such fixes rewrite those lines
POSSIBLE_SHARE = 1 / 2  # enough for a revert that does not say of what
FOLLOW_DAYS = 180  # "follow-up to #1" and the like are no repair of something older
WIDE = 30  # files; a change so wide is repaired by name only
MOVED = 2 / 3  # lines deleted per line added; a change that deletes so many moves code, and is repaired by name only
MIRRORED_LINES = 5  # fewer are mirrored by chance
MOST_HASHES = 20  # that one description may say it reverts
SHORTEST_TITLE = 20  # characters of a quoted title that may stand for a longer one

_RAW_KINDS = {"reverts": REVERT, "reapplies": REAPPLY}
_LINES = ("additions", "deletions")
_LINK_COLUMNS = ("pull_id", "kind", "number", "evidence")
_BRANCH = re.compile(r"(?:^|[/:])revert[-_](?:pr[-_]?|gh-?)?([1-9]\d{0,6})(?:[-_/]|$)", re.IGNORECASE)
_RETURN = re.compile(r"\W*(?:\[[^\]]*\]\W*)*re-?(?:appl|land)", re.IGNORECASE)
_FIX_WORDS = re.compile(r"(?:hot-?fix|repair|follow(?:ing)?[- ]?up)\b", re.IGNORECASE)
_TRIVIAL = re.compile(
    r"\b(?:typos?|spell\w*|misspell\w*|grammar|wording|clippy|lint\w*|format(?:ting)?|whitespace|comments?|docstrings?"
    r"|links|warnings?)\b|错别字|拼写|格式",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"(?:\s*\(#\d+\))+\s*$")
_QUOTES = re.compile(r"[\"'`“”‘’]")
_CUT = re.compile(r"(?:…|\.\.\.)[\"'`]?\s*$")


class Named(NamedTuple):
    """What must be loaded besides what was merged lately, for links to be found."""

    numbers: frozenset[int]
    titles: frozenset[str]  # quoted ones: see `meant`
    commits: frozenset[str]  # hashes, or how they begin, that merges may have


@dataclass(eq=False)
class _Pull:
    pull_id: int
    number: int
    title: str
    body: str
    head: str
    base: str | None
    is_bot: bool
    kind: str
    place: int  # in order of time
    hours: float
    merge_commit: str

    @cached_property
    def said(self) -> Title:
        return parse(self.title)

    @property
    def says_revert(self) -> bool:
        return _says_revert(self.said)

    @property
    def is_fix(self) -> bool:
        return _is_fix(self.said, self.kind)

    @property
    def is_automatic(self) -> bool:
        return self.is_bot or self.said.is_bump


class _Link(NamedTuple):
    pull: _Pull
    earlier: _Pull
    kind: str
    is_sure: bool
    reason: dict[str, Any]


def named(pulls: pd.DataFrame, links: pd.DataFrame) -> Named:
    """Which other pull requests must be at hand to tell what these did to earlier ones.

    What is named may be a revert that names others: ask again with what the answer brought, until nothing is new.

    Args:
        pulls: one row per pull request: pull_id, title, body, head.
        links: their raw links: pull_id, kind, repo, number.
    """
    ids, titles = set(pulls["pull_id"].tolist()), [parse(title) for title in pulls["title"].tolist()]
    reverts = [title for title in titles if title.reverts]
    numbers = {number for title in reverts for number in _numbers(title)}
    branches = (_BRANCH.search(head) for head in pulls["head"].tolist() if isinstance(head, str))
    numbers.update(int(match[1]) for match in branches if match)
    in_text = zip(links["pull_id"].tolist(), links["repo"].isna().tolist(), links["number"].tolist(), strict=True)
    numbers.update(int(number) for pull_id, is_here, number in in_text if is_here and pull_id in ids)
    quoted = (title.reverts.title for title in titles if title.reverts)
    bodies = (body for body in pulls["body"].tolist() if isinstance(body, str))
    commits = {sha for body in bodies for sha, _ in reverted_commits(body)}
    return Named(frozenset(numbers), frozenset(filter(None, quoted)), frozenset(commits))


def followed(found: pd.DataFrame, asked: Collection[int], judged: pd.DataFrame) -> pd.DataFrame:
    """Of the earlier pull requests at hand those that are to be `named` from in turn.

    These are the ones asked for, and other reverts, where one of those to judge may mirror them.

    Args:
        found: one row per pull request at hand: number, title.
        asked: numbers.
        judged: one row per pull request to judge: title.
    """
    is_followed = found["number"].isin(asked).to_numpy(dtype=bool, copy=True)
    if any(_says_revert(parse(title)) for title in judged["title"].tolist()):
        is_followed |= np.array([_says_revert(parse(title)) for title in found["title"].tolist()], dtype=bool)
    return found[is_followed]


def rewritten(pulls: pd.DataFrame, files: pd.DataFrame, labels: pd.DataFrame) -> list[int]:
    """The paths whose recent changes tell what some pull requests repair, or take out: those of fixes and reverts.

    Args:
        pulls: one row per pull request: pull_id, title.
        files: their files: pull_id, path_id, path.
        labels: one row per pull request and label: pull_id, name.

    Returns:
        Ids, without the documents and the noise of fixes.
    """
    names: dict[int, list[str]] = defaultdict(list)
    for pull_id, name in zip(labels["pull_id"].tolist(), labels["name"].tolist(), strict=True):
        names[pull_id].append(name)
    titles = {pull_id: parse(title) for pull_id, title in zip(pulls["pull_id"], pulls["title"], strict=True)}
    reverts = {pull_id for pull_id, title in titles.items() if _says_revert(title)}
    # What the files are could only make it something else than a fix.
    fixes = {pull_id for pull_id, title in titles.items() if _is_fix(title, kinds.kind(title, (), names[pull_id]))}
    rows = zip(*(files[name].tolist() for name in ("pull_id", "path_id", "path")), strict=True)
    return sorted(
        {
            path_id
            for pull_id, path_id, path in rows
            if pull_id in reverts or (pull_id in fixes and classify(path).category in CODE)
        }
    )


def _says_revert(title: Title) -> bool:
    return title.reverts is not None or title.may_revert


def _is_fix(title: Title, kind: str) -> bool:
    return kind == "fix" or _FIX_WORDS.match(title.subject) is not None


def meant(titles: Collection[str], known: Mapping[int, str]) -> set[int]:
    """The numbers of all pull requests that a quotation of some titles may mean.

    Args:
        titles: as quoted.
        known: number -> title of each pull request.
    """
    wholes = {_key(title) for title in titles} - {""}
    subjects = tuple({_key(parse(title).subject) for title in titles} - {""})
    starts = tuple({start for title in titles if len(start := _key(_CUT.sub("", title))) >= SHORTEST_TITLE})
    # What is meant has the longest word of one of these; to look for it is quicker.
    hints = {max(text.split(), key=len) for text in (*wholes, *subjects, *starts)}
    likely = (number for number, title in known.items() if any(map(title.casefold().__contains__, hints)))
    return {
        number
        for number, key in ((number, _key(known[number])) for number in likely)
        if key in wholes or key.startswith(starts) or any(subject in key for subject in subjects)
    }


def links_of(
    pulls: pd.DataFrame,
    files: pd.DataFrame,
    links: pd.DataFrame,
    facts: pd.DataFrame,
    paths: pd.DataFrame,
    *,
    only: Collection[int] | None = None,
) -> pd.DataFrame:
    """Which earlier pull requests did each one take out, bring back or repair?

    Only merged ones count, and only what was merged before: what is told of a pull request never changes with what is
    merged later. Bots and dependency bumps repair nothing and are repaired by nobody, unless named.

    Formula: a revert is told by the commit or number that its text says it reverts, by its quoted title (the latest
        merge of that title; it may be cut short), by its branch `revert-12-...`, or by files and line counts that
        mirror an earlier change; a revert of a revert is a re-apply. A repair is a fix whose text blames or follows up
        on an earlier number, that comes back to something reverted, or that rewrites what one change lately added (two
        thirds of the recent lines, see `recent_share`). A claim counts if it names a merged, earlier pull request; one
        by title, branch or "follow-up" also needs a file in common. What says "revert" without saying of what is
        possible only.
    Misses: repairs that name nothing and come late, or to files that many touch; fixes that are not called so; reverts
        by direct commit. A number that its author mistyped links nothing, or the wrong change where that shares files.
    Source: reverts as GitHub's button and `git revert` write them; repairs after the SZZ algorithm (Śliwerski,
        Zimmermann and Zeller 2005), reduced to files.
    Example: #12 `Revert "fix: count days"` says "Reverts acme/orbit#10": it took out #10, 16.5 hours after it. #14
        `fix: count working days` says "formula from #10, reverted in #12" and changes the same file: it repaired #10.

    Args:
        pulls: one row per pull request: PULL_COLUMNS. Besides those asked for: all merged in the 90 days before that
            changed one of the files `rewritten`, and what is `named`.
        files: their files: pull_id, path_id, additions, deletions, old_path_id.
        links: their raw links: pull_id, kind, repo, number, evidence.
        facts: one row per pull request: pull_id, kind.
        paths: one row per path: path_id, category, and path for those that the pull requests asked for changed.
        only: pull ids to answer for; None: all.

    Returns:
        One row per pull request and earlier one, by ids: pull_id, earlier_id, kind (revert, reapply, repair), is_sure,
        hours (between the two merges), evidence (JSON list of reasons, the surest first, each with its `rule`: said,
        words, title_number, title, branch, mirror, through, after_revert, files, mentioned).
    """
    finder = _Finder(pulls, files, links, facts, paths)
    wanted = [pull for pull in finder.pulls if only is None or pull.pull_id in only]
    by_word = [link for pull in wanted if finder.may_name(pull) for link in finder.by_word(pull)]
    return _as_frame(by_word + list(finder.by_files(wanted, {link.pull.pull_id for link in by_word if link.is_sure})))


class _Finder:
    """Finds what a pull request did to those merged before it."""

    def __init__(
        self, pulls: pd.DataFrame, files: pd.DataFrame, links: pd.DataFrame, facts: pd.DataFrame, paths: pd.DataFrame
    ) -> None:
        self.merged = pulls[pulls["merged_at"].notna()]
        self.pulls = _records(self.merged, facts)
        self.by_id = {pull.pull_id: pull for pull in self.pulls}
        self.by_number = {pull.number: pull for pull in self.pulls}
        self.all_files, self.paths = files, paths
        self.files = _Files(files, paths)
        self.raw: dict[int, list[tuple[str, int, str]]] = defaultdict(list)
        own = links[links["repo"].isna().to_numpy()]
        for pull_id, *link in zip(*(own[name].tolist() for name in _LINK_COLUMNS), strict=True):
            kind, number, words = link
            self.raw[pull_id].append((kind, int(number), words if isinstance(words, str) else ""))
        self.found: dict[int, list[_Link]] = {}
        self.said: dict[int, list[mentions.Said]] = {}

    def may_name(self, pull: _Pull) -> bool:
        """Whether anything of it may say what it did to others."""
        if pull.pull_id in self.raw or pull.says_revert or "reverts commit" in pull.body:
            return True
        return "revert" in pull.head.lower() and _BRANCH.search(pull.head) is not None

    def by_word(self, pull: _Pull) -> Iterator[_Link]:
        """What title, description and branch say, and what reverts undo in turn."""
        direct = self._undone(pull)
        yield from direct
        for link in direct:
            yield from self._through(pull, link, link.earlier.number)
        if not pull.said.reverts:
            yield from self._repaired(pull, {link.earlier for link in direct if link.is_sure})

    def by_files(self, wanted: list[_Pull], told: set[int]) -> Iterator[_Link]:
        """Fixes that rewrite what one change lately added, and what free-form reverts may mean by that.

        Who says what is meant (`told`) is believed.
        """
        own = [pull for pull in wanted if pull.pull_id not in told and not pull.is_automatic]
        later = [pull.pull_id for pull in own if pull.says_revert or (pull.is_fix and not _TRIVIAL.search(pull.title))]
        shares = recent_share(
            self.merged, self.all_files, self.paths, later=pd.Series(later, dtype="int64"), at_least=POSSIBLE_SHARE
        )
        names = dict(zip(self.paths["path_id"].tolist(), self.paths["path"].tolist(), strict=True)) if later else {}
        for pull_id, earlier_id, share, path_id in shares.itertuples(index=False):
            pull, earlier = self.by_id[pull_id], self.by_id[earlier_id]
            if self._may_be_meant(pull, earlier) and (pull.says_revert or share >= REPAIRED_SHARE):
                kind = REVERT if pull.says_revert else REPAIR
                reason = {"rule": "files", "share": share, "path": names[path_id]}
                yield _Link(pull, earlier, kind, kind == REPAIR, reason)

    def _may_be_meant(self, pull: _Pull, earlier: _Pull) -> bool:
        one_base = pull.base is None or earlier.base is None or pull.base == earlier.base
        added, deleted = self.files.sums(earlier)
        is_own = not earlier.is_automatic and not earlier.said.reverts
        return one_base and is_own and len(self.files.paths(earlier)) <= WIDE and deleted < MOVED * added

    def _undone(self, pull: _Pull) -> list[_Link]:
        """What the pull request itself takes out or brings back, by the surest rule that finds something.

        Weaker rules may confirm what that found, but not add to it.
        """
        if pull.pull_id not in self.found:
            claims = list(self._claims(pull))
            surest = next((claim for claim in claims if claim.is_sure), None)
            kinds = {claim.earlier: claim.kind for claim in claims if surest and claim.reason["rule"] == _rule(surest)}
            confirmed = [claim for claim in claims if claim.kind == kinds.get(claim.earlier) and claim.is_sure]
            self.found[pull.pull_id] = confirmed or claims or list(self._possible(pull))
        return self.found[pull.pull_id]

    def _claims(self, pull: _Pull) -> Iterator[_Link]:
        """All that the pull request says of what it takes out or brings back, the surest first."""
        told = {
            number: (_RAW_KINDS[kind], words)
            for kind, number, words in self.raw[pull.pull_id]
            if kind in _RAW_KINDS and not (pull.said.reverts and pull.title.startswith(words))  # the title comes below
        }
        for number, (kind, words) in told.items():
            yield from self._claim(pull, number, kind, {"rule": "said", "words": words}, shares=True)
        yield from self._by_hash(pull)
        for said in self._said(pull):
            if said.number in told:
                continue
            if said.says == mentions.REAPPLIES or (said.says == mentions.REVERTS and pull.says_revert):
                kind = REAPPLY if said.says == mentions.REAPPLIES else REVERT
                claim = self._claim(pull, said.number, kind, {"rule": "words", "words": said.words}, shares=True)
                # A title that only has the word in it, such as "add a revert button (#1)", may mean anything.
                is_plain = pull.said.reverts is not None or said.words not in pull.title
                yield from (link._replace(is_sure=is_plain) for link in claim)
        if pull.said.reverts:
            yield from self._by_title(pull)
        if branch := _BRANCH.search(pull.head):
            claim = self._claim(pull, int(branch[1]), REVERT, {"rule": "branch", "branch": pull.head}, shares=True)
            yield from (link._replace(is_sure=pull.says_revert) for link in claim)
        if pull.says_revert:
            yield from self._mirrored(pull)

    def _by_hash(self, pull: _Pull) -> Iterator[_Link]:
        """What the description says to revert by the hash of its merge."""
        for sha, words in reverted_commits(pull.body)[:MOST_HASHES]:
            for number in [each.number for each in self.pulls if each.merge_commit.startswith(sha)]:
                yield from self._claim(pull, number, REVERT, {"rule": "said", "words": words}, shares=True)

    def _claim(
        self, pull: _Pull, number: int, kind: str, reason: dict[str, Any], *, shares: bool = False
    ) -> Iterator[_Link]:
        """The claim, if it names something merged before, with a file in common where that is asked for."""
        earlier = self.by_number.get(number)
        if earlier and earlier.place < pull.place and (not shares or self.files.may_share(pull, earlier)):
            yield _Link(pull, earlier, kind, True, reason)

    def _by_title(self, pull: _Pull) -> Iterator[_Link]:
        reverted = pull.said.reverts
        assert reverted
        kind = REAPPLY if _RETURN.match(pull.title) or _RETURN.match(pull.said.subject) else REVERT
        by_title = self._titled(pull, reverted.title) if reverted.title else None
        for number in _numbers(pull.said):
            other = self.by_number.get(number)
            # The number in `Revert "revert: x (#1)"` is that of x: a title that fits better is believed.
            if other and (not by_title or _key(other.title) == _key(by_title.title)):
                reason = {"rule": "title_number", "number": number}
                yield from self._claim(pull, number, kind, reason, shares=number != reverted.number)
        if by_title:
            yield from self._claim(pull, by_title.number, kind, {"rule": "title", "title": by_title.title}, shares=True)

    def _titled(self, pull: _Pull, quoted: str) -> _Pull | None:
        """The latest earlier pull request of that title, or else of that subject, or that begins so."""
        for index, key in ((self._titles, quoted), (self._subjects, parse(quoted).subject)):
            if not _key(key):
                continue
            if found := [each for each in index.get(_key(key), ()) if each.place < pull.place]:
                return found[-1]
        start = _key(_CUT.sub("", quoted))
        if len(start) < SHORTEST_TITLE:
            return None
        places = range(pull.place - 1, -1, -1)
        return next((self.pulls[at] for at in places if self._keys[at].startswith(start)), None)

    @cached_property
    def _keys(self) -> list[str]:
        return [_key(pull.title) for pull in self.pulls]

    @cached_property
    def _titles(self) -> dict[str, list[_Pull]]:
        found = defaultdict(list)
        for pull, key in zip(self.pulls, self._keys, strict=True):
            found[key].append(pull)
        return found

    @cached_property
    def _subjects(self) -> dict[str, list[_Pull]]:
        found = defaultdict(list)
        for pull in self.pulls:
            found[_key(pull.said.subject)].append(pull)
        return found

    def _mirrored(self, pull: _Pull) -> Iterator[_Link]:
        """The latest change of just the same files, with lines added and deleted the other way round."""
        mirror = {path: (deleted, added) for path, (added, deleted) in self.files.lines(pull).items()}
        if sum(map(sum, mirror.values())) < MIRRORED_LINES:
            return
        path, lines = next(iter(mirror.items()))
        touched = [self.by_id[each] for each in self.files.pulls_of(path, *lines) if each in self.by_id]
        soon = [each for each in touched if each.place < pull.place and pull.hours - each.hours <= LOOK_BACK_DAYS * 24]
        for earlier in sorted(soon, key=lambda each: -each.place):
            if self.files.lines(earlier) == mirror:
                yield _Link(pull, earlier, REVERT, True, {"rule": "mirror", "files": len(mirror)})
                return

    def _possible(self, pull: _Pull) -> Iterator[_Link]:
        """What a revert may mean that does not say: what it names, if it changes the same files."""
        for _, number, words in self.raw[pull.pull_id] if pull.says_revert else ():
            claim = self._claim(pull, number, REVERT, {"rule": "mentioned", "words": words}, shares=True)
            yield from (link._replace(is_sure=False) for link in claim)

    def _through(self, pull: _Pull, link: _Link, by: int) -> Iterator[_Link]:
        """What a revert of a revert (`by`) brings back, and so on: an even number of reverts puts in again."""
        for inner in self._undone(link.earlier) if link.is_sure else ():
            if inner.is_sure:
                kind = inner.kind if link.kind == REAPPLY else REAPPLY if inner.kind == REVERT else REVERT
                deeper = _Link(pull, inner.earlier, kind, True, {"rule": "through", "pr": by})
                yield deeper
                yield from self._through(pull, deeper, by)

    def _repaired(self, pull: _Pull, undone: set[_Pull]) -> Iterator[_Link]:
        """What the description says was wrong before, or comes back to after it was reverted."""
        for said in self._said(pull):
            earlier = self.by_number[said.number]
            if earlier.place < pull.place and earlier not in undone and self._is_repair(pull, earlier, said.says):
                reason = {"rule": "words", "says": said.says, "words": said.words}
                yield _Link(pull, earlier, REPAIR, True, reason)
        for _, number, words in self.raw[pull.pull_id] if pull.is_fix else ():
            between = self.by_number.get(number)
            if between and between.place < pull.place and self.files.share_code(pull, between):
                again = {"rule": "after_revert", "pr": number, "words": words}
                taken_out = [link for link in self._undone(between) if link.is_sure and link.kind == REVERT]
                yield from (_Link(pull, link.earlier, REPAIR, True, again) for link in taken_out)

    def _is_repair(self, pull: _Pull, earlier: _Pull, says: str) -> bool:
        if says == mentions.BLAMES and pull.is_fix:
            return True
        soon = pull.hours - earlier.hours <= FOLLOW_DAYS * 24
        can_be = says == mentions.BLAMES or (soon and pull.is_fix and says in (mentions.REVERTS, mentions.FOLLOWS))
        return can_be and self.files.share_code(pull, earlier)

    def _said(self, pull: _Pull) -> list[mentions.Said]:
        """What is said of merged pull requests of this repository."""
        if pull.pull_id not in self.said:
            numbers = {number for _, number, _ in self.raw[pull.pull_id] if number in self.by_number}
            title = "" if pull.said.reverts else pull.title  # a quotation says what another said
            self.said[pull.pull_id] = mentions.said_of(title, pull.body, numbers) if numbers else []
        return self.said[pull.pull_id]


class _Files:
    """The files of pull requests, looked up by pull request and by path."""

    def __init__(self, files: pd.DataFrame, paths: pd.DataFrame) -> None:
        rows = files if files["pull_id"].is_monotonic_increasing else files.sort_values("pull_id")
        self._owners, self._paths = (rows[name].to_numpy(dtype=np.int64) for name in ("pull_id", "path_id"))
        self._old, self._added, self._deleted = (
            pd.to_numeric(rows[name]).to_numpy(dtype=float, na_value=0) for name in ("old_path_id", *_LINES)
        )
        owners, starts = np.unique(self._owners, return_index=True)
        ends = [*starts[1:].tolist(), len(rows)]
        self._rows_of = dict(zip(owners.tolist(), map(slice, starts.tolist(), ends), strict=True))
        self._categories = paths

    @cached_property
    def _code(self) -> frozenset[int]:
        is_code = self._categories["category"].isin(CODE)
        return frozenset(self._categories["path_id"][is_code].tolist())

    def _rows(self, pull: _Pull) -> slice:
        return self._rows_of.get(pull.pull_id, slice(0))

    def paths(self, pull: _Pull) -> frozenset[int]:
        """Of its files, under new and old names."""
        rows = self._rows(pull)
        return frozenset([*self._paths[rows].tolist(), *map(int, filter(None, self._old[rows].tolist()))])

    def lines(self, pull: _Pull) -> dict[int, tuple[int, int]]:
        """Added and deleted, by path."""
        rows = self._rows(pull)
        both = zip(self._added[rows].tolist(), self._deleted[rows].tolist(), strict=True)
        return dict(zip(self._paths[rows].tolist(), both, strict=True))

    def sums(self, pull: _Pull) -> tuple[float, float]:
        """Added and deleted in all of its files."""
        rows = self._rows(pull)
        return self._added[rows].sum(), self._deleted[rows].sum()

    def pulls_of(self, path_id: int, added: float, deleted: float) -> list[int]:
        """The ids of all that added and deleted so many lines in a file."""
        order, paths = self._by_path
        rows = order[slice(*np.searchsorted(paths, (path_id, path_id + 1)))]
        return self._owners[rows[(self._added[rows] == added) & (self._deleted[rows] == deleted)]].tolist()

    @cached_property
    def _by_path(self) -> tuple[Ints, Ints]:
        """The rows in the order of their paths, and these."""
        order = np.argsort(self._paths, kind="stable")
        return order, self._paths[order]

    def may_share(self, pull: _Pull, other: _Pull) -> bool:
        """Whether they have a file in common, as far as their files are known."""
        mine, theirs = self.paths(pull), self.paths(other)
        return not mine or not theirs or not mine.isdisjoint(theirs)

    def share_code(self, pull: _Pull, other: _Pull) -> bool:
        """Whether they have a file in common that is no document and no noise."""
        return not self.paths(pull).isdisjoint(self.paths(other) & self._code)


def _records(merged: pd.DataFrame, facts: pd.DataFrame) -> list[_Pull]:
    """Pull requests in order of time."""
    order, moments = in_time(merged)
    merged = merged.take(order)
    kinds = dict(zip(facts["pull_id"].tolist(), facts["kind"].tolist(), strict=True))
    pull_ids = merged["pull_id"].tolist()
    columns = (
        pull_ids,
        merged["number"].tolist(),
        merged["title"].tolist(),
        *([each if isinstance(each, str) else "" for each in merged[name].tolist()] for name in ("body", "head")),
        [each if isinstance(each, str) else None for each in merged["base"].tolist()],
        (merged["author_type"] == "bot").tolist(),
        [kinds[pull_id] for pull_id in pull_ids],
        range(len(merged)),
        (moments / 3600).tolist(),
        [each if isinstance(each, str) else "" for each in merged["merge_commit"].tolist()],
    )
    return [_Pull(*row) for row in zip(*columns, strict=True)]


def _numbers(title: Title) -> list[int]:
    """What a revert's title names: within the quotation, or at its end."""
    inside = title.reverts.number if title.reverts else None
    return [number for number in dict.fromkeys([inside, *title.numbers]) if number]


def _rule(link: _Link) -> str:
    rule: str = link.reason["rule"]
    return rule


def _key(title: str) -> str:
    """A title without what quotations of it differ in."""
    bare = _NUMBERS.sub("", title) if title.rstrip().endswith(")") else title
    return " ".join(_QUOTES.sub(" ", bare).casefold().split())


def _as_frame(found: list[_Link]) -> pd.DataFrame:
    """One row per pair: the surest and strongest kind, with all the reasons for it."""
    pairs: dict[tuple[_Pull, _Pull], list[_Link]] = defaultdict(list)
    for link in found:
        pairs[link.pull, link.earlier].append(link)
    rows = []
    for (pull, earlier), links in pairs.items():
        best = min(links, key=lambda link: (not link.is_sure, KINDS.index(link.kind)))
        same = [link for link in links if link.kind == best.kind and link.is_sure == best.is_sure]
        reasons = dict.fromkeys(json.dumps(link.reason, ensure_ascii=False, sort_keys=True) for link in same)
        hours = round(pull.hours - earlier.hours, 2)
        row = (pull.pull_id, earlier.pull_id, best.kind, best.is_sure, hours, f"[{', '.join(reasons)}]")
        rows.append(row)
    columns = zip(*sorted(rows), strict=True) if rows else [()] * len(COLUMNS)
    typed = zip(COLUMNS.items(), columns, strict=True)
    return pd.DataFrame({name: pd.Series(list(values), dtype=kind) for (name, kind), values in typed})
