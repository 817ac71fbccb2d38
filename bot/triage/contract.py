"""Verdicts as the plain JSON of the analysis contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.triage.model import Location, PanicReport, Place, Verdict


def verdict_json(identity: str | None, verdict: Verdict, comment: str | None) -> dict[str, Any]:
    """One line of `analyze --batch`: plain values only. `comment` is what would be posted on a new issue."""
    return {
        "id": identity,
        "panics": [panic_json(p) for p in verdict.reading.panics],
        "verdict": str(verdict.outcome),
        "site": place_json(verdict.place),
        "candidates": [place_json(p) for p in verdict.candidates],
        "entry": verdict.entry,
        "evidence": [f"{e.step}: {e.text}" for e in verdict.evidence],
        "gone_since": verdict.gone_since,
        "fixed_in": verdict.fixed_in,
        "comment": comment,
        "fingerprint": verdict.fingerprint,
        "catalog": verdict.catalog,
    }


def panic_json(panic: PanicReport) -> dict[str, Any]:
    """One panic: message, location, role."""
    return {"message": panic.message, "location": location_json(panic.location), "role": str(panic.role)}


def location_json(location: Location | None) -> dict[str, Any] | None:
    """A printed location, taken apart."""
    if location is None:
        return None
    return {
        "crate": location.crate,
        "version": location.version,
        "commit": location.commit,
        "file": location.file,
        "line": location.line,
        "column": location.column,
    }


def place_json(place: Place | None) -> dict[str, Any] | None:
    """A place in the source. `revision` is a tag, or the full sha where the revision is no release."""
    if place is None:
        return None
    revision = place.revision.name if place.revision.is_release else place.revision.commit
    return {
        "repo": place.repo,
        "revision": revision,
        "path": place.path,
        "line": place.line,
        "function": place.function,
        "permalink": place.permalink,
    }


def report_fields(line: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments of `Report` from one input line of the contract.

    Raises ValueError with a sentence that names the field where a value has the wrong type.
    """
    comments = line.get("comments") or []
    if not isinstance(comments, list) or not all(isinstance(c, str) for c in comments):
        raise ValueError("`comments` must be a list of strings")
    fields = {name: line.get(name) for name in ("id", "title", "body", "repo", "created_at")}
    wrong = [name for name, value in fields.items() if value is not None and not isinstance(value, str)]
    if wrong:
        raise ValueError(f"`{wrong[0]}` must be a string or null")
    return {**fields, "title": fields["title"] or "", "body": fields["body"] or "", "comments": tuple(comments)}
