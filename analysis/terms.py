"""Rising and fading terms: what a window's titles speak of more, or less, than those of the windows before."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

import numpy as np
import pandas as pd

from analysis.titles import KIND_WORDS, parse
from analysis.vocabulary import keys, word_key
from analysis.window import Window

COLUMNS = {
    "term": "str",
    "direction": "str",
    "score": "float64",
    "n_now": "int64",
    "n_before": "float64",
    "modules": "object",
    "prs": "object",
    "prs_before": "object",
}
RISING, FADING, STEADY = "rising", "fading", "steady"
N_WINDOWS, FEWEST_WINDOWS = 8, 4  # before this one: looked at, and needed for a norm
FEWEST = 3  # pull requests now, or in a usual window before, for a term to be told
SURE = 2.0  # standard deviations from the norm
SWALLOWED = 0.75  # share of a term's pull requests that a longer term has too, from which on only that is told

# A word is generic that opens at least so many of the titles it stands in, as verbs do (unless it is written like a
# name), or that stands in so many of all titles. Fewer uses than this tell nothing.
OPENS, COMMON, USES = 0.5, 0.15, 5
LEARN_FROM = 4000  # newest pull requests

_FUNCTION_WORDS = keys(
    "a about after again all also an and any are as at be because been before being both but by can could did do does"
    " during each either even every for from get gets getting had has have having how if in instead into is isn it its"
    " just let like longer made make makes making many may more most much must need new no non none not now of off on"
    " once one only or other our out over own per pr properly rather re really same should since so some still such"
    " than that the their them then there these they this those through to too two under until up upon use used uses"
    " using very via want was way we were what when where whether which while who why will with within without would"
    " you your don doesn didn won"
) | {word_key(word) for word in KIND_WORDS}
_TOKEN = re.compile(r"[A-Za-z0-9]+(?:\.[0-9]+)*|[\u3400-\u9fff]+|[^\sA-Za-z0-9_\u3400-\u9fff-]")
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_PARTICLES = "的了和与及或被把"
_LIKE_A_NAME = re.compile(r".+[A-Z]|.*\d")
_GRAMS = range(2, 7)  # characters


def terms(
    pulls: pd.DataFrame,
    modules: pd.DataFrame,
    window: Window,
    *,
    n_windows: int = N_WINDOWS,
    steady: bool = False,
) -> pd.DataFrame:
    """Which words and phrases of titles rise or fade in a window?

    A term is a word or two neighbouring ones; in Chinese, which has no spaces, two to six neighbouring characters. Each
    counts once a pull request. Function words and what the repository itself uses everywhere are left out: words that
    mostly open its titles, as verbs do, and words in 15 % of all titles. Of terms that stand in the same pull requests
    only the longest is told.

    Formula: the signed root of the log-likelihood ratio (G²) of the term's share of the window's pull requests
        against its share of those of the 8 equal windows before. It rises from 2 on and fades from -2 on, if at least
        three pull requests use it now, or did in an average window before.
    Misses: what titles do not say. One theme under two names counts as two. A series of pull requests under one title
        makes a term rise, and of a hundred terms a few do so by chance: the numbers tell. Where the cache holds fewer
        than four whole windows before this one, nothing is told.
    Source: T. Dunning, Accurate Methods for the Statistics of Surprise and Coincidence (1993).
    Example: 4 of 34 titles say `fp8`, and 2 of 272 did in the 8 windows before: 4 against 0.25 a window, score 3.3.

    Args:
        pulls: one row per merged pull request, from well before the window to its end: pull_id, number, title,
            merged_at.
        modules: one row per pull request, module and source: pull_id, module.
        window: selects by merged_at; the windows before it are equally long and adjoin.
        n_windows: how many of these are looked at.
        steady: whether terms that three pull requests use now, and usually as many do, are told too.

    Returns:
        One row per term, rising ones first, then fading ones, each by distance from the norm, and steady ones last, by
        n_now: term (as it is mostly written), direction (rising, fading or steady), score, n_now, n_before (pull
        requests in this window, and in an average one before), modules (of the pull requests that use it: before for a
        fading term, else now; most first), prs, prs_before (numbers of those that use it in the window and before,
        sorted).
    """
    known = pulls[pulls["merged_at"] < window.end].sort_values(["merged_at", "number"])
    before = _covered(known, window, n_windows)
    if len(before) < FEWEST_WINDOWS:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    near = known[known["merged_at"] >= before[-1].start]
    is_now = (near["merged_at"] >= window.start).set_axis(near["pull_id"])
    used = _used(near, _generic(known["title"].tail(LEARN_FROM)))
    found = _scores(used, is_now, n_windows=len(before))
    found = found if steady else found[found["direction"] != STEADY]
    return _told(found, used.assign(is_now=used["pull_id"].map(is_now).astype(bool)), near, modules)


def _covered(pulls: pd.DataFrame, window: Window, n_windows: int) -> list[Window]:
    """The windows before this one, newest first, that begin after the first merge."""
    if pulls.empty:
        return []
    first = pulls["merged_at"].min()
    steps = (window.shifted(-step) for step in range(1, n_windows + 1))
    return list(takewhile(lambda each: first <= each.start, steps))


def _used(pulls: pd.DataFrame, generic: frozenset[str]) -> pd.DataFrame:
    """One row per pull request and term in its title: pull_id, key, written."""
    chinese = sorted((word for word in generic if _CHINESE.fullmatch(word)), key=lambda word: (-len(word), word))
    breaks = re.compile("|".join([*chinese, f"[{_PARTICLES}]"]))
    rows = [
        (pull_id, key, written)
        for pull_id, title in zip(pulls["pull_id"], pulls["title"], strict=True)
        for key, written in dict(_terms(title, generic, breaks)).items()
    ]
    return pd.DataFrame(rows, columns=["pull_id", "key", "written"])


def _terms(title: str, generic: frozenset[str], breaks: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """The key of each term in a title and how it is written there."""
    for sentence in _sentences(title):
        last: str | None = None
        for token in _TOKEN.findall(sentence):
            if _CHINESE.match(token):
                last = None
                for run in breaks.split(token):
                    yield from ((gram, gram) for gram in _grams(run))
                continue
            key = word_key(token)
            if not token[0].isalnum() or key in generic:
                last = None
                continue
            is_word = len(key) > 1 and not key[0].isdigit()
            if is_word:
                yield key, token
            if last:
                yield f"{word_key(last)}_{key}", f"{last} {token}"
            last = token if is_word else None


def _sentences(title: str) -> Sequence[str]:
    parts = parse(title)
    return *parts.tags, parts.subject


def _grams(run: str) -> Iterator[str]:
    return (run[start : start + length] for length in _GRAMS for start in range(len(run) - length + 1))


def _generic(titles: pd.Series) -> frozenset[str]:
    """The words that say nothing of a title's subject, in this repository."""
    uses, opens, names = Counter[str](), Counter[str](), Counter[str]()
    for title in titles:
        tokens = [token for token in _TOKEN.findall(parse(title).subject) if token[0].isalnum()]
        words = {key: token for token in tokens for key in _words(token)}
        uses.update(words.keys())
        names.update(key for key, token in words.items() if _LIKE_A_NAME.match(token))
        opens.update(_words(tokens[0])[:1] if tokens else ())
    often = {word for word, n in uses.items() if n >= max(USES, COMMON * len(titles))}
    verbs = {word for word, n in opens.items() if n >= max(USES, OPENS * uses[word]) and 2 * names[word] < uses[word]}
    return _FUNCTION_WORDS | often | verbs


def _words(token: str) -> list[str]:
    """The key of a word; of Chinese characters every two neighbours."""
    if not _CHINESE.match(token):
        return [word_key(token)]
    return [token[start : start + 2] for start in range(len(token) - 1)]


def _scores(used: pd.DataFrame, is_now: pd.Series, *, n_windows: int) -> pd.DataFrame:
    """One row per term that enough pull requests use, by key: score, direction, n_now, n_before (an average window)."""
    counts = used["pull_id"].map(is_now).groupby(used["key"]).agg(["sum", "size"]).astype("float64")
    now, before = counts["sum"], counts["size"] - counts["sum"]
    n_now, n_before = int(is_now.sum()), int((~is_now).sum())
    table = [(now, n_now), (n_now - now, n_now), (before, n_before), (n_before - before, n_before)]
    share = (now + before) / (n_now + n_before)
    usual = [share, 1 - share, share, 1 - share]
    ratio = 2 * sum(_surprise(seen, n * part) for (seen, n), part in zip(table, usual, strict=True))
    sign = np.where(now / max(n_now, 1) >= share, 1.0, -1.0)
    found = pd.DataFrame({"score": sign * np.sqrt(ratio.clip(lower=0)), "n_now": now, "n_before": before / n_windows})
    found["direction"] = np.select([found["score"] >= SURE, found["score"] <= -SURE], [RISING, FADING], STEADY)
    return found[found["n_now"].where(found["direction"] != FADING, found["n_before"]) >= FEWEST]


def _surprise(seen: pd.Series, expected: pd.Series) -> pd.Series:
    return (seen * np.log(seen.clip(lower=1) / expected.where(expected > 0, 1))).fillna(0)


def _told(found: pd.DataFrame, used: pd.DataFrame, pulls: pd.DataFrame, modules: pd.DataFrame) -> pd.DataFrame:
    """All that is said of these terms, without those that a longer one stands for."""
    used = used[used["key"].isin(found.index)].merge(pulls[["pull_id", "number"]], on="pull_id")
    found = found.assign(
        term=used.groupby("key")["written"].agg(lambda forms: _most_first(forms)[0]).astype(object),
        prs=_numbers(used[used["is_now"]], found.index),
        prs_before=_numbers(used[~used["is_now"]], found.index),
    )
    is_steady = found["direction"] == STEADY
    evidence = found["prs"].where(found["direction"] != FADING, found["prs_before"]).map(frozenset)
    loud = evidence[~is_steady]  # no steady term stands for one that moves
    is_told = np.array(
        [not _is_swallowed(key, evidence if is_steady[key] else loud) for key in found.index], dtype=bool
    )
    found = found.assign(evidence=evidence)[is_told]
    names = modules.drop_duplicates(["pull_id", "module"]).merge(pulls[["pull_id", "number"]], on="pull_id")
    lies_in = names.groupby("number")["module"].agg(list).to_dict()
    found["modules"] = [
        _most_first(module for number in numbers for module in lies_in.get(number, [])) for numbers in found["evidence"]
    ]
    place = found["direction"].map({RISING: 0, FADING: 1, STEADY: 2})
    distance = -found["score"].abs().where(found["direction"] != STEADY, found["n_now"])
    found = found.assign(place=place, distance=distance).reset_index()
    return found.sort_values(["place", "distance", "key"], ignore_index=True)[list(COLUMNS)].astype(COLUMNS)


def _most_first(names: Iterable[str]) -> list[str]:
    counts = Counter(names)
    return sorted(counts, key=lambda name: (-counts[name], name))


def _numbers(used: pd.DataFrame, terms: pd.Index) -> list[list[int]]:
    numbers = used.groupby("key")["number"].agg(sorted).to_dict()
    return [numbers.get(term, []) for term in terms]


def _is_swallowed(key: str, evidence: pd.Series) -> bool:
    """Whether a longer term stands in nearly the same pull requests, or any longer one in just the same."""
    own = evidence[key]
    for other, pulls in evidence.items():
        is_longer = (len(other), key) > (len(key), other)
        if is_longer and (own == pulls or (_holds(other, key) and len(own & pulls) >= SWALLOWED * len(own))):
            return True
    return False


def _holds(longer: str, shorter: str) -> bool:
    if _CHINESE.match(longer):
        return shorter in longer
    return f"_{shorter}_" in f"_{longer}_"
