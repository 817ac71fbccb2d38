from __future__ import annotations

import pytest

from bot.web.shelf import Shelf
from tests.bot.web import world


@pytest.fixture(scope="session")
def shelf() -> Shelf:
    return world.shelf()
