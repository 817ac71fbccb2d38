"""Introduced, moved, gone and back, told from where a panic stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.web.shelf import Shelf
from bot.web.timeline import LINKED_ROWS, Standpoint, Timeline, standpoints, timeline
from kb.model import MAIN, Revision, SiteAt, SiteKey, SiteKind

REPO = "tracel-ai/burn"
REVISIONS = [
    *(Revision(REPO, f"v0.{n}.0", f"{n:040x}", f"2026-0{n + 1}-01T00:00:00Z", n) for n in range(6)),
    Revision(REPO, MAIN, "f" * 40, "2026-09-01T00:00:00Z", 6),
]
KEY = SiteKey(REPO, "burn-core", "f", SiteKind.PANIC, "boom")


@dataclass
class SmallIndex:
    """Files by key with the runs of orders in which the key stands there."""

    files: Mapping[SiteKey, Mapping[str, Sequence[tuple[int, int]]]]
    asked: list[str] = field(default_factory=list)

    def revisions(self, _repo: str) -> Sequence[Revision]:
        return REVISIONS

    def homes(self, key: SiteKey) -> Sequence[tuple[Revision, Revision, str]]:
        found = self.files.get(key, {})
        return [(REVISIONS[a], REVISIONS[b], path) for path, runs in found.items() for a, b in runs]

    def places(self, key: SiteKey, revision: Revision) -> Sequence[SiteAt]:
        self.asked.append(revision.name)
        homes = self.homes(key)
        paths = [path for a, b, path in homes if a.order <= revision.order <= b.order]
        return [SiteAt(key, revision, path, 10 + revision.order, 5) for path in paths]


def told(files: Mapping[str, Sequence[tuple[int, int]]], **more: Any) -> Timeline:
    index: Any = SmallIndex({KEY: files})
    return timeline([Standpoint(KEY, **more)], REPO, index, [])


@pytest.mark.parametrize(
    ("files", "events"),
    [
        ({"a.rs": [(0, 6)]}, [("introduced", "v0.0.0"), ("stands", "main")]),
        ({"a.rs": [(2, 3)]}, [("introduced", "v0.2.0"), ("gone", "v0.4.0")]),
        (
            {"a.rs": [(1, 2)], "b.rs": [(3, 6)]},
            [("introduced", "v0.1.0"), ("moved", "v0.3.0"), ("stands", "main")],
        ),
        (
            {"a.rs": [(1, 1), (4, 6)]},
            [("introduced", "v0.1.0"), ("gone", "v0.2.0"), ("back", "v0.4.0"), ("stands", "main")],
        ),
        ({"a.rs": [(0, 6)], "b.rs": [(3, 6)]}, [("introduced", "v0.0.0"), ("stands", "main")]),
        ({}, []),
    ],
)
def test_events(files: Mapping[str, Sequence[tuple[int, int]]], events: list[tuple[str, str]]):
    assert [(event.what, event.revision.name) for event in told(files).events] == events


def test_what_the_first_release_has_is_not_called_new():
    assert told({"a.rs": [(0, 1)]}).events[0].text == "There since v0.0.0, the first release indexed, in `a.rs`."
    assert told({"a.rs": [(1, 1)]}).events[0].text == "First seen in v0.1.0, in `a.rs`."


def test_stays_are_linked_to_their_line_at_their_last_revision():
    stays = told({"a.rs": [(1, 2)], "b.rs": [(3, 6)]}).stays
    shown = [(stay.first.name, stay.last.name, stay.path, stay.site and stay.site.line) for stay in stays]
    assert shown == [("v0.3.0", "main", "b.rs", 16), ("v0.1.0", "v0.2.0", "a.rs", 12)]
    assert stays[0].link == f"https://github.com/{REPO}/blob/{'f' * 40}/b.rs#L16"


def test_only_the_releases_that_the_entry_names_count():
    line = told({"a.rs": [(0, 6)]}, runs=((2, 3),))
    assert [r.name for r, on in zip(line.revisions, line.standing, strict=True) if on] == ["v0.2.0", "v0.3.0"]


def test_a_crowd_of_files_is_cut():
    line = told({f"{n:02}.rs": [(0, 6)] for n in range(LINKED_ROWS + 5)})
    assert (len(line.stays), line.more) == (LINKED_ROWS, 5)


def test_every_entry_stands_just_where_it_says(shelf: Shelf):
    """Against the committed index: the runs of an entry's sites and the drawn ones are the same."""
    for entry in shelf.published:
        for repo in {site.repo for site in entry.sites}:
            line = timeline(standpoints(entry.sites, shelf.index), repo, shelf.index, [])
            names = [revision.name for revision in line.revisions]
            claimed = {
                name
                for site in entry.sites
                if site.repo == repo
                for run in site.stands
                for name in names[names.index(run.first) : names.index(run.last) + 1]
            }
            drawn = {name for name, on in zip(names, line.standing, strict=True) if on}
            assert (entry.kb_id, repo, drawn) == (entry.kb_id, repo, claimed)
