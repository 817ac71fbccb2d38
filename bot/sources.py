"""Source between releases, read from a clone or GitHub and indexed on the spot: the `Source` of the analysis."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ports import SourceReader
from bot.triage.knowledge import BlobRef, CommitRef, HistoryRef, LineRef
from kb.model import FileFacts
from kb.source.parse import parse_file


class IndexingSource:
    """Reads through a `SourceReader` and remembers every answer, so that one analysis asks for a file once."""

    def __init__(self, reader: SourceReader, macros: frozenset[str] | None = None) -> None:
        """`macros`: names of the panicking macros of the family, so that their calls count as sites."""
        self._reader = reader
        self._macros = macros
        self._facts: dict[BlobRef, FileFacts | None] = {}
        self._blobs: dict[BlobRef, bytes | None] = {}

    def facts(self, ref: BlobRef) -> FileFacts | None:
        """The file's facts; None where the file is not to be had."""
        if ref not in self._facts:
            blob = self._blob(ref)
            self._facts[ref] = parse_file(blob, ref.path, self._macros) if blob is not None else None
        return self._facts[ref]

    def line(self, ref: LineRef) -> str | None:
        """The text of one line, bad bytes replaced."""
        blob = self._blob(ref.blob)
        if blob is None:
            return None
        lines = blob.decode("utf-8", "replace").split("\n")
        return lines[ref.line - 1] if 0 < ref.line <= len(lines) else ""

    def history(self, ref: HistoryRef) -> Sequence[str]:
        """Full shas of the commits that touched the file, newest first."""
        return self._reader.file_history(ref.repo, ref.path, ref.until)

    def commit(self, ref: CommitRef) -> tuple[str, str] | None:
        """Full sha and date of a commit that main's list does not have."""
        found = self._reader.find_commit(ref.repo, ref.sha)
        return (found.sha, found.date) if found else None

    def _blob(self, ref: BlobRef) -> bytes | None:
        if ref not in self._blobs:
            self._blobs[ref] = self._reader.read_blob(ref.repo, ref.path, ref.commit)
        return self._blobs[ref]
