"""The part of the composition root that puts the public pages together. Nothing is opened before the first page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock
from bot.ports import SourceReader
from bot.serving import Wsgi
from bot.settings import Settings, state_folder
from bot.triage.analyze import analyze
from bot.triage.model import Report
from bot.web.desk import Desk, Record
from bot.web.excerpt import BlobReader, Excerpts
from bot.web.mount import beside
from bot.web.public import create_public
from bot.web.shelf import LazyShelf, Shelf

RECORD_SECONDS = 300.0
"""How long a published figure holds before it is counted again."""
WARM_UP = Report(None, "Warm-up", "```\nthread 'main' panicked at src/main.rs:1:1:\nnot yet implemented\n```")


def with_pages(receiver: Wsgi, settings: Settings, engine: Engine, clock: Clock) -> Wsgi:
    """The receiver, with the public pages on every address that is not its own."""
    return beside(receiver, create_public(make_desk(settings, clock, record_of(engine, clock))))


def make_desk(settings: Settings, clock: Clock, record: Callable[[], Record | None]) -> Desk:
    """What the views work with. The knowledge base is opened once in each process, when a page first asks for it."""
    local, remote = source_readers(settings)
    return Desk.of(
        LazyShelf(lambda: open_shelf(settings, local)),
        clock,
        excerpts=Excerpts(local, remote, state_folder() / "source", clock),
        record=record,
        public_url=settings.public_url,
        report_url=settings.report_url,
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
    from bot.opening import chosen_kb, open_knowledge, reading_through
    from kb.catalog import Catalog

    knowledge = open_knowledge(chosen_kb(settings, kb))
    assert isinstance(knowledge.index, Catalog)
    # The first analysis loads every panic format: now, so that the first visitor does not wait for it.
    analyze(WARM_UP, knowledge)
    # What is read for one pasted log is forgotten with it: a visitor could name any number of commits.
    return Shelf(
        knowledge, knowledge.index, (lambda one: reading_through(one, reader)) if reader else (lambda one: one)
    )


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
    from bot.store.answers import precision

    try:
        with engine.connect() as conn:
            total = precision(conn)[0]
    except SQLAlchemyError:
        return None
    return Record(total.answers, total.wrong, total.disputed)
