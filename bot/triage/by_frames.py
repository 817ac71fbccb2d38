"""Candidates from the backtrace: for panics raised in std or elsewhere whose frames pass through the family."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.triage import revisions
from bot.triage.knowledge import Knowledge
from bot.triage.lookup import indexed_file, span_place
from bot.triage.model import Candidate, Fact, Place, Trust
from kb.model import Revision

MACHINERY = ("core", "std", "alloc", "rust_begin_unwind", "__rustc", "backtrace", "__rust")

_GENERIC = re.compile(r"::<[^<>]*>|<[^<>]*>")
_SEGMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def by_frames(frames: Sequence[str], facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> list[Candidate]:
    """The function of the innermost frame that is no panic machinery, if the family has it; [] otherwise.

    Only that frame: what stands further out called the function that panicked and did not panic itself.
    """
    path = _innermost(frames)
    return _functions(path, facts, date, knowledge) if path else []


def outside_crate(frames: Sequence[str], knowledge: Knowledge) -> str:
    """The crate of the innermost frame that is no panic machinery, if it is not of the family; "" otherwise."""
    path = _innermost(frames)
    if len(path) < 2 or knowledge.index.repos_of_crate(path[0].replace("_", "-")):
        return ""
    return path[0]


def _innermost(frames: Sequence[str]) -> list[str]:
    paths = (_module_path(frame) for frame in frames)
    return next((path for path in paths if path and path[0] not in MACHINERY), [])


def _module_path(frame: str) -> list[str]:
    """`cubecl_opt::gvn::convert::<impl cubecl_opt::gvn::base::Expression>::to_operation` as plain segments.

    Implementation blocks and generic arguments are left out: the modules name the file, the last segment the function.
    """
    flat = frame
    for _ in range(8):
        shorter = _GENERIC.sub("", flat)
        if shorter == flat:
            break
        flat = shorter
    parts = [p.strip() for p in flat.split("::") if p.strip() and not p.strip().startswith("{")]
    return [p for p in parts if _SEGMENT.fullmatch(p)]


def _functions(path: list[str], facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> list[Candidate]:
    crate, name = path[0].replace("_", "-"), path[-1]
    for repo in knowledge.index.repos_of_crate(crate):
        for revision in _meant(repo, facts, date, knowledge):
            places = _in_modules(crate, path[1:-1], name, revision, knowledge)
            if len({p.function for p in places}) == 1:
                why = f"the innermost frame that is no panic machinery is this function ({revision.name})"
                return [Candidate(places[0], Trust.FUNCTION, why)]
            if places:
                return []
    return []


def _in_modules(crate: str, modules: list[str], name: str, revision: Revision, knowledge: Knowledge) -> list[Place]:
    """Functions of that name in the file that the module path names; a type among the segments is no module."""
    for depth in range(len(modules), 0, -1):
        stem = "src/" + "/".join(modules[:depth])
        for tail in (f"{stem}.rs", f"{stem}/mod.rs"):
            found = []
            for file_path in knowledge.index.paths(revision, tail, crate):
                file = indexed_file(knowledge, revision, file_path)
                spans = [s for s in file.spans if s.span.function.rsplit("::", 1)[-1] == name]
                found += [span_place(file, s, s.span.start) for s in spans]
            if found:
                return found
    return []


def _meant(repo: str, facts: Sequence[Fact], date: str | None, knowledge: Knowledge) -> list[Revision]:
    return revisions.stated(facts, repo, knowledge) or revisions.around(date, repo, knowledge.index)[:4]
