"""The GraphQL queries that we send: files of `data/graphql/`, and what is left of one where a host lacks a field."""

import re
from functools import cache
from importlib.resources import files

from data.errors import Refused

_FOLDER = files("data") / "graphql"
FRAGMENT = "pull"  # the one file that is no query: the fields of a pull request, put in where `...pull` stands
_SELECTION = re.compile(
    r"""\s*(?P<name>\.\.\.\s*on\s+\w+|\w+)(?:\s*:\s*\w+)?  # `... on Type`, or a field by its alias or name
    (?:\s*\((?:[^()"]|"[^"]*")*\))?\s*(?P<opens>\{)?""",
    re.VERBOSE,
)
_VARIABLE = re.compile(r"\$(\w+):[^,$)]+(?:,\s*)?")


@cache
def query(name: str) -> str:
    """The query of a file, complete."""
    text = (_FOLDER / f"{name}.graphql").read_text(encoding="utf-8")
    if f"...{FRAGMENT}" not in text:
        return text
    fragment = (_FOLDER / f"{FRAGMENT}.graphql").read_text(encoding="utf-8")
    return text.replace(f"...{FRAGMENT}", fragment[fragment.index("{") + 1 : fragment.rindex("}")].strip())


def names() -> list[str]:
    """Every query that there is."""
    found = (file.name.removesuffix(".graphql") for file in _FOLDER.iterdir() if file.name.endswith(".graphql"))
    return sorted(name for name in found if name != FRAGMENT)


def without(text: str, path: list[str]) -> str:
    """A query without one selection, and without what is empty or unused once that is gone.

    Args:
        text: the query.
        path: where the selection is, as GitHub's refusals tell it: `["query Bulk", "repository", "... on Repository",
            "isArchived"]`. A fragment on the way may be left out, as old hosts do.

    Raises:
        Refused: there is nothing there; the query could not do without it.
    """
    steps = [" ".join(str(step).split()) for step in path if not str(step).startswith("query")]
    start = text.index("{")
    found = _find(text, start, steps)
    if found is None:
        raise Refused(f"This host's GraphQL refuses the field {'.'.join(steps)}, which is not asked for.")
    text = text[: found[0]].rstrip(" ") + text[found[1] :]
    while True:  # `labels { }` and `... on User { }` are no selections
        emptied = re.sub(r"(?:\.\.\.\s*on\s+\w+|\w+(?:\s*:\s*\w+)?(?:\s*\([^()]*\))?)\s*\{\s*\}", "", text)
        if emptied == text:
            break
        text = emptied
    return _without_unused_variables(text)


def _find(text: str, brace: int, steps: list[str]) -> tuple[int, int] | None:
    """Where the selection of that path begins and ends, looked for in the braces that open at `brace`."""
    position = brace + 1
    while match := _SELECTION.match(text, position):
        name = " ".join(match["name"].replace("...on", "... on").split())
        end = _closing(text, match.start("opens")) + 1 if match["opens"] else match.end()
        if name == steps[0]:
            if len(steps) == 1:
                return match.start(), end
            if match["opens"] and (found := _find(text, match.start("opens"), steps[1:])):
                return found
        elif name.startswith("...") and match["opens"] and (found := _find(text, match.start("opens"), steps)):
            return found
        position = end
    return None


def _closing(text: str, brace: int) -> int:
    """Where the brace that opens there is closed. Braces of arguments come in pairs, so they do no harm."""
    depth = 0
    for match in re.finditer(r"[{}]", text[brace:]):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return brace + match.start()
    raise AssertionError("A query of ours has a brace that is never closed.")


def _without_unused_variables(text: str) -> str:
    head, brace, body = text.partition("{")

    def kept(match: re.Match[str]) -> str:
        return match[0] if re.search(rf"\${match[1]}\b", body) else ""

    head = re.sub(r",\s*\)", ")", _VARIABLE.sub(kept, head)).replace("()", "")
    return head + brace + body
