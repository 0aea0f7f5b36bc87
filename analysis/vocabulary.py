"""What a project calls its parts and where they lie: words, folders, places; `learning` fills it in.

Words are compared by their `word_key`. Folders are taken without what only holds others (`src/`, `lib/`, the project's
own name) and with the file's bare name at the end, so that `src/shop/orders/tax.py` and `tests/orders/test_tax.py` both
lie in `orders/tax`.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

from analysis.paths import PathFacts

SYNONYMS = {
    spelling: word
    for word, spellings in {
        "doc": "docs documentation readme",
        "test": "tests testing",
        "config": "cfg conf configs configuration configurations",
        "dep": "deps dependency dependencies",
        "ci": "cicd ci/cd workflow workflows",
        "docker": "dockerfile",
        "algo": "algorithm algorithms",
        "env": "environment environments",
        "auth": "authentication",
        "db": "database databases",
        "cpu": "cpus",
        "gpu": "gpus",
        "npu": "npus",
        "tpu": "tpus",
        "example": "sample samples demo demos",
    }.items()
    for spelling in spellings.split()
}
# Places that are parts of any project, and what they are called where the project has no word of its own.
PLACES = {"ci": "ci", "docs": "docs", "examples": "examples", "container": "docker", "dependency": "deps"}
DEPTH = 4  # folders
LONGEST_NAME = 3  # words
WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=65536)
def word_key(word: str) -> str:
    """A word without what its spellings differ in: case, hyphens, plural, common abbreviations."""
    return _stem(re.sub(r"[^\w/+#]+", "_", word.lower()).strip("_"))


def _stem(word: str) -> str:
    word = SYNONYMS.get(word, word)
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "os", "as"))
    return SYNONYMS.get(word[:-1], word[:-1]) if is_plural else word


def keys(words: str) -> frozenset[str]:
    """The keys of some words separated by spaces."""
    return frozenset(map(word_key, words.split()))


PLACE_KEYS = keys(" ".join(PLACES.values())) | {"test"}
# Folders that only hold others.
HOLDERS = keys(
    "src source lib pkg package crate module component bin cmd app main java kotlin scala com org io net python py js"
    " ts rust core base impl internal private public include common commons shared util utils utility utilities helper"
    " misc other general all various experimental contrib extra legacy deprecated old tmp temp init index mod test"
    " testsuite testdata test_data fixture spec unit integration e2e v0 v1 v2 v3"
)
# Files that stand for the folder they lie in.
_OPENERS = keys("init main index mod lib util utility helper common base type const constant setup conftest")
_ENDS = frozenset({"util", "utils", "test", "tests", "helper", "helpers", "base", "impl", "common", "spec", "init"})
_EXAMPLES = re.compile(r"(.*/)?(examples?|samples?|demos?|tutorials?)/", re.IGNORECASE)
# Files that come along with any change and say nothing of where it is.
_COMPANION = re.compile(
    r"(changelog|changes|history|news|contributors|authors|release[-_]notes|_*version_*)(\..*)?", re.IGNORECASE
)
_FOLDERED = frozenset({"source", "test", "config", "data", "other"})
_COMPONENT = re.compile(
    r"(?:(?i:area|module|component|comp|scope|pkg|package|subsystem|topic)\s*[:/-]|A-)\s*(\S.{0,39})"
)


@dataclass(frozen=True)
class Vocabulary:
    """What a project calls its modules, by everything that can name one."""

    words: Mapping[str, str]  # word of a tag or label -> module
    folders: Mapping[str, tuple[str, ...]]  # folders, joined by "/" -> modules
    tokens: Mapping[str, str]  # word within a path (`path_words`) -> module
    spoken: Mapping[str, str]  # word within a sentence -> module
    places: Mapping[str, str]  # of PLACES -> module
    roots: frozenset[str]  # folders that hold the whole project

    @classmethod
    def from_json(cls, text: str) -> "Vocabulary":
        """The vocabulary that `as_json` wrote."""
        fields = json.loads(text)
        folders = {key: tuple(names) for key, names in fields["folders"].items()}
        return cls(**(fields | {"folders": folders, "roots": frozenset(fields["roots"])}))

    def as_json(self) -> str:
        """All of it as text, equal for equal vocabularies."""
        return json.dumps(asdict(self), sort_keys=True, default=sorted, ensure_ascii=False)

    @cached_property
    def digest(self) -> str:
        """Equal for equal vocabularies: what was derived with one stands under the other."""
        return hashlib.sha256(self.as_json().encode()).hexdigest()[:16]

    @property
    def modules(self) -> frozenset[str]:
        """The names of all modules."""
        named = (self.words, self.tokens, self.spoken, self.places)
        return frozenset().union(*(names.values() for names in named), *self.folders.values())

    def renamed(self, names: Mapping[str, str | None]) -> "Vocabulary":
        """The same with modules called otherwise, wherever they stand; two of one name become one.

        Args:
            names: present name -> new name; None takes the module out.
        """
        words, tokens, spoken, places = (
            {key: name for key, old in each.items() if (name := names.get(old, old)) is not None}
            for each in (self.words, self.tokens, self.spoken, self.places)
        )
        renamed = {
            key: dict.fromkeys(name for each in old if (name := names.get(each, each)) is not None)
            for key, old in self.folders.items()
        }
        folders = {key: tuple(new) for key, new in renamed.items() if new}
        return Vocabulary(words, folders, tokens, spoken, places, self.roots)

    def of_path(self, facts: PathFacts) -> tuple[str, ...]:
        """The modules that a path lies in, each once; none for noise but locks, and companions such as a changelog."""
        if _is_companion(facts.path.rpartition("/")[2]):
            return ()
        place = place_of(facts)
        modules = [self.places[place]] if place is not None and place in self.places else []
        folders = folders_of(facts, self.roots)
        if folders and (folders[0] in self._outermost or facts.category == "test"):
            keys = _deepest_first(folders, facts.category == "test")
            modules += next((self.folders[key] for key in keys if key in self.folders), ())
        modules += [self.tokens[word] for word in path_words(facts) if word in self.tokens]
        return tuple(dict.fromkeys(modules)) if len(modules) > 1 else tuple(modules)

    @cached_property
    def _outermost(self) -> frozenset[str]:
        return frozenset(key.partition("/")[0] for key in self.folders)

    def of_sentence(self, text: str) -> set[str]:
        """The modules whose names can be believed in a sentence and stand there."""
        return {self.spoken[key] for key in named_in(text, self.spoken, self._first_words)}

    @cached_property
    def _first_words(self) -> frozenset[str]:
        return first_words(self.spoken)

    def around(self, facts: PathFacts) -> set[str]:
        """The modules of all folders that a path lies in, not only of the deepest."""
        keys = accumulate(folders_of(facts, self.roots), "{}/{}".format)
        return {module for key in keys for module in self.folders.get(key, ())}


EMPTY = Vocabulary({}, {}, {}, {}, {}, frozenset())


@lru_cache(maxsize=65536)
def _is_companion(name: str) -> bool:
    return _COMPANION.fullmatch(name) is not None


def place_of(facts: PathFacts) -> str | None:
    """Which of PLACES a path is in; None for code and tests."""
    if facts.category == "docs" and _EXAMPLES.match(facts.path):
        return "examples"
    place = "dependency" if facts.category == "lock" else facts.category
    return place if place in PLACES else None


def folders_of(facts: PathFacts, roots: frozenset[str]) -> tuple[str, ...]:
    """The telling folders above a file and its own bare name, outermost first; tests lie where they mirror code."""
    if facts.category not in _FOLDERED:
        return ()
    above, _, name = facts.path.lower().rpartition("/")
    folders = _telling_above(above, roots)
    own = _telling(name.partition(".")[0], roots, _OPENERS) if facts.language else None
    return (*folders, own)[:DEPTH] if own else folders


@lru_cache(maxsize=65536)
def _telling_above(above: str, roots: frozenset[str]) -> tuple[str, ...]:
    return tuple(filter(None, (_telling(folder, roots, HOLDERS) for folder in above.split("/"))))[:DEPTH]


@lru_cache(maxsize=65536)
def _telling(name: str, roots: frozenset[str], generic: frozenset[str]) -> str | None:
    bare = _bare(name, roots)
    return bare if bare and bare not in roots and word_key(bare) not in generic else None


def path_words(facts: PathFacts) -> tuple[str, ...]:
    """One to three neighbouring words of each folder and of the bare file name.

    Those of examples are marked `example:`, for there they may be told by other words; documents and CI have none.
    """
    is_example = place_of(facts) == "examples"
    if facts.category not in _FOLDERED and not is_example:
        return ()
    above, _, name = facts.path.lower().rpartition("/")
    words = dict.fromkeys(_words_above(above) + neighbours(name.partition(".")[0]))
    return tuple(f"example:{word}" for word in words) if is_example else tuple(words)


@lru_cache(maxsize=65536)
def _words_above(above: str) -> tuple[str, ...]:
    return tuple(word for folder in above.split("/") for word in neighbours(folder))


@lru_cache(maxsize=65536)
def neighbours(text: str) -> tuple[str, ...]:
    """The keys of one to `LONGEST_NAME` neighbouring words of a text."""
    words, found = WORD.findall(text.lower()), []
    for start, word in enumerate(words):
        found.append(_stem(word))
        for following in words[start + 1 : start + LONGEST_NAME]:
            word = f"{word}_{following}"
            found.append(_stem(word))
    return tuple(found)


def first_words(names: Iterable[str]) -> frozenset[str]:
    """What names of several words begin with."""
    return frozenset(name.partition("_")[0] for name in names if "_" in name)


def named_in(text: str, names: Collection[str], firsts: frozenset[str]) -> Iterator[str]:
    """Those of some names (keys) that stand in a text: of its `neighbours` the ones among them.

    Args:
        text: any.
        names: keys.
        firsts: their `first_words`.
    """
    words = WORD.findall(text.lower())
    for start, word in enumerate(words):
        if (key := _stem(word)) in names:
            yield key
        if word in firsts:
            for following in words[start + 1 : start + LONGEST_NAME]:
                word = f"{word}_{following}"
                if (key := _stem(word)) in names:
                    yield key


def component_of(label: str) -> str | None:
    """`web` for `area/web`, `component: web`, `A-web`; None for a label that does not claim to name a component."""
    found = _COMPONENT.fullmatch(label.strip())
    return found[1] if found else None


def _bare(name: str, roots: frozenset[str]) -> str:
    """`test_order_utils` is about `order`, `cargo_install` in a project called cargo about `install`."""
    words = [word for word in re.split(r"[-_.]", name) if word]
    if len(words) > 1 and (words[0] in _ENDS or words[0] in roots):
        words = words[1:]
    while len(words) > 1 and words[-1] in _ENDS:
        words = words[:-1]
    return "_".join(words)


def _deepest_first(folders: tuple[str, ...], is_test: bool) -> Iterator[str]:
    """What to look a path up by; a test `table_html` that mirrors nothing may be one of `table`."""
    whole = list(accumulate(folders, "{}/{}".format))
    if is_test:
        words = folders[-1].split("_")
        above = whole[-1].removesuffix(folders[-1])
        yield whole.pop()
        yield from (above + "_".join(words[:end]) for end in range(len(words) - 1, 0, -1))
    yield from reversed(whole)
