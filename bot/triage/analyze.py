"""The whole analysis of one report: read, match the root, decide. Pure but for `knowledge.source`."""

from __future__ import annotations

from dataclasses import replace

from bot.triage.extract import read
from bot.triage.knowledge import Knowledge
from bot.triage.known_text import is_known_message, read_known_text
from bot.triage.matching import match_panic
from bot.triage.model import Reading, Report, Verdict
from bot.triage.verdict import decide
from kb.model import SiteIndex


def analyze(report: Report, knowledge: Knowledge) -> Verdict:
    """The verdict on a report. Total: any text gives a verdict.

    What `knowledge.source` does not have is remembered there as missing; the answer may get better once it is read.
    """
    reading = read(report, lambda text: is_known_message(text, knowledge))
    if not reading.panics:
        reading = replace(reading, panics=read_known_text(report, knowledge))
    root = reading.root
    if root is None:
        return decide(reading, None, knowledge)
    date = checkout_date(reading, knowledge.index) or report.created_at
    matched = match_panic(root, reading.facts, date, knowledge)
    return decide(reading, matched, knowledge)


def checkout_date(reading: Reading, index: SiteIndex) -> str | None:
    """The day of a git checkout that the report shows, where one of its commits is known.

    All repositories of the family are checked out for one build, so the commit of one dates the others, and better than
    the day of the report.
    """
    for panic in reading.panics:
        location = panic.location
        if location is None or not location.commit or not location.crate:
            continue
        for repo in index.repos_of_crate(location.crate):
            commits = index.commits(repo, location.commit)
            if len(commits) == 1:
                return commits[0].date
    return None
