"""Run the receiver alone: POST /webhook, /healthz, /readyz, the pages, and /metrics on its own address.

Settings come from BURN_TRIAGE_… variables; BURN_TRIAGE_WEBHOOK_SECRET is needed. Deliveries are stored and wait until a
worker (`burn-triage work`) takes them. SIGTERM or Ctrl-C lets the requests under way end, then exits 0. SIGHUP starts
the processes behind it anew; public pages then show the knowledge base as it lies on disk.
"""

from __future__ import annotations

import argparse
import sys

from bot.board_mode import OFF, board_mode
from bot.logs import set_up_logs
from bot.settings import read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """No options: everything is a setting."""


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop."""
    from bot.wiring import make_server, open_database, shown_database

    settings = read_settings(needed=("webhook_secret",))
    open_database(settings).dispose()
    set_up_logs(settings.log_level, settings.log_format)
    print(f"database  {shown_database(settings)}", flush=True)
    print(f"webhook   http://{settings.listen}/webhook", flush=True)
    if settings.serves_pages:
        print(f"pages     http://{settings.listen}/", flush=True)
    if board_mode(settings) != OFF:
        print(f"dashboard http://{settings.listen}/board ({board_mode(settings)})", flush=True)
    if settings.metrics_listen:
        print(f"metrics   http://{settings.metrics_listen}/metrics", flush=True)
    try:
        make_server(settings).run()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    finally:
        sys.stdout.flush()
    return 0
