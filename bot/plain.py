"""The values that outlive a process, as plain JSON and back: memories and actions. Pure.

What another version wrote is read leniently: unknown fields are passed over, missing ones take their default.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from bot.triage.actions import Action
from bot.triage.snapshot import IssueMemory

_ACTIONS: dict[str, type[Any]] = {kind.__name__: kind for kind in typing.get_args(Action)}


def memory_to_json(memory: IssueMemory) -> dict[str, Any]:
    """A memory as plain JSON: sets sorted, tuples as lists."""
    return {item.name: _plain(getattr(memory, item.name)) for item in fields(memory)}


def memory_from_json(values: Mapping[str, Any]) -> IssueMemory:
    """A memory from JSON."""
    return IssueMemory(**_known(IssueMemory, values))


def action_to_json(action: Action) -> dict[str, Any]:
    """An action as plain JSON, its kind under `action`."""
    return {"action": type(action).__name__} | {item.name: getattr(action, item.name) for item in fields(action)}


def action_from_json(values: Mapping[str, Any]) -> Action:
    """An action from JSON. KeyError for a kind that this version does not know."""
    kind = _ACTIONS[values["action"]]
    action: Action = kind(**_known(kind, values))
    return action


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset | set):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


def _known(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {name: _restored(hint, values[name]) for name, hint in hints.items() if name in values}


def _restored(hint: Any, value: Any) -> Any:
    origin = typing.get_origin(hint)
    return origin(value) if origin in (frozenset, tuple) else value
