"""The part of the composition root that puts the pages together. Nothing is opened before the first page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.board_mode import board_mode
from bot.clock import Clock
from bot.ports import SourceReader
from bot.serving import Wsgi
from bot.settings import Settings, state_folder
from bot.triage.analyze import analyze
from bot.triage.model import Report
from bot.web import entries_view
from bot.web.board import Board
from bot.web.desk import Desk, Record
from bot.web.excerpt import BlobReader, Excerpts
from bot.web.local import LocalDoor
from bot.web.login import LoginDoor, OAuthClient
from bot.web.mount import beside
from bot.web.public import create_public, ready
from bot.web.rights import Rights
from bot.web.shelf import LazyShelf, Shelf

RECORD_SECONDS = 300.0
"""How long a published figure holds before it is counted again."""
PERMISSION_SECONDS = 5
"""How long a page waits for GitHub to say what a person may do."""
WARM_UP = Report(None, "Warm-up", "```\nthread 'main' panicked at src/main.rs:1:1:\nnot yet implemented\n```")


def with_pages(receiver: Wsgi, settings: Settings, engine: Engine, clock: Clock) -> Wsgi:
    """The receiver, with the pages on every address that is not its own."""
    board = make_board(settings, engine, clock)
    return beside(receiver, ready(create_public(make_desk(settings, clock, record_of(engine, clock), board))))


def make_board(settings: Settings, engine: Engine, clock: Clock) -> Board | None:
    """The maintainers' dashboard as the settings want it; None where they want none."""
    match board_mode(settings):
        case "local":
            return Board(engine, clock, LocalDoor(engine), settings.github_url)
        case "login":
            return Board(engine, clock, make_login(settings, engine, clock), settings.github_url)
        case _:
            return None


def make_login(settings: Settings, engine: Engine, clock: Clock) -> LoginDoor:
    """Login and permissions through the real GitHub. Makes no request."""
    from bot.github.auth import AppCredentials
    from bot.github.client import Clients
    from bot.github.members import Members
    from bot.github.oauth import OAuth, authorize_address

    needed = (settings.client_id, settings.client_secret, settings.app_id, settings.private_key, settings.public_url)
    client_id, client_secret, app_id, private_key, public_url = (text or "" for text in needed)
    oauth = OAuth(client_id, client_secret, base_url=settings.github_api_url)
    clients = Clients(AppCredentials(app_id, private_key), base_url=settings.github_api_url, timeout=PERMISSION_SECONDS)

    def authorize(redirect_uri: str, state: str, challenge: str) -> str:
        return authorize_address(
            settings.github_url, client_id=client_id, redirect_uri=redirect_uri, state=state, challenge=challenge
        )

    rights = Rights(engine, clock, Members(clients).role)
    return LoginDoor(engine, clock, rights, OAuthClient(authorize, oauth.account), public_url)


def make_desk(
    settings: Settings, clock: Clock, record: Callable[[], Record | None], board: Board | None = None
) -> Desk:
    """What the views work with. The knowledge base is opened once in each process, when a page first asks for it."""
    local, remote = source_readers(settings)
    return Desk.of(
        LazyShelf(lambda: open_shelf(settings, local)),
        clock,
        excerpts=Excerpts(local, remote, state_folder() / "source", clock),
        record=record,
        public_url=settings.public_url,
        report_url=settings.report_url,
        proxies=settings.proxies,
        board=board,
    )


def make_export_desk(settings: Settings, clock: Clock, kb: Path | None, clones: Path | None) -> Desk:
    """For a folder of files: source from local clones alone, and no figures of a store."""
    from bot.github.source import CloneSource

    place = clones or settings.clones
    local = CloneSource(place) if place else None
    return Desk.of(
        LazyShelf(lambda: open_shelf(settings, local, kb)),
        clock,
        excerpts=Excerpts(local, None, None, clock),
        public_url=settings.public_url,
        report_url=settings.report_url,
        static=True,
    )


def source_readers(settings: Settings) -> tuple[SourceReader | None, BlobReader | None]:
    """Where source is read: local clones, and permalinks of the real GitHub (a stand-in has no such files)."""
    from bot.github.permalink import PermalinkSource
    from bot.github.source import CloneSource

    local = CloneSource(settings.clones) if settings.clones else None
    return local, PermalinkSource() if settings.github_api_url == "https://api.github.com" else None


def open_shelf(settings: Settings, reader: SourceReader | None, kb: Path | None = None) -> Shelf:
    """The shelf over the knowledge base of the settings, or of the folder given."""
    from bot.opening import chosen_kb, forgetting, open_knowledge
    from kb.catalog import Catalog

    knowledge = open_knowledge(chosen_kb(settings, kb))
    assert isinstance(knowledge.index, Catalog)
    # The first analysis loads every panic format: now, so that the first visitor does not wait for it.
    analyze(WARM_UP, knowledge)
    shelf = Shelf(knowledge, knowledge.index, lambda one: forgetting(one, reader))
    entries_view.prepare(shelf)
    return shelf


def record_of(engine: Engine, clock: Clock) -> Callable[[], Record | None]:
    """Counts the published precision at most every five minutes; None where the database does not answer."""
    kept: tuple[float, Record | None] | None = None

    def record() -> Record | None:
        nonlocal kept
        if kept is None or clock.now() - kept[0] >= RECORD_SECONDS:
            kept = (clock.now(), read_record(engine))
        return kept[1]

    return record


def read_record(engine: Engine) -> Record | None:
    """All answers given, and what was said of them."""
    from bot.store.board.overview import rightness

    try:
        with engine.connect() as conn:
            total = rightness(conn)
    except SQLAlchemyError:
        return None
    return Record(total.answers, total.wrong, total.disputed)
