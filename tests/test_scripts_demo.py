"""The demonstration as a whole: what it prints, and that it ends by itself where nobody watches."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

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
    heads = [line for line in performance().stdout.splitlines() if line.startswith("   issue")]
    assert [" · 202 · " in line for line in heads] == [True] * 8


def test_it_says_what_became_of_each():
    outcomes = [line.split(":")[0].strip() for line in performance().stdout.splitlines() if line.startswith(OUTCOMES)]
    assert outcomes == ["posted", "posted", "posted", "left alone", "posted", "edited", "posted", "left alone"]


OUTCOMES = ("   posted: ", "   edited: ", "   left alone: ")


@pytest.mark.parametrize(
    "words",
    [
        "https://github.com/tracel-ai/burn/blob/3475ba82820f517e59f2da7fae2c56289b358de4/crates/burn-ir/src/handle.rs#L88",
        "ComputeClient::empty_tensor, cubecl-runtime 0.8.1",
        "Ordering is bigger than operations, most likely follows from it",
        "0 against its description",
        "/metrics",
    ],
)
def test_it_shows(words: str):
    assert words in performance().stdout
