"""The supervisor: starts what died, gives up on what is set up wrongly, ends all together."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path

import pytest

from bot.supervisor import WORST_WAIT, Child, Supervisor

LIVE = """import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
print('up', flush=True)
while True:
    time.sleep(0.05)
"""
"""Not `signal.pause()`: a signal that comes just before it runs its handler after it, that is never."""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def run_in_thread(supervisor: Supervisor, stop: threading.Event, grace: float) -> tuple[threading.Thread, list[int]]:
    statuses: list[int] = []
    thread = threading.Thread(target=lambda: statuses.append(supervisor.run_until(stop, grace=grace)))
    thread.start()
    return thread, statuses


def wait_for(happens: object) -> None:
    pause = threading.Event()
    for _ in range(3000):
        if happens():  # type: ignore[operator]
            return
        pause.wait(0.01)
    raise AssertionError("waited in vain")


def test_children_run_until_told_to_stop_and_end_cleanly(tmp_path: Path):
    marks = [tmp_path / name for name in ("a", "b")]
    commands = {m.name: python(f"open({str(m)!r}, 'w').close()\n{LIVE}") for m in marks}
    supervisor, stop = Supervisor(commands), threading.Event()
    thread, statuses = run_in_thread(supervisor, stop, 20)
    wait_for(lambda: all(m.exists() for m in marks))
    children = [child.process for child in supervisor.children]
    stop.set()
    thread.join(30)
    assert statuses == [0]
    assert all(process is not None and process.poll() is not None for process in children)


def test_a_child_that_dies_is_started_again(tmp_path: Path):
    log = tmp_path / "log"
    code = f"open({str(log)!r}, 'a').write('x'); import sys; sys.exit(1)"
    supervisor, stop = Supervisor({"it": python(code)}), threading.Event()
    thread, _ = run_in_thread(supervisor, stop, 5)
    wait_for(lambda: log.exists() and len(log.read_text()) >= 2)
    stop.set()
    thread.join(30)
    assert supervisor.children[0].failures >= 1


def test_a_child_with_wrong_settings_ends_everything(tmp_path: Path):
    commands = {"wrong": python("import sys; sys.exit(2)"), "right": python(LIVE)}
    assert Supervisor(commands).run_until(threading.Event(), grace=20) == 2


def test_a_child_that_does_not_listen_is_killed(tmp_path: Path):
    mark = tmp_path / "up"
    deaf = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); open({str(mark)!r}, 'w'); signal.pause()"
    supervisor, stop = Supervisor({"deaf": python(deaf)}), threading.Event()
    thread, statuses = run_in_thread(supervisor, stop, 0.2)
    wait_for(mark.exists)
    stop.set()
    thread.join(30)
    process = supervisor.children[0].process
    assert process is not None
    assert (statuses, process.returncode) == ([0], -9)


def test_the_waits_between_failed_starts_grow_and_end():
    child, waits = Child("x", []), []
    for _ in range(12):
        child.started = 100.0
        child.note_end(101.0)
        waits.append(child.due - 101.0)
    assert waits[:3] == [0.5, 1.0, 2.0]
    assert waits[-1] == WORST_WAIT


def test_a_child_that_ran_for_long_starts_again_soon():
    child = Child("x", [], failures=9, started=0.0)
    child.note_end(1000.0)
    assert child.due - 1000.0 == pytest.approx(0.25)


def test_a_signal_is_passed_on_to_every_child(tmp_path: Path):
    marks = [tmp_path / name for name in ("a", "b")]
    # Who started this test may have blocked the signal, which every child would inherit.
    hear = "import signal; signal.signal(signal.SIGHUP, lambda *_: open({!r}, 'w').close())\n"
    hear += "signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGHUP])\n"
    code = "open({!r}, 'w').close()\n{}"
    commands = {m.name: python(hear.format(f"{m}.heard") + code.format(f"{m}.up", LIVE)) for m in marks}
    supervisor, stop = Supervisor(commands), threading.Event()
    thread, statuses = run_in_thread(supervisor, stop, 20)
    wait_for(lambda: all(m.with_name(f"{m.name}.up").exists() for m in marks))
    supervisor.pass_on(signal.SIGHUP)
    wait_for(lambda: all(m.with_name(f"{m.name}.heard").exists() for m in marks))
    stop.set()
    thread.join(30)
    assert statuses == [0]
