"""Modules and themes: where the work gathered, whether that is usual, what overlaps, what titles speak of."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, sqrt
from typing import Any

from analysis.claims.claim import Claim, Length, Names, Number, known
from analysis.paths import classify
from analysis.terms import FADING, FEWEST, RISING, STEADY
from analysis.variation import ABOVE, BELOW

MOST_ROWS, MOST_FILES, MOST_NAMED = 10, 5, 4  # that the medium length tells
SHARED, MOST_PAIRS = 2, 3  # pull requests that make a module or file worth a word; pairs of modules in a sentence
ENOUGH = 5  # pull requests from which on a share, or that something is unusual, says something
FEW = 3  # pull requests of a module that had none before, or has none now, and of two modules together
MOVED = 1.0  # between the square roots of two counts: by chance alone they differ by about 0.7
MOSTLY, MORE_THAN_ALL, ENOUGH_FIXES = 0.6, 0.1, 3  # a module's share of fixes, and how far it exceeds that of all
MUCH_LEFT_OUT = 0.1  # share of pull requests in no module
MANY_TITLES = 0.1  # share of titles that make a steady term worth a word
TOLD_KINDS = ("fix", "feat")  # whose shares are told; of others only how many there are
Facts = Mapping[str, Any]
Module = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """Sentences first, then the rows of the tables."""
    active = sorted((module for module in facts["modules"] if module["prs"]), key=_by_activity)
    what = [*_repaired(facts, active), *_kinds(facts), *_terms(facts)]
    together = [*_overlap(facts), *_hottest(facts), *_left_out(facts, active)]
    return [*_where(facts, active), *what, *together, *_rows(facts), *_pairs(facts), *_files(facts)]


def _where(facts: Facts, active: Sequence[Module]) -> list[Claim]:
    """Where the work gathered."""
    if not active:
        return [_untouched(facts)]
    if len(active[0]["prs"]) == 1:
        return [_spread(facts, active)]
    return [_most(facts, active[0], active[1:]), *_compared(facts, *active)]


def _compared(facts: Facts, first: Module, *others: Module) -> list[Claim]:
    """The other modules, by size, by the usual and by the period before."""
    behind = [each for each in others if SHARED <= len(each["prs"]) < len(first["prs"])][:MOST_NAMED]
    unusual = {state: [each for each in others if _told_state(each) == state] for state in (ABOVE, BELOW)}
    rest = [each for each in others if each not in behind and not _told_state(each)]
    gone = [each for each in facts["modules"] if not each["prs"] and (each["before"] or 0) >= FEW]
    groups = (
        ("next", behind, ("now", "before")),
        (ABOVE, unusual[ABOVE], ("now", "usual")),
        (BELOW, unusual[BELOW], ("now", "usual")),
        ("up", _moved(rest, 1), ("now", "before")),
        ("down", _moved(rest, -1), ("now", "before")),
        ("came", [each for each in rest if each["before"] == 0 and len(each["prs"]) >= FEW], ("now",)),
        ("went", sorted(gone, key=lambda each: (-each["before"], each["name"])), ("before",)),
    )
    return [_of(facts, kind, found, wanted) for kind, found, wanted in groups if found]


def _by_activity(module: Module) -> tuple[int, int, str]:
    """Most pull requests first; of as many, first where more of their titles name it."""
    return -len(module["prs"]), -_titled(module), module["name"]


def _titled(module: Module) -> int:
    return int(module["sources"].get("title", 0))


def _untouched(facts: Facts) -> Claim:
    prs = tuple(facts["unclassified"])
    return Claim("modules", "untouched", numbers={"merged": len(prs)}, prs=prs, query={"list": "modules"}, level="S")


def _spread(facts: Facts, active: Sequence[Module]) -> Claim:
    """No module has two pull requests, so that none has most of the work."""
    prs = _union(active)
    numbers = {"n": len(active), "merged": len(facts["pulls"])}
    names = {"modules": _names(active)}
    return Claim("modules", "spread", "", numbers, prs, names, query={"list": "modules"}, level="S")


def _most(facts: Facts, first: Module, others: Iterable[Module]) -> Claim:
    """The module with the most pull requests, against the period before and the usual, and which ones have as many."""
    tied = tuple(module["name"] for module in others if len(module["prs"]) == len(first["prs"]))
    numbers = _figures(first) | {"merged": len(facts["pulls"]), "titled": _titled(first), "tied": len(tied)}
    names = {"module": first["name"], "state": _told_state(first), "tied": tied, "all": (first["name"], *tied)}
    names |= _days(facts)
    return Claim("modules", "most", "", numbers, tuple(first["prs"]), names, query=_one(first), level="S")


def _moved(modules: Sequence[Module], sign: int) -> list[Module]:
    """Modules with many more (1) or fewer (-1) pull requests than in the period before, the farthest first."""
    moves = {
        module["name"]: sign * (sqrt(len(module["prs"])) - sqrt(module["before"]))
        for module in modules
        if module["before"] and max(len(module["prs"]), module["before"]) >= ENOUGH
    }
    found = [module for module in modules if moves.get(module["name"], 0) >= MOVED]
    return sorted(found, key=lambda module: (-moves[module["name"]], module["name"]))


def _repaired(facts: Facts, active: Iterable[Module]) -> list[Claim]:
    """Modules in which repairs prevail, more than they do in the whole window."""
    fixes = {pull["number"] for pull in facts["pulls"] if pull["kind"] == "fix"}
    telling = max(MOSTLY, len(fixes) / max(len(facts["pulls"]), 1) + MORE_THAN_ALL)
    repairs = {module["name"]: tuple(number for number in module["prs"] if number in fixes) for module in active}
    found = [
        module for module in active if len(repairs[module["name"]]) >= max(ENOUGH_FIXES, telling * len(module["prs"]))
    ]
    if not found:
        return []
    numbers = _each(found, "now") | {f"{module['name']}.fixes": len(repairs[module["name"]]) for module in found}
    prs = tuple(dict.fromkeys(number for module in found for number in repairs[module["name"]]))
    query = {"list": "modules", "kind": "fix"}
    return [Claim("modules", "repaired", "", numbers, prs, {"modules": _names(found)}, query=query)]


def _kinds(facts: Facts) -> list[Claim]:
    """How many pull requests of each kind there are; of fixes and features also the share, and that of before."""
    kinds = [kind for kind in facts["kinds"] if kind["prs"]]
    if len(kinds) < 2:
        return []
    merged, before = len(facts["pulls"]), facts["totals_before"]["merged"]
    told = [kind for kind in kinds if kind["name"] in TOLD_KINDS and merged >= ENOUGH]
    numbers: dict[str, Number] = {kind["name"]: len(kind["prs"]) for kind in kinds}
    numbers |= {f"{kind['name']}.share": round(len(kind["prs"]) / merged, 3) for kind in told}
    if (before or 0) >= ENOUGH:
        numbers |= {f"{kind['name']}.share_before": round(kind["before"] / before, 3) for kind in told}
    prs = tuple(number for kind in kinds for number in kind["prs"])
    others = _names(kind for kind in kinds if kind not in told)
    names: Names = {"told": _names(told), "others": others, **_days(facts)}
    return [Claim("modules", "kinds", "", numbers, prs, names, query={"list": "kinds"})]


def _overlap(facts: Facts) -> list[Claim]:
    """The modules that were changed together the most."""
    pairs = [pair for pair in facts["overlaps"] if len(pair["prs"]) >= FEW][:MOST_PAIRS]
    numbers = {_both(pair): len(pair["prs"]) for pair in pairs}
    names = {"pairs": tuple(map(_both, pairs))}
    return [Claim("modules", "overlap", "", numbers, _union(pairs), names, query={"list": "overlaps"})] if pairs else []


def _pairs(facts: Facts) -> list[Claim]:
    """Rows: which modules share pull requests."""
    return [
        Claim(
            "modules",
            "pair",
            _both(pair),
            {"n": len(pair["prs"])},
            tuple(pair["prs"]),
            {"pair": _both(pair)},
            query={"list": "overlaps", "a": pair["a"], "b": pair["b"]},
            level="L",
        )
        for pair in facts["overlaps"]
        if len(pair["prs"]) >= SHARED
    ]


def _both(pair: Mapping[str, Any]) -> str:
    return f"{pair['a']} + {pair['b']}"


def _hottest(facts: Facts) -> list[Claim]:
    """The file that most pull requests changed: of source where there is one, for every change has its changelog."""
    shared = [file for file in facts["hot_files"] if len(file["prs"]) >= SHARED]
    source = [file for file in shared if classify(file["path"]).category == "source"]
    return [_file("hottest_source" if source else "hottest", file, "M") for file in (source or shared)[:1]]


def _terms(facts: Facts) -> list[Claim]:
    """What titles speak of more, or less, than in the windows before, and what they keep speaking of."""
    original = {pull["number"] for pull in facts["pulls"] if pull["kind"] != "revert"}
    itself = facts["repo"].rpartition("/")[2].lower()
    named = {module["name"].lower() for module in facts["modules"]}
    all_terms = [term for term in facts["terms"] if term["term"].lower() != itself]
    many = max(ENOUGH, MANY_TITLES * len(facts["pulls"]))
    terms = {
        # A revert repeats the words of what it takes back.
        RISING: [term for term in all_terms if len(original.intersection(term["prs"])) >= FEWEST],
        FADING: all_terms,
        STEADY: [term for term in all_terms if len(term["prs"]) >= many and term["term"].lower() not in named],
    }
    found: list[Claim] = []
    for direction, candidates in terms.items():
        told = [term for term in candidates if term["direction"] == direction][:MOST_NAMED]
        found += [_spoken_of(facts, direction, told)] if told else []
    return found


def _spoken_of(facts: Facts, direction: str, terms: Sequence[Mapping[str, Any]]) -> Claim:
    fixes = {pull["number"] for pull in facts["pulls"] if pull["kind"] == "fix"}
    numbers: dict[str, Number] = {}
    for term in terms:
        numbers[f"{term['term']}.now"] = len(term["prs"])
        numbers[f"{term['term']}.usual"] = round(term["n_before"])
        numbers[f"{term['term']}.fixes"] = len(fixes.intersection(term["prs"]))
    behind = "prs_before" if direction == FADING else "prs"
    prs = tuple(dict.fromkeys(number for term in terms for number in term[behind]))
    names = {"terms": tuple(term["term"] for term in terms)}
    return Claim("modules", direction, "", numbers, prs, names, query={"list": "terms", "direction": direction})


def _left_out(facts: Facts, active: Sequence[Module]) -> list[Claim]:
    """What is in no module: the more of it, the less the figures above tell."""
    prs = tuple(facts["unclassified"])
    if not prs or not active:  # where all is, the first sentence says so
        return []
    level: Length = "M" if len(prs) >= MUCH_LEFT_OUT * len(facts["pulls"]) else "L"
    numbers = {"n": len(prs), "merged": len(facts["pulls"])}
    return [Claim("modules", "unclassified", "", numbers, prs, query={"list": "unclassified"}, level=level)]


def _rows(facts: Facts) -> list[Claim]:
    return [
        Claim(
            "modules",
            "module",
            module["name"],
            _figures(module),
            tuple(module["prs"]),
            {"module": module["name"], "state": _told_state(module)} | _days(facts),
            query=_one(module),
            level="M" if at < MOST_ROWS and module["prs"] else "L",
        )
        for at, module in enumerate(facts["modules"])
    ]


def _files(facts: Facts) -> list[Claim]:
    return [_file("file", file, "M" if at < MOST_FILES else "L") for at, file in enumerate(facts["hot_files"])]


def _file(kind: str, file: Mapping[str, Any], level: Length) -> Claim:
    numbers = {"n": len(file["prs"]), "lines": file["churn_lines"]}
    subject, names = file["path"] if kind == "file" else "", {"path": file["path"]}
    query = {"list": "hot_files", "path": file["path"]}
    return Claim("modules", kind, subject, numbers, tuple(file["prs"]), names, query=query, level=level)


def _figures(module: Module) -> dict[str, Number]:
    """What is known of a module: now, in the period before, and how many whole pull requests are usual."""
    now, before, usual = len(module["prs"]), module["before"], module["usual"]
    numbers = known(now=now, before=before, more=None if before is None else now - before)
    if usual["median"] is not None:
        numbers |= {"usual": round(usual["median"]), "low": ceil(usual["low"]), "high": floor(usual["high"])}
    return numbers


def _told_state(module: Module) -> str:
    """Where a module lies by its norm; empty where that is not known, is nothing, or rests on a handful."""
    usual = module["usual"]
    enough = max(len(module["prs"]), usual["median"] or 0) >= ENOUGH
    return str(usual["state"]) if enough and usual["state"] in (ABOVE, BELOW) else ""


def _each(modules: Iterable[Module], *wanted: str) -> dict[str, Number]:
    """Some figures of some modules, as far as they are known: `core.now`."""
    figures = {module["name"]: _figures(module) for module in modules}
    return {f"{name}.{each}": known[each] for name, known in figures.items() for each in wanted if each in known}


def _of(facts: Facts, kind: str, modules: Sequence[Module], wanted: Sequence[str]) -> Claim:
    """A claim about some modules at once."""
    numbers = {"n": len(modules), **_each(modules, *wanted)}
    names = {"modules": _names(modules)} | _days(facts)
    return Claim("modules", kind, "", numbers, _union(modules), names, query={"list": "modules"})


def _union(entries: Iterable[Mapping[str, Any]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for entry in entries for number in entry["prs"]))


def _names(entries: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(entry["name"] for entry in entries)


def _one(module: Module) -> dict[str, Any]:
    return {"list": "modules", "name": module["name"]}


def _days(facts: Facts) -> dict[str, str]:
    """The window's days, by which the period before is called."""
    return {"since": facts["window"]["since"], "until": facts["window"]["until"]}
