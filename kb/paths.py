"""What a path says about a Rust file: whether it is test code. Pure."""

from __future__ import annotations

import re

_TEST_FOLDER = re.compile(r"(?:^|[-_])(?:tests?|testgen|bench(?:es)?|examples?)$")
_TEST_FILE = re.compile(r"(?:^|_)tests?\.rs$|^bench(?:es)?\.rs$")


def is_test_path(path: str) -> bool:
    """Whether the path alone marks a file as no library code: tests, benches, examples, crates that hold tests.

    `path` has forward slashes and starts at the repository's root: `crates/burn-backend-tests/src/lib.rs` is one.
    """
    *folders, name = path.split("/")
    return bool(_TEST_FILE.search(name)) or any(_TEST_FOLDER.search(folder) for folder in folders)
