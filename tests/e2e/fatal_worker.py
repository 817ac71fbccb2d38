"""A worker that one issue kills (`python -m tests.e2e.fatal_worker URL`). After two deaths it gives the job up."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from bot import worker
from tests.bench.bench_jobs import Instant, instant_worker

DEADLY = 666


class Fatal(Instant):
    """Dies over one issue, as a fault in a C library would let it."""

    def handle(self, trigger: Any, snapshot: Any, memory: Any, knowledge: Any, **known: Any) -> Any:
        if snapshot.number == DEADLY:
            # What else is under way may end first: a death counts against every job that it interrupts.
            time.sleep(1)
            os._exit(9)
        return super().handle(trigger, snapshot, memory, knowledge, **known)


if __name__ == "__main__":
    worker.RECOVERIES = 2
    fatal = instant_worker(sys.argv[1], Fatal())
    fatal.start()
    while True:  # until killed
        fatal.look_after()
        time.sleep(0.2)
        fatal._tidy_at = 0.0
