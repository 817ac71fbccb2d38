"""The JSON schema of an entry, generated from the model, for editors that check YAML while it is typed."""

from __future__ import annotations

import json

from kb.entry import Entry
from kb.shape import json_schema

FILE = "schema.json"
TITLE = "An entry of the knowledge base"


def schema_text() -> str:
    """The schema as the file holds it."""
    return json.dumps({"title": TITLE, **json_schema(Entry)}, indent=1, ensure_ascii=False) + "\n"
