"""Workers of two releases, as `python -m tests.e2e.releases present|next URL`: the next one orders its steps anew."""

from __future__ import annotations

import sys
import time
from typing import Any

from bot import worker
from tests.bench.bench_jobs import Instant, work

NEXT = ("handle_v1", "handle_v2")


class Slow(Instant):
    """Takes its time, so that the worker can be ended in the middle of jobs."""

    def handle(self, *args: Any, **known: Any) -> Any:
        time.sleep(0.5)
        return super().handle(*args, **known)


class NextFlow(worker.Flow):
    """A release that looks before it decides."""

    def handle_v2(self, row_id: int) -> dict[str, Any]:
        self._persist(row_id, "look", int, row_id)
        return self.handle_v1(row_id)


if __name__ == "__main__":
    release, url = sys.argv[1:]
    if release == "next":
        worker.Flow = NextFlow  # type: ignore[misc]
        worker.WORKFLOWS = NEXT
    work(url, Slow() if release == "present" else Instant())
