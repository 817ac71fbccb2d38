"""The values the parser hands to the indexer besides `FileFacts`. No I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kb.model import FileFacts, SiteKind


@dataclass(frozen=True, slots=True)
class FileScan:
    """One file read once: everything that does not depend on any other file.

    `facts.sites` holds a MACRO_CALL for every call of a macro that is not the standard library's, in files where
    it may or may not panic: `keep_macro_calls` drops the calls of macros that cannot, once the crate is known.
    """

    facts: FileFacts
    macros: Mapping[str, frozenset[str]]
    """Each `macro_rules!` of the file, with the macros its body calls; the entry "" means: can panic by itself."""
    checks: Mapping[str, frozenset[str]]
    """Each `TensorCheck::f` of the file, with the other `TensorCheck::g` it calls."""
    test_modules: frozenset[str]
    """Modules declared here as `#[cfg(test)] mod x;`: their files are test code."""


def close_macros(macros: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Names of the macros that can panic, by themselves or through others; `macros` as in `FileScan.macros`."""
    panicking = {name for name, calls in macros.items() if "" in calls}
    callers: dict[str, list[str]] = {}
    for name, calls in macros.items():
        for called in calls:
            callers.setdefault(called, []).append(name)
    todo = list(panicking)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in panicking:
                panicking.add(caller)
                todo.append(caller)
    return frozenset(panicking)


def keep_macro_calls(facts: FileFacts, panicking: frozenset[str]) -> FileFacts:
    """`facts` without the MACRO_CALL sites whose macro is not in `panicking` (names without `!`)."""
    kept = tuple(s for s in facts.sites if s.kind is not SiteKind.MACRO_CALL or s.target[:-1] in panicking)
    return facts if len(kept) == len(facts.sites) else replace(facts, sites=kept)
