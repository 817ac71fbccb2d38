"""Which knowledge base a command reads: the folder, its revision, and whether it may be written."""

from __future__ import annotations

import hashlib
import importlib.resources
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.errors import KnowledgeBaseError

VARIABLE = "BURN_TRIAGE_KB"
FAMILY = "repos.yaml"
PARTS = (FAMILY, "entries", "sites")


@dataclass(frozen=True, slots=True)
class KbFolder:
    """A knowledge base on disk: the folder that holds `repos.yaml`, `entries` and `sites`."""

    path: Path
    revision: str
    """Twelve hex digits of the hash of everything in it."""
    writable: bool
    origin: str
    """How it was found, for the first line of output."""

    def __str__(self) -> str:
        """The line that a command prints first."""
        return f"knowledge base {self.path} at {self.revision} ({self.origin})"

    def require_writable(self) -> None:
        """Raises KnowledgeBaseError for the packaged copy: nothing writes into the package."""
        if not self.writable:
            raise KnowledgeBaseError(
                f"{self.path} is the packaged knowledge base and is only read; run this in a checkout, or give --kb DIR"
            )


def find_kb(explicit: Path | None, environ: Mapping[str, str], cwd: Path) -> KbFolder:
    """`--kb`, else BURN_TRIAGE_KB, else the nearest parent of `cwd` that holds `kb/repos.yaml`, else the packaged copy.

    The folder may be given as the `kb` folder itself or as the one that holds it. Raises KnowledgeBaseError naming a
    given folder that holds no knowledge base.
    """
    if explicit is not None:
        return _given(explicit, cwd, "--kb")
    if environ.get(VARIABLE):
        return _given(Path(environ[VARIABLE]), cwd, VARIABLE)
    for parent in (cwd, *cwd.parents):
        if (parent / "kb" / FAMILY).is_file():
            return _folder(parent / "kb", "nearest above the working folder")
    return _folder(packaged(), "packaged")


def packaged() -> Path:
    """The copy that was installed with the program."""
    return Path(str(importlib.resources.files("kb")))


def content_revision(path: Path, parts: tuple[str, ...] = PARTS) -> str:
    """Twelve hex digits that depend on the names and bytes of the files alone, wherever the folder lies."""
    digest = hashlib.sha256()
    for file in _files(path, parts):
        digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12]


def cache_folder(environ: Mapping[str, str]) -> Path:
    """Where compiled and parsed things are kept: `$XDG_CACHE_HOME/burn-triage`, else `~/.cache/burn-triage`."""
    base = environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "burn-triage"


def _given(path: Path, cwd: Path, origin: str) -> KbFolder:
    full = cwd / path.expanduser()
    for candidate in (full, full / "kb"):
        if (candidate / FAMILY).is_file():
            return _folder(candidate, origin)
    raise KnowledgeBaseError(f"{origin} {path}: no {FAMILY} there; give the folder that holds {FAMILY} and entries")


def _folder(path: Path, origin: str) -> KbFolder:
    path = path.resolve()
    writable = path != packaged().resolve() or _in_checkout(path)
    return KbFolder(path, content_revision(path), writable, origin)


def _in_checkout(path: Path) -> bool:
    """An editable install runs out of its checkout: there the packaged copy is the one that people edit."""
    return (path.parent / "pyproject.toml").is_file()


def _files(path: Path, parts: tuple[str, ...]) -> Iterator[Path]:
    for part in parts:
        place = path / part
        files = [place] if place.is_file() else place.rglob("*") if place.is_dir() else []
        yield from sorted(f for f in files if f.is_file() and not f.name.startswith("."))
