"""A delivery is stored once, its job enqueued in the same transaction; what became of it is remembered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, text

from bot.delivery import Delivery, read_delivery
from bot.errors import TransientError
from bot.inbox import Inbox
from bot.jobs import JobQueue, job_id, row_of
from bot.ports import Target
from bot.store import counts, deliveries, intents
from tests.fakes.clock import FakeClock
from tests.fakes.deliveries import body_of, guid, payload


def make_delivery(number: int = 7, **changes: object) -> tuple[Delivery, bytes]:
    values = payload(**changes)
    if isinstance(values["issue"], dict):
        values["issue"] = values["issue"] | {"number": number, "id": number * 10}
    body = body_of(values)
    return read_delivery(body, "issues", guid(), "application/json", None), body


@pytest.fixture
def inbox(engine: Engine, clock: FakeClock) -> Inbox:
    return Inbox(engine, JobQueue(engine), clock)


def test_a_delivery_becomes_one_job(inbox: Inbox, engine: Engine):
    delivery, body = make_delivery()
    outcome = inbox.accept(delivery, body)
    [status] = inbox.queue.find()
    with engine.connect() as conn:
        stored = deliveries.find(conn, delivery.guid)
        raw = deliveries.payload(conn, stored.id)
    assert (outcome, stored.delivery, stored.state, raw) == ("queued", delivery, "queued", body)
    assert (status.workflow_id, status.queue_partition_key) == (job_id(stored.id, delivery.guid), "tracel-ai/burn#7")


def test_the_same_guid_is_stored_once(inbox: Inbox):
    delivery, body = make_delivery()
    outcomes = [inbox.accept(delivery, body) for _ in range(3)]
    assert (outcomes, len(inbox.queue.find())) == (["queued", "repeated", "repeated"], 1)


def test_the_same_guid_at_the_same_moment_is_stored_once(inbox: Inbox):
    delivery, body = make_delivery()
    with ThreadPoolExecutor(5) as pool:
        outcomes = list(pool.map(lambda _: inbox.accept(delivery, body), range(5)))
    assert (sorted(outcomes), len(inbox.queue.find())) == (["queued"] + ["repeated"] * 4, 1)


def test_an_ignored_delivery_is_stored_with_its_reason_and_makes_no_job(inbox: Inbox, engine: Engine):
    delivery, body = make_delivery(action="labeled")
    outcome = inbox.accept(delivery, body)
    with engine.connect() as conn:
        stored = deliveries.find(conn, delivery.guid)
    assert (outcome, stored.state, stored.reason) == ("ignored", "ignored", "action_not_handled")
    assert inbox.queue.find() == []


def test_no_row_stays_behind_where_the_job_cannot_be_enqueued(inbox: Inbox, engine: Engine):
    table = "workflow_input" if engine.dialect.name == "sqlite" else "dbos.workflow_input"
    with engine.begin() as conn:
        conn.execute(text(f"ALTER TABLE {table} RENAME TO elsewhere"))
    delivery, body = make_delivery()
    with pytest.raises(TransientError) as caught:
        inbox.accept(delivery, body)
    with engine.connect() as conn:
        stored = deliveries.find(conn, delivery.guid)
    assert (caught.value.reason, stored) == ("database_away", None)


def test_job_ids_sort_in_the_order_of_arrival(inbox: Inbox):
    for _ in range(12):
        inbox.accept(*make_delivery())
    ids = [status.workflow_id for status in reversed(inbox.queue.find())]
    rows = [row_of(job) for job in sorted(ids)]
    assert rows == sorted(rows)
    assert len(rows) == 12


def test_a_row_number_is_read_from_a_job_id_alone():
    assert (row_of("0000000000000042-abc"), row_of("42-abc"), row_of("other")) == (42, None, None)


def test_settling_and_reopening(inbox: Inbox, engine: Engine, clock: FakeClock):
    delivery, body = make_delivery()
    inbox.accept(delivery, body)
    with engine.begin() as conn:
        row = deliveries.find(conn, delivery.guid).id
        waiting = counts.open_jobs(conn)
        deliveries.settle(conn, row, state="parked", reason="x" * 90, now=clock.now())
        parked = (deliveries.read(conn, row).reason, counts.open_jobs(conn))
        deliveries.reopen(conn, row)
        reopened = (deliveries.read(conn, row).reason, counts.open_jobs(conn))
    one, none = [(("queued",), 1.0), (("parked",), 0.0)], [(("queued",), 0.0), (("parked",), 1.0)]
    assert (waiting, parked, reopened) == (one, ("x" * 64, none), ("", one))


def test_payloads_are_forgotten_after_their_time_and_rows_stay(inbox: Inbox, engine: Engine, clock: FakeClock):
    old, body = make_delivery()
    inbox.accept(old, body)
    clock.sleep(100)
    new, _ = make_delivery()
    inbox.accept(new, body)
    with engine.begin() as conn:
        dropped = deliveries.drop_payloads(conn, before=clock.now() - 50)
        again = deliveries.drop_payloads(conn, before=clock.now() - 50)
        left = [deliveries.payload(conn, deliveries.find(conn, d.guid).id) for d in (old, new)]
    assert (dropped, again, left) == (1, 0, [None, body])


def test_rows_are_listed_newest_first(inbox: Inbox, engine: Engine):
    made = [make_delivery()[0] for _ in range(3)] + [make_delivery(action="labeled")[0]]
    for delivery in made:
        inbox.accept(delivery, b"{}")
    with engine.connect() as conn:
        newest = [row.delivery.guid for row in deliveries.recent(conn, limit=2)]
        ignored = [row.delivery for row in deliveries.recent(conn, state="ignored")]
    assert (newest, ignored) == ([made[3].guid, made[2].guid], [made[3]])


def test_of_old_deliveries_those_stay_that_led_to_something(inbox: Inbox, engine: Engine, clock: FakeClock):
    made = [make_delivery(n)[0] for n in range(1, 5)] + [make_delivery(action="labeled")[0]]
    for delivery in made:
        inbox.accept(delivery, b"{}")
    target = Target("tracel-ai/burn", 5, 1, 10, 11)
    with engine.begin() as conn:
        rows = [deliveries.find(conn, delivery.guid).id for delivery in made]
        intents.plan(conn, intents.Intent("1.0", rows[0], "React"), target, clock.now())
        for row, state in zip(rows, ("done", "done", "parked"), strict=False):
            deliveries.settle(conn, row, state=state, reason="folded", now=clock.now())
        too_soon = deliveries.drop_passing(conn, before=clock.now(), limit=10)
        one = deliveries.drop_passing(conn, before=clock.now() + 1, limit=1)
        rest = deliveries.drop_passing(conn, before=clock.now() + 1, limit=10)
        left = [row.delivery.guid for row in deliveries.recent(conn)]
    assert (too_soon, one, rest) == (0, 1, 1)
    assert left == [made[3].guid, made[2].guid, made[0].guid]
