"""What a Python file offers to others, read by Python's own parser: public names, their parameters and defaults."""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_DEF = re.compile(r"\s*(?:async\s+)?def\s")
_HEADER_END = re.compile(r"\s*:\s*(?:#.*)?$")
_TRIPLE = re.compile(r"\"\"\"|'''")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: what it is called, whether it can be given by place, and its default as written."""

    name: str
    default: str | None = None  # None: it has to be given


@dataclass(frozen=True, slots=True)
class Signature:
    """How something is called; the object that a method belongs to is left out."""

    by_place: tuple[Parameter, ...] = ()
    by_name: tuple[Parameter, ...] = ()  # by name only
    n_unnamed: int = 0  # of those by place, the first that have no name to callers
    rest: bool = False  # *args
    others: bool = False  # **kwargs
    is_async: bool = False

    def __str__(self) -> str:
        names = [_written(one) for one in self.by_place]
        if self.n_unnamed:
            names.insert(self.n_unnamed, "/")
        names += ["*args"] if self.rest else ["*"] if self.by_name else []
        names += [*map(_written, self.by_name), *(["**kwargs"] if self.others else [])]
        return f"({', '.join(names)}){' async' if self.is_async else ''}"

    def defaults(self) -> dict[str, str]:
        """The defaults by parameter."""
        return {one.name: one.default for one in (*self.by_place, *self.by_name) if one.default is not None}


@dataclass(frozen=True, slots=True)
class Public:
    """One public name of a file: `run`, `Engine`, `Engine.start`."""

    name: str
    line: int
    signature: Signature | None = None  # of what is called
    default: str | None = None  # of a field of a class


@dataclass
class Surface:
    """All that a file offers."""

    names: dict[str, Public] = field(default_factory=dict)

    def add(self, public: Public) -> None:
        self.names.setdefault(public.name, public)


def surface(text: str) -> Surface | None:
    """The public names of a file; None if Python can't parse it.

    Public is what has no underscore before it and stands in the file itself or in a public class there: functions,
    classes, methods, fields of classes with a type, constants. `__init__` counts as the class's own signature.
    """
    tree = _parsed(_without_bodies(text)) or _parsed(text)
    if tree is None:
        return None
    found = Surface()
    for statement in _flat(tree.body):
        _read_statement(found, statement, prefix="")
    return found


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in somebody else's file
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _without_bodies(text: str) -> str:
    """The file with `...` for what its functions do, every line where it was: it parses in a fifth of the time.

    Told by indentation alone. Where that misleads, the rest is no Python, and the whole is parsed instead.
    """
    kept: list[str] = []
    body_of: int | None = None  # how deep the function stands whose body goes by
    in_header = False
    balance = 0
    quote: str | None = None  # of a text over several lines that is open
    for line in text.split("\n"):
        stripped = line.strip()
        depth = len(line) - len(line.lstrip())
        is_text = quote is not None
        if '"""' in line or "'''" in line:
            quote = _open_quote(line, quote)
        if body_of is not None and (is_text or not stripped or stripped[0] == "#" or depth > body_of) and not in_header:
            kept.append("")
            continue
        if not in_header:
            body_of = None
        if in_header or (not is_text and _DEF.match(line)):
            body_of = body_of if in_header else depth
            balance += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            in_header = balance > 0 or stripped.endswith("\\")
            if not in_header:
                ends = _HEADER_END.search(line)
                line, body_of, balance = (line[: ends.start()] + ": ...", body_of, 0) if ends else (line, None, 0)
        kept.append(line)
    return "\n".join(kept)


def _open_quote(line: str, quote: str | None) -> str | None:
    """The triple quote that is open after a line, given the one that was open before."""
    for found in _TRIPLE.findall(line):
        if quote is None:
            quote = found
        elif quote == found:
            quote = None
    return quote


def header_signature(code: str) -> Signature | None:
    """The signature of a `def` as far as its colon; None if that is none. `self` and `cls` are taken for the object."""
    try:
        (statement,) = ast.parse(code + " ...").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    first = next(iter((*statement.args.posonlyargs, *statement.args.args)), None)
    return _signature(statement, is_method=first is not None and first.arg in ("self", "cls"))


def breaks(old: Signature, new: Signature) -> bool:
    """Whether a call that was right may be wrong now: something is gone, has moved, or has to be given."""
    if old.is_async != new.is_async or (old.rest and not new.rest) or (old.others and not new.others):
        return True
    for index, one in enumerate(old.by_place):
        if index >= len(new.by_place):
            if new.rest and (new.others or one.name in {other.name for other in new.by_name}):
                continue
            return True
        other = new.by_place[index]
        named_before, named_now = index >= old.n_unnamed, index >= new.n_unnamed
        if (named_before and (not named_now or other.name != one.name)) or (other.default is None) > (
            one.default is None
        ):
            return True
    known = {one.name for one in (*old.by_place, *old.by_name)}
    now = {one.name: one for one in (*new.by_place, *new.by_name)}
    for one in old.by_name:
        if one.name not in now:
            if not new.others:
                return True
        elif now[one.name].default is None and one.default is not None:
            return True
    extra = (*new.by_place[len(old.by_place) :], *new.by_name)
    return any(one.default is None and one.name not in known for one in extra)


def _read_statement(found: Surface, statement: ast.stmt, prefix: str) -> None:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            if _is_public(name) and "overload" not in (decorators := set(_decorators(statement))):
                callable_ = not decorators & {"property", "cached_property", "setter", "deleter", "getter"}
                is_method = bool(prefix) and "staticmethod" not in decorators
                signature = _signature(statement, is_method=is_method) if callable_ else None
                found.add(Public(prefix + name, statement.lineno, signature))
            elif name == "__init__" and prefix:
                found.add(Public(prefix + name, statement.lineno, _signature(statement, is_method=True)))
        case ast.ClassDef(name=name) if _is_public(name):
            found.add(Public(prefix + name, statement.lineno))
            for inner in _flat(statement.body):
                _read_statement(found, inner, f"{prefix}{name}.")
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if _is_public(name):
            found.add(Public(prefix + name, statement.lineno, default=_default(value) if prefix else None))
        case ast.Assign(targets=[ast.Name(id=name)]) if name[0].isupper() and len(name) > 1:  # no logger, no TypeVar
            found.add(Public(prefix + name, statement.lineno))


def _flat(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements, with those that stand under an `if` or a `try` of the file or class itself."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try):
            yield from _flat(statement.body)
            yield from _flat(statement.orelse)
            for handler in getattr(statement, "handlers", ()):
                yield from _flat(handler.body)


def _decorators(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        yield called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _signature(function: ast.FunctionDef | ast.AsyncFunctionDef, *, is_method: bool) -> Signature:
    told = function.args
    places = [*told.posonlyargs, *told.args]
    defaults = [None] * (len(places) - len(told.defaults)) + [*told.defaults]
    skipped = int(is_method and bool(places))
    by_place = [Parameter(one.arg, _default(value)) for one, value in zip(places, defaults, strict=True)]
    by_name = [
        Parameter(one.arg, _default(value)) for one, value in zip(told.kwonlyargs, told.kw_defaults, strict=True)
    ]
    return Signature(
        by_place=tuple(by_place[skipped:]),
        by_name=tuple(sorted(by_name, key=lambda one: one.name)),
        n_unnamed=max(0, len(told.posonlyargs) - skipped),
        rest=told.vararg is not None,
        others=told.kwarg is not None,
        is_async=isinstance(function, ast.AsyncFunctionDef),
    )


def _default(value: ast.expr | None) -> str | None:
    return None if value is None else ast.dump(value)


def _written(parameter: Parameter) -> str:
    return parameter.name + ("" if parameter.default is None else "=")


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def is_public_module(path: str) -> bool:
    """Whether a file can be imported by others, as far as its name says: no folder or file of it begins with `_`."""
    return not re.search(r"(?:^|/)_(?!_init__\.py$|_main__\.py$)", path)
