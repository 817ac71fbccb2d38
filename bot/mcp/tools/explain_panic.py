"""Explain a Rust panic of burn, cubecl, cubek or burn-onnx: what raised it, at which line of the source at the version
in use, why, and which workarounds are known.

Give the panic as it was printed, with the `panicked at` line and its location if there is one; a whole log or backtrace
will do. `verdict` says how sure the answer is: matched (one place in the source), ambiguous (several), foreign (raised
outside the family), unknown (a panic that is not indexed), none (no panic in the text). `answer` is Markdown to show.
"""

from __future__ import annotations

from typing import Any

from bot.errors import UserError
from bot.mcp.tool import Arguments, arguments_schema, refuse_unknown, standing_alone, text_argument
from bot.triage.analyze import analyze
from bot.triage.contract import verdict_json
from bot.triage.render import render
from bot.unfolded import unfolded
from bot.web.answer import LARGEST_LOG, report_of
from bot.web.asking import stated_version
from bot.web.openapi import SCHEMAS, TEXT_OR_NULL
from bot.web.shelf import Shelf

TITLE = "Explain a panic"
LONGEST_VERSION = 60
INPUT = arguments_schema(
    {name: {k: v for k, v in spec.items() if k != "pattern"} for name, spec in SCHEMAS["Log"]["properties"].items()},
    "text",
)
_FIELDS = {
    name: spec for name, spec in SCHEMAS["Verdict"]["properties"].items() if name not in {"id", "comment", "url"}
}
OUTPUT = standing_alone(
    {
        "type": "object",
        "properties": _FIELDS | {"answer": TEXT_OR_NULL},
        "required": [*_FIELDS, "answer"],
        "additionalProperties": False,
    }
)


def answer(shelf: Shelf, arguments: Arguments) -> dict[str, Any]:
    """The verdict of the analysis contract, with the words that `burn-triage explain` prints under `answer`."""
    refuse_unknown(arguments, INPUT)
    text, version = text_argument(arguments, "text", LARGEST_LOG), text_argument(arguments, "version", LONGEST_VERSION)
    if not text.strip():
        raise UserError("bad_argument", "`text` is missing: give the panic as it was printed, or the log with it")
    if version and not stated_version(version):
        raise UserError("bad_argument", "`version` must be one of burn, such as 0.21.0 or main")
    knowledge = shelf.fresh(shelf.knowledge)
    verdict = analyze(report_of(text, stated_version(version)), knowledge)
    words = render(verdict, knowledge, spoken=True)
    found = verdict_json(None, verdict, None)
    return {name: found[name] for name in _FIELDS} | {"answer": unfolded(words) if words else None}
