"""Plain data to frozen dataclasses and back, and their JSON schema, all from the same annotations. Pure.

Understands str, int, bool, enums of strings, optional values, tuples of one type, mappings of strings, and dataclasses.
Field metadata: `key` (name in the data), `pattern` (the whole text), `min` (least length), `doc`, `derived` (not in
the data). A single mapping where a tuple of dataclasses is wanted counts as a tuple of one.
"""

from __future__ import annotations

import difflib
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the data that has no place there. `path` leads to it from the top."""

    path: Path
    text: str
    remedy: str


@cache
def hints(cls: type) -> Mapping[str, Any]:
    """The resolved annotations of a dataclass."""
    return typing.get_type_hints(cls)


def key_of(spec: Field[Any]) -> str:
    """The name under which a field stands in the data."""
    return spec.metadata.get("key") or spec.name


@cache
def stored_fields(cls: type) -> tuple[Field[Any], ...]:
    """The fields of a dataclass that the data holds, in order."""
    return tuple(f for f in fields(cls) if not f.metadata.get("derived"))


def is_required(spec: Field[Any]) -> bool:
    """Whether the data must hold this field."""
    return spec.default is MISSING and spec.default_factory is MISSING


def optional_of(hint: Any) -> tuple[Any, bool]:
    """The type without None, and whether None is allowed."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        rest = [a for a in typing.get_args(hint) if a is not type(None)]
        return rest[0], True
    return hint, False


class Decoder:
    """Reads one value and gathers every problem on the way. `renamed` maps old spellings of enum values to new ones."""

    def __init__(self, renamed: Mapping[str, str] | None = None) -> None:
        self.problems: list[Problem] = []
        self._renamed = renamed or {}

    def read(self, cls: type, data: object, path: Path = (), **derived: Any) -> Any:
        """A value of `cls`, or None where a problem was noted."""
        if not isinstance(data, Mapping):
            return self._note(path, f"{_where(path)} must be a mapping", "write it as `key: value` lines")
        before = len(self.problems)
        self._unknown(cls, data, path)
        values = dict(derived)
        for spec in stored_fields(cls):
            self._field(cls, spec, data, path, values)
        return cls(**values) if len(self.problems) == before else None

    def _field(self, cls: type, spec: Field[Any], data: Mapping[str, Any], path: Path, values: dict[str, Any]) -> None:
        key = key_of(spec)
        if key not in data:
            if is_required(spec):
                self._note(path, f"{_where(path)} has no `{key}`", f"add `{key}:` ({spec.metadata.get('doc', '')})")
            return
        raw = data[key]
        if raw is None and not is_required(spec):
            return
        values[spec.name] = self._value(hints(cls)[spec.name], raw, (*path, key), spec.metadata)

    def _unknown(self, cls: type, data: Mapping[str, Any], path: Path) -> None:
        known = [key_of(f) for f in stored_fields(cls)]
        for key in data:
            if key not in known:
                near = difflib.get_close_matches(str(key), known, 1)
                remedy = f"did you mean `{near[0]}`?" if near else "known fields: " + ", ".join(known)
                self._note((*path, key), f"unknown field `{key}`", remedy)

    def _value(self, hint: Any, raw: object, path: Path, meta: Mapping[str, Any]) -> Any:
        hint, optional = optional_of(hint)
        if raw is None and optional:
            return None
        origin = typing.get_origin(hint)
        if origin is tuple:
            return self._tuple(typing.get_args(hint)[0], raw, path, meta)
        if origin is not None and issubclass(origin, Mapping):
            return self._mapping(raw, path, meta)
        return self._scalar(hint, raw, path, meta)

    def _scalar(self, hint: Any, raw: object, path: Path, meta: Mapping[str, Any]) -> Any:
        if is_dataclass(hint):
            return self.read(typing.cast(type, hint), raw, path)
        if hint is bool:
            return raw if isinstance(raw, bool) else self._note(path, f"{_where(path)} must be true or false", "")
        if isinstance(hint, type) and issubclass(hint, StrEnum):
            return self._enum(hint, raw, path)
        return self._string(raw, path, meta)

    def _tuple(self, item: Any, raw: object, path: Path, meta: Mapping[str, Any]) -> tuple[Any, ...]:
        if isinstance(raw, Mapping) and is_dataclass(item):
            raw = [raw]
        if not isinstance(raw, list):
            self._note(path, f"{_where(path)} must be a list", "write one `- item` a line, or `[]` for none")
            return ()
        return tuple(self._value(item, value, (*path, i), meta) for i, value in enumerate(raw))

    def _mapping(self, raw: object, path: Path, meta: Mapping[str, Any]) -> dict[str, str]:
        if not isinstance(raw, Mapping):
            self._note(path, f"{_where(path)} must be a mapping", "write it as `key: value` lines")
            return {}
        return {str(k): self._string(v, (*path, str(k)), meta) or "" for k, v in raw.items()}

    def _enum(self, hint: type[StrEnum], raw: object, path: Path) -> Any:
        try:
            return hint(self._renamed.get(str(raw), str(raw)))
        except ValueError:
            known = ", ".join(member.value for member in hint)
            return self._note(path, f"{_where(path)} is {raw!r}", f"one of: {known}")

    def _string(self, raw: object, path: Path, meta: Mapping[str, Any]) -> Any:
        if not isinstance(raw, str):
            return self._note(path, f"{_where(path)} must be text, not {raw!r}", "put it in quotes")
        pattern = meta.get("pattern")
        if pattern and not re.fullmatch(pattern, raw):
            return self._note(path, f"{_where(path)} is {raw!r}", f"must look like {pattern}")
        if len(raw.strip()) < meta.get("min", 0):
            return self._note(path, f"{_where(path)} is empty", str(meta.get("doc", "")))
        return raw

    def _note(self, path: Path, text: str, remedy: str) -> Any:
        """Gathers a problem; None, which stands in for the value that could not be read."""
        self.problems.append(Problem(path, text, remedy))
        return None


def _where(path: Path) -> str:
    return "`" + ".".join(str(p) for p in path) + "`" if path else "the entry"


def encode(value: Any) -> Any:
    """Plain data of a value, without the fields that hold their default; `Decoder` reads it back."""
    if is_dataclass(value) and not isinstance(value, type):
        kept = (f for f in stored_fields(type(value)) if is_required(f) or getattr(value, f.name) != _default(f))
        return {key_of(f): encode(getattr(value, f.name)) for f in kept}
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return dict(value)
    return value


def _default(spec: Field[Any]) -> Any:
    return spec.default if spec.default_factory is MISSING else spec.default_factory()


def json_schema(cls: type) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a dataclass: for editors; the decoder stays the judge."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_object(cls)}


def _object(cls: type) -> dict[str, Any]:
    specs = stored_fields(cls)
    return {
        "type": "object",
        "description": (cls.__doc__ or "").strip().split("\n", 1)[0],
        "additionalProperties": False,
        "required": [key_of(f) for f in specs if is_required(f)],
        "properties": {key_of(f): _property(hints(cls)[f.name], f) for f in specs},
    }


def _property(hint: Any, spec: Field[Any]) -> dict[str, Any]:
    bare, _ = optional_of(hint)
    schema = _schema_of(bare, spec.metadata)
    if not is_required(spec):
        schema = {"anyOf": [schema, {"type": "null"}]}
    return {"description": spec.metadata.get("doc", ""), **schema}


def _schema_of(hint: Any, meta: Mapping[str, Any]) -> dict[str, Any]:
    origin = typing.get_origin(hint)
    if origin is tuple:
        item = typing.get_args(hint)[0]
        many = {"type": "array", "items": _schema_of(item, meta)}
        return {"anyOf": [many, _schema_of(item, meta)]} if is_dataclass(item) else many
    if origin is not None:
        return {"type": "object", "additionalProperties": _schema_of(str, meta)}
    return _plain_schema(hint, meta)


def _plain_schema(hint: Any, meta: Mapping[str, Any]) -> dict[str, Any]:
    if is_dataclass(hint):
        return _object(typing.cast(type, hint))
    if hint is bool:
        return {"type": "boolean"}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"enum": [member.value for member in hint]}
    schema: dict[str, Any] = {"type": "string"}
    if meta.get("pattern"):
        schema["pattern"] = f"^(?:{meta['pattern']})$"
    if meta.get("min"):
        schema["minLength"] = meta["min"]
    return schema


def texts(value: Any, mark: str, path: Path = ()) -> list[tuple[Path, str]]:
    """Every text in a value whose field's metadata has this mark (`prose`, `rust`), with the path that leads to it."""
    found: list[tuple[Path, str]] = []
    cls: type = type(value)
    for name, key in _leading(cls, mark):
        _gather(getattr(value, name), mark, (*path, key), found)
    return found


def _gather(value: Any, mark: str, path: Path, found: list[tuple[Path, str]]) -> None:
    if isinstance(value, str):
        if value:
            found.append((path, value))
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            _gather(item, mark, (*path, i), found)
    elif value is not None:
        found.extend(texts(value, mark, path))


@cache
def _leading(cls: type, mark: str) -> tuple[tuple[str, str], ...]:
    """The fields, with their names in the data, that are marked or hold values with such fields."""
    found = []
    for spec in stored_fields(cls):
        hint, _ = optional_of(hints(cls)[spec.name])
        inner = typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else hint
        if spec.metadata.get(mark) or (is_dataclass(inner) and _leading(typing.cast(type, inner), mark)):
            found.append((spec.name, key_of(spec)))
    return tuple(found)
