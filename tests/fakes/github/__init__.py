"""A GitHub of our own, stateful and held against GitHub's own API descriptions.

    with FakeGitHub() as github:
        app = github.create_app(webhook_url="http://127.0.0.1:8000/webhook")
        repo = github.create_repo("tracel-ai/burn", roles={"ann": "triage"})
        installation = github.install(app, [repo])
        issue = github.people.open_issue("tracel-ai/burn", "reporter", "Panic", "thread 'main' panicked at ...")
        github.hooks.settle()                                 # the signed webhook was delivered and answered
        github.fault("502_after", verb="POST", path="/comments$")
        github.comments("tracel-ai/burn", issue.number)
        assert github.violations == []

The bot reaches it with `base_url=github.url`, `app.id`, `app.private_key`. As a process of its own:
`python -m tests.fakes.github --port 4020 --seed seed.json`, steered by `POST /_control/<deed>`.
"""

from tests.fakes.github.faults import KINDS, Fault
from tests.fakes.github.hooks import Delivery, sign
from tests.fakes.github.hub import FakeGitHub, Seen
from tests.fakes.github.payloads import example, examples, payload
from tests.fakes.github.state import App, Comment, Installation, Issue, Repo

__all__ = [
    "KINDS", "App", "Comment", "Delivery", "FakeGitHub", "Fault", "Installation", "Issue", "Repo", "Seen", "example",
    "examples", "payload", "sign",
]  # fmt: skip
