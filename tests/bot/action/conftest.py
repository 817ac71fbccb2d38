from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bot.action.scene import Scene
from tests.fakes.clock import FakeClock
from tests.fakes.github import FakeGitHub


@pytest.fixture
def scene(clock: FakeClock, tmp_path: Path) -> Iterator[Scene]:
    """Afterwards nothing may have been asked that GitHub's descriptions do not allow."""
    with FakeGitHub(clock.now) as github:
        yield Scene(github, clock, tmp_path)
        assert github.violations == []
