"""Every operation that the cut describes is served, and its answer is valid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jwt
import pytest
import requests

from tests.bot.github.stage import REPO, Stage, staged
from tests.fakes.clock import FakeClock
from tests.vendor.operations import REST


@pytest.fixture
def stage(clock: FakeClock) -> Iterator[Stage]:
    with staged(clock) as found:
        yield found


@dataclass
class Tour:
    """Values for the parameters of the paths, and a token for each kind of caller."""

    stage: Stage
    values: dict[str, Any]
    tokens: dict[str, str]

    def token_for(self, path: str) -> str:
        """An App's paths want its web token, a user's paths a user's, all others an installation's."""
        if path.startswith("/app") or path.endswith("/installation"):
            return self.tokens["app"]
        return self.tokens["user" if path.startswith("/user") else "installation"]

    def call(self, verb: str, template: str, body: Any) -> int:
        path = template.format(**self.values)
        headers = {"Authorization": f"Bearer {self.token_for(template)}"}
        url = self.stage.github.url + path
        return requests.request(verb, url, headers=headers, json=body, timeout=5).status_code


def tour(stage: Stage) -> Tour:
    github, now = stage.github, int(stage.clock.now())
    claims = {"iat": now, "exp": now + 300, "iss": str(stage.app.id)}
    issue = stage.repo.issues[1]
    stage.repo.labels["bug"] = "ff0000"
    github.people.label_issue(REPO, 1, "bug")
    comment = github.people.comment(REPO, 1, stage.app.bot.login, "hello")
    bot = stage.app.bot
    reaction, _ = github.people.react(comment, bot, "eyes")
    commit = github.add_commit(REPO, {"src/lib.rs": "fn x() {}"})
    sent = github.hooks.deliver(stage.app, "ping", {"zen": "x"})
    github.world.manifests["code-1"] = {"manifest": {"name": "Made"}, "owner": "", "made": True}
    blob = requests.get(f"{github.url}/repos/{REPO}/contents/src/lib.rs", timeout=5).json()["sha"]
    values = {
        "owner": "tracel-ai", "repo": "burn", "issue_number": issue.number, "comment_id": comment.id, "name": "bug",
        "reaction_id": reaction.id, "ref": commit.sha, "path": "src/lib.rs", "file_sha": blob, "username": "ann",
        "installation_id": stage.installation.id, "delivery_id": sent.id, "code": "code-1",
    }  # fmt: skip
    tokens = {
        "app": jwt.encode(claims, stage.app.private_key, algorithm="RS256"),
        "user": github.user_token("ann"),
        "installation": github.new_token("ghs", bot, installation=stage.installation).text,
    }
    return Tour(stage, values, tokens)


BODIES: dict[tuple[str, str], Any] = {
    ("patch", "/app/hook/config"): {"url": "http://127.0.0.1:9/"},
    ("post", "/repos/{owner}/{repo}/issues"): {"title": "t", "body": "b", "labels": ["bug"]},
    ("patch", "/repos/{owner}/{repo}/issues/{issue_number}"): {"state": "closed", "title": "x"},
    ("post", "/repos/{owner}/{repo}/issues/{issue_number}/comments"): {"body": "hello"},
    ("post", "/repos/{owner}/{repo}/issues/{issue_number}/labels"): {"labels": ["bug"]},
    ("put", "/repos/{owner}/{repo}/issues/{issue_number}/lock"): {"lock_reason": "spam"},
    ("post", "/repos/{owner}/{repo}/issues/{issue_number}/reactions"): {"content": "+1"},
    ("patch", "/repos/{owner}/{repo}/issues/comments/{comment_id}"): {"body": "other"},
    ("post", "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions"): {"content": "+1"},
    ("post", "/repos/{owner}/{repo}/labels"): {"name": "new", "color": "00ff00"},
    ("patch", "/repos/{owner}/{repo}/labels/{name}"): {"color": "00ff00"},
}
ISSUE_REACTION = "/repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}"


@pytest.mark.parametrize(("verb", "template"), [(verb, path) for path, verbs in REST.items() for verb in verbs])
def test_every_operation(stage: Stage, verb: str, template: str) -> None:
    found = tour(stage)
    if template == ISSUE_REACTION:
        given, _ = stage.github.people.react(stage.repo.issues[1], stage.app.bot, "eyes")
        found.values["reaction_id"] = given.id
    assert found.call(verb.upper(), template, BODIES.get((verb, template))) in {200, 201, 202, 204}
