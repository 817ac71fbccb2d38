"""Rows that other rows need."""

from __future__ import annotations

from sqlalchemy import Engine

from bot.delivery import describe
from bot.store import deliveries
from tests.fakes.deliveries import body_of, guid, payload


def a_delivery(engine: Engine) -> int:
    """A stored delivery; its row number."""
    values = payload()
    delivery = describe(values, event="issues", guid=guid(), body_hash="h", bot_login=None)
    with engine.begin() as conn:
        row = deliveries.add(conn, delivery, body_of(values), 1.0)
    assert row is not None
    return row
