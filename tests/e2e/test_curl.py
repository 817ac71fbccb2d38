"""A real gunicorn and real curl: the status codes that a person at a shell sees, and one comment in the end."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import requests

from tests.e2e.stack import Stack, until
from tests.fakes.deliveries import OLD_SECRET, SECRET, body_of, guid, payload, signature
from tests.fakes.github import FakeGitHub
from tests.fakes.github import payload as github_payload

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed"),
]

REPO = "tracel-ai/burn"
PANIC = """It dies at once. 日本語 🔥

```
thread 'main' panicked at /home/ann/.cargo/registry/src/index.crates.io-6f17d22bba15001f/burn-autodiff-0.21.0/\
src/ops/module.rs:56:9:
Can't differentiate embedding backward.
```
"""


def curl(stack: Stack, body: Path, *extra: str, sign_with: str | None = SECRET, delivery: str | None = None) -> int:
    """POST a file and return the status code."""
    heads = ["Content-Type: application/json", "X-GitHub-Event: issues", f"X-GitHub-Delivery: {delivery or guid()}"]
    if sign_with is not None:
        heads.append(f"X-Hub-Signature-256: {signature(body.read_bytes(), sign_with)}")
    options = [word for head in heads for word in ("-H", head)]
    command = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "60", *options, *extra]
    found = subprocess.run(
        [*command, "--data-binary", f"@{body}", stack.url("/webhook")], capture_output=True, text=True, check=False
    )
    assert found.stderr == ""
    return int(found.stdout)


def test_status_codes_and_one_comment(stack: Stack, github: FakeGitHub, tmp_path: Path):
    repo = github.create_repo(REPO)
    stack.start("run")
    stack.wait_ready()
    installation = github.install(stack.app, [repo])
    github.hooks.paused = True
    issue = github.people.open_issue(REPO, "ann", "Panic", PANIC)
    opened = tmp_path / "opened.json"
    opened.write_bytes(
        body_of(
            github_payload(
                github.url, "issues", "opened", installation=installation, sender=issue.user, repo=repo, issue=issue
            )
        )
    )
    files = {
        "truncated": opened.read_bytes()[:-20],
        "null": body_of(payload(issue={"number": 999, "id": 9990, "body": None})),
        "big": b"x" * (26 * 1024 * 1024),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    same = guid()
    codes = {
        "no signature": curl(stack, opened, sign_with=None),
        "wrong": curl(stack, opened, sign_with="something else"),
        "old": curl(stack, opened, sign_with=OLD_SECRET),
        "right": curl(stack, opened, delivery=same),
        "same guid": curl(stack, opened, delivery=same),
        "truncated": curl(stack, tmp_path / "truncated"),
        "body null": curl(stack, tmp_path / "null"),
        "26 MiB": curl(stack, tmp_path / "big"),
        "26 MiB in chunks": curl(stack, tmp_path / "big", "-H", "Transfer-Encoding: chunked"),
        "26 MiB at once": curl(stack, tmp_path / "big", "-H", "Expect:"),
    }
    assert codes == {
        "no signature": 401,
        "wrong": 401,
        "old": 202,
        "right": 202,
        "same guid": 202,
        "truncated": 400,
        "body null": 202,
        "26 MiB": 413,
        "26 MiB in chunks": 413,
        "26 MiB at once": 413,
    }
    wait_until_settled(stack)
    [comment] = github.comments(REPO, issue.number)
    assert "crates/burn-autodiff/src/ops/module.rs#L56" in comment.body
    assert [(d["path"], d["status"]) for d in posts(github)] == [(f"/repos/{REPO}/issues/1/comments", 201)]
    assert github.violations == []


def wait_until_settled(stack: Stack) -> None:
    def waiting() -> bool:
        text = requests.get(f"http://127.0.0.1:{stack.metrics_port}/metrics", timeout=5).text
        return 'burn_triage_jobs{state="queued"} 0.0' in text

    until(waiting, "an empty queue", log=stack.log)


def posts(github: FakeGitHub) -> list[dict[str, object]]:
    return [{"path": s.path, "status": s.status} for s in github.writes() if s.verb == "POST"]


def test_jobs_can_be_listed_shown_and_retried(stack: Stack, github: FakeGitHub):
    repo = github.create_repo(REPO)
    stack.start("run")
    stack.wait_ready()
    github.install(stack.app, [repo])
    github.fault("403", verb="POST", path="/comments$")
    issue = github.people.open_issue(REPO, "ann", "Panic", PANIC)
    github.hooks.settle()
    wait_until_settled(stack)
    listed = stack.command("jobs", "list", "--state", "parked").stdout.split()
    job = listed[-1]
    shown = stack.command("jobs", "show", job).stdout
    again = [
        stack.command("jobs", "retry", job),
        stack.command("jobs", "retry", "nothing"),
        stack.command("jobs", "retry"),
    ]
    wait_until_settled(stack)
    after = stack.command("jobs", "list", "--limit", "1").stdout.split()
    assert (listed[0], listed[4], [c.returncode for c in again]) == ("parked", "forbidden", [0, 2, 2])
    assert "forbidden" in shown
    assert "there is no job nothing" in again[1].stderr
    assert (after[0], after[4], len(github.comments(REPO, issue.number))) == ("done", "answered", 1)


def test_a_stopped_worker_is_missed_and_a_clean_stop_is_quiet(stack: Stack, github: FakeGitHub):
    github.create_repo(REPO)
    process = stack.start("run")
    stack.wait_ready()
    process.terminate()
    assert process.wait(30) == 0
    assert "Traceback" not in stack.log()
    stack.start("serve")
    until(lambda: stack.is_up("/healthz"), "/healthz")
    answer = requests.get(stack.url("/readyz"), timeout=5)
    assert (answer.status_code, answer.text) == (503, "not ready: no worker is alive\n")


def test_the_private_key_never_shows(stack: Stack, github: FakeGitHub):
    stack.settings |= {"PRIVATE_KEY": "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----"}
    process = stack.start("work")
    assert process.wait(60) == 2
    assert "The App's private key cannot be read" in stack.log()
    assert "MIIEabc" not in stack.log()
    assert "Traceback" not in stack.log()


def test_missing_settings_are_told_at_once(stack: Stack, github: FakeGitHub):
    stack.settings |= {"WEBHOOK_SECRET": "", "APP_ID": ""}
    done = stack.command("run")
    assert done.returncode == 2
    told = [line.split(":")[0].strip() for line in done.stderr.splitlines()[1:]]
    assert told == ["BURN_TRIAGE_WEBHOOK_SECRET or BURN_TRIAGE_WEBHOOK_SECRET_FILE", "BURN_TRIAGE_APP_ID"]


def test_metrics_have_an_address_of_their_own(stack: Stack, github: FakeGitHub):
    stack.start("serve")
    until(lambda: stack.is_up("/healthz"), "/healthz")
    body = body_of(payload("labeled"))
    heads = {"X-GitHub-Event": "issues", "X-GitHub-Delivery": guid(), "X-Hub-Signature-256": signature(body)}
    requests.post(stack.url("/webhook"), data=body, headers=heads, timeout=5)
    metrics = f"http://127.0.0.1:{stack.metrics_port}"
    spoofed = requests.get(stack.url("/metrics"), headers={"Host": f"127.0.0.1:{stack.metrics_port}"}, timeout=5)
    hidden = requests.post(f"{metrics}/webhook", data=body, headers=heads, timeout=5)
    text = requests.get(f"{metrics}/metrics", timeout=5).text
    assert (spoofed.status_code, hidden.status_code) == (404, 405)
    assert 'burn_triage_deliveries{event="issues",reason="action_not_handled",state="ignored"} 1.0' in text
    assert json.dumps(text).count("burn_triage_workers_alive 0.0") == 1
