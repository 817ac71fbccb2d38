"""Which panic of several is the cause: the first one that is no known echo of another. With the reason, as evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.triage.model import PanicReport, Role
from bot.triage.safe import inline_code

_ECHOES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), why)
    for pattern, why in (
        (
            r"\bSendError\b|\bRecvError\b|(?:sending|receiving) on a closed channel|channel is (?:closed|disconnected)",
            "the other end of a channel was gone already",
        ),
        (r"\bPoisonError\b", "a lock was poisoned by an earlier panic"),
        (r"\bAny \{ \.\. \}", "it passes on the panic of another thread"),
        (r"Ordering is bigger than operations", "burn-fusion finds its stream broken by an earlier panic"),
        (
            r"panic in a (?:destructor|function that cannot unwind)|a scoped thread pan|while processing panic",
            "it follows a panic that was already under way",
        ),
        (r"\bCallError(?!\()|CallError\(task panicked", "it passes on the panic of a device's runner thread"),
    )
)
_NESTED = re.compile(r"task panicked on device\s+runner thread:\s*(.*)$", re.DOTALL)


def echo_of(report: PanicReport) -> str:
    """Why this panic is known to follow from another one, "" where it is not."""
    for pattern, why in _ECHOES:
        if pattern.search(report.message[:2000]):
            return why
    location = report.location
    if location and location.crate == "burn-fusion" and location.file.endswith("stream/execution/ordering.rs"):
        return "burn-fusion finds its stream broken by an earlier panic"
    return ""


def cause_text(message: str) -> str:
    """The words of the cause: what a `CallError(task panicked on device runner thread: ..)` carries, else `message`."""
    match = _NESTED.search(message)
    if match is None:
        return message
    inner = match[1].rstrip()
    return inner[:-1] if inner.endswith(")") and inner.count(")") > inner.count("(") else inner


def assign(panics: Sequence[PanicReport], bare: Sequence[bool], times: Sequence[str]) -> tuple[PanicReport, ...]:
    """The panics in their order, each with its role.

    `bare` marks those that are words without a header; `times` are those of the log, "" where it shows none.
    """
    root = _root(panics, bare, times)
    seen: dict[tuple[object, ...], int] = {}
    result: list[PanicReport] = []
    for number, panic in enumerate(panics):
        key = _key(panic)
        if number == root:
            result.append(replace(panic, role=Role.ROOT, why=_why_root(panics, number)))
        elif key in seen or key == _key(panics[root]):
            result.append(replace(panic, role=Role.DUPLICATE, why="the same panic again"))
        else:
            why = echo_of(panic) or _why_later(panic, panics[root])
            result.append(replace(panic, role=Role.CONSEQUENCE, why=why))
        seen.setdefault(key, number)
    return tuple(result)


def _root(panics: Sequence[PanicReport], bare: Sequence[bool], times: Sequence[str]) -> int:
    """The first by trust, then by the log's clock (if it stamps all that are left), then by reading order."""
    if not panics:
        return -1
    ranks = [(bare[number], bool(echo_of(panic))) for number, panic in enumerate(panics)]
    best = [number for number, rank in enumerate(ranks) if rank == min(ranks)]
    stamps = [times[number] for number in best]
    if all(stamps) and len({len(stamp) for stamp in stamps}) == 1:
        return min(best, key=lambda number: (times[number], number))
    return best[0]


def _why_root(panics: Sequence[PanicReport], root: int) -> str:
    if len(panics) == 1:
        return "the only panic of the report"
    if echo_of(panics[root]):
        return f"the first panic shown, though {echo_of(panics[root])}; its cause stands further up in the log"
    return "the first panic that is no known echo of another"


def _why_later(panic: PanicReport, root: PanicReport) -> str:
    if (panic.ref.part, panic.ref.index) != (root.ref.part, root.ref.index):
        return "it stands in another part of the report, after the root, and may be a fault of its own"
    if panic.thread is not None and panic.thread == root.thread:
        return f"it comes after the root on the same thread ({inline_code(panic.thread)})"
    return "it comes after the root"


def _key(panic: PanicReport) -> tuple[object, ...]:
    place = panic.location
    if place is None:
        return (panic.headline,)
    return place.crate, place.version, place.commit, place.file, place.line, place.column
