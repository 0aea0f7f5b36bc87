"""Modules and themes: where the work gathered, whether that is usual, what overlaps, what titles speak of."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.claims.claim import Claim, Length, known
from analysis.variation import ABOVE, BELOW

MOST_ROWS, MOST_FILES, MOST_NAMED = 10, 5, 4  # that the medium length tells
FEWEST = 2  # pull requests that make a module, pair or file worth a sentence
MOSTLY, ENOUGH_FIXES = 0.6, 3  # share of a module's pull requests that are fixes, and how many make it telling
MUCH_LEFT_OUT = 0.1  # share of pull requests in no module
Facts = Mapping[str, Any]
Module = Mapping[str, Any]


def claims(facts: Facts) -> list[Claim]:
    """Sentences first, then the rows of two tables."""
    active = [module for module in facts["modules"] if module["prs"]]
    if not active:
        return [Claim("modules", "untouched", numbers={"merged": len(facts["pulls"])}, level="S")]
    sentences = [_most(facts, active[0]), *_beyond(active), *_came_and_went(facts), *_repaired(facts, active)]
    sentences += [*_kinds(facts), *_overlaps(facts), *_hottest(facts), *_terms(facts), *_left_out(facts)]
    return [*sentences, *_rows(facts), *_files(facts)]


def _figures(module: Module) -> dict[str, Any]:
    """What is known of a module: now, in the period before, and usually."""
    usual = module["usual"]
    return known(
        now=len(module["prs"]), before=module["before"], usual=usual["median"], windows=usual["n_before"] or None
    )


def _most(facts: Facts, module: Module) -> Claim:
    numbers = _figures(module) | {"merged": len(facts["pulls"])}
    if module["before"] is not None:
        numbers["more"] = len(module["prs"]) - module["before"]
    window = facts["window"]
    names = {"module": module["name"], "since": window["since"], "until": window["until"]}
    query = {"list": "modules", "name": module["name"]}
    return Claim("modules", "most", "", numbers, tuple(module["prs"]), names, query=query, level="S")


def _beyond(active: Sequence[Module]) -> list[Claim]:
    """Modules with clearly more or fewer pull requests than usual."""
    found = [module for module in active if module["usual"]["state"] in (ABOVE, BELOW)]
    return [
        Claim(
            "modules",
            "beyond",
            module["name"],
            _figures(module) | known(low=module["usual"]["low"], high=module["usual"]["high"]),
            tuple(module["prs"]),
            {"module": module["name"], "state": module["usual"]["state"]},
            query={"list": "modules", "name": module["name"]},
            level=_level(at, MOST_NAMED),
        )
        for at, module in enumerate(found)
    ]


def _came_and_went(facts: Facts) -> list[Claim]:
    """Modules that nobody touched in the period before, and those that nobody touches now."""
    modules = facts["modules"]
    came = [each for each in modules if each["before"] == 0 and len(each["prs"]) >= FEWEST]
    went = [each for each in modules if not each["prs"] and (each["before"] or 0) >= FEWEST]
    found: list[Claim] = []
    for kind, those in (("came", came), ("went", went)):
        if those:
            names = {"modules": tuple(each["name"] for each in those)}
            prs = tuple(dict.fromkeys(number for each in those for number in each["prs"]))
            found.append(Claim("modules", kind, "", {"n": len(those)}, prs, names, query={"list": "modules"}))
    return found


def _repaired(facts: Facts, active: Sequence[Module]) -> list[Claim]:
    """Modules in which most of what was merged repaired something."""
    fixes = {pull["number"] for pull in facts["pulls"] if pull["kind"] == "fix"}
    found: list[Claim] = []
    for module in active:
        prs = tuple(number for number in module["prs"] if number in fixes)
        if len(prs) >= ENOUGH_FIXES and len(prs) >= MOSTLY * len(module["prs"]):
            numbers = {"fixes": len(prs), "now": len(module["prs"])}
            query = {"list": "modules", "name": module["name"], "kind": "fix"}
            names = {"module": module["name"]}
            level = _level(len(found), MOST_NAMED)
            found.append(Claim("modules", "repaired", module["name"], numbers, prs, names, query=query, level=level))
    return found


def _kinds(facts: Facts) -> list[Claim]:
    """How many pull requests of each kind there are."""
    kinds = [kind for kind in facts["kinds"] if kind["prs"]]
    numbers = {kind["name"]: len(kind["prs"]) for kind in kinds}
    names = {"kinds": tuple(numbers)}
    prs = tuple(number for kind in kinds for number in kind["prs"])
    return [Claim("modules", "kinds", "", numbers, prs, names, query={"list": "kinds"})] if len(kinds) > 1 else []


def _overlaps(facts: Facts) -> list[Claim]:
    """Modules that were changed together."""
    pairs = [pair for pair in facts["overlaps"] if len(pair["prs"]) >= FEWEST]
    return [
        Claim(
            "modules",
            "overlap",
            f"{pair['a']}+{pair['b']}",
            {"n": len(pair["prs"])},
            tuple(pair["prs"]),
            {"a": pair["a"], "b": pair["b"]},
            query={"list": "overlaps", "a": pair["a"], "b": pair["b"]},
            level="M" if at == 0 else "L",
        )
        for at, pair in enumerate(pairs[:MOST_ROWS])
    ]


def _hottest(facts: Facts) -> list[Claim]:
    """The file that most pull requests changed."""
    hot = [file for file in facts["hot_files"] if len(file["prs"]) >= FEWEST][:1]
    return [_file("hottest", file, "M") for file in hot]


def _terms(facts: Facts) -> list[Claim]:
    """What titles speak of more, or less, than in the windows before."""
    found: list[Claim] = []
    for direction, list_of in (("rising", "prs"), ("fading", "prs_before")):
        terms = [term for term in facts["terms"] if term["direction"] == direction][:MOST_NAMED]
        if terms:
            prs = tuple(sorted({number for term in terms for number in term[list_of]}))
            names = {"terms": tuple(term["term"] for term in terms)}
            query = {"list": "terms", "direction": direction}
            found.append(Claim("modules", direction, "", {"n": len(terms)}, prs, names, query=query))
    return found


def _left_out(facts: Facts) -> list[Claim]:
    """What is in no module: the more of it, the less the figures above tell."""
    prs = tuple(facts["unclassified"])
    if not prs:
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
            {"module": module["name"], "state": module["usual"]["state"]},
            query={"list": "modules", "name": module["name"]},
            level=_level(at, MOST_ROWS),
        )
        for at, module in enumerate(facts["modules"])
    ]


def _files(facts: Facts) -> list[Claim]:
    return [_file("file", file, _level(at, MOST_FILES)) for at, file in enumerate(facts["hot_files"])]


def _file(kind: str, file: Mapping[str, Any], level: Length) -> Claim:
    numbers = {"n": len(file["prs"]), "lines": file["churn_lines"]}
    subject = "" if kind == "hottest" else file["path"]
    query = {"list": "hot_files", "path": file["path"]}
    return Claim(
        "modules", kind, subject, numbers, tuple(file["prs"]), {"path": file["path"]}, query=query, level=level
    )


def _level(at: int, most: int) -> Length:
    return "M" if at < most else "L"
