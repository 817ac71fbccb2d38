"""The corpus of small Rust files with what the parser must find in each; `python -m tests.kb.source.rust_corpus` writes
the expected values anew, to be read before they are committed."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

from kb.model import FunctionSpan, SourceSite
from kb.source.parse import FileScan, close_macros, keep_macro_calls, scan_file

FOLDER = Path(__file__).parents[2] / "corpus" / "rust"
PRINTED = "printed"
"""The one file whose expected values are not the parser's but rustc's."""


def cases() -> list[str]:
    """Names of the corpus files, without `.rs`."""
    return sorted(path.stem for path in FOLDER.glob("*.rs") if path.stem != PRINTED)


def source(name: str) -> bytes:
    """The Rust source of a case."""
    return (FOLDER / f"{name}.rs").read_bytes()


def expected(name: str) -> dict[str, object]:
    """What must be found, as `facts` gives it."""
    found: dict[str, object] = json.loads((FOLDER / f"{name}.expected.json").read_text())
    return found


def facts(scan: FileScan) -> dict[str, object]:
    """A scan as plain JSON; values that are the default are left out."""
    kept = keep_macro_calls(scan.facts, close_macros(scan.macros))
    return {
        "sites": [_site(site) for site in kept.sites],
        "spans": [_span(span) for span in scan.facts.spans],
        "names": list(scan.facts.names),
        "fallback": scan.facts.fallback,
        "macros": {name: sorted(calls) for name, calls in sorted(scan.macros.items())},
        "checks": {name: sorted(calls) for name, calls in sorted(scan.checks.items())},
        "test_modules": sorted(scan.test_modules),
    }


def _site(site: SourceSite) -> dict[str, object]:
    rest = {f.name: getattr(site, f.name) for f in fields(site) if f.name not in ("line", "column", "kind")}
    return {"at": f"{site.line}:{site.column}", "kind": site.kind.value} | {k: v for k, v in rest.items() if v}


def _span(span: FunctionSpan) -> dict[str, object]:
    flags = {name: True for name in ("test", "track_caller") if getattr(span, name)}
    return {"lines": f"{span.start}-{span.end}", "function": span.function} | flags


def written(found: dict[str, object]) -> str:
    """The file's text: one site or span a line, so that a change shows as one line."""
    parts = []
    for key, value in found.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in value)
            parts.append(f'  "{key}": [\n{rows}\n  ]')
        else:
            parts.append(f'  "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for case in cases():
        (FOLDER / f"{case}.expected.json").write_text(written(facts(scan_file(source(case), f"src/{case}.rs"))))
