"""Finds the claims in a page's prose that a reviewer has to check, and what the index holds against them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.lint.tree import NameIndex
from kb.model import Revision, SiteAt, SiteIndex
from kb.prose import sentences
from kb.upkeep.page import Page

ABSOLUTE = re.compile(
    r"\b(?:no|not|never|none|cannot|can't|without|unsupported|lacks?|missing|entirely|always|any|every|all|only|"
    r"doesn't|does not|isn't|is not|fully|completely)\b",
    re.IGNORECASE,
)
"""Words that make a claim reach further than the one line that was read."""
NEGATIVE = re.compile(
    r"\b(?:no|not|never|none|cannot|can't|without|unsupported|lacks?|missing|doesn't|isn't|stubbed)\b", re.IGNORECASE
)
"""Words that deny: only then can something that is there speak against a sentence."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CODE_WORD = re.compile(r"(?<![\w.-])[A-Za-z_][A-Za-z0-9_]*(?![\w-])")
_QUOTED = re.compile(r'"[^"]*"')
_STEM = re.compile(r"(?:ization|isation|ized|ised|izing|ize|ations|ation|ings|ing|ers|er|ed|s)$")
_TICKABLE = re.compile(r"(?<![\w`./])([A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*)(?![\w`/-])")


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence that says more than its source line shows."""

    section: str
    sentence: str
    against: str
    """What the index has that speaks against it, "" where it has nothing to say."""

    def __str__(self) -> str:
        """For the draft's `review` list."""
        said = f"claim in {self.section!r}: {self.sentence}"
        return f"{said} -- but {self.against}" if self.against else said


def claims_to_check(page: Page, index: SiteIndex, site: SiteAt) -> Iterator[Claim]:
    """Sentences of the explanation with an absolute word, each with what the index holds against it."""
    for section, text in page.prose():
        if section in ("what it means", "common situations", "trigger"):
            for sentence in sentences(text):
                # What a message says in quotes is no claim of the page.
                own = _QUOTED.sub(" ", sentence)
                if ABSOLUTE.search(own):
                    yield Claim(section, sentence, counter_evidence(own, index, site) if NEGATIVE.search(own) else "")


def counter_evidence(sentence: str, index: SiteIndex, site: SiteAt) -> str:
    """Functions of the raising crate that a sentence seems to deny.

    A word of the sentence that is the name of one of the crate's files (the server: server.rs) sends the search there;
    functions of that file with another word of the sentence in their names are what the sentence may have missed.
    """
    words = {word.lower() for word in _WORD.findall(sentence)}
    stems = {stem(word) for word in words if len(word) > 5}
    for word in sorted(words):
        for path in index.paths(site.revision, f"{word}.rs", site.key.crate):
            spans = index.spans_in(site.revision, path)
            names = [s.span.function.rsplit("::", 1)[-1] for s in spans if not s.span.test]
            denied = [name for name in names if any(part in name for part in stems - {stem(word)})]
            if denied:
                listed = ", ".join(f"`{name}`" for name in dict.fromkeys(denied))
                return f"{path} has {listed} at {site.revision.name}"
    return ""


def stem(word: str) -> str:
    """A word without its commonest endings: quantized, quantization and quantizing give the same."""
    return _STEM.sub("", word)


def code_words(text: str) -> set[str]:
    """Every word of a text that could be a name; back-ticks are not needed, generated pages have none."""
    return set(_CODE_WORD.findall(text))


def tick_names(text: str, names: NameIndex, revision: Revision) -> str:
    """The prose with back-ticks around the names that only code has and that the source knows."""

    def ticked(match: re.Match[str]) -> str:
        path = match[1]
        last = path.rsplit("::", 1)[-1]
        is_code = "_" in last.strip("_") or "::" in path or re.fullmatch(r"(?:[A-Z]+[a-z0-9]+){2,}[A-Z]*", last)
        return f"`{path}`" if is_code and names.has_name(revision, last) else path

    return _TICKABLE.sub(ticked, " ".join(text.split()))
