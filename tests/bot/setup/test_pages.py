"""The way to GitHub and back against the stand-in; and what strangers get: always the same nothing."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
import requests
from flask.testing import FlaskClient

from bot.credentials import create_kept, read_kept
from bot.github.auth import AppCredentials
from bot.github.gateway import connect
from bot.setup.gate import Gate
from bot.setup.pages import BACK, PLACE, SetUp, create_pages
from bot.setup.register import register
from tests.fakes.clock import FakeClock
from tests.fakes.github import FakeGitHub

SERVER = "https://bot.example.org"


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as github:
        yield github
        assert github.violations == []


@pytest.fixture
def setup(github: FakeGitHub, clock: FakeClock, tmp_path: Path) -> SetUp:
    path = tmp_path / "state" / "app.json"
    return SetUp(
        gate=Gate(clock),
        server_url=SERVER,
        github_url=github.url,
        register=lambda code: register(code, api_url=github.url, path=path),
        exists=path.exists,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "app.json"


def browser(setup: SetUp) -> FlaskClient:
    return create_pages(setup).test_client()


def admitted(setup: SetUp) -> FlaskClient:
    client = browser(setup)
    assert client.get(f"{PLACE}?token={setup.gate.token}").status_code == 303
    return client


def begun(client: FlaskClient) -> tuple[str, str]:
    """Address and manifest of the form."""
    page = client.get(PLACE).text
    action, manifest = re.findall(r'action="([^"]+)"', page), re.findall(r'value="([^"]+)"', page)
    return unescape(action[0]), unescape(manifest[0])


def at_github(action: str, manifest: str) -> str:
    """Agree on GitHub's page: where it sends the browser back to, without the host."""
    asked = requests.post(action, data={"manifest": manifest}, timeout=5)
    form = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', asked.text)}
    host = action.split("/settings")[0].split("/organizations")[0]
    done = requests.post(f"{host}/settings/apps", data=form, timeout=5, allow_redirects=False)
    return done.headers["Location"].removeprefix(SERVER)


def test_from_the_token_to_keys_that_work(setup: SetUp, github: FakeGitHub, path: Path):
    told: list[str] = []
    setup.on_made = lambda: told.append("made")
    client = admitted(setup)
    action, manifest = begun(client)
    assert action.startswith(f"{github.url}/settings/apps/new?state=")
    done = client.get(at_github(action, manifest))
    done.close()
    assert (done.status_code, "burn-triage is made" in done.text, told) == (200, True, ["made"])
    kept = read_kept(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    app = next(iter(github.world.apps.values()))
    assert kept == {
        "app_id": str(app.id),
        "private_key": app.private_key,
        "webhook_secret": app.webhook_secret,
        "client_id": app.client_id,
        "client_secret": app.client_secret,
        "bot_login": "burn-triage[bot]",
        "marker_key": kept["marker_key"],
        "app_page": f"{github.url}/apps/burn-triage",
    }
    assert len(kept["marker_key"]) == 64
    assert (app.permissions, set(app.events), app.webhook_url) == (
        {"contents": "read", "issues": "write", "metadata": "read"},
        {"issues", "issue_comment"},
        f"{SERVER}/webhook",
    )
    bot = connect(AppCredentials(kept["app_id"], kept["private_key"]), base_url=github.url)
    assert bot.login() == "burn-triage[bot]"
    assert not any(secret in done.text for secret in (kept["webhook_secret"], kept["marker_key"], "PRIVATE KEY"))


def test_an_organisation_gets_its_own(setup: SetUp, github: FakeGitHub):
    setup.organisation, setup.name = "tracel-ai", "burn panics"
    client = admitted(setup)
    action, manifest = begun(client)
    assert action.startswith(f"{github.url}/organizations/tracel-ai/settings/apps/new?")
    assert client.get(at_github(action, manifest)).status_code == 200
    app = next(iter(github.world.apps.values()))
    assert (app.owner.login, app.slug) == ("tracel-ai", "burn-panics")


def everything(client: FlaskClient, setup: SetUp) -> set[tuple[int, str, tuple[tuple[str, str], ...]]]:
    """What the addresses answer."""
    asked = ["/", PLACE, f"{PLACE}?token=", f"{PLACE}?token=guess", BACK, f"{BACK}?code=x&state=y", "/webhook"]
    asked += [f"{PLACE}/site.css", f"{PLACE}/pico-2.1.1.min.css", "/healthz"]
    answers = [client.get(address) for address in asked] + [client.post(PLACE), client.head(PLACE)]
    return {(a.status_code, a.text or "404 Not Found\n", tuple(sorted(a.headers))) for a in answers}


def test_a_stranger_gets_nothing_and_the_same_nothing_at_any_time(setup: SetUp, clock: FakeClock, path: Path):
    stranger = browser(setup)
    answers = [everything(stranger, setup)]
    client = admitted(setup)
    answers.append(everything(stranger, setup))
    assert stranger.get(f"{PLACE}?token={setup.gate.token}").status_code == 404
    assert client.get(PLACE).status_code == 200
    clock.sleep(1800)
    answers += [everything(stranger, setup), everything(client, setup)]
    assert [len(found) for found in answers] == [1] * 4
    assert set.union(*answers) == answers[0]
    assert {(status, text) for status, text, _ in answers[0]} == {(404, "404 Not Found\n")}
    assert not path.exists()


def test_whatever_looks_at_a_link_first_does_not_use_the_token_up(setup: SetUp):
    client = browser(setup)
    address = f"{PLACE}?token={setup.gate.token}"
    looked = [client.head(address), client.get(address, headers={"Sec-Purpose": "prefetch;prerender"})]
    assert [answer.status_code for answer in looked] == [404, 404]
    assert client.get(address).status_code == 303


def test_the_state_is_bound_to_the_browser_and_works_once(setup: SetUp, path: Path):
    client, stranger = admitted(setup), browser(setup)
    way_back = at_github(*begun(client))
    forged = re.sub("state=[^&]+", "state=forged", way_back)
    assert [stranger.get(way_back).status_code, client.get(forged).status_code, path.exists()] == [404, 404, False]
    assert [client.get(way_back).status_code, client.get(way_back).status_code] == [200, 404]


def test_nothing_is_offered_once_there_are_credentials(setup: SetUp, path: Path):
    client = admitted(setup)
    way_back = at_github(*begun(client))
    create_kept(path, {"app_id": "1"})
    assert [client.get(PLACE).status_code, client.get(way_back).status_code] == [404, 404]
    assert read_kept(path) == {"app_id": "1"}


def test_a_code_that_github_does_not_know_keeps_nothing_and_may_be_tried_again(setup: SetUp, path: Path):
    client = admitted(setup)
    way_back = at_github(*begun(client))
    state = re.findall("state=([^&]+)", way_back)[0]
    bad = client.get(f"{BACK}?code=made-up&state={state}")
    assert (bad.status_code, 'href="/setup"' in bad.text, path.exists()) == (502, True, False)
    assert client.get(at_github(*begun(client))).status_code == 200


def test_only_the_form_may_post_and_only_to_github(setup: SetUp, github: FakeGitHub):
    client = admitted(setup)
    page, way_back = client.get(PLACE), at_github(*begun(client))
    done = client.get(way_back)
    assert f"form-action {github.url};" in page.headers["Content-Security-Policy"]
    assert "form-action 'self';" in done.headers["Content-Security-Policy"]
    for one in (page, done):
        assert "default-src 'none'" in one.headers["Content-Security-Policy"]
        assert (one.headers["Cache-Control"], one.headers["X-Frame-Options"]) == ("no-store", "DENY")


def test_the_cookie_is_no_ones_but_the_servers(setup: SetUp):
    answer = browser(setup).get(f"{PLACE}?token={setup.gate.token}")
    cookie = answer.headers["Set-Cookie"]
    assert [word in cookie for word in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/setup", "Max-Age=1800")] == [
        True
    ] * 5
    assert answer.headers["Location"] == PLACE


def test_who_opened_the_page_on_the_machine_comes_back_to_it(setup: SetUp):
    setup.local_host, here = "127.0.0.1:8000", "http://127.0.0.1:8000"
    client = browser(setup)
    answer = client.get(f"{PLACE}?token={setup.gate.token}", base_url=here)
    assert "Secure" not in answer.headers["Set-Cookie"]
    page = client.get(PLACE, base_url=here).text
    manifest = json.loads(unescape(re.findall(r'value="([^"]+)"', page)[0]))
    assert manifest["redirect_url"] == "http://127.0.0.1:8000/setup/return"
    assert manifest["hook_attributes"]["url"] == f"{SERVER}/webhook"
