"""The App is taken out of a repository and is back before that was carried out, as after hours without a worker."""

from __future__ import annotations

from sqlalchemy import Connection, Engine

from bot.delivery import Delivery
from bot.installing import Installed
from bot.store import deliveries

REPO = [{"id": 5, "full_name": "tracel-ai/burn"}]


def opened(conn: Connection, number: int, installation_id: int, received_at: float) -> int:
    """Row of a new issue's delivery."""
    event = Delivery(
        guid=f"g-{number}", body_hash="h", event="issues", action="opened", installation_id=installation_id,
        repo="tracel-ai/burn", repo_id=5, issue=number, issue_id=number * 10, issue_created_at="2026-11-30T00:00:00Z",
    )  # fmt: skip
    row = deliveries.add(conn, event, b"{}", received_at)
    assert row is not None
    return row


def states(engine: Engine, *rows: int) -> list[str]:
    with engine.connect() as conn:
        return [stored.state for row in rows if (stored := deliveries.read(conn, row))]


def test_what_came_after_a_repository_was_removed_waits_for_its_return(engine: Engine):
    with engine.begin() as conn:
        before, after = opened(conn, 1, 11, 100.0), opened(conn, 2, 11, 300.0)
        Installed(11, "removed", {"repositories_removed": REPO}, 200.0, 400.0).apply(conn)
    assert states(engine, before, after) == ["forgotten", "queued"]


def test_what_the_next_installation_sent_is_not_forgotten_with_the_former_one(engine: Engine):
    with engine.begin() as conn:
        Installed(11, "created", {"repositories": REPO}, 50.0, 50.0).apply(conn)
        old, new = opened(conn, 1, 11, 100.0), opened(conn, 2, 12, 300.0)
        Installed(11, "deleted", {"repositories": REPO}, 200.0, 400.0).apply(conn)
    assert states(engine, old, new) == ["forgotten", "queued"]
