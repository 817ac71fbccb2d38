"""The cache of parsed blobs, outside the repository: what makes a second run cost only what is new."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Self

from kb.errors import KnowledgeBaseError

BATCH = 500


class BlobCache:
    """Maps (blob sha, parser, test or not) to a packed scan. One process writes; a killed run keeps what it had."""

    def __init__(self, file: Path) -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=OFF")
            self._db.execute("CREATE TABLE IF NOT EXISTS scan (key TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            raise KnowledgeBaseError(f"{file}: cannot be used: {error}; delete it, or set XDG_CACHE_HOME") from None
        self._parser = parser_revision()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def get(self, keys: Iterable[str]) -> dict[str, bytes]:
        """What is known of these keys."""
        wanted, found = list(keys), {}
        for start in range(0, len(wanted), BATCH):
            part = [f"{self._parser}:{key}" for key in wanted[start : start + BATCH]]
            marks = ",".join("?" * len(part))
            rows = self._db.execute(f"SELECT key, data FROM scan WHERE key IN ({marks})", part)
            found.update({key.partition(":")[2]: data for key, data in rows})
        return found

    def put(self, scans: Mapping[str, bytes]) -> None:
        """Remember packed scans; on disk when this returns."""
        rows = [(f"{self._parser}:{key}", data) for key, data in scans.items()]
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO scan VALUES (?, ?)", rows)


def parser_revision() -> str:
    """Eight hex digits that change whenever the parser or the grammar does, so that no stale scan is ever used."""
    digest = hashlib.sha256(version("tree-sitter-rust").encode() + version("tree-sitter").encode())
    for file in _parser_files(Path(__file__).parent):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:8]


def _parser_files(folder: Path) -> list[Path]:
    """What scans a file as a whole and by piece, the forms in which scans are packed, and all they import from here."""
    todo = ["parse", "pieces", "scancodec"]
    seen = set(todo)
    while todo:
        text = (folder / f"{todo.pop()}.py").read_text(encoding="utf-8")
        for name in re.findall(r"^from kb\.source\.(\w+) import", text, re.MULTILINE):
            if name not in seen:
                seen.add(name)
                todo.append(name)
    return [*(folder / f"{name}.py" for name in sorted(seen)), folder.parent / "model.py"]
