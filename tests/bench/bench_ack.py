"""What an acknowledged delivery costs: CPU of the server, beside a plain Flask route under the same gunicorn.

    python -m tests.bench.bench_ack [--rounds 5] [--requests 400] [--connections 1] [--receivers 1] [--postgres]

Three servers answer the same kept connection in turns: a Flask route that reads the body and says 202; the receiver
with a queue that does nothing (signature, JSON, the durable row); the receiver as it is (and the job engine's rows in
the same transaction). CPU is user + system time of the server's processes from /proc, so a busy machine blurs it less
than it blurs the wall clock.
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import selectors
import signal
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from flask import Flask, request

from bot.clock import SystemClock
from bot.inbox import Inbox
from bot.jobs import JobQueue
from bot.logs import set_up_logs
from bot.receiver import create_app
from bot.serving import Server
from bot.settings import Address, Settings, read_settings
from bot.store.engine import RECEIVER_BUSY_SECONDS, open_engine
from tests.e2e.stack import free_port
from tests.fakes.databases import SqliteFiles, postgres_server
from tests.fakes.deliveries import SECRET, body_of, headers, payload

TICK = os.sysconf("SC_CLK_TCK")
GOAL_MS = 0.3
BODY = body_of(payload(issue={"number": 7, "id": 70, "body": "x" * 5000, "created_at": "2026-11-30T10:00:00Z"}))


class NoQueue(JobQueue):
    """Leaves the engine out."""

    def add(self, conn: Any, *, row_id: int, guid: str, partition: str) -> None:
        pass


@dataclass(frozen=True)
class Cost:
    """Of one delivery, in milliseconds."""

    cpu: float
    median: float


def plain_app() -> Flask:
    app = Flask("plain", static_folder=None)

    @app.post("/webhook")
    def webhook() -> tuple[str, int]:
        request.get_data()
        return "ok\n", 202

    return app


def receiver_app(settings: Settings, queue: type[JobQueue]) -> Flask:
    engine = open_engine(settings.database_url, busy_seconds=RECEIVER_BUSY_SECONDS)
    return create_app(settings, Inbox(engine, queue(engine), SystemClock()), lambda: None)


@contextmanager
def serving(settings: Settings, make_app: Callable[[Settings], Any]) -> Iterator[tuple[int, int]]:
    """A gunicorn of its own with this application: (process id of its master, port)."""
    port = free_port()
    chosen = replace(settings, listen=Address("127.0.0.1", port), metrics_listen=None)
    child = os.fork()
    if child == 0:
        # As in earnest, a line is logged for each delivery; it goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        set_up_logs("info", "json")
        try:
            Server(chosen, lambda: make_app(chosen)).run()
        finally:
            os._exit(0)
    try:
        _wait_for(port)
        yield child, port
    finally:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)


def _wait_for(port: int) -> None:
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/healthz")
            connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.05)


def cpu_seconds(master: int) -> float:
    """User and system time of a process and its children."""
    children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    return sum(_own_seconds(int(pid)) for pid in (master, *children))


def _own_seconds(pid: int) -> float:
    # /proc/pid/schedstat counts in nanoseconds; /proc/pid/stat only in ticks of ten milliseconds.
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def measure(master: int, port: int, requests: int, connections: int = 1) -> Cost:
    """Post `requests` new deliveries over kept connections, on each one after the other."""
    prepared = [request_of(headers(BODY, secret=SECRET)) for _ in range(requests)]
    before = cpu_seconds(master)
    times = post(port, prepared, connections)
    return Cost((cpu_seconds(master) - before) * 1000 / requests, statistics.median(times) * 1000)


def request_of(heads: dict[str, str]) -> bytes:
    """The whole request, ready to send: what is measured shares two cores with whoever sends it."""
    lines = ["POST /webhook HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(BODY)}"]
    return "\r\n".join([*lines, *(f"{k}: {v}" for k, v in heads.items()), "", ""]).encode() + BODY


@dataclass
class Line:
    """A kept connection with one request under way at a time."""

    connection: socket.socket
    began: float = 0.0
    answer: bytes = b""

    def send(self, request: bytes) -> None:
        self.began, self.answer = time.perf_counter(), b""
        self.connection.sendall(request)

    def is_answered(self) -> bool:
        """Read on; True once the whole answer is there, which must be a 202."""
        self.answer += self.connection.recv(65536)
        head, _, body = self.answer.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)^content-length: (\d+)", head, re.M)
        if length is None or len(body) < int(length[1]):
            return False
        assert head.startswith(b"HTTP/1.1 202 "), self.answer
        return True


def post(port: int, prepared: list[bytes], connections: int) -> list[float]:
    """Send them over so many connections, each once the one before it there was answered; seconds until each answer."""
    waiting, times = iter(prepared), []
    with selectors.DefaultSelector() as selector:
        for request in islice(waiting, connections):
            line = Line(socket.create_connection(("127.0.0.1", port), timeout=30))
            selector.register(line.connection, selectors.EVENT_READ, line)
            line.send(request)
        while selector.get_map():
            for key, _ in selector.select(30):
                if not (line := key.data).is_answered():
                    continue
                times.append(time.perf_counter() - line.began)
                if request := next(waiting, b""):
                    line.send(request)
                else:
                    selector.unregister(line.connection)
                    line.connection.close()
    return times


def run(database_url: str, rounds: int, requests: int, connections: int, receivers: int) -> dict[str, Cost]:
    """Median costs by server."""
    environ = {"DATABASE_URL": database_url, "WEBHOOK_SECRET": SECRET, "RECEIVERS": str(receivers)}
    settings = read_settings({f"BURN_TRIAGE_{name}": value for name, value in environ.items()})
    apps: dict[str, Callable[[Settings], Any]] = {
        "plain Flask route": lambda _: plain_app(),
        "receiver without engine": lambda s: receiver_app(s, NoQueue),
        "receiver": lambda s: receiver_app(s, JobQueue),
    }
    costs: dict[str, list[Cost]] = {name: [] for name in apps}
    with ExitStack() as stack:
        servers = {name: stack.enter_context(serving(settings, make)) for name, make in apps.items()}
        for server in servers.values():
            measure(*server, 50)
        for _ in range(rounds):
            for name, server in servers.items():
                costs[name].append(measure(*server, requests, connections))
    return {
        name: Cost(statistics.median(c.cpu for c in found), statistics.median(c.median for c in found))
        for name, found in costs.items()
    }


def report(where: str, costs: dict[str, Cost]) -> str:
    plain, bare, whole = (costs[name] for name in ("plain Flask route", "receiver without engine", "receiver"))
    lines = [f"{where}: server CPU per acknowledged delivery, ms (median answer, ms)"]
    lines += [f"  {name:24} {cost.cpu:6.3f}  ({cost.median:.2f})" for name, cost in costs.items()]
    over = f"{whole.cpu - plain.cpu:+.3f} ms, x{whole.cpu / plain.cpu:.2f} (goal {GOAL_MS:+.1f} ms)"
    shares = f"ours {bare.cpu - plain.cpu:+.3f}, the job engine {whole.cpu - bare.cpu:+.3f}"
    lines.append(f"  over the plain route: {over}; {shares}")
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_ack", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--postgres", action="store_true", help="also on PostgreSQL")
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--receivers", type=int, default=1, help="processes of each server")
    options = parser.parse_args(argv)
    load = (options.rounds, options.requests, options.connections, options.receivers)
    with tempfile.TemporaryDirectory() as folder:
        url = SqliteFiles(Path(folder)).make(Path(folder))
        print(report("SQLite", run(url, *load)), flush=True)
    if options.postgres:
        with postgres_server(None, "bench") as server:
            print(report("PostgreSQL", run(server.make(), *load)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
