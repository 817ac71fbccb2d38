"""What looks like a layout and is none: each is left alone, by this layout and by every other."""

from __future__ import annotations

import pytest

from bot.triage.conversation import read_lines
from bot.triage.extract import find_all
from bot.triage.formats import all_formats
from bot.triage.formats._text import Text
from bot.triage.model import Report

NEAR_MISSES = [
    ("rust_before_1_73", "thread 'main' panicked at ''"),
    ("rust_before_1_73", "panicked at '{}', {}:{}:{}"),
    ("rust_1_73", "thread 'main' panicked at some line of burn-import, see below:\nand so on"),
    ("rust_1_73", "thread '{}' panicked at {}:{}:{}:"),
    ("rust_1_91", "thread 'main' (5) has overflowed its stack"),
    ("no_thread", "The user panicked at the sight of src/main.rs, and rightly so"),
    ("libtest", "---- pool::keeps_shape stdout ----\nfirst line of output"),
    ("logger", "ERROR burn_import::logger: PANIC => see the log file"),
    ("color_eyre", "Message: hello\nLocation: the kitchen"),
    ("human_panic", "Well, this is embarrassing. The app had a problem and crashed."),
    ("wasm_console", "app.js:478 Uncaught TypeError: x is null"),
    ("logcat", "06-19 10:36:39.682 17663 17687 I RustStdoutStderr: all is well"),
    ("build_script", "--- stderr\ncargo:rerun-if-changed=build.rs"),
    ("proc_macro", "error: proc-macro derive produced unparsable tokens\n --> src/a.rs:1:1"),
    ("error_from_main", "Error: Benchmark failed"),
    ("wgpu_error", "INFO wgpu_core: a buffer of size 16 was made"),
    ("swallowed", "let x: Box<dyn Any> = run(); // Any { .. }"),
    ("message_only", "the len is known and the index is not"),
    ("message_in_code", "let shape = index.out_of(bounds); // the len is known"),
    ("bare_location", "crates/burn-tensor/src/tensor/api/base.rs:503:13 is where it is computed"),
    ("bare_location", "src/model.rs:12:9: warning: unused variable: `x`"),
    ("bare_location", "src/model.rs:12:9: let x = y.unwrap();"),
]


@pytest.mark.parametrize(("name", "text"), NEAR_MISSES)
def test_a_near_miss_is_no_panic(name: str, text: str):
    lines = read_lines(Report(None, "A report", f"```\n{text}\n```"))
    assert find_all(Text(lines)) == []


def test_every_layout_has_a_near_miss():
    assert {name for name, _ in NEAR_MISSES} == {one.name for one in all_formats()}
