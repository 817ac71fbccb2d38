"""The part of the composition root that opens what a coding assistant may ask of: the knowledge base alone."""

from __future__ import annotations

from pathlib import Path

from bot.opening import chosen_kb, forgetting, local_source, open_knowledge
from bot.settings import Settings
from bot.web.shelf import Shelf
from kb.catalog import Catalog


def make_shelf(settings: Settings, kb: Path | None, clones: Path | None) -> Shelf:
    """The shelf over the folder given, else that of the settings; source that is not indexed from local clones alone.

    KnowledgeBaseError where there is no knowledge base, UserError where `clones` is no folder.
    """
    reader = local_source(settings, clones)
    knowledge = open_knowledge(chosen_kb(settings, kb))
    assert isinstance(knowledge.index, Catalog)
    return Shelf(knowledge, knowledge.index, lambda one: forgetting(one, reader))
