"""The Rust parser against its corpus, against rustc's own output, and against any bytes."""

import json
from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kb.model import SiteKind
from kb.source import parse
from kb.source.parse import check_calls, keep_macro_calls, panicking_macros, parse_file, scan_file
from kb.template import agrees
from tests.kb.source.rust_corpus import FOLDER, PRINTED, cases, expected, facts, source

RUNS = json.loads((FOLDER / f"{PRINTED}.expected.json").read_text())


@pytest.mark.parametrize("name", cases())
def test_corpus(name):
    assert facts(scan_file(source(name), f"src/{name}.rs")) == expected(name)


@pytest.mark.parametrize(("line", "column", "message"), RUNS)
def test_a_site_stands_where_rustc_says(line, column, message):
    found = [s for s in parse_file(source(PRINTED), "src/printed.rs").sites if (s.line, s.column) == (line, column)]
    assert found, f"no site at {line}:{column}"
    assert any(s.kind is SiteKind.MACRO_CALL or agrees(s.kind, s.template, message) for s in found)


def test_every_line_that_must_panic_is_among_the_runs():
    lines = source(PRINTED).decode().split("\n")
    first = next(number for number, text in enumerate(lines, 1) if "run(|| panic!())" in text)
    runs = sum(1 for text in lines[first - 1 :] if text.strip().startswith("run("))
    assert len(RUNS) == runs


def test_macros_of_other_files_are_taken_from_the_caller():
    rust = b"fn f() { elsewhere!(1); own!(2) }\nmacro_rules! own { () => { panic!() } }"
    assert [s.target for s in parse_file(rust, "a.rs", frozenset({"elsewhere"})).sites if s.target] == ["elsewhere!"]
    assert [s.target for s in parse_file(rust, "a.rs").sites if s.target] == ["own!"]


def test_a_macro_panics_through_any_number_of_others():
    rust = b"".join(b"macro_rules! m%d { () => { m%d!() } }\n" % (n, n + 1) for n in range(50))
    assert panicking_macros(rust) == frozenset()
    assert panicking_macros(rust + b"macro_rules! m50 { () => { x.unwrap() } }") == {f"m{n}" for n in range(51)}


def test_macros_that_call_each_other_end():
    rust = b"macro_rules! a { () => { b!() } } macro_rules! b { () => { a!() } }"
    assert panicking_macros(rust) == frozenset()


def test_facts_without_macro_calls_to_drop_are_the_same_object():
    found = scan_file(b"fn f() { panic!() }", "a.rs").facts
    assert keep_macro_calls(found, frozenset()) is found


def test_what_a_parent_says_of_its_modules():
    assert parse.test_modules(b"#[cfg(test)]\nmod a;\nmod b;\n#[cfg(test)] mod c { mod d; }") == {"a", "d"}


def test_check_calls_are_those_of_checks():
    rust = b"impl TensorCheck { fn a() { Self::b(); other.b(); shape.c() } fn b() {} fn c() {} }"
    assert check_calls(rust) == {
        "TensorCheck::a": {"TensorCheck::b"},
        "TensorCheck::b": frozenset(),
        "TensorCheck::c": frozenset(),
    }


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("crates/burn-core/src/lib.rs", False),
        ("crates/burn-core/src/testing.rs", False),
        ("crates/burn-core/src/latest/contests.rs", False),
        ("crates/burn-core/tests/a.rs", True),
        ("crates/burn-core/src/tests/mod.rs", True),
        ("crates/burn-core/src/tensor/tests.rs", True),
        ("crates/burn-core/src/tensor/shape_test.rs", True),
        ("crates/burn-backend-tests/src/lib.rs", True),
        ("crates/burn-tensor-testgen/src/lib.rs", True),
        ("crates/cubecl-core/src/runtime_tests/unary.rs", True),
        ("examples/mnist/src/main.rs", True),
        ("burn/benches/unary.rs", True),
    ],
)
def test_paths_of_test_code(path, test):
    assert [s.test for s in parse_file(b"fn f() { panic!() }", path).sites] == [test]


def test_a_file_can_be_test_code_as_a_whole():
    assert parse_file(b"#![cfg(test)]\nfn f() { panic!() }", "src/a.rs").sites[0].test is True
    assert parse_file(b"#![cfg(not(test))]\nfn f() { panic!() }", "src/a.rs").sites[0].test is False


@pytest.mark.parametrize(
    ("before", "line", "column"),
    [
        (b"\xef\xbb\xbf", 1, 10),
        (b"\r\n", 2, 10),
        (b"//\r\n/* \r\n */", 3, 13),
        (b"/* \xff\xfe */ ", 1, 19),
        (b"\0", 1, 11),
        (b"#!/usr/bin/env rust\n", 2, 10),
    ],
)
def test_odd_bytes_before_a_site(before, line, column):
    found = parse_file(before + b"fn f() { panic!() }", "a.rs").sites
    assert [(s.line, s.column) for s in found] == [(line, column)]


PIECES = """
fn a( ) { } ; impl < > for A :: trait mod macro_rules ! b panic!( "x {y}" ) .unwrap() .expect( assert!( , # [ ] \\
#[cfg(test)] #[cube] #[error("e")] Err( TensorError::new( check!( TensorCheck::a /* */ // " r#" "# ' 'a 'x' ::<
concat!( format!( quote!{ é 日 enum struct a: -> => :: where $ ? & \0
""".split()
RUST = st.lists(st.sampled_from([*PIECES, "\n", "\t"]), max_size=60).map(" ".join)


@settings(deadline=None)
@given(st.one_of(st.binary(), RUST.map(str.encode)))
@example(b"\xff\xfe\0")
@example(b"")
@example(b'r#"')
@example(b"'")
@example(b'"\\')
@example(b"panic!(")
@example(b"a!(b!(")
@example(b".unwrap()")
@example(b"?.unwrap()")
@example(b"#[cfg_attr(a, cfg_attr(b, cube))]")
@example(b"check!(TensorCheck::\xff)")
@example(b"impl")
@example(b'panic!("\\u{110000} \\u{D800} \\u{}")')
def test_any_bytes(rust):
    found = parse_file(rust, "src/a.rs")
    lines = rust.count(b"\n") + 1
    assert all(1 <= s.line <= lines and s.column >= 1 for s in found.sites)
    assert all(1 <= s.start <= s.end <= lines for s in found.spans)
    assert [(s.line, s.column) for s in found.sites] == sorted((s.line, s.column) for s in found.sites)


@pytest.mark.parametrize(
    "opening", ["panic!(", "assert!(", "fn a(){", "impl<", 'r#"', "/*", '\\"', "Err(", "#[cfg(all(", "fn a<"]
)
def test_time_is_linear_in_hostile_nesting(opening):
    """Four times the input takes about four times as long, and not sixteen."""
    texts = [opening.encode() * (size // len(opening)) for size in (8_000, 32_000)]
    # A busy machine makes single runs several times slower: one quiet pair of many is proof enough.
    assert any(_seconds(long) < 9 * _seconds(short) + 0.1 for short, long in [texts] * 12)


def _seconds(rust):
    start = process_time()
    parse_file(rust, "src/a.rs")
    return process_time() - start
