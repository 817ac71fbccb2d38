"""Site keys resolve in every release that the entry claims, and in no other."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from kb import standing as stand
from kb.entry import CauseSite, EntrySite
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.load import EntryFile
from kb.model import MAIN, Revision, SiteKind
from kb.prose import bare_name
from kb.shape import Path as DataPath

NEEDS_INDEX = True
EXEMPTABLE = False


def check(tree: Tree) -> Iterator[Hit]:
    """One finding for each site whose claim and the index differ."""
    for file, entry in tree.current:
        for i, site in enumerate(entry.sites):
            yield from _site(tree, file, ("sites", i), site)
        for i, site in enumerate(entry.affected.moved_to):
            yield from _site(tree, file, ("affected", "moved_to", i), site)
        for i, cause in enumerate(entry.cause_sites):
            yield from _cause(tree, file, ("cause_sites", i), cause)


def _cause(tree: Tree, file: EntryFile, path: DataPath, cause: CauseSite) -> Iterator[Hit]:
    """A function that writes or causes something is no site: the list of names knows it, at both ends of each run."""
    name = bare_name(cause.function).rstrip("!")
    for j, run in enumerate(cause.stands):
        for tag in dict.fromkeys((run.first, run.last)):
            revision = tree.source().revision(cause.repo, tag) if cause.repo in tree.source().repos() else None
            if revision is None or tree.rank(cause.repo, tag) is None:
                yield Hit(
                    file, (*path, "stands", j), f"{cause.repo} has no release {tag}", "take a tag of that repository"
                )
            elif tree.names is not None and not tree.names.has_name(revision, name):
                yield Hit(
                    file, path, f"no `{name}` in the source at {tag}", "take the function and the releases it has"
                )


def _site(tree: Tree, file: EntryFile, path: DataPath, site: EntrySite) -> Iterator[Hit]:
    if site.repo not in tree.source().repos():
        yield Hit(file, (*path, "repo"), f"{site.repo} is not indexed", "see kb/repos.yaml for the family")
        return
    unknown = [tag for run in site.stands for tag in (run.first, run.last) if tree.rank(site.repo, tag) is None]
    for tag in unknown:
        yield Hit(file, (*path, "stands"), f"{site.repo} has no release {tag}", "take a tag of that repository")
    if unknown:
        return
    if stand.is_function(site):
        yield from _function(tree, file, path, site)
        return
    actual = standing(tree, site)
    if not actual:
        yield Hit(file, path, f"the index has no such site: {_words(site)}", nearest(tree, site))
        return
    claimed = {r.name for run in site.stands for r in tree.between(site.repo, run.first, run.last)}
    wrong = [r.name for r in tree.source().revisions(site.repo) if (r.name in claimed) != (r.name in actual)]
    if wrong:
        yield Hit(
            file, (*path, "stands"), _difference(wrong, claimed, site), f"the index says: {runs_text(tree, site)}"
        )


def _function(tree: Tree, file: EntryFile, path: DataPath, site: EntrySite) -> Iterator[Hit]:
    """The function must stand at every claimed release, in one file. It may stand at others, without the panic."""
    homes = stand.homes(tree.source(), site)
    if not homes:
        yield Hit(file, path, f"the index has no function {site.function} in {site.crate}", _alike(tree, site))
        return
    for run in site.stands:
        for revision in tree.between(site.repo, run.first, run.last):
            files = [where for first, last, where in homes if first.order <= revision.order <= last.order]
            if not files:
                text = f"{site.function} is claimed at {revision.name}, where the index does not have it"
                yield Hit(file, (*path, "stands"), text, f"the index says: {_homes_text(homes)}")
                return
            if len(stand.spans_of(tree.source(), site, revision)) > 1:
                text = f"{site.crate} has several functions {site.function} at {revision.name}"
                yield Hit(file, path, text, f"give `path`, the end of one of: {', '.join(sorted(set(files)))}")
                return


def _alike(tree: Tree, site: EntrySite) -> str:
    bare = bare_name(site.function)
    names = tree.functions.get((site.repo, site.crate), {})
    close = names.get(bare) or difflib.get_close_matches(bare, names, 1, 0.7)
    near = f"did you mean {sorted(close)[0]!r}? " if close else ""
    return f"{near}`kb sites grep --functions {bare}` lists what there is"


def _homes_text(homes: Sequence[tuple[Revision, Revision, str]]) -> str:
    return ", ".join(f"{first.name} to {last.name} in {path}" for first, last, path in homes[:6])


def standing(tree: Tree, site: EntrySite) -> set[str]:
    """Names of the releases at which the index has the site, its receiver and target included."""
    index = tree.source()
    found = set()
    for first, last in index.stands(site.key):
        for revision in tree.between(site.repo, first.name, last.name):
            if not (site.receiver or site.target or site.macro_body) or _agrees(tree, site, revision):
                found.add(revision.name)
    return found


def _agrees(tree: Tree, site: EntrySite, revision: Revision) -> bool:
    return any(
        (not site.receiver or place.receiver == site.receiver_name)
        and (not site.target or place.target == site.target)
        and (not site.macro_body or place.macro_body)
        for place in tree.source().places(site.key, revision)
    )


def runs_text(tree: Tree, site: EntrySite) -> str:
    """`stands` as the index would write it."""
    actual = standing(tree, site)
    runs: list[list[str]] = []
    previous_in = False
    for revision in tree.source().revisions(site.repo):
        now_in = revision.name in actual
        if now_in and previous_in:
            runs[-1][1] = revision.name
        elif now_in:
            runs.append([revision.name, revision.name])
        previous_in = now_in
    parts = [f"{{from: {first}, to: {last}}}" for first, last in runs]
    return "stands: " + (parts[0] if len(parts) == 1 else "[" + ", ".join(parts) + "]")


def nearest(tree: Tree, site: EntrySite) -> str:
    """What the author may have meant: the key of the index that is most like this one."""
    keys = tree.keys_by_crate.get((site.repo, site.crate), ())
    if not keys:
        return f"the index knows no crate {site.crate} in {site.repo}"
    same = [k for k in keys if k.kind is site.kind]
    words = {_key_words(k.function, k.kind, k.template): k for k in same}
    close = difflib.get_close_matches(_key_words(site.function, site.kind, site.template), words, 1, 0.6)
    if close:
        found = words[close[0]]
        return f"did you mean function {found.function!r}, kind {found.kind}, template {found.template!r}?"
    return f"`kb sites grep` lists what {site.crate} has"


def _key_words(function: str, kind: SiteKind, template: str) -> str:
    return f"{function} {kind} {template}"


def _words(site: EntrySite) -> str:
    text = f"{site.kind} in {site.function} ({site.crate})"
    return f"{text} with the template {site.template!r}" if site.template else text


def _difference(wrong: list[str], claimed: set[str], site: EntrySite) -> str:
    more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    if wrong[0] in claimed:
        return f"{site.function} is claimed at {wrong[0]}{more}, where the index does not have it"
    unclaimed = f"{site.function} also stands at {wrong[0]}{more}, which `stands` leaves out"
    return unclaimed + (", main among them" if MAIN in wrong[1:] else "")
