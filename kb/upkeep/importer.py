"""Checks a page of a generated knowledge base against the index, and makes a draft of one that holds."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from kb.claim import SHORTEST
from kb.entry import (
    UNRELEASED,
    Defensive,
    Entry,
    EntryRole,
    ExampleFix,
    Provenance,
    Severity,
    Status,
    Versions,
    When,
    Workaround,
)
from kb.lint.style import TITLE
from kb.lint.tree import NameIndex
from kb.model import LOCATED_KINDS, MAIN, Revision, SiteAt, SiteIndex, SiteKey, SiteKind
from kb.prose import bare_name
from kb.source.snippet import syntax_error
from kb.template import agrees, literal_length, squeeze
from kb.upkeep.claims import Claim, claims_to_check, code_words, tick_names
from kb.upkeep.drafts import affected, against, entry_sites, example, find_keys, printed
from kb.upkeep.ids import new_hex_id
from kb.upkeep.page import Page

CALL = re.compile(r'(?P<macro>[a-z_]+!)\(\s*"(?P<template>.*)"\s*(?:,.*)?\)', re.DOTALL)
PROSE_OF_CAUSE = ("what it means", "trigger")
"""The sections that must speak of the function that raises the panic; advice alone proves nothing."""
FILE_NOTE = re.compile(r"\s*\((?:[\w./-]+/)?[\w-]+\.rs(?::\d+)?\)")


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a page: reasons against it, notes about it, and the site it is about."""

    page: Page
    reasons: tuple[str, ...]
    """Why it is refused; none where it passes."""
    notes: tuple[str, ...] = ()
    """What a reviewer has to know."""
    site: SiteAt | None = None
    claims: tuple[Claim, ...] = ()


def check_page(page: Page, index: SiteIndex, names: NameIndex, known: Sequence[Entry] = ()) -> Checked:
    """Everything about a page that the index can decide, each finding with what the index says instead."""
    revision, notes = pinned_revision(page, index)
    if revision is None:
        return Checked(page, (f"{page.repo} is no repository of the family: {', '.join(index.repos())}",))
    site = find_site(page, index, revision)
    if site is None:
        return Checked(page, (_no_site(page, index, revision),), tuple(notes))
    if site.line != page.line or site.path != page.path:
        where = f"{site.path}:{site.line}" if site.path != page.path else f"line {site.line}"
        notes.append(f"thrown at line {page.line}: at {revision.name} it is {where}")
    if CALL.fullmatch(page.message.strip()):
        notes.append(f"the message is source code; a user sees: {printed(site.key)}")
    notes += [
        f"the page's id {page.id} belongs to {entry.kb_id}" for entry in known if page.id and page.id in entry.ids
    ]
    reasons = [
        *_about_another(page, index, site),
        *_unknown_names(page, names, revision),
        *_broken_code(page),
    ]
    return Checked(page, tuple(reasons), tuple(notes), site, tuple(claims_to_check(page, index, site)))


def pinned_revision(page: Page, index: SiteIndex) -> tuple[Revision | None, list[str]]:
    """The revision to check at: the page's commit where it is indexed, else its nearest release, else main."""
    if page.repo not in index.repos():
        return None, []
    found = index.revision(page.repo, page.commit) if page.commit else None
    if found is not None:
        return found, []
    main = index.revision(page.repo, MAIN)
    said = f"commit {page.commit} is not in the index" if page.commit else "the page names no commit"
    return main, [f"{said}; checked at main ({main.commit[:10]}, {main.date[:10]})" if main else said]


def find_site(page: Page, index: SiteIndex, revision: Revision) -> SiteAt | None:
    """The site that the page's source line and message name: in that file by message, the nearest line first."""
    sites = index.sites_in(revision, page.path)
    fitting = [site for site in sites if _says(site.key, page.message)]
    if not fitting:
        tail = page.path.rsplit("/", 1)[-1]
        paths = index.paths(revision, tail)
        fitting = [site for path in paths for site in index.sites_in(revision, path) if _says(site.key, page.message)]
    return min(fitting, key=lambda site: (site.path != page.path, abs(site.line - page.line)), default=None)


def _says(key: SiteKey, message: str) -> bool:
    """Whether the message is the site's, as printed, as the bare template, or as the macro call of the source."""
    text = message.strip()
    call = CALL.fullmatch(text)
    if call:
        kinds = {"todo!": SiteKind.TODO, "unimplemented!": SiteKind.UNIMPLEMENTED, "panic!": SiteKind.PANIC}
        kind = kinds.get(call["macro"], key.kind)
        return key.kind is kind and squeeze(key.template) == squeeze(call["template"])
    if squeeze(key.template) == squeeze(text):
        return bool(key.template)
    return literal_length(key.template) >= SHORTEST and agrees(key.kind, key.template, text)


def _no_site(page: Page, index: SiteIndex, revision: Revision) -> str:
    elsewhere = sorted({f"{key.crate} {key.function}" for key in index.keys(LOCATED_KINDS) if _says(key, page.message)})
    found = (
        f"; the same words stand in {', '.join(elsewhere[:4])}"
        if elsewhere
        else "; no site of the index has these words"
    )
    return f"{page.path} has no panic with this message at {revision.name}{found}"


def _about_another(page: Page, index: SiteIndex, site: SiteAt) -> list[str]:
    """The prose must name the raising function, or for a tensor check an API function that calls it."""
    text = "\n".join(prose for name, prose in page.prose() if name in PROSE_OF_CAUSE)
    named = code_words(text)
    callers = (
        {bare_name(s.key.function) for s in index.callers_of_check(site.target, site.revision)}
        if site.target
        else set()
    )
    wanted = {bare_name(site.key.function).rstrip("!"), *callers}
    if named & wanted:
        return []
    reason = (
        f"the explanation never names `{site.key.function}`, the function of {site.key.crate} that raises this panic"
    )
    others = _functions_named(code_words(page.meaning), index, site.revision)
    return [f"{reason}; it is about {', '.join(others)}" if others else reason]


def _functions_named(named: set[str], index: SiteIndex, revision: Revision) -> list[str]:
    """Functions of the index that the prose names, with their crates."""
    found: dict[str, str] = {}
    keys = [key for key in index.keys(frozenset(SiteKind)) if key.repo == revision.repo]
    said = {word.lower() for word in named}

    def named_parts(key: SiteKey) -> int:
        """Where several types have the function, the one whose type, trait and crate the prose names is meant."""
        return len(
            {word.lower() for word in code_words(key.function.rpartition("::")[0]) | {*key.crate.split("-")}} & said
        )

    keys.sort(key=lambda key: (-named_parts(key), key))
    for key in keys:
        bare = bare_name(key.function)
        if bare in named and "_" in bare and bare not in found and index.stands(key):
            found[bare] = f"`{key.function}` of {key.crate}"
    return list(found.values())[:3]


def _unknown_names(page: Page, names: NameIndex, revision: Revision) -> list[str]:
    reasons = []
    for section, text in page.prose():
        for word in sorted(code_words(text)):
            if looks_like_code(word) and not names.has_name(revision, word):
                reasons.append(f"{section}: `{word}` is no name of the source at {revision.name}")
    return list(dict.fromkeys(reasons))


def looks_like_code(word: str) -> bool:
    """A name that only code has: with an underscore inside, or capitals inside (`QTensorOps`)."""
    return bool(re.fullmatch(r"[a-z0-9]+(?:_[a-z0-9]+)+|(?:[A-Z]+[a-z0-9]+){2,}[A-Z]*", word))


def _broken_code(page: Page) -> list[str]:
    found = ((section, syntax_error(code)) for section, code in page.code_blocks())
    return [f"{section}: no Rust at line {line} of the block" for section, line in found if line is not None]


def draft_of(checked: Checked, index: SiteIndex, names: NameIndex, today: str, taken: Sequence[str] = ()) -> Entry:
    """An unreviewed draft of a page that passed. Places, versions and messages come from the index, not the page."""
    page, site = checked.page, checked.site
    assert site is not None
    keys = find_keys(index, site.key.id)
    sites = tuple(s for key in keys for s in entry_sites(index, key))
    run = sites[0].stands[-1]

    def tidy(text: str) -> str:
        return tick_names(FILE_NOTE.sub("", text), names, site.revision)

    return Entry(
        kb_id=UNRELEASED,
        id=page.id if page.id and page.id not in taken else new_hex_id("import", site.key.id, page.meaning),
        title=textwrap.shorten(f"{site.key.template}: {tidy(page.summary)}", TITLE, placeholder=""),
        summary=tidy(page.summary) or f"Raised by `{bare_name(site.key.function)}`.",
        severity=Severity(page.severity) if page.severity in set(Severity) else Severity.ERROR,
        role=EntryRole.ROOT,
        message=printed(site.key),
        sites=sites,
        affected=affected(index, sites),
        meaning=tidy(page.meaning),
        workarounds=tuple(
            Workaround(tidy(text), Versions(run.first, run.last), "not checked, taken from the page")
            for text in page.solutions
        ),
        example_fix=ExampleFix(page.before, page.after) if page.before and page.after else None,
        defensive=Defensive(
            strategy=re.sub(r"\W+", "_", page.strategy.lower()).strip("_") or "avoid",
            validate_code=page.validate,
            guard=page.guard,
            catch_code=page.catch,
            prevention=tuple(tidy(text) for text in page.prevention),
        ),
        when=When(tidy(page.trigger) or "Not stated by the page.", tuple(tidy(text) for text in page.situations)),
        examples=(example(index, site.key),),
        provenance=Provenance(_origin(page), against(index, keys), today),
        status=Status.DRAFT,
        review=(*checked.notes, *(str(claim) for claim in checked.claims), *_unchecked(page)),
    )


def _origin(page: Page) -> str:
    source = f"{page.repo}@{page.commit}" if page.commit else page.repo
    return f"{page.written_by or 'a generated page'} of {source}, {page.written or 'undated'}"


def _unchecked(page: Page) -> list[str]:
    return [f"workaround {i}: not tried and not read in the source" for i, _ in enumerate(page.solutions, 1)]
