"""A verdict as what the explain page shows: the same words as the comment, laid out for a page."""

from __future__ import annotations

from dataclasses import dataclass

from bot.triage import wording
from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.model import Outcome, Place, Report, Verdict
from kb.entry import Entry

LARGEST_LOG = 512 * 1024
"""Characters of a pasted log that are read: the last ones, where the panic is."""

VERSION = r"main|v?[0-9]+\.[0-9]+(\.[0-9]+)?([-.][A-Za-z0-9.]+)?"
"""A version as a visitor may state it: of a release, or main."""

HEADINGS = {
    Outcome.MATCHED: "Found: the place in the source",
    Outcome.AMBIGUOUS: "Several places can be meant",
    Outcome.UNKNOWN: "A panic, but not one that the index knows",
    Outcome.FOREIGN: "Raised outside burn",
    Outcome.NONE: "No panic found in this text",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found in a log."""

    verdict: Verdict
    entry: Entry | None
    heading: str
    message: str
    """The whole message of the panic that counts, "" where there is none."""
    place: Place | None
    raised: str
    """Markdown: where it was raised and how that stands today."""
    warning: str
    """Markdown: a regression, "" otherwise."""
    ending: str
    workarounds: str
    """Markdown: a list of those that hold for the version at hand."""
    first_try: str
    """The first of them, "" where there is none."""
    others: str
    candidates: tuple[Place, ...]


def report_of(log: str, version: str = "") -> Report:
    """A pasted log as a report; `version` is burn's, where the visitor gave one."""
    log = log.removeprefix("\ufeff").replace("\r\n", "\n")[-LARGEST_LOG:]
    body = f"burn version: {version.removeprefix('v')}\n\n{log}" if version else log
    return Report(id=None, title="", body=body)


def explain(log: str, version: str, knowledge: Knowledge) -> Answer:
    """Analyse a log. Total: any text gives an answer."""
    verdict = analyze(report_of(log, version), knowledge)
    root = verdict.reading.root
    entry = knowledge.entries.get(verdict.entry) if verdict.entry else None
    heading = entry.title if entry else HEADINGS[verdict.outcome]
    return Answer(
        verdict=verdict,
        entry=entry,
        heading=heading,
        message=root.message if root else "",
        place=verdict.place,
        raised="\n\n".join(_linked(wording.raised_at(verdict, root, entry, knowledge), verdict)) if root else "",
        warning="\n\n".join(wording.regression(entry, verdict)) if entry else "",
        ending="\n\n".join(wording.ending(entry, knowledge)) if entry else "",
        workarounds=wording.workarounds(entry, verdict, knowledge)[-1] if entry else "",
        first_try=_first_try(entry, verdict, knowledge) if entry else "",
        others="\n\n".join(wording.other_panics(verdict.reading.panics, root)) if root else "",
        candidates=verdict.candidates,
    )


def _first_try(entry: Entry, verdict: Verdict, knowledge: Knowledge) -> str:
    revision = verdict.place.revision if verdict.place else None
    return next((w.do for w in entry.workarounds if wording.holds(w, revision, entry, knowledge)), "")


def _linked(paragraphs: list[str], verdict: Verdict) -> list[str]:
    """GitHub shows code under a bare permalink; a page shows the place as a link."""
    place = verdict.place
    if place is None:
        return paragraphs
    shown = f"[`{place.path}:{place.line}`]({place.permalink})"
    return [shown if paragraph == place.permalink else paragraph for paragraph in paragraphs]
