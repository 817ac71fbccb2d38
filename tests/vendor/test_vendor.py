"""The vendored files: complete, readable, named in the notice, and cut as the list of operations says."""

from __future__ import annotations

from graphql import build_schema, validate_schema

from tests.vendor import HERE, axe, graphql_cut, openapi_cut, webhook_examples
from tests.vendor.operations import GRAPHQL_ROOTS, REST
from tests.vendor.renew import openapi_cut as cut_of
from tests.vendor.renew import references, without_prose


def test_the_notice_names_every_file() -> None:
    notice = (HERE / "NOTICE.md").read_text()
    assert [p.name for p in HERE.glob("*.gz") if f"`{p.name}`" not in notice] == []


def test_the_openapi_cut_holds_the_listed_operations_and_all_they_refer_to() -> None:
    cut = openapi_cut()
    assert {path: tuple(methods) for path, methods in cut["paths"].items()} == REST
    for reference in references(cut):
        _, _, kind, name = reference.split("/")
        assert name in cut["components"][kind], reference


def test_cutting_a_cut_changes_nothing() -> None:
    cut = openapi_cut()
    assert cut_of(cut) == cut


def test_a_field_called_description_is_no_prose() -> None:
    schema = {
        "description": "words",
        "properties": {"description": {"type": "string", "example": "x"}},
        "required": ["x"],
    }
    assert without_prose(schema) == {"properties": {"description": {"type": "string"}}, "required": ["x"]}


def test_the_graphql_cut_is_a_valid_schema_with_the_listed_roots() -> None:
    schema = build_schema(graphql_cut())
    assert validate_schema(schema) == []
    for name, fields in GRAPHQL_ROOTS.items():
        assert set(schema.type_map[name].fields) == set(fields)
    assert set(schema.type_map["ReportedContentClassifiers"].values) >= {"OUTDATED", "RESOLVED", "SPAM"}


def test_the_payloads_and_axe_can_be_read() -> None:
    assert sum(len(found) for found in webhook_examples().values()) == 329
    assert axe().startswith("/*! axe v4.14.1")
