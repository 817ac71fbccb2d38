"""What the runner tells an Action: its variables, the event in a file, and our inputs. Untrusted text stays text."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.delivery import HANDLED
from bot.errors import UserError
from bot.triage.policy import Mode
from bot.triage.snapshot import Trigger

EVENTS = ("issues", "issue_comment")
LARGEST_EVENT = 32 * 1024 * 1024
"""Bytes of the event file; GitHub caps payloads at 25 MB."""

_REPO = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the Action: what it is about and what was chosen for it."""

    repo: str
    number: int
    trigger: Trigger
    token: str = field(repr=False)
    login: str
    """The account that the token writes as."""
    mode: Mode
    """What holds where the repository's own file names no mode."""
    since: str
    """ISO 8601 in UTC; "" where the workflow file's first commit is to be looked up."""
    mute_label: str
    workflow: str
    """Path of the workflow file in its repository, "" where the runner does not say."""
    api_url: str
    summary: Path | None
    ignored: str = ""
    """Why there is nothing to do, a reason code; "" where there may be."""


def read_run(environ: Mapping[str, str] | None = None) -> Run:
    """The run that the runner's variables describe (default: of this process).

    UserError lists everything that is missing or cannot be used, with the remedy.
    """
    env = os.environ if environ is None else environ
    problems: list[str] = []
    event = _checked(problems, lambda: _event_name(env))
    payload = _checked(problems, lambda: _payload(env))
    repo = _checked(problems, lambda: _repo(env))
    token = _checked(problems, lambda: _token(env))
    mode = _checked(problems, lambda: _mode(env.get("INPUT_MODE", "")))
    since = _checked(problems, lambda: _since(env.get("INPUT_SINCE", "")))
    number = None if payload is None else _checked(problems, lambda: _number(payload))
    if problems:
        raise UserError("action_setup", "\n".join(["The Action cannot run:", *(f"  {line}" for line in problems)]))
    action = str(payload.get("action") or "")
    return Run(
        repo=str(repo),
        number=int(number or 0),
        trigger=_trigger(str(event), action, payload),
        token=str(token),
        login=env.get("INPUT_LOGIN", "").strip() or "github-actions[bot]",
        mode=mode or Mode.SHADOW,
        since=since or "",
        mute_label=env.get("INPUT_MUTE_LABEL", "").strip(),
        workflow=_workflow(env),
        api_url=env.get("GITHUB_API_URL", "").rstrip("/") or "https://api.github.com",
        summary=Path(env["GITHUB_STEP_SUMMARY"]) if env.get("GITHUB_STEP_SUMMARY") else None,
        ignored="" if action in HANDLED[str(event)] else "action_not_handled",
    )


def _checked(problems: list[str], read: Any) -> Any:
    try:
        return read()
    except ValueError as error:
        problems.append(str(error))
        return None


def _event_name(env: Mapping[str, str]) -> str:
    name = env.get("GITHUB_EVENT_NAME", "")
    if name not in EVENTS:
        shown = re.sub(r"[^\w-]", "", name)[:40] or "nothing"
        raise ValueError(f"the event is {shown}; let the workflow run on `issues` and `issue_comment` alone")
    return name


def _payload(env: Mapping[str, str]) -> dict[str, Any]:
    path = env.get("GITHUB_EVENT_PATH", "")
    remedy = "run this inside GitHub Actions"
    if not path:
        raise ValueError(f"GITHUB_EVENT_PATH is not set; {remedy}")
    try:
        with Path(path).open("rb") as file:
            found = json.loads(file.read(LARGEST_EVENT))
    except (OSError, ValueError, RecursionError):
        raise ValueError(f"the event file that GITHUB_EVENT_PATH names holds no JSON; {remedy}") from None
    if not isinstance(found, dict):
        raise ValueError(f"the event file that GITHUB_EVENT_PATH names holds no event; {remedy}")
    return found


def _repo(env: Mapping[str, str]) -> str:
    repo = env.get("GITHUB_REPOSITORY", "")
    if not _REPO.fullmatch(repo):
        raise ValueError("GITHUB_REPOSITORY is no owner/name; run this inside GitHub Actions")
    return repo


def _token(env: Mapping[str, str]) -> str:
    token = env.get("INPUT_TOKEN", "").strip() or env.get("GITHUB_TOKEN", "").strip()
    if not token:
        raise ValueError(
            "there is no token; leave the input `token` at its default and give the job "
            "`permissions: {issues: write, contents: read}`"
        )
    return token


def _mode(text: str) -> Mode:
    word = text.strip().lower() or Mode.SHADOW
    # YAML 1.1 makes of a bare on and off true and false, which the runner hands on as words.
    word = {"true": "on", "false": "off"}.get(word, word)
    if word not in list(Mode):
        raise ValueError(f"the input `mode` must be one of {', '.join(Mode)}")
    return Mode(word)


def _since(text: str) -> str:
    text = text.strip()
    if not text:
        return ""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("the input `since` must be a date, for example 2026-11-30 or 2026-11-30T10:00:00Z") from None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _number(payload: Mapping[str, Any]) -> int:
    issue = payload.get("issue")
    number = issue.get("number") if isinstance(issue, dict) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise ValueError("the event names no issue; let the workflow run on `issues` and `issue_comment` alone")
    return number


def _trigger(event: str, action: str, payload: Mapping[str, Any]) -> Trigger:
    sender = payload.get("sender")
    known = sender if isinstance(sender, dict) else {}
    comment = payload.get("comment")
    comment_id = comment.get("id") if isinstance(comment, dict) else None
    return Trigger(
        event,
        action,
        str(known.get("login") or "ghost"),
        known.get("type") == "Bot",
        comment_id if isinstance(comment_id, int) else None,
    )


def _workflow(env: Mapping[str, str]) -> str:
    """Of `owner/name/.github/workflows/x.yml@refs/heads/main` the path."""
    found = re.fullmatch(r"[^/@]+/[^/@]+/([^@]+)@.*", env.get("GITHUB_WORKFLOW_REF", ""), re.DOTALL)
    return found[1] if found else ""
