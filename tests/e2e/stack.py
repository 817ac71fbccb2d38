"""The whole product as its users run it: processes on loopback, a database, and the stand-in GitHub."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

from tests.fakes.deliveries import OLD_SECRET, SECRET
from tests.fakes.github import App, FakeGitHub

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
"""Seconds for anything to happen: wide, because test machines are busy. Nothing waits this long when all is well."""


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def until(
    happens: Callable[[], Any], what: str, seconds: float = PATIENCE, *, log: Callable[[], str] = lambda: ""
) -> Any:
    """Wait for something to be true, and return it. When it does not happen, `log` tells more."""
    deadline = time.monotonic() + seconds
    while not (value := happens()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:g} s in vain for {what}\n{log()}")
        time.sleep(0.02)
    return value


@dataclass
class Stack:
    """A database, a GitHub with our App on it, and the environment that our processes run in."""

    database_url: str
    github: FakeGitHub
    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    metrics_port: int = field(default_factory=free_port)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.app: App = self.github.create_app(webhook_url=self.url("/webhook"), webhook_secret=SECRET)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def environment(self) -> dict[str, str]:
        ours = {
            "DATABASE_URL": self.database_url,
            "WEBHOOK_SECRET": SECRET,
            "WEBHOOK_SECRET_OLD": OLD_SECRET,
            "APP_ID": str(self.app.id),
            "PRIVATE_KEY": self.app.private_key,
            "BOT_LOGIN": self.app.bot.login,
            "MARKER_KEY": "a key of the tests",
            "GITHUB_API_URL": self.github.url,
            "MODE": "on",
            "LISTEN": f"127.0.0.1:{self.port}",
            "METRICS_LISTEN": f"127.0.0.1:{self.metrics_port}",
            "RECEIVERS": "1",
            "POLL_SECONDS": "0.05",
            "WRITE_SECONDS": "0",
            "SETTLE_SECONDS": "0.2",
            "SHUTDOWN_SECONDS": "5",
        }
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        return kept | {f"BURN_TRIAGE_{name}": value for name, value in (ours | self.settings).items()}

    def start(
        self, command: str, *, changes: dict[str, str] | None = None, module: str = "bot"
    ) -> subprocess.Popen[bytes]:
        """Start `burn-triage <command>`, or another module. Its output goes to a file of the test's folder."""
        environment = self.environment() | {f"BURN_TRIAGE_{k}": v for k, v in (changes or {}).items()}
        with (self.folder / f"{command}-{len(self.processes)}.log").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", module, command],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def log(self) -> str:
        return "\n".join(f"== {p.name}\n{p.read_text()}" for p in sorted(self.folder.glob("*.log")))

    def is_up(self, path: str) -> bool:
        try:
            return requests.get(self.url(path), timeout=5).status_code == 200
        except requests.RequestException:
            return False

    def wait_ready(self) -> None:
        until(lambda: self.is_up("/readyz"), "/readyz", log=self.log)

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a `burn-triage` command to its end."""
        return subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=ROOT,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def stop(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
