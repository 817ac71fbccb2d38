"""/metrics says what the database says, and that the database is away when it is."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine
from werkzeug.test import Client

from bot.delivery import describe
from bot.feedback import Decided
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.metrics import METRICS, metrics_app
from bot.ports import Target
from bot.serving import gunicorn_options, split_by_port
from bot.settings import read_settings
from bot.store import answers, chores, configurations, deliveries, executors, intents, reactions, verdicts
from bot.store.engine import open_engine
from tests.fakes.clock import FakeClock
from tests.fakes.deliveries import body_of, guid, payload

VERDICT = {"outcome": "matched", "entry": "KB-0001", "fingerprint": None, "catalog": "c"}


UNSAID = {
    'answers{said="right"}': 0.0,
    'answers{said="wrong"}': 0.0,
    'answers{said="disputed"}': 0.0,
    'answers{said="unsaid"}': 0.0,
    'reactions{kind="up"}': 0.0,
    'reactions{kind="down"}': 0.0,
    "configurations_faulty": 0.0,
}


def scrape(engine: Engine, clock: FakeClock) -> dict[str, float]:
    text = Client(metrics_app(engine, clock)).get("/metrics").text
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name.removeprefix("burn_triage_"): float(value) for name, value in lines}


def accept(engine: Engine, clock: FakeClock, action: str) -> int:
    delivery = describe(payload(action), event="issues", guid=guid(), body_hash="h", bot_login=None)
    Inbox(engine, JobQueue(engine), clock).accept(delivery, body_of(payload()))
    with engine.connect() as conn:
        stored = deliveries.find(conn, delivery.guid)
    assert stored is not None
    return stored.id


def test_an_empty_database(engine: Engine, clock: FakeClock):
    assert scrape(engine, clock) == {
        "database_up": 1.0,
        'jobs{state="queued"}': 0.0,
        'jobs{state="parked"}': 0.0,
        "workers_alive": 0.0,
        **UNSAID,
    }


def test_everything_is_counted_from_the_rows(engine: Engine, clock: FakeClock):
    first, second = accept(engine, clock, "opened"), accept(engine, clock, "labeled")
    clock.sleep(40)
    third = accept(engine, clock, "edited")
    target = Target("tracel-ai/burn", 5, 7, 70, 11)
    with engine.begin() as conn:
        deliveries.settle(conn, first, state="done", reason="answered", now=clock.now())
        deliveries.settle(conn, third, state="parked", reason="forbidden", now=clock.now())
        verdicts.write(conn, delivery_id=first, target=target, verdict=VERDICT, reason="answered", now=clock.now())
        intents.plan(conn, intents.Intent("1.0", first, "React"), target, clock.now())
        executors.acquire(conn, holder="h", place="", pid=1, now=clock.now(), seconds=30, dead=lambda _: False)
        chores.claim(conn, "sweep", now=clock.now(), every=60)
        chores.succeed(conn, "sweep", now=clock.now(), covered_until=clock.now(), found=2)
    waiting = accept(engine, clock, "reopened")
    clock.sleep(5)
    assert second < waiting
    assert scrape(engine, clock) == {
        "database_up": 1.0,
        'deliveries{event="issues",reason="",state="queued"}': 1.0,
        'deliveries{event="issues",reason="action_not_handled",state="ignored"}': 1.0,
        'deliveries{event="issues",reason="answered",state="done"}': 1.0,
        'deliveries{event="issues",reason="forbidden",state="parked"}': 1.0,
        'age_seconds{of="last_delivery"}': 5.0,
        'age_seconds{of="oldest_job"}': 5.0,
        'jobs{state="queued"}': 1.0,
        'jobs{state="parked"}': 1.0,
        "workers_alive": 1.0,
        'chore_age_seconds{chore="sweep"}': 5.0,
        'gaps_found{chore="sweep"}': 2.0,
        'writes{state="planned"}': 1.0,
        'verdicts{outcome="matched"}': 1.0,
        **UNSAID,
    }


def test_what_people_say_is_counted(engine: Engine, clock: FakeClock):
    file = configurations.StoredConfiguration(5, "tracel-ai/burn", None, "", "no such key", 1.0, "shadow")
    with engine.begin() as conn:
        for n in (1, 2, 3):
            answers.give(conn, Target("tracel-ai/burn", 5, n, n, 11), f"matched|KB-0001|{n}", 1, 1.0)
        answers.decide(conn, Target("tracel-ai/burn", 5, 1, 1, 11), Decided("matched|KB-0001|1", "wrong"), 2.0)
        configurations.write(conn, file)
        reactions.write(conn, reactions.CommentDue(900, "tracel-ai/burn", 5, 1, 11), {"+1": 2, "confused": 1}, 2.0)
        for name in ("sweep", "reactions"):
            chores.claim(conn, name, now=clock.now(), every=60)
    found = scrape(engine, clock)
    said = {name: found[name] for name in UNSAID}
    assert list(said.values()) == [0.0, 1.0, 0.0, 2.0, 2.0, 1.0, 1.0]
    assert [name for name in found if name.startswith("gaps")] == ['gaps_found{chore="sweep"}']


def test_every_metric_is_declared_with_its_meaning(engine: Engine, clock: FakeClock):
    text = Client(metrics_app(engine, clock)).get("/metrics").text
    told = dict(line.split(" ", 3)[2:] for line in text.splitlines() if line.startswith("# HELP"))
    assert told == {f"burn_triage_{metric.name}": metric.meaning for metric in METRICS}


def test_without_a_database_there_is_one_number(clock: FakeClock):
    engine = open_engine("postgresql+psycopg://nobody@127.0.0.1:1/none")
    assert scrape(engine, clock) == {"database_up": 0.0}


def test_the_listening_port_chooses_the_application():
    def answering(word: bytes):
        def app(environ, start_response):
            start_response("200 OK", [])
            return [word]

        return app

    both = split_by_port(9464, answering(b"main"), answering(b"metrics"))
    found = [b"".join(both({"SERVER_PORT": port, "HTTP_HOST": "x:9464"}, lambda *_: None)) for port in ("8000", "9464")]
    assert found == [b"main", b"metrics"]


def test_without_a_metrics_address_there_is_one_application():
    def main(environ, start_response):
        return [b"main"]

    assert split_by_port(None, main, lambda *_: []) is main


@pytest.mark.parametrize(("metrics", "binds"), [("off", ["127.0.0.1:1"]), ("[::1]:2", ["127.0.0.1:1", "[::1]:2"])])
def test_gunicorn_binds_what_the_settings_say(metrics: str, binds: list[str]):
    settings = read_settings({"BURN_TRIAGE_LISTEN": "127.0.0.1:1", "BURN_TRIAGE_METRICS_LISTEN": metrics})
    options = gunicorn_options(settings)
    assert (options["bind"], options["preload_app"]) == (binds, False)
