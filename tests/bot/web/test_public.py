"""Every page answers, links to what is there, and carries the headers."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from bot.web.desk import Record
from bot.web.guard import CSP
from bot.web.page import found_pages
from bot.web.public import create_public
from bot.web.shelf import Shelf
from tests.bot.web import world

FIXED = sorted(
    page.rule
    for page in found_pages().values()
    if not page.who
    and "<" not in page.rule
    and "GET" in page.methods
    and page.rule != "/sitemap.xml"  # needs an address
)


class Links(HTMLParser):
    """Addresses that a page names, ids that it has, and whether it carries script or style of its own."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.inline: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.addresses += [value for name, value in attrs if name in ("href", "src", "action") and value]
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.inline += [name for name in values if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in values):
            self.inline.append(tag)


def test_the_folders_are_the_pages():
    assert {"home", "errors", "error", "explain", "about", "api_errors", "api_openapi"} <= set(found_pages())


@pytest.mark.parametrize("address", FIXED)
def test_every_page_answers_and_may_be_kept(client: FlaskClient, address: str):
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("address", [*FIXED, "/errors/KB-0001", "/nothing", "/static/site.css", "/favicon.ico"])
def test_every_answer_has_the_security_headers(client: FlaskClient, address: str):
    headers = client.get(address).headers
    assert headers["Content-Security-Policy"] == CSP
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Set-Cookie" not in headers


def test_the_policy_is_the_strict_one():
    assert dict(part.split(" ", 1) for part in CSP.split("; ")) == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }


def test_every_entry_has_its_page_under_every_id(client: FlaskClient, shelf: Shelf):
    names = [name for entry in shelf.published for name in (entry.kb_id, entry.kb_id.lower(), *entry.ids)]
    assert {name: client.get(f"/errors/{name}").status_code for name in names} == dict.fromkeys(names, 200)


@pytest.mark.parametrize(
    ("alias", "title"),
    [
        ("fd0de0d722285fea", "What causes “Can&#39;t differentiate embedding backward.” in tracel-ai/burn?"),
        ("460dd0d378116128", "What causes “not yet implemented: Quantization not supported yet” in tracel-ai/burn?"),
    ],
)
def test_the_ids_by_which_others_know_an_error_lead_to_ours(client: FlaskClient, alias: str, title: str):
    html = client.get(f"/errors/{alias}").text
    heading = re.search(r"<h1>(.*?)</h1>", html, re.S)
    assert heading
    assert re.sub(r"<[^>]+>", "", heading[1]) == title


def test_links_lead_somewhere(client: FlaskClient, shelf: Shelf):
    """Every link within the site from every page, and every fragment."""
    pages = [
        *(a for a in FIXED if not a.startswith(("/api", "/robots"))),
        *(f"/errors/{e.kb_id}" for e in shelf.published),
    ]
    found = {page: Links(client.get(page).text) for page in pages}
    inside = {a for links in found.values() for a in links.addresses if a.startswith("/")}
    broken = {a for a in inside if client.get(a.partition("#")[0]).status_code not in (200, 302, 304)}
    fragments = {a for a in inside if "#" in a and a.partition("#")[2] not in Links(client.get(a).text).ids}
    outside = {a for links in found.values() for a in links.addresses if not a.startswith(("/", "#"))}
    assert (broken, fragments) == (set(), set())
    assert {a.split("/")[2] for a in outside} == {"github.com"}


def test_no_page_has_script_or_style_of_its_own_or_an_id_twice(client: FlaskClient, shelf: Shelf):
    pages = [
        *(a for a in FIXED if not a.startswith(("/api", "/robots"))),
        *(f"/errors/{e.kb_id}" for e in shelf.published),
    ]
    for page in pages:
        links = Links(client.get(page).text)
        assert (page, links.inline) == (page, [])
        assert (page, sorted(links.ids)) == (page, sorted(set(links.ids)))


def test_nothing_at_an_address_is_a_page_that_says_so(client: FlaskClient):
    answer = client.get("/errors/KB-9999")
    assert answer.status_code == 404
    assert answer.headers["Cache-Control"] == "no-store"
    assert "There is no page at this address" in answer.text
    assert client.get("/api/errors/KB-9999").json == {
        "error": {"code": 404, "message": "There is no page at this address. An error has its page under its KB id, "
        "its 16-digit id or an alias of it."}
    }  # fmt: skip


def test_another_method_is_refused_with_the_right_ones(client: FlaskClient):
    answer = client.post("/errors")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


def test_static_files_with_their_hash_are_kept_for_a_year(client: FlaskClient):
    address = next(a for a in Links(client.get("/").text).addresses if "site.css" in a)
    assert client.get(address).headers["Cache-Control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("name", ["../public.py", "..%2fpublic.py", "%2e%2e/layout.html"])
def test_static_files_stay_in_their_folder(client: FlaskClient, name: str):
    assert client.get(f"/static/{name}").status_code == 404


def test_precision_is_published_with_its_n():
    desk = world.desk(record=lambda: Record(answers=40, wrong=1, disputed=1))
    html = create_public(desk).test_client().get("/about").text
    assert "95.0 %</span> if every open dispute is right; n = 40" in html
    assert "97.5 % if none is" in html


def test_without_a_record_no_figure_is_made_up(client: FlaskClient):
    html = client.get("/about").text
    assert "No figure yet" in html
    assert " %" not in re.sub(r"<[^>]+>", "", html)


@pytest.mark.parametrize("alone", [Record(0, 0, 0), None])
def test_no_answers_is_no_precision(alone: Record | None):
    html = create_public(world.desk(record=lambda: alone)).test_client().get("/about").text
    assert "no figure yet" in html
