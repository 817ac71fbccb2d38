"""The versions of every file between the releases, from a clone: which are needed, known, or to be scanned."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb import past
from kb.model import FileFacts, FunctionSpan, SiteKind, SourceSite
from kb.past import GONE, STANDS, Past
from kb.source.blobcache import BlobCache
from kb.source.changes import History
from kb.source.checkout import Checkout
from kb.source.pieces import PieceScanner
from kb.source.scanning import Progress, in_processes, scan_key

CHUNK = 400
"""Blobs a task: neighbours in a file's history are scanned by one process, which remembers their common pieces."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """One file: its changes in order, and the blob of each version that needs a row."""

    path: str
    places: tuple[int, ...]
    sides: tuple[str, ...]
    refs: tuple[int, ...]
    blobs: tuple[str, ...]
    """By row."""

    @property
    def skeleton(self) -> tuple[object, ...]:
        """All but the rows."""
        return self.places, self.sides, self.refs


def read_pasts(
    checkout: Checkout,
    history: History,
    indexed: Sequence[str],
    cache: BlobCache,
    known: Mapping[str, str],
    processes: int,
    progress: Progress | None = None,
) -> dict[str, str]:
    """Path -> its past as one line. `indexed`: commits of the indexed revisions, main's last; `known`: an older result.

    Rows of the older result are kept by commit, so that only new versions are scanned.
    """
    line = {sha: place for place, sha in enumerate(history.line(indexed[-1]))}
    stands = sorted(line[sha] for sha in indexed if sha in line)
    plans = [_plan(path, changes, line, stands) for path, changes in sorted(history.changes.items())]
    plans = [plan for plan in plans if plan.places or plan.sides]
    rows = _kept(plans, known, history, line)
    wanted: dict[str, tuple[str, str]] = {}
    for plan in plans:
        for blob in plan.blobs:
            if (plan.path, blob) not in rows:
                wanted.setdefault(f"{scan_key(blob, plan.path)}p", (blob, plan.path))
    scans = _scan(checkout, wanted, cache, processes, progress)
    return {plan.path: _text(plan, known, rows, scans) for plan in plans}


def _plan(path: str, changes: Mapping[str, str | None], line: Mapping[str, int], stands: Sequence[int]) -> _Plan:
    on_line = sorted((line[sha], blob) for sha, blob in changes.items() if sha in line)
    aside = sorted((sha, blob) for sha, blob in changes.items() if sha not in line)
    ends = [*(place for place, _ in on_line[1:]), stands[-1] + 1]
    rows: dict[str, int] = {}
    refs = []
    for (place, blob), end in zip(on_line, ends, strict=False):
        at = bisect_left(stands, place)
        stays = at < len(stands) and stands[at] < end
        refs.append(GONE if blob is None else STANDS if stays else rows.setdefault(blob, len(rows)))
    refs += [GONE if blob is None else rows.setdefault(blob, len(rows)) for _, blob in aside]
    return _Plan(path, tuple(p for p, _ in on_line), tuple(sha for sha, _ in aside), tuple(refs), tuple(rows))


def _kept(
    plans: Sequence[_Plan], known: Mapping[str, str], history: History, line: Mapping[str, int]
) -> dict[tuple[str, str], FileFacts | None]:
    """Rows of the older result by path and blob; None stands for those of a file that has not changed since."""
    shas = list(line)
    rows: dict[tuple[str, str], FileFacts | None] = {}
    for plan in plans:
        old = known.get(plan.path)
        if old is None or not plan.blobs:
            continue
        if _skeleton(old) == plan.skeleton:
            rows.update(((plan.path, blob), None) for blob in plan.blobs)
            continue
        whole, changes = past.decode(old), history.changes[plan.path]
        names = [*(shas[p] if p < len(shas) else "" for p in whole.places), *whole.sides]
        for sha, ref in zip(names, whole.refs, strict=True):
            blob = changes.get(sha)
            if ref >= 0 and blob is not None:
                rows[plan.path, blob] = whole.rows[ref]
    return rows


def _skeleton(text: str) -> tuple[object, ...]:
    """As `_Plan.skeleton`, without reading the rows."""
    decoder, found, at = json.JSONDecoder(), [], 1
    for _ in range(3):
        value, at = decoder.raw_decode(text, at)
        found.append(tuple(value))
        at += 1
    steps, total = [], 0
    for step in found[0]:
        total += step
        steps.append(total)
    return tuple(steps), found[1], found[2]


def _text(
    plan: _Plan,
    known: Mapping[str, str],
    rows: Mapping[tuple[str, str], FileFacts | None],
    scans: Mapping[str, FileFacts],
) -> str:
    facts = []
    for blob in plan.blobs:
        row = rows.get((plan.path, blob)) or scans.get(f"{scan_key(blob, plan.path)}p")
        if row is None:
            return known[plan.path]
        facts.append(row)
    return past.encode(Past(plan.places, plan.sides, plan.refs, tuple(facts)))


def _scan(
    checkout: Checkout,
    wanted: Mapping[str, tuple[str, str]],
    cache: BlobCache,
    processes: int,
    progress: Progress | None,
) -> dict[str, FileFacts]:
    packed = cache.get(wanted)
    tasks = [(key, *wanted[key]) for key in wanted if key not in packed]
    done = len(packed)
    for part in in_processes(_scan_chunk, checkout.folder, tasks, processes, CHUNK):
        cache.put(part)
        packed.update(part)
        done += len(part)
        if progress is not None:
            progress(done, len(wanted))
    return {key: _unpack(data) for key, data in packed.items()}


_scanner = PieceScanner()


def _scan_chunk(folder: Path, tasks: Sequence[tuple[str, str, str]]) -> dict[str, bytes]:
    blobs = Checkout(folder).blobs(sha for _, sha, _ in tasks)
    pairs = zip(tasks, blobs, strict=True)
    return {key: _pack(_scanner.scan(source, path)) for (key, _, path), (_, source) in pairs}


def _pack(facts: FileFacts) -> bytes:
    sites = [
        [s.function, s.kind, s.template, s.line, s.column, s.test, s.macro_body, s.target, s.receiver]
        for s in facts.sites
    ]
    spans = [[f.function, f.start, f.end, f.test, f.track_caller] for f in facts.spans]
    return zlib.compress(json.dumps([sites, spans], ensure_ascii=False, separators=(",", ":")).encode(), 1)


def _unpack(data: bytes) -> FileFacts:
    sites, spans = json.loads(zlib.decompress(data))
    return FileFacts(
        tuple(SourceSite(f, SiteKind(kind), *rest) for f, kind, *rest in sites),
        tuple(FunctionSpan(*span) for span in spans),
    )
