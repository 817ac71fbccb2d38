"""Whatever is asked: an answer below 500, with its headers; where we fail, a page that says that and no more."""

from __future__ import annotations

import logging

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.web.desk import Desk
from bot.web.guard import CSP
from bot.web.public import create_public
from bot.web.shelf import Shelf
from kb.errors import KnowledgeBaseError
from tests.fakes.clock import FakeClock

few = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
text = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60)
name = st.one_of(text, st.from_regex(r"(KB-|kb-)?[0-9a-f]{0,17}", fullmatch=True))


@few
@given(name=name)
def test_any_id(client: FlaskClient, name: str):
    for address in ("/errors/", "/api/errors/", "/static/", "/"):
        answer = client.get(address + name.replace("?", "%3F").replace("#", "%23").replace("%", "%25"))
        assert answer.status_code in (200, 302, 304, 308, 404, 405)
        assert answer.headers["Content-Security-Policy"] == CSP


@few
@given(
    query=st.dictionaries(st.sampled_from(["q", "repo", "crate", "kind", "version", "severity", "show", "page"]), text)
)
def test_any_search(client: FlaskClient, query: dict[str, str]):
    assert client.get("/errors", query_string=query).status_code == 200
    assert client.get("/api/errors", query_string=query).status_code in (200, 400)


@few
@given(log=text, version=text, header=st.sampled_from(["", "thread 'main' panicked at src/a.rs:1:1:\n"]))
def test_any_log(client: FlaskClient, log: str, version: str, header: str):
    assert client.post("/explain", data={"log": header + log, "version": version}).status_code == 200


@pytest.mark.parametrize("page", ["0", "-1", "1e9", "9" * 5000, "٣", "", "2;drop"])
def test_any_page_of_results(client: FlaskClient, page: str):
    assert client.get("/errors", query_string={"page": page}).status_code == 200


@pytest.mark.parametrize("data", [b"", b"--x\r\n", b"log=%ff%fe", b"log=" + b"%00" * 50])
@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""]
)
def test_any_form(client: FlaskClient, data: bytes, kind: str):
    assert client.post("/explain", data=data, content_type=kind).status_code in (200, 400)


def test_a_failure_is_told_without_its_inside(clock: FakeClock, caplog: pytest.LogCaptureFixture):
    def broken() -> Shelf:
        raise KnowledgeBaseError("/srv/secret/kb: no repos.yaml there")

    client = create_public(Desk.of(broken, clock)).test_client()
    with caplog.at_level(logging.CRITICAL):
        page, data = client.get("/errors"), client.get("/api/errors")
    assert (page.status_code, data.status_code) == (500, 500)
    assert "/srv/secret" not in page.text + data.text
    assert page.headers["Content-Security-Policy"] == CSP
    assert page.headers["Cache-Control"] == "no-store"
    assert data.json["error"]["code"] == 500  # type: ignore[index]
