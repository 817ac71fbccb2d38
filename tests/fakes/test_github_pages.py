"""The stand-in for people and for other processes: pages, signing in, App manifests, control over HTTP."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from bot.github.auth import AppCredentials
from bot.github.gateway import connect
from tests.bot.github.stage import private_key
from tests.fakes.github import FakeGitHub

REPO = "tracel-ai/burn"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        found.create_repo(REPO, roles={"ann": "triage"})
        yield found


def test_an_issue_as_a_page(github: FakeGitHub) -> None:
    github.people.open_issue(REPO, "reporter", "<It> panics", "```\nthread\n```")
    comment = github.people.comment(REPO, 1, "ann", "**bold** <script>alert(1)</script>")
    github.people.minimize_comment(comment.id)
    page = requests.get(f"{github.url}/{REPO}/issues/1", timeout=5).text
    assert "<h1>&lt;It&gt; panics #1</h1>" in page
    assert f'id="issuecomment-{comment.id}"' in page
    assert "<summary>Hidden: outdated</summary>" in page
    assert "<strong>bold</strong>" in page
    assert "<script" not in page
    assert requests.get(f"{github.url}/{REPO}/issues/2", timeout=5).status_code == 404


def sign_in(github: FakeGitHub, verifier: str = "a verifier") -> tuple[dict[str, str], dict[str, list[str]]]:
    app = github.create_app(private_key=private_key())
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    ask = {
        "client_id": app.client_id,
        "redirect_uri": "http://127.0.0.1:1/back",
        "state": "s1",
        "code_challenge": challenge,
    }
    url = f"{github.url}/login/oauth/authorize"
    back = requests.get(url, params=ask, timeout=5, allow_redirects=False).headers["Location"]
    return {"client_id": app.client_id, "client_secret": app.client_secret}, parse_qs(urlsplit(back).query)


def test_signing_in(github: FakeGitHub) -> None:
    github.signed_in = "ann"
    keys, back = sign_in(github)
    assert back["state"] == ["s1"]
    form = keys | {"code": back["code"][0], "code_verifier": "a verifier"}
    answer = requests.post(f"{github.url}/login/oauth/access_token", data=form, timeout=5).json()
    who = requests.get(f"{github.url}/user", headers={"Authorization": f"token {answer['access_token']}"}, timeout=5)
    assert who.json()["login"] == "ann"
    again = requests.post(f"{github.url}/login/oauth/access_token", data=form, timeout=5).json()
    assert again == {"error": "bad_verification_code"}
    assert github.violations == []


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"code_verifier": "another"}, "bad_verification_code"),
        ({"code": "made-up"}, "bad_verification_code"),
        ({"client_secret": "guess"}, "incorrect_client_credentials"),
    ],
)
def test_signing_in_with_something_wrong(github: FakeGitHub, wrong: dict[str, str], error: str) -> None:
    github.signed_in = "ann"
    keys, back = sign_in(github)
    form = keys | {"code": back["code"][0], "code_verifier": "a verifier"} | wrong
    answer = requests.post(f"{github.url}/login/oauth/access_token", data=form, timeout=5).json()
    assert answer == {"error": error}


def test_an_app_from_a_manifest(github: FakeGitHub) -> None:
    manifest = {
        "name": "Burn Triage",
        "url": "http://127.0.0.1:1",
        "redirect_url": "http://127.0.0.1:1/back",
        "hook_attributes": {"url": "http://127.0.0.1:1/webhook"},
        "default_permissions": {"issues": "write"},
        "default_events": ["issues"],
    }
    asked = requests.post(
        f"{github.url}/settings/apps/new?state=s1", data={"manifest": json.dumps(manifest)}, timeout=5
    )
    form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', asked.text))
    assert (asked.status_code, form["name"], form["state"]) == (200, "Burn Triage", "s1")
    early = requests.post(f"{github.url}/app-manifests/{form['code']}/conversions", timeout=5)
    assert early.status_code == 404
    posted = requests.post(f"{github.url}/settings/apps", data=form, timeout=5, allow_redirects=False)
    back = parse_qs(urlsplit(posted.headers["Location"]).query)
    convert = f"{github.url}/app-manifests/{back['code'][0]}/conversions"
    made = requests.post(convert, timeout=5)
    assert (made.status_code, made.json()["slug"], back["state"]) == (201, "burn-triage", ["s1"])
    assert {"pem", "webhook_secret", "client_id", "client_secret"} <= made.json().keys()
    assert requests.post(convert, timeout=5).status_code == 404
    assert (
        connect(AppCredentials(str(made.json()["id"]), made.json()["pem"]), base_url=github.url).login()
        == "burn-triage[bot]"
    )
    assert github.violations == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"name": "x" * 35}, "name is too long"),
        ({"redirect_url": ""}, "redirect_url is missing"),
        ({"hook_attributes": {"active": True}}, "hook_attributes.url is missing"),
        ({"default_events": ["installation"]}, "Default events unsupported: installation"),
        ({"default_permissions": {"issues": "all"}}, "Default permission level invalid"),
        ({"webhook": "x"}, "webhook is no part of a manifest"),
    ],
)
def test_a_manifest_that_github_refuses(github: FakeGitHub, change: dict[str, Any], fault: str) -> None:
    manifest = {"name": "x", "url": "https://x", "redirect_url": "https://x/back"} | change
    answer = requests.post(
        f"{github.url}/organizations/tracel-ai/settings/apps/new", data={"manifest": json.dumps(manifest)}, timeout=5
    )
    assert (answer.status_code, fault in answer.text) == (422, True)


def test_control_over_http(github: FakeGitHub) -> None:
    def do(deed: str, **arguments: Any) -> Any:
        return requests.post(f"{github.url}/_control/{deed}", json=arguments, timeout=5).json()

    do("create_app", slug="other", private_key=private_key())
    do("install", app="other", repos=[REPO])
    issue = do("open_issue", repo=REPO, user="reporter", title="t", body="b")
    do("comment", repo=REPO, number=issue["number"], user="ann", body="hello")
    assert [c["body"] for c in do("comments", repo=REPO, number=1)] == ["hello"]
    do("fault", kind="502_before", path="/issues/1$")
    token = github.user_token("ann")
    url, headers = f"{github.url}/repos/{REPO}/issues/1", {"Authorization": f"token {token}"}
    assert [requests.get(url, headers=headers, timeout=5).status_code for _ in range(2)] == [502, 200]
    state = requests.get(f"{github.url}/_control/state", timeout=5).json()
    assert (state["violations"], [r["status"] for r in state["requests"]]) == ([], [502, 200])
    assert do("nonsense") == {"error": "no deed 'nonsense'"}
    assert do("open_issue", login="ann") == {"error": "open_issue: missing a required argument: 'repo'"}


def test_as_a_process_of_its_own(tmp_path: Path) -> None:
    seed = {
        "repos": [{"name": REPO, "roles": {"ann": "triage"}}],
        "commits": [{"repo": REPO, "files": {"lib.rs": "fn x() {}"}}],
        "apps": [{"slug": "burn-triage", "private_key": private_key(), "repos": [REPO]}],
        "issues": [{"repo": REPO, "user": "reporter", "title": "It panics", "body": "thread"}],
    }
    (tmp_path / "seed.json").write_text(json.dumps(seed))
    command = [sys.executable, "-m", "tests.fakes.github", "--seed", str(tmp_path / "seed.json")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        app = said["apps"]["burn-triage"]
        bot = connect(AppCredentials(str(app["id"]), app["private_key"]), base_url=said["url"])
        snapshot = bot.read_issue(REPO, 1, installation_id=app["installation_id"], people=["ann"])
        assert (snapshot.title, snapshot.permissions["ann"].value) == ("It panics", "yes")
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
