"""A stack for each test, on both databases, stopped at its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.stack import Stack
from tests.fakes.github import FakeGitHub


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as github:
        yield github


@pytest.fixture
def stack(database_url: str, github: FakeGitHub, tmp_path: Path) -> Iterator[Stack]:
    stack = Stack(database_url, github, tmp_path)
    yield stack
    stack.stop()
