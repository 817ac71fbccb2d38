"""Draft entries: everything that the index knows about a panic, and a note where a person has to write."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from kb.entry import (
    UNRELEASED,
    Affected,
    Defensive,
    End,
    Entry,
    EntryRole,
    EntrySite,
    Example,
    Provenance,
    Severity,
    Stand,
    Status,
    Versions,
    When,
    Workaround,
)
from kb.errors import KnowledgeBaseError
from kb.model import LOCATED_KINDS, MAIN, PANIC_KINDS, SiteAt, SiteIndex, SiteKey, SiteKind
from kb.std_panics import StdPanic
from kb.std_panics import shown as shown_words
from kb.template import MessageTemplate
from kb.upkeep.ids import new_hex_id

TODO = "TODO"
"""Begins every text that a person has to write; lint does not let it pass in an entry."""
FINGERPRINT = re.compile(r"fp1:([0-9a-f]{16})")
SEVERAL = 12
"""Candidates that are listed when a query is not clear."""


def find_keys(index: SiteIndex, query: str) -> Sequence[SiteKey]:
    """The sites a draft is to be about: all keys of one function and one text, over crates, repositories and time.

    `query` is a site's id (16 hex digits), a fingerprint (`fp1:..`) of a site that has words of its own, a function as
    the index names it (or its end), or a part of the template. Raises KnowledgeBaseError for none or too many.
    """
    keys = index.keys(LOCATED_KINDS | {SiteKind.TENSOR_ERROR})
    found, by_words = _matching(keys, query.strip())
    stories: dict[tuple[str, str], list[SiteKey]] = {}
    for key in found:
        # Words that were asked for may have grown or shrunk over time; a function may hold many panics.
        words = str(key.kind) if by_words else _words(key.template)
        stories.setdefault((key.function.rsplit("::", 1)[-1], words), []).append(key)
    if len(stories) == 1:
        return sorted(next(iter(stories.values())))
    if not stories:
        raise KnowledgeBaseError(f"{query}: no such site in the index; `kb sites grep` looks for words")
    listed = "".join(f"\n  {key.id}  {_one_line(key)}" for key in sorted(found)[:SEVERAL])
    more = f"\n  and {len(found) - SEVERAL} more" if len(found) > SEVERAL else ""
    raise KnowledgeBaseError(f"{query}: {len(stories)} different panics fit; take one by its id:{listed}{more}")


def _matching(keys: Sequence[SiteKey], query: str) -> tuple[list[SiteKey], bool]:
    """The keys that the query names, and whether it names them by their words."""
    if FINGERPRINT.fullmatch(query):
        return [key for key in keys if key.template and site_fingerprint(key) == query], False
    if re.fullmatch(r"[0-9a-f]{16}", query):
        return [key for key in keys if key.id == query], False
    functions = [key for key in keys if key.function == query or key.function.endswith(f"::{query}")]
    if functions:
        return functions, False
    return [key for key in keys if key.template and query in key.template], True


def site_fingerprint(key: SiteKey) -> str:
    """The fingerprint that the bot gives a panic at a site with words of its own (version fp1)."""
    return "fp1:" + hashlib.sha256(f"site\0{key.id}\0".encode()).hexdigest()[:16]


def _words(template: str) -> str:
    return re.sub(r"\{[^{}]*\}", "{}", template)


def _one_line(key: SiteKey) -> str:
    return f"{key.crate} {key.function} {key.kind} {key.template!r}"


def skeleton(index: SiteIndex, keys: Sequence[SiteKey], today: str) -> Entry:
    """A draft for the panic that these keys are; `today` is an ISO date. Texts that a person has to write say TODO."""
    sites = [site for key in keys for site in entry_sites(index, key)]
    return about(index, sites, example(index, keys[0]), today)


def about(index: SiteIndex, sites: Sequence[EntrySite], shown: Example, today: str) -> Entry:
    """A draft about these sites, with this text as its example."""
    keys = list(dict.fromkeys(site.key for site in sites))
    main = keys[0]
    function = f"`{main.function.rsplit('::', 1)[-1]}`"
    run = sites[0].stands[0]
    return Entry(
        kb_id=UNRELEASED,
        id=new_hex_id("draft", main.id),
        title=f"{TODO}: {_named(main)} as somebody would search for it"[:100],
        summary=f"{TODO}: the short answer in one to three sentences.",
        severity=Severity.ERROR,
        role=EntryRole.ROOT,
        message=printed(main),
        sites=tuple(sites),
        affected=affected(index, sites),
        meaning=f"{TODO}: why {function} panics. Two to four sentences about that function.",
        workarounds=(
            Workaround(f"{TODO}: what helps.", Versions(run.first, run.last), f"{TODO}: read, run or reported"),
        ),
        defensive=Defensive(strategy="avoid"),
        when=When(f"{TODO}: the call that leads to {function}, and the condition."),
        examples=(shown,),
        provenance=Provenance(f"{TODO}: who", against(index, keys), today),
        status=Status.DRAFT,
        review=("Everything that says TODO.",),
    )


def _named(key: SiteKey) -> str:
    return printed(key) if key.kind is SiteKind.FUNCTION else key.template or key.function


def entry_sites(index: SiteIndex, key: SiteKey) -> list[EntrySite]:
    """The key as an entry writes it, one site for each receiver that it has."""
    stands = tuple(Stand(first.name, last.name) for first, last in index.stands(key))
    places = [place for first, last in index.stands(key) for place in index.places(key, last)]
    wanted = key.kind in (SiteKind.UNWRAP, SiteKind.UNWRAP_ERR)
    receivers = sorted({place.receiver for place in places}) if wanted else [""]
    targets = sorted({place.target for place in places if key.kind in (SiteKind.CHECK, SiteKind.MACRO_CALL)}) or [""]
    body = any(place.macro_body for place in places)
    return [
        EntrySite(key.repo, key.crate, key.function, key.kind, stands, key.template, receiver, target, body)
        for receiver in receivers
        for target in targets
    ]


def affected(index: SiteIndex, sites: Sequence[EntrySite]) -> Affected:
    """The range over which the sites of the first repository stand; open where one stands at main."""
    repo = sites[0].repo
    ranks = {revision.name: i for i, revision in enumerate(index.revisions(repo))}
    runs = [run for site in sites if site.repo == repo for run in site.stands]
    first = min((run.first for run in runs), key=lambda tag: ranks[tag])
    last = max((run.last for run in runs), key=lambda tag: ranks[tag])
    if last == MAIN:
        return Affected(first)
    elsewhere = any(run.last == MAIN for site in sites for run in site.stands)
    ended = End.MOVED if elsewhere else End.REMOVED
    return Affected(first, last, ended=ended, note=f"{TODO}: removed, moved, reworded or fixed?")


def printed(key: SiteKey) -> str:
    """The message as users see it, as far as the source tells."""
    if key.kind is SiteKind.TENSOR_ERROR:
        return f"=== Tensor Operation Error ===\n  Operation: '{{..}}'\n  Reason:\n    1. {key.template}\n"
    if key.kind is SiteKind.FUNCTION:
        return shown_words(StdPanic(key.template)) or f"{TODO}: the text"
    forms = MessageTemplate(key.kind, key.template).printed if key.kind in PANIC_KINDS else ()
    if forms:
        return forms[0] + (": {..}" if key.kind in (SiteKind.EXPECT, SiteKind.EXPECT_ERR) else "")
    return "called `Result::unwrap()` on an `Err` value: {..}" if key.kind is SiteKind.UNWRAP else f"{TODO}: the text"


def example(index: SiteIndex, key: SiteKey) -> Example:
    """A panic as it would be printed at the newest release that has the site."""
    place = _newest(index, key)
    if place is None or place.macro_body or key.kind not in LOCATED_KINDS:
        return Example(printed(key), "composed from the source")
    inner = place.path[place.path.rfind("/src/") + 1 :] if "/src/" in place.path else place.path
    version = place.revision.name.removeprefix("v")
    folder = f"/home/user/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/{key.crate}-{version}"
    header = f"thread 'main' panicked at {folder}/{inner}:{place.line}:{place.column}:"
    return Example(f"{header}\n{printed(key)}\n", f"composed from the source at {place.revision.name}")


def _newest(index: SiteIndex, key: SiteKey) -> SiteAt | None:
    for first, last in reversed(index.stands(key)):
        for revision in reversed(index.revisions(key.repo)):
            if revision.is_release and first.order <= revision.order <= last.order:
                return next(iter(index.places(key, revision)), None)
    return None


def against(index: SiteIndex, keys: Sequence[SiteKey]) -> Mapping[str, str]:
    """Repository name to the commit of main that the index holds."""
    mains = {repo: index.revision(repo, MAIN) for repo in dict.fromkeys(key.repo for key in keys)}
    return {repo.rsplit("/", 1)[-1]: main.commit for repo, main in mains.items() if main}


def slug(title: str) -> str:
    """A few words of a title for a file name."""
    words = re.findall(r"[a-z0-9]+", title.removeprefix(f"{TODO}: ").lower())
    return "-".join(words[:5]) or "draft"


def file_name(entry: Entry) -> str:
    """Path of a draft below `entries/`."""
    crate = entry.sites[0].crate if entry.sites else (entry.match.crate if entry.match else "foreign")
    return f"{crate}/{UNRELEASED}-{slug(entry.title)}.yaml"
