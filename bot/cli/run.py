"""Run receiver and worker together on this machine, and start either again when it dies.

Settings come from BURN_TRIAGE_… variables; needed are BURN_TRIAGE_WEBHOOK_SECRET, BURN_TRIAGE_APP_ID and
BURN_TRIAGE_PRIVATE_KEY. SIGTERM or Ctrl-C stops both cleanly and exits 0; SIGHUP makes both read the knowledge base
anew. For more than one machine use `burn-triage serve` and `burn-triage work` with a PostgreSQL database.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading

from bot.logs import set_up_logs
from bot.settings import read_settings
from bot.supervisor import Supervisor


def configure(parser: argparse.ArgumentParser) -> None:
    """No options: everything is a setting."""


def run(args: argparse.Namespace) -> int:
    """Supervise until told to stop."""
    settings = read_settings(needed=("webhook_secret", "app_id", "private_key"))
    set_up_logs(settings.log_level, settings.log_format)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    command = [sys.executable, "-m", "bot"]
    supervisor = Supervisor({"receiver": [*command, "serve"], "worker": [*command, "work"]})
    signal.signal(signal.SIGHUP, lambda *_: supervisor.pass_on(signal.SIGHUP))
    return supervisor.run_until(stop, grace=settings.shutdown_seconds + 10)
