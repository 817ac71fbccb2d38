"""The committed pages, and a client on them."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from bot.web.public import create_public
from bot.web.shelf import Shelf
from tests.bot.web import world


@pytest.fixture(scope="session")
def shelf() -> Shelf:
    return world.shelf()


@pytest.fixture(scope="session")
def client() -> FlaskClient:
    return create_public(world.desk()).test_client()
