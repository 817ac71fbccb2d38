"""What the runner says, checked: everything that is wrong is told at once, and untrusted text stays text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.action.environment import read_run
from bot.errors import UserError
from bot.triage.policy import Mode


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    event = {"action": "opened", "issue": {"number": 7}, "sender": {"login": "ann", "type": "User"}}
    (tmp_path / "event.json").write_text(json.dumps(event), "utf-8")
    return {
        "GITHUB_EVENT_NAME": "issues",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_REPOSITORY": "tracel-ai/burn",
        "GITHUB_TOKEN": "t",
        "GITHUB_WORKFLOW_REF": "tracel-ai/burn/.github/workflows/b.yml@refs/heads/main",
    }


def test_a_run_is_read(env: dict[str, str]):
    run = read_run(env)
    assert (run.repo, run.number, run.workflow, run.mode, run.since, run.trigger.sender) == (
        "tracel-ai/burn",
        7,
        ".github/workflows/b.yml",
        Mode.SHADOW,
        "",
        "ann",
    )


def test_everything_that_is_missing_is_told_at_once():
    with pytest.raises(UserError) as raised:
        read_run({})
    told = str(raised.value)
    assert [word for word in ("event", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY", "token") if word not in told] == []


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("GITHUB_EVENT_NAME", "push", "let the workflow run on `issues`"),
        ("GITHUB_EVENT_NAME", "issues\n::error::x", "let the workflow run on `issues`"),
        ("GITHUB_REPOSITORY", "$(reboot)", "no owner/name"),
        ("INPUT_MODE", "loud", "must be one of on, shadow, off"),
        ("INPUT_SINCE", "yesterday", "must be a date"),
        ("GITHUB_EVENT_PATH", "/nonexistent", "holds no JSON"),
        ("GITHUB_TOKEN", " ", "issues: write, contents: read"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_remedy(env: dict[str, str], name: str, value: str, told: str):
    with pytest.raises(UserError, match=told.replace("[", "\\[")) as raised:
        read_run(env | {name: value})
    assert "::error" not in str(raised.value)


@pytest.mark.parametrize(
    "event",
    [
        "[]",
        "null",
        "{}",
        '{"issue": 7}',
        '{"issue": {"number": "7; reboot"}}',
        '{"issue": {"number": true}}',
        "[" * 9999,
    ],
)
def test_an_event_without_an_issue_is_refused(env: dict[str, str], event: str):
    Path(env["GITHUB_EVENT_PATH"]).write_text(event, "utf-8")
    with pytest.raises(UserError):
        read_run(env)


@pytest.mark.parametrize(
    ("given", "mode"), [("on", "on"), ("true", "on"), ("OFF", "off"), ("false", "off"), ("", "shadow")]
)
def test_yaml_makes_true_of_on(env: dict[str, str], given: str, mode: str):
    assert read_run(env | {"INPUT_MODE": given}).mode == mode


def test_a_date_is_in_utc(env: dict[str, str]):
    found = [read_run(env | {"INPUT_SINCE": text}).since for text in ("2026-11-30", "2026-11-30T10:00:00+02:00")]
    assert found == ["2026-11-30T00:00:00Z", "2026-11-30T08:00:00Z"]


def test_the_token_is_not_shown(env: dict[str, str]):
    assert "secret-token" not in repr(read_run(env | {"GITHUB_TOKEN": "secret-token"}))
