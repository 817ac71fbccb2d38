"""What the job's page shows of a run, as Markdown. Pure.

It goes to the summary file and never to the job's output, where a line that begins with `::` commands the runner.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.action.environment import Run
from bot.action.work import Outcome
from bot.triage.policy import Mode
from bot.triage.safe import fence


def summary(run: Run, outcome: Outcome) -> str:
    """A heading, what was decided and done, and in shadow the comment that would stand on the issue."""
    return "\n\n".join([f"### burn-triage on #{run.number}", *_parts(outcome)]) + "\n"


def failure(run: Run | None, message: str) -> str:
    """The same for a run that failed; `message` is ours, and quoted all the same."""
    head = f"### burn-triage on #{run.number}" if run else "### burn-triage"
    return f"{head}\n\nThis run failed; the next event on the issue makes up for it.\n\n{fence(message)}\n"


def _parts(outcome: Outcome) -> Iterator[str]:
    decision = outcome.decision
    verdict = decision.verdict if decision else None
    found = f", verdict `{verdict.outcome}`" if verdict else ""
    entry = f", entry `{verdict.entry}`" if verdict and verdict.entry else ""
    yield f"Decided: `{outcome.reason}`{found}{entry}. Mode: `{outcome.mode}`."
    for done in outcome.done:
        yield f"- {done['action']}: {done['did']}" + (f" ({done['reason']})" if done.get("reason") else "")
    if outcome.mode is Mode.SHADOW and decision:
        yield "Shadow: nothing of this is written on the issue; maintainers' commands are answered."
        yield "It would say:" if outcome.would else "It would say nothing."
    if outcome.would:
        yield outcome.would
    if outcome.fault:
        yield "`.github/burn-triage.yml` cannot be used, so nothing is said uninvited:"
        yield fence(outcome.fault)
