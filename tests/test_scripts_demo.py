"""The demonstration as a whole: what it prints, and that it ends by itself where nobody watches."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import requests

ROOT = Path(__file__).parent.parent


@cache
def performance() -> subprocess.CompletedProcess[str]:
    """One run without a terminal, after the environment was made: what `deploy/demo` executes."""
    command = [sys.executable, ROOT / "deploy/demo_run.py"]
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    return subprocess.run(
        command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=170
    )


pytestmark = pytest.mark.e2e


def test_it_ends_by_itself_and_nothing_came_out_otherwise():
    done = performance()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""


def test_each_delivery_was_accepted_over_http():
    heads = re.findall(r"^   issue.*(?:\n\S.*)?", performance().stdout, re.MULTILINE)
    assert [" · 202 · " in head.replace("\n", " ") for head in heads] == [True] * 19


def test_it_says_what_became_of_each():
    outcomes = re.findall(rf"^   ({'|'.join(OUTCOMES)}): ", performance().stdout, re.MULTILINE)
    assert dict(Counter(outcomes)) == {"posted": 11, "posted anew": 1, "edited": 2, "hidden": 2, "left alone": 3}
    assert len(outcomes) == len(re.findall(r"^\d+\. ", performance().stdout, re.MULTILINE))


OUTCOMES = ("posted anew", "posted", "edited", "hidden", "left alone")


@pytest.mark.parametrize(
    "words",
    [
        "https://github.com/tracel-ai/burn/blob/3475ba82820f517e59f2da7fae2c56289b358de4/crates/burn-ir/src/handle.rs#L88",
        "Newest release, v0.21.0: the same.",
        "in slice_assign: gone since v0.12.0",
        "=== Tensor Operation Error ===",
        "An echo: look for an earlier panic.",
        "The second panic, Ordering is bigger than operations, most likely follows from it",
        "The second panic, Can send message to checkpointer thread.: SendError { .. }, most likely follows from it",
        "Fixed in cubecl 0.10.0-pre.3 by 65b4299a",
        "newer than the fix in 0.22.0-pre.1",
        "(not part of burn)",
        "Raised at one of these",
        "which of 2 places was it?",
        "in <ConstantNode as NodeCodegen>::field",
        "/triage explain KB-0007: KB-0007, BufferTooBig",
        "reaction rocket",
        "reaction -1",
        "the author said that it is wrong",
        "Same panic in #2",
        "ComputeClient::empty_tensor, cubecl-runtime 0.8.1",
        "0 against its description",
        "/metrics",
        "/board the maintainers' dashboard",
    ],
)
def test_it_shows(words: str):
    """One for each kind of comment, and for what else happens to it."""
    assert words in " ".join(re.sub(r"[│╭╮╰╯─]", " ", performance().stdout).split())


def test_on_a_terminal_it_serves_until_ctrl_c():
    """Everything it names can be opened while it serves; Ctrl-C ends it, the two processes beside it included."""
    try:
        child, terminal = pty.fork()
    except OSError as error:
        pytest.skip(f"this machine gives no terminals: {error}")
    if child == 0:
        os.chdir(ROOT)
        env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "TERM": "xterm"}
        os.execve(sys.executable, [sys.executable, "deploy/demo_run.py"], env)
    try:
        shown = read_until(terminal, "Serving until Ctrl-C.")
        receiver, metrics = re.findall(r"http://127\.0\.0\.1:\d+/(?:healthz|metrics)", shown)
        assert requests.get(receiver, timeout=10).text == "ok\n"
        assert "<title>" in requests.get(receiver.removesuffix("healthz"), timeout=10).text
        assert "burn_triage" in requests.get(metrics, timeout=10).text
        os.write(terminal, b"\x03")
        read_until(terminal, None)
    finally:
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    with pytest.raises(requests.ConnectionError):
        requests.get(receiver, timeout=10)


def read_until(terminal: int, words: str | None) -> str:
    """What a program prints up to these words; None: up to its end."""
    shown = ""
    while words is None or words not in shown:
        try:
            data = os.read(terminal, 65_536)
        except OSError:  # Linux says so when the other end was closed
            data = b""
        if not data:
            assert words is None, f"ended before {words!r}:\n{shown}"
            break
        shown += data.decode("utf-8", "replace")
    return shown
