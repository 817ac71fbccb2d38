"""What a revision does to each entry: sites the same, moved, reworded or gone, and whether it says so already. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kb import standing
from kb.entry import Entry, EntrySite
from kb.lint.tree import Tree
from kb.model import MAIN, Revision, SiteAt, SiteIndex


class Change(StrEnum):
    """What became of a site, the gravest last."""

    SAME = "same"
    MOVED = "moved"
    """The same words on another line, in another file, function, crate or repository."""
    REWORDED = "reworded"
    """The function says it in other words, or raises it by another macro; a function site: its source changed."""
    GONE = "gone"
    """Nothing goes on for it. Whether that is a fix is for a person to say."""


GRAVITY = list(Change)
"""The changes, the gravest last."""


@dataclass(frozen=True, slots=True)
class SiteDrift:
    """One site of an entry at the two revisions."""

    site: EntrySite
    change: Change
    old: SiteAt | None
    new: SiteAt | None
    stated: bool
    """Whether the entry says so already; then nothing is to be done."""


@dataclass(frozen=True, slots=True)
class EntryDrift:
    """One entry; `change` is the gravest of its sites that it does not state itself."""

    entry: Entry
    file: str
    sites: tuple[SiteDrift, ...]

    @property
    def change(self) -> Change:
        """The gravest change that is not stated; SAME where all is."""
        open_changes = [d.change for d in self.sites if not d.stated]
        return max(open_changes, key=GRAVITY.index, default=Change.SAME)

    @property
    def needs_work(self) -> bool:
        """Whether a person has to look: a place that only moved is followed by the index."""
        return self.change in (Change.REWORDED, Change.GONE)


Differs = Callable[[EntrySite, Revision, Revision], bool]
"""Whether a function's source differs between two revisions, as clones tell; the index has no source."""


def drift(tree: Tree, target: Revision, differs: Differs = lambda site, old, new: False) -> list[EntryDrift]:
    """Every entry with a site that stood just before `target` (or, for another repository, before its companion).

    Entries whose sites had all ended before are left out, as are withdrawn ones.
    """
    found = []
    for file, entry in tree.current:
        sites = [d for site in entry.sites if (d := _site(tree, entry, site, target, differs)) is not None]
        if sites:
            found.append(EntryDrift(entry, str(file.path.relative_to(tree.root)), tuple(sites)))
    return found


def revision_for(index: SiteIndex, target: Revision, repo: str) -> Revision | None:
    """The revision of `repo` that goes with `target`: itself, its companion release, or main with main."""
    if repo == target.repo:
        return target
    return index.companion(target, repo) or (index.revision(repo, MAIN) if target.name == MAIN else None)


def _site(tree: Tree, entry: Entry, site: EntrySite, target: Revision, differs: Differs) -> SiteDrift | None:
    index = tree.source()
    revision = revision_for(index, target, site.repo)
    if revision is None:
        return None
    before = index.revisions(site.repo)[max(revision.order - 1, 0)]
    claimed = {r.name for run in site.stands for r in tree.between(site.repo, run.first, run.last)}
    if before.name not in claimed and revision.name not in claimed:
        return None
    old = next(iter(standing.places(index, site, before)), None)
    here = standing.places(index, site, revision)
    if here and old and standing.is_function(site) and differs(site, before, revision):
        return SiteDrift(site, Change.REWORDED, old, here[0], stated=revision.name not in claimed)
    if here:
        moved = old is not None and (here[0].path, here[0].line) != (old.path, old.line)
        return SiteDrift(site, Change.MOVED if moved else Change.SAME, old, here[0], stated=not moved)
    new, change = _successor(index, site, revision)
    own = new is not None and new.key in entry.keys
    return SiteDrift(site, change, old, new, own or revision.name not in claimed)


def _successor(index: SiteIndex, site: EntrySite, revision: Revision) -> tuple[SiteAt | None, Change]:
    """The site that took this one's place, as the index follows it: the same words elsewhere, or other words.

    A function that left its file is looked for in the rest of the crate; nothing says that its source is the same.
    """
    if standing.is_function(site):
        elsewhere = standing.places(index, replace(site, path=""), revision)
        return (elsewhere[0], Change.REWORDED) if elsewhere else (None, Change.GONE)
    key = site.key
    for place in index.follow(key, revision):
        same_words = (place.key.kind, place.key.template) == (key.kind, key.template)
        return place, Change.MOVED if same_words else Change.REWORDED
    return None, Change.GONE


def markdown(found: Sequence[EntryDrift], target: Revision) -> str:
    """The report for a pull request: what a person has to do first, then what only moved, then the count."""
    work = [d for d in found if d.needs_work]
    moved = [d for d in found if d.change is Change.MOVED]
    lines = [f"## Entries at {target.repo} {target.name} ({target.commit[:10]})", ""]
    lines.append(
        f"{len(found)} entries looked at: {len(work)} need a person, {len(moved)} moved, the rest are the same."
    )
    if work:
        lines += ["", "| entry | what | old | new |", "|---|---|---|---|"]
        lines += [_row(d, s) for d in work for s in d.sites if not s.stated and s.change is not Change.SAME]
    if moved:
        lines += ["", "<details><summary>Moved, nothing to do</summary>", ""]
        lines += [f"- {d.entry.kb_id}: {_place(s.old)} -> {_place(s.new)}" for d in moved for s in d.sites if _moved(s)]
        lines += ["", "</details>"]
    return "\n".join(lines) + "\n"


def _moved(site: SiteDrift) -> bool:
    return site.change is Change.MOVED


def _row(entry: EntryDrift, drifted: SiteDrift) -> str:
    new = drifted.new
    after = f"{_code(new.key.template)} at {_place(new)}" if new else "nothing with these words or in this function"
    before = f"{_code(drifted.site.key.template)} at {_place(drifted.old)}"
    return f"| {entry.entry.kb_id} ({entry.file}) | {drifted.change} | {before} | {after} |"


def _place(site: SiteAt | None) -> str:
    return f"[`{site.key.function}`, {site.path}:{site.line}]({site.permalink})" if site else "no place"


def _code(text: str) -> str:
    shown = text.replace("|", "\\|").replace("\n", " ")
    ticks = "``" if "`" in shown else "`"
    pad = " " if "`" in shown else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}" if shown else "(no text)"
