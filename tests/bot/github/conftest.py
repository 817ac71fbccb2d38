from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.bot.github.stage import Stage, staged
from tests.fakes.clock import FakeClock


@pytest.fixture
def stage(clock: FakeClock) -> Iterator[Stage]:
    with staged(clock) as found:
        yield found
