"""A location whose path names its revision: the release or the commit decides."""

from __future__ import annotations

from collections.abc import Sequence

from bot.triage import revisions
from bot.triage.lookup import Finding, Hit, SourceFile, can_print, innermost
from bot.triage.model import Candidate, Location, Place, Trust
from bot.triage.plausible import can_call_here
from bot.triage.query import Query, one_function
from bot.triage.releases import in_any_release, same_function, words_in_file
from bot.triage.revisions import Pinned
from bot.triage.std_messages import is_generic
from kb.model import Revision, SiteAt

MACRO_WORDS = ("not yet implemented", "not implemented", "internal error: entered unreachable code", "assertion ")
"""What a macro puts before its own text: such a message is printed at the macro, not at a caller of its function."""
NEIGHBOURS = 4
"""Releases beside a commit that stand in for it where it cannot be read."""


def at_revision(query: Query, pinned: Pinned) -> tuple[Candidate, ...]:
    """Candidates at the revision that the path names, which the index or main's list knows."""
    revision = pinned.revision
    if revision is None:
        return ()
    files = query.read(revision, pinned.near)
    if files or revision.order >= 0:
        return judge(query, files)
    near = pinned.near[:NEIGHBOURS]
    return _near(query, revision, near)


def judge(query: Query, files: Sequence[SourceFile]) -> tuple[Candidate, ...]:
    """Candidates at the reporter's own revision."""
    findings = sorted(((file, query.look(file)) for file in files), key=lambda f: -f[1].hit)
    if not findings:
        return ()
    file, finding = findings[0]
    place = finding.place
    if finding.hit is Hit.SITE and place:
        return (Candidate(place, Trust.EXACT, _exact_words(query.location, place, finding)),)
    if finding.hit is Hit.FUNCTION and place and not query.ruled_out(file):
        why = f"line {place.line} at {place.revision.name} lies in this function; such a panic has no site of its own"
        return (Candidate(place, Trust.FUNCTION, why),)
    if finding.hit is Hit.NOTHING and place and _worded_by_callee(query, file):
        why = "the text is of a function that reports the place of its caller, and this is the caller"
        return (Candidate(place, Trust.FUNCTION, why),)
    return _other_column(query, files) or _flagged(query, file, finding)


def _worded_by_callee(query: Query, file: SourceFile) -> bool:
    """Whether the text must stem from a callee that reports its caller's place.

    Not a text that any `unwrap` or bare `todo!()` prints, nor one that another site of the same file can print: then
    the line is rather that of another version.
    """
    message = query.panic.message
    if not message or is_generic(message) or message.startswith(MACRO_WORDS) or can_print(file, message):
        return False
    line = query.source_line(file)
    if line is not None and not can_call_here(line, query.location.column):
        return False
    return tracked_callees(query, file.revision) is not None


def tracked_callees(query: Query, revision: Revision) -> tuple[str, ...] | None:
    """Names of `#[track_caller]` functions of the family that word the message; None where it is worded elsewhere.

    () where no template of the family has these words: they come from a callee outside it (ndarray's indexing, for
    one), which Rust prints at the caller's line when the callee tracks it.
    """
    knowledge = query.knowledge
    keys = [key for hit in knowledge.panics.match(query.panic.message) for key in hit.keys]
    if not keys:
        return ()
    near = revision if revision.order >= 0 else knowledge.index.newest_release(revision.repo, prerelease=True)
    places = [place for key in keys for place in knowledge.index.places(key, near)]
    names = tuple(p.key.function.rsplit("::", 1)[-1] for p in places if _is_tracked(query, p))
    return tuple(dict.fromkeys(names)) or None


def _is_tracked(query: Query, site: SiteAt) -> bool:
    span = innermost(query.knowledge.index.spans_in(site.revision, site.path), site.line)
    return span is not None and span.span.track_caller


def _other_column(query: Query, files: Sequence[SourceFile]) -> tuple[Candidate, ...]:
    """The words at the printed line, at another column than printed: a typing slip or a macro, not another place."""
    places = [p for p in query.places_with_words(files) if p.line == query.line]
    return one_function(places, Trust.EXACT, "line and text agree with this site, the column does not")


def _flagged(query: Query, file: SourceFile, finding: Finding) -> tuple[Candidate, ...]:
    """Location and text tell different stories: name what each leads to, answer nothing."""
    why = "the same text in this file, at another line than printed"
    candidates = [Candidate(place, Trust.FLAGGED, why) for place in query.places_with_words([file])]
    if finding.place:
        candidates.append(Candidate(finding.place, Trust.FLAGGED, "the printed line, whose text is another"))
    return tuple(candidates)


def _near(query: Query, revision: Revision, releases: Sequence[Revision]) -> tuple[Candidate, ...]:
    """Releases in place of a commit that cannot be read: the same text, the same function on both sides of it."""
    for release in releases:
        for file in query.files(release):
            finding = query.look(file)
            if finding.hit is Hit.SITE and finding.worded and finding.place:
                why = f"the commit cannot be read here; {release.name}, the nearest release, has this text at this line"
                return (Candidate(finding.place, Trust.NEAR, why),)
    index = query.knowledge.index
    return (
        words_in_file(query, releases, "the commit cannot be read here")
        or same_function(query, revisions.sides(revision.date, query.repo, index))
        or in_any_release(query, revisions.around(revision.date, query.repo, index), Trust.NEAR)
    )


def _exact_words(location: Location, place: Place, finding: Finding) -> str:
    column = f", column {location.column}" if location.column is not None else ""
    text = "and the text agree" if finding.worded else "agree" if column else "agrees"
    return f"line {place.line}{column} {text} with this site at {place.revision.name}"
