"""The pages beside the webhook: who answers what, and when the knowledge base is opened."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from werkzeug.test import Client

from bot.settings import Settings, read_settings
from bot.store.engine import open_engine
from bot.web.mount import beside
from bot.web.shelf import LazyShelf, Shelf
from bot.wiring import make_receiver
from bot.wiring_pages import read_record, record_of
from tests.bot.github.stage import private_key
from tests.bot.web import world
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles


def answering(word: bytes) -> Callable[..., list[bytes]]:
    def application(environ: object, start_response: Callable[..., object]) -> list[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [word]

    return application


@pytest.mark.parametrize(
    ("path", "who"),
    [
        ("/webhook", "receiver"),
        ("/healthz", "receiver"),
        ("/readyz", "receiver"),
        ("/", "pages"),
        ("/webhook/", "pages"),
    ],
)
def test_each_address_has_its_application(path: str, who: str):
    client = Client(beside(answering(b"receiver"), answering(b"pages")))
    assert client.get(path).text == who


@pytest.mark.parametrize(
    ("environ", "serves"),
    [
        ({}, False),
        ({"BURN_TRIAGE_PUBLIC_URL": "https://triage.example"}, True),
        ({"BURN_TRIAGE_PUBLIC_URL": "https://triage.example", "BURN_TRIAGE_PAGES": "off"}, False),
        ({"BURN_TRIAGE_PAGES": "on"}, True),
    ],
)
def test_when_pages_are_served(environ: dict[str, str], serves: bool):
    assert read_settings(environ).serves_pages is serves


def settings(tmp_path: Path, **more: str) -> Settings:
    environ = {
        "BURN_TRIAGE_DATABASE_URL": f"sqlite:///{tmp_path / 'x.db'}",
        "BURN_TRIAGE_WEBHOOK_SECRET": "a secret",
        "BURN_TRIAGE_KB": str(world.ROOT / "kb"),
        "BURN_TRIAGE_METRICS_LISTEN": "off",
    }
    return read_settings({**environ, **more})


def test_the_receiver_serves_pages_and_webhook(tmp_path: Path):
    client = Client(make_receiver(settings(tmp_path, BURN_TRIAGE_PAGES="on")))
    assert client.post("/webhook", data=b"{}").status_code == 401
    assert client.get("/healthz").text == "ok\n"
    page = client.get("/errors/KB-0001")
    assert (page.status_code, "embedding backward" in page.text) == (200, True)


def test_a_receiver_without_pages_has_none(tmp_path: Path):
    client = Client(make_receiver(settings(tmp_path)))
    assert (client.get("/").status_code, client.get("/healthz").status_code) == (404, 200)


@pytest.mark.parametrize(
    ("environ", "status"),
    [
        ({"BURN_TRIAGE_PAGES": "on"}, 404),
        ({"BURN_TRIAGE_BOARD": "local"}, 200),
        (
            {
                "BURN_TRIAGE_CLIENT_ID": "Iv23",
                "BURN_TRIAGE_CLIENT_SECRET": "a client's secret",
                "BURN_TRIAGE_APP_ID": "1",
                "BURN_TRIAGE_PRIVATE_KEY": private_key(),
                "BURN_TRIAGE_PUBLIC_URL": "https://triage.example",
            },
            303,
        ),
    ],
)
def test_the_dashboard_as_the_settings_want_it(
    tmp_path: Path, sqlite_files: SqliteFiles, environ: dict[str, str], status: int
):
    database = {"BURN_TRIAGE_DATABASE_URL": sqlite_files.make(tmp_path)}
    client = Client(make_receiver(settings(tmp_path, **(database | environ))))
    answer = client.get("/board", environ_base={"REMOTE_ADDR": "127.0.0.1"}, headers={"Host": "127.0.0.1"})
    assert answer.status_code == status


def test_the_shelf_is_opened_once_and_only_when_asked_for():
    opened = []

    def opening() -> Shelf:
        opened.append(threading.current_thread().name)
        return world.shelf()

    lazy = LazyShelf(opening)
    assert opened == []
    threads = [threading.Thread(target=lazy) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(opened), lazy() is world.shelf()) == (1, True)


def test_a_failed_opening_is_tried_again():
    tries = []

    def opening() -> Shelf:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("the disk was away")
        return world.shelf()

    lazy = LazyShelf(opening)
    with pytest.raises(OSError, match="away"):
        lazy()
    assert lazy() is world.shelf()


@pytest.fixture
def engine(sqlite_files: SqliteFiles, tmp_path: Path) -> Iterator[Engine]:
    """The query itself is the store's, and tested there on either database."""
    engine = open_engine(str(sqlite_files.make(tmp_path)))
    yield engine
    engine.dispose()


def test_precision_comes_from_the_store(engine: Engine):
    record = read_record(engine)
    assert record is not None
    assert (record.answers, record.at_least) == (0, None)


def test_a_store_that_is_away_gives_no_figure(tmp_path: Path):
    assert read_record(open_engine(f"sqlite:///{tmp_path / 'none' / 'x.db'}")) is None


def test_the_figure_is_not_counted_at_every_visit(engine: Engine, clock: FakeClock, monkeypatch: pytest.MonkeyPatch):
    counted = []
    monkeypatch.setattr("bot.wiring_pages.read_record", lambda _engine: counted.append(1))
    record = record_of(engine, clock)
    record(), record()
    clock.sleep(300.0)
    record()
    assert len(counted) == 2
