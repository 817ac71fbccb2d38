"""How many panic sites are found again at the next release, and how: the figure that says whether links are good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kb.model import SiteKey
from kb.moves import Link
from kb.records import RepoIndex, keys_of


@dataclass(frozen=True, slots=True)
class Step:
    """Sites outside tests at one revision, by what became of them at the next one."""

    repo: str
    old: str
    new: str
    total: int
    stayed: int
    """Same key, wherever it stands."""
    linked: Mapping[str, int]
    """Found through a link, by its kind."""

    @property
    def followed(self) -> float:
        """Share found again, 0 to 1."""
        return (self.stayed + sum(self.linked.values())) / self.total if self.total else 1.0


def steps(index: RepoIndex, links: Iterable[Link]) -> Sequence[Step]:
    """Each revision of one repository against the one after it. A key's sites count up to as many as it has there."""
    counts = _site_counts(index)
    by_step: dict[tuple[int, SiteKey], Link] = {(link.step, link.old): link for link in links}
    return [_step(index, place, counts[place], counts[place + 1], by_step) for place in range(len(index.revisions) - 1)]


def _step(
    index: RepoIndex,
    place: int,
    here: Counter[SiteKey],
    there: Counter[SiteKey],
    links: Mapping[tuple[int, SiteKey], Link],
) -> Step:
    stayed, linked = 0, Counter[str]()
    for key, count in here.items():
        stayed += min(count, there[key])
        link = links.get((place, key))
        if link is not None:
            linked[link.how] += count if link.how == "repository" else min(count, there[link.new])
    names = index.revisions[place].name, index.revisions[place + 1].name
    return Step(index.repo, *names, here.total(), stayed, dict(sorted(linked.items())))


def _site_counts(index: RepoIndex) -> list[Counter[SiteKey]]:
    known = keys_of(index.repo)
    counts: list[Counter[SiteKey]] = [Counter() for _ in index.revisions]
    for version in index.files:
        keys = [known(version.crate, one) for one, _, _ in version.sites if not one.test]
        for place in range(version.first, version.last + 1):
            counts[place].update(keys)
    return counts
