"""A pasted log is answered with its evidence, and nothing of it stays or comes alive."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from bot.web.answer import LARGEST_LOG, report_of
from bot.web.guard import CSP
from tests.bot.web.test_entry_page import headings, text_of
from tests.bot.web.world import EMBEDDING

NASTY = [
    "<script>alert(1)</script>",
    "</textarea><img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% for x in y %}",
    "```\n</code></pre><script>alert(1)</script>\n```",
    "[click](javascript:alert(1)) ![x](https://evil.example/x.png) <https://evil.example>",
    "\u202e\x00\x1b[31m\ud800",
]  # fmt: skip


def explain(client: FlaskClient, log: str, **more: str) -> str:
    answer = client.post("/explain", data={"log": log, **more})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Security-Policy"] == CSP
    return answer.text


def test_the_answer_names_entry_place_and_evidence(client: FlaskClient):
    html = explain(client, EMBEDDING)
    assert headings(html)[:5] == ["Error message", "What it means", "Solutions", "Source", "How this was found"]
    assert 'href="/errors/KB-0001"' in html
    assert "crates/burn-autodiff/src/ops/module.rs:56" in html
    assert "line 56, column 9 and the text agree with this site at v0.21.0" in text_of(html)


def test_line_ends_of_a_form_change_nothing(client: FlaskClient):
    assert 'href="/errors/KB-0001"' in explain(client, EMBEDDING.replace("\n", "\r\n"))


def test_a_log_without_a_panic_is_told_what_a_panic_looks_like(client: FlaskClient):
    html = explain(client, "error[E0432]: unresolved import `burn::tensor`")
    assert "No panic found in this text" in html


def test_an_unknown_panic_leads_to_the_search(client: FlaskClient):
    html = explain(client, "thread 'main' panicked at src/main.rs:3:5:\nmy own words & more")
    assert 'href="/errors?q=my%20own%20words%20%26%20more"' in html


def test_a_stated_version_is_used(client: FlaskClient):
    """The words alone stand at two places of burn since v0.21.0, at one before."""
    words = "thread 'main' panicked:\nnot yet implemented: Quantization not supported yet"
    assert "v0.16.0" in explain(client, words, version="0.16.0")


@pytest.mark.parametrize("version", ["<b>", "0.21.0\n\nthread 'main' panicked at src/x.rs:1:1:\nboom", "newest"])
def test_a_version_that_is_none_is_left_out(client: FlaskClient, version: str):
    html = explain(client, EMBEDDING, version=version)
    assert 'name="version" value=""' in html
    assert "boom" not in html


def test_an_empty_box_is_told(client: FlaskClient):
    assert "The box was empty" in explain(client, "  \n")


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("shape", ["{}", "thread 'main' panicked at src/main.rs:1:1:\n{}"])
def test_hostile_text_is_shown_as_text(client: FlaskClient, text: str, shape: str):
    html = explain(client, shape.replace("{}", text).encode("utf-8", "replace").decode())
    inside = html[html.index("<main") :]
    assert re.findall(r"<(?:script|img|svg|iframe)\b", inside) == []
    outside = [a for a in re.findall(r'(?:href|src)="([^"]*)"', inside) if not a.startswith("/")]
    assert [a for a in outside if not a.startswith("https://github.com/")] == []
    assert "49" not in re.sub(r"[0-9a-f]{12,40}", "", text_of(inside)) or "49" in text


@pytest.mark.parametrize("text", NASTY)
def test_a_hostile_query_is_shown_as_text(client: FlaskClient, text: str):
    text = text.encode("utf-8", "replace").decode()
    query = {"q": text, "crate": text[:6], "version": text[:9], "page": "-1"}
    answer = client.get("/errors", query_string=query)
    assert answer.status_code == 200
    inside = answer.text[answer.text.index("<main") :]
    assert re.findall(r"<(?:script|img|svg|iframe)\b", inside) == []


def test_too_much_text_is_refused(client: FlaskClient):
    answer = client.post("/explain", data={"log": "x" * (4 * LARGEST_LOG + 1)})
    assert answer.status_code == 413
    assert "Paste the last 512 KiB" in answer.text


def test_of_a_long_log_the_end_is_read():
    report = report_of("early\n" + "x" * LARGEST_LOG + EMBEDDING)
    assert len(report.body) == LARGEST_LOG
    assert report.body.endswith(EMBEDDING)
