"""The dashboard served to a real browser: in local mode over a season of reports, and behind the stand-in's login."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from bot.store.engine import open_engine
from bot.web.board import Board, Door
from bot.web.local import LocalDoor
from bot.web.public import create_public
from tests.bot.web import board_world, world
from tests.bot.web.board_rows import Rows, unknown_panic
from tests.bot.web.login_world import LoginWorld
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles
from tests.fakes.github import FakeGitHub
from tests.fakes.serving import served

CUBECL = 777


def filled(engine: Engine, clock: FakeClock) -> None:
    """Two repositories with everything that a page can show."""
    board_world.install(engine)
    board_world.install(engine, CUBECL, "tracel-ai/cubecl", 72)
    rows = Rows(engine, clock)
    rows.season()
    rows.dispute(rows.issue(world.EMBEDDING, days=1, answered=True))
    rows.alarm(rows.issue(unknown_panic(), days=1))
    rows.configuration(error="`mode` must be one of on, shadow, off, not `loud`")
    Rows(engine, clock, CUBECL, "tracel-ai/cubecl").configuration(in_force="shadow", good={"mode": "shadow"})


@contextmanager
def local_site(files: SqliteFiles, folder: Path, fill: bool = True) -> Iterator[str]:
    """Address of a dashboard in local mode."""
    engine, clock = open_engine(files.make(folder)), FakeClock()
    if fill:
        filled(engine, clock)
    with site(engine, clock, LocalDoor(engine)) as address:
        yield address
    engine.dispose()


@contextmanager
def site(engine: Engine, clock: FakeClock, door: Door, **more: Any) -> Iterator[str]:
    """Address of pages and dashboard behind this door."""
    with served(create_public(world.desk(clock=clock, board=Board(engine, clock, door, **more)))) as address:
        yield address


@contextmanager
def login_site(files: SqliteFiles, folder: Path) -> Iterator[tuple[str, LoginWorld]]:
    """Address of a dashboard with a login, and its world; the repository of `tri` has one season."""
    engine, clock = open_engine(files.make(folder)), FakeClock()
    with FakeGitHub(clock.now) as github:
        place = LoginWorld(github, engine, clock, "http://127.0.0.1:1")
        Rows(engine, clock, place.repo.id).season()
        app = create_public(world.desk(clock=clock, board=place.board))
        with served(lambda environ, start: app(environ, start)) as address:
            door = place.make_door(address)
            app = create_public(world.desk(clock=clock, board=Board(engine, clock, door, github.url)))
            yield address, place
    engine.dispose()
