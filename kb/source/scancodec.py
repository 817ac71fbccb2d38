"""A file's scan as bytes and back, for the cache of parsed blobs. Pure."""

from __future__ import annotations

import json
import zlib

from kb.model import FileFacts, FunctionSpan, SiteKind, SourceSite
from kb.source.scan import FileScan


def pack(scan: FileScan) -> bytes:
    """Compressed bytes; `unpack` gives an equal scan back."""
    facts = scan.facts
    data = [
        [
            [s.function, s.kind, s.template, s.line, s.column, s.test, s.macro_body, s.target, s.receiver]
            for s in facts.sites
        ],
        [[f.function, f.start, f.end, f.test, f.track_caller] for f in facts.spans],
        " ".join(facts.names),
        facts.fallback,
        {name: sorted(calls) for name, calls in scan.macros.items()},
        {name: sorted(calls) for name, calls in scan.checks.items()},
        sorted(scan.test_modules),
    ]
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 1)


def unpack(data: bytes) -> FileScan:
    """The scan that `pack` was given."""
    sites, spans, names, fallback, macros, checks, test_modules = json.loads(zlib.decompress(data))
    facts = FileFacts(
        tuple(SourceSite(f, SiteKind(kind), *rest) for f, kind, *rest in sites),
        tuple(FunctionSpan(*span) for span in spans),
        tuple(names.split()),
        fallback,
    )
    return FileScan(
        facts,
        {name: frozenset(calls) for name, calls in macros.items()},
        {name: frozenset(calls) for name, calls in checks.items()},
        frozenset(test_modules),
    )
