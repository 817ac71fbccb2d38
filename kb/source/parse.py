"""Rust source bytes in, panic sites, function spans and names out. Pure: no I/O, no state, any bytes accepted."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kb.model import FileFacts, SiteKind, SourceSite
from kb.source.scan import FileScan, close_macros, keep_macro_calls

__all__ = [
    "FileScan",
    "check_calls",
    "close_macros",
    "is_test_path",
    "keep_macro_calls",
    "panicking_macros",
    "parse_file",
    "scan_file",
    "test_modules",
]


def parse_file(source: bytes, path: str, macros: frozenset[str] | None = None) -> FileFacts:
    """All facts of one file.

    `path` is from the repository's root, with forward slashes; it decides only what counts as test code. `macros` are
    the names (without `!`) of the `macro_rules!` whose calls can panic; by default those that the file itself defines.
    """
    scan = scan_file(source, path)
    return keep_macro_calls(scan.facts, close_macros(scan.macros) if macros is None else macros)


def scan_file(source: bytes, path: str) -> FileScan:
    """Everything one file says, read once; the way to index a repository, where macros cross files."""
    sites = tuple(
        SourceSite("", SiteKind.PANIC, m[1].decode(), source.count(b"\n", 0, m.start()) + 1, 1)
        for m in re.finditer(rb'panic!\("([^"]*)"', source)
    )
    return FileScan(FileFacts(sites, ()), {}, {}, frozenset())


def panicking_macros(source: bytes) -> frozenset[str]:
    """Names of the file's `macro_rules!` that can panic, as far as this file alone tells."""
    return close_macros(scan_file(source, "").macros)


def check_calls(source: bytes) -> Mapping[str, frozenset[str]]:
    """Each `TensorCheck::f` defined in the file, with the other `TensorCheck::g` it calls."""
    return scan_file(source, "").checks


def test_modules(source: bytes) -> frozenset[str]:
    """Names x of `#[cfg(test)] mod x;`: the parent says that the file `x.rs` or `x/mod.rs` is test code."""
    return scan_file(source, "").test_modules


def is_test_path(path: str) -> bool:
    """Whether the path alone marks a file as test code (tests, benches, examples, test crates)."""
    return "/tests/" in f"/{path}"
