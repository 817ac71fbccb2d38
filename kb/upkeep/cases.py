"""How many of the labelled reports stand at a place that an entry names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.errors import KnowledgeBaseError
from kb.load import read_yaml
from kb.model import SiteKey

ANSWERS = ("site", "function")
"""What a case may ask for so that an entry can answer it: a place. The others are silent, or not the family's."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a labelled report says that its panic was raised."""

    case: str
    answer: str
    repo: str
    function: str
    template: str | None


def read_places(folder: Path) -> list[Place]:
    """The places of all cases (YAML files) in a folder, by name. KnowledgeBaseError where there is none."""
    found = [place for file in sorted(folder.glob("*.yaml")) for place in _read(file)]
    if not found:
        raise KnowledgeBaseError(
            f"--cases {folder}: no labelled report that asks for a place; name a folder of case files"
        )
    return found


def without_entry(places: Collection[Place], named: Collection[SiteKey]) -> Iterator[Place]:
    """Those of the places that no entry names, neither by function nor by words.

    Either is enough: a commit between releases may word a panic in its own way, and a helper may raise it for many.
    """
    worded = {(key.repo, _words(key.template)) for key in named if key.template}
    functions = {(key.repo, key.function) for key in named}
    for place in places:
        by_words = place.answer == "site" and place.template and (place.repo, _words(place.template)) in worded
        if not (by_words or (place.repo, place.function) in functions):
            yield place


def lines(places: Collection[Place], named: Collection[SiteKey]) -> Iterator[str]:
    """The shares by kind of case, and each place without an entry."""
    missing = list(without_entry(places, named))
    total, lacking = Counter(p.answer for p in places), Counter(p.answer for p in missing)
    for answer in ANSWERS:
        if total[answer]:
            yield f"{answer} cases: an entry names the place of {total[answer] - lacking[answer]} of {total[answer]}"
    yield "what the analysis answers is asked by `burn-triage evaluate --cases`: the line `explained`"
    for place in missing:
        words = f" {place.template!r}" if place.template else ""
        yield f"  {place.case}: no entry names {place.function} of {place.repo}{words}"


def _words(template: str) -> str:
    return re.sub(r"\{[^{}]*\}", "{}", template)


def _read(file: Path) -> Iterator[Place]:
    try:
        case: Any = read_yaml(file)
        expect = case["expect"]
        if expect["answer"] in ANSWERS:
            site = expect["site"]
            yield Place(file.stem, expect["answer"], site["repo"], site["function"], site["template"])
    except (KeyError, TypeError):
        raise KnowledgeBaseError(f"{file}: not a labelled report; it needs `expect` with `answer` and `site`") from None
