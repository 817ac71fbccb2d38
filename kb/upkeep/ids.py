"""Ids: the list of all that were ever given, the next free one, and giving it to a draft."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kb.entry import UNRELEASED, Entry
from kb.errors import KnowledgeBaseError
from kb.load import EntryFile, load_files

LEDGER = "ids.txt"
"""One line per entry: `KB-0042 0123456789abcdef` and its aliases. Lines are only ever added at the end."""

_LINE = re.compile(r"(KB-\d{4})((?: [0-9a-f]{16})+)")


@dataclass(frozen=True, slots=True)
class LedgerProblem:
    """A line of the list that cannot stand as it is."""

    line: int
    text: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """The list of ids: per KB id its id and aliases, and the line where it stands."""

    rows: Mapping[str, tuple[str, ...]]
    lines: Mapping[str, int]
    problems: tuple[LedgerProblem, ...] = field(default=())


def read_ledger(root: Path) -> Ledger:
    """The list in the knowledge base's folder; empty where there is none."""
    path = root / LEDGER
    return parse_ledger(path.read_text(encoding="utf-8") if path.is_file() else "")


def parse_ledger(text: str) -> Ledger:
    """The list's rows, and what is wrong with its lines: form, order, an id that stands twice."""
    rows: dict[str, tuple[str, ...]] = {}
    lines: dict[str, int] = {}
    problems: list[LedgerProblem] = []
    last, seen = "", set[str]()
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            problems.append(LedgerProblem(number, f"not a line of ids: {line!r}", "`KB-0042 <16 hex digits>`"))
            continue
        kb_id, ids = match[1], tuple(match[2].split())
        if kb_id <= last:
            problems.append(LedgerProblem(number, f"{kb_id} stands after {last}", "new ids are added at the end"))
        problems.extend(
            LedgerProblem(number, f"the id {value} stands twice", "ids are never reused")
            for value in ids
            if value in seen
        )
        seen.update(ids)
        last = max(last, kb_id)
        rows.setdefault(kb_id, ids)
        lines.setdefault(kb_id, number)
    return Ledger(rows, lines, tuple(problems))


def ledger_line(entry: Entry) -> str:
    """The entry's line in the list."""
    return " ".join((entry.kb_id, *entry.ids))


def next_id(taken: Iterable[str]) -> str:
    """The id after the highest one taken. Raises KnowledgeBaseError when four digits are used up."""
    highest = max((int(kb_id[3:]) for kb_id in taken), default=0)
    if highest >= 9999:
        raise KnowledgeBaseError("KB-9999 is taken; widen the id pattern in kb/load.py first")
    return f"KB-{highest + 1:04d}"


def new_hex_id(*parts: str) -> str:
    """Sixteen hex digits for a new entry, from what names it now; later changes of the entry do not change it."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def assign_ids(root: Path) -> list[tuple[Path, Path]]:
    """Give every draft that is ready the next id; old and new path of each, by old path.

    A draft is ready when its `review` list is empty. Its `status: draft` line goes, its file gets the id as its name,
    and the list of ids grows by one line. Raises KnowledgeBaseError for a draft that cannot be read.
    """
    files = load_files(root / "entries")
    ledger = read_ledger(root)
    taken = {file.path.name[:7] for file in files} | set(ledger.rows)
    moved = []
    for file in files:
        if file.entry is None and file.path.name.startswith(UNRELEASED):
            raise KnowledgeBaseError(f"{file.path}: does not read as an entry; run `kb lint` first")
        if file.entry is not None and file.entry.kb_id == UNRELEASED and not file.entry.review:
            moved.append(_give(root, file, next_id(taken)))
            taken.add(moved[-1][1].stem)
    return moved


def _give(root: Path, file: EntryFile, kb_id: str) -> tuple[Path, Path]:
    assert file.entry is not None
    target = file.path.with_name(f"{kb_id}.yaml")
    text = re.sub(r"(?m)^status: draft\b.*\n|^review: \[\]\n", "", file.text)
    target.write_text(text, encoding="utf-8")
    file.path.unlink()
    with (root / LEDGER).open("a", encoding="utf-8") as out:
        out.write(" ".join((kb_id, *file.entry.ids)) + "\n")
    return file.path, target
