"""The whole analysis of one report: read, match the root, decide. Pure but for `knowledge.source`."""

from __future__ import annotations

from bot.triage.extract import read
from bot.triage.knowledge import Knowledge
from bot.triage.matching import match_panic
from bot.triage.model import Report, Verdict
from bot.triage.verdict import decide


def analyze(report: Report, knowledge: Knowledge) -> Verdict:
    """The verdict on a report. Total: any text gives a verdict.

    What `knowledge.source` does not have is remembered there as missing; the answer may get better once it is read.
    """
    reading = read(report)
    root = reading.root
    if root is None:
        return decide(reading, None, knowledge)
    matched = match_panic(root, reading.facts, report.created_at, knowledge)
    return decide(reading, matched, knowledge)
