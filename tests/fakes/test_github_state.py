"""The stand-in itself: what it answers must be what GitHub would answer, and it must notice what is wrong."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
import requests
from github import Auth, Github, GithubIntegration

from tests.bot.github.stage import private_key
from tests.fakes.clock import FakeClock
from tests.fakes.github import FakeGitHub, example, examples

REPO = "tracel-ai/burn"


@pytest.fixture
def github(clock: FakeClock) -> Iterator[FakeGitHub]:
    with FakeGitHub(clock.now) as found:
        yield found


class Receiver:
    """Takes webhooks on loopback and keeps them."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        got = self.got

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                got.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(202)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/webhook"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.server.shutdown()
    found.server.server_close()


def call(github: FakeGitHub, verb: str, path: str, token: str = "", **options: Any) -> requests.Response:
    headers = {"Authorization": f"token {token}"} if token else {}
    return requests.request(verb, github.url + path, headers=headers, timeout=5, allow_redirects=False, **options)


def test_pygithub_itself_works_on_it(github: FakeGitHub, clock: FakeClock) -> None:
    """A client that nobody here wrote, with its objects, its pagination and its own idea of urls."""
    clock.moment = time.time()  # PyGithub signs its web tokens at the real time
    app = github.create_app(private_key=private_key())
    repo = github.create_repo(REPO, roles={"ann": "triage"}, labels=["bug"])
    installation = github.install(app, [repo])
    github.people.open_issue(REPO, "reporter", "It panics", "body")
    quiet: dict[str, Any] = {"seconds_between_requests": None, "seconds_between_writes": None}
    integration = GithubIntegration(auth=Auth.AppAuth(app.id, app.private_key), base_url=github.url, **quiet)
    assert integration.get_app().slug == "burn-triage"
    assert [i.id for i in integration.get_installations()] == [installation.id]
    token = integration.get_access_token(installation.id).token
    client = Github(auth=Auth.Token(token), base_url=github.url, per_page=2, **quiet)
    issue = client.get_repo(REPO).get_issue(1)
    for number in range(5):
        issue.create_comment(f"comment {number}")
    comments = list(issue.get_comments())
    assert [c.body for c in comments] == [f"comment {n}" for n in range(5)]
    assert comments[0].user.login == "burn-triage[bot]"
    comments[0].edit("edited")
    comments[0].create_reaction("eyes")
    assert comments[1].minimize()
    assert comments[1].unminimize()
    comments[2].delete()
    issue.add_to_labels("bug")
    assert [label.name for label in issue.get_labels()] == ["bug"]
    assert client.get_repo(REPO).get_collaborator_permission("ann") == "read"
    assert client.get_repo(REPO).get_collaborator_role_name("ann") == "triage"
    assert github.violations == []


@pytest.mark.parametrize(
    ("role", "permission", "role_name", "true"),
    [
        ("admin", "admin", "admin", {"pull", "triage", "push", "maintain", "admin"}),
        ("maintain", "write", "maintain", {"pull", "triage", "push", "maintain"}),
        ("write", "write", "write", {"pull", "triage", "push"}),
        ("triage", "read", "triage", {"pull", "triage"}),
        ("read", "read", "read", {"pull"}),
        ("none", "none", "none", set()),
        ("helper", "read", "helper", {"pull", "triage"}),
    ],
)
def test_roles(github: FakeGitHub, role: str, permission: str, role_name: str, true: set[str]) -> None:
    github.create_repo(REPO, roles={"ann": role}, custom_roles={"helper": ("pull", "triage")})
    answer = call(github, "GET", f"/repos/{REPO}/collaborators/ann/permission", github.user_token("me")).json()
    assert (answer["permission"], answer["role_name"]) == (permission, role_name)
    assert {name for name, value in answer["user"]["permissions"].items() if value} == true
    assert github.violations == []


def test_a_signed_delivery_of_what_happened(github: FakeGitHub, receiver: Receiver) -> None:
    app = github.create_app(webhook_url=receiver.url, webhook_secret="s3cret", private_key=private_key())
    github.install(app, [github.create_repo(REPO)])
    people = github.people
    people.open_issue(REPO, "reporter", "It panics ✨", "body")
    comment = people.comment(REPO, 1, "reporter", "more")
    people.edit_comment(comment.id, "less")
    people.edit_issue(REPO, 1, body="other")
    people.close_issue(REPO, 1)
    people.delete_comment(comment.id)
    github.hooks.settle()
    sent = [(h["X-GitHub-Event"], json.loads(b)) for h, b in receiver.got]
    assert [(event, p["action"]) for event, p in sent] == [
        ("installation", "created"),
        ("issues", "opened"),
        ("issue_comment", "created"),
        ("issue_comment", "edited"),
        ("issues", "edited"),
        ("issues", "closed"),
        ("issue_comment", "deleted"),
    ]
    for headers, body in receiver.got:
        proof = "sha256=" + hmac.new(b"s3cret", body, hashlib.sha256).hexdigest()
        assert headers["X-Hub-Signature-256"] == proof
    opened = sent[1][1]
    assert (opened["issue"]["title"], opened["issue"]["number"], opened["sender"]["login"]) == (
        "It panics ✨",
        1,
        "reporter",
    )
    assert opened["repository"]["full_name"] == REPO
    assert sent[3][1]["changes"] == {"body": {"from": "more"}}
    assert {d.status_code for d in github.hooks.recent(app)} == {202}


def test_what_our_own_comment_sends(github: FakeGitHub, receiver: Receiver) -> None:
    """GitHub tells an App about its own comments too: the bot must not answer itself."""
    app = github.create_app(webhook_url=receiver.url, private_key=private_key())
    github.install(app, [github.create_repo(REPO)])
    github.people.open_issue(REPO, "reporter", "t", "b")
    github.people.comment(REPO, 1, app.bot.login, "hello", app=app)
    github.hooks.settle()
    payload = json.loads(receiver.got[-1][1])
    assert (payload["sender"]["type"], payload["comment"]["performed_via_github_app"]["slug"]) == ("Bot", "burn-triage")


def test_held_back_and_released_in_another_order(github: FakeGitHub, receiver: Receiver) -> None:
    app = github.create_app(webhook_url=receiver.url, private_key=private_key())
    github.install(app, [github.create_repo(REPO)])
    github.hooks.settle()
    github.hooks.paused = True
    for title in "abc":
        github.people.open_issue(REPO, "reporter", title, "")
    github.hooks.release(lambda waiting: waiting[::-1])
    titles = [json.loads(body)["issue"]["title"] for _, body in receiver.got[1:]]
    assert titles == ["c", "b", "a"]


def test_what_is_wrong_is_noticed(github: FakeGitHub) -> None:
    github.create_repo(REPO)
    github.people.open_issue(REPO, "reporter", "t", "b")
    token = github.user_token("ann")
    call(github, "POST", f"/repos/{REPO}/issues/1/comments", token, json={"text": "no body"})
    call(github, "POST", f"/repos/{REPO}/issues/1/comments", token, json={"body": 5})
    call(github, "GET", f"/repos/{REPO}/nonsense", token)
    call(github, "POST", "/graphql", token, json={"query": "{ nonsense }"})
    call(github, "POST", "/graphql", token, json={"query": "mutation { minimizeComment(input: {subjectId: 5}) { x } }"})
    where = [text.split(": ")[0] for text in github.violations]
    comments = f"POST /repos/{REPO}/issues/1/comments"
    assert [w for w in where if w == comments] == [comments] * 2
    assert f"GET /repos/{REPO}/nonsense" in where
    assert where.count("POST /graphql") >= 2


def test_an_answer_that_lacks_a_member_is_noticed(github: FakeGitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.fakes.github import views

    github.create_repo(REPO)
    github.people.open_issue(REPO, "reporter", "t", "b")
    whole = views.issue
    monkeypatch.setattr(
        views, "issue", lambda base, record: {k: v for k, v in whole(base, record).items() if k != "locked"}
    )
    call(github, "GET", f"/repos/{REPO}/issues/1", github.user_token("ann"))
    assert any("'locked' is a required property" in text for text in github.violations)


def test_the_limits_of_a_body(github: FakeGitHub) -> None:
    github.create_repo(REPO)
    github.people.open_issue(REPO, "reporter", "t", "b")
    token, path = github.user_token("ann"), f"/repos/{REPO}/issues/1/comments"
    got = [call(github, "POST", path, token, json={"body": b}).status_code for b in ("x" * 65_536, "x" * 65_537, " ")]
    assert got == [201, 422, 422]


def test_tokens_end_and_cover_their_repositories_only(github: FakeGitHub, clock: FakeClock) -> None:
    app = github.create_app(private_key=private_key())
    mine, other = github.create_repo(REPO), github.create_repo("else/where")
    secret = github.create_repo("else/secret", private=True)
    installation = github.install(app, [mine])
    for repo in (mine, other, secret):
        github.people.open_issue(repo.full_name, "reporter", "t", "b")
    token = github.new_token("ghs", app.bot, installation=installation, expires_at=clock.now() + 10).text

    def post(name: str) -> int:
        return call(github, "POST", f"/repos/{name}/issues/1/comments", token, json={"body": "x"}).status_code

    assert [post(r.full_name) for r in (mine, other, secret)] == [201, 403, 404]
    clock.moment += 11
    assert post(REPO) == 401


def test_the_content_limit_where_it_is_switched_on(github: FakeGitHub, clock: FakeClock) -> None:
    github.create_repo(REPO)
    github.people.open_issue(REPO, "reporter", "t", "b")
    github.content_per_minute = 3
    token, path = github.user_token("ann"), f"/repos/{REPO}/issues/1/comments"
    got = [call(github, "POST", path, token, json={"body": "x"}).status_code for _ in range(4)]
    clock.moment += 61
    got.append(call(github, "POST", path, token, json={"body": "x"}).status_code)
    assert got == [201, 201, 201, 403, 201]


def test_an_unknown_fault_is_refused(github: FakeGitHub) -> None:
    with pytest.raises(ValueError, match="no fault 'flood'"):
        github.fault("flood")


def test_faults_by_chance_are_the_same_for_the_same_seed() -> None:
    def struck(seed: int) -> list[bool]:
        found = FakeGitHub(seed=seed)
        found.fault("502_before", times=-1, chance=0.3)
        return [found.faults.strike("GET", "/x") is not None for _ in range(50)]

    assert struck(1) == struck(1)
    assert 5 < sum(struck(1)) < 30


def test_every_published_payload_is_there() -> None:
    assert (len(examples()), sum(len(found) for found in examples().values())) == (58, 329)
    assert all(isinstance(payload, dict) for found in examples().values() for payload in found)
    assert example("issues", "opened")["action"] == "opened"
