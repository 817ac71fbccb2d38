"""Run a worker alone: takes stored deliveries, decides, and writes on GitHub.

Settings come from BURN_TRIAGE_… variables; BURN_TRIAGE_APP_ID and BURN_TRIAGE_PRIVATE_KEY are needed. Start as many as
you like on one database: each leases a name there. SIGTERM or Ctrl-C stops claiming, lets running jobs end for
BURN_TRIAGE_SHUTDOWN_SECONDS and hands the rest to the next worker, then exits 0. SIGHUP reads the knowledge base anew;
one that cannot be read leaves the old in use.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading

from bot.cli import FAILURE
from bot.logs import set_up_logs
from bot.settings import read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """No options: everything is a setting."""


def run(args: argparse.Namespace) -> int:
    """Work until told to stop."""
    from bot.opening import chosen_kb
    from bot.wiring import make_worker, shown_database

    settings = read_settings(needed=("app_id", "private_key"))
    set_up_logs(settings.log_level, settings.log_format)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    print(chosen_kb(settings), flush=True)
    print(f"database  {shown_database(settings)}", flush=True)
    # One that comes while the knowledge base is being opened waits until there is something to answer it.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    worker = make_worker(settings)
    signal.signal(signal.SIGHUP, lambda *_: worker.reopen())
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
    worker.start()
    print("worker    ready", flush=True)
    if not worker.run_until(stop):
        leave(FAILURE)
    worker.stop()
    leave(0)
    return 0


def leave(status: int) -> None:
    """End at once: a job that sleeps for a rate limit has a thread that would hold the process back."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
