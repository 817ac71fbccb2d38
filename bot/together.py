"""Work that is asked for while the same work is under way is done together, next: group commit for any action."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST = 64
"""Of one go: whoever is in it waits for all of it."""


def _held() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


@dataclass(slots=True, eq=False)
class _Turn(Generic[Item, Result]):
    """What one thread asks for, and what came of it."""

    item: Item
    # Held until its thread is called: half the price of an Event.
    uncalled: threading.Lock = field(default_factory=_held)
    leads: bool = False
    done: list[Result] = field(default_factory=list)
    error: BaseException | None = None


class Together(Generic[Item, Result]):
    """Calls `act` with what several threads ask for at the same time. One per process, made after the fork.

    Nobody waits for others to come: the first one acts at once, alone, and who comes meanwhile goes next, in the order
    of coming. An error of `act` is raised in every thread that took part.
    """

    def __init__(self, act: Callable[[Sequence[Item]], Sequence[Result]]) -> None:
        self._act = act
        self._lock = threading.Lock()
        self._waiting: list[_Turn[Item, Result]] = []
        self._led = False

    def __call__(self, item: Item) -> Result:
        """Act on it; returns when that is done, with its own result."""
        mine = _Turn[Item, Result](item)
        with self._lock:
            self._waiting.append(mine)
            mine.leads, self._led = not self._led, True
        if not mine.leads:
            mine.uncalled.acquire()
        if mine.leads:
            self._lead()
        if mine.error is not None:
            raise mine.error
        return mine.done[0]

    def _lead(self) -> None:
        with self._lock:
            turns, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        try:
            for turn, result in zip(turns, self._act([turn.item for turn in turns]), strict=True):
                turn.done.append(result)
        except BaseException as error:  # noqa: BLE001 -- raised again where it was asked for
            for turn in turns:
                turn.error = error
        with self._lock:
            following = self._waiting[:1]
            self._led = bool(following)
        for turn in following:
            turn.leads = True
        for turn in (*turns, *following):
            turn.uncalled.release()
