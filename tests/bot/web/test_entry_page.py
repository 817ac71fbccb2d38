"""The page of an error: every section that its entry fills, none that it leaves empty, its places and its history."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from flask.testing import FlaskClient

from bot.web.entry_view import short_name, view_entry
from bot.web.excerpt import Excerpts
from bot.web.public import create_public
from bot.web.shelf import Shelf, affected_runs
from kb.entry import Defensive, Status, Withdrawal
from tests.bot.web import world
from tests.fakes.clock import FakeClock

SECTIONS = [
    "Error message",
    "What it means",
    "Source",
    "Solutions",
    "Example fix",
    "Before",
    "After",
    "Defensive patterns",
    "Validate before calling",
    "Type guard",
    "Prevention",
    "When it happens",
    "Version timeline",
]


def headings(html: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", text) for text in re.findall(r"<h[23][^>]*>(.*?)</h[23]>", html, re.S)]


def text_of(html: str) -> str:
    blocks = re.sub(r"</?(?:td|th|tr|dt|dd|div|p|li|h\d|pre|title|option|label)\b[^>]*>", " ", html)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", blocks)).split())


def test_the_sections_stand_in_their_order(client: FlaskClient):
    assert headings(client.get("/errors/KB-0002").text) == SECTIONS


def test_what_the_entry_does_not_say_has_no_heading(shelf: Shelf):
    entry = shelf.entries["KB-0002"]
    bare = replace(entry, workarounds=(), example_fix=None, defensive=Defensive("avoid"), issues=(), related=())
    html = create_public(world.desk(world.with_entries(bare))).test_client().get("/errors/KB-0002").text
    empty = {"Solutions", "Example fix", "Before", "After", "Validate before calling", "Type guard", "Prevention"}
    assert headings(html) == [name for name in SECTIONS if name not in empty]


def test_the_place_is_that_of_the_newest_release_and_of_main(client: FlaskClient):
    text = text_of(client.get("/errors/KB-0001").text)
    assert "Thrown at crates/burn-autodiff/src/ops/module.rs:56, in <Autodiff as ModuleOps>::embedding_backward" in text
    assert "crates/burn-autodiff/src/ops/module.rs:60" in text


def test_every_place_is_linked_at_a_full_commit(client: FlaskClient, shelf: Shelf):
    for entry in shelf.published:
        html = client.get(f"/errors/{entry.kb_id}").text
        links = re.findall(r'href="(https://github.com/[^"]+/blob/[^"]+)"', html)
        assert [link for link in links if not re.search(r"/blob/[0-9a-f]{40}/", link)] == []
        assert links or not entry.sites


def test_the_timeline_tells_when_it_came_moved_and_went(client: FlaskClient):
    text = text_of(client.get("/errors/KB-0001").text)
    assert "introduced v0.9.0" in text
    assert "moved v0.13.0" in text
    gone = text_of(client.get("/errors/KB-0017").text)
    assert re.search(r"gone v\d", gone)


def test_the_timeline_is_described_for_those_who_cannot_see_it(client: FlaskClient):
    html = client.get("/errors/KB-0001").text
    assert re.search(r'<svg[^>]*role="img"[^>]*aria-labelledby="t1 d1"', html)
    assert "First seen in v0.9.0" in re.search(r'<desc id="d1">(.*?)</desc>', html, re.S)[1]  # type: ignore[index]


def test_a_foreign_panic_names_no_place_of_ours_as_thrown(client: FlaskClient):
    text = text_of(client.get("/errors/KB-0008").text)
    assert "Raised in wgpu, outside burn" in text
    assert "Thrown at" not in text
    assert "Generated at" in text


def test_a_withdrawn_entry_says_so_and_is_not_searched_for(shelf: Shelf):
    entry = shelf.entries["KB-0001"]
    gone = replace(entry, status=Status.WITHDRAWN, withdrawn=Withdrawal("2026-12-01", "It was the same as another."))
    client = create_public(world.desk(world.with_entries(gone))).test_client()
    assert "It was the same as another." in client.get("/errors/KB-0001").text
    assert client.get("/api/errors?q=embedding+backward").json["explained"] == 0  # type: ignore[index]


def test_a_draft_is_nobodys_business(shelf: Shelf):
    draft = replace(shelf.entries["KB-0001"], status=Status.DRAFT)
    client = create_public(world.desk(world.with_entries(draft))).test_client()
    assert client.get("/errors/KB-0001").status_code == 404


def test_a_site_without_an_entry_has_a_page_that_says_so(client: FlaskClient, shelf: Shelf):
    doc = next(doc for doc in shelf.docs if not doc.explained and doc.message)
    html = client.get(f"/errors/{doc.id}").text
    assert "no explanation yet" in html
    assert '<meta name="robots" content="noindex">' in html
    assert "Version timeline" in headings(html)


def test_a_site_with_an_entry_leads_to_its_entry(client: FlaskClient, shelf: Shelf):
    key = shelf.entries["KB-0001"].keys[1]
    answer = client.get(f"/errors/{key.id}")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/errors/KB-0001")


def test_sites_of_every_kind_have_pages(client: FlaskClient, shelf: Shelf):
    """One of each kind, and one of each repository."""
    chosen = {(key.kind, key.repo): key for key in shelf.sites.values()}
    codes = {key.id: client.get(f"/errors/{key.id}").status_code for key in chosen.values()}
    assert set(codes.values()) <= {200, 302}, codes


@pytest.mark.parametrize(
    ("kb_id", "name"),
    [
        ("KB-0001", "Can't differentiate embedding backward."),
        ("KB-0003", "The inner dimension of matmul should be the same, but got {dim_lhs} and {dim_rhs}."),
        ("KB-0008", "redefinition of `powf_primitive`"),
    ],
)
def test_the_title_quotes_the_telling_line(shelf: Shelf, kb_id: str, name: str):
    assert short_name(shelf.entries[kb_id]).startswith(name)


def test_every_problem_is_shown_where_it_can_be_met(shelf: Shelf):
    """A line that still stands after its problem has ended, or stood before it began, is not its place."""
    wrong = []
    for entry in shelf.published:
        source = view_entry(entry, shelf, Excerpts(None, None, None, FakeClock())).source
        if source is None:
            continue
        (run,) = affected_runs(entry, shelf.index)
        if source.at.key.repo == entry.repo and not run.first <= source.at.revision.order <= run.last:
            wrong.append(entry.kb_id)
    assert wrong == []


@pytest.mark.parametrize("kb_id", ["KB-0006", "KB-0007", "KB-0014", "KB-0016", "KB-0024", "KB-0027"])
def test_a_problem_that_has_ended_is_shown_in_its_own_repository(shelf: Shelf, kb_id: str):
    entry = shelf.entries[kb_id]
    source = view_entry(entry, shelf, Excerpts(None, None, None, FakeClock())).source
    assert source is not None
    assert source.at.key.repo == entry.repo


@pytest.mark.parametrize(
    "message",
    [
        "not implemented",
        "not yet implemented",
        "called `Option::unwrap()` on a `None` value",
        "assertion `left == right` failed\n  left: 1\n right: 2",
        "assertion failed",
    ],
)
def test_words_of_std_alone_are_no_title(shelf: Shelf, message: str):
    """They are printed at a hundred places; the entry's own title tells which one is meant."""
    entry = replace(shelf.entries["KB-0001"], message=message, title="an `unwrap` of ours")
    assert short_name(entry) == "an unwrap of ours"


def test_what_is_raised_elsewhere_shows_when_it_can_be_met(client: FlaskClient):
    html = client.get("/errors/KB-0008").text
    assert re.search(r"<title[^>]*>Releases of tracel-ai/cubecl with which it can be met</title>", html)
    assert "It stands at no release" not in html


def test_a_problem_of_another_repository_is_told_in_releases_of_burn(client: FlaskClient):
    """cubecl v0.1.1 to v0.6.0 are what burn v0.14.0 to v0.18.0 build on."""
    assert "In burn: v0.14.0 to v0.18.0." in text_of(client.get("/errors/KB-0008").text)
    assert "In burn:" not in text_of(client.get("/errors/KB-0001").text)
