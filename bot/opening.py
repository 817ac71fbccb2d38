"""Opens the knowledge base for a command or a worker: folder, catalogue, matchers, and where other source is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.errors import UserError
from bot.github.source import CloneSource
from bot.ports import SourceReader
from bot.settings import Settings, read_settings
from bot.sources import IndexingSource
from bot.triage.knowledge import Knowledge, RecordedSource
from kb.catalog import open_catalog
from kb.folder import VARIABLE, KbFolder, find_kb


def open_for_command(kb: Path | None, clones: Path | None) -> tuple[Knowledge, KbFolder]:
    """What `analyze` and `explain` work with: the knowledge base by the usual rule, source from local clones if any.

    Raises KnowledgeBaseError where a given folder holds no knowledge base, UserError where a setting is wrong or
    `clones` is no folder.
    """
    settings = read_settings()
    folder = chosen_kb(settings, kb)
    return open_knowledge(folder, local_source(settings, clones)), folder


def local_source(settings: Settings, clones: Path | None) -> CloneSource | None:
    """Source from the clones given, else from those of the settings. UserError where `clones` is no folder."""
    if clones and not clones.is_dir():
        raise UserError("no_clones", f"--clones {clones}: no such folder; give the one that holds the clones")
    place = clones or settings.clones
    return CloneSource(place) if place else None


def chosen_kb(settings: Settings, kb: Path | None = None) -> KbFolder:
    """The folder given, else that of the settings, else the nearest one above the working folder, else the packaged."""
    environ = {VARIABLE: str(settings.kb)} if settings.kb else {}
    return find_kb(kb, environ, Path.cwd())


def open_knowledge(folder: KbFolder, reader: SourceReader | None = None) -> Knowledge:
    """Catalogue and matchers of one folder; `reader` gives the source that the index does not hold."""
    catalog = open_catalog(folder)
    knowledge = Knowledge.of(catalog, tuple(catalog.entries), folder.revision)
    return reading_through(knowledge, reader) if reader else knowledge


def forgetting(knowledge: Knowledge, reader: SourceReader | None) -> Knowledge:
    """The same knowledge for one text alone: what is asked for on its account is forgotten with it.

    A visitor could name any number of commits. Without a reader nothing that is not indexed can be had.
    """
    return reading_through(knowledge, reader) if reader else replace(knowledge, source=RecordedSource())


def reading_through(knowledge: Knowledge, reader: SourceReader) -> Knowledge:
    """The same knowledge, with source that is not indexed read through `reader`, each file once."""
    return replace(knowledge, source=IndexingSource(reader, knowledge.index.macros()))
