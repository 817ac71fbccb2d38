"""Which commits changed which Rust files: `git log --raw` of a clone read into values. Pure over the log's lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_NO_BLOB = "0" * 40
_LINK = b"120000"


@dataclass(slots=True)
class History:
    """Every commit that the revisions reach, and what each changed against its first parent."""

    parents: dict[str, str] = field(default_factory=dict)
    """Commit -> first parent, "" for a root."""
    changes: dict[str, dict[str, str | None]] = field(default_factory=dict)
    """Path -> commit -> the file's blob from then on; None where the commit took the file away."""

    def line(self, head: str) -> list[str]:
        """The commit and its first parents, oldest first."""
        found = []
        while head:
            found.append(head)
            head = self.parents.get(head, "")
        return found[::-1]


def read_history(commits: Iterable[tuple[str, Sequence[str]]], log: Iterable[bytes]) -> History:
    """`commits`: each with its parents. `log`: lines of `git log --raw`, against first parents, titled `commit %H`."""
    history = History({sha: parents[0] if parents else "" for sha, parents in commits})
    sha = ""
    for line in log:
        if line.startswith(b"commit "):
            sha = line[7:].strip().decode()
        elif line.startswith(b":"):
            meta, _, raw = line.rstrip(b"\n").partition(b"\t")
            _, mode, _, blob, *_ = meta.split()
            kept = None if blob.decode() == _NO_BLOB or mode == _LINK else blob.decode()
            history.changes.setdefault(raw.decode(errors="replace"), {})[sha] = kept
    return history
