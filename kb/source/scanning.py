"""Scans blobs that are not in the cache, on all cores given."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from kb.source.blobcache import BlobCache
from kb.source.checkout import Checkout
from kb.source.parse import is_test_path, scan_file
from kb.source.scan import FileScan
from kb.source.scancodec import pack, unpack

CHUNK = 120
"""Blobs a task: small enough that an interrupted run loses little, large enough that starting git costs nothing."""

Task = tuple[str, str, str]
"""Scan key, blob sha, path."""

Progress = Callable[[int, int], None]
"""Called with blobs done and blobs in all."""


def scan_key(sha: str, path: str) -> str:
    """What a scan depends on besides the parser: the blob, and whether its path alone makes it test code."""
    return f"{sha}{'t' if is_test_path(path) else ''}"


def scan_blobs(
    checkout: Checkout,
    wanted: Mapping[str, tuple[str, str]],
    cache: BlobCache,
    processes: int,
    progress: Progress | None = None,
) -> dict[str, FileScan]:
    """Scans by key. `wanted` maps the scan key to (blob sha, a path that stands for its kind)."""
    packed = cache.get(wanted)
    missing = sorted(key for key in wanted if key not in packed)
    total, done = len(wanted), len(packed)
    tasks = [(key, *wanted[key]) for key in missing]
    for part in in_processes(_scan_chunk, checkout.folder, tasks, processes, CHUNK):
        cache.put(part)
        packed.update(part)
        done += len(part)
        if progress is not None:
            progress(done, total)
    return {key: unpack(data) for key, data in packed.items()}


def in_processes(
    scan: Callable[[Path, Sequence[Task]], dict[str, bytes]],
    folder: Path,
    tasks: Sequence[Task],
    processes: int,
    size: int,
) -> Iterator[dict[str, bytes]]:
    """What `scan` gives for each `size` of the tasks, in their order, on as many processes."""
    chunks = [tasks[start : start + size] for start in range(0, len(tasks), size)]
    if processes < 2 or len(chunks) < 2:
        yield from (scan(folder, chunk) for chunk in chunks)
        return
    pool = ProcessPoolExecutor(processes, mp_context=get_context("fork"), initializer=_leave_interrupts)
    try:
        yield from pool.map(scan, [folder] * len(chunks), chunks)
    finally:
        # After an interrupt: what is done is in the cache, what has not begun is dropped.
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is the parent's to answer; a worker would only print where it was."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _scan_chunk(folder: Path, tasks: Sequence[Task]) -> dict[str, bytes]:
    blobs = Checkout(folder).blobs(sha for _, sha, _ in tasks)
    return {key: pack(scan_file(source, path)) for (key, _, path), (_, source) in zip(tasks, blobs, strict=True)}
