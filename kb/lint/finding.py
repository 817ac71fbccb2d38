"""What a check says: where, what, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kb.load import EntryFile
from kb.shape import Path as DataPath


@dataclass(frozen=True, slots=True)
class Hit:
    """One finding as a check makes it, before it has a line and the check's name."""

    file: EntryFile | Path
    """The entry's file, or another file of the knowledge base."""
    path: DataPath
    """Which value; () for the whole file."""
    text: str
    remedy: str
    line: int = 0
    """Line of a file that is no entry, or line inside a block text counted from the value's first line."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One finding as a person reads it; sorts by file and line."""

    file: str
    line: int
    check: str
    text: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.check}: {self.text}\n    {self.remedy}"


def located(hit: Hit, check: str, root: Path) -> Finding:
    """The finding of a hit, its file named from the knowledge base's folder on."""
    if isinstance(hit.file, EntryFile):
        path, line = hit.file.path, hit.file.line(hit.path) + hit.line
    else:
        path, line = hit.file, max(hit.line, 1)
    name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
    return Finding(name, line, check, hit.text, hit.remedy)
