"""What search engines are told: which pages there are, under which address, and which are not worth keeping."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from flask.testing import FlaskClient

from bot.web.public import create_public
from bot.web.shelf import Shelf
from tests.bot.web import world

ROOT = "https://triage.example"


def test_the_map_names_every_explained_error(shelf: Shelf):
    client = create_public(world.desk(public_url=ROOT)).test_client()
    tree = ElementTree.fromstring(client.get("/sitemap.xml").data)
    found = {element.text for element in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")}
    assert found == {f"{ROOT}/", f"{ROOT}/errors", *(f"{ROOT}/errors/{entry.kb_id}" for entry in shelf.published)}
    assert f"Sitemap: {ROOT}/sitemap.xml" in client.get("/robots.txt").text


def test_without_an_address_there_is_no_map(client: FlaskClient):
    assert client.get("/sitemap.xml").status_code == 404
    assert "Sitemap" not in client.get("/robots.txt").text


def test_one_page_has_one_address(shelf: Shelf):
    """Under any of its ids a page names the same one as its own."""
    client = create_public(world.desk(public_url=ROOT)).test_client()
    pages = [client.get(f"/errors/{name}").text for name in ("KB-0001", *shelf.entries["KB-0001"].ids)]
    named = {re.search(r'<link rel="canonical" href="([^"]*)"', page)[1] for page in pages}  # type: ignore[index]
    assert named == {f"{ROOT}/errors/KB-0001"}
