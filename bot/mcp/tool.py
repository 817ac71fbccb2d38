"""What a tool is to the server, and how its arguments are read: each fault names the argument and the remedy. Pure."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bot.errors import UserError
from bot.mcp import tools
from bot.web.openapi import SCHEMAS
from bot.web.shelf import Shelf

Schema = dict[str, Any]
Arguments = Mapping[str, Any]
_IN_API = "#/components/schemas/"
_HERE = "#/$defs/"
_ADDRESS = "url"


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool, as its file in `tools/` has it."""

    name: str
    title: str
    description: str
    input: Schema
    output: Schema
    answer: Callable[[Shelf, Arguments], dict[str, Any]]
    """Arguments to the structured answer. UserError where they cannot be used."""


@cache
def all_tools() -> Mapping[str, Tool]:
    """Every tool by name, in alphabetical order."""
    return {name: _tool(name) for name in sorted(module.name for module in pkgutil.iter_modules(tools.__path__))}


def _tool(name: str) -> Tool:
    module = importlib.import_module(f"{tools.__name__}.{name}")
    words = " ".join((module.__doc__ or "").split())
    return Tool(name, module.TITLE, words, module.INPUT, module.OUTPUT, module.answer)


def arguments_schema(fields: Mapping[str, Schema], *required: str) -> Schema:
    """The schema of a tool's arguments: these fields and no other."""
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(required),
        "additionalProperties": False,
    }


def standing_alone(schema: Schema) -> Schema:
    """A schema of the API's with all that it refers to inside it, as a tool's output wants it."""
    text = json.dumps(schema)
    used: dict[str, Schema] = {}
    while missing := [n for n in SCHEMAS if n not in used and f'"{_IN_API}{n}"' in text + json.dumps(used)]:
        used |= {name: SCHEMAS[name] for name in missing}
    whole = {**schema, "$defs": used} if used else schema
    found: Schema = without_addresses(json.loads(json.dumps(whole).replace(_IN_API, _HERE)))
    return found


def without_addresses(value: Any) -> Any:
    """Without the addresses of pages within a site, which lead nowhere here: of an answer, or of its schema."""
    if isinstance(value, dict):
        return {name: without_addresses(inner) for name, inner in value.items() if name != _ADDRESS}
    if isinstance(value, list):
        return [without_addresses(inner) for inner in value if inner != _ADDRESS]
    return value


def refuse_unknown(arguments: Arguments, schema: Schema) -> None:
    """UserError where an argument is none of the tool's."""
    known = schema["properties"]
    if strange := sorted(set(arguments) - set(known)):
        raise UserError("bad_argument", f"`{strange[0]}` is no argument; give {', '.join(known)}")


def text_argument(arguments: Arguments, name: str, longest: int) -> str:
    """A text, "" where it is left out. UserError for another type, or a longer one."""
    value = arguments.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UserError("bad_argument", f"`{name}` must be a text")
    if len(value) > longest:
        raise UserError("bad_argument", f"`{name}` has {len(value)} characters; give at most {longest}")
    return value


def count_argument(arguments: Arguments, name: str, default: int) -> int:
    """A whole number from 1. UserError for anything else."""
    value = arguments.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UserError("bad_argument", f"`{name}` must be a whole number from 1")
    return value


def flag_argument(arguments: Arguments, name: str, default: bool) -> bool:
    """True or false. UserError for anything else."""
    value = arguments.get(name, default)
    if not isinstance(value, bool):
        raise UserError("bad_argument", f"`{name}` must be true or false")
    return value
