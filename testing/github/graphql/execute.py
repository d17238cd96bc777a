"""Executes a query. What GitHub's schema does not know, and what the server leaves out, are faults."""

import functools
import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    build_schema,
    parse,
    validate,
)
from graphql import execute_sync as run

from testing.github.actors import Actor
from testing.github.graphql import mutations, queries
from testing.github.routing import RefusedError
from testing.github.world import World

JSON = Any
FILE = Path(__file__).parent.parent / "schemas" / "schema.graphql.gz"
_PAGE_SIZE = 100


@functools.cache
def schema() -> GraphQLSchema:
    """The reduced schema."""
    return build_schema(gzip.decompress(FILE.read_bytes()).decode(), assume_valid=True)


@functools.lru_cache(maxsize=256)
def _read(query: str) -> tuple[DocumentNode | None, tuple[GraphQLError, ...]]:
    """The query, and what is wrong with it; clients send the same few again and again."""
    try:
        document = parse(query)
    except GraphQLError as error:
        return None, (error,)
    return document, tuple(validate(schema(), document))


class _FaultError(Exception):
    """The server has no value for a field of the schema."""


def execute(world: World, actor: Actor, request: JSON) -> tuple[JSON, list[str]]:
    """Return the answer to `{"query": ..., "variables": ...}`, and what was wrong with the query or the server."""
    if not isinstance(request, dict) or not isinstance(request.get("query"), str):
        return {"message": "A query attribute must be specified and must be a string."}, ["no query"]
    document, errors = _read(request["query"])
    if errors or document is None:
        return {"errors": [one.formatted for one in errors]}, [one.message for one in errors]
    root = {**queries.root(world, actor), **mutations.root(world, actor)}
    result = run(
        schema(),
        document,
        root_value=root,
        variable_values=request.get("variables") or {},
        operation_name=request.get("operationName"),
        field_resolver=_resolve,
        type_resolver=lambda value, *_: value["__typename"],
    )
    faults, shown = [], []
    for error in result.errors or []:
        refused = error.original_error
        if isinstance(refused, RefusedError):
            kinds = {404: "NOT_FOUND", 403: "FORBIDDEN"}
            shown.append({**error.formatted, "type": kinds.get(refused.status, "UNPROCESSABLE")})
        else:
            faults.append(error.message if refused is None else f"{error.message} ({type(refused).__name__})")
            shown.append(error.formatted)
    answer: JSON = {"data": result.data}
    return ({**answer, "errors": shown} if shown else answer), faults


def _resolve(source: Mapping[str, JSON], info: GraphQLResolveInfo, **arguments: JSON) -> JSON:
    if info.field_name not in source:
        raise _FaultError(f"the test server has no value for {info.parent_type.name}.{info.field_name}")
    value = source[info.field_name]
    if "pageInfo" in getattr(getattr(info.return_type, "of_type", info.return_type), "fields", {}):
        _check_page(info, arguments)
    return value(**arguments) if callable(value) else value


def _check_page(info: GraphQLResolveInfo, arguments: Mapping[str, JSON]) -> None:
    """GitHub wants `first` or `last` of every connection, 100 at most."""
    size = arguments.get("first") or arguments.get("last")
    if size is None:
        raise _FaultError(
            f"you must provide a `first` or `last` value to paginate the `{info.field_name}` connection"
        )
    if not 1 <= size <= _PAGE_SIZE:
        raise _FaultError(
            f"requesting {size} records on the `{info.field_name}` connection exceeds the limit of 100"
        )
