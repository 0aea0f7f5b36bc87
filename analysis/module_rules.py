"""What a team says of its modules in the configuration, over what was learned of them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from analysis.path_patterns import PathPatterns
from analysis.vocabulary import EMPTY, LONGEST_NAME, WORD, Vocabulary, word_key

# Between a Chinese word and a Latin one nobody writes a space.
_CJK = "\u2e80-\u9fff\uf900-\ufaff"
_SEAM = re.compile(rf"(?<=[{_CJK}])(?=[a-z0-9])|(?<=[a-z0-9])(?=[{_CJK}])")


@dataclass(frozen=True)
class ModuleRule:
    """One module as a team defines it."""

    paths: tuple[str, ...] = ()  # patterns, written as in CODEOWNERS, of files that lie in it
    labels: tuple[str, ...] = ()  # whole labels; case does not count
    words: tuple[str, ...] = ()  # words anywhere in a title, up to three together
    owners: tuple[str, ...] = ()  # teams and people of CODEOWNERS whose files lie in it
    aliases: tuple[str, ...] = ()  # other names of it: tags, labels, learned modules, teams
    hide: bool = False  # what goes by these names is no module


@dataclass(frozen=True)
class ModuleRules:
    """All that a team defines; nothing by default."""

    modules: Mapping[str, ModuleRule] = field(default_factory=dict)  # name -> rule
    learn: bool = True  # False: there are no modules but these

    def name(self, module: str) -> str | None:
        """What a module, learned or a team, is called here; None: it is hidden."""
        name = self._names.get(word_key(module), module)
        return None if name in self.modules and self.modules[name].hide else name

    def over(self, vocabulary: Vocabulary) -> Vocabulary:
        """A learned vocabulary in the team's own names; each configured name and word means its module."""
        if self.learn and not self.modules:
            return vocabulary
        learned = vocabulary if self.learn else EMPTY
        known = learned.renamed({module: self.name(module) for module in learned.modules})
        hidden = {key for key, name in self._names.items() if self.name(name) is None}
        own = {key: name for key, name in (self._words | self._names).items() if key not in hidden}
        return Vocabulary(
            {key: name for key, name in known.words.items() if key not in hidden} | own,
            known.folders,
            known.tokens,
            {key: name for key, name in known.spoken.items() if key not in self._words},
            known.places,
            known.roots,
        )

    def of_title(self, title: str) -> Iterator[str]:
        """The modules whose words stand in a title."""
        if not self._words:
            return
        text = title.lower()
        if not text.isascii():
            text = _SEAM.sub(" ", text)
            yield from (name for word, name in self._words.items() if not word.isascii() and word in text)
        words = WORD.findall(text)
        for start, word in enumerate(words):
            if word in self._first_words or word_key(word) in self._first_words:
                keys = (word_key("_".join(words[start : start + n])) for n in range(1, LONGEST_NAME + 1))
                yield from (self._words[key] for key in keys if key in self._words)

    def of_label(self, label: str) -> tuple[str, ...]:
        """The modules that claim a label."""
        return self._labels.get(label.strip().casefold(), ())

    def of_path(self, path: str) -> tuple[str, ...]:
        """The modules with a pattern that means a path, each once."""
        if not self._pattern_names:
            return ()
        return tuple(dict.fromkeys(self._pattern_names[index] for index in self._patterns.matches(path)))

    def of_owner(self, owner: str) -> tuple[str, ...]:
        """The modules that claim an owner's files."""
        return self._owners.get(owner.casefold(), ())

    @cached_property
    def _names(self) -> dict[str, str]:
        """Key of every name a module goes by -> the module."""
        names = ((each, name) for name, rule in self.modules.items() for each in (*rule.aliases, name))
        return {word_key(each): name for each, name in names}

    @cached_property
    def _words(self) -> dict[str, str]:
        return {word_key(word): name for name, rule in self._shown for word in rule.words}

    @cached_property
    def _first_words(self) -> frozenset[str]:
        return frozenset(key.partition("_")[0] for key in self._words)

    @cached_property
    def _labels(self) -> dict[str, tuple[str, ...]]:
        return _claims((label, name) for name, rule in self._shown for label in rule.labels)

    @cached_property
    def _owners(self) -> dict[str, tuple[str, ...]]:
        return _claims((owner, name) for name, rule in self._shown for owner in rule.owners)

    @cached_property
    def _pattern_names(self) -> list[str]:
        return [name for name, rule in self._shown for _ in rule.paths]

    @cached_property
    def _patterns(self) -> PathPatterns:
        return PathPatterns(pattern for _, rule in self._shown for pattern in rule.paths)

    @property
    def _shown(self) -> Iterator[tuple[str, ModuleRule]]:
        return ((name, rule) for name, rule in self.modules.items() if not rule.hide)


def _claims(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """What is claimed, whatever its case -> the modules that claim it."""
    claims: dict[str, dict[str, None]] = defaultdict(dict)
    for claimed, name in pairs:
        claims[claimed.strip().casefold()][name] = None
    return {claimed: tuple(names) for claimed, names in claims.items()}
