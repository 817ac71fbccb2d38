"""The logs of receiver and worker, at their loudest and while much goes wrong, hold ids and nothing of anybody."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import Engine

from tests.e2e.stack import Stack, until
from tests.e2e.test_crashes import PANIC
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e
REPO = "tracel-ai/burn"
LOGIN, OTHER, MAIL = "reporter-ann", "steward-mel", "ann.reporter@mail.example"
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
PRIVATE = (LOGIN, OTHER, MAIL, TOKEN, "/home/ann", "Secret title", "embedding backward", "words of mine")


def test_traffic_and_faults_leave_ids_and_nothing_private(stack: Stack, github: FakeGitHub, engine: Engine):
    stack.settings |= {"LOG_LEVEL": "debug", "LOG_FORMAT": "json", "JOB_ATTEMPTS": "2"}
    github.create_repo(REPO, roles={OTHER: "triage"})
    stack.start("serve")
    stack.start("work")
    stack.wait_ready()
    github.install(stack.app, [REPO])
    github.fault("500_before", verb="GET", path="/permission$", times=20)
    github.fault("502_after", verb="POST", path="/comments$")
    github.fault("422", verb="POST", path="/reactions$", times=2)
    body = f"{PANIC}\nMail me at {MAIL}, my token is {TOKEN}, words of mine"
    number = github.people.open_issue(REPO, LOGIN, "Secret title", body).number
    said = github.people.comment(REPO, number, OTHER, f"/triage wrong words of mine {MAIL}")
    github.people.edit_comment(said.id, f"/triage entry {TOKEN}")
    github.people.open_issue(REPO, LOGIN, "Secret title", body)
    github.hooks.settle()

    def ended() -> bool:
        from bot.store import deliveries

        with engine.connect() as conn:
            return all(row.state != deliveries.QUEUED for row in deliveries.recent(conn))

    until(lambda: ended() and len(github.hooks.log) >= 5, "every job to end", log=stack.log)
    until(lambda: "job ended" in stack.log(), "the logs", log=stack.log)
    text = stack.log()
    assert [word for word in PRIVATE if word in text] == []
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    guids = {delivery.guid for delivery in github.hooks.log}
    by_receiver = {line.get("delivery") for line in lines if line["logger"] == "bot.receiver"}
    by_worker = {(line["delivery"], line["job"].partition("-")[2]) for line in lines if "job" in line}
    assert guids <= by_receiver
    assert by_worker
    assert [pair for pair in by_worker if pair[0] != pair[1] or pair[0] not in guids] == []
