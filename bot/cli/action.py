"""Answer one event as a GitHub Action: no server, no database. Run by `deploy/action/action.yml`.

Reads the runner's own variables (GITHUB_REPOSITORY, GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_API_URL,
GITHUB_WORKFLOW_REF, GITHUB_STEP_SUMMARY, GITHUB_TOKEN) and the inputs as INPUT_MODE, INPUT_SINCE, INPUT_MUTE_LABEL,
INPUT_LOGIN and INPUT_TOKEN. What it remembers stands on the issue: its comment, its reactions, labels. What was decided
goes into the job's summary. Exit status: 0 done, 1 GitHub failed or refused, 2 the workflow is not set up right.
"""

from __future__ import annotations

import argparse
from contextlib import suppress

from bot.errors import PermanentError, TriageError, UserError

REFUSED = frozenset({"forbidden", "unauthorized", "repository_not_found", "not_found"})
REMEDY = "give the job `permissions: {issues: write, contents: read}`; a workflow of a fork gets no more than it may"


def configure(parser: argparse.ArgumentParser) -> None:
    """No options: the runner says everything."""


def run(args: argparse.Namespace) -> int:
    """Work off one event."""
    from bot.action.environment import Run, read_run
    from bot.action.summary import failure, summary
    from bot.wiring_action import make_work

    told: Run | None = None
    try:
        told = read_run()
        outcome = make_work(told).carry_out(told)
    except TriageError as error:
        shown = _with_remedy(error)
        _append(told, failure(told, str(shown)))
        raise shown from error
    _append(told, summary(told, outcome))
    # Codes alone: what people wrote must not reach the output, which the runner reads for commands.
    print(f"issue {told.number}: {outcome.reason}, mode {outcome.mode}")
    for done in outcome.done:
        print(f"  {done['action']}: {done['did']} {done.get('url') or ''}".rstrip())
    return 0


def _with_remedy(error: TriageError) -> TriageError:
    if isinstance(error, UserError):
        return error
    if isinstance(error, PermanentError) and error.reason in REFUSED:
        return PermanentError(error.reason, f"GitHub refused: {error}. Remedy: {REMEDY}")
    return PermanentError(
        error.reason, f"GitHub could not be used: {error}. The next event on the issue makes up for it."
    )


def _append(told: object, text: str) -> None:
    path = getattr(told, "summary", None)
    if path is not None:
        with suppress(OSError), open(path, "a", encoding="utf-8") as file:
            file.write(text)
