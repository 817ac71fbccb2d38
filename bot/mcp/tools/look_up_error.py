"""Look an explained error up by its id, such as KB-0004: cause, affected versions, place in the source, workarounds,
and how to guard against it.

Takes the id of an entry (KB-0004), or the sixteen hexadecimal digits of an entry or of a panic site, as explain_panic
and list_known_panics give them. A site that nobody has explained yet (`explained` is false) has its place and its
history alone.
"""

from __future__ import annotations

from typing import Any

from bot.clock import SystemClock
from bot.errors import UserError
from bot.mcp.tool import Arguments, arguments_schema, refuse_unknown, standing_alone, text_argument, without_addresses
from bot.web.entry_json import entry_json, site_json
from bot.web.entry_view import view_entry, view_site
from bot.web.excerpt import Excerpts
from bot.web.shelf import Shelf
from kb.entry import Entry

TITLE = "Look an error up"
LONGEST_ID = 40
NO_EXCERPTS = Excerpts(None, None, None, SystemClock())
"""The source is named and linked, not quoted: nothing is fetched."""
INPUT = arguments_schema({"id": {"type": "string", "description": "KB-0004, or sixteen hexadecimal digits."}}, "id")
OUTPUT = standing_alone(
    {
        "type": "object",
        "oneOf": [{"$ref": "#/components/schemas/Entry"}, {"$ref": "#/components/schemas/BareSite"}],
    }
)


def answer(shelf: Shelf, arguments: Arguments) -> dict[str, Any]:
    """The entry, or the bare site, as the API has it."""
    refuse_unknown(arguments, INPUT)
    name = text_argument(arguments, "id", LONGEST_ID).strip()
    if not name:
        raise UserError("bad_argument", "`id` is missing: give one such as KB-0004")
    found = shelf.named(name)
    if found is None:
        raise UserError("no_such_error", f"there is no error `{name}`; explain_panic and list_known_panics give ids")
    if isinstance(found, Entry):
        related = {e.kb_id: e.title for other in found.related if (e := shelf.entries.get(other))}
        whole = entry_json(found, view_entry(found, shelf, NO_EXCERPTS), related)
    else:
        whole = site_json(found, view_site(found, shelf, NO_EXCERPTS))
    shown: dict[str, Any] = without_addresses(whole)
    return shown
