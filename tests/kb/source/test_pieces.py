"""A file scanned piece by piece says what it says as a whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kb.model import FileFacts
from kb.source.parse import scan_file
from kb.source.pieces import PieceScanner

RUST = Path(__file__).parents[2] / "corpus" / "rust"
MEMBER = """    /// The {n}th.
    pub fn take_{n}(&self) -> u32 {{
        let found = self.find({n}).unwrap();
        assert!(found > {n}, "The {n}th is too small");
        found
    }}

"""
LONG = (
    "use std::fmt;\n\n#[cube]\nimpl<T: Clone> Store for Kept<T>\nwhere\n    T: Send,\n{\n"
    + "".join(MEMBER.format(n=n) for n in range(20)).rstrip("\n")
    + "\n}\n\nfn last() {\n    todo!()\n}\n\n#[cfg(test)]\nmod tests {\n"
    + "".join(MEMBER.format(n=n) for n in range(20))
    + "}\n"
)


def whole(source: bytes, path: str) -> FileFacts:
    facts = scan_file(source, path).facts
    return replace(facts, names=(), fallback=False)


@pytest.mark.parametrize("file", sorted(RUST.rglob("*.rs")), ids=lambda f: f.stem)
def test_each_file_of_the_corpus(file: Path):
    source = file.read_bytes()
    found = PieceScanner().scan(source, "crates/a/src/b.rs")
    assert set(found.sites) == set(whole(source, "crates/a/src/b.rs").sites)
    assert found.spans == whole(source, "crates/a/src/b.rs").spans


@pytest.mark.parametrize("path", ["crates/a/src/b.rs", "crates/a/tests/b.rs"])
def test_long_impls_are_scanned_by_member(path: str):
    scanner, source = PieceScanner(), LONG.encode()
    assert scanner.scan(source, path) == whole(source, path)
    later = source.replace(b"self.find(7)", b"self\n            .find(7)")
    assert scanner.scan(later, path) == whole(later, path)


def test_brackets_at_the_edge_of_a_string_are_no_borders():
    source = b'fn a() {\n    let text = "\n}\n";\n    text.parse().unwrap();\n}\nfn b() {\n    panic!("b")\n}\n'
    assert PieceScanner().scan(source, "src/lib.rs") == whole(source, "src/lib.rs")
