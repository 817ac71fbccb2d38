"""The public pages over the committed knowledge base, for tests: nothing but the clock is a stand-in."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from bot.opening import open_knowledge
from bot.web.desk import Desk
from bot.web.guard import Limiter, Rate
from bot.web.shelf import Shelf
from kb.entry import Entry
from kb.folder import find_kb
from tests.fakes.clock import FakeClock

ROOT = Path(__file__).parents[3]
EMBEDDING = """\
thread 'main' panicked at /home/ann/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/burn-autodiff-0.21.0/src/ops/module.rs:56:9:
Can't differentiate embedding backward.
"""  # noqa: E501


@cache
def shelf() -> Shelf:
    """The committed knowledge base. Made once a process: it is only read."""
    knowledge = open_knowledge(find_kb(ROOT / "kb", os.environ, ROOT))
    return Shelf(knowledge, knowledge.index)  # type: ignore[arg-type]


def with_entries(*entries: Entry) -> Shelf:
    """The committed index with other entries."""
    knowledge = replace(shelf().knowledge, entries={entry.kb_id: entry for entry in entries})
    return Shelf(knowledge, knowledge.index)  # type: ignore[arg-type]


def desk(on: Shelf | None = None, clock: FakeClock | None = None, **more: Any) -> Desk:
    """A desk whose visitors may ask as often as they like."""
    clock = clock or FakeClock()
    found = on or shelf()
    made = Desk.of(lambda: found, clock, **more)
    made.limiters.update({name: Limiter(clock, Rate(10_000, 0.001)) for name in made.limiters})
    return made
