"""An entry as the page a reader sees, in Markdown: all that it says, with places and states from the index. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from kb.entry import Entry, EntrySite, Versions
from kb.model import MAIN, SiteIndex


def page_text(entry: Entry, index: SiteIndex) -> str:
    """The page's sections in order; those without a word are left out."""
    blocks = [f"# {entry.title}", entry.summary, _fence("text", entry.message)]
    blocks += ["## Cause", entry.meaning, entry.background]
    blocks += ["## Source", "\n".join(_site(site, index) for site in entry.sites), _affected(entry)]
    blocks += ["## Workarounds", "\n".join(_workarounds(entry))]
    if entry.example_fix:
        blocks += ["## Example", _fence("rust", entry.example_fix.before), _fence("rust", entry.example_fix.after)]
    blocks += ["## Prevention", *_defensive(entry)]
    blocks += ["## When it happens", entry.when.trigger, "\n".join(f"- {text}" for text in entry.when.situations)]
    blocks += ["## About this entry", _about(entry)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _site(site: EntrySite, index: SiteIndex) -> str:
    runs = ", ".join(run.first if run.first == run.last else f"{run.first} to {run.last}" for run in site.stands)
    newest = index.revision(site.repo, site.stands[-1].last)
    place = next(iter(index.places(site.key, newest)), None) if newest else None
    where = f"[{place.path}:{place.line}]({place.permalink})" if place else "no place in the index"
    return f"- `{site.function}` of {site.crate}, {runs}: {where}"


def _affected(entry: Entry) -> str:
    affected = entry.affected
    last = affected.last or (f"before {affected.fixed}" if affected.fixed else MAIN)
    text = f"Affected: {entry.repo} {affected.first} to {last}."
    if affected.fixed and affected.fixed_by:
        text += f" Fixed in {affected.fixed} by {affected.fixed_by.pr or affected.fixed_by.commit[:10]}."
    elif affected.ended:
        text += f" Since then: {affected.ended}."
    return f"{text} {affected.note}".strip()


def _workarounds(entry: Entry) -> Iterator[str]:
    for i, workaround in enumerate(entry.workarounds, 1):
        yield f"{i}. {workaround.do} ({_range(workaround.versions, entry)}; {workaround.checked})"


def _range(versions: Versions, entry: Entry) -> str:
    name = (versions.repo or entry.repo).rsplit("/", 1)[-1]
    return f"{name} {versions.first}" + ("" if versions.first == versions.last else f" to {versions.last}")


def _defensive(entry: Entry) -> list[str]:
    care = entry.defensive
    code = [_fence("rust", block) for block in (care.validate_code, care.guard, care.catch_code) if block]
    catch = f"Catching it: {care.catch}" if care.catch else ""
    return [
        f"Strategy: {care.strategy}.",
        care.validate,
        *code,
        catch,
        "\n".join(f"- {text}" for text in care.prevention),
    ]


def _about(entry: Entry) -> str:
    read = ", ".join(f"{repo} {sha[:10]}" for repo, sha in entry.provenance.against.items())
    reviewed = entry.provenance.reviewed_by or "nobody yet"
    text = f"{entry.kb_id}, id {entry.id}. Written by {entry.provenance.written_by} on {entry.provenance.written}"
    return f"{text}, against {read}. Reviewed by {reviewed}."


def _fence(language: str, text: str) -> str:
    ticks = "````" if "```" in text else "```"
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}"
