"""The part of the composition root that opens what a coding assistant may ask of: the knowledge base alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.opening import chosen_kb, local_source, open_knowledge, reading_through
from bot.settings import Settings
from bot.triage.knowledge import Knowledge, RecordedSource
from bot.web.shelf import Shelf
from kb.catalog import Catalog


def make_shelf(settings: Settings, kb: Path | None, clones: Path | None) -> Shelf:
    """The shelf over the folder given, else that of the settings; source that is not indexed from local clones alone.

    KnowledgeBaseError where there is no knowledge base, UserError where `clones` is no folder.
    """
    reader = local_source(settings, clones)
    knowledge = open_knowledge(chosen_kb(settings, kb))
    assert isinstance(knowledge.index, Catalog)

    def fresh(one: Knowledge) -> Knowledge:
        # What is read for one text is forgotten with it: a text could name any number of commits.
        return reading_through(one, reader) if reader else replace(one, source=RecordedSource())

    return Shelf(knowledge, knowledge.index, fresh)
