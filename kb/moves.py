"""Which site key goes on as which other key: crate renames, splits, moved functions, rewordings, other repositories.

Worked out between neighbouring revisions, from the keys that end at the one and those that begin at the other. Pure.
A link is made only where one pair is better than every other; where two fit alike there is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter

from rapidfuzz import fuzz

from kb.model import SiteKey, SiteKind
from kb.records import RepoIndex, keys_of

ENOUGH_TEXT = 12
"""Literal characters from which a template says where it comes from, also when the function is another one."""
ALIKE = 60.0
"""RapidFuzz ratio from which two texts of one function count as the same message, reworded."""
CONTAINED = 90.0
"""RapidFuzz partial ratio from which the shorter of two texts of one function counts as kept in the longer one."""
ENOUGH_KEYS = 3
"""Keys that must have gone from one crate to another repository's before the single ones are believed."""

_WORD = re.compile(r"\w+")
_PARTS = attrgetter("repo", "crate", "function", "kind", "template")

CALLS = frozenset({SiteKind.UNWRAP, SiteKind.EXPECT, SiteKind.UNWRAP_ERR, SiteKind.EXPECT_ERR})


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """`old` stands at the revision `step` of its repository and not at the next one; `new` goes on for it."""

    old: SiteKey
    new: SiteKey
    step: int
    how: str


@dataclass(slots=True)
class Stands:
    """Where every key of a repository stands."""

    masks: dict[SiteKey, int] = field(default_factory=dict)
    """Bit i is set where the key stands at revision i."""
    files: dict[SiteKey, dict[str, int]] = field(default_factory=dict)


@dataclass(slots=True)
class _Step:
    """Keys that end at a revision and keys that begin at the next one; matched ones are taken out."""

    gone: list[SiteKey]
    new: list[SiteKey]
    tails: Callable[[SiteKey], frozenset[str]]
    links: list[tuple[SiteKey, SiteKey, str]] = field(default_factory=list)

    def match(self, how: str, name: Callable[[SiteKey], object], fits: Callable[[SiteKey, SiteKey], float]) -> None:
        """Link keys with the same `name` (None: not by this rule) whose `fits` is above 0, the best pair first."""
        groups: dict[object, tuple[list[SiteKey], list[SiteKey]]] = {}
        for side, keys in enumerate((self.gone, self.new)):
            for key in keys:
                label = name(key)
                if label is not None:
                    groups.setdefault(label, ([], []))[side].append(key)
        taken: set[SiteKey] = set()
        for gone, new in groups.values():
            for old, successor in _best_pairs(gone, new, fits) if gone and new else ():
                self.links.append((old, successor, how))
                taken.update((old, successor))
        self.gone = [key for key in self.gone if key not in taken]
        self.new = [key for key in self.new if key not in taken]


def in_order(keys: Iterable[SiteKey]) -> list[SiteKey]:
    """Keys sorted. By their parts as tuples, which is many times quicker than comparing the keys themselves."""
    return sorted(keys, key=_PARTS)


def stands(index: RepoIndex) -> Stands:
    """Masks and files of all keys of one repository."""
    found, known = Stands(), keys_of(index.repo)
    for version in index.files:
        keys = {known(version.crate, one) for one, _, _ in version.sites}
        for key in keys:
            found.masks[key] = found.masks.get(key, 0) | version.mask
            files = found.files.setdefault(key, {})
            files[version.path] = files.get(version.path, 0) | version.mask
    return found


def find_links(indexes: Sequence[RepoIndex], renamed: Collection[tuple[str, str, str, str]] = ()) -> list[Link]:
    """All links within and between the repositories, sorted.

    `renamed`: (repository, crate, new repository, new crate) that people have checked; between those one key is enough.
    """
    known = {index.repo: stands(index) for index in indexes}
    links: list[Link] = []
    for index in indexes:
        links += _within(known[index.repo], len(index.revisions))
    ended = _ended(indexes, known, links)
    for index in indexes:
        for other in indexes:
            if other is not index:
                links += _between(ended[index.repo], known, index, other, renamed)
    return sorted(links, key=lambda link: (_PARTS(link.old), _PARTS(link.new), link.step))


def _within(known: Stands, revisions: int) -> Iterator[Link]:
    gone: list[list[SiteKey]] = [[] for _ in range(revisions)]
    new: list[list[SiteKey]] = [[] for _ in range(revisions)]
    for key in in_order(known.masks):
        mask = known.masks[key]
        changes = (mask ^ mask >> 1) & ((1 << revisions - 1) - 1)
        while changes:
            step = (changes & -changes).bit_length() - 1
            changes &= changes - 1
            (gone if mask >> step & 1 else new)[step].append(key)
    for step in range(revisions - 1):
        yield from (Link(old, to, step, how) for old, to, how in _step(known, step, gone[step], new[step]))


def _step(known: Stands, step: int, gone: list[SiteKey], new: list[SiteKey]) -> Sequence[tuple[SiteKey, SiteKey, str]]:
    both = 3 << step
    tails = {key: _tails(known.files[key], both) for key in (*gone, *new)}
    work = _Step(gone, new, tails.__getitem__)

    def near(old: SiteKey, to: SiteKey) -> float:
        return 1 + len(tails[old] & tails[to]) + (_last(old.function) == _last(to.function))

    def near_file(old: SiteKey, to: SiteKey) -> float:
        return near(old, to) if tails[old] & tails[to] or _last(old.function) == _last(to.function) else 0

    def near_name(old: SiteKey, to: SiteKey) -> float:
        return near(old, to) if old.template or "::" in old.function or tails[old] & tails[to] else 0

    def near_kind(old: SiteKey, to: SiteKey) -> float:
        return near(old, to) if old.kind != to.kind else 0

    work.match("crate", lambda k: (k.function, k.kind, k.template) if k.function else None, near_name)
    work.match("function", lambda k: (k.crate, k.kind, k.template) if k.template else None, near_file)
    work.match("function", lambda k: (k.crate, k.kind, k.template) if _telling(k) else None, near)
    work.match("crate", lambda k: (k.kind, k.template) if _telling(k) else None, near)
    work.match("kind", lambda k: (k.crate, k.function, k.template) if k.template else None, near)
    work.match("reworded", lambda k: (k.crate, k.function, k.kind) if k.template else None, _alike)
    work.match("kind", lambda k: (k.crate, k.function) if k.kind in CALLS else None, near_kind)
    work.match("function", lambda k: (k.crate, _folded(k.function), k.kind, _folded(k.template)), near)
    renamed = _renames(work.links)
    work.match("function", _under(renamed, new, lambda f, k: (f, k.kind, k.template)), near_name)
    work.match("reworded", _under(renamed, new, lambda f, k: (f, k.kind) if k.template else None), _alike)
    return work.links


def _under(
    renamed: Mapping[str, str], new: Iterable[SiteKey], name: Callable[[str, SiteKey], object]
) -> Callable[[SiteKey], object]:
    """`name` of a key, its function called as on the newer side, by the renames that other keys have shown."""
    newer = frozenset(new)

    def named(key: SiteKey) -> object:
        function = key.function
        if key not in newer:
            words = _WORD.sub(lambda m: renamed.get(m[0], m[0]), function)
            function = renamed.get(function, words)
        return name(function, key) if function else None

    return named


def _renames(links: Iterable[tuple[SiteKey, SiteKey, str]]) -> dict[str, str]:
    """Old -> new name of functions, and of types one word long, where the links of texts leave no doubt."""
    counts: dict[str, Counter[str]] = {}
    for old, new, _ in links:
        if old.template and old.function and new.function != old.function:
            counts.setdefault(old.function, Counter())[new.function] += 1
            words = _WORD.findall(old.function), _WORD.findall(new.function)
            changed = [pair for pair in zip(*words, strict=False) if pair[0] != pair[1]]
            if len(words[0]) == len(words[1]) and len(changed) == 1 and changed[0][0][0].isupper():
                counts.setdefault(changed[0][0], Counter())[changed[0][1]] += 1
    return {name: next(iter(found)) for name, found in counts.items() if len(found) == 1}


def _folded(text: str) -> str:
    return re.sub(r"\W|_", "", text).casefold() or text


def _ended(
    indexes: Sequence[RepoIndex], known: Mapping[str, Stands], links: Iterable[Link]
) -> dict[str, list[SiteKey]]:
    """Keys that stand no more at main and have no successor, by repository."""
    followed = {(link.old, link.step) for link in links}
    ended: dict[str, list[SiteKey]] = {}
    for index in indexes:
        lasts = {key: mask.bit_length() - 1 for key, mask in known[index.repo].masks.items()}
        newest = len(index.revisions) - 1
        ended[index.repo] = in_order(k for k, last in lasts.items() if last < newest and (k, last) not in followed)
    return ended


def _between(
    ended: Sequence[SiteKey],
    known: Mapping[str, Stands],
    here: RepoIndex,
    there: RepoIndex,
    renamed: Collection[tuple[str, str, str, str]],
) -> Iterator[Link]:
    """Successors in another repository, where they stand longer, of crates that went there in number."""
    masks, others = known[here.repo].masks, known[there.repo].masks
    by_name: dict[tuple[object, ...], list[SiteKey]] = {}
    for key in in_order(others):
        by_name.setdefault((key.function, key.kind, key.template), []).append(key)
    pairs = [
        (old, new)
        for old in ended
        if old.function
        for new in by_name.get((old.function, old.kind, old.template), ())
        if _last_date(there, others[new]) > _last_date(here, masks[old])
        # A crate name that both repositories use (xtask) is two crates.
        and new.crate not in (here.revisions[-1].crates if here.revisions else ())
    ]
    moved = Counter((old.crate, new.crate) for old, new in pairs if _telling(old))
    chosen: dict[SiteKey, list[SiteKey]] = {}
    for old, new in pairs:
        if moved[old.crate, new.crate] >= ENOUGH_KEYS or (old.repo, old.crate, new.repo, new.crate) in renamed:
            chosen.setdefault(old, []).append(new)
    for old, successors in chosen.items():
        best = sorted(successors, key=lambda new: (-moved[old.crate, new.crate], new))[0]
        yield Link(old, best, masks[old].bit_length() - 1, "repository")


def _last_date(index: RepoIndex, mask: int) -> str:
    """When the last revision of a mask was current. A later version that is older says that the tag was set anew."""
    return min(revision.date for revision in index.revisions[mask.bit_length() - 1 :])


def _best_pairs(
    gone: Sequence[SiteKey], new: Sequence[SiteKey], fits: Callable[[SiteKey, SiteKey], float]
) -> Iterator[tuple[SiteKey, SiteKey]]:
    """Pairs from the best fit down; where two pairs with a key in common fit alike, that key stays without."""
    levels: dict[float, list[tuple[SiteKey, SiteKey]]] = {}
    for old in gone:
        for to in new:
            levels.setdefault(fits(old, to), []).append((old, to))
    done: set[SiteKey] = set()
    for score in sorted((s for s in levels if s > 0), reverse=True):
        pairs = [(old, to) for old, to in levels[score] if old not in done and to not in done]
        degree = Counter(key for pair in pairs for key in pair)
        done.update(degree)
        yield from (pair for pair in pairs if degree[pair[0]] == degree[pair[1]] == 1)


def _alike(old: SiteKey, new: SiteKey) -> float:
    ratio = fuzz.ratio(old.template, new.template)
    if ratio < ALIKE and _telling(old) and _telling(new):
        # A text that was only made longer or shorter: the one stands in the other almost as it is.
        ratio = ALIKE if fuzz.partial_ratio(old.template, new.template) >= CONTAINED else 0
    return ratio if ratio >= ALIKE else 0


def _telling(key: SiteKey) -> bool:
    """Whether the template alone says where the text comes from."""
    return _letters(key.template) >= ENOUGH_TEXT


@cache
def _letters(template: str) -> int:
    literal = "".join(part.partition("}")[2] or part for part in template.split("{"))
    return sum(map(str.isalnum, literal))


def _tails(files: Mapping[str, int], mask: int) -> frozenset[str]:
    """The last two parts of the files in which a key stands at a step."""
    return frozenset("/".join(path.split("/")[-2:]) for path, standing in files.items() if standing & mask)


def _last(function: str) -> str:
    return function.rpartition("::")[2]
