"""Checks entries against the source itself, in git clones, and writes the proof of those that hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from kb import standing
from kb.entry import Entry, EntrySite, Stand, Status
from kb.errors import KnowledgeBaseError
from kb.lint import lint
from kb.lint.code_names import outside, own_words, relevant, used
from kb.lint.finding import Finding, Hit, located
from kb.lint.tree import Tree
from kb.load import EntryFile
from kb.model import MAIN, Revision, SiteKind
from kb.prose import bare_name
from kb.shape import Path as DataPath
from kb.upkeep.clones import Clones
from kb.upkeep.function_text import function_hashes, wrong_texts
from kb.upkeep.proof import make_proof, prose_hash, with_proof

NAME = "source"
"""Findings against the source are shown under this name."""
RENEWED = frozenset({"proof", "ids", "schema_file"})
"""Checks whose findings do not stand in the way of a proof: it removes them, or they are about other files."""


def bless(
    tree: Tree, folder: Path, only: frozenset[str] | None = None, *, write: bool, skip: Collection[str] = ()
) -> tuple[list[Finding], list[Path]]:
    """Findings of the check against the clones in `folder`, and the files whose proof was written.

    With `write` every published entry without a finding, here or in the other checks, gets a proof. A function whose
    text is no longer the proved one has to be read again: its proof is renewed only for entries named in `only`.
    Raises KnowledgeBaseError for a clone that is missing or damaged.
    """
    clones = Clones(folder)
    wrong = {finding.file for finding in lint(tree, {*skip, *RENEWED})} if write else set()
    findings: list[Finding] = []
    written: list[Path] = []
    for file, entry in tree.current:
        if only is not None and entry.kb_id not in only:
            continue
        hits = list(against_source(tree, clones, file, entry))
        if not (write and only):
            hits += _reread(tree, clones, file, entry)
        findings += [located(hit, NAME, tree.root) for hit in hits]
        name = str(file.path.relative_to(tree.root))
        if write and not hits and name not in wrong and entry.status is Status.PUBLISHED:
            written += _write(tree, clones, file, entry)
    return findings, written


def _reread(tree: Tree, clones: Clones, file: EntryFile, entry: Entry) -> Iterator[Hit]:
    """Functions whose text changed since somebody read it for the proof: no check can tell what that means."""
    # An entry that was edited is read again by whoever edited it.
    proved = entry.proof.functions if entry.proof and entry.proof.prose == prose_hash(entry) else {}
    now = function_hashes(tree.source(), clones, entry) if proved else {}
    for i, site in enumerate(entry.sites):
        if site.key.id in proved and now.get(site.key.id) != proved[site.key.id]:
            remedy = f"read it again, mend the entry, then `kb lint --git DIR --bless {entry.kb_id}`"
            yield Hit(file, ("sites", i), f"the text of {site.function} changed since the proof", remedy)


def _write(tree: Tree, clones: Clones, file: EntryFile, entry: Entry) -> list[Path]:
    repos = {site.repo for site in entry.sites} | {site.repo for site in entry.cause_sites} | {entry.repo}
    functions = function_hashes(tree.source(), clones, entry)
    text = with_proof(file.text, make_proof(entry, {repo: _main(tree, repo) for repo in repos}, functions))
    if text == file.text:
        return []
    file.path.write_text(text, encoding="utf-8")
    return [file.path]


def _main(tree: Tree, repo: str) -> str:
    revision = tree.source().revision(repo, MAIN)
    if revision is None:
        raise KnowledgeBaseError(f"{repo} is not in the index; run `kb index`")
    return revision.commit


def against_source(tree: Tree, clones: Clones, file: EntryFile, entry: Entry) -> Iterator[Hit]:
    """What the source does not bear out: sites, functions behind a foreign panic, code names."""
    for i, site in enumerate(entry.sites):
        yield from _site(tree, clones, file, ("sites", i), site)
    for i, cause in enumerate(entry.cause_sites):
        for revision in _ends(tree, cause.repo, cause.stands):
            name = bare_name(cause.function).rstrip("!")
            if not clones.words(revision, {name}):
                text = f"no `{name}` in the source at {revision.name}"
                yield Hit(file, ("cause_sites", i), text, "take the function and the releases from the source")
    yield from _names(tree, clones, file, entry)
    yield from _calls(tree, clones, file, entry)


def _calls(tree: Tree, clones: Clones, file: EntryFile, entry: Entry) -> Iterator[Hit]:
    """Each function of `reached_by` must call the next, and the last one a function that raises the panic."""
    raising = sorted({bare_name(site.function) for site in entry.sites})
    for i, caller in enumerate(entry.reached_by):
        following = [bare_name(f) for f in entry.reached_by[i + 1 : i + 2]] or raising
        revisions = _corners(relevant(tree, entry))
        if not any(clones.calls(revision, caller, following) for revision in revisions if clones.has(revision)):
            text = f"`{caller}` does not call {' or '.join(f'`{name}`' for name in following[:3])}"
            yield Hit(file, ("reached_by", i), text, "name each function on the way, the public one first")


def _ends(tree: Tree, repo: str, stands: tuple[Stand, ...]) -> Iterator[Revision]:
    for tag in dict.fromkeys(tag for run in stands for tag in (run.first, run.last)):
        revision = tree.source().revision(repo, tag)
        if revision is not None:
            yield revision


def _site(tree: Tree, clones: Clones, file: EntryFile, path: DataPath, site: EntrySite) -> Iterator[Hit]:
    """At both ends of each run the parser must find the key on a line that the index gives for it.

    Of a function the source must hold an expression that can raise the panic.
    """
    if standing.is_function(site):
        for text in wrong_texts(tree.source(), clones, site):
            yield Hit(file, path, text, "claim the releases whose source you read, and the class that it raises")
        return
    for revision in _ends(tree, site.repo, site.stands):
        places = tree.source().places(site.key, revision)
        if places and not any(_holds(clones, site, revision, place.path, place.line) for place in places):
            text = f"the source at {revision.name} has no {site.kind} in {site.function} where the index says"
            yield Hit(file, path, text, "index and source differ: run `kb index` again, or take another clone")


def _holds(clones: Clones, site: EntrySite, revision: Revision, path: str, line: int) -> bool:
    if site.kind is SiteKind.MACRO_CALL:
        # Which macros panic is known only from all files together; the call itself is there to see.
        lines = (clones.text(revision.repo, revision.commit, path) or "").splitlines()
        return site.target in "".join(lines[line - 1 : line])
    facts = clones.facts(revision, path)
    return facts is not None and any(
        (s.line, s.function, s.kind, s.template) == (line, site.function, site.kind, site.template) for s in facts.sites
    )


def _names(tree: Tree, clones: Clones, file: EntryFile, entry: Entry) -> Iterator[Hit]:
    """Every code name must stand in the text of the first, the last or the newest release in question."""
    quoted = outside() | own_words(entry)
    wanted = [(path, line, name) for path, line, name in used(entry) if name not in quoted]
    missing = {name for _, _, name in wanted}
    for revision in _corners(relevant(tree, entry)):
        if missing and clones.has(revision):
            missing -= clones.words(revision, missing)
    for path, line, name in wanted:
        if name in missing:
            yield Hit(file, path, f"`{name}` stands nowhere in the source", "spell it as the source does", line=line)


def _corners(revisions: list[Revision]) -> list[Revision]:
    """Of each repository the last, first and middle one: a whole range would be searched for minutes."""
    found = []
    for repo in dict.fromkeys(r.repo for r in revisions):
        own = [r for r in revisions if r.repo == repo]
        found += list(dict.fromkeys([own[-1], own[0], own[len(own) // 2]]))
    return found
