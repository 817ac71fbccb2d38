"""Skeletons: the least that GitHub's description demands of an answer, to be filled with what we know."""

from __future__ import annotations

import copy
from functools import lru_cache
from typing import Any

from tests.vendor import openapi_cut


@lru_cache(maxsize=1)
def description() -> dict[str, Any]:
    """The cut, parsed once per process."""
    return openapi_cut()


@lru_cache(maxsize=64)
def _skeleton(name: str) -> Any:
    return _value(description()["components"]["schemas"][name] | {"nullable": False}, name)


def skeleton(name: str) -> dict[str, Any]:
    """A valid object of this schema with its required members only."""
    return dict(copy.deepcopy(_skeleton(name)))


def _value(schema: dict[str, Any], name: str) -> Any:
    if "$ref" in schema:
        return _value(description()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]], name)
    if schema.get("nullable"):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    for combined in ("oneOf", "anyOf"):
        if combined in schema:
            return _value(schema[combined][0], name)
    if "allOf" in schema:
        merged: dict[str, Any] = {}
        for part in schema["allOf"]:
            merged |= _value(part, name)
        return merged
    return _plain(schema, name)


def _plain(schema: dict[str, Any], name: str) -> Any:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if kind == "object":
        members = schema.get("properties", {})
        return {key: _value(members.get(key, {"type": "string"}), key) for key in schema.get("required", ())}
    return {"array": [], "integer": 0, "number": 0, "boolean": False}.get(kind, _text(schema))


def _text(schema: dict[str, Any]) -> str:
    formats = {"uri": "https://example.invalid/", "date-time": "2026-01-01T00:00:00Z", "email": "a@example.invalid"}
    return formats.get(schema.get("format", ""), "")
