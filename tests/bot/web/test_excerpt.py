"""Source around a line: from a clone first, fetched once, kept, and given up on for a while where it cannot be had."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from bot.github.permalink import LARGEST, PermalinkSource
from bot.web.excerpt import AROUND, RETRY_SECONDS, Excerpts, cut
from bot.web.public import create_public
from bot.web.shelf import Shelf
from kb.model import Revision, SiteAt, SiteKey, SiteKind
from tests.bot.web import world
from tests.fakes.clock import FakeClock
from tests.fakes.serving import served

SHA = "0123456789abcdef0123456789abcdef01234567"
LINES = "\n".join(f"line {n}" for n in range(1, 101))


def site(line: int = 50) -> SiteAt:
    key = SiteKey("tracel-ai/burn", "burn-core", "f", SiteKind.PANIC, "boom")
    return SiteAt(key, Revision(key.repo, "v1", SHA, "2026-01-01T00:00:00Z", 0), "src/a b.rs", line, 5)


@dataclass
class Reader:
    """Gives one file, or nothing, and counts how often it is asked."""

    blob: bytes | None
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def read_blob(self, repo: str, path: str, ref: str) -> bytes | None:
        self.asked.append((repo, path, ref))
        return self.blob


@pytest.mark.parametrize(("line", "first", "last"), [(50, 40, 60), (1, 1, 11), (100, 90, 100), (5, 1, 15)])
def test_ten_lines_on_either_side(line: int, first: int, last: int):
    found = cut(LINES, line, "r", SHA)
    assert found is not None
    assert (found.lines[0].number, found.lines[-1].number) == (first, last)
    assert [one.number for one in found.lines if one.here] == [line]
    assert len(found.lines) <= 2 * AROUND + 1


@pytest.mark.parametrize("line", [0, -1, 101])
def test_a_line_that_is_not_there_is_no_excerpt(line: int):
    assert cut(LINES, line, "r", SHA) is None


def test_a_clone_is_asked_before_the_network(clock: FakeClock):
    local, remote = Reader(LINES.encode()), Reader(b"other")
    assert Excerpts(local, remote, None, clock).read(site(), fetch=True) is not None
    assert (len(local.asked), remote.asked) == (1, [])


def test_a_file_is_fetched_once_even_across_processes(clock: FakeClock, tmp_path: Path):
    remote = Reader(LINES.encode())
    first = Excerpts(None, remote, tmp_path / "kept", clock)
    assert [first.read(site(n), fetch=True) is not None for n in (1, 2)] == [True, True]
    second = Excerpts(None, remote, tmp_path / "kept", clock)
    assert second.read(site(3), fetch=False) is not None
    assert remote.asked == [("tracel-ai/burn", "src/a b.rs", SHA)]


def test_what_cannot_be_had_is_asked_for_again_after_a_while(clock: FakeClock):
    remote = Reader(None)
    excerpts = Excerpts(None, remote, None, clock)
    assert [excerpts.read(site(), fetch=True) for _ in range(3)] == [None] * 3
    assert len(remote.asked) == 1
    clock.sleep(RETRY_SECONDS)
    remote.blob = LINES.encode()
    assert excerpts.read(site(), fetch=True) is not None


def test_without_leave_nothing_is_fetched(clock: FakeClock):
    remote = Reader(LINES.encode())
    assert Excerpts(None, remote, None, clock).read(site(), fetch=False) is None
    assert remote.asked == []


def test_one_fetch_at_a_time(clock: FakeClock):
    """A slow GitHub holds up one visitor; the others get their page with the link alone."""
    inside, go_on = threading.Event(), threading.Event()

    class Slow:
        def read_blob(self, repo: str, path: str, ref: str) -> bytes | None:
            inside.set()
            go_on.wait(10)
            return LINES.encode()

    excerpts = Excerpts(None, Slow(), None, clock)
    thread = threading.Thread(target=lambda: excerpts.read(site(), fetch=True))
    thread.start()
    assert inside.wait(10)
    assert excerpts.read(site(), fetch=True) is None
    go_on.set()
    thread.join()
    assert excerpts.read(site(), fetch=True) is not None


def test_a_folder_that_cannot_be_written_costs_nothing_but_the_cache(clock: FakeClock, tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    excerpts = Excerpts(None, Reader(LINES.encode()), tmp_path / "file" / "kept", clock)
    assert excerpts.read(site(), fetch=True) is not None


def test_the_page_shows_source_with_whose_it_is(shelf: Shelf, clock: FakeClock):
    hostile = "\n".join(["</code><script>alert(1)</script>"] * 2000).encode()
    remote = Reader(hostile)
    desk = world.desk(shelf, clock, excerpts=Excerpts(None, remote, None, clock))
    html = create_public(desk).test_client().get("/errors/KB-0001").text
    assert "© its contributors, MIT OR Apache-2.0" in html
    assert "<script>alert" not in html
    assert html.count("&lt;script&gt;alert(1)") == 2 * AROUND + 1
    assert [(repo, path) for repo, path, _ in remote.asked] == [
        ("tracel-ai/burn", "crates/burn-autodiff/src/ops/module.rs")
    ]


def test_an_answer_shows_the_line_at_the_visitors_own_version(shelf: Shelf, clock: FakeClock):
    local, remote = Reader(LINES.encode()), Reader(b"never")
    desk = world.desk(shelf, clock, excerpts=Excerpts(local, remote, None, clock))
    html = create_public(desk).test_client().post("/explain", data={"log": world.EMBEDDING}).text
    assert "<mark>line 56</mark>" in html
    assert local.asked == [
        ("tracel-ai/burn", "crates/burn-autodiff/src/ops/module.rs", "546cacb55fe00168854d19bdf0a5d79bd8060e03")
    ]
    assert remote.asked == []


def test_bare_sites_never_ask_the_network(shelf: Shelf, clock: FakeClock):
    remote = Reader(LINES.encode())
    desk = world.desk(shelf, clock, excerpts=Excerpts(None, remote, None, clock))
    bare = next(doc.id for doc in shelf.docs if not doc.explained)
    assert create_public(desk).test_client().get(f"/errors/{bare}").status_code == 200
    assert remote.asked == []


@pytest.fixture
def raw() -> Iterator[tuple[str, list[str]]]:
    """A stand-in for the host that serves raw files, and the paths it was asked for."""
    app, asked = Flask("raw"), []

    @app.route("/<path:path>")
    def give(path: str) -> Response | tuple[str, int, dict[str, str]]:
        asked.append(path)
        if path.endswith("big.rs"):
            return Response(b"x" * (LARGEST + 1))
        if path.endswith("moved.rs"):
            return "", 302, {"Location": "/elsewhere"}
        return Response(b"fn main() {}") if path.endswith("a b.rs") else ("none", 404, {})

    with served(app) as address:
        yield address, asked


def test_a_permalink_is_read_and_nothing_else(raw: tuple[str, list[str]]):
    address, asked = raw
    source = PermalinkSource(address)
    assert source.read_blob("tracel-ai/burn", "src/a b.rs", SHA) == b"fn main() {}"
    assert asked == [f"tracel-ai/burn/{SHA}/src/a b.rs"]
    assert source.read_blob("tracel-ai/burn", "src/none.rs", SHA) is None
    assert source.read_blob("tracel-ai/burn", "big.rs", SHA) is None
    assert source.read_blob("tracel-ai/burn", "moved.rs", SHA) is None
    assert "elsewhere" not in asked


@pytest.mark.parametrize(
    ("repo", "ref"), [("tracel-ai/burn", "main"), ("../x", SHA), ("a/b/c", SHA), ("a/b", SHA[:10])]
)
def test_what_is_no_permalink_is_not_asked_for(raw: tuple[str, list[str]], repo: str, ref: str):
    address, asked = raw
    assert PermalinkSource(address).read_blob(repo, "a b.rs", ref) is None
    assert asked == []


def test_a_host_that_is_away_is_no_error():
    assert PermalinkSource("http://127.0.0.1:9").read_blob("a/b", "c.rs", SHA) is None


def test_the_client_fixture_shows_links_where_no_source_is(client: FlaskClient):
    html = client.get("/errors/KB-0001").text
    assert "View on GitHub (pinned to" in html
    assert "its contributors" not in html
