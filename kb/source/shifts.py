"""How main's commits moved lines: `git log -U0` of a clone to shift records. Pure over the lines of the log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from kb.records import FileShift, ShiftRecord

COMMIT = b"commit "
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(slots=True)
class _Draft:
    """One file of one commit while its lines are read."""

    old: str = ""
    new: str = ""
    hunks: list[int] = field(default_factory=list)


def read_shifts(lines: Iterable[bytes]) -> Iterator[ShiftRecord]:
    """One record a commit in the order of the log, which was made with `--format="commit %H" -U0`.

    The changed lines themselves are counted and passed over: some of them look like the log's own.
    """
    stream = iter(lines)
    sha, files = "", list[_Draft]()
    for line in stream:
        if line.startswith(COMMIT):
            if sha:
                yield _record(sha, files)
            sha, files = line[len(COMMIT) :].strip().decode(), []
        elif line.startswith(b"diff --git "):
            files.append(_Draft())
        elif files:
            _read_line(line, files[-1], stream)
    if sha:
        yield _record(sha, files)


def _read_line(line: bytes, draft: _Draft, stream: Iterator[bytes]) -> None:
    hunk = _HUNK.match(line)
    if hunk:
        start, count, new_start, new_count = (1 if part is None else int(part) for part in hunk.groups())
        draft.hunks += [start, count, new_start, new_count]
        for _ in islice(stream, count + new_count):
            pass
    elif line.startswith(b"--- a/"):
        draft.old = _path(line[6:])
    elif line.startswith(b"+++ b/"):
        draft.new = _path(line[6:])
    elif line.startswith(b"rename from "):
        draft.old = _path(line[12:])
    elif line.startswith(b"rename to "):
        draft.new = _path(line[10:])


def _record(sha: str, drafts: Iterable[_Draft]) -> ShiftRecord:
    """Files that are new or deleted carry no line over and are left out."""
    kept = (FileShift(d.old, d.new, tuple(d.hunks)) for d in drafts if d.old and d.new)
    return ShiftRecord(sha, tuple(sorted(kept, key=lambda f: (f.old, f.new))))


def _path(raw: bytes) -> str:
    return raw.rstrip(b"\n").split(b"\t")[0].decode(errors="replace")
