"""Which labels an issue should carry for its verdict, and which of ours should go. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.triage.actions import SetLabels
from bot.triage.model import Verdict
from bot.triage.policy import Rules
from bot.triage.snapshot import IssueMemory, IssueSnapshot


def label(
    snapshot: IssueSnapshot, memory: IssueMemory, verdict: Verdict, rules: Rules
) -> tuple[SetLabels | None, IssueMemory]:
    """The labels to put on and to take off, None where there are none, and the memory of it.

    A label of ours that is on the issue no more was taken off by a person and is never put on again. One that belongs
    to another verdict goes, if we put it on. Names are compared as GitHub does, whatever the case.
    """
    present = {name.casefold() for name in snapshot.labels}
    refused = memory.labels_refused | {name for name in memory.labels_set if name not in present}
    wanted = {name.casefold(): name for name in rules.labels.get(verdict.outcome, ())}
    add = {key: name for key, name in wanted.items() if key not in present | refused}
    configured = {name.casefold() for names in rules.labels.values() for name in names}
    stale = (memory.labels_set & present & configured) - wanted.keys()
    ours = (memory.labels_set & present) - stale | add.keys()
    after = replace(memory, labels_set=ours, labels_refused=refused)
    if not add and not stale:
        return None, after
    return SetLabels(tuple(add.values()), tuple(n for n in snapshot.labels if n.casefold() in stale)), after
