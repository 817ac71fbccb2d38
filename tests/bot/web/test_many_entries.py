"""With two thousand entries every page is still fast and small."""

from __future__ import annotations

import time

import pytest
from flask.testing import FlaskClient

from bot.web.public import create_public
from bot.web.shelf import Shelf
from tests.bot.web import world
from tests.bot.web.many import MANY, many_entries
from tests.bot.web.world import EMBEDDING

LIMIT_MS = 100.0
LARGEST = 200_000


@pytest.fixture(scope="module")
def many() -> Shelf:
    return many_entries()


@pytest.fixture(scope="module")
def pages(many: Shelf) -> FlaskClient:
    client = create_public(world.desk(many)).test_client()
    client.get("/errors?q=warm")  # what is made once a process
    client.post("/explain", data={"log": EMBEDDING})
    return client


ADDRESSES = [
    "/",
    "/errors",
    "/errors?q=tensor",
    "/errors?q=panicked+unwrap+on+a+none+value+nowhere",
    "/errors?q=a&kind=panic&severity=error&repo=tracel-ai/burn",
    "/errors?version=v0.18.0&show=all&page=3",
    "/errors/KB-1500",
    "/errors/KB-0016",
    "/explain",
    "/about",
    "/api/errors?q=tensor",
    "/api/errors/KB-1500",
    "/api/openapi.json",
]


def quickest(client: FlaskClient, address: str) -> tuple[float, int]:
    """Milliseconds of CPU time, the best of five so that a busy machine is not blamed on the page; and bytes."""
    best = float("inf")
    for _ in range(5):
        start = time.thread_time()
        answer = client.get(address)
        best = min(best, 1000 * (time.thread_time() - start))
        assert answer.status_code == 200
    return best, len(answer.data)


def test_there_are_many(many: Shelf):
    assert len(many.published) == MANY


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_is_fast_and_small(pages: FlaskClient, address: str):
    milliseconds, size = quickest(pages, address)
    assert milliseconds < LIMIT_MS
    assert size < LARGEST


def test_entries_never_looked_at_are_fast_too(pages: FlaskClient, many: Shelf):
    """Each for the first time, nothing of it in any cache; one in ten may be slow on a busy machine."""
    times = []
    for entry in many.published[100:1900:60]:
        start = time.thread_time()
        assert pages.get(f"/errors/{entry.kb_id}").status_code == 200
        times.append(1000 * (time.thread_time() - start))
    assert sorted(times)[int(len(times) * 0.9)] < LIMIT_MS


def test_an_answer_is_fast_too(pages: FlaskClient):
    start = time.thread_time()
    assert pages.post("/explain", data={"log": EMBEDDING}).status_code == 200
    assert 1000 * (time.thread_time() - start) < LIMIT_MS
