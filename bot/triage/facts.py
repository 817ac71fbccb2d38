"""What a report says beside the panic: versions, backends, features, systems. Each with where and in which words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.triage.conversation import Line
from bot.triage.model import Fact


def read_facts(lines: Sequence[Line]) -> tuple[Fact, ...]:
    """All facts in reading order."""
    return ()
