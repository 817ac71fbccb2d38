"""Keeps a few child processes running, and ends them together."""

from __future__ import annotations

import logging
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

log = logging.getLogger(__name__)

TICK = 0.2
STEADY = 30.0
"""A child that lived this many seconds was no failed start."""
WORST_WAIT = 30.0
USAGE = 2
"""Exit status of a child whose settings are wrong: starting it again will not help."""


@dataclass
class Child:
    """One process to keep running."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    due: float = 0.0
    failures: int = 0

    def start(self, now: float) -> None:
        """Start it. In a group of its own, so that a Ctrl-C on the terminal reaches it through us alone."""
        self.process = subprocess.Popen(self.command, start_new_session=True)
        self.started = now

    def note_end(self, now: float) -> None:
        """It ended by itself: when to start it again. Twice as long after each failed start."""
        self.process = None
        self.failures = 0 if now - self.started > STEADY else self.failures + 1
        self.due = now + min(WORST_WAIT, 0.25 * 2**self.failures)


@dataclass
class Supervisor:
    """Runs the commands, by name."""

    commands: Mapping[str, Sequence[str]]
    children: list[Child] = field(default_factory=list)

    def run_until(self, stop: threading.Event, *, grace: float) -> int:
        """Keep all running until told to stop, then end them within `grace` seconds. An exit status."""
        self.children = [Child(name, command) for name, command in self.commands.items()]
        status = 0
        while not stop.is_set():
            status = next((s for child in self.children if (s := self._look_after(child)) == USAGE), 0)
            if status:
                break
            stop.wait(TICK)
        self._end(grace)
        return status

    def pass_on(self, number: signal.Signals) -> None:
        """Send a signal to every child that runs. May be called by a signal handler."""
        for child in self.children:
            if child.process is not None:
                child.process.send_signal(number)

    def _look_after(self, child: Child) -> int:
        now = time.monotonic()
        if child.process is None:
            if now >= child.due:
                child.start(now)
            return 0
        status = child.process.poll()
        if status is None:
            return 0
        child.note_end(now)
        if status != USAGE:
            log.warning("%s ended with status %s: starting it again", child.name, status)
        return status

    def _end(self, grace: float) -> None:
        running = [child.process for child in self.children if child.process is not None]
        for process in running:
            process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + grace
        for process in running:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                log.warning("process %s did not end in time", process.pid)
                process.kill()
                process.wait()
