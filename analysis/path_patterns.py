"""Which paths a pattern means, written as in CODEOWNERS: gitignore's way without `!` and without `[ranges]`.

`*` and `?` stay within one folder, `**/` spans any number of them. A pattern with a slash at its start or in its middle
begins at the root, any other is found at any depth. What names a folder holds all below it; with a slash at its end it
means folders only. `docs/*` holds what lies directly in `docs`. A backslash takes the next character as it is. Case
counts. Source: GitHub's "About code owners", where it differs from gitignore.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import accumulate, chain

_PIECES = re.compile(r"\\?[^*?\\]|\\.|\*+|\?|\\$", re.DOTALL)
_ANY_DEPTH = re.compile(r"^/?(\*\*/)+")


class PathPatterns:
    """A list of patterns, ready to be asked which of them mean a path."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._names: dict[str, list[int]] = defaultdict(list)  # one name, at any depth -> positions of its patterns
        self._places: dict[str, list[int]] = defaultdict(list)  # the same of a file or folder from the root
        self._name_patterns: list[tuple[int, re.Pattern[str]]] = []
        self._place_patterns: list[tuple[int, re.Pattern[str]]] = []
        self._folders_only: set[int] = set()
        # The same folders and names stand in many paths.
        self._of_name, self._of_folder = cache(self._by_name), cache(self._by_folder)
        for index, pattern in enumerate(patterns):
            self._add(index, pattern)

    def _add(self, index: int, pattern: str) -> None:
        place = pattern.strip("/")
        if not place or pattern.startswith("!"):
            return  # means nothing: neither a lone slash nor negation exists there
        if pattern.endswith("/"):
            self._folders_only.add(index)
        name = _ANY_DEPTH.sub("", pattern, count=1).rstrip("/")
        is_name, is_plain = name and "/" not in name, not re.search(r"[*?\\]", place)
        if is_plain:
            (self._names if is_name else self._places)[place].append(index)
        elif is_name:
            self._name_patterns.append((index, re.compile(_one_name(name), re.DOTALL)))
        else:
            self._place_patterns.append((index, _compiled(pattern)))

    def matches(self, path: str) -> list[int]:
        """The positions of the patterns that mean `path`, in their order; for owners the last one counts."""
        folder, _, name = path.rpartition("/")
        itself = [*self._of_name(name), *self._places.get(path, ())]
        found = {*self._of_folder(folder), *(index for index in itself if index not in self._folders_only)}
        found.update(index for index, pattern in self._place_patterns if pattern.fullmatch(path))
        return sorted(found)

    def _by_name(self, name: str) -> list[int]:
        return self._names.get(name, []) + [index for index, pattern in self._name_patterns if pattern.fullmatch(name)]

    def _by_folder(self, folder: str) -> set[int]:
        """The patterns that mean the folder or one above it, and so all that it holds; `matches` tries the others."""
        names = folder.split("/") if folder else []
        places = (self._places.get(place, ()) for place in accumulate(names, "{}/{}".format))
        return set(chain(*places, *map(self._of_name, names)))


def _compiled(pattern: str) -> re.Pattern[str]:
    """An expression that matches the whole of each path that a pattern from the root means."""
    *above, last = (part for part in re.split(r"/+", pattern) if part)
    stretches = [""]
    for part in above:
        if part == "**":
            stretches.append("")
        else:
            stretches[-1] += _one_name(part) + "/"
    folders = _spanned(stretches, "(?:[^/]+/)*")
    below = "/.+" if pattern.endswith("/") else "" if last in {"*", "**"} else "(?:/.+)?"
    return re.compile(folders + (".+" if last == "**" else _one_name(last)) + below, re.DOTALL)


def _one_name(part: str) -> str:
    """One part between slashes."""
    if part in {"*", "**"}:
        return "[^/]+"
    stretches = [""]
    for piece in _PIECES.findall(part):
        if piece.startswith("*"):
            stretches.append("")
        else:
            stretches[-1] += "[^/]" if piece == "?" else re.escape(piece.removeprefix("\\") or piece)
    return _spanned(stretches, "[^/]*")


def _spanned(stretches: list[str], between: str) -> str:
    """The stretches with anything between them.

    Each but the last is taken where it first fits, for good: a hostile pattern can't make a path take long.
    """
    first, *more = stretches
    found = "".join(f"(?>{between}?{stretch})" for stretch in more[:-1])
    return first + found + (between + more[-1] if more else "")
