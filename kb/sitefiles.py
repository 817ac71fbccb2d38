"""The generated files of one repository's index: a `RepoIndex` to bytes by file name, and back. Pure and deterministic.

`<crate>.jsonl`     one line an identity, sorted: what raises, and `at`: runs of file, first and last revision; the last
                    is left out where the site stands as long as its crate does, so that a release touches few lines
`_revisions.jsonl`  one line a revision: commit, date, crates with folder and version, requirements, check calls
`_files.gz`         every file over its runs of revisions: which identities at which line and column, function spans
`_names.gz`         code names with the revisions that have them
`_past.gz`          a line a file: its versions at the commits between the releases (`kb.past`)
`_commits.gz`       commits of main and of the releases, with date, nearest release and place on main's own line
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import attrgetter, sub
from typing import Any

from kb.errors import KnowledgeBaseError
from kb.model import SiteKind
from kb.records import (
    CommitRecord,
    CrateRecord,
    FileVersion,
    Identity,
    RepoIndex,
    RequirementRecord,
    RevisionRecord,
)

REVISIONS = "_revisions.jsonl"
NO_CRATE = "_outside"
"""File name for the sites of files that no crate owns."""
_FLAG_TEST, _FLAG_TRACK = 1, 2


def encode(index: RepoIndex) -> dict[str, bytes]:
    """File name -> contents."""
    by_crate: dict[str, list[FileVersion]] = {}
    for file in index.files:
        by_crate.setdefault(file.crate, []).append(file)
    identities = {crate: _identities(files) for crate, files in sorted(by_crate.items())}
    files = {
        f"{crate or NO_CRATE}.jsonl": _jsonl(_identity_lines(by_crate[crate], found, index.revisions))
        for crate, found in identities.items()
        if found
    }
    files[REVISIONS] = _jsonl(_revision_line(r) for r in index.revisions)
    digest = sites_digest(files)
    files["_files.gz"] = _gzip(_file_rows(index, identities, digest))
    files["_names.gz"] = _gzip(_name_rows(index))
    files["_past.gz"] = _gzip_lines(f"{path}\t{text}" for path, text in index.pasts.items())
    files["_commits.gz"] = _gzip(list(_commit_rows(index.commits)))
    return files


def decode(repo: str, files: Mapping[str, bytes]) -> RepoIndex:
    """The index again. Raises KnowledgeBaseError where a file is missing, spoilt, or does not fit the others."""
    try:
        return _decode(repo, files)
    except (KeyError, ValueError, TypeError, IndexError, EOFError, OSError) as error:
        raise KnowledgeBaseError(f"kb/sites of {repo} cannot be read ({error!r}); run `kb index` again") from None


def sites_digest(files: Mapping[str, bytes]) -> str:
    """Hash of the line-numbered files: `_files.gz` points into them by line and holds only for exactly these."""
    digest = hashlib.sha256()
    for name in sorted(name for name in files if name.endswith(".jsonl")):
        digest.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return digest.hexdigest()


def read_identities(lines: bytes) -> list[Identity]:
    """The identities of one sites file, in the order of its lines."""
    return [_identity(json.loads(line)) for line in lines.splitlines()]


def read_revisions(lines: bytes) -> tuple[RevisionRecord, ...]:
    """The revisions of `_revisions.jsonl`."""
    return tuple(_revision(json.loads(line)) for line in lines.splitlines())


def _identities(files: Iterable[FileVersion]) -> list[Identity]:
    parts = attrgetter("function", "kind", "template", "target", "receiver", "test", "macro_body")
    return sorted({one for file in files for one, _, _ in file.sites}, key=parts)


def _identity_lines(
    files: Sequence[FileVersion], identities: Sequence[Identity], revisions: Sequence[RevisionRecord]
) -> Iterator[dict[str, Any]]:
    """The lines of one crate, whose file versions these are."""
    runs: dict[Identity, dict[str, int]] = {}
    for file in files:
        present = {one for one, _, _ in file.sites}
        for first, last, path in _inner_paths(file, revisions):
            mask = (1 << last + 1) - (1 << first)
            for one in present:
                places = runs.setdefault(one, {})
                places[path] = places.get(path, 0) | mask
    end = max(file.last for file in files)
    for one in identities:
        at = [(first, path, last) for path, mask in runs[one].items() for first, last in bit_runs(mask)]
        named = [
            (path, revisions[first].name, *([] if last == end else [revisions[last].name]))
            for first, path, last in sorted(at)
        ]
        yield {**_identity_fields(one), "at": named}


def _inner_paths(file: FileVersion, revisions: Sequence[RevisionRecord]) -> Iterator[tuple[int, int, str]]:
    """The file's path inside its crate's folder: a crate that moves as a whole changes no line."""
    first = file.first
    for place in range(file.first, file.last + 1):
        path = _inner(file, revisions[place])
        if place == file.last or _inner(file, revisions[place + 1]) != path:
            yield first, place, path
            first = place + 1


def _inner(file: FileVersion, revision: RevisionRecord) -> str:
    crate = revision.crates.get(file.crate)
    folder = f"{crate.folder}/" if crate is not None and crate.folder else ""
    return file.path.removeprefix(folder)


def bit_runs(mask: int) -> list[tuple[int, int]]:
    """Runs of set bits, first and last inclusive."""
    runs, place = [], 0
    while mask >> place:
        if mask >> place & 1:
            first = place
            while mask >> place + 1 & 1:
                place += 1
            runs.append((first, place))
        place += 1
    return runs


def _identity_fields(one: Identity) -> dict[str, Any]:
    fields: dict[str, Any] = {"function": one.function, "kind": one.kind, "template": one.template}
    optional = {"target": one.target, "receiver": one.receiver, "test": one.test, "macro_body": one.macro_body}
    return fields | {name: value for name, value in optional.items() if value}


def _identity(line: Mapping[str, Any]) -> Identity:
    return Identity(
        line["function"],
        SiteKind(line["kind"]),
        line["template"],
        line.get("target", ""),
        line.get("receiver", ""),
        line.get("test", False),
        line.get("macro_body", False),
    )


def _revision_line(record: RevisionRecord) -> dict[str, Any]:
    line: dict[str, Any] = {"name": record.name, "commit": record.commit, "date": record.date}
    if record.prerelease:
        line["prerelease"] = True
    line["crates"] = {name: [c.folder, c.version] for name, c in sorted(record.crates.items())}
    line["requires"] = {name: [n.version, n.rev, n.locked] for name, n in sorted(record.requires.items())}
    line["checks"] = {name: list(calls) for name, calls in sorted(record.checks.items())}
    return line


def _file_rows(index: RepoIndex, identities: Mapping[str, list[Identity]], digest: str) -> list[Any]:
    numbers = {crate: {one: i for i, one in enumerate(lines)} for crate, lines in identities.items()}
    functions = sorted({row[0] for file in index.files for row in file.spans})
    function_numbers = {name: i for i, name in enumerate(functions)}
    rows: list[Any] = [{"sites": digest, "functions": functions}]
    path = ""
    for file in index.files:
        if file.path != path:
            path = file.path
            rows.append(path)
        number = numbers.get(file.crate, {})
        rows.append(
            [
                file.crate,
                file.first,
                file.last,
                [number[one] for one, _, _ in file.sites],
                _differences([line for _, line, _ in file.sites]),
                [column for _, _, column in file.sites],
                [function_numbers[row[0]] for row in file.spans],
                _differences([row[1] for row in file.spans]),
                [row[2] - row[1] for row in file.spans],
                [row[3] * _FLAG_TEST + row[4] * _FLAG_TRACK for row in file.spans],
            ]
        )
    return rows


def _differences(numbers: Sequence[int]) -> list[int]:
    """Each less the one before: code that moves as a whole keeps its numbers, and compresses."""
    return list(map(sub, numbers, (0, *numbers[:-1])))


def _name_rows(index: RepoIndex) -> list[Any]:
    groups: dict[int, list[str]] = {}
    for name, mask in index.names.items():
        groups.setdefault(mask, []).append(name)
    return [[bit_runs(mask), " ".join(groups[mask])] for mask in sorted(groups)]


def _decode(repo: str, files: Mapping[str, bytes]) -> RepoIndex:
    crates = {
        "" if name == f"{NO_CRATE}.jsonl" else name.removesuffix(".jsonl"): read_identities(data)
        for name, data in files.items()
        if name.endswith(".jsonl") and name != REVISIONS
    }
    header, *rows = _gunzip(files["_files.gz"])
    if header["sites"] != sites_digest(files):
        raise ValueError("_files.gz was made for other sites files")
    return RepoIndex(
        repo,
        read_revisions(files[REVISIONS]),
        tuple(_file_versions(rows, header["functions"], crates)),
        dict(sorted(_names(_gunzip(files["_names.gz"])))),
        tuple(_commits(_gunzip(files["_commits.gz"]))),
        dict(line.split("\t", 1) for line in gzip.decompress(files["_past.gz"]).decode().split("\n") if line),
    )


def _commit_rows(commits: Iterable[CommitRecord]) -> Iterator[list[Any]]:
    """`place` as the step from the commit before it on main's own line; the first parent where there is none."""
    last = -1
    for c in commits:
        at = [c.place - last] if c.place >= 0 else [c.parent]
        last = c.place if c.place >= 0 else last
        yield [c.sha, c.date, c.nearest, int(c.main), *at]


def _commits(rows: Iterable[Sequence[Any]]) -> Iterator[CommitRecord]:
    last = -1
    for sha, date, nearest, main, at in rows:
        if isinstance(at, str):
            yield CommitRecord(sha, date, nearest, bool(main), parent=at)
        else:
            last += at
            yield CommitRecord(sha, date, nearest, bool(main), last)


def _revision(line: Mapping[str, Any]) -> RevisionRecord:
    return RevisionRecord(
        line["name"],
        line["commit"],
        line["date"],
        line.get("prerelease", False),
        {name: CrateRecord(*values) for name, values in line["crates"].items()},
        {name: RequirementRecord(*values) for name, values in line["requires"].items()},
        {name: tuple(calls) for name, calls in line["checks"].items()},
    )


def _file_versions(
    rows: Iterable[Any], functions: Sequence[str], crates: Mapping[str, Sequence[Identity]]
) -> Iterator[FileVersion]:
    path = ""
    for row in rows:
        if isinstance(row, str):
            path = row
            continue
        crate, first, last, numbers, lines, columns, names, starts, lengths, flags = row
        known = crates.get(crate, ())
        sites = zip([known[n] for n in numbers], accumulate(lines), columns, strict=True)
        spans = [
            (functions[name], start, start + length, flag & _FLAG_TEST > 0, flag & _FLAG_TRACK > 0)
            for name, start, length, flag in zip(names, accumulate(starts), lengths, flags, strict=True)
        ]
        yield FileVersion(path, crate, first, last, tuple(sites), tuple(spans))


def _names(lines: Iterable[Any]) -> Iterator[tuple[str, int]]:
    for runs, names in lines:
        mask = sum((1 << last + 1) - (1 << first) for first, last in runs)
        for name in names.split(" "):
            yield name, mask


def _jsonl(lines: Iterable[Any]) -> bytes:
    return b"".join(_json(line) + b"\n" for line in lines)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _gzip(rows: Sequence[Any]) -> bytes:
    return gzip.compress(_json(rows), 9, mtime=0)


def _gzip_lines(lines: Iterable[str]) -> bytes:
    """Level 6: two thirds of the time of 9 for one part in a hundred."""
    return gzip.compress("\n".join(lines).encode(), 6, mtime=0)


def _gunzip(data: bytes) -> list[Any]:
    rows: list[Any] = json.loads(gzip.decompress(data))
    return rows
