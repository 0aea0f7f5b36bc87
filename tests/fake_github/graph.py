"""GraphQL as GitHub answers it: checked with GitHub's own schema, priced, bounded, and run over plain dictionaries."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLNamedType,
    GraphQLResolveInfo,
    GraphQLSchema,
    GraphQLSyntaxError,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    ValidationRule,
    build_client_schema,
    execute_sync,
    get_named_type,
    get_operation_ast,
    parse,
    specified_rules,
    validate,
    value_from_ast_untyped,
)
from graphql.validation import FieldsOnCorrectTypeRule

from fake_github.fields import ASKED, FOLLOWING, ROOTS
from fake_github.paging import GitHubError, page
from fake_github.switches import Switches
from fake_github.world import World

MOST_NODES = 500_000  # in one query
LONGEST_PAGE = 100
Answer = dict[str, Any]


class NotServed(Exception):
    """The fake holds nothing for a field: a gap of ours, never to be read as an empty answer."""


class UnknownFields(ValidationRule):
    """Reports fields that a type lacks in GitHub's own words."""

    def enter_field(self, node: FieldNode, *rest: Any) -> None:
        parent = self.context.get_parent_type()
        if parent is None or self.context.get_field_def():
            return
        names = {"code": "undefinedField", "typeName": parent.name, "fieldName": node.name.value}
        error = GraphQLError(f"Field '{node.name.value}' doesn't exist on type '{parent.name}'", node, extensions=names)
        error.path = [*(step for above in rest[-1] for step in steps(above)), node.name.value]
        self.report_error(error)


def steps(above: Any) -> Iterator[str]:
    """How one node above a field shows in an error's path."""
    match above:
        case OperationDefinitionNode(operation=operation, name=name):
            yield f"{operation.value} {name.value}" if name else operation.value
        case FragmentDefinitionNode(name=name):
            yield f"fragment {name.value}"
        case InlineFragmentNode(type_condition=condition):
            yield f"... on {condition.name.value}" if condition else "..."
        case FieldNode(alias=alias, name=name):
            yield (alias or name).value


RULES = [UnknownFields if rule is FieldsOnCorrectTypeRule else rule for rule in specified_rules]


@lru_cache(maxsize=8)
def load_schema(path: Path, removed: frozenset[str] = frozenset()) -> GraphQLSchema:
    """GitHub's schema, without some fields (`PullRequest.fullDatabaseId`), as older Enterprise hosts lack them."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    for kind in schema["__schema"]["types"]:
        kept = [field for field in kind["fields"] or () if f"{kind['name']}.{field['name']}" not in removed]
        kind["fields"] = kept if kind["fields"] is not None else None
    # Not checked: GitHub's schema breaks rules of its own about deprecation
    return build_client_schema(schema, assume_valid=True)


@lru_cache(maxsize=256)
def checked(text: str, schema: GraphQLSchema) -> tuple[DocumentNode | None, tuple[GraphQLError, ...]]:
    """A parsed query and what is wrong with it; the same one comes again with each page."""
    try:
        document = parse(text)
    except GraphQLSyntaxError as error:
        return None, (error,)
    return document, tuple(validate(schema, document, RULES))


@dataclass
class Size:
    """How much a query asks for, by GitHub's published rules."""

    requests: int = 0  # connections, each once for every node above it
    nodes: int = 0
    bulk: int = 0  # page length of `pullRequests` where it has pages below; 0 without one
    is_dry_run: bool = False
    problems: list[Answer] = field(default_factory=list)

    @property
    def cost(self) -> int:
        """In points: a hundredth of the connections, rounded, at least 1."""
        return max(1, int(self.requests / 100 + 0.5))


@dataclass(frozen=True)
class Question:
    """A valid query with its variables."""

    document: DocumentNode
    schema: GraphQLSchema
    operation: str | None
    variables: Answer


def measure(question: Question) -> Size:
    """How much a query asks for, and whether GitHub allows that.

    Raises:
        NotServed: it is no query, or several.
    """
    document, chosen = question.document, get_operation_ast(question.document, question.operation)
    if chosen is None or chosen.operation is not OperationType.QUERY:
        raise NotServed("The fake GitHub answers queries only, one at a time.")
    given = {
        definition.variable.name.value: value_from_ast_untyped(definition.default_value)
        for definition in chosen.variable_definitions or ()
        if definition.default_value is not None
    }
    fragments = {each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)}
    meter = Meter(question.schema, fragments, given | question.variables)
    meter.walk(chosen.selection_set, question.schema.query_type, 1, ())
    if meter.size.nodes > MOST_NODES and not meter.size.problems:
        message = (
            f"This query requests up to {meter.size.nodes:,} possible nodes which exceeds the maximum limit of "
            f"{MOST_NODES:,}."
        )
        meter.size.problems.append({"type": "MAX_NODE_LIMIT_EXCEEDED", "message": message})
    return meter.size


class Meter:
    """Walks a query and adds up its size."""

    def __init__(self, schema: GraphQLSchema, fragments: dict[str, FragmentDefinitionNode], variables: Answer) -> None:
        self.schema, self.fragments, self.variables = schema, fragments, variables
        self.size = Size()

    def walk(
        self, selections: SelectionSetNode | None, kind: GraphQLNamedType | None, times: int, path: tuple[str, ...]
    ) -> None:
        """Adds what one selection set asks for, `times` over."""
        for node in selections.selections if selections else ():
            if not self.is_included(node):
                continue
            match node:
                case FragmentSpreadNode(name=name):
                    fragment = self.fragments[name.value]
                    self.walk(
                        fragment.selection_set, self.schema.get_type(fragment.type_condition.name.value), times, path
                    )
                case InlineFragmentNode(type_condition=condition):
                    inner = self.schema.get_type(condition.name.value) if condition else kind
                    self.walk(node.selection_set, inner, times, path)
                case FieldNode():
                    self.add_field(node, kind, times, (*path, (node.alias or node.name).value))

    def add_field(self, node: FieldNode, kind: GraphQLNamedType | None, times: int, path: tuple[str, ...]) -> None:
        definition = getattr(kind, "fields", {}).get(node.name.value)
        if definition is None:  # __typename and the other fields of introspection
            return
        given = {each.name.value: value_from_ast_untyped(each.value, self.variables) for each in node.arguments or ()}
        inner = get_named_type(definition.type)
        below = times
        if inner.name.endswith("Connection"):
            self.size.requests += times
            below = times * self.length(node, given, path)
            self.size.nodes += below
        elif node.name.value == "nodes" and isinstance(given.get("ids"), list):
            below = times * len(given["ids"])
        self.size.is_dry_run |= node.name.value == "rateLimit" and given.get("dryRun") is True
        before = self.size.nodes
        self.walk(node.selection_set, inner, below, path)
        if node.name.value == "pullRequests" and self.size.nodes > before:
            self.size.bulk = max(self.size.bulk, below)

    def length(self, node: FieldNode, given: Answer, path: tuple[str, ...]) -> int:
        """How long a page is asked for: 0 where only the count is wanted, or where the length is not allowed."""
        wanted = {each.name.value for each in node.selection_set.selections if isinstance(each, FieldNode)}
        if not wanted & {"nodes", "edges", "pageInfo"}:
            return 0
        name = next((name for name in ("first", "last") if given.get(name) is not None), None)
        if name is None:
            message = (
                f"You must provide a `first` or `last` value to properly paginate the `{node.name.value}` connection."
            )
            self.refuse("MISSING_PAGINATION_BOUNDARIES", node, path, message)
            return 0
        if not isinstance(given[name], int):  # running the query will tell what is wrong with the variable
            return 0
        if not 1 <= given[name] <= LONGEST_PAGE:
            message = (
                f"Requesting {given[name]} records on the `{node.name.value}` connection exceeds the `{name}` limit of "
                f"{LONGEST_PAGE} records."
            )
            self.refuse("EXCESSIVE_PAGINATION", node, path, message)
            return 0
        return given[name]

    def refuse(self, kind: str, node: FieldNode, path: tuple[str, ...], message: str) -> None:
        line, column = node.loc.source.get_location(node.loc.start)
        place = {"line": line, "column": column}
        self.size.problems.append({"type": kind, "path": list(path), "locations": [place], "message": message})

    def is_included(self, node: Any) -> bool:
        for directive in node.directives or ():
            condition = value_from_ast_untyped(directive.arguments[0].value, self.variables)
            if (directive.name.value, condition) in {("skip", True), ("include", False)}:
                return False
        return True


@dataclass
class Query:
    """One query while it is answered: what it may see, and what it is to be refused."""

    world: World
    size: Size
    rate_limit: Answer | None
    switches: Switches

    def value(self, source: Any, info: GraphQLResolveInfo, arguments: Answer) -> Any:
        """What a field holds, before lists are cut into pages."""
        name = f"{info.parent_type.name}.{info.field_name}"
        if name in FOLLOWING:
            return FOLLOWING[name](source)
        if name in ASKED:
            return ASKED[name](source, arguments)
        if name in ROOTS:
            return None if self.size.is_dry_run and info.field_name != "rateLimit" else ROOTS[name](self, arguments)
        if info.field_name not in source:
            raise NotServed(f"The fake GitHub holds nothing for {name}: add it to tests/fake_github/fields.py.")
        return source[info.field_name]

    def check(self, source: Any, info: GraphQLResolveInfo) -> None:
        """Refuses what the test at hand wants refused."""
        if self.switches.forbid:
            path = ".".join(map(str, info.path.as_list()))
            if any(fnmatchcase(path, pattern) for pattern in self.switches.forbid):
                message = "Resource not accessible by personal access token"
                raise GitHubError(message, type="FORBIDDEN", extensions={"saml_failure": False})
        missing = self.switches.unavailable
        if info.parent_type.name == "PullRequest" and info.field_name in missing.get(source["number"], ()):
            raise GitHubError(f"The {info.field_name} for this pull request are unavailable.")

    def poisoned(self, found: Answer) -> Answer:
        """A page without its nodes where it holds one that GitHub cannot get through."""
        if self.size.bulk and any(node["number"] in self.switches.poison for node in found["nodes"]):
            error = GitHubError("Resource limits for this query exceeded.", type="RESOURCE_LIMITS_EXCEEDED")
            return found | {"nodes": [error] * len(found["nodes"])}
        return found


def resolve(source: Any, info: GraphQLResolveInfo, **arguments: Any) -> Any:
    """Answers any field: a stored value, a derived one, or a page of a stored list."""
    query: Query = info.context
    if query.switches.forbid or query.switches.unavailable:
        query.check(source, info)
    value = query.value(source, info, arguments)
    if isinstance(value, list) and get_named_type(info.return_type).name.endswith("Connection"):
        return page(value, arguments)
    if callable(value):
        return value()
    if isinstance(value, dict):
        if value.get("deleted"):
            return None
        if query.switches.poison and info.field_name == "pullRequests":
            return query.poisoned(value)
    return value


def run(question: Question, query: Query) -> Answer:
    """The body that answers a query.

    Raises:
        NotServed: the fake holds nothing for a field.
        GraphQLError: what the fake holds does not fit the schema.
    """
    result = execute_sync(
        question.schema,
        question.document,
        context_value=query,
        variable_values=question.variables,
        operation_name=question.operation,
        field_resolver=resolve,
    )
    return body_of(result)


def body_of(result: ExecutionResult) -> Answer:
    errors = [error_answer(error) for error in result.errors or ()]
    if not errors:
        return {"data": result.data}
    return {"data": result.data, "errors": errors} if result.data is not None else {"errors": errors}


def error_answer(error: GraphQLError) -> Answer:
    """An error as GitHub writes it; one that GitHub would not make is raised, as it is a fault of the fake."""
    cause = error.original_error
    was_running = error.path and not error.extensions  # else: the query or its variables are wrong
    if was_running and not isinstance(cause, GitHubError):
        raise cause or error
    answer: Answer = dict(cause.more) if isinstance(cause, GitHubError) else {}
    if error.path:
        answer["path"] = list(error.path)
    if error.extensions:
        answer["extensions"] = dict(error.extensions)
    answer["locations"] = [{"line": place.line, "column": place.column} for place in error.locations or ()]
    return answer | {"message": error.message}
