"""Offers that maintainers are warned of: whose, on what, and what is no such offer."""

from __future__ import annotations

from typing import Any

import pytest

from bot.triage.bait import Bait, baits
from bot.triage.snapshot import CommentSnapshot, IssueSnapshot, Permission

AT = "2026-11-30T12:00:00Z"
SNAPSHOT = IssueSnapshot("tracel-ai/burn", 5, 7, 70, "It panics", "", "ann", False, AT, AT)


def found(body: str, author: str = "stranger", permission: Permission | None = None, **facts: Any) -> list[Bait]:
    comment = CommentSnapshot(9, author, facts.pop("is_bot", False), body, AT, AT, **facts)
    permissions = {author: permission} if permission else {}
    snapshot = IssueSnapshot(
        "tracel-ai/burn", 5, 7, 70, "It panics", "", "ann", False, AT, AT, comments=(comment,), permissions=permissions
    )
    return list(baits(snapshot))


@pytest.mark.parametrize(
    "body",
    [
        "Try this fix: https://github.com/user-attachments/files/123/fix.zip",
        "[fix](https://files.example.com/a/FIX_v2.RAR?dl=1), password: changeme",
        "Download www.example.com/tool.exe.",
        "see mediafire.example/file/abc/patch.7z!",
        "https://user:pw@example.com/x.tar.gz",
        "https://github.com/somebody/fix/releases/download/v1/setup.msi",
    ],
)
def test_an_archive_or_a_program_is_one(body: str):
    assert found(body) == [Bait(9, "archive")]


@pytest.mark.parametrize("body", ["https://bit.ly/3abc", "(https://www.tinyurl.com/y)", "go to cutt.ly/fix now"])
def test_a_shortened_link_is_one(body: str):
    assert found(body) == [Bait(9, "shortened")]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "I have the same with burn 0.20.0",
        "https://github.com/tracel-ai/burn/archive/refs/tags/v0.20.0.zip",
        "https://codeload.github.com/tracel-ai/burn/tar.gz/refs/tags/v0.20.0",
        "https://github.com/tracel-ai/burn/blob/main/crates/burn-core/src/lib.rs#L1",
        "run `tar xf model.tar.gz`",
        "https://docs.rs/burn/0.20.0/burn/",
        "https://[not/a/link.zip",
        "at crates/burn-core/src/lib.rs:10:5",
        "my-bit.ly.example.com/x",
    ],
)
def test_what_people_write_every_day_is_none(body: str):
    assert found(body) == []


@pytest.mark.parametrize(
    "who",
    [
        {"author": "ann"},
        {"author": "steward", "permission": Permission.YES},
        {"insider": True},
        {"author": "helper[bot]", "is_bot": True},
    ],
    ids=str,
)
def test_the_reporter_and_people_of_the_repository_may(who: dict[str, Any]):
    assert found("https://example.com/x.zip", **who) == []


def test_a_person_of_whom_nothing_is_known_is_an_outsider():
    assert found("https://example.com/x.zip", permission=Permission.UNKNOWN) == [Bait(9, "archive")]
