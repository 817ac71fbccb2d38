"""Which entry explains a panic: by its site, by the value it prints, by the words that a foreign entry asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz import fuzz

from bot.triage.checks import reason_keys
from bot.triage.knowledge import Knowledge
from bot.triage.lookup import TENSOR_BANNER
from bot.triage.model import Candidate, PanicReport, Place
from bot.triage.std_messages import Origin, std_origin
from kb import standing
from kb.entry import Entry, EntrySite
from kb.messages import SHORTEST_LITERAL
from kb.model import SiteKey, SiteKind
from kb.std_panics import prints
from kb.template import agrees, literal_length, literals, squeeze

SAME_WORDS = 88
"""From this likeness on (0 to 100) two wordings of one call in one function are one sentence, edited."""
MENTIONS = frozenset({"message_only", "known_text"})
"""Formats of words in a sentence: other software's words alone may be talk about it, so they are not answered.

What `unwrap` prints before a value is no talk: nobody writes that but who copies it.
"""


def entry_for_places(panic: PanicReport, candidates: Sequence[Candidate], knowledge: Knowledge) -> Entry | None:
    """The one entry that explains the panic at every candidate; None where they differ or one has none."""
    chosen = [entry_for_place(panic, c.place, knowledge) for c in candidates]
    ids = {entry.kb_id if entry else None for entry in chosen}
    return chosen[0] if len(ids) == 1 and chosen else None


def entry_for_place(panic: PanicReport, place: Place, knowledge: Knowledge) -> Entry | None:
    """The entry that names this place's site and whose printed value is in the message, the most particular one."""
    reasons = _reason_keys(panic.message, knowledge)
    fitting = [
        entry
        for entry in _live(knowledge)
        if not entry.foreign and value_fits(entry, panic.message) and _names(entry, panic, place, reasons, knowledge)
    ]
    return _most_particular(fitting)


def foreign_entry(panic: PanicReport, knowledge: Knowledge) -> Entry | None:
    """The foreign entry whose required words are in the message, and whose crate is that of the location if printed."""
    talk = panic.format in MENTIONS and std_origin(panic.message) is not Origin.UNWRAP
    if panic.location is None and talk:
        return None
    crate = panic.location.crate if panic.location else None
    fitting = [
        entry
        for entry in _live(knowledge)
        if entry.foreign
        and entry.match
        and entry.match.value
        and value_fits(entry, panic.message)
        and (not crate or not entry.match.crate or crate == entry.match.crate)
    ]
    return _most_particular(fitting)


def entry_for_value(message: str, shortest: int, knowledge: Knowledge) -> Entry | None:
    """The entry about a place of ours whose wanted value, `shortest` characters or more, is in the message."""
    return _most_particular(
        [
            entry
            for entry in _live(knowledge)
            if not entry.foreign and entry.match and len(entry.match.value) >= shortest and value_fits(entry, message)
        ]
    )


def value_fits(entry: Entry, message: str) -> bool:
    """Whether the printed message holds the value that the entry asks for, white space aside."""
    wanted = entry.match.value if entry.match else ""
    return not wanted or squeeze(wanted) in squeeze(message)


def _live(knowledge: Knowledge) -> list[Entry]:
    return [entry for _, entry in sorted(knowledge.entries.items()) if entry.live]


def _most_particular(entries: Sequence[Entry]) -> Entry | None:
    return max(entries, key=lambda e: len(e.match.value) if e.match else 0, default=None)


def _reason_keys(message: str, knowledge: Knowledge) -> frozenset[SiteKey] | None:
    """Keys of the tensor-check reasons that the message gives; None where it is no tensor check."""
    if not message.startswith(TENSOR_BANNER):
        return None
    return frozenset(reason_keys(message, knowledge))


def _names(
    entry: Entry, panic: PanicReport, place: Place, reasons: frozenset[SiteKey] | None, knowledge: Knowledge
) -> bool:
    if reasons is not None:
        return any(site.key in reasons for site in entry.sites)
    return any(
        _is_function(site, panic, place, knowledge)
        if standing.is_function(site)
        else _is_site(site, place) or _is_site_between(site, place, panic.message)
        for site in entry.sites
    )


def _is_function(site: EntrySite, panic: PanicReport, place: Place, knowledge: Knowledge) -> bool:
    """A panic without words of the source: the function holds it, its class fits, the release is a claimed one."""
    return (
        place.site is None
        and place.span is not None
        and site.prints is not None
        and (site.repo, site.crate, site.function) == (place.repo, place.span.crate, place.function)
        and standing.ends_with(place.path, site.path)
        and prints(site.prints, panic.message)
        and standing.claimed(knowledge.index, site, place.revision)
    )


def _is_site(site: EntrySite, place: Place) -> bool:
    if place.site is None:
        return False
    if site.receiver and site.receiver_name != place.site.receiver:
        return False
    # The function alone rules nearly every site of every entry out, and costs a tenth of making two keys.
    if site.function == place.site.key.function and site.key == place.site.key:
        return True
    return _prints_through(site, place)


def _is_site_between(site: EntrySite, place: Place, message: str) -> bool:
    """At a commit between releases: the same call in the same function, whose words a release has a little otherwise.

    No index holds such a wording, so that no entry can name it.
    """
    here = place.site
    if here is None or place.revision.order >= 0 or not site.template or not here.key.template:
        return False
    if replace(here.key, template=site.template) != site.key:
        return False
    words, wanted = " ".join(literals(here.key.template)), " ".join(literals(site.template))
    fits = literal_length(site.template) >= SHORTEST_LITERAL and agrees(site.kind, site.template, message)
    return fits or fuzz.ratio(words, wanted) >= SAME_WORDS


def _prints_through(site: EntrySite, place: Place) -> bool:
    """A macro's words are printed at the line of its call: `called_from` and `target` tie the two together."""
    here = place.site
    if here is None or not site.macro_body:
        return False
    called = here.target == site.function or site.called_from == here.key.function
    return here.key.kind is SiteKind.MACRO_CALL and called and site.repo == here.key.repo
