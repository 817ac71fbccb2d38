"""How long every page takes and how large it is, over a year of verdicts and 2,000 entries, on either database.

    python -m tests.bench.bench_pages [--verdicts 100000] [--engine sqlite|postgresql]

Milliseconds from request to answer: the first time, the quickest and the middle of the next ones; beside the first and
the quickest their processor time, which other work on the machine does not lengthen; it leaves the database server's
out. The clock goes on between two pages, so that the first time counts anew what is kept for half a minute. Bytes are
those before compression.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask.testing import FlaskClient
from sqlalchemy import Engine, func, select

from bot.store.engine import open_engine
from bot.store.schema import verdicts
from bot.web import entries_view
from bot.web.board import Board
from bot.web.local import LocalDoor
from bot.web.public import create_public, ready
from bot.wiring_pages import record_of
from tests.bot.web import many, world
from tests.fakes.clock import FakeClock
from tests.fakes.databases import SqliteFiles, postgres_server
from tests.pages.year import fill

LIMIT_MS = 100.0
LARGEST = 200_000
ROUNDS = 9


@dataclass(frozen=True)
class Measured:
    """One page."""

    address: str
    first: float
    quickest: float
    middle: float
    first_processor: float
    processor: float
    size: int

    @property
    def times(self) -> tuple[float, ...]:
        """In the order of the columns."""
        return self.first, self.first_processor, self.quickest, self.middle, self.processor

    def line(self) -> str:
        slow = "  SLOW" if self.quickest > LIMIT_MS else "  SLOW AT FIRST" if self.first > LIMIT_MS else ""
        large = "  LARGE" if self.size > LARGEST else ""
        times = "".join(f"{value:9.1f}" for value in self.times)
        return f"{self.address:58}{times} {self.size:8}{slow}{large}"


def addresses(engine: Engine) -> list[str]:
    """Every page, public and behind the login, with the filters and orders that cost most."""
    with engine.connect() as conn:
        rare = select(verdicts.c.id).where(verdicts.c.repo_id == 511).order_by(verdicts.c.id.desc()).limit(1)
        number = conn.execute(rare).scalar()
        newest = conn.execute(select(func.max(verdicts.c.id)).where(verdicts.c.outcome == "matched")).scalar()
        panic = conn.execute(
            select(verdicts.c.fingerprint).where(verdicts.c.fingerprint.is_not(None)).group_by(verdicts.c.fingerprint)
            .order_by(func.count().desc()).limit(1)
        ).scalar()  # fmt: skip
    return [
        "/", "/errors", "/errors?q=tensor", "/errors?version=v0.18.0&show=all&page=3", "/errors/KB-0001",
        "/errors/KB-1500", "/explain", "/about", "/api/errors?q=tensor", "/api/errors/KB-1500", "/api/openapi.json",
        "/board", "/board?repo=500", "/board?repo=511", "/board/unknowns", "/board/unknowns?page=20",
        f"/board/panics/{panic}", "/board/verdicts", "/board/verdicts?repo=500", "/board/verdicts?repo=511",
        "/board/verdicts?outcome=ambiguous", "/board/verdicts?entry=KB-0001", "/board/verdicts?week=2026-03-02",
        "/board/verdicts?outcome=foreign&week=2026-01-05", "/board/verdicts?before=1770000000-99999",
        f"/board/verdicts/{newest}", f"/board/verdicts/{number}", "/board/entries", "/board/entries?sort=disputed",
        "/board/entries?sort=drift&page=9", "/board/inbox", "/board/inbox?repo=511", "/board/inbox?state=parked",
        "/board/inbox?state=queued", "/board/inbox?before=60000", "/board/settings",
    ]  # fmt: skip


def measure(browser: FlaskClient, address: str) -> Measured:
    """One page: the first time, then again and again."""
    times, works, size = [], [], 0
    for _ in range(ROUNDS + 1):
        begin, worked = time.perf_counter(), time.thread_time()
        answer = browser.get(address)
        times.append(1000 * (time.perf_counter() - begin))
        works.append(1000 * (time.thread_time() - worked))
        assert answer.status_code == 200, (address, answer.status_code)
        size = len(answer.data)
    middle, quickest = statistics.median(times[1:]), min(times[1:])
    return Measured(address, times[0], quickest, middle, works[0], min(works[1:]), size)


def run(engine: Engine, size: int) -> list[Measured]:
    """Fill the database and measure every page."""
    clock, shelf = FakeClock(), many.many_entries()
    fill(engine, shelf, size=size, now=clock.now())
    board = Board(engine, clock, LocalDoor(engine))
    desk = world.desk(shelf, clock, board=board, record=record_of(engine, clock))
    browser = ready(create_public(desk)).test_client()
    entries_view.prepare(shelf)  # as opening it does
    browser.get("/errors?q=warm")  # what is made once a process
    found = []
    for address in addresses(engine):
        clock.sleep(31)  # figures that are kept for a while are counted anew
        found.append(measure(browser, address))
    return found


@contextmanager
def database(kind: str) -> Iterator[Engine]:
    """A migrated database that ends with the block."""
    with tempfile.TemporaryDirectory() as folder:
        if kind == "sqlite":
            place = Path(folder) / "one"
            place.mkdir()
            engine = open_engine(SqliteFiles(Path(folder)).make(place))
            yield engine
            engine.dispose()
            return
        with postgres_server(None, "bench") as server:
            engine = open_engine(server.make())
            yield engine
            engine.dispose()


def main() -> int:
    """Print a table for each database; 1 when a page is too slow or too large."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verdicts", type=int, default=100_000)
    parser.add_argument("--engine", choices=("sqlite", "postgresql"))
    args = parser.parse_args()
    bad = 0
    for kind in [args.engine] if args.engine else ["sqlite", "postgresql"]:
        with database(kind) as engine:
            found = run(engine, args.verdicts)
        print(f"\n{kind}, {args.verdicts} verdicts, {many.MANY} entries")
        print(f"{'page':58} {'first ms':>8} {'its CPU':>8} {'quickest':>8} {'middle':>8} {'CPU':>8} {'bytes':>8}")
        print("\n".join(one.line() for one in found), flush=True)
        bad += sum(one.quickest > LIMIT_MS or one.size > LARGEST for one in found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
