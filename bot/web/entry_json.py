"""Entries, bare sites and results as the plain JSON of the API, which `openapi.py` describes."""

from __future__ import annotations

from typing import Any

from bot.web.asking import Found
from bot.web.entry_view import View, affects
from bot.web.search import Doc
from bot.web.timeline import Timeline
from kb.entry import Entry, Versions, Workaround
from kb.model import SiteAt, SiteKey


def result_json(doc: Doc) -> dict[str, Any]:
    """One search result."""
    return {
        "id": doc.id,
        "explained": doc.explained,
        "title": doc.title,
        "message": doc.message,
        "summary": doc.summary,
        "repos": list(doc.repos),
        "crates": list(doc.crates),
        "kinds": list(doc.kinds),
        "severity": doc.severity or None,
        "url": f"/errors/{doc.id}",
    }


def results_json(found: Found) -> dict[str, Any]:
    """One page of results."""
    return {
        "total": found.total,
        "explained": found.explained,
        "loose": found.loose,
        "instead": found.instead or None,
        "page": found.page,
        "pages": found.pages,
        "results": [result_json(doc) for doc in found.docs],
    }


def entry_json(entry: Entry, view: View, related: dict[str, str]) -> dict[str, Any]:
    """An entry with its places. `related`: title by id of the entries that it names."""
    provenance = entry.provenance
    return {
        "id": entry.id,
        "kb_id": entry.kb_id,
        "aliases": list(entry.aliases),
        "explained": True,
        "status": str(entry.status),
        "url": f"/errors/{entry.kb_id}",
        "title": entry.title,
        "summary": entry.summary,
        "severity": str(entry.severity),
        "role": str(entry.role),
        "foreign": entry.foreign,
        "repo": entry.repo,
        "message": entry.message,
        "meaning": entry.meaning,
        "background": entry.background or None,
        "affected": _affected(entry, view),
        "source": _source(view),
        "generated_at": [
            {"function": g.site.function, "crate": g.site.crate, "permalink": g.link} for g in view.generated
        ],
        "timeline": [timeline_json(line) for line in view.timelines],
        "workarounds": [_workaround(w, entry) for w in entry.workarounds],
        "example_fix": {"before": entry.example_fix.before, "after": entry.example_fix.after}
        if entry.example_fix
        else None,
        "defensive": _defensive(entry),
        "when": {"trigger": entry.when.trigger, "situations": list(entry.when.situations)},
        "related": [{"id": name, "title": title, "url": f"/errors/{name}"} for name, title in related.items()],
        "issues": list(entry.issues),
        "provenance": {
            "written_by": provenance.written_by,
            "against": dict(provenance.against),
            "written": provenance.written,
            "reviewed_by": provenance.reviewed_by or None,
        },
        "withdrawn": {"on": entry.withdrawn.on, "reason": entry.withdrawn.reason} if entry.withdrawn else None,
    }


def site_json(key: SiteKey, view: View) -> dict[str, Any]:
    """A site without an entry."""
    return {
        "id": key.id,
        "explained": False,
        "url": f"/errors/{key.id}",
        "repo": key.repo,
        "crate": key.crate,
        "function": key.function,
        "kind": str(key.kind),
        "message": key.template,
        "source": _source(view),
        "timeline": [timeline_json(line) for line in view.timelines],
    }


def place_json(site: SiteAt) -> dict[str, Any]:
    """A place in the source at one revision."""
    return {
        "repo": site.key.repo,
        "crate": site.key.crate,
        "function": site.key.function,
        "kind": str(site.key.kind),
        "revision": site.revision.name,
        "path": site.path,
        "line": site.line,
        "permalink": site.permalink,
    }


def timeline_json(line: Timeline) -> dict[str, Any]:
    """What happened to the places over the releases."""
    return {
        "repo": line.repo,
        "events": [{"what": e.what, "revision": e.revision.name, "date": e.revision.date[:10]} for e in line.events],
        "stays": [
            {"from": s.first.name, "to": s.last.name, "path": s.path, "line": s.site.line if s.site else None}
            for s in line.stays
        ],
    }


def _affected(entry: Entry, view: View) -> dict[str, Any]:
    found = entry.affected
    return {
        "repo": entry.repo,
        "from": found.first,
        "to": found.last or None,
        "fixed": found.fixed or None,
        "ended": str(found.ended) if found.ended else None,
        "note": found.note or None,
        "in_burn": {"from": view.in_burn[0], "to": view.in_burn[1]} if view.in_burn else None,
        "text": affects(entry),
    }


def _source(view: View) -> dict[str, Any] | None:
    found = view.source
    if found is None:
        return None
    main = place_json(found.on_main) if found.on_main else None
    return {"at": place_json(found.at), "main": main, "also": [place_json(site) for site in found.also]}


def _workaround(workaround: Workaround, entry: Entry) -> dict[str, Any]:
    return {
        "do": workaround.do,
        "versions": _versions(workaround.versions, entry),
        "except": list(workaround.except_),
        "checked": workaround.checked,
    }


def _versions(versions: Versions, entry: Entry) -> dict[str, str]:
    return {"repo": versions.repo or entry.repo, "from": versions.first, "to": versions.last}


def _defensive(entry: Entry) -> dict[str, Any]:
    found = entry.defensive
    return {
        "strategy": found.strategy,
        "validate": found.validate or None,
        "validate_code": found.validate_code or None,
        "guard": found.guard or None,
        "catch": found.catch or None,
        "catch_code": found.catch_code or None,
        "prevention": list(found.prevention),
    }
