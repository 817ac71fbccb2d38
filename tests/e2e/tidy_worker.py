"""`burn-triage work` that tidies up all the time and takes a step to be over soon (`-m tests.e2e.tidy_worker`).

`tests.e2e.test_forgetting` would wait for eleven minutes otherwise.
"""

from __future__ import annotations

import sys

from bot import forgetting, worker
from bot.cli import main

if __name__ == "__main__":
    worker.TIDY_SECONDS = 0.1
    forgetting.STEP_SECONDS = 5.0
    sys.exit(main(["work"]))
