"""Reading is linear: 64 KiB of the worst input take a fraction of a second, four times as much four times that."""

from __future__ import annotations

import time

import pytest

from bot.triage.conversation import prose_lines
from bot.triage.extract import read
from bot.triage.model import Report

SIZE = 64 * 1024
HEADER = "thread 'main' panicked at "
WORST = {
    "near headers": HEADER + "src/x\n",
    "headers without line ends": HEADER + "src/x.rs:1:2: ",
    "headers that wrap for ever": HEADER + "/a/b\n/c/d\n/e/f\n",
    "quotes that never close": "panicked at 'a\n",
    "quotes on one line": "panicked at 'a', b.rs:",
    "deep quotes": ">",
    "deep lists": "- ",
    "list": "- a\n",
    "table": "|a|b|c|d\n|-|-|-|-\n",
    "one line": "a",
    "one line of paths": "a/b-0.1.0/src/",
    "one line of places": "x/y.rs:1:2: ",
    "back-ticks": "`",
    "back-ticks apart": "` ",
    "quoted sentences": 'It fails with "aaa bbb ccc ddd". ',
    "digits": "1",
    "shas": "git at 0a1b2c3d ",
    "versions": "burn 0.18.0 works\n",
    "empty lines": "\n",
    "fences": "```\n",
    "opened tags": "<pre>",
    "opened comments": "<!-- ",
    "entities": "&lt;&amp;lt;",
    "colours": "\x1b[",
    "places in a row": "a/b.rs:1\n",
    "messages": "Message: a\n",
    "chains": "wgpu error: Validation Error\n\nCaused by:\n  a\n\n",
    "frames": "   0: a::b\n",
    "not implemented": "not implemented: ",
}


def seconds(unit: str, size: int, before: str = "") -> float:
    body = before + (unit * (size // len(unit) + 1))[:size]
    start = time.process_time()
    read(Report(None, "A report", body))
    prose_lines(body)
    return time.process_time() - start


@pytest.mark.bench
@pytest.mark.parametrize("before", ["", "```\n"], ids=["prose", "fence"])
@pytest.mark.parametrize("unit", WORST.values(), ids=WORST)
def test_the_worst_inputs_are_read_in_no_time(unit: str, before: str):
    """The goal is 150 ms; the limit here is wide, so that a busy machine does not fail it."""
    assert seconds(unit, SIZE, before) < 1.0


@pytest.mark.bench
@pytest.mark.parametrize("unit", WORST.values(), ids=WORST)
def test_time_grows_with_the_length_and_no_faster(unit: str):
    small = min(seconds(unit, SIZE) for _ in range(2))
    large = seconds(unit, 4 * SIZE)
    assert large < 4 * small * 2.5 + 0.05
