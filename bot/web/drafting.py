"""The entry that `burn-triage kb draft` would begin for a panic, from its newest verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from bot.web import panic_view
from bot.web.shelf import Shelf
from kb.entry import Entry
from kb.errors import KnowledgeBaseError
from kb.model import SiteIndex, SiteKey, SiteKind
from kb.upkeep.draft_functions import from_report
from kb.upkeep.drafts import file_name, find_keys, skeleton
from kb.upkeep.emit import entry_yaml

LONGEST_LINK = 7_500
"""Characters of an address that GitHub takes."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A file to go on with."""

    name: str
    """Path below the knowledge base's `entries/`."""
    text: str
    """YAML; what a person has to write says TODO."""


def draft(shelf: Shelf, fingerprint: str, verdict: Mapping[str, Any], today: str) -> Draft | None:
    """By the site of the verdict, by the place that it prints, or by the fingerprint; None where the index knows none.

    `verdict`: as the store keeps it; `today`: an ISO date.
    """
    try:
        entry = _entry(shelf, fingerprint, verdict, today)
    except KnowledgeBaseError:
        return None
    return Draft(file_name(entry), entry_yaml(entry))


def _entry(shelf: Shelf, fingerprint: str, verdict: Mapping[str, Any], today: str) -> Entry:
    index: SiteIndex = shelf.index
    if not verdict:
        # Forgotten: every site of the index has to be tried.
        return skeleton(index, find_keys(index, fingerprint), today)
    key = shelf.sites.get(_site(verdict))
    return skeleton(index, [key], today) if key else from_report(index, panic_text(verdict), today)


def panic_text(verdict: Mapping[str, Any]) -> str:
    """The panic as Rust prints it, put together from what was kept of it, redacted."""
    found = panic_view.root(verdict)
    location = found.get("location") or {}
    message = str(found.get("message") or "")
    if not location.get("raw"):
        return message
    numbers = "".join(f":{location[name]}" for name in ("line", "column") if location.get(name))
    return f"thread '{found.get('thread') or 'main'}' panicked at {location['raw']}{numbers}:\n{message}"


def edit_address(report_url: str | None, made: Draft) -> str:
    """GitHub's page for a new file with the draft in it; "" where the repository is not known or the text too long.

    `report_url`: where readers report errors in a page; where that is a repository on GitHub, the entries live there.
    """
    parts = urlsplit(report_url or "")
    names = parts.path.strip("/").split("/")
    if parts.netloc != "github.com" or len(names) < 2:
        return ""
    query = urlencode({"filename": f"kb/entries/{made.name}", "value": made.text})
    address = f"https://github.com/{names[0]}/{names[1]}/new/main?{query}"
    return address if len(address) <= LONGEST_LINK else ""


def _site(verdict: Mapping[str, Any]) -> str:
    """The id of the verdict's site, "" where it has none."""
    key = (((verdict.get("place") or {}).get("site")) or {}).get("key")
    if not key:
        return ""
    try:
        kind = SiteKind(key["kind"])
    except ValueError:
        return ""
    return SiteKey(key["repo"], key["crate"], key["function"], kind, key["template"]).id
