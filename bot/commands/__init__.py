"""Slash commands, one file each. A module declares one `COMMAND`; nothing else has to be edited to add one.

    /triage <name> <argument>      at the start of a line of prose, in any case

Read by: the parser's typo hints, the permission check, `/triage help`, the docs table and the metrics.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from types import MappingProxyType

from bot.commands._model import Call, Command, Context, Effect, Role, Who

__all__ = ["COMMANDS", "Call", "Command", "Context", "Effect", "Role", "Who"]


def _found() -> Mapping[str, Command]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
    commands: list[Command] = [importlib.import_module(f"{__name__}.{name}").COMMAND for name in names]
    return MappingProxyType({command.name: command for command in commands})


COMMANDS = _found()
"""Every command by its name, in alphabetical order; `again` is `/triage` alone."""
