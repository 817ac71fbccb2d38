"""One delivery that comes five times within 4 ms, each on a connection of its own: one job, one comment."""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from contextlib import ExitStack

import pytest
from sqlalchemy import Engine

from bot.store import deliveries
from tests.e2e.stack import PATIENCE, Stack, until
from tests.e2e.test_crashes import PANIC, settled
from tests.fakes.deliveries import signature
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"
TIMES = 5
WITHIN = 0.004
"""Seconds from the first request's last byte to the last one's."""

BURSTS = 10
"""A busy machine may be late for one burst; every burst is checked, and one of them must be in time."""

ROUNDS = int(os.environ.get("BURN_TRIAGE_TEST_ROUNDS", "1"))
"""Bursts in time that are wanted."""


def request_of(stack: Stack, guid: str, body: bytes) -> bytes:
    head = (
        f"POST /webhook HTTP/1.1\r\nHost: 127.0.0.1:{stack.port}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nX-GitHub-Event: issues\r\n"
        f"X-GitHub-Delivery: {guid}\r\nX-Hub-Signature-256: {signature(body)}\r\n\r\n"
    )
    return head.encode() + body


def status_of(sock: socket.socket) -> int:
    return int(sock.makefile("rb").readline().split()[1])


def burst(stack: Stack, request: bytes) -> tuple[float, list[int]]:
    """All connections stand and hold all but the last byte; then the last bytes go out in one breath."""
    with ExitStack() as open_sockets:
        socks = [
            open_sockets.enter_context(socket.create_connection(("127.0.0.1", stack.port), timeout=PATIENCE))
            for _ in range(TIMES)
        ]
        for sock in socks:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.sendall(request[:-1])
        began = time.perf_counter()
        for sock in socks:
            sock.sendall(request[-1:])
        took = time.perf_counter() - began
        return took, [status_of(sock) for sock in socks]


def test_five_times_within_four_milliseconds(stack: Stack, github: FakeGitHub, engine: Engine):
    github.create_repo(REPO)
    stack.start("serve")
    stack.start("work")
    stack.start("work")
    stack.wait_ready()
    github.install(stack.app, [REPO])
    github.hooks.settle()
    github.hooks.paused = True
    spacing, guids, numbers = [], [], []
    for _ in range(BURSTS * ROUNDS):
        numbers.append(github.people.open_issue(REPO, "ann", "It panics", PANIC).number)
        guids.append(str(uuid.uuid4()))
        payload = github.hooks.waiting()[-1].payload
        took, statuses = burst(stack, request_of(stack, guids[-1], json.dumps(payload).encode()))
        spacing.append(took)
        assert statuses == [202] * TIMES
        if sum(took <= WITHIN for took in spacing) == ROUNDS:
            break
    github.hooks.release()
    until(lambda: settled(engine, github), "all deliveries to be done", log=stack.log)
    with engine.connect() as conn:
        stored = [row.delivery.guid for row in deliveries.recent(conn, limit=1000)]
    ours = {n: sum(c.user is stack.app.bot for c in github.comments(REPO, n)) for n in numbers}
    assert sum(took <= WITHIN for took in spacing) == ROUNDS, spacing
    assert ours == dict.fromkeys(numbers, 1)
    assert [stored.count(guid) for guid in guids] == [1] * len(guids)
    assert github.violations == []
