"""The reduced descriptions of GitHub are what the script makes of the published ones, and cover what is served."""

import gzip

import pytest
from graphql import validate_schema

from testing.github import fetch_schemas, openapi, rest
from testing.github.graphql.execute import schema
from testing.github.routing import ROUTES


def test_they_are_what_the_script_makes() -> None:
    try:
        made = fetch_schemas.made()
    except fetch_schemas.NoNpmError as error:
        pytest.skip(f"GitHub's published descriptions can not be had: {error}")
    kept = {name: gzip.decompress((fetch_schemas.PLACE / name).read_bytes()) for name in made}
    assert kept == made, "run `python -m testing.github.fetch_schemas`"


def test_every_route_is_described() -> None:
    assert rest.MODULES
    described = {(method.upper(), path) for path, one in openapi.description()["paths"].items() for method in one}
    assert {(one.method, one.template) for one in ROUTES} == described


def test_the_reduced_schema_is_whole() -> None:
    assert validate_schema(schema()) == []


def test_they_are_small() -> None:
    assert (
        sum((fetch_schemas.PLACE / name).stat().st_size for name in ("rest.json.gz", "schema.graphql.gz"))
        < 100_000
    )
