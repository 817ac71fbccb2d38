"""A few lines of source around a panic: from a local clone, else fetched once by its permalink and kept."""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bot.clock import Clock
from kb.model import SiteAt

AROUND = 10
"""Lines shown before and after."""
LONGEST_LINE = 200
LARGEST_FILE = 2 * 1024 * 1024
KEPT_FILES = 256
RETRY_SECONDS = 600.0
LICENCE = "MIT OR Apache-2.0"
"""Licence of all repositories of the family (their Cargo.toml, LICENSE-MIT, LICENSE-APACHE)."""


class BlobReader(Protocol):
    """One file of one repository at a commit; None where it is not to be had. Raises nothing."""

    def read_blob(self, repo: str, path: str, ref: str) -> bytes | None:
        """The bytes of the file."""
        ...


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of an excerpt."""

    number: int
    text: str
    here: bool


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of somebody else's source, with whose they are."""

    lines: tuple[SourceLine, ...]
    repo: str
    commit: str
    licence: str = LICENCE


def cut(text: str, line: int, repo: str, commit: str) -> Excerpt | None:
    """The lines around `line` (1-based), None where the text is shorter."""
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return None
    first, last = max(1, line - AROUND), min(len(lines), line + AROUND)
    shown = tuple(SourceLine(n, lines[n - 1].rstrip()[:LONGEST_LINE], n == line) for n in range(first, last + 1))
    return Excerpt(shown, repo, commit)


@dataclass
class Excerpts:
    """Reads excerpts and keeps the files they are from. Safe in many threads.

    At most one fetch is under way at a time: whoever comes meanwhile gets none, and the page its link. What could not
    be had is asked for again after ten minutes.
    """

    local: BlobReader | None
    remote: BlobReader | None
    folder: Path | None
    """Where fetched files are kept; None: in memory only."""
    clock: Clock
    _kept: OrderedDict[tuple[str, str, str], bytes | None] = field(default_factory=OrderedDict)
    _failed: dict[tuple[str, str, str], float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _fetching: threading.Lock = field(default_factory=threading.Lock)

    def read(self, site: SiteAt, *, fetch: bool) -> Excerpt | None:
        """The lines around a site. `fetch`: whether the network may be asked."""
        blob = self._blob((site.key.repo, site.path, site.revision.commit), fetch)
        if blob is None:
            return None
        return cut(blob.decode("utf-8", "replace"), site.line, site.key.repo, site.revision.commit)

    def _blob(self, name: tuple[str, str, str], fetch: bool) -> bytes | None:
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
                return self._kept[name]
        blob = self.local.read_blob(*name) if self.local else None
        blob = blob or self._from_disk(name) or (self._fetched(name) if fetch else None)
        if blob is not None:
            with self._lock:
                self._kept[name] = blob
                while len(self._kept) > KEPT_FILES:
                    self._kept.popitem(last=False)
        return blob

    def _fetched(self, name: tuple[str, str, str]) -> bytes | None:
        now = self.clock.now()
        if self.remote is None or now - self._failed.get(name, -RETRY_SECONDS) < RETRY_SECONDS:
            return None
        if not self._fetching.acquire(blocking=False):
            return None
        try:
            blob = self.remote.read_blob(*name)
        finally:
            self._fetching.release()
        if blob is None or len(blob) > LARGEST_FILE:
            self._failed[name] = now
            return None
        self._to_disk(name, blob)
        return blob

    def _place(self, name: tuple[str, str, str]) -> Path | None:
        digest = hashlib.sha256("\0".join(name).encode()).hexdigest()[:32]
        return self.folder / digest if self.folder else None

    def _from_disk(self, name: tuple[str, str, str]) -> bytes | None:
        place = self._place(name)
        try:
            return place.read_bytes() if place else None
        except OSError:
            return None

    def _to_disk(self, name: tuple[str, str, str], blob: bytes) -> None:
        place = self._place(name)
        if place is None:
            return
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            # Written aside and renamed: another process must never read half a file.
            handle, aside = tempfile.mkstemp(dir=place.parent)
            with open(handle, "wb") as file:
                file.write(blob)
            os.replace(aside, place)
        except OSError:
            # A full or read-only disk costs the cache, not the page.
            return
