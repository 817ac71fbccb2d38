"""Crates, versions and requirements out of Cargo manifests. Pure; a manifest that is no TOML counts as empty."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

TABLES = ("dependencies", "build-dependencies", "dev-dependencies")
_LOCKED = re.compile(r'name = "([^"]+)"\nversion = "([^"]+)"(?:\nsource = "git\+[^"#]*#([0-9a-f]{40})")?')


@dataclass(frozen=True, slots=True)
class Crate:
    """A package of the repository: its name, folder from the root ("" for the root), version ("" if unstated)."""

    name: str
    folder: str
    version: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a workspace asks of a crate from elsewhere."""

    version: str = ""
    """The requirement as written (`=0.9.0`), "" where only a commit is given."""
    rev: str = ""
    """Commit of a git dependency, as written."""
    locked: str = ""
    """Version in Cargo.lock, where the repository commits it."""

    @property
    def text(self) -> str:
        """For people: the requirement, else the locked version, else the commit."""
        return self.version or self.locked or self.rev


def crates(manifests: Mapping[str, bytes]) -> tuple[Crate, ...]:
    """All packages, by name and folder. `manifests` maps paths of Cargo.toml files to their bytes."""
    found = []
    for path, source in manifests.items():
        package = _toml(source).get("package")
        name = package.get("name") if isinstance(package, dict) else None
        # Templates of projects have manifests whose name is a placeholder; the name becomes a file's name here.
        if isinstance(package, dict) and isinstance(name, str) and re.fullmatch(r"[\w-]+", name):
            found.append(Crate(name, _folder(path), _version(package, path, manifests)))
    return tuple(sorted(found, key=lambda c: (c.name, c.folder)))


def owner(path: str, folders: Mapping[str, str]) -> str:
    """Crate whose folder is the nearest above `path`, "" where none is. `folders` maps folders to crate names."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        if folder in folders:
            return folders[folder]
    return ""


def requirements(
    manifests: Mapping[str, bytes], lock: bytes | None, wanted: Callable[[str], bool]
) -> dict[str, Requirement]:
    """What the workspace asks of other people's crates (of the `wanted` ones), by name.

    The table `[workspace.dependencies]` of the outermost manifest decides, then the members by path. Requirements
    by path name a crate of the repository itself and are left out. A wanted crate that comes in through another one
    (wgpu through cubecl) has its version from Cargo.lock alone.
    """
    found: dict[str, Requirement] = {}
    for path in sorted(manifests, key=lambda p: (p.count("/"), p)):
        for name, requirement in _required(_toml(manifests[path])):
            if wanted(name):
                found.setdefault(name, requirement)
    locked = dict(_locked(lock)) if lock else {}
    names = {*found, *filter(wanted, locked)}
    return {name: _complete(found.get(name, Requirement()), *locked.get(name, ("", ""))) for name in sorted(names)}


def _complete(need: Requirement, locked: str, rev: str) -> Requirement:
    return Requirement(need.version, need.rev or rev, locked)


def _required(manifest: Mapping[str, Any]) -> Iterator[tuple[str, Requirement]]:
    places: list[Any] = [manifest.get("workspace"), manifest]
    target = manifest.get("target")
    places += list(target.values()) if isinstance(target, dict) else []
    for place in places:
        for table in TABLES:
            entries = place.get(table) if isinstance(place, dict) else None
            yield from _entries(entries if isinstance(entries, dict) else {})


def _entries(table: Mapping[str, Any]) -> Iterator[tuple[str, Requirement]]:
    for name, value in table.items():
        spec = {"version": value} if isinstance(value, str) else value
        if not isinstance(spec, dict) or "path" in spec or spec.get("workspace"):
            continue
        version, rev = (str(spec.get(field, "")) for field in ("version", "rev"))
        if version or rev:
            yield str(spec.get("package", name)), Requirement(version, rev)


def _locked(lock: bytes) -> Iterator[tuple[str, tuple[str, str]]]:
    """Name -> (version, commit). Of several versions of a crate the last one, which is the highest, stays."""
    for match in _LOCKED.finditer(lock.decode(errors="replace")):
        yield match[1], (match[2], match[3] or "")


def _version(package: Mapping[str, Any], path: str, manifests: Mapping[str, bytes]) -> str:
    version = package.get("version", "")
    if isinstance(version, str):
        return version
    for above in _above(path):
        workspace = _toml(manifests.get(above, b"")).get("workspace")
        shared = workspace.get("package") if isinstance(workspace, dict) else None
        if isinstance(shared, dict) and isinstance(shared.get("version"), str):
            return str(shared["version"])
    return ""


def _above(path: str) -> Iterable[str]:
    folder = _folder(path)
    while True:
        yield f"{folder}/Cargo.toml" if folder else "Cargo.toml"
        if not folder:
            return
        folder = folder.rpartition("/")[0]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


@lru_cache(maxsize=4096)
def _toml(source: bytes) -> Mapping[str, Any]:
    try:
        return tomllib.loads(source.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
