"""Source between releases, read from a clone or GitHub and indexed on the spot: `bot.triage.knowledge.Source` at the edge."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ports import SourceReader
from bot.triage.knowledge import BlobRef, CommitRef, HistoryRef
from kb.model import FileFacts
from kb.source.parse import parse_file


class IndexingSource:
    """Reads through a `SourceReader` and remembers every answer, so that one analysis asks for a file once."""

    def __init__(self, reader: SourceReader, macros: frozenset[str] | None = None) -> None:
        """`macros`: names of the panicking macros of the family, so that their calls count as sites."""
        self._reader = reader
        self._macros = macros
        self._facts: dict[BlobRef, FileFacts | None] = {}

    def facts(self, ref: BlobRef) -> FileFacts | None:
        """The file's facts; None where the file is not to be had."""
        if ref not in self._facts:
            blob = self._reader.read_blob(ref.repo, ref.path, ref.commit)
            self._facts[ref] = parse_file(blob, ref.path, self._macros) if blob is not None else None
        return self._facts[ref]

    def history(self, ref: HistoryRef) -> Sequence[str]:
        """Full shas of the commits that touched the file, newest first."""
        return self._reader.file_history(ref.repo, ref.path, ref.until)

    def commit(self, ref: CommitRef) -> tuple[str, str] | None:
        """Full sha and date of a commit that main's list does not have."""
        found = self._reader.find_commit(ref.repo, ref.sha)
        return (found.sha, found.date) if found else None
