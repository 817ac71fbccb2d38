"""Who may bring an answer back that somebody kept back. Pure rules over the memory of an issue."""

from __future__ import annotations

from dataclasses import replace

from bot.commands._model import Role
from bot.triage.snapshot import IssueMemory


def held(memory: IssueMemory, hold: str, role: Role) -> IssueMemory:
    """The answer kept back for this reason. Where it is kept back already by a maintainer, or by two others until a
    maintainer decides, that stands: nobody else's command makes it easier to lift."""
    if memory.hold and memory.hold_by in {Role.MAINTAINER, Role.OTHERS} and role is not Role.MAINTAINER:
        return memory
    return replace(memory, hold=hold, hold_by=str(role))


def may_lift(memory: IssueMemory, role: Role) -> bool:
    """Whether a person of this role may bring the answer back: maintainers always, the author what the author kept
    back. What was deleted comes back for either."""
    return role is Role.MAINTAINER or memory.hold in {"", "deleted"} or memory.hold_by == role


def lifted(memory: IssueMemory) -> IssueMemory:
    """Nothing is kept back any more."""
    return replace(memory, hold="", hold_by="", muted=False)
