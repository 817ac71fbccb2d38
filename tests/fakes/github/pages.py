"""Pages for people: an issue with its comments, signing in, and making an App from a manifest."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import cmarkgfm
import nh3
from cmarkgfm.cmark import Options
from flask import Flask, abort, redirect, request

from tests.fakes.github.state import Issue

if TYPE_CHECKING:
    from tests.fakes.github.hub import FakeGitHub

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>body{{font:16px/1.5 system-ui;max-width:50rem;margin:2rem auto;padding:0 1rem}}
article{{border:1px solid #ccc;border-radius:6px;margin:1rem 0;padding:0 1rem}}
pre{{overflow:auto;background:#f6f8fa;padding:.6rem}} header{{border-bottom:1px solid #ccc}}</style>
<body>{body}</body></html>"""


def register(app: Flask, hub: FakeGitHub) -> None:
    """Add the routes."""

    @app.get("/")
    def index() -> str:
        issues = [i for r in hub.world.repos.values() for i in r.issues.values()]
        items = "".join(f'<li><a href="{_path(i)}">{escape(_path(i))}</a> {escape(i.title)}</li>' for i in issues)
        return PAGE.format(title="Stand-in GitHub", body=f"<h1>Issues</h1><ul>{items}</ul>")

    @app.get("/<owner>/<name>/issues/<int:number>")
    def issue_page(owner: str, name: str, number: int) -> str:
        repo = hub.world.find_repo(f"{owner}/{name}")
        issue = repo.issues.get(number) if repo else None
        if issue is None or issue.deleted:
            abort(404)
        return PAGE.format(title=escape(issue.title), body=_issue(issue))

    @app.get("/favicon.ico")
    def favicon() -> tuple[str, int]:
        return "", 204

    _register_oauth(app, hub)
    _register_manifest(app, hub)


def _path(issue: Issue) -> str:
    return f"/{issue.repo.full_name}/issues/{issue.number}"


def _issue(issue: Issue) -> str:
    head = f"<h1>{escape(issue.title)} #{issue.number}</h1><p>{escape(issue.repo.full_name)}, {issue.state}</p>"
    author = issue.user.login if issue.user else "ghost"
    parts = [head, _article(author, issue.body or "", [r.content for r in issue.reactions])]
    for comment in issue.comments:
        writer = comment.user.login if comment.user else "ghost"
        shown = _article(writer, comment.body, [r.content for r in comment.reactions], f"issuecomment-{comment.id}")
        if comment.minimized:
            words = f"Hidden: {comment.minimized.lower()}"
            shown = f"<details><summary>{escape(words)}</summary>{shown}</details>"
        parts.append(shown)
    return "".join(parts)


def _article(author: str, body: str, reactions: list[str], anchor: str = "") -> str:
    html = nh3.clean(cmarkgfm.github_flavored_markdown_to_html(body, options=Options.CMARK_OPT_UNSAFE))
    given = f"<p>{escape(' '.join(reactions))}</p>" if reactions else ""
    return f'<article id="{anchor}"><header>{escape(author)}</header>{html}{given}</article>'


def _register_oauth(app: Flask, hub: FakeGitHub) -> None:
    @app.get("/login/oauth/authorize")
    def authorize() -> Any:
        ask = request.args
        login = ask.get("login") or hub.signed_in
        if not login:
            abort(400, "nobody is signed in: set `signed_in`, or add login= to the address")
        code = secrets.token_hex(10)
        hub.world.oauth_codes[code] = {**ask.to_dict(), "login": login}
        back = urlencode({"code": code, "state": ask.get("state", "")})
        return redirect(f"{ask['redirect_uri']}?{back}")

    @app.post("/login/oauth/access_token")
    def access_token() -> Any:
        given: dict[str, str] = request.get_json() if request.is_json else request.form.to_dict()
        asked = hub.world.oauth_codes.pop(given.get("code", ""), None)
        record = next((a for a in hub.world.apps.values() if a.client_id == given.get("client_id")), None)
        if record is None or record.client_secret != given.get("client_secret"):
            return {"error": "incorrect_client_credentials"}
        if asked is None or asked.get("client_id") != record.client_id or not _proved(asked, given):
            return {"error": "bad_verification_code"}
        token = hub.new_token("ghu", hub.world.user(asked["login"]))
        return {"access_token": token.text, "token_type": "bearer", "scope": ""}


def _proved(asked: dict[str, str], given: dict[str, str]) -> bool:
    """PKCE (RFC 7636, S256)."""
    challenge = asked.get("code_challenge")
    if not challenge:
        return True
    digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=") == challenge


def _register_manifest(app: Flask, hub: FakeGitHub) -> None:
    @app.post("/settings/apps/new")
    @app.post("/organizations/<owner>/settings/apps/new")
    def new_app(owner: str = "") -> Any:
        """GitHub shows what the manifest asks for, and lets the person choose another name."""
        try:
            wanted = json.loads(request.form["manifest"])
        except (KeyError, ValueError):
            return _manifest_page("<p>The manifest is no JSON.</p>", 422)
        if faults := manifest_faults(wanted):
            return _manifest_page("".join(f"<p>{escape(fault)}</p>" for fault in faults), 422)
        code = secrets.token_hex(20)
        hub.world.manifests[code] = {"manifest": wanted, "owner": owner, "made": False}
        hidden = {"code": code, "state": request.args.get("state", "")}
        fields = "".join(f'<input type="hidden" name="{k}" value="{escape(v)}">' for k, v in hidden.items())
        name = f'<label>GitHub App name <input name="name" value="{escape(str(wanted["name"]))}"></label>'
        button = "<button>Create GitHub App</button>"
        return _manifest_page(f'<form method="post" action="/settings/apps">{fields}{name}{button}</form>')

    @app.post("/settings/apps")
    def make_app() -> Any:
        pending = hub.world.manifests.get(request.form["code"])
        if pending is None or pending["made"]:
            abort(404)
        pending["made"] = True
        wanted: Any = pending["manifest"]
        wanted["name"] = request.form.get("name") or wanted["name"]
        back = urlencode({"code": request.form["code"], "state": request.form["state"]})
        return redirect(f"{wanted['redirect_url']}?{back}")


def _manifest_page(inner: str, status: int = 200) -> Any:
    head = '<!doctype html><html lang="en"><title>Create GitHub App</title><link rel="icon" href="data:,">'
    return f"{head}<h1>Create GitHub App</h1>{inner}", status


NEVER_SUBSCRIBED = frozenset({"installation", "installation_repositories", "github_app_authorization", "ping"})
LEVELS = frozenset({"read", "write", "admin"})


def manifest_faults(wanted: Any) -> list[str]:
    """What GitHub would refuse in a manifest (docs.github.com, "Registering a GitHub App from a manifest")."""
    found = [f"{name} is missing" for name in ("name", "url", "redirect_url") if not wanted.get(name)]
    if len(str(wanted.get("name"))) > 34:
        found.append("name is too long (maximum is 34 characters)")
    hook = wanted.get("hook_attributes")
    if hook is not None and not hook.get("url"):
        found.append("hook_attributes.url is missing")
    for event in wanted.get("default_events", []):
        if event in NEVER_SUBSCRIBED or not re.fullmatch("[a-z_]+", event):
            found.append(f"Default events unsupported: {event}")
    for name, level in wanted.get("default_permissions", {}).items():
        if level not in LEVELS:
            found.append(f"Default permission level invalid: {name}: {level}")
    known = {"name", "url", "hook_attributes", "redirect_url", "callback_urls", "setup_url", "description", "public"}
    known |= {"default_events", "default_permissions", "request_oauth_on_install", "setup_on_update"}
    return found + [f"{name} is no part of a manifest" for name in sorted(wanted.keys() - known)]
