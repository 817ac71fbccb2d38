"""The receiver's answers: what is stored is 202, what is no delivery is 4xx, and nothing odd is ever 5xx."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from bot.delivery import MAX_BYTES
from bot.health import why_not_ready
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.receiver import create_app
from bot.settings import read_settings
from bot.store import deliveries, executors
from bot.store.engine import open_engine
from tests.fakes.clock import FakeClock
from tests.fakes.deliveries import OLD_SECRET, SECRET, body_of, guid, headers, payload
from tests.vendor import webhook_examples


def make_client(engine: Engine, clock: FakeClock) -> FlaskClient:
    settings = read_settings(
        {
            "BURN_TRIAGE_WEBHOOK_SECRET": SECRET,
            "BURN_TRIAGE_WEBHOOK_SECRET_OLD": OLD_SECRET,
            "BURN_TRIAGE_BOT_LOGIN": "burn-triage[bot]",
        }
    )
    inbox = Inbox(engine, JobQueue(engine), clock)
    return create_app(settings, inbox, lambda: why_not_ready(engine, clock, inbox.last_failure)).test_client()


@pytest.fixture
def client(engine: Engine, clock: FakeClock) -> FlaskClient:
    return make_client(engine, clock)


@pytest.fixture
def stored(engine: Engine) -> Callable[[], int]:
    def count() -> int:
        with engine.connect() as conn:
            return len(deliveries.recent(conn))

    return count


def test_a_delivery_is_stored_and_acknowledged(client: FlaskClient, stored: Callable[[], int]):
    body = body_of(payload())
    answer = client.post("/webhook", data=body, headers=headers(body))
    assert (answer.status_code, answer.text, stored()) == (202, "queued\n", 1)


@pytest.mark.parametrize(("secret", "status"), [(SECRET, 202), (OLD_SECRET, 202), ("another", 401), ("", 401)])
def test_the_secret_decides(client: FlaskClient, stored: Callable[[], int], secret: str, status: int):
    body = body_of(payload())
    answer = client.post("/webhook", data=body, headers=headers(body, secret=secret))
    assert (answer.status_code, stored()) == (status, int(status == 202))


def test_the_same_guid_is_acknowledged_again_and_stored_once(client: FlaskClient, stored: Callable[[], int]):
    body, same = body_of(payload()), guid()
    answers = [client.post("/webhook", data=body, headers=headers(body, delivery=same)).text for _ in range(2)]
    assert (answers, stored()) == (["queued\n", "repeated\n"], 1)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"X-Hub-Signature-256": None}, 401),
        ({"X-Hub-Signature-256": "sha256=zz"}, 400),
        ({"X-GitHub-Event": None}, 400),
        ({"X-GitHub-Delivery": None}, 400),
        ({"X-GitHub-Delivery": "a\x00b"}, 400),
        ({"Content-Type": None}, 202),
        ({"Content-Type": "text/plain; charset=\xff"}, 202),
    ],
)
def test_headers(client: FlaskClient, stored: Callable[[], int], change: dict[str, str | None], status: int):
    body = body_of(payload())
    sent = {name: value for name, value in (headers(body) | change).items() if value is not None}
    answer = client.post("/webhook", data=body, headers=sent)
    assert (answer.status_code, stored()) == (status, int(status == 202))


@pytest.mark.parametrize("body", [b"", b"{", body_of(payload())[:-9], b"[1]", b"\xff", b'{"a":' * 50_000])
def test_a_signed_body_that_is_no_json_is_400(client: FlaskClient, body: bytes):
    assert client.post("/webhook", data=body, headers=headers(body)).status_code == 400


@pytest.mark.parametrize(
    "text", [None, "", "täglich \u2028 🔥 \u0000 日本語", "\ud800 alone", "x" * 70_000, "```\nthread 'main' panicked"]
)
def test_any_text_of_an_issue_is_stored_byte_for_byte(client: FlaskClient, engine: Engine, text: str | None):
    values = payload()
    values["issue"]["body"] = text
    body, same = json.dumps(values).encode(), guid()
    answer = client.post("/webhook", data=body, headers=headers(body, delivery=same))
    with engine.connect() as conn:
        kept = deliveries.payload(conn, deliveries.find(conn, same).id)
    assert (answer.status_code, kept) == (202, body)


def test_a_body_over_the_limit_is_413_and_one_at_the_limit_is_read(client: FlaskClient):
    bodies = [b" " * (MAX_BYTES + 1), b" " * MAX_BYTES]
    answers = [client.post("/webhook", data=body, headers=headers(body)).status_code for body in bodies]
    assert answers == [413, 400]


def test_every_published_example_is_acknowledged(client: FlaskClient):
    statuses = {}
    for event, bodies in webhook_examples().items():
        for values in bodies:
            body = body_of(values)
            answer = client.post("/webhook", data=body, headers=headers(body, event=event))
            statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
    assert statuses == {202: 329}


@pytest.mark.parametrize(("path", "status"), [("/webhook", 405), ("/", 404), ("/metrics", 404)])
def test_other_requests_get_one_line_of_text(client: FlaskClient, path: str, status: int):
    answer = client.get(path)
    assert (answer.status_code, answer.content_type) == (status, "text/plain; charset=utf-8")
    assert answer.text.count("\n") == 1


def test_ready_is_who_has_a_worker(client: FlaskClient, engine: Engine, clock: FakeClock):
    alone = client.get("/readyz")
    with engine.begin() as conn:
        executors.acquire(conn, holder="h", place="", pid=1, now=clock.now(), seconds=30, dead=lambda _: False)
    attended = client.get("/readyz")
    clock.sleep(31)
    deserted = client.get("/readyz")
    assert [a.status_code for a in (alone, attended, deserted)] == [503, 200, 503]
    assert alone.text == "not ready: no worker is alive\n"


def test_without_a_database_nothing_is_acknowledged(tmp_path: Path, clock: FakeClock):
    engine = open_engine("postgresql+psycopg://nobody@127.0.0.1:1/none")
    client = make_client(engine, clock)
    body = body_of(payload())
    answers = [
        client.post("/webhook", data=body, headers=headers(body)),
        client.get("/readyz"),
        client.get("/healthz"),
    ]
    assert [a.status_code for a in answers] == [503, 503, 200]
    assert answers[1].text == "not ready: the database is away\n"
