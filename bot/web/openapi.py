"""The API described in OpenAPI 3.1. A test checks every answer against it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.triage.model import Outcome, Role
from bot.web.answer import LARGEST_LOG, VERSION
from kb.entry import EntryRole, Severity, Status

Schema = dict[str, Any]
STRING: Schema = {"type": "string"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
COUNT: Schema = {"type": "integer", "minimum": 0}
LINE: Schema = {"type": ["integer", "null"]}
STRINGS: Schema = {"type": "array", "items": STRING}
HEX: Schema = {"type": "string", "pattern": "^[0-9a-f]{16}$"}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(fields: Mapping[str, Schema]) -> Schema:
    """An object that has all of these fields and no other."""
    return {"type": "object", "properties": dict(fields), "required": list(fields), "additionalProperties": False}


def _list(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def _or_null(schema: Schema) -> Schema:
    return {"oneOf": [schema, {"type": "null"}]}


def _choice(values: Any) -> Schema:
    return {"type": "string", "enum": [str(value) for value in values]}


def _place(more: Mapping[str, Schema]) -> Schema:
    fields = {"repo": STRING, "revision": STRING, "path": STRING, "line": {"type": "integer"}, "function": STRING}
    return _object({**fields, "permalink": STRING, **more})


_RANGE = _object({"repo": STRING, "from": STRING, "to": STRING})
_AFFECTED = _object(
    {
        "repo": STRING,
        "from": STRING,
        "to": TEXT_OR_NULL,
        "fixed": TEXT_OR_NULL,
        "ended": TEXT_OR_NULL,
        "note": TEXT_OR_NULL,
        "in_burn": _or_null(_object({"from": STRING, "to": STRING})),
        "text": STRING,
    }
)
_DEFENSIVE = _object(
    {
        "strategy": STRING,
        "validate": TEXT_OR_NULL,
        "validate_code": TEXT_OR_NULL,
        "guard": TEXT_OR_NULL,
        "catch": TEXT_OR_NULL,
        "catch_code": TEXT_OR_NULL,
        "prevention": STRINGS,
    }
)
_PROVENANCE = _object(
    {
        "written_by": STRING,
        "against": {"type": "object", "additionalProperties": STRING},
        "written": {"type": "string", "format": "date"},
        "reviewed_by": TEXT_OR_NULL,
    }
)
_SOURCE = _or_null(
    _object({"at": _ref("Place"), "main": _or_null(_ref("Place")), "also": _list(_ref("Place"))}),
)
_LOCATION = _object(
    {
        "crate": TEXT_OR_NULL,
        "version": TEXT_OR_NULL,
        "commit": TEXT_OR_NULL,
        "file": STRING,
        "line": LINE,
        "column": LINE,
    }
)

SCHEMAS: dict[str, Schema] = {
    "Problem": _object({"error": _object({"code": {"type": "integer"}, "message": STRING})}),
    "Result": _object(
        {
            "id": STRING,
            "explained": {"type": "boolean"},
            "title": STRING,
            "message": STRING,
            "summary": STRING,
            "repos": STRINGS,
            "crates": STRINGS,
            "kinds": STRINGS,
            "severity": {"type": ["string", "null"], "enum": [*(str(s) for s in Severity), None]},
            "url": STRING,
        }
    ),
    "Results": _object(
        {
            "total": COUNT,
            "explained": COUNT,
            "loose": {"type": "boolean"},
            "instead": TEXT_OR_NULL,
            "page": {"type": "integer", "minimum": 1},
            "pages": {"type": "integer", "minimum": 1},
            "results": _list(_ref("Result")),
        }
    ),
    "Place": _place({"crate": STRING, "kind": STRING}),
    "Site": _place({}),
    "Timeline": _object(
        {
            "repo": STRING,
            "events": _list(_object({"what": STRING, "revision": STRING, "date": STRING})),
            "stays": _list(_object({"from": STRING, "to": STRING, "path": STRING, "line": LINE})),
        }
    ),
    "Workaround": _object({"do": STRING, "versions": _RANGE, "except": STRINGS, "checked": STRING}),
    "Entry": _object(
        {
            "id": HEX,
            "kb_id": {"type": "string", "pattern": "^KB-[0-9]{4,}$"},
            "aliases": _list(HEX),
            "explained": {"const": True},
            "status": _choice(Status),
            "url": STRING,
            "title": STRING,
            "summary": STRING,
            "severity": _choice(Severity),
            "role": _choice(EntryRole),
            "foreign": {"type": "boolean"},
            "repo": STRING,
            "message": STRING,
            "meaning": STRING,
            "background": TEXT_OR_NULL,
            "affected": _AFFECTED,
            "source": _SOURCE,
            "generated_at": _list(_object({"function": STRING, "crate": STRING, "permalink": STRING})),
            "timeline": _list(_ref("Timeline")),
            "workarounds": _list(_ref("Workaround")),
            "example_fix": _or_null(_object({"before": STRING, "after": STRING})),
            "defensive": _DEFENSIVE,
            "when": _object({"trigger": STRING, "situations": STRINGS}),
            "related": _list(_object({"id": STRING, "title": STRING, "url": STRING})),
            "issues": STRINGS,
            "provenance": _PROVENANCE,
            "withdrawn": _or_null(_object({"on": STRING, "reason": STRING})),
        }
    ),
    "BareSite": _object(
        {
            "id": HEX,
            "explained": {"const": False},
            "url": STRING,
            "repo": STRING,
            "crate": STRING,
            "function": STRING,
            "kind": STRING,
            "message": STRING,
            "source": _SOURCE,
            "timeline": _list(_ref("Timeline")),
        }
    ),
    "Verdict": _object(
        {
            "id": {"type": "null"},
            "panics": _list(_object({"message": STRING, "location": _or_null(_LOCATION), "role": _choice(Role)})),
            "verdict": _choice(Outcome),
            "site": _or_null(_ref("Site")),
            "candidates": _list(_ref("Site")),
            "entry": TEXT_OR_NULL,
            "evidence": STRINGS,
            "gone_since": TEXT_OR_NULL,
            "fixed_in": TEXT_OR_NULL,
            "comment": TEXT_OR_NULL,
            "fingerprint": TEXT_OR_NULL,
            "catalog": STRING,
            "url": TEXT_OR_NULL,
        }
    ),
    "Log": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": LARGEST_LOG, "description": "A panic, or the end of a log."},
            "version": {
                "type": "string",
                "pattern": f"^({VERSION})?$",
                "description": "burn's version, if the log does not show it: 0.21.0.",
            },
        },
        "required": ["text"],
    },
}

_FILTERS = {
    "q": "Words of the message, a crate, a function, an id.",
    "repo": "Repository, owner/name.",
    "crate": "Crate.",
    "kind": "Kind of panic: panic, unwrap, todo, check, foreign and so on.",
    "version": "Release (v0.21.0, 0.21.0) or main, of `repo`, else of tracel-ai/burn.",
    "severity": "error, usage, warning or info.",
    "show": "`entries`: explained errors alone; `all`: bare sites too, without any other filter.",
    "page": "Page of results, from 1.",
}


def description(server: str) -> dict[str, Any]:
    """The OpenAPI document; `server` is the address of this API, `/` where it is not known."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "burn-triage",
            "version": "1",
            "description": "Panics of burn and its family: search, one error, explain a log. Nothing sent is kept.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": server}],
        "paths": {"/api/errors": _search(), "/api/errors/{name}": _error(), "/api/explain": _explain()},
        "components": {"schemas": SCHEMAS},
    }


def _search() -> dict[str, Any]:
    parameters = [{"name": n, "in": "query", "description": d, "schema": STRING} for n, d in _FILTERS.items()]
    answers = {"200": _answer("One page of results, best first.", _ref("Results")), **_problems("400", "429")}
    return {"get": {"operationId": "search", "summary": "Search", "parameters": parameters, "responses": answers}}


def _error() -> dict[str, Any]:
    name = {"name": "name", "in": "path", "required": True, "schema": STRING}
    name["description"] = "KB id, 16-digit hex id or alias of an entry, or the id of a panic site."
    found = _answer("An entry, or a site without one.", {"oneOf": [_ref("Entry"), _ref("BareSite")]})
    answers = {"200": found, **_problems("404")}
    return {"get": {"operationId": "error", "summary": "One error", "parameters": [name], "responses": answers}}


def _explain() -> dict[str, Any]:
    body = {"required": True, "content": {"application/json": {"schema": _ref("Log")}}}
    answers = {"200": _answer("The verdict.", _ref("Verdict")), **_problems("400", "413", "429")}
    return {"post": {"operationId": "explain", "summary": "Explain a log", "requestBody": body, "responses": answers}}


def _answer(words: str, schema: Schema) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def _problems(*codes: str) -> dict[str, Any]:
    words = {
        "400": "Not understood.",
        "404": "No such error.",
        "413": "Too long.",
        "429": "Too often.",
    }
    return {code: _answer(words[code], _ref("Problem")) for code in codes}
