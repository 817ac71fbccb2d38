"""A knowledge base of two thousand entries: the committed ones, and made-up ones about real sites."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice

from bot.web.shelf import Shelf
from kb.entry import Entry, EntrySite, Stand
from kb.model import SiteKey
from tests.bot.web import world

MANY = 2000


def made_up(number: int, key: SiteKey, first: str, last: str, like: Entry) -> Entry:
    """An entry about a real site that nobody has explained."""
    site = EntrySite(key.repo, key.crate, key.function, key.kind, (Stand(first, last),), key.template)
    message = key.template or f"panic of {key.function}"
    return replace(
        like,
        kb_id=f"KB-{1000 + number}",
        id=f"{number:016x}",
        aliases=(),
        title=f"{message[:80]}: made-up entry {number} about {key.crate}",
        message=message,
        sites=(site,),
        affected=replace(like.affected, first=first, last=last, repo=key.repo),
        related=tuple(f"{other:016x}" for other in range(number + 1, number + 6)),
        issues=tuple(f"tracel-ai/burn#{number + n}" for n in range(3)),
    )


@cache
def many_entries() -> Shelf:
    """Made once a process: it is only read."""
    shelf = world.shelf()
    like = shelf.entries["KB-0001"]
    found = []
    bare = (key for name, key in shelf.sites.items() if name not in shelf.explained_by)
    for number, key in enumerate(islice(bare, MANY - len(shelf.published))):
        runs = shelf.index.stands(key)
        found.append(made_up(number, key, runs[-1][0].name, runs[-1][1].name, like))
    return world.with_entries(*shelf.published, *found)
