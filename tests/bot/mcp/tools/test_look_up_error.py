"""`look_up_error`: what the API has under the same id, without addresses of pages."""

from __future__ import annotations

import pytest

from bot.mcp.tool import without_addresses
from bot.web.public import create_public
from bot.web.shelf import Shelf
from tests.bot.mcp.asking import ask, refused
from tests.bot.web import world


def test_entries_and_sites_are_those_of_the_api(shelf: Shelf):
    bare = next(doc.id for doc in shelf.docs if not doc.explained)
    names = [*(entry.kb_id for entry in shelf.published[::25]), bare]
    client = create_public(world.desk()).test_client()
    api = [without_addresses(client.get(f"/api/errors/{name}").json) for name in names]
    assert [ask(shelf, "look_up_error", id=name) for name in names] == api
    assert len(names) > 5


def test_any_id_and_any_case_leads_to_the_entry(shelf: Shelf):
    entry = next(e for e in shelf.published if e.kb_id == "KB-0004")
    site = entry.keys[0].id
    names = ["KB-0004", " kb-0004 ", entry.id, entry.id.upper(), site]
    assert [ask(shelf, "look_up_error", id=name)["kb_id"] for name in names] == ["KB-0004"] * 5


def test_no_address_within_a_site_is_told(shelf: Shelf):
    found = ask(shelf, "look_up_error", id="KB-0004")
    assert "/errors/" not in str(found)
    assert found["source"]["at"]["permalink"].startswith("https://github.com/tracel-ai/burn/blob/")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "`id` is missing: give one such as KB-0004"),
        ({"id": 4}, "`id` must be a text"),
        ({"id": "KB-9999"}, "there is no error `KB-9999`; explain_panic and list_known_panics give ids"),
        ({"id": "x" * 41}, "give at most 40"),
    ],
)
def test_what_cannot_be_used_is_named_with_what_to_give(shelf: Shelf, arguments: dict[str, object], said: str):
    assert said in refused(shelf, "look_up_error", **arguments)
