"""Searching entries and bare panic sites: filters, then words, then the message templates. Pure."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

PER_PAGE = 20
LONGEST_QUERY = 400
_WORD = re.compile(r"[a-z0-9_]+")
_NOISE = frozenset(
    "thread main panicked at note run with rust_backtrace 1 environment variable to display a the".split()
)
_SHORTEST = 5
"""Letters of a word before another one counts as the same mistyped."""
_NEAR = 0.75
"""Share of its letters that a mistyped word has right."""
_ENOUGH = 0.5
"""Share of a query's weight that a result must hold where nothing holds all of its words."""


@dataclass(frozen=True, slots=True)
class Run:
    """Where something can be met: revisions of one repository by their order, both ends inclusive."""

    repo: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Doc:
    """One result: an entry, or a panic site without one."""

    id: str
    """`KB-0001`, or the sixteen hex digits of a site."""
    explained: bool
    title: str
    message: str
    summary: str
    repos: tuple[str, ...]
    crates: tuple[str, ...]
    kinds: tuple[str, ...]
    severity: str
    runs: tuple[Run, ...]
    keys: tuple[str, ...]
    """Ids of the site keys."""
    head: str
    """Title and message in lower case."""
    words: str
    """Everything searched, in lower case."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a visitor asks for; "" is anything. `explained`: only what an entry explains."""

    text: str = ""
    repo: str = ""
    crate: str = ""
    kind: str = ""
    severity: str = ""
    orders: Mapping[str, int] | None = None
    """The version asked for: repository to the order of its revision. None: any."""
    explained: bool = False

    @property
    def narrowed(self) -> bool:
        """Whether anything but `explained` is asked for."""
        return bool(self.text or self.repo or self.crate or self.kind or self.severity or self.orders is not None)


@dataclass(frozen=True, slots=True)
class Results:
    """All that fits, best first. `loose`: nothing holds every word, so these hold most of them."""

    docs: Sequence[Doc]
    loose: bool = False
    instead: str = ""
    """The words that were looked for, where nothing has those asked for: mistyped ones put right."""


def tokens(text: str) -> tuple[str, ...]:
    """The words of a query that tell something, in order, each once."""
    found = dict.fromkeys(_WORD.findall(text.lower()[:LONGEST_QUERY]))
    return tuple(word for word in found if word not in _NOISE) or tuple(found)


def vocabulary(docs: Iterable[Doc]) -> frozenset[str]:
    """Words of the explained documents that a mistyped word can be meant to be."""
    return frozenset(
        word for doc in docs if doc.explained for word in _WORD.findall(doc.words) if len(word) >= _SHORTEST
    )


def put_right(words: Sequence[str], docs: Sequence[Doc], known: Collection[str]) -> tuple[str, ...]:
    """The words, each that no document holds replaced by the known word that is nearest to it, if one is near."""
    return tuple(dict.fromkeys(_nearest(w, known) if not any(w in doc.words for doc in docs) else w for w in words))


def _nearest(word: str, known: Collection[str]) -> str:
    if len(word) < _SHORTEST:
        return word
    found = process.extractOne(word, known, scorer=Levenshtein.normalized_similarity, score_cutoff=_NEAR)
    return str(found[0]) if found else word


def search(
    docs: Iterable[Doc], query: Query, fitting: Sequence[str] = (), known: Collection[str] = frozenset()
) -> Results:
    """The documents that fit a query.

    `fitting`: ids of site keys whose message template fits the text, best first. `known`: words that a mistyped one can
    be meant to be.
    """
    kept = [doc for doc in docs if _passes(doc, query)]
    words = tokens(query.text)
    if not words:
        return Results(kept)
    rank = {key: place for place, key in reversed(list(enumerate(fitting)))}
    exact = [doc for doc in kept if any(key in rank for key in doc.keys)]
    strict = _holding_all(kept, words)
    phrase = " ".join(query.text.lower().split())
    if exact or strict:
        both = {doc.id: doc for doc in (*exact, *strict)}
        return Results(sorted(both.values(), key=lambda doc: _order(doc, words, phrase, rank)))
    better = put_right(words, kept, known)
    meant = _holding_all(kept, better) if better != words else []
    if meant:
        return Results(sorted(meant, key=lambda doc: _order(doc, better, "\0", {})), instead=" ".join(better))
    return Results(_loosely(kept, better), loose=True)


def _holding_all(docs: Sequence[Doc], words: Sequence[str]) -> list[Doc]:
    return [doc for doc in docs if all(word in doc.words for word in words)]


def _passes(doc: Doc, query: Query) -> bool:
    return (
        (doc.explained or not query.explained)
        and (not query.repo or query.repo in doc.repos)
        and (not query.crate or query.crate in doc.crates)
        and (not query.kind or query.kind in doc.kinds)
        and (not query.severity or query.severity == doc.severity)
        and (query.orders is None or any(run.first <= query.orders.get(run.repo, -1) <= run.last for run in doc.runs))
    )


def _order(doc: Doc, words: Sequence[str], phrase: str, rank: Mapping[str, int]) -> tuple[bool, int, int, str]:
    """Entries before bare sites, then by how well the text fits."""
    place = min((rank[key] for key in doc.keys if key in rank), default=len(rank) + 1)
    score = 100 * (phrase in doc.head) + sum(3 if word in doc.head else 1 for word in words)
    return (not doc.explained, place, -score, doc.id)


def _loosely(docs: Sequence[Doc], words: Sequence[str]) -> list[Doc]:
    """Documents with most of the words, rare words counting more."""
    holding = {word: [doc for doc in docs if word in doc.words] for word in words}
    weights = {word: math.log(1 + len(docs) / len(found)) for word, found in holding.items() if found}
    # A word that nothing holds still counts: a query of such words has no result.
    unknown = math.log(1 + len(docs)) if docs else 0.0
    total = sum(weights.values()) + unknown * (len(words) - len(weights)) / 2
    scores: dict[str, float] = defaultdict(float)
    by_id: dict[str, Doc] = {}
    for word, weight in weights.items():
        for doc in holding[word]:
            scores[doc.id] += weight
            by_id[doc.id] = doc
    enough = [(score, by_id[name]) for name, score in scores.items() if score >= _ENOUGH * total]
    return [doc for score, doc in sorted(enough, key=lambda item: (not item[1].explained, -item[0], item[1].id))]
