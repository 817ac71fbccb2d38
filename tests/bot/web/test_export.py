"""The site as files: everything is there, every link between files holds, and nothing of anybody's is overwritten."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bot.errors import UserError
from bot.web.export import MANIFEST, Exported, export, file_of, relative
from bot.web.shelf import Shelf
from tests.bot.web import world
from tests.bot.web.test_public import Links


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Exported]:
    folder = tmp_path_factory.mktemp("export") / "site"
    return folder, export(world.desk(static=True), folder)


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("/", "index.html"),
        ("/errors?q=x", "errors/index.html"),
        ("/errors/KB-0001", "errors/KB-0001/index.html"),
        ("/static/site.css?v=1", "static/site.css"),
        ("/api/errors/KB-0001", "api/errors/KB-0001.json"),
        ("/api/openapi.json", "api/openapi.json"),
    ],
)
def test_which_file_stands_for_an_address(address: str, file: str):
    assert file_of(address) == file


def test_links_are_relative_and_others_are_left_alone():
    html = '<a href="/about#wrong"> <a href="https://github.com/a"> <a href="#x"> <img src="/static/a.svg?v=1">'
    expected = (
        '<a href="../../about/index.html#wrong"> <a href="https://github.com/a"> <a href="#x"> '
        '<img src="../../static/a.svg">'
    )
    assert relative(html, "errors/KB-0001/index.html") == expected


def test_every_link_between_files_holds(written: tuple[Path, Exported]):
    folder, done = written
    pages = sorted(folder.rglob("*.html"))
    assert len(pages) == done.pages
    broken = []
    for page in pages:
        for address in Links(page.read_text("utf-8")).addresses:
            if address.startswith(("https://github.com/", "#")):
                continue
            target = page.parent / address.partition("#")[0]
            broken += [] if target.is_file() else [f"{page.relative_to(folder)}: {address}"]
    assert broken == []


def test_every_entry_is_there_under_every_id(written: tuple[Path, Exported], shelf: Shelf):
    folder, _ = written
    for entry in shelf.published:
        for name in (entry.kb_id, *entry.ids):
            assert json.loads((folder / f"api/errors/{name}.json").read_text("utf-8"))["kb_id"] == entry.kb_id
            assert (folder / f"errors/{name}/index.html").is_file()
    assert len(json.loads((folder / "api/errors.json").read_text("utf-8"))["results"]) == len(shelf.published)


def test_nothing_that_needs_a_server_is_offered(written: tuple[Path, Exported]):
    folder, _ = written
    assert [page for page in folder.rglob("*.html") if 'method="post"' in page.read_text("utf-8")] == []


def test_a_second_export_replaces_the_first(tmp_path: Path):
    folder = tmp_path / "site"
    few = world.desk(world.with_entries(*world.shelf().published[:2]), static=True)
    export(few, folder)
    (folder / "CNAME").write_text("triage.example")
    export(world.desk(world.with_entries(*world.shelf().published[1:2]), static=True), folder)
    first, second = (entry.kb_id for entry in world.shelf().published[:2])
    assert not (folder / f"errors/{first}/index.html").exists()
    assert (folder / f"errors/{second}/index.html").is_file()
    assert (folder / "CNAME").read_text() == "triage.example"


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UserError, match="not empty"):
        export(world.desk(static=True), tmp_path)
    assert os.listdir(tmp_path) == ["thesis.txt"]


def test_a_manifest_names_nothing_outside_its_folder(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("mine")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / MANIFEST).write_text("../mine.txt\n")
    export(world.desk(world.with_entries(), static=True), folder)
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="give a folder of your own"):
        export(world.desk(static=True), tmp_path / "file" / "site")
