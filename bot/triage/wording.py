"""The sentences of the comment, one function per part. Each gives paragraphs, [] where there is nothing to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.triage.docs_rs import source_link
from bot.triage.knowledge import Knowledge
from bot.triage.model import Outcome, PanicReport, Place, Role, Standing, State, Trust, Verdict
from bot.triage.roles import echo_of
from bot.triage.safe import inline_code
from bot.triage.upstream import home
from kb.entry import End, Entry, EntryRole, Versions, Workaround
from kb.model import MAIN, Revision, SiteAt, SiteKey

MOST_PLACES = 5
"""More than that tell a reader nothing."""


def label(place: Place) -> str:
    """`burn-ir 0.20.0`, or the crate with the commit where the revision is no release."""
    crate = place.site.key.crate if place.site else place.span.crate if place.span else place.repo
    if place.revision.is_release:
        return f"{crate} {place.revision.name.removeprefix('v')}"
    return f"{crate} at commit `{place.revision.commit[:10]}`"


def linked_place(place: Place) -> str:
    """The function as a link to its line, with crate and version."""
    return f"[`{place.function}`, {label(place)}]({place.permalink})"


def linked_site(site: SiteAt) -> str:
    """Like `linked_place`, for a site of the index."""
    return linked_place(Place(site.key.repo, site.revision, site.path, site.line, site.key.function, site=site))


def raised_at(verdict: Verdict, root: PanicReport, entry: Entry | None, knowledge: Knowledge) -> list[str]:
    """Function and version, the permalink on its own line, and how the site stands today."""
    if verdict.outcome is Outcome.FOREIGN:
        return raised_outside(root)
    if verdict.place is None:
        return _raised_at_one_of(verdict.candidates)
    place = verdict.place
    today = _today(replace(verdict, states=_telling(verdict.states, entry, knowledge)))
    where = f"**Raised at** `{place.function}`, {label(place)}{_elsewhere(verdict, place, root)}"
    return [where, place.permalink, *([today] if today else [])]


def _elsewhere(verdict: Verdict, place: Place, root: PanicReport) -> str:
    """Why the place is shown at another revision than the reporter's own; "" where it is that one."""
    if verdict.trust is Trust.NEAR:
        return " (the reporter's own revision could not be read; this is the nearest one that has the text)"
    told = root.location.commit if root.location else None
    if told and place.revision.name == MAIN and not place.revision.commit.startswith(told):
        return (
            f" (commit `{told[:10]}` is not known here; main of {place.revision.date[:10]} has this text at that line)"
        )
    return ""


def gone_words(since: str) -> str:
    """`gone since v0.19.0`; main is no release to be gone since."""
    return "gone on main" if since == MAIN else f"gone since {since}"


def regression(entry: Entry, verdict: Verdict) -> list[str]:
    """A warning where the reporter is on a version that should be free of it.

    Not where the place was looked up at another revision than the reporter's: that one may be before the fix.
    """
    place, fixed = verdict.place, entry.affected.fixed
    if not (place and fixed and entry.repo == place.repo) or verdict.fixed_in or verdict.trust is Trust.NEAR:
        return []
    name, revision = entry.repo.split("/")[1], place.revision
    here = revision.name.removeprefix("v") if revision.is_release else f"at commit `{revision.commit[:10]}`"
    newer = "the version of the fix" if revision.name == fixed else f"newer than the fix in {fixed.removeprefix('v')}"
    return [f"This report is on {name} {here}, {newer}: the cause may be another, or it is back."]


def generated_at(entry: Entry, verdict: Verdict, knowledge: Knowledge) -> list[str]:
    """For a foreign panic: the place of ours that makes it happen, at a release the entry names."""
    if not entry.foreign:
        return []
    lines = []
    for cause in entry.cause_sites[:2]:
        revision = knowledge.index.revision(cause.repo, cause.stands[-1].last)
        spans = knowledge.index.functions(revision, cause.crate, cause.function) if revision else ()
        if spans and revision:
            link = spans[0].permalink(spans[0].span.start)
            lines.append(
                f"**Generated at** [`{cause.function}`, {cause.crate} {revision.name.removeprefix('v')}]({link})"
            )
    return ["\n".join(lines)] if lines else []


def ending(entry: Entry, knowledge: Knowledge) -> list[str]:
    """What ended it: the fix and its commit, or the note of the entry."""
    fixed, by = entry.affected.fixed, entry.affected.fixed_by
    if fixed and by:
        link = f"[`{by.commit[:8]}`](https://github.com/{entry.repo}/commit/{by.commit})"
        return [f"Fixed in {entry.repo.split('/')[1]} {fixed.removeprefix('v')} by {link}."]
    if entry.affected.ended is End.MOVED:
        moved = [p for site in entry.affected.moved_to for p in _newest_places(site.key, knowledge)]
        places = list({p.key.function: p for p in reversed(moved)}.values())[:3]
        return [f"Later releases raise it elsewhere: {', '.join(linked_site(p) for p in places)}."] if places else []
    return []


def other_panics(panics: Sequence[PanicReport], root: PanicReport) -> list[str]:
    """The consequences in one sentence; in another what stands elsewhere in the report and may be none."""
    others = [p for p in panics if p.role is Role.CONSEQUENCE and p.headline != root.headline]
    follow = [p for p in others if echo_of(p) or (p.ref.part, p.ref.index) == (root.ref.part, root.ref.index)]
    told = [_following(_headlines(follow)), _apart(_headlines([p for p in others if p not in follow]))]
    return [" ".join(sentence for sentence in told if sentence)] if any(told) else []


def workarounds(entry: Entry, verdict: Verdict, knowledge: Knowledge) -> list[str]:
    """Those that hold for the reporter's version, safest first; an honest sentence where none does."""
    revision = verdict.place.revision if verdict.place else None
    holding = [w for w in entry.workarounds if holds(w, revision, entry, knowledge)]
    if not holding:
        known = f"{_update(entry.repo, verdict.fixed_in)} No other" if verdict.fixed_in else "None"
        return [f"**Workarounds.** {known} is known for this version."]
    lines = [f"{n}. {w.do.strip()} *({w.checked.strip()})*" for n, w in enumerate(holding, 1)]
    return ["**Workarounds**", "\n".join(lines)]


def holds(workaround: Workaround, revision: Revision | None, entry: Entry, knowledge: Knowledge) -> bool:
    """Whether a workaround's versions take in the reporter's; True where that cannot be told."""
    repo = workaround.versions.repo or entry.repo
    if revision is None:
        return True
    if revision.repo != repo:
        companion = knowledge.index.companion(revision, repo)
        if companion is None:
            return True
        revision = companion
    return _within(revision, workaround.versions, workaround.except_, knowledge)


def example(entry: Entry) -> list[str]:
    """Code before and after."""
    fix = entry.example_fix
    if fix is None:
        return []
    return [f"```rust\n// before\n{fix.before.rstrip()}\n```", f"```rust\n// after\n{fix.after.rstrip()}\n```"]


def prevention(entry: Entry) -> list[str]:
    """Habits that avoid it, and whether catching helps."""
    lines = [f"- {p.strip()}" for p in entry.defensive.prevention]
    lines += [f"- {_catching(entry.defensive.catch.strip())}"] if entry.defensive.catch else []
    return ["**Prevention**", "\n".join(lines)] if lines else []


def fold_title(entry: Entry) -> str:
    """Names what is inside."""
    parts = ["example"] if entry.example_fix else []
    parts += ["prevention"] if entry.defensive.prevention or entry.defensive.catch else []
    text = ", ".join([*parts, "and how this was matched" if parts else "how this was matched"])
    return text[:1].upper() + text[1:]


def affects(entry: Entry) -> str:
    """Entry and range for the evidence."""
    name = entry.repo.split("/")[1]
    last = (
        f"until it was fixed in {entry.affected.fixed}" if entry.affected.fixed else f"to {entry.affected.last or MAIN}"
    )
    role = " An echo: look for an earlier panic." if entry.role is EntryRole.ECHO else ""
    return f"Entry {entry.kb_id} explains it. It is about {name} from {entry.affected.first} {last}.{role}"


def _raised_at_one_of(places: Sequence[Place]) -> list[str]:
    if not places:
        return []
    lines = [f"- {linked_place(p)}" for p in places[:MOST_PLACES]]
    lines += [f"- and {len(places) - MOST_PLACES} more"] if len(places) > MOST_PLACES else []
    return ["**Raised at** one of these, the text alone does not tell which:", "\n".join(lines)]


def raised_outside(root: PanicReport) -> list[str]:
    """For a foreign panic: crate, version, line, and the repository it belongs to where that is known."""
    location = root.location
    if location is None or not location.crate:
        return ["**Raised** outside burn, cubecl, cubek and burn-onnx."]
    version = f" {location.version}" if location.version else ""
    line = f":{location.line}" if location.line else ""
    where = inline_code(f"{location.file}{line}")
    url = source_link(location)
    linked = f"[{where}]({url})" if url else where
    repo = home(location)
    of = f" of [{repo}](https://github.com/{repo})" if repo else ""
    return [f"**Raised in** {inline_code(location.crate + version)}{of}, {linked} (not part of burn)."]


def _following(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(f"The second panic, {name}, most likely follows from it." for name in names)
    return f"The other {len(names)} panics most likely follow from it: {', '.join(names[:4])}."


def _apart(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(f"The report holds another panic, {name}, which may be a fault of its own." for name in names)
    return f"The report holds {len(names)} more panics that may be faults of their own: {', '.join(names[:4])}."


def _headlines(panics: Sequence[PanicReport]) -> list[str]:
    return list(dict.fromkeys(inline_code(p.headline, 90) for p in panics))


def _update(repo: str, release: str) -> str:
    """Nobody chooses the version of cubecl or cubek: it comes with burn."""
    name, version = repo.split("/")[1], release.removeprefix("v")
    if name in {"cubecl", "cubek"}:
        return f"Update to a burn that comes with {name} {version} or later."
    return f"Update to {name} {version} or later."


def _telling(states: Sequence[State], entry: Entry | None, knowledge: Knowledge) -> tuple[State, ...]:
    """States that mean something: a site that stands on after its problem has ended is no news."""
    if entry is None or entry.affected.open or entry.affected.ended is None:
        return tuple(states)
    last = knowledge.index.revision(entry.repo, entry.affected.last) if entry.affected.last else None
    return tuple(s for s in states if s.standing is not Standing.SAME or (last and s.revision.order <= last.order))


def _today(verdict: Verdict) -> str:
    said = [_standing(state, verdict) for state in verdict.states]
    if not said:
        return ""
    if all(s.standing is Standing.GONE for s in verdict.states) and verdict.gone_since:
        return _gone(verdict)
    return " ".join(said)


def _gone(verdict: Verdict) -> str:
    """Gone in every later revision that was looked at; main and pre-releases are called what they are."""
    since = verdict.gone_since or ""
    if since == MAIN:
        return f"Gone on main ({verdict.states[-1].revision.date[:10]})."
    if "-" not in since:
        return f"Gone since {since}."
    newest = next((s.revision for s in verdict.states if s.revision.is_release and not s.revision.prerelease), None)
    if newest:
        return f"Gone in the newest release, {newest.name} (since the pre-release {since})."
    here = verdict.place.revision if verdict.place else None
    still = f"{here.name} still has it. " if here and here.is_release and not here.prerelease else ""
    return f"{still}Gone since the pre-release {since}."


def _newest_places(key: SiteKey, knowledge: Knowledge) -> Sequence[SiteAt]:
    """Where a key stands at the newest release, else at main."""
    index = knowledge.index
    main = index.revision(key.repo, MAIN)
    revisions = [index.newest_release(key.repo), *([main] if main else [])]
    return next((found[:1] for r in revisions if (found := index.places(key, r))), ())


def _catching(text: str) -> str:
    """Entries say whether catching is of use, mostly that it is "Not useful: ..."; the list needs a whole sentence."""
    if text.startswith(("Not ", "Useful", "Of no")):
        return f"Catching the panic is {text[:1].lower()}{text[1:]}"
    return text if "catch" in text[:40].lower() else f"Catching the panic: {text}"


def _standing(state: State, verdict: Verdict) -> str:
    where = (
        f"On main ({state.revision.date[:10]})"
        if state.revision.name == MAIN
        else f"Newest release, {state.revision.name}"
    )
    if state.standing is Standing.GONE or state.place is None:
        since = f" since {verdict.gone_since}" if verdict.gone_since not in {None, MAIN} else ""
        return f"{where}: gone{since}."
    # Of a function the index knows the name, not what it does now.
    same = "the same" if state.place.site else "the function is still there"
    words = {
        Standing.SAME: f"[{same}]({state.place.permalink})",
        Standing.MOVED: f"moved to {linked_place(state.place)}",
        Standing.REWORDED: f"[reworded]({state.place.permalink})",
    }
    return f"{where}: {words[state.standing]}."


def _within(revision: Revision, versions: Versions, except_: Sequence[str], knowledge: Knowledge) -> bool:
    if revision.name in except_:
        return False
    first = knowledge.index.revision(revision.repo, versions.first)
    last = knowledge.index.revision(revision.repo, versions.last)
    if revision.order < 0:
        return not (first and revision.date < first.date) and not (
            last and last.name != MAIN and revision.date > last.date
        )
    return not (first and revision.order < first.order) and not (last and revision.order > last.order)
