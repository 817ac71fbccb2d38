"""The public pages as a folder of files: the same views and templates, links made relative so that any host will do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from bot.errors import UserError
from bot.web.desk import Desk
from bot.web.public import create_public, static_files

MANIFEST = ".burn-triage-export"
"""Lists the files of the last export, so that the next one takes away what it does not write again."""
_LINK = re.compile(r'\b(href|src|action)="(/[^"]*)"')


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    pages: int
    files: int
    size: int
    """Bytes."""


def export(desk: Desk, folder: Path, *, sites: bool = False) -> Exported:
    """Write all pages into `folder`; with `sites` also those of the thousands of places without an explanation.

    UserError where the folder holds something that is not an earlier export, or cannot be written.
    """
    try:
        _make_room(folder)
        written = [_write(folder, name, data) for name, data in _files(desk, sites)]
        (folder / MANIFEST).write_text("".join(f"{path}\n" for path, _ in written), "utf-8")
    except OSError as error:
        raise UserError("unwritable", f"cannot write {folder}: {error.strerror}; give a folder of your own") from None
    pages = sum(path.endswith(".html") for path, _ in written)
    return Exported(pages, len(written), sum(size for _, size in written))


def file_of(address: str) -> str:
    """The file that stands for an address of the site: `/errors/KB-0001` is `errors/KB-0001/index.html`."""
    path = urlsplit(address).path.strip("/")
    if path.startswith("static/") or path == "api/openapi.json":
        return path
    if path.startswith("api/"):
        return f"{path}.json"
    return f"{path}/index.html" if path else "index.html"


def relative(html: str, here: str) -> str:
    """The page with every link of the site relative to `here`, its own file."""
    up = "../" * (len(PurePosixPath(here).parts) - 1)

    def link(match: re.Match[str]) -> str:
        fragment = urlsplit(match[2]).fragment
        return f'{match[1]}="{up}{file_of(match[2])}{"#" + fragment if fragment else ""}"'

    return _LINK.sub(link, html)


def _files(desk: Desk, sites: bool) -> Iterator[tuple[str, bytes]]:
    client = create_public(desk).test_client()
    for address in _addresses(desk, sites):
        data = client.get(address, follow_redirects=True).data
        name = file_of(address)
        yield name, relative(data.decode(), name).encode() if name.endswith(".html") else data
    yield "404.html", relative(client.get("/404").text, "404.html").encode()
    for name, data in static_files().items():
        yield f"static/{name}", data


def _addresses(desk: Desk, sites: bool) -> Iterator[str]:
    shelf = desk.shelf()
    yield from ("/", "/errors", "/explain", "/about", "/api/errors", "/api/openapi.json")
    names = [name for entry in shelf.published for name in (entry.kb_id, *entry.ids)]
    names += [doc.id for doc in shelf.docs if sites and not doc.explained]
    for name in names:
        yield f"/errors/{name}"
        yield f"/api/errors/{name}"


def _make_room(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / MANIFEST
    if not manifest.is_file():
        if any(folder.iterdir()):
            raise UserError("not_empty", f"{folder} is not empty and no earlier export: give a new or an empty folder")
        return
    root = folder.resolve()
    for line in manifest.read_text("utf-8").splitlines():
        path = (root / line).resolve()
        if path.is_relative_to(root) and path.is_file():
            path.unlink()


def _write(folder: Path, name: str, data: bytes) -> tuple[str, int]:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return name, len(data)
