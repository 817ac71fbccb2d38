"""What became of the entries' sites between two revisions: same, moved, reworded or gone. Pure over the catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kb.entry import Entry
from kb.model import Revision, SiteAt, SiteIndex, SiteKey


class Change(StrEnum):
    """What a person has to look at, the least first."""

    SAME = "same"
    """Same key, same file; the line may be another one."""
    MOVED = "moved"
    """Same words in another file, function, crate or repository."""
    REWORDED = "reworded"
    """The function says it in other words, or raises it by another macro."""
    GONE = "gone"
    """Nothing goes on for it. Whether that is a fix is for a person to say."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One site of one entry."""

    entry: Entry
    key: SiteKey
    change: Change
    before: SiteAt
    after: SiteAt | None


def drift(index: SiteIndex, entries: Sequence[Entry], old: Revision, new: Revision) -> list[Drift]:
    """Sites of `entries` that stand at `old`, in the order of the entries. `old` and `new` are of one repository."""
    return [found for entry in entries if entry.live for found in _entry_drift(index, entry, old, new)]


def report(old: Revision, new: Revision, found: Sequence[Drift]) -> str:
    """Markdown: a line for each entry's site that changed, the counts of all."""
    counts = Counter(d.change for d in found)
    words = ", ".join(f"{counts[change]} {change}" for change in Change)
    lines = [f"## {old.repo}: {old.name} → {new.name}", "", f"{len(found)} sites of entries: {words}.", ""]
    changed = [d for d in found if d.change is not Change.SAME]
    if changed:
        lines += ["| entry | change | was | now |", "|---|---|---|---|"]
        lines += [_row(d) for d in sorted(changed, key=lambda d: (list(Change).index(d.change), d.entry.kb_id, d.key))]
        lines.append("")
    return "\n".join(lines)


def _entry_drift(index: SiteIndex, entry: Entry, old: Revision, new: Revision) -> Iterator[Drift]:
    for key in dict.fromkeys(key for key in entry.keys if key.repo == old.repo):
        before = index.places(key, old)
        if before:
            after = index.follow(key, new)
            yield Drift(entry, key, _change(key, before, after), before[0], after[0] if after else None)


def _change(key: SiteKey, before: Sequence[SiteAt], after: Sequence[SiteAt]) -> Change:
    if not after:
        return Change.GONE
    same = [site for site in after if site.key == key]
    if same:
        return Change.SAME if {s.path for s in before} & {s.path for s in same} else Change.MOVED
    words = {(site.key.kind, site.key.template) for site in after}
    return Change.MOVED if (key.kind, key.template) in words else Change.REWORDED


def _row(found: Drift) -> str:
    now = f"{_words(found.after)}" if found.after is not None else "—"
    return f"| {found.entry.kb_id} | {found.change} | {_words(found.before)} | {now} |"


def _words(site: SiteAt) -> str:
    text = f" “{site.key.template}”" if site.key.template else ""
    cell = f"[{site.path}:{site.line}]({site.permalink}) `{site.key.function}` {site.key.kind}{text}"
    return cell.replace("|", "\\|").replace("\n", " ")
