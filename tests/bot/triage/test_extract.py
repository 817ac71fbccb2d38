"""Reports as a whole: what is read stays read however it is pasted, silence stays silence, nothing is ever too much."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.triage.conversation import prose_lines, read_conversation
from bot.triage.extract import MAX_PANICS, read
from bot.triage.model import Report, Role

CORPUS = Path(__file__).parents[2] / "corpus"
NEGATIVES = sorted((CORPUS / "negatives").glob("*.md"))
PANICS = [
    path
    for path in sorted((CORPUS / "panics").glob("*/*.yaml"))
    if path.parent.name.startswith(("rust_", "logger", "libtest", "no_thread"))
]


def each_line(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda body: "\n".join(change(line) for line in body.split("\n"))


PASTES: dict[str, Callable[[str], str]] = {
    "crlf": lambda body: body.replace("\n", "\r\n"),
    "bom": lambda body: "\ufeff" + body,
    "quoted": each_line(lambda line: "> " + line),
    "quoted twice": each_line(lambda line: "> > " + line),
    "trailing blanks": each_line(lambda line: line + "  "),
    "in a list": lambda body: "- first\n\n" + "\n".join("  " + line for line in body.split("\n")),
    "in a fold": lambda body: f"<details>\n<summary>log</summary>\n\n{body}\n\n</details>",
    "no fence": lambda body: body.replace("```", ""),
    "tilde fence": lambda body: body.replace("```", "~~~"),
    "fence never closed": lambda body: body.rstrip().removesuffix("```"),
    "escaped": lambda body: html.escape(body, quote=True).replace("&gt; ", "> "),
    "with marks that nobody sees": lambda body: body.replace("panicked", "pan\u200bicked").replace(
        "thread", "\u202athread"
    ),
    "with other words around": lambda body: f"Hello all,\n\nI have a problem.\n\n{body}\n\nAny idea what panics here?",
}


@pytest.mark.parametrize("paste", PASTES.values(), ids=PASTES)
@pytest.mark.parametrize("path", PANICS, ids=[f"{path.parent.name}/{path.stem}" for path in PANICS])
def test_the_root_stays_the_root_however_it_is_pasted(path: Path, paste: Callable[[str], str]):
    sample = yaml.safe_load(path.read_text("utf-8"))
    expected = sample["expect"][0]
    root = read(Report(None, sample["title"], paste(sample["body"]))).root
    assert root is not None
    assert root.location is not None
    assert (root.location.file, root.location.line, root.location.column) == (
        expected["file"], expected["line"], expected.get("column"))  # fmt: skip
    assert plain(root.headline) == plain(expected["message"])


def plain(message: str) -> str:
    """Without blanks and back-ticks: a paste may add the one and lose the other."""
    return "".join(message.replace("`", "").split())


WRAPPED = {"as it is": str, "quoted": PASTES["quoted"], "in a fold": PASTES["in a fold"], "crlf": PASTES["crlf"]}


@pytest.mark.parametrize("paste", WRAPPED.values(), ids=WRAPPED)
@pytest.mark.parametrize("path", NEGATIVES, ids=[path.stem for path in NEGATIVES])
def test_what_only_looks_like_a_panic_is_none(path: Path, paste: Callable[[str], str]):
    body = path.read_text("utf-8")
    assert read(Report(None, "A report", paste(body))).panics == ()
    assert read(Report(None, "A report", "", (paste(body),))).panics == ()


def test_an_empty_report_reads_as_nothing():
    reading = read(Report(None, "", ""))
    assert (reading.panics, reading.facts, reading.root) == ((), (), None)


def test_a_title_that_repeats_the_panic_adds_nothing():
    report = Report(
        None, "Training: `No handle for tensor 7`", "thread 'main' panicked at a/src/b.rs:1:2:\nNo handle for tensor 7"
    )
    (panic,) = read(report).panics
    assert panic.location is not None


def test_a_known_text_needs_no_cue_in_a_title():
    report = Report(None, "[wgpu] No adapter was found for this API", "On a box without a card.")
    assert read(report).panics == ()
    (panic,) = read(report, lambda text: text.startswith("No adapter was found")).panics
    assert panic.headline == "No adapter was found for this API"


def test_a_part_of_the_report_is_named_for_each_panic():
    log = "```\nthread 'main' panicked at a/src/b.rs:1:2:\nBoom goes it\n```"
    (panic,) = read(Report(None, "A report", "see below", ("hello", f"so:\n\n{log}"))).panics
    assert (panic.ref.part, panic.ref.index, panic.ref.start, panic.ref.end) == ("comment", 1, 4, 5)


def check(report: Report) -> None:
    """What holds for every report there is."""
    reading = read(report)
    assert sum(panic.role is Role.ROOT for panic in reading.panics) == bool(reading.panics)
    assert len(reading.panics) <= 3 * MAX_PANICS
    for panic in reading.panics:
        (panic.message + (panic.location.file if panic.location else "")).encode()
        assert 1 <= panic.ref.start <= panic.ref.end
    read_conversation(report)
    for comment in report.comments:
        prose_lines(comment)


PIECES = (
    *(
        "thread 'main' ",
        "panicked at ",
        "src/a.rs:1:2",
        ":",
        "'",
        ", ",
        "\n",
        "\r",
        "\r\n",
        "```",
        "~~~",
        "`",
        "> ",
        "- ",
    ),
    *(
        "    ",
        "<pre>",
        "</pre>",
        "<!--",
        "-->",
        "<br>",
        "<details>",
        "|",
        "\x1b[31m",
        "\ud800",
        "\x00",
        "\ufeff",
        "\u202e",
    ),
    *("&lt;", "(7)", "note: ", "Caused by:", "wgpu error: Validation Error", "Error: Foo {", "Message: m", "0: a::b"),
    *("index out of bounds: the len is 1 but the index is 1", "burn = {", "burn 0.18.0", "at 1f5ccd4", "é", "日", "{}"),
    *("Location: a.rs:1", "not implemented: x", "PANIC => ", "---- a stdout ----", "--- stderr", "a.js:1 "),
)
NASTY = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
ANYTHING = st.text(alphabet=st.characters(codec=None), max_size=400)


@settings(max_examples=150, deadline=None)
@given(title=NASTY, body=NASTY, comment=NASTY)
def test_no_pile_of_pieces_is_too_much(title: str, body: str, comment: str):
    check(Report(None, title, body, (comment,)))


@settings(max_examples=100, deadline=None)
@given(title=ANYTHING, body=ANYTHING)
def test_no_text_is_too_much(title: str, body: str):
    check(Report(None, title, body))


LINKED = [
    "crates/burn-ir/src/handle.rs#L91",
    "https://github.com/tracel-ai/burn/blob/v0.18.0/crates/burn-ir/src/handle.rs#L91",
    "[crates/burn-ir/src/handle.rs:91](https://github.com/tracel-ai/burn/blob/v0.18.0/crates/burn-ir/src/handle.rs#L91)",
]


@pytest.mark.parametrize("place", LINKED)
def test_a_header_whose_place_was_made_a_link_is_read(place: str):
    root = read(Report(None, "", f"thread 'main' panicked at {place}:\nShould have handle for tensor")).root
    assert root is not None
    assert root.location is not None
    assert (root.location.crate, root.location.file, root.location.line) == ("burn-ir", "src/handle.rs", 91)
    assert root.message == "Should have handle for tensor"


@pytest.mark.parametrize(
    "code",
    [
        'let record = recorder.load(path, &device).expect("Should decode state successfully");',
        'let record = recorder\n    .load(path, &device)\n    .expect("Should decode state successfully");',
        'assert!(a == b, "The inner dimension of matmul should be the same");',
        'println!("Should have handle for tensor {id}");',
        'Please return an error instead of panic!("The embedding cannot be differentiated").',
        "The documentation has a line # Panics if Ordering is bigger than operations",
    ],
)
def test_an_argument_in_code_without_a_fence_is_no_message(code):
    assert read(Report("1", "Loading", f"I load the record like this:\n\n{code}\n\nIs that right?")).panics == ()


NAMES = ["The `layer load_record` call is slow", "`cargo run_all_tests` with wgpu", "`to_data` hangs"]


@pytest.mark.parametrize("title", NAMES)
def test_a_name_in_a_title_is_no_message(title):
    assert read(Report("1", title, "It was faster last year.")).panics == ()
