"""What terminals, loggers and copying do to a log, undone."""

from __future__ import annotations

import pytest

from bot.triage.conversation import read_lines
from bot.triage.extract import read
from bot.triage.model import Report
from bot.triage.repair import clean_line, encodable, split_lines
from bot.triage.repair_lines import repair_lines

LINES = [
    ("\x1b[1m\x1b[31mred\x1b[0m text", "red text"),
    ("\x1b]0;title\x07text", "text"),
    ("[1m[31mthread[0m 'main'", "thread 'main'"),
    ("[model] and [12, 3] stay", "[model] and [12, 3] stay"),
    ("a\u200bb\u202ec\x00d\ufeff", "abcd"),
    ("a\u00a0b", "a b"),
    ("&lt;unnamed&gt; &amp;lt; &#39;x&#x27; &unknown;", "<unnamed> &lt; 'x' &unknown;"),
    ("tab\tstays", "tab\tstays"),
]


@pytest.mark.parametrize(("dirty", "clean"), LINES)
def test_a_line_is_cleaned(dirty: str, clean: str):
    assert clean_line(dirty) == clean


def test_every_line_end_of_github_ends_a_line():
    assert split_lines("a\r\nb\rc\nd\n") == ["a", "b", "c", "d"]
    assert split_lines("") == [""]


def test_what_utf_8_cannot_hold_is_replaced():
    assert encodable("\ufeffa\ud800b\x00").encode() == "a\ufffdb\ufffd".encode()


CHECKOUT = "/home/ana/.cargo/git/checkouts/burn-6c277d792b0d5d7a/1a2b3c4"
HEADER = f"thread 'main' panicked at {CHECKOUT}/crates/burn-nn/src/a.rs:765:14:"
MESSAGE = "called `Result::unwrap()` on an `Err` value: No such tensor"
LOG = f"{HEADER}\n{MESSAGE}\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"

PREFIXES = {
    "docker compose": "trainer-1  | ",
    "github actions": "2025-11-08T08:21:17.5050320Z ",
    "logcat": "06-19 09:02:11.004 20112 20171 E RustStdoutStderr: ",
    "journal": "Jun 19 10:36:39 host app[1234]: ",
    "time": "[10:36:39.123] ",
    "tag": "[stderr] ",
    "mark": "E   ",
    "comment": "// ",
    "quote in code": "> ",
    "bar": "│ ",
}


@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
def test_what_every_line_carries_in_front_is_taken_off(prefix: str):
    body = "\n".join(prefix + line for line in LOG.split("\n"))
    (panic,) = read(Report(None, "A report", f"```\n{body}\n```")).panics
    assert panic.message == MESSAGE


@pytest.mark.parametrize("width", range(30, len(HEADER) + 1))
def test_a_terminal_may_wrap_anywhere(width: int):
    """In the path, in the digits, in `panicked at`, in the thread's name: place and message come out whole."""
    lines = [line[at : at + width] for line in LOG.split("\n") for at in range(0, len(line), width)]
    (panic,) = read(Report(None, "A report", "```\n" + "\n".join(lines) + "\n```")).panics
    place = panic.location
    assert place is not None
    assert (place.crate, place.commit, place.file, place.line, place.column) == (
        "burn-nn", "1a2b3c4", "src/a.rs", 765, 14)  # fmt: skip
    assert panic.message == MESSAGE


@pytest.mark.parametrize("width", range(40, 130, 7))
def test_a_terminal_may_wrap_the_old_layout_too(width: int):
    message, place = "could not broadcast from [2] to [1]", "/x/ndarray-0.15.6/src/dimension/mod.rs:1529:13"
    whole = f"thread 'main' panicked at '{message}', {place}"
    lines = [whole[at : at + width] for at in range(0, len(whole), width)]
    (panic,) = read(Report(None, "A report", "```\n" + "\n".join(lines) + "\n```")).panics
    assert panic.location is not None
    assert (panic.location.crate, panic.location.line, panic.location.column) == ("ndarray", 1529, 13)
    assert panic.message == message


def test_several_headers_on_one_line_are_several_panics():
    body = "thread 'a' panicked at src/a.rs:1:1: One of them thread 'b' panicked at src/b.rs:2:2: Two of them"
    assert [p.headline for p in read(Report(None, "A report", body)).panics] == ["One of them", "Two of them"]


def test_a_progress_bar_in_front_and_behind_is_no_message():
    body = "```\nEpoch 1 [==> ] 3/9\rthread 'main' panicked at src/a.rs:1:1:        412 / 938\nNo handle here\n```"
    (panic,) = read(Report(None, "A report", body)).panics
    assert panic.message == "No handle here"


def test_the_prefix_that_was_taken_off_is_kept_beside_the_line():
    lines = repair_lines(read_lines(Report(None, "t", "```\napp_1 | panicked at src/a.rs:1:1:\napp_1 | Boom\n```")))
    assert [(line.prefix, line.text) for line in lines[1:]] == [
        ("app_1 | ", "panicked at src/a.rs:1:1:"),
        ("app_1 | ", "Boom"),
    ]
