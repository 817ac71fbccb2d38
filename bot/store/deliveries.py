"""The inbox: every delivery once, what became of it, and its raw payload for a while."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, or_, select, update

from bot.delivery import Delivery
from bot.store import leftovers
from bot.store.dialect import chunks, seconds
from bot.store.schema import OF_INSTALLATIONS, deliveries, disputes, intents, verdicts

IGNORED = "ignored"
QUEUED = "queued"
DONE = "done"
PARKED = "parked"
FORGOTTEN = "forgotten"
"""Nothing is left but that this GUID was here: GitHub sends deliveries again, and shows them in its log."""

LARGE = 8_000_000
"""Bytes of payloads that go to the database in one statement."""

_COLUMNS = tuple(name for name in Delivery.__slots__ if name != "ignored")


@dataclass(frozen=True, slots=True)
class StoredDelivery:
    """A row of the inbox, without its payload."""

    id: int
    delivery: Delivery
    received_at: float
    state: str
    reason: str


def add(conn: Connection, delivery: Delivery, payload: bytes, received_at: float) -> int | None:
    """Store a delivery. Its row id, or None when one with this GUID is there already."""
    return add_all(conn, [(delivery, payload)], received_at)[0]


def add_all(conn: Connection, taken: Sequence[tuple[Delivery, bytes]], received_at: float) -> list[int | None]:
    """Store deliveries with their payloads, in this order. Of each what `add` gives; of one GUID the first counts."""
    if len(taken) > 1 and sum(len(payload) for _, payload in taken) > LARGE:
        return [add(conn, delivery, payload, received_at) for delivery, payload in taken]
    cells = tuple(cell for delivery, payload in taken for cell in _cells(delivery, payload, received_at))
    stored = conn.exec_driver_sql(_insertion(conn.dialect.name, len(taken)), cells)
    row_ids: dict[str, int] = {guid: row_id for row_id, guid in stored}
    return [row_ids.pop(delivery.guid, None) for delivery, _ in taken]


def _cells(delivery: Delivery, payload: bytes, received_at: float) -> tuple[object, ...]:
    """What one row holds, in the order of `_WRITTEN`."""
    ignored = delivery.ignored
    settled = (IGNORED, ignored, received_at) if ignored else (QUEUED, "", None)
    return (*_known(delivery), received_at, *settled, payload)


_known = attrgetter(*_COLUMNS)
_WRITTEN = (*_COLUMNS, "received_at", "state", "reason", "settled_at", "payload")


@cache
def _insertion(dialect: str, rows: int) -> str:
    """As text: a statement object costs a third more for each delivery, and has to be built anew for each number."""
    row = ", ".join(["?" if dialect == "sqlite" else "%s"] * len(_WRITTEN))
    values = ", ".join([f"({row})"] * rows)
    names = ", ".join(_WRITTEN)
    return f"INSERT INTO deliveries ({names}) VALUES {values} ON CONFLICT (guid) DO NOTHING RETURNING id, guid"


def read(conn: Connection, row_id: int) -> StoredDelivery | None:
    """The delivery with this row id."""
    row = conn.execute(_SELECT.where(deliveries.c.id == row_id)).first()
    return None if row is None else _stored(row)


def find(conn: Connection, guid: str) -> StoredDelivery | None:
    """The delivery with this GUID."""
    row = conn.execute(_SELECT.where(deliveries.c.guid == guid)).first()
    return None if row is None else _stored(row)


def recent(conn: Connection, *, state: str | None = None, limit: int = 50) -> Sequence[StoredDelivery]:
    """The newest deliveries first, of one state or of all."""
    query = _SELECT.order_by(deliveries.c.id.desc()).limit(limit)
    if state is not None:
        query = query.where(deliveries.c.state == state)
    return [_stored(row) for row in conn.execute(query)]


def payload(conn: Connection, row_id: int) -> bytes | None:
    """The raw body, or None when its time is over."""
    found: bytes | None = conn.execute(select(deliveries.c.payload).where(deliveries.c.id == row_id)).scalar()
    return found


def settle(conn: Connection, row_id: int, *, state: str, reason: str, now: float) -> None:
    """Say what became of a delivery: done, or parked, and why. A forgotten one stays forgotten."""
    change = update(deliveries).where(_is_known(row_id))
    conn.execute(change.values(state=state, reason=reason[:64], settled_at=now))


def reopen(conn: Connection, row_id: int) -> None:
    """A parked delivery goes back to the queue."""
    conn.execute(update(deliveries).where(_is_known(row_id)).values(state=QUEUED, reason="", settled_at=None))


def hold(conn: Connection, row_id: int) -> bool:
    """Keep a delivery from being forgotten until this transaction ends. False when it is forgotten already: then write
    nothing about it."""
    # An UPDATE takes the row's lock on PostgreSQL and the writer's lock on SQLite.
    touch = update(deliveries).where(_is_known(row_id)).values(state=deliveries.c.state)
    return conn.execute(touch.returning(deliveries.c.id)).first() is not None


def forget(conn: Connection, which: ColumnElement[bool], now: float) -> int:
    """Forget all about these deliveries but their GUIDs; their jobs become leftovers. How many there were."""
    # Their rows first: whoever holds one of them has written by then, and whoever comes later will not.
    forgotten = update(deliveries).where(which, deliveries.c.state != FORGOTTEN).values(_BLANK | {"settled_at": now})
    rows = [(int(i), str(guid)) for i, guid in conn.execute(forgotten.returning(deliveries.c.id, deliveries.c.guid))]
    for some in chunks([row_id for row_id, _ in rows]):
        for table in (verdicts, intents, disputes):
            conn.execute(delete(table).where(table.c.delivery_id.in_(some)))
    leftovers.note(conn, rows, now)
    return len(rows)


def forget_one(conn: Connection, row_id: int, now: float) -> None:
    """Forget all about one delivery but its GUID; its job becomes a leftover."""
    forget(conn, deliveries.c.id == row_id, now)


_PERSONAL = ("installation_id", "repo", "repo_id", "issue", "issue_id", "issue_created_at", "comment_id", "payload")
_BLANK = dict.fromkeys(_PERSONAL) | {"body_hash": "", "sender": "", "state": FORGOTTEN, "reason": ""}


def _is_known(row_id: int) -> ColumnElement[bool]:
    return (deliveries.c.id == row_id) & (deliveries.c.state != FORGOTTEN)


def drop_payloads(conn: Connection, *, before: float) -> int:
    """Forget the raw bodies received before this moment. How many there were."""
    old = (deliveries.c.received_at < before) & deliveries.c.payload.is_not(None)
    return len(conn.execute(update(deliveries).where(old).values(payload=None).returning(deliveries.c.id)).all())


def drop_passing(conn: Connection, *, before: float, limit: int) -> int:
    """Delete deliveries settled before this moment that led to nothing kept: no verdict, no write, no dispute.

    Their GUIDs are too old by then for GitHub to send them again. The others stay: they say what we did, and why.
    How many went, at most `limit`.
    """
    table = deliveries.c
    led_to = [exists().where(kept.c.delivery_id == table.id) for kept in (verdicts, intents, disputes)]
    over = (table.settled_at < before) & table.state.in_((IGNORED, DONE, FORGOTTEN)) & ~or_(*led_to)
    # Looked for before anything is locked: those that stay are many, and grow more.
    chosen = conn.execute(select(table.id).where(over).order_by(table.settled_at).limit(limit)).scalars().all()
    gone = [delete(deliveries).where(table.id.in_(some), over).returning(table.id) for some in chunks(chosen)]
    return sum(len(conn.execute(each).all()) for each in gone)


def waits(conn: Connection, repo_id: int, issue_id: int, *, after: int = 0) -> bool:
    """Does a delivery of this issue wait for its job, one that came later than row `after`?"""
    table = deliveries.c
    later = (table.repo_id == repo_id) & (table.issue_id == issue_id) & (table.id > after)
    return conn.execute(select(table.id).where(later, table.state == QUEUED).limit(1)).first() is not None


def count_waiting(conn: Connection, installation_id: int | None) -> int:
    """How many deliveries of this installation wait for their jobs."""
    mine = select(func.count()).where(
        deliveries.c.settled_at.is_(None), deliveries.c.installation_id == installation_id
    )
    return int(conn.execute(mine).scalar_one())


def installation_waits(conn: Connection, installation_id: int | None) -> bool:
    """Does an event of the installation itself wait for its job?"""
    unsettled = select(deliveries.c.id).where(deliveries.c.installation_id == installation_id, OF_INSTALLATIONS)
    return installation_id is not None and conn.execute(unsettled.limit(1)).first() is not None


def newest(conn: Connection) -> float | None:
    """When the last webhook came in; what was found or asked for without one does not count."""
    query = (
        select(deliveries.c.received_at).where(deliveries.c.via == "webhook").order_by(deliveries.c.id.desc()).limit(1)
    )
    return seconds(conn.execute(query).scalar())


_SELECT = select(*(column for column in deliveries.c if column.name != "payload"))


def _stored(row: Any) -> StoredDelivery:
    values = row._mapping
    known = {name: values[name] for name in _COLUMNS}
    ignored = values["reason"] if values["state"] == IGNORED else ""
    return StoredDelivery(
        values["id"],
        Delivery(**known, ignored=ignored),
        seconds(values["received_at"]) or 0.0,
        values["state"],
        values["reason"],
    )
