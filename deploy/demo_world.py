"""The demonstration's surroundings: a stand-in GitHub in this process, receiver and worker beside it, one database."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests
from demo_scenes import MAINTAINER
from sqlalchemy import Engine

from bot.store import deliveries
from bot.store.engine import open_engine
from tests.fakes.github import FakeGitHub

ROOT = Path(__file__).parent.parent
REPO = "tracel-ai/burn"
A_YEAR = 365 * 86_400
START_SECONDS = 60
"""A first start compiles the catalogue."""
ANSWER_SECONDS = 30
SETTLED = frozenset({"done", "ignored", "parked"})


class DemoError(Exception):
    """The demonstration cannot go on; the message says why and names the log."""


@dataclass
class Demo:
    """Everything that runs, with its addresses."""

    github: FakeGitHub
    receiver: str
    metrics: str
    engine: Engine
    log: Path

    def wait_for(self, guid: str) -> deliveries.StoredDelivery:
        """The delivery once its job ended. Raises DemoError after half a minute."""
        found: list[deliveries.StoredDelivery] = []

        def settled() -> bool:
            with self.engine.begin() as conn:
                found[:] = [row] if (row := deliveries.find(conn, guid)) else []
            return bool(found) and found[0].state in SETTLED

        wait(settled, ANSWER_SECONDS, f"no answer to delivery {guid}; the log is {self.log}")
        return found[0]


class Clock:
    """The stand-in's clock: now, or `behind` seconds ago."""

    behind = 0.0

    def __call__(self) -> float:
        """Epoch seconds."""
        return time.time() - self.behind


@contextmanager
def running(folder: Path) -> Iterator[Demo]:
    """The whole demonstration, its files in `folder`; everything is ended at the end."""
    clock = Clock()
    receiver, metrics = free_port(), free_port()
    with FakeGitHub(clock) as github:
        environ = prepare(github, receiver, metrics, folder)
        log = folder / "burn-triage.log"
        process = start(environ, log)
        try:
            address = f"http://127.0.0.1:{receiver}"
            wait(
                lambda: is_ready(address, process, log), START_SECONDS, f"receiver and worker did not start: see {log}"
            )
            engine = open_engine(environ["BURN_TRIAGE_DATABASE_URL"])
            yield Demo(github, address, f"http://127.0.0.1:{metrics}/metrics", engine, log)
        finally:
            process.terminate()
            process.wait(timeout=60)


def prepare(github: FakeGitHub, receiver: int, metrics: int, folder: Path) -> dict[str, str]:
    """The repository and the App on the stand-in; the settings with which burn-triage finds them."""
    secret = secrets.token_hex(16)
    github.create_repo(REPO, roles={MAINTAINER: "triage"})
    app = github.create_app(webhook_url=f"http://127.0.0.1:{receiver}/webhook", webhook_secret=secret)
    return {
        "BURN_TRIAGE_DATABASE_URL": f"sqlite:///{folder / 'burn-triage.db'}",
        "BURN_TRIAGE_WEBHOOK_SECRET": secret,
        "BURN_TRIAGE_APP_ID": str(app.id),
        "BURN_TRIAGE_PRIVATE_KEY": app.private_key,
        "BURN_TRIAGE_BOT_LOGIN": app.bot.login,
        "BURN_TRIAGE_MARKER_KEY": secrets.token_hex(16),
        "BURN_TRIAGE_GITHUB_API_URL": github.url,
        "BURN_TRIAGE_PUBLIC_URL": f"http://127.0.0.1:{receiver}",
        "BURN_TRIAGE_GITHUB_URL": github.url,
        "BURN_TRIAGE_BOARD": "local",
        "BURN_TRIAGE_KB": str(ROOT / "kb"),
        # New repositories are in shadow unless somebody says so.
        "BURN_TRIAGE_MODE": "on",
        "BURN_TRIAGE_LISTEN": f"127.0.0.1:{receiver}",
        "BURN_TRIAGE_METRICS_LISTEN": f"127.0.0.1:{metrics}",
        "BURN_TRIAGE_RECEIVERS": "1",
        "BURN_TRIAGE_POLL_SECONDS": "0.05",
        # The pause between writes is for the real GitHub.
        "BURN_TRIAGE_WRITE_SECONDS": "0",
        # So is the pause in which the edits of one issue are gathered.
        "BURN_TRIAGE_SETTLE_SECONDS": "0",
    }


def start(settings: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    """`burn-triage run` with these settings alone, its output in a file."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("BURN_TRIAGE_")} | settings
    with log.open("wb") as out:
        return subprocess.Popen(
            [sys.executable, "-m", "bot", "run"],
            cwd=ROOT,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def is_ready(address: str, process: subprocess.Popen[bytes], log: Path) -> bool:
    """True once receiver and worker answer. Raises DemoError where the process ended."""
    if process.poll() is not None:
        raise DemoError(f"burn-triage ended with status {process.returncode}:\n{log.read_text('utf-8', 'replace')}")
    try:
        return requests.get(f"{address}/readyz", timeout=5).ok
    except requests.ConnectionError:
        return False


def wait(happened: Callable[[], bool], seconds: float, otherwise: str) -> None:
    """Return once `happened()`; DemoError with the text of `otherwise` when it did not within `seconds`."""
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            raise DemoError(otherwise)
        time.sleep(0.03)


def free_port() -> int:
    """A port of loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
