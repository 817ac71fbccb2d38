"""Every answer of the API is what its own description says, and the description is valid OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

import pytest
from flask import request
from flask.testing import FlaskClient
from openapi_core import OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest, WerkzeugOpenAPIResponse
from openapi_core.exceptions import OpenAPIError

from bot.web.openapi import description
from bot.web.page import found_pages
from bot.web.public import create_public
from bot.web.shelf import Shelf
from tests.bot.web import world
from tests.bot.web.test_explain_page import NASTY
from tests.bot.web.world import EMBEDDING


@pytest.fixture(scope="module")
def checked() -> FlaskClient:
    """A client whose every answer is held against the description; what breaks it is raised."""
    api = OpenAPI.from_dict(description("/"))
    app = create_public(world.desk())

    @app.after_request
    def check(answer: Any) -> Any:
        if request.path != "/api/openapi.json":
            api.validate_response(WerkzeugOpenAPIRequest(request), WerkzeugOpenAPIResponse(answer))
        return answer

    return app.test_client()


def test_the_description_is_valid_and_names_every_address(client: FlaskClient):
    served = client.get("/api/openapi.json").json
    assert served is not None
    assert served["openapi"] == "3.1.0"
    OpenAPI.from_dict(served).check_spec()
    rules = {page.rule.replace("<", "{").replace(">", "}") for page in found_pages().values()}
    assert set(served["paths"]) == {rule for rule in rules if rule.startswith("/api/")} - {"/api/openapi.json"}


def test_the_check_would_find_a_wrong_answer():
    wrong = description("/")
    wrong["components"] = {"schemas": {**wrong["components"]["schemas"], "Results": {"type": "array"}}}
    api = OpenAPI.from_dict(wrong)
    app = create_public(world.desk())
    with app.test_request_context("/api/errors"):
        answer = app.full_dispatch_request()
        with pytest.raises(OpenAPIError):
            api.validate_response(WerkzeugOpenAPIRequest(request), WerkzeugOpenAPIResponse(answer))


def test_every_entry_and_kind_of_site_is_as_described(checked: FlaskClient, shelf: Shelf):
    sites = {(key.kind, key.repo): key.id for key in shelf.sites.values()}
    for name in [*(entry.kb_id for entry in shelf.published), *sites.values()]:
        assert checked.get(f"/api/errors/{name}").status_code == 200


@pytest.mark.parametrize(("alias", "kb_id"), [("fd0de0d722285fea", "KB-0001"), ("460dd0d378116128", "KB-0002")])
def test_ids_that_others_gave_are_aliases(checked: FlaskClient, alias: str, kb_id: str):
    found = checked.get(f"/api/errors/{alias}").json
    assert found is not None
    assert (found["kb_id"], found["aliases"]) == (kb_id, [alias])


def test_a_page_says_where_its_data_is(client: FlaskClient, shelf: Shelf):
    entry = shelf.entries["KB-0001"]
    assert f'href="/api/errors/{entry.id}"' in client.get("/errors/KB-0001").text
    assert client.get(f"/api/errors/{entry.id}").json["kb_id"] == "KB-0001"  # type: ignore[index]


@pytest.mark.parametrize(
    "query", ["", "q=tensor", "q=zzz", "kind=todo&page=2", "severity=usage", "show=all&page=99999"]
)
def test_searches_are_as_described(checked: FlaskClient, query: str):
    assert checked.get(f"/api/errors?{query}").status_code == 200


def test_an_unknown_version_is_told(checked: FlaskClient):
    answer = checked.get("/api/errors?version=v9.9.9")
    assert answer.status_code == 400
    assert answer.json == {"error": {"code": 400, "message": "tracel-ai/burn has no indexed release “v9.9.9”."}}


def test_explain_is_the_analysis_contract(checked: FlaskClient):
    answer = checked.post("/api/explain", json={"text": EMBEDDING})
    assert answer.headers["Cache-Control"] == "no-store"
    found = answer.json
    assert found is not None
    assert (found["verdict"], found["entry"], found["url"]) == ("matched", "KB-0001", "/errors/KB-0001")
    assert found["site"]["line"] == 56


@pytest.mark.parametrize("text", [*NASTY, "", "no panic", "thread 'main' panicked at src/a.rs:1:1:\nboom"])
def test_explain_takes_any_text(checked: FlaskClient, text: str):
    assert checked.post("/api/explain", json={"text": text}).status_code == 200


@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b"{", b'{"text": 1}', b'{"text": "x", "version": "newest"}', b"[" * 100_000, b"\xff"]
)
def test_explain_refuses_what_is_no_log(checked: FlaskClient, body: bytes):
    answer = checked.post("/api/explain", data=body, content_type="application/json")
    assert answer.status_code == 400


def test_explain_refuses_too_much(checked: FlaskClient, client: FlaskClient):
    assert checked.post("/api/explain", json={"text": "x" * 600_000}).status_code == 413
    # The check reads the body too, and would be refused itself.
    answer = client.post("/api/explain", data=b"x" * 3_000_000)
    assert (answer.status_code, answer.json["error"]["code"]) == (413, 413)  # type: ignore[index]
