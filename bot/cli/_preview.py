"""What the bot would say for one entry, for `burn-triage kb preview`."""

from __future__ import annotations

from dataclasses import replace

from bot.triage.analyze import analyze
from bot.triage.knowledge import Knowledge
from bot.triage.model import Report
from bot.triage.render import render
from kb.catalog import open_catalog
from kb.entry import Entry, Status
from kb.folder import KbFolder


def comment_of(entry: Entry, folder: KbFolder) -> str | None:
    """The comment on a report that holds the entry's first example; drafts are shown as if they were published."""
    catalog = open_catalog(folder)
    kb_id = entry.kb_id if entry.live else "KB-9999"
    shown = replace(entry, status=Status.PUBLISHED, kb_id=kb_id)
    others = [o for o in catalog.entries if o.id != entry.id and not set(o.keys) & set(entry.keys)]
    knowledge = Knowledge.of(catalog, [*others, shown], folder.revision)
    text = entry.examples[0].text if entry.examples else entry.message
    return render(analyze(Report(id=None, title="", body=f"```\n{text}\n```"), knowledge), knowledge, spoken=True)
