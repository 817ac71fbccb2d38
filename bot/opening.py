"""Opens the knowledge base for a command or a worker: folder, catalogue, matchers, and where other source is read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bot.github.source import CloneSource
from bot.ports import SourceReader
from bot.sources import IndexingSource
from bot.triage.knowledge import Knowledge
from kb.catalog import open_catalog
from kb.folder import KbFolder, find_kb

CLONES = "BURN_TRIAGE_CLONES"


def open_for_command(kb: Path | None, clones: Path | None) -> tuple[Knowledge, KbFolder]:
    """What `analyze` and `explain` work with: the knowledge base by the usual rule, source from local clones if given.

    Raises KnowledgeBaseError where a given folder holds no knowledge base.
    """
    folder = find_kb(kb, os.environ, Path.cwd())
    place = clones or _from(os.environ)
    return open_knowledge(folder, CloneSource(place) if place else None), folder


def open_knowledge(folder: KbFolder, reader: SourceReader | None = None) -> Knowledge:
    """Catalogue and matchers of one folder; `reader` gives the source that the index does not hold."""
    catalog = open_catalog(folder)
    knowledge = Knowledge.of(catalog, tuple(catalog.entries), folder.revision)
    return reading_through(knowledge, reader) if reader else knowledge


def reading_through(knowledge: Knowledge, reader: SourceReader) -> Knowledge:
    """The same knowledge, with source that is not indexed read through `reader`, each file once."""
    return replace(knowledge, source=IndexingSource(reader, knowledge.index.macros()))


def _from(environ: Mapping[str, str]) -> Path | None:
    return Path(environ[CLONES]) if environ.get(CLONES) else None
