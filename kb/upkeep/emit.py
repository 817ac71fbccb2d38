"""Writes an entry as the YAML that people edit: fields in the model's order, prose folded, code as it stands. Pure."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from kb.entry import Entry
from kb.shape import encode

WIDTH = 118
INLINE = frozenset({"stands", "versions", "against", "related", "aliases", "issues", "except", "fixed_by"})
"""Fields whose value goes on one line."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_ .,/()+-]*[A-Za-z0-9_.)]|[A-Za-z]")
_NOT_TEXT = re.compile(r"(?i)true|false|yes|no|on|off|null|~")


def entry_yaml(entry: Entry) -> str:
    """The file of an entry; `kb.load` reads the same entry from it."""
    return "".join(_field(key, value, 0) for key, value in encode(entry).items())


def _field(key: str, value: Any, indent: int) -> str:
    pad = " " * indent
    if key in INLINE or value in ([], {}) or isinstance(value, bool):
        return f"{pad}{key}: {_inline(value)}\n"
    if isinstance(value, Mapping):
        return f"{pad}{key}:\n" + "".join(_field(k, v, indent + 2) for k, v in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"{pad}{key}:\n" + "".join(_item(item, indent + 2) for item in value)
    return f"{pad}{key}: {_text(str(value), indent + 2, len(key) + 2)}\n"


def _item(value: Any, indent: int) -> str:
    pad = " " * indent
    if isinstance(value, Mapping):
        lines = "".join(_field(k, v, indent + 2) for k, v in value.items())
        return f"{pad}- {lines[indent + 2 :]}"
    return f"{pad}- {_text(str(value), indent + 2, 2)}\n"


def _text(value: str, indent: int, used: int) -> str:
    """One scalar: a literal block for lines, a folded one for long prose, else plain or quoted."""
    pad = " " * indent
    if "\n" in value.rstrip("\n") or value.endswith("\n"):
        lines = value.rstrip("\n").split("\n")
        safe = not lines[0].startswith(" ") and all(line.isprintable() and line == line.rstrip() for line in lines)
        if safe and not value.endswith("\n\n"):
            sign = "|" if value.endswith("\n") else "|-"
            return f"{sign}\n" + "\n".join(f"{pad}{line}" if line else "" for line in lines)
        return json.dumps(value, ensure_ascii=False)
    single = " ".join(value.split()) == value
    if single and len(value) + used + indent > WIDTH and "#" not in value:
        wrapped = textwrap.wrap(value, WIDTH - indent, break_long_words=False, break_on_hyphens=False)
        if len(wrapped) > 1:
            return ">-\n" + "\n".join(pad + line for line in wrapped)
    return _scalar(value)


def _scalar(value: str) -> str:
    plain = _PLAIN.fullmatch(value) and not _NOT_TEXT.fullmatch(value)
    return value if plain else json.dumps(value, ensure_ascii=False)


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {_inline(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    flow_safe = re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]*", value) and not _NOT_TEXT.fullmatch(value)
    return value if flow_safe else json.dumps(value, ensure_ascii=False)
