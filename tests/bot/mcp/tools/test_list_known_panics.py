"""`list_known_panics`: all that is known of a release, page by page, and nothing of another."""

from __future__ import annotations

from typing import Any

import pytest

from bot.web.shelf import Shelf, affected_runs
from tests.bot.mcp.asking import ask, refused


def every_page(shelf: Shelf, **arguments: Any) -> list[str]:
    first = ask(shelf, "list_known_panics", **arguments)
    pages = [ask(shelf, "list_known_panics", page=n, **arguments) for n in range(1, first["pages"] + 1)]
    found = [result["id"] for page in pages for result in page["results"]]
    assert len(found) == len(set(found)) == first["total"]
    return found


@pytest.mark.parametrize("version", ["v0.13.0", "v0.21.0", "main"])
def test_of_a_repository_it_lists_the_entries_whose_range_holds_the_release(shelf: Shelf, version: str):
    burn = "tracel-ai/burn"
    at = shelf.index.revision(burn, version)
    assert at is not None
    runs = {e.kb_id: affected_runs(e, shelf.index) for e in shelf.published if e.repo == burn}
    wanted = {name for name, found in runs.items() if any(run.first <= at.order <= run.last for run in found)}
    listed = every_page(shelf, repository="burn", version=version)
    assert wanted - set(listed) == set()
    others = [shelf.entries[name] for name in listed if name not in wanted]
    assert [entry.kb_id for entry in others if entry.repo == burn] == []


def test_a_crate_is_taken_at_its_own_version_wherever_it_lives(shelf: Shelf):
    """cubecl-core is in another repository than burn; burn-import has moved since."""
    told = [
        ask(shelf, "list_known_panics", crate=crate, version=version)
        for crate, version in (("burn-ir", "0.20.0"), ("cubecl-core", "0.6.0"), ("burn-import", "0.15.0"))
    ]
    assert [(one["repository"], one["version"]) for one in told] == [
        ("tracel-ai/burn", "v0.20.0"),
        ("tracel-ai/cubecl", "v0.6.0"),
        ("tracel-ai/burn", "v0.15.0"),
    ]
    assert "KB-0004" in [result["id"] for result in told[0]["results"]]
    assert {crate for result in told[0]["results"] for crate in result["crates"]} >= {"burn-ir"}


def test_a_crate_from_outside_is_listed_by_the_version_of_burn(shelf: Shelf):
    found = ask(shelf, "list_known_panics", crate="wgpu", version="0.20.0")
    assert (found["repository"], found["version"], found["total"] > 0) == ("tracel-ai/burn", "v0.20.0", True)


def test_sites_without_an_entry_come_behind_when_asked_for(shelf: Shelf):
    listed = every_page(shelf, crate="burn-ir", version="0.20.0", explained=False)
    explained = every_page(shelf, crate="burn-ir", version="0.20.0")
    assert (listed[: len(explained)], len(listed) > len(explained)) == (explained, True)


def test_a_release_in_any_spelling_is_the_same(shelf: Shelf):
    spelt = [("burn", "0.21.0"), ("tracel-ai/burn", "v0.21.0"), ("Tracel-AI/Burn", " 0.21.0 ")]
    told = [ask(shelf, "list_known_panics", repository=repo, version=version) for repo, version in spelt]
    assert told[1:] == told[:1] * 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "`version` is missing: give a release"),
        ({"version": "0.21.0"}, "give a `repository`, such as burn, or a `crate`"),
        ({"repository": "burn", "version": "9.9"}, "tracel-ai/burn has no release `9.9`; the newest are"),
        ({"repository": "torch", "version": "main"}, "`torch` is not indexed; known are tracel-ai/burn"),
        ({"crate": "serde_json", "version": "main"}, "nothing is known of a crate `serde_json`"),
        ({"crate": "cubecl-core", "version": "0.0.1"}, "tracel-ai/cubecl has no release `0.0.1`"),
        ({"repository": "burn", "version": "main", "page": 0}, "`page` must be a whole number from 1"),
        ({"repository": "burn", "version": "main", "page": True}, "`page` must be a whole number from 1"),
        ({"repository": "burn", "version": "main", "page": 999}, "there is no page 999; the last one is"),
        ({"repository": "burn", "version": "main", "explained": "no"}, "`explained` must be true or false"),
        ({"repository": "burn", "version": 0.21}, "`version` must be a text"),
    ],
)
def test_what_cannot_be_used_is_named_with_what_to_give(shelf: Shelf, arguments: dict[str, Any], said: str):
    assert said in refused(shelf, "list_known_panics", **arguments)
