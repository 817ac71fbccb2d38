"""Looks for words in the tree of one commit, through git's own search."""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Sequence

from kb.errors import KnowledgeBaseError
from kb.source.checkout import Checkout


def words_present(clone: Checkout, commit: str, words: Collection[str], paths: Sequence[str] = ()) -> frozenset[str]:
    """Those of `words` that stand, as whole words, in any text file of the commit (below `paths`, if given).

    Raises KnowledgeBaseError with git's own words where the commit cannot be read.
    """
    if not words:
        return frozenset()
    patterns = [part for word in sorted(words) for part in ("-e", word)]
    command = ["git", "-c", "safe.directory=*", "-C", str(clone.folder), "grep", "-ohIwF", *patterns, commit, "--"]
    done = subprocess.run([*command, *paths], capture_output=True, check=False)
    if done.returncode > 1:
        raise KnowledgeBaseError(f"{clone.folder}: {done.stderr.decode(errors='replace').strip()}")
    return frozenset(done.stdout.decode(errors="replace").split("\n")) & frozenset(words)


def files_with(clone: Checkout, commit: str, text: str) -> list[str]:
    """The Rust files of the commit that hold the text, by path. Raises KnowledgeBaseError with git's own words."""
    command = [
        "git",
        "-c",
        "safe.directory=*",
        "-C",
        str(clone.folder),
        "grep",
        "-lIF",
        "-e",
        text,
        commit,
        "--",
        "*.rs",
    ]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode > 1:
        raise KnowledgeBaseError(f"{clone.folder}: {done.stderr.decode(errors='replace').strip()}")
    return sorted(line.partition(":")[2] for line in done.stdout.decode(errors="replace").splitlines())
