"""Several receivers and workers on one PostgreSQL under load, through real sockets and against the stand-in GitHub.

    python -m tests.bench.bench_scale [--issues 300] [--receivers 2] [--workers 3]

Every issue is opened and then edited; the two events go to different receivers, one delivery in ten is sent to two of
them at the same moment. Counted are deliveries that were lost or stored twice, and issues without exactly one comment.
GitHub's own limits are switched off: what is measured is ours, and the stand-in's, which shares the machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import requests
from sqlalchemy import func, select

from bot.store.engine import open_engine
from bot.store.schema import deliveries
from tests.e2e.stack import Stack, free_port, until
from tests.fakes.databases import postgres_server
from tests.fakes.deliveries import SECRET, body_of, headers
from tests.fakes.github import Delivery, FakeGitHub

OWNERS = tuple(f"owner-{n}" for n in range(4))
UNLIMITED = {
    "WRITES_PER_MINUTE": "10000",
    "WRITES_PER_HOUR": "100000",
    "SWEEP_SECONDS": "86400",
    "RECONCILE_SECONDS": "86400",
}
REGISTRY = "/home/ann/.cargo/registry/src/index.crates.io-6f17d22bba15001f"
PANIC = f"""```
thread 'main' panicked at {REGISTRY}/burn-autodiff-0.21.0/src/ops/module.rs:56:9:
Can't differentiate embedding backward.
```
"""


@dataclass(frozen=True)
class Figures:
    """What came of a run. Seconds."""

    sent: int
    lost: int
    stored_twice: int
    not_one_comment: int
    acks: list[float]
    receiving: float
    working: float
    by_worker: dict[str, int]
    violations: int

    def __str__(self) -> str:
        p50, p99 = statistics.median(self.acks) * 1000, statistics.quantiles(self.acks, n=100)[98] * 1000
        return (
            f"{self.sent} requests, {self.sent / self.receiving:.0f}/s, ack p50 {p50:.0f} ms, p99 {p99:.0f} ms; "
            f"all settled after {self.working:.1f} s ({self.sent / self.working:.0f} deliveries/s); "
            f"lost {self.lost}, stored twice {self.stored_twice}, issues without exactly one comment "
            f"{self.not_one_comment}; jobs by worker {self.by_worker}"
        )


def start(stack: Stack, receivers: int, workers: int) -> list[str]:
    """Everything up; the receivers' addresses."""
    ports = [stack.port, *(free_port() for _ in range(receivers - 1))]
    for port in ports:
        stack.start("serve", changes={"LISTEN": f"127.0.0.1:{port}", "METRICS_LISTEN": "off"})
    for _ in range(workers):
        stack.start("work")
    urls = [f"http://127.0.0.1:{port}" for port in ports]
    for url in urls:
        until(lambda url=url: _answers(f"{url}/readyz"), url, log=stack.log)
    ready = lambda: stack.log().count("worker    ready")  # noqa: E731
    until(lambda: ready() == workers, "the workers", log=stack.log)
    return urls


def _answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=5).ok
    except requests.RequestException:
        return False


def load(stack: Stack, github: FakeGitHub, urls: list[str], issues: int) -> Figures:
    """Send it all, wait until it is worked off, and count."""
    for owner in OWNERS:
        github.create_repo(f"{owner}/burn")
        github.install(stack.app, [f"{owner}/burn"])
    github.hooks.settle()
    github.hooks.paused = True
    opened = []
    for n in range(issues):
        repo = f"{OWNERS[n % len(OWNERS)]}/burn"
        opened.append((repo, github.people.open_issue(repo, "ann", "It panics", PANIC).number))
        github.people.edit_issue(*opened[-1], body=f"{PANIC}\nIt happens on every run.")
    waiting = github.hooks.waiting()
    github.hooks.paused = False
    plan = [(d, urls[n % len(urls)]) for n, d in enumerate(waiting)]
    plan += [(d, urls[(n + 1) % len(urls)]) for n, d in enumerate(waiting) if n % 10 == 0]
    plan.sort(key=lambda item: item[0].id)
    began = time.perf_counter()
    with ThreadPoolExecutor(8) as pool:
        acks = list(pool.map(lambda item: _post(*item), plan))
    receiving = time.perf_counter() - began
    engine = open_engine(stack.database_url)
    guids = {d.guid for d in waiting}
    seconds = 120 + issues
    until(lambda: _open(engine) == 0, "all deliveries to be worked off", seconds, log=stack.log)
    working = time.perf_counter() - began
    with engine.connect() as conn:
        stored = Counter(conn.execute(select(deliveries.c.guid)).scalars())
        rows = conn.exec_driver_sql("SELECT executor_id, count(*) FROM dbos.workflow_status GROUP BY 1").all()
    engine.dispose()
    return Figures(
        sent=len(plan),
        lost=len(guids - stored.keys()),
        stored_twice=sum(count > 1 for count in stored.values()),
        not_one_comment=sum(len(github.comments(*place)) != 1 for place in opened),
        acks=acks,
        receiving=receiving,
        working=working,
        by_worker={str(row[0]): int(row[1]) for row in rows},
        violations=len(github.violations),
    )


def _post(delivery: Delivery, url: str) -> float:
    body = body_of(delivery.payload)
    began = time.perf_counter()
    answer = requests.post(
        f"{url}/webhook",
        data=body,
        headers=headers(body, event=delivery.event, secret=SECRET, delivery=delivery.guid),
        timeout=10,
    )
    assert answer.status_code == 202, answer.text
    return time.perf_counter() - began


def _open(engine: object) -> int:
    with engine.connect() as conn:  # type: ignore[attr-defined]
        return int(conn.execute(select(func.count()).where(deliveries.c.settled_at.is_(None))).scalar_one())


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_scale", description=__doc__)
    parser.add_argument("--issues", type=int, default=300)
    parser.add_argument("--receivers", type=int, default=2)
    parser.add_argument("--workers", type=int, default=3)
    options = parser.parse_args(argv)
    given = os.environ.get("BURN_TRIAGE_TEST_POSTGRES_URL")
    with postgres_server(given, "scale") as server, FakeGitHub() as github, tempfile.TemporaryDirectory() as folder:
        stack = Stack(server.make(), github, Path(folder), dict(UNLIMITED))
        try:
            urls = start(stack, options.receivers, options.workers)
            figures = load(stack, github, urls, options.issues)
        finally:
            stack.stop()
    print(f"{options.receivers} receivers, {options.workers} workers: {figures}")
    return 1 if figures.lost or figures.stored_twice or figures.not_one_comment else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
