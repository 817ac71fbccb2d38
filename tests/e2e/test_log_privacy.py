"""The logs of receiver and worker, at their loudest and while much goes wrong, hold ids and nothing of anybody."""

from __future__ import annotations

import json

import pytest
import requests
from sqlalchemy import Engine

from bot.store import deliveries
from tests.e2e.stack import Stack, until
from tests.e2e.test_crashes import PANIC, is_settled
from tests.fakes.databases import tables_holding
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


HEX, MIXED = "0123456789abcdef", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0"
SECRETS = (
    TOKEN, f"ghs_{MIXED}x", f"github_pat_{MIXED}_{MIXED}", f"glpat-{MIXED[:20]}", f"xoxb-1234567890-{MIXED[:24]}",
    "AKIAABCDEFGH12345678", f"sk-proj-{MIXED * 2}", f"sk-ant-api03-{MIXED * 2}", f"hf_{MIXED[:34]}", f"r8_{MIXED[:37]}",
    f"xai-{MIXED * 2}", f"pplx-{MIXED}12345678", f"nvapi-{MIXED * 2}", f"gsk_{MIXED}{MIXED[:12]}", f"cio{MIXED[:32]}",
    f"npm_{MIXED[:36]}", f"pypi-{MIXED * 2}", f"AIza{MIXED[:35]}", f"GOCSPX-{MIXED[:28]}", f"hvs.{MIXED * 2}",
    f"dop_v1_{HEX * 4}", f"sntryu_{HEX * 4}", f"PMAK-{HEX}{HEX[:8]}-{HEX * 2}ab", f"sk_live_{MIXED[:24]}",
    f"whsec_{MIXED[:32]}", f"SG.{MIXED[:22]}.{MIXED}abc", f"eyJ{MIXED}.eyJ{MIXED}.{MIXED}", f"dckr_pat_{MIXED[:27]}",
    f"lin_api_{MIXED}", f"shpat_{HEX * 2}", "hunter2-the-second", MAIL, "/home/ann", "84.12.201.9",
)  # fmt: skip


def test_secrets_in_a_panic_stand_in_the_payload_alone(stack: Stack, github: FakeGitHub, engine: Engine):
    """Not in a log, a comment, a metric, a page of the dashboard, nor in what the job engine keeps."""
    stack.settings |= {"LOG_LEVEL": "debug", "BOARD": "local"}
    github.create_repo(REPO, roles={OTHER: "triage"})
    stack.start("serve")
    stack.start("work")
    stack.wait_ready()
    github.install(stack.app, [REPO])
    each = [f"password={word}" if word.startswith("hunter2") else word for word in SECRETS]
    words = [" ".join(each[n : n + 4]) for n in range(0, len(each), 4)]
    panics = [PANIC.replace("differentiate", f"differentiate {word}") for word in words]
    unknown = [f"```\nthread 'main' panicked at src/main.rs:3:5:\n{word} went wrong\n```\n" for word in words]
    for text in (*panics, *unknown):
        number = github.people.open_issue(REPO, LOGIN, f"It panics {text.split()[6]}", text).number
    github.people.comment(REPO, number, OTHER, f"/triage wrong {' '.join(words)}")
    github.hooks.settle()
    until(lambda: is_settled(engine), "every job to end", log=stack.log)
    pages = [
        requests.get(stack.url(path), timeout=30)
        for path in ("/board", "/board/inbox", "/board/verdicts", *(f"/board/verdicts/{n}" for n in range(1, 30)))
    ]
    metrics = requests.get(f"http://127.0.0.1:{stack.metrics_port}/metrics", timeout=30).text
    comments = [c.body for issue in github.people.repo(REPO).issues for c in github.comments(REPO, issue)]
    ours = "\n".join(text for text in comments if "/triage wrong" not in text)
    told = {"log": stack.log(), "metrics": metrics, "comments": ours, "pages": "\n".join(p.text for p in pages)}
    with engine.connect() as conn:
        found = {(word, table) for word in SECRETS for table in tables_holding(conn, word) if table != "deliveries"}
    found |= {(word, place) for word in SECRETS for place, text in told.items() if word in text}
    assert found == set()
    assert sum(page.status_code == 200 for page in pages) > 5
