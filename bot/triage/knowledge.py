"""Everything the analysis may consult, handed in as one value: index, entries, matchers, and source read on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kb.entry import Entry
from kb.messages import MessageMatcher
from kb.model import PANIC_KINDS, FileFacts, SiteIndex, SiteKind


@dataclass(frozen=True, slots=True, order=True)
class BlobRef:
    """One file at one commit of one repository of the family. `commit` is a full or abbreviated sha."""

    repo: str
    commit: str
    path: str


@dataclass(frozen=True, slots=True, order=True)
class LineRef:
    """One line, 1-based, of one file."""

    blob: BlobRef
    line: int


@dataclass(frozen=True, slots=True, order=True)
class HistoryRef:
    """The last commits of main that touched a file, up to a date (ISO 8601)."""

    repo: str
    path: str
    until: str


@dataclass(frozen=True, slots=True, order=True)
class CommitRef:
    """A commit that is not on main's list: of a branch, or newer than the index."""

    repo: str
    sha: str


Ref = BlobRef | LineRef | HistoryRef | CommitRef
"""Anything that can be asked of the source."""


class Source(Protocol):
    """Source that is not in the index: commits between releases. Read at the edge, indexed on the spot."""

    def facts(self, ref: BlobRef) -> FileFacts | None:
        """What the indexer finds in that file; None where it cannot be had."""
        ...

    def line(self, ref: LineRef) -> str | None:
        """The text of that line; None where the file cannot be had, "" below its end."""
        ...

    def history(self, ref: HistoryRef) -> Sequence[str]:
        """Full shas, newest first; () where they cannot be had."""
        ...

    def commit(self, ref: CommitRef) -> tuple[str, str] | None:
        """Full sha and committer date (ISO 8601, UTC); None where the repository has no such commit."""
        ...


@dataclass
class RecordedSource:
    """Source from what has been read already; remembers what was asked for and is not there.

    The worker runs the analysis, reads `missing` as a recorded step, and runs it again: the analysis stays pure.
    """

    blobs: Mapping[BlobRef, FileFacts | None] = field(default_factory=dict)
    histories: Mapping[HistoryRef, Sequence[str]] = field(default_factory=dict)
    commits: Mapping[CommitRef, tuple[str, str] | None] = field(default_factory=dict)
    lines: Mapping[LineRef, str | None] = field(default_factory=dict)
    missing: set[Ref] = field(default_factory=set)

    def facts(self, ref: BlobRef) -> FileFacts | None:
        """What was read; None, and remembered, where it was not."""
        if ref not in self.blobs:
            self.missing.add(ref)
        return self.blobs.get(ref)

    def line(self, ref: LineRef) -> str | None:
        """What was read; None, and remembered, where it was not."""
        if ref not in self.lines:
            self.missing.add(ref)
        return self.lines.get(ref)

    def history(self, ref: HistoryRef) -> Sequence[str]:
        """What was read; (), and remembered, where it was not."""
        if ref not in self.histories:
            self.missing.add(ref)
        return self.histories.get(ref, ())

    def commit(self, ref: CommitRef) -> tuple[str, str] | None:
        """What was read; None, and remembered, where it was not."""
        if ref not in self.commits:
            self.missing.add(ref)
        return self.commits.get(ref)


@dataclass(frozen=True)
class Knowledge:
    """The knowledge base as the analysis sees it."""

    index: SiteIndex
    entries: Mapping[str, Entry]
    """By KB id."""
    panics: MessageMatcher
    checks: MessageMatcher
    """Reasons of tensor checks."""
    revision: str
    """Content revision of the knowledge base, recorded with every verdict."""
    source: Source = field(default_factory=RecordedSource)

    @classmethod
    def of(cls, index: SiteIndex, entries: Sequence[Entry], revision: str, source: Source | None = None) -> Knowledge:
        """Build the matchers over an index and its entries."""
        return cls(
            index=index,
            entries={entry.kb_id: entry for entry in entries},
            panics=MessageMatcher(index.keys(PANIC_KINDS)),
            checks=MessageMatcher(index.keys(frozenset({SiteKind.TENSOR_ERROR}))),
            revision=revision,
            source=source or RecordedSource(),
        )
