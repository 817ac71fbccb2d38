"""The knowledge base of a running worker, read anew on request: a new catalogue needs no restart."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from bot.triage.knowledge import Knowledge

log = logging.getLogger(__name__)

TICK = 0.5
"""How long a request waits at most, in seconds."""


class OnHand:
    """Holds one knowledge base at a time. A job keeps the one that it began with; the next job gets the newer one."""

    def __init__(self, open_it: Callable[[], Knowledge]) -> None:
        """`open_it` opens the knowledge base as it lies on disk by then, ready for use; it is called at once."""
        self._open_it = open_it
        self._asked = False
        self.knowledge = open_it()

    def ask(self) -> None:
        """Ask for it to be read anew, soon. Only sets a flag, so that a signal handler may call it."""
        self._asked = True

    def run_until(self, stop: threading.Event) -> None:
        """Answer requests until told to stop."""
        while not stop.wait(TICK):
            self.answer()

    def answer(self) -> bool:
        """Read it anew if that was asked for. Is it another one now? One that cannot be read leaves the old in use."""
        if not self._asked:
            return False
        self._asked = False
        before = self.knowledge.revision
        try:
            self.knowledge = self._open_it()
        except Exception as error:  # noqa: BLE001 -- whatever is wrong with the files, the one in use still answers
            log.error("the knowledge base cannot be read anew, %s stays in use: %s", before, error)
            return False
        log.info("knowledge base %s, before %s", self.knowledge.revision, before)
        return self.knowledge.revision != before
